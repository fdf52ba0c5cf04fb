"""What the instructions of one kernel take of its tensor memory."""

from __future__ import annotations

from smemdesc.instructions.mma import Judge
from smemdesc.rules.tensor_memory_use import tensor_memory_uses
from smemdesc.scanning.model import Function
from smemdesc.scanning.model.tensor_memory import TAKERS, TensorMemoryPicture, merged_columns


def tensor_memory_of(function: Function, judge: Judge) -> TensorMemoryPicture | None:
    """Return what a function allocates of tensor memory and takes of it; None if it allocates nothing."""
    if not function.allocations:
        return None
    taken: dict[str, set[tuple[int, int]]] = {}
    unknown = dict[str, None]()
    for mma in function.mmas:
        if mma.instruction.accessed is not None:
            continue
        judged, model = judge.judge(mma.model), mma.model
        idesc = None if judged.idesc is None else judged.idesc.fields
        for use in tensor_memory_uses(mma.instruction, idesc, judged.contexts[0], model.tensor_memory):
            # With several allocations it is not known which one an address is counted from.
            if use.place is None or use.columns is None or len(function.allocations) > 1:
                unknown[use.operand] = None
            else:
                taken.setdefault(use.operand, set()).add((use.place, use.place + use.columns))
    parts = (part for operand in TAKERS for part in merged_columns(operand, taken.get(operand, ())))
    return TensorMemoryPicture(function.allocations, tuple(parts), tuple(unknown))
