"""The rules for tensor maps: each is found where it should be. That none is found in a map that a driver made, the
record holds (``tests/silicon/tensormap``)."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from tables import every_row

import smemdesc
from smemdesc import Context
from smemdesc.descriptors.tensormap import encode_map
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import NOTHING
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.tensormap import BY_CUBLASLT
from smemdesc.rules import judge, rules_for

COMMON: dict[str, Any] = {"dtype": "bf16", "address": 1 << 40, "swizzle": "128B"}


def _sound(kind: str) -> dict[str, Any]:
    rank = int(kind[-2]) if "im2col" in kind else 2
    sizes = {"dim": [64] * rank, "stride": [128 * 64**i for i in range(rank - 1)]}
    corner = [0] * (rank - 2)
    image = {"lower_corner": corner, "upper_corner": corner, "channels": 64, "pixels": 32}
    return {**COMMON, **sizes, **(image if corner else {"box": [64, 32]})}


def _row(kind: str, elements: int) -> dict[str, Any]:
    return {"channels": elements} if "im2col" in kind else {"box": [elements, 32]}


def _packed(kind: str) -> list[dict[str, Any]]:
    """Return what the documentation of a packed type does not allow, one thing each."""
    rest = _sound(kind)["dim"][1:]
    legal = {"dtype": "16U6_ALIGN16B", "dim": [256, *rest], **_row(kind, 128)}
    return [
        {**legal, **_row(kind, 64)},
        {**legal, "dim": [200, *rest]},
        {**legal, "swizzle": "64B"},
        {"dtype": "16U4_ALIGN8B", "dim": [65, *rest]},
        *([{**legal, "interleave": "16B"}] if len(rest) > 1 else []),
    ]


def _beyond(rank: int) -> list[str]:
    """Return the fields of the first dimension that a map does not have."""
    return [f"{name}_{rank}" for name in ("stride", "dim", "element_stride")] if rank < 5 else []


def _cases(kind: str) -> list[tuple[dict[str, Any], dict[str, int], str, str]]:
    """Return arguments to change, raw numbers to set, and what is found."""
    image = "im2col" in kind
    rank = len(_sound(kind)["dim"])
    strides = [144, *(4096 * 64**i for i in range(rank - 2))]
    return [
        ({"address": 8}, {}, "error", "global-address"),
        ({"address": 1 << 60}, {}, "error", "global-address"),
        ({"interleave": "32B", "stride": strides}, {}, "error", "global-stride"),
        ({"stride": [64, *(4096 * 64**i for i in range(rank - 2))]}, {}, "warning", "stride-below-row"),
        ({"stride": [48, *(4096 * 64**i for i in range(rank - 2))]}, {}, "note", "stride-below-row"),
        (_row(kind, 4), {}, "error", "box-row"),
        (_row(kind, 128), {}, "error", "box-row-swizzle"),
        ({"dtype": "u16", "fill": "nan"}, {}, "error", "nan-fill"),
        (
            {
                "dtype": "f64",
                "swizzle": "none",
                **({"channels": 256, "pixels": 1024} if image else {"box": [256, 256]}),
            },
            {},
            "error",
            "box-size",
        ),
        *((changed, {}, "error", "packed-type") for changed in _packed(kind)),
        ({**_packed(kind)[0], **_row(kind, 128)}, {}, "note", "unmeasured-type"),
        ({}, {"box_bytes": 7}, "note", "changed-map"),
        ({}, {"box_bytes": 1 << 18}, "warning", "changed-map"),
        ({}, {"swizzle_period": 3}, "warning", "changed-map"),
        ({}, {"swizzle_atomicity": 1}, "warning", "unmeasured-swizzle"),
        ({}, {"swizzle_upper": 1}, "warning", "unmeasured-swizzle"),
        *(({}, {key: 1}, "warning", "beyond-rank") for key in _beyond(rank)),
        ({}, {"unknown_87": 5}, "warning", "unknown-bits"),
        ({}, {"unknown_65": 3}, "warning", "unknown-bits"),
        ({}, {"unknown_65": BY_CUBLASLT}, "note", "unknown-bits"),
        *(({}, {"unknown_65": BY_CUBLASLT, key: 1}, "note", "beyond-rank") for key in _beyond(rank)),
        ({"dim": [64, *[1] * (rank - 1)]}, {"allocation_class": 1}, "warning", "allocation-class"),
        ({}, {"interleave": 3}, "error", "undefined-code"),
        ({}, {"data_type": 3, "data_type_upper": 1}, "error", "undefined-code"),
        ({}, {"swizzle_upper": 1}, "error", "undefined-code"),
        *(
            [
                (
                    {"lower_corner": [9, *[0] * (rank - 3)], "dim": [64, 9, *[64] * (rank - 2)]},
                    {},
                    "error",
                    "bounding-box",
                )
            ]
            if image
            else [({"interleave": "16B"}, {}, "error", "interleave-rank")]
        ),
    ]


def _found(
    kind: str, changed: dict[str, Any], raws: dict[str, int], context: Context = NOTHING
) -> list[tuple[str, str]]:
    """Return the severities and rules of what is found in a sound map after a change."""
    table = kind_of(kind).table
    bits = encode_map(**{**_sound(kind), **changed}, force=True).value
    for key, raw in raws.items():
        bits = table.insert(bits, key, raw)
    return [(each.severity, each.rule) for each in judge(kind_of(kind), table.read(bits), context)]


@every_row("name", ["16U4_ALIGN8B", "16U4_ALIGN16B", "16U6_ALIGN16B"])
@every_row("kind", ids("tensormap"))
def test_a_packed_type_is_documented_and_not_measured(kind: str, name: str) -> None:
    asked = {**_sound(kind), "dtype": name, "dim": [128, *_sound(kind)["dim"][1:]], **_row(kind, 128)}
    (said,) = encode_map(**asked).findings
    assert (said.severity, said.rule) == ("note", "unmeasured-type")
    assert "documented, not measured" in said.message
    for changed in ({"address": 16}, {"stride": [144, *asked["stride"][1:]]}):
        legal = name == "16U4_ALIGN8B"
        assert (len(encode_map(**{**asked, **changed}, force=True).findings) == 1) == legal


@every_row(
    ("context", "span", "expected"),
    [
        (Context(), 1 << 17, []),
        (Context(), (1 << 17) - 128, ["warning"]),
        (Context(arch="sm_100a"), 2048, ["warning"]),
        (Context(arch="sm_90a"), 2048, ["note"]),
        (Context(backing="128KiB"), 2048, []),
        (Context(backing=(1 << 17) - 1), 2048, ["error"]),
    ],
)
def test_a_large_map_needs_128_kib(context: Context, span: int, expected: list[str]) -> None:
    shape: dict[str, Any] = {"dim": [64, span // 128], "stride": [128], "box": [64, 8]}
    large = encode_map(**COMMON, **shape, allocation_class="large", force=True)
    findings = judge(large.kind, large.kind.table.read(large.value), context)
    assert [finding.severity for finding in findings if finding.rule == "allocation-class"] == expected


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"allocation_class": "large"}, "large needs 131072 B .* the tensor spans 8192 B"),
        ({"allocation_class": "large", "backing": 65536}, "65536 B are mapped"),
        ({"backing": 8191}, "the tensor spans 8192 B"),
    ],
)
def test_a_class_without_its_memory(more: dict[str, Any], message: str) -> None:
    with pytest.raises(SmemdescError, match=message):
        encode_map(**_sound("tensormap:tiled"), **more)


def test_auto_is_small_and_says_so() -> None:
    plain, auto = (encode_map(**_sound("tensormap:tiled"), allocation_class=name) for name in (None, "auto"))
    assert (plain.value, plain.findings) == (auto.value, ())
    assert [(finding.severity, finding.rule) for finding in auto.findings] == [("note", "allocation-class")]


TRIGGERS = [(kind, *case) for kind in ids("tensormap") for case in _cases(kind)]


@every_row(("kind", "changed", "raws", "severity", "rule"), TRIGGERS)
def test_found(kind: str, changed: dict[str, Any], raws: dict[str, int], severity: str, rule: str) -> None:
    assert _found(kind, {}, {}) == []
    assert (severity, rule) in _found(kind, changed, raws)


_LARGE_BOX = {"dtype": "f64", "swizzle": "none", "box": [256, 64], "stride": [512]}
_PACKED = {"dtype": "16U4_ALIGN8B"}
ON_ARCH: list[tuple[dict[str, Any], dict[str, int], str, str, str]] = [
    ({}, {}, "sm_80", "error", "kind-arch"),
    *(({}, {}, arch, "", "") for arch in ("sm_90", "sm_100", "sm_107a", "sm_110f", "sm_120", "sm_121a")),
    ({}, {}, "sm_101a", "note", "kind-arch"),
    *((_PACKED, {}, arch, "error", "needs-arch") for arch in ("sm_90", "sm_90a")),
    *((_PACKED, {}, arch, "note", "unmeasured-type") for arch in ("sm_100", "sm_120", "sm_121f")),
    ({}, {"swizzle_atomicity": 1}, "sm_90", "error", "needs-arch"),
    ({}, {"swizzle_atomicity": 1}, "sm_120", "warning", "unmeasured-swizzle"),
    *(
        ({}, {"swizzle": 0, "swizzle_upper": 1}, arch, "error", "needs-arch")
        for arch in ("sm_100a", "sm_110", "sm_120a")
    ),
    ({}, {"swizzle": 0, "swizzle_upper": 1}, "sm_100f", "warning", "needs-arch"),
    ({}, {"swizzle": 0, "swizzle_upper": 1}, "sm_103", "warning", "unmeasured-swizzle"),
    *((_LARGE_BOX, {}, arch, "error", "box-size") for arch in ("sm_120", "sm_121a")),
    *((_LARGE_BOX, {}, arch, "", "") for arch in ("sm_90a", "sm_100")),
]


@every_row(("changed", "raws", "arch", "severity", "rule"), ON_ARCH)
def test_found_by_architecture(
    changed: dict[str, Any], raws: dict[str, int], arch: str, severity: str, rule: str
) -> None:
    found = _found("tensormap:tiled", changed, raws, Context(arch=arch))
    by_arch = {"kind-arch", "needs-arch", "box-size"}
    assert (severity, rule) in found if rule else not found
    assert (rule in by_arch) == any(name in by_arch for _, name in found)


@pytest.mark.parametrize(
    ("arch", "changed", "keyword"), [("sm_80", {}, "arch"), ("sm_120", _LARGE_BOX, "box"), ("sm_120", {}, "")]
)
def test_no_map_is_made_for_a_chip_that_lacks_it(arch: str, changed: dict[str, Any], keyword: str) -> None:
    arguments = {**_sound("tensormap:tiled"), **changed, "arch": arch}
    with pytest.raises(SmemdescError) if keyword else nullcontext() as raised:
        smemdesc.tensormap(**arguments)
    assert raised is None or raised.value.keywords[0] == keyword


def test_every_rule_is_triggered() -> None:
    names = {rule.name for kind in ids("tensormap") for rule in rules_for(kind_of(kind))}
    assert names == {rule for *_, rule in (*TRIGGERS, *ON_ARCH) if rule}
