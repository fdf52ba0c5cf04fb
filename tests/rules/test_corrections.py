"""A mistake is named before its fields, with the whole constant; a repair mends what it is for, and breaks nothing."""

from __future__ import annotations

from typing import Any

import pytest
from samples import SOUND, case_of
from tables import every_row

from smemdesc import Context
from smemdesc.api.checking import mma
from smemdesc.api.decoding import decode
from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.result import decode_literal, literal_of
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import kind_of
from smemdesc.rules.base import NOTE, Finding

from .test_every_rule import TRIGGERS

K_MAJOR = {"dtype": "bf16", "major": "K"}
MN_MAJOR = {"dtype": "bf16", "major": "MN"}
TILE = {**K_MAJOR, "shape": "128x16", "tile": "128x64"}
MAP = {**K_MAJOR, "shape": "128x16", "map": "box=64x128,swizzle=128B,dtype=bf16"}


@pytest.mark.slow
@every_row(
    ("value", "kind", "contexts", "cause", "repaired"),
    [
        (
            0x4000000100400040,
            "wgmma",
            (TILE, MAP, {**K_MAJOR, "shape": "128x16"}),
            "lbo-sbo-swapped",
            0x4000004000010040,
        ),
        (0x4000440000010040, "tcgen05", ({}, K_MAJOR, TILE), "stride-not-divided", 0x4000404000010040),
        (0x4000400400010040, "tcgen05", ({}, K_MAJOR, TILE, MAP), "stride-divided-twice", 0x4000404000010040),
        (0x0000404000010040, "tcgen05", ({}, K_MAJOR, TILE), "swizzle-missing", 0x4000404000010040),
        (0x6000404000010040, "tcgen05", ({}, K_MAJOR, TILE, MAP), "swizzle-code", 0x4000404000010040),
        (0xC000004000010040, "wgmma", (MAP,), "swizzle-code", 0x4000004000010040),
        (0x4000004000010040, "tcgen05", ({}, K_MAJOR, TILE, MAP), "version-constant", 0x4000404000010040),
        (
            0x4000404002100440,
            "tcgen05",
            ({**MN_MAJOR, "shape": "128x16", "tile": "128x64", "order": "k"},),
            "start-address-carry",
            0x4000404002000440,
        ),
        (0x10200490, "idesc:f16", ({"cta_group": 1, "shape": "128x128x16"},), "m-code", 0x08200490),
        (0x09000490, "idesc:f16", ({}, {"cta_group": 1}), "n-code", 0x08200490),
    ],
)
def test_a_mistake_is_one_finding_with_the_whole_constant(
    value: int, kind: str, contexts: tuple[dict[str, Any], ...], cause: str, repaired: int
) -> None:
    for told in contexts:
        roots = [each for each in decode(value, kind, **told).findings if each.severity != NOTE and not each.because]
        assert [(each.rule, int(each.repaired, 16)) for each in roots] == [(cause, repaired)], told
        assert not faults(decode(repaired, kind, **told).findings), told


def faults(findings: tuple[Finding, ...]) -> list[Finding]:
    return [each for each in findings if each.severity != NOTE]


@pytest.mark.slow
def test_a_wrong_start_is_never_taken_for_the_last_step() -> None:
    """In bytes it is a step; between two steps it may be any; at the step of the other operand it is that one."""
    told: dict[str, Any] = {"idesc": 0x08200490, "mma_kind": "f16", "a_tile": "128x64,at=0x400"}
    in_bytes = mma(a=0x4000404000010400, b=0x4000404000010440, **told).findings
    assert [(each.rule, each.repaired) for each in faults(in_bytes) if not each.because] == [
        ("start-address-not-divided", "0x4000404000010040")
    ]
    (between,) = faults(mma(a=0x4000404000010045, **told).findings)
    steps = [int(each.repaired, 16) for each in between.alternatives]
    assert (between.repaired, steps) == ("", [0x4000404000010040 + step for step in (0, 2, 4, 6)])
    beside = mma(a=0x4000404000010045, b=0x4000404000010444, **told, b_tile="128x64,at=0x4400").findings
    assert [each.repaired for each in faults(beside) if not each.because] == ["0x4000404000010044"]


def test_what_is_certain_is_not_listed_below_a_guess() -> None:
    """The strides look like those of the other major-ness, but the tile is told: the strides are wrong."""
    told = {"idesc": 0x08210490, "mma_kind": "f16", "b_tile": "128x64,major=MN,swizzle=128B"}
    first, *rest = faults(mma(a=0x4000404000010040, b=0x4000404000010440, **told).findings)
    assert (first.rule, first.severity, first.repaired) == ("wrong-stride", "error", "0x4000404002000440")
    assert {each.because for each in rest} == {"wrong-stride"}


def without_causes(value: int | str, kind: str, context: Context) -> list[Finding]:
    return faults(decode_literal(literal_of(value), kind, context=context).findings)


@pytest.mark.slow
@every_row(("kind", "what", "options"), [row[:3] for row in TRIGGERS])
def test_every_repair_mends_and_breaks_nothing(kind: str, what: dict[str, Any] | int, options: dict[str, Any]) -> None:
    of = kind_of(kind)
    context = case_of(of, **options)
    fields, bits = (what, SOUND[kind]) if isinstance(what, dict) else ({}, what)
    value = build(of, fields, base=(bits, of.table.full), context=context, force=True).value
    known = {(each.rule, each.fields) for each in without_causes(value, kind, context)}
    for each in faults(decode(value, kind, context=context).findings):
        assert each.because or each.repaired or each.alternatives or each.likely or not each.repair, each
        for repaired in (each.repaired, *(one.repaired for one in each.alternatives)):
            after = {(again.rule, again.fields) for again in without_causes(repaired or value, kind, context)}
            assert after <= known, each
            assert not repaired or (each.rule, each.fields) not in after, each


@pytest.mark.parametrize("value", ["0x40004004:?", "0x4000400400000000@smem"])
def test_what_is_not_known_stays_unknown_in_a_repaired_value(value: str) -> None:
    for each in faults(decode(value, "tcgen05", dtype="bf16", major="K", shape="64x16").findings):
        with pytest.raises(ValueError, match="invalid literal"):
            int(each.repaired or "?", 16)


def test_a_wrong_option_is_still_an_error() -> None:
    with pytest.raises(SmemdescError):
        decode(0x4000400400010040, "tcgen05", tile="128x64")
