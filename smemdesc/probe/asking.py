"""One question asked: the GPU and its answer, and what would explain an answer that is not the model's."""

from __future__ import annotations

import random
from typing import Any, NamedTuple, Protocol

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import join_and
from smemdesc.kinds.archs import CAPABILITIES, has
from smemdesc.kinds.elements import Memory
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.operand import UNIT, Operand, descriptor_of
from smemdesc.layout.recognize import FieldMismatch, recognize
from smemdesc.probe.copies import CopyQuestion
from smemdesc.probe.driver import Gpu
from smemdesc.probe.launch import (
    FIRST,
    SHARED_BYTES,
    Answered,
    CopyKernel,
    DriverArguments,
    Launch,
    MmaKernel,
    RunFault,
)
from smemdesc.probe.questions import OperandAnswer


class ProbeAnswer(Protocol):
    """What came of a question: of an operand, an instruction descriptor, scale factors or a copy."""

    fault: RunFault | None

    @property
    def holds(self) -> bool:
        """Whether the GPU did what the model says."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""


class ProbeQuestion(Protocol):
    """A question: the run that answers it, and what the answer means."""

    @property
    def kernel(self) -> MmaKernel | CopyKernel:
        """The kernel that runs."""

    def launch(self) -> Launch:
        """Return the run."""

    def judge(self, answer: Answered | RunFault) -> Any:
        """Return what came of it."""


class Asker(Protocol):
    """What runs: :class:`smemdesc.probe.driver.Driver`."""

    gpu: Gpu

    def ask(self, launch: Launch) -> Answered | RunFault:
        """Return what a run left."""

    def encode(self, arguments: DriverArguments) -> bytes | RunFault:
        """Return the tensor map that the driver makes."""


@shown()
class Asked(NamedTuple):
    """A GPU and its answer."""

    gpu: Gpu
    answer: Any

    @property
    def ok(self) -> bool:
        """Whether the GPU did what the model says."""
        return bool(self.answer.holds)

    @property
    def findings(self) -> tuple[()]:
        """None: an answer is no finding."""
        return ()

    def __str__(self) -> str:
        return f"{self.gpu}: {self.answer.question}: {'as the model says' if self.ok else 'not as the model says'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``nearest`` is the descriptor that explains an operand that was read elsewhere."""
        whole = {**self.gpu.to_dict(), **self.answer.to_dict()}
        if isinstance(self.answer, OperandAnswer):
            near = None if self.ok or self.answer.fault else nearest_descriptor(self.answer)
            whole["nearest"] = near and near.to_dict()
        return whole


def ask_gpu(asker: Asker, question: ProbeQuestion) -> Asked:
    """Ask one question. :class:`SmemdescError` if it cannot be put."""
    answer = question.judge(asker.ask(question.launch()))
    if isinstance(question, CopyQuestion):
        answer = answer._replace(encoded=asker.encode(question.arguments))
    return Asked(asker.gpu, answer)


def check_gpu(gpu: Gpu, capability: str, arch: str | None = None) -> None:
    """Raise :class:`SmemdescError` for a GPU that lacks what a question is about (``wgmma``, ``tcgen05``, ``tma``)."""
    hint = "--ptx prints the kernel that would run"
    if arch is not None and arch.rstrip("af") != gpu.arch.rstrip("af"):
        raise SmemdescError(f"not asked: the GPU is {gpu}, not {arch}", hint=hint)
    if not has(gpu.arch, capability):
        having = [name for name in CAPABILITIES[capability].names if name.endswith("a")]
        raise SmemdescError(f"not asked: {gpu} has no {capability}", hint=f"{join_and(having)} have it; {hint}")


class NearestDescriptor(NamedTuple):
    """The descriptor that, under the model, explains what a GPU read."""

    value: int
    operand: Operand
    differences: tuple[FieldMismatch, ...]
    """From the one that was asked about."""
    agreeing: int
    """Elements that it explains."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        changes = [each.to_dict() for each in self.differences]
        return {"value": f"0x{self.value:016x}", "explains": self.agreeing, "differences": changes}


def nearest_descriptor(answer: OperandAnswer) -> NearestDescriptor | None:
    """Return the descriptor that explains most of what was read; None if none does, or if a part of it has no place.

    Memory is filled at random, and the matrix is what the GPU read of it: then ``layout guess`` knows the answer.
    """
    operand, naming = answer.question.operand, answer.question.naming
    mn, k = operand.shape
    places = [naming.place(name) for name in answer.seen[: mn * k]]
    if not places or any(place.bit is None or place.cta for place in places):
        return None
    memory = Memory(FIRST, random.Random(0).randbytes(SHARED_BYTES))
    bits = [_bits(memory, place.bit or 0, operand.dtype.bits) for place in places]
    rows = [bits[at : at + k] for at in range(0, len(bits), k)]
    case = answer.question.case
    found = recognize(memory, rows, operand, kind=case.family).answer
    if found is None or found.operand is None:
        return None
    table = kind_of(case.family, arch=case.arch).table
    value = descriptor_of(found.operand, table)
    return NearestDescriptor(value, found.operand, found.differences, found.agree)


def _bits(memory: Memory, bit: int, count: int) -> int:
    byte, inside = divmod(bit, 8)
    at = byte - memory.first
    return int(int.from_bytes(memory.data[at : at + UNIT // 2], "little") // 2**inside % 2**count)
