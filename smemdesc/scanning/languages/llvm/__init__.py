"""The front end for LLVM IR in text form (``define ... { ... }``), as Triton and clang write it."""

from smemdesc.scanning.languages.llvm.front import analyse
from smemdesc.scanning.languages.llvm.text import LlvmModule, read_module

__all__ = ["LlvmModule", "analyse", "read_module"]
