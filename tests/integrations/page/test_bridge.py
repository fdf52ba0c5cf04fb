"""What the page is answered, in plain Python: the command line's own answers, for every kind of value and of paste.

Its forms: each option is the command's, each picture is drawn as the form stands at first.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from goldens import COMMANDS
from hypothesis import given
from hypothesis import strategies as st
from run import GOLDENS, smemdesc
from samples import ALL, CHARACTERS, SOUND, kinds, some, values
from tables import every_row

from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.readings import HIGH_WORD
from smemdesc.engine.fields import Fixed, Reserved
from smemdesc.explanations.catalog import example_of, rule_names
from smemdesc.integrations.page.bridge import answer_page
from smemdesc.integrations.page.commands import (
    DECODE,
    EXPLAIN,
    MMA_FORM,
    PICTURES,
    PLAN,
    SCAN,
    VIEW_EXAMPLES,
    PageForm,
    _labels,
    command_of,
    form_dict,
    page_forms,
)
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.reading.text import to_hex
from smemdesc.rules.base import ERROR, WARNING

ROOT = Path(__file__).parents[3]
DUMP = ROOT / "examples" / "data" / "gemm_sm100.sass"
SOUND_ONE = "0x4000404000010040"
CASE = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]


def ask(what: str, **rest: Any) -> Any:
    """Ask the bridge as the page does."""
    return json.loads(answer_page(json.dumps({"do": what, **rest})))


def decoded(text: str, *options: str) -> Any:
    """Ask what a text says."""
    return ask("decode", text=text, options=list(options))


# ------------------------------------------------------------------------------------------------------------ JSON


VALUES = kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind)))


def named(kind: Kind, value: int) -> tuple[str, list[str]]:
    """Return a value as text, and the options that name its kind."""
    more = ["--mma-kind", kind.mma_kind] if kind.mma_kind else []
    return f"0x{value:0{kind.table.width // 4}x}", ["--kind", kind.name, *more]


@pytest.mark.slow
@given(VALUES, st.booleans())
@some(200)
def test_the_json_is_that_of_decode(drawn: tuple[Kind, int], asked: bool) -> None:
    kind, value = drawn
    text, options = named(kind, value)
    wanted = decode_value(text, kind.name, kind.mma_kind) if asked else decode_value(text)
    assert json.dumps(decoded(text, *(options if asked else ()))["json"]) == json.dumps(wanted.to_dict())


@pytest.mark.slow
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


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if name.startswith("decode/") and not COMMANDS[name].columns]
)
def test_a_command_writes_what_it_writes_into_a_pipe(name: str) -> None:
    assert ask("run", words=COMMANDS[name].words, plain=True)["out"] == (GOLDENS / f"{name}.txt").read_text()


ALIKE = """
from xml.etree import ElementTree as ET
import smemdesc
from smemdesc.integrations.page.commands import run_words
for value in ("0x4000404000010040", "0x08200490", "0xdeadbeefdeadbeef", "0x0203028301020100"):
    htmls = run_words(["decode", value])["html"], smemdesc.decode(value)._repr_html_()
    shown, notebook = map(ET.fromstring, htmls)
    assert "".join(shown.itertext()) == "".join(notebook.itertext())
    assert {each.get("style") for each in shown.iter()} <= {each.get("style") for each in notebook.iter()} | {None}
"""


@pytest.mark.slow
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
    assert "unknown operand type 'bf61'" in said["err"]


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


DUMPS = {
    "gemm_sm100.sass": "0x40004040",
    "gemm_sm90.sass": "0x40000040",
    "matmul_sm100.ptx": "1073758272",
    "matmul_sm90.ptx": "4611686293305294848",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DUMPS)
def test_of_a_dump_the_likeliest_value_is_first(name: str) -> None:
    said = decoded((DUMP.parent / name).read_text())
    assert said["dump"]
    assert said["value"] == DUMPS[name]


@pytest.mark.parametrize("line", ["UTCHMMA gdesc[UR6], gdesc[UR8], tmem[UR5], tmem[UR30], idesc[UR31], UP0 ;", "HGMMA"])
def test_a_dump_without_a_value_is_still_one(line: str) -> None:
    said = decoded(f"{line}\nEXIT ;")
    assert said["dump"]
    assert said["problem"]["message"]


def test_a_list_of_values_stays_in_its_order() -> None:
    said = decoded(f"0x8200490\n{SOUND_ONE}\n")
    assert (said["values"], said["dump"]) == (["0x8200490", SOUND_ONE], False)


def test_of_a_long_dump_the_first_lines_are_read() -> None:
    assert decoded("EXIT ;\n" * 1000 + f"UMOV UR7, {SOUND_ONE} ;")["problem"]["message"]


@every_row(
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


@every_row("kind", ALL)
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


@pytest.mark.slow
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


BROKEN = {name: words[2:] for name in rule_names() if (words := shlex.split(example_of(name).command))[1] == "decode"}


@pytest.mark.slow
@every_row("name", BROKEN)
def test_a_repair_is_a_value_without_the_finding(name: str) -> None:
    *options, value = BROKEN[name]
    for each in (finding for one in decoded(value, *options)["readings"] for finding in one["findings"]):
        if each.get("repaired"):
            left = decoded(each["repaired"], *options)["json"]["findings"]
            assert (each["rule"], each["fields"]) not in [(other["rule"], other["fields"]) for other in left]


@pytest.mark.slow
@every_row("name", BROKEN)
def test_bits_have_the_severity_of_their_worst_finding(name: str) -> None:
    *options, value = BROKEN[name]
    for each in decoded(value, *options)["readings"]:
        for field in each["fields"]:
            found = {finding["severity"] for finding in each["findings"] if field["key"] in finding["fields"]}
            worst = next((severity for severity in (ERROR, WARNING) if severity in found), "")
            assert field["style"] == worst or (not worst and field["style"] not in (ERROR, WARNING))


@every_row(
    ("value", "options", "assumed"),
    [
        (SOUND_ONE, [], {"dtype": "bf16", "major": "K"}),
        (SOUND_ONE, ["--major", "MN"], {"dtype": "bf16"}),  # LBO 16 B is too small for MN-major, of any type
        ("0x4000404002000040", ["--major", "MN"], {"dtype": "bf16"}),
        (SOUND_ONE, CASE, {}),
        ("0x2000404002000040", [], {"dtype": "tf32", "major": "MN"}),
        ("0x2000404000010040", [], {}),
        ("0x4000004000010040", ["--kind", "tcgen05"], {"dtype": "bf16", "major": "K"}),  # wrong in itself
        ("0x8200490", [], {}),
    ],
)
def test_what_a_picture_assumes_adds_no_finding(value: str, options: list[str], assumed: dict[str, str]) -> None:
    assert decoded(value, *options)["readings"][0]["assumed"] == assumed


def test_a_repair_is_offered() -> None:
    (only,) = decoded("0x4000004000010040", "--kind", "tcgen05")["readings"]
    assert [each["repaired"] for each in only["findings"]] == [SOUND_ONE]


# ----------------------------------------------------------------------------------------------------------- markup

EVIL = ["<script>alert(1)</script>", '<img src=x onerror="alert(1)">', "</pre><script>x</script>", "&lt;b&gt;<b>"]


@pytest.mark.slow
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

FORMS = [DECODE, *PICTURES, MMA_FORM, PLAN, SCAN, EXPLAIN]
OWN = {"elements", "name", "action", "method", "target", "submit", "reset", "length", "title", "id", "style", "hidden"}
"""What a form of a browser has by these names."""


def fields(form: PageForm) -> Iterator[dict[str, Any]]:
    """Yield the fields of a form."""
    made = form_dict(form)
    yield from [*made["fields"], *made["more"], *made["ask"]]


def words(form: PageForm, asked: tuple[str, ...] = ()) -> list[str]:
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
def test_a_field_is_an_option_of_the_command(form: PageForm) -> None:
    for each in fields(form):
        assert each["name"] not in OWN
        if "option" not in each:
            continue
        commands = [command_of(form.command), *([command_of(form.opened_from)] if form.opened_from else [])]
        named = {name: option for command in commands for option in command.params for name in option.opts}
        kind = named[each["option"]].type
        if isinstance(kind, click.Choice) and each["name"] != "major":
            assert {value for value, _ in each["choices"]} - {""} == set(kind.choices)


def test_a_plan_offers_block_scaled_types_and_links_its_descriptors() -> None:
    (types,) = ([value for value, _ in each["choices"]] for each in fields(PLAN) if each["name"] == "dtype")
    assert {"bf16", "nvfp4", "mxfp8", "mxfp4"} <= set(types)
    said = ask("run", words=["plan", "128x128x256", "--dtype", "nvfp4"], columns=120)
    tile = "kind=tcgen05&mma-kind=mxf4nvf4&dtype=e2m1&major=K&tile=128x256"
    assert [to for *_, to in said["links"]] == [f"#decode?text=0x4000404000010000&{tile}"] * 2


@pytest.mark.parametrize("form", [*PICTURES, PLAN], ids=lambda form: form.command)
def test_what_a_form_holds_at_first_is_drawn(form: PageForm) -> None:
    drawn = ran(words(form), "--svg", "-")
    assert (drawn["status"], drawn["out"][:4]) == (0, "<svg"), drawn["err"]


ASKED = [(form, ask) for form in PICTURES for ask in form.ask.split()]
ASKED += [(form, "lane column") for form in PICTURES if "lane" in form.ask]


@pytest.mark.parametrize(("form", "ask"), ASKED, ids=lambda each: getattr(each, "command", each))
def test_a_place_is_asked_for(form: PageForm, ask: str) -> None:
    said = ran(words(form, tuple(ask.split())))
    if form.command == "layout scales" and ask in ("lane", "column"):
        assert "lane and column" in said["err"]  # they go together, and it says so
    else:
        assert (said["status"], said["err"]) == (0, "")


def test_the_page_knows_every_form() -> None:
    assert list(page_forms()) == ["decode", "layout", "mma", "plan", "scan", "explain"]
    assert ask("about")["forms"] == page_forms()
    (kinds_of_mma,) = (each["choices"] for each in fields(DECODE) if each["name"] == "mma-kind")
    assert set(BLOCK_SCALED) < {value for value, _ in kinds_of_mma}


# -------------------------------------------------------------------------------------------------- words of the page

STATES = [(view, label, state) for view, some in VIEW_EXAMPLES.items() for label, state in some]


def verdict_in(label: str) -> str:
    """Return the verdict that the label of an example begins with."""
    return label.partition(":")[0] if ":" in label else "valid"


@pytest.mark.parametrize(("view", "label", "state"), STATES, ids=lambda each: each if isinstance(each, str) else "")
def test_every_example_is_answered(view: str, label: str, state: dict[str, str], tmp_path: Path) -> None:
    if view == "decode":
        options = ["--kind", state["kind"]] if "kind" in state else []
        said = decoded(state["text"], *options)
        is_of_mma = "idesc" in said["readings"][0]["id"]
        assert said["verdict"] == ("ambiguous" if is_of_mma else verdict_in(label))
    elif view == "scan":
        (tmp_path / "dump").write_text(state["dump"])
        said = ask("run", words=["scan", "dump"], folder=str(tmp_path))
        assert "1 MMA" in said["html"]
        assert len(said["links"]) >= 2
    else:
        form = {"mma": MMA_FORM, "plan": PLAN, "explain": EXPLAIN}[view]
        made = {each["name"]: each for each in fields(form) if each["name"] != "format"}
        holds = {name: each.get("start", "") for name, each in made.items()} | state
        given = [(made[name].get("option", ""), value) for name, value in holds.items() if value]
        said = ask("run", words=[view, *(word for pair in given for word in pair if word)])
        assert (said["status"], said["err"]) == (0, "")
        assert view != "mma" or verdict_in(label) in said["html"]


def test_the_page_opens_with_the_first_example() -> None:
    index = (ROOT / "web" / "site" / "index.html").read_text()
    assert (
        'name="text" rows="1" spellcheck="false" autocapitalize="off" '
        f'data-start="{VIEW_EXAMPLES["decode"][0][1]["text"]}"' in index
    )


OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
WRONG = [
    ["plan", "128x128x64", "--dtype", "bf16", "--mma", "7x7"],
    ["plan", "128x128x64", "--dtype", "bf16", "--d-type", "s32"],
    ["plan", "128x128x64", "--dtype", "e2m1", "--scale", "ue8m0"],
    ["mma"],
    ["mma", "--dtype", "bf16"],
    ["mma", "--a", SOUND_ONE, "--inst", "m64n64k16"],
    ["layout", "operand", SOUND_ONE],
    ["layout", "tile", "128x64", "--kind", "tcgen05", "--dtype", "bf16", "--major", "MN", "--swizzle", "64B"],
    ["layout", "tmem", "--m", "128", "--n", "128", "--k", "64"],
    ["layout", "scales", "128x256", "--mma-kind", "f16"],
    ["layout", "scales", "128x256", "--mma-kind", "mxf4", "--lane", "3"],
    ["mask", "0x0003028100000000"],
    ["scan", "nothing.cubin"],
    ["scan", "--function", "x", str(DUMP)],
    ["scan", "--annotate", str(DUMP), str(DUMP)],
]


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_refusal_names_fields_of_the_page_and_no_option(words: list[str]) -> None:
    said = ask("run", words=words)
    assert OPTION.findall(said["err"]) == []
    assert "smemdesc" not in said["err"]
    assert (said["err"] != "") == (said["status"] == 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [[], CASE, ["--kind", "wgmma"], ["--arch", "sm_107a"], ["--tile", "128x64"], ["--order", "mn"]]
)
def test_what_is_said_of_a_value_names_fields_of_the_page_and_no_option(options: list[str]) -> None:
    values = [SOUND_ONE, "8200490", "0x00400000", "1", "0x40zz", *(words[-1] for words in BROKEN.values())]
    for value in values[:: 4 if options else 1]:
        said = decoded(value, *options)
        said = {name: each for name, each in said.items() if name not in ("json", "command")}
        assert OPTION.findall(json.dumps(said)) == []


def test_an_option_in_a_report_is_one_that_the_page_has() -> None:
    for words in (
        ["decode", "0x08400010"],
        ["scan", str(DUMP)],
        ["mma", "--idesc", "0x08200490"],
        *map(plain_words, [*PICTURES, PLAN]),
    ):
        said = re.sub(r"smemdesc .*", "", ask("run", words=words, plain=True)["out"])
        assert set(OPTION.findall(said)) <= set(_labels())


def plain_words(form: PageForm) -> list[str]:
    """Return the command line of a form as it stands at first, for its report."""
    return [word for word in words(form) if word not in ("--format", "cuda")]


# ----------------------------------------------------------------------------------------------------------- links


def linked(words: list[str], columns: int = 100, **rest: Any) -> dict[str, str]:
    """Return the links of a report: what is clicked, and where it leads."""
    said = ask("run", words=words, columns=columns, **rest)
    text = "".join(ET.fromstring(said["html"]).itertext()).encode("utf-16-le")
    return {text[2 * begin : 2 * end].decode("utf-16-le"): to for begin, end, to in said["links"]}


@pytest.mark.parametrize("columns", [80, 120])
def test_descriptors_of_a_scan_lead_to_decode(columns: int) -> None:
    found = linked(["scan", str(DUMP)], columns)
    assert found["0x400040400001????"] == (
        "#decode?text=0x400040400001%3F%3F%3F%3F&kind=tcgen05&major=K&dtype=bf16&shape=128x16"
    )
    assert found["0x08200490"] == "#decode?text=0x08200490&kind=idesc&mma-kind=f16"
    every = linked(["scan", "--all", str(DUMP)], columns)
    mma, *_ = [to for text, to in every.items() if text.startswith("smemdesc mma")]
    assert mma == (
        "#mma?a=0x4000404000010080&b=0x4000404000010480&idesc=0x08200490&mma-kind=f16%2Ctf32&cta-group=1&ws=--no-ws"
        "&arch=sm_100a"
    )


def test_a_descriptor_of_wgmma_is_read_as_one() -> None:
    found = linked(["scan", str(DUMP.parent / "gemm_sm90.sass")])
    values = [to for text, to in found.items() if text.startswith("0x")]
    assert values
    assert all("kind=wgmma" in to for to in values)


def test_a_link_stands_where_it_stood_behind_characters_of_two_units(tmp_path: Path) -> None:
    (tmp_path / "\U0001f600.sass").write_bytes(DUMP.read_bytes())
    assert "0x08200490" in linked(["scan", "\U0001f600.sass"], folder=str(tmp_path))


@pytest.mark.parametrize("rule", ["version-constant", "kinds-differ"])
def test_a_rule_leads_to_its_explanation(rule: str) -> None:
    found = linked(["mma", "--a", SOUND_ONE, "--b", "0x4000004000010440", "--idesc", "0x08200490", "--mma-kind", "f16"])
    assert found[rule] == f"#explain?names={rule}"
