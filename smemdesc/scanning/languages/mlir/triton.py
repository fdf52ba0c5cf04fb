"""Triton's matrix operations on shared memory (TTGIR): their types contain the layouts of A and B.

One operation becomes several instructions, which differ in the start addresses of their operands; it is read as the
first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD
from smemdesc.engine.known import UNKNOWN, const
from smemdesc.kinds.tensormap import REPLACED_CODES
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions
from smemdesc.scanning.languages.mlir.text import Operation, named_values
from smemdesc.scanning.languages.mlir.tiles import ACCUMULATOR_TYPES, KIND_OF_TYPE, MmaAtom, Tiles
from smemdesc.scanning.languages.mma import NotUnderstoodError
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Instruction, MapChange, ScannedOperand
from smemdesc.tiles.reading import TYPE_OF
from smemdesc.tiles.triton import parse_triton

MEMDESC = re.compile(r"!(?:ttg|triton_gpu)\.memdesc<\s*(\d[\dx]*?)x([A-Za-z]\w*)\s*,")
CREATES_MAP = ("ttng.tensormap_create", "tt.experimental_tensormap_create")
TMA_COPY = "ttng.async_tma_copy_global_to_local"
_INSTRUCTION = re.compile(r"\binstrShape = \[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_BLOCK = re.compile(r"\bblockM = (\d+)\s*,\s*blockN = (\d+)")
_RESULT = re.compile(r"tensor<(?:\d{1,9}x)*([A-Za-z]\w*)\s*,")
_TWO = re.compile(r"\btwo_?ctas\b(?!\s*=\s*false)|\btwoCTAs = true", re.I)
_FORMAT = re.compile(r"\b(lhs|rhs) = (\w+)")
_SCALED = frozenset(("e4m3", "e5m2", "e2m1", "e2m3", "e3m2"))
_SCALES = ("a_scale_id", "b_scale_id")


class _MemDesc:
    """A ``memdesc`` type, or the type used instead."""

    def __init__(self, text: str) -> None:
        match = MEMDESC.search(text)
        self.text = text
        self.in_tmem = "tensor_memory" in text
        self.shared = match is not None and not self.in_tmem
        self.type = TYPE_OF.get(match[2]) if match else None
        transposed = _transposed(text) if self.shared else None
        self.layout = ScannedOperand(0, 0, None, transposed) if isinstance(transposed, str) else text
        self.majors = (None, None) if transposed is None or isinstance(transposed, str) else _MAJORS[transposed]
        """The major-ness as A and as B."""


_MAJORS = {True: ("MN", "K"), False: ("K", "MN")}


@lru_cache(maxsize=1024)
def _transposed(text: str) -> bool | str:
    """Whether dimension 0 is contiguous; or a string, why that is unknown."""
    try:
        return parse_triton(text).encoding.transposed
    except SmemdescError as problem:
        return problem.option_message


def read_triton_operation(operation: Operation, aliases: Aliases) -> Tiles:
    """Return the instruction and operands of an operation.

    Raises :class:`NotUnderstoodError` if its types are missing.
    """
    kinds = [aliases.expand(kind) for kind in operation_types(operation.text)]
    if operation.name == "ttng.tmem_copy" and kinds:
        return Instruction("tcgen05.cp"), ScannedOperand(0, 0), None, None
    if len(kinds) < 3:
        raise NotUnderstoodError("the types of its operands are missing")
    return _wgmma(kinds) if operation.name == "ttng.warp_group_dot" else _tcgen05(operation, kinds)


def _wgmma(kinds: list[str]) -> Tiles:
    a, b = _MemDesc(kinds[0]), _MemDesc(kinds[1])
    shape, result = _INSTRUCTION.search(kinds[-1]), _RESULT.search(kinds[-1])
    registers = _RESULT.search(kinds[0]) if not a.shared else None
    return MmaAtom(
        "wgmma",
        64,
        int(shape[2]) if shape else None,
        int(shape[3]) if shape else None,
        (
            TYPE_OF.get(registers[1]) if registers else a.type,
            b.type,
            ACCUMULATOR_TYPES.get(result[1]) if result else None,
        ),
        (a.majors[0], b.majors[1]),
        "shared" if a.shared else "registers",
    ).tiles((a.layout, b.layout))


def _tcgen05(operation: Operation, kinds: list[str]) -> Tiles:
    scaled = operation.name.endswith("_scaled")
    a, b = _MemDesc(kinds[0]), _MemDesc(kinds[1])
    formats = dict(_FORMAT.findall(operation.text))
    a_type, b_type = (formats.get("lhs"), formats.get("rhs")) if scaled else (a.type, b.type)
    if scaled and not {a_type, b_type} <= _SCALED:
        a_type = b_type = None
    kind = _scaled_kind(a_type, b_type, kinds) if scaled else KIND_OF_TYPE.get(a_type or "")
    group = 2 if _TWO.search(operation.text) or _TWO.search(kinds[2]) else 1
    block, result = _BLOCK.search(kinds[2]), MEMDESC.search(kinds[2])
    return MmaAtom(
        "tcgen05",
        int(block[1]) * group if block else None,
        int(block[2]) if block else None,
        None,
        (a_type, b_type, ACCUMULATOR_TYPES.get(result[2]) if result else None),
        (a.majors[0], b.majors[1]),
        "tmem" if a.in_tmem else "shared",
        group,
        (kind,) if kind else (),
        scale_type="ue4m3" if kind == "mxf4nvf4" and "f8E4M3" in kinds[3] else "ue8m0",
        unknown=_SCALES if scaled else (),
    ).tiles((a.layout, b.layout))


def _scaled_kind(a_type: str | None, b_type: str | None, kinds: list[str]) -> str | None:
    if a_type is None:
        return None
    if a_type != "e2m1" or b_type != "e2m1":
        return "mxf8f6f4"
    scales = MEMDESC.search(kinds[3]) if len(kinds) > 3 else None
    if scales is None:
        return None
    return "mxf4nvf4" if scales[2].startswith("f8E4M3") else "mxf4"


_LIST = re.compile(r"\[([^\[\]]*+)\]")
SEGMENT_SIZES = re.compile(r"\boperandSegmentSizes = array<i32:([\d, ]*+)>")
_ATTRIBUTE = re.compile(r"\b(elem_type|interleave_layout|swizzle_mode|fill_mode) = (\d{1,3})\b")
_CREATED = ("box_dim", "global_dim", "global_stride", "element_stride")
_FIRST_LIST = 2
"""The operands before the lists: where the map is written, and the address of the tensor."""


def created_map(operation: Operation, definitions: MlirDefinitions, text: str) -> Iterator[MapOperand]:
    """Yield the fields of the map that a ``ttng.tensormap_create`` writes; ``text``: how it is shown."""
    operands = named_values(operation.text)
    if len(operands) < _FIRST_LIST:
        return
    change = MapChange(0, text, operands[0], "global_address")
    yield MapOperand(change, UNKNOWN, 2 * WORD)
    segments = SEGMENT_SIZES.search(operation.text)
    if segments is not None:
        sizes = [int(size) for size in segments[1].split(",")][_FIRST_LIST:]
    else:
        sizes = [len(named_values(inner)) for inner in _LIST.findall(operation.text)[: len(_CREATED)]]
    left = iter(operands[_FIRST_LIST:])
    if sizes:
        yield MapOperand(change._replace(field="rank"), const(sizes[0] - 1, WORD))
    for field, size in zip(_CREATED, sizes, strict=False):
        width = 2 * WORD if field == "global_stride" else WORD
        for dimension, name in zip(range(size), left, strict=False):
            value = definitions.operand(operation.region, name)
            yield MapOperand(change._replace(field=field, dimension=dimension), value, width)
    for name, code in _ATTRIBUTE.findall(operation.text):
        field = name if name in REPLACED_CODES else "elemtype"
        yield MapOperand(change._replace(field=field), const(int(code), WORD))
