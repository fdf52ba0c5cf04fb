"""The page of the commands: what each prints for ``--help``."""

from __future__ import annotations

from generate.markdown import GENERATED, anchor
from generate.tree import Node, walk

INTRODUCTION = """\
# Commands

The `--help` of every command. Data go to standard output, everything else to standard error. Exit status: 0
done; 1 `--check` found an error; 2 usage, or something that could not be read. [rules.md](rules.md) explains
each finding, [kinds.md](kinds.md) the fields of each kind.
"""


def page() -> str:
    """Return the page."""
    nodes = list(walk())
    index = "".join(f"{'  ' * node.path.count(' ')}- [{node.path}]({anchor(node.path)})\n" for node in nodes)
    return "\n".join([GENERATED, INTRODUCTION, index, *map(_section, nodes)])


def _section(node: Node) -> str:
    return f"## {node.path}\n\n```text\n$ {node.path} --help\n{node.help}```\n"
