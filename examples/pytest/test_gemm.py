"""The descriptors of a GEMM, held across versions of the compiler. GEMM is the kernel as another one compiled it."""

import os
from pathlib import Path

import pytest

GEMM = os.environ.get("GEMM", Path(__file__).parents[1] / "data" / "gemm_sm100.sass")


@pytest.fixture
def gemm(descriptors):
    return descriptors(GEMM, function="gemm_*")


def test_descriptors_are_valid(gemm):
    gemm.assert_valid()


def test_tiles_are_read_as_the_tensor_maps_write_them(gemm):
    assert gemm.swizzle("a") == gemm.swizzle("b") == "128B"
    assert gemm.major("b") == "K"
    assert gemm.field("b", "sbo") == 1024


def test_descriptors_are_those_of_the_last_release(gemm):
    gemm.same_as("gemm.json")
