"""The question about an instruction descriptor: is D the M x N product of A and B of these types?

A and B are small numbers; read as another type, they are other numbers. D is compared word by word, and so is what lies
beside it, which the instruction must leave alone.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import Context
from smemdesc.kinds.elements import bits_of
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.shapes import allowed_rows
from smemdesc.kinds.tmem import LANES
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.operand import UNIT, Operand, descriptor_of
from smemdesc.layout.tmem import Tmem, tmem_layout
from smemdesc.probe.launch import (
    EMPTY_IMAGE,
    FIRST,
    NOT_WRITTEN,
    SHARED_BYTES,
    Answered,
    Launch,
    MmaKernel,
    ProbeBlock,
    RunFault,
)
from smemdesc.probe.planes import patches_of
from smemdesc.probe.ptx import PLACE_OF_A, PLACE_OF_METADATA
from smemdesc.probe.questions import KEEP, MmaCase, block_qualifier

_NUMBERS = {"u8": (0, 1, 2, 200), "s8": (0, 1, -2, -56), "e2m1": (0, 1, 2, -0.5)}
"""What elements are: read as another type of the kind they are other numbers. Their sums are exact in D."""
_OF_FLOATS = (0, 1, 2, -0.5, 1.5, -3)


class ProductQuestion(NamedTuple):
    """An instruction descriptor, and the instruction that the model makes of it."""

    value: int
    case: MmaCase
    b_type: DType
    signs: tuple[int, int]
    """-1 where A or B is negated."""
    claim: str = ""
    a_from: str = "shared"
    """Where A is: ``shared`` or ``tmem``."""

    def __str__(self) -> str:
        case = self.case
        place = ", A from tensor memory" if self.a_from == "tmem" else ""
        return f"{case}: {case.dtype.name} x {self.b_type.name} -> {case.d_type}{place}"

    @property
    def operands(self) -> tuple[Operand, Operand]:
        """A and B of one CTA: no swizzle, one after the other from the first byte on."""
        case = self.case
        stored = case.k // 2 if case.sparse else case.k
        a = _operand(case.dtype, case.major_a, (case.m // case.cta_group, stored), FIRST)
        end = max(byte for _, _, byte in a.unit_addresses()) + UNIT
        return a, _operand(self.b_type, case.major_b, (case.n // case.cta_group, case.k), end)

    def numbers(self) -> tuple[list[list[float]], list[list[float]]]:
        """Return A, as it is stored, and B: the same ones every time."""
        rng = random.Random(self.value)
        case = self.case
        stored = case.k // 2 if case.sparse else case.k
        sizes = ((case.dtype, case.m, stored), (self.b_type, case.n, case.k))
        a, b = (
            [[rng.choice(_NUMBERS.get(dtype.name, _OF_FLOATS)) for _ in range(k)] for _ in range(rows)]
            for dtype, rows, k in sizes
        )
        return a, b

    def launch(self) -> Launch:
        """Return the run that answers it."""
        case, operands = self.case, self.operands
        images = []
        for cta in range(case.cta_group):
            image = EMPTY_IMAGE
            for operand, matrix in zip(operands, self.numbers(), strict=True):
                rows = operand.shape[0]
                own = matrix[cta * rows : (cta + 1) * rows]
                values = ((mn, k, value) for mn, row in enumerate(own) for k, value in enumerate(row))
                image = image.patched(*patches_of(operand, values))
            images.append(image)
        table = kind_of("tcgen05", arch=case.arch).table
        a, b = (descriptor_of(operand, table) for operand in operands)
        control = FIRST + SHARED_BYTES - UNIT
        block = ProbeBlock(tuple(images), a, b, 0, self.value, KEEP[0], control, self._tensor())
        return Launch(self.kernel, (block,))

    @property
    def kernel(self) -> MmaKernel:
        """The kernel that runs."""
        in_tensor_memory = self.a_from == "tmem"
        return self.case.kernel._replace(a_from=self.a_from, lanes=in_tensor_memory)

    @property
    def a_layout(self) -> Tmem:
        """Where A is in tensor memory under the model, from column 0 on."""
        case = self.case
        return tmem_layout(
            case.m,
            case.n,
            operand="a",
            dtype=case.dtype.name,
            mma_kind=case.mma_kind,
            cta_group=case.cta_group,
            ws=case.ws,
            sparse=case.sparse,
            k=case.k // 2 if case.sparse else case.k,
        )

    def _tensor(self) -> bytes:
        """Return what tensor memory holds: of every lane alike or, with A, lane by lane."""
        row = bytearray(self.case.tensor)
        row[4 * PLACE_OF_METADATA :] = KEEP[0].to_bytes(4, "little") * (len(row) // 4 - PLACE_OF_METADATA)
        if self.a_from != "tmem":
            return bytes(row)
        words: dict[int, int] = {}
        layout, dtype = self.a_layout, self.case.dtype
        for m, numbers in enumerate(self.numbers()[0]):
            for k, number in enumerate(numbers):
                for place in layout.places(m, k):
                    lane = place.cta * LANES + place.lane
                    at = len(row) * lane + 4 * (PLACE_OF_A + place.column)
                    words[at] = words.get(at, 0) + bits_of(dtype, number) * 2**place.bit
        whole = row * (LANES * self.case.cta_group)
        for at, word in words.items():
            whole[at : at + 4] = word.to_bytes(4, "little")
        return bytes(whole)

    def expected(self) -> list[float]:
        """Return D, row by row."""
        a, b = self.numbers()
        case, sign = self.case, self.signs[0] * self.signs[1]
        if case.sparse:
            a = [case.spread(row, 0) for row in a]
        columns = [{k: value for k, value in enumerate(row) if value} for row in b]
        return [sign * sum(row[k] * value for k, value in column.items()) for row in a for column in columns]

    def judge(self, answer: Answered | RunFault) -> ProductAnswer:
        """Return what came of it."""
        case = self.case
        if isinstance(answer, RunFault):
            return ProductAnswer(self, (), 0, answer)
        words = answer.words[0]
        numbers = [case.numbers(each) for each in words]
        places = case.places(case.m, case.n)
        found = tuple(numbers[cta][at] for cta, at in places)
        per_word = 2 if case.d_type == "f16" else 1
        used = {(cta, at // per_word) for cta, at in places}
        raw = [struct.unpack(f"<{len(each) // 4}I", each) for each in words]
        beside = sum(
            word != NOT_WRITTEN for cta, each in enumerate(raw) for at, word in enumerate(each) if (cta, at) not in used
        )
        return ProductAnswer(self, found, beside)


class ProductAnswer(NamedTuple):
    """What the instruction computed."""

    question: ProductQuestion
    found: tuple[float, ...]
    """D, row by row."""
    beside: int
    """Words of tensor memory beside D that it wrote."""
    fault: RunFault | None = None

    @property
    def agreeing(self) -> int:
        """Elements of D that are what the model computes."""
        return sum(own == seen for own, seen in zip(self.question.expected(), self.found, strict=False))

    @property
    def holds(self) -> bool:
        """Whether D is what the model computes, and nothing else was written."""
        return self.fault is None and not self.beside and self.agreeing == len(self.found)

    def differing(self) -> Iterator[tuple[int, int, float, float]]:
        """Yield (row, column, the model's number, the GPU's)."""
        n = self.question.case.n
        for at, (own, seen) in enumerate(zip(self.question.expected(), self.found, strict=False)):
            if own != seen:
                yield at // n, at % n, own, seen

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "value": f"0x{self.question.value:08x}",
            "kind": f"idesc:{self.question.case.mma_kind}",
            "instruction": str(self.question),
            "holds": self.holds,
            "elements": self.question.case.m * self.question.case.n,
            "agree": self.agreeing,
            "beside": self.beside,
            "fault": self.fault.why if self.fault else None,
            "differ": [
                {"row": row, "column": column, "model": own, "found": seen}
                for row, column, own, seen in self.differing()
            ],
        }


def _operand(dtype: DType, major: str, shape: tuple[int, int], start: int) -> Operand:
    """Return an operand without swizzle and without gaps: units of 8 lines, first those along MN."""
    mn, _ = shape
    if major == "K":
        return Operand("none", "K", dtype, shape, start=start, lbo=UNIT * mn, sbo=8 * UNIT)
    # Without swizzle LBO steps over 8 k, SBO over a unit of MN. K = 8 of tf32 needs the 128-byte mode of 32-byte atoms.
    if dtype.storage == 32:
        return Operand("128B_32B", "MN", dtype, shape, start=-(-start // 1024) * 1024, lbo=1024, sbo=512)
    units = -(-mn * dtype.storage // (8 * UNIT))
    return Operand("none", "MN", dtype, shape, start=start, lbo=8 * UNIT * units, sbo=8 * UNIT)


def product_question(
    value: int,
    mma_kind: str,
    arch: str,
    *,
    cta_group: int = 1,
    ws: bool = False,
    claim: str = "",
    a_from: str = "shared",
) -> ProductQuestion:
    """Return the question about an instruction descriptor, by its 32 bits.

    :class:`SmemdescError` for codes that are not defined, and for what no model says: sparse fp4, saturation.
    """
    kind = kind_of("idesc", mma_kind, arch)
    fields = {key: reading.value for key, reading in kind.table.read(value).items()}
    for key in ("a_type", "b_type", "m", "n", "d_type", "scale_type", "k"):
        if fields.get(key, 0) is None:
            raise SmemdescError(f"{key} has a code that is not defined", hint="smemdesc decode shows it")
    a_type, b_type = (dtype_of(str(fields[f"{side}_type"]), mma_kind) for side in "ab")
    sparse = bool(fields["sparse"])
    if a_type.name == "s1z4m11" or (sparse and a_type.storage == 4):
        raise SmemdescError(f"{'sparse ' if sparse else ''}kind::{mma_kind} is not asked about")
    major_a, major_b = ("MN" if fields.get(f"transpose_{side}") else "K" for side in "ab")
    m, n = int(str(fields["m"])), int(str(fields["n"]))
    legal = allowed_rows(mma_kind, sparse, Context(cta_group=cta_group, ws=ws))
    if not any(m in row.m and n in row.n for row in legal):
        raise SmemdescError(f"M = {m}, N = {n} is no shape of this instruction", hint="smemdesc decode says which are")
    whole = int(str(fields.get("k") or K_DENSE[mma_kind] * (2 if sparse else 1)))
    vec = block_qualifier(mma_kind)
    d_type = str(fields.get("d_type", "f32"))
    case = MmaCase(arch, a_type, m, n, whole, d_type, major_a, major_b, sparse, mma_kind, cta_group, ws, None, vec)
    signs = tuple(-1 if fields.get(f"negate_{side}") else 1 for side in "ab")
    if a_from == "tmem" and case.major_a == "MN":
        raise SmemdescError("A in tensor memory cannot be transposed", hint="clear transpose_a")
    return ProductQuestion(value, case, b_type, (signs[0], signs[1]), claim, a_from)
