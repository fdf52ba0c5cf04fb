"""Kernels with the instructions of PTX 9.3 to 9.5 beside a tensor-core instruction whose descriptors are known.

``python -m corpus.newest`` (in ``tests/tools``) compiles and dumps them anew into ``newest.tar.xz``: ptxas 13.5 and
nvdisasm 13.5, in PATH or named by PTXAS and NVDISASM. Each new instruction stands between the lines that make the
descriptors and the instruction that reads them; the kernel ``plain`` has none of them.
"""

from __future__ import annotations

from .dumps import DUMPS, compile_texts

ARCHIVE = DUMPS / "newest.tar.xz"
ARCHS = ("sm_90a", "sm_100a", "sm_103a", "sm_107a", "sm_110a")
BLACKWELL = ARCHS[1:]
A, B, IDESC = 0x4000404000010000, 0x4000404000010400, 0x08200490
"""Without the start address in the 14 low bits, which an argument decides; B begins 16 KiB after A."""
WGMMA_A, WGMMA_B = 0x4000004000010000, 0x4000004000010400
_BARRIER = "mbarrier::report::fabric"
_BULK = f"shared::cta.mbarrier::complete_tx::16B.{_BARRIER}"
INSTRUCTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "plain": (ARCHS, ""),
    "spcompress": (("sm_107a",), "spcompress.b8.b4.sp::2:4.x1 {m}, {c}, {x, y}, u;"),
    "spdecompress": (("sm_107a",), "spdecompress.b8.b4.sp::2:4.x2 {m, c}, {x}, {y};"),
    "ld_spcompress": (
        ("sm_107a",),
        "tcgen05.ld.spcompress.sync.aligned.32x32b.x4.max.sp::2:4.f32.b2 {m}, {c, v}, [d];",
    ),
    "ld_red_spcompress": (
        ("sm_107a",),
        "tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.max.sp::2:4.abs.NaN.f32.b2 {m}, {c, v}, f, [d];",
    ),
    "query": (ARCHS, "tensormap.query.alloc_class_large.global.b1024 q, [g]; selp.b32 m, x, y, q;"),
    "replace_class": (ARCHS, "tensormap.replace.tile.alloc_large.global.b1024 [g];"),
    "replace_address": (
        ARCHS,
        "tensormap.replace.tile.global_address.alloc_same.global.b1024.b64 [g], h;",
    ),
    "fabric_submit": (BLACKWELL, "fabric.submit;"),
    "fabric_fetching": (BLACKWELL, "fabric.submit.op_restrict::fetching;"),
    "fabric_commit": (BLACKWELL, "fabric.submit.commit_group;"),
    "fabric_wait": (BLACKWELL, "fabric.wait.sync_restrict::reads;"),
    "fabric_get": (
        BLACKWELL,
        f"fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.{_BARRIER}.relaxed.sys.b128 "
        "[s], [y, h], 32, [s+64];",
    ),
    "fabric_put": (BLACKWELL, f"fabric.try_put.async.{_BULK}.relaxed.sys.b128 [y, h], [s], 32, [s+64];"),
    "fabric_red": (BLACKWELL, f"fabric.try_red.async.{_BULK}.relaxed.sys.add.u32 [y, h], [s], 32, [s+64];"),
    "fabric_pullred": (
        BLACKWELL,
        f"fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.{_BARRIER}.relaxed.sys.add.u32"
        ".sync [s], [y, h], 32, [s+64], 0xffffffff;",
    ),
    "fabric_atom": (
        BLACKWELL,
        f"fabric.try_atom.async.{_BULK}.relaxed.sys.add.u32 [y, h], [s], [s+32], [s+64];",
    ),
    "applypriority": (("sm_107a",), "applypriority.async.bulk.global.bulk_group.L2::evict_normal [g], u;"),
    "applypriority_tensor": (
        ("sm_107a",),
        "applypriority.async.bulk.tensor.2d.bulk_group.L2::evict_normal [g, {x, y}];",
    ),
    "multimem_copy": (ARCHS, "multimem.cp.async.bulk.global.shared::cta.bulk_group [g], [s], u;"),
    "multimem_reduce": (ARCHS, "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [s], u;"),
    "multimem_store": (BLACKWELL, "multimem.st.async.release.sys.global.f32 [g], f;"),
    "clmad": (ARCHS, "clmad.lo.u64 h, g, h, g; cvt.u32.u64 m, h;"),
}
"""By the name of its kernel: the architectures whose ptxas takes it, and the instruction. It may change the registers
m, c, v, f, h and q."""


def kernel(name: str, arch: str) -> str:
    """Return the kernel with an instruction."""
    a, b = (WGMMA_A, WGMMA_B) if arch == "sm_90a" else (A, B)
    registers = ", ".join(f"w{number}" for number in range(4))
    mma = "tcgen05.mma.cta_group::1.kind::f16 [d], a, b, i, p;"
    if arch == "sm_90a":
        mma = f"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{{registers}}}, a, b, p, 1, 1, 0, 0;"
    return f"""\
.visible .entry {name}(.param .b64 map, .param .b32 where, .param .b32 into) {{
  .reg .b32 d, i, s, t, u, x, y, m, c, v, {registers}; .reg .f32 f; .reg .b64 a, b, g, h; .reg .pred p, q;
  ld.param.b64 g, [map]; ld.param.b32 s, [where]; ld.param.b32 d, [into];
  mov.b32 x, %tid.x; mov.b32 y, %tid.y; mov.b32 u, %ctaid.x; mov.b32 m, x; mov.b32 c, y; mov.b32 v, u;
  mov.b32 f, x; mov.b64 h, {{x, y}}; setp.ne.b32 p, d, 0; setp.ne.b32 q, d, 1;
  shr.u32 t, s, 4; and.b32 t, t, 0x3bff; mov.b32 i, {IDESC:#010x};
  or.b32 w0, t, {a & 0xFFFFFFFF:#x}; or.b32 w1, t, {b & 0xFFFFFFFF:#x};
  mov.b64 a, {{w0, {a >> 32:#x}}}; mov.b64 b, {{w1, {b >> 32:#x}}};
  mov.b32 w0, 0; mov.b32 w1, 0; mov.b32 w2, 0; mov.b32 w3, 0;
  {INSTRUCTIONS[name][1]}
  {"wgmma.fence.sync.aligned;" if arch == "sm_90a" else ""}
  {mma}
  {"wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" if arch == "sm_90a" else ""}
  add.u32 m, m, c; add.u32 m, m, v; mov.b32 v, f; add.u32 m, m, v; cvt.u32.u64 v, h; add.u32 m, m, v;
  add.u32 m, m, w0; add.u32 m, m, w1; add.u32 m, m, w2; add.u32 m, m, w3; @q st.global.b32 [g+256], m;
  ret;
}}
"""


def source(arch: str) -> str:
    """Return the module for one architecture."""
    kernels = (kernel(name, arch) for name, (archs, _) in INSTRUCTIONS.items() if arch in archs)
    return "\n".join([f".version 9.5\n.target {arch}\n.address_size 64", *kernels])


if __name__ == "__main__":
    compile_texts(ARCHIVE, ARCHS, source)
