"""The parts of an instruction of LLVM IR: types, operands, calls; and what a module declares outside its functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.brackets import closing, split
from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN, Value, const
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.languages.lowering import CASTS, OPERATIONS, POINTER, lanes_of, offset, operation, width_of

_NUMBER = re.compile(r"-?\d{1,40}$")
_HEX = re.compile(r"[us]0x([0-9A-Fa-f]{1,40})$")
_TYPE = re.compile(r"ptr(?: addrspace\(\d+\))?|[%@]?(?:[-\w.$]+|\"[^\"]*\")")
_EXPRESSION = re.compile(
    r"([a-z]+)((?: (?:nuw|nsw|inbounds|nusw|exact|disjoint|nneg|inrange\([^)]*\)))*) ?\((.*)\)$", re.S
)
_ATTRIBUTE = re.compile(r"[a-z]\w*(?:\([^()]*\))?$")
_DEEPEST = 16
_MOST_ATTRIBUTES = 32


def type_and_value(text: str) -> tuple[str, str]:
    """Split ``i32 noundef %3`` into the type and the value; both empty if it is neither."""
    text = text.strip()
    if text[:1] and text[0] in "{<[":
        end = closing(text, 0)
        if end < 0:
            return "", ""
        kind, rest = text[: end + 1], text[end + 1 :]
    else:
        match = _TYPE.match(text)
        if not match:
            return "", ""
        kind, rest = match[0], text[match.end() :]
    rest = rest.lstrip("*").strip()
    # Attributes of an argument precede its value: noundef, align 16, range(i32 0, 8).
    for _ in range(_MOST_ATTRIBUTES):
        if " " not in rest:
            break
        head, _, tail = rest.partition(" ")
        if head == "align" or (head.startswith("align(") and head.endswith(")")):
            rest = tail.strip().partition(" ")[2] if head == "align" else tail.strip()
        elif _ATTRIBUTE.match(head) and head not in _CONSTANT_OPERATIONS:
            rest = tail.strip()
        elif head.startswith("range("):
            rest = rest.partition(")")[2].strip()
        else:
            break
    return kind, rest


_CONSTANT_OPERATIONS = frozenset((*OPERATIONS, "getelementptr", "addrspacecast", "splat", "asm"))
"""Words that are not attributes."""


def constant_bits(kind: str, text: str, aligned: Mapping[str, int], depth: int = 0) -> Value:
    """Return the known bits of a constant (a number, a vector, a variable's address, an expression of these)."""
    width = width_of(kind)
    if width is None or depth > _DEEPEST:
        return UNKNOWN
    if _NUMBER.match(text):
        return const(int(text), width)
    digits = _HEX.match(text)
    if digits:
        return const(int(digits[1], 16), width)
    if text in ("true", "false"):
        return const(int(text == "true"), width)
    if text in ("zeroinitializer", "null"):
        return const(0, width)
    if text.startswith("@"):
        return _aligned(aligned.get(text, 1))
    if text.startswith("<") and text.endswith(">") and (lanes := lanes_of(kind)):
        parts = [constant_bits(*type_and_value(part), aligned, depth + 1) for part in split(text[1:-1])]
        return ir.CONCAT(*parts, lanes[1])() if len(parts) == lanes[0] else UNKNOWN
    expression = _EXPRESSION.match(text)
    return _expression(kind, expression[1], expression[3], aligned, depth + 1) if expression else UNKNOWN


def _aligned(alignment: int) -> Value:
    """Return an address with a known alignment, a power of two, and no other known bits."""
    return (0, alignment - 1 & ones(POINTER)) if alignment > 0 and alignment & alignment - 1 == 0 else UNKNOWN


def _expression(kind: str, name: str, inside: str, aligned: Mapping[str, int], depth: int) -> Value:
    if name == "splat" and (lanes := lanes_of(kind)):
        return ir.CONCAT(*[constant_bits(*type_and_value(inside), aligned, depth)] * lanes[0], lanes[1])()
    parts = split(inside)
    if name == "getelementptr" and len(parts) > 2:
        indices = [(*operand, constant_bits(*operand, aligned, depth)) for operand in map(type_and_value, parts[2:])]
        far = offset(0, constant_bits(*type_and_value(parts[1]), aligned, depth), parts[0], indices)
        return (far and far.result(far.reads)) or UNKNOWN
    operands = [type_and_value(part) for part in ([inside.rpartition(" to ")[0]] if name in CASTS else parts)]
    node = operation(name, operands[0][0], len(operands), kind) if operands else None
    return node(*(constant_bits(*operand, aligned, depth) for operand in operands)) if node else UNKNOWN


_ASM = re.compile(r"\basm (?:[a-z]++ ){0,8}\"([^\"]*)\", ?\"([^\"]*)\" ?\(")
_CALLED = re.compile(r"@([-\w.$]+|\"[^\"]*\")\(")
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|\\)")
_RANGE = re.compile(r"\brange\(i(\d{1,3}) 0, (\d{1,20})\)")


class LlvmCall(NamedTuple):
    """A call: the function's name, or the string of inline assembly and its constraints."""

    name: str
    asm: str
    constraints: str
    arguments: tuple[tuple[str, str], ...]
    """The type and value of each."""
    limit: int | None
    """The exclusive upper bound of the result, from a ``range`` attribute."""


@lru_cache(512)
def call(text: str) -> LlvmCall | None:
    """Parse the text after ``call``; None if it has another form, or is cut off. Each call of a function is asked for
    several times."""
    inline = _ASM.search(text)
    named = _CALLED.search(text) if inline is None else None
    which = inline or named
    if which is None:
        return None
    opening = which.end() - 1
    end = closing(text, opening)
    if end < 0:
        return None
    arguments = tuple(type_and_value(part) for part in split(text[opening + 1 : end]))
    limits = _RANGE.search(text, 0, which.start())
    limit = int(limits[2]) if limits else None
    if inline:
        return LlvmCall("", _ESCAPE.sub(_unescaped, inline[1]), inline[2], arguments, limit)
    assert named is not None
    return LlvmCall(named[1].strip('"'), "", "", arguments, limit)


def _unescaped(match: re.Match[str]) -> str:
    return "\\" if match[1] == "\\" else chr(int(match[1], 16))


# ---- outside functions ----

_GLOBAL = re.compile(rb"(?m)^@([-\w.$]+|\"[^\"\n]*\") = [^\n@]{0,200}?addrspace\(3\)[^\n]{0,400}?, align (\d+)")
_NAMED_TYPE = re.compile(rb"(?m)^(%(?:[-\w.$]+|\"[^\"\n]*\")) = type (<?\{[^\n;]{0,2000}\}>?)[ \t\r]*$")
_USED = re.compile(rb"!dbg !(\d{1,9})")
_MMAS = re.compile(rb"(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))[^\n]*+")
_METADATA = re.compile(
    rb"(?m)^!(\d+) = (?:distinct )?!(DILocation|DISubprogram|DILexicalBlock|DILexicalBlockFile|DIFile)\(([^\n]{0,2000})"
)
_LINE = re.compile(rb"\bline: (\d+)")
_SCOPE = re.compile(rb"\bscope: !(\d+)")
_FILE = re.compile(rb"\bfile: !(\d+)")
_FILENAME = re.compile(rb"\bfilename: \"([^\"]*)\"")
_NESTED = 50
"""A longer chain of scopes is circular."""


class LlvmModule(NamedTuple):
    """What a module declares for all its functions."""

    aligned: dict[str, int]
    """The alignment in bytes of the variables in shared memory."""
    places: dict[int, tuple[str, int]]
    """File and line by the number of the metadata node."""
    types: dict[str, str]
    """The named types; empty if several modules define one differently."""


EMPTY_MODULE = LlvmModule({}, {}, {})


def read_module(text: bytes) -> LlvmModule:
    """Read a module, or the beginning of one."""
    aligned = {
        "@" + match[1].decode("utf-8", "replace"): int(match[2])
        for match in _GLOBAL.finditer(text)
        if len(match[2]) < 10
    }
    types: dict[str, str] = {}
    for match in _NAMED_TYPE.finditer(text):
        name, kind = (match[place].decode("utf-8", "replace") for place in (1, 2))
        types[name] = kind if types.get(name, kind) == kind else ""
    return LlvmModule(aligned, _places(text) if b"!DILocation(" in text else {}, types)


def _places(text: bytes) -> dict[int, tuple[str, int]]:
    # Only the locations that lines with MMAs name.
    numbers = {int(used[-1]) for match in _MMAS.finditer(text) if (used := _USED.findall(match[0]))}
    if not numbers:
        return {}
    rows = {int(match[1]): (match[2], match[3]) for match in _METADATA.finditer(text)}
    places = {}
    for number in numbers:
        kind, body = rows.get(number, (b"", b""))
        line = _LINE.search(body)
        file = _file(rows, body) if kind == b"DILocation" else None
        if line and file is not None and len(line[1]) < 10:
            places[number] = (file, int(line[1]))
    return places


def _file(rows: dict[int, tuple[bytes, bytes]], body: bytes) -> str | None:
    """Follow the scopes of a location to the first that names a file."""
    for _ in range(_NESTED):
        named = _FILE.search(body)
        if named:
            kind, file = rows.get(int(named[1]), (b"", b""))
            filename = _FILENAME.search(file) if kind == b"DIFile" else None
            return filename[1].decode("utf-8", "replace") if filename else None
        scope = _SCOPE.search(body)
        if not scope:
            return None
        body = rows.get(int(scope[1]), (b"", b""))[1]
    return None
