"""A text is scanned in pieces, by processes that may die, and may change meanwhile: no answer depends on it."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from corpus.dumps import dumps

from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import pieces, text, workers
from smemdesc.scanning.inputs.binaries.members import Ask
from smemdesc.scanning.model import Part

from .test_annotations import MLIR

pytestmark = pytest.mark.corpus  # long: .ci/run has it

NAMES = (
    "wgmma_styles.O3.13.5.sass",
    "wgmma_forms.O3.13.0.ptx",
    "triton_100_fp16_ptr_t.llir",
    "tcgen05_styles.O3.13.5.ptx",
)
FRAGMENT = """mov.b64 %rd1, 0x4000404000010040;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;"""
OTHER = "\n".join(f"line {n}: desc = 0x{0x4000404000010000 + n:016x}, {n}" for n in range(400))

RUBIN = "\n".join(f"line {n}: desc = 0x{0x4000404000014000 + n:016x}" for n in range(50))
"""With start addresses of 15 bits."""


WRITTEN = {
    "a fragment": FRAGMENT,
    "a fragment after much": "// nothing\n" * 3000 + FRAGMENT,
    "other text": OTHER,
    "other text of two architectures": f"for sm_100a\n{RUBIN}\nfor sm_107a\n{RUBIN}",
    "one line": OTHER.replace("\n", " "),
    "mlir": MLIR * 3,
    "no tensor-core instruction": ".visible .entry k()\n{\nor.b64 %rd5, %rd4, 0xC000000800080000;\nret;\n}\n" * 30,
}
CHANGED: dict[str, tuple[str, Callable[[str], str]]] = {
    "text before functions": (NAMES[1], lambda text: f"{OTHER}\n{text}"),
    "several functions on a line": (NAMES[3], lambda text: text.replace("\n\n.visible", " .visible")),
}
"""Texts that are made of stored ones, which are unpacked when a test asks."""


@cache
def texts() -> dict[str, str]:
    found = {name: text for name in NAMES for each, text, _ in dumps(name) if each == name}
    return found | WRITTEN | {name: made(found[of]) for name, (of, made) in CHANGED.items()}


def claims(parts: list[Part]) -> Any:
    return (
        [(of.name, of.line, of.mmas) for part in parts for of in part.functions],
        [value for part in parts for value in part.values],
        sum(part.seen for part in parts),
        sum(part.odd for part in parts),
    )


def scanned(path: Path, jobs: int = 1) -> Any:
    found = list(workers.scan_files([str(path)], Ask(jobs=jobs)))
    assert [each.problem for each in found if each.problem] == []
    assert [each.last for each in found] == [False] * (len(found) - 1) + [True]
    return claims([each.part for each in found])


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is worth several processes, in many pieces."""
    monkeypatch.setattr(workers, "_WORTH", 0)
    monkeypatch.setattr(text, "PIECE_BYTES", 20_000)
    path = tmp_path / "f"
    path.write_text(texts()[NAMES[0]])
    return path


@pytest.mark.parametrize("name", [*NAMES, *WRITTEN, *CHANGED])
def test_the_whole_and_its_pieces_say_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(name)
    path = tmp_path / "f"
    for end in ("", "\n"):
        data = texts()[name].rstrip("\n") + end
        path.write_text(data, newline="")
        monkeypatch.setattr(text, "PIECE_BYTES", 10**9)
        whole = claims([scan_text(data)])
        for size in (10**9, *(generator.randrange(1, 60_000) for _ in range(2)), 1 + len(data) // 2):
            monkeypatch.setattr(text, "PIECE_BYTES", max(size, text._AROUND, len(data) // 40))
            assert scanned(path) == whole, (size, end)


@pytest.mark.parametrize("name", [NAMES[0], *(each for each in WRITTEN if each != "mlir")])
def test_a_text_too_long_for_memory_says_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_text(texts()[name])
    whole = scanned(path)
    monkeypatch.setattr(text, "PIECE_BYTES", 5_000)
    monkeypatch.setattr(text, "MODULE", 10_000)
    assert scanned(path) == whole


def test_the_last_line_needs_no_newline() -> None:
    assert claims([scan_text(FRAGMENT)]) == claims([scan_text(FRAGMENT + "\n")])
    (mma,) = scan_text(FRAGMENT).functions[0].mmas
    assert mma.a is not None
    assert mma.a.bits == 0x4000404000010040


def test_many_processes_say_what_one_says(dump: Path) -> None:
    assert scanned(dump, jobs=3) == scanned(dump)


def dies(piece: text.Piece) -> Any:
    if piece.place.offset > 50_000 and os.getpid() != PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    return pieces.scan_piece(piece)


PARENT = os.getpid()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the worker is made to die by what it inherits")
def test_a_process_that_dies_costs_what_it_read_and_says_so(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scanned(dump)
    monkeypatch.setattr(workers, "scan_piece", dies)
    found = list(workers.scan_files([str(dump)], Ask(jobs=2)))
    problems = [each.problem for each in found if each.problem]
    assert problems
    assert all(re.match(f"{dump}: bytes \\d+ to \\d+: not scanned: the process died", str(each)) for each in problems)
    left = [of for each in found for of in each.part.functions]
    assert left
    assert [(of.name, of.line, of.mmas) for of in left] == whole[0][: len(left)]


def test_without_processes_one_does_it(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scanned(dump)

    monkeypatch.setattr(workers.Processes, "_start", lambda _: False)
    assert scanned(dump, jobs=3) == whole


@pytest.mark.parametrize("size", [3, 10_000_000])
def test_a_file_that_changes_is_said(size: int, dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MODULE", 20_000)
    found = workers.scan_files([str(dump)], Ask(jobs=1))
    next(found)
    os.truncate(dump, size)
    assert [each.problem.message for each in found if each.problem] == [f"{dump} changed while it was read"]


def test_what_cannot_be_read_drops_nothing_else(tmp_path: Path) -> None:
    names = ["missing", *(f"{place}" for place in range(6)), "good"]
    encodings = ["utf-16-le", "utf-16-be", "utf-16", "utf-32", "utf-32-le"]
    for place, encoding in enumerate(encodings):
        (tmp_path / f"{place}").write_bytes(FRAGMENT.encode(encoding))
    (tmp_path / "5").write_bytes(FRAGMENT.replace("\n", "\r").encode() + b"\r\r")
    (tmp_path / "good").write_text(FRAGMENT)
    found = list(workers.scan_files([str(tmp_path / name) for name in names]))
    assert [Path(each.name).name for each in found if each.problem] == names[:-1]
    assert {Path(each.name).name for each in found if each.part.functions} == {"good"}
    hints = [each.problem.hint for each in found if each.problem]
    assert all("iconv" in hint for hint in hints[1:6])
    assert "tr " in hints[6]


def test_an_error_of_ours_names_the_line_and_the_rest_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_text(texts()[NAMES[1]])
    whole = scanned(path)
    real = pieces.analyse_piece

    def fails(kind: str, text: bytes, first: int, *rest: Any) -> Any:
        if rest[0] == whole[0][1][0]:
            raise ZeroDivisionError("oh")
        return real(kind, text, first, *rest)

    monkeypatch.setattr(pieces, "analyse_piece", fails)
    found = list(workers.scan_files([str(path)]))
    (problem,) = [str(each.problem) for each in found if each.problem]
    assert f"{path}:{whole[0][1][1]}: " in problem
    assert "please report" in problem
    assert sum(len(each.part.functions) for each in found) == len(whole[0]) - 1
