"""The front end for LLVM IR in text form (``define ... { ... }``), as Triton and clang write it."""

from smemdesc.scan.llvm.front import analyse
from smemdesc.scan.llvm.module import Module, module

__all__ = ["Module", "analyse", "module"]
