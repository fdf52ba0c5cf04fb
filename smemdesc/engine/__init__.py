"""The engine: codecs, rows and tables on bitstring, partly known values. It knows nothing of
NVIDIA."""
