"""One function's shared memory: its facts, its tiles, and its MMAs with what contradicts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smemdesc.kinds.instruction import Instruction
from smemdesc.scanning.analysis.starts import LinearAddress
from smemdesc.scanning.model import ScannedMma
from smemdesc.scanning.shared_memory.facts import SharedFacts
from smemdesc.scanning.shared_memory.judging import Judgment
from smemdesc.scanning.shared_memory.reading import operand_read, read_tiles
from smemdesc.tiles.tensor_map import CopiedBox


def with_shared_memory(
    mmas: Sequence[ScannedMma], starts: Mapping[tuple[int, str], LinearAddress], facts: SharedFacts
) -> tuple[ScannedMma, ...]:
    """Return MMAs with the maps that write their tiles; after them, the other instructions with a contradiction.

    ``starts``: the start addresses of A and of B, by the number of the MMA and the operand.
    """
    reads = [operand_read(number, mmas[number], name, at) for (number, name), at in starts.items()]
    judgment = Judgment(facts, read_tiles(filter(None, reads), mmas), mmas)
    boxes: dict[tuple[int, str], set[CopiedBox | None]] = {}
    for copy in judgment.copies:
        found = judgment.tile_of[copy.item.number]
        for read in found[0].reads if found is not None else ():
            boxes.setdefault((read.mma, read.name), set()).add(copy.box)
    one = {key: next(iter(of)) for key, of in boxes.items() if len(of) == 1}
    judged = [mma._replace(maps=(one.get((at, "a")), one.get((at, "b")))) for at, mma in enumerate(mmas)]
    arch = mmas[0].arch if mmas else None
    for access, cases in judgment.cases().values():
        name = access.text.split()[access.text.startswith("@")].partition(".")[0]
        instruction = Instruction(name, accessed=(0, 0))
        nothing = ScannedMma(access.line, access.text, instruction, None, None, None, None)
        judged.append(nothing._replace(arch=arch, shared=tuple(cases)))
    return tuple(judged)
