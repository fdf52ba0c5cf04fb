"""Integrations: cuda-gdb and the page."""
