"""What a tensor-core instruction says about its operands, and the resulting context of each operand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from smemdesc.engine.fields import Scalar
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.names import PACKED_FP4, SMEM_KINDS
from smemdesc.kinds.types import DTYPES, DType, dtype_of

INSTRUCTION_SOURCE = "PTX ISA 9.1, 9.7.15.2; 9.3, Table 42"
"""The source of the shapes and types of wgmma and tcgen05 instructions."""
WGMMA_M = 64
K_96_BYTES = 48
"""Bytes of K that one MMA reads in LBO mode absolute (fp4, K = 96)."""
PLACES_OF_A = {"registers": "registers", "tmem": "tensor memory"}
"""Where A may be except in shared memory: the option's name, and in words."""
TRANSPOSED = ("f16", "bf16")
"""Types with MN-major operands in wgmma: the instruction has an immediate for them."""


class Instruction(NamedTuple):
    """What the instruction says about its operands; None for unknown.

    ``family`` is ``wgmma``, ``tcgen05`` (an MMA), ``tcgen05.cp``, or what reads no descriptor: ``tcgen05.ld``, ``.st``,
    ``.shift``, ``.alloc`` or ``.dealloc``. Shapes are in elements, ``n`` and ``k`` those of the whole instruction
    (``k`` the logical one of a sparse MMA).
    """

    family: str
    mma_kind: str | None = None
    """The MMA kind of tcgen05, if there is only one."""
    mma_kinds: tuple[str, ...] = ()
    """All possible MMA kinds (SASS does not distinguish tf32 from f16)."""
    m: int | None = None
    n: int | None = None
    k: int | None = None
    a_type: str | None = None
    b_type: str | None = None
    d_type: str | None = None
    a_major: str | None = None
    b_major: str | None = None
    cta_group: int | None = None
    ws: bool | None = None
    sparse: bool | None = None
    scale_vec: int | None = None
    a_from: str = "shared"
    """Where A is: ``shared``, ``registers`` or ``tmem``."""
    copied: tuple[int, int] | None = None
    """For tcgen05.cp: the rows that it reads, and the bits of each."""
    qualifiers: tuple[str, ...] = ()
    """Its qualifiers that not every architecture has: keys of :data:`smemdesc.kinds.archs.CAPABILITIES`."""
    other_group: str = ""
    """An instruction of the same function that has another cta_group; empty: none has."""
    accessed: tuple[int, int] | None = None
    """For tcgen05.ld, .st and .shift: the lanes that it moves at once, and the columns from its address on. For
    tcgen05.alloc and .dealloc: 0, and their columns. For a copy to shared memory, or the wait for one: none of
    either."""

    @property
    def is_mma(self) -> bool:
        """Whether it multiplies: the others copy or access tensor memory."""
        return self.family in SMEM_KINDS


class FieldValue(Protocol):
    """A field of a decoded descriptor; None if the value is not known."""

    @property
    def value(self) -> Scalar | None: ...


Fields = Mapping[str, FieldValue]


def of(fields: Fields | None, key: str) -> Scalar | None:
    """Return the value of a field, None if there is no such field or its value is not known."""
    field = None if fields is None else fields.get(key)
    return None if field is None else field.value


def field_number(fields: Fields | None, key: str) -> int | None:
    """Return the value of a field if it is a number."""
    value = of(fields, key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def contexts(
    instruction: Instruction, idesc: Fields | None = None, mma_kind: str | None = None, arch: str | None = None
) -> tuple[Context, Context]:
    """Return what is known about A and B: type, major-ness and the shape that one descriptor covers.

    ``idesc`` holds the fields of the instruction descriptor, ``mma_kind`` the kind by which they are read. With
    ``cta_group::2`` a descriptor covers the rows of its own CTA: half of M, half of N.
    """
    if instruction.family == "wgmma":
        return _of_wgmma(instruction, arch)
    group = instruction.cta_group
    if instruction.family == "tcgen05.cp" and instruction.copied is not None:
        count, bits = instruction.copied
        # Bytes, whatever they mean: SBO is the step between 8 rows, LBO that between 16-byte columns.
        return NOTHING._replace(
            dtype=dtype_of("u8"), major="K", shape=(count, bits // 8), arch=arch, cta_group=group
        ), NOTHING
    if instruction.family != "tcgen05":
        return NOTHING._replace(arch=arch, cta_group=group), NOTHING
    both = []
    sparse = of(idesc, "sparse")
    for operand, rows in (("a", "m"), ("b", "n")):
        name = of(idesc, f"{operand}_type")
        # Without the sparsity it is open how much of K a descriptor covers.
        dtype = dtype_of(name, mma_kind) if isinstance(name, str) and isinstance(sparse, bool) else None
        if (
            dtype is not None
            and dtype.bits < dtype.storage
            and sparse is False
            and field_number(idesc, "k") == 2 * dtype.k
        ):
            dtype = None  # with a dense K of 64, fp6 lies without padding: no layout is known here
        if operand == "b" and "lut-b" in instruction.qualifiers:
            dtype = None  # it lies compressed
        transposed = False if mma_kind in PACKED_FP4 else of(idesc, f"transpose_{operand}")
        major = None if not isinstance(transposed, bool) else "MN" if transposed else "K"
        size = field_number(idesc, rows)
        k = _k(idesc, dtype.k if dtype else None, sparse, operand)
        shape = (size // (group or 1), k) if size and k and group else None
        both.append(
            NOTHING._replace(dtype=dtype, major=major, shape=shape, arch=arch, cta_group=group, ws=instruction.ws)
        )
    return both[0], both[1]


def _k(idesc: Fields | None, dense: int | None, sparse: object, operand: str) -> int | None:
    """K in elements of what a descriptor covers: A of a sparse MMA is stored compressed, B is not."""
    if dense is None or not isinstance(sparse, bool):
        return None
    k = field_number(idesc, "k") or (2 * dense if sparse else dense)
    return k // 2 if sparse and operand == "a" else k


def _of_wgmma(instruction: Instruction, arch: str | None) -> tuple[Context, Context]:
    both = []
    for name, major, rows, part in (
        (instruction.a_type, instruction.a_major, instruction.m, 2 if instruction.sparse else 1),
        (instruction.b_type, instruction.b_major, instruction.n, 1),
    ):
        dtype = dtype_of(name) if name else None
        shape = (rows, instruction.k // part) if rows and instruction.k and instruction.sparse is not None else None
        both.append(NOTHING._replace(dtype=dtype, major=major, shape=shape, arch=arch))
    return both[0], both[1]


def k_sizes(dtype: DType, *, longer: bool = False) -> tuple[int, ...]:
    """Return the possible K of an operand of one instruction: 32 bytes, 64 for B of a sparse MMA, 48 for fp4.

    ``longer``: also 64 bytes of dense 8-bit types, and 128 for a sparse B (sm_107).
    """
    sizes = (32, 64, K_96_BYTES) if dtype.storage == 4 else (32, 64, 128) if longer and dtype.storage == 8 else (32, 64)
    return tuple(size * 8 // dtype.storage for size in sizes)


def has_mn(dtype: DType, mn: int) -> bool:
    """Whether an instruction has this M or N: 8 to 256 in steps of 8; integers and b1: 24, and steps of 16 above 32."""
    return mn in legal_n(dtype.name)


def legal_n(dtype: str) -> tuple[int, ...]:
    """Return the N of the wgmma instructions with this type of A or of D."""
    return N_INTEGER if dtype in _INTEGER else N_FLOAT


def n_steps(dtype: str) -> str:
    """Describe these N from 8 to 256."""
    return "8, 16, 24, 32, then in steps of 16" if dtype in _INTEGER else "in steps of 8"


_INTEGER = ("s8", "u8", "b1", "s32")
N_FLOAT = tuple(range(8, 257, 8))
N_INTEGER = (8, 16, 24, *range(32, 257, 16))
"""N of the integer and single-bit types. The syntax of integer wgmma ends at n224; its table and ptxas go to 256."""


class WgmmaType(NamedTuple):
    """The wgmma instructions of one operand type."""

    name: str
    with_b: tuple[str, ...]
    """The types of B that go with it."""
    d_types: tuple[str, ...]
    k_dense: int
    k_sparse: int | None
    n: tuple[int, ...]
    transposed: bool
    """Whether an operand in shared memory may be MN-major."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "type": self.name,
            "b_types": list(self.with_b),
            "d_types": list(self.d_types),
            "m": [WGMMA_M],
            "n": list(self.n),
            "k": {"dense": [self.k_dense], "sparse": [self.k_sparse] if self.k_sparse else []},
            "majors": ["K", "MN"] if self.transposed else ["K"],
        }


def wgmma_rows() -> tuple[WgmmaType, ...]:
    """Return the instructions of wgmma, one row per type; M is always :data:`WGMMA_M`."""
    types = [dtype for dtype in DTYPES if dtype.wgmma]
    return tuple(
        WgmmaType(
            a_type.name,
            tuple(b_type.name for b_type in types if d_types_of(a_type.name, b_type.name)),
            d_types_of(a_type.name, a_type.name),
            a_type.k,
            None if a_type.name == "b1" else 2 * a_type.k,
            legal_n(a_type.name),
            a_type.name in TRANSPOSED,
        )
        for a_type in types
    )


def d_types_of(a: str, b: str) -> tuple[str, ...]:
    """Return the types of D of an MMA of these operand types, the common one first; empty: no such MMA.

    Only 8-, 6- and 4-bit floating-point types mix, and s8 with u8.
    """
    if a == b == "f16":
        return ("f32", "f16")
    if a == b and a in ("bf16", "tf32"):
        return ("f32",)
    if {a, b} <= {"s8", "u8"} or a == b == "b1":
        return ("s32",)
    if {a, b} <= {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}:
        return ("f32", "f16")
    return ()
