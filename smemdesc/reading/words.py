"""Names typed where a value belongs: what each one is, and the command that is probably meant.

Names of types, modes, kinds and architectures are those of :mod:`smemdesc.kinds`. Some of them consist of hexadecimal
digits only (``bf16``, ``128B``): alone they are never numbers.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.aliases import ARCH_ALIASES, SEVERAL_DTYPES, kind_alias, mode_alias
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import ARCHS, KINDS, LOAD_SHAPES, MMA_KINDS, PTX_TYPE, SMEM_KINDS
from smemdesc.kinds.types import dtype_of


class TypedWord(NamedTuple):
    """A name that is no value."""

    what: str
    """What it is: ``a type``."""
    meant: str
    """The command, or the commands, to type."""


_SHAPE = r"\d{1,5}x\d{1,5}(?:x\d{1,5})?"


def typed_word(word: str) -> TypedWord | None:
    """Return what a name is that is no value; None if it is none of these."""
    lower = word.lower()
    number = f"; the number is 0x{lower}" if re.fullmatch(r"[\da-f]++", lower) else ""
    mode = mode_alias(word)
    if mode in MODE:
        return TypedWord("a swizzle mode", f"smemdesc layout atom {mode} draws it{number}")
    if re.fullmatch(_SHAPE, lower):
        if lower.count("x") == 1:
            row = 2 * int(lower.partition("x")[2])  # bytes of bf16 along K
            widest = next((name for name in ("128B", "64B", "32B") if row % int(name[:-1]) == 0), "none")
            return TypedWord("a shape", f"smemdesc layout tile {lower} bf16 --swizzle {widest}")
        return TypedWord("a shape", f"smemdesc plan {lower} bf16")
    if lower in LOAD_SHAPES:
        return TypedWord("a shape of tcgen05.ld", f"smemdesc layout tmem --m 128 --n 64 --ld {lower}")
    return _of_kinds(word, number)


def _of_kinds(word: str, number: str) -> TypedWord | None:
    """Return what a kind, a type or an architecture means."""
    kind = kind_alias(word)
    if word.lower() in ARCHS or word.lower() in ARCH_ALIASES:
        return TypedWord("an architecture", f"smemdesc plan 128x128x64 bf16 --arch {word.lower()}")
    if kind in KINDS:
        checked = ", smemdesc mma A B IDESC checks an instruction" if kind in SMEM_KINDS else ""
        return TypedWord(
            "a kind", f"smemdesc encode {kind} builds one, smemdesc fields {kind} lists its fields{checked}"
        )
    operand = SEVERAL_DTYPES.get(word.lower(), (word.lower(),))[0]
    with suppress(SmemdescError):
        dtype_of(operand)
        return TypedWord("a type", f"smemdesc plan 128x128x64 {operand}{number}")
    if word.lower() in MMA_KINDS:
        return TypedWord("an MMA kind", f"smemdesc fields --mma-kind {word.lower()} lists its fields")
    if re.fullmatch(PTX_TYPE, word):
        return TypedWord("a type", f"smemdesc fields idesc lists the types of an MMA{number}")
    return None
