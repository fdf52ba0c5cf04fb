"""The API of the page in ``web/``: JSON in, JSON out. It may import every module, and has no logic of its own."""
