"""The command line and standard input: values, or a dump, which is scanned."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import quoted
from smemdesc.reading.terms import is_source, makes_descriptors
from smemdesc.reading.text import is_value

if TYPE_CHECKING:
    from smemdesc.descriptors.batch import BatchLine, Item

STDIN = "-"
_HEAD = 1 << 16
"""The bytes of standard input that are read to distinguish a dump from values."""
_DUMP = rb"""(?x)
    ^ (?: \x7fELF | \x50\xed\x55\xba | !<arch> | PK\x03\x04 )  # a cubin, a fat binary, an archive, a wheel
    | ^\s*+ (?: Fatbin\ | \.(?:version|target|headerflags|section|elftype|visible)\b | code\ for\ sm_
              | target\ (?:triple|datalayout) | source_filename | ;\ ModuleID | define\ | declare\ | module\b
              | \#\w++\ =\ \#tt | %\w++\ =\ "?cute_nvgpu\.make_ | (?:gpu|llvm|builtin)\.
              | //\ (?:Generated|-----// ) | Function\ :
              | ={9}\  )  # the last: compute-sanitizer
    | \btensormap\.(?:replace|query)\.
    """
"""Text that only the first lines of a dump's header have, and changes of a tensor map."""


_COLOR = rb"\x1b\[[0-9;:]*+[mK]"
_MMA = rb"(?i)gmma|utc|tcgen05|ttng|warpgroup|cute\.|_gpu\."
"""Part of the name of every MMA, so that the tables of names need not be loaded."""
_MAP = rb"""(?x)
    [tT]ensorMapEncode | \b(?:CUtensorMap\w+|cuuint(?:32|64)_t)[ *]+\w | TMA\ [Dd]esc | [Tt]ensor\ map\ descriptor
    | ^\W*+(?:tmaFormat|cu_dtype|tma_format|elemType=|gmem_address|globalDim|globalStrides|boxDim)\b
    | \b(?:gmem_address|globalDim|globalStrides|boxDim)['"]?+[ :=]++[\[('"\d]
    """
"""Text that occurs with the arguments of a tensor map, printed or in source code."""
_LAYOUT = re.compile(
    rb"""(?x) \s*+ (?: \w[\w\ .]{0,40}[:=]\ *+ )?+
    (?: (?: Sw | Swizzle )<[-\d,\ ]++>[^\n]{0,80}?\ o\ [^\n]*\):\( | \([\d_(][\d_,()\ ]*+:\([\d_(][\d_,()\ ]*+\s*$ )"""
)
"""A layout as CuTe prints it, and the first line of ``print_layout``."""
_DECLARATION = re.compile(rb"\s*+(?:\#|//|(?:const|constexpr|auto|static|unsigned|int|size_t|u?int\d\d_t|void)\b)")


def is_piped() -> bool:
    """Whether standard input is a pipe or a file with at least one byte."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)):
        return False
    _resume(head := sys.stdin.buffer.readline(_HEAD))
    return bool(head)


def command_for_input() -> str | None:
    """Return the command that reads standard input: ``scan`` for a dump, ``explain`` for the arguments of a tensor map
    alone, ``layout explain`` for a layout; None for values. The text read for this remains readable.

    The first line with a value decides at once, so a stream of values is never delayed.
    """
    if sys.stdin is None:
        return None
    head = b""
    command, line = None, b""
    while len(head) < _HEAD and (line := sys.stdin.buffer.readline(_HEAD)):
        head += line
        command = _command_for(line) or (LAYOUT if _LAYOUT.match(line) else None)
        if command or (is_value(line.decode(errors="replace")) and not _DECLARATION.match(line)):
            break
    if command in (EXPLAIN, LAYOUT):
        head, line = head + sys.stdin.buffer.read(), b""
        command = _command_for_all(text := head.decode(errors="replace"))
        if command == LAYOUT:
            head = "\n".join(layouts_in(text)).encode()
    _resume(head, ended=not line)
    return command or (SCAN if is_source(head) or (not line and _are_statements(head)) else None)


def _are_statements(text: bytes) -> bool:
    """Whether statements in several lines make descriptors together, of names that others of them define."""
    if len(lines := text.decode(errors="replace").splitlines()) < 2 or not makes_descriptors(text):
        return False
    from smemdesc.descriptors.batch import BatchLine, read_batch
    from smemdesc.reading.source_values import read_source

    items = read_batch(BatchLine(line.strip()) for line in lines if line.strip())
    made = read_source(text.decode("latin-1")).values
    return any(item.problem for item in items) and any(each.text and each.bits for each in made)


SCAN, EXPLAIN, LAYOUT = "scan", "explain", "layout explain"


def layouts_in(text: str) -> list[str]:
    """Return the lines of a text, other than source code, that are layouts; the grid below one is its picture."""
    data = text.encode(errors="replace")
    lines = [line.decode(errors="replace") for line in data.splitlines() if _LAYOUT.match(line)]
    return list(dict.fromkeys(lines)) if lines and not is_source(data) else []


def begins_with_layout(text: str) -> bool:
    """Whether the first line of a text is a layout."""
    first = text.lstrip().partition("\n")[0]
    return first.rstrip() in map(str.strip, layouts_in(text))


def _command_for_all(text: str) -> str | None:
    """Return the command for a text that may have arguments of a tensor map or layouts: ``scan`` if it has more."""
    has_call, has_layout = has_map_call(text), bool(layouts_in(text))
    if not (has_call or has_layout):
        return None
    if (has_call and has_layout) or not (has_call or begins_with_layout(text)) or _has_more(text):
        return SCAN
    return EXPLAIN if has_call else LAYOUT


def _command_for(line: bytes) -> str | None:
    return SCAN if _is_of_dump(line) else EXPLAIN if re.search(_MAP, line) else None


def is_for_another_command(text: str) -> bool:
    """Whether a line is of a dump, of the arguments of a tensor map, or a layout."""
    return _command_for(text.encode(errors="replace")) is not None or bool(layouts_in(text))


def _is_of_dump(line: bytes) -> bool:
    """Whether only a dump has a line: it is one of its header, or names an MMA."""
    line = re.sub(_COLOR, b"", line)
    if re.search(_DUMP, line):
        return True
    if not re.search(_MMA, line):
        return False
    from smemdesc.scanning.inputs.mentions import names_mma

    return names_mma(line)


def has_map_call(text: str) -> bool:
    """Whether a text has the arguments of a tensor map, readable or not; in a source, those of a call."""
    data = text.encode(errors="replace")
    if not any(re.search(_MAP, line) for line in data.splitlines()):
        return False
    from smemdesc.reading.map_source import calls

    return any(True for _ in calls(text))


def _has_more(text: str) -> bool:
    """Whether a text with the arguments of a tensor map or layouts has more that ``scan`` reads, or says is unread."""
    from smemdesc.scanning import scan_text

    part = scan_text(text)
    return any((part.functions, part.values, part.unread, part.failed, part.unevaluated))


class _Resumed(io.RawIOBase):
    """A stream from its beginning, although some of it, or all, was already read.

    A terminal's end of file is read only once: a second read would wait for more.
    """

    def __init__(self, head: bytes, rest: BinaryIO, ended: bool) -> None:
        self._head = head
        self._rest = rest
        self._ended = ended

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._rest.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)]
        if not data and not self._ended:
            data = cast(io.BufferedReader, self._rest).read1(len(buffer))
            self._ended = not data
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _resume(head: bytes, *, ended: bool = False) -> None:
    rest = io.BufferedReader(_Resumed(head, cast(BinaryIO, cast(io.TextIOWrapper, sys.stdin).detach()), ended))
    sys.stdin = io.TextIOWrapper(rest, encoding="utf-8", errors="replace")


def read_values(values: tuple[str, ...]) -> Iterator[BatchLine]:
    """Yield the values of a command line; ``-`` means the lines of standard input.

    An instruction, ``{lo, hi}`` and bytes of memory may be typed without quotation marks: they are one value.
    """
    from smemdesc.descriptors.batch import BatchLine

    if len(values) > 1:
        from smemdesc.reading.code import sentence

        whole = sentence(values)
        values = (whole,) if whole is not None else values
    for number, value in enumerate(values, 1):
        if names_file(value):
            yield BatchLine(file_bytes(value), f"value {number}" if len(values) > 1 else "")
        elif value == STDIN:
            from smemdesc.cli.support.standard_input import read_lines

            yield from (BatchLine(*line) for line in read_lines())
        elif "\n" in value.strip():
            yield from (
                BatchLine(text.strip(), f"line {at}") for at, text in enumerate(value.splitlines(), 1) if text.strip()
            )
        else:
            yield BatchLine(value, f"value {number}" if len(values) > 1 else "")


def names_file(value: str) -> bool:
    """Whether a value is ``@FILE``: a tensor map; ``@UP0`` is the predicate of an instruction."""
    return value.startswith("@") and re.match(r"@(?!!?U?P(?:\d|T\b))\S", value) is not None


_LONGEST_SOURCE = 4_000_000
"""Bytes of a source that are read for the call that makes a map."""


def file_bytes(value: str, calls: bool = False) -> str:
    """Return the bytes of a tensor map in the file of ``@FILE``, in hexadecimal; ``calls``: or the text of a source."""
    from smemdesc.kinds.tensormap import MAP_BITS

    path, size = value[1:], MAP_BITS // 8
    try:
        with open(path, "rb") as file:
            data = file.read(_LONGEST_SOURCE if calls else size + 1)
    except OSError as problem:
        raise SmemdescError(f"@{path}: {problem.strerror or problem}") from None
    if calls and b"ensorMapEncode" in data:
        return data.decode(errors="replace")
    if len(data) != size:
        much = f"more than {size}" if len(data) > size else str(len(data))
        raise SmemdescError(
            f"@{path} has {much} bytes; a tensor map has {size}", hint="smemdesc scan reads other files"
        )
    return data.hex()


def dump_given(value: str) -> str | None:
    """Return the file name given instead of a value; ``-`` for the lines of a dump, or for a file with the arguments
    of a tensor map; else None."""
    text = value
    if len(value) < _LONGEST_NAME and os.path.isfile(value):
        text = text_instead_of_dump(value)
        if not text:
            return value
    elif is_value(value):
        return None
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode(errors="replace")), encoding="utf-8")
    if command_for_input() or looks_like_dump(text) or has_map_call(text):
        return STDIN
    sys.stdin = before
    return None


_EXPLAINED = 1 << 20
"""The bytes of a text in which ``scan`` looks for what it explains."""


def _head(path: str, size: int = _HEAD + 1) -> str:
    """Return the beginning of a file's text; empty if it cannot be opened: whoever opens it says why."""
    try:
        with open(path, "rb") as file:
            return file.read(size).decode(errors="replace")
    except OSError:
        return ""


def text_instead_of_dump(path: str) -> str:
    """Return the text of a file that is the arguments of a tensor map or a layout; of other files an empty one."""
    text = _head(path)
    if len(text.encode()) > _HEAD:
        return ""  # what follows may be something else
    return text if _command_for_all(text) in (EXPLAIN, LAYOUT) else ""


def looks_like_dump(text: str) -> bool:
    """Whether only a dump has a line like the pasted one."""
    return any(map(_is_of_dump, text.encode(errors="replace").splitlines()))


def text_to_explain(path: str) -> str:
    """Return the beginning of the text of a file, or of standard input, which remains readable."""
    if path != STDIN or sys.stdin is None:
        return _head(path, _EXPLAINED) if os.path.isfile(path) else ""
    head = sys.stdin.buffer.read(_EXPLAINED)
    _resume(head, ended=len(head) < _EXPLAINED)
    return head.decode(errors="replace")


_LONGEST_NAME = 4096


def point_to_scan(item: Item) -> SmemdescError:
    """Return why a value cannot be read; for a file name, point to ``scan``."""
    problem, text = item.problem, item.line.text
    if problem is None or (len(text) < _LONGEST_NAME and os.path.isfile(text)):
        return SmemdescError(f"{text} is a file, not a value", hint=f"smemdesc scan {quoted(text)}")
    if layouts := layouts_in(text):
        return SmemdescError("a layout, not a value", given=text, hint=f"smemdesc layout explain {quoted(layouts[0])}")
    if item.line.where and is_for_another_command(text):
        return SmemdescError("not a value; scan reads it", given=text, hint="smemdesc scan - reads the whole text")
    return problem


PASSED = ("as_json", "check", "strict", "kind", "arch", "color", "every", "svg", "quiet", "short")
"""Options of both decode and scan."""
PASSED_TO_EXPLAIN = ("as_json", "color", "svg")
PASSED_TO_LAYOUT = ("as_json", "color", "kind", "mma_kind", "dtype", "major", "shape", "arch")


def run_instead(ctx: click.Context, command: str, path: str, what: str) -> None:
    """Scan a dump, or explain a tensor map, given instead of a value, and exit; an option that it lacks is an error."""
    arguments = command.split()
    passed, kind = {
        SCAN: (PASSED, "a dump"),
        EXPLAIN: (PASSED_TO_EXPLAIN, "the source of a tensor map"),
        LAYOUT: (PASSED_TO_LAYOUT, "a layout"),
    }[command]
    for name, value in ctx.params.items():
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.COMMANDLINE or name == "values":
            continue
        option = next(param.opts[0] for param in ctx.command.params if param.name == name)
        if name not in passed:
            raise click.UsageError(f"{option} is for a value, but {what} is {kind}: smemdesc {command} {path}", ctx)
        arguments += [option] if value is True else [option, str(value)]
    arguments += ["--", path]
    root = ctx.find_root()
    ctx.exit(root.command.main(arguments, prog_name="smemdesc", standalone_mode=False, obj=root.obj) or 0)
