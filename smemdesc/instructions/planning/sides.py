"""An operand of the plan in shared memory: its swizzle mode, its descriptors, its layout in every notation."""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.planning.choices import Choices
from smemdesc.instructions.planning.made import Side
from smemdesc.kinds.instruction import PLACES
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.types import DType
from smemdesc.tiles.text import cute_text, dsl_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile, tile


def side(of: Choices, name: str, mma: tuple[int, int, int]) -> Side | None:
    """Return one operand in shared memory, under the mode that was asked for or the widest that fits."""
    wish = of.wish
    if name == "a" and wish.a_from != "shared":
        if wish.a_major == "MN":
            raise SmemdescError(f"A in {PLACES[wish.a_from]} is K-major", hint="leave --a-major and --trans-a out")
        return None
    dtype = of.types[name == "b"]
    major = wish.a_major if name == "a" else wish.b_major
    # A of a sparse MMA is stored compressed: half of its K.
    part = 2 if wish.sparse and name == "a" else 1
    mn, one = (wish.shape[0], mma[0]) if name == "a" else (wish.shape[1], mma[1])
    size = mn, wish.shape[2] // part
    first: SmemdescError | None = None
    for mode in [wish.swizzle] if wish.swizzle else _widest(of.kind, dtype, major):
        try:
            made = tile(
                of.kind.name,
                size,
                dtype,
                major,
                mode,
                mma=(one, mma[2] // part),
                order=wish.order,
                cta_group=wish.cta_group,
                arch=of.arch,
            )
        except SmemdescError as error:
            first = first or SmemdescError(f"{name.upper()}: {error.message}", hint=error.hint)
            continue
        return Side(
            name,
            made,
            _why(wish.swizzle, made, first),
            0,
            made.filling,
            cute_text(made),
            dsl_text(made),
            triton_encoding(made, name),
            triton_shape(made, name),
        )
    assert first is not None
    raise first


def _widest(kind: Kind, dtype: DType, major: str) -> list[str]:
    """Return the modes to try, the widest first; of MN-major 32-bit operands tcgen05 has one only."""
    if dtype.storage == 32 and major == "MN" and kind.name == "tcgen05":
        return ["128B_32B"]
    modes = sorted((mode for mode in MODES if mode.lines == 8), key=lambda mode: -mode.width)
    return [mode.name for mode in modes]


def _why(asked: str | None, made: Tile, refused: SmemdescError | None) -> str:
    """Say why a mode was taken."""
    k_major = made.major == "K"
    along, size, atom = ("K", made.shape.k, made.atom.k) if k_major else ("MN", made.shape.mn, made.atom.mn)
    if asked is not None:
        return "as asked"
    if made.swizzle == "128B_32B":
        return "the only mode of MN-major 32-bit operands"
    text = f"{along} = {size} is a multiple of {atom} elements, {MODE[made.swizzle].width} B"
    if made.swizzle == "128B":
        return f"the widest there is: {text}"
    need = MODE[made.swizzle].width * 16 // made.dtype.storage
    if size % need:
        return f"the widest that fits: {text}; the next wider mode needs a multiple of {need}"
    return f"the widest that fits: {text}" + (f"; wider: {refused.message.partition(': ')[2]}" if refused else "")
