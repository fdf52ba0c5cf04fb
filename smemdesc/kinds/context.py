"""What is known of the instruction around a descriptor, which its bits do not contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.kinds.options import as_read, reads
from smemdesc.kinds.readers import BLAS

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
    types: tuple[DType, DType] | None = None
    """Of A and B of the instruction."""
    majors: tuple[str | None, str | None] | None = None
    """Of A and B of the instruction."""
    mnk: tuple[int, int, int] | None = None
    """M x N x K of the instruction, in elements."""


class Context(_Known):
    """What is known of the instruction and the tile of a descriptor; None for unknown.

    ``dtype`` is a type by its name in PTX, CUTLASS, PyTorch or the driver; ``major`` is ``K`` or ``MN``;
    ``shape`` is MN x K of the operand of one instruction, ``tile`` of the tile in shared memory, both in elements,
    as ``"64x16"`` or ``(64, 16)``; ``order`` is ``mn`` or ``k``, the dimension along which the tile's atoms are
    contiguous; ``arch`` is a target or a GPU; ``cta_group`` is 1 or 2, ``scale_vec`` 1, 2 or 4; ``m`` and ``n`` are
    of the instruction, for a zero-column mask; ``backing`` is how many bytes are mapped, starting at the address of
    a tensor map. ``mma_kind`` only decides whether ``e2m1`` is packed (mxf4,
    mxf4nvf4) or in 8-bit containers. Of an instruction descriptor ``dtype`` may be the types of A and B, as
    ``"e4m3,e5m2"``, and ``shape`` M x N or M x N x K.
    :class:`smemdesc.engine.errors.SmemdescError` names the keyword that cannot be read.
    """

    __slots__ = ()

    @reads()
    def __new__(
        cls,
        *,
        dtype: str | DType | tuple[DType, DType] | None = None,
        major: str | None = None,
        shape: str | tuple[int, int] | tuple[int, int, int] | None = None,
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
        known = (None, major, None, arch, cta_group, ws, scale_vec, m, n, as_read(tile), order, as_read(backing))
        return super().__new__(cls, *known).knowing(dtype=dtype, shape=shape)

    def knowing(self, **values: Any) -> Context:
        """Return the same with what was read for keywords of :func:`smemdesc.decode`; None is not known.

        ``dtype`` and ``shape`` are of an operand, or types and shape of an instruction.
        """
        for one, whole in (("dtype", "types"), ("shape", "mnk")):
            if one in values and (type(values[one]) is tuple and (whole == "types" or len(values[one]) == 3)):
                values[whole] = values.pop(one)
        if "trans_a" in values or "trans_b" in values:
            majors = tuple(BLAS.get((operand, values.pop(f"trans_{operand}", None))) for operand in "ab")
            values["majors"] = majors if any(majors) else None
        return self._replace(**values)

    def __repr__(self) -> str:
        known = {name: value for name, value in self._asdict().items() if value is not None}
        if self.dtype:
            known["dtype"] = self.dtype.name
        if self.types:
            known["types"] = tuple(dtype.name for dtype in self.types)
        return f"Context({', '.join(f'{name}={value!r}' for name, value in known.items())})"

    def __reduce__(self) -> tuple[object, ...]:
        return Context._make, (tuple(self),)  # what was read is not read again

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


context = Context
"""The same, by its older name."""
NOTHING = Context()
