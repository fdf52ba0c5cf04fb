"""Where other programs ask: cuda-gdb and the page."""
