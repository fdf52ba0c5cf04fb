"""A descriptor as a constant to paste: bare, or a line of a language with a comment that says what it is."""

from __future__ import annotations

from collections.abc import Callable

from smemdesc.encoding import Encoded
from smemdesc.errors import SmemdescError
from smemdesc.explain import summary
from smemdesc.fields import WORD, ones, signed, words
from smemdesc.values import to_hex


class Constant:
    """A wholly or partly known value of ``width`` bits with a name and a comment."""

    def __init__(self, encoded: Encoded, name: str) -> None:
        table = encoded.kind.table
        self.value = encoded.value
        self.known = encoded.known
        self.width = table.width
        self.name = name
        self.comment = summary(encoded.kind, table.read(encoded.value, encoded.known))

    @property
    def hex(self) -> str:
        """Hexadecimal of full width."""
        return to_hex(self.value, self.known, self.width)


def _hex(constant: Constant) -> str:
    return constant.hex


def _dec(constant: Constant) -> str:
    return str(constant.value)


def _sdec(constant: Constant) -> str:
    return str(signed(constant.value, constant.width))


def _words(constant: Constant) -> str:
    if constant.width == WORD:
        return constant.hex
    high, low = words(constant.value)
    known = words(constant.known)
    parts = [to_hex(word, mask, WORD) if mask else "?" for word, mask in zip((high, low), known, strict=True)]
    return ":".join(parts)


def _c(constant: Constant) -> str:
    macro = f"UINT{constant.width}_C"
    return f"static const uint{constant.width}_t {constant.name} = {macro}({constant.hex}); /* {constant.comment} */"


def _cuda(constant: Constant) -> str:
    suffix = "ull" if constant.width > WORD else "u"
    return f"constexpr uint{constant.width}_t {constant.name} = {constant.hex}{suffix}; // {constant.comment}"


def _ptx(constant: Constant) -> str:
    return f"mov.b{constant.width} {constant.name}, {constant.hex}; // {constant.comment}"


def _python(constant: Constant) -> str:
    return f"{constant.name} = {constant.hex}  # {constant.comment}"


_WRITERS: dict[str, Callable[[Constant], str]] = {
    "hex": _hex,
    "dec": _dec,
    "sdec": _sdec,
    "words": _words,
    "c": _c,
    "cuda": _cuda,
    "ptx": _ptx,
    "python": _python,
}


def constant(encoded: Encoded, style: str, name: str = "desc") -> str:
    """Return the value in a style: hex, dec, sdec, words, c, cuda, ptx or python.

    :class:`smemdesc.errors.SmemdescError` where the value is not wholly known and the style cannot say so.
    """
    each = Constant(encoded, name)
    if each.known != ones(each.width) and style not in ("hex", "words"):
        raise SmemdescError(
            f"{each.hex} is not wholly known and cannot be written as {style}", hint="use --format hex or words"
        )
    return _WRITERS[style](each)
