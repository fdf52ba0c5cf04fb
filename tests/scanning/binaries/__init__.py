"""Cubins, fat binaries and what holds them."""
