"""The field-table engine: decoding, encoding and every derived check from rows of data.

Nothing here knows what a descriptor is for. A :class:`Table` is built from :class:`Field` rows that
tile its width exactly; bitstring unpacks and packs all rows with one MSB-first format. This module is
the only place in the package that turns bit positions into shifts and masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from smemdesc.engine.errors import FieldError
from smemdesc.engine.wording import show_value

if TYPE_CHECKING:
    from bitstring import Bits

Scalar = int | str | bool
K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """A mapping of a result: it does not change, and is hashed and pickled as other results are."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a result is immutable")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


@cache
def _bits() -> type[Bits]:
    # Tables are also read for help texts and cards, which need no bits: bitstring comes with the first value.
    from bitstring import Bits

    return Bits


class TableError(Exception):
    """A table is inconsistent: rows overlap, leave a gap, or do not fit their width."""


def ones(width: int) -> int:
    """Return ``width`` one bits."""
    return (1 << width) - 1


class Codec:
    """How the raw number of a field becomes a value, and back.

    ``depends`` names the other fields of the table whose raw numbers select the meaning; their concatenation, the
    first in the low bits, is the ``by`` of the methods.
    """

    depends: tuple[str, ...] = ()
    upper = ""
    """The field of :attr:`depends`, if any, that holds the upper bits of this one's code: encoding sets it as well."""
    default = 0
    """The raw number of a missing field."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.default))

    def decode(self, raw: int, by: int = 0) -> Scalar | None:
        """Return the value of ``raw``; None for an undefined code. ``by`` is the value of ``depends``."""
        return raw

    def encode(self, value: object, by: int = 0) -> int:
        """Return the raw number of ``value``; :class:`ValueError` if it has none."""
        return _integer(value)

    def text(self, raw: int, by: int = 0) -> str:
        """Return the value of ``raw`` as text, with its unit."""
        return str(self.decode(raw, by))

    def describe(self, width: int) -> str:
        """Return a short text of the values that the field takes."""
        return f"0..{ones(width)}"

    def allows(self, raw: int) -> bool:
        """Return whether ``raw`` is a code that the table defines."""
        return True


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"an integer is needed, not {show_value(value)}")
    return value


class Number(Codec):
    """The raw number itself; ``most``: the largest defined one, if larger ones fit."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def describe(self, width: int) -> str:
        return f"0..{ones(width) if self.most is None else self.most}"


class Scaled(Codec):
    """A quantity stored in units of ``step`` (its low bits are not stored).

    ``digits``: of an address, which is shown in hexadecimal.
    """

    def __init__(self, step: int, unit: str = "", default: int = 0, digits: int = 0) -> None:
        self.step = step
        self.unit = unit
        self.default = default
        self.digits = digits

    def decode(self, raw: int, by: int = 0) -> int:
        return raw * self.step

    def encode(self, value: object, by: int = 0) -> int:
        number = _integer(value)
        raw, rest = divmod(number, self.step)
        if rest:
            unit = f" {self.unit}" if self.unit else ""
            low = number - rest
            raise ValueError(
                f"{number}{unit} is not a multiple of {self.step}{unit}; the nearest are {low} and {low + self.step}"
            )
        return raw

    def text(self, raw: int, by: int = 0) -> str:
        if self.digits:
            return f"0x{raw * self.step:0{self.digits}x}"
        if not self.unit:
            return str(raw * self.step)
        return f"{raw * self.step} {self.unit} = {raw} x {self.step} {self.unit}"

    def describe(self, width: int) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"0..{ones(width) * self.step}{unit} in steps of {self.step}"


class LowScaled(Scaled):
    """A quantity in units of ``step``; this field holds the low bits, the field ``upper`` the others.

    ``bits``: of both together; ``low``: of this one.
    """

    def __init__(self, step: int, unit: str, *, bits: int, low: int, upper: str) -> None:
        super().__init__(step, unit)
        self.bits = bits
        self.low = low
        self.upper = upper
        self.depends = (upper,)

    def decode(self, raw: int, by: int = 0) -> int:
        return super().decode(by << self.low | raw)

    def encode(self, value: object, by: int = 0) -> int:
        whole = super().encode(value)
        high, raw = divmod(whole, 1 << self.low)
        if high != by:
            raise ValueError(f"{value} {self.unit} does not fit {self.bits} bits of {self.step} {self.unit}".rstrip())
        return raw

    def text(self, raw: int, by: int = 0) -> str:
        return super().text(by << self.low | raw)

    def describe(self, width: int) -> str:
        return super().describe(self.bits)


class Address(Codec):
    """An address in bytes, unscaled."""

    def text(self, raw: int, by: int = 0) -> str:
        return f"0x{raw:x}"


class Signed(Codec):
    """A number in two's complement of the field's width."""

    def __init__(self, width: int) -> None:
        self.width = width

    def decode(self, raw: int, by: int = 0) -> int:
        return signed(raw, self.width)

    def encode(self, value: object, by: int = 0) -> int:
        number = _integer(value)
        least = signed(1 << (self.width - 1), self.width)
        if not least <= number < -least:
            raise ValueError(f"{number} is not one of {self.describe(self.width)}")
        return number & ones(self.width)

    def describe(self, width: int) -> str:
        least = signed(1 << (self.width - 1), self.width)
        return f"{least}..{-least - 1}"


class CountMinusOne(Codec):
    """A count of at least one, stored as the count minus one."""

    def decode(self, raw: int, by: int = 0) -> int:
        return raw + 1

    def encode(self, value: object, by: int = 0) -> int:
        number = _integer(value)
        if number < 1:
            raise ValueError(f"the count is at least 1, not {number}")
        return number - 1

    def describe(self, width: int) -> str:
        return f"1..{ones(width) + 1}"


class Flag(Codec):
    """One bit, false or true; ``no`` and ``yes`` say what each means."""

    def __init__(self, no: str, yes: str, default: int = 0) -> None:
        self.no = no
        self.yes = yes
        self.default = default

    def decode(self, raw: int, by: int = 0) -> bool:
        return bool(raw)

    def encode(self, value: object, by: int = 0) -> int:
        if not isinstance(value, bool):
            raise ValueError(f"true or false is needed, not {show_value(value)}")
        return int(value)

    def text(self, raw: int, by: int = 0) -> str:
        return "yes" if raw else "no"

    def describe(self, width: int) -> str:
        return f"0 {self.no}, 1 {self.yes}"


class EnumCode(NamedTuple):
    """One code of an enumeration: the raw number, its name, what it means, where it exists."""

    raw: int
    name: str | int
    doc: str = ""
    archs: tuple[str, ...] = ()
    """The architectures that have it; empty: all that have the table."""
    source: str = ""


class Enum(Codec):
    """Named codes. ``wrong`` maps an undefined code to what was probably meant."""

    def __init__(
        self, *codes: EnumCode, default: int | None = None, wrong: Mapping[int, str] | None = None, unit: str = ""
    ) -> None:
        self.codes = codes
        self.by_raw = {code.raw: code for code in codes}
        self.by_name = {code.name: code for code in codes}
        self.default = codes[0].raw if default is None else default
        self.wrong = wrong or {}
        self.unit = unit

    def decode(self, raw: int, by: int = 0) -> Scalar | None:
        code = self.by_raw.get(raw)
        return None if code is None else code.name

    @property
    def code_names(self) -> list[str | int]:
        """The names of its codes."""
        return [code.name for code in self.codes]

    def encode(self, value: object, by: int = 0) -> int:
        code = self.by_name.get(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
        if code is None:
            names = ", ".join(str(name) for name in self.by_name)
            also = ""
            if isinstance(value, int) and not isinstance(value, bool) and value in self.by_raw:
                also = f" (the code {value} is named {self.by_raw[value].name})"
            raise ValueError(f"{show_value(value)} is not one of {names}{also}")
        return int(code.raw)

    def text(self, raw: int, by: int = 0) -> str:
        code = self.by_raw.get(raw)
        if code is None:
            return "undefined"
        return f"{code.name} {self.unit}".rstrip()

    def describe(self, width: int) -> str:
        return ", ".join(f"{code.raw} {code.name}" for code in self.codes)

    def allows(self, raw: int) -> bool:
        return raw in self.by_raw


class Selected(Enum):
    """An enumeration whose names depend on the raw numbers of other fields.

    ``codes`` holds every raw code once (named for the other fields at 0); ``names`` gives, for each value of the
    other fields, the names that differ (None: no such code). ``upper``: the last of them holds the upper bits of the
    code.
    """

    def __init__(
        self,
        depends: tuple[str, ...],
        names: Mapping[int, Mapping[int, int | str | None]],
        *codes: EnumCode,
        upper: str = "",
    ) -> None:
        super().__init__(*codes)
        self.depends = depends
        self.names = names
        self.upper = upper

    @property
    def cases(self) -> tuple[int, ...]:
        """The values of the other fields that make a difference."""
        return (0, *(by for by in self.names if by))

    @property
    def code_names(self) -> list[str | int]:
        names = dict.fromkeys(self.decode(code.raw, by) for by in self.cases for code in self.codes)
        return [name for name in names if name is not None]

    def decode(self, raw: int, by: int = 0) -> Scalar | None:
        names = self.names.get(by, {})
        return names[raw] if raw in names else super().decode(raw)

    def encode(self, value: object, by: int = 0) -> int:
        known = {code.raw: self.decode(code.raw, by) for code in self.codes}
        for raw, name in known.items():
            if name is not None and name == value and not isinstance(value, bool):
                return raw
        names = ", ".join(str(name) for name in known.values() if name is not None)
        raise ValueError(f"{show_value(value)} is not one of {names} (with {' and '.join(self.depends)} = {by})")

    def text(self, raw: int, by: int = 0) -> str:
        name = self.decode(raw, by)
        return "undefined" if name is None else str(name)

    def describe(self, width: int) -> str:
        if self.upper:  # its codes are as wide as the two fields together: the card lists them
            return ", ".join(map(str, self.code_names))
        more = (f"{raw} {name}" for by, names in self.names.items() for raw, name in names.items() if name is not None)
        return f"{super().describe(width)}; with {self.depends[0]}: {', '.join(more)}"


class Upper(Number):
    """The upper bits of the code of another field, which defines the meaning of both."""

    def describe(self, width: int) -> str:
        return f"0..{ones(width)}, written with the code below it"


class Fixed(Codec):
    """A constant that the format requires. ``tolerated`` maps a wrong constant found in shipped code
    to the reason why it is only a warning, ``wrong`` one to what was probably meant."""

    def __init__(
        self, raw: int, tolerated: Mapping[int, str] | None = None, wrong: Mapping[int, str] | None = None
    ) -> None:
        self.default = raw
        self.tolerated = tolerated or {}
        self.wrong = wrong or {}

    def describe(self, width: int) -> str:
        return f"always 0b{self.default:0{width}b}"

    def allows(self, raw: int) -> bool:
        return raw == self.default


class Reserved(Codec):
    """Bits without a meaning. ``ignored`` is the source for their having no effect; empty: they must be 0."""

    def __init__(self, ignored: str = "") -> None:
        self.ignored = ignored

    def describe(self, width: int) -> str:
        return "write 0" if self.ignored else "must be 0"

    def allows(self, raw: int) -> bool:
        return raw == 0


class UnknownBits(Reserved):
    """Bits of unknown meaning; ``ignored`` says where they were 0, ``tolerated`` maps numbers to who writes them."""

    def __init__(self, ignored: str, tolerated: Mapping[int, str] | None = None) -> None:
        super().__init__(ignored)
        self.tolerated = tolerated or {}

    def describe(self, width: int) -> str:
        return "unknown, 0 in every recorded value"


class Field(NamedTuple):
    """One row of a table: bits ``hi`` down to ``lo``, their meaning and its source."""

    key: str
    hi: int
    lo: int
    codec: Codec
    doc: str
    source: str
    hint: str = ""
    """The probable origin of a wrong or nonzero value."""

    @property
    def width(self) -> int:
        """The number of bits."""
        return self.hi - self.lo + 1

    @property
    def constant(self) -> bool:
        """Whether the format allows only one value (fixed or reserved bits)."""
        return isinstance(self.codec, Fixed | Reserved)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the place, the values it takes, its codes if any."""
        codec = self.codec
        out: dict[str, Any] = {
            "key": self.key,
            "hi": self.hi,
            "lo": self.lo,
            "type": type(codec).__name__.lower(),
            "takes": codec.describe(self.width),
            "default": codec.default,
            "doc": self.doc,
            "source": self.source,
        }
        if isinstance(codec, Enum):
            out["codes"] = [
                {"raw": code.raw, "name": code.name, "doc": code.doc, "archs": list(code.archs)} for code in codec.codes
            ]
        if isinstance(codec, Flag):
            out["codes"] = [{"raw": 0, "name": False, "doc": codec.no}, {"raw": 1, "name": True, "doc": codec.yes}]
        return out


class FieldReading(NamedTuple):
    """One field of a (perhaps partly known) value, as a table reads it.

    ``bits`` and ``known`` are right-aligned: the known bits (0 where unknown) and the mask of them.
    """

    field: Field
    bits: int
    known: int
    value: Scalar | None
    by: int
    settled: bool
    """Whether the field, and the one that its meaning depends on, are wholly known."""

    def __str__(self) -> str:
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.field.key} = {'?' if value is None else value}"

    def __repr__(self) -> str:
        return str(self)

    @property
    def hi(self) -> int:
        """The highest bit."""
        return self.field.hi

    @property
    def lo(self) -> int:
        """The lowest bit."""
        return self.field.lo

    @property
    def complete(self) -> bool:
        """Whether every bit of the field is known."""
        return self.known == ones(self.field.width)

    @property
    def raw(self) -> int | None:
        """The raw number; None if a bit of it is unknown."""
        return self.bits if self.complete else None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, with the known bits unless all are known."""
        field = self.field
        complete = self.complete
        out = {"hi": field.hi, "lo": field.lo, "raw": self.bits if complete else None, "value": self.value}
        if not complete:
            out["known"] = f"0x{self.known:0{-(-field.width // 4)}x}"
        return out

    @property
    def contradicts(self) -> bool:
        """Whether the known bits rule out every code that the table allows here."""
        codec = self.field.codec
        if self.complete:
            return not codec.allows(self.bits)
        if self.field.constant:
            return bool((self.bits ^ codec.default) & self.known)
        if isinstance(codec, Enum):
            return all((code.raw ^ self.bits) & self.known for code in codec.codes)
        return False

    def binary(self) -> str:
        """Return the bits MSB first, ``?`` for each unknown one."""
        width = self.field.width
        digits = format(self.bits, f"0{width}b")
        mask = format(self.known, f"0{width}b")
        return "".join(digit if known == "1" else "?" for digit, known in zip(digits, mask, strict=True))


class Table:
    """Rows that tile ``width`` bits exactly; everything else is derived from them."""

    def __init__(self, name: str, width: int, rows: Iterable[Field]) -> None:
        self.name = name
        self.width = width
        self.rows = tuple(sorted(rows, key=lambda row: row.lo))
        self.by_key = {row.key: row for row in self.rows}
        self.full = ones(width)
        widths = [row.width for row in self.rows]
        self._full = [ones(max(row_width, 0)) for row_width in widths]
        """The mask of each row, right-aligned."""
        self._check()
        self.format = ",".join(f"u{row_width}" for row_width in reversed(widths))
        """The MSB-first bitstring format of the whole table."""
        self.masks = {row.key: full << row.lo for row, full in zip(self.rows, self._full, strict=True)}
        """The bits of each field, in place."""
        constant = [row for row in self.rows if row.constant]
        self.must_mask = sum(self.masks[row.key] for row in constant)
        """The bits that the format fixes (constants and reserved bits)."""
        self.must_value = sum(row.codec.default << row.lo for row in constant)
        """The required value of the bits of ``must_mask``."""
        self.must_count = max(1, self.must_mask.bit_count())
        """The number of bits that the format fixes."""
        self._index = {row.key: index for index, row in enumerate(self.rows)}
        self._depends = tuple(
            tuple((self._index[key], self._shift(row.codec.depends, key)) for key in row.codec.depends)
            for row in self.rows
        )

    def _shift(self, keys: tuple[str, ...], key: str) -> int:
        """Return the lowest bit of a field in the number that several fields make together."""
        return sum(self.by_key[later].width for later in keys[: keys.index(key)])

    def _check(self) -> None:
        if len(self.by_key) != len(self.rows):
            raise TableError(f"{self.name}: a key is in two rows")
        at = 0
        for row, full in zip(self.rows, self._full, strict=True):
            if row.lo != at:
                raise TableError(f"{self.name}: {row.key} begins at bit {row.lo}, the row before ends at {at - 1}")
            if row.hi < row.lo:
                raise TableError(f"{self.name}: {row.key} has its bits in the wrong order")
            if row.codec.default > full:
                raise TableError(f"{self.name}: {row.key}: the default does not fit {row.width} bits")
            if isinstance(row.codec, Enum) and any(code.raw > full for code in row.codec.codes):
                raise TableError(f"{self.name}: {row.key}: a code does not fit {row.width} bits")
            for dependency in row.codec.depends:
                if dependency not in self.by_key:
                    raise TableError(f"{self.name}: {row.key} depends on {dependency}, which is not a row")
            at = row.hi + 1
        if at != self.width:
            raise TableError(f"{self.name}: the rows cover {at} bits of {self.width}")

    def variant(self, name: str, *rows: Field) -> Table:
        """Return the table with ``rows`` instead of the rows that they overlap (which they must cover entirely)."""
        kept = [old for old in self.rows if all(old.hi < new.lo or old.lo > new.hi for new in rows)]
        return Table(name, self.width, [*kept, *rows])

    def columns(self, values: Sequence[int]) -> dict[str, list[Scalar | None]]:
        """Return the value of each field in many numbers, which must fit the width; None for an undefined code."""
        raws = {
            row.key: [value >> row.lo & full for value in values]
            for row, full in zip(self.rows, self._full, strict=True)
        }
        out: dict[str, list[Scalar | None]] = {}
        for row, depends in zip(self.rows, self._depends, strict=True):
            selected = [[raw << shift for raw in raws[self.rows[index].key]] for index, shift in depends]
            by = map(sum, zip(*selected, strict=True)) if selected else repeat(0)
            pairs = list(zip(raws[row.key], by, strict=False))
            known = {pair: row.codec.decode(*pair) for pair in set(pairs)}
            out[row.key] = [known[pair] for pair in pairs]
        return out

    def join(self, columns: Mapping[str, Sequence[Scalar]], count: int) -> list[int]:
        """Return numbers with these values of fields, the inverse of :meth:`columns`; other fields have their default.

        :class:`FieldError` names the field, and the first value that it does not take.
        """
        linked = {key for row in self.rows if row.codec.depends for key in (row.key, *row.codec.depends)}
        apart = [(key,) for key in columns if key not in linked]
        groups = [*apart, tuple(key for key in columns if key in linked)]
        numbers = [self.pack({})] * count
        for group in filter(None, groups):
            rows = list(zip(*(columns[key] for key in group), strict=True))
            parts = {values: self._part(group, values, rows) for values in dict.fromkeys(rows)}
            numbers = [
                number & ~parts[values][0] | parts[values][1] for number, values in zip(numbers, rows, strict=True)
            ]
        return numbers

    def _part(
        self, keys: Sequence[str], values: tuple[Scalar, ...], rows: Sequence[tuple[Scalar, ...]]
    ) -> tuple[int, int]:
        """Return the mask of some fields in place, and their bits."""
        try:
            raws = self.encode(dict(zip(keys, values, strict=True)))
        except FieldError as error:
            what = error.option_message.removeprefix(f"{error.key}: ")
            message = f"{error.key}: value {rows.index(values)}: {what}"
            raise FieldError(error.key, message, hint=error.option_hint) from None
        return sum(self.masks[key] for key in raws), sum(raw << self.by_key[key].lo for key, raw in raws.items())

    def unpack(self, bits: int) -> list[int]:
        """Return the raw number of every row, lowest bits first. ``bits`` must fit the width."""
        # From bytes, without a keyword: bitstring 4 and 5 name it differently.
        raws = _bits()(bits.to_bytes(self.width // 8, "big")).unpack(self.format)
        raws.reverse()
        return raws  # type: ignore[return-value]

    def pack(self, raws: Mapping[str, int]) -> int:
        """Return the value with these raw numbers; missing rows get their default.

        :class:`FieldError` names an unknown key, or a raw number that does not fit its row.
        """
        for key, raw in raws.items():
            self._fit(key, raw)
        from bitstring import pack

        numbers = [raws.get(row.key, row.codec.default) for row in reversed(self.rows)]
        packed: int = pack(self.format, *numbers).u
        return packed

    def row(self, key: str) -> Field:
        """Return the row named ``key``; :class:`FieldError` suggests similar names."""
        row = self.by_key.get(key)
        if row is None:
            from difflib import get_close_matches

            near = get_close_matches(key, self.by_key, n=2, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"its fields: {', '.join(self.by_key)}"
            raise FieldError(key, f"{self.name} has no field {key!r}", hint=hint)
        return row

    def read(self, bits: int, known: int | None = None) -> dict[str, FieldReading]:
        """Read every field of ``bits``; only the bits set in ``known`` are known (None: all)."""
        raws = self.unpack(bits)
        masks = self._full if known is None or known == self.full else self.unpack(known)
        readings = {}
        for row, raw, mask, full, depends in zip(self.rows, raws, masks, self._full, self._depends, strict=True):
            by, settled = 0, mask == full
            for index, shift in depends:
                by |= raws[index] << shift
                settled = settled and masks[index] == self._full[index]
            value = row.codec.decode(raw, by) if settled else None
            readings[row.key] = FieldReading(row, raw & mask, mask, value, by, settled)
        return readings

    def index(self, key: str) -> int:
        """Return the index of a row in the result of :meth:`unpack`."""
        return self._index[key]

    def encode(self, values: Mapping[str, Any], raws: Mapping[str, int] | None = None) -> dict[str, int]:
        """Return the raw number of each value, on top of ``raws``; the result goes into :meth:`pack`.

        :class:`FieldError` names the field, the value and what the field takes.
        """
        out = dict(raws or {})
        waiting = [key for key in values if self.row(key).codec.depends]
        for key in [*(key for key in values if key not in waiting), *waiting]:
            row = self.by_key[key]
            try:
                raw = self._raw(row, values, out)
            except ValueError as problem:
                raise FieldError(
                    key, f"{key}: {problem}", hint=f"{key} takes {row.codec.describe(row.width)}"
                ) from None
            if not 0 <= raw <= ones(row.width):
                raise FieldError(
                    key,
                    f"{key}: {values[key]} does not fit {row.width} bits",
                    hint=f"{key} takes {row.codec.describe(row.width)}",
                )
            out[key] = raw
        return out

    def _raw(self, row: Field, values: Mapping[str, Any], out: dict[str, int]) -> int:
        """Return the raw number of a row, given the raw numbers in ``out`` of the rows that it depends on; if one of
        these holds the upper bits of its code and was not requested, it is set in ``out``."""
        codec = row.codec
        raws = {key: out.get(key, self.by_key[key].codec.default) for key in codec.depends}
        tries = [raws]
        if codec.upper and codec.upper not in values:
            tries += [{**raws, codec.upper: raw} for raw in range(ones(self.by_key[codec.upper].width) + 1)]
        problem: ValueError | None = None
        for attempt in tries:
            by = sum(raw << self._shift(codec.depends, key) for key, raw in attempt.items())
            try:
                raw = codec.encode(values[row.key], by)
            except ValueError as error:
                problem = problem or error
                continue
            if codec.upper:
                out[codec.upper] = attempt[codec.upper]
            return raw
        assert problem is not None
        raise problem

    def misfits(self, bits: int, known: int | None = None) -> Iterator[FieldReading]:
        """Yield the fields whose known bits no legal descriptor of this table has."""
        return (reading for reading in self.read(bits, known).values() if reading.contradicts)

    def wrong_constants(self, bits: int, known: int | None = None) -> int:
        """Return the bits, in place, that differ from what the format fixes."""
        return (bits ^ self.must_value) & self.must_mask & (self.full if known is None else known)

    def insert(self, bits: int, key: str, raw: int) -> int:
        """Return ``bits`` with one field replaced."""
        row = self._fit(key, raw)
        return bits & ~self.masks[key] | raw << row.lo

    def with_raws(self, bits: int, raws: Mapping[str, int]) -> int:
        """Return ``bits`` with several fields replaced."""
        for key, raw in raws.items():
            bits = self.insert(bits, key, raw)
        return bits

    def with_constants(self, bits: int) -> int:
        """Return ``bits`` with what the format fixes."""
        return bits & ~self.must_mask | self.must_value

    def overwritten(self, bits: int, key: str, number: int) -> int:
        """Return ``bits`` with a number of any width ORed into the place of a field, as code writes it that does not
        mask it."""
        return (bits & ~self.masks[key] | number << self.row(key).lo) & self.full

    def plus(self, bits: int, key: str, number: int) -> int:
        """Return ``bits`` with a number of any width added at the place of a field: it may carry, or borrow."""
        return bits + number * (1 << self.row(key).lo) & self.full

    def _fit(self, key: str, raw: int) -> Field:
        """Return the row of a raw number, which has to fit it."""
        row = self.row(key)
        if not 0 <= raw <= ones(row.width):
            raise FieldError(key, f"{key}: {raw} does not fit {row.width} bits (0..{ones(row.width)})")
        return row


WORD = 32
"""The width of one register; a 64-bit descriptor is written as two of them, ``HI:LO``."""


def word_pair(bits: int) -> tuple[int, int]:
    """Return the high and the low 32-bit word of a 64-bit value."""
    return bits >> WORD, bits & ones(WORD)


def join_words(high: int, low: int) -> int:
    """Return the 64-bit value of two 32-bit words."""
    return high << WORD | low


def twos_complement(number: int, width: int) -> int | None:
    """Return the bits of a signed number in ``width`` bits; None if it does not fit."""
    return number & ones(width) if -(1 << (width - 1)) <= number <= ones(width) else None


def signed(bits: int, width: int) -> int:
    """Return ``bits`` read as a two's complement number of ``width`` bits."""
    return bits - (1 << width) if bits >> (width - 1) else bits
