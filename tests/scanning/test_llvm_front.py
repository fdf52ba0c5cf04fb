"""LLVM IR: what is known of the descriptors, by instruction, on Triton's output and on random programs."""

from __future__ import annotations

import re

import pytest
from corpus.dumps import Op, dumps
from corpus.triton_truth import function_of
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning.languages import llvm
from smemdesc.scanning.model import ScannedMma, ScannedOperand

FULL = ones(64)
HIGH = 0x4000404000010000
GLOBAL = b"@smem = external addrspace(3) global [0 x i8], align 128\n"


def copy(value: str) -> str:
    """A call that reads a 64-bit descriptor."""
    return f'call void asm sideeffect "tcgen05.cp.cta_group::1.128x256b [$0], $1;", "r,l"(i32 0, i64 {value})'


def scan(body: str, module: bytes = b"") -> tuple[ScannedMma, ...]:
    """The MMAs of a function of these lines, of which %x, %p and %i are arguments."""
    text = f"define void @f(i64 %x, i32 %i, i1 %p) {{\n{body}\n  ret void\n}}\n".encode()
    found = llvm.analyse(text, 1, "f", "sm_100a", llvm.read_module(module))
    assert found is not None
    return found.mmas


def one(body: str, module: bytes = b"") -> ScannedMma:
    (mma,) = scan(body, module)
    return mma


def copied(body: str, module: bytes = GLOBAL) -> ScannedOperand:
    """The descriptor %d of a copy behind these lines."""
    operand = one(f"{body}\n{copy('%d')}", module).a
    assert operand is not None
    return operand


VALUES: dict[str, tuple[str, int] | tuple[str, int, int]] = {
    "or": (f"%d = or i64 {HIGH}, 3", HIGH | 3),
    "signed": ("%d = or i64 -9223371899399045120, 0", 0x8000002001000000),
    "add": ("%d = add nuw nsw i64 4611756662049538048, 2", 0x4000404000010002),
    "sub": ("%d = sub i64 5, 7", FULL - 1),
    "mul": ("%d = mul i64 3, 7", 21),
    "shl": ("%d = shl nuw i64 3, 62", 3 << 62),
    "ashr": ("%d = ashr exact i64 -8, 2", FULL - 1),
    "zext": ("%a = trunc i64 4294967299 to i32\n%d = zext nneg i32 %a to i64", 3),
    "sext": ("%a = add i32 -2, 0\n%d = sext i32 %a to i64", FULL - 1),
    "freeze": ("%d = freeze i64 9", 9),
    "select": ("%d = select i1 true, i64 4, i64 5", 4),
    "compare": ("%c = icmp ult i32 3, 4\n%d = select i1 %c, i64 4, i64 5", 4),
    "insert": (
        "%v = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 7, i64 0\n%d = bitcast <2 x i32> %v to i64",
        0x4000404000000007,
    ),
    "extract": (
        f"%v = bitcast i64 {HIGH} to <2 x i32>\n%e = extractelement <2 x i32> %v, i64 1\n%d = zext i32 %e to i64",
        HIGH >> 32,
    ),
    "shuffle": (
        "%v = shufflevector <2 x i32> <i32 1, i32 2>, <2 x i32> poison, <2 x i32> <i32 1, i32 0>\n"
        "%d = bitcast <2 x i32> %v to i64",
        1 << 32 | 2,
    ),
    "aggregate": (
        "%s = insertvalue { i64, i32 } poison, i64 11, 0\n%t = insertvalue { i64, i32 } %s, i32 5, 1\n"
        "%d = extractvalue { i64, i32 } %t, 0",
        11,
    ),
    "nested aggregate": (
        "%s = insertvalue { i32, { i64 } } poison, i64 12, 1, 0\n%u = extractvalue { i32, { i64 } } %s, 1\n"
        "%d = extractvalue { i64 } %u, 0",
        0, 0,
    ),
    "funnel": ("%d = call i64 @llvm.fshl.i64(i64 1, i64 -9223372036854775808, i64 1)", 3),
    "one of two": ("%d = call i64 @llvm.umin.i64(i64 6, i64 6)", 6),
    "hexadecimal": ("%d = or i64 u0xFF, 0", 255),
    "udiv": ("%d = udiv i64 100, 7", 14),
    "quoted name": ('%"a b" = or i64 1, 2\n%d = or i64 %"a b", 4', 7),
    "mask": ("%d = and i64 %x, 16383", 0, FULL & ~0x3FFF),
    "low word": (f"%a = and i64 %x, 16383\n%d = or disjoint i64 %a, {HIGH}", HIGH, FULL & ~0x3FFF),
    "widened": ("%d = zext i32 %i to i64", 0, FULL & ~ones(32)),
    "either": ("%d = select i1 %p, i64 5, i64 4", 4, FULL - 1),
    "thread": (
        "%a = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%d = zext i32 %a to i64",
        0, FULL & ~ones(10),
    ),
    "range": (
        "%a = call range(i32 0, 16) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n%d = zext i32 %a to i64",
        0, FULL & ~ones(4),
    ),
    "range of a special register": (
        "%a = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%d = zext i32 %a to i64",
        0, FULL & ~ones(7),
    ),
    "shuffle of lanes": (
        "%b = and i32 %i, 3\n%a = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %b, i32 0, i32 31)\n"
        "%d = zext i32 %a to i64",
        0, FULL & ~3,
    ),
    "aligned": ("%a = ptrtoint ptr addrspace(3) @smem to i32\n%d = zext i32 %a to i64", 0, FULL & ~ones(32) | 127),
    "offset": (
        "%d = zext i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @smem, i32 16) to i32) to i64",
        16, FULL & ~ones(32) | 127,
    ),
    "indexed": (
        "%a = getelementptr inbounds [64 x i8], ptr addrspace(3) @smem, i32 %i\n"
        "%b = ptrtoint ptr addrspace(3) %a to i32\n%d = zext i32 %b to i64",
        0, FULL & ~ones(32) | 63,
    ),
    "count": ("%a = call i32 @llvm.ctpop.i32(i32 %i)\n%d = zext i32 %a to i64", 0, FULL & ~ones(6)),
    "unknown call": ("%d = call i64 @g(i64 5)", 0, 0),
    "load": ("%d = load i64, ptr null", 0, 0),
    "poison": ("%d = or i64 poison, 1", 1, 1),
    "argument": ("%d = or i64 %x, 0", 0, 0),
    "phi that is cut off": ("%d = phi i64 [ 5, %a ], [ 5, %b ], [ 6", 0, 0),
    "not there": ("%d = or i64 %nowhere, 8", 8, 8),
    "float": ("%a = bitcast double %f to i64\n%d = or i64 %a, 2", 2, 2),
    "vector add": ("%v = add <2 x i32> <i32 -1, i32 0>, <i32 1, i32 0>\n%d = bitcast <2 x i32> %v to i64", 0, 0),
}  # fmt: skip
"""Lines, the bits of %d, and those that are known (none said: all)."""


@every_row("name", VALUES)
def test_what_follows_is_known_and_no_more(name: str) -> None:
    body, bits, *known = VALUES[name]
    found = copied(body)
    assert (hex(found.bits), hex(found.known)) == (hex(bits), hex(*known or [FULL]))


@every_row("name", VALUES)
def test_an_instruction_without_an_operand_is_survived(name: str) -> None:
    lines = VALUES[name][0].split("\n")
    for at, line in enumerate(lines):
        for comma in re.finditer(",", line):
            body = "\n".join([*lines[:at], line[: comma.start()], *lines[at + 1 :], copy("%d")])
            llvm.analyse(f"define void @f(i64 %x, i32 %i, i1 %p) {{\n{body}\n  ret void\n}}\n".encode(), 1, "f", None)


def test_an_unknown_alignment_is_not_assumed() -> None:
    assert copied(VALUES["aligned"][0], b"").known == FULL & ~ones(32)


LOOP = """  br label %head
head:
  %n = phi i32 [ {start}, %0 ], [ %m, %body ]
  %d = zext i32 %n to i64
  {copy}
  br i1 %p, label %body, label %out
body:
  %m = add i32 %n, {step}
  br label %head
out:"""


@pytest.mark.parametrize(
    ("start", "step", "bits", "known"),
    [("64", "0", 64, FULL), ("64", "16", 0, FULL & ~ones(32) | 15), ("3", "%i", 0, FULL & ~ones(32))],
)
def test_a_loop_loses_what_it_moves(start: str, step: str, bits: int, known: int) -> None:
    found = one(LOOP.format(start=start, step=step, copy=copy("%d"))).a
    assert found is not None
    assert (found.bits, found.known) == (bits, known)


MMA = "llvm.nvvm.tcgen05.mma."
MASKED = f"{MMA}ws.sp.shared.zero_col_mask"
D, A, B, T = "ptr addrspace(6) %t", "i64 5", "i64 6", "ptr addrspace(6) %a"
LANES = "<8 x i32> zeroinitializer"
INTRINSICS = [
    ("shared", A, "i32 0, i32 1, i32 0", ("f16", 1, False, False, None)),
    ("shared", A, "i32 7, i32 1, i32 0", ("ti16", 1, False, False, None)),
    ("shared", A, "i32 9, i32 1, i32 0", (None, 1, False, False, None)),
    ("tensor", T, "i32 2, i32 2, i32 0", ("f8f6f4", 2, False, False, None)),
    ("tensor.ashift", T, "i32 3, i32 2, i32 0", ("i8", 2, False, False, None)),
    ("sp.shared", A, f"{T}, i32 1, i32 1, i32 0", ("tf32", 1, False, True, None)),
    ("shared.scale_d", A, "i64 4, i32 1, i32 2, i32 0", ("tf32", 2, False, False, None)),
    ("shared.disable_output_lane.cg2", A, f"{LANES}, i32 1, i32 0", ("tf32", 2, False, False, None)),
    ("ws.shared", A, "i32 3, i32 0, i32 0", ("i8", 1, True, False, None)),
    ("ws.sp.tensor", T, f"{T}, i32 0, i32 2, i32 0", ("f16", 1, True, True, None)),
    ("shared.mxf8f6f4.block_scale", A, f"{T}, {T}, i32 2, i32 0", ("mxf8f6f4", 2, False, False, 1)),
    ("sp.shared.mxf4nvf4.block_scale.block16", A, f"{T}, {T}, {T}, i32 1, i32 0", ("mxf4nvf4", 1, False, True, 4)),
    ("shared.f8f6f4.something_new", A, "i32 1, i32 0", (None, None, False, False, None)),
]
"""The form, A, what stands behind the first five operands, and the facts."""


@every_row(("form", "a", "rest", "facts"), INTRINSICS)
def test_an_intrinsic_says_its_facts(form: str, a: str, rest: str, facts: tuple[object, ...]) -> None:
    mma = one(f"call void @{MMA}{form}({D}, {a}, {B}, i32 7, i1 %p, {rest})")
    of = mma.instruction
    assert (of.mma_kind, of.cta_group, of.ws, of.sparse, of.scale_vec) == facts
    assert of.a_from == ("tmem" if a == T else "shared")
    assert [each and each.bits for each in mma[3:7]] == [None if a == T else 5, 6, 7, None]


GIVEN = """%t = inttoptr i32 1048608 to ptr addrspace(6)
%u = getelementptr i8, ptr addrspace(6) %t, i32 %n
%a = inttoptr i32 300 to ptr addrspace(6)"""
OF_SCALES = "shared.mxf4nvf4.block_scale.block16"
TENSOR_MEMORY = {
    f"{MMA}shared({D}, {A}, {B}, i32 7, i1 %p, i32 0, i32 1, i32 0)": {"d": (16, 32)},
    f"{MMA}tensor(ptr addrspace(6) %u, {T}, {B}, i32 7, i1 %p, i32 0, i32 1, i32 0)": {"d": None, "a": (0, 300)},
    f"{MMA}{OF_SCALES}({D}, {A}, {B}, i32 7, i1 %p, {T}, {D}, i32 1, i32 0)": {
        "d": (16, 32), "scale_a": (0, 300), "scale_b": (16, 32),
    },
    f"{MMA}sp.{OF_SCALES}({T}, {A}, {B}, i32 7, i1 %p, {T}, {D}, {T}, i32 1, i32 0)": {
        "d": (0, 300), "scale_a": (16, 32), "scale_b": (0, 300),
    },
    f"llvm.nvvm.tcgen05.cp.128x256b.cg1({D}, i64 77)": {"d": (16, 32)},
}  # fmt: skip


@pytest.mark.parametrize("call", TENSOR_MEMORY)
def test_addresses_of_tensor_memory(call: str) -> None:
    found = one(f"{GIVEN}\ncall void @{call}").tensor_memory
    places = {each.name: (said := each.to_dict()) and (said["lane"], said["column"]) for each in found}
    assert places == TENSOR_MEMORY[call]


@pytest.mark.parametrize(
    ("call", "operands"),
    [
        (
            f"{MASKED}({D}, {A}, {B}, i32 7, i1 %p, {T}, i64 9, i32 0, i32 0, i32 0)",
            [5, 6, 7, 9],
        ),
        ("llvm.nvvm.tcgen05.cp.128x256b.b4x16_p64.cg2(ptr addrspace(6) %t, i64 77)", [77, None, None, None]),
    ],
)
def test_the_operands_of_an_intrinsic(call: str, operands: list[int | None]) -> None:
    mma = one(f"call void @{call}")
    assert [each and each.bits for each in mma[3:7]] == operands
    assert mma.instruction.cta_group == (2 if "cg2" in call else 1)


def test_inline_assembly_may_compute() -> None:
    asm = (
        r"{\0A\09.reg .b64 d; .reg .pred p;\0A\09mov.b64 d, {$2, $3};\0A\09setp.ne.b32 p, $4, 0;\0A\09"
        r"tcgen05.cp.cta_group::1.128x256b [$1], d;\0A\09tcgen05.cp.cta_group::2.128x256b [$1], d;\0A}"
    )
    mmas = scan(f'%r = call i32 asm sideeffect "{asm}", "=r,r,r,r,n,~{{memory}}"(i32 0, i32 %i, i32 1073758272, i32 1)')
    assert [mma.instruction.cta_group for mma in mmas] == [1, 2]
    assert [mma.a and mma.a[:2] for mma in mmas] == [(1073758272 << 32, ones(32) << 32)] * 2


def test_a_tied_operand_shares_the_register_of_its_output() -> None:
    asm = "tcgen05.cp.cta_group::1.128x256b [$1], $2;"
    mma = one(f'%r = call i64 asm sideeffect "{asm}", "=l,r,0"(i32 0, i64 {HIGH})')
    assert mma.a is not None
    assert mma.a.bits == HIGH


def test_the_line_that_lost_a_bit_is_named() -> None:
    found = copied("%a = load i32, ptr null, !dbg !3\n%b = zext i32 %a to i64\n%d = or i64 %b, 16")
    assert (found.lost, found.lost_text) == (2, "%a = load i32, ptr null")


def test_the_source_line_comes_from_the_module() -> None:
    body = f"{copy('5')}, !dbg !7"
    module = (
        f"{body}\n!7 = !DILocation(line: 12, column: 3, scope: !8, inlinedAt: !9)\n"
        '!8 = distinct !DILexicalBlock(scope: !5, line: 3)\n!5 = distinct !DISubprogram(name: "f", file: !1)\n'
        '!1 = !DIFile(filename: "kernel.py", directory: "/")\n'
    )
    assert one(body, module.encode()).source == ("kernel.py", 12)


@pytest.mark.corpus
def test_triton_says_in_its_ir_what_it_says_in_its_ptx() -> None:
    """The facts and every bit that Triton's PTX states literally, for each different MMA."""
    texts = {name: text for name, text, _ in dumps("triton")}
    compared = 0
    for name in (name for name in texts if name.endswith(".llir")):
        text = texts[name].encode()
        found = llvm.analyse(text[text.index(b"define") :], 1, None, None, llvm.read_module(text))
        assert found is not None, name
        assert found.odd == 0, name
        ops = function_of(texts[name.replace(".llir", ".ptx")]).ops
        assert all(any(_is(mma, op) for mma in found.mmas) for op in ops), name
        assert all(any(_is(mma, op) for op in ops) for mma in found.mmas), name
        compared += len(found.mmas)
    assert compared == 174


def _is(mma: ScannedMma, op: Op) -> bool:
    facts, of = op.facts, mma.instruction
    wgmma = ("m", "n", "k", "a_type", "b_type", "d_type", "sparse")
    same = all(
        getattr(of, key) == facts[key] for key in (wgmma if of.family == "wgmma" else ("mma_kind", "cta_group", "ws"))
    )
    for operand, value, mask in zip(mma[3:6], op.values[0], op.known, strict=False):
        if value is not None and mask:
            same = same and operand is not None and operand.known & mask == mask and not (operand.bits ^ value) & mask
    return same and of.family == facts["instruction"]
