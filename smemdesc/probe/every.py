"""Every question for an architecture: the cases by which each claim of docs/evidence.md holds or falls."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from smemdesc.descriptors.tensormap import encode_map
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Reserved, Table, ones
from smemdesc.kinds.archs import has
from smemdesc.kinds.idesc import LegalShape
from smemdesc.kinds.instruction import TRANSPOSED, WGMMA_M
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.mask import MASK
from smemdesc.kinds.modes import MODE, MODES, SwizzleMode
from smemdesc.kinds.names import BLOCK_SCALED, PACKED_FP4
from smemdesc.kinds.shapes import offers
from smemdesc.kinds.types import DTYPES, DType, dtype_of, read_by
from smemdesc.layout.atom import atom_bytes, atom_shape
from smemdesc.layout.operand import Operand, descriptor_of
from smemdesc.probe.asking import ProbeQuestion
from smemdesc.probe.copies import copy_question
from smemdesc.probe.launch import FIRST, LAST
from smemdesc.probe.masks import mask_question
from smemdesc.probe.products import product_question
from smemdesc.probe.questions import OperandQuestion, operand_case
from smemdesc.probe.scales import scale_question


class Claim(NamedTuple):
    """A row of docs/evidence.md that a GPU can confirm or contradict."""

    key: str
    text: str
    assumed: int | None = None
    """Its number among the assumptions of that page."""


CLAIMS = (
    Claim("addresses", "which byte an element is read from: modes, LBO, SBO, start address"),
    Claim("absolute-swizzle", "the swizzle is of absolute addresses"),
    Claim("base-offset", "the base offset: which bits take effect, and how", 2),
    Claim("lbo-idle", "LBO has no effect while K fits the atom"),
    Claim("lbo-beyond-the-atom", "LBO where K spans more than one atom", 1),
    Claim("unused-bits", "unused bits are ignored"),
    Claim("outside", "an address past the memory of a block faults"),
    Claim("wide-atom", "MN-major 128B_32B: SBO steps over 4 k, period 512 B", 2),
    Claim("lbo-address", "LBO as an address: the second part of K = 96", 3),
    Claim("narrow-transposed", "MN-major fp4 and fp6 in containers of 8 bits", 4),
    Claim("packed-order", "the low half of a byte holds the even element of packed fp4", 7),
    Claim("instruction", "M, N and the types of an instruction descriptor; D in tensor memory"),
    Claim("a-in-tensor-memory", "A in tensor memory: the lane and column of each element", 8),
    Claim("type-mix", "f16 with bf16 in one instruction", 4),
    Claim("selectors", "sparsity selectors 2 and 3", 6),
    Claim("k-96-two-ctas", "K = 96 with two CTAs and M = 128", 6),
    Claim("mask", "the zero-column mask"),
    Claim("max-shift", "a maximum shift of 8 and 16 with M = 32"),
    Claim("mask-count", "a start count past its first span", 5),
    Claim("scale-factors", "scale factors and their ids"),
    Claim("scale-parts", "the scale factors of B with two CTAs and M = 128", 8),
    Claim("copies", "what copies of a tensor map leave in shared memory"),
)
CLAIM = {claim.key: claim for claim in CLAIMS}
_REACHES = (0x800, 0x1000, 0x2000, 0x4000, 0x8000, 0x10000, 0x20000)
"""Bytes within which strides are taken at random."""
_STRIDE = "stride_byte_offset"


class OperandForm(NamedTuple):
    """An operand of one instruction, whose layout is varied."""

    arch: str
    side: str
    dtype: DType
    major: str
    shape: tuple[int, int]
    mma_kind: str = ""
    cta_group: int = 1
    ws: bool = False
    whole: bool = True
    """Whether all is varied; else only what shows that the common formula holds for it, too."""

    @property
    def table(self) -> Table:
        """The table of its descriptor."""
        return kind_of("tcgen05" if self.mma_kind else "wgmma", arch=self.arch).table

    def question(self, mode: SwizzleMode, claim: str, unused: int = 0, **layout: Any) -> OperandQuestion:
        """Return the question about one layout of it; ``unused`` are bits that mean nothing."""
        operand = Operand(mode.name, self.major, self.dtype, self.shape, **layout)
        case = operand_case(operand, self.arch, self.side, self.mma_kind, cta_group=self.cta_group, ws=self.ws)
        value = descriptor_of(operand, self.table) | unused
        return OperandQuestion(value, operand, self.side, case, claim)

    def packed(self, mode: SwizzleMode, *, mn_first: bool = True) -> dict[str, int]:
        """Return LBO and SBO of a tile without gaps, its atoms along MN first or along K first."""
        atom, size = atom_shape(mode.name, self.major, self.dtype), atom_bytes(mode.name, self.major)
        down, across = -(-self.shape[0] // atom.mn), -(-self.shape[1] // atom.k)
        along_mn, along_k = (size, size * down) if mn_first else (size * across, size)
        by_k = self.major == "K" or mode.name == "none"
        return dict(zip(("lbo", "sbo"), (along_k, along_mn) if by_k else (along_mn, along_k), strict=True))

    def times(self, mode: SwizzleMode) -> dict[str, int]:
        """Return how often LBO and SBO are added on the way to the last element."""
        made = Operand(mode.name, self.major, self.dtype, self.shape)
        terms = made.terms(self.shape[0] - 1, self.shape[1] - 1)
        return {term.name.lower(): term.times for term in terms if term.name in ("LBO", "SBO")}


def every_question(arch: str) -> list[Any]:
    """Return the questions for an architecture, those that fault last; none if it has no descriptors."""
    if has(arch, "wgmma"):
        made = [question for form in _wgmma_forms(arch) for question in _layouts(form)]
        return [*made, *_copies(arch), *_outside(arch)]
    if not has(arch, "tcgen05"):
        return []
    made = [question for form in _tcgen05_forms(arch) for question in _layouts(form)]
    made += _lbo_address(arch)
    return [
        *made,
        *_instructions(arch),
        *_a_in_tensor_memory(arch),
        *_k_96(arch),
        *_masks(arch),
        *_scales(arch),
        *_copies(arch),
        *_outside(arch),
    ]


def _wgmma_forms(arch: str) -> Iterator[OperandForm]:
    for dtype in DTYPES:
        if not dtype.wgmma or dtype.name == "b1":
            continue
        for major, n in (("K", 32), ("MN", 128))[: 2 if dtype.name in TRANSPOSED else 1]:
            yield OperandForm(arch, "a", dtype, major, (WGMMA_M, dtype.k))
            yield OperandForm(arch, "b", dtype, major, (n, dtype.k))
            yield OperandForm(arch, "b", dtype, major, (n, 2 * dtype.k))
            for size in (8, 256) if major == "K" else (256,):
                yield OperandForm(arch, "b", dtype, major, (size, dtype.k), whole=False)


def _tcgen05_forms(arch: str) -> Iterator[OperandForm]:
    widths = set()
    for mma_kind in _asked_kinds(arch):
        for name in read_by(mma_kind):
            dtype = dtype_of(name, mma_kind)
            first = dtype.storage not in widths
            widths.add(dtype.storage)
            for major in ("K",) if mma_kind in PACKED_FP4 else ("K", "MN"):
                one = OperandForm(arch, "a", dtype, major, (128, dtype.k), mma_kind, whole=first)
                of_b = one._replace(side="b", shape=(64, dtype.k))
                yield from (one, of_b)
                some = one._replace(whole=False)
                yield some._replace(cta_group=2)
                if mma_kind not in PACKED_FP4:
                    yield some._replace(side="b", shape=(64, 2 * dtype.k))
                if mma_kind not in BLOCK_SCALED:
                    yield of_b._replace(ws=True, whole=False)


def _asked_kinds(arch: str) -> list[str]:
    """Return the MMA kinds of an architecture; of ti16 no sum is known."""
    return [kind for offer in offers(arch).kinds if (kind := str(offer.kind.mma_kind)) != "ti16"]


def _modes(form: OperandForm) -> Iterable[SwizzleMode]:
    """Return the modes that an operand may have: MN-major tf32 has only the one with 32-byte atoms, and only it has."""
    if not form.mma_kind:
        return [mode for mode in MODES if mode.wgmma is not None]
    wide = form.major == "MN" and form.dtype.storage == 32
    return [mode for mode in MODES if mode.tcgen05 is not None and mode.wide == wide]


def _layouts(form: OperandForm) -> Iterator[OperandQuestion]:
    """Yield the questions about one form: each claim that is about layouts."""
    plain = "addresses"
    if form.mma_kind and form.dtype.bits < form.dtype.storage and form.major == "MN":
        plain = "narrow-transposed"
    elif form.dtype.storage == 4:
        plain = "packed-order"
    for mode in _modes(form):
        claim = "wide-atom" if mode.wide else plain
        rng = random.Random(f"{form} {mode.name}")
        lbo_acts = form.times(mode)["lbo"] > 0
        beyond = form.major == "K" and mode.name != "none" and lbo_acts
        for mn_first in (True, False):
            yield form.question(mode, claim, start=0x800, **form.packed(mode, mn_first=mn_first))
        for reach in _REACHES[:: 1 if form.whole else 3]:
            start = FIRST + 16 * rng.randrange(256)
            yield form.question(
                mode, "lbo-beyond-the-atom" if beyond else claim, start=start, **_strides(form, mode, rng, reach)
            )
        tight = form.packed(mode)
        if form.major == "K" and mode.name != "none":
            key = "lbo-beyond-the-atom" if beyond else "lbo-idle"
            for lbo in (0, 16, 1024, 0x3330):
                yield form.question(mode, key, start=0x2000, lbo=lbo, sbo=tight["sbo"])
        if not form.whole:
            continue
        for inside in rng.sample(range(16, max(mode.period, 256), 16), 12):
            yield form.question(mode, "absolute-swizzle", start=0x2000 + inside, **tight)
        for base_offset in range(1, 8):
            yield form.question(mode, "base-offset", start=0x2000, base_offset=base_offset, **tight)
            yield form.question(mode, "base-offset", start=0x21B0, base_offset=base_offset, **tight)
        if not form.mma_kind:  # of tcgen05 they are reserved, and a model says nothing of them
            yield form.question(mode, "unused-bits", _unused(form.table), start=0x2430, **tight)


def _unused(table: Table) -> int:
    return sum(table.masks[row.key] for row in table.rows if isinstance(row.codec, Reserved))


def _strides(form: OperandForm, mode: SwizzleMode, rng: random.Random, reach: int) -> dict[str, int]:
    """Return any LBO and SBO within ``reach`` bytes: gaps, overlaps and zeros among them."""
    most, share, times = 16 * ones(form.table.row(_STRIDE).width), rng.random(), form.times(mode)
    room = {"lbo": share * reach, "sbo": (1 - share) * reach}
    return {name: min(rng.randrange(int(room[name]) // max(1, times[name]) // 16 + 1) * 16, most) for name in room}


def random_questions(arch: str, seed: int) -> Iterator[OperandQuestion]:
    """Yield questions without end: any form, mode, start, strides and base offset of wgmma.

    About one in a hundred reaches past the memory of a block.
    """
    rng = random.Random(seed)
    forms = [*_wgmma_forms(arch)]
    while True:
        form = rng.choice(forms)
        mode = rng.choice([*_modes(form)])
        reach = int(2 ** rng.uniform(8, 17.9))
        start = rng.randrange(FIRST, LAST, 16)
        question = form.question(
            mode, "addresses", start=start, base_offset=rng.randrange(8), **_strides(form, mode, rng, reach)
        )
        if not question.outside or rng.random() < 1 / 64:
            yield question


def _lbo_address(arch: str) -> Iterator[OperandQuestion]:
    """Yield the steps of K = 96 through three lines, whose second part is at an address."""
    if not has(arch, "k-96"):
        return
    dtype = dtype_of("e2m1", "mxf4")
    form = OperandForm(arch, "a", dtype, "K", (128, 96), "mxf4")
    for line, inside, following in ((0, 0, 0), (0, 48, 0), (0, 96, 1), (1, 16, 1), (1, 64, 1), (1, 112, 2), (2, 32, 2)):
        begin, second = (0x2000 + 0x4000 * number for number in (line, following))
        yield form.question(MODE["128B"], "lbo-address", start=begin + inside, lbo=second, sbo=1024, absolute=True)


def _outside(arch: str) -> Iterator[OperandQuestion]:
    """Yield operands that reach past the window: modulo 256 KB they would be in the memory of the block."""
    dtype = dtype_of("f16")
    if has(arch, "wgmma"):
        form = OperandForm(arch, "a", dtype, "K", (WGMMA_M, dtype.k))
    else:
        form = OperandForm(arch, "a", dtype, "K", (128, dtype.k), "f16")
    for mode in _modes(form):
        most = 16 * ones(form.table.row(_STRIDE).width)
        yield form.question(mode, "outside", start=0x35000, lbo=16, sbo=most)


def _idesc(arch: str, mma_kind: str, **fields: Any) -> int:
    table = kind_of("idesc", mma_kind, arch).table
    fields = {"scale_type": "ue4m3" if mma_kind == "mxf4nvf4" else "ue8m0", **fields}
    return table.pack(table.encode({key: value for key, value in fields.items() if key in table.by_key}))


def _some(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the least, the most and one between them."""
    return tuple(dict.fromkeys((numbers[0], numbers[len(numbers) // 2], numbers[-1])))


def _products(arch: str, claim: str, shape: LegalShape, mma_kind: str, **fields: Any) -> Iterator[ProbeQuestion]:
    for m in shape.m:
        for n in _some(shape.n):
            value = _idesc(arch, mma_kind, m=m, n=n, **fields)
            yield product_question(value, mma_kind, arch, cta_group=shape.cta_group, ws=shape.ws, claim=claim)


def _instructions(arch: str) -> Iterator[ProbeQuestion]:
    """Yield products of every kind, type and shape."""
    for offer in offers(arch).kinds:
        mma_kind = str(offer.kind.mma_kind)
        if mma_kind not in _asked_kinds(arch):
            continue
        names = read_by(mma_kind)
        for shape in offer.shapes:
            if shape.sparse is True:
                continue
            for name in names[:1] if shape.n[-1] > 64 else names:
                yield from _products(arch, "instruction", shape, mma_kind, a_type=name, b_type=name)
        for a_type in names:
            for b_type in names:
                mixed = {a_type, b_type} == {"f16", "bf16"}
                value = _idesc(arch, mma_kind, m=128, n=32, a_type=a_type, b_type=b_type)
                yield product_question(value, mma_kind, arch, claim="type-mix" if mixed else "instruction")
        if mma_kind in ("f16", "tf32"):
            for selector in (2, 3):
                value = _idesc(arch, mma_kind, m=128, n=32, a_type=names[0], b_type=names[0], sparse=True,
                               sparsity_selector=selector)  # fmt: skip
                yield product_question(value, mma_kind, arch, claim="selectors")


def _a_in_tensor_memory(arch: str) -> Iterator[ProbeQuestion]:
    """Yield products whose A is in tensor memory: every layout of D, types of each width."""
    for mma_kind in ("f16", "tf32", "f8f6f4"):
        name = read_by(mma_kind)[0]
        for m, cta_group, ws in (
            (64, 1, False),
            (128, 1, False),
            (32, 1, True),
            (64, 1, True),
            (128, 2, False),
            (256, 2, False),
        ):
            value = _idesc(arch, mma_kind, m=m, n=64, a_type=name, b_type=name)
            yield product_question(
                value, mma_kind, arch, cta_group=cta_group, ws=ws, claim="a-in-tensor-memory", a_from="tmem"
            )


def _k_96(arch: str) -> Iterator[ProbeQuestion]:
    """Yield the shape of K = 96 that is in the tables of one source alone, beside one that is in all."""
    if has(arch, "k-96"):
        for m, claim in ((128, "k-96-two-ctas"), (256, "instruction")):
            fields = {"a_type": "e2m1", "b_type": "e2m1", "scale_type": "ue8m0"}
            value = _idesc(arch, "mxf4", m=m, n=32, k=96, **fields)
            yield product_question(value, "mxf4", arch, cta_group=2, claim=claim)


_MASKS = ({"skip_span": 2, "use_span": 3}, {"skip_span": 0, "use_span": 0}, {"skip_span": 15, "use_span": 6})


def _masks(arch: str) -> Iterator[ProbeQuestion]:
    """Yield masks of every M, from both values, with and without a shift and a start count."""
    for m, n in ((128, 64), (64, 128), (32, 256)):
        for spans in _MASKS:
            for first in (0, 1):
                for shift in (0, 1, 8, 16):
                    raws = {**spans, "first_span_0": first, "first_span_1": 1 - first, "start_count_0": 0}
                    value = MASK.pack({**raws, "column_shift": shift, "non_zero_mask": 1})
                    claim = "max-shift" if m == 32 and shift else "mask"
                    yield mask_question(value, m, n, arch, dtype_of("f16"))._replace(claim=claim)
            past = MASK.pack({**spans, "start_count_0": 40, "non_zero_mask": 1})
            yield mask_question(past, m, n, arch, dtype_of("f16"))._replace(claim="mask-count")


def _scales(arch: str) -> Iterator[ProbeQuestion]:
    """Yield the factors of both operands, with every id that each kind has."""
    ids = {"mxf8f6f4": (0, 1, 2, 3), "mxf4": (0, 2), "mxf4nvf4": (0,)}
    for mma_kind, every in ids.items():
        name = read_by(mma_kind)[0]
        for m, n, cta_group in ((128, 64, 1), (128, 256, 1), (256, 128, 2), (128, 128, 2)):
            for identifier in every:
                value = _idesc(arch, mma_kind, m=m, n=n, a_type=name, b_type=name,
                               a_scale_id=identifier, b_scale_id=identifier)  # fmt: skip
                for side in "ab":
                    claim = "scale-parts" if (m, cta_group, side) == (128, 2, "b") else "scale-factors"
                    yield scale_question(value, mma_kind, arch, side, cta_group=cta_group, claim=claim)


def _copies(arch: str) -> Iterator[ProbeQuestion]:
    """Yield copies of every swizzle, of types of each width, with gaps, narrow lines and element strides."""
    for swizzle, most in (("none", 256), ("32B", 32), ("64B", 64), ("128B", 128)):
        for name, size in (("UINT8", 1), ("BFLOAT16", 2), ("FLOAT32", 4), ("FLOAT64", 8)):
            for row in (most, most // 2):
                for steps in ((1, 1), (1, 2)):
                    try:
                        encoded = encode_map(name, 0, (512 // size, 64), (1024,), box=(row // size, 16),
                                             element_stride=steps, swizzle=swizzle)  # fmt: skip
                        yield copy_question(encoded.value, arch, "copies")
                    except SmemdescError:
                        continue  # a row of less than 16 bytes
