"""Where the tensor map of a copy is: followed from the register of the copy to a pointer in constant memory."""

from __future__ import annotations

import pytest
from silicon.debugger.recorded import sessions

from smemdesc.scanning.languages.sass.copies import map_copies

ADDED = "ULDC.64 UR4,c[0x0][0x198]", "UIADD3 UR4,UP0,UR4,0x70,URZ", "UIADD3.X UR5,URZ,UR5,URZ,UP0,!UPT"
MOVED = (
    *("LDC.64 R2,c[0x0][0x380]", "IADD3 R2,P0,R2,0x80,RZ", "IADD3.X R3,RZ,R3,RZ,P0,!PT"),
    *("R2UR UR4,R2", "R2UR UR5,R3"),
)
LOOP = (
    *("LDCU.64 UR4,c[0x0][0xc0]", "UIADD3.64 UR4,UR4,0x2c0,URZ", "UTMALDG.3D.MULTICAST [UR8][UR4],UR3"),
    *("UIADD3.64 UR4,UR4,0x40,URZ", "UTMALDG.3D [UR16],[UR4],desc[UR6]", "UIADD3.64 UR4,UR4,-0x40,URZ"),
)  # fmt: skip


def listing(*instructions: str) -> str:
    """List a function as cuda-gdb does."""
    every = ("LDC R1,c[0x0][0x28]", *instructions, "EXIT", "BRA {end}")
    rows = (f"   {16 * at:#x} <+{16 * at}>:\t{text}" for at, text in enumerate(every))
    return "\n".join(("Dump of assembler code for function k:", *rows, "End of assembler dump.\n")).format(
        end=f"{16 * len(every) - 16:#x}"
    )


@pytest.mark.parametrize(
    ("instructions", "places"),
    [
        ((*ADDED, "UTMALDG.2D [UR8][UR4]"), [(64, 2, 0x198, 0x70)]),
        ((*MOVED, "@UP0 UTMASTG.5D.IM2COL [UR8],[UR4],UR9"), [(96, 5, 0x380, 0x80)]),
        ((*LOOP, "@P0 BRA 0x30"), [(48, 3, 0xC0, 0x2C0), (80, 3, 0xC0, 0x300)]),
        ((*LOOP, "@P0 BRA 0x20"), [(48, 3, None, 0), (80, 3, None, 0)]),
        (("LDC.128 R4,c[0x0][0x210]", "R2UR UR4,R6", "R2UR UR5,R7", "UTMAPF.L2.1D [UR8][UR4]"), [(64, 1, 0x218, 0)]),
        (("LDG.E.64 R2,[R4.64]", "R2UR UR4,R2", "UTMAREDG.2D.ADD [UR8][UR4]"), [(48, 2, None, 0)]),
        ((*ADDED, "@P0 UIADD3 UR4,UR4,0x80,URZ", "UTMALDG.2D [UR8][UR4]"), [(80, 2, None, 0)]),
        ((*ADDED, "UTMACCTL.IV [UR4]", "UBLKCP [UR8],[UR4],UR6"), []),
    ],
)
def test_the_pointer_and_the_offset(instructions: tuple[str, ...], places: list[object]) -> None:
    copies = map_copies(listing(*instructions))
    assert [(copy.offset, copy.rank, copy.pointer, copy.plus) for copy in copies] == places


RECORDED = {
    "cublaslt": {(0xC0, 0x2C0), (0xC0, 0x300), (0xC0, 0x440)},
    "gemm_bf16_MN_K_64B": {(0x198, 0x70), (0x198, 0xF0)},
    "wrong_map": {(0x210, 0), (0xD0, 0)},
}


@pytest.mark.parametrize("kernel", RECORDED)
def test_kernels_listed_on_a_gpu(kernel: str) -> None:
    texts = [answer["text"] for command in sessions()[kernel] for asked, answer in command.asked if "text" in answer]
    assert {(copy.pointer, copy.plus) for copy in map_copies(texts[0])} == RECORDED[kernel]
