"""Reads the text of a layout, whoever printed it: CuTe, Triton, or a tensor map in words."""

from __future__ import annotations

import re

from smemdesc.engine.errors import SmemdescError
from smemdesc.layout.operand import WINDOW
from smemdesc.tiles.cute import read_cute
from smemdesc.tiles.reading import FORMS, Ask, Source
from smemdesc.tiles.tma import read_tma
from smemdesc.tiles.triton import read_triton


def read(text: str, ask: Ask = Ask()) -> Source:  # noqa: B008 (a NamedTuple is immutable)
    """Return what a layout's text says. :class:`smemdesc.engine.errors.SmemdescError` points at what cannot be read."""
    source = _read(text, ask)
    for reading in source.readings:
        memory = reading.buffer
        size = memory.mn.size * memory.k.size * memory.bits // 8
        if size > WINDOW:
            raise SmemdescError(
                f"a layout of {memory.mn.size}x{memory.k.size} elements has {size} B, more than shared memory",
                given=text,
                span=(0, len(text.rstrip())),
                hint="print the tensor of shared memory, one stage or all of them",
            )
    return source


def _read(text: str, ask: Ask) -> Source:
    if not text.strip():
        raise SmemdescError("an empty text is not a layout", hint=f"forms: {FORMS}")
    if re.match(r"\s*(?:box|swizzle|dtype|interleave)\s*=", text):
        return read_tma(text, ask)
    if "nvmma_shared" in text or "memdesc" in text or "NVMMASharedLayout" in text:
        return read_triton(text, ask)
    other = re.search(r"#(?:ttg|triton_gpu)\.(\w+)", text)
    if other is not None:
        raise SmemdescError(
            f"{other[1]} is not a layout that an MMA reads from shared memory",
            given=text,
            span=other.span(),
            hint="tcgen05 and wgmma read #ttg.nvmma_shared",
        )
    return read_cute(text, ask)
