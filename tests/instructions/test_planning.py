"""Plans: their instruction descriptors are those of the corpus, their descriptors read what their tensor maps write."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from corpus.dumps import truth
from samples import long_run, refusing
from tables import every_row
from tiles.test_text import read, written
from tiles.test_tile import COMBINATIONS, legal

import smemdesc
from smemdesc import IllegalError, SmemdescError
from smemdesc.api.planning import plan
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.plan import OperandPlan, Plan
from smemdesc.kinds.names import BLOCK_SCALED

ASKED = [
    (unit, name, operation)
    for unit, functions in truth()["functions"].items()
    if unit.startswith("tcgen05")
    for name, function in functions.items()
    for operation in function["ops"][:1]
    if operation["facts"]["instruction"] == "tcgen05"
    and not operation["facts"]["ws"]
    and "a_type" in operation["facts"]
]
FREE = ("a_scale_id", "b_scale_id", "sparsity_selector", "negate_a", "negate_b", "saturate", "max_shift", "scale_type")
"""What a kernel may choose otherwise."""


def planned(facts: dict[str, Any], **more: Any) -> Plan:
    pair = facts["cta_group"]
    sides = {f"{each}_major": "MN" if facts[f"transpose_{each}"] else "K" for each in "ab"}
    scale = "ue4m3" if facts["mma_kind"] == "mxf4nvf4" and "16" in facts.get("block", "") else None
    return plan(
        (facts["m"], facts["n"], 8 * facts["k"]),
        dtype=facts["a_type"],
        b_dtype=facts["b_type"],
        d_type=facts["d_type"],
        mma_kind=facts["mma_kind"],
        cta_group=pair,
        mma=(facts["m"], facts["n"], facts["k"]),
        sparse=facts["sparse"],
        a_from="tmem" if facts["a_in"] == "tmem" else "shared",
        scale=scale,
        **sides,
        **more,
    )


def test_the_corpus_has_every_kind() -> None:
    kinds = {operation["facts"]["mma_kind"] for *_, operation in ASKED}
    assert kinds == {"f16", "tf32", "f8f6f4", "i8", *BLOCK_SCALED}


@pytest.mark.slow
@pytest.mark.parametrize("step", [3, long_run(1)])
@pytest.mark.parametrize("unit", dict.fromkeys(unit for unit, *_ in ASKED))
def test_instruction_descriptors_are_those_of_the_corpus(unit: str, step: int) -> None:
    for of, name, operation in ASKED[::step]:
        if of == unit:
            same_instruction(unit, name, operation)


def same_instruction(unit: str, name: str, operation: dict[str, Any]) -> None:
    facts = operation["facts"]
    # Kernels of the corpus multiply a few columns, which need not fill an atom of a wider mode.
    narrow = facts["a_type"] != "tf32" and facts["k"] != 96
    swizzle = "none" if narrow else None
    made = planned(facts, arch="sm_103a" if "103" in unit else "sm_100a", swizzle=swizzle)
    assert made.idesc is not None
    kinds = {"kind": "idesc", "mma_kind": facts["mma_kind"]}
    ours = smemdesc.decode(f"0x{made.idesc:08x}", **kinds).fields
    theirs = smemdesc.decode(operation["values"][0][2], **kinds).fields
    assert {key: field.value for key, field in ours.items() if key not in FREE} == {
        key: field.value for key, field in theirs.items() if key not in FREE
    }, name


CUTLASS = [line.split() for line in Path(__file__).with_name("cutlass_bytes.tsv").read_text().splitlines()]
"""From CUTLASS 4.2 compiled for the host: kind (``.sp``: sparse), types of A and B, cta_group, tile, then the bytes of
a stage that the mbarrier expects (``TmaTransactionBytes``; sparse: ``ABTmaTransactionBytes``) and those of metadata."""


@pytest.mark.slow
@every_row(("kind", "a", "b", "pair", "shape", "bytes_of_both", "metadata"), CUTLASS)
def test_the_mbarrier_expects_what_cutlass_expects(
    kind: str, a: str, b: str, pair: str, shape: str, bytes_of_both: str, metadata: str
) -> None:
    more = {"mma_kind": kind.removesuffix(".sp"), "sparse": kind.endswith(".sp"), "cta_group": int(pair)}
    made = smemdesc.plan(shape, dtype=a, b_dtype=b, block=16 if kind == "mxf4nvf4" else None, **more)
    assert made.tma_bytes * made.cta_group == int(bytes_of_both)
    assert made.tensor_memory is not None
    assert made.tensor_memory.metadata_columns * 4 * 128 * made.cta_group == int(metadata)


@pytest.mark.parametrize("kind", ["f8f6f4", "mxf8f6f4"])
@pytest.mark.parametrize(("dtype", "row"), [("e2m1", 512), ("e2m3", 768), ("e3m2", 768), ("e4m3", 1024)])
def test_rows_of_a_tensor_map_are_packed_in_global_memory(kind: str, dtype: str, row: int) -> None:
    made = smemdesc.plan(
        "128x128x128", dtype=dtype, mma_kind=kind, a_address=0x1000, b_address=0x2000, gemm="256x256x1024"
    )
    for operand in made.operands:
        assert operand.map is not None
        assert smemdesc.decode(operand.map, kind="tensormap").fields["stride_1"].value == row


def check(operand: OperandPlan) -> None:
    """Hold an operand's descriptors against what its tensor map writes, and its bytes against both."""
    made = operand.tile
    assert [step.value for step in made.steps] == list(itertools.chain(*operand.descriptors))
    assert all(
        operand.base + offset == value
        for row, values in zip(operand.offsets, operand.descriptors, strict=True)
        for offset, value in zip(row, values, strict=True)
    )
    places = read(made)
    assert len(places) == made.shape.mn * made.shape.k
    assert operand.filling is not None
    assert written(made) == places
    assert operand.filling.map.shared_bytes * len(operand.filling.copies) == operand.bytes
    assert operand.filling.bytes == made.shape.mn * made.shape.k * made.dtype.bits // 8
    assert operand.offset % operand.alignment == 0


@pytest.mark.corpus
@pytest.mark.parametrize(("kind", "dtype", "mode", "major"), [each for each in COMBINATIONS if legal(*each)])
def test_descriptors_read_what_the_tensor_maps_write(kind: str, dtype: str, mode: str, major: str) -> None:
    arch = "sm_90a" if kind == "wgmma" else "sm_100a"
    made = plan(
        (64 if kind == "wgmma" else 128, 128, 128),
        dtype=dtype,
        arch=arch,
        a_major=major,
        b_major=major,
        swizzle=mode,
    )
    for operand in made.operands:
        check(operand)
    assert made.findings == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "dtype", "more"),
    [
        ((256, 256, 64), "bf16", {"cta_group": 2, "b_major": "MN"}),
        ((512, 256, 128), "e4m3", {"cta_group": 2, "a_major": "MN"}),
        ((128, 96, 96), "f16", {}),
        ((128, 320, 64), "bf16", {"b_major": "MN"}),
        ((128, 128, 256), "e2m1", {"scale": "ue4m3"}),
        ((128, 128, 128), "e2m1", {}),
        ((128, 128, 128), "e2m3", {"b_dtype": "e5m2"}),
        ((128, 128, 256), "e4m3", {"sparse": True, "scale": "ue8m0"}),
        ((128, 128, 256), "s8", {"sparse": True, "a_major": "MN"}),
        ((128, 128, 768), "e2m1", {"mma_kind": "mxf4", "mma": (128, 128, 96), "arch": "sm_103a"}),
        ((192, 256, 64), "tf32", {"arch": "sm_90a"}),
        ((64, 64, 64), "f16", {"arch": "sm_90a", "sparse": True}),
    ],
)
def test_plans_of_many_kinds(shape: tuple[int, int, int], dtype: str, more: dict[str, Any]) -> None:
    made = plan(shape, dtype=dtype, **more)
    for operand in made.operands:
        check(operand)
    assert not judge_mma(made.mma).fails()
    assert made.findings == ()


def test_two_ctas_hold_half_each_and_the_instruction_is_the_pairs() -> None:
    made = plan((256, 128, 64), dtype="bf16", cta_group=2)
    assert made.a is not None
    assert (made.a.tile.shape, made.b.tile.shape, made.mma_shape) == ((128, 64), (64, 64), (256, 128, 16))
    assert made.idesc is not None
    fields = smemdesc.decode(made.idesc, "idesc", "f16").fields
    assert (fields["m"].value, fields["n"].value) == (256, 128)


def test_the_widest_mode_that_fits() -> None:
    sizes = {16: "32B", 32: "64B", 48: "32B", 64: "128B", 96: "64B", 192: "128B"}
    for k, mode in sizes.items():
        made = plan((128, 128, k), dtype="bf16")
        assert made.b.tile.swizzle == mode
        assert made.b.why
    assert plan((128, 128, 32), dtype="tf32", a_major="MN").a.tile.swizzle == "128B_32B"  # type: ignore[union-attr]


def test_a_plan_does_not_doubt_its_own_strides() -> None:
    """SBO is 16 atoms, as a stride in bytes would be."""
    assert plan((256, 16, 256), dtype="bf16", swizzle="32B", order="k").findings == ()


def test_stages_and_shared_memory() -> None:
    made = plan((128, 256, 64), dtype="bf16", stages=4)
    memory = made.memory
    assert memory.stage == (128 + 256) * 64 * 2
    assert memory.total == 4 * (memory.stage + 16)
    assert memory.limit == 232448
    assert plan((128, 256, 64), dtype="bf16", stages=memory.most).findings == ()
    over = plan((128, 256, 64), dtype="bf16", stages=memory.most + 1)
    assert [(each.severity, each.rule) for each in over.findings] == [("error", "outside-shared-memory")]


def test_each_k_step_says_its_scale_factors() -> None:
    made = plan((256, 128, 768), dtype="e2m1", scale="ue8m0", mma=(128, 128, 96), arch="sm_103a")
    assert made.scale is not None
    ids = [smemdesc.decode(f"0x{value:08x}", "idesc", "mxf4").fields["a_scale_id"].value for value in made.scale.idescs]
    assert ids == [step.id for step in made.scale.a.scales.steps] == [step.id for step in made.scale.b.scales.steps]
    assert ids == [0, 3, 2, 1, 0, 3, 2, 1]
    assert [step.column for step in made.scale.a.scales.steps] == [0, 0, 8, 16, 24, 24, 32, 40]
    assert made.scale.idescs[0] == made.idesc
    assert made.scale.a.added == (0, 4)


def test_a_block_size_may_be_chosen() -> None:
    vectors = {
        (scale, block): plan((128, 128, 256), dtype="e2m1", mma_kind="mxf4nvf4", scale=scale, block=block).mnemonic[-2:]
        for scale, block in (("ue4m3", None), ("ue8m0", None), ("ue8m0", 16), ("ue8m0", 32))
    }
    assert vectors == {("ue4m3", None): "4X", ("ue8m0", None): "2X", ("ue8m0", 16): "4X", ("ue8m0", 32): "2X"}


@pytest.mark.parametrize(
    ("shape", "of", "layout", "columns"),
    [
        ((128, 128, 64), {}, "D", 128),
        ((64, 128, 64), {}, "F", 128),
        ((192, 128, 64), {}, "F", 256),  # three matrices in half of the lanes each
        ((256, 128, 64), {"cta_group": 2}, "A", 128),
        ((128, 128, 64), {"cta_group": 2}, "B", 64),
        ((128, 128, 64), {"a_from": "tmem"}, "D", 160),
        ((128, 128, 64), {"a_from": "tmem", "stages": 3}, "D", 128 + 3 * 32),
        ((128, 128, 64), {"sparse": True, "stages": 3}, "D", 128 + 2),
        ((256, 128, 256), {"sparse": True}, "D", 2 * 128 + 2 * 8),
        ((128, 512, 64), {}, "D", 512),
    ],
)
def test_columns_of_tensor_memory(shape: tuple[int, int, int], of: dict[str, Any], layout: str, columns: int) -> None:
    memory = plan(shape, dtype="bf16", **of).tensor_memory
    assert memory is not None
    assert (memory.d.path.name, memory.columns) == (layout, columns)


TOO_LARGE = [
    ((256, 256, 64), "bf16", {"arch": "sm_90a"}, "error", "accumulator-registers", "none are left"),
    ((256, 264, 64), "bf16", {"arch": "sm_90a"}, "error", "accumulator-registers", "smaller tile"),
    ((256, 248, 64), "bf16", {"arch": "sm_90a"}, "warning", "accumulator-registers", "2048 are left"),
    ((128, 128, 64), "bf16", {"a_from": "tmem", "stages": 14}, "error", "tensor-memory-columns", "use 12 stages or"),
    ((128, 512, 64), "bf16", {"a_from": "tmem"}, "error", "tensor-memory-columns", "smaller tile"),
    ((128, 512, 64), "bf16", {"sparse": True}, "error", "tensor-memory-columns", "2 of the metadata"),
    ((128, 512, 64), "tf32", {"sparse": True}, "error", "tensor-memory-columns", "4 of the metadata"),
    (
        (128, 512, 256),
        "e2m1",
        {"sparse": True, "scale": "ue8m0"},
        "error",
        "tensor-memory-columns",
        "4 of the metadata",
    ),
]


@pytest.mark.parametrize(("shape", "dtype", "more", "severity", "rule", "words"), TOO_LARGE)
def test_what_has_no_room(
    shape: tuple[int, int, int], dtype: str, more: dict[str, Any], severity: str, rule: str, words: str
) -> None:
    finding = next(each for each in plan(shape, dtype=dtype, **more).findings if each.rule == rule)
    assert finding.severity == severity
    assert words in f"{finding.message} {finding.fix}"


def test_what_has_room_just_so() -> None:
    assert not plan((256, 192, 64), dtype="bf16", arch="sm_90a").findings
    assert not plan((256, 256, 64), dtype="f16", d_type="f16", arch="sm_90a").findings
    assert not plan((128, 128, 32), dtype="bf16", a_from="tmem", stages=24).findings
    assert not plan((128, 480, 64), dtype="bf16", sparse=True, mma=(128, 240)).findings


_K_192: dict[str, Any] = {"mma": (128, 128, 192), "scale": "ue8m0", "sparse": True}
NEWER = [
    # K of the tile, type, what is asked, K of the instruction, 16-byte units from step to step, instruction, idesc
    (128, "e4m3", {"mma": (128, 128, 64)}, 64, 4, "kind::f8f6f4", 0x28200010),
    (256, "e4m3", {"mma": (128, 128, 64), "scale": "ue8m0"}, 64, 4, "kind::mxf8f6f4.block_scale.block32", 0x88A00000),
    (256, "e2m1", {"mma": (128, 128, 128), "scale": "ue4m3"}, 128, 4, "mxf4nvf4.block_scale.block16", 0x08200488),
    (256, "e2m1", {"mma": (128, 128, 128), "scale": "ue5m3"}, 128, 4, "mxf4nvf4.block_scale.block32", 0x09200488),
    (64, "s1z4m11", {}, 16, 2, "kind::ti16", 0x08200DA0),
    (64, "e4m3", {}, 32, 2, "kind::f8f6f4", 0x08200010),
]


@pytest.mark.parametrize(("k", "dtype", "of", "one", "apart", "instruction", "idesc"), NEWER)
def test_sm_107(k: int, dtype: str, of: dict[str, Any], one: int, apart: int, instruction: str, idesc: int) -> None:
    made = plan((128, 128, k), dtype=dtype, arch="sm_107a", **of)
    assert (made.mma_shape[2], made.idesc) == (one, idesc)
    assert made.mnemonic.endswith(instruction)
    for operand in made.operands:
        assert operand.offsets[0][1] == apart
    assert made.findings == ()
    assert made.memory.limit == 327 * 1024


def test_sm_107_ids_of_the_longer_k() -> None:
    made = plan((128, 128, 256), dtype="e4m3", arch="sm_107a", mma=(128, 128, 64), scale="ue8m0")
    assert made.scale is not None
    assert [step.id for step in made.scale.a.scales.steps] == [0, 2, 0, 2]
    assert made.scale.idescs == (0x88A00000, 0xC8A00020, 0x88A00000, 0xC8A00020)


def test_sm_107_sparse_fp4_has_its_own_version() -> None:
    made = plan((128, 128, 256), dtype="e2m1", arch="sm_107a", scale="ue8m0", sparse=True)
    assert made.idesc == 0x08A01484  # bit 12


def test_family_targets_have_no_scale_vec() -> None:
    for arch in ("sm_100f", "sm_107f"):
        assert plan((128, 128, 256), dtype="e2m1", arch=arch, scale="ue8m0").mnemonic.endswith(
            "mxf4.block_scale.block32"
        )


def test_scale_factors_count() -> None:
    scale = plan((256, 64, 256), dtype="e2m1", scale="ue4m3", cta_group=2).scale
    assert scale is not None
    # 128 rows of A in each CTA, all 64 columns of B in a block of 128, 16 factors each.
    assert (scale.vec, scale.block, scale.a.bytes, scale.b.bytes) == (4, 16, 2048, 2048)


@pytest.mark.parametrize("where", ["tmem", "registers"])
def test_a_elsewhere_has_no_descriptor(where: str) -> None:
    made = plan((64, 128, 64), dtype="bf16", a_from=where, arch="sm_90a" if where == "registers" else "sm_100a")
    assert made.a is None
    assert made.b.offset == 0
    assert made.memory.stage == made.b.bytes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "dtype", "more", "words"),
    [
        ((100, 128, 64), "bf16", {}, "M = 100"),
        ((128, 100, 64), "bf16", {}, "N = 100"),
        ((128, 128, 40), "bf16", {}, "K = 40"),
        ((128, 8, 64), "e4m3", {"b_major": "MN"}, "N = 8"),
        ((192, 128, 64), "bf16", {"cta_group": 2}, "M = 192 of the pair's tile"),
        ((128, 128, 64), "bf16", {"mma": (96, 128)}, "M = 96 is not legal"),
        ((128, 128, 64), "bf16", {"mma": (128, 48)}, "N = 128 of the tile is not a multiple of 48"),
        ((128, 128, 64), "bf16", {"mma": (128, 128, 32)}, "K = 32"),
        ((128, 128, 64), "bf16", {"swizzle": "128B_32B"}, "128B_32B"),
        ((128, 128, 32), "bf16", {"swizzle": "128B"}, "A: a tile of 128x32"),
        ((128, 128, 64), "bf16", {"arch": "sm_80"}, "sm_80"),
        ((128, 128, 64), "bf16", {"arch": "sm_90a", "cta_group": 2}, "cta-group"),
        ((128, 128, 64), "bf16", {"arch": "sm_90a", "a_from": "tmem"}, "tensor memory"),
        ((128, 128, 64), "bf16", {"a_from": "registers"}, "registers"),
        ((128, 128, 64), "bf16", {"a_from": "tmem", "a_major": "MN"}, "K-major"),
        ((128, 128, 64), "e4m3", {"arch": "sm_90a", "a_major": "MN"}, "wgmma-major"),
        ((64, 128, 64), "e2m1", {"arch": "sm_90a"}, "no operand type e2m1"),
        ((128, 128, 64), "s8", {"arch": "sm_103a"}, "kind-arch"),
        ((128, 128, 64), "bf16", {"d_type": "f16"}, "accumulated in f16"),
        ((128, 128, 64), "bf16", {"b_dtype": "tf32"}, "no instruction multiplies bf16 by tf32"),
        ((128, 128, 64), "e4m3", {"b_dtype": "bf16", "mma_kind": "f16"}, "no instruction multiplies bf16 by e4m3"),
        ((64, 64, 256), "b1", {}, "but wgmma does"),
        ((128, 128, 64), "f16", {"mma_kind": "nvfp4"}, "for nvfp4 use mxf4nvf4"),
        ((64, 128, 64), "bf16", {"b_dtype": "tf32", "arch": "sm_90a"}, "bf16 by tf32"),
        ((128, 128, 128), "e4m3", {"mma": (128, 128, 64)}, "64 on sm_107a, sm_107f"),
        ((128, 128, 128), "e2m3", {"mma": (128, 128, 64), "arch": "sm_107a"}, "unpadded"),
        (
            (128, 128, 384),
            "e2m1",
            {"mma": (128, 128, 192), "arch": "sm_107a", "scale": "ue8m0", "sparse": True},
            "96 bytes",
        ),
        ((128, 128, 64), "s1z4m11", {}, "kind::ti16"),
        ((128, 128, 64), "bf16", {"block": 16}, "--block is for scale factors"),
        ((128, 128, 64), "bf16", {"block": 16, "arch": "sm_90a"}, "--block does not exist for wgmma"),
        ((128, 128, 64), "e2m1", {"scale": "ue8m0", "block": 16}, "no blocks of 16"),
        ((128, 128, 64), "e2m1", {"scale": "ue5m3"}, "no scale factors in ue5m3 on sm_100a"),
        ((128, 128, 64), "e2m1", {"scale": "ue4m3", "block": 32}, "no scale factors of blocks of 32 in ue4m3"),
        ((128, 128, 64), "bf16", {"scale": "ue8m0"}, "reads no bf16"),
        ((128, 128, 64), "bf16", {"mma_kind": "f16", "scale": "ue8m0"}, "no scale factors"),
        ((128, 128, 64), "e2m1", {"scale": "ue4m3", "a_major": "MN"}, "K-major only"),
        ((128, 128, 64), "bf16", {"mma_kind": "x"}, "unknown MMA kind 'x'"),
    ],
)
def test_what_cannot_be_planned_is_refused(
    shape: tuple[int, int, int], dtype: str, more: dict[str, Any], words: str
) -> None:
    with refusing(words) as caught:
        plan(shape, dtype=dtype, **more)
    assert caught.value.hint
    if isinstance(caught.value, IllegalError) and "[" in caught.value.message:
        assert "PTX ISA" in caught.value.hint or "ptxas" in caught.value.hint or "CUTLASS" in caught.value.hint


@pytest.mark.parametrize(
    ("types", "meaning"),
    [
        ({"dtype": "nvfp4"}, {"dtype": "e2m1", "mma_kind": "mxf4nvf4", "scale": "ue4m3", "block": 16}),
        ({"dtype": "mxfp4"}, {"dtype": "e2m1", "mma_kind": "mxf4", "scale": "ue8m0", "block": 32}),
        (
            {"dtype": "mxfp4", "mma_kind": "mxf4nvf4"},
            {"dtype": "e2m1", "mma_kind": "mxf4nvf4", "scale": "ue8m0", "block": 32},
        ),
        ({"dtype": "mxfp8"}, {"dtype": "e4m3", "scale": "ue8m0"}),
        ({"dtype": "mxfp8_e5m2"}, {"dtype": "e5m2", "scale": "ue8m0"}),
        ({"dtype": "mxfp8", "b_dtype": "mxfp4"}, {"dtype": "e4m3", "b_dtype": "e2m1", "scale": "ue8m0"}),
        ({"dtype": "mxfp4", "b_dtype": "e5m2"}, {"dtype": "e2m1", "b_dtype": "e5m2", "scale": "ue8m0"}),
        ({"mma_kind": "mxf4"}, {"dtype": "e2m1", "mma_kind": "mxf4"}),
        ({"mma_kind": "tf32"}, {"dtype": "tf32"}),
    ],
)
def test_a_format_is_a_type_with_its_kind_and_its_scale_factors(types: dict[str, Any], meaning: dict[str, Any]) -> None:
    assert plan("128x128x256", **types)._replace(remarks=()) == plan("128x128x256", **meaning)


@pytest.mark.parametrize(
    ("types", "message", "keyword"),
    [
        ({"dtype": "nvfp4", "scale": "ue8m0"}, "nvfp4 is e2m1, scale factors in ue4m3 for 16 of K, not scale", "scale"),
        ({"dtype": "nvfp4", "block": 32}, "not block=32; omit block, or write e2m1", "block"),
        ({"dtype": "nvfp4", "mma_kind": "mxf4"}, "kind::mxf4 does not multiply nvfp4", "dtype"),
        ({"dtype": "nvfp4", "b_dtype": "mxfp4"}, "no instruction multiplies nvfp4", "b_dtype"),
        ({"dtype": "nvfp4", "arch": "sm_90a"}, "wgmma has no scale factors, nvfp4 has", "dtype"),
        ({"mma_kind": "f16"}, "kind::f16 reads f16, bf16; choose one", "dtype"),
        ({}, "it is missing", "dtype"),
    ],
)
def test_what_contradicts_a_format_is_named(types: dict[str, Any], message: str, keyword: str) -> None:
    with pytest.raises(SmemdescError) as refused:
        plan("128x128x256", **types)
    assert message in str(refused.value)
    assert keyword in refused.value.keywords


def test_e2m1_alone_says_what_the_block_scaled_kinds_are_called() -> None:
    (note,) = plan("128x128x256", dtype="e2m1").notes
    assert "kind::f8f6f4" in note
    assert "nvfp4 or mxfp4" in note
    assert plan("128x128x256", dtype="e2m1", mma_kind="f8f6f4").notes == ()


@pytest.mark.parametrize(("m", "cta_group", "open_question"), [(128, 2, True), (256, 2, False), (128, 1, False)])
def test_the_open_layout_of_factors_of_b_names_the_public_record_of_a_reading(
    m: int, cta_group: int, open_question: bool
) -> None:
    notes = plan(f"{m}x128x128", dtype="e4m3", mma_kind="mxf8f6f4", cta_group=cta_group).notes
    named = [note for note in notes if "facebookexperimental/triton #3653" in note]
    assert len(named) == open_question
    assert all(note.endswith("agrees with CUTLASS") for note in named)
