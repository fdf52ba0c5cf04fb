"""The shared memory of a kernel that was scanned, as a picture: as that of a plan, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from smemdesc.engine.wording import listed_words, many
from smemdesc.kinds.tmem import COLUMNS
from smemdesc.reading.text import digits
from smemdesc.render.memory_picture import (
    PART_COLORS,
    ColoredSpan,
    MemoryBar,
    MemoryPart,
    MemoryReader,
    OpenStage,
    OpenTile,
    WaitingList,
)
from smemdesc.render.svg import FAINT, FIELD_COLORS, INK, PictureBlock, heading
from smemdesc.scanning.model import Function, ScannedMma
from smemdesc.scanning.model.shared_memory import SharedBarrier, SharedMemoryPicture, SharedPlace, SharedTile
from smemdesc.scanning.model.tensor_memory import TAKERS
from smemdesc.scanning.results.function_names import Names

_MOST = 3
"""The most kernels that are drawn; the text below has all."""
_LINES = 3
"""The most lines that are named of what writes or reads a tile."""
_VALUES = 8
_BARRIER, _SLOT = 8, 4
"""Bytes of a barrier, and of an address of tensor memory."""
_COLUMN_COLORS = {
    "d": FIELD_COLORS["stride_byte_offset"],
    "a": PART_COLORS["a"],
    "scale_a": PART_COLORS["a factors"],
    "scale_b": PART_COLORS["b factors"],
    "at": PART_COLORS["slot"],
}


def kernel_blocks(functions: Sequence[Function], names: Names) -> list[PictureBlock]:
    """Return the shared memory of the first functions whose tiles are known."""
    known = [(function, function.shared) for function in functions if function.shared and function.shared.tiles]
    return [block for function, memory in known[:_MOST] for block in _blocks(function, memory, names)]


def _blocks(function: Function, memory: SharedMemoryPicture, names: Names) -> Iterator[PictureBlock]:
    first = memory.tiles[0].at
    beside = [tile for tile in memory.tiles if tile.at.number == first.number]
    begin = f"bytes from {names.of_variables(first.base)}" if first.base else "bytes from address 0"
    yield from heading(names(function.name), f"shared memory to scale, {begin}, as far as copies and MMAs name it")
    bar = _bar(memory, first)
    yield bar
    tiles = [next((tile for tile in beside if tile.operand == name), None) for name in "ab"]
    opened = [tile for tile in tiles if tile is not None]
    where = next(part for part in bar.parts if part.begin == opened[0].at.offset - bar.first)
    above = (bar.at(where.begin), bar.at(where.begin + where.size))
    yield OpenStage([_tile(function, tile, names) for tile in opened], _reader(function, opened), above)
    waits = [(f"barrier {number}", _wait(each, function.offsets)) for number, each in enumerate(memory.barriers)]
    waits += [
        ("slot", f"{slot.at}, of tcgen05.alloc {function.offsets.get(slot.line, f'in line {slot.line}')}")
        for slot in memory.slots
    ]
    if waits:
        yield WaitingList([(label, names.of_variables(text)) for label, text in waits])


def _bar(memory: SharedMemoryPicture, of: SharedPlace) -> MemoryBar:
    """Return the parts that have the base of a place: each tile with its stages, as many as lie before what follows."""
    placed: list[tuple[SharedPlace, str, int]] = []
    placed += [(tile.at, tile.operand, tile.at.stage or tile.size) for tile in memory.tiles]
    placed += [(barrier.at, "barriers", _BARRIER) for barrier in memory.barriers]
    placed = sorted({each for each in placed if each[0].number == of.number}, key=lambda each: each[0].offset)
    offsets = sorted({at.offset for at, *_ in placed})
    placed += [(slot.at, "slot", _SLOT) for slot in memory.slots if slot.at.number == of.number]
    first = min(at.offset for at, *_ in placed)
    parts: list[MemoryPart] = []
    counts = {"a": 0, "b": 0}
    for at, kind, size in placed:
        after = next((offset for offset in offsets if offset > at.offset), None)
        stages = max((after - at.offset) // at.stage, 1) if at.stage and after is not None else 1
        begin = at.offset - first
        if kind == "slot":
            parts.append(MemoryPart(kind, "slot", begin, size))
            continue
        if kind == "barriers":
            whole = size * max(counts.values()) if at.stage else size
            parts.append(MemoryPart(kind, "barriers" if at.stage else "barrier", begin, whole, f"{whole} B"))
            continue
        for stage in range(stages):
            name = f"{kind.upper()}{counts[kind]}"
            note = f"{size // 1024} KiB" if not size % 1024 else f"{size} B"
            note += ", more stages not known" if at.stage and after is None else ""
            parts.append(MemoryPart(kind, name, begin + stage * size, size, note, opened=not stage))
            counts[kind] += 1
    return MemoryBar(parts, max(part.begin + part.size for part in parts), first=first)


def _readers(function: Function, tile: SharedTile) -> list[ScannedMma]:
    return [mma for mma in function.mmas if mma.line in tile.reads and mma.instruction.is_mma]


def _tile(function: Function, tile: SharedTile, names: Names) -> OpenTile:
    values = []
    for mma in _readers(function, tile):
        operand = mma.a if tile.operand == "a" else mma.b
        if operand is not None:
            values.append(f"0x{digits(operand.bits, operand.known, 64).removeprefix('0x')}")
    spans: list[list[ColoredSpan]] = [[(text, INK, False)] for text in dict.fromkeys(values)]
    if len(spans) > _VALUES:
        spans = [*spans[: _VALUES - 1], [(f"and {len(spans) - _VALUES + 1} more", FAINT, False)]]
    name = tile.operand.upper()
    about = f"{tile.size} B, from {names.of_variables(str(tile.at))} on"
    return OpenTile(tile.operand, name, about, 0, frozenset(), [], spans, [*_writer(tile, function.offsets)])


def _writer(tile: SharedTile, offsets: Mapping[int, str]) -> Iterator[str]:
    name = tile.operand.upper()
    if not tile.copies:
        yield from (f"{name}: no copy", "of it is known")
        return
    yield f"copies of {name}"
    yield _lines(tile.copies, offsets)
    yield from filter(None, tile.box.split(", "))


def _reader(function: Function, tiles: Sequence[SharedTile]) -> MemoryReader:
    mmas = [mma for mma in function.mmas if any(mma.line in tile.reads for tile in tiles) and mma.instruction.is_mma]
    words = mmas[0].text.removeprefix("@").split()
    mnemonic = next(word for word in words if "mma" in word.lower())
    parts = mnemonic.split(".")
    lines: list[ColoredSpan] = [(part, INK, False) for part in parts[2:] if "::" in part or part[1:2].isdigit()][:2]
    lines += [(_lines([mma.line for mma in mmas], function.offsets), INK, False)]
    memory = function.tensor_memory
    columns = [
        (TAKERS[part.operand], _COLUMN_COLORS[part.operand], part.first, part.columns)
        for part in (memory.taken if memory else ())
    ]
    allocated = [many(count, "column") for count in (memory.allocated if memory else ()) if count is not None]
    after: list[list[ColoredSpan]] = [[(f"allocated: {', '.join(allocated)}", FAINT, False)]] if allocated else []
    return MemoryReader(f"{'.'.join(parts[:2])} × {len(mmas)}", lines, columns, COLUMNS if memory else 0, after)


def _wait(barrier: SharedBarrier, offsets: Mapping[int, str]) -> str:
    where = "at" if offsets else "in"
    sizes = " or ".join(map(str, barrier.expected)) or "?"
    copies = f"of the copies {where} {_lines(barrier.copies, offsets)}" if barrier.copies else "of no known copy"
    return f"{barrier.at} expects {sizes} B {copies}; told {where} {_lines(barrier.lines, offsets)}"


def _lines(numbers: Sequence[int], offsets: Mapping[int, str]) -> str:
    if offsets:
        return listed_words([offsets.get(line, "?") for line in numbers], _LINES)
    return f"line{'s' if numbers[1:] else ''} {listed_words(numbers, _LINES)}"
