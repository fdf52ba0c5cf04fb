"""The front end for MLIR: the nvvm, llvm, arith and nvgpu operations of a function, Triton's and the CuTe DSL's."""

from smemdesc.scanning.languages.mlir.aliases import Aliases, MlirModule, module_aliases
from smemdesc.scanning.languages.mlir.front import analyse, is_mlir, passed_over

__all__ = ["Aliases", "MlirModule", "analyse", "is_mlir", "module_aliases", "passed_over"]
