"""Where every element lives: swizzles, operands, tiles, atoms, register fragments, tensor memory, scale factors."""
