"""The blocks of a function of PTX, and which may follow which."""

from __future__ import annotations

import re
from collections.abc import Container

from smemdesc.scanning.causes import NEVER_RETURN
from smemdesc.scanning.ptx.body import Body, Item
from smemdesc.scanning.ptx.lower import BRANCH, CALL
from smemdesc.scanning.ssa import Block

_MARK = re.compile(r"\$L__(?:tmp|func_begin|func_end|info)|\$?Ltmp\d+$")
"""Labels that compilers write for debuggers."""
_CALLED = re.compile(r"\s*+(?:\([^)]*+\)\s*+,\s*+)?([\w$]++)\s*+(?:,|$)")
"""The function that a call names."""


def control_flow(body: Body, never: Container[str] = NEVER_RETURN, assumed: bool = False) -> list[Block]:
    """Cut a function into blocks at its branches and their targets, without steps; ``at`` counts its items.

    ``never`` are functions that do not return. ``assumed``: nothing that is missing jumps to what is there (no blocks:
    nothing is missing). A block that is entered because the function is cut off says so by the number of items.
    """
    items = body.items
    if assumed and body.whole:
        return []
    branches: dict[int, list[int] | None] = {
        index: _targets(item) for index, item in enumerate(items) if _branches(item, never)
    }
    starts = {0}
    aimed: set[int] = set()
    for index, targets in branches.items():
        starts.add(index + 1)
        aimed.update(targets or ())
    starts |= aimed
    entries = {0}
    # Out of a fragment a branch may well lead; in a whole function it may lead to any label.
    lost = body.whole and None in branches.values()
    if lost or not body.whole:
        # What was cut off may jump to any label, and does to one that nothing here jumps to; a pasted fragment is taken
        # for what it shows.
        every = lost or (body.cut and not assumed)
        entries |= {
            index
            for index, item in enumerate(items)
            if item.role is None and (every or index not in aimed) and not _MARK.match(item.mnemonic)
        }
        starts |= entries
    ordered = sorted(start for start in starts if start < len(items))
    number = {start: place for place, start in enumerate(ordered)}
    blocks = [Block(start) for start in ordered]
    for start in entries & set(number):
        block = blocks[number[start]]
        block.entry, block.because = True, len(items) if body.cut and start else None
    ended = [False] * len(blocks)
    for index, targets in branches.items():
        after = number.get(index + 1)
        here = (after if after is not None else len(blocks)) - 1
        if targets is not None:
            blocks[here].following += [number[target] for target in targets]
        ended[here] = not items[index].guard
    for place, block in enumerate(blocks):
        if not ended[place] and place + 1 < len(blocks):
            block.following.append(place + 1)
        if lost:
            block.entry = True  # a jump may lead anywhere
    return blocks


def _branches(item: Item, never: Container[str]) -> bool:
    called = _CALLED.match(item.rest) if item.role is CALL else None
    return item.role is BRANCH or (called is not None and called[1] in never)


def _targets(item: Item) -> list[int] | None:
    """Return the items that a branch may go to; None where that is not known."""
    name = item.mnemonic.partition(".")[0]
    if name not in ("bra", "brx"):
        return []
    line = item.line()
    if name == "bra":
        labels = line.operands[:1]
    else:
        labels = (item.scope.table(line.operands[1]) if len(line.operands) > 1 else None) or ()
    found = [item.scope.label(each) for each in labels]
    if not found or None in found:
        return None
    return [each for each in found if each is not None]
