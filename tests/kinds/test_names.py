"""The names of the kinds."""

from __future__ import annotations

import pytest
from samples import ALL, SOUND

from smemdesc.descriptors.result import decode
from smemdesc.engine.errors import KindError
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS


def test_there_are_eleven() -> None:
    assert [kind.id for kind in ALL] == [
        "wgmma",
        "tcgen05",
        "idesc:tf32",
        "idesc:f16",
        "idesc:f8f6f4",
        "idesc:i8",
        "idesc:mxf8f6f4",
        "idesc:mxf4",
        "idesc:mxf4nvf4",
        "idesc:ti16",
        "mask",
    ]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_a_kind_is_made_once(kind: Kind) -> None:
    assert kind_of(kind.id) is kind_of(kind.name, kind.mma_kind) is kind


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_the_sound_sample_is_sound(kind: Kind) -> None:
    assert decode(SOUND[kind.id], kind.id).findings == ()


@pytest.mark.parametrize("name", KINDS)
def test_ids_stand_for_the_name(name: str) -> None:
    assert all(kind_of(each).name == name for each in ids(name))


@pytest.mark.parametrize(
    ("name", "mma_kind", "says"),
    [
        ("imma", None, "there is no descriptor kind 'imma'; the kinds are wgmma, tcgen05, idesc, mask"),
        ("wgmma:f16", None, "there is no descriptor kind 'wgmma:f16'"),
        ("idesc", None, "does not say its MMA kind; give one of tf32, f16"),
        ("idesc", "f32", "there is no MMA kind 'f32'"),
        ("idesc:f8", None, "there is no MMA kind 'f8'"),
        ("idesc:f16", "i8", "contradict"),
    ],
)
def test_wrong_names(name: str, mma_kind: str | None, says: str) -> None:
    with pytest.raises(KindError, match=says):
        kind_of(name, mma_kind)
