"""Checks a kernel that the CuTe DSL compiled: the result of ``cute.compile``."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations import compiled
from smemdesc.integrations.compiled import Checked


def check(kernel: Any, strict: bool = False, *, file: TextIO | None = None) -> Checked:
    """Check the descriptors in the result of ``cute.compile``: in its PTX, or in its cubin, which takes nvdisasm.

    It has these if it was compiled with ``options="--keep-ptx --generate-line-info"`` (or ``--keep-cubin``), or with
    ``CUTE_DSL_KEEP=ptx`` and ``CUTE_DSL_LINEINFO=1``; :class:`~smemdesc.engine.errors.SmemdescError` if it has neither.
    Errors and warnings are written to ``file`` (standard error), or with ``strict`` raised as a
    :class:`~smemdesc.integrations.compiled.DescriptorError`.
    """
    name = str(getattr(kernel, "function_name", "") or type(kernel).__name__)
    ptx, cubin = getattr(kernel, "__ptx__", None), getattr(kernel, "__cubin__", None)
    if isinstance(ptx, str):
        checked = compiled.check(ptx.rstrip("\0"), name)
    elif isinstance(cubin, bytes):
        from smemdesc.scanning.inputs.binaries import programs

        checked = compiled.check(compiled.sass_of(cubin, programs.find_program(programs.NVDISASM)), name)
    else:
        raise SmemdescError(
            f"{name} has no PTX and no cubin",
            hint="set CUTE_DSL_KEEP=ptx and CUTE_DSL_LINEINFO=1 and compile it again",
        )
    for message in checked.unread if strict else (*checked.findings, *checked.unread):
        print(message, file=file or sys.stderr)
    if strict and checked.findings:
        raise compiled.findings_error(name, checked)
    return checked
