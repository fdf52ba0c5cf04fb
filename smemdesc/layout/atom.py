"""The swizzle atom: its shape, the place of each 16-byte unit and element; and a tile divided into atoms.

A dimension of a tile is a row of atoms: inside an atom neighboring bytes (or lines of the atom) are contiguous; the
distance from one atom to the next is the tile's, or a stride of a descriptor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.engine.display import Immutable, shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.instruction import K_96_BYTES
from smemdesc.kinds.modes import MODE, MODES, by_width
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import LINE, UNIT, Operand, byte_number
from smemdesc.layout.strides import UNUSED

CHUNKS = LINE // UNIT
"""16-byte chunks of a 128-byte line of shared memory."""
ATOM_SOURCE = "PTX ISA 9.1, Table 38; 9.3, Table 58; CUTLASS Layout_*_Atom_Bits"


class AtomShape(NamedTuple):
    """An atom's extent along MN and K."""

    mn: int
    k: int

    def __str__(self) -> str:
        return f"{self.mn}x{self.k}"


def exists(swizzle: str, major: str) -> bool:
    """Whether the mode has an atom for this major-ness (128B_32B has none for K-major)."""
    return not (_wide(swizzle) and major == "K")


def _wide(swizzle: str) -> bool:
    mode = MODE.get(swizzle)  # an undefined code is no mode
    return mode is not None and mode.wide


def shape_in_units(swizzle: str, major: str) -> AtomShape:
    """Return MN x K of the atom, the contiguous dimension in 16-byte units (Table 38).

    :class:`smemdesc.engine.errors.SmemdescError` for K-major 128B_32B, which has no atom.
    """
    if not exists(swizzle, major):
        raise SmemdescError(
            f"{swizzle} has no K-major atom",
            hint="it is not in PTX ISA 9.3 Table 58 and CUTLASS rejects it; use 128B",
        )
    mode = MODE[swizzle]
    units, rows = mode.width // UNIT, mode.rows(major)
    return AtomShape(rows, units) if major == "K" else AtomShape(units, rows)


def atom_shape(swizzle: str, major: str, dtype: DType) -> AtomShape:
    """Return MN x K of the atom in elements (for a type in 8-bit containers, one per container)."""
    units = shape_in_units(swizzle, major)
    t = 128 // dtype.storage
    return AtomShape(units.mn, units.k * t) if major == "K" else AtomShape(units.mn * t, units.k)


def atom_bytes(swizzle: str, major: str) -> int:
    """Return the bytes of one atom."""
    units = shape_in_units(swizzle, major)
    return units.mn * units.k * UNIT


TF32_MN = (
    "no instruction reads this: MN-major tf32 exists only under 128B_32B (32x4, on tcgen05), and wgmma reads tf32 "
    "only K-major; the 32x8 for tf32 in the text and in Figure 165 only shows the shape (PTX ISA 9.3, Table 57)"
)
BASE32_TYPE = "no instruction reads this: 128B_32B is for 32-bit operands (PTX ISA 9.3, Table 57)"
PACKED_MN = "no instruction reads this: packed e2m1 is K-major only (PTX ISA 9.3, Table 57)"


def no_instruction(swizzle: str, major: str, dtype: DType) -> str:
    """Return why no instruction reads such an operand; empty if one does."""
    if major == "K":
        return ""
    if dtype.storage < 8:
        return PACKED_MN
    if (dtype.storage == 32) == _wide(swizzle):
        return ""
    return TF32_MN if dtype.storage == 32 else BASE32_TYPE


class AtomPlace(NamedTuple):
    """One unit or element: its coordinate in elements, and its bit address before and after the swizzle."""

    mn: int
    k: int
    before: int
    after: int

    @property
    def line(self) -> int:
        """Its 128-byte line of shared memory."""
        return self.after // (8 * LINE)

    @property
    def chunk(self) -> int:
        """The 16-byte chunk of that line."""
        return _chunk(self.after)

    @property
    def home(self) -> int:
        """Its chunk without the swizzle."""
        return _chunk(self.before)


def _chunk(bit: int) -> int:
    return bit // 8 % LINE // UNIT


@shown(picture=True)
class Atom(Immutable):
    """One atom at ``start`` (bytes; 0 is aligned to every pattern), for an element type.

    Its places are 16-byte units, or ``elements``; with ``step``, only the places that this MMA step of a K-major atom
    reads are shown. :class:`smemdesc.engine.errors.SmemdescError` if no such atom or step exists.
    """

    swizzle: str
    major: str
    dtype: DType
    units: AtomShape
    """MN x K, the contiguous dimension in 16-byte units."""
    shape: AtomShape
    """MN x K in elements."""
    start: int
    operand: Operand
    elements: bool
    step: int | None

    def __init__(
        self,
        swizzle: str,
        major: str,
        dtype: DType,
        *,
        start: int = 0,
        base_offset: int = 0,
        elements: bool = False,
        step: int | None = None,
    ) -> None:
        whole = atom_shape(swizzle, major, dtype)
        self.__dict__.update(
            swizzle=swizzle,
            major=major,
            dtype=dtype,
            units=shape_in_units(swizzle, major),
            shape=whole,
            start=start,
            operand=Operand(swizzle, major, dtype, whole, start=start, base_offset=base_offset),
            elements=elements,
            step=step,
        )
        if step is not None:
            self._check_step(step)

    def __str__(self) -> str:
        at = f" at 0x{self.start:05x}" if self.start else ""
        return f"{self.swizzle} atom, {self.major}-major, {self.dtype.name}: {self.shape} elements{at}"

    @property
    def ok(self) -> bool:
        """True: an invalid layout raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    def places(self) -> list[list[AtomPlace]]:
        """Return all places, MN down and K across: every 16-byte unit, or every element."""
        step_mn, step_k = 1, 1
        if not self.elements:
            step_mn, step_k = (1, self.operand.unit) if self.major == "K" else (self.operand.unit, 1)
        operand = self.operand
        return [
            [
                AtomPlace(mn, k, 8 * self.start + operand.linear(mn, k), operand.bit_address(mn, k))
                for k in range(0, self.shape.k, step_k)
            ]
            for mn in range(0, self.shape.mn, step_mn)
        ]

    def units_by_line(self) -> list[list[int | None]]:
        """Return the units of the MMA step by line and chunk; None where none of them is."""
        every = [unit for row in self.places() for unit in row]
        first, last = min(unit.line for unit in every), max(unit.line for unit in every)
        lines: list[list[int | None]] = [[None] * CHUNKS for _ in range(first, last + 1)]
        for unit in every:
            if self.in_step(unit):
                lines[unit.line - first][unit.chunk] = self.unit_number(unit)
        return lines

    def in_step(self, each: AtomPlace) -> bool:
        """Whether a unit belongs to the MMA step, if there is one."""
        return self.step is None or each.k // self.operand.unit // 2 == self.step

    def unit_number(self, each: AtomPlace) -> int:
        """Return ``2 * row + column`` of a unit in its MMA step."""
        return 2 * each.mn + each.k // self.operand.unit % 2

    def _check_step(self, step: int) -> None:
        if self.elements:
            raise SmemdescError(
                "MMA steps are shown in 16-byte units, not in elements", hint="omit --elements", keyword="mma"
            )
        if self.major != "K":
            raise SmemdescError(
                "an MN-major atom contains no MMA steps along K",
                hint="one step reads whole atoms; use --major K",
                keyword="mma",
            )
        steps = self.units.k // 2
        if not steps:
            wider = either([mode.name for mode in by_width() if mode.name != "none" and not mode.wide])
            raise SmemdescError(
                "without swizzle the two units of an MMA are in two atoms", hint=f"use {wider}", keyword="mma"
            )
        if not 0 <= step < steps:
            raise SmemdescError(
                f"step {step} is outside the atom", hint=f"an atom of {self.swizzle} holds {steps}", keyword="mma"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the address (bytes) of each unit or element, and the content of each line."""
        places = self.places()
        out: dict[str, Any] = {
            "swizzle": self.swizzle,
            "major": self.major,
            "dtype": self.dtype.name,
            "shape": list(self.shape),
            "units": list(self.units),
            "bytes": atom_bytes(self.swizzle, self.major),
            "function": str(self.operand.swizzle),
            "start": self.start,
            "base_offset": self.operand.base_offset,
            "of": "elements" if self.elements else "units",
            "addresses": [[byte_number(place.after) for place in row] for row in places],
            "lines": _lines(places),
            "note": no_instruction(self.swizzle, self.major, self.dtype),
        }
        if self.step is not None:
            rows = self.units_by_line()
            order = [[unit for unit in row if unit is not None] for row in rows]
            out["mma"] = {"step": self.step, "lines": rows, "order": order}
        return out


def _lines(places: list[list[AtomPlace]]) -> list[dict[str, Any]]:
    """Return each line of shared memory with the coordinates in it, in the order of their addresses."""
    by_line: dict[int, list[AtomPlace]] = {}
    for place in sorted((place for row in places for place in row), key=lambda place: place.after):
        by_line.setdefault(place.line, []).append(place)
    return [
        {"address": line * LINE, "holds": [[place.mn, place.k, place.chunk] for place in here]}
        for line, here in by_line.items()
    ]


EVERY_ATOM = tuple((mode.name, major) for mode in MODES for major in ("K", "MN") if exists(mode.name, major))
"""Every mode and major-ness that has an atom."""


ORDERS = ("mn", "k")


class AtomTiling(NamedTuple):
    """A tile MN x K of consecutive atoms, first along MN or first along K."""

    swizzle: str
    major: str
    dtype: DType
    shape: AtomShape
    order: str
    """``mn`` or ``k``: the dimension along which neighboring atoms are contiguous."""
    atom: AtomShape
    """MN x K of one atom, in elements."""

    @property
    def atoms(self) -> AtomShape:
        """How many atoms the tile has along MN and K."""
        return AtomShape(-(-self.shape.mn // self.atom.mn), -(-self.shape.k // self.atom.k))

    @property
    def size(self) -> int:
        """Bytes of the tile: the distance of contiguous pipeline stages."""
        return self.shape.mn * self.shape.k * self.dtype.storage // 8

    @property
    def stride_mn(self) -> int:
        """Bytes from one atom to the next along MN."""
        return atom_bytes(self.swizzle, self.major) * (1 if self.order == "mn" else self.atoms.k)

    @property
    def stride_k(self) -> int:
        """Bytes from one atom to the next along K."""
        return atom_bytes(self.swizzle, self.major) * (1 if self.order == "k" else self.atoms.mn)

    def stride(self, along: str) -> int:
        """Return the bytes from one atom to the next along ``K`` or ``MN``."""
        return self.stride_k if along == "K" else self.stride_mn

    def count(self, along: str) -> int:
        """Return how many atoms there are along ``K`` or ``MN``."""
        return self.atoms.k if along == "K" else self.atoms.mn

    def offsets(self, k: int) -> tuple[int, int]:
        """Return LBO and SBO, in bytes, of the descriptors of steps of ``k`` elements along K."""
        whole, width = self.operand(), MODE[self.swizzle].width
        uses_lbo = self.major == "MN" or self.swizzle == "none" or k * self.dtype.storage // 8 > width
        return whole.lbo if uses_lbo else UNUSED, whole.sbo

    def operand(self, start: int = 0) -> Operand:
        """Return all elements of the tile, from byte ``start`` on."""
        near, far = self.stride_mn, self.stride_k
        lbo, sbo = (near, far) if self.major == "MN" and self.swizzle != "none" else (far, near)
        return Operand(self.swizzle, self.major, self.dtype, self.shape, start=start, lbo=lbo, sbo=sbo)

    def position(self, offset: int, along: str) -> int:
        """Return the position along a dimension of a byte offset from the start of the tile: bytes of its rows, or
        lines of the atom by their width."""
        size, width = atom_bytes(self.swizzle, self.major), MODE[self.swizzle].width
        atom, inside = divmod(offset, size)
        # The outer index is not cut off: it continues beyond the end of the tile.
        outer, inner = divmod(atom, self.atoms.mn if self.order == "mn" else self.atoms.k)
        index = inner if along.lower() == self.order else outer
        return index * width + inside % width if along == self.major else index * size + inside // width * width

    def holds(self, offset: int) -> bool:
        """Whether a byte offset from the start is in the tile."""
        return 0 <= offset < self.size


def in_one_cta(tile: tuple[int, int], cta_group: int) -> AtomShape:
    """Return each CTA's part of a tile MN x K of ``cta_group`` CTAs: a part of MN.

    :class:`smemdesc.engine.errors.SmemdescError` if MN cannot be shared.
    """
    mn, k = tile
    if cta_group < 1 or mn % cta_group:
        raise SmemdescError(
            f"MN = {mn} of the tile cannot be divided among {cta_group} CTAs",
            hint="give MN of both CTAs, an even number",
        )
    return AtomShape(mn // cta_group, k)


def atom_tiling(swizzle: str, major: str, dtype: DType, tile: tuple[int, int], order: str) -> AtomTiling:
    """Return a tile MN x K (elements) in atoms; :class:`smemdesc.engine.errors.SmemdescError` if they are not
    whole."""
    whole = AtomShape(*tile)
    atom = atom_shape(swizzle, major, dtype)
    divides(whole, atom, f"atoms of {atom} ({major}-major {swizzle}, {dtype.name})")
    return AtomTiling(swizzle, major, dtype, whole, order, atom)


def divides(whole: AtomShape, part: AtomShape, what: str) -> None:
    """Reject a tile that is not a whole number of parts, named by ``what``."""
    for name, amount, step in (("MN", whole.mn, part.mn), ("K", whole.k, part.k)):
        if amount < 1 or amount % step:
            raise SmemdescError(
                f"a tile of {whole} does not divide into {what}",
                hint=f"{name} = {amount} is not a multiple of {step}",
            )


def second_chunk(start: int, distance: int | None) -> int | None:
    """Return LBO in absolute mode for a start (bytes): the 128-byte line into which the 48 bytes of K continue,
    else its own; None if they continue and the ``distance`` to the next atom is not known."""
    line = start - start % LINE
    if start % LINE + K_96_BYTES <= LINE:
        return line
    return None if distance is None else line + distance
