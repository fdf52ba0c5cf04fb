"""Sound descriptors, and what people do to them: each with a name for the slip and the text that comes out."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from functools import cache
from operator import gt
from pathlib import Path

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.tiles.tile import lay_out_tile

PAGE = Path(__file__).parents[3] / "docs" / "spoiled.md"


WRITES = bool(os.environ.get("UPDATE_GOLDEN"))


def hold(first: str, counts: dict[str, list[int]]) -> None:
    """Hold the rows of the page that begin with this cell against the outcomes of some of its cases, or write them.

    The page counts no fewer of any outcome.
    """
    lines = PAGE.read_text().splitlines(keepends=True)
    mine = f"| {first} |"
    if WRITES:
        at = next(number for number, line in enumerate(lines) if line.startswith(mine))
        kept = [line for line in lines if not line.startswith(mine)]
        made = [f"{mine} {what} | " + " | ".join(map(str, row)) + " |\n" for what, row in counts.items()]
        PAGE.write_text("".join([*kept[:at], *made, *kept[at:]]))
        return
    cells = [line.strip("| \n").split(" | ") for line in lines if line.startswith(mine)]
    page = {what: list(map(int, row)) for _, what, *row in cells}
    assert {what: row for what, row in counts.items() if what not in page or any(map(gt, row, page[what]))} == {}


TYPES = ("e4m3", "bf16", "tf32", "e2m1")
"""One type of each width: the descriptors of two types of one width are the same."""
MODES = ("none", "32B", "64B", "128B", "128B_32B")
START = 1024
_MASK14 = (1 << 14) - 1


@cache
def operands() -> dict[str, tuple[int, ...]]:
    """The descriptors of many tiles, by kind: every mode, major-ness and order, and strides up to 32 KiB; each once."""
    found: dict[str, dict[int, None]] = {"wgmma": {}, "tcgen05": {}}
    shapes = [(8, 64), (64, 16), (64, 64), (64, 128), (128, 64), (128, 128), (192, 64), (256, 64), (256, 128)]
    cases = itertools.product(found, TYPES, MODES, ("K", "MN"), shapes, ("mn", "k"))
    for kind, name, mode, major, shape, order in cases:
        if name == "e2m1" and kind == "wgmma":
            continue
        dtype = dtype_of(name, "mxf4" if name == "e2m1" else None)
        try:
            made = lay_out_tile(kind, shape, dtype, major, mode, order=order, start=START)
        except SmemdescError:
            continue
        if all(each.severity == "note" for each in made.findings):
            # The start address of a step inside the swizzle pattern, and of one far up.
            found[kind].update(dict.fromkeys(step.value for step in (made.steps[0], made.steps[-1])))
    # K = 96: LBO is an address.
    made = lay_out_tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96), start=START)
    found["tcgen05"].update(dict.fromkeys(step.value for step in made.steps))
    return {kind: tuple(values) for kind, values in found.items()}


@cache
def instructions() -> dict[str, tuple[int, ...]]:
    """Instruction descriptors of each MMA kind: every type with some shapes, every shape with one type."""
    types = {
        "tf32": ("tf32",),
        "f16": ("f16", "bf16"),
        "f8f6f4": ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"),
        "i8": ("u8", "s8"),
        "mxf8f6f4": ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"),
        "mxf4": ("e2m1",),
        "mxf4nvf4": ("e2m1",),
    }
    out: dict[str, tuple[int, ...]] = {}
    for mma_kind, names in types.items():
        kind = kind_of("idesc", mma_kind)
        found: dict[int, None] = {}
        shapes = list(itertools.product((64, 128, 256), (8, 16, 24, *range(32, 257, 32))))
        few = [(64, 64), (128, 128), (128, 256), (256, 256)]
        for a, b in itertools.product(names, names):
            for m, n in shapes if (a, b) == (names[0], names[0]) else few:
                for more in ({}, {"sparse": True}, {"transpose_b": True}):
                    fields = {"a_type": a, "b_type": b, "m": m, "n": n, **more}
                    try:
                        made = build(kind, fields, force=True)
                    except SmemdescError:
                        continue
                    if all(each.severity == "note" for each in made.findings):
                        found[made.value] = None
        out[f"idesc:{mma_kind}"] = tuple(found)
    return out


def spoiled(kind: str, bits: int) -> Iterator[tuple[str, str]]:
    """Yield (what was done, the text that is pasted then) for one sound descriptor."""
    name = kind.partition(":")[0]
    table = kind_of(kind).table
    width = table.width
    digits = f"{bits:0{width // 4}x}"
    full = (1 << width) - 1
    for row in table.rows:
        if row.constant:
            for bit in range(row.lo, row.hi + 1):
                if row.key != "version":
                    yield "a reserved or fixed bit is flipped", _hex(bits ^ 1 << bit, width)
    if name in ("wgmma", "tcgen05"):
        for version in range(8):
            yield "another version", _hex(bits & ~(7 << 46) | version << 46, width)
    for at in range(len(digits)):
        yield "a digit is lost", "0x" + digits[:at] + digits[at + 1 :]
        yield "a digit is doubled", "0x" + digits[: at + 1] + digits[at:]
    for at in range(len(digits) - 1):
        yield "two digits are swapped", "0x" + digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
    yield "shifted left by 4", _hex(bits << 4 & full, width)
    yield "shifted right by 4", _hex(bits >> 4, width)
    if name not in ("wgmma", "tcgen05"):
        return
    yield "the words are swapped", _hex(bits >> 32 | (bits & 0xFFFFFFFF) << 32, width)
    yield "the words are swapped", f"0x{bits & 0xFFFFFFFF:08x}:0x{bits >> 32:08x}"
    for nick, lo in (("LBO", 16), ("SBO", 32)):
        raw = bits >> lo & _MASK14
        rest = bits & ~(_MASK14 << lo)
        yield f"{nick} is not divided by 16", _hex(rest | raw << 4 << lo, width)
        yield f"{nick} is not divided by 16, and cut", _hex(rest | (raw << 4 & _MASK14) << lo, width)
        yield f"{nick} is divided by 16 twice", _hex(rest | raw >> 4 << lo, width)
    swizzle = 61 if name == "tcgen05" else 62
    rest = bits & ((1 << swizzle) - 1)
    for code in range(8 if name == "tcgen05" else 4):
        yield "another code of a swizzle mode", _hex(rest | code << swizzle, width)
        if code < 4:
            yield "the swizzle at the other generation's bit", _hex(rest & ~(7 << 61) | code << (123 - swizzle), width)
    address = (bits & _MASK14) << 4
    for base in (0x7F5C00000000, 0x100000000, 0x40000):
        yield "the start address is not masked", _hex(bits & ~_MASK14 | (base + address) >> 4, width)
    yield "the start address is not masked", _hex(bits & ~_MASK14 | address | bits, width)


def _hex(bits: int, width: int) -> str:
    return f"0x{bits & (1 << width) - 1:0{width // 4}x}"
