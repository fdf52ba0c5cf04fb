"""Whatever is given to a keyword of a function, an error of this package names the keyword, or there is none."""

from __future__ import annotations

import inspect
import os
from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from samples import EVERY as ALL
from tables import every_row

import smemdesc
from api.test_common import CASE, NEEDED, VALUE, refused


class Broken:
    """An object that fails whatever it is asked."""

    def _fail(self, *_: object) -> Any:
        raise RuntimeError("broken")

    __str__ = __repr__ = __eq__ = __bool__ = __len__ = __iter__ = __index__ = __getattr__ = __hash__ = _fail  # type: ignore[assignment]


class Text(str):
    """A text that does not say itself."""

    def __str__(self) -> str:
        raise RuntimeError("broken")

    __repr__ = __str__


class Array:
    """What an array of NumPy does: it compares element by element, and is neither true nor false."""

    def __init__(self, *elements: int) -> None:
        self.elements = elements

    def __eq__(self, other: object) -> Any:
        return Array(*(each == other for each in self.elements))

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous")

    def __iter__(self) -> Iterator[int]:
        if not self.elements:
            raise TypeError("iteration over a 0-d array")
        return iter(self.elements)

    def __index__(self) -> int:
        if self.elements:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return 3


class Kernel:
    """A compiled kernel with these forms."""

    def __init__(self, asm: Any) -> None:
        self.asm = asm


ODD: dict[str, Callable[[], Any]] = {
    **{repr(each): lambda each=each: each for each in (7, -1, 0, True, 1.5, 1j, None, ..., b"ab", bytearray(b"x"))},
    **{repr(each): lambda each=each: each for each in ([], [1], (1, 2, 3), [None], {}, {"a": 1}, {1: 2}, range(3))},
    **{repr(each): lambda each=each: each for each in (float("nan"), float("inf"), Decimal(1), "", "\ud800", "a\0b")},
    **{f"of many digits: {sign}": lambda sign=sign: sign * 10**6000 for sign in (1, -1)},
    "long text": lambda: "1" * 5000,
    "set": lambda: {1, 2},
    "object": object,
    "type": lambda: int,
    "function": lambda: len,
    "without end": lambda: count(),
    "nested": lambda: [[[[[[[[[[1]]]]]]]]]],
    "memory": lambda: memoryview(b"ab"),
    "array": lambda: array("i", [1, 2]),
    "broken": Broken,
    "broken within": lambda: [Broken()],
    "broken value": lambda: {"swizzle": Broken()},
    "broken text": lambda: Text("bf16"),
    "elements": lambda: Array(64, 16),
    "scalar": lambda: Array(),
    "path": lambda: Path("/nowhere"),
    "kernel without forms": lambda: Kernel({}),
    "kernel with odd forms": lambda: Kernel({"cubin": 7, "ptx": None}),
    "kernel without asm": lambda: Kernel(7),
}
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("mask", {"zero": "0-2", "m": 128, "n": 16}),
    ("mask", {"mask": "0x7", "m": 128, "n": 16}),
    ("conv", {**NEEDED["conv"], "expect": ["0x007e008000000000"]}),
    ("encode", {"kind": "idesc", "mma_kind": "f16", "m": 128, "n": 64}),
    ("encode", {"kind": "wgmma", "layout": "(64,16):(64,1)", "dtype": "bf16", "major": "K"}),
    ("encode", {"kind": "wgmma", "from_": 0x4000004000010040, "advance": 16, "dtype": "bf16", "major": "K"}),
    ("mma", {"a": 0x4000004000010040, "b": 0x4000004000010040, "inst": "m64n64k16", "dtype": "bf16"}),
    ("decode", {"value": VALUE, "tile": "128x64", "order": "mn", **CASE}),
    ("diff", {"a": VALUE, "b": VALUE + 2, "tile_start": 0, "tile": "128x64", **CASE}),
    ("address", {"value": VALUE, "byte": 0, **CASE}),
    ("plan", {"shape": "128x128x64", "dtype": "bf16", "a_address": 0, "gemm": "256x256x256"}),
    ("plan", {"shape": "128x128x64", "dtype": "e2m1", "mma_kind": "mxf4", "scale": "ue8m0", "arch": "sm_100a"}),
    ("scan", {"kernels": "UMOV UR4, 1 ;\n"}),
    ("agree", {"ptx": "ret;\n", "sass": "RET ;\n"}),
    ("schema", {"command": "decode"}),
    ("decode_many", {"values": [VALUE], "kind": "tcgen05"}),
    ("encode_many", {"kind": "tcgen05", "start_address": [0, 16]}),
    ("explain_layout", {"layout": "(64,16):(64,1)", "dtype": "bf16", "major": "K"}),
    ("linear_layout", {"swizzle": "128B", "dtype": "bf16"}),
    ("linear_layout", {"layout": [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]}),
]
BASES = [*NEEDED.items(), *OTHERS]


def keywords(name: str) -> list[str]:
    """Return the keywords of a function, and two fields where it takes any."""
    every = inspect.signature(getattr(smemdesc, name)).parameters
    named = [key for key, each in every.items() if each.kind is not each.VAR_KEYWORD]
    return named + (["swizzle", "start_address"] if name == "encode" else [])


@pytest.mark.slow
@pytest.mark.property
@every_row(("number", "keyword"), [(number, key) for number, (name, _) in enumerate(BASES) for key in keywords(name)])
def test_an_odd_argument_is_named(number: int, keyword: str) -> None:
    name, base = BASES[number]
    every = list(ODD.items())
    for odd, value in every if os.environ.get(ALL) else every[(number + len(keyword)) % 7 :: 7]:
        error = refused(name, {**base, keyword: value()})
        if error is not None:
            assert "itself" not in str(error), odd
            assert keyword in error.keywords or keyword in str(error), (odd, error.keywords, str(error))


@pytest.mark.parametrize(("method", "keyword"), [("at", "at"), ("at_byte", "byte")])
def test_an_odd_argument_of_a_method_is_named(method: str, keyword: str) -> None:
    operand = smemdesc.operand(VALUE, **CASE)
    for odd, value in ODD.items():
        try:
            getattr(operand, method)(value())
        except smemdesc.SmemdescError as error:
            named = {*error.keywords}
        else:
            named = {keyword}
        assert named == {keyword}, odd


def test_every_function_is_among_them() -> None:
    functions = {name for name in smemdesc.__all__ if inspect.isfunction(getattr(smemdesc, name))}
    assert functions == {name for name, _ in BASES} - {"Context"}


@pytest.mark.parametrize("shape", [(64, 16), [64, 16], iter([64, 16]), "64x16"])
def test_a_shape_of_any_sequence(shape: Any) -> None:
    assert smemdesc.Context(shape=shape).shape == (64, 16)


def test_numbers_of_other_packages_are_numbers() -> None:
    assert smemdesc.tmem(m=128, n=Integer(128)) == smemdesc.tmem(m=128, n=128)
    assert smemdesc.mask(zero=[Integer(0), Integer(1)], m=128, n=16) == smemdesc.mask(zero=(0, 1), m=128, n=16)


class Integer:
    """What an integer of NumPy is: no int."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number
