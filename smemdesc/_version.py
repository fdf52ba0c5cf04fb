"""The version, a literal: reading package metadata costs more than the rest of ``--version``."""

__version__ = "0.1.0"
