"""Tiles and layouts as descriptors say them: the descriptors of a tile, and of a layout that is given as text."""
