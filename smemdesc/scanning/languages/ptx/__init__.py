"""The front end for PTX, as nvcc and Triton write it and as people write it in inline assembly."""

from smemdesc.scanning.languages.ptx.front import analyse, functions
from smemdesc.scanning.languages.ptx.text import PtxModule, module

__all__ = ["PtxModule", "analyse", "functions", "module"]
