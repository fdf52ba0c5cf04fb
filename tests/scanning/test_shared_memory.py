"""One kernel's shared memory: right kernels are silent, and each mistake that is put into one is found.

``by_hand.cu`` was compiled by nvcc 13.0 (``-ptx -arch=sm_100a -DSTAGES=3``), ``tilelang.ptx`` is TileLang's matrix
multiplication of 128x128x64 tiles in three stages; in both, the tensor maps are parameters. Triton's kernels are
those of the corpus.
"""

from __future__ import annotations

import json
import lzma
import re
from functools import cache
from pathlib import Path

import pytest
from corpus.dumps import DUMPS, texts
from run import smemdesc
from samples import long_run
from tables import every_row

from smemdesc import SmemdescError, scan, tensormap
from smemdesc.api.scanning import Scan
from smemdesc.rules import copies
from smemdesc.rules.shared_memory_use import RULES

HERE = Path(__file__).parent / "shared_memory"
DATA = Path(__file__).parents[2] / "examples" / "data"


@cache
def kernel(name: str) -> str:
    """Return the code of a right kernel: PTX if its name does not say otherwise."""
    if name.startswith("ring."):
        return (HERE / name).read_text()
    path = HERE / f"{name}.ptx.xz"
    if path.exists():
        return lzma.decompress(path.read_bytes()).decode()
    return (DATA / name).read_text() if name == OF_EXAMPLES else _of_triton()[name]


@cache
def _of_triton() -> dict[str, str]:
    return dict(texts(DUMPS / "triton.tar.xz"))


TRITON, BY_HAND, TILELANG = "triton_100_fp16_tma.ptx", "by_hand", "tilelang"
TTGIR = tuple([f"triton_{name}.ttgir" for name in ("100_fp16_tma", "90_bf16_tma_t", "100_i8_tma_t")])
OF_EXAMPLES, FP16_SASS, FP8_SASS = (
    "gemm_sm90_tma.sass",
    *(f"triton_90_{name}.sass" for name in ("fp16_tma", "fp8e4nv_tma_t")),
)
MAP_RULES = [rule.name for rule in copies.RULES]
LLIR = "triton_100_fp16_tma.llir"
INIT = r"(mbarrier\.init[^;]*\]), [^;]*;"
COPY = r"(cp\.async\.bulk\.tensor[^;]*)"
IN_TTGIR = (
    (r"(barrier_expect %\w+, )(\d+)", 1, lambda told: f"{told[1]}{int(told[2]) // 2}", "barrier-bytes"),
    (r"(?s)(scf\.for.*barrier_expect %\w+, )(\d+)", 1, lambda told: f"{told[1]}{int(told[2]) * 2}", "barrier-bytes"),
    (r"swizzle_mode = (\d)", 1, lambda mode: f"swizzle_mode = {3 if mode[1] == '2' else 2}", "map-swizzle"),
    (r"elem_type = \d+", 1, "elem_type = 8", "barrier-bytes"),
    (r"ttng\.async_tma_copy_global_to_local[^\n]*", 1, "", "barrier-bytes"),
    (r"(?s)(scf\.for.*)ttng\.async_tma_copy_global_to_local[^\n]*", 1, r"\1", "barrier-bytes"),
    (r"(?s)(to_local [^]]*\] %\w+, )%\w+(.*?barrier_expect )(%\w+)", 1, r"\1\3\2\3", "barrier-bytes"),
)
MUTANTS = (
    # kernel, what is replaced how often, by what, the rule that says so
    (TRITON, r"(swizzle_mode[^;]*)0x3;", 1, r"\g<1>0x2;", "map-swizzle"),
    (TRITON, r"(elemtype[^;]*)0x6;", 1, r"\g<1>0xa;", "map-type"),
    (TRITON, r"(expect_tx[^;]*), 24576;", 0, r"\1, 12288;", "barrier-bytes"),
    (TRITON, r"(expect_tx[^;]*), 24576;", 1, r"\1, 49152;", "barrier-bytes"),
    (TRITON, r"(mov\.b32 \t%r\d+, )128(;(?:(?!mov\.b32)[^$])*?box_dim)", 1, r"\g<1>64\2", "barrier-bytes"),
    (TRITON, r"(shl\.b32 \t%r\d+, %r\d+, )14;", 1, r"\g<1>15;", "stage-stride"),
    (TRITON, COPY + r"\[%r26\];", 1, r"\1[%r27];", "barrier-bytes"),
    (TRITON, r"(?:@%p\d+ )" + COPY + ";", 1, "", "barrier-bytes"),
    (BY_HAND, r"(mov\.b32 \t%r249, )49152;", 1, r"\g<1>98304;", "equal-bytes"),
    (BY_HAND, r"(mov\.b32 \t%r300, )49152;", 1, r"\g<1>32768;", "barrier-bytes"),
    (TRITON, r"(::bytes \[%r\d+)(?=\])", 1, r"\1+1024", "copy-start"),
    (BY_HAND, r"(::bytes \[%r\d+)(?=\])", 1, r"\1+1024", "copy-start"),
    (BY_HAND, COPY + ";", 1, "", "barrier-bytes"),
    (BY_HAND, COPY + r"\[(%r\d+)\];", 1, r"\1[\2+8];", "copy-barrier"),
    (BY_HAND, r"(expect_tx[^;]*\[%r\d+)\]", 1, r"\1+8]", "copy-barrier"),
    (BY_HAND, "4611756662049538048", 1, "-9223301393232625664", "odd-one-out"),  # 64B
    (TILELANG, COPY + ";", 1, "", "equal-bytes"),
    (TRITON, INIT, 1, r"\1, 2;", "arrival-count"),  # of MMAs
    (TRITON, INIT, 0, r"\1, 2;", "arrival-count"),
    (BY_HAND, INIT, 1, r"\1, 2;", "arrival-count"),
    (BY_HAND, INIT, 0, r"\1, 2;", "arrival-count"),
    (TILELANG, INIT, 1, r"\1, 2;", "arrival-count"),
    (TILELANG, r"(mbarrier\.expect_tx[^;]*\[%r\d+)", 1, r"\1+8", "copy-barrier"),
    (TILELANG, r"(mbarrier\.arrive\.expect_tx[^;]*\[%r\d+)", 1, r"\1+8", "copy-barrier"),
    (TILELANG, r"(mov\.u32 \t%r143, )16384;", 1, r"\g<1>32768;", "equal-bytes"),
    (BY_HAND, r"46117[0-9]{14}", 0, lambda digits: str(int(digits[0]) + (64 << 32)), "within-stage"),
    # SASS: expected bytes, stage strides of the copies, a destination, a copy
    (OF_EXAMPLES, "0x6000 ;", 0, "0x3000 ;", "barrier-bytes"),
    (OF_EXAMPLES, "0x6000 ;", 0, "0xc000 ;", "barrier-bytes"),
    (OF_EXAMPLES, "0x6000 ;", 1, "0x5000 ;", "equal-bytes"),
    (OF_EXAMPLES, "(UIADD3 UR16, UR8, )0x4000", 0, r"\g<1>0x4400", "copy-start"),
    (FP16_SASS, "0x6000 ;", 0, "0x3000 ;", "barrier-bytes"),
    (FP16_SASS, "0x6000 ;", 0, "0xc000 ;", "barrier-bytes"),
    (FP16_SASS, "(ULEA UR12, UR9, UR8, )0xe", 0, r"\g<1>0xf", "stage-stride"),
    (FP16_SASS, r"@UP2 UTMALDG.2D \[UR16\], \[UR20\]", 0, "NOP", "barrier-bytes"),
    (FP8_SASS, r"(ULEA UR\d+, UR\d+, UR\d+, )0xd ", 1, r"\g<1>0xe ", "stage-stride"),
    (FP8_SASS, r"(ULEA UR\d+, UR\d+, UR\d+, )0xc ", 1, r"\g<1>0xd ", "stage-stride"),
    *[(name, *mistake) for name in TTGIR for mistake in IN_TTGIR],
    (LLIR, r"(swizzle_mode[^;]*)0x3;", 1, r"\g<1>0x2;", "map-swizzle"),
    (LLIR, r"(expect_tx[^;]*), 24576;", 1, r"\1, 49152;", "barrier-bytes"),
    (LLIR, r"(?m)^.*cp\.async\.bulk\.tensor.*\n", 1, "", "barrier-bytes"),
)


@pytest.mark.slow
@every_row("name", (TRITON, LLIR, BY_HAND, TILELANG, *TTGIR, OF_EXAMPLES, FP16_SASS, FP8_SASS))
def test_a_right_kernel_is_silent_and_its_tiles_are_known(name: str) -> None:
    result = scan(kernel(name))
    assert not result.findings
    (function,) = (each for each in result.functions if each.shared is not None)
    assert {tile.operand for tile in function.shared.tiles} == {"a", "b"}
    assert any(tile.copies and tile.reads and tile.stage for tile in function.shared.tiles)
    assert all(barrier.copies and barrier.expected for barrier in function.shared.barriers)


@pytest.mark.slow
@every_row(("name", "what", "times", "by", "rule"), MUTANTS)
def test_a_mistake_is_found(name: str, what: str, times: int, by: str, rule: str) -> None:
    wrong, count = re.subn(what, by, kernel(name), count=times)
    assert count
    assert rule in {each.rule for each in scan(wrong).findings}


@every_row("rule", RULES)
def test_a_rule_is_alone_in_its_example(rule) -> None:
    assert {each.rule for each in scan(rule.example.text).findings} == {rule.name}


def test_a_finding_names_the_line_that_is_wrong_and_those_that_it_contradicts() -> None:
    wrong = kernel(TRITON).replace(", 24576;", ", 12288;", 1)
    (found,) = scan(wrong).findings
    line = next(number for number, text in enumerate(wrong.split("\n"), 1) if ", 12288;" in text)
    assert found.where.line == line
    assert "expects 12288 B, but the copies that name it bring 24576 B" in found.message
    # Lines are those of the file, wherever the function begins in it.
    (after,) = scan("// a comment\n" * 7 + wrong).findings
    first, second = (int(re.search(r"lines (\d+)", each.message)[1]) for each in (found, after))
    assert (after.where.line, second) == (line + 7, first + 7)


GIVEN = (
    # the maps of A and of B, each as its box, swizzle mode and type, and what is wrong with them
    (BY_HAND, "64x128 128B bf16", "64x256 128B bf16", set()),
    (BY_HAND, "64x128 64B bf16", "64x256 128B bf16", {"map-swizzle"}),
    (BY_HAND, "64x64 128B bf16", "64x256 128B bf16", {"barrier-bytes"}),
    (BY_HAND, "64x128 128B bf16", "64x256 128B f16", {"map-type"}),
    (TILELANG, "64x128 128B f16", "64x64 128B f16", set()),
    (TILELANG, "64x128 128B f16", "64x64 32B f16", {"map-swizzle"}),
    *[(name, "64x128 128B bf16", "64x128 128B bf16", set()) for name in ("ring.ll", "ring.mlir")],
    *[(name, "64x128 128B bf16", "64x128 64B bf16", {"map-swizzle"}) for name in ("ring.ll", "ring.mlir")],
    (OF_EXAMPLES, "64x64 128B f16", "64x64 128B f16", set()),
    (OF_EXAMPLES, "64x64 128B f16", "64x64 64B f16", {"map-swizzle"}),
    (OF_EXAMPLES, "32x64 128B f16", "64x64 128B f16", {"barrier-bytes", "map-line"}),
)


@pytest.mark.slow
@every_row(("name", "a", "b", "rules"), GIVEN)
def test_a_map_that_is_given_counts_as_one_of_the_file(name: str, a: str, b: str, rules: set[str]) -> None:
    settings = ["box={},swizzle={},dtype={}".format(*each.split()) for each in (a, b)]
    (picture,) = (function.shared for function in scan(kernel(name)).functions)
    for names in ("01", [each.name for each in picture.maps]):
        found = scan(kernel(name), map=dict(zip(names, settings, strict=True))).findings
        assert {each.rule for each in found if each.rule in ("barrier-bytes", *MAP_RULES)} == rules


def test_a_map_at_no_parameter_is_an_error_that_lists_those_that_copies_use() -> None:
    path, box = str(DATA / OF_EXAMPLES), "box=64x64,swizzle=128B,dtype=f16"
    result = smemdesc("scan", "--map", f"2={box}", path)
    assert result.status == 2
    assert "no copy uses a map at '2'\n  copies use c[0x0][0x198]+0x70 (0), c[0x0][0x198]+0xf0 (1)" in result.err
    nameless = smemdesc("scan", "--map", "map.bin", path)
    assert (nameless.status, "map.bin has no name" in nameless.err) == (2, True)
    with pytest.raises(SmemdescError, match="no copy uses a map"):
        scan(kernel(BY_HAND), map={"k": box})


ENCODED = """uint32_t box[2] = {64, ROWS}, steps[2] = {1, 1};
cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, a, sizes, strides, box, steps,
    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B, promotion, fill);
"""
CALLS = (
    (ENCODED.replace("ROWS", "128"), "the map writes swizzle 64B"),
    (ENCODED, "boxDim depends on ROWS"),
    (ENCODED.replace("ROWS", "128") * 2, "2 calls make tensor maps (lines 2, 5)"),
)


@pytest.mark.slow
@every_row(("text", "says"), CALLS)
def test_a_map_is_given_as_the_one_call_that_encodes_it(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "k.ptx").write_text(kernel(BY_HAND))
    (tmp_path / "host.cu").write_text(text)
    for value in (text, f"@{tmp_path / 'host.cu'}"):
        result = smemdesc("scan", "--format", "short", "--map", f"0={value}", str(tmp_path / "k.ptx"))
        assert says in result.out + result.err


@pytest.mark.slow
def test_a_map_is_given_to_the_workers_and_as_a_file(tmp_path: Path) -> None:
    number = tensormap(dtype="f16", address=1 << 20, dim=[512, 512], stride=[1024], box=[32, 64], swizzle="64B")
    (tmp_path / "map").write_bytes(number.to_bytes(128, "little"))
    path = str(DATA / OF_EXAMPLES)
    found = smemdesc("scan", "--format", "short", "--jobs", "2", "--map", f"0=@{tmp_path / 'map'}", path, path).out
    assert {line.split(": ")[2] for line in found.splitlines()} == {"map-swizzle", "swizzle-code"}


SINGLE = """.version 8.8
.target sm_100a
.extern .shared .align 1024 .b8 smem[];
.visible .entry k(.param .u64 map)
{
.reg .b32 %r<12>;
.reg .b64 %d<9>;
.reg .pred %p<3>;
mov.u32 %r5, smem;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 128;
READ
ld.param.u64 %d5, [map];
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r5], [%d5, {%r9, %r9}], [%r5+32768];
AGAIN
mov.b64 %d1, 0x4000404000010000;
mov.b32 %r2, 0x8200490;
tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d1, %r2, %p1;
ret;
}
"""
LOAD = "ld.shared.b32 %r1, [smem];"


@pytest.mark.slow
def test_a_sum_is_shown_alike_in_each_process() -> None:
    """Sums are sets, whose order depends on the seed of the process."""
    added = "ld.param.u32 %r6, [map];\nmov.u32 %r7, smem;\nadd.s32 %r5, %r7, %r6;"
    text = SINGLE.replace("mov.u32 %r5, smem;", added).replace("READ\n", "").replace("AGAIN\n", "")
    shown = [smemdesc("scan", "-", stdin=text, PYTHONHASHSEED=seed).out for seed in "01"]
    assert "slot        smem + base, of tcgen05.alloc" in shown[0]
    assert len(set(shown)) == 1


@every_row(
    ("before", "after", "rules"), ((LOAD, "", set()), ("", LOAD, {"overwritten"}), (LOAD, LOAD, {"overwritten"}))
)
def test_a_slot_may_lie_under_a_tile_if_it_is_read_before(before: str, after: str, rules: set[str]) -> None:
    found = scan(SINGLE.replace("READ", before).replace("AGAIN", after)).findings
    assert {each.rule for each in found} & {"overwritten"} == rules


UNKNOWN = (
    # what is not judged: a destination or a barrier of each thread, bytes of a parameter, a copy under a condition
    ("add.s32 %r4, %r1, %r3;", "add.s32 %r4, %r1, %r3;\nmov.u32 %r19, %tid.x;\nadd.s32 %r4, %r4, %r19;"),
    ("[%r6+65536], 32768;", "[%r6+65536], %r8;"),
    ("bytes [%r4], [", "bytes [%r8], ["),
    ("[%d2, {%r9, %r9}], [%r6+65536]", "[%d2, {%r9, %r9}], [%r8]"),
    ("bytes [%r4], [%d1, {%r9, %r9}], [%r6+65536];", ".multicast::cluster [%r4], [%d1, {%r9, %r9}], [%r6+65536], %h1;"),
)


@every_row(("right", "other"), UNKNOWN)
def test_nothing_is_said_of_what_is_not_known(right: str, other: str) -> None:
    text = RULES[0].example.text.replace("65536], 65536;", "65536], 32768;")
    assert right in text
    assert not scan(text.replace(right, other)).findings


OTHERS = (
    # what else may write a tile, or complete on its barrier, or arrive there
    *("st.shared.b32 [%r8], %r9;", "st.b32 [%d8], %r9;", "cp.async.ca.shared.global [%r8], [%d8], 16;"),
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r8], {%r9};",
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r8], %r9, [%r7];",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r8], [%r7], 16, [%r7];",
    "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r7], 16;",
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r8], [%r7];",
    "mbarrier.init.shared::cta.b64 [%r1+65536], %r8;",
)


@pytest.mark.slow
@every_row("other", OTHERS)
def test_a_barrier_of_which_the_copies_are_not_all_is_not_judged(other: str) -> None:
    wrong = RULES[0].example.text
    assert {each.rule for each in scan(wrong).findings} == {"barrier-bytes"}
    assert not scan(wrong.replace("shl.b32 %r10,", f"{other}\nshl.b32 %r10,", 1)).findings


COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster"
TWO_ARRIVALS = (
    # what else arrives at a barrier that is set up for two, or may
    *("mbarrier.arrive.shared::cta.b64 _, [%r6+65536];", "mbarrier.arrive.shared::cluster.b64 _, [%r8];"),
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r6+65536];",
    *(f"{COMMIT}.b64 [%r6+65536];", f"{COMMIT}.multicast::cluster.b64 [%r1], %h1;"),
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6+65536], 0;",
    "mov.u32 %r19, %tid.x;\nadd.s32 %r6, %r6, %r19;",
)


@every_row("other", TWO_ARRIVALS)
def test_a_barrier_may_wait_for_an_arrival_that_is_not_counted(other: str) -> None:
    wrong = next(rule for rule in RULES if rule.name == "arrival-count").example.text
    told = "mbarrier.arrive.expect_tx"
    assert not scan(wrong.replace(told, f"{other}\n{told}", 1)).findings


def test_of_two_that_copy_or_multiply_each_arrives() -> None:
    right = next(rule for rule in RULES if rule.name == "arrival-count").example.text.replace("1;\n$loop", "2;\n$loop")
    right = right.replace("65544], 1;", "65544], 2;").replace(", 32768;", ", 16384;", 1)
    copies = right[right.index("cp.async.bulk") : right.index("shl.b32 %r10")].splitlines()
    told = right[right.index("mbarrier.arrive.expect_tx") :].splitlines()[0]
    each = "\n".join([copies[0], "@%p1 bra $next;", told, copies[1], "$next:"])
    assert right.count("\n".join(copies)) == 1
    both = right.replace("\n".join(copies), each)
    assert "arrival-count" not in {found.rule for found in scan(both).findings}


@every_row("step", (2, 1024))
def test_the_index_of_a_stage_may_go_by_other_numbers_than_1(step: int) -> None:
    text = RULES[0].example.text.replace("65536], 65536;", "65536], 32768;")
    text = text.replace("shl.b32 %r10, %r2, 14;", f"mul.lo.s32 %r10, %r20, {16384 // step};")
    text = text.replace("mov.b32 %r2, 0;", "mov.b32 %r2, 0;\nmov.b32 %r20, 0;")
    back = f"add.s32 %r21, %r20, {step};\nsetp.eq.u32 %p3, %r21, {2 * step};\nselp.b32 %r20, 0, %r21, %p3;\n"
    result = scan(text.replace("bra $loop;", f"{back}bra $loop;"))
    assert not result.findings
    assert {tile.stage for function in result.functions for tile in function.shared.tiles} == {16384}


APART = (
    # What tells a barrier bytes, or may name it: nothing is said of its bytes.
    ("OTHER", "ttng.async_tma_gather %map[%x, %c0] %b, %bar, %true : TYPES, !ttg.memdesc<1xi64, #shared1, #smem> -> B"),
    ("OTHER", "tt.call @load(%bar) : (!ttg.memdesc<1xi64, #shared1, #smem, mutable>) -> ()"),
    ("OTHER", "%z = ttg.memdesc_index %bars[%y] : BARS\nCOPY %b, %z, %true : TYPES"),
    ("OTHER", "scf.if %n {\nCOPY %b, %bar, %true : TYPES\n}"),
    ("OTHER", "COPY %b, %bar, %n : TYPES"),
    ("COPY %to, %bar, %true", "COPY %to, %bar, %n"),
    ("EXPECT %bar, 16384, %true", "EXPECT %bar, 16384, %n"),
    ("bars[%x]", "others[%x]"),
    ("transposed = false, elementBitWidth = 16}", "transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}"),
    ("COPY %to, %bar, %true", "COPY %to, %bar, %true {multicast}"),
    ("%bar = ttg.memdesc_index %bars[%x] : BARS", "%bar = ttg.memdesc_trans %bar : BARS"),
)
GLUON = """#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @k(%map: MAP, %x: i32, %y: i32, %n: i1, %d: D, %others: O) {
%c0 = arith.constant 0 : i32
%true = arith.constant true
%bars = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
%tiles = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
%own = ttg.local_alloc : () -> BAR
%a = ttg.memdesc_index %tiles[%x] : TILES
BEGIN
%bar = ttg.memdesc_index %bars[%x] : BARS
%to = ttg.memdesc_index %tiles[%x] : TILES
EXPECT %bar, 16384, %true : BAR
COPY %to, %bar, %true : MAP, BAR -> TILE
OTHER
END
%r = ttng.warp_group_dot %a, %a, %d : TILE * TILE -> D
tt.return
}
"""
MEANT = (
    ("COPY", "ttng.async_tma_copy_global_to_local %map[%x, %c0]"),
    (
        "TYPES",
        "MAP, BAR -> TILE",
    ),
    ("MAP", "!tt.tensordesc<128x64xf16, #shared>"),
    ("EXPECT", "ttng.barrier_expect"),
    ("BARS", "!ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> BAR"),
    ("BAR", "!ttg.memdesc<1xi64, #shared1, #smem, mutable>"),
    ("TILES", "!ttg.memdesc<3x128x64xf16, #shared, #smem> -> TILE"),
    ("TILE", "!ttg.memdesc<128x64xf16, #shared, #smem>"),
    *[(word, "") for word in ("OTHER", "BEGIN", "END")],
)
IN_ANOTHER_WARP = (
    ("BEGIN", "ttg.warp_specialize(%map, %bars, %tiles)\ndefault {\nttg.warp_yield\n}\nPARTITION"),
    ("PARTITION", "partition0(%mine: T, %waits: U, %parts: V) num_warps(1) {"),
    ("END", "ttg.warp_return\n} : (T, U, V) -> ()"),
    ("%to = ttg.memdesc_index %tiles", "%to = ttg.memdesc_index %parts"),
    ("%bar = ttg.memdesc_index %bars", "%bar = ttg.memdesc_index %waits"),
)
BY_SUBVIEW = (
    ("%to = ttg.memdesc_index %tiles[%x]", "%to = ttg.memdesc_subview %tiles[%x, %c0, %c0]"),
    ("%bar = ttg.memdesc_index %bars[%x]", "%bar = ttg.memdesc_subview %bars[%x, %c0]"),
)
IN_GLUON = (
    # what replaces what in a kernel of one copy, and what is found then
    ("MAP", "!tt.tensordesc<128x64xf16, #shared2>", {"barrier-bytes"}),
    ("MAP", "!tt.tensordesc<64x64xf16, #shared>", {"barrier-bytes"}),
    ("MAP", "!tt.tensordesc<1x128x64xf16, #shared>", set()),
    ("OTHER", "COPY %b, %own, %true : TYPES", set()),
    ("OTHER", "EXPECT %own, 16384, %true : BAR\nCOPY %b, %own, %true : TYPES", set()),
    ("OTHER", "EXPECT %own, 8192, %true : BAR\nCOPY %b, %own, %true : TYPES", {"barrier-bytes"}),
    ("OTHER", "EXPECT %own, 16384, %true : BAR", {"barrier-bytes"}),
)


def gluon(*others: tuple[str, str], expected: int = 16384) -> Scan:
    """Return what is known of a kernel of one copy, with some words replaced by others."""
    text = GLUON
    for right, other in (*others, *MEANT):
        assert right in text or (right, other) in MEANT
        text = text.replace(right, other)
    return scan(text.replace("16384, %true", f"{expected}, %true"))


def found_in(result: Scan) -> set[str]:
    return {each.rule for each in result.findings} - {"swizzle-code"}


@every_row("others", ((), IN_ANOTHER_WARP, BY_SUBVIEW))
def test_the_type_of_a_destination_says_what_a_copy_brings(others: tuple[tuple[str, str], ...]) -> None:
    right = gluon(*others)
    assert not right.findings
    ((tile, *_),) = [function.shared.tiles for function in right.functions]
    assert (str(tile.at), tile.size, tile.stage, len(tile.copies)) == ("%tiles + stage * 16384", 16384, 16384, 1)
    assert found_in(gluon(*others, expected=8192)) == found_in(gluon(*others, expected=32768)) == {"barrier-bytes"}


@every_row(("right", "other", "rules"), IN_GLUON)
def test_what_a_map_a_barrier_and_a_copy_say_of_each_other(right: str, other: str, rules: set[str]) -> None:
    assert found_in(gluon((right, other))) == rules


@every_row(("right", "other"), APART)
def test_nothing_is_said_of_a_barrier_that_others_may_tell_bytes(right: str, other: str) -> None:
    assert not any(gluon((right, other), expected=expected).findings for expected in (8192, 16384, 32768))


OTHERS_OF_SASS = (
    # what else may write a tile, or complete on its barrier
    *(
        "STS.128 [R90], R4",
        "STSM.16.M88 [R90], R4",
        "ST.E desc[UR4][R2.64], R4",
        "LDGSTS.E.128 [R90], desc[UR4][R2.64]",
    ),
    *("STAS [R90.64], R4", "REDAS.ADD [R90.64], R4", "UBLKCP.S.S [UR30], [UR32], UR34"),
    "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR30], R0",
    "UGETNEXTWORKID.SELFCAST [UR30], [UR32]",
)


@pytest.mark.slow
@every_row("other", OTHERS_OF_SASS)
def test_sass_of_which_the_copies_are_not_all_is_not_judged(other: str) -> None:
    wrong = kernel(OF_EXAMPLES).replace("0x6000 ;", "0x3000 ;")
    assert "barrier-bytes" in {each.rule for each in scan(wrong).findings}
    assert "CS2R R48, SRZ" in wrong
    assert not scan(wrong.replace("CS2R R48, SRZ", other)).findings


IN_LLVM = (
    # of the right kernel, what else it says, what is found
    ("i32 32768)", "i32 65536)", {"barrier-bytes"}),
    ("i32 32768)", "i32 16384)", {"barrier-bytes"}),
    ("%far = shl i32 %stage, 14", "%far = shl i32 %stage, 15", {"stage-stride"}),
    ("%a, i32 32768", "%a, i32 33792", {"copy-start"}),
    ("%to_b, ptr addrspace(3) %bar,", "%to_b, ptr addrspace(3) %bars,", set()),
    # what else may write the tiles, or complete on the barrier
    ("i32 32768)", "i32 65536)\n  store i32 1, ptr %map_a", set()),
    ("i32 32768)", "i32 65536)\n  call void @others()", set()),
    ("i32 32768)", 'i32 65536)\n  call void asm sideeffect "st.shared.b32 [$0], 1;", "r"(i32 %stage)', set()),
    ("i32 32768)", "i32 65536)\n  store i32 1, ptr addrspace(1) null", {"barrier-bytes"}),
)


COPY_OF_B = "%b, %map_b, %bar, box[%c0, %c0] : !llvm.ptr<3>, !llvm.ptr"
GENERIC = (
    '"nvvm.cp.async.bulk.tensor.shared.cluster.global"(%b, %map_b, %c0, %c0, %bar) <{group = #nvvm.cta_group<cta_1>, '
    "operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 0, 0, 0>}> "
    ": (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()"
)
IN_NVVM = (
    ("constant(32768 : i32)", "constant(65536 : i32)", {"barrier-bytes"}),
    ("constant(32768 : i32)", "constant(16384 : i32)", {"barrier-bytes"}),
    ("%far = llvm.shl %stage, %c14", "%far = llvm.mul %stage, %bytes", {"stage-stride"}),
    ("%a[32768]", "%a[33792]", {"copy-start"}),
    (f"nvvm.cp.async.bulk.tensor.shared.cluster.global {COPY_OF_B}", GENERIC, set()),
    (f"nvvm.cp.async.bulk.tensor.shared.cluster.global {COPY_OF_B}", GENERIC.replace("%b,", "%a,"), {"barrier-bytes"}),
    (COPY_OF_B, COPY_OF_B.replace("%b,", "%a,"), {"barrier-bytes"}),
    (COPY_OF_B, COPY_OF_B.replace("] :", "] multicast_mask = %mask :"), set()),
    # what else may write the tiles, or complete on the barrier
    ("constant(32768 : i32) : i32", "constant(65536 : i32) : i32\n    llvm.store %c0, %map_a : i32, !llvm.ptr", set()),
    ("constant(32768 : i32) : i32", "constant(65536 : i32) : i32\n    llvm.call @others() : () -> ()", set()),
    (
        "constant(32768 : i32) : i32",
        "constant(65536 : i32) : i32\n    memref.store %c0, %m[%c0] : memref<4xi32>",
        set(),
    ),
    (
        "constant(32768 : i32) : i32",
        "constant(65536 : i32) : i32\n    llvm.store %c0, %g : i32, !llvm.ptr<1>",
        {"barrier-bytes"},
    ),
)
RINGS = [*[("ring.ll", *row) for row in IN_LLVM], *[("ring.mlir", *row) for row in IN_NVVM]]


@pytest.mark.slow
@every_row(("name", "right", "other", "rules"), RINGS)
def test_operations_of_compilers_are_judged_as_ptx_is(name: str, right: str, other: str, rules: set[str]) -> None:
    text = kernel(name)
    assert not scan(text).findings
    assert right in text
    assert found_in(scan(text.replace(right, other, 1))) == rules


def shown(scanned: Scan) -> list[str]:
    """Return what a picture says, with the numbers of lines in place of the lines, and without the signs of names."""
    (picture,) = (function.shared for function in scanned.functions if function.shared is not None)
    counted = picture._replace(slots=()).placed(lambda line: 0)
    return sorted(re.sub("[@%]", "", str(row)) for rows in counted.to_dict().values() for row in rows)


@pytest.mark.parametrize("name", ["100_fp16_tma", long_run("100_i8_tma"), long_run("90_bf16_tma")])
def test_llvm_ir_shows_what_its_ptx_shows(name: str) -> None:
    ptx, ir = (scan(kernel(f"triton_{name}.{form}")) for form in ("ptx", "llir"))
    assert shown(ptx) == shown(ir) != []
    assert not ir.findings


def test_places_that_are_not_known_are_not_compared() -> None:
    unknown = re.sub(r"(UTMALDG\.2D|RZ,) \[(U?R\w+)", r"\1 [\2+0x10+0x20", kernel(OF_EXAMPLES))
    (function,) = scan(unknown).functions
    assert [barrier.at.base for barrier in function.shared.barriers] == ["?"]
    assert not scan(unknown).findings


def test_nothing_is_said_of_sass_of_which_a_part_is_missing() -> None:
    lines = kernel(OF_EXAMPLES).splitlines()
    copies = [number for number, line in enumerate(lines) if "UTMALDG" in line]
    for cut in (lines[: copies[-2]], [*lines[: copies[1]], *lines[copies[1] + 1 :]]):
        assert not scan("\n".join(cut)).findings


def test_the_picture_is_an_object_of_json_and_a_few_lines(tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(kernel(TRITON))
    lines = [json.loads(line) for line in smemdesc("scan", "--json", str(path)).out.splitlines()]
    (picture,) = (line["shared_memory"] for line in lines if "shared_memory" in line)
    assert [(tile["operand"], tile["size"], tile["stage"]) for tile in picture["tiles"]] == [
        ("a", 16384, 16384),
        ("b", 8192, 8192),
    ]
    text = smemdesc("scan", str(path)).out
    rows = text.split("  shared memory\n")[1].split("  4 x ")[0].splitlines()
    assert rows[0].split()[:2] == ["A", "global_smem"]
    assert len([row for row in rows if row[:5].strip()]) <= 8


@pytest.mark.corpus
def test_every_right_kernel_of_triton_is_silent() -> None:
    rules = {rule.name for rule in RULES}
    for name, text in _of_triton().items():
        is_ptx_or_sass = name.endswith((".ptx", ".sass")) and ("cp.async.bulk" in text or "UTMALDG" in text)
        if is_ptx_or_sass or name.endswith(".ttgir"):
            found = {each.rule for each in scan(text).findings}
            assert not {rule for rule in found if rule in rules or rule.startswith("map-")}, name
