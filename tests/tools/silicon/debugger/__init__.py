"""Sessions in the debugger with kernels that are wrong on purpose."""
