"""Tensor maps: the forms in which 128 bytes are pasted, what is wrong with some, and what encode writes."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

import pytest
from run import refused, smemdesc
from tables import every_row

from smemdesc.descriptors.batch import BatchLine, read_batch
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.tensormap import encode_map, map_text
from smemdesc.engine.errors import FieldError, IllegalError, SmemdescError
from smemdesc.reading.code import sentence
from smemdesc.reading.pasted import pasted_values

MADE = encode_map("bf16", 0x7F1234567000, [4096, 2048], [8192], [64, 128], swizzle="128B")
DATA = MADE.value.to_bytes(128, "little")
IMAGE = encode_map(
    "FLOAT16",
    0x7F0000000000,
    [64, 128, 128, 8],
    [128, 16384, 2097152],
    swizzle="128B",
    lower_corner=[-1, -2],
    upper_corner=[1, 2],
    channels=64,
    pixels=64,
)
ARGUMENTS = [
    *("--dtype", "bf16", "--address", "0x7f1234567000", "--dim", "4096,2048", "--stride", "8192"),
    *("--swizzle", "128B", "--box"),
]


def _dump(code: str, symbol: str = "") -> str:
    """Return what x/32wx (I) or x/16gx (Q) prints."""
    digits = 2 * struct.calcsize(code)
    rows = []
    for at in range(0, 128, 16):
        words = struct.unpack(f"<{16 // struct.calcsize(code)}{code}", DATA[at : at + 16])
        name = f" <{symbol}+{at}>" if symbol else ""
        rows.append(f"0x7ffe1000{at:02x}{name}:\t" + "\t".join(f"0x{word:0{digits}x}" for word in words))
    return "\n".join(rows)


def _rows(cells: Sequence[str], each: str, after: str = "") -> str:
    rows = (cells[at : at + len(cells) // 8] for at in range(0, len(cells), len(cells) // 8))
    return "\n".join(each.format(16 * number) + " ".join(row) + after for number, row in enumerate(rows))


BYTES = [f"{byte:02x}" for byte in DATA]
FORMS = {
    "digits": DATA.hex(),
    "0x": "0x" + DATA.hex().upper(),
    "blanks": DATA.hex(" "),
    "quarters": DATA.hex(" ", 32),
    "x/32wx": _dump("I"),
    "x/32wx of a symbol": _dump("I", "map"),
    "x/16gx": _dump("Q"),
    "hexdump -C": _rows(BYTES, "{:08x}  ", "  |................|"),
    "xxd": _rows([DATA[at : at + 2].hex() for at in range(0, 128, 2)], "{:08x}: ", "  ................"),
    "Python": repr(DATA),
    "Python, assigned": f"desc = {DATA!r}",
    "fromhex": f'bytes.fromhex("{DATA.hex()}")',
    **{style: map_text(MADE, style) for style in ("hex", "bytes", "c", "python")},
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_map_is_read_whole_and_line_by_line(text: str) -> None:
    assert [each.number for each in pasted_values(text)] == [MADE.value]
    items = list(read_batch([BatchLine(line) for line in text.splitlines() if not line.startswith("#")]))
    assert [each.literal and each.literal.number for each in items] == [MADE.value]


def test_descriptors_in_memory_stay_descriptors() -> None:
    rows = [f"0x7f{16 * i:02x}: 0x00010040 0x40004040 0x00010040 0x40004040" for i in range(8)]
    found = [each.literal for each in read_batch([BatchLine(row) for row in rows])]
    assert [each and each.number for each in found] == [0x4000404000010040] * 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DATA.hex()[:-2], "127 bytes; a tensor map has 128"),
        (repr(DATA + b"x"), "129 bytes; a tensor map has 128"),
        (_dump("I").rpartition("\t")[0], "124 bytes; a tensor map has 128"),
        (_dump("Q").rpartition("\n")[0], "112 bytes; a tensor map has 128"),
    ],
)
def test_what_is_no_map_is_said(text: str, message: str) -> None:
    with pytest.raises(SmemdescError, match=message):
        decode_value(text)


WORDS, LONGS = _dump("I").splitlines(), _dump("Q").splitlines()


def _with(number: int, row: str) -> str:
    return "\n".join([*WORDS[:number], *([row] if row else []), *WORDS[number + 1 :]])


BAD: dict[str, tuple[str, str, str]] = {
    "odd digits": (DATA.hex()[:-1], "255 hexadecimal digits; a tensor map has 256", DATA.hex()[:-1]),
    "a word missing": (_with(3, WORDS[3].rpartition("\t")[0]), "12 bytes in this row, 16 in the others", WORDS[3][:46]),
    "a digit missing": (_with(3, WORDS[3][:-1]), "is not a word", WORDS[3][-10:-1]),
    "a wrong digit": (_with(3, WORDS[3].replace("0x0", "0xg", 1)), "is not a word", "0xg"),
    "two addresses": (_with(3, f"{WORDS[3]} 0x7ffe1038:"), "0x7ffe1038: is an address", "0x7ffe1038:"),
    "a row missing": (_with(3, ""), "16 bytes at 0x7ffe100030 are missing", WORDS[4]),
    "a row twice": (_with(3, WORDS[3] + "\n" + WORDS[3]), "the row of 0x7ffe100030 appears twice", WORDS[3]),
    "rows out of order": (
        _with(3, WORDS[4]).replace(WORDS[4], WORDS[3], 2).replace(WORDS[3], WORDS[4], 1),
        "is out of order",
        WORDS[4],
    ),
    "the last row missing": (_with(7, ""), "112 bytes; a tensor map has 128", WORDS[0]),
    "words and long words": ("\n".join([*WORDS[:4], *LONGS[4:]]), "64-bit words among 32-bit words", LONGS[4]),
}


@pytest.mark.parametrize(("text", "message", "pointed"), BAD.values(), ids=BAD)
def test_rows_that_are_no_map_are_pointed_at(text: str, message: str, pointed: str) -> None:
    with pytest.raises(SmemdescError, match=message) as raised:
        pasted_values(text)
    problem = raised.value
    assert problem.given is not None
    assert problem.span is not None
    assert problem.given[slice(*problem.span)].startswith(pointed)
    (item,) = read_batch([BatchLine(row, f"line {number}") for number, row in enumerate(text.splitlines(), 1)])
    assert item.problem is not None
    assert (item.problem.message, item.line.where) == (problem.message, "line 1")


def test_rows_of_no_map_before_and_after_one() -> None:
    rows = ["0x7f00: 0x00010040 0x40004040 0x00010040 0x40004040", *WORDS, "0x4000404000010040", *WORDS[:3]]
    kinds = [each.literal and each.literal.width for each in read_batch([BatchLine(row) for row in rows])]
    assert kinds == [64, 64, 1024, 64, *[64] * 6]


UNKNOWN = {
    "digits": DATA.hex()[:18] + "??" + DATA.hex()[20:],
    "half a byte": DATA.hex()[:16] + "?" + DATA.hex()[17:],
    "words": _with(1, WORDS[1].replace("0x00000000", "0x????????")),
    "bytes": DATA.hex(" ").replace(" 65 ", " ?? ", 1),
    "the period": DATA.hex()[:144] + "????" + DATA.hex()[148:],
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_of_a_map_known_in_part_nothing_is_claimed_of_the_rest(text: str) -> None:
    told, whole = decode_value(text).to_dict(), decode_value(DATA.hex()).to_dict()
    known = int.from_bytes(bytes.fromhex(told["known"][2:]), "little")
    lost = [key for key, field in told["fields"].items() if field["value"] is None]
    assert lost
    assert known.bit_count() == 1024 - text.count("?") * 4
    for key, field in told["fields"].items():
        own = ((2 << (field["hi"] - field["lo"])) - 1) << field["lo"]
        assert (field["value"] is None) >= (known & own == 0)
        assert field["value"] in (None, whole["fields"][key]["value"])
    assert told["findings"] == []
    assert "?" in smemdesc("decode", text).out
    (item,) = read_batch([BatchLine(row) for row in text.splitlines()])
    assert item.literal is not None
    assert item.literal.unknown == ((1 << 1024) - 1) & ~known


FORMLESS = DATA.hex()[:16] + "?" * 16 + DATA.hex()[32:]
"""Neither the mode nor the rank is known."""


def test_a_map_whose_form_is_not_known_may_be_any() -> None:
    result = decode_value(FORMLESS)
    told = result.to_dict()
    assert told["candidates"] == ["tensormap:tiled", *(f"tensormap:im2col-{rank}d" for rank in (3, 4, 5))]
    assert "box_0" not in {key for key, field in told["fields"].items() if field["value"] is not None}
    assert told["fields"]["dim_0"]["value"] == 4096
    seen = smemdesc("decode", FORMLESS).out
    assert seen.startswith("tensor map (CUtensorMap)  ambiguous: tensormap:tiled valid, ")
    short = smemdesc("decode", "--short", FORMLESS).out
    assert f"0x{FORMLESS}  " in short
    assert "None" not in short


@pytest.mark.parametrize("text", [UNKNOWN["digits"], FORMLESS])
def test_what_is_not_known_stays_so_through_json(text: str) -> None:
    assert smemdesc("encode", "-", stdin=smemdesc("decode", "--json", text).out).out == f"0x{text}\n"


def test_a_map_of_which_nothing_is_known_is_none() -> None:
    with pytest.raises(SmemdescError):
        decode_value("?" * 256)


def test_fields_as_the_interface_names_them() -> None:
    fields = decode_value(DATA.hex()).to_dict()["fields"]
    said = {key: field["value"] for key, field in fields.items()}
    asked: dict[str, Any] = {
        "global_address": 0x7F1234567000,
        "rank": 2,
        "data_type": "BFLOAT16",
        "dim_0": 4096,
        "dim_1": 2048,
        "stride_1": 8192,
        "box_0": 64,
        "box_1": 128,
        "element_stride_1": 1,
        "interleave": "none",
        "swizzle": "128B",
        "fill": "zero",
        "l2_promotion": "none",
    }
    assert {key: said[key] for key in asked} == asked
    image = {key: field.value for key, field in decode_value(map_text(IMAGE, "bytes")).fields.items()}
    assert [image[f"{end}_corner_{i}"] for end in ("lower", "upper") for i in (0, 1)] == [-1, -2, 1, 2]
    assert (image["channels_per_pixel"], image["pixels_per_column"]) == (64, 64)


@pytest.mark.parametrize("made", [MADE, IMAGE], ids=["tiled", "im2col"])
def test_json_is_encoded_again(made: Any) -> None:
    whole = decode_value(map_text(made, "bytes")).to_dict()
    plain = {key: field["value"] for key, field in whole["fields"].items() if not key.startswith("unknown")}
    lines = "\n".join(json.dumps(each) for each in (whole, {"kind": "tensormap", "fields": plain}))
    text = "0x" + map_text(made, "bytes")
    assert smemdesc("encode", "-", stdin=lines).out.split() == [text, text]


REFUSED: list[tuple[dict[str, Any], type[SmemdescError], str]] = [
    ({"box": [128, 128]}, IllegalError, "128 BFLOAT16 = 256 B, but the 128B swizzle takes at most 128 B"),
    ({"box": [64, 300]}, FieldError, "300 does not fit"),
    ({"box": [4, 8]}, IllegalError, "4 BFLOAT16 = 8 B, not a multiple of 16 B"),
    ({"address": 0x7F1234567008}, IllegalError, "not a multiple of 16 bytes"),
    ({"address": 0x7F1234567010, "interleave": "32B"}, IllegalError, "not a multiple of 32 bytes with interleave"),
    ({"stride": [8190]}, FieldError, "8190 B is not a multiple of 16 B"),
    ({"stride": []}, FieldError, "0 numbers, but 1 are needed"),
    ({"dim": [4096, 0]}, FieldError, "at least 1"),
    ({"element_stride": [1, 9]}, FieldError, "9 does not fit"),
    ({"dtype": "u8", "fill": "nan"}, IllegalError, "which UINT8 does not have"),
    ({"dtype": "bf17"}, FieldError, "no type 'bf17'"),
    ({"interleave": "16B"}, IllegalError, "2 dimensions: it needs 3"),
]


@every_row(("changed", "error", "message"), REFUSED)
def test_why_the_driver_refuses(changed: dict[str, Any], error: type[SmemdescError], message: str) -> None:
    asked: dict[str, Any] = {"dtype": "bf16", "address": 0x7F1234567000, "dim": [4096, 2048], "stride": [8192]}
    with pytest.raises(error, match=message):
        encode_map(**{**asked, "box": [64, 128], "swizzle": "128B", **changed})


def test_what_the_command_writes_and_reads(tmp_path: Any) -> None:
    encode = ["encode", "tensormap", *ARGUMENTS]
    assert smemdesc(*encode, "64,128", "--format", "bytes").out == f"{DATA.hex()}\n"
    (tmp_path / "map.bin").write_bytes(DATA)
    (tmp_path / "short.bin").write_bytes(DATA[:-1])
    seen = smemdesc("decode", "--all", f"@{tmp_path}/map.bin").out
    assert "128 lines of 64 BFLOAT16 = 128 B: 16384 B of shared memory" in seen
    assert "encoded as 3 (1 in wgmma, 2 in tcgen05)" in seen
    assert "shared memory at a multiple of 1024 B" in seen
    refused("decode", f"@{tmp_path}/short.bin", says="has 127 bytes; a tensor map has 128")
    refused(*encode, "64,300", says="--box of dimension 1: 300 does not fit 8 bits")
    refused(*encode, "128,64", says="the 128B swizzle takes at most 128 B [box-row-swizzle]")


@pytest.mark.parametrize("cells", [1, 4, 8])
def test_rows_that_lost_their_line_breaks_are_a_map(cells: int) -> None:
    """As ``smemdesc decode $(cat map.txt)`` gives them: addresses stand between the words."""
    words = [
        f"0x{DATA[at : at + cells][::-1].hex()}" if cells > 1 else f"{DATA[at]:02x}" for at in range(0, 128, cells)
    ]
    per = 16 // cells
    typed = [word for row in range(8) for word in (f"0x7fdd3e{16 * row:04x}:", *words[row * per : (row + 1) * per])]
    text = sentence(typed)
    assert text is not None
    assert decode_value(text).value == MADE.value
