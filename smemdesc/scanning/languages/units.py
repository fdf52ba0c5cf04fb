"""A dump split into functions: where each begins, its language, and its architecture.

It is split at the line that introduces a function, whatever surrounds it, so that a long dump can be read in chunks, in
parallel.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from smemdesc.kinds.archs import arch_name, of_machine_code, variant_of
from smemdesc.scanning.languages.mnemonics import ACCESSES, MAPS

SASS, PTX, LLVM, MLIR, SKIP = "SASS", "PTX", "LLVM IR", "MLIR", ""

FUNCTION_HEADER = re.compile(
    rb"""(?mx) ^ (?:
      [ \t]* \.section [ \t]+ (?: \.text\. (?P<disasm>[^,\s"]+) | (?P<section>\S+) )
    | [ \t]* \.text\. (?![^,\s":]*+ : [0-9a-fA-F]{4,16} [ \t])  # an address of a row
      (?P<label> [^,\s"]+? ) (?: [, \t] [^\n]*? )? : [ \t\r]* (?: /[/*] [^\n]* )? $
    | [ \t]* Function [ ]:[ ] (?P<objdump>\S+)
    | (?:[ \t]|/\*[^*\n]*+\*/)*+ (?: \. (?:visible|extern|weak|common) (?:[ \t]|/\*[^*\n]*+\*/)++ )*+
      \. (?P<ptx>entry|func) \b
    | define \b (?P<llvm>)
    | (?: [^\n]*? \b see [ ] current [ ] operation: )?+ [ \t]*+
      (?P<quoted> "?+ ) (?: (?: llvm|func|gpu|tt ) \. func | cuda \. kernel ) \b (?P<mlir>)
    ) """
)
"""The line that begins a function (or, ``section``, ends one)."""
_INTRODUCE = (b".section", b".text.", b"Function : ", b".entry", b".func", b"define", b"cuda.kernel")
"""Every header contains one of these: searching for them is far faster than matching lines."""
_KINDS = {"disasm": SASS, "label": SASS, "objdump": SASS, "ptx": PTX, "llvm": LLVM, "mlir": MLIR, "section": SKIP}

_PTX_GAP = rb"(?:\s|/\*[^*]*+\*/|//[^\n]*+\n)*+"
_PTX_NAME = re.compile(rb"\.(?:entry|func)\b" + _PTX_GAP + rb"(?:\([^()]*+\)" + _PTX_GAP + rb")?+([\w$%]+)")
_LLVM_NAME = re.compile(rb"@(\"[^\"\n]*\"|[-\w.$]+)\s*\(")
_MLIR_NAME = re.compile(rb"@(\"[^\"\n]*\"|[-\w.$]+)")
_MLIR_SYMBOL = re.compile(rb"\bsym_name\"? = (\"[^\"\n]*\")")
"""The name in generic form: it may follow the function."""
_NAMED = 4096
"""The most bytes between a header and the function's name."""

_MAPS = tuple(map(str.encode, MAPS))
_ACCESSES = tuple(map(str.encode, ACCESSES))
MMA_MARKS = {
    SASS: (b"GMMA", b"UTC", b"gmma", b"utc", b"LDTM", b"STTM"),
    PTX: (b"wgmma.mma_async", b"tcgen05.mma", b"tcgen05.cp", *_ACCESSES, *_MAPS),
    LLVM: (b"wgmma", b"tcgen05", *_MAPS),
    MLIR: (b"wgmma", b"tcgen05", *_MAPS, b"nvgpu.warpgroup", b"ttng.", b"cute.", b"cute_nvgpu.arch"),
}
"""A function without any of these texts has no MMA, and changes no tensor map."""


_OLDER = re.compile(
    rb"(?<![\w.])(?:(?P<sass>[HIBDQO]MMA)\.(?:S[FP]\.)*+\d[\w.]*+(?= )"
    rb"|(?P<ptx>w?mma)\.(?:(?:mma|sp|sp::ordered_metadata)\.)?+sync\b"
    rb"|@llvm\.nvvm\.(?P<llvm>w?mma)\.[mb]|nv(?:vm|gpu)\.(?P<mlir>w?mma)\.(?:mma|sync)\b)"
)


def older(text: bytes) -> Counter[str]:
    """Count the tensor-core instructions that take no descriptor, by name."""
    counts: Counter[str] = Counter()
    for start in _beginnings(text, (b"MMA.", b"mma.")):
        end = text.find(b"\n", start)
        for match in _OLDER.finditer(text, start, len(text) if end < 0 else end):
            name = match[match.lastgroup or 0].decode()
            counts[name if match.lastgroup == "sass" else "wmma.mma.sync" if name == "wmma" else "mma.sync"] += 1
    return counts


class DumpUnit(NamedTuple):
    """A part of a dump: one function, or (without a ``kind``) text outside functions."""

    kind: str | None
    """The language; None for text before any function, :data:`SKIP` for a section without one."""
    start: int
    end: int
    name: str | None


_TRIPLE = re.compile(rb"(\"\"\"|''')(?:(?!\1).)*+\1", re.DOTALL)
_DOCUMENTED = re.compile(rb"(?:\A|:|\n[ \t]*+#[^\n]{0,200})[ \t\r]*+(?:\n[ \t\r]*+)*+[rRuU]?\Z")
"""What precedes a docstring: nothing, a comment, or what it documents."""
_PYTHON = re.compile(rb"(?m)^[ \t]*+(?:def|class|import|from)[ \t]")


def docstrings(text: bytes) -> list[tuple[int, int]]:
    """Return the spans of the docstrings of Python: what they show is not code."""
    if (b'"""' not in text and b"'''" not in text) or not _PYTHON.search(text):
        return []
    return [
        match.span()
        for match in _TRIPLE.finditer(text)
        if _DOCUMENTED.search(text[max(0, match.start() - _NAMED) : match.start()])
    ]


def headers(text: bytes, start: int = 0) -> Iterator[re.Match[bytes]]:
    """Yield the headers in a text, from the beginning of a line on."""
    documented: list[tuple[int, int]] | None = None
    for at in _beginnings(text, _INTRODUCE, start):
        header = FUNCTION_HEADER.match(text, at)
        if header and not _belongs(header):
            documented = docstrings(text) if documented is None else documented
            before = bisect_left(documented, (at, 0)) - 1
            if before < 0 or documented[before][1] <= at:
                yield header


def _belongs(header: re.Match[bytes]) -> bool:
    """Whether a header is the label of a section whose own line, above it, begins the function."""
    name = header["label"]
    if name is None:
        return False
    # Between the two are a few lines with the name.
    nearest = max(0, header.start() - _NAMED - _REPEATED * len(name))
    above = header.string.rfind(b".section", nearest, header.start())
    section = FUNCTION_HEADER.match(header.string, header.string.rfind(b"\n", 0, above) + 1) if above >= 0 else None
    is_code = header.string.find(b";", above, header.start()) >= 0
    return section is not None and section["disasm"] == name and not is_code


_REPEATED = 10
"""The most times that a name stands between the line of its section and the label."""


def places_of(marks: Sequence[bytes], text: bytes, start: int = 0, end: int | None = None) -> list[int]:
    """Return the offsets of all ``marks`` in a part of a text, in order."""
    places = []
    for mark in marks:
        at = text.find(mark, start, end)
        while at >= 0:
            places.append(at)
            at = text.find(mark, at + 1, end)
    return sorted(places)


_AT_ONCE = 131_072
"""The bytes that are searched for all marks before the next: they are still in the cache for the second mark."""


def _beginnings(text: bytes, marks: Sequence[bytes], start: int = 0) -> Iterator[int]:
    """Yield the offsets of the lines that contain one of ``marks``, in order."""
    while start < len(text):
        end = text.find(b"\n", start + _AT_ONCE) + 1 or len(text)
        yield from sorted({line for mark in marks for line in _lines(text, mark, start, end)})
        start = end


def _lines(text: bytes, mark: bytes, start: int, end: int) -> Iterator[int]:
    at = text.find(mark, start, end)
    while at >= 0:
        yield text.rfind(b"\n", start, at) + 1 or start
        # Other marks on the same line change nothing.
        newline = text.find(b"\n", at, end)
        at = text.find(mark, newline, end) if newline >= 0 else -1


def first_header(text: bytes) -> re.Match[bytes] | None:
    """Return the first header of a text."""
    return next(headers(text), None)


def languages(text: bytes) -> set[str]:
    """Return the languages of the functions, and of the tensor-core instructions that belong to none, in a text."""
    languages = {_KINDS[header.lastgroup or "section"] for header in headers(text)}
    return languages.union(*(_languages_of_line(text, at) for at in _beginnings(text, _LINE_MARKS)))


def units(text: bytes, headless: bool) -> Iterator[DumpUnit]:
    """Split ``text`` at the headers; ``headless``: also yield the text before the first."""
    header: re.Match[bytes] | None = None
    for next_header in chain(headers(text), (None,)):
        end = len(text) if next_header is None else next_header.start()
        if header is not None:
            kind = _KINDS[header.lastgroup or "section"]
            yield DumpUnit(kind, header.start(), end, _name(text, header, kind, end))
        elif headless and end:
            yield DumpUnit(None, 0, end, None)
        header = next_header


def _name(text: bytes, header: re.Match[bytes], kind: str, end: int) -> str | None:
    named = header["disasm"] or header["label"] or header["objdump"]
    if named is None and header["quoted"]:
        match = _MLIR_SYMBOL.search(text, header.start(), end)
        named = match[1] if match else None
    elif named is None:
        pattern = {PTX: _PTX_NAME, LLVM: _LLVM_NAME, MLIR: _MLIR_NAME}.get(kind)
        match = pattern.search(text, header.start(), min(end, header.start() + _NAMED)) if pattern else None
        named = match[1] if match else None
    return None if named is None else named.decode("utf-8", "replace").strip('"')


def guess_language(text: bytes) -> str | None:
    """Return the language of text without a header; None if it contains no tensor-core instruction."""
    found: set[str] = set()
    for at in _beginnings(text, _LINE_MARKS):
        found.update(_languages_of_line(text, at))
    return next((language for language in _LINES if language in found), None)


_STATEMENT = re.compile(rb"[ \t]*+(?:\{[ \t]*+)?+(?:[\w$.%]++:[ \t]*+)?+(?:@!?%?\w++[ \t]++)?+$")
"""What comes before an instruction of PTX that begins a line."""


def code_lines(text: bytes) -> Iterator[tuple[int, str]]:
    """Yield where the lines begin that are tensor-core instructions, and their languages; no comments and remarks."""
    for at in _beginnings(text, _LINE_MARKS):
        for language in _languages_of_line(text, at):
            if language != PTX or _begins(text, at):
                yield at, language
                break


def _languages_of_line(text: bytes, at: int) -> Iterator[str]:
    """Yield the languages in which the line at ``at`` is a tensor-core instruction."""
    return (language for language, is_line in _LINES.items() if is_line(text, at))


_PTX_NAMES = (b"wgmma.mma_async.", b"tcgen05.mma.", b"tcgen05.cp.", b"tensormap.")


def _begins(text: bytes, line: int) -> bool:
    """Whether a tensor-core instruction of PTX begins a statement in a line."""
    end = text.find(b"\n", line)
    places = (text.find(name, line, end if end >= 0 else len(text)) for name in _PTX_NAMES)
    return _STATEMENT.match(text[line : min(place for place in places if place >= 0)]) is not None


_AROUND = 65_536
"""The most bytes of a line of SASS, or of the previous one, that are examined."""


def _is_sass(text: bytes, at: int) -> bool:
    end = text.find(b"\n", at, at + _AROUND)
    line = text[at : end if end >= 0 else at + _AROUND]
    if b"gdesc[" not in line:
        return False
    from smemdesc.scanning.languages.sass.pasted_listing import has_mma

    start = text.rfind(b"\n", max(0, at - _AROUND), max(0, at - 1)) + 1 or max(0, at - _AROUND)
    return has_mma(text[start:at], line)


_PTX_LINE = re.compile(
    rb"(?m)(?>[^\"\n]*?\b(?:wgmma\.mma_async\.(?:sp\.)?sync|tcgen05\.(?:mma|cp)\.[\w.:]{0,80}?cta_group"
    rb"|tensormap\.(?:replace|query)\.))"
    rb"[^\"\n%\[{]*+(?:[%\[{]|$)"
)
_LLVM_LINE = re.compile(
    rb"[ \t]*+(?:%[\w.\"-]+ = )?(?:tail )?call (?=[^\n]*(?:@llvm\.nvvm\.|\basm ))[^\n]*(?:wgmma|tcgen05)"
)
_MLIR_LINE = re.compile(
    rb"(?:[^\n]*?\bsee current operation:)?[ \t]*+(?:%[\w#:, ]+ = )?\"?"
    rb"(?:nvvm\.(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))|nvgpu\.warpgroup\."
    rb"|(?:ttng\.(?:warp_group_dot|tc_gen5_mma\w*+)|cute\.(?:gemm|mma_atom_call))\"?(?:\(| %)"
    rb"|llvm\.inline_asm\b[^\n]*(?:wgmma|tcgen05))"
)
_LINES: dict[str, Callable[[bytes, int], object]] = {
    SASS: _is_sass,
    PTX: _PTX_LINE.match,
    LLVM: _LLVM_LINE.match,
    MLIR: _MLIR_LINE.match,
}
"""Whether the line that begins at an offset of a text is a tensor-core instruction of a language."""
_LINE_MARKS = (b"gdesc[", b"wgmma", b"tcgen05", b"nvgpu.warpgroup.", b"ttng.", b"cute.", b"tensormap.")
"""Every such line contains one of these."""


_ARCH = re.compile(
    rb"(?:\.target[ \t]+|arch = |code for |\"target-cpu\"=\"|chip = \")(?i:sm_?)(\d+[a-z]?)"
    rb"|ttg\.target = \"cuda:(?P<triton>\d+)\""
)
_FLAGS = re.compile(rb"\.headerflags[^\n]{0,200}?EF_CUDA_SM(?P<flags>\d+)")
_ACCELERATORS = b"EF_CUDA_ACCELERATORS"
"""The flag of an architecture-specific target, sm_90a; cubins of ELF ABI 7 (ptxas 12) have no other mark of it."""
_MARKS = (b"sm_", b'"cuda:', b".headerflags")
"""Every such mark contains one of these: searching for them is far faster."""
_BEFORE = 32
"""The most bytes of a mark before and after ``sm_``."""
_TRITON_SUFFIX = 90
"""From this capability on Triton compiles for the architecture-specific target, sm_90a."""
_NAMED_BY = (b"sm", b"compute")
_NAME = re.compile(rb"(?i)\b(?:sm|compute)_?(\d{2,3}[af]?)\b")


class Archs:
    """The architectures of code: the offsets from which on each applies.

    Before the first mark (LLVM IR has them at the end, an excerpt in the middle) the one of all marks applies, if they
    agree.
    """

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.names: list[str] = []

    def _note(self, offset: int, name: str) -> None:
        if not self.names or self.names[-1] != name:
            self.offsets.append(offset)
            self.names.append(name)

    def read(self, text: bytes, offset: int = 0) -> None:
        """Note the marks in a part of a text that begins at ``offset``."""
        for at in places_of(_MARKS, text):
            line = text.rfind(b"\n", max(0, at - _BEFORE), at) + 1 or max(0, at - _BEFORE)
            match = _ARCH.search(text, line, at + _BEFORE)
            flags = _FLAGS.match(text, at)
            if flags:
                plain = f"sm_{flags['flags'].decode()}"
                # A mark that names the architecture is more precise: sm_100f has the flags of sm_100.
                if not self.names or self.names[-1].rstrip("af") != plain:
                    self._note(offset + at, plain + ("a" if _ACCELERATORS in flags[0] else ""))
            elif match:
                number = (match["triton"] or match[1]).decode()
                suffix = "a" if match["triton"] and len(number) < 4 and int(number) >= _TRITON_SUFFIX else ""
                name = f"sm_{number}{suffix}"
                self._note(offset + match.start(), arch_name(name) or name)

    def at(self, offset: int) -> str | None:
        """Return the architecture at ``offset`` as in the mark, known here or not; None if there is no mark."""
        place = bisect_right(self.offsets, offset) - 1
        if place < 0:
            return self.names[0] if len(set(self.names)) == 1 else None
        return self.names[place]


class Named(Archs):
    """The architectures that other text names: nothing else tells which tables apply to its values.

    ``otherwise`` is the architecture of a text that names none.
    """

    def __init__(self, otherwise: str | None = None) -> None:
        super().__init__()
        self.otherwise = otherwise

    def read(self, text: bytes, offset: int = 0) -> None:
        """Note the names in a part of a text that begins at ``offset``."""
        for at in places_of(_NAMED_BY, text.lower()):
            if match := _NAME.match(text, at):
                self._note(offset + match.start(), of_machine_code(f"sm_{match[1].decode().lower()}"))

    def near(self, offset: int) -> str | None:
        """Return the architecture named last before ``offset``, else first after it, if it has its own tables."""
        name = self.otherwise
        if self.names:
            name = self.names[max(0, bisect_left(self.offsets, offset) - 1)]
        return name if variant_of(name, "tcgen05") else None
