"""Descriptors in whole dumps: front ends for SASS, PTX, LLVM IR and MLIR over one analysis of known bits.

:func:`scan_text` returns the functions with tensor-core instructions, each with what is known of its descriptors;
:class:`smemdesc.instructions.mma.Judge` decodes their :attr:`~smemdesc.scanning.model.ScannedMma.model`. Files are
scanned by :func:`smemdesc.api.scanning.scan`, which is ``smemdesc.scan``.
"""

from __future__ import annotations

from smemdesc.scanning.model import Function, Instruction, Part, ScannedMma, ScannedOperand, TextValue
from smemdesc.scanning.model.shared_memory import GivenMaps

__all__ = ["Function", "Instruction", "Part", "ScannedMma", "ScannedOperand", "TextValue", "scan_text"]


def scan_text(text: str | bytes, wanted: str | None = None, maps: GivenMaps = ()) -> Part:
    """Scan text that is in memory; ``wanted``: only the functions whose name fits this pattern; ``maps``: those of
    parameters of kernels."""
    from smemdesc.scanning.inputs.pieces import scan_whole

    return scan_whole(text.encode("utf-8", "replace") if isinstance(text, str) else text, wanted, maps)
