"""Descriptors in whole dumps: front ends for SASS, PTX, LLVM IR and MLIR over one analysis of known bits.

:func:`scan_text` and :func:`scan_file` return the functions with tensor-core instructions, each with what is
known of its descriptors; :class:`smemdesc.mma.Judge` decodes their :attr:`~smemdesc.scan.model.Mma.model`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from smemdesc.scan.model import Function, Instruction, Mma, Operand, Part, Value, joined

if TYPE_CHECKING:
    from smemdesc.scan.running import Found

__all__ = ["Function", "Instruction", "Mma", "Operand", "Part", "Value", "scan_file", "scan_text"]


def scan_file(path: str) -> Part:
    """Scan one file and return all that it holds; lines count from 1. :class:`SmemdescError` if it cannot be read."""
    from smemdesc.scan.running import scan

    return _joined(scan([path]))


def scan_text(text: str | bytes) -> Part:
    """Scan text that is in memory."""
    from smemdesc.scan.pieces import whole

    return whole(text.encode("utf-8", "replace") if isinstance(text, str) else text)


def _joined(found: Iterable[Found]) -> Part:
    parts = []
    for each in found:
        if each.problem is not None:
            raise each.problem
        parts.append(each.part)
    return joined(parts)
