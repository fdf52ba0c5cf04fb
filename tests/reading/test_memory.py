"""The 128 bytes of a tensor map as each tool prints them: one map, for ``decode`` and for ``scan``."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections.abc import Callable
from itertools import groupby, pairwise
from pathlib import Path

import pytest

import smemdesc
from smemdesc.descriptors.batch import BatchLine, read_batch

Printer = Callable[[bytes], str]
_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


def _words(data: bytes, size: int, form: str) -> list[str]:
    return [form.format(word) for word in struct.unpack(f"<{len(data) // size}{_CODES[size]}", data)]


def _groups(data: bytes, size: int) -> list[str]:
    return [data[at : at + size].hex() for at in range(0, len(data), size)]


def _characters(row: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in row)


def _rows(
    cells: Callable[[bytes], list[str]], form: str, *, end: str = "", squeezed: bool = True, width: int = 16
) -> Printer:
    """Rows of ``{at}``, ``{cells}`` and ``{text}``; ``end``: where they end; ``squeezed``: ``*`` for the same again."""

    def printed(data: bytes) -> str:
        rows = [data[at : at + width] for at in range(0, len(data), width)]
        same = [False, *(squeezed and before == row for before, row in pairwise(rows))]
        lines = (
            "*"
            if same[number] and not same[number - 1]
            else ""
            if same[number]
            else form.format(at=width * number, cells=" ".join(cells(row)), text=_characters(row))
            for number, row in enumerate(rows)
        )
        return "\n".join([*filter(None, lines), *([end.format(at=len(data))] if end else [])]) + "\n"

    return printed


def _of(size: int, form: str = "") -> Callable[[bytes], list[str]]:
    """Words of a size, as numbers of a form; without one, bytes in memory order."""
    return lambda row: _words(row, size, form) if form else _groups(row, size)


def _indexed(form: str, size: int, by: int = 1) -> Printer:
    def printed(data: bytes) -> str:
        cells = [form.format(at, word) for at, word in enumerate(struct.unpack(f"<{128 // size}{_CODES[size]}", data))]
        return "".join("  ".join(cells[at : at + by]) + "\n" for at in range(0, len(cells), by))

    return printed


def _gdb(size: int, form: str) -> Printer:
    """A debugger's print, which names ten equal elements or more once; the prompt calls them a map."""

    def printed(data: bytes) -> str:
        runs = [(cell, len(list(same))) for cell, same in groupby(_words(data, size, form))]
        cells = [
            cell for each, times in runs for cell in ([f"{each} <repeats {times} times>"], [each] * times)[times < 10]
        ]
        return f"(cuda-gdb) p/x tma_a\n$1 = {{opaque = {{{', '.join(cells)}}}}}\n"

    return printed


PRINTERS: dict[str, Printer] = {
    "gdb, 64-bit words": _gdb(8, "{:#x}"),
    "gdb, 32-bit words": _gdb(4, "{:#x}"),
    "gdb, bytes": _gdb(1, "{}"),
    "nvdisasm, a word in a row": _rows(_of(4, "0x{:08x}"), "/*{at:04x}*/ .word {cells}", squeezed=False, width=4),
    "hexdump": _rows(_of(2, "{:04x}"), "{at:07x} {cells}", end="{at:07x}"),
    "hexdump -C": _rows(
        lambda row: [row[:8].hex(" ") + " ", row[8:].hex(" ")], "{at:08x}  {cells}  |{text}|", end="{at:08x}"
    ),
    "hexdump -v": _rows(_of(2, "{:04x}"), "{at:07x} {cells}", end="{at:07x}", squeezed=False),
    "od": _rows(_of(2, "{:06o}"), "{at:07o} {cells}", end="{at:07o}"),
    "od -t x1": _rows(_of(1), "{at:07o} {cells}", end="{at:07o}"),
    "od -t x4": _rows(_of(4, "{:08x}"), "{at:07o} {cells}", end="{at:07o}"),
    "od -t x8": _rows(_of(8, "{:016x}"), "{at:07o} {cells}", end="{at:07o}"),
    "od -A x -t x4": _rows(_of(4, "{:08x}"), "{at:06x} {cells}", end="{at:06x}"),
    "od -A d -t x1z": _rows(_of(1), "{at:07d} {cells}  >{text}<", end="{at:07d}"),
    "od -A n -t x4": _rows(_of(4, "{:08x}"), " {cells}"),
    "xxd": _rows(_of(2), "{at:08x}: {cells}  {text}", squeezed=False),
    "xxd -e": _rows(_of(4, "{:08x}"), "{at:08x}: {cells}  {text}", squeezed=False),
    "xxd -g 1": _rows(_of(1), "{at:08x}: {cells}  {text}", squeezed=False),
    "xxd -g 4": _rows(_of(4), "{at:08x}: {cells}  {text}", squeezed=False),
    "xxd -e -c 8": _rows(_of(4, "{:08x}"), "{at:08x}: {cells}  {text}", squeezed=False, width=8),
    "xxd -p": _rows(lambda row: [row.hex()], "{cells}", squeezed=False, width=30),
    "objdump -s": _rows(_of(4), " {at:04x} {cells}  {text}", squeezed=False),
    "x/128xb": _rows(_of(1, "0x{:02x}"), "0x7fff{at:04x}: {cells}", squeezed=False, width=8),
    "x/64xh": _rows(_of(2, "0x{:04x}"), "0x7fff{at:04x} <map+{at}>: {cells}", squeezed=False),
    "nvdisasm": lambda data: (
        ".nv.constant3:\n"
        + _rows(_of(4, "0x{:08x},"), "        /*{at:04x}*/ \t.word\t{cells}", squeezed=False)(data).replace(",\n", "\n")
    ),
    "nvdisasm, zeros": lambda data: (
        ".nv.constant3:\n"
        + _rows(_of(1, "0x{:02x},"), " /*{at:04x}*/ \t.byte\t{cells}", squeezed=False)(data[:80]).replace(",\n", "\n")
        + "\t.zero\t48\n"
    ),
    "cuobjdump -elf": lambda data: ".nv.constant3\n" + _rows(_of(4, "0x{:08x}"), "{cells}", squeezed=False)(data),
    "a title": lambda data: (
        "=== Host-side CUtensorMap (128 bytes) ===\n" + _indexed("tma[{:2}] = 0x{:08x}", 4, 4)(data)
    ),
    "a word of a line": _indexed("desc[{:2}] = 0x{:08x} HOST", 4),
    "64-bit words": _indexed("map.opaque[{}]: {:#x}", 8, 2),
    "decimal": _indexed("opaque[{}] = {};", 8),
    "without a prefix": _indexed("[{:02}] {:08x}", 4, 8),
}


def made(seed: int) -> bytes:
    """A tensor map of two dimensions, of a seed."""
    source = random.Random(seed)
    width = source.choice((32, 64, 128))
    encoded = smemdesc.tensormap(
        dtype="bf16",
        address=source.getrandbits(43) << 4,
        dim=f"{source.randrange(1, 1 << 20)},{source.randrange(1, 1 << 20)}",
        stride=str(16 * source.randrange(1, 1 << 20)),
        box=f"{width // 2},{source.randrange(1, 257)}",
        swizzle=f"{width}B",
    )
    return bytes.fromhex(encoded.hex)


def decoded(text: str) -> list[int | None]:
    """The values that ``decode`` reads, None for a line that it does not."""
    lines = [BatchLine(line) for line in text.splitlines()]
    return [item.literal and item.literal.number for item in read_batch(lines)]


def scanned(text: str) -> list[int]:
    return [value.bits for value in smemdesc.scan(text).values]


@pytest.mark.slow
@pytest.mark.parametrize("tool", PRINTERS)
def test_each_tool_prints_one_map(tool: str) -> None:
    for data in map(made, range(20)):
        number = int.from_bytes(data, "little")
        text = PRINTERS[tool](data)
        assert (decoded(text), scanned(text)) == ([number], [number])


TOOLS = [tool for tool in PRINTERS if tool.split()[0] in ("hexdump", "od", "xxd")]


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tools_print_so(tool: str, tmp_path: Path) -> None:
    command = tool.split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}")
    (tmp_path / "map").write_bytes(made(1))
    printed = subprocess.run([*command, tmp_path / "map"], capture_output=True, text=True, check=True).stdout
    assert [line.split() for line in PRINTERS[tool](made(1)).splitlines()] == list(map(str.split, printed.splitlines()))


def test_a_map_with_a_bit_of_unknown_meaning_is_one() -> None:
    text = (
        "$1 = {0x34567000, 0x7f12, 0x6510, 0x200, 0x0, 0x0, 0x0, 0x0, 0xfff, 0x7ff, 0x0, 0x0, 0x0, 0x3f000000, 0x7f, "
        "0x0, 0x4000, 0x0, 0x400, 0x4, 0x0 <repeats 12 times>}\n"
    )
    assert decoded(text) == scanned(text) != []
    assert scanned(text)[0] >> 608 == 4


@pytest.mark.parametrize("tool", ["hexdump", "hexdump -C", "od -t x4", "xxd -e"])
def test_maps_one_after_the_other_are_as_many(tool: str) -> None:
    text = PRINTERS[tool](made(1) + made(2))
    assert decoded(text) == scanned(text) == [int.from_bytes(made(seed), "little") for seed in (1, 2)]


def test_two_arrays_by_turns_are_two_maps() -> None:
    host, device = (_indexed("desc[{:2}] = 0x{:08x}", 4)(made(seed)).splitlines() for seed in (1, 2))
    text = "\n".join(f"{a} HOST\n{b} DEVICE" for a, b in zip(host, device, strict=True))
    assert decoded(text) == scanned(text) == [int.from_bytes(made(seed), "little") for seed in (1, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["hexdump", "od -t x4", "xxd", "64-bit words"])
def test_other_bytes_are_no_map(tool: str) -> None:
    for seed in range(20):
        assert scanned(PRINTERS[tool](random.Random(seed).randbytes(128))) == []
