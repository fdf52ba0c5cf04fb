"""Reports of Nsight Compute, of an H200: two.ncu-rep has two kernels with SourceCounters, launch_stats one without any
counter of instructions. Both are of examples/wgmma_gemm, compiled with -lineinfo; two.csv is what ncu prints of the
first."""

from __future__ import annotations

import io
import json
import lzma
import random
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from run import smemdesc

from smemdesc.scanning.inputs.binaries import programs
from smemdesc.scanning.inputs.binaries.ncu_listing import write_listing

REPORTS = Path(__file__).parent / "ncu_reports"


def with_package(test: Callable[..., None]) -> Callable[..., None]:
    """Leave a test to the long run, for which .ci/run installs NVIDIA's package."""
    needed = pytest.mark.skipif(find_spec("ncu_report") is None, reason="needs ncu-report: pip install '.[ncu]'")
    return pytest.mark.corpus(needed(test))


def unpack(name: str, folder: Path) -> Path:
    """Write a sample, unpacked, into a folder, and return its path."""
    path = folder / name
    path.write_bytes(lzma.decompress((REPORTS / f"{name}.xz").read_bytes()))
    return path


def claims(path: Path, *options: str) -> list[dict[str, Any]]:
    """Return what scan says of each instruction, without its lines, which every listing counts on its own."""
    ran = smemdesc("scan", "--json", *options, str(path))
    assert (ran.err, ran.status) == ("", 0)
    return [
        {key: value for key, value in each.items() if key not in ("file", "line", "source", "from", "lost")}
        for each in map(json.loads, ran.out.splitlines())
        if "instruction" in each
    ]


# ---- with NVIDIA's package ----


@with_package
def test_a_report_is_read_as_what_ncu_prints_of_it(tmp_path: Path) -> None:
    printed = claims(unpack("two.csv", tmp_path), "--arch", "sm_90a")
    assert len(printed) == 8
    assert claims(unpack("two.ncu-rep", tmp_path)) == printed


@with_package
@pytest.mark.parametrize("name", ["two", "launch_stats"])
def test_a_report_is_read_as_the_cubin_that_it_holds(tmp_path: Path, name: str) -> None:
    report = unpack(f"{name}.ncu-rep", tmp_path)
    cubin = tmp_path / "module.cubin"
    cubin.write_bytes((data := report.read_bytes())[data.index(b"\x7fELF") :])
    ran = smemdesc("scan", "--diff", "--json", str(report), str(cubin))
    compared = [json.loads(line) for line in ran.out.splitlines()]
    assert [each["status"] for each in compared if each["status"] != "only_new"] == ["same"] * (1 + (name == "two"))


@with_package
def test_each_instruction_has_its_source_line(tmp_path: Path) -> None:
    ran = smemdesc("scan", "--json", str(unpack("two.ncu-rep", tmp_path)))
    sources = [each["source"] for each in map(json.loads, ran.out.splitlines()) if "instruction" in each]
    assert sources == [["/home/user/examples/wgmma_gemm/gemm.cu", line] for line in (88, 47, 47, 47) * 2]


@with_package
def test_annotations_of_a_report_are_read_as_the_report(tmp_path: Path) -> None:
    report, listing = unpack("two.ncu-rep", tmp_path), tmp_path / "annotated.txt"
    listing.write_text(smemdesc("scan", "--annotate", str(report)).out)
    assert claims(listing) == claims(report)


@with_package
def test_reports_in_a_folder_in_an_archive_and_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "two.ncu-rep.xz").write_bytes(packed := (REPORTS / "two.ncu-rep.xz").read_bytes())
    (tmp_path / "damaged.ncu-rep").write_text("not a report")
    ran = smemdesc("scan", str(tmp_path))
    assert "2 functions, 2 with MMAs" in ran.out
    assert "damaged.ncu-rep: ncu-report failed: no profiled kernel" in ran.err
    assert (len(ran.err.splitlines()), ran.status) == (1, 2)
    assert "2 functions, 2 with MMAs" in smemdesc("scan", "-", stdin=packed).out


CUT = {5: 0, 700_000: 0, 1_200_000: 0, 1_319_272: 1}
"""Bytes that are left of two.ncu-rep, and how many of its kernels can be read."""


@with_package
@pytest.mark.parametrize("size", CUT)
def test_a_report_that_is_cut_off_is_one_error(tmp_path: Path, size: int) -> None:
    report = unpack("two.ncu-rep", tmp_path)
    report.write_bytes(report.read_bytes()[:size])
    ran = smemdesc("scan", "--json", str(report))
    functions = {json.loads(line)["function"] for line in ran.out.splitlines()}
    assert functions == set(("gemm_bf16_K_K_64B",)[: CUT[size]])
    assert json.loads(ran.err)["message"].startswith(f"{report}: ncu-report failed: ")
    assert (len(ran.err.splitlines()), ran.status) == (1, 2)


@pytest.mark.corpus
@with_package
@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_report_is_never_worse_than_an_error(tmp_path: Path, seed: int) -> None:
    generator = random.Random(seed)
    report = unpack("two.ncu-rep", tmp_path)
    data = bytearray(report.read_bytes())
    for _ in range(generator.choice((1, 10, 1_000))):
        at = generator.randrange(generator.choice((200, len(data))))
        data[at] = generator.randrange(256)
    if generator.random() < 0.5:
        at = generator.randrange(len(data))
        data[at : at + 1_000] = bytes(len(data[at : at + 1_000]))
    report.write_bytes(data)
    ran = smemdesc("scan", "--json", str(report))
    assert all(json.loads(line) for line in ran.out.splitlines())
    assert "Traceback" not in ran.err
    assert ran.status in (0, 2)
    assert (ran.err != "") == (ran.status == 2)


# ---- without it ----


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    for name in ("a.ncu-rep", "b.ncu-rep"):
        (tmp_path / name).write_bytes(b"NVR\0")
    for scanned, first in ((tmp_path / "b.ncu-rep", "b.ncu-rep"), (tmp_path, "a.ncu-rep")):
        ran = smemdesc("scan", str(scanned))
        assert ran.err.startswith(f"error: {tmp_path / first}: a report of Nsight Compute is read with")
        assert "pip install 'smemdesc[ncu]'" in ran.err
        assert (ran.out, len(ran.err.splitlines()), ran.status) == ("", 2, 2)


class Numbers(tuple[int, ...]):
    """A metric with several numbers."""

    num_instances = tuple.__len__
    as_uint64 = tuple.__getitem__

    def correlation_ids(self) -> Numbers:
        return self

    def has_correlation_ids(self) -> bool:
        return True


class Action:
    """A profiled kernel, as ncu_report has it."""

    NameBase_MANGLED = 2

    def __init__(self, name: str | None, code: dict[int, str], registers: int = 90, **metrics: Any) -> None:
        self.names = name
        self.code = code
        self.metrics = {
            "launch__registers_per_thread": SimpleNamespace(value=lambda: registers),
            "device__attribute_compute_capability_major": SimpleNamespace(value=lambda: 10),
            "device__attribute_compute_capability_minor": SimpleNamespace(value=lambda: 3),
            **metrics,
        }

    def name(self, base: int = 0) -> str | None:
        return self.names

    def metric_by_name(self, name: str) -> Any:
        return self.metrics.get(name)

    def sass_by_pc(self, address: int) -> str:
        return self.code.get(address, "")

    def source_info(self, address: int) -> Any:
        return None


def listing(*actions: Action) -> tuple[list[str], str]:
    """Return the lines that are printed of a report, and what could not be read."""
    text = io.StringIO()
    unread = write_listing([actions], text)
    return text.getvalue().splitlines(), unread


CODE = {0x1000: "A", 0x1010: "B", 0x1020: "C"}
HEADING = ['"Kernel Name","k",', '"Address","Source","arch = sm_103"']
ROWS = ['"0x1000","A"', '"0x1010","B"', '"0x1020","C"']


def test_a_kernel_without_its_address_begins_before_its_first_counter() -> None:
    assert listing(Action("k", CODE, inst_executed=Numbers((0x1020, 0x1010)))) == ([*HEADING, *ROWS], "")


def test_a_kernel_with_functions_is_printed_function_by_function() -> None:
    lines, unread = listing(Action("k", CODE, launch__function_pcs=Numbers((0x1010, 0x1000))))
    assert lines == [*HEADING, *ROWS[1:], '"Kernel Name","k-0x10",', HEADING[1], ROWS[0]]
    assert unread == ""


def test_a_kernel_that_was_profiled_twice_is_printed_once() -> None:
    at = {"launch__function_pcs": Numbers((0x1000,))}
    again, loaded_later = Action("k", CODE, **at), Action("k", {0x1000: "D"}, 40, **at)
    assert listing(again, again, loaded_later)[0] == [*HEADING, *ROWS, *HEADING, '"0x1000","D"']


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ((), "no profiled kernel"),
        ((Action(None, {}),), "result 1 of 1: it is damaged or cut off"),
        ((Action("k", {}), Action("l", {})), "result 1 of 2: k: the report has no SASS of it"),
        ((Action("k", {}), Action("l", {})), "(and 1 more like it)"),
    ],
)
def test_what_could_not_be_read_is_named(actions: tuple[Action, ...], says: str) -> None:
    lines, unread = listing(*actions)
    assert lines == []
    assert says in unread
