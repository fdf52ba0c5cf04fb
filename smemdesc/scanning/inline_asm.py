"""MMAs written as inline PTX in a call of LLVM IR or MLIR: the string is read as PTX, with what goes into it.

The operands become registers. Those of which something is known are given it by PTX instructions put before the
text, so that the front end for PTX follows them through whatever the string does with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.answers import Held, fields_mask, provided
from smemdesc.scanning.model import Function, Mma, Operand, Origin, Provided

MARKS = ("wgmma.mma_async", "tcgen05.mma", "tcgen05.cp")
"""Texts without which a string has no MMA."""

_PLACE = re.compile(r"\$(?:(\d{1,4})|\{(\d{0,4})(?::\w+)?\}|([$]))", re.A)
_REGISTER = re.compile(r"%smemdesc_(\d{1,4})\b", re.A)
_TIED = re.compile(r"[0-9]{1,4}")
_TYPES = {"r": "b32", "l": "b64", "h": "b16", "f": "f32", "d": "f64", "b": "pred", "q": "b128", "c": "b16"}
_WIDTHS = {"r": 32, "l": 64}
_LITERALS = frozenset("niIs")
_MOST = 64
"""Operands that are asked, one after the other, what the string makes of them where additions do not carry."""
_LONGEST = 300
"""Letters of an operand that are shown."""


class Given(NamedTuple):
    """An argument of the call: its text, and what is known of it."""

    text: str
    held: Held


class _Place(NamedTuple):
    """What ``$N`` stands for."""

    register: int
    """The number in the name of its register: its own, or that of the output it shares one with."""
    kind: str
    """The letter of its constraint."""
    given: Given | None
    """None for an output."""


def unread(text: str, why: str) -> str:
    """Return what is said of a tensor-core instruction of compiler IR that is not understood."""
    return f"{text}: {why}; scan its PTX or SASS"


def mmas(
    asm: str, constraints: str, given: Sequence[Given], line: int, arch: str | None
) -> tuple[list[Mma], int, tuple[str, ...]]:
    """Return the MMAs in a string, how many of its lines were not understood, and what is to be said of such MMAs.

    ``line`` is the line of the call; lines in what is given count like it.
    """
    places = _places(constraints, given)
    found = _read(_as_ptx(asm, places), arch)
    if found is None:
        return [], 0, ()
    function, first = found
    made = []
    stepped = list(_stepped(asm, places, arch))
    for index, mma in enumerate(function.mmas):
        a, b, idesc, mask = (_operand(each, first, line, places) for each in (mma.a, mma.b, mma.idesc, mma.mask))
        for said, others in stepped:
            a, b = (
                _provided(ours, theirs, said, mma.instruction.family)
                for ours, theirs in zip((a, b), others[index], strict=True)
            )
        made.append(mma._replace(line=line, text=_shown_in(mma.text, places), a=a, b=b, idesc=idesc, mask=mask))
    wrong = tuple(
        unread(_shown_in(text, places), "inline PTX: operands are missing, or its name is unknown")
        for _, text in function.unread
    )
    return made, function.odd, wrong


def _stepped(
    asm: str, places: list[_Place], arch: str | None
) -> Iterator[tuple[Provided, list[tuple[Operand | None, Operand | None]]]]:
    """Yield, of each operand of which additions may change a start address only, what A and B were if they do."""
    asked = (place for place, each in enumerate(places) if each.given is not None and each.given.held.provided)
    for place in islice(asked, _MOST):
        each = places[place]
        given = each.given
        assert given is not None
        said = given.held.provided
        assert said is not None
        more = said.known & ~given.held.known
        bits, known = given.held.bits | said.bits & more, given.held.known | more
        of = each._replace(given=given._replace(held=given.held._replace(bits=bits, known=known)))
        found = _read(_as_ptx(asm, [*places[:place], of, *places[place + 1 :]]), arch)
        if found is not None:
            yield said, [(mma.a, mma.b) for mma in found[0].mmas]


def _provided(ours: Operand | None, theirs: Operand | None, said: Provided, family: str) -> Operand | None:
    """Add to an operand what it would be where the additions are what is ``said`` of them."""
    if ours is None or theirs is None or ours.provided is not None:
        return ours
    if fields_mask(family) & ~ones(WORD) & ~theirs.known:
        return ours  # nothing tells that it is a descriptor
    return provided(ours, Provided(theirs.bits, theirs.known, said.additions), family)


def _places(constraints: str, given: Sequence[Given]) -> list[_Place]:
    places: list[_Place] = []
    arguments: Iterator[Given] = iter(given)
    for constraint in constraints.split(","):
        constraint = constraint.strip()
        if constraint.startswith("~"):
            continue
        kind = constraint.lstrip("=+&%*")[:1]
        if constraint.startswith("=") and "*" not in constraint:
            places.append(_Place(len(places), kind, None))
            continue
        argument = next(arguments, None)
        number = constraint.lstrip("&%*")
        if _TIED.fullmatch(number) and int(number) < len(places):
            tied = places[int(number)]
            places.append(_Place(tied.register, tied.kind, argument))
        else:
            places.append(_Place(len(places), kind, argument))
    return places


_BEFORE = 3
"""Lines that give one operand what is known of it."""


def _as_ptx(asm: str, places: list[_Place]) -> str:
    """Return the text of a PTX function: the declarations, three lines for each of ``places``, then the string."""
    declared = [f".reg .{_TYPES.get(place.kind, 'b32')} %smemdesc_{i};" for i, place in enumerate(places)]
    lines = [
        ".visible .entry smemdesc()",
        "{",
        " ".join(declared),
    ]
    for place in places:
        width = _WIDTHS.get(place.kind)
        if place.given is None or width is None:
            lines += [""] * _BEFORE
            continue
        bits, known = place.given.held[:2]
        name = f"%smemdesc_{place.register}"
        full = ones(width)
        if known & full == full:
            lines += [f"mov.b{width} {name}, {bits & full};", "", ""]
        else:
            lines += [
                f"ld.b{width} {name}, [0];",
                f"and.b{width} {name}, {name}, {full & ~known};",
                f"or.b{width} {name}, {name}, {bits & known & full};",
            ]
    return "\n".join((*lines, _PLACE.sub(lambda match: _named(match, places), asm), "}"))


_PREAMBLE = 3
"""Lines before those that give the operands what is known of them."""


def _named(match: re.Match[str], places: list[_Place]) -> str:
    if match[3]:
        return "$"
    number = match[1] or match[2]
    if not number or int(number) >= len(places):
        return "0"
    place = places[int(number)]
    if place.kind in _LITERALS and place.given is not None:
        bits, known = place.given.held[:2]
        return str(bits) if known else "%smemdesc_unknown"
    return f"%smemdesc_{place.register}"


@lru_cache(maxsize=4096)
def _read(text: str, arch: str | None) -> tuple[Function, int] | None:
    from smemdesc.scanning import ptx

    function = ptx.analyse(text.encode("utf-8", "replace"), 1, None, arch, None)
    return None if function is None else (function, 1 + _PREAMBLE)


def _shown(register: int, places: list[_Place]) -> str:
    """Return the text of an operand; an output has none of its own."""
    if register < len(places) and (given := places[register].given) is not None:
        return given.text if len(given.text) <= _LONGEST else given.text[: _LONGEST - 3] + "..."
    return f"${register}"


def _shown_in(text: str, places: list[_Place]) -> str:
    return _REGISTER.sub(lambda match: _shown(int(match[1]), places), text)


def _operand(operand: Operand | None, first: int, line: int, places: list[_Place]) -> Operand | None:
    if operand is None:
        return operand

    def given(at: int) -> Held | None:
        place = (at - first) // _BEFORE
        if not 0 <= place < len(places):
            return None
        known = places[place].given
        return Held() if known is None else known.held

    lost = operand.lost
    if lost is not None:
        known = given(lost)
        lost = line if known is None else known.lost
    said = operand.provided
    if said is not None:
        additions = {each._replace(line=line, text="", term=_shown_in(each.term, places)) for each in said.additions}
        said = said._replace(additions=tuple(sorted(additions)))
    origins = tuple(_origins(operand.origins, given, line))
    return operand._replace(lost=lost, lost_text="", lost_why=None, origins=origins, provided=said)


def _origins(origins: Sequence[Origin], given: Callable[[int], Held | None], line: int) -> Iterator[Origin]:
    """Yield the lines outside of the string that wrote what it uses."""
    for each in origins:
        known = given(each.line)
        if known is None:
            yield Origin(line, each.mask, "", each.moved)
            continue
        for (at, moved), mask in known.sources.items():
            mask = (mask << each.moved if each.moved >= 0 else mask >> -each.moved) & each.mask
            if mask:
                yield Origin(at, mask, "", moved + each.moved)
