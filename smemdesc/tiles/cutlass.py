"""The static assertions of CUTLASS's ``make_gmma_desc`` and ``make_umma_desc`` for a layout.

They recast the tensor to 16-byte units, divide it by the atom and check shape and strides of the quotient; a
rejected layout may have a descriptor, and an accepted one may be wrong (SOURCE, read and run).
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Mode

CUTLASS_SOURCE = "CUTLASS 4.7, mma_traits_sm90_gmma.hpp and mma_sm100_desc.hpp"

Flat = list[tuple[int, int]]
"""The extents and strides of a mode, the fastest first."""

MN_SIZE = "Expected MN-size multiple of 8."
K_SIZE = "Expected K-size 2 (in units of uint128_t)."
K_SIZE_NOW = "Expected K-size 2 for dense or 4 for sparse (in units of uint128_t)."
MN_K_SIZE = "Expected K-size 256/sizeof_bits<T>."
MN_K_SIZE_NOW = "Expected K-size 256/sizeof_bits<T> for dense or (128|512)/sizeof_bits<T> for sparse."
PROFILE = "Expected profile failure."
STRIDE = "Expected stride failure."
BASE32 = "SWIZZLE_128B_BASE32B is invalid for Major-K"
DIVISIBILITY = "Divisibility condition"
SHAPE_RULE, STRIDE_RULE = "Shape Divisibility Condition", "Stride Divisibility Condition"

NEWER = {K_SIZE: K_SIZE_NOW, MN_K_SIZE: MN_K_SIZE_NOW}
"""The words of CUTLASS 4.7 where 3.x has others."""


class Assertion(NamedTuple):
    """The first assertion that fails, and whether it is only about the size of MN or K."""

    words: str
    """The whole message: ``Not a canonical GMMA_K Layout: Expected stride failure.``"""
    size: bool

    @property
    def newer(self) -> str:
        """The message of CUTLASS 4.7, if it differs; else empty."""
        for old, new in NEWER.items():
            if self.words.endswith(old):
                return self.words.removesuffix(old) + new
        return ""


class _FailedError(Exception):
    pass


def failed_assertion(mn: Mode, k: Mode, bits: int, swizzle: Swizzle, kind: str, major: str) -> Assertion | None:
    """Return the reason why CUTLASS rejects a layout; None if it accepts it.

    ``mn`` and ``k`` are one operand's modes in elements of ``bits``, ``swizzle`` the pointer's, in bytes.
    """
    gmma = kind == "wgmma"
    wrong = _layout_type(swizzle, gmma)
    if wrong:
        return Assertion(wrong, False)
    name = f"Not a canonical {'GMMA' if gmma else 'UMMA'}_{major} Layout: "
    base32 = tuple(swizzle) == (2, 5, 2)
    w = 8 if base32 else 1 << swizzle.b
    try:
        down = _upcast(_slice(mn), 128 // bits)
        across = _upcast(_slice(k), 128 // bits)
    except _FailedError as error:
        return Assertion(str(error), False)
    mn_size, k_size = _size(down), _size(across)
    if major == "K":
        if base32:
            return Assertion(BASE32, False)
        if mn_size % 8:
            return Assertion(name + MN_SIZE, True)
        if gmma and k_size not in (2, 4):
            return Assertion(name + K_SIZE, True)
        divisors = 8, 2
    else:
        if gmma and k_size * bits not in (128, 256, 512):
            return Assertion(name + MN_K_SIZE, True)
        divisors = w, 4 if base32 else 8
    try:
        first, second = _divided(down, divisors[0]), _divided(across, divisors[1])
    except _FailedError as error:
        return Assertion(str(error), False)
    if any(len(part) > 1 for part in (*first, *second)):
        return Assertion(name + PROFILE, False)
    stride_00, stride_10 = first[0][0][1], second[0][0][1]
    lines, units = (stride_00, stride_10) if major == "K" else (stride_10, stride_00)
    return Assertion(name + STRIDE, False) if lines != w or (w > 1 and units != 1) else None


def _layout_type(swizzle: Swizzle, gmma: bool) -> str:
    b, m, s = swizzle if swizzle.b else (0, 4, 3)
    unsupported = "Unsupported layout swizzle"
    if gmma:
        return "" if m == 4 and b <= 3 and s == 3 else unsupported
    if m == 4:
        if s != 3:
            return f"Expected S = 3 when M == 4. {unsupported}."
        return "" if b <= 3 else f"Expected B = 0,1,2, or 3 when M == 4. {unsupported}."
    if m == 5:
        if b != 2:
            return f"Expected B = 2 when M == 5. {unsupported}."
        return "" if s == 2 else f"Expected S = 2 when M == 5. {unsupported}."
    return f"Only 16B and 32B Atoms are supported for UMMA. {unsupported}."


def _size(flat: Flat) -> int:
    return prod(extent for extent, _ in flat)


def _slice(mode: Mode) -> Flat:
    """Return the layout of a slice: what composition with ``extent:1`` gives."""
    whole = [(leaf.extent, leaf.stride) for leaf in mode.leaves]
    return whole if mode.extent == mode.size else _composed(whole, mode.extent, 1)


def _upcast(flat: Flat, count: int) -> Flat:
    """Return a mode of elements as one of units of ``count`` of them, as CuTe's ``upcast``."""
    out: Flat = []
    for extent, stride in flat:
        if not stride:
            out.append((extent, stride))
            continue
        size = abs(stride)
        if size % count and count % size:
            raise _FailedError(DIVISIBILITY)
        sign = 1 if stride > 0 else -1
        out.append((-(-extent // -(-count // size)), sign * -(-size // count)))
    return out


def _coalesced(flat: Flat) -> Flat:
    """Return a mode with as few leaves as possible; a last one of extent 1 stays, as in CuTe, for what lies beyond."""
    *front, (extent, stride) = flat
    out: Flat = []
    for mode in (*(pair for pair in front if pair[0] != 1), (2 if extent == 1 else extent, stride)):
        if out and out[-1][0] * out[-1][1] == mode[1]:
            out[-1] = (out[-1][0] * mode[0], out[-1][1])
        else:
            out.append(mode)
    return out


def _divided(flat: Flat, by: int) -> tuple[Flat, Flat]:
    """Return both modes of ``logical_divide(mode, by:1)``: the first ``by`` coordinates, and the rest."""
    size = _size(flat)
    return _composed(flat, by, 1), _composed(flat, -(-size // by), by)


def _composed(flat: Flat, extent: int, stride: int) -> Flat:
    """Return ``composition(mode, extent:stride)`` as CuTe computes it, with the conditions that it asserts."""
    flat = _coalesced(flat)
    if len(flat) == 1:
        return [(extent, flat[0][1] * stride)]
    out: Flat = []
    rest, step = extent, stride
    for shape, d in flat[:-1]:
        following = -(-shape // step)
        after = -(-step // shape)
        if following == 1 or rest == 1:
            step = after
            continue
        if step % shape and shape % step:
            raise _FailedError(STRIDE_RULE)
        here = min(following, rest)
        if rest % here:
            raise _FailedError(SHAPE_RULE)
        out.append((here, step * d))
        rest, step = rest // here, after
    if not out:
        return [(rest, step * flat[-1][1])]
    if rest != 1:
        out.append((rest, step * flat[-1][1]))
    return out
