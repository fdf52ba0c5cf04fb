"""What a shared-memory descriptor addresses: one formula for every mode, major-ness and element width.

The formula was measured on an H200 for wgmma (every mode, starts inside the pattern, base offsets, strides in
and out of order); for tcgen05 it is assumed to be the same, as in CUTLASS's common layout code.
Addresses are in bits internally (4- and 6-bit elements do not begin on bytes) and in bytes in the API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.arrays import as_array
from smemdesc.engine.display import Immutable, shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading, Table
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, SwizzleMode
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.kinds.types import DType
from smemdesc.layout.cute import ComposedLayout, Swizzle
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.strides import LBO, NICK, SBO, is_absolute, keys_of, strides_of

LINE = 128
"""Bytes of one line of shared memory: 32 banks of 4 bytes, 8 chunks of 16."""
UNIT = 16
"""Bytes of the unit that swizzles move and descriptors count in."""
ABSOLUTE = "LBO mode absolute is for K-major operands with 128B swizzle only"
CONTAINER = 16
"""Elements of 4 or 6 bits in one 16-byte container (kind::f8f6f4, kind::mxf8f6f4)."""


def byte_number(bit: int) -> int | float:
    """Return a bit address in bytes, as in JSON: a fraction for elements of 4 and 6 bits inside a byte."""
    return bit / 8 if bit % 8 else bit // 8


@cache
def moves(mode: SwizzleMode, phase: int) -> tuple[int, ...]:
    """Return what the swizzle of a mode adds to a byte address, for each 16-byte unit of its pattern.

    Every swizzle moves whole units, and repeats: ``moves[address // 16 % len(moves)]``. ``phase`` is the address at
    which the pattern begins.
    """
    swizzle = Swizzle(*mode.swizzle)
    return tuple(swizzle(unit - phase) + phase - unit for unit in range(0, mode.period, UNIT))


class AddressTerm(NamedTuple):
    """One summand of an address, for the explanation: a number of steps of a size."""

    name: str
    times: int
    size: int
    """Bits of one step."""

    @property
    def bits(self) -> int:
        """The summand, in bits."""
        return self.times * self.size


class Segment(NamedTuple):
    """Bytes of a 128-byte line that hold a part of K, in LBO mode absolute. First and last, of row 0."""

    line: int
    """Address of the line, before the swizzle."""
    bytes: tuple[int, int]
    k: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.bytes[0]}..{self.bytes[1]} of 0x{self.line:05x}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"line": self.line, "bytes": list(self.bytes), "k": list(self.k)}


@shown(picture=True)
class Operand(Immutable):
    """The elements of one instruction's operand, MN x K, as a descriptor places them.

    ``start``, ``lbo`` and ``sbo`` are in bytes; ``lbo`` is an address if ``absolute``. ``shape`` is
    (MN, K) in elements. :class:`smemdesc.engine.errors.SmemdescError` if the shape is not a whole number of units.
    """

    mode: SwizzleMode
    major: str
    dtype: DType
    shape: tuple[int, int]
    start: int
    lbo: int
    sbo: int
    base_offset: int
    absolute: bool
    swizzle: Swizzle

    def __init__(
        self,
        swizzle: str,
        major: str,
        dtype: DType,
        shape: tuple[int, int],
        *,
        start: int = 0,
        lbo: int = 0,
        sbo: int = 0,
        base_offset: int = 0,
        absolute: bool = False,
    ) -> None:
        if absolute and (major != "K" or swizzle != "128B"):
            raise SmemdescError(ABSOLUTE)
        mode = MODE[swizzle]
        self.__dict__.update(
            mode=mode,
            major=major,
            dtype=dtype,
            shape=shape,
            start=start,
            lbo=lbo,
            sbo=sbo,
            base_offset=base_offset,
            absolute=absolute,
            swizzle=Swizzle(*mode.swizzle),
        )

    def __str__(self) -> str:
        mn, k = self.shape
        lbo = f"at 0x{self.lbo:05x}" if self.absolute else f"{self.lbo} B"
        return (
            f"{self.mode.name} operand, {self.major}-major, {self.dtype.name}: {mn}x{k} elements "
            f"from 0x{self.start:05x}, LBO {lbo}, SBO {self.sbo} B"
        )

    @property
    def ok(self) -> bool:
        """True: an invalid layout raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    def _replace(self, **changes: Any) -> Operand:
        """Return the operand with other arguments of the constructor."""
        names = ("major", "dtype", "shape", "start", "lbo", "sbo", "base_offset", "absolute")
        own = {"swizzle": self.mode.name, **{name: self.__dict__[name] for name in names}}
        return Operand(**{**own, **changes})

    @property
    def packed(self) -> bool:
        """Whether elements are packed, without padding of containers."""
        return self.dtype.bits == self.dtype.storage

    @property
    def unit(self) -> int:
        """T: elements of one 16-byte unit."""
        return 128 // self.dtype.storage

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The lines of K if LBO is an address: the start's, then LBO's; else none."""
        if not self.absolute:
            return ()
        begin, size = self.start % LINE, self.shape[1] * self.dtype.storage // 8
        line, here = self.start - begin, min(LINE - begin, size)
        cut = here * 8 // self.dtype.storage
        segments = [Segment(line, (begin, begin + here - 1), (0, cut - 1))]
        if here < size:
            segments.append(Segment(self.lbo, (0, size - here - 1), (cut, self.shape[1] - 1)))
        return tuple(segments)

    @property
    def phase(self) -> int:
        """Bytes that the swizzle pattern begins past a multiple of its period."""
        return self.base_offset % self.mode.phases * LINE

    @property
    def extents(self) -> tuple[int, int]:
        """Its rows, and the elements of a row, in the sense of the atom: rows are along MN if K-major."""
        mn, k = self.shape
        return (mn, k) if self.major == "K" else (k, mn)

    @property
    def group(self) -> int:
        """Elements of one row of the atom."""
        return self.mode.width * 8 // self.dtype.storage

    @property
    def lines(self) -> int:
        """Rows of one atom."""
        return self.mode.rows(self.major)

    @property
    def keys(self) -> tuple[str, str]:
        """The strides from atom to atom: across the rows, and along them."""
        return keys_of(self.mode.name, self.major)

    @property
    def strides(self) -> tuple[int, int]:
        """Bytes from atom to atom: across the rows, and along them."""
        return (self.lbo, self.sbo) if self.keys[0] == LBO else (self.sbo, self.lbo)

    @cached_property
    def modes(self) -> tuple[Mode, Mode]:
        """MN and K as CuTe's modes, before the swizzle; strides in bits."""
        if self.start and not self.absolute:
            return _at_zero(self.mode.name, self.major, self.dtype, self.shape, self.lbo, self.sbo).modes
        lines, group, bits = self.lines, self.group, self.dtype.storage
        over, along = self.strides
        rows, columns = self.extents
        strided = Mode(Leaf(lines, 8 * self.mode.width), Leaf(-(-rows // lines), 8 * over), extent=rows)
        atoms, first = -(-columns // group), 0
        if self.absolute:
            # What K reads of its line is the end of a first part, and the second begins at the address in LBO.
            group *= atoms
            first = group - (LINE - self.start % LINE) * 8 // bits
            along += first * bits // 8 - self.start
        row = [Leaf(group, bits)]
        if not self.packed:
            # The container is addressed by its first element; the others follow without padding between.
            row = [Leaf(CONTAINER, self.dtype.bits), Leaf(group // CONTAINER, 8 * UNIT)]
        contiguous = Mode(*row, Leaf(atoms, 8 * along), first=first, extent=columns)
        return (strided, contiguous) if self.major == "K" else (contiguous, strided)

    def terms(self, mn: int, k: int) -> list[AddressTerm]:
        """Return the summands of the linear offset of element (mn, k), in bits, before the swizzle."""
        line, element = (mn, k) if self.major == "K" else (k, mn)
        rest = 0 if self.packed else element % CONTAINER
        element -= rest
        lines, group, bits = self.lines, self.group, self.dtype.storage
        (over, along), (by_line, by_group) = self.strides, (NICK[key] for key in self.keys)
        row, atom = f"{'row' if self.major == 'K' else 'k'} of {lines}", divmod(element, group)
        terms = [AddressTerm(row, line % lines, 8 * self.mode.width), AddressTerm(by_line, line // lines, 8 * over)]
        if self.major == "MN":
            piece = "unit" if self.mode.name == "none" else "group"
            inside = AddressTerm(f"element of the {piece}", atom[1], bits)
            terms = [inside, AddressTerm(by_group, atom[0], 8 * along), *terms]
        elif self.absolute:
            if self.start % LINE + element * bits // 8 >= LINE:
                # The second chunk begins at the address in LBO, at the K byte where the line ended.
                terms.append(AddressTerm("second chunk", 1, 8 * (self.lbo - LINE + self.start % LINE - self.start)))
            terms += [AddressTerm("byte of K", element * bits // 8, 8), AddressTerm("bit", element * bits % 8, 1)]
        else:
            terms.append(AddressTerm(by_group, atom[0], 8 * along))
            terms += [AddressTerm("byte of the row", atom[1] * bits // 8, 8), AddressTerm("bit", atom[1] * bits % 8, 1)]
        return terms if self.packed else [*terms, AddressTerm("element of the container", rest, self.dtype.bits)]

    def linear(self, mn: int, k: int) -> int:
        """Return the bit offset of element (mn, k) from the start address, before the swizzle."""
        down, across = self.modes
        return down.offset(mn) + across.offset(k)

    @cached_property
    def _moves(self) -> tuple[int, ...]:
        # The XOR is on absolute byte addresses; the base offset moves its phase, not the address.
        return moves(self.mode, self.phase)

    def bit_address(self, mn: int, k: int) -> int:
        """Return the bit address of element (mn, k) in shared memory."""
        bit = self.start * 8 + self.linear(mn, k)
        return bit + 8 * self._moves[bit // (8 * UNIT) % len(self._moves)]

    def address(self, mn: int, k: int) -> int:
        """Return the byte in which element (mn, k) begins."""
        return self.bit_address(mn, k) // 8

    def coordinates(self) -> Iterator[tuple[int, int]]:
        """Yield every (mn, k), k inside."""
        return ((mn, k) for mn in range(self.shape[0]) for k in range(self.shape[1]))

    @cached_property
    def grid(self) -> list[list[int]]:
        """The bit address of each element: a list for each mn."""
        return self._in_units_of(1)

    def _in_units_of(self, bits: int) -> list[list[int]]:
        """Return the address of each element, in so many bits."""
        k_major = self.major == "K"
        down, across = self.modes if k_major else self.modes[::-1]
        first, moved = self.start * 8, [8 * move for move in self._moves]
        unit, period = 8 * UNIT, len(moved)
        alike: dict[int, list[int]] = {}  # what rows at one place of the pattern add to their first bit
        rows = []
        for offset in down.offsets:
            begin = first + offset
            place = begin % (unit * period)
            if place not in alike:
                alike[place] = [(bit + moved[(place + bit) // unit % period]) // bits for bit in across.offsets]
            rows.append([begin // bits + more for more in alike[place]])
        return rows if k_major else list(map(list, zip(*rows, strict=True)))

    @cached_property
    def by_byte(self) -> dict[int, list[tuple[int, int]]]:
        """The elements with a bit in each byte."""
        elements: dict[int, list[tuple[int, int]]] = {}
        last = self.dtype.bits - 1
        for mn, row in enumerate(self.grid):
            for k, bit in enumerate(row):
                for byte in range(bit // 8, (bit + last) // 8 + 1):
                    elements.setdefault(byte, []).append((mn, k))
        return elements

    def at_byte(self, address: int) -> list[tuple[int, int]]:
        """Return the elements at a byte address: none, one, several (two 4-bit ones, or an overlap)."""
        return self.by_byte.get(address, [])

    def unit_offsets(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return (mn or k, byte offset from the start before the swizzle) of each line, and of each unit of a line."""
        lines, units = (mode.offsets for mode in (self.modes if self.major == "K" else self.modes[::-1]))
        per_unit = self.unit if self.packed else CONTAINER
        return (
            [(line, offset // 8) for line, offset in enumerate(lines)],
            [(element, units[element] // 8) for element in range(0, len(units), per_unit)],
        )

    def addresses(self) -> Any:
        """Return the byte address of each element, as one array of MN x K: NumPy's if it is installed, else lists.

        Of elements narrower than a byte: the bit address divided by 8.
        """
        if self.dtype.bits % 8 == 0:
            return as_array(self._in_units_of(8))
        return as_array([[byte_number(bit) for bit in row] for row in self.grid])

    def unit_addresses(self) -> Iterator[tuple[int, int, int]]:
        """Yield (mn, k, byte address) of each 16-byte unit, by its first element."""
        # Not from the grid: an operand has eight times as many elements of 16 bits, and only the units are needed.
        lines, units = self.unit_offsets()
        moved = self._moves
        period, k_major = len(moved), self.major == "K"
        for line, first in lines:
            first += self.start
            for element, offset in units:
                byte = first + offset
                byte += moved[byte // UNIT % period]
                yield (line, element, byte) if k_major else (element, line, byte)

    def intervals(self) -> list[tuple[int, int]]:
        """Return the bytes touched, as half-open ranges in order."""
        merged: list[tuple[int, int]] = []
        for byte in sorted(self.by_byte):
            if merged and merged[-1][1] == byte:
                merged[-1] = (merged[-1][0], byte + 1)
            else:
                merged.append((byte, byte + 1))
        return merged

    def overlaps(self) -> list[tuple[int, int]]:
        """Return the bit addresses of more than one element, with the number of elements."""
        seen: dict[int, int] = {}
        for row in self.grid:
            for bit in row:
                seen[bit] = seen.get(bit, 0) + 1
        return sorted((bit, count) for bit, count in seen.items() if count > 1)

    def bank_conflict(self) -> int:
        """Return the most 16-byte units of one 8 x 16-byte core matrix that share a chunk of the banks (1: none)."""
        if self.mode.lines < 8:
            return 1  # this mode moves units of 32 bytes: four lines of them cover the banks
        units: dict[tuple[int, int, int], set[int]] = {}
        for mn, k, address in self.unit_addresses():
            line, column = (mn, k) if self.major == "K" else (k, mn)
            unit = address // UNIT
            units.setdefault((line // 8, column, unit % (LINE // UNIT)), set()).add(unit)
        return max(map(len, units.values()), default=1)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``addresses`` is a list for each mn of the byte address of each k."""
        out: dict[str, Any] = {
            "dtype": self.dtype.name,
            "major": self.major,
            "shape": list(self.shape),
            "swizzle": self.mode.name,
            "addresses": [[byte_number(bit) for bit in row] for row in self.grid],
            "intervals": [list(interval) for interval in self.intervals()],
            "overlaps": [[byte_number(bit), count] for bit, count in self.overlaps()],
            "bank_conflict": self.bank_conflict(),
            "segments": [segment.to_dict() for segment in self.segments] or None,
            "canonical": None,
        }
        try:
            layout = canonical_layout(self)
        except SmemdescError:
            return out
        out["canonical"] = {
            "symbols": layout.symbols,
            "ptx": str(layout.ptx),
            "cutlass": str(layout.cutlass) if layout.by_cutlass else None,
            "formula": str(layout.cutlass),
            "why": layout.why,
        }
        return out

    def element_dict(self, mn: int, k: int) -> dict[str, Any]:
        """Return the object of one element for JSON: its address, and the summands of it, in bytes."""
        bit = self.bit_address(mn, k)
        byte = bit // 8
        return {
            "mn": mn,
            "k": k,
            "address": byte_number(bit),
            "linear": byte_number(self.start * 8 + self.linear(mn, k)),
            "terms": [
                {"name": term.name, "times": term.times, "bytes": byte_number(term.size)} for term in self.terms(mn, k)
            ],
            "unit": byte // UNIT,
            "line": byte // LINE,
            "chunk": byte % LINE // UNIT,
            "bank": bank(byte),
        }

    def field_dict(self) -> dict[str, Any]:
        """Return the fields of a descriptor of this layout, for JSON."""
        return {
            "swizzle": self.mode.name,
            "major": self.major,
            "start_address": self.start,
            "leading_byte_offset": self.lbo,
            "stride_byte_offset": self.sbo,
            "base_offset": self.base_offset,
        }


def operand_of(fields: Mapping[str, FieldReading], context: Context, text: str = "the descriptor") -> Operand:
    """Return the operand of a descriptor; ``context`` must have dtype, major and shape.

    :class:`smemdesc.engine.errors.SmemdescError` names what is missing or not known.
    """
    missing = [name for name in ("dtype", "major", "shape") if getattr(context, name) is None]
    if missing:
        raise SmemdescError(
            f"where elements are depends on {', '.join(f'--{name}' for name in missing)}",
            hint="for example --dtype bf16 --major K --shape 64x16",
            keyword=missing[0],
        )
    assert context.dtype is not None
    assert context.major is not None
    assert context.shape is not None
    if context.shape[0] * context.shape[1] * context.dtype.storage // 8 > WINDOW:
        raise SmemdescError(
            f"an operand of {context.shape[0]}x{context.shape[1]} {context.dtype.name} is larger than shared memory",
            hint="give the shape of one instruction's operand",
            keyword="shape",
        )
    swizzle = fields["swizzle"].value
    if not isinstance(swizzle, str):
        raise SmemdescError(
            f"the swizzle mode of {text} is {'undefined' if fields['swizzle'].complete else 'not known'}"
        )
    absolute = is_absolute(fields)
    used = {LBO: True, SBO: True}
    if not absolute:
        used = {stride.key: stride.used is not False for stride in strides_of(swizzle, context.major, context)}
    numbers = {}
    for key in (START, LBO, SBO, "base_offset"):
        value = fields[key].value
        if isinstance(value, int):
            numbers[key] = value
        elif used.get(key, True):
            raise SmemdescError(
                f"{key} of {text} is not known",
                hint="give the whole value, or both words as HI:LO (0x40004040:0x00010040)",
            )
    return Operand(
        swizzle,
        context.major,
        context.dtype,
        context.shape,
        start=numbers[START],
        lbo=numbers.get(LBO, 0),
        sbo=numbers.get(SBO, 0),
        base_offset=numbers["base_offset"],
        absolute=absolute,
    )


def fields_of(operand: Operand) -> dict[str, object]:
    """Return the fields of the descriptor of an operand: the inverse of :func:`operand_of`."""
    fields: dict[str, object] = {
        START: operand.start,
        LBO: operand.lbo,
        SBO: operand.sbo,
        "base_offset": operand.base_offset,
        "swizzle": operand.mode.name,
    }
    return {**fields, "lbo_mode": "absolute"} if operand.absolute else fields


def descriptor_of(operand: Operand, table: Table) -> int:
    """Return the bits of the descriptor of an operand under a table."""
    return table.pack(table.encode(fields_of(operand)))


def bank(address: int) -> int:
    """Return the bank (0..31) of a byte address."""
    return address % LINE // 4


class Canonical(NamedTuple):
    """The canonical layout of an operand, in CuTe's notation with the descriptor's numbers."""

    ptx: ComposedLayout
    """As the PTX ISA writes it."""
    cutlass: ComposedLayout
    """As the address formula has it, the truth where they differ; CUTLASS's own where ``by_cutlass``."""
    symbols: str
    """The PTX form with its letters."""
    m: int
    k: int
    why: str
    """Why the two differ, or empty."""
    by_cutlass: bool
    """Whether CUTLASS writes it: its forms have the K of one instruction, inside an atom where one is swizzled."""


INSTRUCTION_K = (32, 64)
"""Bytes of K that CUTLASS's forms have: of a dense instruction, and of B of a sparse one."""


def canonical_layout(operand: Operand) -> Canonical:
    """Return the canonical layout; strides and offsets in elements (8-bit containers count as elements).

    :class:`smemdesc.engine.errors.SmemdescError` if the shape is not a whole number of 16-byte units, rows or k.
    """
    if operand.absolute:
        raise SmemdescError("LBO mode absolute has no canonical layout: the second part of K is at an address")
    bits, unit, lines = operand.dtype.storage, operand.unit, operand.lines
    over, along = (size * 8 // bits for size in operand.strides)
    mn, k = operand.shape
    chunks = operand.mode.width // UNIT
    k_major, plain = operand.major == "K", chunks == 1
    _whole(mn, *((8, "rows (MN)") if k_major else (unit, f"MN in units of {unit} elements")))
    _whole(k, *((unit, f"K in units of {unit} elements") if k_major else (lines, "k")))
    rows, units = (mn // lines, k // unit) if k_major else (k // lines, mn // unit)
    inside = min(units, chunks)
    _whole(units, inside, f"{operand.major} in atoms")
    across = Leaf(units // inside, along)
    strided, row = Mode(Leaf(lines, operand.group), Leaf(rows, over)), [Leaf(unit, 1), Leaf(inside, unit)]
    one = k * bits // 8 in INSTRUCTION_K
    if not k_major:
        layout = ComposedLayout(operand.swizzle, Mode(Mode(*row, across), strided), bits)
        symbols = f"((T,{chunks},m),({lines},k)):((1,T,LBO),({chunks}T,SBO))"
        if plain:
            symbols = "((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))"
        why = BASE32_WHY if operand.mode.name == "128B_32B" else ""
        return Canonical(layout, layout, symbols, across.extent, rows, why, one)
    row = [row[0], across] if plain else row if across.extent == 1 else [*row, across]
    cutlass = ComposedLayout(operand.swizzle, Mode(strided, Mode(*row)), bits)
    if plain:
        return Canonical(cutlass, cutlass, "((8,m),(T,2k)):((1T,SBO),(1,LBO))", rows, max(1, units // 2), "", one)
    ptx = cutlass._replace(layout=Mode(strided, Mode(Leaf(unit, 1), Leaf(units, unit))))
    symbols, fits = f"((8,m),(T,2k)):(({chunks}T,SBO),(1,T))", across.extent == 1
    return Canonical(ptx, cutlass, symbols, rows, units // 2, "" if fits else K_WHY, one and fits)


K_WHY = (
    "PTX's (T,2k) with arbitrary k runs past the end of the atom: K-major swizzled layouts hold one MMA's two units, "
    "(T,2), and step from atom to atom by LBO; CUTLASS writes no more K than one instruction has. "
    "Figure 167's exact layout ((8,2),(4,4)):((8,64),(1,4)) "
    "with k = 2 puts several elements at one address; ((8,2),(4,2)):((8,64),(1,4)) with k = 1 is right (so PTX ISA 9.4)"
)
BASE32_WHY = (
    "PTX has no canonical row for 128B_32B; this one is CUTLASS's make_umma_desc. SBO is the stride between 4-k "
    "groups, not the 8 columns of PTX's text; CUTLASS's comment ((8,n),(4,k)):((1,LBO),(4,SBO)) is wrong, its code "
    "is not"
)


def _whole(amount: int, step: int, what: str) -> None:
    if amount % step or not amount:
        raise SmemdescError(
            f"{amount} is not a multiple of {step}: {what}", hint=f"use a multiple of {step} for the shape"
        )


@lru_cache(maxsize=8)
def _at_zero(swizzle: str, major: str, dtype: DType, shape: tuple[int, int], lbo: int, sbo: int) -> Operand:
    # Remembered, for the steps of a kernel differ in their starts alone.
    return Operand(swizzle, major, dtype, shape, lbo=lbo, sbo=sbo)
