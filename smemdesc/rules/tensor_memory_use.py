"""Rules for what an instruction reads and writes in tensor memory: D, A and scale factors of an MMA, loads, stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, FieldReading, ones
from smemdesc.engine.wording import either, many
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import Fields, Instruction, field_number, of
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.tmem import ALLOCATION_SIZES, COLUMNS, LANES, TMEM_SOURCE, columns_to_allocate
from smemdesc.layout.tmem import DataPath, data_path
from smemdesc.rules.base import Finding, Problem, case_rule, error, explained


class TensorMemoryAddress(NamedTuple):
    """An address of tensor memory in an instruction: the operand, the known bits, and the mask of them."""

    operand: str
    """``d``, ``a``, ``scale_a``, ``scale_b``; ``at`` for a load, a store, a shift or a copy."""
    bits: int
    known: int
    allocated: int | None = None
    """If it is the address that ``tcgen05.alloc`` returned plus a number: this number."""


class TensorMemoryUse(NamedTuple):
    """What an instruction reads or writes from an address of tensor memory on."""

    operand: str
    address: TensorMemoryAddress | None
    """None where nothing is known."""
    columns: int | None = None
    """Columns from there on, at least; None if unknown."""
    lanes: tuple[int, ...] = ()
    """The lanes at which it may begin; empty: any."""
    needs: str = ""
    """What needs the columns, in words."""
    is_whole: bool = False
    """Whether it takes up all lanes of these columns."""

    @property
    def name(self) -> str:
        """The operand, in words."""
        return _NAMES[self.operand]

    @property
    def lane(self) -> int | None:
        """The lane at which it begins, if it is known."""
        lane = self._field("lane")
        return lane & ones(_COLUMN_BITS - _BYTE_BITS) if lane is not None and self.operand.startswith("scale") else lane

    @property
    def column(self) -> int | None:
        """The column at which it begins, if it is known."""
        return self._field("column")

    @property
    def after(self) -> int:
        """How many columns after the allocated address it begins, at least."""
        return self.place or 0

    @property
    def place(self) -> int | None:
        """How many columns after the first allocated one it begins, if that is known.

        A kernel whose addresses are numbers takes the allocated columns to begin at column 0.
        """
        if self.address is None or self.address.allocated is None:
            return self.column
        number = self.address.allocated & (ones(WORD - _BYTE_BITS) if self.operand.startswith("scale") else ones(WORD))
        return number & ones(_COLUMN_BITS) if 0 <= number < LANES << _COLUMN_BITS else None

    def _field(self, key: str) -> int | None:
        if self.address is None:
            return None
        readings: dict[str, FieldReading] = kind_of("tmem").table.read(self.address.bits, self.address.known)
        return readings[key].raw


class TensorMemoryUses(NamedTuple):
    """All that one instruction reads and writes in tensor memory."""

    uses: tuple[TensorMemoryUse, ...]
    allocated: int | None
    """The columns that the kernel allocates; None if that is not certain."""


class TensorMemoryColumns(NamedTuple):
    """A ``tcgen05.alloc`` or a ``tcgen05.dealloc``."""

    name: str
    columns: int
    """How many it allocates, or frees."""
    allocated: int | None
    """As of :class:`TensorMemoryUses`."""


_NAMES = {
    "d": "D",
    "a": "A",
    "scale_a": "the scale factors of A",
    "scale_b": "the scale factors of B",
    "at": "the instruction",
}
_COLUMN_BITS = 16
"""The bits of an address below its lane."""
_BYTE_BITS = 2
"""The highest bits, in which CUTLASS keeps the byte of a scale factor."""


def _kernel(code: str) -> str:
    """Return a kernel with an MMA of M 128 and N 128 whose D is where ``code`` says."""
    return (
        ".version 9.0\n.target sm_100a\n.visible .entry k()\n{\n"
        "mov.b64 %rd1, 0x4000404000010040;\nmov.b64 %rd2, 0x4000404000010440;\nmov.b32 %r1, 0x08200490;\n"
        f"{code}\ntcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;\n}}\n"
    )


@explained(
    "Tensor memory has 128 lanes of 512 columns. An instruction that begins too far on takes columns that do not "
    "exist; a carry, or a shift by a wrong number of bits, gives a lane that does not exist. The access faults.",
    "smemdesc scan k.ptx",
    "%r2, 384 for %r2, 448",
    _kernel("mov.b32 %r2, 448;"),
)
@case_rule(f"{TMEM_SOURCE}; compute-sanitizer's guardrail access_out_of_physical_bounds")
def outside_tensor_memory(case: TensorMemoryUses) -> Iterator[Problem]:
    """What an instruction reads and writes lies in the 128 lanes and 512 columns of tensor memory."""
    for use in case.uses:
        lane, column, columns = use.lane, use.column, use.columns or 1
        if lane is not None and lane >= LANES:
            yield error(
                f"{use.name} begins at lane {lane}: tensor memory has lanes 0 to {LANES - 1}",
                fix=f"an address is the lane << 16, plus the column; begin at lane {_lanes(use)}",
                fields=("lane",),
            )
        if column is None or column + columns <= COLUMNS:
            continue
        there = f"tensor memory has columns 0 to {COLUMNS - 1}"
        if column >= COLUMNS:
            yield error(
                f"{use.name} begins at column {column}: {there}",
                "a byte offset: columns are words of 32 bits" if column < WORD // 8 * COLUMNS else "",
                fields=("column",),
            )
        else:
            yield error(
                f"{use.name} takes columns {column} to {column + columns - 1} ({use.needs}): {there}",
                fix=f"begin at column {COLUMNS - columns} or lower" if columns <= COLUMNS else "",
                fields=("column",),
            )


@explained(
    "An instruction moves lanes in blocks: a load or a store all 32 lanes of a warp or half of them, an MMA as many as "
    "its layout takes. A first lane between them reaches lanes of another warp, or none.",
    "smemdesc scan k.ptx",
    "0x00100000 for 0x00080000",
    _kernel("mov.b32 %r3, 0x00080000;\ntcgen05.ld.sync.aligned.16x64b.x1.b32 {%r4}, [%r3];"),
)
@case_rule("PTX ISA 9.1, 9.7.16.2.3 and 9.7.16.10.5; compute-sanitizer's guardrail invalid_datapath_alignment")
def first_lane(case: TensorMemoryUses) -> Iterator[Problem]:
    """An instruction begins at a lane at which the lanes that it moves at once begin."""
    for use in case.uses:
        if use.lanes and use.lane is not None and use.lane < LANES and use.lane not in use.lanes:
            yield error(
                f"{use.name} begins at lane {use.lane}, not at {_lanes(use)}",
                fix="an address is the lane << 16, plus the column",
                fields=("lane",),
            )


def _lanes(use: TensorMemoryUse) -> str:
    """Return the lanes at which it may begin, in words."""
    if len(use.lanes) > _FEW:
        return f"0 or another multiple of {use.lanes[1]}"
    return either(list(use.lanes)) if use.lanes else f"0 to {LANES - 1}"


_FEW = 4
"""At most this many lanes are listed."""


@explained(
    "A kernel may use only the columns of tensor memory that it allocated. Beyond them are those of another CTA of the "
    "multiprocessor: its results are overwritten, or the access faults.",
    "smemdesc scan k.ptx",
    "[%r5], 128 for [%r5], 64",
    _kernel(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 64;\nld.shared.b32 %r2, [%r5];",
    ),
)
@case_rule("PTX ISA 9.1, 9.7.16.1; compute-sanitizer's guardrail unallocated_columns_access")
def not_allocated(case: TensorMemoryUses) -> Iterator[Problem]:
    """D, and A and the scale factors beside it, fit the columns of tensor memory that the kernel allocates."""
    if case.allocated is None:
        return
    known = [use for use in case.uses if use.columns is not None]
    whole = next((use for use in known if use.operand == "d" and use.is_whole), None)
    # What lies beside D lies there once: both scale factors may be the same.
    beside = max((use for use in known if use.operand != "d"), key=lambda use: use.columns or 0, default=None)
    parts = [[use] for use in known] + ([[whole, beside]] if whole is not None and beside is not None else [])
    for part in parts:
        if _end(part) > case.allocated:
            yield _too_few(part, case.allocated)
            return


def _end(part: Sequence[TensorMemoryUse]) -> int:
    """Return the column after the last one of uses beside each other, counted from the first allocated column."""
    return _after(part) + sum(use.columns or 0 for use in part)


def _after(part: Sequence[TensorMemoryUse]) -> int:
    return part[0].after if len(part) == 1 else 0


def _too_few(part: Sequence[TensorMemoryUse], allocated: int) -> Problem:
    """Return that uses beside each other take more columns than those that are allocated."""
    after, columns = _after(part), sum(use.columns or 0 for use in part)
    several = len(part) > 1 or part[0].operand.startswith("scale")
    return error(
        f"{' and '.join(use.name for use in part)} {'take' if several else 'takes'} "
        f"{many(columns, 'column')} ({', '.join(use.needs for use in part)})"
        f"{f' from column {after} of the allocated ones on' if after else ''}, "
        f"but the kernel allocates {allocated}",
        fix=_enough(_end(part)),
        fields=("column",) if after else (),
    )


def _enough(columns: int) -> str:
    """Return what to do for so many columns."""
    enough = columns_to_allocate(columns)
    return f"allocate {enough} columns" if enough else ""


@explained(
    "Columns of tensor memory are allocated by powers of two. Of 136 that D and the scale factors take, 256 have to be "
    "allocated; ptxas refuses another constant, but not another number in a register.",
    "smemdesc scan k.ptx",
    "%r6, 256 for %r6, 136",
    _kernel(
        "mov.b32 %r6, 136;\ntcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], %r6;\n"
        "ld.shared.b32 %r2, [%r5];",
    ),
)
@case_rule("PTX ISA 9.1, 9.7.16.7.1; compute-sanitizer's guardrail allocation_granularity_invalid")
def allocation_size(case: TensorMemoryColumns) -> Problem | None:
    """A kernel allocates 32, 64, 128, 256 or 512 columns of tensor memory."""
    if case.columns in ALLOCATION_SIZES:
        return None
    return error(
        f"{case.name} of {many(case.columns, 'column')}: a number of columns is a power of two from 32 to 512",
        fix=_enough(case.columns) if case.name.endswith(".alloc") else "",
    )


@explained(
    "A kernel that ends before it has freed all columns that it allocated leaves them taken: the next CTA that "
    "allocates columns waits forever.",
    "smemdesc scan k.ptx",
    "%r2, 128; for %r2, 64;",
    _kernel(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 128;\nld.shared.b32 %r2, [%r5];\n"
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;",
    ),
)
@case_rule("PTX ISA 9.1, 9.7.16.7.1; compute-sanitizer's guardrail col_being_dealloced_not_returned_by_alloc")
def freed_columns(case: TensorMemoryColumns) -> Problem | None:
    """A kernel that allocates tensor memory once frees as many columns."""
    if case.allocated is None or not case.name.endswith(".dealloc") or case.columns == case.allocated:
        return None
    return error(
        f"{case.name} of {many(case.columns, 'column')}, but the kernel allocates {case.allocated}",
        fix=f"free {case.allocated} columns",
    )


RULES = (outside_tensor_memory, first_lane, not_allocated, allocation_size, freed_columns)


def judge_tensor_memory(
    instruction: Instruction,
    idesc: Fields | None,
    of_a: Context,
    addresses: Iterable[TensorMemoryAddress],
    allocated: int | None = None,
) -> tuple[Finding, ...]:
    """Return what is wrong with the places in tensor memory of an instruction.

    ``of_a`` is what is known of A, ``allocated`` the columns that the kernel allocates, if that is certain.
    """
    if instruction.family in ALLOCATIONS:
        columns = TensorMemoryColumns(instruction.family, (instruction.accessed or (0, 0))[1], allocated)
        return tuple(finding for rule in (allocation_size, freed_columns) for finding in rule.apply(columns))
    places = list(addresses)
    if not places and allocated is None:
        return ()
    case = TensorMemoryUses(tuple(tensor_memory_uses(instruction, idesc, of_a, places)), allocated)
    return tuple(finding for rule in (outside_tensor_memory, first_lane, not_allocated) for finding in rule.apply(case))


ALLOCATIONS = ("tcgen05.alloc", "tcgen05.dealloc")
"""The instructions that allocate and free columns."""


def tensor_memory_uses(
    instruction: Instruction, idesc: Fields | None, of_a: Context, addresses: Iterable[TensorMemoryAddress]
) -> Iterator[TensorMemoryUse]:
    """Yield what an instruction reads or writes in tensor memory."""
    known = {address.operand: address for address in addresses}
    if instruction.family == "tcgen05.cp":
        # A copy to 128 lanes begins at lane 0; of the others that is not documented.
        rows, bits = instruction.copied or (0, 0)
        columns = bits // WORD or None
        needs = f"{rows} rows of {bits} bits"
        yield TensorMemoryUse("at", known.get("d"), columns, (0,) if rows == LANES else (), needs)
    elif instruction.accessed is not None:
        lanes, columns = instruction.accessed
        first = tuple(range(0, LANES, lanes)) if lanes > 1 else ()
        yield TensorMemoryUse("at", known.get("at"), columns, first, f"it moves {many(columns, 'column')}")
    elif instruction.family == "tcgen05":
        yield from _of_mma(instruction, idesc, of_a, known)


def _of_mma(
    instruction: Instruction, idesc: Fields | None, of_a: Context, known: dict[str, TensorMemoryAddress]
) -> Iterator[TensorMemoryUse]:
    m, n, group = field_number(idesc, "m"), field_number(idesc, "n"), instruction.cta_group
    paths = _paths(instruction, idesc, m)
    lanes = ((0, 16) if paths[0].half else (0,)) if len({path.half for path in paths}) == 1 else ()
    case = f"M {m}, N {n}, cta_group::{group}{'.ws' if instruction.ws else ''}"
    columns = min((n // path.parts for path in paths), default=None) if n else None
    yield TensorMemoryUse("d", known.get("d"), columns, lanes, case, bool(lanes) and not paths[0].half)
    if instruction.a_from == "tmem":
        k, dtype = of_a.shape[1] if of_a.shape else None, of_a.dtype
        size = k * dtype.storage // WORD if k and dtype is not None else None
        needs = f"K {k} of {dtype.name}" if dtype is not None else ""
        yield TensorMemoryUse("a", known.get("a"), size, lanes, needs, bool(lanes) and not paths[0].half)
    for operand, rows in (("scale_a", m), ("scale_b", n)):
        if operand in known or instruction.scale_vec is not None:
            # Four factors of 32 rows are in a column; with two CTAs each has at least its half.
            size = -(-rows // group // _ROWS) if rows and group else None
            of_cta = f"{rows // group} rows" if rows and group else ""
            yield TensorMemoryUse(operand, known.get(operand), size, (), of_cta)


_ROWS = 32
"""Rows whose scale factors are in one column."""


def _paths(instruction: Instruction, idesc: Fields | None, m: int | None) -> list[DataPath]:
    """Return the possible layouts of D; empty if there is none, or too little is known."""
    group, ws = instruction.cta_group, instruction.ws
    if m is None or group is None or ws is None:
        return []
    sparse = of(idesc, "sparse")
    cases = [sparse] if isinstance(sparse, bool) else [False, True]
    try:
        return [data_path(m, group, ws=ws, sparse=case) for case in cases]
    except SmemdescError:  # the rules of the instruction descriptor say so
        return []
