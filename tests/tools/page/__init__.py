"""The page in a browser: what the tests look at and what people look at."""
