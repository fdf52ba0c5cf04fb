"""Which architecture has what: the table against what ptxas 13.5 accepts, and the names that people write."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from evidence.ptxas import TARGETS, Row, ptxas, record
from tables import every_row

from smemdesc import Context, context
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import (
    CAPABILITIES,
    FAMILIES,
    QUALIFIERS,
    RENAMED,
    has,
    lacks,
    of_machine_code,
    parse_arch,
    shared_memory,
    without,
)
from smemdesc.kinds.archs import (
    TARGETS as DESCRIBED,
)
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import ARCHS, BLACKWELL, BLOCK_SCALED, HOPPER, MMA_KINDS, PACKED_FP4, SHORT_ARCHS
from smemdesc.kinds.shapes import offers
from smemdesc.rules import judge

FORMS = {
    # capability: the instruction, the qualifiers as ptxas was asked for them by kind (None: all), and the form
    "wgmma": ("wgmma", {"f32.f16.f16": "-"}, "dense n64"),
    "tcgen05": ("tcgen05.mma", dict.fromkeys(("tf32", "f16", "f8f6f4", "mxf8f6f4", "mxf4"), "-"), "cta 1 dense shared"),
    "i8": ("tcgen05.mma", {"i8": "-"}, "cta 1 dense shared"),
    "ti16": ("tcgen05.mma", {"ti16": "-"}, "cta 1 dense shared"),
    "sparse-fp4": ("tcgen05.mma", {"mxf4": "-", "mxf4nvf4": ".block16"}, "cta 1 sparse shared"),
    "scale-vec": (
        "tcgen05.mma",
        {"mxf8f6f4": ".scale_vec::1X", "mxf4": ".scale_vec::2X", "mxf4nvf4": ".scale_vec::4X"},
        "cta 1 dense shared",
    ),
    "block-size": ("tcgen05.mma", dict.fromkeys(BLOCK_SCALED, ".block32"), "cta 1 dense shared"),
    "ws": ("tcgen05.mma.ws", dict.fromkeys(MMA_KINDS, "-"), "cta 1 dense shared"),
    "ashift": (
        "tcgen05.mma",
        {**dict.fromkeys(MMA_KINDS, ".ashift"), "mxf4nvf4": ".block16.ashift"},
        "cta 1 dense tensor",
    ),
    "scale-input-d": (
        "tcgen05.mma",
        {each: "scale-d" for each in MMA_KINDS if each not in ("i8", "mxf4nvf4")},
        "cta 1 dense shared",
    ),
    **{
        key: (
            "tcgen05.mma",
            {**dict.fromkeys(MMA_KINDS, qualifier), "mxf4nvf4": f".block16{qualifier}"},
            "cta 1 dense shared",
        )
        for key, qualifier in (
            ("collector-a", ".collector::a::fill"),
            ("collector-b", ".collector::b::fill"),
            ("lut-b", ".decompress::lut::b"),
        )
    },
}
TRIED = [name for name in TARGETS if name != "sm_101a"]


@every_row(("key", "kind"), [(key, kind) for key, (_, kinds, _) in FORMS.items() for kind in kinds])
def test_as_ptxas_has_it(key: str, kind: str) -> None:
    """The table says what ptxas takes, of each kind on each target (``tests/evidence/ptxas.txt``)."""
    family, kinds, form = FORMS[key]
    of = CAPABILITIES[key]
    by_table = {
        name
        for name in TRIED
        if has(name, key) and (not of.kinds or kind in of.kinds) and (kind not in CAPABILITIES or has(name, kind))
    }
    by_ptxas = {
        target
        for row in record().rows
        if (row.family, row.kind, row.qualifier) == (family, kind, kinds[kind])
        and row.forms in (("any",), _with(row, form))
        for target in row.targets
    }
    assert by_table == by_ptxas


def _with(row: Row, form: str) -> tuple[str, ...]:
    return row.forms if form in row.forms else ()


WITHOUT_DESCRIPTORS = {
    # capability: the rows of the record that are about it, as "family kind qualifier"
    "tma": r"cp\.async\.bulk\.tensor (tile|im2col|im2col_no_offs) (?!.*cta_group)",
    "tma-gather": r"cp\.async\.bulk\.tensor (tile::gather4|im2col::w) shared::cta$",
    "tma-cluster-gather": r"cp\.async\.bulk\.tensor ((tile::gather4|im2col::w) (?!shared::cta)(?!.*cta_group)"
    r"|tile::scatter4|im2col::w::128 (?!.*cta_group))",
    "tma-cta-group": r"cp\.async\.bulk\.tensor .*cta_group",
    "tensormap-replace": r"tensormap\.(query|replace (?!swizzle_mode 4|elemtype 1[345]|swizzle_atomicity))",
    "map-atomicity": r"tensormap\.replace (elemtype 1[345]|swizzle_atomicity)",
    "map-96b": r"tensormap\.replace swizzle_mode 4",
    "mma-sync": r"mma\.sync (kind::m?x?f8f6f4|.* dense)",
    "mma-sync-sparse-fp4": r"mma\.sync kind::mxf4.* sparse",
}


def test_each_row_about_tma_and_mma_sync_is_of_one_capability_as_ptxas_has_it() -> None:
    assert set(WITHOUT_DESCRIPTORS) == {each.key for each in CAPABILITIES.values() if each.about != "descriptors"}
    for row in record().rows:
        if not row.family.startswith(("tcgen05", "wgmma")):
            text = f"{row.family} {row.kind} {row.qualifier}"
            (key,) = (key for key, pattern in WITHOUT_DESCRIPTORS.items() if re.match(pattern, text))
            assert CAPABILITIES[key].names == row.targets, text


@pytest.mark.parametrize(
    ("newest", "says"),
    [("9.5", ""), ("10.1", r"takes PTX 10\.1, but .* read against 9\.5"), ("9.4", "use a newer ptxas")],
)
def test_probes_stop_at_a_version_of_ptx_that_was_not_read(
    newest: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "ptxas"
    program.write_text(f"#!/bin/sh\nprintf '1.0\\n9.0\\n{newest}\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PTXAS", str(program))
    ptxas.cache_clear()
    with pytest.raises(SystemExit, match=says) if says else nullcontext():
        assert ptxas() == str(program)
    ptxas.cache_clear()


def test_qualifiers_of_the_instruction_are_all_held_to_ptxas() -> None:
    assert set(QUALIFIERS) <= set(FORMS)


@pytest.mark.parametrize("qualifier", [".ashift", ".decompress::lut::b", ".collector::a::fill", ".collector::b::fill"])
def test_ws_has_none_of_the_qualifiers(qualifier: str) -> None:
    rows = [row for row in record().rows if (row.family, row.qualifier) == ("tcgen05.mma.ws", qualifier)]
    assert {row.kind for row in rows} == set(MMA_KINDS)
    assert not any(row.targets for row in rows)


def test_families_as_ptxas_has_them() -> None:
    assert record().families == FAMILIES


def test_every_copy_exists_wherever_tcgen05_does() -> None:
    copies = [row for row in record().rows if row.family == "tcgen05.cp"]
    assert copies
    assert all(set(row.targets) == set(CAPABILITIES["tcgen05"].names) for row in copies)


def test_where_ptxas_and_the_documents_differ() -> None:
    """PTX gives scale-input-d to f16 and tf32 alone; ptxas takes it for i8, too (docs/errata.md)."""
    (row,) = (row for row in record().rows if (row.kind, row.qualifier) == ("i8", "scale-d"))
    assert row.targets == ("sm_100a", "sm_110a")
    assert CAPABILITIES["scale-input-d"].kinds == ("f16", "tf32")


@every_row("arch", ARCHS)
def test_what_an_architecture_has_is_what_the_table_says(arch: str) -> None:
    of = offers(arch)
    assert [each.kind.on(arch) for each in of.kinds] == [True] * len(of.kinds)
    for each in of.kinds:
        assert each.k_dense
        assert bool(each.k_sparse) == (each.kind.mma_kind not in PACKED_FP4 or has(arch, "sparse-fp4"))
        assert all(has(arch, key) for key in each.qualifiers)
    assert not any(has(arch, each.key) for each in of.absent)


@every_row(
    ("arch", "mma_kind", "dense", "sparse"),
    [
        ("sm_100a", "f8f6f4", (32,), (64,)),
        ("sm_100a", "mxf4", (64,), (128,)),
        ("sm_100f", "mxf4", (64,), ()),
        ("sm_103a", "mxf4nvf4", (64, 96), (128,)),
        ("sm_103f", "mxf4nvf4", (64, 96), ()),
        ("sm_107a", "f8f6f4", (32, 64), (64,)),
        ("sm_107a", "mxf8f6f4", (32, 64), (64, 128)),
        ("sm_107a", "mxf4", (64, 96, 128), (128, 192)),
        ("sm_107f", "mxf4", (64, 96, 128), ()),
        ("sm_107a", "ti16", (16,), (32,)),
        ("sm_101a", "i8", (32,), (64,)),
    ],
)
def test_k_of_an_architecture(arch: str, mma_kind: str, dense: tuple[int, ...], sparse: tuple[int, ...]) -> None:
    (found,) = (each for each in offers(arch).kinds if each.kind.mma_kind == mma_kind)
    assert (found.k_dense, found.k_sparse) == (dense, sparse)


@pytest.mark.parametrize("key", ["k-96", "absolute-lbo"])
def test_what_the_documents_give_to_one_architecture_its_own_family_has_too(key: str) -> None:
    assert CAPABILITIES[key].names == ("sm_103a", "sm_103f", "sm_107a", "sm_107f")


@every_row(
    ("name", "others"),
    [("sm_100f", ("sm_100a",)), ("sm_103f", ()), ("sm_107f", ()), ("sm_110f", ()), ("sm_103a", ()), ("sm_90a", ())],
)
def test_members_of_a_family_that_lack_something(name: str, others: tuple[str, ...]) -> None:
    assert without(name, ("sm_103a", "sm_107a")) == others


def test_the_names_of_help_texts_are_those_of_the_table() -> None:
    assert CAPABILITIES["wgmma"].names == HOPPER
    assert CAPABILITIES["tcgen05"].names == BLACKWELL
    assert SHORT_ARCHS.replace("/f", "").split(", ") == [name for name in ARCHS if name not in FAMILIES]


@every_row("capability", CAPABILITIES.values())
def test_every_row_has_a_source(capability: object) -> None:
    assert any(who in capability.source for who in ("PTX ISA", "ptxas"))  # type: ignore[attr-defined]


@every_row(
    ("text", "name"),
    [
        ("sm_100a", "sm_100a"),
        ("100a", "sm_100a"),
        ("sm100a", "sm_100a"),
        ("SM_100A", "sm_100a"),
        ("compute_90a", "sm_90a"),
        ("100", "sm_100"),
        ("90", "sm_90"),
        ("sm_101a", "sm_101a"),
        ("sm_121f", "sm_121f"),
    ],
)
def test_names_as_people_write_them(text: str, name: str) -> None:
    assert parse_arch(text) == name


@every_row("text", ["sm_42", "hoper", "sm_100x", "", "sm_90f", "1000a"])
def test_what_is_no_architecture(text: str) -> None:
    with pytest.raises(SmemdescError, match=r"(?i)use one of sm_90a, sm_100a"):
        parse_arch(text)


IN_PLACE = "neither wgmma nor tcgen05; its block-scaled mma.sync takes registers, not descriptors"
REPLACE = CAPABILITIES["tensormap-replace"].what


@every_row(
    ("name", "key", "says"),
    [
        ("sm_100", "tcgen05", "sm_100 has no tcgen05; did you mean sm_100a or sm_100f?"),
        ("sm_103", "tcgen05", "sm_103 has no tcgen05; did you mean sm_103a or sm_103f?"),
        ("sm_101", "tcgen05", "sm_101 has no tcgen05; did you mean sm_110a or sm_110f?"),
        ("sm_90", "wgmma", "sm_90 has no wgmma; did you mean sm_90a?"),
        ("sm_120a", "tcgen05", f"sm_120a has {IN_PLACE}"),
        ("sm_121", "wgmma", f"sm_121 has {IN_PLACE}"),
        ("sm_80", "wgmma", "sm_80 has neither wgmma nor tcgen05"),
        ("sm_80", "tma", "sm_80 has no cp.async.bulk.tensor (tile, im2col); it exists on sm_90 and later"),
        ("sm_120", "tensormap-replace", f"sm_120 has no {REPLACE}; it exists on sm_90a and later, with a suffix"),
        ("sm_103f", "i8", "sm_103f has no kind::i8; it exists on sm_100a, sm_110a"),
        ("sm_100a", "wgmma", "sm_100a has no wgmma; it exists on sm_90a"),
    ],
)
def test_what_an_architecture_lacks(name: str, key: str, says: str) -> None:
    assert lacks(name, key) == says


def test_an_architecture_that_is_not_known_is_said_and_judged_by_nothing_else() -> None:
    kind = kind_of("tcgen05")
    findings = judge(kind, kind.table.read(0x4010404000010040), Context()._replace(arch="sm_130a"))
    assert [(each.severity, each.rule) for each in findings] == [("warning", "kind-arch")]
    assert "sm_130a" in findings[0].message


IN_NO_TABLE = ("sm_80", "sm_86", "sm_89", "sm_130", "sm_130a", "sm_999", "sm_108a", "sm_10")


@every_row("name", [*DESCRIBED, *RENAMED, *IN_NO_TABLE, None])
def test_shared_memory_is_known_of_what_is_in_a_table(name: str | None) -> None:
    kib = 328 if name and "107" in name else 100 if name and "12" in name else 228
    assert shared_memory(name) == (None if name in IN_NO_TABLE else kib * 1024)


@every_row(("name", "start"), [(name, start) for name in IN_NO_TABLE for start in (0x400, 0x38000, 0x3FC00)])
def test_an_operand_of_an_architecture_in_no_table_is_not_beyond_its_shared_memory(name: str, start: int) -> None:
    case = context(dtype="bf16", major="K", shape="64x16")
    kind = kind_of("tcgen05")
    value = kind.table.read(0x4000404000010000 | start >> 4)
    rules = [{each.rule for each in judge(kind, value, case._replace(arch=arch))} for arch in (None, name)]
    assert ("outside-shared-memory" in rules[0]) == (start >= 0x38000)
    assert rules[1] - {"tile-and-box"} == {"kind-arch"}


@pytest.mark.parametrize(
    ("printed", "name"),
    [("sm_100", "sm_100f"), ("sm_103", "sm_103f"), ("sm_90", "sm_90a"), ("sm_100a", "sm_100a"), ("sm_120", "sm_120")],
)
def test_disassemblers_name_family_code_by_its_number(printed: str, name: str) -> None:
    assert of_machine_code(printed) == name
