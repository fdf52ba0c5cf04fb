"""A function of MLIR split into operations, with the regions that contain them.

A name may mean different values in different regions: it is looked up from the region of its use outwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.engine.brackets import closing
from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.languages.mlir.generic import GENERIC, read_generic, respelled

VALUE_NAME = r"%[-\w$.]+(?:#\d+)?"
_NAME = re.compile(VALUE_NAME)
_RESULTS = re.compile(r"[ \t]*+(%[-\w$.]++(?::\d++)?+(?:\s*+,\s*+%[-\w$.]++(?::\d++)?+)*+)\s*+=\s*+(?![=>])")
_OPERATION = re.compile(r"[ \t]*\"?([a-z_]\w*(?:\.[\w]+)+)\"?+(?=[\s(<\"@%{\[#!]|$)(?!\s*+=)")
_PLAIN = re.compile(r"[ \t]*(?:return|module|yield|call|func)\b")
_LABEL = re.compile(r"[ \t]*\^([-\w$.]+)(?:\((.*)\))?\s*:\s*(?://|$)")
_ARGUMENT = re.compile(r"(%[-\w$.]+)\s*:")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)", re.S)
_INTRODUCED = re.compile(r"(%[-\w$.]+)\s*[:=](?![=>])")
_BRACE = re.compile(r"[{}]")
_OPENED = re.compile(
    r"""(?x) "(?:[^"\\]|\\.)*+(?:"|\\?\Z)
    | (?P<open>\{) (?=\s*+ (?:
        %[-\w$.]++ (?::\d++)?+ \s*+ [=,] | "?+[a-z_]\w*+(?:\.\w++)++"?+ (?=[\s(<"@%{\[\#!]) (?!\s*+[=,}]) ))"""
)
"""A region, not attributes: its first operation is on the line that opens it."""
_ATTRIBUTES_END = re.compile(r"[ \t]*\}[ \t]*:")
_MOST_LINES = 50
"""The most lines of one operation with its attributes."""
_LONGEST_HEAD = 100_000
_DEEPEST = 500
"""Nested regions: no real program has more."""


class MlirRegion:
    """A region between a pair of braces: the values defined there, and its blocks."""

    __slots__ = ("blocks", "outer", "owner", "starts", "values", "yields")

    def __init__(self, outer: MlirRegion | None, owner: Operation | None) -> None:
        self.outer = outer
        self.owner = owner
        self.values: dict[str, MlirValue] = {}
        self.blocks: dict[str, list[str]] = {}
        """The arguments of each block."""
        self.starts: list[tuple[int, str]] = []
        """The line at which each named block begins."""
        self.yields: list[list[str]] = []
        """The values that each ``scf.yield`` yields."""

    def find(self, name: str) -> MlirValue | None:
        """Return the value that ``name`` means here."""
        region: MlirRegion | None = self
        while region is not None:
            value = region.values.get(name)
            if value is not None:
                return value
            region = region.outer
        return None


class Operation(NamedTuple):
    """An operation: ``text`` is all after its name, on one line."""

    at: int
    name: str
    text: str
    results: tuple[str, ...]
    region: MlirRegion
    """The region that contains it."""
    inner: list[MlirRegion]
    """The regions that it opens."""
    location: str = ""
    """Its location in the source, as far as the operation has one."""


class MlirValue:
    """A value: the result of an operation, the argument of a block (without a name: of its region), or, if ``block`` is
    None, an unknown one."""

    __slots__ = ("block", "index", "name", "operation", "region")

    def __init__(
        self,
        name: str,
        region: MlirRegion,
        operation: Operation | None = None,
        block: str | None = None,
        index: int = 0,
    ) -> None:
        self.name = name
        self.region = region
        self.operation = operation
        self.block = block
        self.index = index

    def __str__(self) -> str:
        return self.name


class MlirFunction(NamedTuple):
    """A parsed function."""

    operations: list[Operation]
    lines: list[str]
    odd: int
    """The number of lines that are not understood."""
    whole: bool
    """Whether every region is closed: otherwise branches may be missing."""


def parse_function(text: str) -> MlirFunction:
    """Parse a function; text after its end is ignored."""
    lines = text.split("\n")
    reader = _MlirReader()
    for at, statement, location in _statements(lines):
        if not reader.read(at, statement, location):
            break
    return MlirFunction(reader.operations, lines, reader.odd, reader.ended and not reader.odd)


def _statements(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the operations, labels and braces, and their locations in the source.

    Each is on one line, or on several; the later ones do not begin like an operation.
    """
    start = 0
    location = ""
    parts: list[str] = []
    for index, line, line_location in _parts(lines):
        if (
            parts
            and _begins(line)
            and not (
                (_ATTRIBUTES_END.match(line) and _opens(parts))
                or (line.lstrip()[:1] == "^" and parts[-1].rstrip().endswith((",", "[", "({", "( {")))
            )
        ):
            yield start, " ".join(parts), location
            parts = []
        if not parts:
            start, location = index, ""
        parts.append(line)
        location = line_location or location
    if parts:
        yield start, " ".join(parts), location


_CURRENT = "see current operation:"
_MESSAGE = re.compile(r"[^%=]*?\b(?:error|warning|remark|note): ")
_CARET = re.compile(r"\s*+\^[\s~]*+$")


def _operations_of(lines: list[str]) -> list[str]:
    """Return the lines without a verifier's messages around the operations that it prints.

    Its excerpt of the source (with a caret in the next line) is the same operation again.
    """
    if not any(_CURRENT in line for line in lines):
        return lines
    kept = []
    for index, line in enumerate(lines):
        before, mark, after = line.partition(_CURRENT)
        shown = any(map(_CARET.match, lines[index : index + 2]))
        if mark and ("note:" in before or not before.strip()):
            kept.append(after)
        else:
            kept.append("" if shown or _MESSAGE.match(line) else line)
    return kept


def _parts(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield each line's number, its text without comments and locations, split where a region begins, and its
    location."""
    for index, line in enumerate(_operations_of(lines)):
        if not line or line.isspace():
            continue
        line, location = without_locations(line)
        start = 0
        for opened in _OPENED.finditer(line) if "{" in line else ():
            if opened["open"]:
                yield index, line[start : opened.end()], location
                start = opened.end()
        if line[start:].strip():
            yield index, line[start:], location


def _opens(parts: list[str]) -> bool:
    """Whether a brace is still open: attributes span several lines."""
    if len(parts) > _MOST_LINES:
        return False
    bare = _STRING.sub("", " ".join(parts))
    return bare.count("{") > bare.count("}")


_LOCATION = re.compile(r"(?<![\w.$#!%@-])loc\(")


def without_locations(line: str) -> tuple[str, str]:
    """Return a line without its comment and locations, and the text in the brackets of the last location."""
    if "loc(" not in line and "//" not in line:
        return line, ""
    bare = _STRING.sub(lambda match: "_" * len(match[0]), line) if '"' in line else line
    line = line[: len(bare.partition("//")[0])]
    kept, location, at = [], "", 0
    while (match := _LOCATION.search(bare, at, len(line))) is not None:
        end = closing(line, match.end() - 1)
        if end < 0:
            break
        kept.append(line[at : match.start()].rstrip())
        location, at = line[match.end() : end], end + 1
    return "".join((*kept, line[at:])), location


def _begins(line: str) -> bool:
    first = line.lstrip()[:1]
    if first in "}^":
        return True
    if first == "%":
        return _RESULTS.match(line) is not None
    return any(pattern.match(line) is not None for pattern in (_OPERATION, GENERIC, _PLAIN))


class _MlirReader:
    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.odd = 0
        self.ended = False
        self._top = MlirRegion(None, None)
        self._region = self._top
        self._started = False
        self._depth = 0

    def read(self, at: int, text: str, location: str) -> bool:
        """Read one statement; return whether the function continues."""
        label = _LABEL.match(text)
        if label:
            self._label(at, label[1], label[2] or "")
            return True
        operation = None
        if text.lstrip()[:1] != "}":
            operation = self._operation(at, text, location)
            self.odd += operation is None
        return self._braces(text, operation)

    def _label(self, at: int, name: str, arguments: str) -> None:
        region = self._region
        region.starts.append((at, name))
        names = _ARGUMENT.findall(arguments)
        again = name in region.blocks
        region.blocks[name] = names
        for index, argument in enumerate(names):
            region.values[argument] = MlirValue(argument, region, None, None if again else name, index)

    def _operation(self, at: int, text: str, location: str) -> Operation | None:
        results = _RESULTS.match(text)
        rest = text[results.end() :] if results else text
        operation_start = GENERIC.match(rest) or _OPERATION.match(rest)
        generic = read_generic(rest.lstrip()) if operation_start is not None and operation_start.re is GENERIC else None
        if generic is not None:
            name, after = generic.name, respelled(generic)
        elif operation_start is None:
            if _PLAIN.match(rest) is None:
                for name in _names(results[1]) if results else ():
                    self._region.values[name] = MlirValue(name, self._region)
                return None
            name, after = rest.split()[0].partition("(")[0], ""
        else:
            name, after = operation_start[1], rest[operation_start.end() :]
        region = self._region
        named = tuple(_names(results[1])) if results else ()
        operation = Operation(at, name, after.strip(), named, region, [], location)
        for index, result in enumerate(operation.results):
            # No name is defined twice in one region: one that seems to be was not understood.
            twice = result in region.values
            region.values[result] = (
                MlirValue(result, region) if twice else MlirValue(result, region, operation, None, index)
            )
        if name == "scf.yield":
            region.yields.append(named_values(after))
        self.operations.append(operation)
        return operation

    def _braces(self, text: str, operation: Operation | None) -> bool:
        """Open and close the regions of a statement; return whether the function continues."""
        if "{" not in text and "}" not in text:
            return True
        bare = _STRING.sub("", text) if '"' in text else text
        # Attributes are in pairs of braces within one statement; the other braces close or open regions.
        closes = opens = 0
        for brace in _BRACE.findall(bare):
            if brace == "{":
                opens += 1
            elif opens:
                opens -= 1
            else:
                closes += 1
        owner = operation
        for _ in range(closes):
            owner = self._region.owner
            self._depth = max(0, self._depth - 1)
            self._region = self._region.outer or self._top
            if self._started and self._region is self._top and not opens:
                self.ended = True
                return False
        if opens:
            self._depth += opens
            if self._depth > _DEEPEST:
                raise SmemdescError(
                    f"regions are nested more than {_DEEPEST} deep: function not scanned",
                    hint="print it after lowering, without nested regions",
                )
            self._open(opens, owner, _INTRODUCED.findall(bare[:_LONGEST_HEAD]))
        return True

    def _open(self, count: int, owner: Operation | None, introduced: list[str]) -> None:
        self._started = True
        for _ in range(count):
            inner = MlirRegion(self._region, owner)
            if owner is not None:
                owner.inner.append(inner)
            for name in introduced:
                if owner is None or name not in owner.results:
                    inner.values[name] = MlirValue(name, inner, None, "")
            self._region = inner


_TARGET = re.compile(r"\^([-\w$.]+)(?:\(([^:)]*))?")


def target_blocks(text: str) -> list[tuple[str, list[str]]]:
    """Return the blocks that an operation names, with the values that it passes to each."""
    matches = _TARGET.finditer(_STRING.sub("", text))
    return [(match[1], named_values(match[2] or "")) for match in matches]


def named_values(text: str) -> list[str]:
    """Return the values that a text names."""
    return _NAME.findall(text)


_MOST_RESULTS = 64
_MOST_NAMES = 1024
"""An operation that names more results individually is unknown."""


def _names(results: str) -> list[str]:
    names: list[str] = []
    if results.count(",") > _MOST_NAMES:
        return names
    for part in results.split(","):
        name, _, count = part.strip().partition(":")
        if count:
            # An operation with more results is unknown.
            few = len(count) < 3 and count.isascii() and count.isdecimal() and int(count) <= _MOST_RESULTS
            names += [f"{name}#{index}" for index in range(int(count))] if few else []
        else:
            names.append(name)
    return names
