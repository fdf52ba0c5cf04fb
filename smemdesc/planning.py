"""From the tile of a GEMM to every constant of it: instruction, descriptors, layouts, tensor maps, shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.case import LONGEST, Context
from smemdesc.encoding import RefusedError, build
from smemdesc.errors import IllegalError, SmemdescError
from smemdesc.fields import ones
from smemdesc.findings.addresses import outside_shared_memory
from smemdesc.findings.base import NOTE, Finding, error
from smemdesc.instruction import WGMMA_M, Instruction, d_types, has_mn
from smemdesc.kinds import BLOCK_SCALED, MMA_KINDS, PACKED_FP4, Kind, kind_of
from smemdesc.kinds.archs import has, named, shared_memory, variant_of
from smemdesc.kinds.idesc import K_DENSE, SHAPES
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.offers import k_of
from smemdesc.kinds.scales import Blocks, blocks_of
from smemdesc.kinds.types import DType, operand_type, read_by
from smemdesc.layout.scales import Scales, blocks, scales
from smemdesc.layout.tmem import Tmem, tmem
from smemdesc.layout.tmem import d_types as types_of_d
from smemdesc.mma import Mma, Operand, judge
from smemdesc.shown import shown
from smemdesc.tiles.box import Filling, filling_of
from smemdesc.tiles.scales import copy_descriptor
from smemdesc.tiles.text import cute_text, dsl_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile, tile
from smemdesc.words import ARCHS, HOPPER

RESERVED = 1024
"""Bytes of an SM's shared memory that no CTA gets."""
BARRIERS = 16
"""Bytes of a stage's two mbarriers: full, and empty."""
LINE = 128
"""Alignment that TMA asks for, in bytes."""
DEFAULT_ARCH = "sm_100a"
_FROM = {"smem": "shared", "shared": "shared", "registers": "registers", "tmem": "tmem"}
_KIND_OF = {"s1z4m11": "ti16", "f16": "f16", "bf16": "f16", "tf32": "tf32", "s8": "i8", "u8": "i8"}


class Side(NamedTuple):
    """One operand of the plan, as it lies in the shared memory of one CTA. Addresses count from its first byte."""

    name: str
    """``a`` or ``b``."""
    tile: Tile
    why: str
    """Why this swizzle mode."""
    offset: int
    """Where its first stage begins, in bytes from the beginning of the buffer."""
    filling: Filling | None
    """How TMA fills one stage; None where it cannot."""
    cute: str | None
    cute_dsl: str | None
    triton: str | None
    triton_shape: tuple[int, int] | None
    """The shape of the tensor that has the Triton encoding."""

    @property
    def bytes(self) -> int:
        """Bytes of one stage."""
        return self.tile.size

    @property
    def alignment(self) -> int:
        """What each stage is aligned to: the period of the swizzle pattern, or TMA's 128 bytes."""
        return max(MODE[self.tile.swizzle].period, LINE)

    @property
    def descriptors(self) -> tuple[tuple[int, ...], ...]:
        """The descriptor of each MMA step at address 0: K steps inside, MN steps outside."""
        each = self.tile.shape.k // self.tile.mma.k
        values = [step.value for step in self.tile.steps]
        return tuple(tuple(values[first : first + each]) for first in range(0, len(values), each))

    @property
    def base(self) -> int:
        """The descriptor of the first step."""
        return self.tile.steps[0].value

    @property
    def offsets(self) -> tuple[tuple[int, ...], ...]:
        """What is added to the base for each step: 16-byte units of the start (in absolute mode, of LBO, too)."""
        return tuple(tuple(value - self.base for value in row) for row in self.descriptors)


class Scale(NamedTuple):
    """The scale factors of a block-scaled MMA."""

    dtype: str
    a: Scales
    """Those of the rows of A that one CTA has."""
    b: Scales
    """Those of all columns of B: each CTA of a pair has them all."""
    copy: int
    """The descriptor that ``tcgen05.cp`` copies a block with, at byte 0."""
    idescs: tuple[int, ...]
    """The instruction descriptor of each K step, with its scale-factor ids."""

    @property
    def vec(self) -> int:
        """Factors of a row that an instruction takes: 2, as in ``.scale_vec::2X``."""
        return self.a.each

    @property
    def block(self) -> int:
        """Elements of K that share one."""
        return self.a.block

    @property
    def a_bytes(self) -> int:
        """Bytes a stage in each CTA, in whole blocks of 128 rows by 4 factors."""
        return self.a.bytes

    @property
    def b_bytes(self) -> int:
        """The same of B."""
        return self.b.bytes


class TensorMemory(NamedTuple):
    """Columns of each CTA's tensor memory that the tile takes up."""

    d: Tmem
    """D of one instruction."""
    d_columns: int
    """Of all instructions of the tile."""
    a: Tmem | None
    """A of one instruction along M, with all of K; None where it is in shared memory."""
    a_columns: int
    scale_columns: int
    """Of the scale factors of A and B."""

    @property
    def columns(self) -> int:
        """All of them, for one stage."""
        return self.d_columns + self.a_columns + self.scale_columns


class Memory(NamedTuple):
    """Shared memory of one CTA, in bytes."""

    stage: int
    """Operands (and scale factors) of one stage."""
    total: int
    """All stages, with their mbarriers."""
    limit: int
    most: int
    """Stages that fit."""


@shown("plan:PlanView", "plan_svg:picture")
class Plan(NamedTuple):
    """All constants of a GEMM's tile."""

    arch: str
    mma: Mma
    """The MMA of the first step, as :func:`smemdesc.mma.judge` judges it."""
    mnemonic: str
    shape: tuple[int, int, int]
    """M, N, K of the tile: with two CTAs, of both."""
    mma_shape: tuple[int, int, int]
    """M, N, K of one instruction: with two CTAs, of both."""
    cta_group: int
    idesc: int | None
    """The instruction descriptor; wgmma has none."""
    a: Side | None
    """None where A is not in shared memory."""
    b: Side
    stages: int
    scale: Scale | None
    memory: Memory
    tensor_memory: TensorMemory | None
    """None of wgmma."""
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        m, n, k = self.shape
        return f"plan {m}x{n}x{k} for {self.arch}: {self.mnemonic}, {self.memory.stage} B a stage"

    @property
    def kind(self) -> str:
        """``wgmma`` or ``tcgen05``."""
        return self.mma.instruction.family

    @property
    def a_from(self) -> str:
        """Where A is: ``shared``, ``registers`` or ``tmem``."""
        return self.mma.instruction.a_from

    @property
    def sides(self) -> tuple[Side, ...]:
        """The operands in shared memory."""
        return (self.b,) if self.a is None else (self.a, self.b)

    @property
    def tma_bytes(self) -> int:
        """Bytes that TMA writes of A and B for each stage, in one CTA: what an mbarrier is to expect."""
        return sum(side.bytes for side in self.sides if side.filling is not None)

    @property
    def steps(self) -> tuple[int, int, int]:
        """How many instructions a stage takes along M, N and K."""
        (m, n, k), (one_m, one_n, one_k) = self.shape, self.mma_shape
        return m // one_m, n // one_n, k // one_k


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


def plan(
    shape: tuple[int, int, int],
    dtype: str,
    *,
    b_dtype: str | None = None,
    d_type: str | None = None,
    arch: str | None = None,
    mma_kind: str | None = None,
    a_major: str = "K",
    b_major: str = "K",
    swizzle: str | None = None,
    order: str | None = None,
    cta_group: int = 1,
    mma: tuple[int, ...] | None = None,
    stages: int = 1,
    a_from: str = "shared",
    sparse: bool = False,
    scale: str | None = None,
    block: int | None = None,
) -> Plan:
    """Return every constant of the tile M x N x K (elements; of both CTAs with ``cta_group`` 2).

    ``dtype`` is the type of A, and of B without ``b_dtype``. ``mma`` is M, N (and K) of one instruction: left out,
    the largest that divides the tile. ``swizzle`` left out is the widest of which each operand is a multiple;
    ``order`` left out is that of a TMA box. ``a_from`` is ``shared``, ``registers`` (wgmma) or ``tmem`` (tcgen05).
    ``scale`` is the type of the scale factors of a block-scaled MMA, ``ue8m0`` or ``ue4m3``, and ``block`` how many
    elements of K share one (16 or 32): the one that the type has, the larger of two, if left out.

    :class:`smemdesc.errors.SmemdescError` says what does not exist or does not divide, and what to change;
    :class:`smemdesc.errors.IllegalError` which rule forbids it.
    """
    wish = Wish(
        shape,
        dtype,
        b_dtype,
        d_type,
        arch,
        mma_kind,
        a_major.upper(),
        b_major.upper(),
        swizzle,
        order,
        cta_group,
        mma,
        stages,
        _FROM.get(a_from, a_from),
        sparse,
        scale,
        block,
    )
    return _Planner(wish).plan()


class _Planner:
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
        self.sides: dict[str, Side | None] = {}
        """A and B, once the instruction is settled."""

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
            if wish.mma_kind not in MMA_KINDS:
                raise SmemdescError(
                    f"there is no MMA kind {wish.mma_kind!r}", hint=f"the kinds are {', '.join(MMA_KINDS)}"
                )
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
        kind = self._scale_type()
        found = [each for each in rows if kind in each.types] or [
            each for each in rows if kind in self._scale_types(each)
        ]
        if not found:
            size = f" of blocks of {self.wish.block}" if self.wish.block else ""
            names = " or ".join(dict.fromkeys(name for each in rows for name in self._scale_types(each)))
            raise SmemdescError(
                f"kind::{self.mma_kind} has no scale factors{size} in {kind} on {self.arch}",
                hint=f"they are in {names}",
            )
        return max(found, key=lambda each: each.size)

    def _scale_types(self, of: Blocks) -> tuple[str, ...]:
        return (*of.types, *(of.types_107 if variant_of(self.arch, f"idesc:{of.mma_kind}") else ()))

    def _scale_type(self) -> str:
        return self.wish.scale or ("ue4m3" if self.mma_kind == "mxf4nvf4" else "ue8m0")

    def plan(self) -> Plan:
        wish = self.wish
        m, n, k = self._instruction_shape()
        idesc = None if self.hopper else self._idesc(m, n, k)
        a, b = self.sides["a"], self.sides["b"]
        assert b is not None
        stage = b.bytes + (a.bytes if a else 0)
        scale = self._scale(m, n, k)
        memory = self._memory(stage + (scale.a_bytes + scale.b_bytes if scale else 0), a, b)
        if a is not None:
            b = b._replace(offset=_up(wish.stages * a.bytes, b.alignment))
        mma = Mma(
            self._instruction(m, n, k),
            None if a is None else _whole(a.base, 64),
            _whole(b.base, 64),
            None if idesc is None else _whole(idesc, 32),
            None,
            self.arch,
        )
        judged = judge(mma)
        # The operands begin at byte 0 here; where a whole tile lies is the memory's business.
        found = [each for _, each in judged.findings if each.rule not in ("tile-and-box", "outside-shared-memory")]
        found += [each for side in (a, b) if side for each in side.tile.findings if each not in found]
        found += self._too_much(memory)
        return Plan(
            self.arch,
            mma,
            self._mnemonic(m, n, k, scale),
            wish.shape,
            (m, n, k),
            wish.cta_group,
            idesc,
            a,
            b,
            wish.stages,
            scale,
            memory,
            None if self.hopper else self._tensor_memory((m, n, k), scale),
            tuple(each for each in found if each.severity != NOTE),
        )

    def _too_much(self, memory: Memory) -> list[Finding]:
        if memory.total <= memory.limit:
            return []
        fits = f"use {memory.most} stages or fewer" if memory.most else "take a smaller tile"
        stages = f"{self.wish.stages} stage{'s' if self.wish.stages > 1 else ''}"
        message = f"{stages} need {memory.total} B of shared memory, a CTA on {self.arch} has {memory.limit} B"
        return outside_shared_memory.dress(error(message, fix=fits, fields=()))

    def _k(self) -> int:
        """K of one instruction, in elements."""
        given = self.wish.mma[2] if self.wish.mma is not None and len(self.wish.mma) > 2 else None
        if self.mma_kind is None:
            legal: tuple[int, ...] = (self.types[0].k * (2 if self.wish.sparse else 1),)
        else:
            legal = k_of(kind_of("idesc", self.mma_kind, self.arch), self.wish.sparse)
        if given not in (None, *legal):
            names = " or ".join(map(str, legal))
            elsewhere = self._k_elsewhere(given)
            raise SmemdescError(
                f"no instruction has K = {given} of {self.types[0].name}", hint=f"K is {names}{elsewhere}"
            )
        k = given or legal[0]
        if k == 192:
            raise SmemdescError(
                "K = 192: how the 96 bytes of K of B lie in shared memory is not known here", hint=f"use K = {legal[0]}"
            )
        dense = k // (2 if self.wish.sparse else 1)
        if (
            self.mma_kind not in PACKED_FP4
            and dense > self.types[0].k
            and any(of.bits < of.storage for of in self.types)
        ):
            raise SmemdescError(
                f"K = {k} of {self.types[0].name} x {self.types[1].name}: 6- and 4-bit elements lie there without "
                "padding, in a layout that is not known here",
                hint=f"use K = {legal[0]}, or e4m3 and e5m2",
            )
        return k

    def _k_elsewhere(self, k: int | None) -> str:
        """Say which architectures have this K."""
        if self.mma_kind is None:
            return ""
        kind = kind_of("idesc", self.mma_kind)
        found = [each for each in (kind, *kind.variants) if k in k_of(each, self.wish.sparse)]
        return f"; {k} on {', '.join(found[0].archs)}" if found else ""

    def _instruction_shape(self) -> tuple[int, int, int]:
        """Return M, N and K of the instruction: as asked, else the largest that divides the tile."""
        wish = self.wish
        k = self._k()
        m, n, whole_k = wish.shape
        if whole_k % k:
            raise SmemdescError(
                f"K = {whole_k} of the tile is not a multiple of {k}, K of one {'sparse ' if wish.sparse else ''}"
                f"instruction on {self.types[0].name}",
                hint=f"use a multiple of {k}",
            )
        asked = (wish.mma[0], wish.mma[1]) if wish.mma is not None else None
        first: SmemdescError | None = None
        for one_m, one_n in self._shapes():
            if m % one_m or n % one_n or asked not in (None, (one_m, one_n)) or not self._exists(one_m, one_n, k):
                continue
            try:
                self.sides = {name: self._side(name, (one_m, one_n, k)) for name in ("a", "b")}
            except SmemdescError as error:
                first = first or error
                continue
            return one_m, one_n, k
        if first is not None:
            raise first
        legal = [each for each in self._shapes() if asked in (None, each) and self._exists(*each, k)]
        if not legal:
            self._refuse_shape(*(asked or next(self._shapes())), k)
        raise self._indivisible(legal, asked is not None)

    def _indivisible(self, legal: list[tuple[int, int]], asked: bool) -> SmemdescError:
        m, n, _ = self.wish.shape
        of = "the pair's tile" if self.wish.cta_group > 1 else "the tile"
        if asked:
            one_m, one_n = legal[0]
            wrong = [f"M = {m} of {of} is not a multiple of {one_m}"] if m % one_m else []
            wrong += [f"N = {n} of {of} is not a multiple of {one_n}"] if n % one_n else []
            return SmemdescError(" and ".join(wrong), hint="change the tile, or --mma")
        ms = sorted({each for each, _ in legal})
        if not any(m % each == 0 for each in ms):
            names = " or ".join(map(str, ms))
            return SmemdescError(f"M = {m} of {of} is not a multiple of {names}, M of an instruction", hint="change M")
        ns = sorted({each for _, each in legal})
        return SmemdescError(
            f"N = {n} of {of} is not a multiple of any N of an instruction", hint=f"use a multiple of {ns[0]}"
        )

    def _refuse_shape(self, m: int, n: int, k: int) -> None:
        """Raise what the rules say of an instruction that does not exist."""
        if self.hopper:
            step = "8, 16, 24, 32, then in steps of 16" if self.types[0].name in ("s8", "u8", "b1") else "in steps of 8"
            raise IllegalError(
                f"wgmma has no shape m{m}n{n} with {self.types[0].name}", hint=f"M is 64, N 8 to 256: {step}"
            )
        self._idesc(m, n, k)
        raise SmemdescError(f"no instruction has M = {m} and N = {n}", hint="leave --mma out")

    def _shapes(self) -> Iterator[tuple[int, int]]:
        """Yield M, N of the instructions that the tables list for the kind, the largest first."""
        if self.hopper:
            yield from ((WGMMA_M, n) for n in range(256, 0, -8) if has_mn(self.types[0], n))
            return
        rows = [
            row
            for row in SHAPES
            if self.mma_kind in row.kinds
            and row.cta_group == self.wish.cta_group
            and not row.ws
            and row.sparse in (None, self.wish.sparse)
        ]
        yield from sorted({(m, n) for row in rows for m in row.m for n in row.n}, reverse=True)

    def _exists(self, m: int, n: int, k: int) -> bool:
        """Whether the rules have nothing against an instruction of the tables."""
        if self.hopper:
            return True
        try:
            self._idesc(m, n, k)
        except IllegalError:
            return False
        return True

    @property
    def scale_vec(self) -> int | None:
        """The number that names the size of the blocks: that of the usual K."""
        if self.block is None or self.mma_kind is None:
            return None
        return K_DENSE[self.mma_kind] // self.block.size

    def _idesc(self, m: int, n: int, k: int, *, scale_id: int = 0) -> int:
        """Return the instruction descriptor: with two CTAs, M and N are those of the pair."""
        assert self.mma_kind is not None
        found = kind_of("idesc", self.mma_kind, self.arch)
        table = found.table
        fields: dict[str, object] = {
            "a_type": self.types[0].name,
            "b_type": self.types[1].name,
            "transpose_a": self.wish.a_major == "MN",
            "transpose_b": self.wish.b_major == "MN",
            "sparse": self.wish.sparse,
            "m": m,
            "n": n,
        }
        if "d_type" in table.by_key:
            fields["d_type"] = self.d_type
        if "sparsity_version" in table.by_key:
            fields["sparsity_version"] = int(self.wish.sparse)
        if "scale_type" in table.by_key:
            fields["scale_type"] = self._scale_type()
            fields |= {"a_scale_id": scale_id, "b_scale_id": scale_id}
        if "k" in table.by_key:
            fields["k"] = k
        context = Context(arch=self.arch, cta_group=self.wish.cta_group, ws=False, scale_vec=self.scale_vec)
        try:
            return build(found, fields, context=context).value
        except RefusedError as refused:
            finding = refused.finding
            instead = finding.fix or "change the types, the shape, or --arch"
            raise IllegalError(f"{finding.message} [{finding.rule}]", hint=f"{instead} ({finding.source})") from None

    def _instruction(self, m: int, n: int, k: int) -> Instruction:
        wish = self.wish
        kinds = (self.mma_kind,) if self.mma_kind else ()
        said = Instruction(
            self.kind.name, mma_kind=self.mma_kind, mma_kinds=kinds, sparse=wish.sparse, a_from=wish.a_from
        )
        if not self.hopper:
            return said._replace(cta_group=wish.cta_group, ws=False, scale_vec=self.scale_vec)
        return said._replace(
            m=m,
            n=n,
            k=k,
            a_type=self.types[0].name,
            b_type=self.types[1].name,
            d_type=self.d_type,
            a_major=None if wish.a_from == "registers" else wish.a_major,
            b_major=wish.b_major,
        )

    def _mnemonic(self, m: int, n: int, k: int, scale: Scale | None) -> str:
        """Return the PTX instruction, without operands."""
        sparse = ".sp" if self.wish.sparse else ""
        a, b = self.types
        if self.hopper:
            popc = ".and.popc" if a.name == "b1" else ""
            types = f"{self.d_type}.{a.name}.{b.name}{popc}"
            return f"wgmma.mma_async{sparse}.sync.aligned.m{m}n{n}k{k}.{types}"
        size = (scale.a.qualifier if has(self.arch, "scale-vec") else scale.a.blocks_name) if scale else ""
        scaled = f".block_scale.{size}" if scale else ""
        return f"tcgen05.mma{sparse}.cta_group::{self.wish.cta_group}.kind::{self.mma_kind}{scaled}"

    def _side(self, name: str, mma: tuple[int, int, int]) -> Side | None:
        """Return one operand in shared memory, under the mode that was asked for or the widest that fits."""
        wish = self.wish
        if name == "a" and wish.a_from != "shared":
            if wish.a_major == "MN":
                raise SmemdescError(f"A in {_PLACE[wish.a_from]} is K-major", hint="leave --a-major and --trans-a out")
            return None
        dtype = self.types[name == "b"]
        major = wish.a_major if name == "a" else wish.b_major
        # A of a sparse MMA is stored compressed: half of its K.
        part = 2 if wish.sparse and name == "a" else 1
        mn, one = (wish.shape[0], mma[0]) if name == "a" else (wish.shape[1], mma[1])
        size = mn, wish.shape[2] // part
        first: SmemdescError | None = None
        for mode in [wish.swizzle] if wish.swizzle else _widest(self.kind, dtype, major):
            try:
                made = tile(
                    self.kind.name,
                    size,
                    dtype,
                    major,
                    mode,
                    mma=(one, mma[2] // part),
                    order=wish.order,
                    cta_group=wish.cta_group,
                    arch=self.arch,
                )
            except SmemdescError as error:
                first = first or SmemdescError(f"{name.upper()}: {error.message}", hint=error.hint)
                continue
            return Side(
                name,
                made,
                _why(wish.swizzle, made, first),
                0,
                filling_of(made),
                cute_text(made),
                dsl_text(made),
                triton_encoding(made, name),
                triton_shape(made, name),
            )
        assert first is not None
        raise first

    def _scale(self, m: int, n: int, k: int) -> Scale | None:
        if self.mma_kind is None or self.block is None:
            return None
        whole_m, whole_n, whole_k = self.wish.shape
        # Each CTA of a pair scales its own rows of A, and all columns of B.
        a, b = (
            scales(
                rows,
                whole_k,
                self.mma_kind,
                operand=operand,
                block=self.block.size,
                one_k=k,
                sparse=self.wish.sparse,
            )
            for operand, rows in (("a", whole_m // self.wish.cta_group), ("b", whole_n))
        )
        idescs = tuple(self._idesc(m, n, k, scale_id=step.id) for step in a.steps)
        return Scale(self._scale_type(), a, b, copy_descriptor(), idescs)

    def _tensor_memory(self, mma: tuple[int, int, int], scale: Scale | None) -> TensorMemory:
        wish, (m, n, _) = self.wish, mma
        group, sparse = wish.cta_group, wish.sparse
        d = tmem(m, n, dtype=self.d_type, mma_kind=self.mma_kind, cta_group=group, sparse=sparse)
        count = (wish.shape[0] // m) * (wish.shape[1] // n)
        # Two matrices that take half of the lanes each lie in the same columns.
        d_columns = -(-count // 2 if d.path.half else -count) * d.columns
        a: Tmem | None = None
        if wish.a_from == "tmem":
            a = tmem(
                m,
                n,
                operand="a",
                dtype=self.types[0].name,
                mma_kind=self.mma_kind,
                cta_group=group,
                sparse=sparse,
                k=wish.shape[2] // (2 if sparse else 1),
                limit=None,
            )
        along_m = wish.shape[0] // m
        factors = scale.a.columns + scale.b.columns if scale else 0
        return TensorMemory(d, d_columns, a, a.columns * along_m if a else 0, factors)

    def _memory(self, stage: int, a: Side | None, b: Side) -> Memory:
        limit = shared_memory(self.arch) - RESERVED
        align = max(side.alignment for side in (a, b) if side)

        def total(stages: int) -> int:
            return _up(stages * (a.bytes if a else 0), align) + stages * (stage - (a.bytes if a else 0) + BARRIERS)

        most = 0
        while total(most + 1) <= limit:
            most += 1
        return Memory(stage, total(self.wish.stages), limit, most)


_PLACE = {"registers": "registers", "tmem": "tensor memory"}


def _check_shape(shape: tuple[int, int, int]) -> None:
    if min(shape) < 1 or max(shape) >= 10**LONGEST:
        raise SmemdescError(f"{'x'.join(map(str, shape))}: no tile is like that", hint="write MxNxK, as in 128x128x64")


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


def _whole(value: int, width: int) -> Operand:
    return Operand(value, ones(width))


def _up(size: int, step: int) -> int:
    return -(-size // step) * step
