"""Every descriptor of every plan is clean under ``mma --strict``, but for what the plan itself says."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rules.test_operands import whole
from samples import some

import smemdesc
from smemdesc import SmemdescError
from smemdesc.api.planning import plan
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.model import MmaOperand
from smemdesc.instructions.plan import OperandPlan, Plan
from smemdesc.kinds.names import BLACKWELL, BLOCK_SCALED, HOPPER, MMA_KINDS
from smemdesc.kinds.types import DTYPE_NAMES, dtype_of, read_by
from smemdesc.rules.base import NOTE, WARNING
from smemdesc.rules.mistakes import stride_not_divided
from smemdesc.rules.strides import UNDIVIDED


def some_plan(random: Random) -> Plan:
    """Return a plan of some kind, type, architecture and shape that has room in shared memory."""
    kind = random.choice((None, *MMA_KINDS, "mxf4", "mxf4nvf4"))
    types = [each for each in DTYPE_NAMES if dtype_of(each).wgmma] if kind is None else read_by(kind)
    shape = random.choice((64, 128, 256)), 8 * random.randint(1, 32), 64 * random.randint(1, 4)
    asked: dict[str, Any] = {"arch": random.choice(HOPPER if kind is None else BLACKWELL), "mma_kind": kind}
    asked |= {f"{name}_major": random.choice(("K", "K", "MN")) for name in "ab"}
    asked |= {"sparse": not random.randrange(4), "order": random.choice((None, "mn", "k"))}
    asked["swizzle"] = random.choice((None, None, "none", "32B", "64B", "128B", "128B_32B"))
    asked["a_from"] = random.choice(("smem", "smem", "registers" if kind is None else "tmem"))
    if kind is not None:
        asked |= {"cta_group": random.randint(1, 2), "mma": shape[:2]}
    if kind in BLOCK_SCALED:
        asked |= {"scale": random.choice((None, "ue8m0", "ue4m3", "ue5m3")), "block": random.choice((None, 16, 32))}
        k = random.choice((64, 96))
        asked["mma"] = random.choice((shape[:2], (*shape[:2], k)))
        shape = (*shape[:2], 384) if k == 96 else shape
    try:
        made = plan(shape, dtype=random.choice(types), **asked)
    except SmemdescError:
        return some_plan(random)
    return made if made.memory.most else some_plan(random)


def descriptor(operand: OperandPlan | None, step: int) -> MmaOperand | None:
    """Return the descriptor of a K step, where the operand lies in the buffer of the plan."""
    if operand is None:
        return None
    start = operand.offset >> 4
    return whole(operand.descriptors[0][step] + start + (start << 16 if operand.tile.absolute else 0))


@some(48, least=6)
@given(st.integers(0, 1 << 32).map(lambda seed: some_plan(Random(seed))))
def test_every_descriptor_of_a_plan_is_clean(made: Plan) -> None:
    told = {(each.severity, each.rule) for each in made.findings}
    # K-major rows of 16 atoms: without the tile, they look like a stride left in bytes.
    if any(each.tile.order == "k" for each in (made.a, made.b) if each):
        told |= {(WARNING, rule) for rule in (*UNDIVIDED, stride_not_divided.name)}
    for step in range(made.steps[2]):
        a, b = descriptor(made.a, step), descriptor(made.b, step)
        idesc = made.scale.idescs[step] if made.scale else made.idesc
        one = made.mma._replace(a=a, b=b, idesc=None if idesc is None else whole(idesc, 32))
        assert {(each.severity, each.rule) for _, each in judge_mma(one).findings if each.severity != NOTE} <= told
    if made.scale is not None:
        assert not smemdesc.decode(made.scale.copy, kind="tcgen05", arch=made.arch).fails(strict=True)
