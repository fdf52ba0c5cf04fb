"""Many descriptors decoded at once: each field as one array."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from smemdesc.api.options.keywords import read_options
from smemdesc.descriptors.result import index_of
from smemdesc.engine.arrays import as_array
from smemdesc.engine.errors import SmemdescError, keywords_beside, named
from smemdesc.engine.plain import plain
from smemdesc.kinds.kind import kind_of


@keywords_beside("values")
def decode_many(
    values: Collection[int], kind: str, mma_kind: str | None = None, *, arch: str | None = None
) -> dict[str, Any]:
    """Decode many descriptors of one kind: return each field, by its key, as one array in the order of ``values``.

    ``values`` are whole numbers: a list, or a NumPy array of 64 bits (signed ones are two's complement). The arrays are
    NumPy's if it is installed, else lists. Offsets and addresses are in bytes, a code that is not defined is None.
    Nothing is judged: :func:`smemdesc.decode` does that for one value. Raises :class:`smemdesc.SmemdescError` for a
    number that does not fit the kind.
    """
    told = {"kind": kind} if mma_kind is None else {"kind": kind, "mma_kind": mma_kind}
    for keyword, word in told.items():
        if not isinstance(word, str):
            raise SmemdescError(f"{type(word).__name__} is not a kind", keyword=keyword)
    arch = read_options("decode", {"arch": arch})["arch"]
    table = named("kind", kind_of, kind, mma_kind, arch).table
    numbers = []
    for place, value in enumerate(_sized(values)):
        number = value if type(value) is int else named("values", index_of, plain(value))
        if not -(table.full // 2 + 1) <= number <= table.full:
            raise SmemdescError(f"value {place} has more than {table.width} bits: {number:#x}", keyword="values")
        numbers.append(number & table.full)
    return {key: as_array(column) for key, column in table.columns(numbers).items()}


def _sized(values: Collection[int]) -> Iterable[int]:
    try:
        len(values)
        return tuple(values)
    except Exception:  # an object of another package may raise anything
        raise SmemdescError("values is not a list of numbers", keyword="values") from None
