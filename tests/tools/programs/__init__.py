"""Random programs, the machines that run them, and other ways to print them."""
