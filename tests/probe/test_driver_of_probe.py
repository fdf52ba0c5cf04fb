"""What happens around the GPU: the other process dies, hangs, or finds no driver; and none is left over."""

from __future__ import annotations

import multiprocessing
import os
import time
from functools import partial
from typing import Any

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import Operand
from smemdesc.probe.driver import Driver, Gpu
from smemdesc.probe.launch import Answered, Launch, RunFault
from smemdesc.probe.questions import OperandQuestion, operand_case

GPU = Gpu("a GPU", "sm_90a", "13.0")


def dying(ends: Any, device: int) -> None:
    ends.send(GPU)
    ends.recv()
    os._exit(7)


def hanging(ends: Any, device: int) -> None:
    ends.send(GPU)
    ends.recv()
    time.sleep(600)


def faulting(ends: Any, device: int) -> None:
    ends.send(GPU)
    ends.recv()
    ends.send(RunFault("the instruction faulted: illegal instruction"))


def answering(ends: Any, device: int) -> None:
    ends.send(GPU)
    while True:
        ends.recv()
        ends.send(Answered(()))


def launch() -> Launch:
    operand = Operand("128B", "K", dtype_of("f16"), (64, 16), start=0x800, sbo=1024)
    return OperandQuestion(0, operand, "a", operand_case(operand, "sm_90a", "a")).launch()


def driver(does: Any, limit: float = 20) -> Driver:
    return type("OfTest", (Driver,), {"serve": staticmethod(does)})(0, limit)


ENDS = [
    (dying, "the process that had the GPU died"),
    (hanging, "no answer within 1 s: the run was ended"),
    (faulting, "the instruction faulted: illegal instruction"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("does", "says"), ENDS)
def test_what_ends_a_run_is_its_answer_and_the_next_run_begins_anew(does: Any, says: str) -> None:
    with driver(does, 20) as gpu:
        gpu._limit = 1 if does is hanging else 20
        for _ in range(2):
            answer = gpu.ask(launch())
            assert isinstance(answer, RunFault)
            assert answer.why == says
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_one_process_answers_all_questions() -> None:
    with driver(answering) as gpu:
        first = multiprocessing.active_children()
        assert [gpu.ask(launch()) for _ in range(3)] == [Answered(())] * 3
        assert multiprocessing.active_children() == first
    assert multiprocessing.active_children() == []


def saying(what: object, ends: Any, device: int) -> None:
    ends.send(what)


NO_GPU = [
    (("no NVIDIA driver", "libcuda", ""), "there is no NVIDIA driver (libcuda) here"),
    (("CUDA_ERROR_NO_DEVICE", "cuInit", ""), "there is no GPU here"),
    (("CUDA_ERROR_INVALID_DEVICE", "cuDeviceGet", ""), "there is no GPU 0"),
    (("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "cuInit", ""), "does not start: cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("found", "says"), NO_GPU)
def test_without_a_gpu_it_says_so(found: object, says: str) -> None:
    with pytest.raises(SmemdescError) as refused:
        driver(partial(saying, found))
    assert says in refused.value.message
    assert multiprocessing.active_children() == []
