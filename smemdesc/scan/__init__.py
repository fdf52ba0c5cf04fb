"""Descriptors in whole dumps: front ends for SASS, PTX, LLVM IR and MLIR over one analysis of known bits.

:func:`scan_text` and :func:`scan_file` return the functions with tensor-core instructions, each with what is
known of its descriptors; :class:`smemdesc.mma.Judge` decodes their :attr:`~smemdesc.scan.model.Mma.model`.
The package can be called: ``smemdesc.scan(kernel)`` is :func:`smemdesc.scan.kernels.scan`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from smemdesc.scan.model import Function, Instruction, Mma, Operand, Part, Value, joined

if TYPE_CHECKING:
    from smemdesc.scan.kernels import Kernel
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


class _Scan(ModuleType):
    """This module, which is also the function of its name."""

    def __call__(
        self, kernel: Kernel, *, function: str | None = None, jobs: int = 1, cuda_bin: str | None = None
    ) -> Part:
        """Scan a kernel, as :func:`smemdesc.scan.kernels.scan` does."""
        from smemdesc.scan.kernels import scan

        return scan(kernel, function=function, jobs=jobs, cuda_bin=cuda_bin)


sys.modules[__name__].__class__ = _Scan
