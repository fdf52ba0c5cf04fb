"""The table of canonical layouts in letters: PTX's notation, CUTLASS's, and their differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import HIGHEST
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, by_width
from smemdesc.kinds.names import MAJORS
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.atom import EVERY_ATOM, atom_bytes, atom_shape, exists, no_instruction, shape_in_units
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.operand import BASE32_WHY, K_WHY, UNIT, Canonical, Operand, canonical_layout
from smemdesc.layout.strides import LBO, NICK, UNUSED, Stride, strides_of

FORMS_SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.1.3; CUTLASS make_gmma_desc, make_umma_desc"
ORDER = tuple(mode.name for mode in by_width())
"""The modes as PTX's table lists them; those of 32-byte units have no row there."""

FIGURE_167 = Mode(Mode(Leaf(8, 8), Leaf(2, 64)), Mode(Leaf(4, 1), Leaf(4, 4)))
"""PTX's exact layout of Figure 167, with k = 2."""
FIGURE_167_RIGHT = Mode(Mode(Leaf(8, 8), Leaf(2, 64)), Mode(Leaf(4, 1), Leaf(2, 4)))
"""What it should be: k = 1, as PTX ISA 9.4 has it."""
NONE_WHY = (
    "both address the same elements: without swizzle each 16-byte column of K is LBO after the previous one, so "
    "PTX's (T,2k) holds for any k, as in Figure 166; CUTLASS writes the two columns of one MMA"
)
NO_ATOM = "no K-major atom: not in PTX ISA 9.3, Table 58; CUTLASS rejects it"


class CanonicalForm(NamedTuple):
    """One row of the table: a mode and a major-ness."""

    swizzle: str
    major: str
    ptx: str | None
    """As PTX writes it; None where PTX has no row."""
    cutlass: str | None
    """As CUTLASS has it; None if there is no such layout."""
    function: Swizzle
    """What is applied to the byte address after it."""
    lbo: Stride | None
    sbo: Stride | None
    why: str
    """Why the two differ, or why none exists."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "swizzle": self.swizzle,
            "major": self.major,
            "ptx": self.ptx,
            "cutlass": self.cutlass,
            "function": str(self.function),
            "lbo": self.lbo.step if self.lbo else None,
            "sbo": self.sbo.step if self.sbo else None,
            "why": self.why,
        }


class CanonicalExample(NamedTuple):
    """One row with numbers in it."""

    form: CanonicalForm
    operand: Operand
    canonical: Canonical
    strides: tuple[Stride, Stride]
    """What LBO and SBO are here."""
    distinct: int
    """How many addresses PTX's notation gives; fewer than elements where it addresses some twice."""
    apart: int
    """How many elements the two notations put at different addresses."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the row, and its numbers as ``exact``."""
        operand, both = self.operand, self.canonical
        exact = {
            "dtype": operand.dtype.name,
            "shape": list(operand.shape),
            "t": operand.unit,
            "m": both.m,
            "k": both.k,
            "ptx": str(both.ptx) if self.form.ptx else None,
            "cutlass": str(both.cutlass) if both.by_cutlass else None,
            "formula": str(both.cutlass),
            "leading_byte_offset": {"raw": operand.lbo // UNIT, "value": operand.lbo},
            "stride_byte_offset": {"raw": operand.sbo // UNIT, "value": operand.sbo},
            "apart": self.apart,
            "why": both.why,
        }
        return {**self.form.to_dict(), "exact": exact}


def forms(dtype: DType, major: str | None = None, swizzle: str | None = None) -> list[CanonicalForm]:
    """Return the rows of the table, only of one major-ness or one mode if given."""
    return [
        canonical_form(mode, listed, dtype)
        for listed in reversed(MAJORS)
        for mode in ORDER
        if major in (None, listed) and swizzle in (None, mode)
    ]


def canonical_form(swizzle: str, major: str, dtype: DType) -> CanonicalForm:
    """Return one row of the table; ``dtype`` only affects the words for its steps."""
    function = Swizzle(*MODE[swizzle].swizzle)
    if not exists(swizzle, major):
        return CanonicalForm(swizzle, major, None, None, function, None, None, NO_ATOM)
    symbols = canonical_layout(Operand(swizzle, major, dtype, atom_shape(swizzle, major, dtype))).symbols
    lbo, sbo = strides_of(swizzle, major, Context(dtype=dtype))
    mode = MODE[swizzle]
    if mode.wide or not mode.ptx:
        unknown = f"no notation of PTX or CUTLASS is known for {major}-major {swizzle}: this is what its width gives"
        why = BASE32_WHY if mode.ptx else unknown
        return CanonicalForm(swizzle, major, None, symbols, function, lbo, sbo, why)
    if major == "K":
        why = NONE_WHY if swizzle == "none" else K_WHY
        return CanonicalForm(swizzle, major, symbols, symbols.replace("2k", "2"), function, lbo, sbo, why)
    return CanonicalForm(swizzle, major, symbols, symbols, function, lbo, sbo, "")


def form_example(
    row: CanonicalForm, dtype: DType, extent: tuple[int, int], lbo: int | None, sbo: int | None
) -> CanonicalExample:
    """Return a row with numbers: the operand's MN x K in elements, its offsets in bytes.

    An offset of None counts as unused. :class:`smemdesc.engine.errors.SmemdescError` if it is needed, where
    an offset does not fit its field, or where the operand is not a whole number of units, rows or k.
    """
    if row.cutlass is None:
        raise SmemdescError(row.why, hint="use 128B")
    size = extent[0] * extent[1] * dtype.storage // 8
    if size > WINDOW:
        raise SmemdescError(
            f"{extent[0]}x{extent[1]} elements of {dtype.name} are {size} B, more than the {WINDOW} B of shared memory",
            hint="--shape is the operand of one instruction, as in 64x16",
        )
    context = Context(dtype=dtype, major=row.major, shape=extent)
    here = strides_of(row.swizzle, row.major, context)
    offsets = [_offset(stride, distance) for stride, distance in zip(here, (lbo, sbo), strict=True)]
    operand = Operand(row.swizzle, row.major, dtype, extent, lbo=offsets[0], sbo=offsets[1])
    both = canonical_layout(operand)
    ptx = [both.ptx.bit_address(0, mn, k) for mn, k in operand.coordinates()]
    cutlass = [both.cutlass.bit_address(0, mn, k) for mn, k in operand.coordinates()]
    return CanonicalExample(row, operand, both, here, len(set(ptx)), sum(map(int.__ne__, ptx, cutlass)))


def _offset(stride: Stride, distance: int | None) -> int:
    nick = NICK[stride.key]
    if distance is None:
        if stride.used is not False:
            raise SmemdescError(
                f"{nick} is missing: the operand is larger than {stride.step}",
                hint=f"give --{nick.lower()} in bytes; {stride.packed} if {stride.pieces} are contiguous",
            )
        return UNUSED if stride.key == LBO else 0
    if distance % UNUSED or not 0 <= distance <= HIGHEST:
        raise SmemdescError(
            f"{nick} {distance} B does not fit its field", hint=f"it is a multiple of 16 in 0..{HIGHEST}, in bytes"
        )
    return distance


@shown()
class Atoms(NamedTuple):
    """The swizzle atoms of a type, one for each mode and major-ness, in the order of PTX's table."""

    dtype: DType | None = None
    """None: bf16, and tf32 under 128B_32B."""

    @property
    def findings(self) -> tuple[()]:
        """None: nothing is judged."""
        return ()

    @property
    def ok(self) -> bool:
        """True: nothing is judged."""
        return True

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of ``smemdesc layout atom --json``."""
        for name, major in sorted(EVERY_ATOM, key=lambda pair: (ORDER.index(pair[0]), pair[1])):
            mode = MODE[name]
            dtype = self.dtype or dtype_of("tf32" if mode.wide else "bf16")
            yield {
                "swizzle": name,
                "major": major,
                "dtype": dtype.name,
                "units": list(shape_in_units(name, major)),
                "elements": list(atom_shape(name, major, dtype)),
                "bytes": atom_bytes(name, major),
                "function": str(Swizzle(*mode.swizzle)),
                "period": mode.period,
                "codes": {"wgmma": mode.wgmma, "tcgen05": mode.tcgen05, "tma": mode.tma_code},
                "unread": no_instruction(name, major, dtype).partition(":")[0].partition(";")[0],
            }

    def to_dict(self) -> dict[str, Any]:
        """Return the lines of ``smemdesc layout atom --json``, as ``atoms``."""
        return {"atoms": list(self.rows())}

    def __str__(self) -> str:
        return f"{len(EVERY_ATOM)} atoms"


def aliases(layout: Mode) -> tuple[int, int]:
    """Return the number of coordinates of a layout, and of distinct offsets."""
    return layout.size, len(set(layout.offsets))
