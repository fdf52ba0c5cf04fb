"""Descriptors in whole dumps: front ends for SASS, PTX, LLVM IR and MLIR over one analysis of known bits.

:func:`scan_text` and :func:`scan_file` return the functions with tensor-core instructions, each with what is
known of its descriptors; :class:`smemdesc.instructions.mma.Judge` decodes their
:attr:`~smemdesc.scanning.model.Mma.model`. ``smemdesc.scan(kernel)`` is :func:`smemdesc.scanning.kernels.scan`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from smemdesc.scanning.model import Function, Instruction, Mma, Operand, Part, Value, joined

if TYPE_CHECKING:
    from smemdesc.scanning.workers import Found

__all__ = ["Function", "Instruction", "Mma", "Operand", "Part", "Value", "scan_file", "scan_text"]


def scan_file(path: str) -> Part:
    """Scan one file and return all that it holds; lines count from 1. :class:`SmemdescError` if it cannot be read."""
    from smemdesc.scanning.workers import scan

    return _joined(scan([path]))


def scan_text(text: str | bytes) -> Part:
    """Scan text that is in memory."""
    from smemdesc.scanning.chunks import whole

    return whole(text.encode("utf-8", "replace") if isinstance(text, str) else text)


def _joined(found: Iterable[Found]) -> Part:
    parts = []
    for each in found:
        if each.problem is not None:
            raise each.problem
        parts.append(each.part)
    return joined(parts)
