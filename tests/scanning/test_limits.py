"""No function takes more memory, or more work for each line, than is said."""

from __future__ import annotations

import gc
import re
import sys
from pathlib import Path

import pytest
from samples import long_run

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import limits, scan_text, sparse

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import growth

LIVE = [name for name in growth.SHAPES if any(word in name for word in ("ptx live", "unknown", "in a row", "carried"))]
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


@pytest.mark.parametrize("length", [long_run(400), 200])  # lines that were read are remembered: the longer first
@pytest.mark.parametrize("name", [*LIVE, *OTHERS])
def test_the_work_for_each_line_does_not_grow(name: str, length: int) -> None:
    make = growth.SHAPES[name]
    work(make(20))  # what is imported, and remembered of all texts
    first, fourfold = work(make(length)), work(make(4 * length))
    assert fourfold < 6 * first


def test_values_that_depend_on_too_many_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = growth.SHAPES["llvm elements"](400)
    assert len(scan_text(text).functions) == 1
    monkeypatch.setattr(sparse, "MOST", 1000)
    part = scan_text(text)
    assert part.functions == ()
    assert [reason for _, reason in part.failed] == [
        "a function whose descriptors depend on more than 1000 values is not scanned"
    ]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what a process uses")
def test_a_function_that_takes_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(limits._Memory, "limited", True)
    monkeypatch.setattr(limits, "_LEAST", 20_000_000)
    monkeypatch.setattr(limits, "MOST", 20_000_000)
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
