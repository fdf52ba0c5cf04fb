"""What each form of the tensor-core instructions says, and which operands are its descriptors."""

from __future__ import annotations

from typing import Any

import pytest
from tables import every_row

from smemdesc.scanning.languages.ptx import analyse
from smemdesc.scanning.model import Instruction

from .asking import mma

VALUES = {"%da": 0xA, "%db": 0xB, "%id": 0x1D, "%zm": 0x2E}
GIVEN = "".join(f"mov.b64 {name}, {value};" for name, value in VALUES.items())


def descriptors(text: str) -> tuple[Instruction, str]:
    """Return what it says, and which of A, B, instruction descriptor and mask it reads: each must be the right one."""
    found = mma(GIVEN + text)
    read = ""
    for letter, operand, value in zip(
        "abim", (found.a, found.b, found.idesc, found.mask), VALUES.values(), strict=True
    ):
        if operand is not None:
            assert operand.bits == value
            read += letter
    return found.instruction, read


SIZES = {"": (), ".scale": ("scale-vec",), ".block": ("block-size",)}
"""The qualifier that the size of a block is, by its first letters."""
TCGEN05 = {
    "cta_group::1.kind::f16 [%d], %da, %db, %id, p": ("abi", {}),
    "cta_group::1.kind::tf32 [%d], %da, %db, %id, p": ("abi", {"mma_kind": "tf32"}),
    "cta_group::1.kind::f8f6f4 [%d], %da, %db, %id, p": ("abi", {"mma_kind": "f8f6f4"}),
    "cta_group::1.kind::i8 [%d], %da, %db, %id, p": ("abi", {"mma_kind": "i8"}),
    "cta_group::2.kind::f16 [%d], %da, %db, %id, p": ("abi", {"cta_group": 2}),
    "cta_group::1.kind::f16 [ %d + 0 ], %da, %db, %id, {%l0,%l1,%l2,%l3}, p": ("abi", {}),
    "cta_group::2.kind::f16 [%d], %da, %db, %id, {%l0,%l1,%l2,%l3,%l4,%l5,%l6,%l7}, p, 3": ("abi", {"cta_group": 2}),
    "cta_group::1.kind::f16 [%d], %da, %db, %id, p, 3": ("abi", {}),
    "cta_group::1.kind::f16 [%d], [%ta], %db, %id, p": ("bi", {"a_from": "tmem"}),
    "cta_group::1.kind::f16.ashift [%d], [%ta], %db, %id, p": ("bi", {"a_from": "tmem"}),
    "cta_group::1.kind::f16.collector::a::lastuse [%d], %da, %db, %id, p": ("abi", {}),
    "sp.cta_group::1.kind::f16 [%d], %da, %db, [%sp], %id, p": ("abi", {"sparse": True}),
    "sp.cta_group::1.kind::i8 [%d], [%ta], %db, [%sp], %id, {%l0,%l1,%l2,%l3}, p": (
        "bi",
        {"sparse": True, "mma_kind": "i8", "a_from": "tmem"},
    ),
    "ws.cta_group::1.kind::f16 [%d], %da, %db, %id, p": ("abi", {"ws": True}),
    "ws.cta_group::1.kind::f16 [%d], %da, %db, %id, p, %zm": ("abim", {"ws": True}),
    "ws.cta_group::1.kind::f8f6f4 [%d], [%ta], %db, %id, p, %zm": (
        "bim",
        {"ws": True, "mma_kind": "f8f6f4", "a_from": "tmem"},
    ),
    "ws.cta_group::1.kind::i8.collector::b1::fill [%d], %da, %db, %id, p, %zm": (
        "abim",
        {"ws": True, "mma_kind": "i8"},
    ),
    "ws.sp.cta_group::1.kind::f16 [%d], %da, %db, [%sp], %id, p, %zm": ("abim", {"ws": True, "sparse": True}),
    **{
        f"cta_group::1.kind::{kind}.block_scale{more} [%d], %da, %db, %id, [%sa], [%sb], p": (
            "abi",
            {"mma_kind": kind, "scale_vec": vector, "qualifiers": SIZES[more[:6]]},
        )
        for kind, more, vector in (
            ("mxf8f6f4", "", 1),
            ("mxf8f6f4", ".scale_vec::1X", 1),
            ("mxf8f6f4", ".block32", 1),
            ("mxf8f6f4", ".scale_vec::1X.collector::a::fill", 1),
            ("mxf4", "", 2),
            ("mxf4", ".scale_vec::2X", 2),
            ("mxf4", ".block32", 2),
            ("mxf4nvf4", ".scale_vec::2X", 2),
            ("mxf4nvf4", ".scale_vec::4X", 4),
            ("mxf4nvf4", ".block16", 4),
            ("mxf4nvf4", ".block32", 2),
        )
    },
    "sp.cta_group::2.kind::mxf8f6f4.block_scale [%d], [%ta], %db, [%sp], %id, [%sa], [%sb], p": (
        "bi",
        {"mma_kind": "mxf8f6f4", "scale_vec": 1, "sparse": True, "cta_group": 2, "a_from": "tmem"},
    ),
}


@pytest.mark.parametrize(
    ("text", "qualifiers", "read"),
    [
        ("kind::f16.collector::b::fill [%d], %da, %db, %id, p", ("collector-b",), "abi"),
        ("kind::f16.collector::a::use.collector::b::use [%d], %da, %db, %id, p", ("collector-b",), "abi"),
        ("kind::f8f6f4.decompress::lut::b [%d], %da, %db, [%ta], %id, p", ("lut-b",), "abi"),
        ("kind::f8f6f4.decompress::lut::b [%d], [%ta], %db, [%ta], %id, p", ("lut-b",), "bi"),
        (
            "kind::mxf8f6f4.block_scale.block32.decompress::lut::b.collector::b::fill"
            " [%d], %da, %db, [%ta], %id, [%sa], [%sb], p",
            ("block-size", "lut-b", "collector-b"),
            "abi",
        ),
    ],
)
def test_qualifiers(text: str, qualifiers: tuple[str, ...], read: str) -> None:
    says, got = descriptors(f"tcgen05.mma.cta_group::1.{text};")
    assert (got, says.qualifiers) == (read, qualifiers)


@every_row(("text", "expected"), TCGEN05.items())
def test_tcgen05(text: str, expected: tuple[str, dict[str, Any]]) -> None:
    read, facts = expected
    says, got = descriptors(f"tcgen05.mma.{text};")
    kind = facts.setdefault("mma_kind", "f16")
    if text.endswith(", p, 3"):
        facts = {**facts, "qualifiers": ("scale-input-d",)}
    wanted = {"cta_group": 1, "ws": False, "sparse": False, "mma_kinds": (kind,), **facts}
    assert (got, says) == (read, Instruction("tcgen05", **wanted))


SCALED = "cta_group::1.kind::mxf8f6f4.block_scale"
TENSOR_MEMORY = {
    "mma.cta_group::1.kind::f16 [%t], %da, %db, %id, p": {"d": (16, 32)},
    "mma.cta_group::1.kind::f16 [ %t + 64 ], [%u], %db, %id, p": {"d": (16, 96), "a": (0, 300)},
    "mma.sp.cta_group::1.kind::f16 [128], %da, %db, [%t], %id, p": {"d": (0, 128)},
    f"mma.{SCALED} [%d], %da, %db, %id, [%t], [%u+8], p": {"d": None, "scale_a": (16, 32), "scale_b": (0, 308)},
    f"mma.sp.{SCALED}.decompress::lut::b [%u], [%t], %db, [%d], [%d], %id, [%t], [%u], p": {
        "d": (0, 300), "a": (16, 32), "scale_a": (16, 32), "scale_b": (0, 300),
    },
    "cp.cta_group::1.128x256b [%t], %da": {"d": (16, 32)},
    "mma.cta_group::1.kind::f16 [ %t + (4*8) ], [2+1 << 4], (1 << 62), 1 << 4, p": {"d": (16, 64), "a": (0, 48)},
}  # fmt: skip


@every_row("text", TENSOR_MEMORY)
def test_addresses_of_tensor_memory(text: str) -> None:
    found = mma(f"{GIVEN}mov.b32 %t, 0x100020; mov.b32 %u, 300; tcgen05.{text};").tensor_memory
    places = {each.name: (said := each.to_dict()) and (said["lane"], said["column"]) for each in found}
    assert places == TENSOR_MEMORY[text]


COPIES = ("128x256b", "4x256b", "64x128b.warpx2::02_13", "32x128b.warpx4.b8x16.b6x16_p32", "128x256b.b8x16.b4x16_p64")


@pytest.mark.parametrize("shape", COPIES)
def test_copy(shape: str) -> None:
    rows, bits = (int(each) for each in shape.partition("b")[0].split("x"))
    says, got = descriptors(f"tcgen05.cp.cta_group::2.{shape} [%d], %da;")
    assert (says, got) == (Instruction("tcgen05.cp", cta_group=2, copied=(rows, bits)), "a")


def wgmma(k: int, d: str, a: str, b: str, a_major: str | None, b_major: str | None, **more: Any) -> Instruction:
    wanted = {"sparse": False, **more}
    return Instruction(
        "wgmma", m=64, n=8, k=k, d_type=d, a_type=a, b_type=b, a_major=a_major, b_major=b_major, **wanted
    )


D, A = "{%v0,%v1,%v2,%v3}", "{%a0,%a1,%a2,%a3}"
RS = {"a_from": "registers"}
WGMMA = {
    f"sync.aligned.m64n8k16.f32.f16.f16 {D}, %da, %db, p, 1, 1, 0, 0": wgmma(16, "f32", "f16", "f16", "K", "K"),
    "sync.aligned.m64n8k16.f16.f16.f16 {%v0,%v1}, %da, %db, p, 1, 1, 1, 0": wgmma(16, "f16", "f16", "f16", "MN", "K"),
    f"sync.aligned.m64n8k16.f32.bf16.bf16 {D}, %da, %db, p, -1, -1, 0, 1": wgmma(16, "f32", "bf16", "bf16", "K", "MN"),
    f"sync.aligned.m64n8k16.f32.f16.f16 {D}, {A}, %db, p, 1, 1, 1": wgmma(16, "f32", "f16", "f16", None, "MN", **RS),
    f"sync.aligned.m64n8k16.f32.f16.f16 {D}, %da, %db, p, 1, 1, %x, %y": wgmma(16, "f32", "f16", "f16", None, None),
    f"sync.aligned.m64n8k8.f32.tf32.tf32 {D}, %da, %db, p, 1, 1": wgmma(8, "f32", "tf32", "tf32", "K", "K"),
    f"sync.aligned.m64n8k8.f32.tf32.tf32 {D}, {A}, %db, p, 1, 1": wgmma(8, "f32", "tf32", "tf32", None, "K", **RS),
    f"sync.aligned.m64n8k32.f32.e5m2.e4m3 {D}, %da, %db, p, 1, 1": wgmma(32, "f32", "e5m2", "e4m3", "K", "K"),
    f"sync.aligned.m64n8k32.s32.u8.s8.satfinite {D}, %da, %db, p": wgmma(32, "s32", "u8", "s8", "K", "K"),
    f"sync.aligned.m64n8k256.s32.b1.b1.and.popc {D}, %da, %db, p": wgmma(256, "s32", "b1", "b1", "K", "K"),
    f"sp.sync.aligned.m64n8k32.f32.f16.f16 {D}, %da, %db, %sp, 1, p, 1, 1, 1, 1": wgmma(
        32, "f32", "f16", "f16", "MN", "MN", sparse=True
    ),
    f"sp.sync.aligned.m64n8k32.f32.f16.f16 {D}, {A}, %db, %sp, 1, p, 1, 1, 1": wgmma(
        32, "f32", "f16", "f16", None, "MN", sparse=True, **RS
    ),
    f"sp.sync.aligned.m64n8k64.s32.s8.s8 {D}, %da, %db, %sp, 0, p": wgmma(64, "s32", "s8", "s8", "K", "K", sparse=True),
}


@pytest.mark.parametrize(("text", "expected"), WGMMA.items(), ids=list(WGMMA))
def test_wgmma(text: str, expected: Instruction) -> None:
    assert descriptors(f"wgmma.mma_async.{text};") == (expected, "b" if A in text else "ab")


def test_in_a_block_with_a_predicate_over_several_lines() -> None:
    text = (
        "{\n.reg .pred p; setp.ne.b32 p, %r1, 0;\n"
        "@%p12 tcgen05.mma.cta_group::1.kind::f16 [%r2],\n  %da, // A\n  %db, %id,\n  p; }"
    )
    found = mma(GIVEN + text)
    assert found.text == "@%p12 tcgen05.mma.cta_group::1.kind::f16 [%r2], %da, %db, %id, p"
    assert found.line == 3


def test_long_accumulators_are_shown_by_their_ends() -> None:
    many = ", ".join(f"%f{i}" for i in range(128))
    found = mma(f"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{many}}}, %da, %db, p, 1, 1, 0, 0;")
    assert "{%f0, ..., %f127}, %da" in found.text


CUT = ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%v0,%v1", "tcgen05.mma.cta_group::1.kind::f16 [%d], %da, ")
REFUSED = "tcgen05.mma.cta_group::1.kind::f16 [%d], (1 << 4), (7 / 0), %id, p;"


@pytest.mark.parametrize("text", [*CUT, REFUSED])
def test_one_that_is_cut_off_or_refused_is_counted_as_odd(text: str) -> None:
    whole = "tcgen05.cp.cta_group::1.128x256b [%d], %da; "
    found = analyse((whole + text).encode(), 1, None, None)
    assert found is not None
    assert len(found.mmas) == 1
    assert found.odd
