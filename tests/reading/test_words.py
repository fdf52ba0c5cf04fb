"""Names typed where a value belongs: no number, and the command that is meant."""

from __future__ import annotations

import pytest
from run import smemdesc
from tables import every_row

from smemdesc.engine.errors import ValueSyntaxError
from smemdesc.reading.text import parse_value
from smemdesc.reading.words import typed_word

NAMES = [
    ("bf16", "a type", "smemdesc plan 128x128x64 bf16"),
    ("f16", "a type", "smemdesc plan 128x128x64 f16"),
    ("b16", "a type", "smemdesc fields idesc"),
    ("fp8", "a type", "smemdesc plan 128x128x64 e4m3"),
    ("nvfp4", "a type", "smemdesc plan 128x128x64 nvfp4"),
    ("128B", "a swizzle mode", "smemdesc layout atom 128B"),
    ("64b", "a swizzle mode", "smemdesc layout atom 64B"),
    ("SW128", "a swizzle mode", "smemdesc layout atom 128B"),
    ("64x16", "a shape", "smemdesc layout tile 64x16 bf16 --swizzle 32B"),
    ("128x64", "a shape", "smemdesc layout tile 128x64 bf16 --swizzle 128B"),
    ("128x128x64", "a shape", "smemdesc plan 128x128x64 bf16"),
    ("32x32b", "a shape of tcgen05.ld", "smemdesc layout tmem --m 128 --n 64 --ld 32x32b"),
    ("wgmma", "a kind", "smemdesc fields wgmma"),
    ("umma", "a kind", "smemdesc encode tcgen05"),
    ("h100", "an architecture", "smemdesc plan 128x128x64 bf16 --arch h100"),
    ("mxf4", "an MMA kind", "smemdesc fields --mma-kind mxf4"),
]


@every_row(("name", "what", "meant"), NAMES)
def test_a_name_is_no_value(name: str, what: str, meant: str) -> None:
    with pytest.raises(ValueSyntaxError) as caught:
        parse_value(name)
    assert caught.value.message == f"{what}, not a value"
    assert meant in (caught.value.hint or "")


@every_row("text", ["0x128b", "0xbf16", "8f", "128c", "bf16bf16", "0xf16"])
def test_other_digits_are_numbers(text: str) -> None:
    assert parse_value(text).number == int(text, 16)


@every_row("word", ["hello", "x", "12:30", "desc"])
def test_other_words_are_not_known(word: str) -> None:
    assert typed_word(word) is None


@every_row("command", [meant for _, what, meant in NAMES if "kind" not in what or "fields" in meant])
def test_the_commands_can_be_pasted(command: str) -> None:
    ran = smemdesc(*command.split()[1:])
    assert (ran.status, ran.err) == (0, "")
