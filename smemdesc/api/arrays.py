"""Many descriptors decoded or encoded at once: each field as one array."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from smemdesc.api.options.keywords import read_options
from smemdesc.descriptors.result import index_of
from smemdesc.engine.arrays import as_array
from smemdesc.engine.errors import FieldError, SmemdescError, keywords_beside, named
from smemdesc.engine.fields import Field, Scalar
from smemdesc.engine.plain import plain
from smemdesc.kinds import aliases
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.reading.field_values import field_value
from smemdesc.reading.text import VALUE_BITS

if TYPE_CHECKING:
    from smemdesc.api.options.literals import KindName, MmaKindName


@keywords_beside("values")
def decode_many(
    values: Collection[int], kind: KindName, mma_kind: MmaKindName | None = None, *, arch: str | None = None
) -> dict[str, Any]:
    """Decode many descriptors of one kind: return each field, by its key, as one array in the order of ``values``.

    ``values`` are whole numbers: a list, or a NumPy array of 64 bits (signed ones are two's complement). The arrays are
    NumPy's if it is installed, else lists. Offsets and addresses are in bytes, a code that is not defined is None.
    Nothing is judged: :func:`smemdesc.decode` does that for one value. Raises :class:`smemdesc.SmemdescError` for a
    number that does not fit the kind.
    """
    table = _kind(kind, mma_kind, arch).table
    numbers = []
    for place, value in enumerate(named("values", _listed, values)):
        number = value if type(value) is int else named("values", index_of, plain(value))
        if not -(table.full // 2 + 1) <= number <= table.full:
            raise SmemdescError(f"value {place} has more than {table.width} bits: {number:#x}", keyword="values")
        numbers.append(number & table.full)
    return {key: as_array(column) for key, column in table.columns(numbers).items()}


@keywords_beside("fields")
def encode_many(
    kind: KindName,
    mma_kind: MmaKindName | None = None,
    *,
    arch: str | None = None,
    **fields: Scalar | Collection[Scalar],
) -> Any:
    """Encode many descriptors of one kind, the inverse of :func:`decode_many`: return their values as one array.

    Each of ``fields``, by its key or short name, is an array with a value for each descriptor, or one value for all;
    offsets and addresses are in bytes. A field left out has the default of its kind. The result is NumPy's array, of
    64 bits (of Python's numbers for tensor maps), if NumPy is installed, else a list. Each field is checked by itself,
    not what they mean together: :func:`smemdesc.encode` does that for one descriptor.

    :class:`smemdesc.FieldError` names a field that does not exist, or that does not take one of its values.
    """
    table = _kind(kind, mma_kind, arch).table
    columns: dict[str, list[Scalar]] = {}
    for name, values in fields.items():
        row = named(name, table.row, name if name in table.by_key else aliases.field_alias(name))
        if row.key in columns:
            raise FieldError(name, f"{row.key} is given twice", hint="give one of its names")
        columns[row.key] = named(name, _column, row, values)
    counts = {name: len(column) for name, column in zip(fields, columns.values(), strict=True) if len(column) != 1}
    count = next(iter(counts.values()), 1)
    for name, other in counts.items():
        if other != count:
            raise FieldError(name, f"{name}: {other} values, where {next(iter(counts))} has {count}")
    whole = {key: column * count if len(column) == 1 else column for key, column in columns.items()}
    return as_array(table.join(whole, count), "uint64" if table.width <= VALUE_BITS else "object")


def _kind(kind: str, mma_kind: str | None, arch: str | None) -> Kind:
    told = {"kind": kind} if mma_kind is None else {"kind": kind, "mma_kind": mma_kind}
    for keyword, word in told.items():
        if not isinstance(word, str):
            raise SmemdescError(f"{type(word).__name__} is not a kind", keyword=keyword)
    arch = read_options("decode", {"arch": arch})["arch"]
    return named("kind", kind_of, kind, mma_kind, arch)


def _listed(values: Any) -> list[Any]:
    """Return the elements of a list, or of an array of another package."""
    try:
        len(values)
        return list(values.tolist() if hasattr(values, "tolist") else values)
    except Exception:  # an object of another package may raise anything
        raise SmemdescError("it is not a list of numbers") from None


def _column(row: Field, values: object) -> list[Scalar]:
    """Return the values of a field; those that are text are read as the field reads them."""
    is_one = isinstance(values, str | int) or not hasattr(values, "__len__")
    elements: list[Any] = [values] if is_one else _listed(values)
    types = set(map(type, elements))
    if types == {str}:
        read_as = {text: field_value(row, text) for text in set(elements)}
        return [read_as[text] for text in elements]
    # A number is equal to True, and would be looked up as that.
    return elements if len(types) == 1 and types < {int, bool} else [plain(element) for element in elements]
