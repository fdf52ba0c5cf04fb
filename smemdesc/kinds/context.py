"""What is known of the instruction around a descriptor, which its bits do not contain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import parse_arch
from smemdesc.kinds.names import MAJORS

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

    @property
    def mn(self) -> int | None:
        """Rows of the operand."""
        return self.shape[0] if self.shape else None

    @property
    def k(self) -> int | None:
        """K of the operand in elements: that of the shape, else of the dense instruction for the type."""
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
LONGEST = 6
"""Digits of a dimension: shared memory holds fewer than a million elements."""


def context(
    *,
    dtype: str | None = None,
    major: str | None = None,
    shape: tuple[int, int] | str | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    mma_kind: str | None = None,
    m: int | None = None,
    n: int | None = None,
    tile: tuple[int, int] | str | None = None,
    order: str | None = None,
) -> Context:
    """Make a :class:`Context` of plain names; ``shape`` is (MN, K) or ``"64x16"``, in elements.

    ``mma_kind`` only decides whether ``e2m1`` is packed (mxf4, mxf4nvf4) or in 8-bit containers; ``m`` and
    ``n`` are those of the instruction, for a zero-column mask; ``tile`` is (MN, K) or ``"128x64"``, in elements, and
    ``order`` ``mn`` or ``k``.
    :class:`smemdesc.engine.errors.SmemdescError` names an unknown name.
    """
    from smemdesc.kinds.types import dtype_of

    return Context(
        dtype=dtype_of(dtype, mma_kind) if dtype else None,
        major=major_of(major) if major else None,
        shape=parse_shape(shape) if isinstance(shape, str) else shape,
        arch=parse_arch(arch) if arch else None,
        cta_group=cta_group,
        ws=ws,
        scale_vec=scale_vec,
        m=m,
        n=n,
        tile=parse_shape(tile) if isinstance(tile, str) else tile,
        order=order,
    )


def major_of(text: str) -> str:
    """Return ``K`` or ``MN``; M and N are accepted for MN. :class:`smemdesc.engine.errors.SmemdescError` for anything
    else."""
    major = text.upper()
    if major in ("M", "N"):
        return "MN"
    if major not in MAJORS:
        raise SmemdescError(f"unknown major-ness {text!r}", hint="use K or MN")
    return major


BLAS = {("a", "N"): "MN", ("a", "T"): "K", ("b", "N"): "K", ("b", "T"): "MN"}
"""The major-ness of A and B in a column-major BLAS, not transposed (N) and transposed (T).

A (M x K) is stored column by column, so m is contiguous; so is B (K x N), where k is. Transposing swaps that.
(The table of the PTX ISA has A the other way around, see docs/errata.md.)
"""


def parse_shape(text: str) -> tuple[int, int]:
    """Read ``64x16`` as (MN, K), both at least 1."""
    whole = re.fullmatch(r"(?i)m(\d{1,6})n(\d{1,6})k(\d{1,6})", text.strip())
    if whole:
        m, n, k = whole.groups()
        raise SmemdescError(
            f"{text} is the shape of an instruction: A is {m}x{k}, B is {n}x{k}",
            hint=f"choose the operand: --shape {m}x{k} for A, --shape {n}x{k} for B",
        )
    first, cross, second = text.lower().partition("x")
    if not cross or not first.isascii() or not first.isdigit() or not second.isascii() or not second.isdigit():
        raise SmemdescError(f"{text!r} is not a shape", hint="write MNxK in elements, as in 64x16")
    if max(len(first), len(second)) > LONGEST:
        raise SmemdescError(f"{text!r}: no operand is that large", hint="write MNxK in elements, as in 64x16")
    shape = int(first), int(second)
    if min(shape) < 1:
        raise SmemdescError(f"{text!r}: a shape has at least one row and one column", hint="write MNxK, as in 64x16")
    return shape
