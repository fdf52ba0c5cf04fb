"""Which architecture has what: the table against what ptxas 13.5 accepts, and the names that people write."""

from __future__ import annotations

import pytest

from smemdesc.case import Context
from smemdesc.errors import SmemdescError
from smemdesc.findings import judge
from smemdesc.kinds import kind_of
from smemdesc.kinds.archs import CAPABILITIES, FAMILIES, has, lacks, named, of_machine_code, without
from smemdesc.words import ARCHS, BLACKWELL, HOPPER, SHORT_ARCHS

# What ptxas 13.5 does with one instruction of each sort; rejected by every other target that was tried.
PTXAS = {
    "wgmma": {"sm_90a"},
    "tcgen05": {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_107a", "sm_107f", "sm_110a", "sm_110f"},
    "i8": {"sm_100a", "sm_110a"},
    "sparse-fp4": {"sm_100a", "sm_103a", "sm_107a", "sm_110a"},
    "ti16": {"sm_107a", "sm_107f"},
}
TRIED = (*ARCHS, "sm_90", "sm_100", "sm_103", "sm_110", "sm_120a", "sm_120f", "sm_121a")


@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize("key", PTXAS)
def test_as_ptxas_has_it(key: str, name: str) -> None:
    assert has(name, key) == (name in PTXAS[key])


@pytest.mark.parametrize("key", ["k-96", "absolute-lbo"])
def test_what_the_documents_give_to_one_architecture_its_own_family_has_too(key: str) -> None:
    assert CAPABILITIES[key].names == ("sm_103a", "sm_103f", "sm_107a", "sm_107f")


@pytest.mark.parametrize(
    ("name", "others"),
    [("sm_100f", ("sm_100a",)), ("sm_103f", ()), ("sm_107f", ()), ("sm_110f", ()), ("sm_103a", ()), ("sm_90a", ())],
)
def test_members_of_a_family_that_lack_something(name: str, others: tuple[str, ...]) -> None:
    assert without(name, ("sm_103a", "sm_107a")) == others


def test_the_names_of_help_texts_are_those_of_the_table() -> None:
    assert CAPABILITIES["wgmma"].names == HOPPER
    assert CAPABILITIES["tcgen05"].names == BLACKWELL
    assert SHORT_ARCHS.replace("/f", "").split(", ") == [name for name in ARCHS if name not in FAMILIES]


@pytest.mark.parametrize("capability", CAPABILITIES.values(), ids=lambda each: each.key)
def test_every_row_has_a_source(capability: object) -> None:
    assert any(who in capability.source for who in ("PTX ISA", "ptxas"))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
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
    assert named(text) == name


@pytest.mark.parametrize("text", ["sm_42", "hopper", "sm_100x", "", "sm_90f", "1000a"])
def test_what_is_no_architecture(text: str) -> None:
    with pytest.raises(SmemdescError, match="it is one of sm_90a, sm_100a"):
        named(text)


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("sm_100", "tcgen05", "sm_100 has no tcgen05: sm_100a or sm_100f"),
        ("sm_103", "tcgen05", "sm_103 has no tcgen05: sm_103a or sm_103f"),
        ("sm_101", "tcgen05", "sm_101 has no tcgen05: sm_110a or sm_110f"),
        ("sm_90", "wgmma", "sm_90 has no wgmma: sm_90a"),
        ("sm_120a", "tcgen05", "sm_120a: this architecture has no tcgen05 and no wgmma"),
        ("sm_121a", "tcgen05", "sm_121a: this architecture has no tcgen05 and no wgmma"),
        ("sm_80", "wgmma", "sm_80: this architecture has no tcgen05 and no wgmma"),
        ("sm_103f", "i8", "sm_103f has no kind::i8; it exists on sm_100a, sm_110a"),
        ("sm_100a", "wgmma", "sm_100a has no wgmma; it exists on sm_90a"),
    ],
)
def test_what_an_architecture_lacks(name: str, key: str, says: str) -> None:
    assert lacks(name, key) == says


def test_an_architecture_that_is_not_known_is_said_and_judged_by_nothing_else() -> None:
    kind = kind_of("tcgen05")
    findings = judge(kind, kind.table.read(0x4010404000010040), Context(arch="sm_130a"))
    assert [(each.severity, each.rule) for each in findings] == [("warning", "kind-arch")]
    assert "sm_130a" in findings[0].message


@pytest.mark.parametrize(
    ("printed", "name"),
    [("sm_100", "sm_100f"), ("sm_103", "sm_103f"), ("sm_90", "sm_90a"), ("sm_100a", "sm_100a"), ("sm_120", "sm_120")],
)
def test_disassemblers_name_family_code_by_its_number(printed: str, name: str) -> None:
    assert of_machine_code(printed) == name
