"""A value as a value that is loaded from shared memory plus a known number: the address that an allocation wrote there.

The result of ``tcgen05.alloc`` is written to shared memory, so addresses of tensor memory come from there.
"""

from __future__ import annotations

import re
from typing import Any

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.analysis.assumptions import Place
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.known import Value
from smemdesc.scanning.analysis.provenance import Provenance, form, merges

_SHARED = re.compile(r"\bld(?:\.\w+)*\.shared\b|\bLDS\b|\bload\b.*(?:addrspace\(3\)|ptr<3>)")
"""A load from shared memory, as each language writes it."""
_MOST = 60
"""How many values are followed."""


def added_to_loaded(names: Provenance, name: Any, place: Place) -> int | None:
    """Return what is added to a value that was loaded from shared memory; None if that is not what a value is.

    ``place`` returns the line and the text of a step.
    """
    total, seen = 0, set[Any]()
    while name.__class__ is not tuple and name not in seen and len(seen) < _MOST:
        seen.add(name)
        definition = names.definition(name)
        if definition is None:
            return None
        merged = set(merges(definition))
        if merged:
            merged.discard(name)
            if len(merged) != 1:
                return None
            (name,) = merged
            continue
        if not definition.reads:
            shown = place(definition.at)
            return total & ones(WORD) if shown is not None and _SHARED.search(shown[1]) else None
        step = None if definition.transfer is None else _term(names, definition)
        if step is None:
            return None
        name, number = step
        total += number
    return None


def _term(names: Provenance, definition: Definition) -> tuple[Any, int] | None:
    """Return the only unknown term of a sum, and what is added to it; None for any other definition."""
    full = ones(WORD)
    values: list[Value] = [read if read.__class__ is tuple else names.known(read) for read in definition.reads]
    unknown = [at for at, value in enumerate(values) if full & ~value[1]]
    how = form(definition.expression, definition.reads, (WORD, 2 * WORD))
    if len(unknown) != 1 or unknown[0] not in how.sums:
        return None
    values[unknown[0]] = (0, ones(2 * WORD))
    result = definition.result(values)
    if result is None or full & ~result[1]:
        return None
    return definition.reads[unknown[0]], result[0] & full
