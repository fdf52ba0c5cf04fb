"""The CuTe DSL's matrix operations: their types contain the MMA atom and the layout of each operand.

A call reads views of descriptors; the operation that makes a view (``cute.mma.make_fragment``) names its tensor in
shared memory. Adding to a view moves the start address only.

``cute_nvgpu.make_umma_smem_desc`` and ``make_gmma_smem_desc``: the type of the pointer has the element type and the
swizzle, the first mode of the layout the MN x K elements of one MMA. Those for circular buffers, and one with a second
pointer, put an address in the LBO field: they are not read.

``cute_nvgpu.atom.get_copy_s2t_smem_desc_view`` makes the descriptors of a copy to tensor memory (tcgen05.cp), as for a
K-major operand with as many rows as the copy has data paths, 16 or 32 bytes wide. The layout of elements within 16
bytes does not matter.
"""

from __future__ import annotations

import math
import re

from smemdesc.kinds.chips import CHIPS
from smemdesc.kinds.types import dtype_of
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types, parts
from smemdesc.scanning.languages.mlir.text import MlirRegion, Operation, named_values
from smemdesc.scanning.languages.mlir.tiles import (
    ACCUMULATOR_TYPES,
    K_BYTES,
    KIND_OF_TYPE,
    MmaAtom,
    Tiles,
    tile_operand,
)
from smemdesc.scanning.languages.mma import NotUnderstoodError
from smemdesc.scanning.model import Instruction, ScannedOperand
from smemdesc.tiles.reading import TYPE_OF

_WITH_WGMMA = [f"sm{chip.number}" for chip in CHIPS if chip.reads == "wgmma"]
_CHIPS = "|".join(f"sm{chip.number}" for chip in CHIPS if chip.reads)

_ATOM = re.compile(rf"!cute_nvgpu\.({_CHIPS})\.(mma|mma_bs|mma_sp|mma_bs_sp)<\s*(\d{{1,4}})x(\d{{1,4}})x(\d{{1,4}})\b")
OLDER_MMAS = re.compile(r"!cute_nvgpu\.(?:sm80|sm89|sm120)\b|!cute\.tiled_mma<!cute\.universal_fma")
"""MMAs and FMAs that read no descriptors."""
_FIELD = re.compile(r"\b(num_cta|frag_kind|sf_type|vec_size) = (\w+)")
_TYPES = re.compile(r"\belem_type = \(\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)")
_MAJORS = re.compile(r"\bab_major = \(\s*(k|mn)\s*,\s*(k|mn)\s*\)")
_COPY = re.compile(r"!cute_nvgpu\.atom\.(?:sm\d{1,4}_)?s2t_copy\w*+<\w++, (\d{1,4}) DP, (\d{1,4}) bit(?:, (\d) cta)?")
_LISTED = re.compile(r"\[\s*+(%[^][,\s]++)[^][]*+\]")
"""An operand with its companions: ``[%a, %scale_factors]``, or the metadata of a sparse one."""
_FRAGMENT = re.compile(r"\s*([AB])\b")
_COPIED = "the layout of this copy is missing, or has an unknown form"
_FOLLOWED = frozenset(
    ("cute.slice", "cute.get_iter", "cute.make_view", "cute.add_offset", "cute.group_modes", "cute.make_desc_iter")
)
"""Operations whose result has the descriptor of their first operand, except the start address."""
_FARTHEST = 100
_SET_LATER = ("negate_a", "negate_b", "a_scale_id", "b_scale_id")
"""Fields of the instruction descriptor that the kernel sets at run time, or that the atom does not contain."""
_MAKES = {"cute_nvgpu.make_umma_smem_desc": "tcgen05", "cute_nvgpu.make_gmma_smem_desc": "wgmma"}
_OF_LAYOUT = re.compile(r'\blayout = (?:#cute\.layout)?<"([^"]{1,2000})">')
_MAJOR = re.compile(r"\bmajor = (?:#cute_nvgpu\.major)?<(k|mn)>")
_POINTER = re.compile(r"!cute\.ptr<\s*([A-Za-z]\w*+)\s*,\s*smem\b([^\"]*?)>(?=\s*\)|\s*$|\s+layout\b)")
_COPY_ATOM = re.compile(
    r"!cute_nvgpu\.atom\.s2t_copy<(\w++), (32|64|128) DP, (128|256) bit, \d cta(?:, (x4|lw_0213|lw_0123))?>"
)
_OF_COPY = re.compile(r'!cute\.memref<(\w+), smem((?:, align<\d+>)?+(?:, S<\d,\d,\d>)?+), "([\d,():]{1,2000})">')
_BITS = {8: "i8", 16: "bf16", 32: "tf32"}
"""A type of this width: for a copy only the width matters."""
_WIDE = re.compile(r"(?:[su]?i|b?f|tf)(8|16|32)(?:E\dM\d\w*)?")
_NUMBERS = re.compile(r"[\d,()]+\Z")
_NUMBER = re.compile(r"\d{1,9}")


def read_cute_operation(operation: Operation, aliases: Aliases) -> Tiles | None:
    """Return the instruction and operands of an operation; None if it reads no descriptors.

    Raises :class:`NotUnderstoodError` if something is missing.
    """
    written = operation_types(operation.text)
    if not written:
        raise NotUnderstoodError("the types of its operands are missing")
    kind = aliases.expand(written[0])
    if operation.name.startswith("cute.copy"):
        copy = _COPY.search(kind)
        if copy is not None:
            return _copy(operation, copy, aliases)
        _require_defined(kind, written[0])
        return None
    if OLDER_MMAS.search(kind):
        return None
    atom = _ATOM.search(kind)
    if atom is not None:
        return _mma(operation, atom, aliases)
    _require_defined(kind, written[0])
    raise NotUnderstoodError(f"an MMA atom {kind[:_SHOWN]}{'...' if len(kind) > _SHOWN else ''} is not supported")


def _require_defined(kind: str, written: str) -> None:
    if not kind.startswith(("!cute.", "!cute_nvgpu.")):
        raise NotUnderstoodError(f"the type {written[:_SHOWN]} is not defined before it in this text")


_SHOWN = 60
"""The characters shown of a type."""


def _copy(operation: Operation, copy: re.Match[str], aliases: Aliases) -> Tiles:
    """Return a copy to tensor memory; ``copy``: its atom, a match of :data:`_COPY`."""
    group = int(copy[3]) if copy[3] else None
    instruction = Instruction("tcgen05.cp", cta_group=group, copied=(int(copy[1]), int(copy[2])))
    passed = named_values(operation.text)
    maker = _maker(operation.region, passed[1]) if len(passed) > 1 else None
    view = None if maker is None else _copied(maker, aliases)
    return instruction, view or ScannedOperand(0, 0, None, _COPIED), None, None


def _mma(operation: Operation, atom: re.Match[str], aliases: Aliases) -> Tiles:
    """Return an MMA of A and B; ``atom``: its atom, a match of :data:`_ATOM`."""
    passed = named_values(_LISTED.sub(r"\1", operation.text))
    if len(operation_types(operation.text)) < 4 or len(passed) < 4:
        raise NotUnderstoodError("it has fewer than four operands with types: it needs the atom, D, A and B")
    _, _, *a_and_b = passed[:4]  # the atom, and the accumulator, precede A
    fields = dict(_FIELD.findall(atom.string))
    types_of, majors = _TYPES.search(atom.string), _MAJORS.search(atom.string)
    element: list[str | None] = [TYPE_OF.get(group) for group in types_of.groups()[:2]] if types_of else [None, None]
    major = [group.upper() for group in majors.groups()] if majors else [None, None]
    sparse, is_wgmma = atom[2].endswith("_sp"), atom[1] in _WITH_WGMMA
    kinds = () if is_wgmma else _kinds(element, atom[2], fields)
    elsewhere = "registers" if is_wgmma else "tmem"
    return MmaAtom(
        "wgmma" if is_wgmma else "tcgen05",
        int(atom[3]),
        int(atom[4]),
        int(atom[5]),
        (element[0], element[1], ACCUMULATOR_TYPES.get(types_of[3]) if types_of else None),
        (major[0], major[1]),
        elsewhere if fields.get("frag_kind", "ss").startswith(elsewhere[0]) else "shared",
        2 if not is_wgmma and fields.get("num_cta") == "2" else 1,
        kinds,
        sparse,
        "ue8m0" if fields.get("sf_type", "").startswith("f8E8M0") else "ue4m3",
        (*_SET_LATER, *(("sparsity_selector",) if sparse else ("saturate",) if "i8" in kinds else ())),
    ).tiles([_layout(operation.region, name, "AB"[at], major[at], aliases) for at, name in enumerate(a_and_b)])


def _kinds(element: list[str | None], form: str, fields: dict[str, str]) -> tuple[str, ...]:
    if None in element:
        return ()
    if "bs" not in form:
        kind = KIND_OF_TYPE.get(element[0] or "")
        return (kind,) if kind else ()
    if element != ["e2m1", "e2m1"]:
        return ("mxf8f6f4",)
    # mxf4 and mxf4nvf4 both have blocks of 32: the atom does not tell which is emitted.
    return ("mxf4nvf4",) if fields.get("vec_size") == "16" else ("mxf4nvf4", "mxf4")


def _layout(region: MlirRegion, name: str, which: str, major: str | None, aliases: Aliases) -> str:
    """Return the type of the tensor whose descriptors a value views; empty if it is not found."""
    maker = _maker(region, name)
    if maker is not None and maker.name == "cute.mma.make_fragment":
        fragment = _FRAGMENT.match(maker.text)
        kinds = operation_types(maker.text)
        text = aliases.expand(kinds[1]) if len(kinds) > 1 and fragment and fragment[1] == which else ""
        return text if text.startswith("!cute.memref<") else ""
    tensor = _tensor(maker, aliases) if maker is not None and maker.name in _MAKES else None
    return tensor[0] if tensor is not None and tensor[1] == major else ""


def _maker(region: MlirRegion, name: str) -> Operation | None:
    """Return the operation that made the descriptors that a value views; None if it is not found."""
    for _ in range(_FARTHEST):
        value = region.find(name)
        operation = None if value is None else value.operation
        if operation is None or operation.name not in _FOLLOWED:
            return operation
        passed = named_values(operation.text)
        if not passed:
            return None
        region, name = operation.region, passed[0]
    return None


# ---- the operations that make one descriptor ----


def _tensor(operation: Operation, aliases: Aliases) -> tuple[str, str] | None:
    """Return the type of the descriptor's tensor, and its major-ness; None if unknown."""
    text = operation.text
    layout, major = _OF_LAYOUT.search(text), _MAJOR.search(text)
    pointer = _POINTER.search(aliases.expand(text[: text.find("->")] if "->" in text else text))
    if layout is None or major is None or pointer is None or len(named_values(text)) != 1:
        return None
    return f'!cute.memref<{pointer[1]}, smem{pointer[2]}, "{layout[1]}">', major[1].upper()


def kind_made(operation: Operation) -> str | None:
    """Return the kind of the descriptor that an operation makes; None if it makes none."""
    return _MAKES.get(operation.name)


def known_descriptor(operation: Operation, aliases: Aliases) -> ScannedOperand | None:
    """Return the known bits of the descriptor; None if the operation is not one of these, or not understood."""
    kind = kind_made(operation)
    tensor = _tensor(operation, aliases) if kind is not None else None
    if kind is None or tensor is None:
        return None
    text, major = tensor
    head, layout = text[:-1].rsplit(', "', 1)
    shape, _, stride = layout.rstrip('"').partition(":")
    modes = [parts(mode[1:-1]) if mode.startswith("(") else [] for mode in (shape, stride)]
    if not modes[0] or len(modes[0]) != len(modes[1]):
        return None
    # The first mode is (MN, K).
    sizes = parts(modes[0][0][1:-1])
    if len(sizes) != 2 or not all(_NUMBERS.match(size) for size in sizes):
        return None
    mn, k = (math.prod(int(number) for number in _NUMBER.findall(size)) for size in sizes)
    name = TYPE_OF.get(head.partition("<")[2].partition(",")[0])
    dtype = dtype_of(name) if name else None
    if dtype is None or k * dtype.storage != 8 * K_BYTES:
        return None
    return tile_operand(f'{head}, "{modes[0][0]}:{modes[1][0]}">', kind, dtype, major, (mn, k))


def _copied(operation: Operation, aliases: Aliases) -> ScannedOperand | None:
    """Return the known bits of the descriptors that a copy to tensor memory reads; None if not understood."""
    if operation.name != "cute_nvgpu.atom.get_copy_s2t_smem_desc_view":
        return None
    expanded = [aliases.expand(kind) for kind in operation_types(operation.text)]
    atom = _COPY_ATOM.search(expanded[0]) if len(expanded) > 1 else None
    memory = _OF_COPY.fullmatch(expanded[1]) if atom else None
    wide = _WIDE.fullmatch(memory[1]) if memory else None
    if atom is None or memory is None or wide is None or atom[1] != memory[1]:
        return None
    leaves = _leaves(memory[3])
    rows, bits, width = 32 if atom[4] == "lw_0123" else int(atom[2]), int(atom[3]), int(wide[1])
    split = _leaf_count(leaves, rows)
    columns = [(str(_UNIT // width), "1")]
    if split is not None and bits > _UNIT:
        count = _leaf_count(leaves[split:], bits // width)
        columns = leaves[split : split + count] if count is not None else []
    if split is None or not columns:
        return None
    modes = (leaves[:split], columns)
    shape, stride = (",".join(f"({','.join(leaf[place] for leaf in mode)})" for mode in modes) for place in (0, 1))
    name = _BITS[width]
    text = f'!cute.memref<{name}, smem{memory[2]}, "({shape}):({stride})">'
    return tile_operand(text, "tcgen05", dtype_of(TYPE_OF[name]), "K", (rows, bits // width))


_UNIT = 128
"""Bits of a column of a copy."""


def _leaves(layout: str) -> list[tuple[str, str]]:
    """Return the shape and stride of each leaf mode of what one instruction copies: rows first, then columns."""
    sides = []
    for mode in layout.split(":"):
        for _ in range(2):
            # ((what is copied, how often), other modes...)
            mode = next(iter(parts(mode[1:-1])), "") if mode.startswith("(") else ""
        sides.append(_NUMBER.findall(mode))
    return list(zip(*sides, strict=True)) if len(sides) == 2 and len(sides[0]) == len(sides[1]) else []


def _leaf_count(leaves: list[tuple[str, str]], size: int) -> int | None:
    """Return how many leading leaves have ``size`` elements in all; None if no number does."""
    product = 1
    for index, (shape, _) in enumerate(leaves):
        product *= int(shape)
        if product >= size:
            return index + 1 if product == size else None
    return None
