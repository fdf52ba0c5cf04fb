"""What is known of the instruction around a descriptor, which its bits do not contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from smemdesc.kinds.options import as_read, reads

if TYPE_CHECKING:
    from smemdesc.kinds.types import DType


class _Known(NamedTuple):
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


class Context(_Known):
    """What is known of the instruction and the tile of a descriptor; None for unknown.

    ``dtype`` is a type by its name in PTX, CUTLASS, PyTorch or the driver; ``major`` is ``K`` or ``MN``;
    ``shape`` is MN x K of the operand of one instruction, ``tile`` of the tile in shared memory, both in elements,
    as ``"64x16"`` or ``(64, 16)``; ``order`` is ``mn`` or ``k``, the dimension along which the tile's atoms are
    contiguous; ``arch`` is a target or a GPU; ``cta_group`` is 1 or 2, ``scale_vec`` 1, 2 or 4; ``m`` and ``n`` are
    of the instruction, for a zero-column mask; ``backing`` is how many bytes are mapped, starting at the address of
    a tensor map. ``mma_kind`` only decides whether ``e2m1`` is packed (mxf4,
    mxf4nvf4) or in 8-bit containers.
    :class:`smemdesc.engine.errors.SmemdescError` names the keyword that cannot be read.
    """

    __slots__ = ()

    @reads()
    def __new__(
        cls,
        *,
        dtype: str | DType | None = None,
        major: str | None = None,
        shape: str | tuple[int, int] | None = None,
        arch: str | None = None,
        cta_group: int | None = None,
        ws: bool | None = None,
        scale_vec: int | None = None,
        mma_kind: str | None = None,
        m: int | None = None,
        n: int | None = None,
        tile: str | tuple[int, int] | None = None,
        order: str | None = None,
        backing: int | str | None = None,
    ) -> Context:
        operand, box, size = as_read(shape), as_read(tile), as_read(backing)
        return super().__new__(
            cls, as_read(dtype), major, operand, arch, cta_group, ws, scale_vec, m, n, box, order, size
        )

    def __repr__(self) -> str:
        known = ((name, value) for name, value in self._asdict().items() if value is not None)
        arguments = (f"{name}={value.name if name == 'dtype' else value!r}" for name, value in known)
        return f"Context({', '.join(arguments)})"

    def __reduce__(self) -> tuple[object, ...]:
        return Context._make, (tuple(self),)  # what was read is not read again

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


context = Context
"""The same, by its older name."""
NOTHING = Context()
