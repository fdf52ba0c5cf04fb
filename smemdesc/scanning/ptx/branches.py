"""The blocks of a function of PTX, and which may follow which."""

from __future__ import annotations

import re

from smemdesc.scanning.flow import Block
from smemdesc.scanning.ptx.meaning import BRANCH
from smemdesc.scanning.ptx.reading import Body, Item

_MARK = re.compile(r"\$L__(?:tmp|func_begin|func_end|info)|\$?Ltmp\d+$")
"""Labels that compilers write for debuggers."""


def control_flow(body: Body) -> list[Block]:
    """Cut a function into blocks at its branches and their targets, without steps; ``at`` counts its items."""
    items = body.items
    branches: dict[int, list[int] | None] = {
        index: _targets(item) for index, item in enumerate(items) if item.role is BRANCH
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
        # What was cut off may jump to the labels that nothing here jumps to.
        entries |= {
            index
            for index, item in enumerate(items)
            if item.role is None and (lost or index not in aimed) and not _MARK.match(item.mnemonic)
        }
        starts |= entries
    ordered = sorted(start for start in starts if start < len(items))
    number = {start: place for place, start in enumerate(ordered)}
    blocks = [Block(start) for start in ordered]
    for start in entries & set(number):
        blocks[number[start]].entry = True
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
