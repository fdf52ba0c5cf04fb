"""Every word that a screen prints is explained, as it is printed, or is everyday English.

``everyday.txt`` has the words that need no explanation: a new word belongs there, or in the glossary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from run import GOLDENS
from tables import every_row

from smemdesc import explain
from smemdesc.engine.errors import SmemdescError
from smemdesc.explanations import glossary
from smemdesc.explanations.topics import Topic

EVERYDAY = Path(__file__).with_name("everyday.txt").read_text().split()
WORD = re.compile(r"(?<![\w.:/#$%<>'@=-])[A-Za-z]{2,}(?:-[A-Za-z]{2,})*(?![\w/(<=*])")


def words() -> Iterator[str]:
    """Yield the words of all screens: not those of JSON and of pictures, nor names with digits."""
    for path in sorted(GOLDENS.rglob("*.txt")):
        text = re.sub(r"\x1b\[[0-9;]*m", "", path.read_text())
        if path.name != "commands.txt" and text.lstrip()[:1] not in ("{", "[", "<") and "svg" not in path.name:
            yield from WORD.findall(re.sub(r'.*"\w+": .*', "", text))


def is_explained(word: str) -> bool:
    try:
        return isinstance(explain(word), Topic)
    except SmemdescError:
        return False


@pytest.mark.slow
def test_every_word_of_a_screen_is_explained_or_everyday() -> None:
    printed = {word.lower() for word in words()}
    assert sorted(word for word in printed.difference(EVERYDAY) if not is_explained(word)) == []


@pytest.mark.slow
def test_what_is_explained_is_not_called_everyday() -> None:
    assert [word for word in EVERYDAY if is_explained(word)] == []
    assert sorted(EVERYDAY) == EVERYDAY


@every_row(
    ("printed", "name"),
    [
        ("atoms", "swizzle atom"),
        ("8-row groups", "8-row group"),
        ("8-k groups", "8-k group"),
        ("core matrices", "core matrix"),
        ("boxes", "box"),
        ("lines", "line"),
        ("MMAs", "MMA"),
        ("CTAs", "CTA"),
        ("mbarriers", "mbarrier"),
        ("MN", "MN"),
        ("aligned", "aligned"),
        ("packed", "packed"),
        ("dense", "dense"),
        ("quad", "warp"),
        ("SASS", "SASS"),
        ("TMA", "TMA"),
    ],
)
def test_a_plural_is_its_singular(printed: str, name: str) -> None:
    found = explain(printed)
    assert isinstance(found, Topic)
    assert found.term is not None
    assert found.term.name == name


def test_no_two_terms_explain_each_other() -> None:
    long = {each.name: [name for name in (each.name, *each.also) if len(name) > 3] for each in glossary.TERMS}
    patterns = {
        of: re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})s?(?![\w-])", re.IGNORECASE)
        for of, names in long.items()
        if names
    }
    first = {each.name: each.text.split(". ")[0].split(":")[0] for each in glossary.TERMS}
    circles = {
        tuple(sorted((one, other)))
        for one, text in first.items()
        for other, its in first.items()
        if one != other
        and patterns.keys() >= {one, other}
        and patterns[other].search(text)
        and patterns[one].search(its)
    }
    assert circles == set()
