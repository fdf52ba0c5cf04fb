"""The CuTe DSL's matrix operations: the MMA atom and the layout of each operand stand in the types.

A call reads views of descriptors; the operation that makes a view (``cute.mma.make_fragment``) names the tensor in
shared memory that it is made of. Adding to a view moves the start address only.
"""

from __future__ import annotations

import re

from smemdesc.kinds.types import dtype_of
from smemdesc.scanning.mlir import descriptors
from smemdesc.scanning.mlir.aliases import Aliases, types
from smemdesc.scanning.mlir.text import Operation, Region, names
from smemdesc.scanning.mlir.tiles import Tiles, instruction_descriptor, operand
from smemdesc.scanning.model import Instruction, Operand
from smemdesc.tiles.reading import TYPE_OF

NAMES = frozenset(("cute.gemm", "cute.mma_atom_call", "cute.copy", "cute.copy_atom_call"))
_ATOM = re.compile(
    r"!cute_nvgpu\.(sm90|sm100|sm103|sm107)\.(mma|mma_bs|mma_sp|mma_bs_sp)<\s*(\d{1,4})x(\d{1,4})x(\d{1,4})\b"
)
OLDER = re.compile(r"!cute_nvgpu\.(?:sm80|sm89|sm120)\b|!cute\.tiled_mma<!cute\.universal_fma")
"""MMAs that read no descriptors, and what none does."""
_FIELD = re.compile(r"\b(num_cta|frag_kind|sf_type|vec_size) = (\w+)")
_TYPES = re.compile(r"\belem_type = \(\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)")
_MAJORS = re.compile(r"\bab_major = \(\s*(k|mn)\s*,\s*(k|mn)\s*\)")
_COPY = re.compile(r"!cute_nvgpu\.atom\.(?:sm\d{1,4}_)?s2t_copy\w*+<\w++, (\d{1,4}) DP, (\d{1,4}) bit(?:, (\d) cta)?")
_LISTED = re.compile(r"\[\s*+(%[^][,\s]++)[^][]*+\]")
"""An operand with what goes with it: ``[%a, %scale_factors]``, the metadata of a sparse one."""
_FRAGMENT = re.compile(r"\s*([AB])\b")
_COPIED = "the layout of this copy is missing, or has an unknown form"
_RESULTS = {"f16": "f16", "f32": "f32", "i32": "s32", "si32": "s32"}
_KINDS = {
    "f16": "f16",
    "bf16": "f16",
    "tf32": "tf32",
    "s8": "i8",
    "u8": "i8",
    **dict.fromkeys(("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"), "f8f6f4"),
}
_FOLLOWED = frozenset(
    ("cute.slice", "cute.get_iter", "cute.make_view", "cute.add_offset", "cute.group_modes", "cute.make_desc_iter")
)
"""Operations whose result has the descriptor of their first operand, but for the start address."""
_FARTHEST = 100
_SET_LATER = ("negate_a", "negate_b", "a_scale_id", "b_scale_id")
"""Fields of the instruction descriptor that the kernel sets as it runs, or that the atom does not say."""


def read(operation: Operation, aliases: Aliases, arch: str | None) -> Tiles | str | None:
    """Return what an operation says; None where it reads no descriptors, or why not all is there that says it."""
    written = types(operation.text)
    given = [aliases.expand(each) for each in written]
    if not given:
        return "the types of its operands are missing"
    if operation.name.startswith("cute.copy"):
        copied = _COPY.search(given[0])
        if copied is None:
            return None if given[0].startswith(_DEFINED) else _undefined(written[0])
        group = int(copied[3]) if copied[3] else None
        instruction = Instruction("tcgen05.cp", cta_group=group, copied=(int(copied[1]), int(copied[2])))
        passed = names(operation.text)
        made = _maker(operation.region, passed[1]) if len(passed) > 1 else None
        view = None if made is None else descriptors.copied(made, aliases)
        return instruction, view or Operand(0, 0, None, _COPIED), None, None
    found = _ATOM.search(given[0])
    passed = names(_LISTED.sub(r"\1", operation.text))
    if OLDER.search(given[0]):
        return None
    if found is None:
        return _unknown(given[0]) if given[0].startswith(_DEFINED) else _undefined(written[0])
    if len(given) < 4 or len(passed) < 4:
        return "it has fewer than four operands with types: it needs the atom, D, A and B"
    text = given[0]
    types_of = _TYPES.search(text)
    element: list[str | None] = [TYPE_OF.get(each) for each in types_of.groups()[:2]] if types_of else [None, None]
    result = _RESULTS.get(types_of[3]) if types_of else None
    majors = _MAJORS.search(text)
    major: list[str | None] = [each.upper() for each in majors.groups()] if majors else [None, None]
    said = dict(_FIELD.findall(text))
    m, n, k = (int(found[each]) for each in (3, 4, 5))
    sparse = found[2].endswith("_sp")
    if found[1] == "sm90":
        source = "registers" if said.get("frag_kind", "ss").startswith("r") else "shared"
        instruction = Instruction(
            "wgmma",
            m=m,
            n=n,
            k=k,
            a_type=element[0],
            b_type=element[1],
            d_type=result,
            a_major=major[0] if source == "shared" else "K",
            b_major=major[1],
            sparse=sparse,
            a_from=source,
        )
        group = 1
        kind, mma_kind, idesc = "wgmma", None, None
    else:
        source = "tmem" if said.get("frag_kind", "ss").startswith("t") else "shared"
        group = int(said["num_cta"]) if said.get("num_cta") in ("1", "2") else 1
        kinds = _kinds(element, found[2], said)
        mma_kind = kinds[0] if kinds else None
        instruction = Instruction(
            "tcgen05",
            mma_kind=mma_kind if len(kinds) == 1 else None,
            mma_kinds=kinds,
            cta_group=group,
            ws=False,
            sparse=sparse,
            a_from=source,
        )
        kind = "tcgen05"
        idesc = _idesc(mma_kind, element, result, major, (m, n), sparse, said, group)
    operands: list[Operand | None] = []
    for place, rows, width in ((0, m // group, k // 2 if sparse else k), (1, n // group, k)):
        if place == 0 and source != "shared":
            operands.append(None)
            continue
        name = element[place]
        dtype = dtype_of(name, mma_kind) if name else None
        # %atom, %d, %a, %b, %c: the accumulator stands before A.
        layout = _layout(operation.region, passed[2 + place], "AB"[place], major[place], aliases)
        operands.append(operand(layout, kind, dtype, major[place], (rows, width)))
    return instruction, operands[0], operands[1], idesc


_DEFINED = ("!cute.", "!cute_nvgpu.")
_SHOWN = 60


def _undefined(written: str) -> str:
    return f"the type {written[:_SHOWN]} is not defined before it in this text"


def _unknown(given: str) -> str:
    return f"an MMA atom {given[:_SHOWN]}{'...' if len(given) > _SHOWN else ''} is not supported"


def _kinds(element: list[str | None], form: str, said: dict[str, str]) -> tuple[str, ...]:
    if None in element:
        return ()
    if "bs" not in form:
        found = _KINDS.get(element[0] or "")
        return (found,) if found else ()
    if element != ["e2m1", "e2m1"]:
        return ("mxf8f6f4",)
    # mxf4 with blocks of 32 is mxf4nvf4 with blocks of 32 as well: the atom does not say which is written.
    return ("mxf4nvf4",) if said.get("vec_size") == "16" else ("mxf4nvf4", "mxf4")


def _idesc(
    mma_kind: str | None,
    element: list[str | None],
    result: str | None,
    major: list[str | None],
    shape: tuple[int, int],
    sparse: bool,
    said: dict[str, str],
    group: int,
) -> Operand | None:
    if mma_kind is None or result is None or None in major or None in element:
        return Operand(0, 0)
    fields = {
        "d_type": result,
        "a_type": element[0],
        "b_type": element[1],
        "m": shape[0],
        "n": shape[1],
        "transpose_a": major[0] == "MN",
        "transpose_b": major[1] == "MN",
        "sparse": sparse,
        "scale_type": "ue8m0" if said.get("sf_type", "").startswith("f8E8M0") else "ue4m3",
    }
    more = ("sparsity_selector",) if sparse else ("saturate",) if mma_kind == "i8" else ()
    return instruction_descriptor(mma_kind, fields, (*_SET_LATER, *more), group)


def _layout(region: Region, name: str, which: str, major: str | None, aliases: Aliases) -> str:
    """Return the type of the tensor whose descriptors a value views; empty where it is not in sight."""
    made = _maker(region, name)
    if made is not None and made.name == "cute.mma.make_fragment":
        of = _FRAGMENT.match(made.text)
        given = types(made.text)
        text = aliases.expand(given[1]) if len(given) > 1 and of and of[1] == which else ""
        return text if text.startswith("!cute.memref<") else ""
    found = descriptors.tensor(made, aliases) if made is not None and made.name in descriptors.NAMES else None
    return found[0] if found is not None and found[1] == major else ""


def _maker(region: Region, name: str) -> Operation | None:
    """Return the operation that made the descriptors that a value views; None where it is not in sight."""
    for _ in range(_FARTHEST):
        value = region.find(name)
        made = None if value is None else value.operation
        if made is None or made.name not in _FOLLOWED:
            return made
        passed = names(made.text)
        if not passed:
            return None
        region, name = made.region, passed[0]
    return None
