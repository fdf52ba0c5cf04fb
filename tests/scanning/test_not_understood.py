"""Tensor-core instructions that are not understood: the line is named, with what is wrong of it."""

from __future__ import annotations

from tables import every_row

from smemdesc.scanning import scan_text

T, A, D = "ptr addrspace(6) %t", "i64 5", "i32 7"
MMA = "call void @llvm.nvvm.tcgen05.mma."
ASM = 'asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 $0, $1, $2;", "l,l,l"(i64 1, i64 2, i64 3)'
LLVM = {
    f"{MMA}shared({T}, {A}, {A})": "argument 4, the instruction descriptor, is missing",
    f"{MMA}shared({T}, {A}, {A}, i64 7, i1 %p)": "the instruction descriptor, must be i32, not i64",
    f"{MMA}shared({T}, i32 5, {A}, {D}, i1 %p)": "argument 2, the descriptor of A, must be i64, not i32",
    f"{MMA}shared({T}, {A}, <2 x i32> %v, {D}, i1 %p)": "argument 3, the descriptor of B, must be i64, not <2 x i32>",
    f"{MMA}tensor({T}, {A}, {A}, {D}, i1 %p)": "argument 2, A in tensor memory, must be ptr, not i64",
    f"{MMA}shared.tensor({T}, {A}, {A}, {D}, i1 %p)": "does not contain the place of A",
    f"{MMA}new.shared({T}, {A}, {A}, {D}, i1 %p)": "new is an unknown form of it",
    f"{MMA[:-1]}({T}, {A}, {A}, {D}, i1 %p)": "does not contain the place of A",
    f"{MMA}ws.shared.zero_col_mask({T}, {A}, {A}, {D}, i1 %p, i32 0)": "no argument after the first five has",
    f"{MMA}shared({T}, {A}, {A}, {D}": "only a complete call is supported",
    "call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(i64 4)": "argument 2, the descriptor, is missing",
    "call { float } @llvm.nvvm.wgmma.mma_async.sync.aligned(i64 4, i64 5)": "its name has no shape and types",
    "call { float } @llvm.nvvm.wgmma.mma_async.m64n12k16.f32.f16.f16(i64 4, i64 5)": "wgmma has no shape and types",
    "call { float } @llvm.nvvm.wgmma.mma_async.m64n8k16.f32.f32.f32(i64 4, i64 5)": "wgmma has no shape and types",
    f"invoke void {ASM} to label %a unwind label %b": "no invoke or callbr",
    "call void " + ASM.replace(', "l,l,l"', ""): "only a complete call is supported",
    f"%r = call i32 {ASM.replace('n8k', 'n9k')}": "inline PTX: operands are missing",
}
TYPES = "(!llvm.ptr<6>, i64, i64, i32, i1)"
MLIR = {
    f"nvvm.tcgen05.mma %t, %a, %b, %n : {TYPES}": "it has 4 operands, but needs at least five",
    f"nvvm.tcgen05.mma %t, %a, %b, %n, %p, %q : {TYPES}": "it has different numbers of operands and types",
    "nvvm.tcgen05.mma %t, %a, %b, %n, %p": "the types of its operands are missing",
    f"nvvm.tcgen05.mma %t, %a, %b, %n, %p : {TYPES.replace('i32', 'i64')}": "operand 4, the instruction",
    f"nvvm.tcgen05.mma.ws %t, %a, %b, %n, %p : {TYPES.replace('i64', '!x')}": "A, must be i64, not !x",
    f"nvvm.tcgen05.mma.new %t, %a, %b, %n, %p : {TYPES}": "this operation is not supported",
    "nvvm.tcgen05.cp %t {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}": "it has 1 operand, but needs an address",
    "%r = nvvm.wgmma.mma_async %a, %b, %c : !m -> !m": "its shape (<m = 64, n = 128, k = 16>) is missing",
    "%r = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 9, k = 16> : !m -> !m": "wgmma has no shape",
    "nvgpu.warpgroup.mma %a, %b, %c : !a, !b, !c -> !c": "the types of A and B are missing",
    'llvm.inline_asm "wgmma.mma_async" : () -> ()': "its string and constraints cannot be read",
    'llvm.inline_asm "tcgen05.mma.cta_group::1.kind::f16 [$0], $1;", "r,l" %t, %a : (i32, i64) -> ()': "inline PTX",
    "ttng.warp_group_dot %a, %b, %c": "the types of its operands are missing",
    "ttng.tc_gen6_mma %a, %b : t": "this operation is not supported",
    "cute_nvgpu.arch.mma.SM107.umma %a, %b : t": "this operation is not supported",
    "cute.gemm(%m, %d, %a, %b, %c) : (!mma, !d, !a, !b, !d)": "the type !mma is not defined before it",
    "cute.gemm(%m, %d, %a, %b, %c) : (!cute.tiled_mma<!cute_nvgpu.sm110.mma<1>>, !d)": "is not supported",
    "cute.gemm(%m, %d) : (!cute_nvgpu.sm90.mma<64x8x16>, !d)": "fewer than four operands",
    "cute.copy(%m, %d, %a)": "the types of its operands are missing",
    "cute.copy(%m, %d, %a) : (!copy, !a, !b)": "the type !copy is not defined before it",
}
GOOD = {
    "LLVM IR": f"{MMA}shared({T}, {A}, {A}, {D}, i1 %p, i32 0, i32 1, i32 0)",
    "MLIR": f"nvvm.tcgen05.mma %t, %a, %b, %n, %p {{kind = #nvvm.tcgen05_mma_kind<f16>}} : {TYPES}",
}
PTX = "wgmma.mma_async.sync.aligned.m64n9999k16.f32.f16.f16 {%f0}, %rd1, %rd1, 1, 1, 1, 0, 0;"
GOOD |= {"SASS": "/*0010*/ HGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;", "PTX": PTX.replace("n9999", "n8")}
HEADS = {"LLVM IR": "define void @f() {", "MLIR": "llvm.func @f() {"}
TABLES = {"LLVM IR": LLVM, "MLIR": MLIR, "SASS": {GOOD["SASS"].replace("x8x", "x100000000x"): ""}, "PTX": {PTX: ""}}
WRONG = [(form, line) for form, table in TABLES.items() for line in table]


@every_row(("form", "line"), WRONG)
@every_row("alone", [True, False])
def test_the_line_and_what_is_wrong_are_named(form: str, line: str, alone: bool) -> None:
    text = (HEADS.get(form, ""), line, "" if alone else GOOD[form], "}" if form in HEADS else "", "")
    part = scan_text("\n".join(text))
    assert [at for at, _ in part.failed] == [2]
    message = part.failed[0][1]
    assert "is not understood, and not checked: " in message
    assert TABLES[form][line] in message
    assert message.endswith("; scan its PTX or SASS") == (form in HEADS)
    assert sum(len(each.mmas) for each in part.functions) == (0 if alone else 1)


SILENT = {
    "LLVM IR": [
        "call void @llvm.nvvm.wgmma.fence.sync.aligned()",
        'call void @"a tcgen05.mma of my own"(i64 5)',
        "call void @llvm.nvvm.tcgen05.mma_smem(i64 5)",
        'call void asm sideeffect "// tcgen05.mma", ""()',
        "call void @f(), !dbg !3 ; wgmma.mma_async",
    ],
    "MLIR": [
        "%d = nvvm.tcgen05.mma_smem_desc (%a, %b, %c, %d, %e, %f) : (i32, i32, i32, i8, i1, i8) -> i64",
        "ttng.tc_gen5_commit %a : t",
        "%0:3 = ttng.warp_group_dot_wait %a, %b, %c : t",
        "cute.copy(%m, %d, %a) : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>>, !a, !b)",
    ],
}


@every_row(("form", "line"), [(form, line) for form, lines in SILENT.items() for line in lines])
def test_what_is_no_such_instruction_is_not(form: str, line: str) -> None:
    part = scan_text("\n".join((HEADS[form], line, GOOD[form], "}", "")))
    assert part.failed == ()
    assert len(part.functions[0].mmas) == 1
