"""What a branch tells of the values that it compares is known where it leads, in each language."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text

MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
SASS = """        Function : k
        /*0000*/                   UMOV UR8, URZ ;
        /*0010*/                   UMOV UR5, 0x40000040 ;
.L_x_0:
        /*0020*/                   USHF.L.U32 UR4, UR8, 0x4, URZ ;
        /*0030*/                   HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, !UPT, gsb0 ;
        /*0040*/                   UIADD3 UR8, UR8, 0x1, URZ ;
        /*0050*/                   UISETP.NE.U32.AND UP0, UPT, UR8, 0x4, UPT ;
        /*0060*/                   @UP0 BRA `(.L_x_1) ;
        /*0070*/                   UMOV UR8, URZ ;
.L_x_1:
        /*0080*/                   @P0 BRA `(.L_x_0) ;
        /*0090*/                   EXIT ;
"""
PTX = f""".visible .entry k() {{
.reg .b32 %i; .reg .b64 %d; .reg .pred %p, %q; .reg .f32 %f<4>;
mov.u32 %i, 0;
L0: shl.b32 %s, %i, 4;
mov.b64 %d, {{%s, 1073741888}};
{MMA} {{%f0, %f1, %f2, %f3}}, %d, %d, 1, 1, 1, 0, 0;
add.u32 %i, %i, 1;
setp.ne.u32 %p, %i, 4;
@%p bra L1;
mov.u32 %i, 0;
L1: @%q bra L0;
ret;
}}
"""
LLVM = f"""define void @k(i1 %more) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %back ]
  %s = shl i32 %i, 4
  %z = zext i32 %s to i64
  %d = or i64 %z, 4611686293305294848
  call void asm sideeffect "{MMA} {{%f0, %f1, %f2, %f3}}, $0, $0, 1, 1, 1, 0, 0;", "l"(i64 %d)
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 4
  br i1 %c, label %wrap, label %back
wrap:
  br label %back
back:
  %next = phi i32 [ 0, %wrap ], [ %j, %loop ]
  br i1 %more, label %loop, label %out
out:
  ret void
}}
"""
_BODY = f"""  %s = arith.shli %i, %four : i32
  %z = arith.extui %s : i32 to i64
  %d = arith.ori %z, %upper : i64
  llvm.inline_asm has_side_effects "{MMA} {{%f0, %f1, %f2, %f3}}, $0, $0, 1, 1, 1, 0, 0;", "l" %d : (i64) -> ()
  %j = arith.addi %i, %one : i32
"""
_HEAD = """llvm.func @k(%more: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %upper = arith.constant 4611686293305294848 : i64
"""
BLOCKS = f"""{_HEAD}  cf.br ^loop(%zero : i32)
^loop(%i: i32):
{_BODY}  %c = arith.cmpi eq, %j, %four : i32
  cf.cond_br %c, ^back(%zero : i32), ^back(%j : i32)
^back(%next: i32):
  cf.cond_br %more, ^loop(%next : i32), ^out
^out:
  llvm.return
}}
"""
REGIONS = f"""{_HEAD}  %n = arith.constant 9 : i32
  %end = scf.for %k = %zero to %n step %one iter_args(%i = %zero) -> (i32) : i32 {{
{_BODY}  %c = arith.cmpi eq, %j, %four : i32
  %next = scf.if %c -> (i32) {{
    scf.yield %zero : i32
  }} else {{
    scf.yield %j : i32
  }}
  scf.yield %next : i32
  }}
  llvm.return
}}
"""


@pytest.mark.parametrize(
    "text", [SASS, PTX, LLVM, BLOCKS, REGIONS], ids=["SASS", "PTX", "LLVM IR", "blocks of MLIR", "regions of MLIR"]
)
def test_the_stage_of_a_ring_that_a_branch_sets_back_stays_below_the_number_of_stages(text: str) -> None:
    (mma,) = scan_text(text).functions[0].mmas
    assert mma.a is not None
    assert (mma.a.bits & 0xFFFFFFFF, mma.a.known & 0xFFFFFFFF) == (0, 0xFFFFFFCF)


BELOW = {
    "LLVM IR": f"""define void @k(i32 %i) {{
  %c = icmp ult i32 %i, 4
  br i1 %c, label %below, label %out
below:
  %s = shl i32 %i, 4
  %z = zext i32 %s to i64
  %d = or i64 %z, 4611686293305294848
  call void asm sideeffect "{MMA} {{%f0, %f1, %f2, %f3}}, $0, $0, 1, 1, 1, 0, 0;", "l"(i64 %d)
  br label %out
out:
  ret void
}}
""",
    "blocks of MLIR": f"""{_HEAD.replace("%more: i1", "%i: i32")}  %c = arith.cmpi ult, %i, %four : i32
  cf.cond_br %c, ^below, ^out
^below:
{_BODY}  cf.br ^out
^out:
  llvm.return
}}
""",
    "a region in a block": f"""{_HEAD.replace("%more: i1", "%i: i32, %more: i1")}  %c = arith.cmpi uge, %i, %four : i32
  cf.cond_br %c, ^out, ^below
^below:
  scf.if %more {{
{_BODY}  }}
  cf.br ^out
^out:
  llvm.return
}}
""",
    "a loop that counts": f"""{_HEAD}  scf.for %i = %zero to %four step %one : i32 {{
{_BODY}  }}
  llvm.return
}}
""",
    "behind a region": f"""{_HEAD.replace("%more: i1", "%i: i32, %more: i1")}  %c = arith.cmpi uge, %i, %four : i32
  cf.cond_br %c, ^out, ^below
^below:
  scf.if %more {{
  }}
{_BODY}  cf.br ^out
^out:
  llvm.return
}}
""",
}


@pytest.mark.parametrize("name", BELOW)
def test_what_a_branch_tells_is_known_in_the_blocks_below_it(name: str) -> None:
    (mma,) = scan_text(BELOW[name]).functions[0].mmas
    assert mma.a is not None
    assert (mma.a.bits & 0xFFFFFFFF, mma.a.known & 0xFFFFFFFF) == (0, 0xFFFFFFCF)
