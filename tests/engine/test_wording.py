"""Text of others on a terminal and in a shell."""

from __future__ import annotations

import shlex
import subprocess
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, some
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import printable, quoted, short

SHOWN = {
    "plain.ptx": "plain.ptx",
    "é 漢": "é 漢",
    "a\x1b[31mb": "a\\x1b[31mb",
    "a\nerror: b": "a\\nerror: b",
    "\u202eabc": "\\u202eabc",
    "\u2066a\u2069": "\\u2066a\\u2069",
    "a\u2028b": "a\\u2028b",
    "\udce9": "\\xe9",
    "\x7f\x9b": "\\x7f\\x9b",
}


@every_row("text", SHOWN)
def test_what_does_not_print_is_written_out(text: str) -> None:
    assert printable(text) == SHOWN[text]


@some(100)
@given(st.text(CHARACTERS))
def test_everything_prints(text: str) -> None:
    assert printable(text).isprintable()
    assert quoted(text).isprintable()
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize("text", ["a", "a b", "it's", "$x", "a\nb", "\x1b[31m'\\", "\u202ea", "-x", ""])
def test_a_shell_reads_a_quoted_word_back(text: str) -> None:
    read = subprocess.run(["bash", "-c", f"printf %s {quoted(text)}"], capture_output=True, check=True).stdout
    assert read.decode() == text


def test_an_ordinary_word_is_quoted_as_ever() -> None:
    assert quoted("a b") == shlex.quote("a b")


def test_the_middle_of_a_long_text_is_left_out() -> None:
    text = short("a" * 5000 + "b")
    assert len(text) < 1300
    assert text.endswith("ab")


@pytest.mark.slow
def test_no_character_that_is_not_seen_is_printed() -> None:
    """Controls, marks of direction, separators, what no text has, and what Unicode calls ignorable by default."""
    unseen = [
        char for char in map(chr, range(0x110000)) if category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    ]
    unseen += map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x2800, 0x3164, 0xFE0F, 0xFFA0, 0xE0100, 0xE01EF))
    assert not [char for char in unseen if char in printable(f"a{char}b") or char in quoted(f"a{char}b")]
    assert printable("a\u202eb\ufe0f") == "a\\u202eb\\ufe0f"
    assert str(SmemdescError("a\u202eb", hint="\u2066c")) == "a\\u202eb; \\u2066c"
    assert printable("Größe 中文 é a b") == "Größe 中文 é a b"


IN_PYTHON = {
    "give --tile MNxK as well": 'give tile="MNxK" as well',
    "for example --dtype bf16 --major K --cta-group 2": 'for example dtype="bf16", major="K", cta_group=2',
    "leave --no-ws out, or --from": "leave ws=False out, or from_",
    "--mma-kind says nothing": "mma_kind says nothing",
    "smemdesc fields --arch h100 lists it; write --m 64": "smemdesc fields --arch h100 lists it; write m=64",
}


@every_row("text", IN_PYTHON)
def test_an_error_names_keywords_in_python_and_options_in_the_program(text: str) -> None:
    error = SmemdescError(text, hint=text)
    assert (error.message, error.hint, str(error)) == (IN_PYTHON[text],) * 2 + (
        f"{IN_PYTHON[text]}; {IN_PYTHON[text]}",
    )
    assert error.to_dict()["hint"] == error.option_hint == text
