"""Examples of rules: a command line is run by the function of the package that has the command's name."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.fields import Scalar
from smemdesc.kinds import aliases
from smemdesc.reading.field_values import field_value
from smemdesc.reading.text import to_hex
from smemdesc.rules.base import Example, Finding

Functions = Callable[[str], Callable[..., Any]]
"""Returns the function of the package with a name."""


class ExampleRun(NamedTuple):
    """An example that was run: the command, its input text (may be empty), the findings."""

    command: str
    text: str
    findings: tuple[Finding, ...]


class RepairedExample(NamedTuple):
    """The repaired example: what changed, and the command."""

    value: str
    """What to type instead."""
    run: ExampleRun


def run_example(command: str, text: str, functions: Functions) -> ExampleRun:
    """Run a command line; ``text`` is what it reads from a file."""
    findings = _result(command, text, functions).findings
    return ExampleRun(command, text, tuple(getattr(finding, "finding", finding) for finding in findings))


def _result(command: str, text: str, functions: Functions) -> Any:
    """Return what the function of a command returns."""
    values: list[str] = []
    keywords: dict[str, str | bool] = {}
    for word, *value in _parts(shlex.split(command.partition(" < ")[0])[1:]):
        name = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--"):
            values.append(word)
        elif value:
            keywords[name] = value[0]
        else:
            keywords[name.removeprefix("no_")] = not name.startswith("no_")
    name, *values = values
    if name == "mask":
        name, *values = values  # mask conv
    if "tile" in keywords and name == "encode":
        return functions("tile")(keywords.pop("tile"), kind=values[0], **keywords)
    return functions(name)(*([text] if text else values), **keywords)


def _parts(words: Iterable[str]) -> Iterator[list[str]]:
    """Yield each option with its value, and other words alone; ``without`` takes an option."""
    part: list[str] = []
    for word in words:
        takes = bool(part) and (part == ["without"] or (part[0].startswith("--") and not part[0].startswith("--no-")))
        if takes and (part == ["without"] or not word.startswith("--")):
            yield [*part, word]
            part = []
            continue
        if part:
            yield part
        part = [word]
    if part:
        yield part


def repaired_example(
    example: Example, broken: ExampleRun, finding: Finding, functions: Functions
) -> RepairedExample | None:
    """Return the example with its own repair and the repair of the finding; None if it has neither."""
    right, is_text, wrong = example.repair.partition(" for ")
    if is_text:
        return RepairedExample(
            example.repair, run_example(broken.command, broken.text.replace(wrong, right), functions)
        )
    changes = list(_parts(shlex.split(example.repair)))
    fields: dict[str, Scalar] = {}
    root = next((each for each in broken.findings if each.rule == finding.because), finding)
    command = broken.command.split()[1]
    if root.repaired and not changes and command in ("decode", "mma"):
        changes = [[root.repaired] if command == "decode" else [f"--{root.operand}", root.repaired]]
    for word, *value in changes:
        if "=" in word and not value:
            key, _, typed = word.partition("=")
            fields[aliases.field_alias(key)] = typed
    changes = [change for change in changes if "=" not in change[0]]
    if fields:
        reading = _result(broken.command, broken.text, functions).candidates[0]
        changes.append([_with_fields(reading, fields)])
    if not changes:
        return None
    changed = " ".join(" ".join(change) for change in changes)
    return RepairedExample(changed, run_example(_changed(broken.command, changes), broken.text, functions))


def _with_fields(reading: DescriptorReading, fields: Mapping[str, Scalar]) -> str:
    """Return the value with other values of these fields."""
    table = reading.kind.table
    values = {
        key: field_value(table.row(key), value) if isinstance(value, str) else value for key, value in fields.items()
    }
    encoded = build(reading.kind, values, base=(reading.bits, reading.known), force=True)
    return to_hex(encoded.value, encoded.known, table.width)


def _changed(command: str, changes: Iterable[list[str]]) -> str:
    """Return a command with other options, without some of them, or with another value."""
    parts = list(_parts(shlex.split(command)))
    for change in changes:
        word = change[0]
        alike = [part for part in parts if part[0] == (change[-1] if word == "without" else word)]
        if not word.startswith("--") and word != "without":
            alike = [part for part in parts if not part[0].startswith("--")][-1:]
        at = parts.index(alike[0]) if alike else len(parts)
        parts[at : at + 1] = [] if word == "without" else [change]
    return shlex.join(word for part in parts for word in part)
