"""Matrix multiplications in the CuTe DSL, compiled without a GPU; run by a Python that has the DSL.

``CUTE_DSL_ARCH=sm_100a python cute_kernels.py FOLDER`` (or sm_90a) writes NAME.mlir, the IR as it is after the first
cleaning, and NAME.ptx of the same compilation for each kernel of that architecture, and prints its name.
"""

# ruff: noqa: E402
# mypy: ignore-errors
# No "from __future__ import annotations": the DSL reads the annotations themselves.
import os
import sys
import tempfile
import warnings
from pathlib import Path

# What is to be kept, and where, is read when the DSL is imported.
SCRATCH = tempfile.mkdtemp()
os.environ.update(CUTE_DSL_KEEP="ir,ptx", CUTE_DSL_DUMP_DIR=SCRATCH, CUTE_DSL_NO_CACHE="1")

import cutlass
import cutlass.utils.blackwell_helpers as blackwell
import cutlass.utils.hopper_helpers as hopper
from cutlass import cute, utils
from cutlass._mlir.dialects import cute_nvgpu, llvm
from cutlass.cute.nvgpu import OperandMajorMode, tcgen05, warpgroup
from cutlass.cutlass_dsl import Int32, Int64, dsl_user_op
from cutlass.utils import blockscaled_layout

K, MN = OperandMajorMode.K, OperandMajorMode.MN
ONE, TWO = tcgen05.CtaGroup.ONE, tcgen05.CtaGroup.TWO


def allocated(memory, dtype, layout):
    """Return a tensor of shared memory."""
    return memory.allocate_tensor(dtype, layout.outer, byte_alignment=1024, swizzle=layout.inner)


def in_tmem(memory, dtype):
    """Return where tensor memory is allocated."""
    holder = memory.allocate_array(cutlass.Int32, 1)
    cute.arch.alloc_tmem(512, holder)
    return cute.arch.retrieve_tmem_ptr(dtype, 16, holder)


def on_blackwell(dtype, a_major, b_major, tile, stages, group=ONE, acc=None):
    """Return a function that multiplies tiles of shared memory by tcgen05.mma."""
    acc = acc or cutlass.Float32

    @cute.kernel
    def kernel(tiled: cute.TiledMma, a_layout: cute.ComposedLayout, b_layout: cute.ComposedLayout, n: cutlass.Int32):
        memory = utils.SmemAllocator()
        a = allocated(memory, dtype, a_layout)
        b = allocated(memory, dtype, b_layout)
        place = in_tmem(memory, acc)
        of_a, of_b = tiled.make_fragment_A(a), tiled.make_fragment_B(b)
        d = cute.make_tensor(place, tiled.make_fragment_C(tiled.partition_shape_C(tile[:2])).layout)
        for stage in cutlass.range(n):
            for k in cutlass.range(cute.size(of_a, mode=[2]), unroll_full=True):
                cute.gemm(tiled, d, of_a[None, None, k, stage], of_b[None, None, k, stage], d)
                tiled.set(tcgen05.Field.ACCUMULATE, True)

    @cute.jit
    def host(n: cutlass.Int32):
        tiled = blackwell.make_trivial_tiled_mma(dtype, dtype, a_major, b_major, acc, group, tile[:2])
        a_layout = blackwell.make_smem_layout_a(tiled, tile, dtype, stages)
        b_layout = blackwell.make_smem_layout_b(tiled, tile, dtype, stages)
        kernel(tiled, a_layout, b_layout, n).launch(grid=(1, 1, 1), block=(128, 1, 1))

    return host


def scaled(a_type, b_type, sf_type, vector, tile, stages, group=ONE, together=False):
    """Return a function that multiplies block-scaled tiles; the scale factors are what tensor memory holds.

    ``together``: they are given with A and B, as newer versions of the DSL take them, too.
    """

    @cute.kernel
    def kernel(
        tiled: cute.TiledMma,
        a_layout: cute.ComposedLayout,
        b_layout: cute.ComposedLayout,
        sfa_layout: cute.Layout,
        sfb_layout: cute.Layout,
        n: cutlass.Int32,
    ):
        memory = utils.SmemAllocator()
        a = allocated(memory, a_type, a_layout)
        b = allocated(memory, b_type, b_layout)
        sfa = memory.allocate_tensor(sf_type, sfa_layout, byte_alignment=1024)
        sfb = memory.allocate_tensor(sf_type, sfb_layout, byte_alignment=1024)
        place = in_tmem(memory, cutlass.Float32)
        of_a, of_b = tiled.make_fragment_A(a), tiled.make_fragment_B(b)
        d = cute.make_tensor(place, tiled.make_fragment_C(tiled.partition_shape_C(tile[:2])).layout)
        of_sfa = blockscaled(place, tiled, sfa_layout, 256, sf_type, tile, vector, "a")
        of_sfb = blockscaled(place, tiled, sfb_layout, 288, sf_type, tile, vector, "b")
        copy(sfa, of_sfa, sf_type, group, 0)
        copy(sfb, of_sfb, sf_type, group, 0)
        for stage in cutlass.range(n):
            for k in cutlass.range(cute.size(of_a, mode=[2]), unroll_full=True):
                left, right = of_a[None, None, k, stage], of_b[None, None, k, stage]
                if cutlass.const_expr(together):
                    cute.gemm(tiled, d, [left, of_sfa[None, None, k]], [right, of_sfb[None, None, k]], d)
                else:
                    tiled.set(tcgen05.Field.SFA, of_sfa[None, None, k].iterator)
                    tiled.set(tcgen05.Field.SFB, of_sfb[None, None, k].iterator)
                    cute.gemm(tiled, d, left, right, d)
                tiled.set(tcgen05.Field.ACCUMULATE, True)

    def blockscaled(place, tiled, layout, column, sf_type, tile, vector, which):
        make = blockscaled_layout.make_tmem_layout_sfa if which == "a" else blockscaled_layout.make_tmem_layout_sfb
        shape = make(tiled, tile, vector, cute.slice_(layout, (None, None, None, 0)))
        return cute.make_tensor(cute.recast_ptr(place + column, dtype=sf_type), shape)

    def copy(source, target, sf_type, group, stage):
        atom = cute.make_copy_atom(tcgen05.Cp4x32x128bOp(group), sf_type)
        source, target = cute.filter_zeros(source), cute.filter_zeros(target)
        tiled = tcgen05.make_s2t_copy(atom, target)
        thread = tiled.get_slice(0)
        parts = tcgen05.get_s2t_smem_desc_tensor(tiled, thread.partition_S(source))
        cute.copy(tiled, parts[None, None, None, None, stage], thread.partition_D(target))

    @cute.jit
    def host(n: cutlass.Int32):
        tiled = blackwell.make_blockscaled_trivial_tiled_mma(a_type, b_type, K, K, sf_type, vector, group, tile[:2])
        a_layout = blackwell.make_smem_layout_a(tiled, tile, a_type, stages)
        b_layout = blackwell.make_smem_layout_b(tiled, tile, b_type, stages)
        sfa = blockscaled_layout.make_smem_layout_sfa(tiled, tile, vector, stages)
        sfb = blockscaled_layout.make_smem_layout_sfb(tiled, tile, vector, stages)
        kernel(tiled, a_layout, b_layout, sfa, sfb, n).launch(grid=(1, 1, 1), block=(128, 1, 1))

    return host


def on_hopper(dtype, a_major, b_major, tile, stages, acc=None, groups=1, from_registers=False):
    """Return a function that multiplies tiles of shared memory by wgmma."""
    acc = acc or cutlass.Float32

    @cute.kernel
    def kernel(tiled: cute.TiledMma, a_layout: cute.ComposedLayout, b_layout: cute.ComposedLayout, n: cutlass.Int32,
               out: cute.Pointer):  # fmt: skip
        memory = utils.SmemAllocator()
        a = allocated(memory, dtype, a_layout)
        b = allocated(memory, dtype, b_layout)
        thread, _, _ = cute.arch.thread_idx()
        mine = tiled.get_slice(thread)
        of_b = tiled.make_fragment_B(mine.partition_B(b))
        parts = mine.partition_A(a)
        of_a = tiled.make_fragment_A(parts[None, None, None, 0]) if from_registers else tiled.make_fragment_A(parts)
        d = cute.make_rmem_tensor(mine.partition_shape_C(tile[:2]), acc)
        d.fill(0)
        if cutlass.const_expr(from_registers):
            of_a.fill(1)
        warpgroup.fence()
        for stage in cutlass.range(n):
            for k in cutlass.range(cute.size(of_b, mode=[2]), unroll_full=True):
                left = of_a[None, None, k] if from_registers else of_a[None, None, k, stage]
                cute.gemm(tiled, d, left, of_b[None, None, k, stage], d)
                tiled.set(warpgroup.Field.ACCUMULATE, True)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        target = cute.make_tensor(out + thread * cute.size(d), cute.make_layout(cute.size(d)))
        for i in cutlass.range_constexpr(cute.size(d)):
            target[i] = d[i]

    @cute.jit
    def host(n: cutlass.Int32, out: cute.Pointer):
        source = warpgroup.OperandSource.RMEM if from_registers else warpgroup.OperandSource.SMEM
        tiled = hopper.make_trivial_tiled_mma(
            dtype, dtype, a_major, b_major, acc, (groups, 1, 1), (64, tile[1]), source
        )
        layouts = utils.LayoutEnum.ROW_MAJOR, utils.LayoutEnum.COL_MAJOR
        a_layout = hopper.make_smem_layout_a(layouts[a_major == MN], tile, dtype, stages)
        b_layout = hopper.make_smem_layout_b(layouts[b_major == MN], tile, dtype, stages)
        kernel(tiled, a_layout, b_layout, n, out).launch(grid=(1, 1, 1), block=(128 * groups, 1, 1))

    return host


READS = {
    "sm_100a": "tcgen05.cp.cta_group::1.128x256b [$0], $1;",
    "sm_90a": "{ .reg .f32 f<4>; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {f0,f1,f2,f3}, $1, $1, "
    "1, 1, 1, 0, 0; }",
}


@dsl_user_op
def read(address, descriptor, *, loc=None, ip=None):
    """Read a descriptor, a number."""
    llvm.inline_asm(
        None,
        [Int32(address).ir_value(loc=loc, ip=ip), Int64(descriptor).ir_value(loc=loc, ip=ip)],
        READS[os.environ["CUTE_DSL_ARCH"]],
        "r,l",
        has_side_effects=True,
        is_align_stack=False,
        asm_dialect=llvm.AsmDialect.AD_ATT,
        loc=loc,
        ip=ip,
    )


def launched(kernel):
    """Return a function that launches a kernel of one argument."""

    @cute.jit
    def host(n: cutlass.Int32):
        kernel(n).launch(grid=(1, 1, 1), block=(128, 1, 1))

    return host


def described(cases):
    """Return a function that makes a descriptor of each layout, as a number."""

    @cute.kernel
    def kernel(n: cutlass.Int32):
        memory = utils.SmemAllocator()
        for dtype, swizzle, (shape, stride), major in cases:
            pointer = memory.allocate_array(dtype, 1024, byte_alignment=1024)
            pointer = cute.recast_ptr(pointer, cute.make_swizzle(*swizzle), dtype=dtype)
            layout = cute.make_layout(shape, stride=stride)
            if cutlass.const_expr(os.environ["CUTE_DSL_ARCH"] == "sm_90a"):
                made = cute_nvgpu.make_gmma_smem_desc(pointer.value, layout.type.attribute, major._to_ir())
            else:
                made = tcgen05.make_umma_smem_desc(pointer, layout, major._to_ir())
            read(n, tcgen05.smem_descriptor_to_int(made))

    return launched(kernel)


def copied(operation, dtype, swizzle, source, target):
    """Return a function that copies a tensor from shared into tensor memory."""

    @cute.kernel
    def kernel(n: cutlass.Int32):
        memory = utils.SmemAllocator()
        pointer = memory.allocate_array(dtype, 4096, byte_alignment=1024)
        if cutlass.const_expr(swizzle != NONE):
            pointer = cute.recast_ptr(pointer, cute.make_swizzle(*swizzle), dtype=dtype)
        place = in_tmem(memory, dtype)
        from_, to = (
            cute.make_tensor(each, cute.make_layout(shape, stride=stride))
            for each, (shape, stride) in ((pointer, source), (place, target))
        )
        tiled = tcgen05.make_s2t_copy(cute.make_copy_atom(operation(ONE), dtype), to)
        thread = tiled.get_slice(0)
        parts = tcgen05.get_s2t_smem_desc_tensor(tiled, thread.partition_S(from_))
        cute.copy(tiled, parts, thread.partition_D(to))

    return launched(kernel)


BF16, F16, TF32 = cutlass.BFloat16, cutlass.Float16, cutlass.TFloat32
E4M3, E5M2, E2M1 = cutlass.Float8E4M3FN, cutlass.Float8E5M2, cutlass.Float4E2M1FN
UE8M0, UE4M3 = cutlass.Float8E8M0FNU, cutlass.Float8E4M3FN

NONE, B32, B64, B128, WIDE = (0, 4, 3), (1, 4, 3), (2, 4, 3), (3, 4, 3), (2, 5, 2)
LAYOUTS = [
    (BF16, B128, (((128, 16), 1, 4), ((64, 1), 0, 16)), K),
    (BF16, B64, (((128, 16), 1, 2), ((32, 1), 0, 16)), K),
    (BF16, B32, (((64, 16), 1), ((16, 1), 0)), K),
    (BF16, NONE, ((((8, 16), (8, 2)), 1), (((8, 128), (1, 64)), 0)), K),
    (BF16, NONE, ((((8, 16), (8, 2)), 1), (((8, 64), (1, 1024)), 0)), K),
    (BF16, B128, ((((8, 16), 16), 1), (((64, 1024), 1), 0)), K),
    (BF16, B128, (((8, 16), 1), ((64, 1), 0)), K),
    (BF16, B128, ((((64, 2), 16), 1), (((1, 4096), 64), 0)), MN),
    (BF16, B128, ((((64, 2), (8, 2)), 1), (((1, 1024), (64, 512)), 0)), MN),
    (BF16, B64, ((((32, 4), (8, 2)), 1), (((1, 256), (32, 1024)), 0)), MN),
    (BF16, NONE, ((((8, 16), (8, 2)), 1), (((1, 128), (8, 64)), 0)), MN),
    (TF32, B128, (((128, 8), 1, 4, 7), ((32, 1), 0, 8, 4096)), K),
    (E4M3, B128, (((128, 32), 1, 4), ((128, 1), 0, 32)), K),
    (E4M3, B128, (((128, 32), 1), ((1, 128), 0)), MN),
]
"""What the descriptors of are made: elements, swizzle, ((MN, K), more) and strides, major-ness."""
F32, ROWS = cutlass.Float32, 65536
"""A row of tensor memory, in its addresses."""
COPIES = {
    "": (tcgen05.Cp128x256bOp, F32, NONE, (((8, 16), (4, 2)), ((4, 64), (1, 32))), ((128, 8), (ROWS, 1))),
    "_apart": (tcgen05.Cp128x256bOp, F32, NONE, (((8, 16), (4, 2)), ((4, 32), (1, 2048))), ((128, 8), (ROWS, 1))),
    "_128": (tcgen05.Cp128x256bOp, F32, B128, ((128, 32), (32, 1)), ((128, 32), (ROWS, 1))),
    "_64": (tcgen05.Cp128x256bOp, F32, B64, ((128, 16), (16, 1)), ((128, 16), (ROWS, 1))),
    "_32": (tcgen05.Cp128x256bOp, F32, B32, ((128, 8), (8, 1)), ((128, 8), (ROWS, 1))),
    "_bf16": (tcgen05.Cp128x128bOp, BF16, B128, ((128, 64), (64, 1)), ((128, 64), (2 * ROWS, 1))),
    "_column": (tcgen05.Cp128x128bOp, F32, NONE, (((8, 16), 4), ((4, 64), 1)), ((128, 4), (ROWS, 1))),
    "_half": (
        tcgen05.Cp2x64x128b0213Op, F32, NONE, (((8, 8, 2), 4), ((4, 64, 0), 1)),
        (((64, 2), 4), ((ROWS, 64 * ROWS), 1)),
    ),
    "_pairs": (
        tcgen05.Cp2x64x128b0123Op, F32, NONE, (((32, 2, 2), 4), ((4, 0, 128), 1)),
        (((32, 2, 2), 4), ((ROWS, 32 * ROWS, 64 * ROWS), 1)),
    ),
    "_quarter": (
        tcgen05.Cp4x32x128bOp, cutlass.Uint8, NONE, (((8, 4, 4), 16), ((16, 256, 0), 1)),
        (((32, 4), 16), ((4 * ROWS, 128 * ROWS), 1)),
    ),
}  # fmt: skip
"""The operation, elements, swizzle, and the shape and stride in shared and in tensor memory."""
BLACKWELL = {
    "described": (described, ([*LAYOUTS, (TF32, WIDE, ((((32, 4), (4, 2)), 1), (((1, 1024), (32, 128)), 0)), MN)],)),
    **{f"copied{name}": (copied, given) for name, given in COPIES.items()},
    "bf16": (on_blackwell, (BF16, K, K, (128, 128, 64), 3)),
    "bf16_turned": (on_blackwell, (BF16, MN, MN, (128, 256, 64), 2)),
    "f16_narrow": (on_blackwell, (F16, K, MN, (64, 64, 32), 2)),
    "f16_two": (on_blackwell, (F16, K, MN, (256, 128, 64), 2, TWO)),
    "tf32": (on_blackwell, (TF32, K, K, (128, 64, 32), 2)),
    "tf32_turned": (on_blackwell, (TF32, MN, K, (128, 128, 32), 2)),
    "e4m3": (on_blackwell, (E4M3, K, K, (128, 256, 128), 2)),
    "e5m2_turned": (on_blackwell, (E5M2, MN, MN, (128, 128, 64), 2)),
    "s8": (on_blackwell, (cutlass.Int8, K, K, (128, 96, 128), 2, ONE, cutlass.Int32)),
    "mxf8": (scaled, (E4M3, E5M2, UE8M0, 32, (128, 128, 128), 2)),
    "mxf4": (scaled, (E2M1, E2M1, UE8M0, 32, (128, 128, 256), 2)),
    "nvf4": (scaled, (E2M1, E2M1, UE4M3, 16, (128, 256, 256), 2)),
    "nvf4_two": (scaled, (E2M1, E2M1, UE4M3, 16, (256, 256, 256), 2, TWO)),
    "mxf8_given": (scaled, (E4M3, E5M2, UE8M0, 32, (128, 128, 128), 2, ONE, True)),
    "nvf4_given": (scaled, (E2M1, E2M1, UE4M3, 16, (256, 256, 256), 2, TWO, True)),
}
HOPPER = {
    "described": (described, (LAYOUTS,)),
    "bf16": (on_hopper, (BF16, K, K, (64, 128, 64), 3)),
    "bf16_turned": (on_hopper, (BF16, MN, MN, (128, 256, 64), 2)),
    "f16_narrow": (on_hopper, (F16, K, MN, (64, 32, 32), 2)),
    "f16_groups": (on_hopper, (F16, MN, K, (128, 96, 64), 2, F16, 2)),
    "f16_registers": (on_hopper, (F16, K, MN, (64, 64, 64), 2, cutlass.Float32, 1, True)),
    "e4m3": (on_hopper, (E4M3, K, K, (64, 64, 64), 2)),
    "e5m2": (on_hopper, (E5M2, K, K, (128, 128, 128), 2)),
    "s8": (on_hopper, (cutlass.Int8, K, K, (64, 64, 64), 2, cutlass.Int32)),
}


def compiled(make, given, arch, name, folder):
    """Compile one kernel; write its IR and its PTX."""
    host = make(*given)
    arguments = [cutlass.Int32(4)]
    if make is on_hopper:
        acc = given[5] if len(given) > 5 else cutlass.Float32
        arguments.append(cute.runtime.make_ptr(acc, 0, cute.AddressSpace.gmem, assumed_align=16))
    cute.compile(host, *arguments)
    for file in Path(SCRATCH).iterdir():
        if file.name.endswith("_clean.mlir"):
            (folder / f"{name}.mlir").write_text(file.read_text())
        elif file.suffix == ".ptx":
            (folder / f"{name}.ptx").write_text(file.read_text().rstrip("\0"))
        file.unlink()
    print(name, arch)


def main(folder):
    """Compile what the architecture has."""
    warnings.simplefilter("ignore")
    arch = os.environ.get("CUTE_DSL_ARCH", "")
    table = {"sm_100a": BLACKWELL, "sm_90a": HOPPER}.get(arch)
    if table is None:
        sys.exit("say for which architecture: CUTE_DSL_ARCH=sm_90a or sm_100a")
    only = sys.argv[2:]
    for name, (make, given) in table.items():
        if only and name not in only:
            continue
        try:
            compiled(make, given, arch, f"cute_{arch[3:-1]}_{name}", folder)
        except Exception as problem:
            print(f"# {name}: {type(problem).__name__} {' '.join(str(problem).split())[:900]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
