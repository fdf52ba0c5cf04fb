"""Dumps of kernels whose descriptors are known, and what makes them."""
