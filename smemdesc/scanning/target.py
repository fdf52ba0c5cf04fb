"""Which architecture a text is for: what the nearest mark before it says, or else the marks behind it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from smemdesc.kinds.archs import VARIANTS, arch_name, of_machine_code, variant_of

_ARCH = re.compile(
    rb"(?:\.target[ \t]+|arch = |code for |\"target-cpu\"=\"|chip = \")(?i:sm_?)(\d+[a-z]?)"
    rb"|ttg\.target = \"cuda:(?P<triton>\d+)\""
)
_MARKS = (b"sm_", b'"cuda:')
"""What such a mark holds, which is found far faster."""
_BEFORE = 32
"""How far around ``sm_`` a mark reaches."""
_TRITON_SUFFIX = 90
"""From this capability on Triton compiles for the architecture proper, sm_90a."""
_NAME = re.compile(rb"(?i)\b(?:sm|compute)_?(\d{2,3}[af]?)\b")
_NEWER = tuple(
    re.compile(rb"%s(?:(?<=[mMeE]%s)|(?<=[mMeE]_%s))" % ((number,) * 3))
    for number in sorted({re.sub(r"\D", "", arch).encode() for each in VARIANTS.values() for arch in each.archs})
)
"""The numbers of architectures with tables of their own, behind what ends as ``sm_`` and ``compute_`` do: any dump has
the bare numbers."""


class _Marks:
    """Where a text begins to be for which architecture."""

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.names: list[str] = []

    def _note(self, offset: int, name: str) -> None:
        if not self.names or self.names[-1] != name:
            self.offsets.append(offset)
            self.names.append(name)


class Archs(_Marks):
    """The architectures of code.

    Before the first mark (LLVM IR has them at the end, a cut-out piece within) it is that of all marks, if they agree.
    """

    def read(self, text: bytes, offset: int = 0) -> None:
        """Note the marks in a stretch of text that begins at ``offset``."""
        places = []
        for mark in _MARKS:
            at = text.find(mark)
            while at >= 0:
                places.append(at)
                at = text.find(mark, at + 1)
        for at in sorted(places):
            line = text.rfind(b"\n", max(0, at - _BEFORE), at) + 1 or max(0, at - _BEFORE)
            found = _ARCH.search(text, line, at + _BEFORE)
            if found:
                number = (found["triton"] or found[1]).decode()
                suffix = "a" if found["triton"] and len(number) < 4 and int(number) >= _TRITON_SUFFIX else ""
                name = f"sm_{number}{suffix}"
                self._note(offset + found.start(), arch_name(name) or name)

    def at(self, offset: int) -> str | None:
        """Return the architecture at ``offset`` as the mark says it, known here or not; None where there is no mark."""
        place = bisect_right(self.offsets, offset) - 1
        if place < 0:
            return self.names[0] if len(set(self.names)) == 1 else None
        return self.names[place]


def may_name(text: bytes) -> bool:
    """Whether a text may name an architecture with tables of its own: a look that costs little."""
    return any(number.search(text) for number in _NEWER)


class Named(_Marks):
    """The architectures of other text, as it names them: there is no other way to tell by which tables to read values.

    ``otherwise`` is the architecture of a text that names none.
    """

    def __init__(self, otherwise: str | None = None) -> None:
        super().__init__()
        self.otherwise = otherwise

    def read(self, text: bytes, offset: int = 0) -> None:
        """Note the names in a stretch of text that begins at ``offset``."""
        for found in _NAME.finditer(text):
            self._note(offset + found.start(), of_machine_code(f"sm_{found[1].decode().lower()}"))

    def near(self, offset: int) -> str | None:
        """Return the architecture that was named last, or else is named first, where its table is another one."""
        name = self.otherwise
        if self.names:
            name = self.names[max(0, bisect_left(self.offsets, offset) - 1)]
        return name if variant_of(name, "tcgen05") else None
