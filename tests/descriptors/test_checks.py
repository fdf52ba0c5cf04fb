"""What is given is used or refused, and what is said to be judged is judged."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run import smemdesc
from samples import ALL, contexts, some, values
from tables import every_row

from smemdesc import Context
from smemdesc.api.checking import mma
from smemdesc.api.encoding import tensormap
from smemdesc.api.options.keywords import knowing
from smemdesc.descriptors.checks import checks
from smemdesc.engine.errors import option
from smemdesc.kinds.kind import Kind
from smemdesc.rules.judging import asks_of, rules_for

TENSOR_MAP = repr(tensormap(dtype="bf16", address=0x7F1234567000, dim=(64, 64), stride=(128,), box=(64, 8)))
VALUES = {
    "wgmma": "0x4000004000010040",
    "tcgen05": "0x4000404000010040",
    "idesc --mma-kind f16": "0x08200490",
    "idesc --mma-kind mxf4": "0x08a00480",
    "mask": "0x0003028000000000",
    "tmem": "0x00200010",
    "tensormap": TENSOR_MAP,
}
OPTIONS = {
    "dtype": "bf16", "major": "K", "trans-a": "N", "shape": "128x16", "arch": "sm_100a", "cta-group": "2", "ws": "",
    "scale-vec": "2", "m": "64", "n": "64", "backing": "128KiB",
}  # fmt: skip
TILE = "--tile 128x64 --dtype bf16 --major K"


def run(line: str) -> tuple[int, dict[str, Any]]:
    ran = smemdesc("decode", "--json", *line.split())
    return ran.status, json.loads(ran.out or ran.err)


@pytest.mark.slow
@every_row(("kind", "name"), list(product(VALUES, OPTIONS)))
def test_every_option_says_something_of_a_value_or_is_refused(kind: str, name: str) -> None:
    line = f"--kind {kind} {VALUES[kind]}"
    status, said = run(f"{line} --{name} {OPTIONS[name]}")
    if status:
        assert f"--{name}" in said["message"]
        return
    _, without = run(line)
    assert (said["checked"], said["not_checked"], said["findings"]) != (
        without["checked"], without["not_checked"], without["findings"],
    )  # fmt: skip


@every_row(
    ("line", "name"),
    [
        (f"--kind idesc --mma-kind f16 0x08200490 {TILE}", "tile"),
        (f"--kind mask 0x0003028000000000 {TILE}", "tile"),
        ("--kind tcgen05 --dtype e4m3,e5m2 0x4000404000010040", "dtype"),
        ("--kind tcgen05 --shape 128x32x16 0x4000404000010040", "shape"),
        ("--kind tcgen05 --mma-kind f16 0x4000404000010040", "mma-kind"),
        ("--kind tcgen05 --mma-kind f16 --dtype e4m3 0x4000404000010040", "mma-kind"),
        ("--kind mask --mma-kind f16 0x0003028000000000", "mma-kind"),
        ("--kind idesc --mma-kind f16 --scale-vec 2 0x08200490", "scale-vec"),
        ("--kind idesc --mma-kind f16 --map box=64x128,swizzle=128B,dtype=bf16 0x08200490", "map"),
    ],
)
def test_options_that_say_nothing_of_the_kind_that_was_asked_for(line: str, name: str) -> None:
    status, said = run(line)
    assert status == 2
    assert f"--{name}" in said["message"]


def test_options_for_every_value_of_a_pipe_are_used_where_they_say_something() -> None:
    pipe = "0x4000404000010040\n0x08200420\n0x0003028000000000\n"
    ran = smemdesc("decode", "--json", "--dtype", "bf16", "--major", "K", "--shape", "128x16", "-", stdin=pipe)
    assert ran.status == 0
    operand, instruction, mask = map(json.loads, ran.out.splitlines())
    assert "addresses" in operand["checked"]
    assert all("why" not in each for each in operand["not_checked"])
    for other in (instruction, mask):
        assert {each["what"] for each in other["not_checked"] if "why" in each} == {"--dtype", "--major", "--shape"}
        assert all(each["severity"] == "note" for each in other["findings"])


GIVE = {
    "--arch": {"arch": "sm_100a"}, "--dtype": {"dtype": "bf16"}, "--major": {"major": "K"}, "--tile": {"tile": "64x64"},
    "--shape": {"shape": (128, 16)}, "--cta-group": {"cta_group": 1}, "--ws": {"ws": False}, "--m": {"m": 64},
    "--scale-vec": {"scale_vec": 2}, "--n": {"n": 64}, "--dtype A,B": {"dtype": "bf16,bf16"},
    "--shape MxNxK": {"shape": "128x128x16"}, "--backing": {"backing": "128KiB"},
}  # fmt: skip


def given_options(text: str) -> dict[str, Any]:
    """What the words of ``give`` stand for."""
    if "--trans-a" in text:
        return {"trans_a": "T", "trans_b": "N"}
    words = text.replace(" and ", ", ").split(", ")
    return {name: value for word in words for name, value in GIVE[word.partition(" or ")[0]].items()}


@every_row("kind", ALL)
def test_what_is_given_as_asked_is_then_judged(kind: Kind) -> None:
    found = checks((kind,), Context())
    for each in found.not_checked:
        if each.what == "map":
            continue
        more = given_options(each.give)
        both = {name: more.pop(name) for name in ("trans_a", "trans_b") if name in more}
        after = checks((kind,), knowing(Context(**more), **both))
        assert each.what in after.checked, each
        assert each.what not in found.checked


@every_row("kind", ALL)
def test_what_rules_ask_for_is_what_the_kind_asks_for(kind: Kind) -> None:
    every = rules_for(kind, whole=True, tiled=True)
    assert {*asks_of(kind)} == {ask for rule in every for ask in rule.asks}


READ: set[str] = set()


class Recording(Context):
    """A context that notes which of its fields are read."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name in Context._fields:
            READ.add(name)
        return super().__getattribute__(name)


@pytest.mark.slow
@some(300)
@given(st.sampled_from(ALL).flatmap(lambda kind: st.tuples(st.just(kind), values(kind))), contexts)
def test_rules_look_at_nothing_that_is_said_not_to_be_used(case: tuple[Kind, int], context: Context) -> None:
    kind, bits = case
    fields = kind.table.read(bits, kind.table.full)
    used = {name for ask in asks_of(kind) for name in ask.keywords}
    used |= {"major", "types", "mnk"} if kind.name == "idesc" else set()  # of what is derived
    for rule in rules_for(kind, context.whole, context.tiled):
        READ.clear()
        rule.apply(kind, fields, Recording._make(context))
        assert (used if rule.asks else set()) >= READ, rule


@pytest.mark.parametrize("name", ["a", "b", "idesc"])
def test_mma_names_the_options_of_mma(name: str) -> None:
    operands: dict[str, Any] = {"a": 0x4000404000010040, "b": 0x4000404000010440, "idesc": 0x8200490, "mma_kind": "f16"}
    more: dict[str, Any] = {"arch": "sm_100a", "ws": False, "a_tile": "128x64", "b_tile": "128x64"}
    more |= dict.fromkeys(("a_map", "b_map"), "box=64x128,swizzle=128B,dtype=bf16")
    before, after = (mma(**each).to_dict()[name] for each in (operands, operands | more))
    assert before["not_checked"]
    for each in before["not_checked"]:
        assert any(option(word) in each["give"] for word in more), each
        assert each["what"] in after["checked"]
    assert after["not_checked"] == []
