"""``smemdesc.Context``: what is known of an instruction, from keywords as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smemdesc.api.options.keywords import as_read, knowing, reads
from smemdesc.kinds.context import Context

if TYPE_CHECKING:
    from smemdesc.api.options.literals import MajorName, MmaKindName, OrderName, TypeName, TypePair
    from smemdesc.kinds.types import DType


class ReadContext(Context):
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
        dtype: TypeName | TypePair | DType | tuple[DType, DType] | None = None,
        major: MajorName | None = None,
        shape: str | tuple[int, int] | tuple[int, int, int] | None = None,
        arch: str | None = None,
        cta_group: int | None = None,
        ws: bool | None = None,
        scale_vec: int | None = None,
        mma_kind: MmaKindName | None = None,
        m: int | None = None,
        n: int | None = None,
        tile: str | tuple[int, int] | None = None,
        order: OrderName | None = None,
        backing: int | str | None = None,
    ) -> ReadContext:
        known = (None, major, None, arch, cta_group, ws, scale_vec, m, n, as_read(tile), order, as_read(backing))
        return knowing(super().__new__(cls, *known), dtype=dtype, shape=shape)

    def __reduce__(self) -> tuple[object, ...]:
        return self._make, (tuple(self),)  # what was read is not read again
