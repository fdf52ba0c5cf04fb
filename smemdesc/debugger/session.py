"""The commands that are typed in the debugger.

Each is a generator: it yields a :class:`Question`, is sent the answer (a mapping, as in JSON), and yields values to
show. :class:`smemdesc.engine.errors.SmemdescError` if something is not available, with what to type instead.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.debugger.kernel import shared_session
from smemdesc.debugger.maps import Filled, map_at, mapped, maps_of
from smemdesc.debugger.questions import AnswerDict, DecodeQuestion, PlainLine, Question, Session, ask, pair
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import listed_words, many
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.model import OPERANDS, Judged, Mma, MmaOperand
from smemdesc.kinds.chips import CHIPS
from smemdesc.kinds.instruction import PLACES_OF_A, Instruction
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.layout.operand import Operand, operand_of
from smemdesc.scanning.analysis.operands import OperandNames, tmem_addresses
from smemdesc.scanning.languages.mnemonics import SASS
from smemdesc.scanning.languages.sass.mma import understand
from smemdesc.scanning.languages.sass.text import SassInstruction, parse_instruction
from smemdesc.scanning.model import ScannedMma, ScannedOperand, TensorMemoryOperand

if TYPE_CHECKING:
    from smemdesc.descriptors.result import Result
    from smemdesc.kinds.elements import Memory
    from smemdesc.layout.recognize import Recognition
    from smemdesc.tiles.solving import Descriptor

WORD = 32
"""Bits of a uniform register."""
WARP = 32
"""Threads of a warp."""
WARPS_TOGETHER = {chip.name: 4 for chip in CHIPS if chip.reads == "wgmma"}
"""Warps that run a tensor-core instruction together: a warpgroup with wgmma, elsewhere one (or a thread of it)."""
_LISTED = re.compile(r"[ \t]*+(?:[=*]++>[ \t]*+)?+0x([0-9a-f]++)[ \t]++<([^>]*+)>:(.*)$")


class ListingPlace(NamedTuple):
    """An instruction of a listing. ``line``: of the listing, from 1; ``offset``: bytes from the beginning."""

    line: int
    address: int
    offset: int
    text: str


class Here(NamedTuple):
    """The inspected tensor-core instruction."""

    function: str
    thread: str
    warp: int
    place: ListingPlace
    failed: bool
    """Whether an exception was raised there, so that registers may belong to later instructions."""
    instruction: Instruction
    reads: OperandNames
    arch: str | None
    places: tuple[ListingPlace, ...]
    listing: str
    pc: int


class Changed(NamedTuple):
    """A register written after the failing instruction; its earlier value is known only from the code."""

    register: str
    by: ListingPlace | None
    """The instruction that wrote it; None if the control flow is unknown."""


class Stop(NamedTuple):
    """A tensor-core instruction, with the descriptors that it reads."""

    here: Here
    mma: Mma
    judged: Judged
    operands: tuple[tuple[str, Operand], ...]
    """What A and B read, as far as known."""
    changed: tuple[Changed, ...] = ()
    tensor_memory: tuple[TensorMemoryOperand, ...] = ()
    maps: tuple[Filled, ...] = ()
    """The tensor maps given for A and B."""


class OperandMatrix(NamedTuple):
    """An operand as numbers: bit patterns, MN x K, None for what cannot be read; the shown corner."""

    name: str
    operand: Operand
    bits: tuple[tuple[int | None, ...], ...]
    rows: range
    columns: range


class DebuggerElement(NamedTuple):
    """One element and its place."""

    name: str
    operand: Operand
    mn: int
    k: int
    bits: int | None


class OperandComparison(NamedTuple):
    """An operand compared with the expected matrix."""

    name: str
    expected: str
    recognition: Recognition
    repairs: tuple[Descriptor, ...]
    """The descriptor that would read it, if there is one."""


class Breakpoints(NamedTuple):
    """Where breakpoints were put."""

    function: str
    places: tuple[ListingPlace, ...]


def places(listing: str) -> tuple[ListingPlace, ...]:
    """Return the instructions of what ``disassemble`` prints."""
    instructions = []
    for number, line in enumerate(listing.splitlines(), 1):
        match = _LISTED.match(line)
        offset = match[2].rpartition("+")[2] if match else ""
        if match and offset.isdecimal():
            instructions.append(ListingPlace(number, int(match[1], 16), int(offset), match[3].strip()))
    return tuple(instructions)


def instruction_of(place: ListingPlace) -> SassInstruction | None:
    """Return a parsed tensor-core instruction, None for any other."""
    line = parse_instruction(place.text.encode())
    return line if line is not None and line.name in SASS else None


def of_tensor_cores(listed: Iterable[ListingPlace]) -> tuple[ListingPlace, ...]:
    """Return those that run on a tensor core."""
    return tuple(place for place in listed if instruction_of(place) is not None)


def find_instruction() -> Generator[Any, AnswerDict, Here]:
    """Find the inspected instruction: at $errorpc after an exception, else at $pc."""
    at = yield from ask("where")
    text = (yield from ask("listing"))["text"]
    listed = places(text)
    by_address = {entry.address: entry for entry in listed}
    failed = at["errorpc"] is not None and at["errorpc"] in by_address
    address = at["errorpc"] if failed else at["pc"]
    place = by_address.get(address)
    function = at["function"] or "?"
    if place is None:
        raise SmemdescError(
            f"{address:#x} is not in the listing of {function}",
            hint="focus on a thread of a kernel: cuda kernel 0 block 0 thread 0",
        )
    line = instruction_of(place)
    understood = line and understand(line)
    if understood is None:
        raise SmemdescError(
            f"{function}+{place.offset} is not a tensor-core instruction with descriptors: {place.text}",
            hint=_nearest(listed),
        )
    arch = at["arch"] and f"{at['arch']}a"
    instruction, reads = understood
    _, warp = yield from _warp(at["thread"])
    return Here(function, at["thread"], warp, place, failed, instruction, reads, arch or None, listed, text, at["pc"])


def _nearest(listed: tuple[ListingPlace, ...]) -> str:
    instructions = of_tensor_cores(listed)
    if not instructions:
        return "this function has none; smemdesc next runs on to the first kernel that has one"
    offsets = listed_words([f"+{place.offset}" for place in instructions], 4)
    return f"smemdesc next runs to the next one; this function has them at {offsets}"


def stop(*words: str) -> Session:
    """Show the instruction: ``smemdesc [--a-map EXPRESSION] [--b-map EXPRESSION]``."""
    from smemdesc.tiles.tensor_map import copied

    named = maps_of(words)
    stopped = yield from read_stop((yield from find_instruction()))
    maps = []
    for name, expression in named.items():
        _in_memory(stopped, name)
        maps.append(Filled(name, expression, (yield from map_at(expression))))
    written = {filled.name: copied(filled.map.candidates[0].fields) for filled in maps}
    mma = stopped.mma._replace(a_map=written.get("a"), b_map=written.get("b"))
    stopped = stopped._replace(mma=mma, judged=judge_mma(mma)) if maps else stopped
    yield stopped._replace(maps=tuple(maps))


def read_stop(at: Here) -> Generator[Any, AnswerDict, Stop]:
    """Read the registers of an instruction and check it."""
    names = {name: registers for name in OPERANDS if (registers := getattr(at.reads, name)) is not None}
    memory = at.reads.memory
    read = {register for registers in names.values() for register in registers} | {
        reference.register for reference in memory
    }
    needed = sorted(read - {"URZ"})
    values = (yield from ask("values", expressions=[f"${register}" for register in needed]))["values"]
    contents = {"URZ": 0, **dict(zip(needed, values, strict=True))}
    missing = [register for register in needed if contents[register] is None]
    if missing:
        raise SmemdescError(
            f"the debugger has no {', '.join('$' + register for register in missing)}", hint="focus on a thread"
        )
    changed = changed_since(at, needed) if at.failed else ()
    overwritten = {change.register for change in changed}
    scanned = _scanned(at) if overwritten else None
    operands: dict[str, MmaOperand] = {}
    for name, registers in names.items():
        words = [
            _word(contents[register], place, register in overwritten, getattr(scanned, name, None))
            for place, register in enumerate(registers)
        ]
        operands[name] = MmaOperand(sum(word.bits for word in words), sum(word.known for word in words))
    a, b, idesc, mask = (operands.get(name) for name in OPERANDS)
    mma = Mma(at.instruction, a, b, idesc, mask, at.arch)
    judged = judge_mma(mma)
    words_read = [
        None if reference.register in overwritten else ScannedOperand(contents[reference.register], ones(WORD))
        for reference in memory
    ]
    places = tmem_addresses(memory, words_read)
    if scanned is not None:
        triples = zip(words_read, places, scanned.tensor_memory, strict=True)
        places = tuple(known if word is None else place for word, place, known in triples)
    return Stop(at, mma, judged, tuple(_operands(judged)), changed, places)


def _word(value: int, place: int, overwritten: bool, from_text: ScannedOperand | None) -> MmaOperand:
    """Return the word of an operand from its register, or, if that was overwritten, the bits known from the text."""
    mask = (1 << WORD) - 1 << WORD * place
    if not overwritten:
        return MmaOperand(value << WORD * place & mask, mask)
    return MmaOperand(0, 0) if from_text is None else MmaOperand(from_text.bits & mask, from_text.known & mask)


def changed_since(at: Here, registers: Iterable[str]) -> tuple[Changed, ...]:
    """Return the registers that may have been written since the failing instruction."""
    from smemdesc.scanning.languages.sass.lower import written_registers

    after = [place for place in at.places if at.place.address < place.address < at.pc]
    lines = [(instruction, parse_instruction(instruction.text.encode())) for instruction in after]
    straight = at.pc >= at.place.address and all(line is not None and line.name not in _JUMPS for _, line in lines)
    changed = []
    for register in registers:
        by = next((place for place, line in lines if line is not None and register in written_registers(line)), None)
        if by is not None or not straight:
            changed.append(Changed(register, by))
    return tuple(changed)


_JUMPS = frozenset(("BRA", "BRX", "JMP", "JMX", "CALL", "RET", "EXIT", "BRXU", "JMXU", "BSYNC", "WARPSYNC"))


def _scanned(at: Here) -> ScannedMma | None:
    """Return the instruction as found in the scanned text of the function; None if the scan does not find it."""
    from smemdesc.scanning import scan_text

    mmas = (mma for function in scan_text(at.listing).functions for mma in function.mmas)
    return next((mma for mma in mmas if mma.line == at.place.line), None)


def _operands(judged: Judged) -> Iterable[tuple[str, Operand]]:
    for name, context in zip(("a", "b"), judged.contexts, strict=True):
        result = getattr(judged, name)
        if result is None:
            continue
        try:
            yield name, operand_of(result.candidates[0].fields, context)
        except SmemdescError:
            continue


def following(*words: str) -> Session:
    """Run on to the next tensor-core instruction of this warp: ``smemdesc next``; else as ``smemdesc``.

    From a function that has none, it is the first of the first kernel launched that has one.
    """
    maps_of(words)  # before anything runs
    before = yield from ask("where")
    instructions = (yield from _listed_mmas()) if before["thread"] else ()
    if not instructions:
        before, instructions = yield from _first_kernel(before)
    addresses = [instruction.address for instruction in instructions]
    others = [address for address in addresses if address != before["pc"]] or addresses
    block, own = yield from _warp(before["thread"])
    group = 0 if before["pc"] in addresses else WARPS_TOGETHER.get(before["arch"], 1)
    condition = _condition(block, own, group)
    arrived = False
    while not arrived:  # the user's own breakpoints stop for every warp
        yield from ask("run_to", addresses=others, condition=condition)
        now = yield Question("where")
        if "error" in now:
            raise SmemdescError(f"the program continued without another tensor-core instruction of warp {own}")
        if now["pc"] not in addresses:
            raise SmemdescError(
                f"something else stopped the program in {now['function']}, before its next tensor-core instruction",
                hint="if it was your own breakpoint: delete it (info breakpoints), then smemdesc next",
            )
        arrived = now["pc"] in others and (yield from ask("values", expressions=[condition]))["values"] == [1]
    _, warp = yield from _warp(now["thread"])
    if warp != own:
        yield PlainLine(
            f"warp {warp} is the first of its block at a tensor-core instruction; the focus was on warp {own}"
        )
    yield from stop(*words)


def _listed_mmas() -> Generator[Any, AnswerDict, tuple[ListingPlace, ...]]:
    """Return the tensor-core instructions of the function that the focused thread is in."""
    return of_tensor_cores(places((yield from ask("listing"))["text"]))


def _first_kernel(last: AnswerDict) -> Generator[Any, AnswerDict, tuple[AnswerDict, tuple[ListingPlace, ...]]]:
    """Run on from where the program stopped last, to the first kernel launched that has a tensor-core instruction.

    Return where it stops, and these instructions.
    """
    passed, without = int(bool(last["thread"])), set[int]()
    for _ in range(_LAUNCHES):
        yield from ask("run_to_launch")
        now = yield Question("where")
        count = f"{many(passed, 'kernel')} without a tensor-core instruction"
        if "error" in now:
            raise SmemdescError(f"the program ended after {count}")
        kernel = _kernel(now["thread"])
        if kernel and (kernel, now["pc"]) == (_kernel(last["thread"]), last["pc"]):
            continue  # a breakpoint there stops each of its blocks
        if kernel in ("", _kernel(last["thread"])):
            raise SmemdescError(
                f"something else stopped the program in {now['function']}, after {count}", hint="smemdesc next runs on"
            )
        instructions = () if now["pc"] in without else (yield from _listed_mmas())
        if instructions:
            yield PlainLine(f"ran on to {kernel}, after {count}")
            return now, instructions
        without.add(now["pc"])
        last, passed = now, passed + 1
    raise SmemdescError(f"{passed} kernels have no tensor-core instruction", hint="smemdesc next runs on")


_LAUNCHES = 1000
"""Stops after which ``next`` gives up."""


def _kernel(thread: str) -> str:
    """Return the kernel in the output of ``cuda kernel block thread``: ``kernel 3``, or an empty string."""
    return "".join(re.findall(r"kernel \d+", thread)[:1])


_THREAD = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"


def _condition(block: Sequence[int], warp: int, group: int) -> str:
    """Return the condition for the threads at which the debugger stops: threads of the warp ``warp`` of a block.

    A warp that is not at a tensor-core instruction may never reach one, such as the warp that loads the tiles: then
    (``group`` is not 0) threads of the other groups of warps in its block stop, too.
    """
    here = [f"blockIdx.{axis} == {place}" for axis, place in zip("xyz", block, strict=False)]
    mine = f"{_THREAD} / {WARP} == {warp}"
    threads = f"({mine} || {_THREAD} / {WARP * group} != {warp // group})" if group else mine
    return " && ".join([*here, threads])


def _warp(thread: str) -> Generator[Any, AnswerDict, tuple[tuple[int, ...], int]]:
    """Return the block and the warp in the output of ``cuda kernel block thread``."""
    block = re.search(r"block \((\d+),(\d+),(\d+)\)", thread)
    match = re.search(r"thread \((\d+),(\d+),(\d+)\)", thread)
    x, y, z = (int(group) for group in match.groups()) if match else (0, 0, 0)
    if y or z:
        wide, high = (yield from ask("values", expressions=["blockDim.x", "blockDim.y"]))["values"]
        x += (wide or WARP) * (y + (high or 1) * z)
    return tuple(int(group) for group in block.groups()) if block else (), x // WARP


def breakpoints(function: str = "") -> Session:
    """Put a breakpoint on each tensor-core instruction of a function: ``smemdesc break [FUNCTION]``."""
    named = {"function": function} if function else {}
    text = (yield from ask("listing", **named))["text"]
    instructions = of_tensor_cores(places(text))
    if not instructions:
        raise SmemdescError(
            f"{function or 'this function'} has no tensor-core instruction",
            hint="a kernel is loaded at its launch: tbreak KERNEL, run, then smemdesc break",
        )
    yield from ask("stop_at", addresses=[instruction.address for instruction in instructions])
    yield Breakpoints(function, instructions)


def decode_session(*words: str) -> Session:
    """Decode a value: ``smemdesc EXPRESSION``; a register means the pair that begins with it."""
    expression, options = _split(words)
    if re.fullmatch(r"0x[0-9a-fA-F]{17,}", expression):  # too long a number for the debugger: a tensor map, a mask
        yield DecodeQuestion(expression, options)
        return
    register = re.fullmatch(r"\$(U?R)(\d+)", expression)
    one = not {"idesc", "tmem", "--kind=idesc", "--kind=tmem"}.isdisjoint(options)
    if not any(option.startswith("--kind") for option in options):
        at = yield Question("where")  # the debugger may not have a kernel
        if at.get("arch"):
            options = ("--kind", "wgmma" if at["arch"] in WARPS_TOGETHER else "tcgen05", *options)
    if register and not one:
        value = yield from pair(register[1], int(register[2]))
        digits = 16
    else:
        value = (yield from ask("values", expressions=[expression]))["values"][0]
        digits = 8 if one else 16
    if value is None:
        raise SmemdescError(
            f"the debugger has no number for {expression}", hint=_meant(words[0]) or "$UR8, or an expression: desc_a"
        )
    yield DecodeQuestion(f"0x{value % (1 << 4 * digits):0{digits}x}", options)


def _split(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Split the words of a command into an expression and the options, which follow it or come before its word."""
    end = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    return (" ".join(words[:end]), tuple(words[end:])) if end else (words[-1], tuple(words[:-1]))


def _meant(word: str) -> str:
    """Return a hint with the command that was probably meant, or an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), tuple(filter(None, _COMMANDS)), n=1, cutoff=0.7)
    return f"did you mean smemdesc {near[0]}? smemdesc help lists the commands" if near else ""


def _operand(name: str) -> Generator[Any, AnswerDict, tuple[Operand, str, int]]:
    """Return an operand of the inspected instruction, the kind of its descriptor, and the descriptor."""
    stopped = yield from read_stop((yield from find_instruction()))
    kind = "wgmma" if stopped.mma.instruction.family == "wgmma" else "tcgen05"
    result = _in_memory(stopped, name)
    operand = dict(stopped.operands).get(name)
    if operand is not None:
        return operand, kind, getattr(stopped.mma, name).bits
    context = stopped.judged.context(name)
    return operand_of(result.candidates[0].fields, context, name.upper()), kind, result.value


def _in_memory(stopped: Stop, name: str) -> Result:
    """Return the descriptor of an operand in shared memory."""
    result: Result | None = getattr(stopped.judged, name)
    if result is None:
        where = PLACES_OF_A.get(stopped.mma.instruction.a_from, "no descriptor")
        raise SmemdescError(f"{name.upper()} of this instruction is in {where}")
    return result


def _memory(first: int, count: int) -> Generator[Any, AnswerDict, Memory]:
    from smemdesc.kinds.elements import Memory

    answer = yield from ask("memory", first=first, count=count)
    return Memory(first, base64.b64decode(answer["base64"]))


def _all_memory() -> Generator[Any, AnswerDict, Memory]:
    """Return the whole shared memory of the block; its size is found by bisection."""
    low, high = 1024, WINDOW
    while high - low > 1024:
        middle = (low + high) // 2 // 1024 * 1024
        answer = yield Question("memory", (("first", middle - 1), ("count", 1)))
        low, high = (low, middle) if "error" in answer else (middle, high)
    return (yield from _memory(0, low))


def matrix(name: str, corner: str = "") -> Session:
    """Show an operand as numbers: ``smemdesc operand a [ROWS,COLUMNS]``."""
    from smemdesc.layout.elements import elements

    operand, *_ = yield from _operand(name)
    rows, columns = _corner(corner, operand.shape)
    runs = operand.intervals()
    memory = yield from _memory(runs[0][0], runs[-1][1] - runs[0][0])
    numbers = elements(operand, memory)
    yield OperandMatrix(name, operand, tuple(tuple(row) for row in numbers), rows, columns)


def _corner(text: str, shape: tuple[int, int]) -> tuple[range, range]:
    """Read ``0-15,8-11``: the rows and the columns that are shown."""
    parts = text.split(",") if text else []
    ranges = []
    for place, (what, size) in enumerate(zip(("rows", "columns"), shape, strict=True)):
        part = parts[place].strip() if place < len(parts) else ""
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part) if part else None
        if part and (not match or int(match[1]) >= size):
            raise SmemdescError(f"{text}: no {what} of 0..{size - 1}", hint="smemdesc operand a 0-15,0-7")
        ranges.append(range(int(match[1]), min(int(match[2] or match[1]) + 1, size)) if match else range(size))
    return ranges[0], ranges[1]


def element_session(name: str, at: str = "") -> Session:
    """Show one element: ``smemdesc at a 17,9``."""
    operand, *_ = yield from _operand(name)
    match = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*", at)
    if not match or int(match[1]) >= operand.shape[0] or int(match[2]) >= operand.shape[1]:
        rows, columns = operand.shape
        raise SmemdescError(
            f"{at or 'no element'}: not an element of {name.upper()}",
            hint=f"smemdesc at {name} MN,K with MN in 0..{rows - 1} and K in 0..{columns - 1}",
        )
    mn, k = int(match[1]), int(match[2])
    first = operand.address(mn, k)
    count = (operand.bit_address(mn, k) % 8 + operand.dtype.bits + 7) // 8
    memory = yield from _memory(first, count)
    word = int.from_bytes(memory.data, "little")
    bits = word >> operand.bit_address(mn, k) % 8 & (1 << operand.dtype.bits) - 1
    yield DebuggerElement(name, operand, mn, k, bits)


def compare_operand(name: str, expected: str = "", shape: str = "") -> Session:
    """Compare an operand with a file, or with the memory of an expression: ``smemdesc compare a A.npy``."""
    from smemdesc.layout.recognize import recognize
    from smemdesc.reading.matrices import read_matrix
    from smemdesc.tiles.solving import descriptor_for

    if not expected:
        raise SmemdescError("the expected matrix is missing", hint=f"smemdesc compare {name} A.npy")
    operand, kind, value = yield from _operand(name)
    source, picked = _slice(expected)
    if Path(source).exists() or re.search(r"\.(npy|csv|txt)$", source):
        numbers = read_matrix(source, operand.dtype)
    else:
        numbers = yield from _from_host(source, shape, operand)
    numbers = [row[picked[1]] for row in numbers[picked[0]]]
    if not numbers or not numbers[0]:
        raise SmemdescError(f"{expected}: the matrix is empty")
    whole = _widened(operand, (len(numbers), len(numbers[0])))
    recognition = recognize((yield from _all_memory()), numbers, whole, kind=kind)
    repair = descriptor_for(recognition, kind, value)
    yield OperandComparison(name, expected, recognition, (repair,) if repair else ())


def _widened(operand: Operand, shape: tuple[int, int]) -> Operand:
    """Return the operand with another shape: the shape of the tile whose first step it is."""
    return Operand(
        operand.mode.name,
        operand.major,
        operand.dtype,
        shape,
        start=operand.start,
        lbo=operand.lbo,
        sbo=operand.sbo,
        base_offset=operand.base_offset,
        absolute=operand.absolute,
    )


def _slice(text: str) -> tuple[str, tuple[slice, slice]]:
    """Split ``A.npy[0:64,16:32]`` into the name and the slices of rows and columns."""
    name, bracket, inside = text.removesuffix("]").rpartition("[")
    parts = [dimension.partition(":") for dimension in inside.split(",")]
    if not bracket or not text.endswith("]") or len(parts) > 2:
        return text, (slice(None), slice(None))
    if any(bound and not bound.isdecimal() for low, _, high in parts for bound in (low, high)):
        raise SmemdescError(f"{text}: not rows and columns", hint="smemdesc compare a A.npy[0:64,16:32]")
    slices = [slice(int(low) if low else None, int(high) if high else None) for low, _, high in parts]
    return name, (slices[0], slices[1] if len(slices) > 1 else slice(None))


def _from_host(expression: str, shape: str, operand: Operand) -> Generator[Any, AnswerDict, list[list[int]]]:
    match = re.fullmatch(r"(\d+)x(\d+)", shape) if shape else None
    if shape and not match:
        raise SmemdescError(f"{shape}: not a shape", hint="smemdesc compare a h_A 64x64")
    if operand.dtype.bits % 8:
        raise SmemdescError(
            f"{expression}: {operand.dtype.name} can only be compared with a file", hint="smemdesc compare a A.npy"
        )
    mn, k = (int(match[1]), int(match[2])) if match else operand.shape
    size = operand.dtype.bits // 8
    answer = yield from ask("host", expression=expression, count=mn * k * size)
    data = base64.b64decode(answer["base64"])
    numbers = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    return [numbers[row * k : (row + 1) * k] for row in range(mn)]


def help_session() -> Session:
    """Show the commands: ``smemdesc help``."""
    yield PlainLine(HELP)


HELP = """\
smemdesc                      the instruction at $pc, or after an exception at
                              $errorpc
smemdesc next                 run on to the next one of the focused warp; from a
                              kernel without one, to the first kernel that has
smemdesc [next] --a-map EXPR  and the tensor map that fills A, or --b-map B
smemdesc break [FUNCTION]     a breakpoint on each of them
smemdesc EXPR [OPTIONS]       decode a value (also smemdesc decode EXPR): $UR8
                              is the pair UR8, UR9; with --kind idesc or tmem
                              one register
smemdesc map [EXPR]           decode a tensor map, or a pointer to one: map_a,
                              $UR4, (@parameter char*)0x280; without EXPR those
                              of the kernel's copies and parameters
smemdesc shared [--all]       shared memory of this kernel as scan shows it:
                              tiles, copies with their maps as they are now,
                              MMAs, barriers, and what contradicts itself
smemdesc shared --map NAME=EXPR
                              and the map of a copy that was not found: its
                              name or number as shared lists it
smemdesc operand a|b [ROWS,COLUMNS]
                              the operand as a matrix: operand a 0-15,0-7
smemdesc at a|b MN,K          one element, its address and the formula
smemdesc compare a|b FILE     where it differs from the expected matrix, and
                              why: A.npy, A.npy[0:64,16:32]
smemdesc compare a|b EXPR MNxK
                              the same with a row-major matrix of the program
"""


class _SessionCommand(NamedTuple):
    run: Callable[..., Session]
    most: int | None
    operand: bool = False


_COMMANDS = {
    "": _SessionCommand(stop, None),
    "next": _SessionCommand(following, None),
    "break": _SessionCommand(breakpoints, 1),
    **dict.fromkeys(("decode", "desc"), _SessionCommand(decode_session, None)),
    "map": _SessionCommand(mapped, None),
    "shared": _SessionCommand(shared_session, None),
    "operand": _SessionCommand(matrix, 2, True),
    "at": _SessionCommand(element_session, 2, True),
    "compare": _SessionCommand(compare_operand, 3, True),
    "help": _SessionCommand(help_session, 0),
}


def session(text: str) -> Session:
    """Return the session of a typed command, without the word ``smemdesc``."""
    words = text.split()
    name = words[0] if words and not words[0].startswith("--") else ""
    if name not in _COMMANDS:
        return decode_session(*words)
    command, words = _COMMANDS[name], words[bool(name) :]
    if command.operand:
        if not words or words[0].lower() not in ("a", "b"):
            raise SmemdescError(f"the operand is missing: smemdesc {name} a, or b", hint="smemdesc help")
        words[0] = words[0].lower()
    if (command.most is not None and len(words) > command.most) or (command.run is decode_session and not words):
        raise SmemdescError(f"smemdesc {text}: too many words" if words else "no value", hint="smemdesc help")
    return command.run(*words)
