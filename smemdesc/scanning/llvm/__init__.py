"""The front end for LLVM IR in text form (``define ... { ... }``), as Triton and clang write it."""

from smemdesc.scanning.llvm.front import analyse
from smemdesc.scanning.llvm.text import Module, module

__all__ = ["Module", "analyse", "module"]
