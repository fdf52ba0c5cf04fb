"""Rules for the tcgen05 instruction descriptor: types, flags, shapes, scale factors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import either, join_and
from smemdesc.kinds.archs import CAPABILITIES, has, lacks, undescribed
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_CODE_F16, K_DENSE, LEGAL_SHAPES, SELECTORS, SHAPE_SOURCE, LegalShape
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.mask import WIDEST_SHIFT_M32
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.shapes import allowed_rows, columns, legal_columns, ranges, rows_of, with_qualifiers
from smemdesc.kinds.types import block_rows
from smemdesc.rules import given
from smemdesc.rules.asks import ARCH, CTA_GROUP, SCALE_VEC, WS
from smemdesc.rules.base import Example, Problem, Repair, Rule, error, explained, note, rule, warning

_NARROW = ("e2m3", "e3m2", "e2m1")
_TRANSPOSED_B = "PTX ISA 9.3, Table 55"


def _shape(mma_kind: str, context: Context, m: int, n: int, sparse: bool, transpose_b: bool) -> Problem | None:
    rows = allowed_rows(mma_kind, sparse, context)
    if _rows_with(rows, mma_kind, m, n, transpose_b):
        return None
    name = f"{'sparse ' if sparse else ''}kind::{mma_kind}"
    every = allowed_rows(mma_kind, sparse, context._replace(cta_group=None, ws=None))
    if others := _rows_with(every, mma_kind, m, n, transpose_b):
        labels = [label for label in dict.fromkeys(others) if not (label.endswith(".ws") and label[:-3] in others)]
        there = either(labels)
        here = with_qualifiers(context).removeprefix(" with ")
        return error(
            f"with {there} it is legal: M = {m}, N = {n} of {name}, but the instruction has {here}",
            "the qualifiers are not those of the instruction" if rows else "",
            f"use {there}" + (f", or {_instead(mma_kind, rows, m, transpose_b)}" if rows else ""),
            fields=("n",) if m in rows_of(rows) else ("m",),
        )
    where = name + with_qualifiers(context)
    if not rows:
        return error(f"{where} does not exist", fields=())
    if m not in rows_of(rows):
        return _wrong_m(mma_kind, where, rows, m)
    fix = _instead(mma_kind, rows, m, transpose_b)
    if any(m in row.m and n in row.n for row in rows):
        return error(
            f"N = {n} is not legal with M = {m} if an 8-bit B is transposed",
            fix=fix,
            fields=("n", "transpose_b"),
            source=_TRANSPOSED_B,
        )
    likely = "" if n else "N was never set, or is 512 or more, which the field cannot hold"
    return error(f"N = {n} is not legal for {where} with M = {m}", likely, fix, fields=("n",))


def _rows_with(rows: Iterable[LegalShape], mma_kind: str, m: int, n: int, transpose_b: bool) -> list[str]:
    """Return the labels of the rows with M and N."""
    return [row.label for row in rows if m in row.m and n in columns(mma_kind, row, transpose_b)]


def _wrong_m(mma_kind: str, where: str, rows: list[LegalShape], m: int) -> Problem:
    legal_m = rows_of(rows)
    likely = "M was never set" if not m else ""
    if not m and mma_kind in BLOCK_SCALED:
        likely = "M was never set, or M = 64 or less, which a block-scaled descriptor cannot encode"
    return error(
        f"M = {m} is not legal for {where}",
        likely,
        f"M is {either(legal_m)}",
        fields=("m",),
        repair=Repair("m", legal_m[0]) if len(legal_m) == 1 else None,
    )


def _instead(mma_kind: str, rows: list[LegalShape], m: int, transpose_b: bool) -> str:
    """Describe which M the rows have, or which N with this M."""
    with_m = [row for row in rows if m in row.m]
    return f"N with {legal_columns(mma_kind, with_m, transpose_b)}" if with_m else f"M is {either(rows_of(rows))}"


def _shape_rule(mma_kind: str) -> Rule:
    rows = allowed_rows(mma_kind, False, Context())
    doc = "M and N (dense) are: " + "; ".join(
        f"{row.label} M {', '.join(map(str, row.m))}, N {ranges(row.n)}" for row in rows
    )
    return Rule(
        *("shape", ("m", "n", "sparse", "transpose_b"), SHAPE_SOURCE, doc + ".", partial(_shape, mma_kind)),
        asks=(CTA_GROUP, WS),
        example=Example(
            "M and N are encoded in the instruction descriptor. A shape that the MMA kind does not have is an illegal "
            "instruction.",
            "smemdesc decode --mma-kind f16 0x0c200490",
            "m=128",
        ),
    )


@explained(
    "PTX lists N = 24 for kind::i8, CUTLASS does not.",
    "smemdesc decode --mma-kind i8 0x08060020",
    "n=32",
)
@rule(
    "n",
    "m",
    source="PTX ISA 9.3, Table 42; CUTLASS leaves N = 24 out",
    asks=(
        CTA_GROUP,
        WS,
    ),
)
def i8_n_24(context: Context, n: int, m: int) -> Problem | None:
    """N = 24 of kind::i8 is legal in PTX; CUTLASS does not list it."""
    if n != 24 or m not in (64, 128) or context.cta_group == 2 or context.ws:
        return None
    return warning("N = 24 with kind::i8: PTX ISA lists it, CUTLASS does not", fix="both list N = 16 and N = 32")


@explained(
    "PTX lists N in steps of 8 for M = 128. TVM rejects N that is not a multiple of 16, and so does CUTLASS in some "
    "cases.",
    "smemdesc decode --mma-kind f16 0x08120490",
)
@rule(
    "m",
    "n",
    source="PTX ISA 9.3, Table 42; TVM cuda/cpp/descriptors.py; CUTLASS mma_sm100_umma.hpp",
    asks=(
        CTA_GROUP,
        WS,
    ),
)
def m_128_columns(context: Context, m: int, n: int) -> Problem | None:
    """With M = 128 and one CTA, N in steps of 8 is legal in PTX; TVM requires steps of 16, CUTLASS in some cases."""
    if m != 128 or not n or n % 8 or not n % 16 or context.cta_group == 2 or context.ws:
        return None
    # FlashInfer ships such kernels, which are correct.
    return note(
        f"N = {n} with M = 128: PTX ISA 9.3 lists N in steps of 8; TVM requires a multiple of 16, and so "
        "does CUTLASS with A in tensor memory (before 4.2 also with A in shared memory)",
        fields=("n",),
    )


@explained(
    "With cta_group::2, M is that of both CTAs. PTX lists 128 for block-scaled MMAs; CUTLASS asserts 256.",
    "smemdesc decode --mma-kind mxf8f6f4 --cta-group 2 0x08a00000",
    "m=256",
)
@rule("m", "sparse", source="PTX ISA 9.3, Table 42; CUTLASS static_asserts M = 256", asks=(CTA_GROUP,))
def two_cta_m_128(context: Context, m: int, sparse: bool) -> Problem | None:
    """With cta_group::2 a dense M of 128 is legal in PTX; CUTLASS requires 256."""
    if context.cta_group != 2 or m != 128 or sparse:
        return None
    return warning("M = 128 with cta_group::2: PTX ISA lists it for dense block-scaled MMAs, CUTLASS requires M = 256")


@explained(
    "PTX lists K = 96 with cta_group::2 for M = 256 only; CUTLASS has M = 128 as well.",
    "smemdesc decode --mma-kind mxf4 --cta-group 2 --arch sm_103a 0x88a00480",
    "m=256",
)
@rule("k", "m", source="PTX ISA 9.3 and 9.4: cta_group::2 with M = 256; CUTLASS: M = 128 as well", asks=(CTA_GROUP,))
def k_96_two_cta_m_128(context: Context, k: int, m: int) -> Problem | None:
    """K = 96 with cta_group::2 has M = 256; CUTLASS allows 128."""
    if k != 96 or m != 128 or context.cta_group != 2:
        return None
    return warning("K = 96 with M = 128 and cta_group::2: CUTLASS has it, PTX ISA lists M = 256 only")


@explained(
    "K = 96 is dense only. In a sparse descriptor bit 31 has no meaning.",
    "smemdesc decode --mma-kind mxf4 --arch sm_103a 0x88a00484",
    "k=128",
)
@rule("k", "sparse", source="PTX ISA 9.3, Table 47; CUTLASS", partial=True)
def sparse_k_96(_: Context, kind: Kind, k: FieldReading, sparse: FieldReading) -> Problem | None:
    """K = 96 is dense only."""
    if k.raw != 1 or sparse.raw != 1:
        return None
    return error(
        "bit 31 (K = 96) with sparsity: K = 96 is dense only",
        fix="clear bit 31 for the sparse K of 128, or clear the sparsity bit",
    )


@explained(
    "kind::f16 accumulates in f16 only if A and B are f16. The code of f16 is 0, so a D type that was never set reads "
    "as f16.",
    "smemdesc decode --mma-kind f16 0x08200480",
)
@rule("d_type", "a_type", "b_type", source="PTX ISA 9.3, Table 42; TVM; CUTLASS descriptors.py")
def d_f16_types(_: Context, d_type: str, a_type: str, b_type: str) -> Problem | None:
    """With kind::f16 an F16 accumulator takes F16 operands."""
    if d_type != "f16" or (a_type, b_type) == ("f16", "f16"):
        return None
    return error(
        f"D = f16 needs A = B = f16 under kind::f16, not {a_type} x {b_type}",
        "the accumulator type was left at 0 (f16)",
        "write d_type f32 (code 1)",
        repair=Repair("d_type", "f32"),
    )


@explained(
    "CUTLASS lists equal types for kind::f16. PTX does not rule out a mix, but usually one of the two types is wrong.",
    "smemdesc decode --mma-kind f16 0x08200410",
    "a_type=bf16",
)
@rule("a_type", "b_type", source="PTX ISA 9.3, Table 42 does not rule it out; CUTLASS lists equal types only")
def f16_bf16_mix(_: Context, a_type: str, b_type: str) -> Problem | None:
    """A and B of kind::f16 have the same type; PTX does not rule out a mix."""
    if a_type == b_type:
        return None
    return warning(
        f"A is {a_type} and B is {b_type}: PTX ISA does not rule out a mix, CUTLASS lists equal types only",
        "one of the two types is wrong",
    )


@explained(
    "Saturation is for the s32 accumulator of kind::i8; in the other formats bit 3 is reserved.",
    "smemdesc decode --mma-kind f16 0x08200498",
)
@rule("saturate", source="PTX ISA 9.3, Table 45")
def saturate_float(_: Context, saturate: bool) -> Problem | None:
    """Only kind::i8 saturates."""
    if not saturate:
        return None
    return error(
        "saturate is set; only kind::i8 has it",
        "bit 3 is reserved in the other formats",
        "clear bit 3",
        repair=Repair("saturate", False),
    )


@explained(
    "PTX ISA 9.4 says no transpose for kind::ti16 in one table and yes in another.",
    "smemdesc decode --mma-kind ti16 --arch sm_107a 0x08208da0",
    "transpose_a=false",
)
@rule("transpose_a", "transpose_b", source="PTX ISA 9.4")
def transpose_ti16(_: Context, transpose_a: bool, transpose_b: bool) -> Iterator[Problem]:
    """Transposed operands of kind::ti16: the tables of PTX ISA 9.4 disagree."""
    for key, value in (("transpose_a", transpose_a), ("transpose_b", transpose_b)):
        if value:
            yield warning(
                f"{key} is set with kind::ti16: the sources disagree",
                "the table of the instruction descriptor in PTX ISA 9.4 says no transpose, its Table 62 says yes",
                fields=(key,),
            )


@explained(
    "With a dense K of 64 the 6- and 4-bit types lie without padding, and only K-major.",
    "smemdesc decode --mma-kind f8f6f4 --arch sm_107a 0x28208290",
    "transpose_a=false",
)
@rule("a_type", "b_type", "transpose_a", "transpose_b", "k", "sparse", source="PTX ISA 9.4, Table 62")
def transpose_k_64(
    _: Context, a_type: str, b_type: str, transpose_a: bool, transpose_b: bool, k: int, sparse: bool
) -> Iterator[Problem]:
    """With a dense K of 64, fp4 and fp6 operands are not transposed."""
    for name, dtype, flag in (("a", a_type, transpose_a), ("b", b_type, transpose_b)):
        if flag and dtype in _NARROW and not sparse and k == 64:
            yield error(
                f"transpose_{name} with {dtype} and a dense K of 64: there is no such operand",
                fix="lay the operand out K-major, or use K = 32",
                fields=(f"transpose_{name}", "k"),
            )


def _k_code(_: Context, kind: Kind, k: FieldReading, *by: FieldReading) -> Problem | None:
    if not k.settled or k.value is not None:
        return None
    words = "sparse" if by[0].raw else "dense"
    places = " and ".join(f"bit {row.lo} = {row.raw}" for row in (k, *by[1:]))
    return error(f"{places}: no K of a {words} kind::{kind.mma_kind} has this code", fields=("k", "sparse"))


def _k_code_rule(*by: str) -> Rule:
    doc = "The code of K is one that exists for the sparsity."
    return Rule(
        *("k-code", ("k", "sparse", *by), "PTX ISA 9.4", doc, _k_code),
        partial=True,
        example=Example(
            "The code of K depends on the sparsity, and on sm_107a it has two bits for packed fp4: 64, 96 and 128 "
            "dense, 128 and 192 sparse. kind::f8f6f4 has K = 64 for dense MMAs only.",
            "smemdesc decode --mma-kind f8f6f4 --arch sm_107a 0x28200014",
            "k=64",
        ),
    )


@rule("k_code", source=K_CODE_F16, name="k-code", doubt=True)
def k_code_f16(_: Context, k_code: int) -> Problem | None:
    """Bit 29 of kind::f16, whose K is 16 (sparse 32), is 0 on sm_107, too; cuDNN ships kernels that set it."""
    if not k_code:
        return None
    return note("bit 29 is set, the code of K = 64 of kind::f8f6f4: kernels of cuDNN have it with kind::f16 and K = 16")


_SPARSITY_VERSION = "PTX ISA 9.4: the wrong one is undefined behavior"
_OF_ELEMENTS = [name for name in CAPABILITIES["tcgen05"].archs if has(name, "sparsity-version-1")]
_OF_PAIRS = [name for name in CAPABILITIES["tcgen05"].archs if has(name, "sparsity-version-1") is False]
"""The architectures with sparsity version 1, and those with version 0."""


@explained(
    f"{join_and(_OF_ELEMENTS)} keeps 2 of 4 elements, {join_and(_OF_PAIRS)} keep 4 of 8 in pairs: the metadata differ, "
    "and so does bit 12. The wrong version is undefined behavior; kernels have shipped with it.",
    "smemdesc decode --mma-kind mxf4 --arch sm_107a 0x08a00484",
)
@rule("sparsity_version", "sparse", source=_SPARSITY_VERSION, doubt=True)
def sparsity_version(_: Context, sparsity_version: int, sparse: bool) -> Problem | None:
    """A sparse kind::mxf4 or kind::mxf4nvf4 has the sparsity version of its architecture: 1 on sm_107a."""
    if sparse and not sparsity_version:
        return error(
            "sparsity version 0 (4:8 in pairs): sm_107a has version 1 (2:4 by element)",
            f"made for {either(_OF_PAIRS)}",
            "set bit 12, and write the metadata of 2:4",
            repair=Repair("sparsity_version", 1),
        )
    return None


@rule("reserved_12", "sparse", source=_SPARSITY_VERSION, name="sparsity-version", partial=True, asks=(ARCH,))
def sparsity_version_0(context: Context, kind: Kind, version: FieldReading, sparse: FieldReading) -> Problem | None:
    """A sparse kind::mxf4 or kind::mxf4nvf4 has the sparsity version of its architecture: 1 on sm_107a."""
    if sparse.raw != 1 or version.raw is None:
        return None
    if undescribed(context.arch):
        return None
    if not version.raw:
        if context.arch is not None:
            return None
        return note(
            "sparsity version 0 (bit 12): sm_107a has version 1, and this is undefined behavior there",
            "give the architecture with --arch",
        )
    return error(
        f"sparsity version 1 (bit 12): {join_and(_OF_PAIRS)} have version 0 (4:8 in pairs)",
        "made for sm_107a, or by CUTLASS's Python DSL, whose default is 1",
        "clear bit 12, and write the metadata of 4:8 in pairs",
        repair=Repair("reserved_12", 0),
    )


@explained(
    "kind::i8 cannot negate its operands; bits 13 and 14 are 0.",
    "smemdesc decode --mma-kind i8 0x08202020",
)
@rule("negate_a", "negate_b", source="PTX ISA 9.3, Table 45")
def negate_integer(_: Context, negate_a: bool, negate_b: bool) -> Iterator[Problem]:
    """kind::i8 has no negation."""
    for key, value in (("negate_a", negate_a), ("negate_b", negate_b)):
        if value:
            yield error(f"{key} is set; kind::i8 has no negation", fields=(key,), repair=Repair(key, False))


def _selector(legal: tuple[int, ...], context: Context, selector: int, sparse: bool = False) -> Problem | None:
    if not selector:
        return None
    if legal == (0,):
        return error(
            f"sparsity selector {selector}: it must be 0 here",
            "a scale-factor id that was not shifted into place, or a descriptor of another MMA kind",
            repair=Repair("sparsity_selector", 0),
            source=SELECTOR_ZERO,
        )
    if context.arch is not None and has(context.arch, "sparsity-selector") is False:
        return error(f"sparsity selector {selector}: {lacks(context.arch, 'sparsity-selector')}")
    if not sparse:
        return warning(
            f"sparsity selector {selector} in a dense descriptor",
            "the sparsity bit (2) is missing, or a scale-factor id was not shifted into place",
            "set bit 2, or write selector 0",
        )
    if selector > 1:
        return warning(
            f"sparsity selector {selector}: PTX ISA's table allows 0-3, CUTLASS uses 0 and 1 only", fix="use 0 or 1"
        )
    return None


SELECTOR_ZERO = "PTX ISA 9.3, 9.7.17.10.8.4.5"


def _selector_rule(mma_kind: str) -> Rule:
    legal = SELECTORS[mma_kind]
    reads: tuple[str, ...] = ("sparsity_selector",)
    source, doc = SELECTOR_ZERO, "The sparsity selector of kind::f8f6f4 and kind::i8 is 0."
    if legal != (0,):
        reads = (*reads, "sparse")
        source = f"{CAPABILITIES['sparsity-selector'].source}; CUTLASS uses 0 and 1 only"
        doc = "The sparsity selector is used if the MMA is sparse; CUTLASS uses 0 and 1 of its four values."
    return Rule(
        *("sparsity-selector", reads, source, doc, partial(_selector, legal)),
        asks=(ARCH,),
        example=Example(
            "The sparsity selector picks a part of the metadata of a sparse MMA. kind::f8f6f4 and kind::i8 have none. "
            "Bits 0-1 of a dense descriptor are often a scale-factor id that was not shifted to its place.",
            "smemdesc decode --mma-kind f8f6f4 0x08200011",
        ),
    )


@explained(
    "Packed 4-bit operands are K-major: two elements along K share a byte.",
    "smemdesc decode --mma-kind mxf4 0x08a08480",
)
@rule("transpose_a", "transpose_b", source="PTX ISA 9.3, Table 47")
def transpose_packed_fp4(_: Context, transpose_a: bool, transpose_b: bool) -> Iterator[Problem]:
    """Operands of kind::mxf4 and kind::mxf4nvf4 are K-major."""
    for key, value in (("transpose_a", transpose_a), ("transpose_b", transpose_b)):
        if value:
            yield error(
                f"{key} is set; packed e2m1 operands are K-major only", fields=(key,), repair=Repair(key, False)
            )


@explained(
    "The sources disagree on whether MN-major fp4 and fp6 in 8-bit containers are legal. Test the result on the "
    "hardware, or lay the operand out K-major.",
    "smemdesc decode --mma-kind f8f6f4 0x08208290",
    "transpose_a=false",
)
@rule(
    *("a_type", "b_type", "transpose_a", "transpose_b"),
    source="PTX ISA 9.3, Tables 54 and 57; 9.4; CUTLASS",
    partial=True,
)
def transpose_narrow(_: Context, kind: Kind, *fields: FieldReading) -> Problem | None:
    """Transposed fp4 and fp6 operands: the sources disagree."""
    a_type, b_type, transpose_a, transpose_b, *others = (field.value for field in fields)
    if others == [64, False]:
        return None  # transpose-k-64 says it: there the sources agree
    operands = ("a", a_type, transpose_a), ("b", b_type, transpose_b)
    narrow = [(name, dtype) for name, dtype, flag in operands if flag and dtype in _NARROW]
    if not narrow:
        return None
    named = join_and(f"transpose_{name} with {dtype}" for name, dtype in narrow)
    # mjolnir-kernel 0.1.0 ships such kernels for sm_110a.
    return note(
        f"{named}: the sources disagree. PTX ISA 9.3 Table 57 lists 8, 16 and 32 bits only and CUTLASS's descriptor "
        "comment names neither fp4 nor fp6; Table 54 and CUTLASS's functionality tables allow it, PTX ISA 9.4 except "
        "with K = 64",
        fields=tuple(f"{key}{name}{rest}" for name, _ in narrow for key, rest in (("", "_type"), ("transpose_", ""))),
    )


@explained(
    "The maximum shift is for tcgen05.mma.ws. In other instructions bits 30-31 are often K or a scale-factor id from "
    "the block-scaled table.",
    "smemdesc decode --mma-kind f16 --no-ws 0x48200490",
)
@rule(
    "max_shift",
    "m",
    "n",
    "sparse",
    source="PTX ISA 9.3, Table 45; CUTLASS and TVM always write 0",
    asks=(
        WS,
        CTA_GROUP,
    ),
)
def max_shift_without_ws(context: Context, max_shift: int, m: int, n: int, sparse: bool) -> Problem | None:
    """The maximum shift is 0 except with .ws."""
    if not max_shift or context.ws:
        return None
    ws_shape = any(row.ws and m in row.m and n in row.n and row.sparse in (None, sparse) for row in LEGAL_SHAPES)
    plain = context.ws is False or context.cta_group == 2
    if not plain and ws_shape:
        return note(f"max_shift {max_shift} is used only by .ws", "give --ws or --no-ws")
    why = "without .ws" if plain else f"with M = {m}, N = {n}, which .ws does not have"
    return warning(
        f"max_shift {max_shift} {why}",
        "bits 30-31 hold something else (K or a scale-factor id)",
        repair=Repair("max_shift", 0),
    )


@explained(
    "With M = 32 B cannot shift by 32 columns: the column shift of a zero-column mask is at most 16 there. On a B200 "
    "the instruction trapped.",
    "smemdesc decode --ws --mma-kind f16 0xc2200490",
    "max_shift=0",
)
@rule(
    "max_shift",
    "m",
    source="PTX ISA 9.3: with M = 32 the column shift of a mask is at most 16; sf-tensor/tcgen05, run on a B200",
)
def max_shift_m_32(_: Context, max_shift: int, m: int) -> Problem | None:
    """With M = 32 the maximum shift is at most 16."""
    if m != 32 or not max_shift:
        return None
    if max_shift > WIDEST_SHIFT_M32:
        message = f"max_shift {max_shift} with M = 32: an instruction whose B may shift out of its 32 rows traps"
        return error(message, fix=f"write max_shift 0, or at most {WIDEST_SHIFT_M32}", repair=Repair("max_shift", 0))
    return note(f"max_shift {max_shift} with M = 32: nothing is known of whether the instruction runs")


_FACTORS = "PTX ISA 9.4; a dense K of 128 needs 4 or 8 factors, 96 needs 3 or 6, 64 needs 2 or 4"


@explained(
    "The scale-factor id picks the bytes of a tensor-memory word. Where one MMA uses two bytes, the id is 0 or 2; "
    "where it uses four, it is 0.",
    "smemdesc decode --mma-kind mxf4 0x28a00480",
    "a_scale_id=2",
)
@rule("a_scale_id", "b_scale_id", "k", "sparse", source=_FACTORS, name="scale-id", asks=(SCALE_VEC,))
def scale_ids_107(context: Context, a_id: int, b_id: int, k: int, sparse: bool) -> Iterator[Problem]:
    """Scale-factor ids of kind::mxf4 and kind::mxf4nvf4 are 0 or 2 with a dense K of 64, 0 to 3 with 96 and 0 with
    128; with blocks of 16 they are 0, 0 or 2, and 0."""
    dense = k // 2 if sparse else k
    legal = {64: (0, 2), 96: (0, 1, 2, 3), 128: (0,)}[dense]
    if context.scale_vec == 4:
        legal = {64: (0,), 96: (0, 2), 128: (0,)}[dense]
    for name, number in (("a", a_id), ("b", b_id)):
        if number not in legal:
            key = f"{name}_scale_id"
            yield error(
                f"{key} {number} with K = {k}{' sparse' if sparse else ''}: the scale factors of a group begin at "
                f"byte {either(list(legal))}",
                "an id that was not shifted into place, or that of a smaller K",
                f"use {either(list(legal))}",
                fields=(key, "k"),
                repair=Repair(key, 0) if legal == (0,) else None,
            )


@explained(
    "With K = 64 an instruction reads two scale factors of each row, with K = 32 one.",
    "smemdesc decode --mma-kind mxf8f6f4 --arch sm_107a 0xa8a00000",
    "a_scale_id=2",
)
@rule("a_scale_id", "b_scale_id", "k", "sparse", source="inferred: two factors of PTX ISA 9.4's K = 64; cuDNN")
def scale_id_k_64(_: Context, a_id: int, b_id: int, k: int, sparse: bool) -> Iterator[Problem]:
    """With a dense K of 64 kind::mxf8f6f4 reads two scale factors per row, which begin at byte 0 or 2."""
    for key, number in (("a_scale_id", a_id), ("b_scale_id", b_id)):
        if number % 2 and k == (128 if sparse else 64):
            yield warning(
                f"{key} {number} with K = {k}: an instruction reads two factors, so 0 or 2 is expected",
                "the id of K = 32",
                fields=(key, "k"),
            )


@rule(
    *("a_scale_id", "b_scale_id", "k", "scale_type"),
    source="PTX ISA 9.3, Table 47 and 9.7.17.10.7.2; Figures 234-237 for K = 96",
    name="scale-id",
    asks=(SCALE_VEC,),
)
def scale_ids(context: Context, a_id: int, b_id: int, k: int, scale_type: str) -> Iterator[Problem]:
    """Scale-factor ids of kind::mxf4 and kind::mxf4nvf4 are 0 or 2 (0 with blocks of 16, as ue4m3 and scale_vec::4X
    have; with K = 96, 0 to 3 for blocks of 32 and 0 or 2 for blocks of 16)."""
    for name, number in (("a", a_id), ("b", b_id)):
        key = f"{name}_scale_id"
        which = f"{key} {number} with K = {k}"
        if scale_type == "ue4m3" and k != 96 and number:
            # UE4M3 exists with blocks of 16 only; four of them fill the word.
            yield error(
                f"{which} and ue4m3: the factors of a block of 16 (scale_vec::4X) begin at byte 0",
                "an id that was not shifted into place, or the scale type of another kind",
                "use 0",
                fields=(key,),
                repair=Repair(key, 0),
            )
        elif number in (1, 3) and k != 96:
            yield error(
                f"{which}: the scale factors of a group begin at byte 0 or 2",
                "the id of a kind::mxf8f6f4 descriptor, or an id that was not shifted into place",
                "use 0 or 2",
                fields=(key,),
            )
        elif number in (1, 3) and (scale_type == "ue4m3" or context.scale_vec == 4):
            because = "ue4m3" if scale_type == "ue4m3" else "scale_vec::4X"
            yield error(
                f"{which} and {because}: the factors of a block of 16 begin at byte 0 or 2",
                fix="use 0 or 2",
                fields=(key,),
            )
        elif number in (1, 3):
            yield note(
                f"{which}: right with blocks of 32 (PTX ISA 9.3, Figures 234-237; its Table 47 says 0 or 2)",
                fields=(key,),
            )
        elif context.scale_vec == 4 and k != 96 and number:
            yield error(f"{which}: with scale_vec::4X it is 0", fix="use 0", fields=(key,), repair=Repair(key, 0))


@explained(
    "ptxas rejects sparse kind::mxf4 and kind::mxf4nvf4 on family targets (sm_100f, sm_103f, sm_110f).",
    "smemdesc decode --mma-kind mxf4 --arch sm_100f 0x08a00484",
    "--arch sm_100a",
)
@rule("sparse", source=CAPABILITIES["sparse-fp4"].source, asks=(ARCH,))
def sparse_family(context: Context, sparse: bool) -> Problem | None:
    """Sparse kind::mxf4 and kind::mxf4nvf4 do not exist on family targets."""
    if not sparse or context.arch is None or has(context.arch, "sparse-fp4") is not False:
        return None
    return error(lacks(context.arch, "sparse-fp4"))


@explained(
    "CUTLASS asserts that N is a multiple of 16 with K = 96; PTX does not say so.",
    "smemdesc decode --mma-kind mxf4 --arch sm_103a 0x88a20480",
    "n=128",
)
@rule("k", "n", source="CUTLASS: N is a multiple of 16; PTX ISA 9.3 does not say so")
def k_96_columns(_: Context, k: int, n: int) -> Problem | None:
    """With K = 96 CUTLASS requires N to be a multiple of 16."""
    if k != 96 or not n % 16:
        return None
    return warning(f"N = {n} with K = 96: CUTLASS requires a multiple of 16, PTX ISA does not say so")


def _scale_vec(legal: tuple[int, ...], any_type: bool, context: Context, scale_type: str) -> Problem | None:
    if context.scale_vec is None:
        return None
    if context.scale_vec not in legal:
        names = " or ".join(f"{factor}X" for factor in legal)
        return error(f"scale_vec::{context.scale_vec}X does not exist here; use {names}", fields=())
    if context.scale_vec == 2 and scale_type == "ue4m3" and not any_type:
        return error(
            "scale type ue4m3 goes with scale_vec::4X, not 2X",
            fix="write ue8m0 (code 1)",
            repair=Repair("scale_type", "ue8m0"),
        )
    return None


def _scale_vec_rule(kind: Kind) -> Rule:
    mma_kind = str(kind.mma_kind)
    legal = tuple(sorted(K_DENSE[mma_kind] // block.size for block in block_rows(mma_kind)))
    doc = f"The instruction has scale_vec {' or '.join(f'::{factor}X' for factor in legal)}"
    # PTX ISA 9.4: on sm_107 ue4m3 and ue5m3 go with blocks of 32 as well.
    any_type = bool(kind.variant)
    doc += "; ue4m3 goes with ::4X." if mma_kind == "mxf4nvf4" and not any_type else "."
    source = "PTX ISA 9.3, Tables 59 and 60" + ("; 9.4" if any_type else "")
    return Rule(
        *("scale-vec", ("scale_type",), source, doc, partial(_scale_vec, legal, any_type)),
        asks=(SCALE_VEC,),
        example=Example(
            "scale_vec is the number of scale factors along K, which the block size of the MMA kind decides: 1X for "
            "mxf8f6f4, 2X for mxf4, 2X or 4X for mxf4nvf4.",
            "smemdesc decode --mma-kind mxf4 --scale-vec 4 0x08a00480",
            "--scale-vec 2",
        ),
    )


_SHIFT = (max_shift_without_ws, max_shift_m_32)
_FP4 = (transpose_packed_fp4, sparse_family, k_96_two_cta_m_128, k_96_columns)
_USUAL_FP4 = (sparse_k_96, sparsity_version_0, scale_ids, *_FP4)
_FP4_107 = (_k_code_rule("k_upper"), sparsity_version, scale_ids_107, *_FP4)
_NARROW_107 = transpose_narrow._replace(reads=(*transpose_narrow.reads, "k", "sparse"))
_BY_KIND: dict[tuple[str, str], tuple[Rule, ...]] = {
    ("tf32", ""): (saturate_float, m_128_columns, *_SHIFT),
    ("f16", ""): (saturate_float, d_f16_types, f16_bf16_mix, m_128_columns, *_SHIFT),
    ("f8f6f4", ""): (saturate_float, transpose_narrow, m_128_columns, *_SHIFT),
    ("i8", ""): (negate_integer, i8_n_24, *_SHIFT),
    ("ti16", ""): (saturate_float, transpose_ti16, m_128_columns, *_SHIFT),
    ("mxf8f6f4", ""): (transpose_narrow, two_cta_m_128),
    ("mxf4", ""): _USUAL_FP4,
    ("mxf4nvf4", ""): _USUAL_FP4,
    ("f16", "sm_107"): (k_code_f16, saturate_float, d_f16_types, f16_bf16_mix, m_128_columns, *_SHIFT),
    ("f8f6f4", "sm_107"): (_k_code_rule(), transpose_k_64, saturate_float, _NARROW_107, m_128_columns, *_SHIFT),
    ("mxf8f6f4", "sm_107"): (_k_code_rule(), transpose_k_64, scale_id_k_64, _NARROW_107, two_cta_m_128),
    ("mxf4", "sm_107"): _FP4_107,
    ("mxf4nvf4", "sm_107"): _FP4_107,
}
"""By MMA kind and name of its table."""


def instruction_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of one MMA kind and its table."""
    assert kind.mma_kind is not None
    scale = (_scale_vec_rule(kind),) if kind.mma_kind in BLOCK_SCALED else ()
    selector = (_selector_rule(kind.mma_kind),) if kind.mma_kind in SELECTORS else ()
    by_hand = (*selector, *_BY_KIND[kind.mma_kind, kind.variant], *scale)
    return (_shape_rule(kind.mma_kind), *by_hand, *given.given_rules(kind))
