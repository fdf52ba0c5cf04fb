"""Pictures on the disk: whole or not at all, and nobody else's file in their place."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from run import process, smemdesc

from smemdesc.cli.support import files
from smemdesc.engine.errors import SmemdescError

ATOM = ("layout", "atom", "--swizzle", "128B", "--major", "K")
TILE = ("layout", "tile", "128x64", "--dtype", "bf16", "--major", "MN", "--swizzle", "64B")
OPERAND = ("layout", "operand", "0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "64x16")
COMMANDS = (
    ATOM,
    ("decode", "0x4000404000010040"),
    ("plan", "128x128x64", "--dtype", "bf16"),
    ("mask", "0x0003028100000000", "--m", "64", "--n", "16"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_what_is_not_ours_is_replaced_only_with_force(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text("<svg>somebody's</svg>")
    ran = smemdesc(*command, "--svg", str(file))
    assert ran.status == 2
    assert f"error: --svg {file}: it exists already and is not a picture that smemdesc wrote" in ran.err
    assert file.read_text() == "<svg>somebody's</svg>"
    assert smemdesc(*command, "--svg", str(file), "--force").status == 0
    assert file.read_text().startswith("<svg ")
    assert os.listdir(tmp_path) == ["a.svg"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_our_own_picture_is_written_again(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    for _ in range(2):
        assert smemdesc(*command, "--svg", str(file)).status == 0
    file.chmod(0o600)
    assert smemdesc(*command, "--svg", str(file)).status == 0
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link.svg"
    target.write_text("kept")
    link.symlink_to(target)
    ran = smemdesc(*ATOM, "--svg", str(link))
    assert ran.status == 2
    assert f"it is a link to {target}" in ran.err
    assert smemdesc(*ATOM, "--svg", str(link), "--force").status == 0
    assert target.read_text() == "kept"
    assert not link.is_symlink()
    dangling = tmp_path / "dangling.svg"
    dangling.symlink_to(tmp_path / "nothing")
    assert smemdesc(*ATOM, "--svg", str(dangling)).status == 2
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_an_error(command: tuple[str, ...], name: str) -> None:
    ran = smemdesc(*command, "--svg", name)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("error: --svg: the file name is empty")


def test_a_device_is_written_to_and_a_folder_is_not(tmp_path: Path) -> None:
    assert smemdesc(*ATOM, "--svg", "/dev/null").status == 0
    ran = smemdesc(*ATOM, "--svg", str(tmp_path))
    assert ran.status == 2
    assert "is a directory" in ran.err


def test_nothing_is_left_where_it_cannot_be_written(tmp_path: Path) -> None:
    ran = smemdesc(*ATOM, "--svg", str(tmp_path / "no" / "a.svg"))
    assert ran.status == 2
    assert "cannot write it: No such file or directory" in ran.err
    assert os.listdir(tmp_path) == []


def test_a_link_of_the_system_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``/dev/stdout`` is one: who may write there would take it away from everybody."""
    monkeypatch.setattr(files, "_SYSTEM", (str(tmp_path),))
    link = tmp_path / "stdout"
    link.symlink_to("fd")
    with pytest.raises(SmemdescError, match="a system link, not a file; svg - writes to standard output"):
        files.write_file(str(link), "<svg>", "--svg", force=True)
    assert link.is_symlink()


@pytest.mark.slow
@pytest.mark.parametrize("command", [*COMMANDS, ("scan", "-"), ("fields",), ("explain",)], ids=lambda each: each[0])
@pytest.mark.parametrize(
    ("name", "says"),
    [("", "is a directory"), ("no/a.svg", "No such file"), ("a.png", "the output is SVG"), ("his.svg", "--force")],
)
def test_what_cannot_be_written_is_refused_before_work_begins(
    command: tuple[str, ...], name: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "his.svg").write_text("his")
    reading, writing = os.pipe()  # standard input that does not end: what reads it does not come back
    with os.fdopen(writing), os.fdopen(reading):
        ran = process(*command, "--svg", str(tmp_path / name), stdin=reading)
    assert (ran.out, ran.status) == ("", 2)
    assert says in ran.err
    assert os.listdir(tmp_path) == ["his.svg"]


@pytest.mark.parametrize("command", [TILE, OPERAND], ids=lambda each: each[1])
def test_a_picture_in_a_file_leaves_standard_output_to_the_others(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    ran = smemdesc(*command, "--svg", str(file))
    assert ran == smemdesc(*command)
    picture = file.read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert smemdesc(*command, "--svg", "-", PYTHONIOENCODING="ascii") == (picture, "", 0)
    file.unlink()
    assert json.loads(smemdesc(*command, "--json", "--svg", str(file)).out)["dtype"] == "bf16"
    assert file.read_text(encoding="utf-8") == picture


def test_what_is_refused_leaves_no_file(tmp_path: Path) -> None:
    ran = smemdesc("layout", "tile", "128x60", *TILE[3:], "--svg", str(tmp_path / "picture.svg"))
    assert (ran.out, ran.status) == ("", 2)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("words", [(), ("decode",)])
def test_a_file_with_the_arguments_of_a_tensor_map_is_explained(words: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "map.cpp"
    source.write_text(
        "uint64_t dims[2] = {4096, 2048}, strides[1] = {8192};\nuint32_t box[2] = {64, 128}, steps[2] = {1, 1};\n"
        "cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p, dims, strides, box, steps,\n"
        "    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,\n"
        "    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
    )
    named, piped = smemdesc(*words, str(source)), smemdesc("-", stdin=source.read_text())
    assert (named.status, named.out) == (piped.status, piped.out)
    assert named.out.startswith("cuTensorMapEncodeTiled")
