"""What is known of the instruction around a descriptor, which its bits do not contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from smemdesc.kinds.types import DType


class Context(NamedTuple):
    """What is known of the instruction and the tile of a descriptor; None for unknown."""

    dtype: DType | None = None
    major: str | None = None
    """``K`` or ``MN``."""
    shape: tuple[int, int] | None = None
    """MN x K of the operand of one instruction, in elements."""
    arch: str | None = None
    cta_group: int | None = None
    ws: bool | None = None
    scale_vec: int | None = None
    """1, 2 or 4, as in ``.scale_vec::2X``."""
    m: int | None = None
    """M of the instruction: divides a zero-column mask into sub-masks."""
    n: int | None = None
    """N of the instruction: the columns of a zero-column mask."""
    tile: tuple[int, int] | None = None
    """MN x K of the tile in shared memory to which the descriptor belongs, in elements."""
    order: str | None = None
    """``mn`` or ``k``: the dimension along which the tile's atoms are contiguous; None: either."""
    backing: int | None = None
    """Bytes that are mapped, starting at the global address of a tensor map."""
    types: tuple[DType, DType] | None = None
    """Of A and B of the instruction."""
    majors: tuple[str | None, str | None] | None = None
    """Of A and B of the instruction."""
    mnk: tuple[int, int, int] | None = None
    """M x N x K of the instruction, in elements."""

    def __repr__(self) -> str:
        known = {name: value for name, value in self._asdict().items() if value is not None}
        if self.dtype:
            known["dtype"] = self.dtype.name
        if self.types:
            known["types"] = tuple(dtype.name for dtype in self.types)
        return f"Context({', '.join(f'{name}={value!r}' for name, value in known.items())})"

    @property
    def both_types(self) -> tuple[DType, DType] | None:
        """The types of A and B. With the major-ness, ``dtype`` and ``shape`` are those of one operand."""
        one = self.dtype if self.major is None else None
        return self.types or (one and (one, one))

    @property
    def given_m(self) -> int | None:
        """M of the instruction."""
        return self.m or (self.mnk or self._instruction_shape or (None,))[0]

    @property
    def given_n(self) -> int | None:
        """N of the instruction."""
        return self.n or (self.mnk or self._instruction_shape or (None, None))[1]

    @property
    def given_k(self) -> int | None:
        """K of the instruction."""
        return self.mnk[2] if self.mnk else None

    @property
    def _instruction_shape(self) -> tuple[int, int] | None:
        return self.shape if self.major is None else None

    @property
    def mn(self) -> int | None:
        """Rows of the operand."""
        return self.shape[0] if self.shape else None

    @property
    def k(self) -> int | None:
        """K of the operand in elements: from the shape, else of the dense instruction for the type."""
        if self.shape:
            return self.shape[1]
        return self.dtype.k if self.dtype else None

    @property
    def whole(self) -> bool:
        """Whether type, major-ness and shape, and so every address, are known."""
        return self.dtype is not None and self.major is not None and self.shape is not None

    @property
    def tiled(self) -> bool:
        """Whether the tile and everything that determines its strides are known."""
        return self.tile is not None and self.dtype is not None and self.major is not None

    @property
    def bits(self) -> int | None:
        """Storage bits of one element."""
        return self.dtype.storage if self.dtype else None


NOTHING = Context()
