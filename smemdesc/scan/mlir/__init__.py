"""The front end for MLIR: the nvvm, llvm, arith and nvgpu operations of a function, Triton's and the CuTe DSL's."""

from smemdesc.scan.mlir.aliases import Aliases, Module, module
from smemdesc.scan.mlir.dialects import is_mlir, passed_over
from smemdesc.scan.mlir.front import analyse

__all__ = ["Aliases", "Module", "analyse", "is_mlir", "module", "passed_over"]
