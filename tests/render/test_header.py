"""Headers of plans: their functions return the plan's descriptors, on the host and in an unrolled loop of a kernel."""

from __future__ import annotations

import re
import shutil
import site
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT
from tiles.test_tile import LEGAL

from smemdesc.api.planning import plan
from smemdesc.api.scanning import scan
from smemdesc.engine.fields import word_pair
from smemdesc.instructions.plan import OperandPlan, Plan, ScalePlan, constants
from smemdesc.layout.scales import copy_descriptor
from smemdesc.layout.strides import LBO, SBO, UNIT
from smemdesc.layout.tmem_load import TmemLoads
from smemdesc.render.plan_block import plan_text
from smemdesc.tiles.tile import lay_out_tile

OTHERS: list[tuple[tuple[int, int, int], dict[str, Any]]] = [
    ((512, 256, 128), {"dtype": "e4m3", "cta_group": 2, "a_major": "MN"}),
    ((256, 128, 64), {"dtype": "bf16", "cta_group": 2, "b_major": "MN", "stages": 3}),
    ((128, 128, 64), {"dtype": "bf16", "a_from": "tmem"}),
    ((192, 64, 128), {"dtype": "bf16", "arch": "sm_90a", "stages": 2}),
    ((64, 64, 64), {"dtype": "f16", "arch": "sm_90a", "sparse": True}),
    ((256, 256, 256), {"dtype": "e2m1", "scale": "ue4m3", "mma": (128, 64)}),
    ((256, 192, 256), {"dtype": "e4m3", "scale": "ue8m0", "cta_group": 2}),
    ((256, 128, 768), {"dtype": "e2m1", "scale": "ue8m0", "mma": (128, 128, 96), "arch": "sm_103a"}),
    ((128, 128, 256), {"dtype": "e4m3", "scale": "ue8m0", "mma": (128, 128, 64), "arch": "sm_107a"}),
]


@cache
def plans() -> list[Plan]:
    """Every type, major-ness and swizzle mode; then what else changes a header."""
    made = []
    for kind, dtype, mode, major in LEGAL:
        hopper = kind == "wgmma"
        shape, arch = (64 if hopper else 128, 128, 128), "sm_90a" if hopper else "sm_100a"
        made.append(plan(shape, dtype=dtype, arch=arch, a_major=major, b_major=major, swizzle=mode))
    return made + [plan(shape, **chosen) for shape, chosen in OTHERS]


def test_strides_of_steps_lie_in_the_stage() -> None:
    for made in plans():
        for operand in made.operands:
            for strides in (operand.k_strides, operand.mn_strides):
                assert sum(units * (count - 1) for units, count in strides or ()) * UNIT < operand.bytes


def test_strides_are_those_of_the_first_descriptor() -> None:
    for made in plans():
        written = {group.name: {item.name: item.value for item in group.items} for group in constants(made)}
        for operand in made.operands:
            fields = operand.tile.kind.table.read(operand.base)
            for key in (LBO, SBO):
                assert fields[key].value == operand.to_dict()[key] == written[operand.name][key]


Calls = Iterator[tuple[str, int]]
"""Calls of functions of a header, with what they return."""


def operand_calls(made: Plan, operand: OperandPlan) -> Calls:
    """The steps of the same tile where it begins at other addresses, the last that fits and one of another CTA too."""
    own = operand.tile
    last = (made.memory.limit - operand.bytes) // 1024 * 1024
    for begin in (0, 7 * 1024, last):
        there = lay_out_tile(
            own.kind.name,
            (own.shape.mn * own.cta_group, own.shape.k),
            own.dtype,
            own.major,
            own.swizzle,
            mma=(own.mma.mn * own.cta_group, own.mma.k),
            order=own.order,
            start=begin,
            cta_group=own.cta_group,
            arch=made.arch,
        )
        for step in there.steps:
            place = f"{step.mn // own.mma.mn}, {step.k // own.mma.k}"
            yield f"at({begin}, {place})", step.value
            yield f"at({begin + (1 << 24)}, {place})", step.value
    yield f"stage({last}, 1)", last + operand.offset + operand.bytes
    buffer, (rows, columns) = own.buffer(0), own.shape
    for mn, k in product((0, 1, 7, 8, 37, 63, rows - 1), (0, 1, 9, 31, columns // 2, columns - 1)):
        mn, k = mn % rows, k % columns
        yield f"element({mn}, {k})", buffer.address(mn, k)
    for index, copy in enumerate(operand.filling.copies if operand.filling else ()):
        yield from ((f"copy({index}).{name}", getattr(copy, name)) for name in ("mn", "k", "offset"))


def load_calls(loads: TmemLoads) -> Calls:
    """The elements that a few threads hold, and the addresses of the loads."""
    for thread in (0, 37, 127):
        for slot, _, element in [*loads.held(thread)][:: max(1, loads.registers // 7)]:
            if slot.cta == 0:
                call = f"d_element({thread}, {slot.load}, {slot.register})"
                yield from ((f"{call}.m", element.row), (f"{call}.n", element.column))
    for warp in range(4):
        yield f"d_address(64, {warp + 4}, {loads.per_warp - 1})", loads.start(warp, loads.per_warp - 1) + 64


def scale_calls(scale: ScalePlan) -> Calls:
    yield "copy_at(200192)", copy_descriptor(200192)
    for name, factors in (("a", scale.a), ("b", scale.b)):
        for k, (step, idesc) in enumerate(zip(factors.scales.steps, scale.idescs, strict=True)):
            yield f"idesc_at({k})", idesc
            yield f"id_at({k})", step.id
            for mn, column in enumerate(factors.added):
                yield f"{name}_column_at({mn}, {k})", column + step.column


@cache
def called() -> list[tuple[Plan, list[tuple[str, str, int]]]]:
    """Each plan with calls of its header's functions: group, call, result; the same loads are called once."""
    result = []
    seen = set()
    for made in plans():
        groups = {operand.name: operand_calls(made, operand) for operand in made.operands}
        if made.tensor_memory is not None and made.tensor_memory.loads not in seen:
            seen.add(made.tensor_memory.loads)
            groups["tmem"] = load_calls(made.tensor_memory.loads)
        if made.scale is not None:
            groups["scale"] = scale_calls(made.scale)
        result.append((made, [(name, call, value) for name, calls in groups.items() for call, value in calls]))
    return result


COMPILERS = [
    ("cuda", "g++", ["-std=c++14"], "cpp", "::"),
    pytest.param("cuda", "clang++", ["-std=c++17"], "cpp", "::", marks=pytest.mark.corpus),
    pytest.param("c", "gcc", ["-std=c99"], "c", "_", marks=pytest.mark.corpus),
    pytest.param("c", "g++", ["-std=c++11"], "cpp", "_", marks=pytest.mark.corpus),
]


@pytest.mark.slow
@pytest.mark.parametrize(("style", "compiler", "options", "suffix", "separator"), COMPILERS)
def test_functions_return_what_the_plan_has(
    style: str, compiler: str, options: list[str], suffix: str, separator: str, tmp_path: Path
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    headers, checks = [], []
    for number, (made, calls) in enumerate(called()):
        headers.append(plan_text(made, style, f"p{number}", ["smemdesc", "plan"]))
        for group, call, value in calls:
            same = f"p{number}{separator}{group}{separator}{call} == {value}ull"
            checks.append(f'static_assert({same}, "");' if style == "cuda" else f"wrong += !({same});")
    if style == "cuda":
        checks.append("int main() { return 0; }")
    else:
        checks = ["int main(void) {", "int wrong = 0;", *checks, "return wrong != 0;", "}"]
    (tmp_path / "plans.h").write_text("".join(headers))
    source = tmp_path / f"use.{suffix}"
    source.write_text("\n".join(('#include "plans.h"', *checks)) + "\n")
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wno-sign-compare", "-Werror"]
    subprocess.run([compiler, *options, *warnings, "-o", tmp_path / "use", source], check=True)
    subprocess.run([tmp_path / "use"], check=True)


KERNEL = """#include "gemm.h"
typedef unsigned long long mbarrier, map;
int __cvta_generic_to_shared(const void*);
void wait(mbarrier&, unsigned), release(mbarrier&), wgmma(float*, uint64_t, uint64_t);
void tma_load(uint32_t, const map*, int, int, mbarrier&);
void kernel(const void* shared, int steps, float* d, mbarrier* full, mbarrier* empty, mbarrier& barrier,
            const map* map_a, uint32_t i, int m0, int k0) {
    (void)steps, (void)full, (void)empty, (void)barrier, (void)map_a, (void)i, (void)m0, (void)k0;
"""
"""What the blocks of the pages take for granted."""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
@pytest.mark.parametrize("page", ["README.md", "docs/planning.md"])
def test_the_loops_of_the_pages_compile(page: str, tmp_path: Path) -> None:
    (loop,) = re.findall(r"(?ms)^```cuda\n(.*?)^```$", (ROOT / page).read_text())
    made = plan((64, 128, 64), dtype="bf16", arch="sm_90a", stages=4)
    (tmp_path / "gemm.h").write_text(plan_text(made, "cuda", "gemm", ["smemdesc", "plan"]))
    source = tmp_path / "use.cpp"
    source.write_text(f"{KERNEL}{loop}}}\n")
    options = ["-std=c++14", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fsyntax-only"]
    subprocess.run(["g++", *options, source], check=True)


def nvcc() -> str | None:
    """The CUDA compiler of this machine, or of the package nvidia-cuda-nvcc."""
    packages = [Path(folder) / "nvidia" / "cu13" / "bin" / "nvcc" for folder in site.getsitepackages()]
    return shutil.which("nvcc") or next((str(path) for path in packages if path.exists()), None)


LOOP = """\
#include "gemm.h"
#include "tile.h"
__device__ void copy(uint32_t to, int mn, int k) {
    asm volatile("prefetch.global.L2 [%0];" :: "l"(uint64_t(to + mn + k)));
}
__device__ void mma(float (&d)[4], uint64_t a, uint64_t b, int m, int k) {
    MMA;
}
extern "C" __global__ void kernel(int steps, float* out) {
    extern __shared__ uint8_t shared[];
    const uint32_t base = uint32_t(__cvta_generic_to_shared(shared));
    float d[4] = {};
    for (int step = 0; step < steps; ++step) {
        const uint32_t a = gemm::a::stage(base, step % gemm::stages), b = gemm::b::stage(base, step % gemm::stages);
#pragma unroll
        for (int i = 0; i < gemm::a::tma_copies; ++i) {
            copy(a + gemm::a::copy(i).offset, gemm::a::copy(i).mn, gemm::a::copy(i).k);
            copy(a + tile_a_copy(i).offset, tile_a_copy(i).mn, tile_a_copy(i).k);
        }
#pragma unroll
        for (int m = 0; m < gemm::a::mn_steps; ++m)
#pragma unroll
            for (int k = 0; k < gemm::a::k_steps; ++k) {
                mma(d, gemm::a::at(a, m, k), gemm::b::at(b, 0, k), m, k);
                mma(d, tile_a_at(a, m, k), tile_b_at(b, 0, k), m, k);
            }
    }
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
"""
"""The loop that everybody writes, with the header of CUDA C++ and with that of C."""
WGMMA = """asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 1;"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b))"""
TCGEN05 = """asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, 1;"
    :: "r"(m), "l"(a), "l"(b), "r"(gemm::idesc))"""
SCALED = """asm volatile(
    "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%0], %1, %2, %3, [%4], [%5], 1;"
    :: "r"(m), "l"(a), "l"(b), "r"(gemm::scale::idesc_at(k)), "r"(128 + gemm::scale::a_column_at(m, k)),
    "r"(256 + gemm::scale::b_column_at(0, k)))"""
KERNELS: list[tuple[str, tuple[int, int, int], dict[str, Any], str]] = [
    ("sm_90a", (128, 8, 128), {"dtype": "bf16", "stages": 2, "b_major": "MN"}, WGMMA),
    ("sm_100a", (256, 64, 128), {"dtype": "bf16", "stages": 3, "a_major": "MN"}, TCGEN05),
    ("sm_100a", (256, 64, 512), {"dtype": "e2m1", "scale": "ue8m0"}, SCALED),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arch", "shape", "chosen", "mma"), KERNELS, ids=["wgmma", "tcgen05", "scaled"])
def test_an_unrolled_loop_has_the_sums_as_immediates(
    arch: str, shape: tuple[int, int, int], chosen: dict[str, Any], mma: str, tmp_path: Path
) -> None:
    compiler = nvcc()
    if compiler is None:
        pytest.skip("no nvcc here: pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-cuda-runtime nvidia-nvvm")
    made = plan(shape, arch=arch, **chosen)
    for style, name in (("cuda", "gemm"), ("c", "tile")):
        (tmp_path / f"{name}.h").write_text(plan_text(made, style, name, ["smemdesc", "plan"]))
    (tmp_path / "loop.cu").write_text(LOOP.replace("MMA", mma))
    options = ["-Werror", "all-warnings", "-std=c++17", f"-arch={arch}", "-cubin", "-keep"]
    subprocess.run([compiler, *options, "loop.cu"], cwd=tmp_path, check=True)
    ptx = (tmp_path / "loop.ptx").read_text()
    assert ".local" not in ptx
    assert "ld.const" not in ptx
    immediates = {int(number) for number in re.findall(r"(?<=, )\d+(?=;)", ptx)}
    for operand in made.operands:
        assert {word_pair(value)[1] for row in operand.descriptors for value in row} <= immediates


ALLOCATING = """\
#include "gemm.h"
__device__ void mma(uint32_t d, uint64_t a, uint64_t b, uint32_t a_factors, uint32_t b_factors, int m, int k) {
    MMA;
}
extern "C" __global__ void kernel() {
    __shared__ uint32_t slot;
    extern __shared__ uint8_t shared[];
    const uint32_t base = uint32_t(__cvta_generic_to_shared(shared));
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
        :: "r"(uint32_t(__cvta_generic_to_shared(&slot))), "n"(gemm::tmem::alloc_columns) : "memory");
    __syncthreads();
    const uint32_t d = *(volatile uint32_t*)&slot;
    const uint32_t a_factors = d + gemm::tmem::d_columns, b_factors = a_factors + gemm::tmem::scale_a_columns;
#pragma unroll
    for (int m = 0; m < gemm::a::mn_steps; ++m)
#pragma unroll
        for (int k = 0; k < gemm::a::k_steps; ++k)
            mma(d + m * gemm::tmem::d_mma_columns, gemm::a::at(base, m, k), gemm::b::at(base, 0, k), a_factors,
                b_factors, m, k);
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" :: "r"(d), "n"(gemm::tmem::alloc_columns));
}
"""
"""A kernel that takes all that it allocates from its header."""
IN_D = TCGEN05.replace('"r"(m)', '"r"(d)')
WITH_FACTORS = (
    SCALED.replace('"r"(m)', '"r"(d)')
    .replace('"r"(128 + gemm', '"r"(a_factors + gemm')
    .replace('"r"(256 + gemm', '"r"(b_factors + gemm')
)
ALLOCATED: list[tuple[tuple[int, int, int], dict[str, Any], str]] = [
    ((128, 64, 64), {"dtype": "bf16"}, IN_D),
    ((256, 96, 64), {"dtype": "bf16"}, IN_D),
    ((128, 128, 512), {"dtype": "e2m1", "scale": "ue8m0"}, WITH_FACTORS),
    ((256, 128, 256), {"dtype": "e2m1", "scale": "ue8m0"}, WITH_FACTORS),
]


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "chosen", "mma"), ALLOCATED, ids=["D", "two of D", "scaled", "two scaled"])
def test_a_kernel_allocates_what_its_header_says(
    shape: tuple[int, int, int], chosen: dict[str, Any], mma: str, tmp_path: Path
) -> None:
    compiler = nvcc()
    if compiler is None:
        pytest.skip("no nvcc here: pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-cuda-runtime nvidia-nvvm")
    made = plan(shape, arch="sm_100a", **chosen)
    memory = made.tensor_memory
    assert memory is not None
    (tmp_path / "gemm.h").write_text(plan_text(made, "cuda", "gemm", ["smemdesc", "plan"]))
    (tmp_path / "kernel.cu").write_text(ALLOCATING.replace("MMA", mma))
    options = ["-std=c++17", "-arch=sm_100a", "-cubin", "-keep"]
    subprocess.run([compiler, *options, "kernel.cu"], cwd=tmp_path, check=True)
    found = scan(tmp_path / "kernel.ptx")
    assert not found.findings
    picture = found.functions[0].tensor_memory
    assert picture is not None
    assert (picture.allocated, picture.used) == ((memory.alloc_columns,), memory.columns)
