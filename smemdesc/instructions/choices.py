"""The request for a plan, and its choices: the kind, the types, the blocks, the instructions and their names.

M, N and K are in elements; with two CTAs, of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from smemdesc.descriptors.encoding import RefusedError, build
from smemdesc.engine.errors import FieldError, IllegalError, SmemdescError, named, option
from smemdesc.engine.wording import either
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import has, neither, suffixed, variant_of
from smemdesc.kinds.context import Context
from smemdesc.kinds.formats import ScaledFormat, format_of
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.instruction import WGMMA_M, Instruction, d_types_of, has_mn, n_steps
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import ARCHS, BLOCK_SCALED, HOPPER, MMA_KINDS, PACKED_FP4
from smemdesc.kinds.shapes import allowed_rows, k_of
from smemdesc.kinds.types import Blocks, DType, block_rows, dtype_of, kind_of_format, operand_type, read_by
from smemdesc.layout.scales import Scales, blocks
from smemdesc.layout.tmem import accumulator_types
from smemdesc.reading.quantities import SHAPE_DIGITS

DEFAULT_ARCH = "sm_100a"
_KIND_OF = {"s1z4m11": "ti16", "f16": "f16", "bf16": "f16", "tf32": "tf32", "s8": "i8", "u8": "i8"}


_KEYWORD = {
    "a_type": "dtype",
    "b_type": "b_dtype",
    "transpose_a": "a_major",
    "transpose_b": "b_major",
    "m": "mma",
    "n": "mma",
    "k": "mma",
    "scale_type": "scale",
    "scale_vec": "block",
}
"""The keyword that decides a field of the instruction descriptor, if it has another name."""


class Request(NamedTuple):
    """What :func:`smemdesc.api.planning.plan` was asked for; for None it decides."""

    shape: tuple[int, int, int]
    dtype: str
    b_dtype: str | None
    d_type: str | None
    arch: str | None
    mma_kind: str | None
    a_major: str
    b_major: str
    swizzle: str | None
    order: str | None
    cta_group: int
    mma: tuple[int, ...] | None
    stages: int
    a_from: str
    sparse: bool
    scale: str | None
    block: int | None
    remarks: tuple[str, ...] = ()
    """How the names of the types were read."""


UNSCALED = (
    "e2m1 alone is kind::f8f6f4: 8-bit containers, no scale factors; for a block-scaled kind write nvfp4 or mxfp4"
)


def with_formats(request: Request) -> Request:
    """Return a request whose types are PTX's: a block-scaled format among them sets MMA kind, scale type and block.

    :class:`smemdesc.engine.errors.SmemdescError` if two of them, or another keyword, contradict each other.
    """
    named_types = {"dtype": request.dtype, "b_dtype": request.b_dtype}
    formats = {keyword: row for keyword, name in named_types.items() if name and (row := format_of(name))}
    if not formats:
        plain = (request.mma_kind, request.scale, request.dtype) == (None, None, "e2m1") and request.arch not in HOPPER
        return request._replace(remarks=(UNSCALED,) if plain else ())
    (keyword, first), *others = formats.items()
    if request.arch in HOPPER:
        raise SmemdescError(f"wgmma has no scale factors, {first.name} has", hint="plan for sm_100a", keyword=keyword)
    given = {"scale": request.scale, "block": request.block}
    for name, value in given.items():
        own = getattr(first, name)
        if value not in (None, own):
            message = f"{first.name} is {first.text}, not {option(name)} {value}"
            raise SmemdescError(message, hint=f"omit {option(name)}, or write {first.dtype}", keyword=name)
        for other, row in others:
            if getattr(row, name) != own:
                message = f"no instruction multiplies {first.name} ({first.text}) by {row.name} ({row.text})"
                raise SmemdescError(message, hint="their scale factors must be alike", keyword=other)
    kind = request.mma_kind or _common_kind(request, tuple(formats.values()))
    for keyword, row in formats.items():
        named(keyword, kind_of_format, row, kind)
    return request._replace(
        dtype=aliases.dtype_alias(request.dtype),
        b_dtype=request.b_dtype and aliases.dtype_alias(request.b_dtype),
        mma_kind=kind,
        scale=first.scale,
        block=first.block,
        remarks=tuple(dict.fromkeys(row.note for row in formats.values() if row.note)),
    )


def _common_kind(request: Request, formats: tuple[ScaledFormat, ...]) -> str:
    """Return the MMA kind of the formats; of different element types the one that mixes them."""
    kind = formats[0].mma_kind
    elements = {aliases.dtype_alias(name) for name in (request.dtype, request.b_dtype) if name}
    return kind if elements <= {*read_by(kind)} else "mxf8f6f4"


class Choices:
    """Kind, types and blocks, as requested or derived from each other; their instructions."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.arch = request.arch or DEFAULT_ARCH
        if self.arch not in ARCHS:
            near = suffixed(self.arch)
            hint = f"did you mean {either(near)}?" if near else f"these have: {', '.join(ARCHS)}"
            if not near and has(self.arch, "tma"):
                hint += f"; TMA exists there: smemdesc encode tensormap --arch {self.arch}"
            raise SmemdescError(neither(self.arch), hint=hint, keyword="arch")
        self.hopper = self.arch in HOPPER
        self.kind: Kind = kind_of("wgmma" if self.hopper else "tcgen05")
        _check_shape(request.shape)
        self._check_family()
        self.mma_kind = None if self.hopper else self._mma_kind()
        self.scaled = self.mma_kind in BLOCK_SCALED
        self.types = self._types()
        self.d_type = self._d_type()
        self.block = self._block()

    def _check_family(self) -> None:
        request = self.request
        if not self.hopper:
            if request.a_from == "registers":
                message = "tcgen05.mma does not read A from registers"
                raise SmemdescError(message, hint="give tmem or smem", keyword="a_from")
            return
        for name, present in (
            ("cta_group", request.cta_group != 1),
            ("scale", request.scale),
            ("block", request.block),
            ("mma_kind", request.mma_kind),
        ):
            if present:
                value = " 2" if name == "cta_group" else ""
                message = f"{option(name)}{value} does not exist for wgmma"
                raise SmemdescError(message, hint="omit it, or plan for sm_100a", keyword=name)
        if request.a_from == "tmem":
            message = "wgmma does not read A from tensor memory"
            raise SmemdescError(message, hint="give registers or smem", keyword="a_from")

    def _mma_kind(self) -> str:
        request = self.request
        names = [name for name in (request.dtype, request.b_dtype) if name]
        if request.mma_kind:
            if request.scale and request.mma_kind not in BLOCK_SCALED:
                raise SmemdescError(
                    f"kind::{request.mma_kind} has no scale factors",
                    hint=f"{', '.join(BLOCK_SCALED)} have them (--mma-kind)",
                    keyword="scale",
                )
            return request.mma_kind
        if request.scale:
            if set(names) == {"e2m1"}:
                return "mxf4" if request.scale == "ue8m0" else "mxf4nvf4"
            return "mxf8f6f4"
        if not names:
            return "f16"  # the type's own error reports what is missing
        kind = _KIND_OF.get(names[0])
        return kind if kind and names[0] in read_by(kind) else "f8f6f4"

    def _types(self) -> tuple[DType, DType]:
        of_b = "b_dtype" if self.request.b_dtype else "dtype"
        if self.mma_kind and self.request.dtype and self.request.b_dtype:
            names = {dtype_of(name).name for name in (self.request.dtype, self.request.b_dtype)}
            if not any(names <= set(read_by(kind)) for kind in MMA_KINDS):
                raise self._not_multiplied(" by ".join(sorted(names)), of_b)
        a = named("dtype", operand_type, self.request.dtype, self.mma_kind)
        b = named(of_b, operand_type, self.request.b_dtype or self.request.dtype, self.mma_kind)
        for name, dtype in (("dtype", a), (of_b, b)):
            if not getattr(dtype, self.kind.name):
                message = f"{self.kind.name} has no operand type {dtype.name}"
                raise SmemdescError(message, hint="plan for another --arch", keyword=name)
        if not self._d_types(a, b):
            raise self._not_multiplied(f"{a.name} by {b.name}", of_b)
        return a, b

    def _not_multiplied(self, types: str, keyword: str) -> SmemdescError:
        hint = "equal types, a mix of the 8-, 6- and 4-bit floating-point types, or s8 with u8"
        return SmemdescError(f"no instruction multiplies {types}", hint=hint, keyword=keyword)

    def _d_types(self, a: DType, b: DType) -> tuple[str, ...]:
        """Return the types of D; PTX does not exclude f16 x bf16 of tcgen05, and a rule doubts it."""
        if self.mma_kind == "ti16":
            return accumulator_types(self.mma_kind)
        mixed = self.mma_kind == "f16" and a != b
        return ("f32",) if mixed else d_types_of(a.name, b.name)

    def _d_type(self) -> str:
        legal = self._d_types(*self.types)
        legal = legal[:1] if self.scaled else legal
        dtype = self.request.d_type or legal[0]
        if dtype not in legal:
            raise SmemdescError(
                f"{self.types[0].name} x {self.types[1].name} cannot be accumulated in {dtype}",
                hint=f"D is {' or '.join(legal)} (--d-type)",
                keyword="d_type",
            )
        return dtype

    def _block(self) -> Blocks | None:
        """Return the block size: as requested, else the largest that goes with the type of the factors."""
        if self.mma_kind is None or not self.scaled:
            if self.request.block is not None:
                hint = f"{', '.join(BLOCK_SCALED)} have them (--mma-kind)"
                raise SmemdescError("--block is for scale factors", hint=hint, keyword="block")
            return None
        rows = [blocks(self.mma_kind, self.request.block)] if self.request.block else block_rows(self.mma_kind)
        kind = self.scale_type()
        matching = [row for row in rows if kind in row.types] or [row for row in rows if kind in self.scale_types(row)]
        if not matching:
            size = f" of blocks of {self.request.block}" if self.request.block else ""
            names = " or ".join(dict.fromkeys(name for row in rows for name in self.scale_types(row)))
            raise SmemdescError(
                f"kind::{self.mma_kind} has no scale factors{size} in {kind} on {self.arch}",
                hint=f"use {names}",
                keyword="scale" if self.request.scale else "block",
            )
        return max(matching, key=lambda row: row.size)

    def scale_types(self, blocks: Blocks) -> tuple[str, ...]:
        """Return the possible types of the factors."""
        return (*blocks.types, *(blocks.types_107 if variant_of(self.arch, f"idesc:{blocks.mma_kind}") else ()))

    def scale_type(self) -> str:
        """Return the type of the scale factors: as requested, or the default."""
        return self.request.scale or ("ue4m3" if self.mma_kind == "mxf4nvf4" else "ue8m0")

    def k(self) -> int:
        """K of one instruction, in elements."""
        requested = self.request.mma[2] if self.request.mma is not None and len(self.request.mma) > 2 else None
        if self.mma_kind is None:
            legal: tuple[int, ...] = (self.types[0].k * (2 if self.request.sparse else 1),)
        else:
            legal = k_of(kind_of("idesc", self.mma_kind, self.arch), self.request.sparse)
        if requested not in (None, *legal):
            names = " or ".join(map(str, legal))
            elsewhere = self._k_elsewhere(requested)
            raise SmemdescError(
                f"no instruction has K = {requested} of {self.types[0].name}",
                hint=f"K is {names}{elsewhere}",
                keyword="mma",
            )
        k = requested or legal[0]
        if k == 192:
            raise SmemdescError(
                "K = 192: the layout of the 96 bytes of K of B in shared memory is not known",
                hint=f"use K = {legal[0]}",
                keyword="mma",
            )
        dense = k // (2 if self.request.sparse else 1)
        if (
            self.mma_kind not in PACKED_FP4
            and dense > self.types[0].k
            and any(dtype.bits < dtype.storage for dtype in self.types)
        ):
            raise SmemdescError(
                f"K = {k} of {' x '.join(dtype.name for dtype in self.types)}: 6- and 4-bit elements are "
                "unpadded there, in an unknown layout",
                hint=f"use K = {legal[0]}, or e4m3 and e5m2",
                keyword="mma",
            )
        return k

    def _k_elsewhere(self, k: int | None) -> str:
        """Name the architectures that have this K."""
        if self.mma_kind is None:
            return ""
        kind = kind_of("idesc", self.mma_kind)
        kinds = [variant for variant in (kind, *kind.variants) if k in k_of(variant, self.request.sparse)]
        return f"; {k} on {', '.join(kinds[0].archs)}" if kinds else ""

    def shapes(self) -> Iterator[tuple[int, int]]:
        """Yield M, N of the instructions in the tables of the kind, the largest first."""
        if self.hopper:
            yield from ((WGMMA_M, n) for n in range(256, 0, -8) if has_mn(self.types[0], n))
            return
        assert self.mma_kind is not None
        rows = allowed_rows(self.mma_kind, self.request.sparse, Context(cta_group=self.request.cta_group, ws=False))
        yield from sorted({(m, n) for row in rows for m in row.m for n in row.n}, reverse=True)

    def exists(self, m: int, n: int, k: int) -> bool:
        """Whether the rules allow an instruction of the tables."""
        if self.hopper:
            return True
        try:
            self.idesc(m, n, k)
        except IllegalError:
            return False
        return True

    def refuse_shape(self, m: int, n: int, k: int) -> NoReturn:
        """Raise the findings for an instruction that does not exist."""
        if self.hopper:
            name = self.types[0].name
            hint = f"M is 64, N 8 to 256: {n_steps(name)}"
            raise IllegalError(f"wgmma has no shape m{m}n{n} with {name}", hint=hint, keyword="mma")
        self.idesc(m, n, k)
        raise SmemdescError(f"no instruction has M = {m} and N = {n}", hint="omit --mma", keyword="mma")

    def indivisible(self, legal: list[tuple[int, int]], requested: bool) -> SmemdescError:
        """Return the error for a tile that none of these M, N divides."""
        m, n, _ = self.request.shape
        subject = "the pair's tile" if self.request.cta_group > 1 else "the tile"
        if requested:
            one_m, one_n = legal[0]
            wrong = [f"M = {m} of {subject} is not a multiple of {one_m}"] if m % one_m else []
            wrong += [f"N = {n} of {subject} is not a multiple of {one_n}"] if n % one_n else []
            return SmemdescError(" and ".join(wrong), hint="change the tile, or --mma", keyword="mma")
        ms = sorted({m for m, _ in legal})
        if not any(m % legal_m == 0 for legal_m in ms):
            names = " or ".join(map(str, ms))
            return SmemdescError(
                f"M = {m} of {subject} is not a multiple of {names}, the M of an instruction",
                hint="change M",
                keyword="shape",
            )
        ns = sorted({n for _, n in legal})
        return SmemdescError(
            f"N = {n} of {subject} is not a multiple of any N of an instruction",
            hint=f"use a multiple of {ns[0]}",
            keyword="shape",
        )

    @property
    def scale_vec(self) -> int | None:
        """The number that names the block size of the common K."""
        if self.block is None or self.mma_kind is None:
            return None
        return K_DENSE[self.mma_kind] // self.block.size

    def idesc(self, m: int, n: int, k: int, *, scale_id: int = 0) -> int:
        """Return the instruction descriptor: with two CTAs, M and N are of the pair."""
        assert self.mma_kind is not None
        kind = kind_of("idesc", self.mma_kind, self.arch)
        table = kind.table
        fields: dict[str, object] = {
            "a_type": self.types[0].name,
            "b_type": self.types[1].name,
            "transpose_a": self.request.a_major == "MN",
            "transpose_b": self.request.b_major == "MN",
            "sparse": self.request.sparse,
            "m": m,
            "n": n,
        }
        if "d_type" in table.by_key:
            fields["d_type"] = self.d_type
        if "sparsity_version" in table.by_key:
            fields["sparsity_version"] = int(self.request.sparse)
        if "scale_type" in table.by_key:
            fields["scale_type"] = self.scale_type()
            fields |= {"a_scale_id": scale_id, "b_scale_id": scale_id}
        if "k" in table.by_key:
            fields["k"] = k
        context = Context(arch=self.arch, cta_group=self.request.cta_group, ws=False, scale_vec=self.scale_vec)
        try:
            return build(kind, fields, context=context).value
        except RefusedError as refused:
            finding = refused.finding
            instead = finding.fix or "change the types, the shape, or --arch"
            message, hint = f"{finding.message} [{finding.rule}]", f"{instead} ({finding.source})"
            names = tuple(_KEYWORD.get(keyword, keyword) for keyword in refused.keywords)
            raise IllegalError(message, hint=hint, keyword=names) from None
        except FieldError as error:
            message = error.option_message.removeprefix(f"{error.key}: ")
            raise SmemdescError(message, hint=error.option_hint, keyword=_KEYWORD.get(error.key, error.key)) from None

    def instruction(self, m: int, n: int, k: int) -> Instruction:
        """Return the instruction for :mod:`smemdesc.instructions.mma`."""
        request = self.request
        kinds = (self.mma_kind,) if self.mma_kind else ()
        instruction = Instruction(
            self.kind.name, mma_kind=self.mma_kind, mma_kinds=kinds, sparse=request.sparse, a_from=request.a_from
        )
        if not self.hopper:
            return instruction._replace(cta_group=request.cta_group, ws=False, scale_vec=self.scale_vec)
        return instruction._replace(
            m=m,
            n=n,
            k=k,
            a_type=self.types[0].name,
            b_type=self.types[1].name,
            d_type=self.d_type,
            a_major=None if request.a_from == "registers" else request.a_major,
            b_major=request.b_major,
        )

    def mnemonic(self, m: int, n: int, k: int, scale: Scales | None) -> str:
        """Return the PTX instruction, without operands; ``scale`` are the factors of A."""
        sparse = ".sp" if self.request.sparse else ""
        a, b = self.types
        if self.hopper:
            popc = ".and.popc" if a.name == "b1" else ""
            types = f"{self.d_type}.{a.name}.{b.name}{popc}"
            return f"wgmma.mma_async{sparse}.sync.aligned.m{m}n{n}k{k}.{types}"
        size = (scale.qualifier if has(self.arch, "scale-vec") else scale.blocks_name) if scale else ""
        scaled = f".block_scale.{size}" if scale else ""
        return f"tcgen05.mma{sparse}.cta_group::{self.request.cta_group}.kind::{self.mma_kind}{scaled}"


def _check_shape(shape: tuple[int, int, int]) -> None:
    if min(shape) < 1 or max(shape) >= 10**SHAPE_DIGITS:
        raise SmemdescError(
            f"{'x'.join(map(str, shape))}: not a tile", hint="write MxNxK, as in 128x128x64", keyword="shape"
        )
