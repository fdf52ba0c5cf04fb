"""The instructions of PTX that change a tensor map or read one (PTX ISA, ``tensormap.replace`` and ``.query``)."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.engine.fields import WORD
from smemdesc.engine.known import UNKNOWN, const
from smemdesc.kinds.tensormap import ALLOCATION_CLASSES, REPLACED_COUNTS
from smemdesc.scanning.languages.ptx.lower import SHARES, source_bits
from smemdesc.scanning.languages.ptx.text import PtxStatement, added, number, statement_text
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import MapChange

_CLASS = "allocation_class"
_ALLOCATION = "alloc_"
_WIDTHS = {"b32": WORD, "b64": 2 * WORD}


def map_changes(statement: PtxStatement) -> Iterator[MapOperand]:
    """Yield what a statement changes in a tensor map, or reads from it; nothing if operands are missing."""
    suffixes, operands = statement.suffixes, statement.operands
    address = next((operand for operand in operands if operand.startswith("[")), None)
    if statement.name != "tensormap" or statement.role is SHARES or address is None or len(suffixes) < 3:
        return
    address = address.strip("[] ")
    base = added(address)
    change = MapChange(0, statement_text(statement), base[0] if base and not base[1] else address, _CLASS)
    if suffixes[0] == "query":
        yield MapOperand(change._replace(reads=True), UNKNOWN)
        return
    field, *others = suffixes[2:]
    named = next((word.removeprefix(_ALLOCATION) for word in suffixes if word.startswith(_ALLOCATION)), "")
    if not field.startswith(_ALLOCATION) and len(operands) > 1 + (field in REPLACED_COUNTS):
        dimension = number(operands[1]) if field in REPLACED_COUNTS else None
        width = next((_WIDTHS[word] for word in others if word in _WIDTHS), WORD)
        value = source_bits(operands[-1], width, statement.scope)
        yield MapOperand(change._replace(field=field, dimension=dimension), value, width)
    # Without a qualifier, a new address sets the class small; ``alloc_same`` keeps it.
    if field == "global_address":
        named = named or ALLOCATION_CLASSES[0]
    if named in ALLOCATION_CLASSES:
        yield MapOperand(change, const(ALLOCATION_CLASSES.index(named), WORD))
