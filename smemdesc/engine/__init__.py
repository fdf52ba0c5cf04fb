"""The engine: codecs, rows and tables on bitstring, partly known values, the text of a value. It knows nothing of
NVIDIA."""
