"""The kernel that the debugger has stopped, as one picture: its shared memory, with the maps that are in memory now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from smemdesc.debugger.maps import PlacedMap, list_maps, map_at
from smemdesc.debugger.questions import Session, ask
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import CodeOffset
from smemdesc.instructions.mma import Judge
from smemdesc.scanning.languages.sass.live_listing import live_functions
from smemdesc.scanning.languages.sass.text import instruction_offset
from smemdesc.scanning.model import Function
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.results.selection import Choice
from smemdesc.tiles.tensor_map import CopiedBox, copied


class DebuggedKernel(NamedTuple):
    """The function that the focused thread is in, and why its shared memory is not shown. Its lines are offsets."""

    function: Function
    missing: str
    every: bool
    """Whether to list each instruction."""


def shared_session(*words: str) -> Session:
    """Show the shared memory of the kernel: ``smemdesc shared [--map NAME=EXPRESSION] [--all]``."""
    named = _named([word for word in words if word != "--all"])
    at = yield from ask("where")
    placed, elsewhere = yield from list_maps()
    boxes = _boxes(placed)
    for name, expression in named.items():
        boxes[name] = copied((yield from map_at(expression)).candidates[0].fields)
    text = (yield from ask("listing"))["text"]
    arch = at["arch"] and f"{at['arch']}a"
    function = next(_functions(text, arch, tuple(boxes.items())), None)
    if function is None:
        raise SmemdescError(
            f"{at['function'] or 'this function'} has no tensor-core instruction",
            hint="smemdesc next runs on to the first kernel that has one",
        )
    maps = () if function.shared is None else function.shared.maps
    unused = named.keys() - {each.name for each in maps} - set(map(str, range(len(maps))))
    if unused:
        raise SmemdescError(f"no copy uses a map at {min(unused)}", hint="smemdesc shared lists the maps")
    copies = (*elsewhere, *(copy for map in placed for copy in map.copies))
    missing = _OTHER_CTAS if any(copy.is_load for copy in copies) else _NO_COPY
    yield DebuggedKernel(function, missing if function.shared is None else "", "--all" in words)


_NO_COPY = "no tensor map fills its shared memory: smemdesc operand a shows what is there"
_OTHER_CTAS = "its shared memory is not judged: other CTAs write there, or complete on its barriers"
_EXAMPLE = "smemdesc shared --map 0=map_a; smemdesc shared lists the maps"


def _named(words: Sequence[str]) -> dict[str, str]:
    """Read ``--map NAME=EXPRESSION``, once or more."""
    before, *pairs = re.split(r"(?:^|\s)--map(?!\S)", " ".join(words))
    maps = {name.strip(): text.strip() for name, _, text in (pair.partition("=") for pair in pairs)}
    if before.strip() or not all(map(all, maps.items())):
        wrong = f"{before.strip()}: not an option here" if before.strip() else "which tensor map, and where?"
        raise SmemdescError(wrong, hint=_EXAMPLE)
    return maps


def _boxes(placed: Iterable[PlacedMap]) -> dict[str, CopiedBox]:
    """Return what the maps copy, by the names that a scan has for their addresses."""
    boxes = {}
    for map in placed:
        with suppress(SmemdescError):  # a map of which not all is known, or that no driver writes: smemdesc map says so
            box = copied(map.map.candidates[0].fields)
            boxes.update({copy.map_name: box for copy in map.copies})
    return boxes


def _functions(text: str, arch: str, maps: GivenMaps) -> Iterator[Function]:
    """Yield the functions with tensor-core instructions of a listing, as they are judged."""
    choice, judge = Choice(arch=arch or None), Judge()
    for listed in live_functions(text.encode(), 1):
        offsets = [instruction_offset(line.encode()) for line in listed.instructions]
        by_offset = listed._replace(lines=tuple([CodeOffset(offset or 0) for offset in offsets]), sources=())
        for function in by_offset.analysed(arch or None, maps):
            mmas = tuple([mma._replace(printed=True) for mma in function.mmas])
            yield from choice.of(function._replace(mmas=mmas), judge)[0].functions
