"""What all functions of the API have in common: the spellings of keywords, errors that name them, results."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from typing import Any

import click
import pytest
from run import smemdesc as program
from tables import every_row

import smemdesc
from api.test_commands import EVERY, functions
from smemdesc import Context
from smemdesc.engine.errors import option

VALUE = 0x4000404000010040
CASE: dict[str, Any] = {"dtype": "bf16", "major": "K", "shape": "64x16"}
NEEDED: dict[str, dict[str, Any]] = {
    "Context": {},
    "decode": {"value": VALUE},
    "diff": {"a": VALUE, "b": VALUE + 2},
    "mma": {"a": VALUE, "idesc": 0x8200490},
    "mask": {"value": 0x0203028301020100, "m": 32, "n": 64},
    "conv": {"q": 255, "m": 128, "n": 128, "tile": 1, "left": 2, "filter": 3},
    "explain": {"name": "lbo"},
    "encode": {"kind": "wgmma", "start_address": 1024},
    "tensormap": {"dtype": "bf16", "address": 0x7F1234567000, "dim": (64, 64), "stride": (128,), "box": (64, 8)},
    "plan": {"shape": "128x128x64", "dtype": "bf16"},
    "tile": {"shape": "128x64", "dtype": "bf16", "major": "K", "swizzle": "128B"},
    "store": {"shape": "128x64", "dtype": "bf16", "major": "K", "swizzle": "128B"},
    "atom": {"swizzle": "128B", "major": "K"},
    "operand": {"value": VALUE, **CASE},
    "address": {"value": VALUE, "at": (17, 9), **CASE},
    "fragment": {"shape": "m64n64k32", "operand": "a", "dtype": "e4m3"},
    "tmem": {"m": 128, "n": 128},
    "scales": {"shape": "128x256", "mma_kind": "mxf4"},
}
"""The arguments that each function needs."""
_OPERAND = [hex(VALUE), "--dtype", "bf16", "--major", "K", "--shape", "64x16"]
COMMANDS = {
    "tile": ["layout", "tile", "128x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"],
    "store": ["layout", "store", "128x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"],
    "atom": ["layout", "atom", "--swizzle", "128B", "--major", "K"],
    "operand": ["layout", "operand", *_OPERAND],
    "address": ["layout", "address", *_OPERAND, "--at", "17,9"],
    "fragment": ["layout", "fragment", "--shape", "m64n64k32", "--operand", "a", "--dtype", "e4m3"],
    "tmem": ["layout", "tmem", "--m", "128", "--n", "128"],
    "scales": ["layout", "scales", "128x256", "--mma-kind", "mxf4"],
    "mma": ["mma", "--a", hex(VALUE), "--idesc", "0x8200490"],
    "plan": ["plan", "128x128x64", "--dtype", "bf16"],
    "mask": ["mask", "0x0203028301020100", "--m", "32", "--n", "64"],
    "decode": ["decode", hex(VALUE)],
    "explain": ["explain", "lbo"],
    "tensormap": [
        *("encode", "tensormap", "--dtype", "bf16", "--address", "0x7f1234567000"),
        *("--dim", "64,64", "--stride", "128", "--box", "64,8"),
    ],
    "diff": ["diff", hex(VALUE), hex(VALUE + 2)],
}
"""The command line of each, without options."""
WRONG: dict[str, list[Any]] = {
    "dtype": ["bf61", "fp8", "", 16],
    "major": ["L", 0],
    "trans_a": ["X", True],
    "shape": ["64", "64x0", "m64n128k16", (64,), (64, 16, 8), (64, 0), (64, "16"), 64],
    "arch": ["sm_42", 100],
    "cta_group": [0, 3, True, "two"],
    "ws": [1, "yes"],
    "scale_vec": [3, "X"],
    "mma_kind": ["f61", 16],
    "kind": ["wgma"],
    "m": [0, -1, True, "many", 1.5],
    "n": [0],
    "tile": ["64", (0, 0)],
    "order": ["nm"],
    "tile_start": [-1, "1000", 1000],
    "map": ["0x40", 3],
    **{name: ["0xzz"] for name in ("a", "b", "idesc", "mask")},
    "qualifier": ["lut-c"],
    "inst": ["m64", (64, 128)],
    "d_type": ["fp8", 32],
    "sparse": [1],
    "a_from": ["global"],
    **{name: ["64", "64x64,at=8", "64x64,major=L", (64,)] for name in ("a_tile", "b_tile")},
    **{name: ["0x40", "box=64"] for name in ("a_map", "b_map")},
    "b_dtype": ["fp8", "s8"],
    "a_major": ["L"],
    "b_major": ["L"],
    "trans_b": ["X"],
    "swizzle": ["96B", 128],
    "mma": ["64", 3, (64,), (128, 128, 99)],
    "stages": [0],
    "scale": ["bf16"],
    "block": [64],
    "a_address": [-1, "x", 8],
    "b_address": [-1, True, 8],
    "from_": ["0xzz", "UR4"],
    "layout": ["x", 3, "(64,16):(72,1)"],
    "tma": ["box=64"],
    "context": [3],
    "value": [3.5, None, True, b"ab", "x"],
    "raw": ["version=0", {"version": "x"}, {"swizzl": 1}, {"swizzle": 8}],
    "pattern_start": ["x"],
    "advance": ["x", 16],
    "advance_mn": ["32B"],
    "force": [1],
    "address": [-1, "x"],
    **{name: ["a"] for name in ("dim", "stride", "box", "element_stride")},
    **{name: ["x"] for name in ("interleave", "l2_promotion", "fill", "channels", "pixels")},
    "zero": ["0"],
    "shift": ["1"],
    "name": ["lbox", 3, "a\nb"],
    "gemm": ["64x64", "64x64x64"],
    "start": ["x", -16, 1000, 1 << 20, True],
    "base_offset": ["8", -1, True],
    "elements": [1],
    "at": ["17", (17,), (17, 9, 1), 17, "64,0", (0, 16)],
    "byte": ["x", -1, 1.5],
    "operand": ["c", 1],
    "k": ["0", "many", -1],
    **{name: [-1, True, "x"] for name in ("q", "left")},
    "filter": ["0", 40],
    "expect": ["0xzz", 3.5, ("0x007e008100000000", None)],
}
"""Values that a keyword does not take."""
WRONG_HERE: dict[tuple[str, str], list[Any]] = {
    **{
        (name, "shape"): ["64", "64x0", "64x16x0", "128xm", (64,), (64, 0), (64, "16"), 64]
        for name in ("decode", "Context")
    },
    ("decode", "dtype"): ["bf61", "fp8", "", 16, "bf16,bf16,bf16", "e4m3,fp8"],
    ("plan", "shape"): ["128x128", (128, 128), "128x128x60"],
    **{("encode", name): [1] for name in ("mma", "at", "stage", "units")},
    ("plan", "d_type"): ["s32"],
    ("tile", "shape"): ["64", "100x64", "64x0", (64,), (64, "16")],
    ("store", "thread_layout"): ["rows", "(4,8)", "32:1", "(4,8):(0,1)", 4],
    **{("store", name): ["X", "N"] for name in ("trans_a", "trans_b")},
    ("store", "shape"): ["64", "100x64", "64x0", (64,), (64, "16")],
    ("tile", "trans_a"): ["X", "N"],
    ("tile", "trans_b"): ["X", "N"],
    ("atom", "trans_a"): ["X", "N"],
    ("atom", "trans_b"): ["X", "N"],
    ("atom", "mma"): ["4", -1, True],
    ("fragment", "shape"): ["64", "m64n64k17", "m64n63k32", (64, 64), 64],
    ("fragment", "dtype"): ["bf61", "bf16", "", 16],
    ("tmem", "start"): ["x", -1, 1 << 32, 0x100000],
    ("tmem", "k"): ["0", 64],
    **{(name, "ld"): ["32x32", 32, "16x256b.x8"] for name in ("tmem", "scales")},
    **{(name, "num"): ["x0", "xx", 0, True, 4] for name in ("tmem", "scales")},
    ("tmem", "pack"): ["16", 16],
    ("scales", "shape"): ["64", "128x100", (128,)],
    ("scales", "mma_kind"): ["f16", "f61", 16],
    **{(name, "m"): ["16", 16, True] for name in ("mask", "conv")},
    **{(name, "n"): ["4", 257] for name in ("mask", "conv")},
    ("conv", "tile"): ["x", -1, True],
    ("mask", "mask"): ["0x1"],
}
"""Those of one function."""
SPELLINGS = [
    ({"dtype": "torch.bfloat16"}, {"dtype": "bf16"}),
    ({"shape": (64, 16)}, {"shape": "64x16"}),
    ({"shape": [64, 16]}, {"shape": "64x16"}),
    ({"major": "m"}, {"major": "MN"}),
    ({"arch": "B200"}, {"arch": "sm_100a"}),
    ({"arch": "100a"}, {"arch": "sm_100a"}),
    ({"cta_group": "2"}, {"cta_group": 2}),
    ({"order": "MN"}, {"order": "mn"}),
]


def call(name: str, /, **more: Any) -> Any:
    return getattr(smemdesc, name)(**{**NEEDED[name], **more})


def refused(name: str, given: dict[str, Any]) -> smemdesc.SmemdescError | None:
    """Return the error of a call, if there is one."""
    kernels = [given.pop("kernels")] if "kernels" in given else []
    try:
        getattr(smemdesc, name)(*kernels, **given)
    except smemdesc.SmemdescError as error:
        return error
    return None


def click_options(name: str) -> list[click.Option]:
    path = next(path for path in EVERY if name in functions(path))
    return [each for each in EVERY[path].params if isinstance(each, click.Option)]


def wrong(name: str, keyword: str) -> list[Any]:
    return WRONG_HERE.get((name, keyword), WRONG.get(keyword, []))


def keywords(name: str) -> list[str]:
    return [name for name in inspect.signature(getattr(smemdesc, name)).parameters if name in WRONG]


@every_row(
    ("name", "keyword", "value"),
    [(name, keyword, value) for name in NEEDED for keyword in keywords(name) for value in wrong(name, keyword)],
)
def test_error_names_the_keyword(name: str, keyword: str, value: object) -> None:
    with pytest.raises(smemdesc.SmemdescError) as caught:
        call(name, **{keyword: value})
    assert caught.value.keyword == keyword
    assert keyword in str(caught.value)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "keyword"),
    [
        (name, keyword)
        for name in COMMANDS
        for keyword in keywords(name)
        if isinstance(wrong(name, keyword)[0], str)
        and not any(option(keyword) in each.opts for each in click_options(name) if each.is_flag)
    ],
)
def test_the_command_names_the_option(name: str, keyword: str) -> None:
    ran = program(*COMMANDS[name], option(keyword), wrong(name, keyword)[0])
    assert ran.status == 2
    assert option(keyword) in ran.err


@every_row("name", [name for name in NEEDED if name != "encode"])  # its others are fields
def test_unknown_keyword_is_a_type_error_with_the_near_one(name: str) -> None:
    near = max(keywords(name), key=len)
    with pytest.raises(TypeError, match=rf"has no keyword '{near}s'; did you mean {near}\?"):
        call(name, **{f"{near}s": 1})


@every_row(("given", "plain"), SPELLINGS)
def test_spellings(given: dict[str, Any], plain: dict[str, Any]) -> None:
    assert Context(**given) == Context(**plain) != Context()


@every_row("name", [name for name in NEEDED if name != "Context"])
def test_result(name: str) -> None:
    result = call(name)
    assert result.ok is not any(each.severity == "error" for each in result.findings)
    assert isinstance(result.findings, tuple)
    assert isinstance(result.to_dict(), dict)
    assert "\n" not in str(result)
    with pytest.raises(AttributeError):
        result.ok = False


@pytest.mark.parametrize("name", COMMANDS)
def test_to_dict_is_the_json_of_the_command(name: str) -> None:
    of_value = {"value": hex(VALUE), "a": hex(VALUE), "b": hex(VALUE + 2)}
    typed = {key: of_value[key] for key in NEEDED[name] if name in ("decode", "diff") and key in of_value}
    ran = program(*COMMANDS[name], *(("--format", "json") if name == "tensormap" else ("--json",)))
    assert (json.loads(ran.out), ran.status) == (json.loads(json.dumps(call(name, **typed).to_dict())), 0)


def test_a_context_is_made_by_keywords_only() -> None:
    with pytest.raises(TypeError):
        Context("bf16")  # type: ignore[misc]


def test_context_is_copied_and_pickled() -> None:
    context = Context(**CASE)
    assert pickle.loads(pickle.dumps(context)) == copy.copy(context) == context
    assert repr(context) == "Context(dtype='bf16', major='K', shape=(64, 16))"


def test_keywords_replace_what_a_context_has() -> None:
    context = Context(dtype="bf16", major="MN", shape="128x16")
    decoded = smemdesc.decode(VALUE, context=context, **CASE)
    assert decoded.context == Context(**CASE)
