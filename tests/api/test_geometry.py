"""The geometry by keywords: the JSON of the command, the typed answers, and what is wrong beside the picture."""

from __future__ import annotations

import json
from typing import Any

import pytest
from run import smemdesc as program
from samples import refusing
from tables import every_row

import smemdesc
from api.test_common import CASE, COMMANDS, VALUE, call
from smemdesc.engine.errors import option

CASES: list[tuple[str, dict[str, Any], str]] = [
    ("tile", {"mma": (64, 16), "order": "k", "start": "1KiB"}, "--mma 64x16 --order k --start 1KiB"),
    ("tile", {"arch": "B200", "cta_group": 2, "mma": "128x16"}, "--arch B200 --cta-group 2 --mma 128x16"),
    ("tile", {"dtype": "e2m1", "mma_kind": "mxf4", "swizzle": "32B"}, "--dtype e2m1 --mma-kind mxf4 --swizzle 32B"),
    ("atom", {"mma": 1}, "--mma 1"),
    ("atom", {"elements": True, "dtype": "tf32"}, "--elements --dtype tf32"),
    ("atom", {"start": 0x480, "base_offset": 1}, "--start 0x480 --base-offset 1"),
    ("operand", {"shape": (128, 32), "kind": "tcgen05", "ws": True}, "--shape 128x32 --kind tcgen05 --ws"),
    ("address", {"at": None, "byte": 0xC92}, "--byte 0xc92"),
    ("tmem", {"n": 64, "operand": "a", "dtype": "bf16", "k": 32}, "--n 64 --operand a --dtype bf16 --k 32"),
    ("tmem", {"m": 256, "cta_group": 2, "start": 64}, "--m 256 --cta-group 2 --start 64"),
    ("scales", {"operand": "b", "mma_kind": "mxf4nvf4", "block": 16}, "--operand b --mma-kind mxf4nvf4"),
]
"""Keywords, and the same options behind the command of the function."""


@pytest.mark.parametrize(("name", "more", "words"), CASES)
def test_to_dict_is_the_json_of_the_command(name: str, more: dict[str, Any], words: str) -> None:
    command = COMMANDS[name][: -2 if "--byte" in words else None]
    ran = program(*command, *words.split(), "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == json.loads(json.dumps(call(name, **more).to_dict()))


@pytest.mark.parametrize("more", [{}, {"dtype": "e2m1", "mma_kind": "mxf4"}])
def test_the_atoms_of_all_modes(more: dict[str, Any]) -> None:
    words = (word for name, value in more.items() for word in (option(name), value))
    made = smemdesc.atom(**more)
    lines = [json.loads(line) for line in program("layout", "atom", *words, "--json").out.splitlines()]
    assert made.to_dict() == {"atoms": lines}
    assert (made.ok, str(made)) == (True, "9 atoms")
    assert "128B_32B" in made._repr_html_()  # type: ignore[attr-defined]


@every_row(
    ("words", "by_names"),
    [
        (smemdesc.atom("128B"), smemdesc.atom(swizzle="128B", major="K")),
        (smemdesc.atom("128B_32B"), smemdesc.atom(swizzle="128B_32B", major="MN")),
        (
            smemdesc.tile("128x64", "bf16", swizzle="128B"),
            smemdesc.tile("128x64", dtype="bf16", major="K", swizzle="128B"),
        ),
        (
            smemdesc.store("128x64", "bf16", swizzle="64B"),
            smemdesc.store("128x64", dtype="bf16", major="K", swizzle="64B"),
        ),
        (smemdesc.fragment("m64n8k16", "d", "f32"), smemdesc.fragment(shape="m64n8k16", operand="d", dtype="f32")),
        (smemdesc.tmem(128, 64), smemdesc.tmem(m=128, n=64)),
        (smemdesc.scales("128x256", "mxf4"), smemdesc.scales("128x256", mma_kind="mxf4")),
        (smemdesc.plan("128x128x64", "bf16"), smemdesc.plan("128x128x64", dtype="bf16")),
        (smemdesc.mma(VALUE, VALUE, "0x08200490"), smemdesc.mma(a=VALUE, b=VALUE, idesc="0x08200490")),
        (smemdesc.encode(from_=VALUE, sbo=2048), smemdesc.encode("tcgen05", from_=VALUE, sbo=2048)),
    ],
)
def test_the_first_arguments_need_no_names(words: Any, by_names: Any) -> None:
    assert words == by_names


@pytest.mark.parametrize(("name", "value"), [("elements", True), ("mma", 0), ("start", 16), ("base_offset", 1)])
def test_what_is_about_one_atom_needs_its_mode(name: str, value: Any) -> None:
    with refusing(f"swizzle, {name}: it is missing"):
        smemdesc.atom(**{name: value})
    ran = program("layout", "atom", option(name), *([] if value is True else [str(value)]))
    assert (ran.status, "--swizzle is missing" in ran.err) == (2, True)


def test_major_in_the_terms_of_a_blas() -> None:
    assert call("tile", major=None, trans_a="T") == call("tile", major="K")
    assert call("tile", major=None, trans_b="T") == call("tile", major="MN")


def test_an_operand_answers_what_address_does() -> None:
    operand = call("operand")
    assert operand.at("17,9").to_dict() == call("address").to_dict()
    assert operand.at_byte("0xc92").elements == ((17, 1),)
    assert operand.at((17, 1)).address == operand.at_byte(0xC92).address == 0xC92


def test_a_context_serves_several_calls() -> None:
    assert smemdesc.operand(VALUE, context=smemdesc.Context(**CASE)).to_dict() == call("operand").to_dict()


def test_a_tile_is_forced_with_its_finding() -> None:
    of = {"dtype": "tf32", "major": "MN", "kind": "wgmma"}
    with pytest.raises(smemdesc.IllegalError):
        call("tile", **of)
    made = call("tile", **of, force=True)
    assert not made.ok
    assert "wgmma-major" in {each.rule for each in made.findings}


def test_a_notebook_shows_findings_below_the_picture() -> None:
    wrong = 0x4000402000010040  # SBO 512 B
    page = smemdesc.operand(wrong, **CASE)._repr_html_()
    assert page.startswith("<img ")
    assert "sbo-below-atom" in page
    assert "sbo-below-atom" in smemdesc.address(wrong, at=(0, 0), **CASE)._repr_html_()
