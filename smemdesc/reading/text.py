"""One number in any usual notation, with the mask of its known bits.

:func:`parse_value` reads the text without knowing the descriptor; :meth:`Literal.at` then gives the bits at
a width. A value is never truncated, and no ambiguity is resolved silently: how the text was read is
part of the result. :mod:`smemdesc.reading.pasted` finds the numbers in other text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError, WidthError
from smemdesc.engine.fields import WORD, join_words, ones, twos_complement, word_pair
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.names import PTX_TYPE, VALUE_FORMS

if TYPE_CHECKING:
    from smemdesc.kinds.addresses import RelativeStart

VALUE_BITS = 64
TENSOR_MAP_BITS = 1024
"""The bits of a tensor map, which is wider than any number here."""
UNKNOWN_TEXT = "not a value"
"""The message about unrecognized text."""
_LONGEST_DECIMAL = 40  # far too wide already, and int() refuses thousands of digits

_EDGE = " \t\r\n\v\f\xa0\u200b\ufeff\"'`()[]{}<>,;"
_SUFFIXES = ("_u64", "_i64", "_u32", "_i32", "u64", "i64", "u32", "i32", "ull", "llu", "ul", "lu", "ll", "u", "l")
_PREFIX = {"0x": (4, "0123456789abcdef?", "hexadecimal"), "0b": (1, "01?", "binary"), "0o": (3, "01234567?", "octal")}
_HEX = frozenset("0123456789abcdefABCDEF?")
WIDE_MARKS = str.maketrans("：＝，；／（）［］｛｝「」『』“”‘’｜│┃　", ":=,;/()[]{}()()\"\"''||| ")
"""Marks of other scripts, as chats and documents put them around a value, and those of ASCII."""

# Patterns of text that is not a value: compiled where they are used, since most runs never get there.
_SEPARATED = r"[_'](?=[0-9a-fA-F?])"
_REGISTER = (
    r"(?i)^(?:%[a-z_$][\w$.]*|(?:gdesc|idesc|tmem|desc)\[[^\]]*\]?|U?R(?:Z|\d+)(?:\.\w+)*|U?P(?:T|\d+)|r[ds]?\d+)$"
)
_TMA = r"(?i)^(?:CU_TENSOR_MAP_)?SWIZZLE_(NONE|\d+B)(_ATOM_\w+)?$"
_ENCODING = r"(?i)/\*\s*+0x[0-9a-f]{16}\s*+\*/|0x[0-9a-f]{1,16}\s*+<[^<>\n]*+>:"
_TIME = r"\d{1,2}:\d\d"
_SHIFTS = r"<<|(?<!>)>>(?!>)"
COMMENT = r"/\*[^*]*+\*/"
EXPRESSION = r"<<|>>|\||\*|(?<=[\w)])\s*[+&^~]\s*(?=[\w(])|\w\("


class Literal(NamedTuple):
    """A pasted number.

    ``number`` may be negative (two's complement of the requested width); ``unknown`` is the mask of
    unknown bits; ``width`` is 32 or 64 if the text has that many bits (8 or 16
    hexadecimal digits, two words), else 0.
    """

    text: str
    number: int
    unknown: int
    width: int
    form: str
    note: str = ""
    digits: int = 0
    """The number of hexadecimal digits, 0 if the text is not one hexadecimal number."""
    leading_zero: bool = False
    """Whether the first of them is 0, so that the number of digits was intended."""
    register: str = ""
    """The name that the text gives to a word: a register (``UR4``), a debugger's ``$1``, ``lo``, ``x``, ``desc[0]``."""
    other: str = ""
    """The same digits in the other base, as they are to be typed, where only a rule says which base they have."""
    unread: str = ""
    """What of the text around the value was not used."""
    start: RelativeStart | None = None
    """Its start address as a base and an offset."""
    wide: int = 0
    """The number that a conversion to 32 bits cut off, 0 if none did."""
    called: str = ""
    """What the text around it calls it, as in :mod:`smemdesc.reading.naming`; of a number that stands alone nothing."""
    begin: int = 0
    """Where it, or the first of its words, begins in the text."""

    def at(self, width: int, what: str = "descriptor") -> tuple[int, int]:
        """Return the bits and the mask of known bits at ``width``; :class:`WidthError` if it is too wide."""
        bits = twos_complement(self.number, width)
        if bits is None or self.unknown > ones(width):
            raise WidthError(
                f"the value has {self.bit_length} bits, the {what} has {width}",
                given=self.text,
                span=(0, len(self.text)),
                hint="a value is never truncated: give the digits that belong to it",
            )
        return bits, ones(width) & ~self.unknown

    @property
    def bit_length(self) -> int:
        """The number of bits that the value needs (with its sign bit, if it is negative)."""
        if self.number < 0:
            return (-self.number - 1).bit_length() + 1
        return max(self.number.bit_length(), self.unknown.bit_length())


@lru_cache(maxsize=16)  # who asks whether a text is a value goes on to read it
def parse_value(text: str, *, bare: bool = True) -> Literal:
    """Read one pasted value. :class:`ValueSyntaxError` or :class:`WidthError` gives the place of the error.

    ``bare``: the value stands alone, so that 8 or 16 digits are hexadecimal; else it is a number of some language, and
    hexadecimal only with a prefix or a letter.
    """
    start = len(text) - len(text.lstrip(_EDGE))
    core = text[start:].rstrip(_EDGE)
    if not core:
        what = "the value is empty" if not text.strip() else "no number found"
        raise ValueSyntaxError(what, given=text, span=(0, max(1, len(text))), hint=f"a value looks like {VALUE_FORMS}")
    if len(core) < len(text):
        if re.search(_SHIFTS, text[:start] + " " + text[start + len(core) :]):
            raise _odd(text, core, start)  # an operand was lost, not a bracket left over
        turned = re.search(r"[)\]}]", text[:start]) or re.compile(r"[(\[{<]").search(text, start + len(core))
        if turned and _looks_numeric(core):
            raise _stray(text, turned.start(), "beside a value, and turned away from it")
    bare = bare and ">>>" not in text[:start]  # Python's prompt
    if ":" in core:
        return _two_words(text, core, start, bare)
    literal = _number(text, core, start, bare)
    if literal.unknown and _all_unknown(core):
        hint = "? is one unknown hexadecimal digit (0x40004040????????) or an unknown word (0x40004040:?)"
        raise _error(text, core, start, "no bit of the value is known", hint)
    if literal.bit_length > VALUE_BITS:
        raise _too_wide(text, core, start, literal.bit_length)
    return literal


def is_value(text: str) -> bool:
    """Whether a text is one value, and nothing else."""
    try:
        parse_value(text)
    except SmemdescError:
        return False
    return True


def _all_unknown(core: str) -> bool:
    digits = _without_suffix(core)
    if digits[:2].lower() in _PREFIX:
        digits = digits[2:]
    return set(digits) <= set("?_'")


def _too_wide(text: str, core: str, start: int, bits: int) -> WidthError:
    span = (start, start + len(core))
    if core[:2].lower() == "0x":
        # Point at the digits beyond the sixteenth.
        seen = [i for i, char in enumerate(core) if i >= 2 and char not in "_'"]
        seen = [i for i in seen if core[i] in "0123456789abcdefABCDEF?"]
        span = (start + seen[16], start + seen[-1] + 1) if len(seen) > 16 else span
        if len(seen) == 17:
            return WidthError(
                "17 hexadecimal digits, one more than the widest descriptor has",
                given=text,
                span=span,
                hint="a digit was doubled in pasting, or the value was shifted left by 4: copy it again",
            )
    return WidthError(
        f"the value has {bits} bits, the widest descriptor has {VALUE_BITS}",
        given=text,
        span=span,
        hint="a value is never truncated: it has at most 16 hexadecimal or 20 decimal digits; a tensor map has 256",
    )


def _halves(text: str, core: str, start: int) -> list[str]:
    """Return what stands before and after the colon of ``HI:LO``."""
    parts = core.split(":")
    if ":\t" in core:
        raise _odd(text, core, start)  # an address, as a debugger prints it
    if len(parts) != 2 or not all(part.strip(_EDGE) for part in parts):
        if len(parts) == 2 and _looks_numeric(core) and re.search(r"\d", core):
            hint = "write both 32-bit words as HI:LO, ? for an unknown one"
            raise _error(text, core, start, "one of the two words is missing", hint)
        raise _odd(text, core, start)
    if re.fullmatch(_TIME, core):
        hint = f"two words have a prefix: 0x{parts[0]}:0x{parts[1]}"
        raise _error(text, core, start, "a time, or a line and a column, not two words", hint)
    return parts


def _two_words(text: str, core: str, start: int, bare: bool) -> Literal:
    parts = _halves(text, core, start)
    _check_between(text)
    inner = [part.strip(_EDGE) for part in parts]
    bare = bare and all(map(_may_be_bare_word, inner))
    words: list[tuple[int, int]] = []
    retyped: list[str] = []
    at = start
    for part, word in zip(parts, inner, strict=True):
        place = at + part.index(word)
        if word == "?":
            words.append((0, ones(WORD)))
            retyped.append(word)
        elif not _looks_numeric(word):
            raise _odd(text, word, place)
        else:
            literal = _number(text, word, place, bare)
            bits = twos_complement(literal.number, WORD)
            if bits is None or literal.unknown > ones(WORD):
                raise WidthError(
                    "a word of HI:LO has at most 32 bits",
                    given=text,
                    span=(place, place + len(word)),
                    hint="give a 64-bit value without a colon",
                )
            words.append((bits, literal.unknown))
            has_base = len(word) == 1 or not word.isdigit()
            retyped.append(word if has_base else f"+{word}" if bare else f"0x{word}")
        at += len(part) + 1
    (high, high_unknown), (low, low_unknown) = words
    unknown = join_words(high_unknown, low_unknown)
    if unknown == ones(VALUE_BITS):
        raise _error(text, core, start, "no bit of the value is known", "give at least one of the two words")
    form = "two 32-bit words, high word first"
    too_long = any(len(word) > _WORD_DIGITS for word in inner if word.isdigit())
    octal = bare and any(re.match(r"0+[1-9]\d*$", word) for word in inner)
    correction = "" if retyped == inner or too_long or octal else ":".join(retyped)
    return Literal(text, join_words(high, low), unknown, VALUE_BITS, form, other=correction)


def _check_between(text: str) -> None:
    """Raise an error where a quotation mark or a bracket around the colon of ``HI:LO`` does not belong to its word."""
    colon = text.index(":")
    high, low = text[:colon].rstrip(), text[colon + 1 :].lstrip()
    for half, at in ((high, len(high) - 1), (low[::-1], len(text) - len(low))):
        outer, inner = half[: len(half) - len(half.lstrip(_EDGE))], half[len(half.rstrip(_EDGE)) :]
        if not "".join(outer.split()).endswith("".join(inner.split())[::-1].translate(_MIRRORED)):
            raise _stray(text, at, "between the two words")


_MIRRORED = str.maketrans("()[]{}<>", ")(][}{><")


def _stray(text: str, at: int, where: str) -> ValueSyntaxError:
    hint = "copy the value again: a digit may have been replaced"
    return _error(text, text[at], at, f"{text[at]!r} is {where}", hint)


_WORD_DIGITS = 8


def _may_be_bare_word(word: str) -> bool:
    """Whether a word of ``HI:LO`` leaves it open that the digits of both are hexadecimal: it has eight of them, or one,
    which is the same number in both bases, or a prefix or a letter, so that it is."""
    digits = _joined(word)
    return len(digits) in (1, _WORD_DIGITS) or not _without_suffix(digits.lstrip("+-")).isdigit()


def _looks_numeric(text: str) -> bool:
    core = text.strip(_EDGE)
    return bool(core) and bool(re.match(r"(?i)^[+-]?(?:0[xbo])?[0-9a-f?]", core)) and " " not in core.strip()


def _number(text: str, core: str, start: int, bare: bool) -> Literal:
    """Read one number of a text, at ``start``."""
    sign = core[0] if core[0] in "+-" else ""
    body = core[len(sign) :]
    stripped = _without_suffix(body)
    at = start + len(sign)
    if stripped[:2].lower() in _PREFIX and not _is_bare_hex(stripped):
        return _with_prefix(text, sign, stripped, at)
    plain = _joined(stripped)
    if plain.isascii() and plain.isdigit():
        has_suffix = len(stripped) < len(body)
        ambiguous = not sign and not has_suffix and len(plain) in (_WORD_DIGITS, 2 * _WORD_DIGITS)
        if ambiguous and bare:
            return _as_hexadecimal(text, plain)
        other = f"0x{plain}" if ambiguous else ""
        return _decimal(text, sign, plain, (at, at + len(stripped)))._replace(other=other)
    if not sign and plain and _HEX.issuperset(plain) and _is_number(plain, bare) and not _is_name(plain):
        return _hexadecimal(text, plain, "hexadecimal, no prefix")
    raise _odd(text, core, start)


def _with_prefix(text: str, sign: str, stripped: str, at: int) -> Literal:
    """Read a number with ``0x``, ``0o`` or ``0b`` at ``at``, after its sign."""
    bits, alphabet, form = _PREFIX[stripped[:2].lower()]
    if sign == "-":
        hint = "write the bits, or a signed decimal number"
        raise _error(text, sign, at - len(sign), f"a {form} value has no sign", hint)
    plain = _digits(text, stripped[2:], at + 2, alphabet, f"{form} digit")
    if bits == 4:
        return _hexadecimal(text, plain, form)
    number, unknown = _with_unknown(plain, bits)
    return Literal(text, number, unknown, _fitting(len(plain) * bits), form)


def _hexadecimal(text: str, digits: str, form: str) -> Literal:
    number, unknown = _with_unknown(digits.lower(), 4)
    width = _fitting(4 * len(digits))
    return Literal(text, number, unknown, width, form, digits=len(digits), leading_zero=digits[:1] == "0")


def _fitting(width: int) -> int:
    """Return the bits of some digits if a word or a descriptor has as many; else 0."""
    return width if width in (WORD, VALUE_BITS) else 0


def _as_hexadecimal(text: str, plain: str) -> Literal:
    """Return 8 or 16 digits that stand alone as hexadecimal ones."""
    note = (
        f"{len(plain)} digits without a letter are read as hexadecimal; "
        f"as a decimal number write +{int(plain)} (0x{int(plain):x})"
    )
    other = "" if _is_octal(plain) else f"+{plain}"
    return _hexadecimal(text, plain, f"hexadecimal, {len(plain)} digits")._replace(note=note, other=other)


def _is_octal(plain: str) -> bool:
    """Whether a decimal number would be octal in C."""
    return len(plain) > 1 and plain[0] == "0" and plain.strip("0") != ""


def _decimal(text: str, sign: str, plain: str, span: tuple[int, int]) -> Literal:
    if _is_octal(plain):
        digits = plain.lstrip("0")
        octal = f"0o{digits}, " if set(digits) <= set("01234567") else ""
        hint = f"write {octal}0x{digits} or {digits}"
        raise _error(text, plain[0], span[0], "a leading zero: octal in C, decimal elsewhere", hint)
    if len(plain) > _LONGEST_DECIMAL:
        raise WidthError(
            f"a decimal number of {len(plain)} digits; the widest descriptor has {VALUE_BITS} bits, 20 digits",
            given=text,
            span=span,
            hint="a value is never truncated",
        )
    if sign == "-":
        return Literal(text, -int(plain), 0, 0, "signed decimal, two's complement")
    return Literal(text, int(plain), 0, 0, "decimal")


def _is_number(digits: str, bare: bool) -> bool:
    """Whether hexadecimal digits without a prefix are a number, not a word of letters that happen to be digits."""
    return len(digits) in (_WORD_DIGITS, 2 * _WORD_DIGITS) or (bare and not digits.isalpha())


def _is_name(digits: str) -> bool:
    """Whether hexadecimal digits are the name of a swizzle mode or of a type: ``128B``, ``bf16``."""
    return digits.upper() in MODE or re.fullmatch(PTX_TYPE, digits) is not None


def _without_suffix(text: str) -> str:
    lower = text.lower()
    if not ("u" in lower or "l" in lower or "i" in lower):
        return text
    return next((text[: -len(suffix)] for suffix in _SUFFIXES if lower.endswith(suffix)), text)


def _joined(text: str) -> str:
    """Return the text without the separators between its digits."""
    return re.sub(_SEPARATED, "", text) if "_" in text or "'" in text else text


def _is_bare_hex(text: str) -> bool:
    # 0b and 0B begin binary numbers and bare hexadecimal ones alike; only digits beyond 0 and 1 tell.
    plain = _joined(text)
    return (
        plain[:2].lower() == "0b"
        and len(plain) in (8, 16)
        and _HEX.issuperset(plain)
        and not set(plain[2:]) <= set("01?")
    )


def _digits(text: str, digits: str, at: int, alphabet: str, noun: str) -> str:
    """Return the digits in lower case without separators; point at the first that is none."""
    if digits.isascii() and digits and not digits.lower().strip(alphabet):
        return digits.lower()
    out: list[str] = []
    for i, char in enumerate(digits):
        if char in "_'" and out and i + 1 < len(digits):
            continue
        if char.lower() not in alphabet or not char.isascii():
            legal = {"hexadecimal": "0-9 and a-f", "binary": "0 and 1", "octal": "0-7"}[noun.split()[0]]
            if re.search(r"\s", text.strip()) or re.search(EXPRESSION, text):
                raise _odd(text, text, 0)
            hint = "put a space between values" if char in ",;" else f"the digits are {legal}, ? for an unknown one"
            raise _error(text, char, at + i, f"{char!r} is not {'an' if noun[0] == 'o' else 'a'} {noun}", hint)
        out.append(char.lower())
    if not out:
        raise _error(
            text, text[at - 2 : at], at - 2, f"no {noun} follows the prefix", f"a value looks like {VALUE_FORMS}"
        )
    return "".join(out)


def _with_unknown(digits: str, bits: int) -> tuple[int, int]:
    base = {1: 2, 3: 8, 4: 16}[bits]
    top = format(base - 1, "x")
    number = int(digits.replace("?", "0"), base)
    unknown = int("".join(top if digit == "?" else "0" for digit in digits), base) if "?" in digits else 0
    return number, unknown


def _odd(text: str, core: str, start: int) -> ValueSyntaxError:
    """Say what the text is, where it is no value."""
    word = core.strip(_EDGE)
    if re.match(_REGISTER, word):
        hint = (
            "give the constant moved into it (UMOV UR5, 0x40004040; mov.b64 %rd1, ...); `smemdesc scan` follows "
            "registers through a dump"
        )
        return _error(text, core, start, "the name of a register, not its value", hint)
    tma = re.match(_TMA, word)
    if tma:
        name = word.upper() if word.upper().startswith("CU_") else "CU_TENSOR_MAP_" + word.upper()
        codes = next((mode for mode in MODES if mode.tma == name), None)
        numbers = (
            f"{name} = {codes.tma_code} is {codes.name}: code {codes.codes('tcgen05', 'wgmma')}"
            + f"; smemdesc encode ... --swizzle {codes.name}"
            if codes
            else "no descriptor has this mode"
        )
        return _error(text, core, start, "a TMA tensor-map enumeration, not a descriptor", numbers)
    code = without_encodings(text)
    if code != text and not code.strip():
        hint = "give the constant in the instruction; `smemdesc scan` reads whole dumps"
        return _error(
            text, core, start, "the encoding of an instruction as a disassembler prints it, not a value", hint
        )
    if re.search(EXPRESSION, re.sub(COMMENT, "", text)):
        return _error(text, core, start, "an expression, not a value", "give the number that it evaluates to")
    from smemdesc.reading.words import typed_word  # most runs never get here

    known = typed_word(word) if word == text.strip(_EDGE) and len(word.split()) == 1 else None
    if known is not None:
        return _error(text, core, start, f"{known.what}, not a value", known.meant)
    if word.count(":") > 1 and not re.search(r"[^\w:?]", word):
        return _error(text, core, start, "more than one colon", "two 32-bit words are HI:LO")
    begin = 2 if word[:2].lower() in _PREFIX else 0
    bad = next((i for i, char in enumerate(word) if i >= begin and char.lower() not in "0123456789abcdef?_'+-"), 0)
    at = start + core.index(word) + bad
    is_prose = text[at : at + 1].isspace() and re.search(r"\s\W?[A-Za-z]*[g-zG-Z]{2}", text[at:])
    if re.match(r"(?i)^[+-]?[0-9]", word) and not is_prose:
        return _error(text, text[at], at, f"{text[at]!r} is not a digit", "decimal digits, or 0x and hexadecimal ones")
    return _error(text, core, start, UNKNOWN_TEXT, f"a value looks like {VALUE_FORMS}")


def _error(text: str, part: str, start: int, message: str, hint: str) -> ValueSyntaxError:
    """Return an error about a part of the text."""
    return ValueSyntaxError(message, given=text, span=(start, start + len(part)), hint=hint)


def without_encodings(text: str) -> str:
    """Return a text with the encodings and addresses that disassemblers print replaced by blanks."""
    return re.sub(_ENCODING, lambda match: " " * len(match[0]), text)


def to_hex(value: int, known: int, width: int) -> str:
    """Return hexadecimal text of full width, ``?`` for an unknown digit; a tensor map in memory order.

    If a digit is known in part, the text is binary, so that no known bit is lost; in a tensor map it is ``?``.
    """
    if width > VALUE_BITS:
        value, known = (int.from_bytes(bits.to_bytes(width // 8, "little"), "big") for bits in (value, known))
    elif known != ones(width) and not set(f"{known:x}") <= {"0", "f"}:
        pairs = zip(f"{value:0{width}b}", f"{known:0{width}b}", strict=True)
        return "0b" + "".join(digit if full == "1" else "?" for digit, full in pairs)
    return digits(value, known, width)


def digits(value: int, known: int, width: int) -> str:
    """Return hexadecimal text of full width, ``?`` for each digit that is not fully known."""
    count = width // 4
    if known == ones(width):
        return f"0x{value:0{count}x}"
    pairs = zip(f"{value:0{count}x}", f"{known:0{count}x}", strict=True)
    return "0x" + "".join(digit if mask == "f" else "?" for digit, mask in pairs)


def by_words(value: int, known: int, width: int) -> str:
    """Return a value to be typed that loses no known bit: hexadecimal, and binary in a word with a digit that is known
    in part; then 64 bits are ``HI:LO``, with ``?`` for an unknown word."""
    text = to_hex(value, known, width)
    if width == WORD or text[:2] == "0x":
        return text
    pairs = zip(word_pair(value), word_pair(known), strict=True)
    return ":".join(to_hex(word, mask, WORD) if mask else "?" for word, mask in pairs)


def whole_digits(known: int, width: int) -> int:
    """Return the mask of the hexadecimal digits that are known in full."""
    return int("".join(digit if digit == "f" else "0" for digit in f"{known:0{width // 4}x}"), 16)
