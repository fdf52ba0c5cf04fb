"""The rules of each kind, and the loop that applies them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.rules.asks import NEEDS_ADDRESSES, TILE
from smemdesc.rules.base import Finding, Rule, worst_first

if TYPE_CHECKING:
    from smemdesc.rules.asks import Need
    from smemdesc.rules.completions import Readings, Undecided

_RULES: dict[tuple[str, bool, bool], tuple[Rule, ...]] = {}


def rules_for(kind: Kind, whole: bool = False, tiled: bool = False) -> tuple[Rule, ...]:
    """Return the rules that apply to a kind, those made from its table first.

    ``whole``: include those that check every address, which need type, major-ness and shape. ``tiled``:
    include those that compare the descriptor with its tile.
    """
    key = kind.table.name, whole, tiled
    rules = _RULES.get(key)
    if rules is None:
        from smemdesc.rules import rows

        rules = _RULES[key] = (
            *rows.row_rules(kind),
            *_by_hand(kind),
            *_of_addresses(kind, whole, tiled),
        )
    return rules


def _of_addresses(kind: Kind, whole: bool, tiled: bool) -> tuple[Rule, ...]:
    if kind.name not in SMEM_KINDS or not (whole or tiled):
        return ()
    from smemdesc.rules import addresses

    return (*(addresses.address_rules(kind) if whole else ()), *(addresses.tile_rules(kind) if tiled else ()))


def _by_hand(kind: Kind) -> tuple[Rule, ...]:
    # Imported by kind: a run that decodes a shared-memory descriptor loads no instruction rules.
    if kind.name == "idesc":
        from smemdesc.rules import instruction

        return instruction.instruction_rules(kind)
    if kind.name == "mask":
        from smemdesc.rules import zero_columns

        return zero_columns.RULES
    if kind.name == "tmem":
        from smemdesc.rules import tensor_memory

        return tensor_memory.RULES
    if kind.name == "tensormap":
        from smemdesc.rules import tensor_map

        return tensor_map.tensor_map_rules(kind)
    from smemdesc.rules import shared_memory

    return shared_memory.smem_rules(kind)


Answers = Mapping[int, tuple[Finding, ...]]
"""What rules find if nothing is known about the instruction: by the rule's place in :func:`rules_for`."""

_MOST = 4096
_ANSWERS: dict[tuple[str, int, int], Answers] = {}


def answers_of(kind: Kind, bits: int, known: int, fields: Callable[[], Readings]) -> Answers:
    """Return what the rules of ``kind`` find in a descriptor if nothing is known of the instruction.

    A rule sees only the fields that it reads, so its answer is cached by their bits: the K steps of a kernel, which
    differ in the start address, are checked once. ``fields`` reads the descriptor.
    """
    read = _bits_read(kind)
    key = kind.table.name, bits & read, known & read
    kept = _ANSWERS.get(key)
    if kept is None:
        if len(_ANSWERS) >= _MOST:
            _ANSWERS.clear()
        readings = fields()
        every = ((place, rule.apply(kind, readings, NOTHING)) for place, rule in enumerate(rules_for(kind)))
        kept = _ANSWERS[key] = {place: tuple(findings) for place, findings in every if findings}
    return kept


@cache
def _bits_read(kind: Kind) -> int:
    """Return the bits of the fields that rules read, and of those that these fields' meaning depends on."""
    table = kind.table
    keys = {key for rule in rules_for(kind) for key in rule.reads}
    keys |= {dependency for key in keys for dependency in table.by_key[key].codec.depends}
    return sum(table.masks[key] for key in keys)


def judge(
    kind: Kind, fields: Readings, context: Context = NOTHING, known: Answers | None = None
) -> tuple[Finding, ...]:
    """Return what the rules of ``kind`` find, worst first.

    ``known``: the result of :func:`answers_of`, if it is available. Then only the rules that use ``context`` are
    applied.
    """
    nothing, findings = context == NOTHING, list[Finding]()
    for place, rule in enumerate(rules_for(kind, context.whole, context.tiled)):
        if known is not None and (nothing or not rule.contextual):
            findings += known.get(place, ())
        else:
            findings += rule.apply(kind, fields, context)
    return ordered(findings)


def undecided(kind: Kind, fields: Readings, context: Context = NOTHING) -> tuple[Undecided, ...]:
    """Return what the rules of ``kind`` find for some numbers that the unknown bits may be, and not for others."""
    rules = rules_for(kind, context.whole, context.tiled)
    return tuple(chain.from_iterable(rule.undecided(kind, fields, context) for rule in rules))


@lru_cache(256)
def asks_of(kind: Kind) -> tuple[Need, ...]:
    """Return what the rules of ``kind`` judge beyond the fields, if more is known than the descriptor."""
    asks = dict.fromkeys(ask for rule in rules_for(kind) for ask in rule.asks)
    # Those of the rules about addresses, which are not imported for what they would ask.
    return (*asks, NEEDS_ADDRESSES, TILE) if kind.name in SMEM_KINDS else tuple(asks)


def unused(kind: Kind, context: Context) -> tuple[str, ...]:
    """Return what is known and says nothing about a descriptor of this kind, as keywords of the context."""
    used = {name for ask in asks_of(kind) for name in ask.keywords}
    of_one = "both_types" in used and context.major is not None  # the operand's, not the instruction's
    used -= {"dtype", "shape"} if of_one else set()
    return tuple(name for name, value in context._asdict().items() if value is not None and name not in used)


def keywords_of(kind: Kind, fields: Readings, context: Context, rule: str) -> tuple[str, ...]:
    """Return the keywords of the context that a rule needs: without any one of them it finds nothing."""

    def finds(known: Context) -> bool:
        return any(finding.rule == rule for finding in judge(kind, fields, known))

    names = (name for name, value in context._asdict().items() if value is not None)
    return tuple(name for name in names if finds(context) and not finds(context._replace(**{name: None})))


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings about one value, worst first, each with the one that it follows from."""
    every = list(findings)
    if len(every) > 1:
        from smemdesc.rules.causes import of_one_value

        every = of_one_value(every)
    return worst_first(every)


@lru_cache(256)
def rules_in_common(kinds: tuple[Kind, ...], context: Context) -> frozenset[str]:
    """Return the names of the rules that all these kinds share and that read the same fields.

    A rule that reads no field finds nothing if nothing is known of the instruction.
    """
    alike = [{(rule.name, rule.reads) for rule in rules_for(kind, context.whole, context.tiled)} for kind in kinds]
    return frozenset(name for name, reads in set.intersection(*alike) if reads or context != NOTHING)
