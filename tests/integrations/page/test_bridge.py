"""What the page is answered, in plain Python: the command line's own answers, for every kind of value and of paste.

Its forms: each option is the command's, each picture is drawn as the form stands at first.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from cli.test_golden import GOLDEN, IN_A_PIPE
from hypothesis import given
from hypothesis import strategies as st
from run import smemdesc
from samples import ALL, CHARACTERS, SOUND, kinds, some, values

from smemdesc.descriptors.readings import HIGH_WORD
from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import Fixed, Reserved
from smemdesc.integrations.page.bridge import answer
from smemdesc.integrations.page.commands import DECODE, PICTURES, PLAN, SCAN, Form, command_of, form_dict, forms
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.text import to_hex
from smemdesc.rules import examples

ROOT = Path(__file__).parents[3]
DUMP = ROOT / "examples" / "data" / "gemm_sm100.sass"
SOUND_ONE = "0x4000404000010040"
CASE = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]


def ask(what: str, **rest: Any) -> Any:
    """Ask the bridge as the page does."""
    return json.loads(answer(json.dumps({"do": what, **rest})))


def decoded(text: str, *options: str) -> Any:
    """Ask what a text says."""
    return ask("decode", text=text, options=list(options))


# ------------------------------------------------------------------------------------------------------------ JSON


VALUES = kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind)))


def named(kind: Kind, value: int) -> tuple[str, list[str]]:
    """Return a value as text, and the options that name its kind."""
    more = ["--mma-kind", kind.mma_kind] if kind.mma_kind else []
    return f"0x{value:0{kind.table.width // 4}x}", ["--kind", kind.name, *more]


@given(VALUES, st.booleans())
@some(200)
def test_the_json_is_that_of_decode(drawn: tuple[Kind, int], asked: bool) -> None:
    kind, value = drawn
    text, options = named(kind, value)
    wanted = decode(text, kind.name, kind.mma_kind) if asked else decode(text)
    assert json.dumps(decoded(text, *(options if asked else ()))["json"]) == json.dumps(wanted.to_dict())


@pytest.mark.parametrize("options", [[], CASE, ["--arch", "sm_100a"], ["--kind", "wgmma"], ["--mma-kind", "f16"]])
@pytest.mark.parametrize("value", [SOUND_ONE, "0x40004040:?", "-9223371899399045120", "0x8200490", "4000404000010040"])
def test_the_json_is_what_the_program_prints(value: str, options: list[str]) -> None:
    ran = smemdesc("decode", "--json", *options, "--", value)
    said = decoded(value, *options)
    if ran.status == 2:
        assert said["problem"]["message"] in ran.err
    else:
        assert said["json"] == json.loads(ran.out)


# --------------------------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize("name", IN_A_PIPE)
def test_a_command_writes_what_it_writes_into_a_pipe(name: str) -> None:
    assert ask("run", words=IN_A_PIPE[name], plain=True)["out"] == (GOLDEN / f"{name}.txt").read_text()


ALIKE = """
from xml.etree import ElementTree as ET
import smemdesc
from smemdesc.integrations.page.commands import run
for value in ("0x4000404000010040", "0x08200490", "0xdeadbeefdeadbeef", "0x0203028301020100"):
    htmls = run(["decode", value])["html"], smemdesc.decode(value)._repr_html_()
    shown, notebook = map(ET.fromstring, htmls)
    assert "".join(shown.itertext()) == "".join(notebook.itertext())
    assert {each.get("style") for each in shown.iter()} <= {each.get("style") for each in notebook.iter()} | {None}
"""


def test_a_report_is_the_html_of_a_notebook() -> None:
    """In a process of its own: rich keeps the codes of a style as they were first written, in however many colors."""
    subprocess.run([sys.executable, "-c", ALIKE], check=True, timeout=60)


def test_a_command_is_text_for_a_shell() -> None:
    assert ask("command", words=["decode", "a b", "$x"])["command"] == "smemdesc decode 'a b' '$x'"


def test_the_environment_and_the_folder_are_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    here = Path.cwd()
    assert "style" in ask("run", words=["decode", SOUND_ONE], folder=str(tmp_path))["html"]
    assert (Path.cwd(), __import__("os").environ["NO_COLOR"]) == (here, "1")


def test_a_wrong_command_says_what_is_wrong() -> None:
    said = ask("run", words=["plan", "128x128x64", "--dtype", "bf61"])
    assert said["status"] == 2
    assert "there is no operand type 'bf61'" in said["err"]


def test_a_dump_is_scanned_where_it_was_dropped(tmp_path: Path) -> None:
    (tmp_path / "gemm.sass").write_bytes(DUMP.read_bytes())
    for more in ([], ["--annotate"], ["--json"]):
        said = ask("run", words=["scan", "gemm.sass", *more], folder=str(tmp_path), plain=True)
        assert said["out"] == smemdesc("scan", str(DUMP), *more).out.replace(str(DUMP), "gemm.sass")
        assert said["command"] == " ".join(["smemdesc scan gemm.sass", *more])


# ------------------------------------------------------------------------------------------------------------ paste

PASTED = [
    (SOUND_ONE, [SOUND_ONE]),
    (f"  '{SOUND_ONE}ULL', ", [f"'{SOUND_ONE}ULL',"]),
    ("0x40004040:?", ["0x40004040:?"]),
    ("0x40004040 0x00010040", ["0x40004040:0x00010040", "0x40004040", "0x00010040"]),
    ("mov.b64 d, {0x00010040, 0x40004040};", ["0x40004040:0x00010040"]),
    ("or.b64 %rd72, %rd70, -9223371899399045120;", ["-9223371899399045120"]),
    ("(1ull << 46) | (2ull << 61)", ["0x4000400000000000"]),
    ("uint64_t desc = (1ull << 46) | (2ull << 61);", ["0x4000400000000000"]),
    ("UMOV UR7, 0x40000040", ["0x40000040"]),
    ("UMOV UR5, 0x40004040 ; /* 0x4000404000057882 */\n/* 0x000fe20000000000 */", ["0x40004040"]),
    (f"{SOUND_ONE}\n0x4000404000010042\n", [SOUND_ONE, "0x4000404000010042"]),
]


@pytest.mark.parametrize(("text", "found"), PASTED)
def test_whatever_is_pasted_has_its_values(text: str, found: list[str]) -> None:
    said = decoded(text)
    assert said["values"] == found
    assert said["value"] == found[0]


def test_another_value_can_be_picked() -> None:
    assert ask("decode", text="0x40004040 0x00010040", pick=1)["value"] == "0x40004040"


@pytest.mark.parametrize(
    "text",
    [
        "zzz",
        "R2UR UR4, R5",
        "R2UR UR4, R5 ; /* 0x00000000050472ca */",
        "0x123456789abcdef01234",
        "<script>alert(1)</script>",
        "mov.b64 %rd1, {%r1, %r2};",
    ],
)
def test_a_wrong_value_says_where(text: str) -> None:
    problem = decoded(text)["problem"]
    assert problem["message"]
    assert problem["hint"]
    first, last = problem["span"]
    assert problem["given"][first:last]


@given(st.text(CHARACTERS, max_size=40))
@some(300)
def test_no_text_is_an_error_of_the_program(text: str) -> None:
    said = decoded(text)
    assert "in smemdesc itself" not in said.get("problem", {}).get("message", "")


@pytest.mark.parametrize(
    "options", [["--major", "X"], ["--shape", "64"], ["--tile", "64x64"], ["--dtype", "bf61"], ["--m", "x"]]
)
def test_a_wrong_case_is_a_problem(options: list[str]) -> None:
    assert decoded(SOUND_ONE, *options)["problem"]["message"]


def test_a_question_that_there_is_not_is_a_problem() -> None:
    assert "problem" in ask("nothing")


# ------------------------------------------------------------------------------------------------------------- edit


def reading(value: int, kind: Kind) -> Any:
    """Return the one reading of a value as a kind."""
    text, options = named(kind, value)
    (only,) = decoded(text, *options)["readings"]
    return only


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_bit_can_be_turned_over(kind: Kind) -> None:
    value = SOUND[kind.id]
    width = kind.table.width
    for bit in range(width):
        turned = ask("edit", bits=to_hex(value, kind.table.full, width), kind=kind.id, bit=bit)["bits"]
        assert int(turned, 16) == value ^ 2**bit


@given(VALUES)
@some(100)
def test_a_field_set_to_what_it_is_changes_nothing(drawn: tuple[Kind, int]) -> None:
    kind, value = drawn
    shown = reading(value, kind)
    for field in shown["fields"]:
        row = kind.table.row(field["key"])
        assert (field["input"] is None) == isinstance(row.codec, Reserved | Fixed)
        if field["input"] and field["input"]["now"]:
            made = ask("edit", bits=shown["bits"], kind=shown["kind"], field=field["key"], to=field["input"]["now"])
            assert made["bits"] == shown["bits"]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_name_that_a_field_offers_can_be_chosen(kind: Kind) -> None:
    shown = reading(SOUND[kind.id], kind)
    for field in shown["fields"]:
        for name, _ in (field["input"] or {}).get("choices", []):
            made = ask("edit", bits=shown["bits"], kind=kind.id, field=field["key"], to=name)
            again = next(each for each in reading(int(made["bits"], 16), kind)["fields"] if each["key"] == field["key"])
            assert again["input"]["now"] == name


HALF = "0x40004040????????"


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({"bits": SOUND_ONE, "field": "stride_byte_offset", "to": "2KiB"}, "0x4000408000010040"),
        ({"bits": HALF, "view": HIGH_WORD, "bit": 62}, "0x00004040"),  # a high word stays one
        ({"bits": HALF, "bit": 0}, "0b" + f"{0x40004040:032b}" + "?" * 31 + "0"),  # what is not known becomes known
    ],
)
def test_a_change(change: dict[str, Any], value: str) -> None:
    assert ask("edit", kind="tcgen05", **change)["value"] == value


def test_a_field_refuses_what_does_not_fit() -> None:
    problem = ask("edit", bits=SOUND_ONE, kind="tcgen05", field="start_address", to="17")["problem"]
    assert "17 B is not a multiple of 16 B" in problem["message"]


EXAMPLES = {name: each.broken for name, each in examples.EXAMPLES.items() if isinstance(each.broken, examples.Decode)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_repair_is_a_value_without_the_finding(name: str) -> None:
    value, kind = EXAMPLES[name].value, EXAMPLES[name].kind
    options = ["--kind", kind.partition(":")[0], "--mma-kind", kind.partition(":")[2]] if ":" in kind else []
    options = options or (["--kind", kind] if kind else [])
    for each in (finding for one in decoded(value, *options)["readings"] for finding in one["findings"]):
        if each["repaired"]:
            left = decoded(each["repaired"], *options)["json"]["findings"]
            assert (each["rule"], each["fields"]) not in [(other["rule"], other["fields"]) for other in left]


def test_a_repair_is_offered() -> None:
    (only,) = decoded("0x4000004000010040", "--kind", "tcgen05")["readings"]
    assert [each["repaired"] for each in only["findings"]] == [SOUND_ONE]


# ----------------------------------------------------------------------------------------------------------- markup

EVIL = ["<script>alert(1)</script>", '<img src=x onerror="alert(1)">', "</pre><script>x</script>", "&lt;b&gt;<b>"]


@pytest.mark.parametrize("text", EVIL)
def test_nothing_pasted_is_markup(text: str, tmp_path: Path) -> None:
    dump = DUMP.read_text().replace("gemm", text.replace(" ", "_"))
    (tmp_path / f"{re.sub('[/ ]', '_', text)}.sass").write_text(dump + f"\n// {text}\n")
    (name,) = [each.name for each in tmp_path.iterdir()]
    for words in (
        ["scan", name],
        ["scan", "--all", name],
        ["scan", "--annotate", name],
        ["decode", "--", text],
        ["plan", text],
    ):
        said = ask("run", words=words, folder=str(tmp_path))
        if said.get("html"):
            assert {each.tag for each in ET.fromstring(said["html"]).iter()} <= {"pre", "span"}


# ----------------------------------------------------------------------------------------------------------- forms

FORMS = [DECODE, *PICTURES, PLAN, SCAN]
OWN = {"elements", "name", "action", "method", "target", "submit", "reset", "length", "title", "id", "style", "hidden"}
"""What a form of a browser has by these names."""


def fields(form: Form) -> Iterator[dict[str, Any]]:
    """Yield the fields of a form."""
    made = form_dict(form)
    yield from [*made["fields"], *made["ask"]]


def words(form: Form, asked: tuple[str, ...] = ()) -> list[str]:
    """Return the command line of a form as it stands at first, and of some of what asks for a place."""
    made = form_dict(form)
    given = [made["fields"][0]["start"] or made["fields"][0]["example"]] if form.place else []
    said = [(each["option"], each["start"]) for each in made["fields"] if each.get("start") and "option" in each]
    said += [(each["option"], each["example"]) for each in made["ask"] if each["name"] in asked]
    return [*made["asked" if asked else "words"], *given, *(word for pair in said for word in pair)]


def ran(line: list[str], *more: str) -> Any:
    """Run a command line as the page does."""
    return ask("run", words=[*line, *more], plain=True)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.command)
def test_a_field_is_an_option_of_the_command(form: Form) -> None:
    for each in fields(form):
        assert each["name"] not in OWN
        if "option" not in each:
            continue
        commands = [command_of(form.command), *([command_of(form.asked_by)] if form.asked_by else [])]
        named = {name: option for command in commands for option in command.params for name in option.opts}
        kind = named[each["option"]].type
        if isinstance(kind, click.Choice) and each["name"] != "major":
            assert {value for value, _ in each["choices"]} - {""} == set(kind.choices)


@pytest.mark.parametrize("form", [*PICTURES, PLAN], ids=lambda form: form.command)
def test_what_a_form_holds_at_first_is_drawn(form: Form) -> None:
    drawn = ran([word for word in words(form) if word not in ("--format", "cuda")], "--svg", "-")
    assert (drawn["status"], drawn["out"][:4]) == (0, "<svg"), drawn["err"]


ASKED = [(form, ask) for form in PICTURES for ask in form.ask.split()]
ASKED += [(form, "lane column") for form in PICTURES if "lane" in form.ask]


@pytest.mark.parametrize(("form", "ask"), ASKED, ids=lambda each: getattr(each, "command", each))
def test_a_place_is_asked_for(form: Form, ask: str) -> None:
    said = ran(words(form, tuple(ask.split())))
    if form.command == "layout scales" and ask in ("lane", "column"):
        assert "--lane" in said["err"]  # they go together, and it says so
    else:
        assert (said["status"], said["err"]) == (0, "")


def test_the_page_knows_every_form() -> None:
    assert list(forms()) == ["decode", "layout", "plan", "scan"]
    assert ask("about")["forms"] == forms()
    (kinds_of_mma,) = (each["choices"] for each in fields(DECODE) if each["name"] == "mma-kind")
    assert set(BLOCK_SCALED) < {value for value, _ in kinds_of_mma}
