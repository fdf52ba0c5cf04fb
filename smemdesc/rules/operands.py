"""Rules that compare the descriptors of one instruction with each other and with the instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading, Scalar
from smemdesc.kinds.addresses import START, RelativeStart, address_window, low_bytes, with_address
from smemdesc.kinds.archs import CAPABILITIES, VARIANTS, has, lacks
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.instruction import (
    INSTRUCTION_SOURCE,
    PLACES_OF_A,
    TRANSPOSED,
    WGMMA_M,
    Fields,
    Instruction,
    d_types_of,
    field_number,
    has_mn,
    n_steps,
    of,
)
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.types import DTYPES, block_rows
from smemdesc.layout.operand import UNIT, Operand, operand_of
from smemdesc.layout.scales import scale_layout
from smemdesc.rules.base import (
    ERROR,
    WARNING,
    Finding,
    Problem,
    Repair,
    case_rule,
    error,
    explained,
    note,
    warning,
)
from smemdesc.rules.judging import judge


class TileOperand(NamedTuple):
    """The whole tile of an operand in shared memory."""

    buffer: Operand
    k: int | None
    """The k of the tile, as it is stored, at which the instruction reads; None if it reads other bytes."""
    base: str = ""
    """What its start counts from, if that is not shared memory."""


class DecodedMma(NamedTuple):
    """One instruction with its operands decoded (None: absent or unknown)."""

    instruction: Instruction
    mma_kind: str | None
    a: Mapping[str, FieldReading] | None
    b: Mapping[str, FieldReading] | None
    idesc: Fields | None
    mask: Mapping[str, FieldReading] | None
    contexts: tuple[Context, Context]
    """What is known of A and B."""
    found: tuple[tuple[Finding, ...], tuple[Finding, ...]] = ((), ())
    """What the rules of one descriptor find in A and in B."""
    tiles: Mapping[str, TileOperand] = {}
    """The tiles of ``a`` and ``b`` in shared memory, if the byte at which they begin is given."""
    high_words: tuple[str, ...] = ()
    """The operands whose high word was given as instruction descriptor; then ``idesc`` is None."""
    starts: Mapping[str, RelativeStart] = {}
    """The starts of ``a`` and ``b`` as a base and an offset, where more is known of them than their bits."""

    @property
    def kind(self) -> str:
        """The kind of the descriptors of A and B."""
        return "wgmma" if self.instruction.family == "wgmma" else "tcgen05"

    def of_idesc(self, key: str) -> Scalar | None:
        """Return the value of a field of the instruction descriptor, None if it is not known."""
        return of(self.idesc, key)

    def operands(self) -> Iterator[tuple[str, Mapping[str, FieldReading], Context]]:
        """Yield name, fields and context of A and B, if they have a descriptor."""
        for name, fields, context in (("a", self.a, self.contexts[0]), ("b", self.b, self.contexts[1])):
            if fields is not None:
                yield name, fields, context


_TCGEN05 = "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x08200490 --mma-kind f16"


def _ptx(idesc: str, more: str = "") -> str:
    """Return a kernel with an MMA."""
    return (
        ".version 9.0\n.target sm_100a\n.visible .entry k()\n{\n"
        "mov.b64 %rd1, 0x4000404000010040;\nmov.b64 %rd2, 0x4000404000010440;\n"
        f"mov.b32 %r1, {idesc};\ntcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;\n{more}}}\n"
    )


@explained(
    "Shared-memory descriptors and the instruction descriptor are in registers beside each other. Read as an "
    "instruction descriptor, the high word of a shared-memory descriptor has M = 0.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x40004040 --mma-kind f16",
    "--idesc 0x08200490",
)
@case_rule("PTX ISA 9.3, Table 45: M, bits 24-28, is 0 in every such word")
def idesc_is_high_word(case: DecodedMma) -> Iterator[Problem]:
    """The instruction descriptor is not the high word of the descriptor of A or of B."""
    if case.high_words:
        names = " and ".join(name.upper() for name in case.high_words)
        message = f"what is given as instruction descriptor is the high word of {names}"
        yield error(message, "the next register, or the wrong variable", fields=(), operand="idesc")


@explained(
    "The sparsity bit and the instruction say the same thing. If they disagree, the MMA reads metadata that does not "
    "exist, or twice the K of A.",
    "smemdesc scan k.ptx",
    "0x08200490 for 0x08200494",
    _ptx("0x08200494"),
)
@case_rule("PTX ISA 9.3, Tables 45 and 46: bit 2")
def sparse_and_instruction(case: DecodedMma) -> Iterator[Problem]:
    """The sparsity bit of the instruction descriptor agrees with the instruction."""
    sparse, sp = case.of_idesc("sparse"), case.instruction.sparse
    if sp is None or not isinstance(sparse, bool) or sparse == sp:
        return
    if sparse:
        yield error(
            "the instruction descriptor is sparse (bit 2), but the instruction has no .sp",
            "a scale-factor id that was not shifted into place",
            "clear bit 2, or use tcgen05.mma.sp",
            fields=("sparse",),
            repair=Repair("sparse", False),
        )
    else:
        yield error(
            "the instruction is .sp, but its descriptor is dense (bit 2 is 0)",
            fix="set bit 2",
            fields=("sparse",),
            repair=Repair("sparse", True),
        )


@explained(
    "A in tensor memory has a fixed layout, one row per lane; only operands in shared memory can be transposed.",
    "smemdesc mma --b 0x4000404000010440 --idesc 0x08208490 --mma-kind f16 --a-from tmem",
    "--idesc 0x08200490",
)
@case_rule("CUTLASS mma_sm100_desc.hpp: A of tensor memory is K-major")
def transposed_a_in_tmem(case: DecodedMma) -> Iterator[Problem]:
    """A in tensor memory is not transposed."""
    if case.instruction.a_from == "tmem" and case.of_idesc("transpose_a") is True:
        yield error(
            "transpose_a is set, but A in tensor memory cannot be transposed",
            fix="clear bit 15",
            fields=("transpose_a",),
            repair=Repair("transpose_a", False),
        )


@explained(
    "wgmma reads A from shared memory or from registers, tcgen05.mma from shared or from tensor memory.",
    "smemdesc mma --inst m64n64k16 --dtype bf16 --b 0x4000004000010440 --a-from tmem",
    "--a-from registers",
)
@case_rule("PTX ISA 9.1, 9.7.15.5 and 9.7.16.10")
def a_from(case: DecodedMma) -> Iterator[Problem]:
    """A of wgmma lies in shared memory or in registers, A of tcgen05.mma in shared memory or in tensor memory."""
    where = case.instruction.a_from
    if (case.instruction.family, where) in (("wgmma", "tmem"), ("tcgen05", "registers")):
        yield error(
            f"{case.instruction.family} does not read A from {PLACES_OF_A[where]}",
            fix=f"it reads A from shared memory or {PLACES_OF_A['registers' if where == 'tmem' else 'tmem']}",
        )


@explained(
    "Bits 46-48 are the version of the descriptor. If one operand has 0b001 and the other 0, two pieces of code build "
    "the descriptors, one of them for wgmma.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000004000010440 --idesc 0x08200490 --mma-kind f16",
    "--b 0x4000404000010440",
)
@case_rule("PTX ISA 9.3, 9.7.17.4.1; CUTLASS mma_sm100_umma.hpp: one kind of descriptor for both operands")
def kinds_differ(case: DecodedMma) -> Iterator[Problem]:
    """A and B are descriptors of the same kind (bits 46-48)."""
    if case.instruction.family != "tcgen05" or case.a is None or case.b is None:
        return
    versions = [fields["version"].raw for fields in (case.a, case.b)]
    if None not in versions and versions[0] != versions[1]:
        yield warning(
            f"bits 46-48 are 0b{versions[0]:03b} in A and 0b{versions[1]:03b} in B",
            "one of the two was made for wgmma",
            fields=("version",),
            repair=Repair("version", 1),
        )


@explained(
    "ptxas -O0 adds a wgmma with two descriptors of 0 to close a group. It is not part of the kernel's source.",
    "smemdesc mma --inst m64n8k16 --dtype f16 --a 0x0000000000000000 --b 0x0000000000000000",
)
@case_rule("ptxas -O0")
def empty_group(case: DecodedMma) -> Iterator[Problem]:
    """An MMA whose descriptors are both 0 marks an empty group."""
    if is_empty(case):
        yield note("both descriptors are 0: ptxas -O0 adds this MMA to close an empty group", fields=())


def is_empty(case: DecodedMma) -> bool:
    """Whether both descriptors of a wgmma are known to be 0, as ptxas writes for an empty group."""
    if case.instruction.family != "wgmma" or case.a is None or case.b is None:
        return False
    return all(reading.raw == 0 for fields in (case.a, case.b) for reading in fields.values())


@explained(
    "A wgmma multiplies equal types, two of the fp8 types, or two 8-bit integer types, and accumulates in f16, f32 or "
    "s32.",
    "smemdesc mma --inst m64n64k16 --dtype f16,bf16 --a 0x4000004000010040 --b 0x4000004000010440",
    "--dtype bf16",
)
@case_rule(INSTRUCTION_SOURCE)
def wgmma_types(case: DecodedMma) -> Iterator[Problem]:
    """The types of A, B and D of a wgmma go together."""
    a, b, d = case.instruction.a_type, case.instruction.b_type, case.instruction.d_type
    if case.instruction.family != "wgmma" or a is None or b is None:
        return
    legal = d_types_of(a, b) if {a, b} <= _WGMMA_TYPES else ()
    if not legal:
        yield error(f"wgmma does not multiply {a} by {b}", fix="equal types, two of e4m3 and e5m2, or two of s8 and u8")
    elif d is not None and d not in legal:
        yield error(f"wgmma does not accumulate {a} x {b} in {d}", fix=f"D is {' or '.join(legal)}")
    elif case.instruction.sparse and "b1" in (a, b):
        yield error("wgmma.sp does not exist for b1", fix="use wgmma without .sp")


_WGMMA_TYPES = {dtype.name for dtype in DTYPES if dtype.wgmma}


@explained(
    "imm-trans-a and imm-trans-b exist for f16 and bf16 in shared memory. A in registers, and the other types, are "
    "K-major.",
    "smemdesc mma --inst m64n64k32 --dtype e4m3 --a 0x4000004000010040 --trans-b",
    "without --trans-b",
)
@case_rule("PTX ISA 9.1, 9.7.15.5.2; ptxas 13.5 rejects any other")
def wgmma_transposed(case: DecodedMma) -> Iterator[Problem]:
    """An MN-major operand of wgmma is f16 or bf16 in shared memory: nothing else has an immediate for it."""
    instruction = case.instruction
    if instruction.family != "wgmma":
        return
    types = (("a", instruction.a_type, instruction.a_major), ("b", instruction.b_type, instruction.b_major))
    for name, dtype, major in types:
        if major != "MN":
            continue
        if name == "a" and instruction.a_from != "shared":
            yield error(
                f"imm-trans-a 1, but A in {PLACES_OF_A[instruction.a_from]} is K-major", fix="leave imm-trans-a out"
            )
        elif dtype not in (None, *TRANSPOSED) and not any(
            finding.rule == "wgmma-major" for finding in case.found[name == "b"]
        ):
            yield error(f"imm-trans-{name} 1, but {dtype} has no such immediate", fix=f"{name.upper()} is K-major")


@explained(
    "M of a wgmma is 64, N is 8 to 256 in steps of 8 (16 above 32 for integers), and K is 32 bytes.",
    "smemdesc mma --inst m64n60k16 --dtype bf16 --a 0x4000004000010040 --b 0x4000004000010440",
    "--inst m64n64k16",
)
@case_rule(f"{INSTRUCTION_SOURCE}; ptxas 13.0")
def wgmma_shape(case: DecodedMma) -> Iterator[Problem]:
    """M of a wgmma is 64, N is 8 to 256 in steps of 8 (16 for integers), K is 32 bytes, 64 with .sp."""
    instruction = case.instruction
    if instruction.family != "wgmma":
        return
    if instruction.m not in (None, WGMMA_M):
        yield error(f"wgmma has no M = {instruction.m}", fix=f"M is {WGMMA_M}")
    dtype = next((dtype for dtype in DTYPES if dtype.name == instruction.a_type), None)
    if dtype is None:
        return
    if instruction.n is not None and not has_mn(dtype, instruction.n):
        yield error(f"wgmma has no N = {instruction.n} with {dtype.name}", fix=f"N is 8 to 256: {n_steps(dtype.name)}")
    expected_k = dtype.k * (2 if instruction.sparse else 1)
    if instruction.k is not None and instruction.sparse is not None and instruction.k != expected_k:
        words = "sparse" if instruction.sparse else "dense"
        likely = "K of a sparse instruction" if instruction.k == 2 * dtype.k and not instruction.sparse else ""
        yield error(f"wgmma has no K = {instruction.k} with {words} {dtype.name}", likely, f"K is {expected_k}")


@explained(
    "Some qualifiers exist only on some architectures or for some kinds; smemdesc fields --arch lists them.",
    f"{_TCGEN05} --qualifier collector-b --arch sm_100a",
    "--arch sm_107a",
)
@case_rule("PTX ISA 9.4; ptxas 13.5")
def qualifier_arch(case: DecodedMma) -> Iterator[Problem]:
    """The instruction has only qualifiers that its architecture and its kind have, and with .ws none of these."""
    arch, kind = case.contexts[0].arch, case.mma_kind
    for key in case.instruction.qualifiers:
        row = CAPABILITIES[key]
        if case.instruction.ws and key != "ws":
            yield error(f"tcgen05.mma.ws has no {row.what}", fix="leave it out, or .ws", source="ptxas 13.5 rejects it")
        elif kind is not None and row.kinds and kind not in row.kinds:
            yield error(
                f"kind::{kind} has no {row.what}", fix=f"it goes with {', '.join(row.kinds)}", source=row.source
            )
        elif arch is not None and has(arch, key) is False and has(arch, "tcgen05"):
            yield error(lacks(arch, key), source=row.source)


@explained(
    "Without --arch an instruction is checked by the tables that most architectures share. kind::ti16, .collector::b "
    "and .decompress::lut::b exist on sm_107 alone.",
    f"{_TCGEN05} --qualifier collector-b",
    "--arch sm_107a",
)
@case_rule("PTX ISA 9.4; ptxas 13.5")
def instruction_arch(case: DecodedMma) -> Iterator[Problem]:
    """For an instruction of only the newest architectures, --arch is given."""
    if case.contexts[0].arch is not None:
        return
    for key in (*case.instruction.qualifiers, case.mma_kind):
        row = CAPABILITIES.get(key or "")
        if row is not None and any(set(row.names) <= set(variant.archs) for variant in VARIANTS.values()):
            yield note(
                f"{row.what} exists only on {', '.join(row.names)}",
                f"pass --arch, e.g. {row.names[0]}",
                source=row.source,
            )


@explained(
    ".ashift shifts the rows of A in tensor memory; A in shared memory, and M of 32 and 64, have no such shift.",
    f"{_TCGEN05} --qualifier ashift",
    "--a-from tmem without --a",
)
@case_rule("PTX ISA 9.1, 9.7.16.10; ptxas 13.5 rejects it with A in shared memory")
def ashift(case: DecodedMma) -> Iterator[Problem]:
    """.ashift goes with A in tensor memory and M of 128 or 256."""
    if "ashift" not in case.instruction.qualifiers:
        return
    if case.instruction.a_from != "tmem":
        yield error(".ashift with A in shared memory: it shifts the rows of A in tensor memory", fix="leave it out")
    m = field_number(case.idesc, "m")
    if m not in (None, 128, 256):
        yield error(f".ashift with M = {m}: M must be 128 or 256", fields=("m",))


@explained(
    "Bit 53 of B says whether K begins at byte 0 or 24 of its 48 bytes, if .decompress::lut::b reads B compressed.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4020404000010440 --idesc 0x08200490 --mma-kind f16 --arch sm_107a",
    "--b 0x4000404000010440",
)
@case_rule("PTX ISA 9.4")
def compressed_b(case: DecodedMma) -> Iterator[Problem]:
    """With .decompress::lut::b, B is e4m3, K-major and dense; only its descriptor has a K segment (bit 53)."""
    if case.instruction.family != "tcgen05":
        return
    lut = "lut-b" in case.instruction.qualifiers
    if of(case.a, "lut_k_offset"):
        yield error("bit 53 is set in A: only a compressed B has a K segment", fields=("lut_k_offset",))
    if not lut:
        if of(case.b, "lut_k_offset"):
            yield warning(
                "bit 53 is set in B, but the instruction has no .decompress::lut::b",
                fix="clear bit 53, or add the qualifier",
                fields=("lut_k_offset",),
            )
        return
    if case.of_idesc("b_type") not in (None, "e4m3"):
        yield error(f"B is compressed and of type {case.of_idesc('b_type')}: it must be e4m3", fields=("b_type",))
    if case.of_idesc("transpose_b") is True:
        yield error("B is compressed and transposed: it must be K-major", fix="clear bit 16", fields=("transpose_b",))
    if case.of_idesc("sparse") is True or case.instruction.sparse is True:
        yield error("B is compressed and A is sparse: .decompress::lut::b is dense only", fields=("sparse",))


@explained(
    "A kernel works with single CTAs or with pairs: alloc, cp, mma and commit of tcgen05 have the same cta_group.",
    "smemdesc scan k.ptx",
    "commit.cta_group::1 for commit.cta_group::2",
    _ptx("0x08200490", "tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%r4];\n"),
)
@case_rule("PTX ISA 9.3, 9.7.17: all tcgen05 instructions of a kernel have one cta_group; ptxas 13.5 rejects two")
def mixed_cta_group(case: DecodedMma) -> Iterator[Problem]:
    """All tcgen05 instructions of a function have the same cta_group."""
    group, other_group = case.instruction.cta_group, case.instruction.other_group
    if group is not None and other_group:
        named = "" if f"cta_group::{3 - group}" in other_group else f" (cta_group::{3 - group})"
        message = f"cta_group::{group}, but the same function has {other_group}{named}"
        yield error(message, "one of the two was not changed with the other", "use one cta_group in the whole kernel")


@explained(
    "scale_vec says how many scale factors a row of A has. Only the block-scaled kinds have scale factors.",
    f"{_TCGEN05} --scale-vec 2",
    "without --scale-vec",
)
@case_rule("PTX ISA 9.3, Tables 59 and 60")
def scale_vec_kind(case: DecodedMma) -> Iterator[Problem]:
    """Only block-scaled kinds have scale_vec."""
    if case.instruction.scale_vec is None or case.mma_kind is None or case.mma_kind in BLOCK_SCALED:
        return
    yield error(
        f"kind::{case.mma_kind} has no scale_vec::{case.instruction.scale_vec}X",
        fix=f"leave it out, or use {', '.join(BLOCK_SCALED)}",
    )


@explained(
    "Only tcgen05.mma.ws reads a zero-column mask; other instructions have no operand for it.",
    f"{_TCGEN05} --mask 0x0003028000000000 --no-ws",
    "without --mask",
)
@case_rule("PTX ISA 9.3, 9.7.17.4.3; ptxas 13.0 rejects any other")
def mask_and_instruction(case: DecodedMma) -> Iterator[Problem]:
    """A zero-column mask goes with tcgen05.mma.ws of cta_group::1, and with no block-scaled kind."""
    instruction = case.instruction
    if case.mask is None:
        return
    if instruction.ws is False:
        yield error("a zero-column mask, but the instruction is not tcgen05.mma.ws", fix="use .ws, or drop the mask")
    if instruction.cta_group == 2:
        yield error("a zero-column mask with cta_group::2: .ws exists with cta_group::1 only")
    if case.mma_kind in BLOCK_SCALED:
        yield error(f"a zero-column mask with kind::{case.mma_kind}: block-scaled kinds have no .ws")


@explained(
    "While B is reused, the instruction descriptor limits the columns by which it can be shifted (bits 30-31).",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x08100490 --mma-kind f16 --mask "
    "0x0803028000000000 --ws",
    "--idesc 0x48100490",
)
@case_rule("PTX ISA 9.3, Table 45 and 9.7.17.4.3; how the two depend on each other is not documented")
def shift_beyond_max(case: DecodedMma) -> Iterator[Problem]:
    """The column shift of a mask is at most the maximum shift in the instruction descriptor."""
    most, shift = field_number(case.idesc, "max_shift"), field_number(case.mask, "column_shift")
    if most is None or shift is None or shift <= most:
        return
    yield warning(
        f"the mask shifts B by {shift} columns, but max_shift in the instruction descriptor is {most}",
        "max_shift (bits 30-31) was left at 0" if not most else "",
        f"write max_shift {next((most for most in (8, 16, 32) if most >= shift), 32)}",
        fields=("column_shift", "max_shift"),
    )


_STRIDES = frozenset(
    (
        *("operand-overlap", "sbo-below-atom", "lbo-below-atom", "sbo-zero", "lbo-zero"),
        *("sbo-inside-row", "lbo-inside-row", "sbo-not-divided", "lbo-not-divided"),
    )
)
"""Rules about the strides, which need no start address."""


@explained(
    "LBO and SBO change their roles with the major-ness. The strides of a K-major tile with a transpose bit of 1 read "
    "other elements.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x08210490 --mma-kind f16",
    "--idesc 0x08200490",
)
@case_rule("PTX ISA 9.1, 9.7.15.5.1.2.1: LBO and SBO change their roles with the major-ness")
def transpose_and_strides(case: DecodedMma) -> Iterator[Problem]:
    """The strides of an operand fit the major-ness that the instruction gives."""
    for name, fields, context in case.operands():
        # A stride without effect shows nothing: libraries write the true one, or another instruction's.
        if not context.whole or not any(
            finding.rule in _STRIDES and finding.severity == WARNING for finding in case.found[name == "b"]
        ):
            continue
        other_major = "MN" if context.major == "K" else "K"
        if not _fits(case.kind, fields, context._replace(major=other_major)):
            continue
        if case.kind == "wgmma":
            may = context.dtype is not None and context.dtype.name in TRANSPOSED
            where, fix = "the instruction", f"write {int(other_major == 'MN')} for imm-trans-{name}" if may else ""
        else:
            where = "the instruction descriptor"
            fix = f"{'set' if other_major == 'MN' else 'clear'} transpose_{name} (bit {15 + (name == 'b')})"
        yield warning(
            f"{name.upper()} is {context.major}-major by {where}, but its strides are those of "
            f"{'an MN' if other_major == 'MN' else 'a K'}-major tile",
            "the transpose bit is wrong, or LBO and SBO were computed for the other major-ness",
            fix,
            fields=("leading_byte_offset", "stride_byte_offset"),
            repair=None if case.kind == "wgmma" else Repair(f"transpose_{name}", other_major == "MN"),
            operand=name,
        )


def _fits(kind: str, fields: Mapping[str, FieldReading], context: Context) -> bool:
    """Whether a descriptor describes a tile of this major-ness, and no rule reports an error or warning."""
    usual = kind_of(kind)
    read = next(variant for variant in (usual, *usual.variants) if variant.table.by_key.keys() == fields.keys())
    findings = judge(read, {**fields, START: with_address(fields[START], 0)}, context)
    if any(finding.severity in (ERROR, WARNING) for finding in findings):
        return False
    return any(finding.rule == "tile-and-box" for finding in findings)


@explained(
    "A and B of one instruction are read at the same K. One that begins 32 bytes further inside its atom row is the "
    "next K step of that operand only.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010442 --idesc 0x08200490 --mma-kind f16",
    "--b 0x4000404000010440",
)
@case_rule("CUTLASS DescriptorIterator: one K step moves A and B by the same elements")
def k_steps_differ(case: DecodedMma) -> Iterator[Problem]:
    """A and B are read at the same K of their tiles, or, if that is not known, of the rows of their atoms."""
    places = [place for operand in case.operands() if (place := _row_of_k(case, *operand)) is not None]
    if len(places) < 2:
        return
    a, b = places
    row = min(a.elements, b.elements)
    if a.begin is not None and b.begin is not None:
        if a.begin % row == b.begin % row:
            return
        of_a = f" of its row of {a.elements:g} elements" if a.elements < inf else ""
        of_b = f" of {b.elements:g}" if of_a else f" of its row of {b.elements:g} elements"
        message = f"A begins at k = {a.begin:g}{of_a}, B at k = {b.begin:g}{of_b if b.elements < inf else ''}"
    else:
        apart = _apart(case)
        if apart is None or a.size != b.size or not apart * a.size % row:
            return
        message = f"A and B begin {abs(apart)} B apart, which is {apart * a.size % row:g} of k in their rows of {row:g}"
    yield warning(
        f"{message}: they are multiplied as if k were the same",
        "one of the two was not advanced with the other",
        fields=(START,),
    )


class _RowOfK(NamedTuple):
    """Where along K an operand begins."""

    begin: float | None
    """The k at which it begins; None if it is not known."""
    elements: float
    """From which count of k on that is unknown; infinite: from none."""
    size: float
    """Elements of k of one byte."""


def _row_of_k(case: DecodedMma, name: str, fields: Mapping[str, FieldReading], context: Context) -> _RowOfK | None:
    """Return where along K an operand begins; None if nothing tells."""
    # A of a sparse MMA holds every second element.
    part = 2 if name == "a" and _sparse(case) else 1
    tile = case.tiles.get(name)
    if tile is not None and tile.k is not None:
        return _RowOfK(tile.k * part, inf, 0)
    swizzle = fields["swizzle"].value
    if context.major != "K" or not context.bits or swizzle in (None, "none"):
        return None
    width, size = MODE[str(swizzle)].width, part * 8 / context.bits
    begin = low_bytes(fields[START], width)
    return _RowOfK(None if begin is None else begin * size, width * size, size)


def _apart(case: DecodedMma) -> int | None:
    """Return by how many bytes B starts after A, if only that is known: the nearer way, as a start wraps around."""
    a, b = (case.starts.get(name) for name in "ab")
    if a is None or b is None or a.base != b.base or case.a is None:
        return None
    size = address_window(case.a[START].field)
    return (b.offset - a.offset + size // 2) % size - size // 2


@explained(
    "An instruction reads the scale factors of its K from the byte that the id names: with one factor per 32 of K, "
    "each K step uses the next byte, for A and for B. Kernels with one factor per 128 of K keep the id for four "
    "steps.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x28a00000 --mma-kind mxf8f6f4 --a-tile "
    "128x128,at=0x400",
    "--idesc 0x08a00000",
)
@case_rule(
    "PTX ISA 9.1, 9.7.16.10.7.2; DeepGEMM make_runtime_instr_desc_with_sf_id: a factor may be for several K steps"
)
def scale_id_and_step(case: DecodedMma) -> Iterator[Problem]:
    """The scale-factor ids are those of the K step, unless a factor covers more of K than a block."""
    for name, tile in case.tiles.items():
        scale_id, usual = field_number(case.idesc, f"{name}_scale_id"), _usual_id(case, name, tile)
        if None not in (scale_id, usual) and scale_id != usual:
            yield note(
                f"{name}_scale_id {scale_id}: with consecutive factors this K step has {usual}; another id is "
                "right if a factor covers more of K than one instruction reads",
                fields=(f"{name}_scale_id",),
            )


def _usual_id(case: DecodedMma, name: str, tile: TileOperand) -> int | None:
    """Return the id of the K step at which an operand is read; None if that or the size of a block is not known."""
    shape, kind, vec = case.contexts[1].shape, case.mma_kind, case.instruction.scale_vec
    sizes = {block.size for block in block_rows(kind or "") if vec in (None, K_DENSE[block.mma_kind] // block.size)}
    if case.of_idesc("scale_type") == "ue4m3":
        sizes &= {16}
    if tile.k is None or shape is None or kind is None or len(sizes) != 1:
        return None
    sparse = case.of_idesc("sparse") is True
    end = tile.k * (2 if sparse and name == "a" else 1) + shape[1]
    layout = scale_layout(1, end, kind, operand=name, block=sizes.pop(), one_k=shape[1], sparse=sparse)
    return list(layout.steps)[-1].id


def _sparse(case: DecodedMma) -> bool:
    return case.of_idesc("sparse") is True or case.instruction.sparse is True


@explained(
    "A and B lie in different buffers. If their bytes overlap, the second load overwrites the first.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010080 --idesc 0x08200490 --mma-kind f16",
    "--b 0x4000404000010440",
)
@case_rule("the address formula, measured on an H200")
def operands_share_memory(case: DecodedMma) -> Iterator[Problem]:
    """A and B occupy different bytes of shared memory: their tiles, or what the instruction reads of them."""
    tiled = len(case.tiles) == 2 and len({tile.base for tile in case.tiles.values()}) == 1
    if tiled:
        a, b = (tile.buffer for tile in case.tiles.values())
        shared = _shared_units(a, b)
        if shared:
            say = note if _same_matrix(*map(_units, (a, b))) else warning
            yield _sharing(say, f"the tiles of A and B share {16 * len(shared)} B", shared)
        return
    pairs, sharing = [], []
    for pair in _beside(case):
        pairs.append(pair)
        sharing.append(_shared_units(*pair))
        if not sharing[-1]:
            return
    if not sharing:
        return
    shared = min(sharing, key=len)
    read = f"A and B both read {16 * len(shared)} B"
    if case.starts:
        (a, b), *_ = pairs
        before, after = ("A", "B") if a.start < b.start else ("B", "A")
        yield _sharing(warning, f"{read} of shared memory: {after} starts {abs(a.start - b.start)} B after {before}")
    else:
        yield _sharing(warning, read, shared)


def _sharing(say: Callable[..., Problem], text: str, shared: Sequence[int] = ()) -> Problem:
    return say(
        f"{text} of shared memory, from 0x{shared[0]:05x} on" if shared else text,
        "legal if both are parts of the same matrix; otherwise a start address or a stride is wrong",
        fields=(START,),
    )


def _beside(case: DecodedMma) -> Iterator[tuple[Operand, Operand]]:
    """Yield A and B where they begin; of starts that are only known as distances from one base, for each place in
    the pattern of a swizzle mode that the base may have. None if they begin at the same byte, or nothing is known."""
    both = list(case.operands())
    if len(both) < 2 or not all(context.whole for _, _, context in both):
        return
    (_, of_a, _), (_, of_b, _) = both
    starts, apart = [of_a[START], of_b[START]], _apart(case)
    if apart is not None:
        size = address_window(of_a[START].field)
        starts = [with_address(of_a[START], size), with_address(of_b[START], size + apart)]
    try:
        a, b = (
            operand_of({**fields, START: start}, context)
            for (_, fields, context), start in zip(both, starts, strict=True)
        )
    except SmemdescError:
        return
    # As constants to which an address is added are.
    if a.start == b.start:
        return
    if apart is None:
        yield a, b
        return
    low = of_a[START]
    for place in range(0, _PATTERN, UNIT):
        if not (place // UNIT ^ low.bits) & low.known & _PATTERN // UNIT - 1:
            yield a._replace(start=a.start + place), b._replace(start=b.start + place)


@lru_cache(maxsize=1024)
def _shared_units(a: Operand, b: Operand) -> Sequence[int]:
    """Return the addresses of the 16-byte units that both operands read."""
    ranges = []
    for operand in (a, b):
        mn, k = operand.shape
        # Where MN ends inside an atom, an earlier element may lie further on, by less than an atom.
        last = operand.start + operand.linear(mn - 1, k - 1) // 8 + operand.mode.atom
        ranges.append((operand.start // _PATTERN * _PATTERN, (last // _PATTERN + 1) * _PATTERN))
    (a_first, a_end), (b_first, b_end) = ranges
    if a_end <= b_first or b_end <= a_first:
        return []
    return sorted(_units(a).keys() & _units(b).keys())


def _units(operand: Operand) -> dict[int, tuple[int, int]]:
    """Return the element at which each 16-byte unit begins, by its address."""
    return {address: (mn, k) for mn, k, address in operand.unit_addresses()}


def _same_matrix(a: dict[int, tuple[int, int]], b: dict[int, tuple[int, int]]) -> bool:
    """Whether one tile is whole rows of the other, as in a product of a matrix with itself."""
    small, large = sorted((a, b), key=len)
    if not small.keys() <= large.keys():
        return False
    moved = {(large[at][0] - mn, large[at][1] - k) for at, (mn, k) in small.items()}
    return len(moved) == 1 and moved.pop()[1] == 0


_PATTERN = 1024
"""Bytes within which every swizzle moves units."""


RULES = (
    *(idesc_is_high_word, sparse_and_instruction, transposed_a_in_tmem, a_from, kinds_differ, empty_group),
    *(wgmma_types, wgmma_transposed, wgmma_shape, qualifier_arch, instruction_arch, ashift, compressed_b),
    *(mixed_cta_group, scale_vec_kind, mask_and_instruction, shift_beyond_max, transpose_and_strides),
    *(k_steps_differ, scale_id_and_step, operands_share_memory),
)


def judge_operands(case: DecodedMma) -> tuple[Finding, ...]:
    """Return the findings about one instruction."""
    return tuple(finding for rule in RULES for finding in rule.apply(case))
