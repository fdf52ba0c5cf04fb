"""What a program printed around code is listed if the text calls it a descriptor; operands and comments are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from run import smemdesc

from smemdesc.scanning import scan_text

UTCHMMA = "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT ;\n"
WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0,%f1,%f2,%f3}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"  # in PTX
SASS = (Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass").read_text()
BAD = "0x6000404000010440"


@pytest.mark.parametrize("code", [UTCHMMA, WGMMA, SASS], ids=["SASS", "PTX", "functions"])
@pytest.mark.parametrize(
    ("printed", "numbers"),
    [
        (f"desc_b = {BAD}\n", [BAD]),
        (f"rank 0: smem desc {BAD}\n", [BAD]),
        (f"(cuda-gdb) p/x desc\n$1 = {BAD}\n", [BAD]),
        (f"desc_a: {BAD} desc_b: 0x4000404000010040\n", [BAD, "0x4000404000010040"]),
        ("desc_hi=0x40004040 desc_lo=0x00010040\n", ["0x40004040:0x00010040"]),
    ],
)
def test_printed_values(code: str, printed: str, numbers: list[str]) -> None:
    for text in (printed + code, code + printed):
        part = scan_text(text)
        assert part.functions
        assert [value.text for value in part.values] == numbers


@pytest.mark.parametrize(
    "line",
    [
        f"// desc_b = {BAD}\n",
        f"/* desc_b = {BAD} */\n",
        f"# desc_b = {BAD}\n",
        f"mov.b64 desc_b, {BAD};\n",
        f"%desc = arith.constant {BAD} : i64\n",
        f"  LDG.E R2, desc[UR4][R2.64+{BAD}]\n",
        f"address = {BAD}\n",
    ],
)
def test_operands_and_comments_are_not_values(line: str) -> None:
    assert [part.values for part in (scan_text(line + WGMMA), scan_text(WGMMA + line))] == [(), ()]


def test_a_wrong_one_is_counted() -> None:
    assert smemdesc("scan", "--check", "-q", stdin=f"desc_b = {BAD}\n{UTCHMMA}").status == 1
