"""``--svg`` of ``layout operand`` and ``layout tile``: where the picture goes, and what is printed beside it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from run import smemdesc

RUNS = {
    "operand": [
        "layout", "operand", "0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "64x16",
    ],
    "tile": ["layout", "tile", "128x64", "--dtype", "bf16", "--major", "MN", "--swizzle", "64B"],
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_a_file_gets_the_picture_and_the_text_stays(name: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    ran = smemdesc(*RUNS[name], "--svg", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == smemdesc(*RUNS[name]).out
    assert ET.fromstring(file.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", RUNS)
def test_standard_output_has_the_picture_alone(name: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    smemdesc(*RUNS[name], "--svg", str(file))
    ran = smemdesc(*RUNS[name], "--svg", "-", PYTHONIOENCODING="ascii")
    assert (ran.status, ran.err, ran.out) == (0, "", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", RUNS)
def test_json_beside_a_picture(name: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    assert json.loads(smemdesc(*RUNS[name], "--json", "--svg", str(file)).out)["dtype"] == "bf16"
    assert file.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize("name", RUNS)
def test_a_file_that_cannot_be_written(name: str) -> None:
    ran = smemdesc(*RUNS[name], "--svg", "/nowhere/x.svg")
    assert (ran.status, ran.out) == (2, "")
    assert "--svg /nowhere/x.svg: cannot write it: No such file or directory" in ran.err
    assert "Traceback" not in ran.err


def test_what_is_refused_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    ran = smemdesc("layout", "tile", "128x60", *RUNS["tile"][3:], "--svg", str(file))
    assert (ran.status, ran.out, file.exists()) == (2, "", False)
