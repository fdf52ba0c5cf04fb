"""One instruction checked with its operands, and all constants of a GEMM."""
