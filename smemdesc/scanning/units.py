"""A dump cut into functions: where each begins, in which language it is written, and for which architecture.

The cut is made at the line that introduces a function, whatever stands around it, so that a long dump can be
read in chunks and the chunks at the same time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SASS, PTX, LLVM, MLIR, SKIP = "SASS", "PTX", "LLVM IR", "MLIR", ""

HEADER = re.compile(
    rb"""(?mx) ^ (?:
      [ \t]* \.section [ \t]+ (?: \.text\. (?P<disasm>[^,\s"]+) | (?P<section>\S+) )
    | [ \t]* Function [ ]:[ ] (?P<objdump>\S+)
    | (?:[ \t]|/\*[^*\n]*+\*/)*+ (?: \. (?:visible|extern|weak|common) (?:[ \t]|/\*[^*\n]*+\*/)++ )*+
      \. (?P<ptx>entry|func) \b
    | define \b (?P<llvm>)
    | [ \t]* (?: (?: llvm|func|gpu|tt ) \. func | cuda \. kernel ) \b (?P<mlir>)
    ) """
)
"""The line that begins a function (or, ``section``, ends one)."""
_INTRODUCE = (b".section", b"Function : ", b".entry", b".func", b"define", b"cuda.kernel")
"""What every header holds: these are found far faster than lines are matched."""
_KINDS = {"disasm": SASS, "objdump": SASS, "ptx": PTX, "llvm": LLVM, "mlir": MLIR, "section": SKIP}

_PTX_GAP = rb"(?:\s|/\*[^*]*+\*/|//[^\n]*+\n)*+"
_PTX_NAME = re.compile(rb"\.(?:entry|func)\b" + _PTX_GAP + rb"(?:\([^()]*+\)" + _PTX_GAP + rb")?+([\w$%]+)")
_LLVM_NAME = re.compile(rb"@(\"[^\"\n]*\"|[-\w.$]+)\s*\(")
_MLIR_NAME = re.compile(rb"@(\"[^\"\n]*\"|[-\w.$]+)")
_NAMED = 4096
"""How far after its header a function's name may stand."""

MMA_MARKS = {
    SASS: (b"GMMA", b"UTC"),
    PTX: (b"wgmma.mma_async", b"tcgen05.mma", b"tcgen05.cp"),
    LLVM: (b"wgmma", b"tcgen05"),
    MLIR: (b"wgmma", b"tcgen05", b"nvgpu.warpgroup", b"ttng.", b"cute.", b"cute_nvgpu.arch"),
}
"""Texts without which a function has no MMA."""


_OLDER = re.compile(
    rb"(?<![\w.])(?:(?P<sass>[HIBDQO]MMA)\.(?:S[FP]\.)*+\d[\w.]*+(?= )"
    rb"|(?P<ptx>w?mma)\.(?:(?:mma|sp|sp::ordered_metadata)\.)?+sync\b"
    rb"|@llvm\.nvvm\.(?P<llvm>w?mma)\.[mb]|nv(?:vm|gpu)\.(?P<mlir>w?mma)\.(?:mma|sync)\b)"
)


def older(text: bytes) -> Counter[str]:
    """Count the tensor-core instructions that take no descriptor, by what they are called."""
    found: Counter[str] = Counter()
    for start in _beginnings(text, (b"MMA.", b"mma.")):
        end = text.find(b"\n", start)
        for each in _OLDER.finditer(text, start, len(text) if end < 0 else end):
            what = each[each.lastgroup or 0].decode()
            found[what if each.lastgroup == "sass" else "wmma.mma.sync" if what == "wmma" else "mma.sync"] += 1
    return found


class Unit(NamedTuple):
    """A stretch of a dump: one function, or (no ``kind``) what belongs to none."""

    kind: str | None
    """The language; None for text before any function, :data:`SKIP` for a section that holds none."""
    start: int
    end: int
    name: str | None


def headers(text: bytes, start: int = 0, stop: int | None = None) -> Iterator[re.Match[bytes]]:
    """Yield the headers in a text, from the beginning of a line on to that of another."""
    for at in _beginnings(text, _INTRODUCE, start, stop):
        found = HEADER.match(text, at)
        if found:
            yield found


def _beginnings(text: bytes, marks: Sequence[bytes], start: int = 0, stop: int | None = None) -> list[int]:
    """Return where the lines begin that hold one of ``marks``, in order."""
    stop = len(text) if stop is None else stop
    places = set()
    for mark in marks:
        at = text.find(mark, start, stop)
        while at >= 0:
            places.add(text.rfind(b"\n", start, at) + 1 or start)
            # Another on the same line changes nothing.
            end = text.find(b"\n", at, stop)
            at = text.find(mark, end, stop) if end >= 0 else -1
    return sorted(places)


def first_header(text: bytes) -> re.Match[bytes] | None:
    """Return the first header of a text."""
    start, window = 0, _WINDOW
    while start < len(text):
        # Where there is one it stands near the beginning.
        stop = text.find(b"\n", min(start + window, len(text))) + 1 or len(text)
        found = next(headers(text, start, stop), None)
        if found:
            return found
        start, window = stop, 4 * window
    return None


def last_header(text: bytes) -> re.Match[bytes] | None:
    """Return the last header of a text."""
    window = _WINDOW
    while True:
        start = max(0, len(text) - window)
        start = text.rfind(b"\n", 0, start) + 1 if start else 0
        found = list(headers(text, start))
        if found or not start:
            return found[-1] if found else None
        window *= 4


_WINDOW = 65_536


def units(text: bytes, headless: bool) -> Iterator[Unit]:
    """Cut ``text`` at the headers; ``headless``: what stands before the first is yielded, too."""
    header: re.Match[bytes] | None = None
    for found in headers(text):
        if header is not None or (headless and found.start()):
            yield _unit(text, header, found.start())
        header = found
    if header is not None or (headless and text):
        yield _unit(text, header, len(text))


def _unit(text: bytes, header: re.Match[bytes] | None, end: int) -> Unit:
    if header is None:
        return Unit(None, 0, end, None)
    kind = _KINDS[header.lastgroup or "section"]
    return Unit(kind, header.start(), end, _name(text, header, kind, end))


def _name(text: bytes, found: re.Match[bytes], kind: str, end: int) -> str | None:
    named = found["disasm"] or found["objdump"]
    if named is None:
        pattern = {PTX: _PTX_NAME, LLVM: _LLVM_NAME, MLIR: _MLIR_NAME}.get(kind)
        match = pattern.search(text, found.start(), min(end, found.start() + _NAMED)) if pattern else None
        named = match[1] if match else None
    return None if named is None else named.decode("utf-8", "replace").strip('"')


def guess(text: bytes) -> str | None:
    """Return the language of text that no header introduces; None where it holds no tensor-core instruction."""
    for language, marks, is_line in _LINES:
        if any(is_line(text, at) for at in _beginnings(text, marks)):
            return language
    return None


_SASS_LINE = re.compile(
    rb"(?:[ \t]*+/\*[0-9a-f]++\*/)?+[ \t]*+(?:@!?U?P\w++[ \t]++)?+(?:[HQIB]GMMA|UTC[A-Z]++)\.?+[\w.]*+[ \t]"
    rb"[^\n]*?\bgdesc\["
)
_PTX_LINE = re.compile(
    rb"(?m)(?>[^\"\n]*?\b(?:wgmma\.mma_async\.(?:sp\.)?sync|tcgen05\.(?:mma|cp)\.[\w.:]{0,80}?cta_group))"
    rb"[^\"\n%\[{]*+(?:[%\[{]|$)"
)
_LLVM_LINE = re.compile(rb"[ \t]*+(?:%[\w.\"-]+ = )?(?:tail )?call [^\n]*(?:wgmma|tcgen05)")
_MLIR_LINE = re.compile(
    rb"[ \t]*+(?:%[\w#:, ]+ = )?(?:nvvm\.(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))|nvgpu\.warpgroup\."
    rb"|llvm\.inline_asm[^\n]*(?:wgmma|tcgen05))"
)
_LINES = (
    (SASS, (b"gdesc[",), _SASS_LINE.match),
    (PTX, (b"wgmma.mma_async.", b"tcgen05.mma.", b"tcgen05.cp."), _PTX_LINE.match),
    (LLVM, (b"wgmma", b"tcgen05"), _LLVM_LINE.match),
    (MLIR, (b"wgmma", b"tcgen05", b"nvgpu.warpgroup."), _MLIR_LINE.match),
)
"""What a line of a tensor-core instruction holds, and how it begins."""
