"""``--help`` of every command: a screen of 80 x 40, examples first, and how the kind of a value is told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import pytest
from run import on_terminal, smemdesc
from tables import every_row

from smemdesc.cli.commands import COMMANDS
from smemdesc.cli.layout import LAYOUT_COMMANDS
from smemdesc.kinds.names import IDENTIFICATION, WHICH_KIND

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from generate import tree  # noqa: E402

NODES = list(tree.walk())


@every_row("node", NODES)
def test_fits_a_screen(node: tree.Node) -> None:
    lines = node.help.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


@every_row("node", NODES)
def test_no_line_breaks_inside_a_word(node: tree.Node) -> None:
    """A list of choices has no blank where it could break, so that click breaks a word of it."""
    wide = click.Context(node.command, parent=node.context.parent, info_name=node.context.info_name, terminal_width=200)
    words = node.command.get_help(wide).split()
    assert set(re.sub(r"(?<=\w)-\n +", "-", node.help).split()) <= set(words)


@every_row("node", NODES)
def test_begins_with_examples(node: tree.Node) -> None:
    usage, what_it_does, examples, *_ = node.help.split("\n\n")
    assert usage.startswith(f"Usage: {node.path} ")
    assert what_it_does.rstrip()[-1] in ".?"
    title, first, *_ = examples.splitlines()
    assert title == "  Examples:"
    assert "smemdesc " in first


@every_row("node", NODES)
def test_every_option_is_named(node: tree.Node) -> None:
    shown = node.help.replace("--[no-]", "--").replace("-0..3", "-0 -1 -2 -3")
    shown = re.sub(r"(--[a-z-]*)\[ab\]([a-z-]*)", r"\1a\2 \1b\2", shown)
    for option in node.command.get_params(node.context):
        if isinstance(option, click.Option):
            for name in option.opts:
                stem = re.sub(r"\d$", "", name)
                assert re.search(rf"(?<![\w-]){name}(?![\w-])", shown) or f"{stem}0 -1 -2 -3" in shown, name


def test_decode_says_how_the_kind_is_told() -> None:
    (decode,) = (node for node in NODES if node.path == "smemdesc decode")
    assert WHICH_KIND in " ".join(decode.help.split())


def test_the_paragraph_and_the_rules_name_the_same_bits() -> None:
    bits = re.compile(r"\d+-\d+|0b\d+|\d+ bits")
    assert set(bits.findall(WHICH_KIND)) == set(bits.findall(" ".join(IDENTIFICATION)))


def test_diff_has_its_own_help() -> None:
    own = smemdesc("diff", "--help")
    assert own == smemdesc("diff", "before.sass", "after.sass", "-h")
    assert own.out.startswith("Usage: smemdesc diff [OPTIONS] A B\n")
    for option in ("--tile-start", "--function", "--cuda-bin"):
        assert option in own.out


def test_the_commands_of_layout_are_in_three_groups() -> None:
    groups = re.findall(r"(?m)^([A-Z][a-z ]+):\n((?:  [a-z]+  .*\n)+)", smemdesc("layout", "--help").out)
    assert [title for title, _ in groups] == ["Where an element is", "What a swizzle mode is", "Which layout it is"]
    assert re.findall(r"(?m)^  (\w+)", "".join(text for _, text in groups)) == [*LAYOUT_COMMANDS]


def test_the_top_help_begins_with_four_commands_and_an_example_of_each() -> None:
    text = smemdesc("--help").out
    examples = [line.split()[1] for line in text.splitlines() if line.startswith("    smemdesc ")]
    first, more = (
        re.findall(r"(?m)^  ([a-z]+)  ", part) for part in text.split("Commands:")[1].split("More commands:")
    )
    assert examples == first == ["decode", "encode", "layout", "mask"]
    assert set(more) >= {*COMMANDS, "diff"} - {*first, "web"}  # an installed package has no page


@pytest.mark.parametrize("words", [[], ["decode"], ["encode", "mask"], ["layout", "atom"], ["mask", "conv"]])
def test_help_is_in_colour_on_a_terminal(words: list[str]) -> None:
    plain = smemdesc(*words, "--help").out
    shown = on_terminal(*words, "--help").out
    assert "\x1b[1mUsage:" in shown
    assert "\x1b[38;5;63m--help\x1b[0m" in shown
    assert click.unstyle(shown) == plain
    assert on_terminal(*words, "--help", NO_COLOR="1").out == plain
    assert smemdesc(*words, "--help", FORCE_COLOR="1").out == shown


def test_the_option_says_more_than_the_variables() -> None:
    assert "\x1b" in smemdesc("decode", "--color", "always", "--help", NO_COLOR="1").out
    assert "\x1b" not in on_terminal("decode", "--color", "never", "--help", FORCE_COLOR="1").out
