"""Steps: the distance of the start address for a number of elements along K or MN, and the step of a distance.

A dimension of an operand is a row of atoms: inside an atom neighboring bytes (or lines of the atom) are contiguous;
the distance from one atom to the next is LBO or SBO, or the tile's if neither applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from smemdesc.engine.errors import FieldError, SmemdescError, named
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import many
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import K_96_BYTES
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import MAJORS
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import (
    ORDERS,
    AtomShape,
    AtomTiling,
    atom_tiling,
    exists,
    in_one_cta,
    no_instruction,
    second_chunk,
)
from smemdesc.layout.operand import ABSOLUTE, LINE, UNIT
from smemdesc.layout.strides import LBO, NICK, SBO, Stride, is_absolute, strides_of

STEPS_SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.1; CUTLASS tile_to_shape, make_gmma_desc, make_umma_desc"
K_STEP = 32
"""Bytes of K that one dense MMA reads."""
OPTION = {"K": "advance", "MN": "advance_mn"}


class Tiling(NamedTuple):
    """What is known of the tile around a descriptor; None if unknown."""

    shape: tuple[int, int] | None = None
    """MN x K in elements, in one CTA."""
    order: str | None = None
    """``mn`` or ``k``; None: whichever the strides of the descriptor say."""
    start: int | None = None
    """Where it begins, in bytes; None: rows of its atoms begin at multiples of their width."""


UNTILED = Tiling()


def tiling_of(tile: tuple[int, int] | None, order: str | None, tile_start: int | None, context: Context) -> Tiling:
    """Return the tile of these options around a descriptor; with two CTAs, ``tile`` covers both."""
    if tile is None and order is None and tile_start is None:
        return UNTILED
    whole = None if tile is None else named("tile", in_one_cta, AtomShape(*tile), context.cta_group or 1)
    return Tiling(whole, order, tile_start)


class Move(NamedTuple):
    """The changes of an advance: bytes to add to the start, and LBO if it is an address (absolute mode)."""

    by: int
    lbo: int | None


K_STEPS, ALONG_K, ALONG_MN, STAGES, SEVERAL, NO_STEP = "K steps", "along K", "along MN", "stages", "several", ""
"""What a distance can be: whole MMA steps along K, another distance along K, and so on."""


class DistanceName(NamedTuple):
    """A distance in words, and its type."""

    text: str
    what: str


class Axis(NamedTuple):
    """One dimension of an operand. Positions along it are in bytes: in the contiguous dimension within a row
    of the atom, in the other one line of the atom per element."""

    along: str
    """``K`` or ``MN``."""
    contiguous: bool
    bits: int | None
    """Positions of one element, in bits; None if the type is not known."""
    grain: int
    """The shortest step, in bytes: a 16-byte unit, or a line of the atom."""
    inside: int
    """Bytes of one atom: its row, or all its lines."""
    distance: int | None
    """Bytes from one atom to the next; None if unknown."""
    by: str
    """The source of the distance: ``LBO``, ``SBO`` or ``the tile``; or the reason why it is unknown."""


class DescriptorSteps:
    """The steps of a descriptor: from its fields, its context and, if given, the tile around it."""

    def __init__(
        self, fields: Mapping[str, FieldReading], major: str, context: Context, tiling: Tiling = UNTILED
    ) -> None:
        swizzle, start = fields["swizzle"].value, fields[START].value
        if not isinstance(swizzle, str):
            raise SmemdescError("a step depends on the swizzle mode, which is unknown", hint="give --swizzle")
        if not isinstance(start, int):
            raise FieldError(START, "the start address to advance is not known", hint="give it with --start")
        if not exists(swizzle, major):
            raise SmemdescError(
                f"{swizzle} has no {major}-major atom, so there is no step", hint="use --major MN, or 128B swizzle"
            )
        self.mode = MODE[swizzle]
        self.major = major
        self.context = context._replace(major=major)
        self.start = start
        self.tile_start = tiling.start
        self.absolute = is_absolute(fields)
        if self.absolute and (major != "K" or swizzle != "128B"):
            raise SmemdescError(ABSOLUTE, hint="use --major K and 128B swizzle")
        self.values = {key: _number(fields[key]) for key in (LBO, SBO)}
        meant = {stride.along: stride for stride in strides_of(self.mode.name, major, self.context)}
        known = {along: self._known_stride(stride) for along, stride in meant.items()}
        self.tiling = self._tiling(tiling, known)
        self.axes = {along: self._make(along, *known[along]) for along in MAJORS}

    # What is known of the strides

    def _known_stride(self, stride: Stride) -> tuple[int | None, str]:
        """Return the distance that the descriptor says, and who says it or why it does not."""
        value, nick = self.values[stride.key], NICK[stride.key]
        if self.absolute and stride.key == LBO:
            line = self.start - self.start % LINE
            if self.start % LINE + K_96_BYTES > LINE and value is not None and value != line:
                return value - line, "LBO"
            return None, "LBO is an address here, and this step does not reach the next atom"
        if stride.along == self.major == "K" and self.mode.name != "none" and not stride.used:
            return None, f"LBO has no effect while K fits one atom ({self.mode.width} B)"
        if stride.used is False:
            return None, f"{nick} has no effect here: {stride.unused}"
        if value is None:
            return None, f"{nick} is not known"
        if not value or (stride.key == LBO and value == UNIT < stride.packed and self.mode.name != "none"):
            return None, f"{nick} is {value} B, which is not a distance between atoms"
        return value, nick

    def _make(self, along: str, distance: int | None, by: str) -> Axis:
        if self.tiling is not None:
            distance, by = self.tiling.stride(along), "the tile"
        width = self.mode.width
        if along == self.major:
            return Axis(along, True, self.context.bits, UNIT, width, distance, by)
        return Axis(along, False, 8 * width, width, self.mode.rows(self.major) * width, distance, by)

    def _tiling(self, tiling: Tiling, known: Mapping[str, tuple[int | None, str]]) -> AtomTiling | None:
        if tiling.shape is None:
            if tiling.order is not None:
                raise SmemdescError("--order needs --tile", hint="give --tile MNxK as well", keyword="order")
            return None
        dtype = self.context.dtype
        if dtype is None:
            raise SmemdescError("--tile needs --dtype: its shape is in elements", hint="for example --dtype bf16")
        orders = [tiling.order] if tiling.order else list(ORDERS)
        every = [atom_tiling(self.mode.name, self.major, dtype, tiling.shape, order) for order in ORDERS]
        fitting = [tiling for tiling in every if tiling.order in orders and not self._wrong(tiling, known)]
        if not fitting:
            first = next(tiling for tiling in every if tiling.order in orders)
            elsewhere = next(
                (tiling for tiling in every if tiling is not first and not self._wrong(tiling, known)), None
            )
            hint = (
                f"with --order {elsewhere.order} they fit"
                if elsewhere
                else "give the tile to which the descriptor belongs"
            )
            raise SmemdescError(f"{self._wrong(first, known)}", hint=hint)
        if len({(*_apart(tiling),) for tiling in fitting}) > 1:
            raise SmemdescError(
                f"the strides of the descriptor fit a tile of {fitting[0].shape} in both orders",
                hint="give the dimension along which atoms are contiguous: --order mn or --order k",
            )
        return fitting[0]

    def _wrong(self, tile: AtomTiling, known: Mapping[str, tuple[int | None, str]]) -> str:
        """Say which stride of the descriptor is not the tile's; empty if all are."""
        for along, (distance, by) in known.items():
            if distance is None or tile.count(along) == 1 or (self.absolute and by == "LBO"):
                continue
            if distance != tile.stride(along):
                return (
                    f"{by} is {distance} B, but the atoms of a {self.major}-major tile of {tile.shape} with --order "
                    f"{tile.order} are {tile.stride(along)} B apart along {along}"
                )
        return ""

    # From elements to bytes

    def advance(self, *, mn: int = 0, k: int = 0) -> Move:
        """Return how the descriptor changes for an advance along MN and K in elements (negative: back).

        :class:`smemdesc.engine.errors.FieldError` if no descriptor has that step, the distance is not known, or the
        step leaves the tile.
        """
        along_k = self._bytes(self.axes["K"], k) if k else 0
        by = along_k + (self._bytes(self.axes["MN"], mn) if mn else 0)
        if not self.absolute:
            return Move(by, None)
        axis = self.axes["K"]
        # LBO is the distance of the next line from this one only.
        far = axis.by == "LBO" and (self.start + along_k) // LINE != self.start // LINE
        lbo = second_chunk(self.start + by, None if far else axis.distance)
        if lbo is None:
            raise self._error("K", self._unknown(axis, "the MMA there runs past the end of its line"))
        return Move(by, lbo)

    def _bytes(self, axis: Axis, elements: int) -> int:
        """Return the bytes by which the start moves for ``elements`` along a dimension."""
        if axis.bits is None:
            raise self._error(axis.along, "the size of an element is not known", "give --dtype")
        position, rest = divmod(elements * axis.bits, 8)
        if rest or position % axis.grain:
            unit = 8 * axis.grain // axis.bits
            low = elements - elements % unit
            raise self._error(
                axis.along,
                f"an advance of {elements} elements along {axis.along} is not a multiple of 16 B, the unit of start "
                f"addresses ({unit} elements)",
                f"the nearest are {low} and {low + unit}",
            )
        self._check_end(axis, elements, position)
        atoms, rest = divmod(position, axis.inside)
        if not rest:
            return atoms * self._distance(axis, atoms)
        if axis.distance == axis.inside:
            return position
        if not axis.contiguous:
            return self._lines(axis, elements, position)
        here = self._row(axis)
        atoms, now = divmod(here + position, axis.inside)
        return atoms * self._distance(axis, atoms) + now - here if atoms else position

    def _row(self, axis: Axis) -> int:
        """Return the position in the row of an atom that the start is at."""
        here = (self.start - (self.tile_start or 0)) % self.mode.width
        if self.tile_start is None and here % K_STEP and axis.along == "K" and not self.absolute:
            raise self._error(
                "K",
                f"the start 0x{self.start:x} is not an MMA step of rows that start at multiples of {self.mode.width} "
                "B, so the end of its row is not known",
                "give the start of the tile with --tile-start",
            )
        return here

    def _lines(self, axis: Axis, elements: int, position: int) -> int:
        """Return the bytes of a step by less than the lines of an atom, where the atoms do not adjoin."""
        count = axis.inside // axis.grain
        what = "rows" if axis.along == "MN" else "k"
        if self.tiling is not None and self.tile_start is not None:
            here = self.tiling.position(self.start - self.tile_start, axis.along) % axis.inside
            atoms, now = divmod(here + position, axis.inside)
            extent = self.context.mn if axis.along == "MN" else self.context.k
            if not now or (extent is not None and now // axis.grain + extent <= count):
                return atoms * self._distance(axis, atoms) + now - here
        raise self._error(
            axis.along,
            f"{elements} is not a multiple of {count}: a descriptor counts {count} {what} from its start, and the next "
            f"{count} are not contiguous",
            f"advance by a multiple of {count}",
        )

    def _distance(self, axis: Axis, atoms: int) -> int:
        if axis.distance is None or (self.absolute and axis.by == "LBO" and atoms != 1 and atoms):
            if not atoms:
                return 0
            atom = "atom" if self.mode.name == "none" else "swizzle atom"
            raise self._error(axis.along, self._unknown(axis, f"the step leaves the {atom}"))
        return axis.distance

    def _unknown(self, axis: Axis, what: str) -> str:
        row = f" ({axis.inside * 8 // axis.bits} elements)" if axis.bits else ""
        size = f"{axis.inside} B of {axis.along}{row}" if axis.contiguous else f"{axis.inside // axis.grain} lines"
        why = axis.by if axis.distance is None else "LBO gives only the next one"
        return (
            f"{what}, {size}, and the descriptor does not give the distance of the next one along {axis.along}: {why}"
        )

    def _check_end(self, axis: Axis, elements: int, position: int) -> None:
        """Reject a step that leaves the tile."""
        if self.tiling is None:
            return
        count = self.tiling.count(axis.along)
        offset = self._offset()
        if offset is not None:
            inside = 0 <= self.tiling.position(offset, axis.along) + position < count * axis.inside
        else:
            here = self._row(axis) if axis.contiguous and position % axis.inside else 0
            atoms = (here + position) // axis.inside
            inside = -count < atoms < count if axis.contiguous or position > 0 else -count * axis.inside < position
        if not inside:
            size = self.tiling.size if elements > 0 else -self.tiling.size
            raise self._error(
                axis.along,
                f"{elements} elements along {axis.along} leave the tile of {self.tiling.shape}",
                f"the next pipeline stage, if stages are contiguous, is --advance {size}B",
            )

    def _offset(self) -> int | None:
        """Return the start from that of the tile; None if either is unknown."""
        if self.tiling is None or self.tile_start is None:
            return None
        offset = self.start - self.tile_start
        if not self.tiling.holds(offset):
            raise SmemdescError(
                f"the start 0x{self.start:x} is not in a tile of {self.tiling.shape} from 0x{self.tile_start:x} "
                f"({self.tiling.size} B)",
                hint="give the tile to which the descriptor belongs",
            )
        return offset

    def _error(self, along: str, message: str, hint: str = "") -> FieldError:
        default = "give the tile: --tile MNxK and --order mn|k"
        return FieldError(OPTION[along], message, hint=hint or default)

    # From bytes to words

    @property
    def mma(self) -> int | None:
        """The position along K of the next MMA step, in bytes; None if only the type would say it."""
        axis = self.axes["K"]
        if self.absolute:
            return K_96_BYTES
        k = self.context.k
        if k is not None and axis.bits is not None:
            return k * axis.bits // 8
        return K_STEP if axis.contiguous else None

    def name(self, delta: int) -> list[DistanceName]:
        """Describe a move of the start by ``delta`` bytes: steps, atoms, stages; at least one line."""
        if self.tiling is not None and not delta % self.tiling.size:
            stages = delta // self.tiling.size
            text = f"{_times(stages, 'pipeline stage')}{_back(stages)}"
            return [DistanceName(f"{text} (a tile of {self.tiling.shape} is {self.tiling.size} B)", STAGES)]
        k, mn = (self._within(along, self._position(self.axes[along], delta)) for along in ("K", "MN"))
        out = [self._along_k(k)] if k is not None else []
        if mn is not None:
            rest = "" if out else self._unknown_along_k(mn) or self._instead("a step along MN, not K")
            out.append(DistanceName(self._along_mn(mn) + rest, ALONG_MN))
        none = self._outside(delta) or self._nothing(delta)
        return out or list(self._both(delta)) or [DistanceName(none + self._instead(""), NO_STEP)]

    def _within(self, along: str, position: int | None) -> int | None:
        """Return a position, from the start, unless it leads out of the tile, wherever in it the start may be."""
        if position is None or self.tiling is None:
            return position
        axis, offset = self.axes[along], self._offset()
        extent = self.tiling.count(along) * axis.inside
        if offset is not None:
            low, high = -(here := self.tiling.position(offset, along)), extent - here
        else:
            row = self.start % self.mode.width if axis.contiguous else 0
            low, high = axis.inside - extent - row, extent - row
            low = low if axis.contiguous else axis.grain - extent
        return position if low <= position < high else None

    def _outside(self, delta: int) -> str:
        """Say that a move certainly leaves the tile; empty if it may not."""
        if self.tiling is None:
            return ""
        offset, size = self._offset(), self.tiling.size
        if abs(delta) < size if offset is None else self.tiling.holds(offset + delta):
            return ""
        end = "past the end" if delta > 0 else "before the beginning"
        return f"{end} of the tile of {self.tiling.shape} ({size} B)"

    def _position(self, axis: Axis, delta: int) -> int | None:
        """Return the position along a dimension that a distance is, or None; the inverse of an advance."""
        if axis.contiguous:
            here = (self.start - (self.tile_start or 0)) % self.mode.width
            if 0 <= here + delta < axis.inside:
                return delta if not delta % axis.grain else None
            if not axis.distance:
                return None
            atoms, now = divmod(here + delta, axis.distance)
            return atoms * axis.inside + now - here if now < axis.inside else None
        if delta % axis.grain:
            return None
        if axis.distance == axis.inside:
            # Lines and atoms adjoin: any number of lines is a step, but only whole atoms differ from K's atoms.
            return delta
        if axis.distance and not delta % axis.distance:
            return delta // axis.distance * axis.inside
        return None

    def _along_k(self, position: int) -> DistanceName:
        axis, mma = self.axes["K"], self.mma
        amount, where = self._amount(axis, position), self._passed_atoms(axis, position)
        if mma is None:
            k = abs(position // axis.grain)
            steps = (
                f", 1 MMA step of {TYPES_BY_K[k]}"
                if k in TYPES_BY_K
                else ""
                if k % 8 == 0
                else ", not a whole MMA step"
            )
            return DistanceName(f"{amount} along K{_back(position)}{steps}{where}", ALONG_K if k % 8 else K_STEPS)
        if position % mma:
            part = f"not a multiple of the MMA step of {self._amount(axis, mma)}"
            return DistanceName(f"{amount} along K{_back(position)}, {part}{where}", ALONG_K)
        steps = _times(position // mma, "MMA step")
        return DistanceName(f"{steps} along K{_back(position)}: {amount}{where}", K_STEPS)

    def _along_mn(self, position: int) -> str:
        axis = self.axes["MN"]
        amount, where = self._amount(axis, position), self._passed_atoms(axis, position)
        if not axis.contiguous and position % axis.inside and abs(position) < axis.inside and self.mode.name != "none":
            return f"{self._row_end(position)}: {amount} along MN{_back(position)}, in the same atom"
        one = self.context.mn
        if one is not None and axis.bits is not None and not position * 8 % (one * axis.bits):
            steps = _times(position * 8 // (one * axis.bits), "MN step")
            return f"{steps}{_back(position)}: {amount}{where}"
        return f"{amount} along MN{_back(position)}{where}"

    def _amount(self, axis: Axis, position: int) -> str:
        """Say how much a position is: bytes and elements, rows or k."""
        size = abs(position)
        if not axis.contiguous:
            lines = size // axis.grain
            return f"{lines} k" if axis.along == "K" else _times(lines, "row")
        dtype = self.context.dtype
        return f"{size} B" + (f" ({size * 8 // dtype.storage} elements of {dtype.name})" if dtype else "")

    def _passed_atoms(self, axis: Axis, position: int) -> str:
        """Say how many atoms a step passes over, and by which stride."""
        atoms, rest = divmod(abs(position), axis.inside)
        if axis.contiguous and self.mode.name != "none":
            here = (self.start - (self.tile_start or 0)) % self.mode.width
            if not (here + position) // axis.inside:
                return ", inside the swizzle atom"
            if rest:
                return ", in another swizzle atom"
        if rest:
            return ""
        by = [f"{atoms} x {axis.by}"] if axis.by in NICK.values() else []
        named = [_times(atoms, "swizzle atom")] if self.mode.name != "none" else []
        return f", {' = '.join([*named, *by])}" if named or by else ""

    def _both(self, delta: int) -> Iterator[DistanceName]:
        """Name a move along both dimensions of the tile, perhaps with stages; one way at most."""
        if self.tiling is None:
            return
        k, mn = self.axes["K"], self.axes["MN"]
        stages = delta // self.tiling.size
        for stage in sorted({0, stages, stages + 1}, key=abs):
            for atoms in sorted(range(1 - self.tiling.atoms.mn, self.tiling.atoms.mn), key=abs):
                rest = delta - stage * self.tiling.size - atoms * self.tiling.stride_mn
                position = self._within("K", self._position(k, rest))
                if position is None or self._within("MN", atoms * mn.inside) is None:
                    continue
                parts = [f"{_times(stage, 'pipeline stage')}{_back(stage)}"] if stage else []
                parts += [self._along_mn(atoms * mn.inside)] if atoms else []
                parts += [self._along_k(position).text] if position else []
                yield DistanceName("; and ".join(parts), SEVERAL)
                return

    def _nothing(self, delta: int) -> str:
        """Say where a move ends that is no step."""
        size = self.mode.atom
        if self.mode.name == "none":
            return "not a step along K or MN"
        if not delta % size:
            return f"{_times(delta // size, 'swizzle atom')}{_back(delta)} of {size} B, not by a stride"
        here = (self.start - (self.tile_start or 0)) % self.mode.width
        row, byte = divmod(here + delta, self.mode.width)
        if abs(row) < self.mode.lines:
            return f"{self._row_end(delta)}: byte {byte} of the row {abs(row)} {'below' if row > 0 else 'above'}"
        return "not a step along K or MN"

    def _row_end(self, delta: int) -> str:
        return f"{'past the end of' if delta > 0 else 'before'} the row of {self.mode.width} B"

    def _unknown_along_k(self, position: int) -> str:
        """Say that whole atoms may be a step along K, too, where the descriptor does not say how far that is."""
        if self.axes["K"].distance is not None or position % self.axes["MN"].inside or self.absolute:
            return ""
        return "; give --tile to check whether it is also another atom along K"

    def _instead(self, what: str) -> str:
        """Say what one MMA step along K is, for a move that is none."""
        axis, mma = self.axes["K"], self.mma
        lead = f": {what}; " if what else "; "
        if mma is None:
            if not axis.distance:
                return lead.rstrip("; ")
            count = axis.inside // axis.grain
            return f"{lead}{count} k on is {axis.distance:+d} B ({axis.distance // UNIT:+d})"
        try:
            # An element of 8 bits represents a byte where the type is unknown.
            by = self._bytes(axis if axis.bits else axis._replace(bits=8), mma * 8 // (axis.bits or 8))
        except SmemdescError:
            return f"{lead}the next MMA step along K is in the next atom; give --tile for its distance"
        return f"{lead}one MMA step along K is {by:+d} B ({by // UNIT:+d})"


TYPES_BY_K = {8: "tf32", 16: "a 16-bit type", 32: "an 8-bit type"}
"""The types whose MMA reads this many elements along K."""


def _apart(tile: AtomTiling) -> Iterator[int]:
    """Yield the strides of a tile that reach a second atom."""
    for along in MAJORS:
        if tile.count(along) > 1:
            yield tile.stride(along)


def _number(reading: FieldReading) -> int | None:
    return reading.value if isinstance(reading.value, int) else None


def _times(amount: int, what: str) -> str:
    return many(abs(amount), what)


def _back(amount: int) -> str:
    return " back" if amount < 0 else ""


def possible(kind: str, swizzle: str, dtype: DType | None) -> tuple[str, ...]:
    """Return the possible major-nesses of an operand of this type and mode; both if the type is not known."""
    majors = [major for major in MAJORS if exists(swizzle, major)]
    if dtype is not None:
        majors = [major for major in majors if not no_instruction(swizzle, major, dtype)]
        if kind == "wgmma" and dtype.storage != 16:
            majors = [major for major in majors if major == "K"]
    return tuple(majors) or MAJORS
