"""The descriptors of a tile, and of a layout given as text."""
