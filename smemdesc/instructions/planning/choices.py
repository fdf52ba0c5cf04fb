"""What a plan is asked for, and what follows before any instruction is chosen: the kind, the types, the blocks."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import named, variant_of
from smemdesc.kinds.context import LONGEST
from smemdesc.kinds.instruction import d_types
from smemdesc.kinds.kind import BLOCK_SCALED, Kind, check_mma_kind, kind_of
from smemdesc.kinds.names import ARCHS, HOPPER
from smemdesc.kinds.scales import Blocks, blocks_of
from smemdesc.kinds.types import DType, operand_type, read_by
from smemdesc.layout.scales import blocks
from smemdesc.layout.tmem import d_types as types_of_d

DEFAULT_ARCH = "sm_100a"
_KIND_OF = {"s1z4m11": "ti16", "f16": "f16", "bf16": "f16", "tf32": "tf32", "s8": "i8", "u8": "i8"}


class Wish(NamedTuple):
    """What a plan is asked for; None is decided by the plan."""

    shape: tuple[int, int, int]
    dtype: str
    b_dtype: str | None = None
    d_type: str | None = None
    arch: str | None = None
    mma_kind: str | None = None
    a_major: str = "K"
    b_major: str = "K"
    swizzle: str | None = None
    order: str | None = None
    cta_group: int = 1
    mma: tuple[int, ...] | None = None
    stages: int = 1
    a_from: str = "shared"
    sparse: bool = False
    scale: str | None = None
    block: int | None = None


class Choices:
    """Decides one thing after the other; what each says is in the wish or follows from it."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.arch = named(wish.arch or DEFAULT_ARCH)
        if self.arch not in ARCHS:
            raise SmemdescError(f"{self.arch} has neither wgmma nor tcgen05", hint=f"these have: {', '.join(ARCHS)}")
        self.hopper = self.arch in HOPPER
        self.kind: Kind = kind_of("wgmma" if self.hopper else "tcgen05")
        _check_shape(wish.shape)
        if wish.stages < 1:
            raise SmemdescError(f"{wish.stages} stages", hint="at least one")
        self._hopper_has()
        self.mma_kind = None if self.hopper else self._mma_kind()
        self.scaled = self.mma_kind in BLOCK_SCALED
        self.types = self._types()
        self.d_type = self._d_type()
        self.block = self._block()

    def _hopper_has(self) -> None:
        wish = self.wish
        if not self.hopper:
            if wish.a_from == "registers":
                raise SmemdescError("tcgen05.mma does not read A from registers", hint="it reads it from tmem or smem")
            return
        for name, given in (
            ("--cta-group 2", wish.cta_group != 1),
            ("--scale", wish.scale),
            ("--block", wish.block),
            ("--mma-kind", wish.mma_kind),
        ):
            if given:
                raise SmemdescError(f"{name} does not exist for wgmma", hint="leave it out, or plan for sm_100a")
        if wish.a_from == "tmem":
            raise SmemdescError("wgmma does not read A from tensor memory", hint="it reads it from registers or smem")

    def _mma_kind(self) -> str:
        wish = self.wish
        names = [name.lower() for name in (wish.dtype, wish.b_dtype) if name]
        if wish.mma_kind:
            check_mma_kind(wish.mma_kind)
            if wish.scale and wish.mma_kind not in BLOCK_SCALED:
                raise SmemdescError(
                    f"kind::{wish.mma_kind} has no scale factors", hint=f"{', '.join(BLOCK_SCALED)} have (--mma-kind)"
                )
            return wish.mma_kind
        if wish.scale:
            if set(names) == {"e2m1"}:
                return "mxf4" if wish.scale == "ue8m0" else "mxf4nvf4"
            return "mxf8f6f4"
        if not names:
            return "f16"  # the type's own error says what is missing
        kind = _KIND_OF.get(names[0])
        return kind if kind and names[0] in read_by(kind) else "f8f6f4"

    def _types(self) -> tuple[DType, DType]:
        names = self.wish.dtype, self.wish.b_dtype or self.wish.dtype
        a, b = (operand_type(name, self.mma_kind) for name in names)
        for each in (a, b):
            if not getattr(each, self.kind.name):
                raise SmemdescError(f"{self.kind.name} has no operand type {each.name}", hint="plan for another --arch")
        if not self._d_types(a, b):
            hint = "equal types, a mix of the 8-, 6- and 4-bit floating-point types, or s8 with u8"
            raise SmemdescError(f"no instruction multiplies {a.name} by {b.name}", hint=hint)
        return a, b

    def _d_types(self, a: DType, b: DType) -> tuple[str, ...]:
        """Return the types of D; PTX does not exclude f16 x bf16 of tcgen05, and a rule doubts it."""
        if self.mma_kind == "ti16":
            return types_of_d(self.mma_kind)
        mixed = self.mma_kind == "f16" and a != b
        return ("f32",) if mixed else d_types(a.name, b.name)

    def _d_type(self) -> str:
        legal = self._d_types(*self.types)
        legal = legal[:1] if self.scaled else legal
        said = self.wish.d_type or legal[0]
        if said not in legal:
            raise SmemdescError(
                f"{self.types[0].name} x {self.types[1].name} is not added up in {said}",
                hint=f"D is {' or '.join(legal)} (--d-type)",
            )
        return said

    def _block(self) -> Blocks | None:
        """Return the block size: as asked, else the largest that goes with the type of the factors."""
        if self.mma_kind is None or not self.scaled:
            if self.wish.block is not None:
                raise SmemdescError("--block is of scale factors", hint=f"{', '.join(BLOCK_SCALED)} have (--mma-kind)")
            return None
        rows = [blocks(self.mma_kind, self.wish.block)] if self.wish.block else blocks_of(self.mma_kind)
        kind = self.scale_type()
        found = [each for each in rows if kind in each.types] or [
            each for each in rows if kind in self.scale_types(each)
        ]
        if not found:
            size = f" of blocks of {self.wish.block}" if self.wish.block else ""
            names = " or ".join(dict.fromkeys(name for each in rows for name in self.scale_types(each)))
            raise SmemdescError(
                f"kind::{self.mma_kind} has no scale factors{size} in {kind} on {self.arch}",
                hint=f"they are in {names}",
            )
        return max(found, key=lambda each: each.size)

    def scale_types(self, of: Blocks) -> tuple[str, ...]:
        """Return the types that the factors of such blocks have."""
        return (*of.types, *(of.types_107 if variant_of(self.arch, f"idesc:{of.mma_kind}") else ()))

    def scale_type(self) -> str:
        """Return the type of the scale factors: as asked, or the usual one."""
        return self.wish.scale or ("ue4m3" if self.mma_kind == "mxf4nvf4" else "ue8m0")


def _check_shape(shape: tuple[int, int, int]) -> None:
    if min(shape) < 1 or max(shape) >= 10**LONGEST:
        raise SmemdescError(f"{'x'.join(map(str, shape))}: no tile is like that", hint="write MxNxK, as in 128x128x64")
