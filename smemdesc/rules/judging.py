"""The rules of each kind, and the loop that applies them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from smemdesc.engine.fields import Reading
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.rules.base import ERROR, Finding, Rule, worst_first
from smemdesc.rules.causes import of_one_value

_RULES: dict[tuple[str, bool, bool], tuple[Rule, ...]] = {}


def rules_for(kind: Kind, whole: bool = False, tiled: bool = False) -> tuple[Rule, ...]:
    """Return the rules that apply to a kind, those made from its table first.

    ``whole``: with those that look at every address, for which the whole case (type, major-ness, shape) has to
    be known. ``tiled``: with those that compare the descriptor with the tile around it.
    """
    key = kind.table.name, whole, tiled
    found = _RULES.get(key)
    if found is None:
        found = _RULES[key] = (
            *_from_table(kind),
            *_by_hand(kind),
            *(_addresses(kind) if whole else ()),
            *(_tiles(kind) if tiled else ()),
        )
    return found


def _addresses(kind: Kind) -> tuple[Rule, ...]:
    if kind.name not in SMEM_KINDS:
        return ()
    from smemdesc.rules import addresses

    return addresses.rules(kind)


def _tiles(kind: Kind) -> tuple[Rule, ...]:
    if kind.name not in SMEM_KINDS:
        return ()
    from smemdesc.rules import tiles

    return tiles.rules(kind)


def _from_table(kind: Kind) -> Iterable[Rule]:
    from smemdesc.rules import rows

    return rows.rules(kind)


def _by_hand(kind: Kind) -> tuple[Rule, ...]:
    # Imported by kind: a run that decodes a shared-memory descriptor loads no instruction rules.
    if kind.name == "idesc":
        from smemdesc.rules import instruction

        return instruction.rules(kind)
    if kind.name == "mask":
        from smemdesc.rules import zero_columns

        return zero_columns.RULES
    from smemdesc.rules import shared_memory

    return shared_memory.rules(kind)


def judge(kind: Kind, readings: Mapping[str, Reading], context: Context = NOTHING) -> tuple[Finding, ...]:
    """Return what the rules of ``kind`` find, worst first."""
    return worst_first(
        of_one_value(
            finding
            for each in rules_for(kind, context.whole, context.tiled)
            for finding in each.ask(kind, readings, context)
        )
    )


def against(kind: Kind, readings: Mapping[str, Reading]) -> tuple[int, int]:
    """Return how many errors, and how many doubts, speak against ``readings`` being a ``kind`` at all."""
    errors = doubts = 0
    for each in rules_for(kind):
        for finding in each.ask(kind, readings, NOTHING):
            if finding.severity == ERROR:
                errors += 1
            elif each.doubt:
                doubts += 1
    return errors, doubts
