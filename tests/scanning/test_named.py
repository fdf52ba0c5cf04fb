"""The architecture that a text names says by which tables its values are read, wherever it is cut."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from smemdesc.scanning import named, pieces, running
from smemdesc.scanning.named import Named

TEXT = b"for sm_90a; xsm_107a; compute_107f and then SM107a, sm_107a; sm_100a, at last sm_107a"
VALUE = "smem_desc = 0x4000404000014000\n"
"""Only sm_107 has so large a start address."""


@pytest.mark.parametrize("block", range(17, len(TEXT) + 1, 5))
def test_blocks_say_what_the_whole_says(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cut = Named(), Named()
    whole.read(TEXT)
    monkeypatch.setattr(named, "_BLOCK", block)
    cut.read_file(io.BytesIO(TEXT))
    found = [whole.near(at) for at in range(len(TEXT))]
    assert found == [cut.near(at) for at in range(len(TEXT))]
    assert [each for place, each in enumerate(found) if not place or each != found[place - 1]] == [
        None, "sm_107f", "sm_107a", None, "sm_107a",
    ]  # fmt: skip


def readings(path: Path, arch: str | None = None) -> list[str]:
    return [value.id for found in running.scan([str(path)], jobs=1, arch=arch) for value in found.part.values]


def test_a_value_far_from_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_text("for sm_107a\n" + "nothing\n" * 2000 + VALUE)
    monkeypatch.setattr(pieces, "PIECE", 1000)
    assert readings(path) == ["tcgen05@sm_107"]


@pytest.mark.parametrize(
    ("text", "arch", "found"),
    [
        (VALUE, None, []),
        (VALUE, "sm_107a", ["tcgen05@sm_107"]),
        (VALUE, "sm_100a", []),
        ("for sm_90a\n" + VALUE, "sm_107a", []),  # --arch is for text that says none
    ],
)
def test_text_that_names_no_architecture(text: str, arch: str | None, found: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    assert readings(path, arch) == found
