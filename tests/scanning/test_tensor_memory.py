"""Places in tensor memory that do not exist, or that a kernel did not allocate, in every language and format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from corpus.dumps import dumps
from run import smemdesc as run
from samples import long_run
from tables import every_row

import smemdesc
from smemdesc.layout.tmem import DATA_PATHS
from smemdesc.layout.tmem_load import SHAPES

OUTSIDE, LANE, NOT_ALLOCATED = "outside-tensor-memory", "first-lane", "not-allocated"
SIZE, FREED = "allocation-size", "freed-columns"
RULES = {OUTSIDE, LANE, NOT_ALLOCATED, SIZE, FREED}
IDESC = 0x08200490
"""M 128, N 128, bf16."""


def idesc(m: int, n: int) -> int:
    return 0x490 | n // 8 << 17 | m // 16 << 24


def ptx(code: str, mma: str = "tcgen05.mma", value: int = IDESC, head: str = ".visible .entry k()") -> str:
    return (
        f".version 8.7\n.target sm_100a\n{head}\n{{\nmov.b64 %rd1, 0x4000404000010040;\n"
        f"mov.b64 %rd2, 0x4000404000010440;\nmov.b32 %r1, {value:#x};\n{code}\n"
        f"{mma}.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;\nret;\n}}\n"
    )


def sass(code: str) -> str:
    lines = ["UMOV UR4, 0x10040", "UMOV UR5, 0x40004040", "UMOV UR6, 0x10440", "UMOV UR7, 0x40004040"]
    lines += [f"UMOV UR9, {IDESC:#x}", *code.split("\n")]
    lines += ["UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR10], tmem[UR8], idesc[UR9], UPT", "EXIT"]
    rows = "".join(f"        /*{16 * at:04x}*/                   {line} ;\n" for at, line in enumerate(lines))
    return f'\t.headerflags\t@"EF_CUDA_SM100"\n\t.section\t.text.k,"ax",@progbits\n.text.k:\n{rows}'


def llvm(code: str) -> str:
    return (
        "@slot = external addrspace(3) global [64 x i32], align 16\ndefine ptx_kernel void @k(i1 %p) {\n"
        f"{code}\n"
        "  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 4611756662049538112, "
        f"i64 4611756662049539136, i32 {IDESC}, i1 %p, i32 0, i32 1, i32 0)\n  ret void\n}}\n"
    )


def mlir(code: str) -> str:
    return (
        "llvm.func @k(%p: i1, %slot: !llvm.ptr<3>) attributes {nvvm.kernel} {\n"
        "  %a = llvm.mlir.constant(4611756662049538112 : i64) : i64\n"
        f"  %i = llvm.mlir.constant({IDESC} : i32) : i32\n{code}\n"
        "  nvvm.tcgen05.mma %d, %a, %a, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} "
        ": (!llvm.ptr<6>, i64, i64, i32, i1)\n  llvm.return\n}\n"
    )


def asm(code: str, constraints: str, *arguments: str) -> str:
    return f'  call void asm sideeffect "{code}", "{constraints}"({", ".join(arguments)})'


class Language(NamedTuple):
    """How a language writes a kernel with an MMA."""

    at: Callable[[int], str]
    """One whose D is at an address."""
    allocating: Callable[[int, int], str]
    """One that allocates columns, and whose D begins so many columns after them."""


LANGUAGES = {
    "PTX": Language(
        lambda at: ptx(f"mov.b32 %r2, {at};"),
        lambda columns, after: ptx(
            f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], {columns};\n"
            f"ld.shared.b32 %r4, [%r5];\nadd.s32 %r2, %r4, {after};"
        ),
    ),
    "SASS": Language(
        lambda at: sass(f"UMOV UR10, {at:#x}"),
        lambda columns, after: sass(
            f"UMOV UR11, {columns // 32:#x}\nUTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR11, UR11\n"
            f"UMOV UR11, {columns // 32:#x}\nNANOSLEEP 0x64\nUTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR11, UR11\n"
            f"LDS R0, [UR12]\nIADD3 R0, PT, PT, R0, {after:#x}, RZ\nR2UR UR10, R0"
        ),
    ),
    "LLVM IR": Language(
        lambda at: llvm(f"  %d = inttoptr i32 {at} to ptr addrspace(6)"),
        lambda columns, after: llvm(
            f"  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) @slot, i32 {columns})\n"
            f"  %v = load i32, ptr addrspace(3) @slot, align 4\n  %s = add i32 %v, {after}\n"
            "  %d = inttoptr i32 %s to ptr addrspace(6)"
        ),
    ),
    "LLVM IR, inline": Language(
        lambda at: llvm(f"  %d = inttoptr i32 {at} to ptr addrspace(6)"),
        lambda columns, after: llvm(
            asm(f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], {columns};", "r", "i32 7")
            + f"\n  %v = load i32, ptr addrspace(3) @slot, align 4\n  %s = add i32 %v, {after}\n"
            "  %d = inttoptr i32 %s to ptr addrspace(6)"
        ),
    ),
    "MLIR": Language(
        lambda at: mlir(f"  %v = llvm.mlir.constant({at} : i32) : i32\n  %d = llvm.inttoptr %v : i32 to !llvm.ptr<6>"),
        lambda columns, after: mlir(
            f"  %n = llvm.mlir.constant({columns} : i32) : i32\n  %o = llvm.mlir.constant({after} : i32) : i32\n"
            "  nvvm.tcgen05.alloc %slot, %n : !llvm.ptr<3>, i32\n"
            "  %l = llvm.load %slot : !llvm.ptr<3> -> i32\n  %s = llvm.add %l, %o : i32\n"
            "  %d = llvm.inttoptr %s : i32 to !llvm.ptr<6>"
        ),
    ),
}


def found(text: str) -> set[str]:
    """Return the rules about tensor memory that a scan of a text applies to."""
    scan = smemdesc.scan(text)
    assert not scan.failed, text
    return {finding.rule for finding in scan.findings} & RULES


PLACES = [
    *((at, set[str]()) for at in (0, 384, 100)),
    *((at, {OUTSIDE}) for at in (385, 511, 512, 600, 128 << 16, 0xFFFF0000)),
    *((lane << 16, {LANE}) for lane in (1, 16, 64)),
]


@pytest.mark.slow
@every_row(("language", "at", "rules"), [(name, *row) for name in LANGUAGES for row in PLACES])
def test_a_d_of_128_columns_is_where_it_can_be(language: str, at: int, rules: set[str]) -> None:
    assert found(LANGUAGES[language].at(at)) == rules


ALLOCATED = [
    *((columns, 0, columns < 128) for columns in (32, 64, 128, 256, 512)),
    *((columns, after, 128 + after > columns) for columns in (128, 256, 512) for after in (1, 32, 128, 384)),
]


@pytest.mark.slow
@every_row(("language", "columns", "after", "wrong"), [(name, *row) for name in LANGUAGES for row in ALLOCATED])
def test_a_d_of_128_columns_lies_in_what_is_allocated(language: str, columns: int, after: int, wrong: bool) -> None:
    assert found(LANGUAGES[language].allocating(columns, after)) == ({NOT_ALLOCATED} if wrong else set())


@every_row(("language", "columns"), [(name, columns) for name in LANGUAGES for columns in (96, 1024, 544)])
def test_columns_are_allocated_by_powers_of_two(language: str, columns: int) -> None:
    text = LANGUAGES[language].allocating(columns, 0)
    assert found(text) == {SIZE} | ({NOT_ALLOCATED} if columns < 128 else set())


@every_row(("at", "rules"), [(0, set()), (128, set()), (129, {NOT_ALLOCATED}), (384, {NOT_ALLOCATED})])
def test_a_d_whose_address_is_a_number_lies_in_what_is_allocated(at: int, rules: set[str]) -> None:
    alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 256;"
    assert found(ptx(f"{alloc}\nmov.b32 %r2, {at};")) == rules


FREE = {
    "PTX": ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, {};", "ret;"),
    "LLVM IR": ("  call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) %d, i32 {})", "  ret void"),
    "LLVM IR, inline": (
        asm("tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, $1;", "r,r", "i32 %v", "i32 {}"),
        "  ret void",
    ),
    "MLIR": (
        "  %f{1} = llvm.mlir.constant({0} : i32) : i32\n  nvvm.tcgen05.dealloc %d, %f{1} : !llvm.ptr<6>, i32",
        "  llvm.return",
    ),
}
"""How a language frees columns, and what comes after."""
FREED_COLUMNS = [
    *((128, (128,), set[str]()), (256, (128,), {FREED}), (256, (512,), {FREED}), (256, (128, 128), {FREED})),
    *((256, (256, 256), set[str]()), (256, (96,), {FREED, SIZE}), (256, (), set[str]())),
]  # fmt: skip


@every_row(("language", "columns", "freed", "rules"), [(name, *row) for name in FREE for row in FREED_COLUMNS])
def test_what_is_allocated_is_freed(language: str, columns: int, freed: tuple[int, ...], rules: set[str]) -> None:
    text = LANGUAGES[language].allocating(columns, 0)
    call, after = FREE[language]
    calls = "\n".join(call.format(number, at) for at, number in enumerate(freed))
    assert found(text.replace(after, f"{calls}\n{after}")) == rules


CASES = [
    (path, "tcgen05.mma.ws" if path.ws else "tcgen05.mma")
    for path in DATA_PATHS
    if path.cta_group == 1 and path.name != "A"
]


@every_row(("path", "mma"), CASES)
def test_every_layout_takes_the_columns_that_it_takes(path: object, mma: str) -> None:
    """The last column at which D fits is right, the next one is not; a layout in half of the lanes has two of them."""
    (path,) = (each for each in DATA_PATHS if each is path)
    n = 128
    columns = n // path.parts
    for lane in (0, 8, 16, 32):
        for column in (512 - columns, 512 - columns + 1):
            text = ptx(f"mov.b32 %r2, {lane << 16 | column};", mma, idesc(path.m, n))
            allowed = lane in ((0, 16) if path.half else (0,))
            want = ({OUTSIDE} if column + columns > 512 else set()) | (set() if allowed else {LANE})
            assert found(text) == want, text


ACCESSES = [(shape, times) for shape in SHAPES for times in (1, 4, shape.most)]


@pytest.mark.slow
@every_row(("shape", "times"), ACCESSES)
def test_every_load_and_store_is_where_it_can_be(shape: object, times: int) -> None:
    (shape,) = (each for each in SHAPES if each is shape)
    split = ", 0" if shape.name == "16x32bx2" else ""
    columns = times if split else times * shape.words
    for lane, at in ((0, 512 - columns), (shape.lanes, 0), (0, 513 - columns), (8, 0), (112, 0), (128, 0)):
        address = f"mov.b32 %r3, {lane << 16 | at};\n"
        name = f"sync.aligned.{shape.name}.x{times}.b32"
        want = {OUTSIDE} if at + columns > 512 or lane > 127 else {LANE} if lane % shape.lanes else set()
        for code in (f"tcgen05.ld.{name} {{%r4}}, [%r3]{split};", f"tcgen05.st.{name} [%r3]{split}, {{%r4}};"):
            assert found(ptx(f"mov.b32 %r2, 0;\n{address}{code}")) == want, code
            assert found(f".version 8.7\n.target sm_100a\n.entry k()\n{{\n{address}{code}\nret;\n}}\n") == want, code


OTHERS = [
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 505;\ntcgen05.shift.cta_group::1.down [%r3];"), {OUTSIDE}),
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 504;\ntcgen05.shift.cta_group::1.down [%r3];"), set()),
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 505;\ntcgen05.cp.cta_group::1.128x256b [%r3], %rd1;"), {OUTSIDE}),
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 0x100000;\ntcgen05.cp.cta_group::1.128x256b [%r3], %rd1;"), {LANE}),
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 504;\ntcgen05.cp.cta_group::1.128x256b [%r3], %rd1;"), set()),
    (ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 480;\ntcgen05.ld.sync.aligned.16x32bx2.x16.b32 {%r4}, [%r3], 32;"), {OUTSIDE}),
    (
        ptx("mov.b32 %r2, 0;\nmov.b32 %r3, 508;\ntcgen05.ld.sync.aligned.32x32b.x4.pack::16b.b32 {%r4}, [%r3];"),
        {OUTSIDE},
    ),
    (sass("UMOV UR10, 0x0\nLDTM.x4 R4, tmem[UR10+0x1fc]"), set()),
    (sass("UMOV UR10, 0x0\nLDTM.x4 R4, tmem[UR10+0x1fd]"), {OUTSIDE}),
    (sass("UMOV UR10, 0x0\nSTTM.x8 tmem[UR10+0x1fc], R4"), {OUTSIDE}),
    (sass("UMOV UR10, 0x0\nLDTM.16dp64bit R4, tmem[UR10+0x80000]"), {LANE}),
    (sass("UMOV UR10, 0x0\nLDTM.16dp256bit.x2 R4, tmem[UR10+0x1f0]"), set()),
    (sass("UMOV UR10, 0x0\nLDTM.16dp256bit.x2 R4, tmem[UR10+0x1f1]"), {OUTSIDE}),
    (sass("UMOV UR10, 0x0\nLDTM.16dp32bit_t16_t31.x32 R4, tmem[UR10+0x1e0]"), set()),
    *(
        (
            llvm(
                "  %d = inttoptr i32 0 to ptr addrspace(6)\n"
                f"  %l = inttoptr i32 {at} to ptr addrspace(6)\n"
                "  %x = call <4 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x4(ptr addrspace(6) %l, i1 false)"
            ),
            rules,
        )
        for at, rules in ((508, set[str]()), (509, {OUTSIDE}), (16 << 16, {LANE}))
    ),
    *(
        (
            mlir(
                "  %v = llvm.mlir.constant(0 : i32) : i32\n  %d = llvm.inttoptr %v : i32 to !llvm.ptr<6>\n"
                f"  %w = llvm.mlir.constant({at} : i32) : i32\n  %l = llvm.inttoptr %w : i32 to !llvm.ptr<6>\n"
                "  %x = nvvm.tcgen05.ld %l {num = 4 : i32, shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} "
                ": vector<4xi32>"
            ),
            rules,
        )
        for at, rules in ((508, set[str]()), (509, {OUTSIDE}), (16 << 16, {LANE}))
    ),
]


@every_row(("text", "rules"), OTHERS)
def test_other_accesses_are_where_they_can_be(text: str, rules: set[str]) -> None:
    assert found(text) == rules


_ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], {};\n"
_LOAD = "ld.shared.b32 %r2, [%r5];"
SILENT = [
    ptx(_ALLOC.format(64) * 2 + _LOAD),  # which of them is D's is not known
    ptx(_ALLOC.format("%r6") + _LOAD),
    ptx(_LOAD),
    ptx(_ALLOC.format(64) + _LOAD, head=".visible .func k()"),  # D may be the caller's
    ptx(_ALLOC.format(64) + "call.uni allocate, ();\n" + _LOAD),
    ptx(_ALLOC.format(64) + _LOAD).rpartition("ret;")[0],
    ptx(_ALLOC.format(128) + "ld.shared.b32 %r4, [%r5];\nadd.s32 %r2, %r4, %r6;"),
    ptx(_ALLOC.format(128) + "ld.global.b32 %r4, [%rd7];\nadd.s32 %r2, %r4, 64;"),
    LANGUAGES["SASS"].allocating(64, 0).replace("R2UR UR10, R0", "CALL.ABS.NOINC R2"),
    LANGUAGES["SASS"].allocating(64, 0).replace("EXIT", "RET.REL.NODEC R2 0x0"),
    LANGUAGES["LLVM IR"].allocating(64, 0).replace("ptx_kernel ", ""),
    LANGUAGES["MLIR"].allocating(64, 0).replace(" attributes {nvvm.kernel}", ""),
]


@every_row("text", SILENT)
def test_what_is_not_certain_is_not_said(text: str) -> None:
    assert found(text) == set()


def test_d_and_what_lies_beside_it_fit_together() -> None:
    """The scale factors of A and of B may be the same, but not D."""
    code = _ALLOC.format("{}") + "ld.shared.b32 %r2, [%r5];\nadd.s32 %r3, %r2, 128;"
    text = ptx(code, value=0x08A00000).replace("kind::f16 [%r2]", "kind::mxf8f6f4.block_scale.scale_vec::1X [%r2]")
    text = text.replace("%r1, %p1", "%r1, [%r3], [%r3], %p1")
    assert found(text.replace("{}", "128", 1)) == {NOT_ALLOCATED}
    assert found(text.replace("{}", "256", 1)) == set()


_FREED = re.compile(r"(tcgen05\.dealloc\.[\w.:]+ [%$]?\w+, )(\d+)")
_COUNT = re.compile(r"(tcgen05\.alloc\.[\w.:]+ \[[^\]]+\], )(\d+)")


@pytest.mark.slow
@pytest.mark.parametrize(("every", "least"), [(8, 3), long_run(2, 12)])
def test_no_stored_kernel_allocates_too_little_and_every_smaller_allocation_is_found(every: int, least: int) -> None:
    judged = 0
    for name, text, _ in list(dumps("triton"))[::every]:
        if _COUNT.search(text):
            assert found(text) == set(), name
            small, count = _COUNT.subn(r"\g<1>32", text)
            assert count == 1
            assert found(small) == {NOT_ALLOCATED, FREED}, name
            assert found(_FREED.sub(r"\g<1>32", text)) == {FREED}, name
            judged += 1
    assert judged > least


WRONG = """.version 8.7
.target sm_100a
.entry k()
{
mov.b64 %d1, 0x4000404000010040;
mov.b64 %d2, 0x4000404000010440;
mov.b32 %r3, 0x8400490;
mov.b32 %r4, 400;
tcgen05.mma.cta_group::1.kind::f16 [%r4], %d1, %d2, %r3, %p1;
mov.b32 %r5, 0x00080010;
tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r6}, [%r5];
mov.b32 %r5, 600;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r6}, [%r5];
mov.b32 %r5, 0x00800000;
tcgen05.mma.cta_group::1.kind::f16 [%r5], %d1, %d2, %r3, %p1;
ret;
}
"""
LINES = {9: OUTSIDE, 11: LANE, 13: OUTSIDE, 15: OUTSIDE}
LOADS_ONLY = "".join(line for line in WRONG.splitlines(keepends=True) if "tcgen05.mma" not in line)


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.ptx"
    path.write_text(WRONG)
    return str(path)


def test_every_format_names_each_place(wrong: str) -> None:
    text = run("scan", wrong).out
    for words in ("columns 400 to 655", "begins at lane 8", "begins at column 600", "begins at lane 128"):
        assert words in text
    assert "2 MMAs and 2 tcgen05.ld" in text
    short = run("scan", "--format", "short", wrong).out
    assert {int(line.split(":")[1]): line.split(": ")[2] for line in short.splitlines()} == LINES
    assert run("scan", "--format", "github", wrong).out.count("::error ") == 4
    sarif = json.loads(run("scan", "--format", "sarif", wrong).out)
    assert {entry["ruleId"] for entry in sarif["runs"][0]["results"]} == {OUTSIDE, LANE}
    rows = [json.loads(line) for line in run("scan", "--json", wrong).out.splitlines()]
    assert {row["line"]: row["findings"][0]["rule"] for row in rows} == LINES
    assert rows[1]["tensor_memory"]["at"]["lane"] == 8


@every_row("text", [WRONG, LOADS_ONLY])
def test_the_status_and_python_say_so(text: str) -> None:
    for option in ("--check", "--strict"):
        ran = run("scan", option, "-", stdin=text)
        assert (ran.status, ran.err) == (1, "")
    assert run("scan", "--check", "--only", LANE, "-", stdin=text).status == 1
    scan = smemdesc.scan(text)
    assert not scan.ok
    rows = text.splitlines()
    expected = {line: rule for line, rule in LINES.items() if WRONG.splitlines()[line - 1] in rows}
    assert len({finding.where.line for finding in scan.findings}) == len(expected)


SCALED = (
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 256;\n"
    "ld.shared.b32 %r2, [%r5];\nadd.s32 %r3, %r2, 128;\nadd.s32 %r4, %r2, 132;"
)


def scaled(code: str) -> str:
    text = ptx(code, value=0x08A00000).replace("kind::f16 [%r2]", "kind::mxf8f6f4.block_scale.scale_vec::1X [%r2]")
    return text.replace("%r1, %p1", "%r1, [%r3], [%r4], %p1")


@every_row(
    ("text", "shown", "used"),
    [
        (scaled(SCALED), "allocated 256 columns, used 136 (D 0..127; scale factors of A 128..131; "
         "scale factors of B 132..135)", 136),
        (scaled(SCALED.replace("128;", "%r7;")), "allocated 256 columns, used at least 132 (D 0..127; "
         "scale factors of B 132..135)", None),
        (ptx(SCALED.replace("256;", "%r7;")), "allocated an unknown number of columns, used 128 (D 0..127)", 128),
        (ptx(SCALED.replace("ld.shared.b32 %r2, [%r5];", "")), "allocated 256 columns", None),
        (ptx(SCALED, value=idesc(64, 128)), "allocated 256 columns, used 128 (D 0..127)", 128),
    ],
)  # fmt: skip
def test_the_picture_of_tensor_memory(text: str, shown: str, used: int | None) -> None:
    out = run("scan", "-", stdin=text).out
    (line,) = (line for line in out.splitlines() if "tensor memory: " in line and "allocated" in line)
    assert line.strip() == f"tensor memory: {shown}"
    [function] = smemdesc.scan(text).files[0].part.functions
    assert function.tensor_memory.to_dict()["used"] == used
    assert ("not judged" in run("scan", "--all", "-", stdin=text).out) == (used is None)


def test_two_accumulators_of_64_rows_share_their_columns() -> None:
    text = ptx(SCALED.replace("add.s32 %r3, %r2, 128;", "add.s32 %r3, %r2, 0x100000;"), value=idesc(64, 128))
    line = next(line for line in text.splitlines() if "tcgen05.mma" in line)
    both = text.replace(line, f"{line}\n{line.replace('[%r2]', '[%r3]')}")
    assert "used 128 (D 0..127)" in run("scan", "-", stdin=both).out
    assert found(both.replace("256;", "128;")) == set()


def test_a_selection_has_no_picture() -> None:
    assert "allocated" not in run("scan", "--kind", "idesc", "-", stdin=scaled(SCALED)).out
