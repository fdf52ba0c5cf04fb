"""The instructions that access or allocate tensor memory and read no descriptor: loads, stores, shifts, allocations.

A front end looks at their addresses as at those of MMAs. Then :func:`settled` keeps the accesses to a place that does
not exist, and notes in the MMAs what their kernel allocates.
"""

from __future__ import annotations

from collections.abc import Sequence

from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.context import NOTHING
from smemdesc.layout.tmem_load import SHAPES, TmemLoad, load_shape_of
from smemdesc.rules.tensor_memory_use import ALLOCATIONS, judge_tensor_memory
from smemdesc.scanning.analysis.operands import OperandNames, TmemAddress
from smemdesc.scanning.analysis.siblings import with_siblings
from smemdesc.scanning.languages.mma import Understood
from smemdesc.scanning.model import Function, Instruction, ScannedMma

ALLOCATION, FREEING = ALLOCATIONS
SHIFTED = 8
"""The columns of the 32 bytes of each lane that a shift moves."""
_SHAPES = {shape.name for shape in SHAPES}
_SPLIT = SHAPES[-1].name
_UNIT = {"SASS": 32}
"""The columns that the operand of an allocation counts in; in other languages 1."""


def allocation(columns: object, family: str = ALLOCATION) -> Understood:
    """Return an allocation of so many columns, or that they are freed."""
    return Instruction(family), OperandNames(None, None, memory=(TmemAddress("columns", columns),))


def access(family: str, address: TmemAddress, lanes: int, columns: int) -> Understood:
    """Return an access that moves so many lanes, and columns from its address on."""
    return Instruction(family, accessed=(lanes, columns)), OperandNames(None, None, memory=(address,))


def move(
    family: str, address: TmemAddress, words: Sequence[str], split: int | None = None, pack: bool = False
) -> Understood | None:
    """Return a load or a store from the words of its name; None if its shape is unknown.

    ``split``: where the second half of its threads begins, in columns.
    """
    name = next((word for word in words if word in _SHAPES), None)
    times = next((int(word[1:]) for word in words if word[:1] == "x" and word[1:].isdecimal()), None)
    if name is None or times is None:
        return None
    shape = load_shape_of(name)
    load = TmemLoad(shape, times, pack)
    columns = load.columns
    if name == _SPLIT:
        columns //= 2  # of each half
        columns = max(columns, columns + (split or 0))
    return access(family, address, shape.lanes, columns)


def repetitions(name: str, registers: int) -> int:
    """Return how often a shape is repeated in a load of so many registers; 0 if there is no such shape."""
    return registers >> len(load_shape_of(name).register) if name in _SHAPES else 0


def settled(function: Function, closed: bool) -> Function | None:
    """Return a function with its MMAs, and the accesses to a place that does not exist; None if nothing is left.

    ``closed``: whether all tensor memory that it uses is allocated in it. Then its MMAs know how much that is, if it is
    allocated once.
    """
    unit = _UNIT.get(function.format, 1)
    mmas = [_with_columns(mma, unit) if mma.instruction.family in ALLOCATIONS else mma for mma in function.mmas]
    sizes = tuple([_columns(mma) for mma in mmas if mma.instruction.family == ALLOCATION])
    allocated = sizes[0] if closed and len(sizes) == 1 else None
    kept = [mma for mma in mmas if not _is_right_access(mma, allocated)]
    if not (kept or function.unread or function.maps):
        return None
    function = function._replace(allocations=sizes)
    return function._replace(mmas=with_siblings([mma._replace(allocated=allocated) for mma in kept]))


def _with_columns(mma: ScannedMma, unit: int) -> ScannedMma:
    """Return an allocation with its columns as of an access; without, if they are not known."""
    (columns,) = mma.tensor_memory
    known = (0, columns.bits * unit) if columns.known == ones(WORD) else None
    return mma._replace(instruction=mma.instruction._replace(accessed=known), tensor_memory=())


def _columns(mma: ScannedMma) -> int | None:
    return None if mma.instruction.accessed is None else mma.instruction.accessed[1]


def _is_right_access(mma: ScannedMma, allocated: int | None) -> bool:
    """Whether it is an access of tensor memory with which nothing is wrong, as far as its address is known."""
    if mma.instruction.family in ALLOCATIONS and mma.instruction.accessed is None:
        return True
    addresses = [address.located for address in mma.tensor_memory]
    return (
        mma.instruction.accessed is not None
        and not mma.shared
        and not judge_tensor_memory(mma.instruction, None, NOTHING, addresses, allocated)
    )
