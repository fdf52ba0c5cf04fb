"""What runs on the GPU: one kernel, and for each of its blocks what the instruction is given and what memory holds.

A block is one CTA, or the two CTAs of a pair. All that differs between questions of a kind and type is data, so one
kernel serves them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from smemdesc.kinds.archs import RESERVED, shared_memory
from smemdesc.layout.fragment import THREADS

FIRST = RESERVED
"""Where a block's own shared memory begins: the system has what is below it. Bytes."""
SHARED_BYTES = (shared_memory() or 0) - RESERVED
"""The most that a block has on a chip of 228 KB, in bytes; on chips with more the rest is not filled."""
LAST = FIRST + SHARED_BYTES
"""The first byte after it."""
ACCUMULATORS = 256
"""Columns of tensor memory from 0 on that D may take: they are the answer."""
TENSOR_COLUMNS = 512
"""Columns of tensor memory, all of which a block has."""
NOT_WRITTEN = 0xFFBADBAD
"""What the columns of D hold before the instruction."""


class MmaKernel(NamedTuple):
    """A kernel that issues one MMA. ``family`` is wgmma or tcgen05; types by their PTX names."""

    family: str
    arch: str
    d_type: str
    a_type: str
    b_type: str
    n: int = 0
    """wgmma alone: the others say N in the instruction descriptor."""
    k: int = 0
    trans_a: bool = False
    trans_b: bool = False
    sparse: bool = False
    a_from: str = "shared"
    mma_kind: str = ""
    cta_group: int = 1
    ws: bool = False
    masked: bool = False
    """Whether the instruction takes a zero-column mask."""
    scale_vec: str = ""
    """The qualifier of the block size: ``.block32``, ...; empty: no scale factors."""
    lanes: bool = False
    """Whether tensor memory is filled lane by lane, or every lane alike."""

    @property
    def words(self) -> int:
        """Words of 32 bits that one CTA answers with."""
        if self.family == "tcgen05":
            return THREADS * ACCUMULATORS
        return THREADS * self.registers

    @property
    def registers(self) -> int:
        """Of wgmma: the registers of D in one thread."""
        return self.n // 2 // (2 if self.d_type == "f16" else 1)


class CopyKernel(NamedTuple):
    """A kernel that issues one copy with a tensor map, and answers with the whole shared memory."""

    arch: str
    rank: int
    im2col: bool = False
    family: str = "tensormap"
    cta_group: int = 1
    lanes: bool = False

    @property
    def words(self) -> int:
        """Words of 32 bits that one CTA answers with."""
        return SHARED_BYTES // 4


class SharedImage(NamedTuple):
    """The shared memory of one CTA, :data:`SHARED_BYTES` bytes from :data:`FIRST` on: what a function returns, with
    other bytes in places, which do not overlap. It is made by the process that uses it, since a pipe would be slow."""

    fill: Callable[..., bytes]
    given: tuple[Any, ...]
    """The arguments of ``fill``."""
    patches: tuple[tuple[int, bytes], ...] = ()
    """Addresses, and the bytes there."""

    @property
    def data(self) -> bytes:
        """Its bytes."""
        whole = self.fill(*self.given)
        parts, begin = [], 0
        for address, there in sorted(self.patches):
            parts += [whole[begin : address - FIRST], there]
            begin = address - FIRST + len(there)
        return b"".join([*parts, whole[begin:]])

    def patched(self, *patches: tuple[int, bytes]) -> SharedImage:
        """Return it with other bytes in more places."""
        return self._replace(patches=(*self.patches, *patches))


EMPTY_IMAGE = SharedImage(bytes, (SHARED_BYTES,))


class ProbeBlock(NamedTuple):
    """What one block is given."""

    images: tuple[SharedImage, ...]
    """The shared memory of each of its CTAs."""
    a: int = 0
    b: int = 0
    mask: int = 0
    idesc: int = 0
    metadata: int = 0
    control: int = 0
    """The address of 16 bytes that no operand reaches: a barrier, and where tensor memory was allocated."""
    tensor: bytes = b""
    """The words of every lane's columns, or of one lane if all are alike."""
    tensor_map: bytes = b""
    destination: int = 0
    transaction: int = 0
    """Bytes that a copy writes."""
    source: int = 0
    """Where in global memory the tensor of this block begins, in bytes from the first of the launch."""
    coordinates: tuple[int, ...] = ()


class Launch(NamedTuple):
    """One run of a kernel."""

    kernel: MmaKernel | CopyKernel
    blocks: tuple[ProbeBlock, ...]
    source: bytes = b""
    """Global memory that a copy reads, from the address of the tensor map on."""


class DriverArguments(NamedTuple):
    """The arguments of ``cuTensorMapEncodeTiled``, in the driver's numbers; dimensions innermost first."""

    data_type: int
    address: int
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    element_strides: tuple[int, ...]
    interleave: int
    swizzle: int
    l2_promotion: int
    fill: int


class Answered(NamedTuple):
    """What a run left: for each block the words of each CTA, as bytes."""

    words: tuple[tuple[bytes, ...], ...]


class RunFault(NamedTuple):
    """Why a run left nothing, in words: ``the instruction faulted: illegal instruction``."""

    why: str
    hint: str = ""
