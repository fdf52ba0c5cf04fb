"""The tables as data, one module per kind; swizzle modes, types, architectures, names."""
