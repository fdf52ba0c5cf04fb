"""The tables as data, one module a kind; swizzle modes, types, architectures, names."""
