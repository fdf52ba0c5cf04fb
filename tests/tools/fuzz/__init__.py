"""Fuzzers: a short run of each is a test, a long one a command (docs/contributing.md)."""
