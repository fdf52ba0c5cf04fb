"""What the page in ``web/`` asks of this package: JSON in, JSON out. Above every module; nothing is decided here."""
