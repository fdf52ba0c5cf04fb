"""One kernel has one cta_group: an instruction beside one of another is an error, in every language."""

from __future__ import annotations

from tables import every_row

import smemdesc

PTX = """.version 8.7
.target sm_100a
.visible .entry k()
{
mov.b64 %rd1, 4611756662049538112; mov.b32 %r1, 136316048;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd1, %r1, %p1;
// tcgen05.commit.cta_group::1.b64 [%r4];
LINE
ret;
}
.visible .entry another()
{
mov.b64 %rd1, 4611756662049538112;
tcgen05.cp.cta_group::2.128x256b [%r2], %rd1;
}
"""
SASS = """	.section	.text.k,"ax",@progbits
.text.k:
        /*0000*/                   UMOV UR5, 0x40004040 ;
        /*0010*/                   UTCHMMA gdesc[UR4], gdesc[UR4], tmem[UR5], tmem[UR6], idesc[UR7], UP0 ;
        /*0020*/                   LINE ;
        /*0030*/                   UTCATOMSWS.AND URZ, UR7 ;
        /*0040*/                   EXIT ;
"""
LLVM = """define void @k(ptr addrspace(6) %t, ptr %b) {
  call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) %t, i64 77)
  LINE
  ret void
}
"""
MLIR = """llvm.func @k(%t: !llvm.ptr<6>, %b: !llvm.ptr) {
  %a = llvm.mlir.constant(4611756662049538112 : i64) : i64
  nvvm.tcgen05.cp %t, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>, group = #nvvm.cta_group<cta_1>}
  LINE
  llvm.return
}
"""
COMMIT = "mbarrier::arrive::one.shared::cluster.b64 [%r4];"
CASES = [
    *((PTX, f"tcgen05.commit.cta_group::{group}.{COMMIT}", group == 2) for group in (1, 2)),
    *((PTX, f"tcgen05.{name}.cta_group::2.sync.aligned.b32 %r2, 128;", True) for name in ("alloc", "dealloc")),
    (PTX, "tcgen05.shift.cta_group::2.down [%r2];", True),
    (PTX, "tcgen05.cp.cta_group::2.128x256b [%r2], %rd1;", True),
    (PTX, "tcgen05.wait::ld.sync.aligned;", False),
    (SASS, "UTCBAR.2CTA [UR4], URZ", True),
    (SASS, "UTCBAR.2CTA.MULTICAST [UR8], URZ, UR7", True),
    (SASS, "UTCATOMSWS.2CTA.FIND_AND_SET.ALIGN UP0, UR6, UR6", True),
    (SASS, "UTCCP.T.S.2CTA tmem[UR6], gdesc[UR4]", True),
    (SASS, "UTCSHIFT.2CTA.DOWN tmem[UR6]", True),
    (SASS, "UTCBAR [UR4], URZ", False),
    (SASS, "UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR6, UR6", False),
    *((LLVM, f"call void @llvm.nvvm.tcgen05.commit.cg{n}(ptr %b)", n == 2) for n in (1, 2)),
    (LLVM, f'call void asm sideeffect "tcgen05.commit.cta_group::2.{COMMIT}", ""()', True),
    (LLVM, "call void @llvm.nvvm.tcgen05.alloc.cg2(ptr %b, i32 128)", True),
    *((MLIR, f"nvvm.tcgen05.commit %b {{group = #nvvm.cta_group<cta_{n}>}} : !llvm.ptr", n == 2) for n in (1, 2)),
    (MLIR, "nvvm.tcgen05.commit %b : !llvm.ptr", False),
]


@every_row(("text", "line", "mixed"), CASES)
def test_one_kernel_has_one_cta_group(text: str, line: str, mixed: bool) -> None:
    first = smemdesc.scan(text.replace("LINE", line).encode()).instructions[0]
    assert ("mixed-cta-group" in [each.rule for _, each in first.judged.findings]) == mixed
