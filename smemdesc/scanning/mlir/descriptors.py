"""The CuTe DSL's operations that make one descriptor of a pointer into shared memory and a layout.

``cute_nvgpu.make_umma_smem_desc`` and ``make_gmma_smem_desc``: the type of the pointer says the elements and the
swizzle, the first mode of the layout the MN x K elements of one MMA. Those for circular buffers, and one with a second
pointer, put an address where LBO stands: they are not read.

``cute_nvgpu.atom.get_copy_s2t_smem_desc_view`` makes those of a copy to tensor memory (tcgen05.cp), as if for a K-major
operand of as many rows as the copy has data paths, one or two times 16 bytes wide. How elements lie within 16 bytes
does not matter.
"""

from __future__ import annotations

import math
import re

from smemdesc.kinds.types import dtype_of
from smemdesc.scanning.mlir.aliases import Aliases, parts, types
from smemdesc.scanning.mlir.text import NAME, Operation
from smemdesc.scanning.mlir.tiles import operand
from smemdesc.scanning.model import Operand
from smemdesc.tiles.reading import TYPE_OF

_KINDS = {"cute_nvgpu.make_umma_smem_desc": "tcgen05", "cute_nvgpu.make_gmma_smem_desc": "wgmma"}
NAMES = frozenset(_KINDS)
_LAYOUT = re.compile(r'\blayout = (?:#cute\.layout)?<"([^"]{1,2000})">')
_MAJOR = re.compile(r"\bmajor = (?:#cute_nvgpu\.major)?<(k|mn)>")
_POINTER = re.compile(r"!cute\.ptr<\s*([A-Za-z]\w*+)\s*,\s*smem\b([^\"]*?)>(?=\s*\)|\s*$|\s+layout\b)")
_COPY = re.compile(
    r"!cute_nvgpu\.atom\.s2t_copy<(\w++), (32|64|128) DP, (128|256) bit, \d cta(?:, (x4|lw_0213|lw_0123))?>"
)
_OF_COPY = re.compile(r'!cute\.memref<(\w+), smem((?:, align<\d+>)?+(?:, S<\d,\d,\d>)?+), "([\d,():]{1,2000})">')
_BITS = {8: "i8", 16: "bf16", 32: "tf32"}
"""A type of as many bits: of a copy nothing else counts."""
_WIDE = re.compile(r"(?:[su]?i|b?f|tf)(8|16|32)(?:E\dM\d\w*)?")
_NAME = re.compile(NAME)
_NUMBERS = re.compile(r"[\d,()]+\Z")
_NUMBER = re.compile(r"\d{1,9}")
_K_BYTES = 32


def tensor(operation: Operation, aliases: Aliases) -> tuple[str, str] | None:
    """Return the tensor that the descriptor is made of, as the type of one, and its major-ness; None: not known."""
    text = operation.text
    layout, major = _LAYOUT.search(text), _MAJOR.search(text)
    pointer = _POINTER.search(aliases.expand(text[: text.find("->")] if "->" in text else text))
    if layout is None or major is None or pointer is None or len(_NAME.findall(text)) != 1:
        return None
    return f'!cute.memref<{pointer[1]}, smem{pointer[2]}, "{layout[1]}">', major[1].upper()


def descriptor(operation: Operation, aliases: Aliases) -> Operand | None:
    """Return what is known of the descriptor; None where the operation is none of these, or not understood."""
    kind = _KINDS.get(operation.name)
    found = tensor(operation, aliases) if kind is not None else None
    if kind is None or found is None:
        return None
    text, major = found
    head, layout = text[:-1].rsplit(', "', 1)
    shape, _, stride = layout.rstrip('"').partition(":")
    modes = [parts(each[1:-1]) if each.startswith("(") else [] for each in (shape, stride)]
    if not modes[0] or len(modes[0]) != len(modes[1]):
        return None
    # The first mode is (MN, K).
    sizes = parts(modes[0][0][1:-1])
    if len(sizes) != 2 or not all(_NUMBERS.match(each) for each in sizes):
        return None
    mn, k = (math.prod(int(number) for number in _NUMBER.findall(each)) for each in sizes)
    name = TYPE_OF.get(head.partition("<")[2].partition(",")[0])
    dtype = dtype_of(name) if name else None
    if dtype is None or k * dtype.storage != 8 * _K_BYTES:
        return None
    return operand(f'{head}, "{modes[0][0]}:{modes[1][0]}">', kind, dtype, major, (mn, k))


def copied(operation: Operation, aliases: Aliases) -> Operand | None:
    """Return what is known of the descriptors that a copy to tensor memory reads; None: not understood."""
    if operation.name != "cute_nvgpu.atom.get_copy_s2t_smem_desc_view":
        return None
    given = [aliases.expand(each) for each in types(operation.text)]
    atom = _COPY.search(given[0]) if len(given) > 1 else None
    memory = _OF_COPY.fullmatch(given[1]) if atom else None
    wide = _WIDE.fullmatch(memory[1]) if memory else None
    if atom is None or memory is None or wide is None or atom[1] != memory[1]:
        return None
    leaves = _leaves(memory[3])
    rows, bits, width = 32 if atom[4] == "lw_0123" else int(atom[2]), int(atom[3]), int(wide[1])
    split = _taken(leaves, rows)
    columns = [(str(_UNIT // width), "1")]
    if split is not None and bits > _UNIT:
        taken = _taken(leaves[split:], bits // width)
        columns = leaves[split : split + taken] if taken is not None else []
    if split is None or not columns:
        return None
    modes = (leaves[:split], columns)
    shape, stride = (",".join(f"({','.join(each[of] for each in mode)})" for mode in modes) for of in (0, 1))
    name = _BITS[width]
    text = f'!cute.memref<{name}, smem{memory[2]}, "({shape}):({stride})">'
    return operand(text, "tcgen05", dtype_of(TYPE_OF[name]), "K", (rows, bits // width))


_UNIT = 128
"""Bits of a column of a copy."""


def _leaves(layout: str) -> list[tuple[str, str]]:
    """Return shape and stride of what one instruction copies, part for part: rows first, then columns."""
    found = []
    for each in layout.split(":"):
        for _ in range(2):
            # ((what is copied, how often), more...)
            each = parts(each[1:-1])[0] if each.startswith("(") else ""
        found.append(_NUMBER.findall(each))
    return list(zip(*found, strict=True)) if len(found) == 2 and len(found[0]) == len(found[1]) else []


def _taken(leaves: list[tuple[str, str]], size: int) -> int | None:
    """Return how many of the first leaves have ``size`` elements together; None where none do."""
    product = 1
    for index, (shape, _) in enumerate(leaves):
        product *= int(shape)
        if product >= size:
            return index + 1 if product == size else None
    return None
