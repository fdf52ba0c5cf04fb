"""The device code of a file, from its bytes to the known bits of its descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import in_place
from smemdesc.scanning.inputs.binaries import cubin, programs
from smemdesc.scanning.inputs.binaries.containers import Member, unpacked
from smemdesc.scanning.inputs.pieces import is_wanted, scan_piece, unsettled
from smemdesc.scanning.inputs.text import FUNCTION_BYTES, TextContext, cut_text, file_state
from smemdesc.scanning.languages.units import SASS, Archs, Named, first_header
from smemdesc.scanning.model import Function, Part, joined
from smemdesc.scanning.model.shared_memory import GivenMaps

START_COST = 2_000_000
"""The cost of starting nvdisasm, in bytes of machine code that it prints in that time: about 0.4 s."""
_GROUP = 500_000
"""Bytes of machine code from which starting a second nvdisasm pays off, if there is nothing else to do."""


class Ask(NamedTuple):
    """The options of a scan."""

    wanted: str | None = None
    """Only functions whose name fits this pattern."""
    folder: str | None = None
    """Where NVIDIA's programs are; None: in the usual places."""
    jobs: int = 0
    """The number of processes; 0: one for each core."""
    arch: str | None = None
    """The architecture whose tables are used for values in text that names none."""
    all_ptx: bool = False
    """Whether the PTX of a fat binary is scanned even if its machine code has descriptors."""
    maps: GivenMaps = ()
    """The tensor maps that were given for parameters of kernels."""


EVERYTHING = Ask()


class Printing(NamedTuple):
    """A member that has to be printed and scanned: all of it (PTX), or these functions."""

    path: str
    """The file that it is in."""
    state: tuple[int, ...]
    """The file's state as :func:`~smemdesc.scanning.inputs.text.file_state` returns it."""
    member: Member
    """Without its bytes, so that a waiting task does not keep them in memory."""
    size: int
    """The number of these bytes."""
    ask: Ask
    symbols: tuple[int, ...]
    weight: int
    nvdisasm: str = ""
    continued: bool = False
    """Whether functions of the same member were printed before: its line numbers continue."""

    def unpacked(self) -> bytes:
        """Return the member unpacked. :class:`SmemdescError` if the file was written since."""
        with open(self.path, "rb") as stream:
            stream.seek(self.member.at)
            data = stream.read(self.size)
            if len(data) < self.size or file_state(stream) != self.state:
                raise SmemdescError("the file changed while it was read", hint="scan it again")
        return unpacked(self.member._replace(data=data), self.ask.folder)


class Done(NamedTuple):
    """The result of a member; lines count from 1 at its first printed line."""

    part: Part
    newlines: int


class Content(NamedTuple):
    """The functions of a cubin whose names match the pattern, each with its tensor-core instructions."""

    sm: int
    relocatable: bool
    functions: tuple[tuple[cubin.CodeSection, cubin.MmaOpcodes], ...]

    @property
    def chosen(self) -> list[cubin.CodeSection]:
        """The functions that use descriptors."""
        return [code for code, used in self.functions if used.descriptors]

    @property
    def part(self) -> Part:
        """The counts that are known without printing any function."""
        older = sum((used.older for _, used in self.functions), Counter[str]())
        arch = f"sm_{self.sm}"
        bare = ((arch, len(self.functions)),) if self.functions and in_place(arch) else ()
        return Part((), len(self.functions), older=tuple(older.items()), bare=bare)

    @property
    def keys(self) -> Iterator[int]:
        """A key for each function, the same for functions with the same name and architecture."""
        return (hash((self.sm, code.name)) for code, _ in self.functions)

    def without(self, keys: Container[int]) -> Content:
        """Return the functions whose keys are not in ``keys``."""
        left = (function for key, function in zip(self.keys, self.functions, strict=True) if key not in keys)
        return self._replace(functions=tuple(left))


def content(data: bytes, ask: Ask) -> Content:
    """Return the matching functions of a cubin. :class:`SmemdescError` if the file contradicts itself."""
    binary = cubin.read_cubin(data)
    codes = (
        [code for code in binary.functions if is_wanted(code.name, ask.wanted)] if binary.sm >= cubin.FIRST_ARCH else []
    )
    functions = ((code, cubin.used(data[code.start : code.start + code.size], binary.sm)) for code in codes)
    return Content(binary.sm, binary.relocatable, tuple(functions))


def symbols(chosen: list[cubin.CodeSection]) -> tuple[int, ...]:
    """Return the symbol indices that select functions in nvdisasm; empty (all functions) if one has no index."""
    indices = tuple(code.symbol for code in chosen if code.symbol is not None)
    return indices if len(indices) == len(chosen) else ()


def groups(chosen: list[cubin.CodeSection], jobs: int) -> list[list[cubin.CodeSection]]:
    """Distribute the functions of one cubin among processes."""
    size = sum(code.size for code in chosen)
    share = max(_GROUP, -(-size // jobs))
    groups: list[list[cubin.CodeSection]] = [[]]
    filled = 0
    for code in chosen:
        if filled >= share:
            groups.append([])
            filled = 0
        groups[-1].append(code)
        filled += code.size
    return groups


def scan_member(task: Printing) -> Done:
    """Print a member and scan it."""
    return _text(task) if task.member.kind == "ptx" else _printed(task)


def _text(task: Printing) -> Done:
    text = task.unpacked().rstrip(b"\0")
    if len(text) > FUNCTION_BYTES:
        raise SmemdescError(f"PTX of {len(text)} bytes is not scanned: the limit is {FUNCTION_BYTES}")
    return Done(_named(unsettled(text, task.ask.wanted, task.ask.maps), task), text.count(b"\n"))


def _printed(task: Printing) -> Done:
    parts: list[Part] = []
    data = task.unpacked()
    context = TextContext(
        Archs(), {SASS: cubin.never_returning_offsets(data)}, Named(), task.ask.wanted, maps=task.ask.maps
    )
    printed = programs.disassembled(task.nvdisasm, data, task.symbols, ("-g",))  # with the lines of the source
    del data  # disassembled releases it once it is written
    lines = 1
    for piece in cut_text(context, _functions(printed) if task.continued else printed):
        if not parts:
            context.archs.read(piece.text)
        parts.append(scan_piece(piece))
        lines = piece.end.line
    # Functions, their architectures and older instructions were counted from the cubin itself.
    part = _named(joined(parts)._replace(seen=0, older=(), bare=()), task)
    return Done(part._replace(functions=tuple(map(_as_printed, part.functions))), lines - 1)


def _as_printed(function: Function) -> Function:
    """Return a function whose instructions have offsets instead of the lines of a text that nobody has."""
    return function._replace(mmas=tuple(mma._replace(printed=True) for mma in function.mmas))


def _functions(printed: Iterator[bytes]) -> Iterator[bytes]:
    """Leave out what is printed before the first function: it was counted with the first group."""
    text = b""
    for stretch in printed:
        text += stretch
        if header := first_header(text):
            yield text[text.rfind(b"\n//-", 0, header.start()) + 1 :]
            break
    yield from printed


def _named(part: Part, task: Printing) -> Part:
    functions = tuple(function._replace(member=task.member.name) for function in part.functions)
    return part._replace(functions=functions, mentions=())
