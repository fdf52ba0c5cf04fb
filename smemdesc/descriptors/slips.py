"""What happens to the digits of a value on their way to the command line, and how each slip is undone.

Hexadecimal digits are exchanged, shifted, lost and typed twice. A :class:`Slip` says where each digit of the value that
was meant stands in the one that was given; :mod:`smemdesc.descriptors.ranking` asks which of them would explain a
value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.kinds.text import Literal

LOST = "?"
"""A digit that was given up, and could be any."""
_PER_DIGIT = 4
_WORD = 8
_WIDE = 16
_TOP_DIGITS = "0248c"
"""What the highest digit of a shared-memory descriptor can be: the swizzle mode stands there."""


class Slip(NamedTuple):
    """One way in which digits go wrong. ``places`` has an entry for each digit of the value that was meant, highest
    first: where it stands among those given, or the digit itself where it is not among them."""

    repair: str
    """What has to be done to the value: ``with the two words exchanged``."""
    places: tuple[int | str, ...]

    def undo(self, bits: int, known: int) -> tuple[int, int] | None:
        """Return the bits that were meant and which of them are known; None where this is not what happened."""
        count = len(self.places)
        digits, masks = f"{bits:0{count}x}", f"{known:0{count}x}"
        unused = set(range(count)).difference(place for place in self.places if isinstance(place, int))
        if any(digits[place] != "0" for place in unused):
            return None
        meant, seen = "", ""
        for place in self.places:
            if isinstance(place, int):
                meant += digits[place]
                seen += masks[place]
            else:
                meant += "0" if place == LOST else place
                seen += "0" if place == LOST else "f"
        found = int(meant, 16), int(seen, 16)
        return None if found == (bits, known) else found

    def seen(self, mask: int, value: int) -> tuple[int, int] | None:
        """Return which of the given bits have to be what, where ``mask`` and ``value`` say it of those meant.

        None where a digit of this slip contradicts it.
        """
        count = len(self.places)
        masks, values = f"{mask:0{count}x}", f"{value & mask:0{count}x}"
        out_mask, out_value = ["f"] * count, ["0"] * count  # digits that the slip dropped were 0
        for index, place in enumerate(self.places):
            if isinstance(place, int):
                out_mask[place], out_value[place] = masks[index], values[index]
            elif place != LOST and (int(place, 16) ^ int(values[index], 16)) & int(masks[index], 16):
                return None
        return int("".join(out_mask), 16), int("".join(out_value), 16)


@cache
def slips(width: int) -> tuple[Slip, ...]:
    """Return the slips of a value of so many bits, 32 or 64."""
    count = width // _PER_DIGIT
    whole = tuple(range(count))
    out = []
    if count == _WIDE:
        out.append(Slip("with the two words exchanged", (*whole[_WORD:], *whole[:_WORD])))
    out += [Slip("shifted right by 4", (top, *whole[:-1])) for top in (_TOP_DIGITS if count == _WIDE else "0")]
    out.append(Slip("shifted left by 4", (*whole[1:], LOST if count == _WIDE else "0")))
    if count == _WIDE:
        # 14 bits of SBO end in bit 45: bytes where 16-byte units were meant run into the four digits above.
        out.append(Slip("with SBO divided by 16", (0, 1, 2, "0", *whole[3:7], *whole[_WORD:])))
    for at in range(count - 1):
        swapped = (*whole[:at], at + 1, at, *whole[at + 2 :])
        out.append(Slip(f"with digits {at + 1} and {at + 2} swapped", swapped))
    return tuple(out)


def miscounted(literal: Literal) -> str:
    """Say what is odd about the number of hexadecimal digits; empty where it is 8 or 16, or zeros were left out."""
    count = literal.digits
    if not count or count in (_WORD, _WIDE):
        return ""
    padded = literal.leading_zero
    if count in (_WORD - 1, _WIDE - 1):
        return f"{count} hexadecimal digits, one fewer than {count + 1}"
    if padded and count in (_WORD + 1, _WIDE + 1):
        return f"{count} hexadecimal digits, one more than {count - 1}"
    return f"{count} hexadecimal digits; a descriptor has 16, an instruction descriptor or a word 8" if padded else ""


def recounted(literal: Literal) -> Iterator[tuple[str, int, int]]:
    """Yield what a value with one digit too few or too many could have been: the repair, bits, known."""
    count = literal.digits
    if count in (_WORD - 1, _WIDE - 1) and not literal.unknown:
        digits = f"{literal.number:0{count}x}"
        for at in range(count, -1, -1):
            for digit in "0123456789abcdef":
                yield "with one digit more", int(digits[:at] + digit + digits[at:], 16), ones(_PER_DIGIT * (count + 1))
    if count in (_WORD + 1, _WIDE + 1) and not literal.unknown:
        digits = f"{literal.number:0{count}x}"
        for at in range(count - 1):
            if digits[at] == digits[at + 1]:
                yield (
                    "with one of two equal digits removed",
                    int(digits[:at] + digits[at + 1 :], 16),
                    ones(_PER_DIGIT * (count - 1)),
                )
