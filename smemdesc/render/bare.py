"""One field's value and nothing else, for scripts."""

from __future__ import annotations

from smemdesc.descriptors.result import AmbiguousField, Result
from smemdesc.engine.errors import FieldError
from smemdesc.kinds import aliases


def bare(result: Result, name: str) -> str:
    """Return the value of a field: a number (bytes, for offsets), a name, ``true`` or ``false``.

    ``?`` where it is not known, ``undefined:RAW`` for a code that means nothing.
    :class:`smemdesc.engine.errors.FieldError` where there is no such field, or the readings disagree on it.
    """
    name = name if name in result.fields else aliases.field(name)
    reading = result.fields.get(name)
    if reading is None:
        first = result.candidates[0].kind.table
        first.row(name)  # says which fields there are
        raise FieldError(name, f"no reading of {result.text} has a field {name!r}")
    if isinstance(reading, AmbiguousField):
        said = []
        for each in result.candidates:
            own = each.fields.get(name)
            said.append(f"{each.id}: {'no such field' if own is None else own.value}")
        raise FieldError(
            name,
            f"{name} of {result.text} depends on the reading ({'; '.join(said)})",
            hint="say which with --kind or --mma-kind",
        )
    if not reading.settled:
        return "?"
    if reading.value is None:
        return f"undefined:{reading.raw}"
    if isinstance(reading.value, bool):
        return "true" if reading.value else "false"
    return str(reading.value)
