"""One function of MLIR: the operands of its tensor-core instructions; and the operations of a text that are not
read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from smemdesc.scanning.analysis.operands import OperandNames
from smemdesc.scanning.languages import compiler_ir, inline_asm
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.inline_asm import InlineAsm, shortened
from smemdesc.scanning.languages.mlir import cute, triton
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types
from smemdesc.scanning.languages.mlir.flow import Regions, mlir_memory
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions
from smemdesc.scanning.languages.mlir.mma import understand, warpgroup
from smemdesc.scanning.languages.mlir.text import MlirFunction, Operation, parse_function, without_locations
from smemdesc.scanning.languages.mlir.tiles import Tiles
from smemdesc.scanning.languages.mma import IntrinsicMma, NotUnderstoodError
from smemdesc.scanning.languages.mnemonics import CUTE, NVGPU, NVVM, NVVM_ACCESSES, NVVM_COPIES, TRITON
from smemdesc.scanning.languages.tensor_memory import settled
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Function
from smemdesc.scanning.model.causes import SYSTEM_CALLS
from smemdesc.scanning.model.shared_memory import GivenMaps

_ON_TILES: dict[str, Callable[[Operation, Aliases], Tiles | None]] = {
    **dict.fromkeys(TRITON, triton.read_triton_operation),
    **dict.fromkeys(CUTE, cute.read_cute_operation),
    NVGPU: warpgroup,
}
"""The operations on tiles, and their readers."""
READ_OPERATIONS = NVVM | NVVM_ACCESSES | frozenset(_ON_TILES)
"""The operations that are MMAs, or copies that read a descriptor, or that access or allocate tensor memory."""
_OTHERS = re.compile(
    r"(?:nvvm\.(?:tcgen05\.(?:mma|cp)|wgmma\.mma_async)\.[\w.]+|ttng\.tc_gen\w*mma\w*"
    r"|cute_nvgpu\.arch\.[\w.]*\.(?:umma|copy_s2t)\w*)\Z"
)
"""Operations of the same dialects that are also MMAs, or such copies, but are not read."""
_MARKS = tuple(
    mark.encode()
    for mark in (*inline_asm.INLINE_MARKS, *triton.CREATES_MAP, "ttng.tc_gen", "umma", "copy_s2t", *_ON_TILES)
)
_INDEX = re.compile(r"(?<![\w.%@#!\"])index(?![\w.\"])")
"""The type."""
_LONGEST_LINE = 1_200


def analyse(
    text: bytes,
    first: int,
    name: str | None,
    arch: str | None,
    aliases: Aliases | None = None,
    maps: GivenMaps = (),
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``aliases``: the aliases of types and attributes that are defined before it; ``maps``: those of its parameters.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    aliases, written = aliases or Aliases(), text.replace(b"\r", b"").decode("utf-8", "replace")
    read = aliases.written_out(written)
    source = parse_function(_INDEX.sub("i32", read) if aliases.narrow else read)._replace(lines=written.split("\n"))
    definitions = MlirDefinitions(source, aliases)
    instructions = _Instructions(definitions, aliases, first)
    for operation in source.operations:
        instructions.add(operation)
    if not instructions.mmas and not instructions.unread and not instructions.maps:
        return None
    flow = Regions(source, definitions) if source.whole else None
    if flow is not None and flow.understood:
        definitions.flow = flow
        definitions.memory = mlir_memory(source, definitions, flow)

    memory = None
    if any(operation.name in NVVM_COPIES for operation in source.operations) or ".complete_tx::bytes" in written:
        from smemdesc.scanning.languages.mlir.nvvm_memory import nvvm_shared_memory

        memory = nvvm_shared_memory(source, definitions, maps)

    def shown(at: int) -> tuple[int, str] | None:
        if len(source.lines) <= at < len(source.lines) + len(definitions.arguments):
            line, argument = definitions.arguments[at - len(source.lines)]
            return line, argument.strip()
        if not 0 <= at < len(source.lines):
            return None
        return at, without_locations(source.lines[at][:_LONGEST_LINE])[0].strip()

    function = Function(
        name, first, "MLIR", (), source.odd + len(instructions.unread), unread=tuple(instructions.unread)
    )
    judged = compiler_ir.analyse_function(
        function, arch, instructions.mmas, definitions, shown, instructions.source, instructions.maps, memory
    )
    judged = judged and settled(judged, source.whole and _owns_its_memory(source, written))
    judged = with_other_groups(judged, (f"{operation.name} {operation.text}" for operation in source.operations))
    if judged is None or not judged.mmas or not source.whole or triton.TMA_COPY not in read:
        return judged
    from smemdesc.scanning.languages.mlir.shared_memory import with_triton_memory

    return with_triton_memory(judged, source, definitions, aliases, instructions.maps)


_KERNEL = re.compile(r"\b(?:nvvm|gpu)\.kernel\b")
_CALLED = re.compile(r"@([\w.$]+)")
_TILE_ALLOCATION = ("tmem_alloc", "alloc_tmem")


def _owns_its_memory(source: MlirFunction, text: str) -> bool:
    """Whether all tensor memory that a function uses is allocated in it by operations that are read here: it is a
    kernel that calls no function of its file."""
    if not _KERNEL.search(text.partition("\n")[0]):
        return False
    for operation in source.operations:
        if operation.name.rpartition(".")[2] in ("call", "call_indirect", "invoke"):
            called = _CALLED.search(operation.text)
            if called is None or called[1] not in SYSTEM_CALLS:
                return False
        if operation.name.endswith(_TILE_ALLOCATION):
            return False
    return True


def _text(operation: Operation) -> str:
    return shortened(f"{operation.name} {operation.text}".partition(" : ")[0].strip())


class _Instructions:
    """The tensor-core instructions and the changes of tensor maps of a function."""

    def __init__(self, definitions: MlirDefinitions, aliases: Aliases, first: int) -> None:
        self.definitions = definitions
        self.aliases = aliases
        self.first = first
        """The number of the function's first line."""
        self.mmas: list[IntrinsicMma | InlineAsm] = []
        self.maps: list[tuple[int, MapOperand]] = []
        self.unread: list[tuple[int, str]] = []
        """Lines with an instruction that is not understood, and how it is shown."""
        self._locations: dict[int, str] = {}

    def source(self, at: int) -> tuple[str, int] | None:
        """Return the source line of the instruction at a line."""
        return self.aliases.source(self._locations[at])

    def add(self, operation: Operation) -> None:
        """Add what an operation does, if it is one of those that are read."""
        if operation.name in triton.CREATES_MAP:
            changed = triton.created_map(operation, self.definitions, _text(operation))
            self.maps += [(operation.at, change) for change in changed]
        is_inline = operation.name == "llvm.inline_asm"
        reader: Callable[[Operation], Iterator[IntrinsicMma | InlineAsm]]
        if is_inline and any(mark in operation.text for mark in inline_asm.INLINE_MARKS):
            reader = self._inline
        elif not is_inline and (operation.name in READ_OPERATIONS or _OTHERS.match(operation.name)):
            reader = self._on_tiles if operation.name in _ON_TILES else self._intrinsic
        else:
            return
        self._locations[operation.at] = operation.location
        try:
            self.mmas += reader(operation)
        except NotUnderstoodError as problem:
            self.unread.append((self.first + operation.at, inline_asm.unread_message(_text(operation), str(problem))))

    def _inline(self, operation: Operation) -> Iterator[InlineAsm]:
        inline = self.definitions.inline(operation)
        if inline is not None:
            yield inline
        elif any(mark in operation.text for mark in inline_asm.MMA_BEGINNINGS):
            raise NotUnderstoodError("its string and constraints cannot be read")

    def _on_tiles(self, operation: Operation) -> Iterator[IntrinsicMma]:
        tiles = _ON_TILES[operation.name](operation, self.aliases)
        if tiles is None:
            return
        instruction, *operands = tiles
        line = self.first + operation.at
        a, b, idesc = (
            operand and (operand._replace(lost=line) if operand.lost_text else operand) for operand in operands
        )
        yield IntrinsicMma(operation.at, _text(operation), instruction, OperandNames(a, b, idesc))

    def _intrinsic(self, operation: Operation) -> Iterator[IntrinsicMma]:
        understood = understand(operation)
        if understood is not None:
            instruction, operand_names = understood
            values = operand_names.converted(lambda name, _: self.definitions.operand(operation.region, name))
            yield IntrinsicMma(operation.at, _text(operation), instruction, values)
        elif operation.name not in NVVM_ACCESSES:
            raise NotUnderstoodError("this operation is not supported")


# ---- what is not read ----

_ANY_OPERATION = re.compile(
    rb'(?m)^[ \t]*+(?:%[^\n="]*+=[ \t]*+)?+"?+([a-z_][a-z_0-9]*+)\.([\w.]++)(?=["\s(<{@%\[]|$)"?+([^\n]*+)'
)
_MLIR = re.compile(
    rb"(?m)^[ \t]*+(?:module(?: @[\w.]++)?+(?: attributes)?+ ?+\{|\"?+[a-z_][a-z_0-9]*+\.module\b"
    rb"|[#!]\w++ = [#!][a-z_]\w*+\.\w)"
)
_BEGINNING = 65_536
# fmt: off
SILENT_DIALECTS = frozenset((
    "acc", "affine", "arith", "async", "bufferization", "builtin", "cf", "complex", "core", "cuda", "cute",
    "cute_nvgpu", "dlti", "func", "gluon", "gpu", "iket", "index", "linalg", "llvm", "math", "memref", "nvgpu",
    "nvvm", "nvws", "omp", "proton", "pyir", "quant", "scf", "shape", "tensor", "tt", "ttg", "ttng", "ub",
    "vector",
))
# fmt: on
"""Dialects whose operations that read descriptors are all known here."""
_WITHOUT = {b"tt.dot": "tt.dot", b"tt.dot_scaled": "tt.dot", b"linalg.matmul": "linalg.matmul"}
"""Operations that do not specify shared memory yet."""
_GEMMS = (b"cute.gemm", b"cute.mma_atom_call")
_LONGEST_TYPES = 20_000


def is_mlir(text: bytes) -> bool:
    """Whether a text that does not begin with a function is MLIR."""
    return _MLIR.search(text, 0, _BEGINNING) is not None


def passed_over(text: bytes, aliases: Aliases) -> tuple[Counter[str], Counter[str]]:
    """Count the operations that take no descriptor, and the dialects (or operations) that are unknown here."""
    without: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for match in _ANY_OPERATION.finditer(text):
        dialect, name = match[1].decode(), b"%b.%b" % (match[1], match[2])
        if name in _WITHOUT:
            without[_WITHOUT[name]] += 1
        elif dialect not in SILENT_DIALECTS:
            unknown[dialect] += 1
        elif name in _GEMMS:
            kinds = operation_types(match[3][:_LONGEST_TYPES].decode("utf-8", "replace"))
            if kinds and cute.OLDER_MMAS.search(aliases.expand(kinds[0])):
                without["mma.sync"] += 1
    return without, unknown
