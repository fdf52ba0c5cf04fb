"""The API of the page in ``web/``: JSON in, JSON out. Above every module; without logic of its own."""
