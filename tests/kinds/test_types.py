"""The operand types: bits, storage, K of the dense instruction, and which instruction has them."""

from __future__ import annotations

import pytest
from tables import every_row

from kinds.test_tables import CODES
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.kinds.types import DTYPE_NAMES, dtype_of, operand_type, type_of_kind

EXPECTED = [
    # name, bits, storage bits, wgmma, tcgen05, K of a dense MMA
    ("f16", 16, 16, True, True, 16),
    ("bf16", 16, 16, True, True, 16),
    ("tf32", 32, 32, True, True, 8),
    ("e4m3", 8, 8, True, True, 32),
    ("e5m2", 8, 8, True, True, 32),
    ("s8", 8, 8, True, True, 32),
    ("u8", 8, 8, True, True, 32),
    ("b1", 1, 1, True, False, 256),
    ("e2m3", 6, 8, False, True, 32),
    ("e3m2", 6, 8, False, True, 32),
    ("e2m1", 4, 8, False, True, 32),
    ("s1z4m11", 16, 16, False, True, 16),
]


@every_row("row", EXPECTED)
def test_type(row: tuple[object, ...]) -> None:
    dtype = dtype_of(str(row[0]))
    assert (dtype.name, dtype.bits, dtype.storage, dtype.wgmma, dtype.tcgen05, dtype.k) == row


@pytest.mark.parametrize(
    ("name", "dtype", "storage", "kinds"),
    [
        ("nvfp4", "e2m1", 4, ["mxf4nvf4"]),
        ("NVFP4", "e2m1", 4, ["mxf4nvf4"]),
        ("cutlass::nv_float4_t<cutlass::float_e2m1_t>", "e2m1", 4, ["mxf4nvf4"]),
        ("mxfp4", "e2m1", 4, ["mxf4", "mxf4nvf4", "mxf8f6f4"]),
        ("mxfp8", "e4m3", 8, ["mxf8f6f4"]),
        ("mxfp8-e5m2", "e5m2", 8, ["mxf8f6f4"]),
        ("mx_float6_t<float_e3m2_t>", "e3m2", 8, ["mxf8f6f4"]),
    ],
)
def test_a_format_is_its_elements_and_has_the_kinds_of_its_scale_factors(
    name: str, dtype: str, storage: int, kinds: list[str]
) -> None:
    """PTX ISA 9.3, Tables 59 and 60: the scale types and block sizes of each kind."""
    assert (dtype_of(name).name, dtype_of(name).storage) == (dtype, storage)
    for kind in MMA_KINDS:
        if kind in kinds:
            assert operand_type(name, kind) == dtype_of(dtype, kind)
        else:
            with pytest.raises(SmemdescError, match=f"kind::{kind} does not multiply"):
                operand_type(name, kind)


def test_a_kind_of_one_type_gives_it() -> None:
    given = {kind: type_of_kind(kind) for kind in MMA_KINDS}
    only = {"tf32": "tf32", "mxf4": "e2m1", "mxf4nvf4": "e2m1", "ti16": "s1z4m11"}
    assert given == {kind: only.get(kind) for kind in MMA_KINDS}


def test_there_is_no_other() -> None:
    assert set(DTYPE_NAMES) == {row[0] for row in EXPECTED}


@pytest.mark.parametrize(
    ("mma_kind", "storage", "k"),
    [("f8f6f4", 8, 32), ("mxf8f6f4", 8, 32), ("mxf4", 4, 64), ("mxf4nvf4", 4, 64), (None, 8, 32)],
)
def test_e2m1_is_packed_by_some_kinds(mma_kind: str | None, storage: int, k: int) -> None:
    dtype = dtype_of("e2m1", mma_kind)
    assert (dtype.storage, dtype.k) == (storage, k)


@pytest.mark.parametrize("text", ["bf16", "BF16", ".bf16"])
def test_names_as_they_are_written(text: str) -> None:
    assert dtype_of(text).name == "bf16"


@pytest.mark.parametrize("text", ["f64", "fp17", "", "s4"])
def test_unknown_type(text: str) -> None:
    with pytest.raises(SmemdescError, match=r"unknown operand type.*the types are f16, bf16"):
        dtype_of(text)


@every_row("mma_kind", MMA_KINDS)
@every_row("name", DTYPE_NAMES)
def test_an_mma_kind_reads_its_own_types_only(name: str, mma_kind: str) -> None:
    if name in CODES[mma_kind]["a_type"].values():
        assert operand_type(name, mma_kind) == dtype_of(name, mma_kind)
    else:
        with pytest.raises(SmemdescError, match=f"kind::{mma_kind} reads no {name} operands"):
            operand_type(name, mma_kind)


def test_a_type_without_a_kind_is_taken_as_it_is() -> None:
    assert all(operand_type(name) == dtype_of(name) for name in DTYPE_NAMES)
