"""The front end for PTX, as nvcc and Triton write it and as people write it in inline assembly."""

from smemdesc.scanning.ptx.front import analyse, functions
from smemdesc.scanning.ptx.text import Module, module

__all__ = ["Module", "analyse", "functions", "module"]
