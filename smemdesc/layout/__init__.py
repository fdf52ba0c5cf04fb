"""Addresses of elements: swizzles, operands, tiles, atoms, register fragments, tensor memory, scale factors."""
