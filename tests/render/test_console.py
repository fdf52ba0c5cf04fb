"""The consoles and the views on them: nothing cut or wrapped off a terminal, no escape where none is wanted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text
from run import on_terminal, smemdesc
from samples import ALL, SOUND, some
from tables import every_row

from smemdesc import Context, context, store
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import Result
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.render.bits import bit_range, bit_strip, field_styles, raw_text
from smemdesc.render.console import PAGE, lines
from smemdesc.render.parts import Hanging, beside, labeled, line, set_in, table
from smemdesc.render.report import decoded_view
from smemdesc.render.store import store_view
from smemdesc.render.text_picture import picture

VALUE = "0x4000404000010040"
LONG = "word " * 60 + "end"
ESCAPE = "\x1b"
FAINT = {"truecolor": "38;2;118;118;118", "256": "38;5;243", "standard": "39"}


@every_row(
    "view",
    [
        Text(LONG),
        Text("x" * 5000),
        beside("label ", LONG),
        labeled("label", LONG),
        Hanging(line(LONG)),
        table([["a", LONG], [LONG, "b"]]),
    ],
)
def test_off_a_terminal_nothing_is_wrapped_or_cut(view: object) -> None:
    text = lines(view)  # type: ignore[arg-type]
    assert all(part.strip() in text for part in (LONG, "x" * 5000) if part.strip()[:9] in text)
    assert text.count("\n") == (2 if text.count("end") == 2 else 1)
    assert not re.search(r" +$", text, re.M)
    assert "…" not in text


def test_text_goes_on_under_the_text() -> None:
    assert lines(beside("label ", "one two three four five six seven eight"), 32) == (
        "label one two three four five\n      six seven eight\n"
    )


def test_a_column_is_wrapped_inside_itself() -> None:
    shown = lines(table([["key", "1", "a text that is too long for its column"]]), 30).splitlines()
    assert shown[0].startswith("key  1  a text")
    assert all(each.startswith(" " * 8) for each in shown[1:])


@every_row("width", [40, 80, 100])
def test_a_command_to_copy_is_whole_and_indented(width: int) -> None:
    of_a = "smemdesc layout operand 0x4000004000010040 --kind wgmma --dtype f16 --major K --shape 64x16"
    shown = lines(set_in(labeled("what it reads", of_a), 2), width)
    assert f"{of_a}\n" in shown
    assert all(each.startswith("  ") for each in shown.splitlines())


@every_row("width", [40, 50, 60, 80])
def test_of_a_table_nothing_is_cut(width: int) -> None:
    stored = store("64x64", "bf16", swizzle="128B")
    assert "\u2026" not in lines(store_view(stored), width)


@pytest.mark.parametrize("kind", SOUND)
def test_a_valid_value_takes_at_most_12_lines(kind: str) -> None:
    view = decoded_view(decode_value(SOUND[kind], kind))
    terminal, pipe = lines(view, 80).splitlines(), lines(view).splitlines()
    assert "valid" in pipe[0]
    assert len(pipe) <= 12
    assert len(terminal) <= 13
    assert max(map(len, terminal)) <= 80


def meanings(result: Result) -> list[str]:
    """Return the last cell of each row of the fields, as it stands in a pipe."""
    rows = re.findall(r"(?m)^(?:!? *\[\d[\d:]*\] | {20,}\S+ +as \S+: ).*$", lines(decoded_view(result)))
    return [re.split(" {2,}", row)[-1] for row in rows]


CASES: tuple[list[Any], ...] = [None, "K", "MN"], [None, "bf16", "tf32", "e4m3"], [None, "64x16", "8x8", "256x32"]


@pytest.mark.slow
@some(800)
@given(st.sampled_from(ALL), st.data())
def test_at_100_columns_no_row_of_the_fields_wraps(kind: Kind, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, kind.table.full) | st.integers(0, 63).map(lambda bit: SOUND[kind.id] ^ 1 << bit))
    digits = f"{value & kind.table.full:0{kind.table.width // 4}x}"
    unknown = data.draw(st.just("") | st.text("0123456789abcdef", max_size=3))
    case = Context()
    if kind.name in SMEM_KINDS:
        major, dtype, shape = (data.draw(st.sampled_from(each)) for each in CASES)
        case = context(major=major, dtype=dtype, shape=shape)
    text = "0x" + "".join("?" if digit in unknown else digit for digit in digits)
    result = decode_value(text, kind.name, kind.mma_kind, context=case)
    assert [text for text in meanings(result) if text not in lines(decoded_view(result), PAGE)] == []


@pytest.mark.slow
@some(400)
@given(st.integers(0, 2**591 - 1), st.integers(0, 2**591 - 1), st.integers(1, 5), st.booleans())
def test_nor_one_of_a_tensor_map(bits: int, others: int, rank: int, im2col: bool) -> None:
    value = (bits & others & ~(0x7F << 64)) | (rank - 1) << 68 | im2col << 64
    result = decode_value(value.to_bytes(128, "little").hex())
    assert [text for text in meanings(result) if text not in lines(decoded_view(result), PAGE)] == []


@pytest.mark.parametrize("kind", SOUND)
def test_on_a_narrow_terminal_the_text_uses_its_width(kind: str) -> None:
    result = decode_value(SOUND[kind], kind)
    text = lines(decoded_view(result), 40)
    words = " ".join(text.split())
    assert [each for each in meanings(result) if each not in words] == []
    assert max(map(len, text.splitlines())) <= 40
    assert not re.search(r"(?m)^ {21,}\S", text)


@pytest.mark.parametrize("value", ["0x0820048c", "0x082016a0", "0xdeadbeefdeadbeef", "0x4020404000014040"])
def test_that_no_reading_fits_is_said_once(value: str) -> None:
    assert len(re.findall("no reading fits|fits no reading", lines(decoded_view(decode_value(value))))) == 1


@pytest.mark.parametrize("kind", SOUND)
def test_every_field_is_named(kind: str) -> None:
    result = decode_value(SOUND[kind], kind)
    short, all_of_them = (lines(decoded_view(result, every=every)) for every in (False, True))
    for key, reading in result.candidates[0].fields.items():
        assert re.search(rf"\b{key}\b", all_of_them)
        stem = key.rstrip("0123456789")
        assert re.search(rf"\b({key}|{stem}\d\.\.\d)\b", short) or (reading.field.constant and "bits: ok" in short)


@pytest.mark.slow
@pytest.mark.parametrize(
    "env",
    [
        {"NO_COLOR": "1"},
        {"NO_COLOR": "1", "FORCE_COLOR": "1"},
        {"TERM": "dumb"},
        {"TTY_COMPATIBLE": "0"},
    ],
    ids=str,
)
def test_no_escape_on_a_terminal(env: dict[str, str]) -> None:
    for arguments in (["decode", VALUE], ["decode", "0x4000401000010040"], ["decode", "UR4"], ["fields", "wgmma"]):
        assert ESCAPE not in on_terminal(*arguments, **env).out


@pytest.mark.parametrize(
    ("env", "painted"), [({"TTY_COMPATIBLE": "1"}, True), ({"FORCE_COLOR": "1"}, True), ({}, False)]
)
def test_a_log_that_takes_colour_gets_the_view_of_a_pipe(env: dict[str, str], painted: bool) -> None:
    ran = smemdesc("decode", VALUE, **env)
    assert (ESCAPE in ran.out) is painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", ran.out).isascii() or painted
    assert len(ran.out.splitlines()) == len(smemdesc("decode", VALUE).out.splitlines())


@pytest.mark.slow
def test_the_option_stands_before_a_dumb_terminal() -> None:
    assert ESCAPE in on_terminal("decode", "--color", "always", VALUE, TERM="dumb").out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_a_poor_encoding_is_no_traceback(encoding: str) -> None:
    for arguments in (["decode", "--bits", VALUE], ["mask", "0x0003028100000000", "--m", "64", "--n", "64"]):
        ran = on_terminal(*arguments, PYTHONIOENCODING=encoding, NO_COLOR="1")
        assert "Traceback" not in ran.out
        assert ran.status == 0


@every_row("kind", ALL)
@every_row("system", ["truecolor", "256", "standard"])
def test_no_two_fields_of_a_table_look_the_same(kind: Kind, system: str) -> None:
    fields = kind.table.read(0)
    painted = lines(bit_strip(fields, field_styles(fields, ())), 500, system).splitlines()[1]
    looks = re.findall(r"\x1b\[([0-9;]*)m0+\x1b", painted)
    assert len(looks) == len(fields)
    own = [look for look, reading in zip(looks, reversed(fields.values()), strict=True) if not reading.contradicts]
    assert len(set(own) - {FAINT[system]}) == len(own) - own.count(FAINT[system])
    assert own.count(FAINT[system]) == sum(each.field.constant and not each.contradicts for each in fields.values())


@every_row(
    ("value", "key", "mark"),
    [
        ("0x4000401000010040", "stride_byte_offset", "1;30;43"),  # sbo-below-atom
        ("0x6000404000010040", "swizzle", "1;97;41"),  # undefined-code
        ("0x4010404000010040", "lbo_mode", "1;97;41"),  # needs-arch
    ],
)
@every_row("bits", [False, True])
def test_what_a_finding_is_about_has_its_color_in_the_bits_and_in_the_row(
    value: str, key: str, mark: str, bits: bool
) -> None:
    result = decode_value(value, "tcgen05", context=Context(arch="sm_100a"))
    shown = lines(decoded_view(result, bits=bits), 120, "standard")
    reading = result.candidates[0].fields[key]
    cells = (bit_range(reading), key, reading.binary(), raw_text(reading))
    assert [cell for cell in cells if f"\x1b[{mark}m{cell}\x1b" not in shown] == []


def test_a_picture_of_text() -> None:
    drawn = picture([decoded_view(decode_value(VALUE))], VALUE)
    words = "".join(ET.fromstring(drawn).itertext()).replace("\xa0", " ")
    assert "leading_byte_offset" in words
    assert VALUE in words


SVGS = {
    "decode": ["decode", VALUE],
    "diff": ["decode", "--diff", VALUE, "0x4000404000010042"],
    "fields": ["fields", "wgmma"],
    "index": ["fields"],
    "address": ["layout", "address", VALUE, *("--dtype", "bf16", "--major", "K", "--shape", "64x16", "--at", "1,1")],
    "canonical": ["layout", "canonical"],
    "linear": ["layout", "linear", "--swizzle", "128B", "--dtype", "bf16"],
    "thread": ["layout", "fragment", "--shape", "m64n8k8", "--operand", "a", "--thread", "5"],
    "lane": ["layout", "tmem", "--m", "64", "--n", "128", "--ws", "--lane", "5"],
    "factor": ["layout", "scales", "128x256", "--mma-kind", "mxf4", "--at", "1,1"],
    "scan": ["scan", "examples/data/gemm_sm90.sass"],
}


@pytest.mark.parametrize("name", SVGS)
def test_every_view_can_be_a_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/".join(__file__.split("/")[:-3]))
    ran = smemdesc(*SVGS[name], "--svg", "-")
    assert (ran.err, ran.status) == ("", 0)
    root = ET.fromstring(ran.out)
    assert root.tag.endswith("svg")
    if name != "scan":  # names and commands to paste are not broken
        assert float(root.get("viewBox", "0 0 0 0").split()[2]) < PAGE * 13


def test_several_values_are_no_picture() -> None:
    ran = smemdesc("decode", "--svg", "-", VALUE, VALUE)
    assert (ran.out, ran.status) == ("", 2)
    assert "--svg draws one value" in ran.err
