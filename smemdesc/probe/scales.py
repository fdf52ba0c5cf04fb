"""The question about scale factors: from which byte of tensor memory is the factor of each row and block of K read?

A is 1 at the first k of one block and 0 elsewhere, B is 1 everywhere: D is then the product of the factors of both.
Those of the operand that is not asked about are 1, those of the other one tell their own place, digit by digit. A
factor may be read from any of four parts of 32 lanes: those of B are asked about in the rows of each part.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.elements import bits_of
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.tmem import LANES
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import UNIT, descriptor_of
from smemdesc.layout.scales import Scales, scale_layout
from smemdesc.layout.tmem import WARP
from smemdesc.probe.launch import (
    EMPTY_IMAGE,
    FIRST,
    NOT_WRITTEN,
    SHARED_BYTES,
    TENSOR_COLUMNS,
    Answered,
    Launch,
    MmaKernel,
    ProbeBlock,
    RunFault,
)
from smemdesc.probe.planes import patches_of
from smemdesc.probe.products import ProductQuestion, product_question
from smemdesc.probe.ptx import PLACE_OF_SCALES_A, PLACE_OF_SCALES_B
from smemdesc.probe.questions import ONE_AS_SCALE

COLUMNS_NAMED = PLACE_OF_SCALES_B - PLACE_OF_SCALES_A
"""Columns of tensor memory in which factors are looked for."""
_DIGIT = 16
_DIGITS = 4
"""A place is a lane, a column and a byte: 128 x 96 x 4 of them, less than 16 ** 4."""
_IN_WORD = 4


class ScalePlace(NamedTuple):
    """A byte of tensor memory."""

    lane: int
    column: int
    """From the first one that the instruction names."""
    byte: int

    def __str__(self) -> str:
        return f"lane {self.lane}, column {self.column}, byte {self.byte}"


class FactorRead(NamedTuple):
    """The factor of a row: the model's place and the GPU's; ``warp`` is that of the row of D."""

    row: int
    number: int
    warp: int
    model: ScalePlace
    read: ScalePlace | None


class ScaleQuestion(NamedTuple):
    """The scale factors of A or B of an instruction descriptor's instruction."""

    product: ProductQuestion
    side: str
    claim: str = ""

    def __str__(self) -> str:
        return f"scale factors of {self.side.upper()} of {self.product.case}"

    @property
    def kernel(self) -> MmaKernel:
        """The kernel that runs."""
        return self.product.kernel._replace(lanes=True)

    @property
    def scales(self) -> Scales:
        """Where the factors of one instruction are under the model, in one CTA: A of its own rows, B of all."""
        case = self.product.case
        rows = case.m // case.cta_group if self.side == "a" else case.n
        block = 16 if case.scale_vec == ".block16" else 32
        return scale_layout(rows, case.k, case.mma_kind, operand=self.side, block=block, one_k=case.k)

    @property
    def identifier(self) -> int:
        """The scale-factor id of the instruction descriptor."""
        fields = kind_of("idesc", self.product.case.mma_kind, self.product.case.arch).table.read(self.product.value)
        value = fields[f"{self.side}_scale_id"].value
        return int(str(value))

    def model(self, row: int, number: int) -> ScalePlace:
        """Return the first of four places, 32 lanes apart, of a row's factor."""
        place = self.scales.place(row, number)
        byte = place.sub + self.identifier
        return ScalePlace(place.lane, place.column + byte // _IN_WORD * self.scales.further, byte % _IN_WORD)

    @property
    def values(self) -> tuple[float, ...]:
        """What the digits are as factors."""
        if self.product.case.scale_type == "ue8m0":
            return tuple(2.0**digit for digit in range(_DIGIT))
        return tuple(float(digit + 1) for digit in range(_DIGIT))

    @property
    def codes(self) -> tuple[int, ...]:
        """The bytes of these factors."""
        if self.product.case.scale_type == "ue8m0":
            return tuple(127 + digit for digit in range(_DIGIT))
        return tuple(bits_of(dtype_of("e4m3"), value) for value in self.values)

    def launch(self) -> Launch:
        """Return the run that answers it."""
        product, case = self.product, self.product.case
        operands = product.operands
        table = kind_of("tcgen05", arch=case.arch).table
        a, b = (descriptor_of(operand, table) for operand in operands)
        blocks = []
        size = case.k // self.scales.factors
        tensors = [_tensor(self.codes, self.side, case.scale_type, digit) for digit in range(_DIGITS)]
        for number in range(self.scales.factors):
            (rows_a, _), (rows_b, k) = (operand.shape for operand in operands)
            of_a = patches_of(operands[0], ((m, number * size, 1) for m in range(rows_a)))
            of_b = patches_of(operands[1], ((n, each, 1) for n in range(rows_b) for each in range(k)))
            image = EMPTY_IMAGE.patched(*of_a, *of_b)
            control = FIRST + SHARED_BYTES - UNIT
            for tensor in tensors:
                images = (image,) * case.cta_group
                whole = tensor * case.cta_group
                blocks.append(ProbeBlock(images, a, b, 0, product.value, 0, control, whole))
        return Launch(self.kernel, tuple(blocks))

    def judge(self, answer: Answered | RunFault) -> ScaleAnswer:
        """Return what came of it."""
        if isinstance(answer, RunFault):
            return ScaleAnswer(self, (), answer)
        case = self.product.case
        places = case.places(case.m, case.n)
        digits = {value: digit for digit, value in enumerate(self.values)}
        found = []
        for number in range(self.scales.factors):
            runs = answer.words[number * _DIGITS : (number + 1) * _DIGITS]
            numbers = [[case.numbers(words) for words in block] for block in runs]
            for row, at in self._asked():
                cta, place = places[at]
                spelled = [digits.get(plane[cta][place]) for plane in numbers]
                read = None if None in spelled else _place_of(sum(d * _DIGIT**i for i, d in enumerate(spelled) if d))
                own = row % self.scales.rows
                found.append(FactorRead(row, number, at // case.n % LANES // WARP, self.model(own, number), read))
        return ScaleAnswer(self, tuple(found))

    def _asked(self) -> Iterator[tuple[int, int]]:
        """Yield the row of the operand and the number of the element of D that has its factor."""
        case = self.product.case
        if self.side == "a":
            yield from ((m, m * case.n) for m in range(case.m))
        else:
            yield from ((n, m * case.n + n) for m in range(0, case.m, WARP) for n in range(case.n))


class ScaleAnswer(NamedTuple):
    """From where the factors were read."""

    question: ScaleQuestion
    found: tuple[FactorRead, ...]
    fault: RunFault | None = None

    @property
    def agreeing(self) -> int:
        """Factors that were read from one of the four places of the model."""
        return sum(_same(each) for each in self.found)

    @property
    def holds(self) -> bool:
        """Whether all were."""
        return self.fault is None and self.agreeing == len(self.found)

    def differing(self) -> Iterator[FactorRead]:
        """Yield the others."""
        return (each for each in self.found if not _same(each))

    @property
    def parts(self) -> dict[int, tuple[int, ...]]:
        """For the rows of D of each warp, the parts of 32 lanes from which factors were read."""
        seen: dict[int, set[int]] = {}
        for each in self.found:
            if each.read is not None:
                seen.setdefault(each.warp, set()).add(each.read.lane // WARP)
        return {warp: tuple(sorted(parts)) for warp, parts in sorted(seen.items())}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "value": f"0x{self.question.product.value:08x}",
            "kind": f"idesc:{self.question.product.case.mma_kind}",
            "instruction": str(self.question),
            "holds": self.holds,
            "factors": len(self.found),
            "agree": self.agreeing,
            "parts": {str(warp): list(parts) for warp, parts in self.parts.items()},
            "fault": self.fault.why if self.fault else None,
            "differ": [
                {
                    "row": each.row,
                    "factor": each.number,
                    "model": list(each.model),
                    "read": each.read and list(each.read),
                }
                for each in self.differing()
            ],
        }


def _same(each: FactorRead) -> bool:
    read, model = each.read, each.model
    return read is not None and (read.lane % WARP, read.column, read.byte) == (model.lane % WARP, *model[1:])


def _place_of(number: int) -> ScalePlace:
    lane, rest = divmod(number, COLUMNS_NAMED * _IN_WORD)
    return ScalePlace(lane, *divmod(rest, _IN_WORD))


@lru_cache(maxsize=16)
def _tensor(codes: tuple[int, ...], side: str, scale_type: str, digit: int) -> bytes:
    """Return tensor memory, lane by lane: the factors of one operand tell a digit of their place, the others are 1."""
    place = PLACE_OF_SCALES_A if side == "a" else PLACE_OF_SCALES_B
    plain = struct.pack("<I", NOT_WRITTEN) * PLACE_OF_SCALES_A
    plain += struct.pack("<I", ONE_AS_SCALE[scale_type]) * (TENSOR_COLUMNS - PLACE_OF_SCALES_A)
    out = bytearray()
    for lane in range(LANES):
        first = lane * COLUMNS_NAMED * _IN_WORD
        named = bytes(codes[(first + i) // _DIGIT**digit % _DIGIT] for i in range(COLUMNS_NAMED * _IN_WORD))
        row = bytearray(plain)
        row[4 * place : 4 * place + len(named)] = named
        out += row
    return bytes(out)


def scale_question(
    value: int, mma_kind: str, arch: str, side: str, *, cta_group: int = 1, claim: str = ""
) -> ScaleQuestion:
    """Return the question. :class:`SmemdescError` if the kind has no scale factors, and as :func:`product_question`."""
    if mma_kind not in BLOCK_SCALED:
        raise SmemdescError(f"kind::{mma_kind} has no scale factors")
    product = product_question(value, mma_kind, arch, cta_group=cta_group)
    return ScaleQuestion(product, side, claim)
