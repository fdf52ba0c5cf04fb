"""The syntax of PTX: statements, scopes of names, operands, numbers, the declarations of a module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from smemdesc.scanning.languages.ptx.constants import evaluate_ptx
from smemdesc.scanning.model.causes import NEVER_RETURN

_QUALIFIER = r"(?:\.|::(?:\d++:(?=\d))?+)\w++"
"""A part of a name after its first word: ``.b32``, ``::cta``, ``::2:4``."""
_NEXT = rf"""(?: (?:@!?[\w$%.]+\s+)? [a-z]\w*(?:{_QUALIFIER})+ [\s;]  |  (?:bra|ret|exit|trap|call)\b  |  @
              |  \.[a-z]\w*\s  |  (?!\d)[\w$%.]+\s*:(?!:) )"""
"""The beginning of another statement. Operands that continue on the next line never look like it, so that a statement
without its semicolon does not absorb the next."""
_REST = rf"(?: [^;{{}}\n]++ | \{{[^{{}};]*+\}} | \n\s*+(?!{_NEXT}) )*+"

_TABLE = rf"[^;{{}}=\n]*+ = (?: [^;\n}}]++ | \}}(?=\s*+[;,}}]) | \n\s*+(?!{_NEXT}) )*+ ;"
"""The rest of a declaration with initial values, which may be nested braces."""
LINKAGE = r"(?:\.(?:visible|extern|weak|common)\s++){0,8}+"
"""What may precede ``.entry`` and ``.func``."""
_DECLARES = r"(?:reg|shared|local|branchtargets)\b"

STATEMENT = re.compile(
    rf"""(?xa) \s*+ (?:
      (?: @\s*+(!?\s*+[\w$%.]++)\s*+ )?+ ([A-Za-z_]\w*+(?:{_QUALIFIER})*+) (?!\s*+:(?!:)) (?![\w$%:]) ({_REST}) ;?+
    | ([\w$%.]+)\s*+:(?!:)
    | ([{{}};])
    | ( {LINKAGE} \.(?:entry|func)\b [^;{{}}]*+ ;?)
    | ( \.(?:loc|file|version|target|address_size|section)\b [^\n;]*+ )
    | ( \.{_DECLARES} (?: [^;{{}}=.]++ | \.(?!{_DECLARES}) )*+ ; | \.[a-z]\w*+ (?: {_TABLE} | {_REST} ;? ))
    | ( [^\s;{{}}] [^;{{}}\n]*+ ;?)
    | \Z
    )"""
)
"""One statement. Groups: 1 guard, 2 mnemonic and 3 operands of an instruction, or 4 a label, 5 a brace or semicolon, 6
the header of a function, 7 a directive of one line, 8 another directive, 9 anything else; none at the end of the
text."""

_COMMENT = re.compile(r"\"(?:[^\"\\\n]++|\\.)*+|//[^\n]*|/\*(?:.*?\*/|.*)", re.S)


_REMARK = re.compile(r"(?<=;)[ \t]++(?![\w$%.@{}\"])[^\n;\"]++$", re.M)
"""What somebody wrote after an instruction, ``<-- slow``: it cannot be the next one."""


def without_ptx_comments(text: bytes) -> str:
    """Return the text without comments, remarks and carriage returns; every line keeps its number."""
    if b"\r" in text:
        text = text.replace(b"\r", b"")
    decoded = text.decode("utf-8", "replace")
    if "//" in decoded or "/*" in decoded:
        decoded = _COMMENT.sub(_blank, decoded)
    return _REMARK.sub("", decoded).rstrip()


def _blank(match: re.Match[str]) -> str:
    text = match[0]
    return text if text[0] == '"' else "\n" * text.count("\n") or " "


_OPERAND = re.compile(r"(?:[^,{}\[\]()]++|\{[^{}]*+\}|\[[^\[\]]*+\]|\([^()]*+\)|[{}\[\]()])++")


_BLANKS = re.compile(r"\s*+")


def after_blanks(text: str, start: int) -> int:
    """Return the offset of the first character from ``start`` on that is not a blank."""
    blanks = _BLANKS.match(text, start)
    return blanks.end() if blanks else start


@lru_cache(maxsize=4_000)
def split_operands(text: str) -> tuple[str, ...]:
    """Split at the commas outside brackets."""
    return tuple(operand.strip() for operand in _OPERAND.findall(text))


def vector_elements(text: str) -> tuple[str, ...]:
    """Return the elements in the braces of a vector, or the operand itself."""
    if text[:1] == "{":
        return tuple(element.strip() for element in text.strip("{}").split(","))
    return (text,)


PTX_NAME = re.compile(r"[%A-Za-z_$][\w$]*", re.A)
_FLOAT = re.compile(r"0(?:[fF]([0-9a-fA-F]{8})|[dD]([0-9a-fA-F]{16}))$")


def number(text: str) -> int | None:
    """Read an immediate: a constant expression, or the bits of a float."""
    match = _FLOAT.match(text)
    return int(match[1] or match[2], 16) if match else evaluate_ptx(text)


class Scope:
    """The names declared between two braces. Registers of inner scopes get names that no text can contain.

    Names are looked up after the whole function has been read.
    """

    __slots__ = ("_meant", "_targets", "id", "labels", "names", "parent", "ranges", "shared", "tables")

    def __init__(self, parent: Scope | None = None, number: int = 0) -> None:
        self.parent = parent
        self.id = number
        self.names: set[str] = set()
        self.ranges: dict[str, int] = {}
        """``%r`` and 100 of ``%r<100>``."""
        self.shared: dict[str, int] = {}
        """Shared variables and their alignment in bytes."""
        self.labels: dict[str, int] = {}
        """Labels, with the number of the statement that follows each."""
        self.tables: dict[str, tuple[str, ...]] = {}
        """The labels of each ``.branchtargets``."""
        self._meant: dict[str, str] = {}
        self._targets: dict[str, list[int] | None] = {}

    def _visible(self) -> Iterator[Scope]:
        """Yield the scopes whose names are visible here, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def _has(self, name: str) -> bool:
        """Whether a ``.reg`` of this scope declares ``name``."""
        if name in self.names or not self.ranges:
            return name in self.names
        stem = name.rstrip("0123456789")
        count = self.ranges.get(stem)
        digits = name[len(stem) :]
        return count is not None and 0 < len(digits) <= 9 and int(digits) < count

    def register(self, name: str) -> str:
        """Return the register that ``name`` means here."""
        meant = self._meant.get(name)
        if meant is None:
            scope = next((scope for scope in self._visible() if scope.parent is None or scope._has(name)), self)
            meant = self._meant[name] = name if scope.parent is None else f"{name} {scope.id}"
        return meant

    def declared(self, name: str) -> bool:
        """Whether a visible ``.reg`` declares ``name``."""
        return any(scope._has(name) for scope in self._visible())

    def alignment(self, name: str) -> int | None:
        """Return the alignment of a shared variable in bytes; None if ``name`` is not one."""
        scope = next((scope for scope in self._visible() if scope._has(name) or name in scope.shared), self)
        return None if scope._has(name) else scope.shared.get(name)

    def label(self, name: str) -> int | None:
        """Return the number of the statement after a label; None if there is no such label."""
        return next((scope.labels[name] for scope in self._visible() if name in scope.labels), None)

    def targets(self, table: str) -> list[int] | None:
        """Return the numbers of the statements to which a ``.branchtargets`` leads, the same list for each branch; None
        if the table or one of its labels is missing."""
        scope = next((scope for scope in self._visible() if table in scope.tables), None)
        if scope is None:
            return None
        if table not in scope._targets:
            targets = [scope.label(label) for label in scope.tables[table]]
            scope._targets[table] = [target for target in targets if target is not None]
            if not targets or None in targets:
                scope._targets[table] = None
        return scope._targets[table]

    def declare(self, text: str) -> None:
        """Add the registers of a ``.reg`` directive."""
        for declared in re.sub(r"(?<!\s)\s++<", "<", text.strip(" \t\n;")).split(","):
            last = declared.split()[-1:]
            if not last:
                continue
            stem, opened, count = last[0].partition("<")
            if opened:
                number_of = number(count.strip("<> "))
                if number_of is not None:
                    self.ranges[stem] = number_of
            elif PTX_NAME.fullmatch(stem):
                self.names.add(stem)


_VARIABLES = re.compile(
    r"""(?xa) \.(?:shared|local) (?: \s*+ \.[a-z]\w*+ (?: \s++ (?:\d\w*+|WARP_SZ\b) )?+ )++ \s*+
    [%\w$]++ \s*+ (?: \[ [\w\s]*+ \] \s*+ )*+ (?: , \s*+ [%\w$]++ \s*+ (?: \[ [\w\s]*+ \] \s*+ )*+ )*+ ;?"""
)
_REGISTERS = re.compile(
    r"""(?xa) \.reg (?: \s*+ \.[a-z]\w*+ )++ \s++
    [%\w$.]++ \s*+ (?: < \s*+ \w++ \s*+ > \s*+ )?+ (?: , \s*+ [%\w$.]++ \s*+ (?: < \s*+ \w++ \s*+ > \s*+ )?+ )*+ ;?"""
)
_TARGETS = re.compile(r"(?a)\.branchtargets\s++[\w$%.]++\s*+(?:,\s*+[\w$%.]++\s*+)*+;?")
_WHOLE = {
    ".reg": _REGISTERS.fullmatch,
    ".shared": _VARIABLES.fullmatch,
    ".local": _VARIABLES.fullmatch,
    ".branchtargets": _TARGETS.fullmatch,
}


def is_declaration(text: str) -> bool:
    """Whether a declaration is complete and contains nothing else (its semicolon may be missing)."""
    fits = _WHOLE.get(text.split(None, 1)[0].partition("[")[0])
    return fits is None or fits(text.rstrip()) is not None


_SIZES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}
_ALIGN = re.compile(r"\.align\s+(\w{1,70})", re.A)
_TYPE = re.compile(r"\.(?:v([248])\s+\.)?[bsuf](8|16|32|64|128)\s++(.*)", re.S)


def variables(text: str) -> Iterator[tuple[str, int]]:
    """Yield name and alignment in bytes of the variables of a declaration (without ``=`` and what follows)."""
    match = _TYPE.search(text)
    if not match:
        return
    vector, size, names = match.groups()
    aligned = _ALIGN.search(text)
    align = number(aligned[1]) if aligned else _SIZES[size] * int(vector or 1)
    if align is None or align & (align - 1) or not align:
        align = 1
    for variable in names.rstrip(" \t\n;").split(","):
        name = PTX_NAME.match(variable.strip())
        if name:
            yield name[0], align


class PtxModule(NamedTuple):
    """What a module declares outside its functions."""

    symbols: dict[str, int]
    """Shared variables and their alignment in bytes."""
    arch: str | None
    files: dict[int, str]
    """The files, by the numbers that ``.loc`` uses."""
    noreturn: frozenset[str] = frozenset(NEVER_RETURN)
    """Functions that do not return."""


_SHARED = re.compile(rb"(?m)^[ \t]*+" + LINKAGE.encode() + rb"(\.shared\s[^;={}]*+)")
_FILE = re.compile(rb'^[ \t]*\.file[ \t]+(\d{1,9})[ \t]+"([^"\n]*)"', re.M)
_TARGET = re.compile(rb"^[ \t]*\.target[ \t]+(sm_\w+)", re.M)


def read_declarations(text: bytes) -> PtxModule:
    """Read what a whole file declares: shared variables, files, the (first) target."""
    symbols: dict[str, int] = {}
    if b".shared" in text:
        for match in _SHARED.finditer(without_ptx_comments(text).encode() if b"/*" in text or b"//" in text else text):
            for name, align in variables(match[1].decode("latin-1")):
                # Functions may have variables of the same name: only the least alignment holds for each.
                symbols[name] = min(align, symbols.get(name, align))
    files = {int(match[1]): match[2].decode("utf-8", "replace") for match in _FILE.finditer(text)}
    target = _TARGET.search(text)
    return PtxModule(symbols, target[1].decode() if target else None, files, frozenset(_never_returning(text)))


def _never_returning(text: bytes) -> Iterator[str]:
    """Yield the functions known or declared not to return."""
    yield from NEVER_RETURN
    at = text.find(b".noreturn")
    while at >= 0:
        begin = text.rfind(b".func", max(0, at - _NEAR), at)
        declared = _FUNCTION.match(text, begin, at) if begin >= 0 else None
        if declared:
            yield declared[1].decode()
        at = text.find(b".noreturn", at + 1)


_NEAR = 4096
_FUNCTION = re.compile(rb"\.func\s++(?:\([^)]*+\)\s*+)?([\w$]++)\s*+(?:\([^)]*+\)\s*+)?$")
"""A function's header, up to its attributes."""


SPECIAL: dict[str, int] = {
    "%tid.x": 1023,
    "%tid.y": 1023,
    "%tid.z": 63,
    "%ntid.x": 1024,
    "%ntid.y": 1024,
    "%ntid.z": 64,
    "%laneid": 31,
    "%warpid": 63,
    "%ctaid.x": (1 << 31) - 2,
    "%ctaid.y": 65535,
    "%ctaid.z": 65535,
    "%nctaid.x": (1 << 31) - 1,
    "%nctaid.y": 65535,
    "%nctaid.z": 65535,
    **dict.fromkeys(("%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctarank"), 15),
    "%cluster_nctarank": 16,
}
"""The largest value of special registers (CUDA programming guide, compute capabilities). A cluster has at most 16
blocks, if a nonportable size is allowed (tuning guides of Hopper and Blackwell)."""


_FAMILIES = frozenset(("%clusterid", *(name.partition(".")[0] for name in SPECIAL)))


def is_special(text: str) -> bool:
    """Whether an operand is the index of a thread, a block or a cluster, or their number."""
    return text.partition(".")[0] in _FAMILIES


class PtxStatement(NamedTuple):
    """An instruction, or (without a ``role``) a label. ``guard`` is ``%p1`` or ``!%p1``, or empty."""

    at: int
    """Its offset in the text."""
    guard: str
    mnemonic: str
    """With all its suffixes."""
    rest: str
    scope: Scope
    role: str | None = None
    """Its role, by its name (:func:`smemdesc.scanning.languages.ptx.lower.role`)."""
    writes: tuple[str, ...] = ()
    """The registers that it may write."""
    loc: tuple[str, ...] = ()
    """File, line and column of the last ``.loc`` before an MMA."""

    @property
    def operands(self) -> tuple[str, ...]:
        """Its operands, split."""
        return split_operands(self.rest)

    @property
    def name(self) -> str:
        """The mnemonic without suffixes."""
        return self.mnemonic.partition(".")[0]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The parts of the mnemonic after the name."""
        return tuple(self.mnemonic.split(".")[1:])


def statement_text(line: PtxStatement) -> str:
    """Return an instruction as one text; long vectors are shortened to their ends."""
    parts = []
    for operand in line.operands:
        inner = vector_elements(operand)
        if len(inner) > _LONG:
            operand = f"{{{inner[0]}, ..., {inner[-1]}}}"
        parts.append(" ".join(operand.split()))
    return " ".join(filter(None, (line.guard and f"@{line.guard}", line.mnemonic, ", ".join(parts))))


_LONG = 8
"""Vectors of more elements are shown by their first and last."""
_SUM = re.compile(r"([A-Za-z_$%][\w$.]*+)\s*+(?:\+(.*))?$", re.A | re.S)


def added(text: str) -> tuple[str, int] | None:
    """Return name and offset of ``name``, or ``name+8``: everything after the sign is one constant expression.

    A constant expression without a name is returned as the name, with offset 0.
    """
    match = _SUM.match(text)
    if match is None:
        return None if number(text) is None else (text, 0)
    offset = 0 if match[2] is None else number(match[2])
    return None if offset is None else (match[1], offset)
