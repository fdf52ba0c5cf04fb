"""The values of a batch: lines in order, each with its values or its error; nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD
from smemdesc.reading.pasted import is_remark, pasted_values
from smemdesc.reading.text import EXPRESSION, Literal, is_value, without_encodings


class BatchLine(NamedTuple):
    """One line of a batch, or one argument of a command line, and its place."""

    text: str
    where: str = ""


class Item(NamedTuple):
    """A value of a batch, or the error of a line; ``line`` is where it began."""

    line: BatchLine
    literal: Literal | None
    problem: SmemdescError | None = None
    is_word: bool = False
    """Whether it is a word of the value before it: decoded alone, but not judged."""


def read_batch(lines: Iterable[BatchLine], arch: str | None = None, *, at_once: bool = False) -> Iterator[Item]:
    """Yield the values of lines.

    Words that their names make one value are joined, on one line or on lines that follow one another
    (:func:`smemdesc.descriptors.near_misses.join_registers`). Before two words that are all there is stands the value
    that they make, if it is a descriptor. ``at_once``: no line without a name waits for the next, as somebody types.
    """
    if at_once:
        return _joined(chain.from_iterable(map(_of_line, join_maps(_values_only(lines)))), arch)
    items = chain.from_iterable(map(_of_line, _statements(join_maps(_values_only(lines)))))
    return _two_alone(_without_registers(_joined(items, arch), arch), arch)


def _without_registers(items: Iterable[Item], arch: str | None) -> Iterator[Item]:
    """Yield items; below a line that is no value, as in a debugger's session, a register alone is a value only if it is
    an ordinary descriptor: most hold something else."""
    is_text = False
    for item in items:
        is_text = is_text or item.problem is not None
        if is_text and item.literal is not None and re.fullmatch(_PRINTED_REGISTER, item.line.text):
            from smemdesc.descriptors.ranking import rank

            if not any(reading.is_ordinary for reading in rank(item.literal, arch=arch).readings):
                word = item.literal.text.strip()
                item = Item(
                    item.line, None, SmemdescError(f"{word} in a register is no ordinary descriptor", hint=_ALONE)
                )
        yield item


def _joined(items: Iterable[Item], arch: str | None) -> Iterator[Item]:
    """Yield items; two words that are one value by their names become one item, at the place of the first."""
    waiting: list[Item] = []
    for item in items:
        if item.literal is None or not item.literal.register:
            yield from waiting
            yield item
            waiting.clear()
            continue
        for at in reversed(range(len(waiting))):
            if (both := _join(waiting[at], item, arch)) is not None:
                waiting[at : at + 1] = both
                break
        else:
            waiting.append(item)
        while waiting and (len(waiting) > _MOST_WAITING or not _has_name(waiting[0])):
            yield waiting.pop(0)
    yield from waiting


_MOST_WAITING = 16
"""Words whose counterpart in the same value has not been read yet."""


def _has_name(item: Item) -> bool:
    return item.literal is not None and bool(item.literal.register)


def _join(first: Item, second: Item, arch: str | None) -> list[Item] | None:
    """Return two words as one value; on one line, if they do not make a descriptor, also the words."""
    from smemdesc.reading.code import are_neighbors, join_named

    if not (first.literal and second.literal and are_neighbors(first.literal.register, second.literal.register)):
        return None
    from smemdesc.descriptors.near_misses import are_words, join_registers

    joined = join_registers(first.literal, second.literal, arch)
    if joined is not None:
        return [Item(first.line, joined)]
    joined = join_named(first.literal, second.literal)
    if joined is None or first.line is not second.line or not are_words(first.literal, second.literal, arch):
        return None
    return [Item(first.line, joined), *(_as_word(item) for item in (first, second))]


def _as_word(item: Item) -> Item:
    return item._replace(literal=item.literal and item.literal._replace(register=""), is_word=True)


def _two_alone(items: Iterator[Item], arch: str | None) -> Iterator[Item]:
    """Yield items; if all items are two words that make a descriptor, that descriptor comes before them."""
    first = next(items, None)
    if first is None:
        return
    if first.literal is not None and first.literal.bit_length <= WORD >= first.literal.width:
        # A third item shows that the two are not alone.
        begin = [first, *islice(items, 2)]
        yield from _with_descriptor(begin[0], begin[1], arch) if len(begin) == 2 else begin
    else:
        yield first
    yield from items


def _with_descriptor(first: Item, second: Item, arch: str | None) -> Sequence[Item]:
    """Return two words; if they make a descriptor, after it."""
    if first.literal is None or second.literal is None:
        return first, second
    from smemdesc.descriptors.near_misses import join_two
    from smemdesc.reading.code import in_one_base

    for words in (in_one_base(first.literal, second.literal), (first.literal, second.literal)):
        joined = join_two(*words, arch)
        if joined is not None:
            items = (item._replace(literal=word) for item, word in zip((first, second), words, strict=True))
            return Item(first.line, joined), *map(_as_word, items)
    return first, second


def _statements(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Yield lines; the lines of one expression, or of one pair of brackets, are joined."""
    parts: list[BatchLine] = []
    for line in lines:
        if "\n" in line.text:  # rows of memory
            yield from _whole(parts)
            parts = []
            yield line
            continue
        if (
            parts
            and len(parts) < _MOST_LINES
            and (_is_open(parts) or re.match(_CONTINUED, line.text) or _is_changed(parts, line))
        ):
            parts.append(line)
        elif parts or re.search(_MARKED, line.text):
            yield from _whole(parts)
            parts = [line]
        else:
            yield line
            continue
        if not _is_open(parts) and not _may_change(parts):
            yield from _whole(parts)
            parts = []
    yield from _whole(parts)


def _may_change(parts: Sequence[BatchLine]) -> bool:
    """Whether what lines say may go on below: an expression, or code that assigns a value, as ``desc = 0;`` does."""
    code = (_code(parts) or "").rstrip()
    if code.endswith(";") or re.search(r"=\s*+0(?:x0++)?+$", code):
        return _assigned(parts[0]) is not None
    return _is_expression(parts)


def _assigned(line: BatchLine) -> tuple[str, str, str] | None:
    """Return what the statement in a line assigns to, and how."""
    from smemdesc.reading.code import assignment

    return assignment((_code([line]) or "").rstrip("; "))


def _is_changed(parts: Sequence[BatchLine], line: BatchLine) -> bool:
    """Whether a line changes what the statement before it assigns, as ``desc |= ..;`` does."""
    if line.text.startswith("//"):
        return _assigned(parts[0]) is not None
    first, change = _assigned(parts[0]), _assigned(line)
    return first is not None and change is not None and change[0] == first[0] and change[1] != ""


_MARKED = r"[^\w\s?:'+.,;-]"
"""What a line contains that may continue on the next one: a bracket, an operator, an assignment."""
_CONTINUED = r"\s*+(?:[|&^*/%)\]}]|<<|>>|\+(?!\d)|-(?!\w))"
_MOST_LINES = 64


def _is_open(parts: Sequence[BatchLine]) -> bool:
    """Whether lines end within brackets, within a comment, or after an operator."""
    code = _code(parts)
    if code is None:
        return True
    opened = sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
    return opened > 0 or re.search(r"[-+|&^*/%(=\\]\s*$", code) is not None


def _is_expression(parts: Sequence[BatchLine]) -> bool:
    """Whether lines may go on with an operator on the next one."""
    return re.search(EXPRESSION, _code(parts) or "") is not None


def _code(parts: Iterable[BatchLine]) -> str | None:
    """Return lines without their comments; None if they end within one."""
    from smemdesc.reading.code import without_comments  # most lines are one number

    return without_comments("\n".join(part.text for part in parts))


def _whole(parts: Sequence[BatchLine]) -> Iterable[BatchLine]:
    """Return lines joined into one; lines with brackets that are never closed are returned unchanged."""
    if len(parts) < 2 or _is_open(parts):
        return parts
    text = "\n".join(part.text.rstrip().removesuffix("\\") for part in parts)
    first, last = parts[0].where, parts[-1].where.removeprefix("line ")
    return [BatchLine(text, f"lines {first.removeprefix('line ')}-{last}" if first else "")]


def join_maps(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Yield the lines; rows of memory that are the 128 bytes of a tensor map as one."""
    from smemdesc.reading.memory import RowBlock, row_blocks

    for block in row_blocks(lines, attrgetter("text")):
        if isinstance(block, RowBlock):
            yield from _with_maps(block.titles, block.rows)
        else:
            yield block


def _with_maps(titles: Sequence[BatchLine], rows: Sequence[BatchLine]) -> Iterator[BatchLine]:
    """Yield rows, each tensor map as one line; with none, as one line with the reason, if they are meant as one."""
    from smemdesc.reading.memory import is_part_of_tensor_map, printed_maps

    text = "\n".join(row.text for row in rows)
    spans: list[tuple[int, int]] = []
    for begin, end, _ in printed_maps(text):
        first, last = text.count("\n", 0, begin), text.count("\n", 0, end)
        if spans and first <= spans[-1][1]:
            first, last = spans[-1][0], max(last, spans.pop()[1])
        spans.append((first, last))
    if not spans:
        yield from titles
        yield from [BatchLine(text, rows[0].where)] if is_part_of_tensor_map(text) else rows
        return
    after = 0
    for first, last in spans:
        yield from rows[after:first]
        yield BatchLine("\n".join(row.text for row in rows[first : last + 1]), rows[first].where)
        after = last + 1
    yield from rows[after:]


def _of_line(line: BatchLine) -> Iterator[Item]:
    try:
        literals = pasted_values(line.text)
    except SmemdescError as problem:
        yield Item(line, None, problem)
        return
    for literal in literals:
        yield Item(line, literal)


def _values_only(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Skip the lines printed below a value (fields by CUTLASS's ``print``, the rest of an encoding), the commands typed
    at a prompt, fences of Markdown, comments, rules of dashes and headings."""
    printed = below = anything = False
    remark: BatchLine | None = None
    for line in lines:
        if line.text[:1] in _PROMPTS and (prompt := re.match(_PROMPT, line.text)):
            typed = line.text[prompt.end() :]
            if not is_value(typed):
                continue
            line = line._replace(text=typed)
        elif is_remark(line.text):
            remark = line
            continue
        # Most lines of a stream name no descriptor, and none begins with a comment.
        named = "esc" in line.text and re.fullmatch(_PRINTED, line.text) is not None
        if printed and not named and re.fullmatch(_PRINTED_FIELD, line.text):
            continue
        if below and line.text.startswith("/*") and not without_encodings(line.text).strip():
            continue
        printed, below, anything = named, True, True
        yield line
    if remark is not None and not anything:
        yield remark  # there is no value to which it belongs: an error


_ALONE = "smemdesc VALUE decodes a value alone"
_PRINTED_REGISTER = r"\s*+[UuRr]{1,2}\d{1,3}\s++0x[0-9a-fA-F]++\s++-?\d++\s*+"
"""A row of ``info registers``."""
_PROMPTS = ("(", ">", "I", "O", "`")
_PROMPT = r"\((?:cuda-)?gdb\) |>>> |(?:In |Out)\[\d{1,4}\]: |```\w*\s*$"
_PRINTED = r"\w*(?:Descriptor|desc)_?\s*[:=]\s*0x[0-9a-fA-F]{1,16}"
_PRINTED_FIELD = (
    r"(?:start_addr|leading_off|stride_off|base_offset|layout_type|version|lbo_mode|[abc]_format|[ab]_major"
    r"|[ab]_negate|[mnk]_(?:dim|size)|sparse_\w+|max_shift|saturate|scale_format|[ab]_sf_id)\s*:.*"
)
