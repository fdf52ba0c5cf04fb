"""One instruction checked whole, and all constants of a GEMM."""
