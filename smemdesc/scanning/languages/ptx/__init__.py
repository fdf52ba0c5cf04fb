"""The front end for PTX, as nvcc and Triton write it and as people write it in inline assembly."""

from smemdesc.scanning.languages.ptx.front import analyse, ptx_functions
from smemdesc.scanning.languages.ptx.text import PtxModule, read_declarations

__all__ = ["PtxModule", "analyse", "ptx_functions", "read_declarations"]
