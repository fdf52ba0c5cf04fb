"""What GPUs answered to ``smemdesc probe --all`` (``probe/``): each claim holds, and docs/evidence.md says so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from silicon import merge

from smemdesc.engine.errors import SmemdescError
from smemdesc.probe.record import read_record

RECORDS = sorted(merge.RECORDS.glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.name))
def test_no_answer_contradicts_the_model(path: Path) -> None:
    head, lines = read_record(path)
    assert head["arch"].startswith("sm_")
    assert Counter(map(merge.verdict, lines)) == {"holds": len(lines)}


def test_the_page_has_the_answers() -> None:
    text = merge.PAGE.read_text()
    assert merge.page(text) == text


def test_a_merged_file_is_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "RECORDS", tmp_path / "records")
    to = merge.merge(RECORDS[0])
    assert to.name == RECORDS[0].name
    assert to.read_bytes() == RECORDS[0].read_bytes()
    for wrong in (b"", b"no gzip", to.read_bytes()[:-400]):
        (tmp_path / "wrong").write_bytes(wrong)
        with pytest.raises(SmemdescError, match="no record"):
            merge.merge(tmp_path / "wrong")
