"""The front end for MLIR: the nvvm, llvm, arith and nvgpu operations of a function, Triton's and the CuTe DSL's."""

from smemdesc.scan.mlir.aliases import Module, module
from smemdesc.scan.mlir.front import analyse

__all__ = ["Module", "analyse", "module"]
