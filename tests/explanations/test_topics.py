"""What names mean: every finding has an example that makes it and a repair that ends it; every term is a name."""

from __future__ import annotations

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from click.testing import CliRunner
from run import smemdesc
from samples import sampled
from tables import every_row

from smemdesc import explain, rules
from smemdesc.cli import cli
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.explanations import glossary
from smemdesc.explanations.around import AROUND
from smemdesc.explanations.catalog import case_rules, causes, every_kind, example_of, rule_names
from smemdesc.explanations.examples import ExampleRun
from smemdesc.explanations.topics import RuleTopic, Topic, joined_words, longest_name, summaries
from smemdesc.kinds import aliases
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.kinds.types import DTYPE_NAMES
from smemdesc.render.console import lines
from smemdesc.render.topic import topic_view
from smemdesc.rules.base import ERROR, NOTE, WARNING, CaseRule

TRAPS = ("phase_invalid_during_alloc", "unallocated_columns_access")
WHOLE = "tile-and-box"
"""The note on every valid operand whose case is whole."""


ALSO = {
    "lbo-absolute-base-offset": {"base-offset-set"},
    "sbo-zero": {"operand-overlap"},
    "tile-base-offset": {"base-offset-set"},
    "packed-type": {"unmeasured-type"},
    "box-size": {"changed-map"},
    "kinds-differ": {"version-constant", "tile-and-box"},
    "transpose-and-strides": {"lbo-below-atom", "operand-overlap"},
    "tile-and-descriptor": {"operands-share-memory"},
    "tile-and-shape": {"tile-and-descriptor"},
    "map-strides": {"sbo-below-atom", "operand-overlap"},
    "map-start": {"base-offset-set"},
    "no-reading-fits": {"undefined-code", "swizzle-code"},
    "lbo-sbo-swapped": {"lbo-k-major-swizzled"},
    "error-in-every-reading": {"several-readings"},
    "warning-in-every-reading": {"max-shift-without-ws", "several-readings"},
    "digit-count": {"reserved-bits", "lbo-zero", "no-reading-fits", "other-reading"},
    "other-reading": {"reserved-bits", "lbo-zero", "no-reading-fits"},
    "low-word-alone": {"lbo-below-atom", "sbo-zero"},
    "other-arch": {"reserved-bits"},
    "high-word": {"reserved-bits", "version-constant", "low-word-alone", "sbo-zero", "lbo-zero"},
    "no-instruction": {"one-instruction"},
    "padding-not-zeroed": {"mask-off"},
}
"""Other findings that an example inevitably has."""


def topic(name: str) -> Topic:
    found = explain(name)
    assert isinstance(found, Topic)
    return found


def rule_topic(name: str) -> RuleTopic:
    found = topic(name).rule
    assert found is not None
    return found


@pytest.mark.slow
@every_row("name", rule_names())
def test_the_example_triggers_this_rule_and_the_repair_ends_it(name: str) -> None:
    rule = rule_topic(name)
    also = ALSO.get(name, set())
    found = {each.rule: each.because for each in rule.broken.findings}
    assert {each for each, because in found.items() if because not in (name, found[name] or name)} <= {
        *(name, found[name], WHOLE),
        *also,
    }
    if rule.repaired is None:
        assert rule.finding.severity == NOTE
        return
    after = rule.repaired.run.findings
    assert name not in {each.rule for each in after}
    assert {each.rule for each in after if each.severity != NOTE} <= also
    assert rule.repaired.value


def ran(shown: ExampleRun, folder: Path) -> list[tuple[str, str]]:
    """Type what an example says, and return the rules and messages that the program prints."""
    if shown.text:
        for name in ("k.ptx", "k.txt"):
            (folder / name).write_text(shown.text)
    typed = shown.command.removesuffix(" < log")
    arguments = [str(folder / word) if word in ("k.ptx", "k.txt") else word for word in shlex.split(typed)[1:]]
    done = CliRunner().invoke(cli, [*arguments, "--json"], input=shown.text)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    out = []
    for line in lines:
        of = [
            line,
            *(line[each] for each in ("a", "b", "idesc", "mask", "encoded") if isinstance(line.get(each), dict)),
        ]
        of += line.get("expected", [])
        out += [
            (each["rule"], each["message"]) for data in of for each in data.get("findings", data.get("refused", []))
        ]
    return out


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(rule_names()))
def test_what_an_example_says_to_type_is_so(name: str, tmp_path: Path) -> None:
    rule = rule_topic(name)
    if rule.broken.command.startswith("smemdesc encode"):
        done = CliRunner().invoke(cli, shlex.split(rule.broken.command)[1:])
        assert name in done.stderr
        return
    assert (name, rule.finding.message) in ran(rule.broken, tmp_path)


def test_a_terminal_shows_of_a_long_example_what_is_repaired() -> None:
    topic = explain("stage-stride")
    terminal, pipe = lines(topic_view(topic), 80), lines(topic_view(topic))
    assert "    14  shl.b32 %r3, %r2, 15;" in terminal
    assert len(terminal.splitlines()) < 30 < len(pipe.splitlines())
    assert not re.search(r"(?m)^(?! |stage|$)", terminal)
    assert "smemdesc explain stage-stride | cat" in terminal
    assert "..." not in pipe


def test_every_rule_is_in_the_catalog() -> None:
    modules = [import_module(each.name) for each in iter_modules(rules.__path__, "smemdesc.rules.")]
    made = {each.name for module in modules for each in vars(module).values() if isinstance(each, CaseRule)}
    assert made == set(case_rules())


def test_a_rule_says_what_must_hold_and_why() -> None:
    assert all(text.endswith(".") for text in summaries().values())
    assert all(example_of(name).why.endswith(".") for name in rule_names())


def test_every_word_of_the_glossary_is_a_name() -> None:
    assert all(topic(word).term is not None for word in glossary.TERM_WORDS)


def test_a_word_leads_to_one_term() -> None:
    words = [word for term in glossary.TERMS for word in {term.name.lower(), *term.also}]
    assert len(words) == len(set(words))


DOCUMENTS = (
    *("matrix-descriptor-encode", "Matrix start address", "Leading dimension byte offset relative"),
    *("Leading dimension byte address absolute", "byte address absolute", "byte offset relative"),
    *("Leading dimension stride mode", "Stride dimension byte offset", "Matrix base offset", "base offset"),
    *("Fixed constant value of 0b001", "swizzling mode", "No swizzling", "128-Byte with 32B atomic swizzling"),
    *("swizzle-atomicity", "repeating pattern", "128-Byte swizzle", "Interleave", "Interleaved", "leading dimension"),
    *("swizzle layout atom", "Swizzle<3, 4, 3>", "canonical layout", "Major-ness", "K-major", "M-major", "N-major"),
    *("imm-trans-a", "imm-trans-b", "wgmma.mma_async", "warpgroup", "register fragment", "Instruction descriptor"),
    *(".kind::mxf4nvf4", "Sparsity selector", "Sparsity", "dtype", "atype", "btype", "Negate A Matrix"),
    *("Transpose B Matrix", "Matrix A Scale Factor Data ID", "scale factor data id", "Scale Matrix Type", "UE8M0"),
    *("UE4M3", "K Dimension", "Maximum shift while attempting B matrix reuse", ".ws", "zero-column mask descriptor"),
    *("Start Count", "First Span", "Non-Zero Mask", "Skip Span", "Use Span", "Column Shift", "sub-mask", "mask0"),
    *("sc0", "fs3", "Core Matrix", "Swizzle Atom", "linear layout", "TMA block", "Tensor Memory"),
)
"""The terms of PTX's sections on the descriptors, and of a note on Blackwell's layouts."""


@every_row("term", DOCUMENTS)
def test_every_term_of_the_documents_is_explained(term: str) -> None:
    assert topic(term)


DRIVERS_OWN = ("mode", "data_type", "interleave", "fill", "l2_promotion", "swizzle_atomicity", "allocation_class")
"""Fields of a tensor map whose names are the driver's own: the card explains them."""


def test_every_name_in_the_tables_is_explained() -> None:
    rows = [row for kind in every_kind() for row in kind.table.rows]
    codes = [
        code.name
        for row in rows
        if row.key not in DRIVERS_OWN and isinstance(row.codec, Enum)
        for code in row.codec.codes
    ]
    modes = [name for mode in MODES for name in (mode.name, mode.tma)]
    words = [
        *(row.key for row in rows),
        *(each for each in codes if isinstance(each, str)),
        *modes,
        *DTYPE_NAMES,
        *MMA_KINDS,
    ]
    words += [name for term in glossary.TERMS for name in glossary.spellings(term)]
    words += [
        *aliases.MODE_ALIASES,
        *aliases.DTYPE_ALIASES,
        "valid",
        "suspicious",
        "invalid",
        "ambiguous",
        ERROR,
        WARNING,
        NOTE,
    ]
    for word in dict.fromkeys(words):
        assert topic(word)


@every_row(
    ("typed", "term"),
    [
        ("desc[UR4][R2.64]", "memory descriptor"),
        ("gdesc[UR8]", "shared-memory descriptor"),
        ("idesc[UR12]", "instruction descriptor"),
        ("tmem[UR5]", "tensor memory"),
        ("Layout_K_SW128_Atom", "128B"),
        ("half", "f16"),
        (".pack::16b", "pack::16b"),
        ("immHalfSplitoff", "16x32bx2"),
        ("UMMA::LayoutType::SWIZZLE_128B", "128B"),
        ("GMMA::LayoutType::B32", "32B"),
        ("tcgen05.ld.sync.aligned.16x256b.x8.b32", "tcgen05.ld"),
        ("tcgen05.mma.ws", "UTCHMMA"),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "HGMMA"),
        ("UTCOMMA.4X", "UTCHMMA"),
        ("torch.bfloat16", "bf16"),
        ("kind::f16", "MMA kind"),
        (".kind::mxf4", "MMA kind"),
        ("cta_group::2", "cta_group"),
        ("scale_vec::4X", "scale factor"),
        ("layout D", "data path layout"),
    ],
)
def test_what_code_says_is_explained(typed: str, term: str) -> None:
    found = topic(typed).term
    assert found is not None
    assert found.name == term


def test_every_field_and_alias_is_a_name() -> None:
    for key in (*(row.key for kind in every_kind() for row in kind.table.rows), *aliases.FIELD_ALIASES):
        found = topic(key).field
        assert found is not None
        assert found.key == aliases.field_alias(key)


@pytest.mark.slow
@pytest.mark.parametrize("name", causes())
def test_a_cause_is_shown_by_its_command(name: str) -> None:
    cause = topic(name).cause
    assert cause is not None
    assert set(cause.rules) <= set(rule_names())
    out = smemdesc(*shlex.split(cause.run)[1:]).out
    # Of a number that is in no descriptor, the command prints the right one.
    assert any(f" {rule}: " in out for rule in cause.rules) if cause.rules else out.strip().isdecimal()


@every_row(
    ("name", "parts"),
    [
        ("sbo-below-atom", {"rule"}),
        ("lbo_sbo_swapped", {"rule", "cause"}),
        ("scale-id", {"rule", "cause"}),
        ("SBO_BELOW_ATOM", {"rule"}),
        ("column-shift", {"rule", "term", "field"}),
        ("Swizzle Atom", {"term"}),
        ("lbo", {"term", "field"}),
        ("CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B", {"term"}),
    ],
)
def test_a_name_may_stand_for_several_things(name: str, parts: set[str]) -> None:
    found = topic(name)
    assert {each for each in ("rule", "cause", "term", "field") if getattr(found, each) is not None} == parts


@pytest.mark.slow
@every_row(
    ("question", "found"),
    [
        ("scale factors layout", "scale factors"),
        ("what is the swizzle atom?", "swizzle atom"),
        ("how do I compute the base offset", "base offset"),
        ("why is 128B swizzle code 2", "128B swizzle"),
        ("my kernel hangs, at the barrier", "kernel hangs"),
        ("what is sbo", "sbo"),
        ("sbo nonsense", None),
        ("nothing that is known", None),
        ("sbo", None),
    ],
)
def test_the_longest_name_within_a_question_is_found(question: str, found: str | None) -> None:
    assert longest_name(question) == found
    if found is not None:
        assert explain(question) == explain(found)
        assert joined_words(question.split())[0] == found


@every_row(
    "name",
    [
        *("expect_tx", "mbarrier", "multicast", "warpx4", "tcgen05.alloc", "tcgen05.commit", "commit", "stmatrix"),
        *("globalDim", "globalStrides", "boxDim", "elementStrides", "oobFill", "tensorRank", "cuTensorMapEncodeTiled"),
        *("UTMALDG", "R2UR", "make_smem_desc", "bit 85", "128B swizzle", "tmem epilogue"),
        *("illegal instruction", "misaligned address", "hang", "CUDA_EXCEPTION_27", "CUDA_ERROR_INVALID_VALUE"),
        *("wrong every other column", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"),
    ],
)
def test_what_people_ask_first_is_a_name(name: str) -> None:
    assert str(explain(name))


@every_row("text", [text for name, text, _ in AROUND if "symptom" in text])
def test_a_symptom_names_commands_that_exist(text: str) -> None:
    commands = re.findall(r"smemdesc ([a-z]+(?: (?:guess|tensormap))?)", text)
    assert commands
    for command in set(commands) - {"next", "map"}:  # of the debugger
        assert smemdesc(*command.split(), "--help").status == 0, command


def test_words_are_one_name_or_several() -> None:
    assert joined_words(["swizzle", "atom"]) == ["swizzle atom"]
    assert joined_words(["lbo", "sbo"]) == ["lbo", "sbo"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("sbo-to-small", "sbo-below-atom"),
        ("swizle", "swizzle"),
        ("lbo-swapped", "lbo-sbo-swapped"),
        ("lob", "lbo"),
        ("zzzz", "smemdesc explain lists"),
    ],
)
def test_an_unknown_name_offers_near_ones(name: str, near: str) -> None:
    with pytest.raises(SmemdescError, match="is not a rule, a cause, a term or a field") as caught:
        topic(name)
    assert near in caught.value.hint


@pytest.mark.parametrize(
    "name",
    [
        *("mov.b64", ".b32", "ld.shared.b128", "R2.64", "LDS.128", "foo::16b", "x::y::0", "block::16", "sm_100.0"),
        *("3.0", "K_16", "mn_32", "st.async.shared::cluster.b32", "kind::bf16", "kind::sbo"),
    ],
)
def test_the_last_part_of_a_name_alone_is_not_what_is_explained(name: str) -> None:
    with pytest.raises(SmemdescError, match="is not a rule, a cause, a term or a field"):
        topic(name)


@pytest.mark.parametrize("typed", ["error[shape]", "warning: shape", "note shape", "shape:", ".shape"])
def test_a_finding_is_explained_by_its_rule(typed: str) -> None:
    assert topic(typed).rule is not None


def test_every_trap_of_a_report_is_explained() -> None:
    report = "".join(f"=========     at $__internal_1_$__guardrail_trap_{name}+0x10\n=========\n" for name in TRAPS)
    result = CliRunner().invoke(cli, ["explain", "--json", "-"], input=report)
    assert [json.loads(line)["name"] for line in result.stdout.splitlines()] == list(TRAPS)


def test_an_unknown_name_costs_no_other() -> None:
    result = CliRunner().invoke(cli, ["explain", "--json", "foo", "guardrail_trap_new_check", TRAPS[0]])
    assert [json.loads(line)["name"] for line in result.stdout.splitlines()] == [TRAPS[0]]
    assert (result.exit_code, result.stderr.count("error: ")) == (2, 2)
