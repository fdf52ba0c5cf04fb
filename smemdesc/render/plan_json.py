"""The JSON of a plan."""

from __future__ import annotations

from typing import Any

from smemdesc.layout.scales import Scales
from smemdesc.layout.tmem import COLUMNS
from smemdesc.planning import Plan, Side, TensorMemory
from smemdesc.render.json import finding_dict
from smemdesc.render.layout_json import tma_dict
from smemdesc.tiles.scales import COPY


def plan_dict(plan: Plan) -> dict[str, Any]:
    """Return the object of a plan; descriptors are those of a stage that begins at byte 0."""
    memory = plan.memory
    out: dict[str, Any] = {
        "instruction": plan.mnemonic,
        "arch": plan.arch,
        "shape": list(plan.shape),
        "mma": list(plan.mma_shape),
        "cta_group": plan.cta_group,
        "idesc": None if plan.idesc is None else f"0x{plan.idesc:08x}",
        "a": None if plan.a is None else _side(plan.a),
        "b": _side(plan.b),
        "a_from": "smem" if plan.a is not None else plan.a_from,
        "stages": plan.stages,
        "shared_memory": {
            "stage": memory.stage,
            "bytes": memory.total,
            "limit": memory.limit,
            "stages_that_fit": memory.most,
        },
        "tensor_memory": None if plan.tensor_memory is None else _tensor(plan.tensor_memory),
        "scale": None,
        "findings": [finding_dict(each) for each in plan.findings],
    }
    if plan.scale is not None:
        scale = plan.scale
        out["scale"] = {
            "dtype": scale.dtype,
            "scale_vec": scale.vec,
            "block": scale.block,
            "a_bytes": scale.a_bytes,
            "b_bytes": scale.b_bytes,
            "copy": COPY.format(plan.cta_group),
            "descriptor": f"0x{scale.copy:016x}",
            "idescs": [f"0x{value:08x}" for value in scale.idescs],
            "a": _factors(scale.a),
            "b": _factors(scale.b),
        }
    return out


def _factors(scales: Scales) -> dict[str, Any]:
    return {
        "blocks": scales.block_count,
        "columns": scales.columns,
        "steps": [{"column": each.column, "id": each.id} for each in scales.steps],
    }


def _tensor(memory: TensorMemory) -> dict[str, Any]:
    return {
        "layout": memory.d.path.name,
        "d_columns": memory.d_columns,
        "a_columns": memory.a_columns,
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
        "cute": side.cute,
        "cute_dsl": side.cute_dsl,
        "triton": side.triton,
        "triton_shape": None if side.triton_shape is None else list(side.triton_shape),
        "tma": tma_dict(side.filling),
    }
