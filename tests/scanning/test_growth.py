"""Every shape of text that the benchmark doubles is scanned in a moment, and takes no more memory or work than said."""

from __future__ import annotations

import gc
import re
import sys
import time
from pathlib import Path

import pytest
from bench import growth
from samples import long_run, split

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis import fixpoint
from smemdesc.scanning.inputs import limits

SMALL = 4000
LENGTH = {
    "text rows that begin like a map": 2_000,
    "llvm elements": 1000,
    "sass stack": 16_000,
    **dict.fromkeys(growth.LINES, 64_000),
}
"""Phis over many elements are refused beyond a number of reads (``scanning/analysis/fixpoint.py``). What grew with the
square of the length in what is written in C shows only where that is large."""
SHORT = {"llvm elements": growth.COUNTED, "mlir types": 250, "ptx live in loops": 250, "sass exits": 125}
"""Length from which steps are counted, to eight times that; of other shapes 125. The benchmark has longer ones."""
FLOORS = 60
"""Processor time that a shape may take, in that of a fixed loop in the same run: some 4 s on a fast machine."""
SAID = (
    "this tensor-core instruction is not understood, and not checked",
    "this tensor-core instruction was seen, not read",
    "braces are nested more than 250 deep",
    "compute-sanitizer names an instruction",
)
MORE = "seen, not read, from here on"
"""The end of what is reported of the names that are not listed."""


def floor() -> float:
    """Return the processor seconds of a fixed loop: how fast the machine is now."""
    begin = time.process_time()
    sum(number * number for number in range(1_000_000))
    return time.process_time() - begin


@pytest.mark.corpus
@pytest.mark.parametrize("name", growth.SHAPES)
def test_a_shape_is_scanned_in_a_moment(name: str) -> None:
    text = growth.SHAPES[name](LENGTH.get(name, SMALL))
    most = FLOORS * floor()
    begin = time.process_time()
    part = scan_text(text)
    assert time.process_time() - begin < most
    assert all(reason.startswith(SAID) or reason.endswith(MORE) for _, reason in part.failed)


@pytest.mark.corpus
@pytest.mark.parametrize("name", dict.fromkeys([*list(growth.SHAPES)[::3], *SHORT]))
def test_steps_grow_with_the_length(name: str) -> None:
    assert growth.more_steps(growth.SHAPES[name], SHORT.get(name, 125)) <= growth.LIMIT


def in_loops(load: str) -> str:
    """A register that is spilled, a load, and many registers that are added up in loops."""
    return growth.listing(
        "LDC R1, c[0x0][0x28]", "STL [R1], R210",
        *(each for k in range(400) for each in (
            f".L_{k}:", f"IADD3 R{k % 200 + 2}, R{(k + 1) % 200 + 2}, 0x10, RZ", f"@P0 BRA `(.L_{k})"
        )),
        f"{load} R212, desc[UR6][R8.64]", "LDL R211, [R1]", "R2UR UR4, R211", growth.SASS, "EXIT",
    )  # fmt: skip


@pytest.mark.corpus
def test_what_follows_memory_takes_no_more_for_the_registers_that_it_does_not_hang_on() -> None:
    """LD may read what was spilled, LDG does not: its address is followed."""
    growth.taken(in_loops("LD.E"))
    assert growth.steps(in_loops("LD.E")) < 2 * growth.steps(in_loops("LDG.E"))


@pytest.mark.corpus
@pytest.mark.parametrize(
    "text",
    [
        "HGMMA.64x100000000x16.F32 R24, gdesc[UR4], R24 ;",
        "HGMMA.64x12x16.F32 R24, gdesc[UR4], R24 ;",
        f"HGMMA.64x{'9' * 5000}x16.F32 R24, gdesc[UR4], R24 ;",
        f"HGMMA.64x8x16.F32 R24, gdesc[UR{'4' * 5000}], R24 ;",
        "QGMMA.64x8x32.F32.F32.F32 R24, gdesc[UR4], R24 ;",
        growth.MMA.replace("f32.f16.f16", "f32.f32.f16"),
        growth.MMA.replace("m64n8k16", "m64n9999k16"),
        growth.MMA.replace("m64n8k16", "m64n8k" + "9" * 5000),
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3;" + "9" * 5000,
        growth.function("").replace('"=f,l,l"', '"=f,²,l"'),
        growth.function("").replace("$1", "$" + "9" * 5000),
        f"mov.b64 %rd1, {'9' * 5000};\n{growth.MMA}",
        f".loc 1 {'9' * 5000} 3\n{growth.MMA}",
        f'//## File "x", line {"9" * 5000}\nHGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;',
        f"UMOV UR4, {'9' * 5000} ;\nHGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;",
        growth.operations("  %a:999 = foo.bar %x : i64\n" * 2000),
        f"desc = {'9' * 5000}; 0x{'9' * 5000}; 1ull << {'9' * 5000}",
    ],
)
def test_numbers_and_shapes_that_nothing_has_are_no_trouble(text: str) -> None:
    assert growth.taken(text) < FLOORS * floor()
    for whole in (text, f'.section .text.k,"ax"\n{text}'):
        assert all(reason.startswith(SAID) for _, reason in scan_text(whole).failed)


LIVE = [name for name in growth.SHAPES if any(word in name for word in ("ptx live", "unknown", "in a row", "carried"))]
LEAST = {"ptx live in loops": 200}
"""Where what a shape takes by itself counts for less."""
OTHERS = ["mlir views", "mlir blocks", "mlir names", "mlir arguments", "sass calls and registers"]


def work(text: str) -> int:
    """Return how many functions a scan calls."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        scan_text(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("length", [long_run(400), 100])  # lines that were read are remembered: the longer first
@pytest.mark.parametrize("name", split([*LIVE, *OTHERS], lambda name: name != "ptx live in loops"))
def test_the_work_for_each_line_does_not_grow(name: str, length: int) -> None:
    make, length = growth.SHAPES[name], max(length, LEAST.get(name, 0))
    work(make(20))  # what is imported, and remembered of all texts
    first, fourfold = work(make(length)), work(make(4 * length))
    assert fourfold < 6 * first


def test_values_that_depend_on_too_many_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = growth.SHAPES["llvm elements"](400)
    assert len(scan_text(text).functions) == 1
    monkeypatch.setattr(fixpoint, "MOST_FOLLOWED", 1000)
    part = scan_text(text)
    assert part.functions == ()
    assert [reason for _, reason in part.failed] == [
        "function not scanned: its descriptors depend on more than 1000 values"
    ]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what a process uses")
def test_a_function_that_takes_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(limits._MemoryStatus, "limited", True)
    monkeypatch.setattr(limits, "_LEAST", 20_000_000)
    monkeypatch.setattr(limits, "MEMORY_BYTES", 20_000_000)
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(SmemdescError, match="more than 20 MB"), limits.bounded():
        bytearray(200_000_000)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert gc.isenabled()
    with limits.bounded():
        bytearray(1_000_000)


@pytest.mark.corpus
@pytest.mark.parametrize("name", [name for name in growth.SHAPES if re.search("live|element|phi|carried|names", name)])
def test_the_program_takes_no_more_than_300_mb(name: str) -> None:
    make = growth.SHAPES[name]
    most, status = growth.memory(make(100_000_000 // len(make(1000))))
    assert most < growth.MEMORY
    assert status in (0, 2)
