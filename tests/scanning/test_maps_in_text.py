"""Tensor maps as their bytes in logs and sources: found in every form that ``decode`` reads, at their place."""

from __future__ import annotations

import random
import struct

import pytest
from run import smemdesc as program

import smemdesc
from smemdesc.scanning.inputs import text as reading
from smemdesc.scanning.model import TextValue

MAP = smemdesc.tensormap(
    dtype="bf16", address=0x7F1234567000, dim="4096,2048", stride="8192", box="64,128", swizzle="128B"
)
DATA = bytes.fromhex(MAP.hex)
WORDS = [f"0x{word:016x}" for word in struct.unpack("<16Q", DATA)]
NUMBERS = struct.unpack("<16Q", DATA)
HALVES = [f"0x{word:08x}" for word in struct.unpack("<32I", DATA)]
BYTES = [f"0x{byte:02x}" for byte in DATA]


def array(declared: str, cells: list[str], by: int, end: str = "\n};") -> str:
    rows = [", ".join(cells[at : at + by]) for at in range(0, len(cells), by)]
    return f"{declared} = {{\n  " + ",\n  ".join(rows) + f"{end}\n"


def dump(row: str) -> str:
    """Rows of 16 bytes: ``{at}`` is where, ``{bytes}``, ``{pairs}``, ``{words}`` are what."""
    return "".join(
        row.format(
            at=at,
            bytes=DATA[at : at + 16].hex(" "),
            pairs=DATA[at : at + 16].hex(" ", 2),
            words="\t".join(WORDS[at // 8 : at // 8 + 2]),
            halves="\t".join(HALVES[at // 4 : at // 4 + 4]),
        )
        for at in range(0, 128, 16)
    )


FORMS = {
    "array of bytes": (array("unsigned char map[128]", BYTES, 16), 1),
    "closed on its last line": (array("unsigned char map[128]", BYTES, 16, end="};"), 1),
    "short rows": (array("const char map[128]", BYTES, 8), 1),
    "array of words": (array("uint64_t map[16]", WORDS, 2), 1),
    "array of 32-bit words": (array("uint32_t map[32]", HALVES, 4), 1),
    "on one line": (f"uint64_t map[16] = {{{', '.join(WORDS)}}};\n", 1),
    "x/16gx": ("(cuda-gdb) x/16gx $R4\n" + dump("0x7fff{at:04x}:\t{words}\n"), 2),
    "x/32wx": ("(cuda-gdb) x/32wx $R4\n" + dump("0x7fff{at:04x}:\t{halves}\n"), 2),
    "hexdump": (dump("{at:08x}  {bytes}\n"), 1),
    "xxd": (dump("{at:08x}: {pairs}\n"), 1),
    "print of cuda-gdb": (f"$1 = {{opaque = {{{', '.join(map(str, NUMBERS))}}}}}\n", 1),
    "print that repeats": (f"$1 = {{opaque = {{{', '.join(map(str, NUMBERS[:10]))}, 0 <repeats 6 times>}}}}\n", 1),
    "array of NumPy": (f"array([{', '.join(map(str, NUMBERS))}], dtype=uint64)\n", 1),
    "words without zeros": (f"uint64_t map[16] = {{{', '.join(map(hex, NUMBERS))}}};\n", 1),
    "32-bit decimals": (f"[{', '.join(map(str, struct.unpack('<32I', DATA)))}]\n", 1),
    "bytes as decimals": (f"[{', '.join(map(str, DATA))}]\n", 1),
    "digits": (f"[info] map {DATA.hex()} made\n", 1),
    "digits with a prefix": (f"[info] map=0x{DATA.hex()}\n", 1),
}


def maps(text: str) -> list[TextValue]:
    return [value for value in smemdesc.scan(text).values if value.width == 1024]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found(form: str) -> None:
    text, line = FORMS[form]
    others = "int x;\n\n" * 3
    found = maps(others + text + others + text)
    assert [value.line for value in found] == [6 + line, 12 + text.count("\n") + line]
    assert {value.bits for value in found} == {int.from_bytes(DATA, "little")}
    assert found[0].readings[0].id == "tensormap:tiled"
    assert found[0].to_dict("-")["value"]["value"] == f"0x{MAP.hex}"


def test_the_bit_that_cublaslt_sets_makes_it_no_other_value() -> None:
    text, _ = FORMS["x/16gx"]
    text = text.replace(WORDS[1], f"{int(WORDS[1], 16) | 1 << 1:#018x}")
    assert [value.bits >> 65 & 1 for value in maps(text)] == [1]
    assert len(smemdesc.decode(text.partition("\n")[2]).fields) > 40


@pytest.mark.parametrize("form", [form for form in FORMS if not form.startswith("digits")])
def test_every_form_is_a_value(form: str) -> None:
    text, line = FORMS[form]
    text = "".join(text.splitlines(keepends=True)[line - 1 :])  # without a prompt
    assert program("--short", "-", stdin=text).out.startswith(f"0x{MAP.hex}  tensormap tiled")


@pytest.mark.parametrize(
    "text",
    [
        array("char map[128]", ["0x00"] * 128, 16),
        array("char map[128]", BYTES[:96], 16),
        array("char map[128]", BYTES[1:] + BYTES[:1], 16),
        array("uint64_t stack[16]", WORDS[:1] * 16, 2),
        dump("0x7fff{at:04x}:\t{words}\n")[:-60],
        f"sha {DATA.hex()}00\n",
    ],
    ids=["zeros", "too short", "rotated", "pointers", "cut off", "longer digits"],
)
def test_other_bytes_are_none(text: str) -> None:
    assert maps(text) == []


@pytest.mark.slow
def test_random_bytes_are_none() -> None:
    source = random.Random(1)
    arrays = (array("char a[128]", [f"0x{source.getrandbits(8):02x}" for _ in range(128)], 16) for _ in range(200))
    assert maps("".join(arrays)) == []


def test_a_map_across_two_pieces_of_a_long_text_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PIECE_BYTES", 8000)
    rows, _ = FORMS["x/16gx"]
    for before in range(0, len(rows), 40):
        others = "x = 1;\n" * ((8000 - before) // 7)
        assert [value.line for value in maps(others + rows + others)] == [others.count("\n") + 2]
