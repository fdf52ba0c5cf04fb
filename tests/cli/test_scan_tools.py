"""``smemdesc scan`` beside debuggers and profilers: the one instruction that they name, and their texts annotated."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from run import smemdesc

from smemdesc.scanning import scan_text

DATA = Path(__file__).parents[2] / "examples" / "data"
HOPPER = str(DATA / "gemm_sm90.sass")


@pytest.mark.parametrize("place", ["gemm_f16_K_MN_128B+0x0c50", "gemm_f16*+0xc50", "<gemm_f16_K_MN_128B+3152>"])
def test_one_instruction(place: str) -> None:
    (found,) = smemdesc("scan", "--at", place, "--json", HOPPER).out.splitlines()
    line = json.loads(found)["line"]
    assert "/*0c50*/" in (DATA / "gemm_sm90.sass").read_text().split("\n")[line - 1]


def test_an_offset_counts_within_its_function() -> None:
    wanted = "\n".join(line.replace("gemm_f16", "other") for line in Path(HOPPER).read_text().split("\n"))
    both = wanted + Path(HOPPER).read_text()
    ran = smemdesc("scan", "--at", "gemm_f16*+0xc50", "--json", "-", stdin=both)
    assert [json.loads(line)["function"] for line in ran.out.splitlines()] == ["gemm_f16_K_MN_128B"]


def test_a_profile_of_which_a_part_is_missing_is_no_pass() -> None:
    text = "   0x7ffddb7ad800 <k+256>:\tHGMMA.64x8x16.F32.BF16 R24,gdesc[UR4],RZ,!UPT,gsb0\n"
    ran = smemdesc("scan", "--strict", "-", stdin=text)
    assert "lost in line 1: instructions are missing from +0x0 to +0x100" in " ".join(ran.out.split())
    assert ran.err.startswith("error: nothing was checked: not one bit of any descriptor is known")
    assert ran.status == 1
    ran = smemdesc("scan", "--check", "-", stdin=text)
    assert ran.err.startswith("warning: nothing was checked: too few bits of the descriptors are known")
    assert ran.status == 0


def test_the_report_of_compute_sanitizer_is_no_dump() -> None:
    ran = smemdesc("scan", "-", stdin="========= COMPUTE-SANITIZER\n=========     at k+0x100 in k.cu:14\n")
    assert "smemdesc scan --at k+0x100 CUBIN" in ran.err
    assert ran.status == 2


def test_an_annotated_text_says_the_same() -> None:
    """Also where it begins with a bracket, as no JSON does."""
    with tarfile.open(Path(__file__).parents[1] / "scanning" / "sass" / "loaded.tar.xz", "r:xz") as box:
        for name in ("cuda-gdb-disassemble.txt", "ncu-sass.csv", "ncu-cuda-sass.txt"):
            text = box.extractfile(name).read().decode()  # type: ignore[union-attr]
            ran = smemdesc("scan", "--annotate", "-", stdin=text)
            assert "SBO 1024 B" in ran.out
            assert [of.mmas for of in scan_text(ran.out).functions] == [of.mmas for of in scan_text(text).functions]
