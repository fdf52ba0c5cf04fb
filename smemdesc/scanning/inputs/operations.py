"""Descriptors that single operations of MLIR make, in text without the function around them."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.descriptors.readings import WHOLE, DescriptorReading
from smemdesc.kinds.kind import kind_of
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import TextValue

MARK = b"_smem_desc"


def operation_values(text: bytes, first: int, low: int, high: int) -> Iterator[TextValue]:
    """Yield the descriptors that operations of the CuTe DSL make, whose start addresses are not in the text.

    ``first`` is the number of the first line, ``low`` and ``high`` are the offsets between which values are wanted.
    """
    if MARK not in text:
        return
    from smemdesc.scanning.languages.mlir import Aliases
    from smemdesc.scanning.languages.mlir.cute import kind_made, known_descriptor
    from smemdesc.scanning.languages.mlir.text import parse_function

    lines = range(text.count(b"\n", 0, low), text.count(b"\n", 0, high) + 1)
    for operation in parse_function(text.decode("latin-1")).operations:
        operand = known_descriptor(operation, Aliases()) if operation.at in lines else None
        kind = kind_made(operation)
        if operand is not None and kind is not None:
            reading = reading_of(DescriptorReading(kind_of(kind), WHOLE, operand.bits, operand.known))
            line = first + operation.at
            yield TextValue(line, 1, operation.name, (reading,), operand.bits, 64, operand.known, named=True)
