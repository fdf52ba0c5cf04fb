"""``smemdesc layout operand|address|tile`` and ``encode --tile``: whole outputs, JSON, errors."""

from __future__ import annotations

import json

import pytest
from run import smemdesc

from smemdesc.kinds.names import BLAS

VALUE = "0x4000404000010040"
CASE = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]


def test_json_of_packed_fp4_counts_half_bytes() -> None:
    case = ["--dtype", "e2m1", "--mma-kind", "mxf4", "--major", "K", "--shape", "8x64"]
    data = json.loads(smemdesc("layout", "operand", VALUE, *case, "--json").out)
    assert data["addresses"][0][:3] == [1024, 1024.5, 1025]


TILE = ["--tile", "128x64", "--mma", "64x16", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--start", "1KiB"]


def test_encode_tile_json_names_the_step_and_goes_back() -> None:
    ran = smemdesc("encode", "tcgen05", *TILE, "--json")
    objects = [json.loads(line) for line in ran.out.splitlines()]
    assert [each["step"] for each in objects] == [{"mn": mn, "k": k} for mn in range(2) for k in range(4)]
    assert smemdesc("encode", "-", stdin=ran.out).out.split() == [each["value"] for each in objects]


def test_both_orders_of_a_tile_are_two_tiles() -> None:
    words = ["layout", "tile", "128x64", "bf16", "--major", "MN", "--swizzle", "64B"]
    for form, between in ((), "\n"), (("--json",), ""):
        each = [smemdesc(*words, "--order", order, *form).out for order in ("k", "mn")]
        assert smemdesc(*words, "--both-orders", *form).out == between.join(each)
    ran = smemdesc(*words, "--both-orders", "--order", "k")
    assert (ran.status, ran.err.splitlines()[0]) == (2, "error: --order and --both-orders cannot be given together")


def test_values_from_standard_input() -> None:
    ran = smemdesc("layout", "operand", "-", *CASE, "--json", stdin=f"{VALUE}\n# comment\n{VALUE}\n")
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [VALUE, VALUE]


def contiguous(operand: str, transposed: bool) -> str:
    """Which index moves by one element in a column-major matrix of 4 rows."""
    rows = 4
    index = {"a": ("MN", "K"), "b": ("K", "MN")}[operand]  # row, column of A (M x K) and B (K x N)
    row, column = index[::-1] if transposed else index
    steps = {row: 1, column: rows}
    return min(steps, key=steps.__getitem__)


@pytest.mark.parametrize(("operand", "word"), BLAS)
def test_major_ness_as_a_column_major_blas_says_it(operand: str, word: str) -> None:
    assert BLAS[operand, word] == contiguous(operand, word == "T")


MAJOR_ASKED = [
    ["decode", "--dtype", "bf16", "--shape", "64x16", VALUE],
    ["encode", "tcgen05", "--from", VALUE, "--dtype", "bf16", "--shape", "64x16", "--json"],
    ["encode", "tcgen05", "--tile", "128x64", "--dtype", "bf16", "--swizzle", "128B"],
    ["layout", "operand", "--dtype", "bf16", "--shape", "64x16", VALUE],
    ["layout", "address", "--dtype", "bf16", "--shape", "64x16", "--at", "8,3", VALUE],
    ["layout", "tile", "128x64", "--dtype", "bf16", "--swizzle", "128B"],
    ["layout", "atom", "--swizzle", "128B"],
    ["layout", "canonical"],
]


@pytest.mark.corpus
@pytest.mark.parametrize("command", MAJOR_ASKED, ids=lambda each: " ".join(each[:2]))
def test_trans_is_accepted_wherever_a_major_ness_is_asked(command: list[str]) -> None:
    by_major = {major: smemdesc(*command, "--major", major) for major in ("K", "MN", "M", "N", "m")}
    assert by_major["M"].out == by_major["N"].out == by_major["m"].out == by_major["MN"].out != by_major["K"].out
    for (operand, word), major in BLAS.items():
        ran = smemdesc(*command, f"--trans-{operand}", word)
        assert (ran.out, ran.status) == (by_major[major].out, 0)
