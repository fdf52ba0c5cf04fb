"""What instructions make of known bits, one by one. ``%u`` is not known, ``%b`` is a byte, ``%c`` is 0xf0f00ff1."""

from __future__ import annotations

import pytest

from smemdesc.scanning.ptx import Module

from .asking import held, low

FULL = 0xFFFFFFFF
GIVEN = "ld.param.b32 %u, [k_param_0]; and.b32 %b, %u, 255; mov.b32 %c, 0xf0f00ff1; ld.param.b64 %ud, [k_param_0];"

WORDS = {
    "mov.b32 %x, 136381584;": (136381584, FULL),
    "mov.s32 %x, -2;": (0xFFFFFFFE, FULL),
    "mov.u32 %x, 0x10U;": (16, FULL),
    "mov.u32 %x, 0b101;": (5, FULL),
    "mov.u32 %x, 017;": (15, FULL),
    "mov.f32 %x, 0f3F800000;": (0x3F800000, FULL),
    "mov.u32 %x, 089;": (0, 0),
    "mov.b32 %x, WARP_SZ;": (32, FULL),
    "mov.u32 %x, %tid.x;": (0, FULL & ~1023),
    "mov.u32 %x, %tid.z;": (0, FULL & ~63),
    "mov.u32 %x, %laneid;": (0, FULL & ~31),
    "mov.u32 %x, %clock;": (0, 0),
    "and.b32 %x, %u, 0xff0;": (0, FULL & ~0xFF0),
    "or.b32 %x, %u, 0xff0;": (0xFF0, 0xFF0),
    "xor.b32 %x, %b, 0x1ff;": (0x100, FULL & ~255),
    "not.b32 %x, %b;": (FULL & ~255, FULL & ~255),
    "cnot.b32 %x, %u;": (0, FULL & ~1),
    "cnot.b32 %x, %c;": (0, FULL),
    "lop3.b32 %x, %u, %c, 0xf, 0x40;": (0, ~0xF0F00FF0 & FULL),
    "lop3.b32 %x, %u, 7, 8, 0xf0;": (0, 0),
    "lop3.or.b32 %x|%p1, 1, 2, 3, 0xfe, %p2;": (0, 0),
    "shl.b32 %x, %b, 8;": (0, FULL & ~0xFF00),
    "shl.b32 %x, %u, 32;": (0, FULL),
    "shl.b32 %x, 1, %b;": (0, 0),
    "shr.u32 %x, %u, 4;": (0, 0xF0000000),
    "shr.s32 %x, %c, 60;": (FULL, FULL),
    "shr.b32 %x, %c, 4;": (0x0F0F00FF, FULL),
    "shf.l.wrap.b32 %x, %c, %b, 36;": (0xF, 0xFFFFF00F),
    "shf.r.clamp.b32 %x, %u, %c, 64;": (0xF0F00FF1, FULL),
    "add.s32 %x, %b, 256;": (256, FULL & ~255),
    "add.u32 %x, %b, 1;": (0, FULL & ~511),
    "add.sat.s32 %x, 1, 1;": (0, 0),
    "add.u16x2 %x, 1, 1;": (0, 0),
    "add.f32 %x, 0f00000000, 0f00000000;": (0, 0),
    "sub.s32 %x, 0, 1;": (FULL, FULL),
    "add.cc.u32 %y, 0xffffffff, 1; addc.u32 %x, 0, 0;": (1, FULL),
    "add.cc.u32 %y, %u, 1; addc.u32 %x, 4, 0;": (4, FULL & ~1),
    "sub.cc.u32 %y, 0, 1; subc.u32 %x, 5, 0;": (4, FULL),
    "mad.lo.cc.u32 %y, 2, 3, 0xfffffffa; madc.hi.u32 %x, 0x10000, 0x10000, 7;": (9, FULL),
    "mul.lo.s32 %x, %u, 1024;": (0, 1023),
    "mul.lo.s32 %x, %b, -32;": (0, 31),
    "mul.hi.u32 %x, 0x80000000, 6;": (3, FULL),
    "mul.hi.s32 %x, -1, 6;": (FULL, FULL),
    "mul24.lo.u32 %x, 0xff000003, 5;": (15, FULL),
    "mul24.hi.s32 %x, 0xffffff, 0x10000;": (FULL, FULL),
    "mad.lo.u32 %x, %b, 4, 3;": (3, FULL & ~0x3FC),
    "mad24.lo.u32 %x, 3, 4, 5;": (17, FULL),
    "mul.wide.u16 %x, 0x1ffff, 2;": (0x1FFFE, FULL),
    "bfe.u32 %x, %u, 4, 14;": (0, FULL & ~0x3FFF),
    "bfe.s32 %x, %c, 28, 8;": (FULL, FULL),
    "bfe.u32 %x, %c, %u, 4;": (0, FULL & ~15),
    "bfi.b32 %x, %b, %c, 4, 8;": (0xF0F00001, FULL & ~0xFF0),
    "prmt.b32 %x, %c, %b, 0x3244;": (0xF0F00000, 0xFFFF0000),
    "prmt.b32.f4e %x, %c, %b, 1;": (0, 0),
    "selp.b32 %x, 6, 4, %p1;": (4, FULL & ~2),
    "slct.b32.s32 %x, 6, 4, %u;": (4, FULL & ~2),
    "min.s32 %x, %b, 1024;": (0, FULL & ~0x4FF),
    "max.u32 %x, 12, 8;": (8, FULL & ~4),
    "clz.b32 %x, %u;": (0, FULL & ~63),
    "popc.b64 %x, %ud;": (0, FULL & ~127),
    "brev.b32 %x, %b;": (0, 0x00FFFFFF),
    "szext.wrap.s32 %x, 8, 4;": (0xFFFFFFF8, FULL),
    "szext.clamp.u32 %x, %u, 4;": (0, FULL & ~15),
    "bmsk.clamp.b32 %x, 4, 30;": (0xFFFFFFF0, FULL),
    "bmsk.wrap.b32 %x, 36, 2;": (0x30, FULL),
    "neg.s32 %x, 1;": (FULL, FULL),
    "abs.s32 %x, -7;": (7, FULL),
    "div.u32 %x, %u, 16;": (0, 0xF0000000),
    "div.u32 %x, %u, 10;": (0, 0xE0000000),
    "rem.u32 %x, %u, 16;": (0, FULL & ~15),
    "rem.s32 %x, %u, 16;": (0, 0),
    "rem.u32 %x, 17, 5;": (2, FULL),
    "div.u32 %x, 7, 0;": (0, 0),
    "shfl.sync.idx.b32 %x|%p1, %c, 0, 31, -1;": (0xF0F00FF1, FULL),
    "redux.sync.or.b32 %x, %b, -1;": (0, FULL & ~255),
    "redux.sync.add.u32 %x, %c, -1;": (0, 0),
    "elect.sync %x|%p1, -1;": (0, FULL & ~31),
    "vote.sync.ballot.b32 %x, %p1, -1;": (0, 0),
    "ld.shared.u8 %x, [%u];": (0, FULL & ~255),
    "ld.shared.s8 %x, [%u];": (0, 0),
    "ld.global.v2.u16 {%y, %x}, [%ud];": (0, FULL & ~0xFFFF),
    "cvt.u16.u32 %h, %c; cvt.u32.u16 %x, %h;": (0xFF1, FULL),
    "cvt.s8.s32 %x, %c;": (0xFFFFFFF1, FULL),
    "cvt.sat.u8.u32 %x, %c;": (0, 0),
    "mov.b32 {%h1, %h2}, %c; mov.b32 %x, {%h2, %h1};": (0x0FF1F0F0, FULL),
    "mov.b64 {_, %x}, 0x500000006;": (5, FULL),
    "cvta.to.global.u64 %x, 0x1234;": (0x1234, FULL),
    "cvta.to.shared.u64 %x, 0x1234;": (0x1234, 0xFFFFFF),
    "mapa.shared::cluster.u32 %x, %b, %u;": (0, 0xFFFF00),
    "mov.b32 %x, 7; somenew.b32 %y, %x;": (0, 0),
    "mov.b32 %x, 7; wgmma.wait_group.sync.aligned 0;": (7, FULL),
    "mov.b32 %x, 7; tcgen05.ld.sync.aligned.32x32b.x2.b32 {%y, %x}, [%u];": (0, 0),
    "mov.b32 %x, 7; atom.shared.add.u32 %x, [%u], 1;": (0, 0),
    "mov.b32 %x, 7; bar.red.popc.u32 %x, 1, %p1;": (0, 0),
    "mov.b32 %x, 7; call (%x), f, (%u);": (0, 0),
    "mov.b32 %x, 7; call.uni (retval0), f, (%x);": (7, FULL),
    "mov.b32 %x, 7; @%p1 mov.b32 %x, 5;": (5, FULL & ~2),
    "mov.b32 %x, 7; @!%p1 ld.param.b32 %x, [k_param_0];": (0, 0),
}


@pytest.mark.parametrize(("code", "expected"), WORDS.items(), ids=list(WORDS))
def test_word(code: str, expected: tuple[int, int]) -> None:
    assert low(GIVEN + code) == expected


ALL = (1 << 64) - 1
DOUBLES = {
    "mov.b64 %x, {%b, 1073758272};": (1073758272 << 32, ALL & ~255),
    "mov.b64 %x, {%h1, 1, 2, 3};": (0x0003000200010000, ALL & ~0xFFFF),
    "or.b64 %x, %ud, -9223371899399045120;": (-9223371899399045120 & ALL, -9223371899399045120 & ALL),
    "cvt.u64.u32 %x, %u;": (0, ALL & ~FULL),
    "cvt.s64.s32 %x, %c;": (0xFFFFFFFFF0F00FF1, ALL),
    "cvt.u64.s32 %x, %u;": (0, 0),
    "mul.wide.u32 %x, %b, 0x10000;": (0, ALL & ~0xFF0000),
    "mul.wide.s32 %x, -1, 3;": (ALL - 2, ALL),
    "mad.wide.u32 %x, 2, 3, 0x100000000;": (0x100000006, ALL),
    "shl.b64 %x, 1, 62;": (1 << 62, ALL),
    "bfi.b64 %x, 3, 0, 61, 3;": (3 << 61, ALL),
    "add.s64 %x, -1, 3;": (2, ALL),
    "ld.shared.u32 %x, [%u];": (0, ALL & ~FULL),
    "ld.shared.b64 %x, [%u];": (0, 0),
    "mov.f64 %x, 0d3FF0000000000000;": (0x3FF0000000000000, ALL),
}


@pytest.mark.parametrize(("code", "expected"), DOUBLES.items(), ids=list(DOUBLES))
def test_double_word(code: str, expected: tuple[int, int]) -> None:
    operand = held(GIVEN + code)
    bits, known = expected
    assert operand.known & known == known
    assert (operand.bits, operand.known) == (bits, known)


SHARED = {
    "mov.u32 %x, outer;": (0, 1023),
    "mov.u64 %x, outer;": (0, 1023),
    "mov.u32 %x, outer+48;": (48, 1023),
    "mov.u32 %x, outer-16;": (1008, 1023),
    ".shared .align 128 .b8 mine[64]; mov.u32 %x, mine;": (0, 127),
    ".shared .v4 .b32 mine[4]; mov.u32 %x, mine;": (0, 15),
    ".shared .align 16 .b8 outer[64]; mov.u32 %x, outer;": (0, 15),
    "{ .reg .b64 %tmp; cvt.u64.u32 %tmp, outer; cvta.shared.u64 %x, %tmp; }": (0, 1023),
    ".reg .b32 outer; mov.u32 outer, 3; mov.u32 %x, outer;": (3, FULL),
    "mov.u32 %x, nothing;": (0, 0),
}


@pytest.mark.parametrize(("code", "expected"), SHARED.items(), ids=list(SHARED))
def test_address_of_shared_variable(code: str, expected: tuple[int, int]) -> None:
    assert low(code, module=Module({"outer": 1024}, None, {})) == expected


def test_lost_names_the_instruction_that_lost_the_bits() -> None:
    operand = held("ld.param.b32 %u,\n  [k_param_0];\nmov.b64 %x, {%u, 5};")
    assert (operand.lost, operand.lost_text) == (3, "ld.param.b32 %u, [k_param_0]")


LOCAL = ".local .align 8 .b8 depot[64]; mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;\n"
SLOTS = {
    "st.u64 [%SP+8], 0x1122334455667788; ld.u32 %x, [%SP+12];": (0x11223344, FULL),
    "st.u64 [%SP+8], 0; st.u16 [%SP+9], 0xabcd; ld.u32 %x, [%SP+8];": (0xABCD00, FULL),
    "st.v2.u32 [%SP], {5, 6}; ld.local.u32 %x, [%SPL+4];": (6, FULL),
    "st.u8 [%SP], 0x80; ld.s8 %x, [%SP];": (0xFFFFFF80, FULL),
    "st.u32 [%SP], 5; @%p1 st.u32 [%SP], 7; ld.u32 %x, [%SP];": (5, FULL & ~2),
    "st.u32 [%SP], 5; st.u32 [%ud], 7; ld.u32 %x, [%SP];": (5, FULL),
    "add.u64 %q, %SP, 8; st.u32 [%q+4], 5; ld.u32 %x, [%SP+12];": (5, FULL),
    # The address goes elsewhere: other stores, and calls, may change what is there.
    "st.u32 [%SP], 5; st.u64 [%g], %SP; st.u32 [%ud], 7; ld.u32 %x, [%SP];": (0, 0),
    "st.u32 [%SP], 5; st.param.b64 [p], %SP; call f, (p); ld.u32 %x, [%SP];": (0, 0),
    "st.u32 [%SP], 5; add.s64 %q, %SP, %ud; st.u32 [%q], 7; ld.u32 %x, [%SP];": (0, 0),
    "st.u32 [%SP], 5; st.global.u64 [%g], %SP; st.shared.u32 [%u], 7; ld.u32 %x, [%SP];": (5, FULL),
    "st.u32 [%SP], 5; mov.u64 %SP, %ud; ld.u32 %x, [%SP];": (0, 0),
}


@pytest.mark.parametrize(("code", "expected"), SLOTS.items(), ids=list(SLOTS))
def test_variables_in_local_memory(code: str, expected: tuple[int, int]) -> None:
    assert low(LOCAL + GIVEN + code) == expected
