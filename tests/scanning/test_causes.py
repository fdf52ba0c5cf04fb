"""What the line where bits were lost takes them from."""

from __future__ import annotations

import pytest

from smemdesc.scanning.causes import ARGUMENT, CALL, MEMORY, SPECIAL, why


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("ULDC.64 UR14, c[0x0][0x240]", ARGUMENT),
        ("@P1 LDC R6, c[0x0][0x2b0]", ARGUMENT),
        ("LDCU UR11, c[0x0][0x380]", ARGUMENT),
        ("IMAD R4, R5, c[0x0][0x210], RZ", ARGUMENT),
        ("LDC.64 R2, c[0x0][R4+0x210]", ARGUMENT),
        ("ld.param.u32 %r1, [stages]", ARGUMENT),
        ("LDC R1, c[0x0][0x28]", None),
        ("LDS.128 R8, [UR4+0xa0]", MEMORY),
        ("@!P0 LDG.E R6, desc[UR6][R6.64]", MEMORY),
        ("LD.E R5, desc[UR20][R12.64]", MEMORY),
        ("ATOMG.E.ADD R6, [R2], R8", MEMORY),
        ("LDC R4, c[0x3][0x10]", MEMORY),
        ("@%p1 ld.global.b32 %r1, [%rd1]", MEMORY),
        ("ld.shared::cta.u64 %rd1, [%r1]", MEMORY),
        ("S2UR UR7, SR_CTAID.X", SPECIAL),
        ("CS2R R4, SR_CLOCKLO", SPECIAL),
        ("mov.u32 %r2, %tid.x", SPECIAL),
        ("CALL.REL.NOINC `(f)", CALL),
        ("call.uni (%r1), f, (%r2)", CALL),
        ("LDL R5, [R1+0x10]", None),
        ("ld.local.b32 %r1, [%rd1]", None),
        ("USEL UR4, UR4, 0xfffff000, !UP1", None),
        ("mov.u32 %r2, %r3", None),
        ("UIADD3 UR4, UR5, 0x2, URZ", None),
        ("ptr addrspace(1) noundef align 16 %x", ARGUMENT),
        ("%x: i64", ARGUMENT),
        ("%x:2 = scf.for %i = %a to %b {", None),
        ("%a = load i32, ptr addrspace(3) %p, align 4", MEMORY),
        ("%a = load i32, ptr addrspace(5) %p", None),
        ("%a = load i32, ptr %p", None),
        ("%a = llvm.load %p : !llvm.ptr<3> -> i64", MEMORY),
        ("%a = llvm.load %p : !llvm.ptr -> i64", None),
        ("%a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic", MEMORY),
        ("%5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()", SPECIAL),
        ('%5 = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"()', SPECIAL),
        ("%5 = nvvm.read.ptx.sreg.ctaid.x : i32", SPECIAL),
        ("%5 = gpu.block_id x", SPECIAL),
        ("%r = call i64 @g(i64 5)", CALL),
        ("%r = call i64 @llvm.fshl.i64(i64 1, i64 2, i64 3)", None),
        ("%r = llvm.call @g(%a) : (i64) -> i64", CALL),
        ("%r = add i64 %a, %b", None),
    ],
)
def test_why(text: str, cause: str | None) -> None:
    assert why(text) == cause
