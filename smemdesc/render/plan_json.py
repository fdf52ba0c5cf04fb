"""The JSON of a plan."""

from __future__ import annotations

from typing import Any

from smemdesc.instructions.planning import BARRIERS, Factors, Plan, Side, TensorMemory
from smemdesc.layout.scales import COPY
from smemdesc.layout.tmem import COLUMNS
from smemdesc.render.json import finding_dict


def plan_dict(plan: Plan) -> dict[str, Any]:
    """Return the object of a plan; descriptors are those of a stage that begins at byte 0."""
    memory = plan.memory
    out: dict[str, Any] = {
        "instruction": plan.mnemonic,
        "arch": plan.arch,
        "shape": list(plan.shape),
        "mma": list(plan.mma_shape),
        "steps": list(plan.steps),
        "cta_group": plan.cta_group,
        "idesc": None if plan.idesc is None else f"0x{plan.idesc:08x}",
        "a": None if plan.a is None else _side(plan.a),
        "b": _side(plan.b),
        "a_from": "smem" if plan.a is not None else plan.a_from,
        "stages": plan.stages,
        "shared_memory": {
            "stage": memory.stage,
            "tma_bytes": plan.tma_bytes,
            "mbarriers": {"offset": memory.barriers, "bytes": BARRIERS},
            "bytes": memory.total,
            "limit": memory.limit,
            "stages_that_fit": memory.most,
        },
        "tensor_memory": None if plan.tensor_memory is None else _tensor(plan.tensor_memory),
        "scale": None,
        "notes": list(plan.notes),
        "findings": [finding_dict(each) for each in plan.findings],
    }
    if plan.scale is not None:
        scale = plan.scale
        out["scale"] = {
            "dtype": scale.dtype,
            "scale_vec": scale.vec,
            "block": scale.block,
            "a_bytes": scale.a.bytes,
            "b_bytes": scale.b.bytes,
            "copy": COPY.format(plan.cta_group),
            "descriptor": f"0x{scale.copy:016x}",
            "idescs": [f"0x{value:08x}" for value in scale.idescs],
            "a": _factors(scale.a),
            "b": _factors(scale.b),
        }
    return out


def _factors(factors: Factors) -> dict[str, Any]:
    return {
        "rows": factors.rows,
        "factors": factors.scales.factors,
        "offset": factors.offset,
        "blocks": factors.blocks,
        "columns": factors.columns,
        "own_blocks": factors.sets > 1,
        "mn_steps": [{"column": column} for column in factors.added],
        "steps": [{"column": each.column, "id": each.id} for each in factors.scales.steps],
    }


def _tensor(memory: TensorMemory) -> dict[str, Any]:
    return {
        "layout": memory.d.path.name,
        "lanes": memory.lanes,
        "mma_columns": memory.d.columns,
        "d_columns": memory.d_columns,
        "a_columns": memory.a_columns,
        "a_packed": None if memory.a is None else memory.a.packed,
        "a_copies": None if memory.a is None else memory.a.copies,
        "scale_columns": memory.scale_columns,
        "columns": memory.columns,
        "limit": COLUMNS,
    }


def _side(side: Side) -> dict[str, Any]:
    made = side.tile
    return {
        "swizzle": made.swizzle,
        "order": made.order,
        "major": made.major,
        "dtype": made.dtype.name,
        "shape": list(made.shape),
        "why": side.why,
        "leading_byte_offset": made.lbo,
        "stride_byte_offset": made.sbo,
        "lbo_mode": "absolute" if made.absolute else "relative",
        "offset": side.offset,
        "bytes": side.bytes,
        "alignment": side.alignment,
        "atom": list(made.atom),
        "atoms": list(made.atoms),
        "descriptors": [[f"0x{value:016x}" for value in row] for row in side.descriptors],
        "k_bytes": side.k_bytes,
        "cute": side.cute,
        "cute_dsl": side.cute_dsl,
        "triton": side.triton,
        "triton_shape": None if side.triton_shape is None else list(side.triton_shape),
        "tma": side.filling.to_dict() if side.filling is not None else None,
    }
