"""From a layout in shared memory to the descriptor that addresses it, or to the first property that none expresses.

A descriptor is found by its addresses: the start and the strides follow from four elements, and it is accepted
only if every element of the layout is where the descriptor has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START, highest
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import K_96_BYTES
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.modes import MODE, modes
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import exists
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.operand import LINE, UNIT, Operand, fields_of
from smemdesc.layout.recognize import Recognition
from smemdesc.layout.strides import LBO, SBO, strides_of
from smemdesc.reading.text import to_hex
from smemdesc.rules.base import NOTE, Finding
from smemdesc.rules.strides import UNDIVIDED
from smemdesc.tiles.reading import Buffer, LayoutText, TextReading
from smemdesc.tiles.tile import forbids


class DescriptorFit(NamedTuple):
    """A descriptor that addresses a layout, element by element."""

    operand: Operand
    value: int
    findings: tuple[Finding, ...]

    @property
    def legal(self) -> bool:
        """Whether an instruction reads it."""
        return not any(map(forbids, self.findings))


def fitting_operands(
    memory: Buffer, dtype: DType, kind: Kind, majors: tuple[str, ...] = ("K", "MN")
) -> Iterator[Operand]:
    """Yield the operand of each descriptor of a kind that agrees with ``memory`` in every element.

    Strides that the operand does not use get the values of contiguous atoms, LBO of K-major swizzled layouts 16.
    """
    # As its containers are addressed: the order of elements inside one is the hardware's.
    container = dtype._replace(bits=dtype.storage)
    own = memory.mode
    # The mode that the text gives comes first: of equals the first is taken.
    tried = sorted(modes(kind.name), key=lambda mode: mode.name != own)
    if not memory.stated:
        # A bare layout is read under each mode; here it is this one's turn.
        tried = [mode for mode in tried if mode.name == own]
    for major in majors:
        for mode in tried:
            if not exists(mode.name, major):
                continue
            # If several base offsets do, the one of the pattern's own start is taken.
            own_phase = memory.start // LINE % mode.phases if memory.relative else 0
            phases = range(own_phase, own_phase + (mode.phases if memory.relative else 1))
            for phase in phases:
                derived = _derive(memory, container, kind, mode.name, major, phase % mode.phases)
                if derived is None:
                    continue
                if _agrees(memory, derived):
                    yield derived._replace(dtype=dtype)
                    break


def _agrees(memory: Buffer, derived: Operand) -> bool:
    if memory.relative or memory.swizzle != derived.swizzle:
        return all(map(list.__eq__, derived.grid, memory.rows()))
    # One swizzle of addresses: they agree if the sums before it do, and each is of mn or of k alone.
    pairs = zip(derived.modes, (memory.mn, memory.k), strict=True)
    return all(own.offsets == [memory.bits * offset for offset in there.offsets] for own, there in pairs)


def _derive(memory: Buffer, dtype: DType, kind: Kind, swizzle: str, major: str, phase: int) -> Operand | None:
    """Return the only operand of this mode that can be ``memory``; None if its fields cannot be written."""
    function = Swizzle(*MODE[swizzle].swizzle)

    def before(mn: int, k: int) -> int | None:
        byte, rest = divmod(memory.bit_address(mn, k), 8)
        return None if rest else function(byte, phase * LINE)

    start = before(0, 0)
    if start is None or start % UNIT or not 0 <= start <= highest(kind.table.row(START)):
        return None
    mn, k = memory.shape
    case = Context(dtype=dtype, major=major, shape=(mn, k))
    offsets = {}
    for stride in strides_of(swizzle, major, case):
        if not stride.used:
            offsets[stride.key] = stride.idle
            continue
        assert stride.elements is not None
        there = before(stride.elements, 0) if stride.along == "MN" else before(0, stride.elements)
        if there is None:
            return None
        size = there - start
        if size % UNIT or not 0 <= size <= highest(kind.table.row(stride.key)):
            return None
        offsets[stride.key] = size
    absolute = False
    lbo = offsets[LBO]
    k_96 = dtype.storage == 4 and k * dtype.storage == 8 * K_96_BYTES
    if k_96 and kind.name == "tcgen05" and major == "K" and swizzle == "128B":
        absolute = True
        inside = start % LINE
        lbo = start - inside
        if inside + K_96_BYTES > LINE:
            split = (LINE - inside) * 8 // dtype.storage
            there = before(0, split)
            if there is None or phase:
                return None
            lbo = there
        if lbo % UNIT or not 0 <= lbo <= highest(kind.table.row(LBO)):
            return None
    return Operand(
        swizzle, major, dtype, (mn, k), start=start, lbo=lbo, sbo=offsets[SBO], base_offset=phase, absolute=absolute
    )


def described_operand(operand: Operand, kind: Kind, arch: str | None = None) -> DescriptorFit:
    """Return the descriptor of an operand with its findings."""
    context = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape, arch=arch)
    built = build(kind, fields_of(operand), context=context, force=True)
    return DescriptorFit(
        operand, built.value, tuple(finding for finding in built.findings if finding.rule not in UNDIVIDED)
    )


class Descriptor(NamedTuple):
    """A descriptor, and the findings for the instruction that would read it."""

    kind: Kind
    value: int
    findings: tuple[Finding, ...]
    """Errors and warnings."""

    @property
    def hex(self) -> str:
        """The value as it is written."""
        return to_hex(self.value, self.kind.table.full, self.kind.table.width)


def descriptor_for(recognition: Recognition, kind: str, base: int | None = None) -> Descriptor | None:
    """Return the descriptor of the layout that was recognized; None if none was, or the kind lacks its mode.

    ``base`` is the given descriptor: its right fields and unused bits are kept.
    """
    operand = recognition.best
    if operand is None:
        return None
    row = kind_of(kind)
    context = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
    bits = (base, row.table.full) if base is not None else None
    try:
        built = build(row, fields_of(operand), base=bits, context=context, force=True)
    except SmemdescError:  # 128B_32B of wgmma
        return None
    findings = (finding for finding in built.findings if finding.severity != NOTE and finding.rule not in UNDIVIDED)
    return Descriptor(row, built.value, tuple(findings))


class LayoutStep(NamedTuple):
    """One MMA step of a layout: where it begins, in elements, and its descriptor."""

    mn: int
    k: int
    fit: DescriptorFit


class LayoutSolution(NamedTuple):
    """One way to read a text for which every step has a descriptor."""

    reading: TextReading
    steps: tuple[LayoutStep, ...]

    @property
    def first(self) -> DescriptorFit:
        """The first step."""
        return self.steps[0].fit

    @property
    def legal(self) -> bool:
        """Whether an instruction reads each step."""
        return all(step.fit.legal for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        operand = self.first.operand
        return {
            "label": self.reading.label or None,
            "mode": operand.mode.name,
            "major": operand.major,
            "legal": self.legal,
            "leading_byte_offset": operand.lbo,
            "stride_byte_offset": operand.sbo,
            "steps": [{"mn": step.mn, "k": step.k, "descriptor": f"0x{step.fit.value:016x}"} for step in self.steps],
        }


class Solution(NamedTuple):
    """The descriptors of a layout's text."""

    source: LayoutText
    kind: Kind
    mma: tuple[int, int]
    """MN x K of one operand, in elements."""
    answers: tuple[LayoutSolution, ...]
    """The readings that descriptors express and instructions read."""
    illegal: tuple[LayoutSolution, ...]
    """Readings that descriptors express and no instruction reads."""


def solve_layout(
    source: LayoutText,
    kind: str,
    *,
    mma: tuple[int, int] | None = None,
    at: tuple[int, int] | None = None,
    arch: str | None = None,
) -> Solution:
    """Return the descriptors of a layout: of the whole, of the operand ``mma`` at ``at``, or of each step of ``mma``.

    All numbers in elements. The first reading's answer is empty if no descriptor expresses it;
    :mod:`smemdesc.tiles.refusing` says why. :class:`smemdesc.engine.errors.SmemdescError` for steps that do not divide
    it.
    """
    row = kind_of(kind, arch=arch)
    if row.name not in SMEM_KINDS:
        raise SmemdescError(f"a {row.name} descriptor has no layout", hint="use wgmma or tcgen05")
    answers: list[LayoutSolution] = []
    undivided: SmemdescError | None = None
    for reading in source.readings:
        memory = reading.buffer
        shape = _operand_shape(source, memory, mma, at)
        try:
            places = [at] if at is not None else list(steps_of(memory.shape, shape))
            for major in reading.majors:
                steps = _each(memory, places, shape, source.dtype, row, major, arch)
                if steps:
                    answers.append(LayoutSolution(reading, tuple(steps)))
        except SmemdescError as error:
            undivided = undivided or error
    if undivided is not None and not answers:
        raise undivided
    unique = _distinct(answers)
    legal = tuple(answer for answer in unique if answer.legal)
    illegal = tuple(answer for answer in unique if not answer.legal)
    first = source.readings[0].buffer
    return Solution(source, row, _operand_shape(source, first, mma, at), legal, illegal)


def _operand_shape(
    source: LayoutText, memory: Buffer, mma: tuple[int, int] | None, at: tuple[int, int] | None
) -> tuple[int, int]:
    if mma is not None:
        return mma
    if source.mma is not None:
        return source.mma
    if at is not None:
        raise SmemdescError("--at needs the operand's shape", hint="give it with --mma, as in --at 64,32 --mma 64x16")
    return memory.shape


def steps_of(whole: tuple[int, int], one: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield where each step begins: MN outside, K inside. :class:`smemdesc.engine.errors.SmemdescError` for a rest."""
    for name, amount, step in zip(("MN", "K"), whole, one, strict=True):
        if amount % step:
            raise SmemdescError(
                f"a layout of {whole[0]}x{whole[1]} is not a whole number of MMA operands of {one[0]}x{one[1]}",
                hint=f"{name} = {amount} must be a multiple of {step}; use --at for a single operand",
            )
    return ((mn, k) for mn in range(0, whole[0], one[0]) for k in range(0, whole[1], one[1]))


def _each(
    memory: Buffer,
    places: list[tuple[int, int]],
    shape: tuple[int, int],
    dtype: DType,
    kind: Kind,
    major: str,
    arch: str | None,
) -> list[LayoutStep]:
    """Return a step for each place; empty if one of them has no descriptor."""
    steps = []
    for mn, k in places:
        operand = next(fitting_operands(memory.slice((mn, k), shape), dtype, kind, (major,)), None)
        if operand is None:
            return []
        steps.append(LayoutStep(mn, k, described_operand(operand, kind, arch)))
    return steps


def _distinct(answers: list[LayoutSolution]) -> list[LayoutSolution]:
    seen: dict[tuple[object, ...], LayoutSolution] = {}
    for answer in answers:
        key = (answer.first.operand.major, *(step.fit.value for step in answer.steps))
        seen.setdefault(key, answer)
    return list(seen.values())
