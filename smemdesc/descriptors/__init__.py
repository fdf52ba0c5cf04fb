"""Decoding (readings, ranking, findings), encoding and differences."""
