"""One function of LLVM IR: the operands of its tensor-core instructions."""

from __future__ import annotations

import re

from smemdesc.engine.brackets import closing, split
from smemdesc.scanning.languages import compiler_ir, inline_asm
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.inline_asm import InlineAsm, shortened
from smemdesc.scanning.languages.llvm.lower import LlvmDefinitions, LlvmLine, flow, llvm_memory, read_line
from smemdesc.scanning.languages.llvm.mma import understand
from smemdesc.scanning.languages.llvm.text import EMPTY_MODULE, LlvmModule, call
from smemdesc.scanning.languages.mma import IntrinsicMma, NotUnderstoodError
from smemdesc.scanning.languages.mnemonics import ACCESSES
from smemdesc.scanning.languages.tensor_memory import settled
from smemdesc.scanning.model import Function
from smemdesc.scanning.model.causes import SYSTEM_CALLS
from smemdesc.scanning.model.shared_memory import GivenMaps

_MARKS = tuple(mark.encode() for mark in inline_asm.INLINE_MARKS)
_INTRINSICS = (*inline_asm.MMA_BEGINNINGS, *ACCESSES)
_COPIES = (b"cp.async.bulk.", b".complete_tx::bytes")
_KERNEL = "ptx_kernel"
_NAME = r"(?:[-\w.$]+|\"[^\"]*\")"
_MMA = re.compile(r"\basm\b|@llvm\.nvvm\.(?:wgmma\.mma_async|tcgen05\.(?:mma|cp))\b(?!_)")
_LOCATION = re.compile(r"!dbg !(\d{1,9})\b")
_UNDERSTOOD = re.compile(
    rf"""[ \t]* (?:
      $ | [;}}\])] | \#dbg_ | (?:to|unwind)[ ]label | \] |
      (?: define | declare | source_filename | target | attributes | module | uselistorder | ![\w.] | @ | \$ ) |
      {_NAME} : |
      %{_NAME} [ ]?= |
      i\d+[ ]-?\d+,[ ]label |
      (?: store | br | ret | call | tail | musttail | notail | switch | unreachable | fence | indirectbr | resume |
          invoke | callbr | cleanupret | catchret ) \b
    )""",
    re.X,
)
_LONGEST_TEXT = 300


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, module: object = None, maps: GivenMaps = ()
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``module`` is what :func:`smemdesc.scanning.languages.llvm.text.read_module` returns for the file, if that was read;
    ``maps``: those of its parameters.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    around = module if isinstance(module, LlvmModule) else EMPTY_MODULE
    lines = _tidy(text.decode("utf-8", "replace").replace("\r", "")).split("\n")
    if "}" in lines:
        del lines[lines.index("}") + 1 :]  # text after the function
    _join(lines)
    rows = [read_line(at, line) for at, line in enumerate(lines)]
    head, arguments = _arguments(lines)
    # Arguments are numbered from the last line on, so that they differ from lines.
    places = {name: len(lines) + at for at, name in enumerate(arguments)}
    definitions = LlvmDefinitions(rows, places, around)
    calls, wrong = _calls(rows, definitions)
    if not calls and not wrong:
        return None
    odd = len(wrong) + sum(not _UNDERSTOOD.match(line) for line in lines)
    if not odd:
        definitions.flow = blocks = flow(rows, definitions)
        if blocks is not None:
            definitions.memory = llvm_memory(rows, definitions, blocks)

    def shown(at: int) -> tuple[int, str] | None:
        if len(lines) <= at < len(lines) + len(arguments):
            return head, [*arguments.values()][at - len(lines)]
        return (at, _shown(lines[at])) if 0 <= at < len(lines) else None

    def source(at: int) -> tuple[str, int] | None:
        location = _LOCATION.search(lines[at], max(0, len(lines[at]) - _LONGEST_TEXT))
        return around.places.get(int(location[1])) if location else None

    memory = None
    if not odd and any(mark in text for mark in _COPIES):
        from smemdesc.scanning.languages.llvm.shared_memory import llvm_shared_memory

        memory = llvm_shared_memory(rows, definitions, maps)
    unread = tuple((first + index, inline_asm.unread_message(_shown(lines[index]), why)) for index, why in wrong)
    function = Function(name, first, "LLVM IR", (), odd, unread=unread)
    scanned = compiler_ir.analyse_function(function, arch, calls, definitions, shown, source, memory=memory)
    scanned = scanned and settled(scanned, not odd and _owns_its_memory(rows, lines[: head + 1]))
    return with_other_groups(scanned, (line for line in lines if "tcgen05" in line))


def _owns_its_memory(rows: list[LlvmLine], head: list[str]) -> bool:
    """Whether all tensor memory that a function uses is allocated in it: it is a whole kernel that calls no function of
    its file."""
    if not any(_KERNEL in line for line in head) or not any(row.text == "}" for row in rows):
        return False
    calls = [call(row.rest) for row in rows if row.name in ("call", "invoke", "callbr")]
    return all(
        called is not None and (called.asm or called.name.startswith("llvm.") or called.name in SYSTEM_CALLS)
        for called in calls
    )


_APART = re.compile(r"\"[^\"\n]*+\"?|[ \t]*+;[^\n]*+|[ \t]{2,}+|\t|[ ](?=\n|\Z)")


def _tidy(text: str) -> str:
    """Return the text without comments, with runs of blanks reduced to one."""

    def replacement(match: re.Match[str]) -> str:
        piece, start, end = match[0], match.start(), match.end()
        if piece[:1] == '"':
            return piece
        if piece.lstrip()[:1] == ";" or end == len(text) or text[end] == "\n":
            return ""
        return piece if not start or text[start - 1] == "\n" else " "

    return _APART.sub(replacement, text)


_WHOLE_LINE = re.compile(rf"[ \t]*+(?:%{_NAME}[ ]?=|(?:(?:tail|musttail|notail) )?call )")
_BRACKETS = re.compile(r"\"[^\"]*+\"|[(\[{<)\]}>]")


def _join(lines: list[str]) -> None:
    """Join the lines of each instruction that spans several on its first line."""
    index = 0
    while index < len(lines):
        line = lines[index]
        first = index
        index += 1
        if not _WHOLE_LINE.match(line):
            continue
        opened = _opened(line)
        parts = [line]
        while index < len(lines) and (opened > 0 or parts[-1].endswith(",") or _continues(lines[index])):
            if _WHOLE_LINE.match(lines[index]) or lines[index] == "}":
                break  # a bracket is missing
            opened += _opened(lines[index])
            parts.append(lines[index].strip())
            lines[index] = ""
            index += 1
        if len(parts) > 1:
            lines[first] = " ".join(part for part in parts if part)


def _continues(line: str) -> bool:
    return bool(line) and not _UNDERSTOOD.match(line)


def _opened(line: str) -> int:
    """Return how many more brackets a line opens than closes."""
    return sum(1 if bracket in "([{<" else -1 for bracket in _BRACKETS.findall(line) if len(bracket) == 1)


def _calls(
    rows: list[LlvmLine], definitions: LlvmDefinitions
) -> tuple[list[IntrinsicMma | InlineAsm], list[tuple[int, str]]]:
    """Return the calls that are or contain MMAs, and those that cannot be read, with the reason."""
    calls: list[IntrinsicMma | InlineAsm] = []
    unread = []
    for row in rows:
        if not any(mark in row.text for mark in inline_asm.INLINE_MARKS):
            continue
        called = call(row.rest) if row.name == "call" else None
        if not any(mark in row.text for mark in _INTRINSICS) and (called is None or not called.asm):
            continue
        try:
            understood = None if called is None or called.asm else understand(called)
        except NotUnderstoodError as problem:
            unread.append((row.at, str(problem)))
            continue
        if called is not None and called.asm:
            if any(mark in called.asm for mark in inline_asm.INLINE_MARKS):
                calls.append(definitions.inline(row.at, called))
        elif called is not None and understood is not None:
            text = f"{called.name}({', '.join(value for _, value in called.arguments)})"
            instruction, names = understood
            operands = names.converted(lambda argument, width: definitions.operand(*argument))
            calls.append(IntrinsicMma(row.at, text, instruction, operands))
        elif row.name in ("call", "invoke", "callbr") and _MMA.search(row.rest):
            unread.append((row.at, "only a complete call is supported, no invoke or callbr"))
    return calls, unread


def _arguments(lines: list[str]) -> tuple[int, dict[str, str]]:
    """Return the line at which the head of the function ends, and the text of each argument, by its name."""
    end = next((at for at, line in enumerate(lines) if line.endswith("{")), -1)
    text = " ".join(lines[: end + 1])
    named = _HEAD.search(text) if text.startswith("define ") else None
    closed = closing(text, named.end() - 1) if named else -1
    parts = split(text[named.end() : closed]) if named and closed >= 0 else []
    return max(end, 0), {part.rpartition(" ")[2]: part for part in parts if " %" in part}


_HEAD = re.compile(rf"@{_NAME}\(")


def _shown(line: str) -> str:
    return shortened(line[: 4 * _LONGEST_TEXT].strip().partition(", !")[0])
