"""The question about a tensor map: which bytes of the tensor does its copy write, and where in shared memory?

The tensor holds numbers that tell their own place, one byte of it in each plane. Before the copy, shared memory holds
one number in one plane and another one in the next: this tells what was not written. Copies begin at coordinates 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE, SWIZZLES
from smemdesc.kinds.tensormap import DATA_TYPE, FILLS, INTERLEAVES, PROMOTIONS, SWIZZLES_OF_BLACKWELL, TILED
from smemdesc.layout.operand import UNIT, moves
from smemdesc.probe.launch import (
    FIRST,
    LAST,
    SHARED_BYTES,
    Answered,
    CopyKernel,
    DriverArguments,
    Launch,
    ProbeBlock,
    RunFault,
    SharedImage,
)
from smemdesc.tiles.tensor_map import CopiedBox, copied

_BYTES_OF_MAP = 128
DESTINATION = 2048
"""Where the copy goes: a multiple of every period."""
MOST_SOURCE = 1 << 26
"""The most bytes of global memory that are filled."""
_SOME_ADDRESS = 1 << 32
"""Given to the driver in place of 0, which it may refuse."""
_BEFORE = (0xA5, 0x5A)
_CHANGING = {"FLOAT32_FTZ": "UINT32", "TFLOAT32": "UINT32", "TFLOAT32_FTZ": "UINT32"}
"""Types whose copies change numbers, and one of the same size whose copies do not."""


class CopyQuestion(NamedTuple):
    """A tensor map, and what the model makes of it."""

    value: int
    """Its 128 bytes as a number."""
    copied: CopiedBox
    strides: tuple[int, ...]
    """Bytes from one index to the next, of every dimension but the innermost."""
    steps: tuple[int, ...]
    """The element strides of these dimensions."""
    dims: tuple[int, ...]
    arch: str
    claim: str = ""
    destination: int = DESTINATION

    def __str__(self) -> str:
        return f"a copy of {self.copied}"

    @property
    def kernel(self) -> CopyKernel:
        """The kernel that runs."""
        return CopyKernel(self.arch, len(self.dims))

    @property
    def transaction(self) -> int:
        """Bytes that the copy is expected to write."""
        return self.copied.row * self.lines

    @property
    def lines(self) -> int:
        """Lines that the copy writes."""
        count = 1
        for size in self.copied.box[1:]:
            count *= size
        return count

    def units(self) -> Iterator[tuple[int, int | None]]:
        """Yield, for each 16 bytes that are written, their address, and the byte of the tensor; None: it is outside."""
        moved = moves(MODE[self.copied.swizzle], 0)
        inner = self.dims[0] * self.copied.bits // 8
        places = product(*(range(size) for size in reversed(self.copied.box[1:])))
        for line, place in enumerate(places):
            index = place[::-1]
            within = all(i * step < dim for i, step, dim in zip(index, self.steps, self.dims[1:], strict=True))
            source = sum(i * step * stride for i, step, stride in zip(index, self.steps, self.strides, strict=True))
            for byte in range(0, self.copied.row, UNIT):
                to = self.destination + line * self.copied.pitch + byte
                to += moved[to // UNIT % len(moved)]
                yield to, source + byte if within and byte < inner else None

    @property
    def arguments(self) -> DriverArguments:
        """What the driver is given to make the same map, in its own numbers."""
        fields = TILED.read(self.value)
        rank = len(self.dims)
        swizzles = (*SWIZZLES, *SWIZZLES_OF_BLACKWELL)
        atoms = {"128B_32B": "128B_ATOM_32B"}
        return DriverArguments(
            DATA_TYPE[self.copied.data_type].number,
            _whole(fields, "global_address") or _SOME_ADDRESS,
            self.dims,
            self.strides,
            tuple(_whole(fields, f"box_{i}") for i in range(rank)),
            tuple(_whole(fields, f"element_stride_{i}") for i in range(rank)),
            INTERLEAVES.index(self.copied.interleave),
            swizzles.index(atoms.get(self.copied.swizzle, self.copied.swizzle)),
            PROMOTIONS.index(str(fields["l2_promotion"].value)),
            FILLS.index(str(fields["fill"].value)),
        )

    def launch(self) -> Launch:
        """Return the run that answers it."""
        units = list(self.units())
        reach = max((source for _, source in units if source is not None), default=0) + UNIT
        size = -(-(reach + LARGEST_FETCH) // LARGEST_FETCH) * LARGEST_FETCH
        planes = self._planes(reach)
        if size * planes > MOST_SOURCE:
            raise SmemdescError(
                f"the copy reads bytes {size} apart", hint=f"at most {MOST_SOURCE // planes} are asked about"
            )
        source = b"".join(_numbers(size, plane) for plane in range(planes))
        control = LAST - UNIT
        blocks = tuple(
            ProbeBlock(
                (SharedImage(_filled, (_BEFORE[plane % 2],)),),
                control=control,
                tensor_map=self.map.to_bytes(_BYTES_OF_MAP, "little"),
                destination=self.destination,
                transaction=self.transaction,
                source=plane * size,
            )
            for plane in range(planes)
        )
        return Launch(self.kernel, blocks, source)

    @property
    def map(self) -> int:
        """The map that is copied with: its type is one that changes no number."""
        name = self.copied.data_type
        if name not in _CHANGING:
            return self.value
        raws = TILED.encode({"data_type": _CHANGING[name]})
        return TILED.with_raws(self.value, {**raws, "data_type_upper": raws.get("data_type_upper", 0)})

    def _planes(self, reach: int) -> int:
        return max(2, -(-(reach - 1).bit_length() // 8))

    def judge(self, answer: Answered | RunFault) -> CopyAnswer:
        """Return what came of it."""
        if isinstance(answer, RunFault):
            return CopyAnswer(self, {}, answer)
        memory = [words[0] for words in answer.words]
        found: dict[int, int | None] = {}
        for address in range(FIRST, LAST - UNIT, UNIT):
            at = address - FIRST
            parts = [each[at : at + UNIT] for each in memory]
            if any(part != bytes([_BEFORE[plane % 2]]) * UNIT for plane, part in enumerate(parts)):
                found[address] = _source(parts)
        return CopyAnswer(self, found)


LARGEST_FETCH = 256
"""The granularity of the L2 cache's promotion, in bytes: what may be read around a box."""


def _filled(value: int) -> bytes:
    return bytes([value]) * SHARED_BYTES


def _numbers(size: int, plane: int) -> bytes:
    """Return ``size`` bytes: each one is byte ``plane`` of its own place."""
    run = 256**plane
    if run >= size:
        return bytes(size)
    period = b"".join(bytes([value]) * run for value in range(min(256, -(-size // run))))
    return (period * -(-size // len(period)))[:size]


def _source(parts: list[bytes]) -> int | None:
    """Return the byte of the tensor from which 16 bytes came: -1 for zeros; None if they do not follow one another."""
    if not any(map(any, parts)):
        return -1
    begins = sum(part[0] * 256**plane for plane, part in enumerate(parts))
    rows = [sum(part[i] * 256**plane for plane, part in enumerate(parts)) for i in range(UNIT)]
    return begins if rows == list(range(begins, begins + UNIT)) else None


class UnitWritten(NamedTuple):
    """16 bytes of shared memory: the byte of the tensor by the model, and the one that is there."""

    address: int
    model: str
    found: str


class CopyAnswer(NamedTuple):
    """What the copy wrote, and the map that the driver makes of the same arguments."""

    question: CopyQuestion
    found: dict[int, int | None]
    """For each address of 16 bytes that were written, the byte of the tensor; -1: zeros; None: nothing that follows."""
    fault: RunFault | None = None
    encoded: bytes | RunFault | None = None
    """None: the driver was not asked."""

    @property
    def unlike(self) -> list[str]:
        """The fields that the driver's map has with other values."""
        if not isinstance(self.encoded, bytes):
            return []
        own, driver = TILED.read(self.question.value), TILED.read(int.from_bytes(self.encoded, "little"))
        return [key for key in own if key != "global_address" and own[key].raw != driver[key].raw]

    @property
    def expected(self) -> dict[int, int]:
        """The same under the model."""
        return {address: -1 if source is None else source for address, source in self.question.units()}

    @property
    def agreeing(self) -> int:
        """Units that are what the model says."""
        return sum(self.found.get(address, -2) == source for address, source in self.expected.items())

    @property
    def holds(self) -> bool:
        """Whether the copy wrote what the model says, and nothing else."""
        return self.fault is None and self.found == self.expected and not self.unlike

    def differing(self) -> Iterator[UnitWritten]:
        """Yield the units that are not what the model says."""
        expected = self.expected
        for address in sorted({*expected, *self.found}):
            model = _in_words(expected.get(address, -2))
            found = _in_words(self.found.get(address, -2))
            if model != found:
                yield UnitWritten(address, model, found)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "value": f"0x{self.question.value:0256x}",
            "kind": "tensormap",
            "instruction": str(self.question),
            "holds": self.holds,
            "units": len(self.expected),
            "agree": self.agreeing,
            "fault": self.fault.why if self.fault else None,
            "driver_refuses": self.encoded.why if isinstance(self.encoded, RunFault) else None,
            "driver_differs": self.unlike,
            "differ": [each._asdict() for each in self.differing()],
        }


def _in_words(source: int | None) -> str:
    if source is None:
        return "something else"
    return {-1: "zeros", -2: "not written"}.get(source, f"byte {source}")


def copy_question(value: int, arch: str, claim: str = "") -> CopyQuestion:
    """Return the question about a tensor map, by its 1,024 bits.

    :class:`SmemdescError` for what no model says: im2col, interleave, packed types, modes of Blackwell alone.
    """
    if kind_of("tensormap").table.read(value)["mode"].value != "tiled":
        raise SmemdescError("only copies of boxes are asked about, not im2col")
    fields = TILED.read(value)
    box = copied(fields)
    dtype = DATA_TYPE[box.data_type]
    if box.interleave != "none":
        raise SmemdescError("the copies of an interleaved tensor are not asked about")
    if dtype.packed or dtype.bits < 8 or box.swizzle not in MODE:
        raise SmemdescError(f"no model says where {box} goes", hint="ask about the map of another type or swizzle")
    rank = _whole(fields, "rank")
    question = CopyQuestion(
        value,
        box,
        tuple(_whole(fields, f"stride_{i}") for i in range(1, rank)),
        tuple(_whole(fields, f"element_stride_{i}") for i in range(1, rank)),
        tuple(_whole(fields, f"dim_{i}") for i in range(rank)),
        arch,
        claim,
    )
    inner = question.dims[0] * dtype.bits // 8
    if box.row % UNIT or (inner < box.row and inner % UNIT):
        raise SmemdescError(f"a line of {min(inner, box.row)} B is no whole number of 16 B")
    if fields["fill"].value == "nan" and any(source is None for _, source in question.units()):
        raise SmemdescError(
            "parts of the box are outside the tensor, and are filled with NaN: these are not asked about"
        )
    if DESTINATION + box.size > LAST - UNIT:
        raise SmemdescError(f"a box of {box.size} B is more than a block has")
    return question


def _whole(fields: dict[str, FieldReading], key: str) -> int:
    return int(str(fields[key].value))
