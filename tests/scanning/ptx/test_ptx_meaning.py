"""What instructions and control flow make of known bits."""

from __future__ import annotations

from pathlib import Path

from tables import every_row

from smemdesc.scanning.languages.ptx import PtxModule

from ..known_rows import headings, shown
from .asking import held

KNOWN_BITS = headings(Path(__file__).parent / "known_bits.ptx")


@every_row("heading", KNOWN_BITS)
def test_known_bits(heading: str) -> None:
    for known, code in KNOWN_BITS[heading]:
        operand = held(code, module=PtxModule({"outer": 1024}, None, {}))
        assert shown(operand.bits, operand.known, known) == known, code


def test_lost_names_the_instruction_that_lost_the_bits() -> None:
    operand = held("ld.param.b32 %u,\n  [k_param_0];\nmov.b64 %x, {%u, 5};")
    assert (operand.lost, operand.lost_text) == (3, "ld.param.b32 %u, [k_param_0]")
