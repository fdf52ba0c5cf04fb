"""The pages under docs/ that are made from the program, and the facts of those that are written by hand.

``UPDATE_GOLDEN=1 pytest`` (or ``python docs/make.py``) writes the generated ones anew; read the difference.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import click
import pytest
from corpus.dumps import dumps
from rules import test_every_rule, test_tensor_map
from run import smemdesc
from scanning import test_corpus
from silicon import record
from silicon.known_bits import frames, kernels, rolled, steps, ways
from silicon.known_bits import record as known_bits
from tables import every_row

import smemdesc as package
from smemdesc.explanations import catalog
from smemdesc.kinds.kind import Kind

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

from generate import pages, rules, tree  # noqa: E402
from generate.markdown import anchor  # noqa: E402

PAGES = pages()
BY_HAND = ("evidence.md", "errata.md")
LINK = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")
REFERENCE = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
DASHED = re.compile(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`")
NODES = list(tree.walk())
TRIGGERED = [
    (kind, severity, rule) for kind, *_, severity, rule in (*test_every_rule.TRIGGERS, *test_tensor_map.TRIGGERS)
]


@cache
def text(name: str) -> str:
    return (DOCS / name).read_text()


# ---- made from the program ----


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    path = DOCS / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGES[name]())
    assert path.read_text() == PAGES[name]()


def test_no_page_shows_how_python_writes_a_tuple() -> None:
    assert [name for name, page in PAGES.items() if re.search(r"\('\w+',\)", page())] == []


def test_no_page_is_left_over() -> None:
    made = {
        str(path.relative_to(DOCS))
        for folder in ("reference", "man", "completions")
        for path in (DOCS / folder).iterdir()
    }
    assert made == {name for name in PAGES if "/" in name}


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.path)
def test_help_is_what_the_program_prints(node: tree.Node) -> None:
    ran = smemdesc(*node.path.split(" ")[1:], "--help")
    assert (ran.err, ran.status) == ("", 0)
    assert f"$ {node.path} --help\n{ran.out}```" in text("reference/commands.md")


def test_every_field_and_code_is_on_the_page() -> None:
    page = text("reference/kinds.md")
    for kind in catalog.every_kind():
        section = page.split(f"\n## {kind.table.name}\n")[1].split("\n## ")[0]
        for row in kind.table.rows:
            place = str(row.lo) if row.hi == row.lo else f"{row.hi}-{row.lo}"
            assert f"| {place} | `{row.key}` |" in section
            for code in getattr(row.codec, "codes", ()):
                assert f"| `{row.key}` | {code.raw} | `{code.name}`" in section


def test_rules_alone_make_findings_and_all_are_on_the_page() -> None:
    root = Path(package.__file__).parent
    makers = {path.name for path in root.rglob("*.py") if re.search(r"(?<!class )\bFinding\(", path.read_text())}
    assert makers == {"base.py"}
    assert set(headings("reference/rules.md")) >= {anchor(name) for name in catalog.rule_names()}


@pytest.mark.parametrize("kind", catalog.every_kind(), ids=lambda kind: kind.table.name)
def test_no_rule_is_graver_or_milder_than_its_page_says(kind: Kind) -> None:
    can_give = {
        name: {severity for entry in group if kind.id in entry.kinds for severity in entry.severities}
        for name, group in rules.entries().items()
    }
    given = {(severity, rule) for of, severity, rule in TRIGGERED if of == kind.id}
    assert given
    assert [(severity, rule) for severity, rule in given if severity not in can_give[rule]] == []


# ---- the manual page ----


def test_manual_has_every_command_and_option() -> None:
    manual = text("man/smemdesc.1").replace("\\-", "-")
    for node in NODES[1:]:
        section = manual.split(f".SS {node.path}\n")[1].split("\n.S")[0]
        options = [each for each in node.command.get_params(node.context) if isinstance(each, click.Option)]
        assert options
        for option in options:
            names, _ = option.get_help_record(node.context) or ("", "")
            assert f".B {names}\n" in section


@pytest.mark.parametrize(
    "command",
    [["mandoc", "-Tlint", "-W", "error"], ["groff", "-man", "-ww", "-Tutf8", "-z"]],
    ids=lambda command: command[0],
)
def test_manual_is_sound(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not here")
    done = subprocess.run([*command, DOCS / "man" / "smemdesc.1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# ---- written by hand ----


@cache
def headings(name: str) -> tuple[str, ...]:
    """The anchors of a page."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text(name))
    return tuple(anchor(heading) for heading in re.findall(r"(?m)^#+ (.+)$", prose))


@every_row("name", ["README.md", *BY_HAND, *(name for name in PAGES if name.endswith(".md"))])
def test_links_to_headings(name: str) -> None:
    assert len(headings(name)) == len(set(headings(name)))
    for page, heading in LINK.findall(text(name)):
        assert f"#{heading}" in headings(page or name), heading


def test_every_page_is_in_the_index() -> None:
    linked = re.findall(r"\]\(([^)\s#]+)\)", text("README.md"))
    pages_there = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")} | set(PAGES)
    assert pages_there - {"README.md"} <= set(linked)


@pytest.mark.parametrize("name", BY_HAND)
def test_every_test_that_is_named_exists(name: str) -> None:
    found = REFERENCE.findall(text(name))
    assert len(found) > 5
    for path, function in found:
        assert f"def {function}(" in (ROOT / path).read_text() if function else (ROOT / path).exists(), (path, function)


@pytest.mark.parametrize("name", BY_HAND)
def test_every_rule_that_is_named_exists(name: str) -> None:
    known = {heading.removeprefix("#") for heading in headings("reference/rules.md")}
    known |= {group.cls for group, _ in record.read().groups}
    assert [each for each in DASHED.findall(text(name)) if each not in known] == []


def test_errata_are_numbered_and_each_is_in_the_list() -> None:
    listed = re.findall(r"(?m)^\| \[E(\d+)\]\(#e(\d+)-", text("errata.md"))
    described = re.findall(r"(?m)^##+ E(\d+) ", text("errata.md"))
    assert [int(number) for number, _ in listed] == list(range(1, len(listed) + 1))
    assert all(number == link for number, link in listed)
    assert sorted(map(int, described)) == list(range(1, len(listed) + 1))


def test_numbers_of_the_measurement() -> None:
    page = text("evidence.md")
    cases: Counter[str] = Counter()
    elements = 0
    for group, answers in record.read().groups:
        cases[group.cls] += len(answers)
        elements += group.size * sum("fault" not in answer for answer in answers)
    assert f"{elements:,} elements of {cases.total():,} cases" in page
    rows = re.findall(r"(?m)^\| .+ \| `([\w-]+)` \| ([\d,]+) \| `(\w+)` \|$", page)
    assert len(rows) == 6
    tests = (ROOT / "tests" / "silicon" / "test_record.py").read_text()
    for cls, number, test in rows:
        assert number == f"{cases[cls]:,}"
        assert f"def {test}(" in tests


def test_numbers_of_the_random_kernels() -> None:
    page = " ".join(text("evidence.md").split())
    header = known_bits.read().header
    assert f"{kernels.KERNELS} random kernels" in page
    for more in (ways, steps, rolled, frames):
        assert f"{more.KERNELS} more" in page
    assert f"on {header['threads']:,} threads ({header['date']})" in page


def test_numbers_of_the_corpus() -> None:
    entries = [
        entry for family in test_corpus.FAMILIES for *_, entry in dumps(family) if entry["form"] in test_corpus.FORMS
    ]
    instructions = sum(
        count.get(key, 0) for entry in entries for count in entry["functions"].values() for key in ("mmas", "copies")
    )
    page = " ".join(text("evidence.md").split())
    assert f"{len(entries)} dumps" in page
    assert f"with {instructions:,} MMAs and copies" in page
    assert f"at least {100 * test_corpus.ENOUGH:.0f} of 100" in page


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ("wgmma_gemm", ["40 cases, 0 wrong", "3.4e-04", "2.4e-07", "4.1e-07"]),
        ("tcgen05_gemm", ["540 descriptors compared, 0 wrong"]),
    ],
)
def test_numbers_of_the_examples(example: str, said: list[str]) -> None:
    shown = (ROOT / "examples" / example / "README.md").read_text()
    for each in said:
        assert each in shown
        assert each in text("evidence.md")
