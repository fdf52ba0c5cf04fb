"""Questions about an operand: of which byte does the GPU read each element that a descriptor leads to?

The other operand is an identity, so D holds the elements themselves; memory holds numbers that tell their own place
(:mod:`smemdesc.probe.planes`). What was read is compared with the model, the operand of the question.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.instruction import WGMMA_M, d_types_of, legal_n
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import BLOCK_SCALED, MMA_KINDS, PACKED_FP4
from smemdesc.kinds.shapes import allowed_rows, columns, legal_columns, rows_of
from smemdesc.kinds.types import DType, read_by, types_of
from smemdesc.layout.fragment import WgmmaShape, fragment_layout
from smemdesc.layout.operand import UNIT, Operand, descriptor_of
from smemdesc.layout.tmem import tmem_layout
from smemdesc.layout.zero_columns import expand
from smemdesc.probe.launch import (
    ACCUMULATORS,
    FIRST,
    LAST,
    NOT_WRITTEN,
    TENSOR_COLUMNS,
    Answered,
    Launch,
    MmaKernel,
    ProbeBlock,
    RunFault,
)
from smemdesc.probe.planes import NO_PLACE, MemoryPlace, Naming, patches_of
from smemdesc.probe.ptx import PLACE_OF_METADATA, PLACE_OF_SCALES_A

KEEP = (0x44444444, 0xEEEEEEEE)
"""Metadata that keeps elements 0 and 1 of four everywhere, and 2 and 3; of tf32, 0 and 1 of two."""
CONTROL_BYTES = 16
_ALIGNED = 1024
"""Where the other operand is tried: it has no swizzle, so that 16 would do."""
ONE_AS_SCALE = {"ue8m0": 0x7F7F7F7F, "ue4m3": 0x38383838}
"""Four scale factors of 1."""


class MmaCase(NamedTuple):
    """The instruction that asks. ``m`` and ``n`` are those of the whole instruction, ``k`` the logical one."""

    arch: str
    dtype: DType
    m: int
    n: int
    k: int
    d_type: str
    major_a: str = "K"
    major_b: str = "K"
    sparse: bool = False
    mma_kind: str = ""
    """Empty: it is wgmma."""
    cta_group: int = 1
    ws: bool = False
    mask: int | None = None
    scale_vec: str = ""
    max_shift: int = 0
    """How far a mask may shift B, as the instruction descriptor says it."""

    @property
    def family(self) -> str:
        """wgmma or tcgen05."""
        return "tcgen05" if self.mma_kind else "wgmma"

    def __str__(self) -> str:
        shape = f"m{self.m}n{self.n}k{self.k}"
        if not self.mma_kind:
            return f"wgmma{'.sp' if self.sparse else ''} {shape}"
        marks = f"{'.ws' if self.ws else ''}{'.sp' if self.sparse else ''}"
        return f"tcgen05.mma{marks}.cta_group::{self.cta_group}.kind::{self.mma_kind} {shape}"

    @property
    def kernel(self) -> MmaKernel:
        """The kernel that issues it."""
        names = self.d_type, self.dtype.name, self.dtype.name
        if self.mma_kind:
            return MmaKernel(
                "tcgen05",
                self.arch,
                "",
                "",
                "",
                sparse=self.sparse,
                mma_kind=self.mma_kind,
                cta_group=self.cta_group,
                ws=self.ws,
                masked=self.mask is not None,
                scale_vec=self.scale_vec,
            )
        turned = self.major_a == "MN", self.major_b == "MN"
        return MmaKernel("wgmma", self.arch, *names, self.n, self.k, *turned, self.sparse)

    @property
    def idesc(self) -> int:
        """The instruction descriptor; 0 of wgmma."""
        if not self.mma_kind:
            return 0
        table = kind_of("idesc", self.mma_kind, self.arch).table
        fields: dict[str, Any] = {"a_type": self.dtype.name, "b_type": self.dtype.name, "m": self.m, "n": self.n}
        fields |= {"sparse": self.sparse} if self.sparse else {}
        fields |= {"transpose_a": True} if self.major_a == "MN" else {}
        fields |= {"transpose_b": True} if self.major_b == "MN" else {}
        fields |= (
            {"k": self.k} if "k" in table.by_key and self.k not in (K_DENSE[self.mma_kind], 2 * self.dtype.k) else {}
        )
        fields |= {"max_shift": self.max_shift} if self.max_shift else {}
        fields |= {"d_type": self.d_type} if "d_type" in table.by_key else {}
        fields |= {"scale_type": self.scale_type} if "scale_type" in table.by_key else {}
        return table.pack(table.encode(fields))

    @property
    def scale_type(self) -> str:
        """The type of its scale factors."""
        return types_of(kind_of("idesc", self.mma_kind), "scale_type")[0]

    @property
    def tensor(self) -> bytes:
        """What every lane of tensor memory holds beside D: scale factors of 1. Metadata are the block's own."""
        if not self.mma_kind:
            return b""
        words = [NOT_WRITTEN] * TENSOR_COLUMNS
        if self.scale_vec:
            one = ONE_AS_SCALE[self.scale_type]
            words[PLACE_OF_SCALES_A:PLACE_OF_METADATA] = [one] * (PLACE_OF_METADATA - PLACE_OF_SCALES_A)
        return struct.pack(f"<{TENSOR_COLUMNS}I", *words)

    def places(self, rows: int, columns: int) -> list[tuple[int, int]]:
        """Return (CTA, number among what that CTA answers) of D, row by row."""
        return _places(self._replace(mask=None), rows, columns)

    def column_of(self, k: int, turn: int) -> int:
        """Return the logical k that the k-th stored one of a sparse A is multiplied with, under ``KEEP[turn]``."""
        if not self.sparse:
            return k
        return 2 * k + turn if self.dtype.storage == 32 else 4 * (k // 2) + 2 * turn + k % 2

    def spread(self, row: Sequence[float], turn: int) -> list[float]:
        """Return a row of a sparse A before its compression."""
        out = [0.0] * self.k
        for k, value in enumerate(row):
            out[self.column_of(k, turn)] = value
        return out

    def numbers(self, words: bytes) -> tuple[float, ...]:
        """Return what one CTA answered, as numbers of D's type."""
        letter = {"f32": "f", "s32": "i", "f16": "e"}[self.d_type]
        return struct.unpack(f"<{len(words) // struct.calcsize(letter)}{letter}", words)


@lru_cache(maxsize=32)
def _places(case: MmaCase, rows: int, columns: int) -> list[tuple[int, int]]:
    if case.mma_kind:
        layout = tmem_layout(
            case.m,
            case.n,
            dtype=case.d_type,
            mma_kind=case.mma_kind,
            cta_group=case.cta_group,
            ws=case.ws,
            sparse=case.sparse,
        )
        per_word = 2 if case.d_type == "f16" else 1
        found = (layout.places(row, column)[0] for row in range(rows) for column in range(columns))
        return [(place.cta, per_word * (place.lane * ACCUMULATORS + place.column)) for place in found]
    shown = fragment_layout(WgmmaShape(case.m, case.n, case.dtype.k), "d", case.d_type)
    slots = (shown.place(row, column) for row in range(rows) for column in range(columns))
    return [(0, (slot.thread * shown.registers + slot.register) * shown.packed + slot.element) for slot in slots]


class OperandQuestion(NamedTuple):
    """A descriptor, the operand that the model makes of it, and the instruction that asks."""

    value: int
    operand: Operand
    """Of one CTA."""
    side: str
    """``a`` or ``b``."""
    case: MmaCase
    claim: str = ""
    """The claim of docs/evidence.md that it is about."""

    def __str__(self) -> str:
        return f"0x{self.value:016x}, {self.side.upper()} of {self.case}"

    @property
    def shape(self) -> tuple[int, int]:
        """MN and K of the operand in all CTAs."""
        return (self.case.n if self.side == "b" else self.case.m), self.operand.shape[1]

    def on(self, arch: str) -> OperandQuestion:
        """Return the same question for another architecture."""
        return self._replace(case=self.case._replace(arch=arch))

    @property
    def naming(self) -> Naming:
        """The names of what memory holds."""
        return Naming(self.operand.dtype, self.case.cta_group)

    @property
    def passes(self) -> int:
        """How often it is asked: each metadata selects half of the K of a sparse instruction's B."""
        return 2 if self.case.sparse and self.side == "b" else 1

    @property
    def expected(self) -> list[int]:
        """The name of each element under the model, K inside; :data:`NO_PLACE` in a column that a mask zeroes."""
        rows, naming = self.operand.grid, self.naming
        names = [naming.names(row, cta) for cta in range(self.case.cta_group) for row in rows]
        if self.case.mask is not None:
            mask = expand(self.case.mask, self.case.m, self.case.n)
            zeroed = {n for first, last in mask.zeroed for n in range(first, last + 1)}
            nothing = [NO_PLACE] * self.operand.shape[1]
            names = [nothing if n in zeroed else names[n + mask.shift] for n in range(self.case.n)]
        return [each for row in names for each in row]

    @property
    def kernel(self) -> MmaKernel:
        """The kernel that runs."""
        return self.case.kernel

    @property
    def outside(self) -> bool:
        """Whether the model has an element beyond the memory of a block: then it faults."""
        return any(byte + UNIT > LAST for _, _, byte in self.operand.unit_addresses())

    def launch(self) -> Launch:
        """Return the run that answers it. :class:`SmemdescError` if no place is free for the other operand."""
        case, naming = self.case, self.naming
        rows = (case.m if self.side == "b" else case.n) // case.cta_group
        other_k = case.k // 2 if case.sparse and self.side == "b" else case.k
        size = rows * other_k * self.operand.dtype.storage // 8
        start = self._free(size + CONTROL_BYTES)
        other = Operand("none", "K", self.operand.dtype, (rows, other_k), start=start, lbo=UNIT * rows, sbo=8 * UNIT)
        table = kind_of(case.family, arch=case.arch).table
        plain = descriptor_of(other, table)
        a, b = (self.value, plain) if self.side == "a" else (plain, self.value)
        units = [[(k - cta * rows, k, 1) for k in range(other_k) if k // rows == cta] for cta in range(case.cta_group)]
        patches = [patches_of(other, units[cta]) for cta in range(case.cta_group)]
        blocks = []
        for turn in range(self.passes):
            tensor = bytearray(case.tensor)
            tensor[4 * PLACE_OF_METADATA :] = KEEP[turn].to_bytes(4, "little") * (len(tensor) // 4 - PLACE_OF_METADATA)
            block = ProbeBlock((), a, b, case.mask or 0, case.idesc, KEEP[turn], start + size, bytes(tensor))
            for plane in range(naming.planes):
                images = (naming.image(plane, cta).patched(*patches[cta]) for cta in range(case.cta_group))
                blocks.append(block._replace(images=tuple(images)))
        return Launch(case.kernel, tuple(blocks))

    def _free(self, size: int) -> int:
        """Return where ``size`` bytes are that the model's operand does not touch, as high as possible."""
        touched = {byte // UNIT for _, _, byte in self.operand.unit_addresses()}
        for start in range((LAST - size) // _ALIGNED * _ALIGNED, FIRST, -_ALIGNED):
            if touched.isdisjoint(range(start // UNIT, (start + size) // UNIT + 1)):
                return start
        raise SmemdescError(
            "the operand leaves no room for the other one in shared memory",
            hint="ask about fewer rows (--shape), or with smaller strides",
        )

    def judge(self, answer: Answered | RunFault) -> OperandAnswer:
        """Return what came of it."""
        expected = self.expected
        if isinstance(answer, RunFault):
            return OperandAnswer(self, tuple(expected), (), 0, answer)
        naming = self.naming
        seen: list[int | None] = list(expected)
        strays = 0
        for turn in range(self.passes):
            blocks = answer.words[turn * naming.planes : (turn + 1) * naming.planes]
            numbers = [self.case.numbers(b"".join(block)) for block in blocks]
            slots = _slots(self.case._replace(mask=None), self.side, self.shape, self.passes, turn)
            names = [expected[at] for at in slots.elements]
            read = [slots.pick(plane) for plane in numbers]
            # Almost always all is as expected, which is known without spelling each name.
            if any(values != naming.digits_of(names, plane) for plane, values in enumerate(read)):
                for at, values in zip(slots.elements, zip(*read, strict=True), strict=True):
                    seen[at] = naming.joined(values)
            strays += sum(numbers[0][at] != 0 for at in slots.others)
        return OperandAnswer(self, tuple(expected), tuple(seen), strays)


class AnswerSlots(NamedTuple):
    """Where the elements of an operand are in D."""

    elements: list[int]
    """Their numbers, K inside."""
    pick: Callable[[tuple[float, ...]], tuple[float, ...]]
    """Takes them out of what all CTAs answered."""
    others: list[int]
    """What else of D was answered."""


@lru_cache(maxsize=64)
def _slots(case: MmaCase, side: str, shape: tuple[int, int], passes: int, turn: int) -> AnswerSlots:
    (mn, k), per_cta = shape, len(case.numbers(bytes(4 * case.kernel.words)))
    places = [cta * per_cta + at for cta, at in case.places(case.m, case.n)]
    elements, slots = [], []
    for row in range(mn):
        for column in range(k // passes):
            logical = case.column_of(column, turn)
            elements.append(row * k + (logical if side == "b" else column))
            slots.append(row * case.n + logical if side == "a" else column * case.n + row)
    used = set(slots)
    others = [place for at, place in enumerate(places) if at not in used]
    return AnswerSlots(elements, itemgetter(*(places[at] for at in slots)), others)


class ElementRead(NamedTuple):
    """An element, where the model has it and where it was read."""

    mn: int
    k: int
    model: MemoryPlace
    read: MemoryPlace


class OperandAnswer(NamedTuple):
    """What the GPU read."""

    question: OperandQuestion
    expected: tuple[int, ...]
    """The name of each element under the model, K inside."""
    seen: tuple[int | None, ...]
    """The name that was read; None: nothing that has a name, or more than one thing. Empty after a fault."""
    strays: int = 0
    """Elements of D that are not zero though the other operand is."""
    fault: RunFault | None = None

    @property
    def agreeing(self) -> int:
        """Elements that were read where the model says."""
        return sum(own == name for own, name in zip(self.expected, self.seen, strict=False))

    @property
    def holds(self) -> bool:
        """Whether the GPU did what the model says."""
        if self.fault is not None:
            return self.question.outside and self.fault.why.startswith("the instruction faulted")
        return not self.strays and self.seen == self.expected

    def differing(self) -> Iterator[ElementRead]:
        """Yield the elements that were not read where the model says."""
        _, columns = self.question.shape
        naming = self.question.naming
        for at, (own, name) in enumerate(zip(self.expected, self.seen, strict=False)):
            if own != name:
                yield ElementRead(at // columns, at % columns, naming.place(own), naming.place(name))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        question = self.question
        elements = question.shape[0] * question.shape[1]
        return {
            "value": f"0x{question.value:016x}",
            "kind": question.case.family,
            "instruction": str(question.case),
            "operand": question.side,
            "dtype": question.operand.dtype.name,
            "major": question.operand.major,
            "shape": list(question.shape),
            "holds": self.holds,
            "elements": elements,
            "agree": self.agreeing,
            "strays": self.strays,
            "fault": self.fault.why if self.fault else None,
            "differ": [
                {"mn": each.mn, "k": each.k, "model": each.model.to_json(), "read": each.read.to_json()}
                for each in self.differing()
            ],
        }


def operand_case(
    operand: Operand,
    arch: str,
    side: str,
    mma_kind: str = "",
    *,
    cta_group: int = 1,
    ws: bool = False,
    m: int | None = None,
    mask: int | None = None,
) -> MmaCase:
    """Return an instruction of which this is the operand ``side`` (of one CTA).

    :class:`SmemdescError` if there is none: the shape, the type or the major-ness.
    """
    dtype, (rows, k) = operand.dtype, operand.shape
    dense = dtype.k
    sparse = side == "b" and k == 2 * dense and dtype.storage != 4
    if k not in (dense, 96 if dtype.storage == 4 else dense) and not sparse:
        raise SmemdescError(
            f"K = {k}: one instruction has K = {dense} of {dtype.name}"
            + (f", sparse {2 * dense}" if side == "b" else ""),
            hint=f"ask about the operand of one instruction: --shape {rows}x{dense}",
            keyword="shape",
        )
    majors = ("K", operand.major) if side == "b" else (operand.major, "K")
    if not mma_kind:
        return _wgmma_case(operand, arch, side, majors, sparse)
    vec = block_qualifier(mma_kind)
    d_type = types_of(kind_of("idesc", mma_kind, arch), "d_type")[-1]
    whole = MmaCase(arch, dtype, 0, 0, k, d_type, *majors, sparse, mma_kind, cta_group, ws, mask, vec)
    fixed_m, fixed_n = (rows * cta_group, None) if side == "a" else (m, rows * cta_group)
    return _smallest(whole, side, fixed_m, fixed_n)


def _smallest(case: MmaCase, side: str, m: int | None, n: int | None) -> MmaCase:
    """Return the smallest instruction with this M, or N, whose other operand has a row for each k."""
    legal = allowed_rows(case.mma_kind, case.sparse, Context(cta_group=case.cta_group, ws=case.ws))
    turned = case.major_b == "MN"
    stored = case.k // 2 if case.sparse else case.k
    sizes = [
        (own_m, own_n)
        for row in legal
        for own_m in row.m
        for own_n in columns(case.mma_kind, row, turned)
        if m in (None, own_m) and n in (None, own_n) and (own_n >= case.k if side == "a" else own_m >= stored)
    ]
    if sizes:
        own_m, own_n = min(sizes)
        return case._replace(m=own_m, n=own_n)
    where = f"kind::{case.mma_kind} with cta_group::{case.cta_group}{'.ws' if case.ws else ''}"
    takes = f"M is {either(rows_of(legal))}" if side == "a" else legal_columns(case.mma_kind, legal, turned)
    both = " of both CTAs" if case.cta_group == 2 else ""
    raise SmemdescError(
        f"{where} has no {side.upper()} of {m if side == 'a' else n} rows{both}", hint=takes, keyword="shape"
    )


def _wgmma_case(operand: Operand, arch: str, side: str, majors: tuple[str, str], sparse: bool) -> MmaCase:
    dtype, (rows, k) = operand.dtype, operand.shape
    types = d_types_of(dtype.name, dtype.name)
    if not dtype.wgmma or dtype.name == "b1":
        raise SmemdescError(f"no question is known for wgmma of {dtype.name}", keyword="dtype")
    if operand.major == "MN" and dtype.name not in ("f16", "bf16"):
        raise SmemdescError(f"wgmma has no MN-major {dtype.name}", hint="only f16 and bf16", keyword="major")
    if side == "a":
        if rows != WGMMA_M:
            raise SmemdescError(f"A of wgmma has 64 rows, not {rows}", hint="--operand b asks about B", keyword="shape")
        n = next(n for n in legal_n(dtype.name) if n >= k)
        return MmaCase(arch, dtype, WGMMA_M, n, k, types[0], *majors)
    if rows not in legal_n(dtype.name):
        raise SmemdescError(f"wgmma of {dtype.name} has no N = {rows}", keyword="shape")
    return MmaCase(arch, dtype, WGMMA_M, rows, k, types[0], *majors, sparse)


def block_qualifier(mma_kind: str) -> str:
    """Return the qualifier of the block size that is asked about; empty for a kind without scale factors."""
    return f".block{16 if mma_kind == 'mxf4nvf4' else 32}" if mma_kind in BLOCK_SCALED else ""


def kind_for(dtype: DType) -> str:
    """Return the first MMA kind of tcgen05 that reads a type as it lies in memory."""
    kinds = [kind for kind in MMA_KINDS if dtype.name in read_by(kind)]
    packed = [kind for kind in kinds if (kind in PACKED_FP4) == (dtype.storage == 4)]
    return packed[0]
