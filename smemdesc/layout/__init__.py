"""Where every element lives: swizzles, operands, tiles, atoms and register fragments."""
