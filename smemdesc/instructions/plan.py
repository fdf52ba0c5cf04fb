"""The constants of a GEMM tile, as :func:`smemdesc.api.planning.plan` chooses them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import FieldError
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import nearest
from smemdesc.instructions.model import Mma
from smemdesc.kinds.aliases import field_alias
from smemdesc.kinds.instruction import TRANSPOSED
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.tensormap import MAP_BITS
from smemdesc.kinds.tmem import COLUMNS, columns_to_allocate
from smemdesc.layout.scales import COPY_INSTRUCTION, SECOND_COLUMN, Scales
from smemdesc.layout.strides import LBO, UNIT
from smemdesc.layout.tmem import Tmem
from smemdesc.layout.tmem_load import TmemLoads, element_index, epilogue_loads
from smemdesc.rules.base import Finding, fails, verdict
from smemdesc.tiles.box import Filling
from smemdesc.tiles.tile import Tile

LINE = 128
"""Alignment that TMA asks for, in bytes."""
MAP_BYTES = MAP_BITS // 8
BARRIERS = 16
"""Bytes of a stage's two mbarriers: full, and empty."""
TWO_BY_TWO = (
    "for M = 128 of two CTAs PTX has the factors of B in all four parts of 32 lanes, CUTLASS (tmem_sf_frg) those "
    "of each half of N in two of them; the one public run (facebookexperimental/triton #3653: after a copy to all "
    "four, column n had the factor of n % 64) agrees with CUTLASS"
)


NestedNumbers = int | Sequence["NestedNumbers"]


class PlanConstant(NamedTuple):
    """One constant: a number, an array of numbers or arrays, or an enumerator of cuda.h."""

    name: str
    bits: int
    """32 or 64; 0 for an enumerator."""
    value: NestedNumbers | str
    comment: str = ""
    hex: bool = False
    type: str = ""
    """Type of an enumerator."""

    @property
    def words(self) -> Iterator[str]:
        """The numbers of the constant (of an array: in order), or its enumerator."""
        values: list[Any] = [self.value]
        while values:
            value = values.pop(0)
            if isinstance(value, int):
                yield f"0x{value:0{self.bits // 4}x}" if self.hex else str(value)
            elif isinstance(value, str):
                yield value
            else:
                values[:0] = value


class ConstantGroup(NamedTuple):
    """The constants of one operand, or of the plan (``name`` empty)."""

    name: str
    comment: str
    items: tuple[PlanConstant, ...]


def strides_in(offsets: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    """Return each stride of ascending offsets with its count, the innermost first: (2, 4), (1024, 2) for 0, 2, 4, 6,
    1024, 1026, 1028, 1030. None if they are not of this form."""
    strides: list[tuple[int, int]] = []
    while len(offsets) > 1:
        stride = offsets[1] - offsets[0]
        count = next((at for at, offset in enumerate(offsets) if offset != offsets[0] + at * stride), len(offsets))
        outer = offsets[::count]
        if any(offset != outer[at // count] + at % count * stride for at, offset in enumerate(offsets)):
            return None
        strides.append((stride, count))
        offsets = outer
    return tuple(strides)


def _strides_dict(strides: tuple[tuple[int, int], ...] | None) -> list[dict[str, int]] | None:
    if strides is None:
        return None
    return [{"units": units, "bytes": units * UNIT, "count": count} for units, count in strides]


class OperandPlan(NamedTuple):
    """One operand of the plan in the shared memory of one CTA. Addresses are relative to its first byte."""

    name: str
    """``a`` or ``b``."""
    tile: Tile
    why: str
    """Why this swizzle mode."""
    offset: int
    """Where its first stage begins, in bytes from the beginning of the buffer."""
    filling: Filling | None
    """How TMA fills one stage; None if it cannot."""
    cute: str | None
    cute_dsl: str | None
    triton: str | None
    triton_shape: tuple[int, int] | None
    """The shape of the tensor that has the Triton encoding."""
    map: int | None = None
    """The tensor map, if the address of the matrix is given: 1,024 bits, as Hopper's driver writes them."""

    @property
    def bytes(self) -> int:
        """Bytes of one stage."""
        return self.tile.size

    @property
    def alignment(self) -> int:
        """The alignment of each stage: the period of the swizzle pattern, or TMA's 128 bytes."""
        return max(MODE[self.tile.swizzle].period, LINE)

    @property
    def descriptors(self) -> tuple[tuple[int, ...], ...]:
        """The descriptor of each MMA step at address 0: K steps inside, MN steps outside."""
        steps = self.tile.shape.k // self.tile.mma.k
        values = [step.value for step in self.tile.steps]
        return tuple(tuple(values[first : first + steps]) for first in range(0, len(values), steps))

    @property
    def k_bytes(self) -> tuple[tuple[tuple[int, int], ...], ...] | None:
        """The bytes of 128-byte lines that each K step reads, first and last: of the start's line, then of LBO's.

        None if LBO is not an address.
        """
        tile = self.tile
        if not tile.absolute:
            return None
        of_k = tile.steps[: tile.shape.k // tile.mma.k]
        return tuple(tuple(part.bytes for part in tile.operand(step).segments) for step in of_k)

    @property
    def base(self) -> int:
        """The descriptor of the first step."""
        return self.tile.steps[0].value

    @property
    def offsets(self) -> tuple[tuple[int, ...], ...]:
        """The summand for each step: 16-byte units of the start (in absolute mode, also of LBO)."""
        return tuple(tuple(value - self.base for value in row) for row in self.descriptors)

    @property
    def k_strides(self) -> tuple[tuple[int, int], ...] | None:
        """What K steps add, as :func:`strides_in` returns it."""
        return self._strides(self.offsets[0])

    @property
    def mn_strides(self) -> tuple[tuple[int, int], ...] | None:
        """What MN steps add, as :func:`strides_in` returns it."""
        return self._strides([row[0] for row in self.offsets])

    def _strides(self, sums: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
        """Return what steps add; None where they move an absolute LBO, too: such a sum is no number of bytes."""
        lbo = self.tile.kind.table.row(LBO).lo
        return None if any(summand >> lbo for summand in sums) else strides_in(sums)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; descriptors are for a stage that begins at byte 0."""
        tile = self.tile
        return {
            "swizzle": tile.swizzle,
            "order": tile.order,
            "major": tile.major,
            "dtype": tile.dtype.name,
            "shape": list(tile.shape),
            "why": self.why,
            "leading_byte_offset": tile.steps[0].lbo,
            "stride_byte_offset": tile.sbo,
            "lbo_mode": "absolute" if tile.absolute else "relative",
            "offset": self.offset,
            "bytes": self.bytes,
            "alignment": self.alignment,
            "atom": list(tile.atom),
            "atoms": list(tile.atoms),
            "descriptors": [[f"0x{value:016x}" for value in row] for row in self.descriptors],
            "k_strides": _strides_dict(self.k_strides),
            "mn_strides": _strides_dict(self.mn_strides),
            "k_bytes": self.k_bytes,
            "cute": self.cute,
            "cute_dsl": self.cute_dsl,
            "triton": self.triton,
            "triton_shape": None if self.triton_shape is None else list(self.triton_shape),
            "tma": None if self.filling is None else {**self.filling.to_dict(), **self._map_dict()},
        }

    def _map_dict(self) -> dict[str, str]:
        return {} if self.map is None else {"map": self.map.to_bytes(MAP_BYTES, "little").hex()}


class ScaleFactors(NamedTuple):
    """The scale factors of one operand in the shared memory of one CTA."""

    scales: Scales
    """Those of all rows; of the rows of one MN step, where each has blocks of its own."""
    sets: int
    """How many times such blocks follow each other: once, or once for each MN step."""
    added: tuple[int, ...]
    """What each MN step adds to the column of the first."""
    offset: int = 0
    """Where its first stage begins, in bytes from the beginning of the buffer."""

    @property
    def rows(self) -> int:
        """Rows of A, or columns of B, of the whole tile in one CTA."""
        return self.scales.rows * self.sets

    @property
    def blocks(self) -> int:
        """Blocks of 128 rows by 4 factors in a stage."""
        return self.scales.block_count * self.sets

    @property
    def bytes(self) -> int:
        """Bytes of one stage, in whole blocks."""
        return self.scales.bytes * self.sets

    @property
    def columns(self) -> int:
        """Columns of tensor memory."""
        return self.scales.columns * self.sets

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; offsets are in bytes."""
        return {
            "rows": self.rows,
            "factors": self.scales.factors,
            "offset": self.offset,
            "blocks": self.blocks,
            "columns": self.columns,
            "own_blocks": self.sets > 1,
            "mn_steps": [{"column": column} for column in self.added],
            "steps": [{"column": step.column, "id": step.id} for step in self.scales.steps],
        }


class ScalePlan(NamedTuple):
    """The scale factors of a block-scaled MMA."""

    dtype: str
    a: ScaleFactors
    """Those of the rows of A that one CTA has."""
    b: ScaleFactors
    """Those of all columns of B: each CTA of a pair has them all."""
    copy: int
    """The descriptor that ``tcgen05.cp`` copies a block with, at byte 0."""
    idescs: tuple[int, ...]
    """The instruction descriptor of each K step, with its scale-factor ids."""

    @property
    def vec(self) -> int:
        """Factors per row that an instruction reads: 2, as in ``.scale_vec::2X``."""
        return self.a.scales.each

    @property
    def block(self) -> int:
        """Elements of K that share one."""
        return self.a.scales.block

    @property
    def bytes(self) -> int:
        """Bytes of one stage in each CTA."""
        return self.a.bytes + self.b.bytes

    def to_dict(self, cta_group: int) -> dict[str, Any]:
        """Return the JSON object; the descriptor of the copy is for a block at byte 0."""
        return {
            "dtype": self.dtype,
            "scale_vec": self.vec,
            "block": self.block,
            "a_bytes": self.a.bytes,
            "b_bytes": self.b.bytes,
            "copy": COPY_INSTRUCTION.format(cta_group),
            "descriptor": f"0x{self.copy:016x}",
            "idescs": [f"0x{value:08x}" for value in self.idescs],
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
        }


class TensorMemory(NamedTuple):
    """Columns of each CTA's tensor memory that the tile needs."""

    d: Tmem
    """D of one instruction."""
    d_columns: int
    """Of all instructions of the tile."""
    a: Tmem | None
    """A of one instruction along M, with all of K; None if it is in shared memory."""
    a_columns: int
    """Of one stage."""
    scales: tuple[int, int]
    """Of the scale factors of A and of B, of one stage: the next are copied there in order with the MMAs."""
    metadata_columns: int
    """Of the metadata of a sparse A, of one stage."""
    stages: int
    """Those of A: its stages lie beside each other."""

    @property
    def loads(self) -> TmemLoads:
        """The loads of D of one instruction."""
        return epilogue_loads(self.d)

    @property
    def lanes(self) -> int:
        """Lanes of D of one instruction."""
        return 64 if self.d.path.half else 128

    @property
    def scale_columns(self) -> int:
        """Of the scale factors of both."""
        return sum(self.scales)

    @property
    def alloc_columns(self) -> int | None:
        """What to allocate for :attr:`columns`: ``tcgen05.alloc`` takes powers of two; None if they do not fit."""
        return columns_to_allocate(self.columns)

    @property
    def columns(self) -> int:
        """All columns: of A for all stages."""
        return self.d_columns + self.stages * self.a_columns + self.scale_columns + self.metadata_columns

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, in columns."""
        return {
            "layout": self.d.path.name,
            "lanes": self.lanes,
            "mma_columns": self.d.columns,
            "d_columns": self.d_columns,
            "d_loads": self._loads_dict(),
            "a_columns": self.a_columns,
            "a_packed": None if self.a is None else self.a.packed,
            "a_copies": None if self.a is None else self.a.copies,
            "scale_columns": self.scale_columns,
            "scale_a_columns": self.scales[0],
            "scale_b_columns": self.scales[1],
            "metadata_columns": self.metadata_columns,
            "columns": self.columns,
            "alloc_columns": self.alloc_columns,
            "limit": COLUMNS,
        }

    def _loads_dict(self) -> dict[str, Any]:
        loads = self.loads
        m, n = element_index(loads)
        starts = [number * loads.load.columns for number in range(loads.per_warp)]
        return {**loads.load.to_dict(loads.per_warp), "columns": starts, "m": m, "n": n}


class SharedMemory(NamedTuple):
    """Shared memory of one CTA, in bytes."""

    stage: int
    """Operands (and scale factors) of one stage."""
    total: int
    """All stages, with their mbarriers."""
    barriers: int
    """Where the mbarriers begin, in bytes from the beginning of the buffer."""
    limit: int | None
    """What a CTA can have; None: not known."""
    most: int | None
    """Stages that fit; None: not known."""


@shown(picture=True, text=True)
class Plan(NamedTuple):
    """All constants of a GEMM's tile."""

    arch: str
    mma: Mma
    """The MMA of the first step, as :func:`smemdesc.instructions.mma.judge_mma` judges it."""
    mnemonic: str
    shape: tuple[int, int, int]
    """M, N, K of the tile: with two CTAs, of both."""
    mma_shape: tuple[int, int, int]
    """M, N, K of one instruction: with two CTAs, of both."""
    cta_group: int
    idesc: int | None
    """The instruction descriptor; wgmma has none."""
    a: OperandPlan | None
    """None where A is not in shared memory."""
    b: OperandPlan
    stages: int
    scale: ScalePlan | None
    memory: SharedMemory
    tensor_memory: TensorMemory | None
    """None of wgmma."""
    remarks: tuple[str, ...]
    """How the names of the types were read."""
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        m, n, k = self.shape
        values = [("idesc", f"0x{self.idesc:08x}")] if self.idesc is not None else []
        values += [(operand.name.upper(), f"0x{operand.base:016x}") for operand in self.operands]
        constants = ", ".join(f"{name} {value}" for name, value in values)
        return f"plan {m}x{n}x{k} for {self.arch}: {self.mnemonic}, {constants}, {self.memory.stage} B per stage"

    @property
    def kind(self) -> str:
        """``wgmma`` or ``tcgen05``."""
        return self.mma.instruction.family

    @property
    def a_from(self) -> str:
        """Where A is: ``shared``, ``registers`` or ``tmem``."""
        return self.mma.instruction.a_from

    @property
    def operands(self) -> tuple[OperandPlan, ...]:
        """The operands in shared memory."""
        return (self.b,) if self.a is None else (self.a, self.b)

    @property
    def immediates(self) -> str:
        """The immediates of a wgmma for the major-ness of A and B; empty if it has none."""
        majors = (("a", self.mma.instruction.a_major), ("b", self.mma.instruction.b_major))
        if self.kind != "wgmma" or self.b.tile.dtype.name not in TRANSPOSED:
            return ""
        return ", ".join(f"imm-trans-{name} {int(major == 'MN')}" for name, major in majors if major)

    @property
    def tma_bytes(self) -> int:
        """Bytes that an mbarrier counts of TMA's copies per stage in one CTA: A, B and the scale factors.

        The padding of 4- and 6-bit elements in 8-bit containers does not count.
        """
        operands = sum(operand.filling.bytes for operand in self.operands if operand.filling is not None)
        return operands + (self.scale.bytes if self.scale else 0)

    @property
    def tma_pair_bytes(self) -> int | None:
        """The same of both CTAs, for a barrier that all their copies name; None if there is only one."""
        return self.cta_group * self.tma_bytes if self.cta_group > 1 else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks that the numbers do not show."""
        notes = [*self.remarks]
        if self.scale is not None:
            for factors in (self.scale.a, self.scale.b):
                name, rows = factors.scales.operand.upper(), factors.rows // len(factors.added)
                if factors.sets > 1:
                    notes.append(f"{name}: steps of {rows} would begin inside 32 lanes, so each has its own blocks")
                elif len(factors.added) > 1 and factors.scales.crosses:
                    notes.append(f"{name}: an instruction reads {rows} of {factors.rows} rows: {SECOND_COLUMN}")
            if self.cta_group > 1 and self.mma_shape[0] == 128:
                notes.append(TWO_BY_TWO)
        if self.mma.instruction.sparse:
            where = "in registers" if self.kind == "wgmma" else "in tensor memory; not counted in shared memory"
            notes.append(f"metadata of sparse A: {where}")
        return tuple(notes)

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not self.fails()

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return fails(self.findings, strict)

    @property
    def steps(self) -> tuple[int, int, int]:
        """The number of instructions per stage along M, N and K."""
        (m, n, k), (one_m, one_n, one_k) = self.shape, self.mma_shape
        return m // one_m, n // one_n, k // one_k

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; descriptors are for a stage that begins at byte 0."""
        memory, scale = self.memory, self.scale
        return {
            "instruction": self.mnemonic,
            "arch": self.arch,
            "shape": list(self.shape),
            "mma": list(self.mma_shape),
            "steps": list(self.steps),
            "cta_group": self.cta_group,
            "idesc": None if self.idesc is None else f"0x{self.idesc:08x}",
            "a": None if self.a is None else self.a.to_dict(),
            "b": self.b.to_dict(),
            "a_from": "smem" if self.a is not None else self.a_from,
            "stages": self.stages,
            "shared_memory": {
                "stage": memory.stage,
                "tma_bytes": self.tma_bytes,
                "tma_pair_bytes": self.tma_pair_bytes,
                "mbarriers": {"offset": memory.barriers, "bytes": BARRIERS},
                "bytes": memory.total,
                "limit": memory.limit,
                "stages_that_fit": memory.most,
            },
            "tensor_memory": None if self.tensor_memory is None else self.tensor_memory.to_dict(),
            "scale": None if scale is None else scale.to_dict(self.cta_group),
            "notes": list(self.notes),
            "verdict": verdict(self.findings),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def bare(self, name: str) -> str:
        """Return a part of the plan as text: by its key in JSON or its name as a constant, ``a.descriptor``.

        Several numbers are separated by blanks, objects are JSON. :class:`smemdesc.engine.errors.FieldError` if it has
        no such part.
        """
        parts = dict(_parts(self.to_dict()))
        for group in constants(self):
            prefix = f"{group.name}." if group.name else ""
            parts |= {f"{prefix}{item.name}": " ".join(item.words) for item in group.items}
        inside, dot, last = name.strip().lower().rpartition(".")
        known = (part for part in (f"{inside}{dot}{last}", f"{inside}{dot}{field_alias(last)}") if part in parts)
        part = next(known, None)
        if part is None:
            beside = [key for key in parts if key.rpartition(".")[0] == inside] or [
                key for key in parts if "." not in key
            ]
            raise FieldError(
                name, f"a plan has no {name!r}", hint=nearest(name, parts, f"there are {', '.join(beside)}")
            )
        if parts[part] is None:
            raise FieldError(name, f"this plan has no {part}", hint="smemdesc plan --json has null there")
        return _text_of(parts[part])


def _parts(data: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of a JSON object and of the objects in it, with the keys on the way to it."""
    for key, value in data.items():
        yield inside + key, value
        if isinstance(value, dict):
            yield from _parts(value, f"{inside}{key}.")


def _text_of(value: Any) -> str:
    if isinstance(value, list) and not any(isinstance(item, dict) for item in value):
        return " ".join(map(_text_of, value))
    return value if isinstance(value, str) else json.dumps(value)


def constants(plan: Plan) -> list[ConstantGroup]:
    """Return all constants of a plan; addresses and descriptors begin at byte 0."""
    m, n, k = plan.shape
    one_m, one_n, one_k = plan.mma_shape
    whose = "the pair's tile" if plan.cta_group > 1 else "the tile"
    items = [
        PlanConstant("tile_m", 32, m, whose),
        PlanConstant("tile_n", 32, n),
        PlanConstant("tile_k", 32, k, "of one stage"),
        PlanConstant("mma_m", 32, one_m, "one instruction" + (" of both CTAs" if plan.cta_group > 1 else "")),
        PlanConstant("mma_n", 32, one_n),
        PlanConstant("mma_k", 32, one_k),
        PlanConstant("cta_group", 32, plan.cta_group),
        PlanConstant("stages", 32, plan.stages),
    ]
    if plan.idesc is not None:
        items.append(PlanConstant("idesc", 32, plan.idesc, "instruction descriptor", hex=True))
    items += [
        PlanConstant("stage_bytes", 32, plan.memory.stage, "in each CTA" if plan.cta_group > 1 else ""),
        PlanConstant("shared_bytes", 32, plan.memory.total, "all stages, with their mbarriers"),
        *_expected_constants(plan),
        PlanConstant("mbarrier_offset", 32, plan.memory.barriers, f"of the mbarriers, {BARRIERS} bytes per stage"),
    ]
    constants = [
        ConstantGroup("", "; ".join(filter(None, (plan.mnemonic, plan.immediates))), tuple(items)),
        *(_operand_constants(plan, operand) for operand in plan.operands),
    ]
    if plan.scale is not None:
        constants.append(_scale_constants(plan.scale))
    if plan.tensor_memory is not None:
        constants.append(_tensor_memory_constants(plan.tensor_memory))
    return constants


def _expected_constants(plan: Plan) -> Iterator[PlanConstant]:
    if plan.tma_pair_bytes is None:
        yield PlanConstant("tma_stage_bytes", 32, plan.tma_bytes, "what the mbarrier of a stage expects from TMA")
        return
    yield PlanConstant("tma_stage_bytes", 32, plan.tma_bytes, "what each CTA's mbarrier expects of its own copies")
    yield PlanConstant(
        "tma_pair_bytes", 32, plan.tma_pair_bytes, "what the leader's expects if both CTAs' copies name it"
    )


def _scale_constants(scale: ScalePlan) -> ConstantGroup:
    def columns(factors: ScaleFactors) -> tuple[int, ...]:
        return tuple(step.column for step in factors.scales.steps)

    items = (
        PlanConstant("a_offset", 32, scale.a.offset, "of the first stage, in bytes; stages follow each other"),
        PlanConstant("b_offset", 32, scale.b.offset),
        PlanConstant("a_bytes", 32, scale.a.bytes, "of one stage, in blocks of 512: 128 rows x 4 factors"),
        PlanConstant("b_bytes", 32, scale.b.bytes),
        PlanConstant(
            "copy_descriptor", 64, scale.copy, "base descriptor of a block; add (block address >> 4)", hex=True
        ),
        PlanConstant("block_columns", 32, 4, "of tensor memory, for each block"),
        PlanConstant("a_columns", 32, columns(scale.a), "[K step], added to the address of the factors"),
        PlanConstant("b_columns", 32, columns(scale.b)),
        PlanConstant("a_mn_columns", 32, scale.a.added, "[MN step], added as well"),
        PlanConstant("b_mn_columns", 32, scale.b.added),
        PlanConstant("ids", 32, tuple(step.id for step in scale.a.scales.steps), "[K step], of A and B"),
        PlanConstant("idesc", 32, scale.idescs, "[K step], with the ids", hex=True),
    )
    return ConstantGroup("scale", f"scale factors in {scale.dtype}, one for {scale.block} of K", items)


def _tensor_memory_constants(memory: TensorMemory) -> ConstantGroup:
    loads = memory.loads
    split = f", immHalfSplitoff {loads.load.split}" if loads.load.split else ""
    items: tuple[PlanConstant, ...] = (
        PlanConstant(
            "d_columns", 32, memory.d_columns, f"layout {memory.d.path.name}, {memory.d.columns} of one instruction"
        ),
        PlanConstant("d_mma_columns", 32, memory.d.columns, "of D of one instruction"),
        PlanConstant("d_loads", 32, loads.per_warp, f"of each warp, of one instruction's D: {loads.load.text}{split}"),
        PlanConstant("d_load_columns", 32, loads.load.columns, "of one load"),
        PlanConstant("d_load_registers", 32, loads.load.registers),
        PlanConstant("a_columns", 32, memory.a_columns, "of one stage"),
        PlanConstant("scale_columns", 32, memory.scale_columns, "of one stage"),
        PlanConstant("scale_a_columns", 32, memory.scales[0], "of A"),
        PlanConstant("scale_b_columns", 32, memory.scales[1], "of B"),
        PlanConstant("metadata_columns", 32, memory.metadata_columns, "of one stage"),
        PlanConstant("columns", 32, memory.columns, f"of {COLUMNS}, with all stages of A"),
    )
    if memory.alloc_columns is not None:
        comment = "for tcgen05.alloc and .dealloc, which take powers of two"
        items = (*items, PlanConstant("alloc_columns", 32, memory.alloc_columns, comment))
    return ConstantGroup("tmem", "columns of tensor memory of each CTA", items)


def _operand_constants(plan: Plan, operand: OperandPlan) -> ConstantGroup:
    tile = operand.tile
    where = "in each CTA's shared memory" if plan.cta_group > 1 else "in shared memory"
    comment = (
        f"{operand.name.upper()}: {tile.shape} {tile.dtype.name} {where}, {tile.major}-major, swizzle {tile.swizzle}"
    )
    to = " to the start and to LBO (bit 16), which is an address, too" if tile.absolute else ""
    items = [
        PlanConstant("offset", 32, operand.offset, "of the first stage, in bytes; stages follow each other"),
        PlanConstant("bytes", 32, operand.bytes, "of one stage"),
        PlanConstant("alignment", 32, operand.alignment),
        PlanConstant("leading_byte_offset", 32, tile.steps[0].lbo),
        PlanConstant("stride_byte_offset", 32, tile.sbo),
        PlanConstant("mn_major", 32, int(tile.major == "MN")),
        PlanConstant("mn_steps", 32, len(operand.descriptors)),
        PlanConstant("k_steps", 32, len(operand.descriptors[0])),
        PlanConstant("descriptor", 64, operand.base, f"base descriptor; add (stage address >> 4){to}", hex=True),
        PlanConstant("offsets", 64, operand.offsets, "[MN step][K step], added to the descriptor"),
    ]
    if operand.filling is not None:
        box, copies = operand.filling
        items += [
            PlanConstant("tma_type", 0, box.data_type, type="CUtensorMapDataType"),
            PlanConstant("tma_box", 32, box.box, f"elements: {'K, then MN' if tile.major == 'K' else 'MN, then K'}"),
            PlanConstant("tma_swizzle", 0, box.tma_swizzle, type="CUtensorMapSwizzle"),
            PlanConstant("tma_interleave", 0, "CU_TENSOR_MAP_INTERLEAVE_NONE", type="CUtensorMapInterleave"),
            PlanConstant("tma_bytes", 32, box.bytes, operand.filling.size.replace(f"{box.bytes} B", "of one copy")),
            PlanConstant("tma_copies", 32, len(copies)),
            PlanConstant(
                "tma_copy", 32, tuple(tuple(copy) for copy in copies), "each: MN, K (elements), where it goes (bytes)"
            ),
        ]
    if operand.map is not None:
        words = tuple(operand.map >> at & ones(64) for at in range(0, MAP_BITS, 64))
        items.append(PlanConstant("tma_map", 64, words, "CUtensorMap, to be aligned to 64 bytes", hex=True))
    return ConstantGroup(operand.name, comment, tuple(items))
