"""The front end for MLIR: the nvvm, llvm, arith and nvgpu operations of one function."""

from smemdesc.scan.mlir.front import analyse

__all__ = ["analyse"]
