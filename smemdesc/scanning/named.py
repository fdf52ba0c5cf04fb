"""Which architectures other text names: there is no other way to tell by which tables its values are to be read."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import BinaryIO

from smemdesc.kinds.archs import VARIANTS, of_machine_code, variant_of

_NAME = re.compile(rb"(?i)\b(?:sm|compute)_?(\d{2,3}[af]?)\b")
_LONGEST = 16
"""More than the bytes of a name, and one on either side."""
_BLOCK = 4_000_000
_NEWER = tuple(
    re.compile(rb"%s(?:(?<=[mMeE]%s)|(?<=[mMeE]_%s))" % ((number,) * 3))
    for number in sorted({re.sub(r"\D", "", arch).encode() for each in VARIANTS.values() for arch in each.archs})
)
"""The numbers of such architectures, behind what ends as ``sm_`` and ``compute_`` do: any dump has the bare
numbers."""


def may_name(text: bytes) -> bool:
    """Whether a text may name an architecture with tables of its own: a look that costs little."""
    return any(number.search(text) for number in _NEWER)


class Named:
    """Which architecture the text at an offset is for, where that reads a table of its own.

    ``otherwise`` is the architecture of a text that names none.
    """

    def __init__(self, otherwise: str | None = None) -> None:
        self.otherwise = otherwise
        self._places: list[int] = []
        self._names: list[str] = []
        self._done = 0

    def read(self, text: bytes, offset: int = 0, last: bool = True) -> int:
        """Note the names in a stretch of text that begins at ``offset``.

        Return how many bytes of its end are to come again, if it is not the ``last``: a name may go on there.
        """
        end = len(text) if last else max(0, len(text) - _LONGEST)
        for found in _NAME.finditer(text):
            if self._done <= offset + found.start() and found.start() < end:
                name = of_machine_code(f"sm_{found[1].decode().lower()}")
                if not self._names or self._names[-1] != name:
                    self._places.append(offset + found.start())
                    self._names.append(name)
        self._done = offset + end
        # One more, to tell the beginning of a word.
        return min(len(text), len(text) - end + 1)

    def read_file(self, stream: BinaryIO) -> None:
        """Note the names in a file."""
        kept, offset = b"", 0
        while block := stream.read(_BLOCK):
            text = kept + block
            again = self.read(text, offset, last=False)
            offset += len(text) - again
            kept = text[len(text) - again :]
        self.read(kept, offset)

    def near(self, offset: int) -> str | None:
        """Return the architecture that was named last, or else is named first, where its table is another one."""
        name = self.otherwise
        if self._names:
            name = self._names[max(0, bisect_left(self._places, offset) - 1)]
        return name if variant_of(name, "tcgen05") else None
