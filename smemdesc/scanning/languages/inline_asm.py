"""Inline PTX in a call of LLVM IR or MLIR: lowered like any other PTX, to values of the function around it.

The string is read as PTX whose operands are registers. In SSA form, input registers start with the values that the call
passes; output registers end with the results of the call. So the versions of its registers are names like the
function's values, and one solver finds what is known of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.analysis.conditions import Refined, unrefined
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.induction import HeaderPhi
from smemdesc.scanning.analysis.ir import CUT, IN
from smemdesc.scanning.analysis.operands import Operands
from smemdesc.scanning.analysis.ssa import Block, PredicateLiteral, Register, Ssa, Version
from smemdesc.scanning.languages.mma import IntrinsicMma, ParsedMma
from smemdesc.scanning.languages.mnemonics import ACCESSES, MAPS
from smemdesc.scanning.languages.ptx.body import ptx_control_flow, read_body
from smemdesc.scanning.languages.ptx.front import PtxCode, tensor_cores
from smemdesc.scanning.languages.ptx.local import local_memory
from smemdesc.scanning.languages.ptx.lower import MMA_BEGINNINGS as MMA_BEGINNINGS
from smemdesc.scanning.languages.ptx.lower import READS_DESCRIPTORS
from smemdesc.scanning.languages.ptx.tensormap import map_changes
from smemdesc.scanning.languages.ptx.text import PtxStatement, Scope, statement_text, without_ptx_comments
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import ScannedMma

INLINE_MARKS = (*MMA_BEGINNINGS, *MAPS, *ACCESSES)
"""Inline PTX without any of these texts is not read."""

_PLACE = re.compile(r"\$(?:(\d{1,4})|\{(\d{0,4})(?::\w+)?\}|([$]))", re.A)
_REGISTER = re.compile(r"%smemdesc_(\d{1,4})\b", re.A)
_TIED = re.compile(r"[0-9]{1,4}")
_WIDTHS = {"r": 32, "l": 64, "h": 16}
_LITERALS = frozenset("niIs")
_LONGEST = 300
"""The most characters of an operand or an instruction that are shown."""
_PROGRAMS = 64
"""Strings that are cached: a kernel has the same one in many calls."""


class Argument(NamedTuple):
    """An argument of a call: its text, its value (a name, or a constant) and its width in bits."""

    text: str
    value: Any
    width: int


class _AsmOperand(NamedTuple):
    """The operand ``$N``."""

    register: int
    """The number in the name of its register: its own, or the output's with which it shares one."""
    kind: str
    """The letter of its constraint."""
    argument: Argument | None = None
    """None for an output, and if it is missing."""
    output: bool = False


class _AsmText(NamedTuple):
    """A string as PTX, whatever is passed to it."""

    blocks: Sequence[Block]
    code: PtxCode
    outputs: Sequence[str]
    """The registers that are read at its end."""
    mmas: Mapping[int, ParsedMma[PtxStatement]]
    maps: Sequence[tuple[int, MapOperand]]
    odd: int
    unread: tuple[str, ...]


class Inner(Version):
    """A version of a register in inline PTX: a value of the function around it."""

    __slots__ = ("asm",)

    def __init__(self, asm: InlineAsm, block: int, index: int, register: Register, carried_out: bool) -> None:
        super().__init__(block, index, register, carried_out)
        self.asm = asm

    def __str__(self) -> str:
        return self.asm.shown(str(self.register))


class InlineAsm(Ssa):
    """The inline PTX of one call."""

    def __init__(self, asm: str, constraints: str, arguments: Sequence[Argument], at: int, site: Any = None) -> None:
        """``at``: the line of the call; ``site``: whatever else identifies it for the front end."""
        self.at = at
        self.site = site
        self._operands = _operands(constraints, arguments)
        self._inputs: dict[tuple[int, int, Register], tuple[Argument, int]] = {
            (0, -1, f"%smemdesc_{operand.register}"): (operand.argument, _WIDTHS[operand.kind])
            for operand in self._operands
            if operand.argument is not None and operand.kind in _WIDTHS
        }
        """The registers that hold arguments where the string begins, with their widths in bits."""
        self._outputs = [operand for operand in self._operands if operand.output]
        names = tuple(f"%smemdesc_{output.register}" for output in self._outputs)
        self._program = _program(_PLACE.sub(partial(_named, self._operands), asm), names)
        code = self._program.code
        super().__init__(self._program.blocks, code, len(code.items))
        self.unread = tuple(
            unread_message(self.shown(text), "inline PTX: operands are missing, or its name is unknown")
            for text in self._program.unread
        )
        has_mma = any(mma.line.role is READS_DESCRIPTORS for mma in self._program.mmas.values())
        self.odd = self._program.odd if has_mma or self.unread else 0
        self._mmas = [
            IntrinsicMma(
                self.at,
                self.shown(statement_text(mma.line)),
                mma.instruction,
                mma.operands.converted(partial(self._read, index)),
            )
            for index, mma in self._program.mmas.items()
        ]
        self.maps = tuple(
            change._replace(
                change=change.change._replace(map=self.shown(change.change.map), text=self.shown(change.change.text)),
                value=self._read(index, change.value),
            )
            for index, change in self._program.maps
        )
        """The changes of tensor maps."""
        self.map_places = [index for index, _ in self._program.maps]
        """The instructions that make them, by their numbers in the string."""
        self._results = [self._read(len(code.items) - 1, register) for register in self._program.outputs]

    @property
    def statements(self) -> Sequence[PtxStatement]:
        """Its instructions and labels."""
        return self._program.code.items

    def value_at(self, index: int, register: Any) -> Any:
        """Return the value of a register that an instruction reads; of one that holds a constant, that."""
        value = self._read(index, register)
        held = self._inputs.get((value.block, value.index, value.register)) if isinstance(value, Inner) else None
        return held[0].value if held is not None and held[0].value.__class__ is tuple else value

    def passed(self, register: Any) -> Argument | None:
        """Return the argument that a register holds where the string begins; None if it holds none."""
        match = _REGISTER.fullmatch(str(register))
        return self._operands[int(match[1])].argument if match and int(match[1]) < len(self._operands) else None

    def guard_at(self, index: int) -> PredicateLiteral | None:
        """Return the value under which an instruction is executed, and whether it has to hold."""
        guard = self.code.guard(index)
        if guard is None:
            return None
        argument = self.passed(guard.predicate)
        value = self.read(guard.predicate, index) if argument is None else argument.value
        return PredicateLiteral(value, guard.holds)

    def _read(self, index: int, register: Any, width: int = 0) -> Any:
        return self.value(register, index, self.code.guard(index))

    # ---- for the function around it ----

    def result(self, path: Sequence[int]) -> Definition | None:
        """Return how a result of the call follows from other values; ``path``: its index, if there are several."""
        number = path[0] if path else 0
        if len(path) != (len(self._outputs) > 1) or number >= len(self._outputs):
            return None
        width = _WIDTHS.get(self._outputs[number].kind)
        output = (self._results[number],)
        return None if width is None else Definition(self.at, output, CUT(IN[0], width))

    @property
    def operands(self) -> list[tuple[Any, int]]:
        """The values that its tensor-core instructions read, with their widths in bits."""
        return [operand for mma in self._mmas for operand in mma.operands]

    @property
    def parts(self) -> list[tuple[int, IntrinsicMma]]:
        """Its tensor-core instructions, each with its number in the string."""
        return [*zip(self._program.mmas, self._mmas, strict=True)]

    def mmas(self, values: Operands) -> Iterator[ScannedMma]:
        """Yield its tensor-core instructions, given what is known of :attr:`operands`."""
        for mma in self._mmas:
            yield from mma.mmas(values)

    def shown(self, text: str) -> str:
        """Return a text of the string with the arguments instead of its registers; an output has no text."""
        return _REGISTER.sub(lambda match: self._text(int(match[1])), text)

    def _text(self, register: int) -> str:
        if register < len(self._operands) and (argument := self._operands[register].argument) is not None:
            return shortened(argument.text)
        return f"${register}"

    # ---- its registers as values of the function ----

    def define(self, version: Any) -> Definition:
        """Return how a version follows from others; everything in the string is on the line of the call."""
        key = () if isinstance(version, Refined) else (version.block, version.index, version.register)
        if key in self._inputs:
            argument, width = self._inputs[key]
            return Definition(self.at, (argument.value,), CUT(IN[0], min(argument.width, width)))
        definition = super().define(version)
        return Definition(self.at) if definition is None else definition._replace(at=self.at)

    def is_defined_in(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is defined in one of these blocks of the string."""
        name = unrefined(name)
        return isinstance(name, Inner) and name.asm is self and name.block in body

    def _version(self, number: int, index: int, register: Register, carried_out: bool = False) -> Any:
        key = (number, index, register, carried_out)
        if key not in self._versions:
            passed = self._inputs.get(key[:3])
            whole = passed is not None and passed[0].width == passed[1]
            self._versions[key] = passed[0].value if passed is not None and whole else Inner(self, *key)
        return self._versions[key]


def header_phis(merges: Iterable[Any]) -> dict[Any, HeaderPhi]:
    """Return the header phis of the loops in inline PTX that contain these merges."""
    own: dict[InlineAsm, list[Inner]] = {}
    for merge in merges:
        if isinstance(merge, Inner):
            own.setdefault(merge.asm, []).append(merge)
    return {name: phi for asm, merges in own.items() for name, phi in asm.header_phis(merges).items()}


def shortened(text: str) -> str:
    """Return a text as it is shown: cut off if it is long."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def unread_message(text: str, why: str) -> str:
    """Return the message for a tensor-core instruction of compiler IR that is not understood."""
    return f"{text}: {why}; scan its PTX or SASS"


def _operands(constraints: str, arguments: Sequence[Argument]) -> list[_AsmOperand]:
    operands: list[_AsmOperand] = []
    left = iter(arguments)
    for constraint in constraints.split(","):
        constraint = constraint.strip()
        if constraint.startswith("~"):
            continue
        kind = constraint.lstrip("=+&%*")[:1]
        if constraint.startswith("=") and "*" not in constraint:
            operands.append(_AsmOperand(len(operands), kind, output=True))
            continue
        argument = next(left, None)
        number = constraint.lstrip("&%*")
        if _TIED.fullmatch(number) and int(number) < len(operands):
            tied = operands[int(number)]
            operands.append(_AsmOperand(tied.register, tied.kind, argument))
        else:
            operands.append(_AsmOperand(len(operands), kind, argument))
    return operands


def _named(operands: Sequence[_AsmOperand], match: re.Match[str]) -> str:
    """Return the name of an operand's register, or the digits of an immediate operand."""
    if match[3]:
        return "$"
    number = match[1] or match[2]
    if not number or int(number) >= len(operands):
        return "0"
    operand = operands[int(number)]
    argument = operand.argument
    if operand.kind in _LITERALS and argument is not None and argument.value.__class__ is tuple and argument.width:
        bits, known = argument.value[:2]
        if known & ones(argument.width) == ones(argument.width):
            return str(bits - (bits >> argument.width - 1 << argument.width))  # written with its sign
    return f"%smemdesc_{operand.register}"


@lru_cache(maxsize=_PROGRAMS)
def _program(asm: str, outputs: tuple[str, ...]) -> _AsmText:
    """Read a string; ``outputs`` are the registers that are read at its end."""
    # Nothing jumps to the first block, so that the arguments are known there.
    text = without_ptx_comments(f".entry smemdesc()\n{{\n$L__tmp:\n{asm}\n}}".encode("utf-8", "replace"))
    body = read_body(text, {})
    mmas, wrong = tensor_cores(body.items)
    maps = [(index, change) for index, item in enumerate(body.items) for change in map_changes(item)]
    body.items.append(PtxStatement(len(text), "", "", "", Scope()))
    local = {}
    if body.hidden is None and not text[body.end :].strip(" \t\n;{}"):
        blocks = ptx_control_flow(body)
        local = local_memory(body, text[: body.end]) if body.arrays else {}
    else:
        # Text that is not a statement may hide an instruction, a branch or a label, and so may text after a stray
        # brace.
        blocks = [Block(at) for at in range(len(body.items))]
        for block in blocks:
            block.entry = True
    unread = tuple(statement_text(item) for item in wrong)
    code = PtxCode(body.items, local, blocks)
    return _AsmText(blocks, code, outputs, mmas, maps, body.odd + len(wrong), unread)
