"""The instructions that a plan may take: their shapes, their descriptors, their names."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.descriptors.encoding import RefusedError, build
from smemdesc.engine.errors import IllegalError, SmemdescError
from smemdesc.instructions.planning.choices import Choices
from smemdesc.kinds.archs import has
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_DENSE, SHAPES
from smemdesc.kinds.instruction import WGMMA_M, Instruction, has_mn, n_steps
from smemdesc.kinds.kind import PACKED_FP4, kind_of
from smemdesc.kinds.offers import k_of
from smemdesc.layout.scales import Scales


class Instructions:
    """The instructions that fit what was chosen. M, N and K are in elements; with two CTAs, those of the pair."""

    def __init__(self, of: Choices) -> None:
        self.of = of

    def k(self) -> int:
        """K of one instruction, in elements."""
        given = self.of.wish.mma[2] if self.of.wish.mma is not None and len(self.of.wish.mma) > 2 else None
        if self.of.mma_kind is None:
            legal: tuple[int, ...] = (self.of.types[0].k * (2 if self.of.wish.sparse else 1),)
        else:
            legal = k_of(kind_of("idesc", self.of.mma_kind, self.of.arch), self.of.wish.sparse)
        if given not in (None, *legal):
            names = " or ".join(map(str, legal))
            elsewhere = self._k_elsewhere(given)
            raise SmemdescError(
                f"no instruction has K = {given} of {self.of.types[0].name}", hint=f"K is {names}{elsewhere}"
            )
        k = given or legal[0]
        if k == 192:
            raise SmemdescError(
                "K = 192: how the 96 bytes of K of B lie in shared memory is not known here", hint=f"use K = {legal[0]}"
            )
        dense = k // (2 if self.of.wish.sparse else 1)
        if (
            self.of.mma_kind not in PACKED_FP4
            and dense > self.of.types[0].k
            and any(each.bits < each.storage for each in self.of.types)
        ):
            raise SmemdescError(
                f"K = {k} of {' x '.join(each.name for each in self.of.types)}: 6- and 4-bit elements lie there "
                "without padding, in a layout that is not known here",
                hint=f"use K = {legal[0]}, or e4m3 and e5m2",
            )
        return k

    def _k_elsewhere(self, k: int | None) -> str:
        """Say which architectures have this K."""
        if self.of.mma_kind is None:
            return ""
        kind = kind_of("idesc", self.of.mma_kind)
        found = [each for each in (kind, *kind.variants) if k in k_of(each, self.of.wish.sparse)]
        return f"; {k} on {', '.join(found[0].archs)}" if found else ""

    def shapes(self) -> Iterator[tuple[int, int]]:
        """Yield M, N of the instructions that the tables list for the kind, the largest first."""
        if self.of.hopper:
            yield from ((WGMMA_M, n) for n in range(256, 0, -8) if has_mn(self.of.types[0], n))
            return
        rows = [
            row
            for row in SHAPES
            if self.of.mma_kind in row.kinds
            and row.cta_group == self.of.wish.cta_group
            and not row.ws
            and row.sparse in (None, self.of.wish.sparse)
        ]
        yield from sorted({(m, n) for row in rows for m in row.m for n in row.n}, reverse=True)

    def exists(self, m: int, n: int, k: int) -> bool:
        """Whether the rules have nothing against an instruction of the tables."""
        if self.of.hopper:
            return True
        try:
            self.idesc(m, n, k)
        except IllegalError:
            return False
        return True

    def refuse_shape(self, m: int, n: int, k: int) -> None:
        """Raise what the rules say of an instruction that does not exist."""
        if self.of.hopper:
            name = self.of.types[0].name
            hint = f"M is 64, N 8 to 256: {n_steps(name)}"
            raise IllegalError(f"wgmma has no shape m{m}n{n} with {name}", hint=hint)
        self.idesc(m, n, k)
        raise SmemdescError(f"no instruction has M = {m} and N = {n}", hint="leave --mma out")

    def indivisible(self, legal: list[tuple[int, int]], asked: bool) -> SmemdescError:
        """Return what is wrong with a tile that none of these M, N divides."""
        m, n, _ = self.of.wish.shape
        of = "the pair's tile" if self.of.wish.cta_group > 1 else "the tile"
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

    @property
    def scale_vec(self) -> int | None:
        """The number that names the size of the blocks: that of the usual K."""
        if self.of.block is None or self.of.mma_kind is None:
            return None
        return K_DENSE[self.of.mma_kind] // self.of.block.size

    def idesc(self, m: int, n: int, k: int, *, scale_id: int = 0) -> int:
        """Return the instruction descriptor: with two CTAs, M and N are those of the pair."""
        assert self.of.mma_kind is not None
        found = kind_of("idesc", self.of.mma_kind, self.of.arch)
        table = found.table
        fields: dict[str, object] = {
            "a_type": self.of.types[0].name,
            "b_type": self.of.types[1].name,
            "transpose_a": self.of.wish.a_major == "MN",
            "transpose_b": self.of.wish.b_major == "MN",
            "sparse": self.of.wish.sparse,
            "m": m,
            "n": n,
        }
        if "d_type" in table.by_key:
            fields["d_type"] = self.of.d_type
        if "sparsity_version" in table.by_key:
            fields["sparsity_version"] = int(self.of.wish.sparse)
        if "scale_type" in table.by_key:
            fields["scale_type"] = self.of.scale_type()
            fields |= {"a_scale_id": scale_id, "b_scale_id": scale_id}
        if "k" in table.by_key:
            fields["k"] = k
        context = Context(arch=self.of.arch, cta_group=self.of.wish.cta_group, ws=False, scale_vec=self.scale_vec)
        try:
            return build(found, fields, context=context).value
        except RefusedError as refused:
            finding = refused.finding
            instead = finding.fix or "change the types, the shape, or --arch"
            raise IllegalError(f"{finding.message} [{finding.rule}]", hint=f"{instead} ({finding.source})") from None

    def instruction(self, m: int, n: int, k: int) -> Instruction:
        """Return the instruction, as :mod:`smemdesc.mma` judges it."""
        wish = self.of.wish
        kinds = (self.of.mma_kind,) if self.of.mma_kind else ()
        said = Instruction(
            self.of.kind.name, mma_kind=self.of.mma_kind, mma_kinds=kinds, sparse=wish.sparse, a_from=wish.a_from
        )
        if not self.of.hopper:
            return said._replace(cta_group=wish.cta_group, ws=False, scale_vec=self.scale_vec)
        return said._replace(
            m=m,
            n=n,
            k=k,
            a_type=self.of.types[0].name,
            b_type=self.of.types[1].name,
            d_type=self.of.d_type,
            a_major=None if wish.a_from == "registers" else wish.a_major,
            b_major=wish.b_major,
        )

    def mnemonic(self, m: int, n: int, k: int, scale: Scales | None) -> str:
        """Return the PTX instruction, without operands; ``scale`` are the factors of A."""
        sparse = ".sp" if self.of.wish.sparse else ""
        a, b = self.of.types
        if self.of.hopper:
            popc = ".and.popc" if a.name == "b1" else ""
            types = f"{self.of.d_type}.{a.name}.{b.name}{popc}"
            return f"wgmma.mma_async{sparse}.sync.aligned.m{m}n{n}k{k}.{types}"
        size = (scale.qualifier if has(self.of.arch, "scale-vec") else scale.blocks_name) if scale else ""
        scaled = f".block_scale.{size}" if scale else ""
        return f"tcgen05.mma{sparse}.cta_group::{self.of.wish.cta_group}.kind::{self.of.mma_kind}{scaled}"
