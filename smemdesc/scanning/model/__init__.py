"""The result of a scan: the MMAs of each function, with what is known of their descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.readings import WHOLE, DescriptorReading
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import WORD, FieldReading, ones
from smemdesc.engine.wording import CodeOffset, many
from smemdesc.instructions.model import OPERANDS, Mma, MmaOperand
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.instruction import Instruction as Instruction
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.tensormap import replaced_text
from smemdesc.reading.text import VALUE_BITS, to_hex
from smemdesc.rules.compiled_forms import FormDifference
from smemdesc.rules.shared_memory_use import SharedMemoryCase
from smemdesc.rules.siblings import SiblingField
from smemdesc.rules.steps import OperandMoves
from smemdesc.rules.tensor_memory_use import TensorMemoryAddress
from smemdesc.scanning.model.shared_memory import SharedMemoryPicture
from smemdesc.scanning.model.tensor_memory import TensorMemoryPicture

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import CopiedBox


class Origin(NamedTuple):
    """A line that wrote bits of an operand."""

    line: int
    mask: int
    """Which bits of the operand."""
    text: str
    """The line, without address and comments."""
    moved: int = 0
    """How many bit positions they have moved up since."""


class Addition(NamedTuple):
    """A sum that is assumed to change a start address only: one of its terms keeps its bits above the address."""

    line: int
    text: str
    """The line, without address and comments."""
    term: str
    """The register with the term."""
    plus: int = 0
    """What the sum adds to those bits."""


class Provided(NamedTuple):
    """What would be known of an operand if some additions changed its start address only.

    This is not proven. It holds if no sum of an address and its step carries out of the bits of the address.
    """

    bits: int
    known: int
    """The mask of the known bits, which includes the proven ones."""
    additions: tuple[Addition, ...]
    cut: bool = False
    """For a function that is cut off: whether this also requires that the missing part does not jump into the rest."""

    def to_dict(self, width: int) -> dict[str, Any]:
        """Return the object of JSON, for an operand of ``width`` bits."""
        conditions = ["no jump comes from the missing part of the function"] if self.cut else []
        conditions += ["the additions change only the start address"] if self.additions else []
        return {
            "value": to_hex(self.bits, ones(width), width),
            "known": to_hex(self.known, ones(width), width),
            "that": ", and ".join(conditions),
            "additions": [
                {"line": addition.line, "instruction": addition.text, "keeps": addition.term}
                | ({"plus": to_hex(addition.plus, ones(VALUE_BITS), VALUE_BITS)} if addition.plus else {})
                for addition in self.additions
            ],
        }


class ScannedOperand(NamedTuple):
    """A descriptor operand: the known bits, their mask, and the line where the rest was lost (None if none was)."""

    bits: int
    known: int
    lost: int | None = None
    lost_text: str = ""
    """That line, without address and comments."""
    origins: tuple[Origin, ...] = ()
    """The lines that wrote the known bits, in the order of the text. Where several paths meet, more than one may have
    written a bit."""
    provided: Provided | None = None
    """What else would be known, and the additions for which it is assumed."""
    lost_why: str | None = None
    """A cause of :mod:`smemdesc.scanning.model.causes`: where the line that lost the rest takes it from, or what
    decides there."""
    start: RelativeStart | None = None
    """Its start address as a base and an offset. Operands of one function with the same base have the same one at any
    two instructions of which one always runs before the other."""
    step: int | None = None
    """Bytes by which its start address moves from one iteration to the next of a loop of one block, if it is in one and
    they are known."""
    loaded: int | None = None
    """Of a word that is a value loaded from shared memory plus a number: this number."""
    wide: int = 0
    """Of a word of 0: the 64 bits of which it is the low word, 0 if it is not known to be one."""
    carries: bool = False
    """Whether upper bits of an address in the cluster run into LBO."""

    def origin_items(self, width: int) -> Iterator[tuple[str, Any]]:
        """Yield the items of JSON other than its bits: the lines that wrote them, the line that lost the rest, and what
        would be known."""
        if self.origins:
            masks: dict[tuple[int, str], int] = {}
            for origin in self.origins:
                masks[origin.line, origin.text] = masks.get((origin.line, origin.text), 0) | origin.mask
            yield (
                "from",
                [
                    {"line": line, "instruction": text, "mask": to_hex(mask, ones(width), width)}
                    for (line, text), mask in masks.items()
                ],
            )
        if self.lost is not None:
            yield "lost", {"line": self.lost, "instruction": self.lost_text, "why": self.lost_why}
        if self.provided is not None:
            yield "provided", self.provided.to_dict(width)


class TensorMemoryOperand(NamedTuple):
    """What is known of an address of tensor memory in an instruction: ``d`` (for a copy, where it writes), ``a``,
    ``scale_a``, ``scale_b``; ``at`` of a load, a store or a shift."""

    name: str
    bits: int
    known: int
    register: str = ""
    """In SASS, the register of scale factors: an operand names only the register for A; the next one is for B."""
    start: RelativeStart | None = None
    """Itself as a base and an offset, which counts columns and, in its upper half, lanes."""
    step: int | None = None
    """By how much it changes from one iteration to the next (:attr:`ScannedOperand.step`)."""
    allocated: int | None = None
    """If it is what was loaded from shared memory, where ``tcgen05.alloc`` writes, plus a number: this number."""

    @property
    def reading(self) -> DescriptorReading:
        """The address decoded."""
        return DescriptorReading(kind_of("tmem"), WHOLE, self.bits, self.known)

    @property
    def located(self) -> TensorMemoryAddress:
        """The address without its register."""
        return TensorMemoryAddress(self.name, self.bits, self.known, self.allocated)

    def to_dict(self) -> dict[str, Any] | None:
        """Return the object of JSON; None where nothing is known."""
        if not self.known:
            return None
        value, known = (to_hex(bits, ones(WORD), WORD) for bits in (self.bits, self.known))
        fields = self.reading.fields
        return {"value": value, "known": known, **{key: fields[key].value for key in ("lane", "column")}}


class MapChange(NamedTuple):
    """A field of a tensor map that an instruction writes, or reads."""

    line: int
    text: str
    """The line, without address and comments."""
    map: str
    """The address of the map, as the line has it."""
    field: str
    """As in PTX's ``tensormap.replace``; or ``allocation_class``, which its qualifiers set."""
    dimension: int | None = None
    """The number after a field that each dimension has: 0 in ``box_dim[0]``."""
    value: int | None = None
    """What is written; None if it is not known, or for a read."""
    reads: bool = False
    function: str | None = None
    member: str = ""
    """The file in the folder that is shown as one."""

    @property
    def place(self) -> str:
        """The field with its dimension: ``box_dim[0]``."""
        return self.field if self.dimension is None else f"{self.field}[{self.dimension}]"

    @property
    def says(self) -> str:
        """The value in words; ``?`` if it is not known."""
        return "is read" if self.reads else "?" if self.value is None else replaced_text(self.field, self.value)

    def __str__(self) -> str:
        return f"{self.place} {self.says}"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {
            **{key: getattr(self, key) for key in ("line", "function", "map", "field", "dimension", "value", "reads")},
            "instruction": self.text,
            "meaning": str(self),
        }


def maps_dict(file: str, changes: Iterable[MapChange]) -> dict[str, Any]:
    """Return the JSON object of the changes of tensor maps in a file."""
    return {"file": file, "tensor_maps": [change.to_dict() for change in changes]}


class ScannedMma(NamedTuple):
    """One tensor-core instruction that reads descriptors. Lines count from 1."""

    line: int
    text: str
    instruction: Instruction
    a: ScannedOperand | None
    b: ScannedOperand | None
    idesc: ScannedOperand | None
    mask: ScannedOperand | None
    source: tuple[str, int] | None = None
    """File and line of the source, if the dump has them."""
    arch: str | None = None
    offset: int | None = None
    """Bytes from the start of the function, if the dump has them."""
    tensor_memory: tuple[TensorMemoryOperand, ...] = ()
    """Its addresses of tensor memory; empty for instructions whose addresses are not followed."""
    block: int | None = None
    """In PTX: equal for instructions with no label, branch or call between them."""
    unversioned: bool = False
    """Whether the version is 0 in every descriptor of its function."""
    allocated: int | None = None
    """The columns of tensor memory that its kernel allocates, if that is certain."""
    accumulator: str = ""
    """The first register of D, if it is in registers and the text names it."""
    begins: bool = False
    """Whether it certainly does not add to what D holds."""
    moves: OperandMoves | None = None
    """How A and B have moved since the MMA before it on the same accumulator."""
    siblings: tuple[SiblingField, ...] = ()
    """What others that read the same tile say, where it says something else."""
    shared: tuple[SharedMemoryCase, ...] = ()
    """What the rest of its function says of it that concerns shared memory."""
    maps: tuple[CopiedBox | None, CopiedBox | None] = (None, None)
    """What the tensor maps of its function copy to its tiles of A and of B, if that is known."""
    form_differences: tuple[FormDifference, ...] = ()
    """What it contradicts in another form of its kernel."""
    printed: bool = False
    """Whether its text is what nvdisasm printed for this scan: nobody else has its lines."""

    @property
    def place(self) -> str:
        """Where it is: its line, or its offset as disassemblers print it."""
        return f"line {self.line}" if self.exact_place is None else self.exact_place

    @property
    def exact_place(self) -> str | None:
        """Its offset, if its text was printed for this scan."""
        if isinstance(self.line, CodeOffset):
            return str(self.line)
        return f"/*{self.offset:04x}*/" if self.printed and self.offset is not None else None

    @property
    def model(self) -> Mma:
        """The instruction and its operands, without their lines."""
        parts = (self.a, self.b, self.idesc, self.mask)
        a, b, idesc, mask = (
            part and MmaOperand(part.bits, part.known, part.start, part.wide, part.carries) for part in parts
        )
        memory = tuple(
            [address.located for address in self.tensor_memory if address.known or address.allocated is not None]
        )
        model = Mma(self.instruction, a, b, idesc, mask, self.arch, unversioned=self.unversioned, moves=self.moves)
        a_map, b_map = self.maps
        model = model._replace(a_map=a_map, b_map=b_map, maps_found=bool(a_map or b_map))
        model = model._replace(shared=self.shared, siblings=self.siblings)
        return model._replace(tensor_memory=memory, allocated=self.allocated, form_differences=self.form_differences)

    def place_dict(self) -> dict[str, Any]:
        """Return the items of JSON other than its descriptors: its source, and where they come from."""
        items: dict[str, dict[str, Any]] = {"from": {}, "lost": {}, "provided": {}}
        for name in OPERANDS:
            operand: ScannedOperand | None = getattr(self, name)
            if operand is not None:
                for key, value in operand.origin_items(32 if name == "idesc" else 64):
                    items[key][name] = value
        return {
            "offset": self.offset,
            "source": list(self.source) if self.source else None,
            "arch": self.arch,
            "tensor_memory": {address.name: address.to_dict() for address in self.tensor_memory} or None,
            **{key: entries for key, entries in items.items() if entries},
        }


class UnknownInstruction(NamedTuple):
    """An instruction of SASS whose name is unknown, and how much of the descriptors is lost because of it."""

    name: str
    lines: int
    """The number of these instructions."""
    operands: int = 0
    """Descriptors that lost bits there."""
    bits: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return self._asdict()


def count_names(instructions: Iterable[UnknownInstruction]) -> tuple[UnknownInstruction, ...]:
    """Return unknown instructions with each name once, the most costly first."""
    counts: dict[str, tuple[int, ...]] = {}
    for name, *numbers in instructions:
        counts[name] = tuple(map(sum, zip(counts.get(name, (0, 0, 0)), numbers, strict=True)))
    merged = [UnknownInstruction(name, *numbers) for name, numbers in counts.items()]
    return tuple(sorted(merged, key=lambda instruction: (-instruction.bits, -instruction.lines, instruction.name)))


def unknown_dict(file: str, instructions: Iterable[UnknownInstruction]) -> dict[str, Any]:
    """Return the JSON object of the unknown instructions of a file."""
    return {"file": file, "unknown_instructions": [instruction.to_dict() for instruction in count_names(instructions)]}


START = "start_address"


def compared_bits(kind: Kind) -> int:
    """Return the bits by which descriptors are compared: all but the start address."""
    return kind.table.full & ~kind.table.masks.get(START, 0)


class DescriptorBits(NamedTuple):
    """A descriptor without its start address."""

    kind: Kind
    bits: int
    known: int

    @property
    def whole(self) -> bool:
        """Whether all of these bits are known."""
        return self.known == compared_bits(self.kind)

    def to_dict(self) -> dict[str, Any]:
        table = self.kind.table
        value, known = (to_hex(bits, table.full, table.width) for bits in (self.bits, self.known))
        return {"kind": self.kind.id, "value": value, "known": known}

    def read(self) -> dict[str, FieldReading]:
        """Return its fields, without a start address that is wholly unknown."""
        fields = self.kind.table.read(self.bits, self.known)
        return {key: field for key, field in fields.items() if key != START or field.known}


class KernelForm(NamedTuple):
    """A form of a kernel: what is known of its descriptors, and what is wrong with them."""

    name: str
    known: int
    """Operands whose swizzle and SBO, or all bits, are known."""
    operands: int
    errors: int
    warnings: int


class FormContradiction(NamedTuple):
    """An operand with a descriptor in one form that contradicts all descriptors of another form."""

    operand: str
    forms: tuple[tuple[str, tuple[DescriptorBits, ...]], ...]
    """Its distinct descriptors in each form, without their start addresses."""


class Forms(NamedTuple):
    """The forms of one kernel, compared."""

    forms: tuple[KernelForm, ...]
    differences: tuple[FormContradiction, ...]
    differ: bool = False
    """Whether an instruction of one contradicts an earlier one."""


class Function(NamedTuple):
    """One function of a dump that has MMAs. ``odd`` counts the lines in it that were not understood."""

    name: str | None
    line: int
    format: str
    """``SASS``, ``PTX``, ``LLVM IR`` or ``MLIR``."""
    mmas: tuple[ScannedMma, ...]
    odd: int = 0
    member: str = ""
    """The member of the file that it is in, if there are several (``cubin 3``); lines count from its beginning."""
    unread: tuple[tuple[int, str], ...] = ()
    """Lines of tensor-core instructions that are not understood (an impossible shape), and their text."""
    unknown: tuple[UnknownInstruction, ...] = ()
    """Instructions whose names are unknown."""
    maps: tuple[MapChange, ...] = ()
    """Changes of tensor maps."""
    allocations: tuple[int | None, ...] = ()
    """The columns of tensor memory of each ``tcgen05.alloc``; None if they are not known."""
    shared: SharedMemoryPicture | None = None
    """Its shared memory, if it has copies that a barrier waits for."""
    tensor_memory: TensorMemoryPicture | None = None
    """What it allocates of tensor memory and takes of it, if it allocates any, and all of it is looked at."""
    forms: Forms | None = None
    """Its forms compared (:mod:`smemdesc.scanning.results.forms`), if they are scanned as one kernel."""
    is_source: bool = False
    """Whether it is inline assembly of a source, not what a compiler made."""

    def __repr__(self) -> str:
        counted = many(len(self.mmas), "instruction")
        return f"Function({self.name!r}, line={self.line}, format={self.format!r}, {counted})"

    @property
    def offsets(self) -> dict[int, str]:
        """The offset of each line of its shared memory, if its text was printed for this scan."""
        printed = self.shared is not None and any(mma.printed for mma in self.mmas)
        return {line: f"/*{offset:04x}*/" for line, offset in self.shared.offsets} if printed and self.shared else {}

    def memory_dict(self, file: str) -> dict[str, Any] | None:
        """Return the JSON object of its shared memory, with its tensor memory; None if its copies are not known."""
        if self.shared is None:
            return None
        memory = {**self.shared.to_dict(), "tensor_memory": self.tensor_memory and self.tensor_memory.to_dict()}
        return {"file": self.within(file), "function": self.name, "shared_memory": memory}

    def within(self, file: str) -> str:
        """Return the name of a file with the member that this is in: ``libx.so:cubin 3``."""
        return f"{file}:{self.member}" if self.member else file


class ValueReading(NamedTuple):
    """The meaning of a number in other text, read as a descriptor."""

    id: str
    """A kind's id, with ``:high_word`` if only that word was given, and ``@`` and the name of its table if an
    architecture that the text names has another one (``tcgen05@sm_107``)."""
    says: str

    @property
    def kind(self) -> str:
        """The name of the kind."""
        return self.id.partition("@")[0].partition(":")[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {"id": self.id, "says": self.says}


class TextValue(NamedTuple):
    """A number in other text that may be a descriptor: where it is, and its readings."""

    line: int
    column: int
    text: str
    readings: tuple[ValueReading, ...]
    bits: int
    width: int
    """32 or 64; 1024 for a tensor map."""
    known: int | None = None
    """The mask of the known bits; None: all."""
    named: bool = False
    """Whether the text calls it a descriptor, so that it is one, sound or not."""
    typed: str = ""
    """It with its start as a base and an offset, as it is typed."""

    @property
    def result(self) -> Result:
        """The value decoded and judged."""
        return _decoded(self._replace(line=0, column=0, text=""))

    def to_dict(self, file: str) -> dict[str, Any]:
        """Return the object of JSON, with the value decoded."""
        return {
            "file": file,
            "line": self.line,
            "column": self.column,
            "text": self.text,
            "named": self.named,
            "readings": [reading.to_dict() for reading in self.readings],
            "value": self.result.to_dict(),
        }


@lru_cache(4096)
def _decoded(value: TextValue) -> Result:
    """Decode a value as :func:`smemdesc.decode` does, or as what the text calls it, if its bits say something else."""
    reading, _, variant = value.readings[0].id.partition("@")
    kind, _, rest = reading.partition(":")
    case = Context(arch=VARIANTS[variant].archs[0]) if variant else NOTHING
    text = value.typed or to_hex(value.bits, ones(value.width) if value.known is None else value.known, value.width)
    decoded = decode_value(text, context=case)
    if {candidate.id for candidate in decoded.candidates} == {each.id.partition("@")[0] for each in value.readings}:
        return decoded
    mma_kind = rest.partition(":")[0] if kind == "idesc" and len(value.readings) == 1 else None
    same = all(each.kind == kind for each in value.readings)
    return decode_value(text, kind if same else None, mma_kind, context=case)


IN_COMMENT = "in a comment"
IN_PROSE = "in prose"
IN_SYNTAX = "in the syntax of a document"
OF_LIBRARY = "of a library, which the compiler replaces"
OF_TMA = "of the TMA, which reads a tensor map"
_ONLY_NAMED = frozenset({IN_COMMENT, IN_PROSE, IN_SYNTAX, OF_LIBRARY, OF_TMA})


class Unread(NamedTuple):
    """A line that names a tensor-core instruction that was seen but not read."""

    line: int
    text: str
    """The line, or the instruction in it."""
    reason: str

    @property
    def only_named(self) -> bool:
        """Whether it is a name that is no instruction: where a file has only such, they are no errors."""
        return self.reason in _ONLY_NAMED

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return self._asdict()


def unread_dict(file: str, instructions: Iterable[Unread]) -> dict[str, Any]:
    """Return the JSON object of the tensor-core instructions of a file that were not read."""
    return {"file": file, "unread": [instruction.to_dict() for instruction in instructions]}


class Part(NamedTuple):
    """The result of scanning one stretch of a file."""

    functions: tuple[Function, ...] = ()
    """Those with MMAs."""
    seen: int = 0
    """How many functions there were, with MMAs or without."""
    values: tuple[TextValue, ...] = ()
    odd: int = 0
    """Lines of the functions that were not understood."""
    older: tuple[tuple[str, int], ...] = ()
    """Tensor-core instructions that take no descriptor (``HMMA``, ``mma.sync``): name and count."""
    bare: tuple[tuple[str, int], ...] = ()
    """Architectures that have mma.sync in place of wgmma and tcgen05, and the number of functions for each."""
    failed: tuple[tuple[int, str], ...] = ()
    """What could not be scanned: line and reason."""
    unknown: tuple[tuple[str, int], ...] = ()
    """Unknown dialects of MLIR: name and count."""
    looked: int = 0
    """Instructions that were looked at, with or without the selected findings."""
    known: int = 0
    """Those with all descriptors known well enough for the rules, if only some findings are selected."""
    partly: int = 0
    """Those with one or more, but not all, known as well, if only some findings are selected."""
    informed: int = 0
    """Those with a known bit in any descriptor."""
    unread: tuple[Unread, ...] = ()
    """Tensor-core instructions that were seen but not read; ``failed`` reports them, too, unless all are only named."""
    mentions: tuple[Unread, ...] = ()
    """Texts that name such instructions but may be about others: they count if a file has no MMA."""
    unknown_instructions: tuple[UnknownInstruction, ...] = ()
    """Instructions of SASS whose names are unknown, in functions with MMAs."""
    maps: tuple[MapChange, ...] = ()
    """Changes of tensor maps, in functions with MMAs or without."""
    unevaluated: tuple[int, ...] = ()
    """Lines of a source that make a descriptor of which nothing is known."""

    def __str__(self) -> str:
        every = (mma for function in self.functions for mma in function.mmas)
        mmas = many(sum(mma.instruction.accessed is None for mma in every), "MMA")
        values = f", {many(len(self.values), 'possible descriptor')} in other text" if self.values else ""
        return f"{many(self.seen, 'function')}, {len(self.functions)} with MMAs: {mmas}{values}"


NOT_UNDERSTOOD = "not understood"


def part_of_functions(functions: Iterable[Function]) -> Part:
    """Return the functions that have MMAs, and the instructions that were not understood."""
    functions = list(functions)
    unread = tuple(Unread(line, text, NOT_UNDERSTOOD) for listed in functions for line, text in listed.unread)
    return Part(
        tuple(
            listed._replace(unread=(), maps=()) if listed.unread or listed.maps else listed
            for listed in functions
            if listed.mmas
        ),
        len(functions),
        odd=sum(listed.odd for listed in functions),
        failed=tuple(
            (instruction.line, f"this tensor-core instruction is not understood, and not checked: {instruction.text}")
            for instruction in unread
        ),
        unread=unread,
        unknown_instructions=count_names(
            instruction for listed in functions for instruction in listed.unknown if listed.mmas
        ),
        maps=tuple(change._replace(function=listed.name) for listed in functions for change in listed.maps),
    )


def joined(parts: Iterable[Part]) -> Part:
    """Return several stretches of a file combined into one."""
    fields: dict[str, Any] = {}
    for key, (empty, *column) in zip(Part._fields, zip(Part(), *parts, strict=True), strict=True):
        if isinstance(empty, int):
            fields[key] = sum(column)
        elif key in ("older", "bare", "unknown"):
            counts: Counter[str] = Counter()
            for pairs in column:
                counts.update(dict(pairs))
            fields[key] = tuple(counts.items())
        elif key == "unknown_instructions":
            fields[key] = count_names(chain.from_iterable(column))
        else:
            fields[key] = tuple(chain.from_iterable(column))
    return Part(**fields)


Place = Callable[[int, str], tuple[int, str]]
"""Turns the number of a line, and its text, into those that are reported."""


def moved(part: Part, lines: int) -> Part:
    """Return a part with every line number larger by ``lines``."""
    if not lines:
        return part
    return part._replace(
        functions=tuple(
            with_lines(function, function.line + lines, lambda line, text: (line + lines, text))
            for function in part.functions
        ),
        values=tuple(value._replace(line=value.line + lines) for value in part.values),
        failed=tuple((line + lines, reason) for line, reason in part.failed),
        unread=tuple(instruction._replace(line=instruction.line + lines) for instruction in part.unread),
        mentions=tuple(mention._replace(line=mention.line + lines) for mention in part.mentions),
        unevaluated=tuple(line + lines for line in part.unevaluated),
        maps=tuple(change._replace(line=change.line + lines) for change in part.maps),
    )


def with_lines(function: Function, start: int, place: Place) -> Function:
    """Return a function that begins in the line ``start``, with its lines moved by ``place``."""
    # Equal origins stay one shared object, as the scan created them.
    moved: dict[int, tuple[Origin, ...]] = {}

    def placed(item: Any) -> Any:
        line, text = place(item.line, item.text)
        return item._replace(line=line, text=text)

    def place_operand(operand: ScannedOperand | None) -> ScannedOperand | None:
        if operand is None:
            return None
        if id(operand.origins) not in moved:
            moved[id(operand.origins)] = tuple(map(placed, operand.origins))
        operand = operand._replace(origins=moved[id(operand.origins)])
        if operand.provided is not None:
            additions = tuple(map(placed, operand.provided.additions))
            operand = operand._replace(provided=operand.provided._replace(additions=additions))
        if operand.lost is not None:
            lost, text = place(operand.lost, operand.lost_text)
            operand = operand._replace(lost=lost, lost_text=text)
        return operand

    def place_case(case: SharedMemoryCase) -> SharedMemoryCase:
        return case._replace(lines=tuple([place(line, "")[0] for line in case.lines]))

    mmas = (
        placed(mma)._replace(
            **{name: place_operand(getattr(mma, name)) for name in OPERANDS},
            shared=tuple(map(place_case, mma.shared)),
        )
        for mma in function.mmas
    )
    return function._replace(
        line=start,
        mmas=tuple(mmas),
        unread=tuple(place(*instruction) for instruction in function.unread),
        maps=tuple(map(placed, function.maps)),
        shared=function.shared and function.shared.placed(lambda line: place(line, "")[0]),
    )
