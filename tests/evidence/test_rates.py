"""The script that counts findings in other people's kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidence.rates import main, named, percent

DATA = Path(__file__).parents[2] / "examples" / "data"


def test_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (DATA / "gemm_sm90.sass").read_text()
    (tmp_path / "wrong.sass").write_text(text.replace("0x40000080", "0x40004040"))
    assert main([f"ours={DATA}/gemm_sm90.sass", f"ours={DATA}/gemm_sm100.sass", f"wrong={tmp_path}"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "| ours, sm_90 | 1 | 4 | 8 | 100% | 100% | - | 100% | 100% | - |" in lines
    assert "| ours, sm_100 | 1 | 4 | 8 | 100% | 100% | 100% | 100% | 100% | 100% |" in lines
    assert "| wrong, sm_90 | 1 | 4 | 8 | 100% | 100% | - | 100% | 100% | - |" in lines
    assert "| reserved-bits | warning | 0 | 0 | 4 (50.00%) |" in lines
    assert lines[-1].startswith("| reserved-bits")


@pytest.mark.parametrize(
    ("count", "of", "text"),
    [(0, 9, "0"), (9, 9, "100%"), (1, 10**6, "0.01%"), (10**6 - 1, 10**6, "99.99%"), (0, 0, "-")],
)
def test_a_share_is_never_rounded_to_all_or_nothing(count: int, of: int, text: str) -> None:
    assert percent(count, of) == text


def test_paths_of_one_name_are_one_library() -> None:
    assert named(["a=x", "b", "a=y=z"]) == {"a": ["x", "y=z"], "b": ["b"]}


def test_without_a_path_it_says_what_it_takes() -> None:
    assert main([]) == 2
