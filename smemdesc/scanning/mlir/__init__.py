"""The front end for MLIR: the nvvm, llvm, arith and nvgpu operations of a function, Triton's and the CuTe DSL's."""

from smemdesc.scanning.mlir.aliases import Aliases, Module, module
from smemdesc.scanning.mlir.front import analyse, is_mlir, passed_over

__all__ = ["Aliases", "Module", "analyse", "is_mlir", "module", "passed_over"]
