"""MLIR: the operations of the nvvm, llvm, arith, scf and nvgpu dialects."""

from __future__ import annotations

import random
import re

import pytest
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.kinds.kind import kind_of
from smemdesc.scanning import scan_text
from smemdesc.scanning.languages import mlir
from smemdesc.scanning.model import ScannedMma, ScannedOperand

FULL = ones(64)
COPY = "nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}"


def one(body: str) -> ScannedMma:
    """The one MMA of a function of these lines."""
    text = f"llvm.func @f(%x: i64, %i: i32, %p: i1) {{\n{body}\n  llvm.return\n}}\n"
    found = mlir.analyse(text.encode(), 1, "f", "sm_100a")
    assert found is not None
    assert found.odd == 0
    (mma,) = found.mmas
    return mma


CONSTANTS = (
    "%c1 = llvm.mlir.constant(4611756662049538048 : i64) : i64\n%c2 = arith.constant 2 : i64\n"
    "%c3 = llvm.mlir.constant(3 : i32) : i32\n%m = arith.constant 0x3fff : i64\n"
    "%zero = llvm.mlir.constant(0 : i32) : i32"
)
VALUES = {
    "constant": ("%d = llvm.mlir.constant(64 : i64) : i64", 64, FULL),
    "signed": ("%d = llvm.mlir.constant(-9223371899399045120 : i64) : i64", 0x8000002001000000, FULL),
    "zero": ("%d = llvm.mlir.zero : i64", 0, FULL),
    "or": ("%d = llvm.or disjoint %c1, %c2 : i64", 0x4000404000010002, FULL),
    "add": ("%d = arith.addi %c1, %c2 overflow<nsw> : i64", 0x4000404000010002, FULL),
    "mask": ("%d = arith.andi %x, %m : i64", 0, FULL & ~0x3FFF),
    "extui": ("%d = arith.extui %c3 : i32 to i64", 3, FULL),
    "sext": ("%d = llvm.sext %i : i32 to i64", 0, 0),
    "zext": ("%d = llvm.zext nneg %i : i32 to i64", 0, FULL & ~ones(32)),
    "trunc": ("%a = arith.trunci %c1 : i64 to i32\n%d = arith.extui %a : i32 to i64", 65536, FULL),
    "shift": ("%d = llvm.shl %c1, %c2 overflow<nuw> : i64", 0x0001010000040000, FULL),
    "select": ("%d = llvm.select %p, %c2, %c2 : i1, i64", 2, FULL),
    "compare": ('%c = llvm.icmp "ult" %c2, %c1 : i64\n%d = llvm.select %c, %c2, %c1 : i1, i64', 2, FULL),
    "cmpi": ("%c = arith.cmpi slt, %c1, %c2 : i64\n%d = arith.select %c, %c2, %c1 : i64", 0x4000404000010000, FULL),
    "vector": (
        "%v = llvm.bitcast %c1 : i64 to vector<2xi32>\n%w = llvm.insertelement %c3, %v[%zero : i32] : vector<2xi32>\n"
        "%d = llvm.bitcast %w : vector<2xi32> to i64",
        0x4000404000000003, FULL,
    ),
    "aggregate": (
        "%u = llvm.mlir.undef : !llvm.struct<(i64, i64)>\n"
        "%v = llvm.insertvalue %c1, %u[0] : !llvm.struct<(i64, i64)> \n"
        "%w = llvm.insertvalue %c2, %v[1] : !llvm.struct<(i64, i64)> \n"
        "%d = llvm.extractvalue %w[0] : !llvm.struct<(i64, i64)> ",
        0x4000404000010000, FULL,
    ),
    "thread": ("%a = nvvm.read.ptx.sreg.tid.x : i32\n%d = llvm.zext %a : i32 to i64", 0, FULL & ~ones(10)),
    "load": ("%d = llvm.load %q : !llvm.ptr -> i64", 0, 0),
    "argument": ("%d = llvm.or %x, %c2 : i64", 2, 2),
    "unknown operation": ("%d = my.own %c1 : i64", 0, 0),
    "index": (
        "%a = arith.index_cast %c2 : i64 to index\n%b = arith.addi %a, %a : index\n"
        "%d = arith.index_cast %b : index to i64",
        4, FULL,
    ),
    "index of more than a word": (
        "%a = arith.constant 4294967297 : index\n%b = arith.constant 1 : index\n"
        "%c = arith.cmpi eq, %a, %b : index\n%d = arith.select %c, %c2, %c1 : i64",
        0x4000404000010000, FULL,
    ),
    "index of a word": (
        "%four = arith.constant 4 : index\n%a = arith.index_cast %i : i32 to index\n"
        "%b = arith.shrui %a, %four : index\n%d = arith.index_cast %b : index to i64",
        0, 15 << 60,
    ),
    "index of a word without a sign": (
        "%a = arith.index_castui %i : i32 to index\n%d = arith.index_castui %a : index to i64", 0, FULL & ~ones(32),
    ),
    "word of an index": (
        "%a = arith.constant 4294967297 : index\n%b = arith.index_cast %a : index to i32\n"
        "%d = arith.extui %b : i32 to i64",
        1, FULL,
    ),
    "choice": (
        "%d = scf.if %p -> (i64) {\n  %a = arith.constant 5 : i64\n  scf.yield %a : i64\n} else {\n"
        "  %a = arith.constant 4 : i64\n  scf.yield %a : i64\n}",
        4, FULL - 1,
    ),
    "loop": (
        "%d = scf.for %k = %lo to %hi step %st iter_args(%a = %c2) -> (i64) {\n  %b = arith.ori %a, %c2 : i64\n"
        "  scf.yield %b : i64\n}",
        2, FULL,
    ),
    "moving loop": (
        "%d = scf.for %k = %lo to %hi step %st iter_args(%a = %c2) -> (i64) {\n  %b = arith.addi %a, %c2 : i64\n"
        "  scf.yield %b : i64\n}",
        0, 1,
    ),
    "inner name": (
        "%s = scf.if %p -> (i64) {\n  %d = arith.constant 5 : i64\n  scf.yield %d : i64\n} else {\n"
        "  scf.yield %x : i64\n}",
        0, 0,
    ),
    "block": ("llvm.br ^bb1(%c2 : i64)\n^bb1(%d: i64):  // pred: ^bb0", 2, FULL),
    "two ways": (
        "llvm.cond_br %p, ^bb1(%c2 : i64), ^bb2\n^bb2:\nllvm.br ^bb1(%c1 : i64)\n^bb1(%d: i64):  // 2 preds",
        0, FULL & ~0x4000404000010002,
    ),
    "round": (
        "cf.br ^bb1(%c1 : i64)\n^bb1(%e: i64):\n%n = llvm.or %e, %c2 : i64\n"
        "llvm.cond_br %p, ^bb1(%n : i64), ^bb2(%e : i64)\n"
        "^bb2(%d: i64):",
        0x4000404000010000, FULL & ~2,
    ),
    "unreadable branch": ('llvm.br ^bb1(%c2 : i64)\n^bb3:\n"my.br"(%c1)[^bb1] : (i64) -> ()\n^bb1(%d: i64):', 0, 0),
    "smem_desc": (
        "%b = llvm.mlir.constant(0 : i8) : i8\n%l = llvm.mlir.constant(false) : i1\n"
        "%s = llvm.mlir.constant(2 : i8) : i8\n"
        "%d = nvvm.tcgen05.mma_smem_desc (%i, %c3, %c3, %b, %l, %s) : (i32, i32, i32, i8, i1, i8) -> i64",
        2 << 61 | 1 << 46 | 3 << 32 | 3 << 16, FULL & ~0x3FFF,
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", ["#dlti.dl_entry<index, BITS>", "#dlti.dl_spec<index = BITS : i64>"])
@pytest.mark.parametrize(("bits", "bigger"), [(32, False), (64, True)])
def test_a_data_layout_says_how_many_bits_an_index_has(layout: str, bits: int, bigger: bool) -> None:
    body = (
        f"{CONSTANTS}\n%a = arith.constant 4294967297 : index\n%b = arith.constant 2 : index\n"
        f"%c = arith.cmpi ult, %b, %a : index\n%d = arith.select %c, %c2, %c1 : i64\n{COPY}\n"
    )
    said = layout.replace("BITS", str(bits))
    text = f"module attributes {{dlti.dl_spec = {said}}} {{\nllvm.func @f() {{\n{body}llvm.return\n}}\n}}\n"
    ((mma,),) = (function.mmas for function in scan_text(text).functions)
    assert mma.a is not None
    assert mma.a.bits == (2 if bigger else 0x4000404000010000)


@every_row("name", VALUES)
def test_what_follows_is_known_and_no_more(name: str) -> None:
    body, bits, known = VALUES[name]
    found = one(f"{CONSTANTS}\n{body}\n{COPY}").a
    assert found is not None
    assert (hex(found.bits), hex(found.known)) == (hex(bits), hex(known))


@every_row("name", VALUES)
def test_an_operation_without_an_operand_is_survived(name: str) -> None:
    lines = VALUES[name][0].split("\n")
    for at, line in enumerate(lines):
        for operand in re.finditer(r"(?<!^)%\w+,?", line):
            body = "\n".join([*lines[:at], line[: operand.start()] + line[operand.end() :], *lines[at + 1 :], COPY])
            mlir.analyse(f"llvm.func @f(%x: i64, %i: i32, %p: i1) {{\n{CONSTANTS}\n{body}\n}}\n".encode(), 1, "f", None)


def test_a_function_that_is_cut_off_may_lack_branches() -> None:
    text = f"llvm.func @f() {{\n{CONSTANTS}\nllvm.br ^bb1(%c2 : i64)\n^bb1(%d: i64):\n{COPY}\n"
    found = mlir.analyse(text.encode(), 1, None, None)
    assert found is not None
    assert found.mmas[0].a == ScannedOperand(0, 0)


T = "(!llvm.ptr<6>, i64, i64, i32, i1"
FROM_TMEM = "(!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)"
KIND, SCALED = "kind = #nvvm.tcgen05_mma_kind", "kind = #nvvm.tcgen05_mma_block_scale_kind"
ONE, TWO = ("ctaGroup = #nvvm.cta_group<cta_1>", "ctaGroup = #nvvm.cta_group<cta_2>")
BLOCK16 = "blockScale = #nvvm.tcgen05_mma_block_scale<block16>"
MMAS = {
    "dense": (f"mma %t, %a, %b, %n, %p {{{KIND}<f16>, {ONE}}} : {T})", ("f16", 1, False, False, None, "shared")),
    "masked lanes": (
        "mma %t, %a, %b, %n, %p mask = %z {ctaGroup = #nvvm.tcgen05_group<cta_2>, "
        f"mmaKind = #nvvm.tcgen05_mma_kind<tf32>}} : {T}, vector<8xi32>)",
        ("tf32", 2, False, False, None, "shared"),
    ),
    "short form": (
        f"mma %t, %a, %b, %n, %p\n  kind = i8, cta_group = <cta_2> : {T})",
        ("i8", 2, False, False, None, "shared"),
    ),
    "from tensor memory": (
        f"mma %t, %t, %b, %n, %p\n  {{{KIND}<f8f6f4>, {ONE}}} : {FROM_TMEM}",
        ("f8f6f4", 1, False, False, None, "tmem"),
    ),
    "sparse": (
        f"mma.sp %t, %a, %b, %n, %p, %s {{{KIND}<f16>, {ONE}}} : {T}, !llvm.ptr<6>)",
        ("f16", 1, False, True, None, "shared"),
    ),
    "weights": (f"mma.ws %t, %a, %b, %n, %p {{{KIND}<f16>}} : {T})", ("f16", 1, True, False, None, "shared")),
    "scaled": (
        f"mma.block_scale %t, %a, %b, %n, %p, %s, %s\n {{{SCALED}<mxf4nvf4>,\n {ONE}, {BLOCK16}}} : {T}, !p, !p)",
        ("mxf4nvf4", 1, False, False, 4, "shared"),
    ),
    "ti16": (
        f"mma %t, %a, %b, %n, %p {{{KIND}<ti16>, {TWO}, collectorOpB = #nvvm.tcgen05_mma_collectorop<fill>}} : {T})",
        ("ti16", 2, False, False, None, "shared"),
    ),
    "compressed B": (
        f"mma.block_scale.decompress_b %t, %a, %b, %n, %p, %s, %s, %s {{{SCALED}<mxf8f6f4>, {ONE}}} : {T}, !p, !p, !p)",
        ("mxf8f6f4", 1, False, False, 1, "shared"),
    ),
    "attributes on several lines": (
        f"mma %t, %t, %b, %n, %p {{\n  {ONE},\n  {KIND}<f16>\n}} : {FROM_TMEM}",
        ("f16", 1, False, False, None, "tmem"),
    ),
    "kind not named": (f"mma %t, %a, %b, %n, %p : {T})", (None, None, False, False, None, "shared")),
}
OPERANDS = "%a = arith.constant 5 : i64\n%b = arith.constant 6 : i64\n%n = arith.constant 7 : i32\n"
DENSE = f"nvvm.tcgen05.{MMAS['dense'][0]}"


QUALIFIERS = {"ti16": ("collector-b",), "compressed B": ("lut-b",), "scaled": ("block-size",)}


@every_row("name", MMAS)
def test_a_tcgen05_operation_says_its_facts(name: str) -> None:
    text, facts = MMAS[name]
    mma = one(f"{OPERANDS}nvvm.tcgen05.{text}")
    of = mma.instruction
    assert (of.mma_kind, of.cta_group, of.ws, of.sparse, of.scale_vec, of.a_from) == facts
    assert of.qualifiers == QUALIFIERS.get(name, ())
    assert [each and each.bits for each in mma[3:7]] == [None if of.a_from == "tmem" else 5, 6, 7, None]


GIVEN = """%w = arith.constant 1048608 : i32
%t = llvm.inttoptr %w : i32 to !llvm.ptr<6>
%v = arith.constant 300 : i32
%s = llvm.inttoptr %v : i32 to !llvm.ptr<6>
"""
TENSOR_MEMORY = {
    "dense": {"d": (16, 32)},
    "from tensor memory": {"d": (16, 32), "a": (16, 32)},
    "sparse": {"d": (16, 32)},
    "scaled": {"d": (16, 32), "scale_a": (0, 300), "scale_b": (0, 300)},
    "compressed B": {"d": (16, 32)},
}


@pytest.mark.parametrize("name", TENSOR_MEMORY)
def test_addresses_of_tensor_memory(name: str) -> None:
    found = one(f"{OPERANDS}{GIVEN}nvvm.tcgen05.{MMAS[name][0]}").tensor_memory
    places = {each.name: (said := each.to_dict()) and (said["lane"], said["column"]) for each in found}
    assert places == TENSOR_MEMORY[name]


def test_a_zero_column_mask_is_the_last_word() -> None:
    text = f"nvvm.tcgen05.mma.ws %t, %a, %b, %n, %p, %b {{kind = #nvvm.tcgen05_mma_kind<f16>}} : {T}, i64)"
    assert one(OPERANDS + text).mask == one(OPERANDS + text).b


WGMMA = {
    "now": (
        "%r = nvvm.wgmma.mma_async %a, %b, %acc, <m = 64, n = 32, k = 16>, D[<f32>, <one>, <wrapped>], "
        "A[<f16>, <one>, <row>], B[<f16>, <neg>, <row>] : !m -> !m",
        ("f16", "f16", "f32", 32, 16, "K", "MN"),
    ),
    "on several lines": (
        "%r = nvvm.wgmma.mma_async %a, %b, %acc,\n  #nvvm.shape<m = 64, n = 8, k = 16>,\n"
        "  D [<f32>, #nvvm.wgmma_scale_out<one>],\n  A [<bf16>, #nvvm.wgmma_scale_in<one>, <col>],\n"
        "  B [<bf16>, #nvvm.wgmma_scale_in<one>, <col>] : !m -> !m",
        ("bf16", "bf16", "f32", 8, 16, "MN", "K"),
    ),
    "first form": (
        "%r = nvvm.wgmma.mma_async %a, %b, #nvvm.shape<m = 64, n = 128, k = 16>, D [%acc, #nvvm.wgmma_scale_out<one>], "
        "A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <row>] : !m -> !m",
        ("f16", "f16", None, 128, 16, "K", None),
    ),
    "bytes": (
        "%r = nvvm.wgmma.mma_async %a, %b, %acc, <m = 64, n = 16, k = 32>, D[<s32>, <one>, <satfinite>], "
        "A[<s8>, <one>, <row>], B[<u8>, <one>, <col>] : !m -> !m",
        ("s8", "u8", "s32", 16, 32, "K", "K"),
    ),
    "inline assembly": (
        '%r = llvm.inline_asm has_side_effects asm_dialect = att "{\\0A.reg .pred p;\\0Asetp.ne.b32 p, $6, 0;\\0A'
        'wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, $4, $5, p;\\0A}\\0A", '
        '"=r,=r,=r,=r,l,l,n" %a, %b, %n : (i64, i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>',
        ("s8", "s8", "s32", 8, 32, "K", "K"),
    ),
}


@pytest.mark.parametrize("name", WGMMA)
def test_a_wgmma_operation_says_its_facts(name: str) -> None:
    text, facts = WGMMA[name]
    mma = one(OPERANDS + text)
    of = mma.instruction
    assert (of.a_type, of.b_type, of.d_type, of.n, of.k, of.a_major, of.b_major) == facts
    assert [each and each.bits for each in mma[3:5]] == [5, 6]


def test_a_warpgroup_operation_says_what_its_types_say() -> None:
    tensor = "!nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none>"
    text = (
        f"%a1 = nvgpu.warpgroup.generate.descriptor %v, %m : memref<128x64xf16, 3>, {tensor} -> "
        "!nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>\n"
        "%r = nvgpu.warpgroup.mma %a1, %b1, "
        "%acc {transposeB} : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>,"
        "\n !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, "
        "!nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> -> "
        "!nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>"
    )
    mma = one(text)
    said = mma.instruction
    assert (said.n, said.k, said.a_type, said.d_type, said.a_major, said.b_major) == (128, 16, "f16", "f32", "K", "MN")
    table = kind_of("wgmma").table
    assert mma.a is not None
    assert mma.a.known == table.full & ~table.masks["start_address"] & ~table.masks["leading_byte_offset"]
    assert mma.a.bits == 0x4000004000000000
    assert mma.b == ScannedOperand(0, 0)


def test_the_line_that_lost_a_bit_is_named() -> None:
    found = one(f"{CONSTANTS}\n%e = llvm.load %q : !llvm.ptr -> i64\n%d = llvm.or %e, %c1 : i64\n{COPY}").a
    assert found is not None
    assert (found.lost, found.lost_text) == (7, "%e = llvm.load %q : !llvm.ptr -> i64")


@pytest.mark.slow
def test_what_is_found_in_damaged_text_stands_there() -> None:
    text = "\n".join(["llvm.func @f() {", CONSTANTS, *(body for body, _, _ in VALUES.values()), COPY, "}"])
    text += "".join(each for each, _ in (*MMAS.values(), *WGMMA.values()))
    chance = random.Random(3)
    found = 0
    for _ in range(200):
        junk = bytearray(text.encode())
        for _ in range(30):
            junk[chance.randrange(len(junk))] = chance.randrange(256)
        for each in (text[: chance.randrange(len(text))].encode(), bytes(junk)):
            function = mlir.analyse(each, 1, None, None)
            for mma in function.mmas if function else ():
                assert re.search(rb"mma|\.cp", each.split(b"\n")[mma.line - 1])
                found += 1
    assert found > 200


BUILDERS = {
    "nvvm.mma_smem_desc(%s, %l, %t, %b, %z) : (i32, i32, i32, i8, i8) -> i64": 0x4000404000010040,
    "nvvm.mma_smem_desc(%s, %l, %t, %b, %z) {mmaDescVersion = 0 : i32} : (i32) -> i64": 0x4000004000010040,
    "nvvm.tcgen05_mma_smem_desc_v2(%s, %l, %t, %v, %b, %false, %false, %z) : (i32) -> i64": 0x4000404000010040,
    "nvvm.tcgen05_mma_smem_desc_v2(%s, %l, %t, %v, %b, %true, %true, %z) : (i32) -> i64": 0x4030404000010040,
    "nvvm.tcgen05_mma_smem_desc_v2(%big, %big, %big, %big8, %b, %false, %false, %z) : (i32) -> i64": (
        0x4001FFFF7FFF7FFF
    ),
    "nvvm.tcgen05.mma_smem_desc(%big, %big, %big, %big8, %false, %z) : (i32) -> i64": 0x400E7FFF3FFF3FFF,
    "nvvm.mma_smem_desc(%big, %big, %big, %big8, %z) : (i32) -> i64": 0x400E7FFF3FFF3FFF,
}
"""What the compiler of the CuTe DSL 4.8.1 makes of these operands: each is cut to its field."""


@every_row("builder", BUILDERS)
def test_an_operation_that_makes_a_descriptor(builder: str) -> None:
    numbers = {"i32": {"s": 64, "l": 1, "t": 64, "big": -1}, "i8": {"b": 0, "z": 2, "v": 1, "big8": -1}}
    lines = [f"%{name} = arith.constant {each} : {kind}" for kind in numbers for name, each in numbers[kind].items()]
    lines += ["%false = arith.constant false", "%true = arith.constant true", f"%d = {builder}"]
    lines += [f"nvvm.tcgen05.mma %t, %d, %d, %s, %true {{kind = #nvvm.tcgen05_mma_kind<int8>}} : {T})"]
    mma = one("\n".join(lines))
    assert mma.a is not None
    assert (mma.a.bits, mma.a.known) == (BUILDERS[builder], FULL)
    assert mma.instruction.mma_kind == "i8"


def test_what_is_nested_too_deep_is_said() -> None:
    deep = "llvm.func @f() {\n" + "scf.if %c {\n" * 600 + COPY + "\n" + "}\n" * 601
    part = scan_text(deep)
    assert not part.functions
    assert part.failed[0][1].startswith("regions are nested more than 500 deep: function not scanned")


@pytest.mark.parametrize("before", ["", "(%x: i32 {tt.divisibility = 16 : i32}) attributes {nvvm.kernel, a.b = 1} "])
def test_operations_on_the_line_that_opens_a_region_are_seen(before: str) -> None:
    first, *rest = OPERANDS.splitlines()
    text = f"func.func @k{before or '()'} {{ {first}\n{rest[0]}\n{rest[1]}\nscf.if %p {{ {DENSE} }}\n{DENSE}\n}}\n"
    found = mlir.analyse(text.encode(), 1, "k", "sm_100a")
    assert found is not None
    assert [(mma.line, mma.a and mma.a.bits) for mma in found.mmas] == [(4, 5), (5, 5)]


def test_an_mma_on_the_line_of_its_function_is_seen() -> None:
    found = mlir.analyse(f"func.func @k() {{ {DENSE} }}\n".encode(), 1, "k", "sm_100a")
    assert found is not None
    assert [mma.line for mma in found.mmas] == [1]
