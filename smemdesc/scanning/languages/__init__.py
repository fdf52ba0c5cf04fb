"""SASS, PTX, LLVM IR and MLIR: each is lowered to the operations of the analysis."""
