"""The values of a batch: lines in order, each with its values or its error; nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError
from smemdesc.engine.fields import WORD
from smemdesc.reading.memory import ends_rows, map_of_numbers, row_behind_prefix
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, MADE, MEANT, OTHER, ROW_OF_BYTES, called, is_pointer
from smemdesc.reading.pasted import is_remark, pasted_values
from smemdesc.reading.text import EXPRESSION, VALUE_BITS, Literal, is_value, without_encodings


class BatchLine(NamedTuple):
    """One line of a batch, or one argument of a command line, and its place."""

    text: str
    where: str = ""
    called: str = ""
    """What the head of its column calls it."""


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
        return _joined(_of_lines(join_maps(_values_only(table_cells(lines))), arch), arch)
    items = _of_lines(_statements(_without_ends(join_maps(_values_only(table_cells(lines))))), arch)
    return _two_alone(_without_registers(_joined(items, arch), arch), arch)


_ROWS = 8
"""Values in rows of memory that decide whether all are shown."""


def only_meant(items: Iterable[Item], arch: str | None = None) -> Iterator[Item]:
    """Yield items; a number that is not called a descriptor, and is not likely to be one, becomes an error.

    What is alone in its line is a value. What an instruction makes and what a debugger prints is one, too; below a line
    of other text, or in rows of bytes, only where most of those beside them are likely.
    """
    items = iter(items)
    begin = list(islice(items, 1))
    begin += islice(items, 1 if begin and _beside(begin[0]) != _ALONE_IN_LINE else 0)
    is_text, is_small_meant = False, len(begin) == 1
    rows: set[str] = set()
    for what, group in groupby(chain(begin, items), _beside):
        above, rows = rows, set[str]()
        if what == _ALONE_IN_LINE:
            yield from group
            continue
        first = list(islice(group, _ROWS if what == ROW_OF_BYTES else None))
        first = first if len(first) < 2 or what == ROW_OF_BYTES else _in_lists(first, arch)
        likely = [item.literal is not None and _is_called_or_likely(item, arch) for item in first]
        is_given = (what != ROW_OF_BYTES and not is_text) or sum(likely) * 2 >= len(first)
        for item in chain(first, group):
            literal = item.literal
            if literal is None:
                is_text = True
                yield item
            elif (
                (is_given and _is_given(literal, is_small_meant))
                or item.is_word
                or _row_form(item) in above
                or _is_called_or_likely(item, arch)
            ):
                rows.add(_row_form(item))
                yield item
            else:
                is_text = True
                yield item._replace(literal=None, problem=_not_called(item))


def _in_lists(items: Sequence[Item], arch: str | None) -> list[Item]:
    """Return the items of a line; what stands in a list of descriptors is called one, whatever its bits are.

    Of a list the first is called a descriptor, or each has the letter of an operand and one is likely.
    """
    lists: list[list[Item]] = []
    for item in items:
        if lists and _is_next(lists[-1][-1], item):
            lists[-1].append(item)
        else:
            lists.append([item])
    called_so = [(map(_as_called, each) if _is_list(each, arch) else each) for each in lists]
    return [item for each in called_so for item in _in_one_base(list(each), arch)[0]]


def _is_next(before: Item, item: Item) -> bool:
    """Whether only marks, and the letter of an operand, are between two wide numbers of a line."""
    first, second = before.literal, item.literal
    if first is None or second is None or item.is_word or min(first.bit_length, second.bit_length) <= WORD:
        return False
    between = item.line.text[first.begin + len(first.text.strip()) : second.begin]
    return second.called in ("", first.called) and re.fullmatch(_BETWEEN, between) is not None


def _is_list(items: Sequence[Item], arch: str | None) -> bool:
    first = items[0].literal
    if len(items) < 2 or first is None or first.called == DESCRIPTOR:
        return len(items) > 1
    lettered = all(item.literal and re.search(_LETTER, item.line.text[: item.literal.begin]) for item in items)
    return lettered and any(_is_called_or_likely(item, arch) for item in items)


def _as_called(item: Item) -> Item:
    return item._replace(literal=item.literal and item.literal._replace(called=DESCRIPTOR))


_LETTER = r"(?<!\w)[a-dA-D][\"']?\s*+[=:]\s*+[\"']?\Z"
"""The letter of an operand before its number."""
_BETWEEN = (
    r"[uUlL]{0,3}(?:\s?\([a-dA-D]\))?(?:[\s,;|/\"']{1,40}(?:and\s{1,4})?|\s?->\s?)"
    rf"(?:{_LETTER[:-2]}|\[\d{{1,3}}\]\s?[=:]\s?)?+[\"']?"
)
"""What stands between the numbers of a list."""


def _row_form(item: Item) -> str:
    """Return the words before a wide number, in which any digits count as 0: rows that follow each other with the same
    words are of the same thing. For other numbers this is the line."""
    literal = item.literal
    wide = literal is not None and literal.bit_length > WORD
    before = item.line.text[max(0, literal.begin - _LONGEST_FORM) : literal.begin] if wide and literal else ""
    return row_form(before) or f"{item.line.text} {item.line.where}"


_LONGEST_FORM = 400
"""Characters before a number by which rows are compared."""


def row_form(before: str) -> str:
    """Return the words of a row before its number, in which any digits count as 0."""
    return re.sub(r"\d++", "0", before) if re.search(r"[^\W\d]", before) else ""


def _is_given(literal: Literal, is_small_meant: bool) -> bool:
    if literal.called == MADE:
        return is_small_meant or literal.bit_length > _SMALL
    return literal.called in (MEANT, ROW_OF_BYTES)


_SMALL = 16
"""Bits of a constant that an instruction makes for something else, unless the text has nothing but it."""
_ALONE_IN_LINE = "alone"


def _beside(item: Item) -> object:
    """Return what the value of an item is beside: nothing, other rows, or the others of its line."""
    literal = item.literal
    if literal is not None and not literal.called and (literal.text == item.line.text or item.is_word):
        return _ALONE_IN_LINE
    return ROW_OF_BYTES if literal is not None and literal.called == ROW_OF_BYTES else id(item.line)


def _is_called_or_likely(item: Item, arch: str | None) -> bool:
    literal = item.literal
    if literal is None or literal.called in (DESCRIPTOR, INSTRUCTION):
        return literal is not None
    from smemdesc.descriptors.likely import is_likely

    return is_likely(literal, item.line.text, arch)


def _not_called(item: Item) -> SmemdescError:
    """Return why the number of a text is no value."""
    assert item.literal is not None
    number, text = item.literal.text.strip(), item.line.text
    alone = f"0x{item.literal.number:x}" if re.search(r"\s", number) and item.literal.number >= 0 else number
    message = f"not a value: nothing calls {number} a matrix descriptor, and it is not likely to be one"
    at = text.find(number, item.literal.begin)
    span = (at, at + len(number)) if at >= 0 else (0, len(text))
    hint = f"if it is one, give the number alone: smemdesc decode {alone}"
    return ValueSyntaxError(message, given=text, span=span, hint=hint)


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
        if "\n" in line.text or (line.text[-1:] == "|" and re.match(_WHOLE_ROW, line.text)):  # rows of memory
            yield from _whole(parts)
            parts = []
            yield line
            continue
        if (
            parts
            and len(parts) < _MOST_LINES
            and (_is_open(parts) or _is_continued(parts, line) or _is_changed(parts, line))
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


def _is_continued(parts: Sequence[BatchLine], line: BatchLine) -> bool:
    """Whether a line goes on with an expression, which nothing has ended."""
    return re.match(_CONTINUED, line.text) is not None and not (_code(parts) or "").rstrip().endswith(";")


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


_WHOLE_ROW = r"\||[\da-fA-F]++:?+\s"
"""The beginning of a row of Markdown, or of hexdump's, that ends with a bar."""
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


def _of_lines(lines: Iterable[BatchLine], arch: str | None) -> Iterator[Item]:
    """Yield the values of lines; digits without a prefix beside hexadecimal ones with a name like theirs are, too."""
    is_hexadecimal = False
    for line in lines:
        items, is_hexadecimal = _in_one_base(list(_of_line(line)), arch, is_hexadecimal)
        yield from items


def _in_one_base(items: list[Item], arch: str | None, is_hexadecimal: bool = False) -> tuple[list[Item], bool]:
    """Return items, of which none is decimal where another one is hexadecimal, and whether one was."""
    bare = [item.literal for item in items if item.literal is not None and _is_without_prefix(item.literal)]
    if not bare:
        return items, is_hexadecimal
    from smemdesc.descriptors.ranking import as_hexadecimal, in_sound_base

    bases = {literal: in_sound_base(literal, None, None, arch).form.partition(",")[0] for literal in bare}
    if not is_hexadecimal and "hexadecimal" not in bases.values():
        return items, False
    decimal = {literal for literal, base in bases.items() if base == "decimal"}
    return [
        item._replace(literal=as_hexadecimal(item.literal)) if item.literal in decimal and item.literal else item
        for item in items
    ], True


def _is_without_prefix(literal: Literal) -> bool:
    """Whether a descriptor by its name has the digits of one, without a prefix."""
    return literal.called == DESCRIPTOR and re.fullmatch(r"[\da-fA-F]{16}", literal.text) is not None


def _of_line(line: BatchLine) -> Iterator[Item]:
    try:
        literals = pasted_values(line.text)
    except SmemdescError as problem:
        yield Item(line, None, problem)
        return
    for literal in literals:
        item = Item(line, literal._replace(called=line.called) if line.called else literal)
        is_other = line.called == OTHER and literal.width <= VALUE_BITS
        yield item._replace(literal=None, problem=_not_called(item)) if is_other else item


def table_cells(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Yield lines; of the rows of a table only the cells that its head calls descriptors, each as a line."""
    head, mark, names = None, "", ()  # type: BatchLine | None, str, tuple[str, ...]
    for line in _below_headings(lines):
        if not names and "esc" not in line.text:  # most lines of a stream
            yield line
            continue
        if names:
            cells = [cell.strip(" \t\"'`") for cell in line.text.split(mark)]
            if len(cells) == len(names) and all(
                re.fullmatch(_CELL, cell) for cell, name in zip(cells, names, strict=True) if name
            ):
                rows = zip(cells, names, strict=True)
                yield from (line._replace(text=cell, called=name) for cell, name in rows if name and _is_number(cell))
                head = None
                continue
            yield from (head,) if head else ()
        head, mark, names = line, *_columns(line)
        if not names:
            yield line
    yield from (head,) if names and head else ()


def _below_headings(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Yield lines; what a heading, as YAML and logs have it, calls the numbers below it, they are called."""
    heading = ""
    for line in lines:
        if line.text[-1:] == ":":
            name = called(f"{line.text} ") if is_remark(line.text) else ""
            heading = name if name in (DESCRIPTOR, INSTRUCTION) else ""
        elif heading:
            row = re.fullmatch(_ROW_BELOW, line.text)
            heading = heading if row else ""
            if row and not called(row[1]) and not is_pointer(int(row[2], 16)):
                line = line._replace(called=heading)
        yield line


_ROW_BELOW = r"((?:[-*+]\s++)?+(?:[\"']?[\w.\[\] -]{1,40}[\"']?\s*+[:=]\s*+)?+[\"']?)(0[xX][\da-fA-F]{1,16})[\"',;]*+"
"""A number below a heading, with or without its name."""
_CELL = r"[-+:]?[\da-fA-FxX?_:']*+|:?-++:?"
"""A cell of a column of numbers, or of the rule below a head."""


def _is_number(cell: str) -> bool:
    return re.search(r"\w|\?", cell) is not None


def _columns(line: BatchLine) -> tuple[str, tuple[str, ...]]:
    """Return what separates the names of the head of a table, and what it calls the numbers below each; empty for other
    lines, and if it calls none of them a descriptor."""
    mark = next((mark for mark in "|\t,;" if mark in line.text), "") if "esc" in line.text and not line.called else ""
    if not mark or not re.fullmatch(_HEAD, line.text):
        return "", ()
    names = [called(cell.strip(" \t\"'`") + " ") for cell in line.text.split(mark)]
    meant = tuple(name if name in (DESCRIPTOR, INSTRUCTION) else "" for name in names)
    return (mark, meant) if any(meant) else ("", ())


_HEAD = r"[\w\"'` .-]*+[|\t,;][|\t,;\w\"'` .-]*+"
"""A line of names with marks between them."""


def _values_only(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Skip the lines printed below a value (fields by CUTLASS's ``print``, the rest of an encoding), the commands typed
    at a prompt, fences of Markdown, comments, rules of dashes and headings."""
    printed = below = anything = False
    asked = ""
    remark: BatchLine | None = None
    for line in lines:
        if line.text[:1] in _PROMPTS and (prompt := re.match(_PROMPT, line.text)):
            typed = line.text[prompt.end() :]
            asked = _asked(typed)
            if not is_value(typed) and (line.text[0] == "(" or not re.search(_ALL_DIGITS, typed)):
                continue
            line = line._replace(text=typed)
        elif asked and line.text[:1] == "$":
            line = line._replace(called=asked)
            if asked == OTHER and not map_of_numbers(line.text):
                remark = line
                continue
        elif " " in line.text and (begin := row_behind_prefix(line.text)):
            line = line._replace(text=line.text[begin:])
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


def _without_ends(lines: Iterable[BatchLine]) -> Iterator[BatchLine]:
    """Skip the lines that only say where the rows of memory above them end, or that they repeat."""
    above = ""
    for line in lines:
        text = line.text
        if len(above) <= len(text) or not ends_rows(text, above):  # the first of most lines of a stream
            yield line
        above = above if text == "*" else text


def _asked(typed: str) -> str:
    """Return what a command at a prompt calls the number that it prints."""
    return OTHER if re.search(_PRINT_OTHER, typed) else called(re.sub(_PRINT, "", typed) + " ")


_ALONE = "smemdesc VALUE decodes a value alone"
_PRINTED_REGISTER = r"\s*+[UuRr]{1,2}\d{1,3}\s++0x[0-9a-fA-F]++\s++-?\d++\s*+"
"""A row of ``info registers``."""
_ALL_DIGITS = r"\b0[xX][\da-fA-F]{16}\b"
_PRINT = r"(?:p|print|output|x)(?:/\w++)?\s++\*?"
"""The command of a debugger that prints what follows."""
_PRINT_OTHER = rf"^{_PRINT}&(?!&)|[=!<>]=|&&|\|\|"
"""What prints an address or an answer."""
_PROMPTS = ("(", ">", "I", "O", "`")
_PROMPT = r"\((?:cuda-)?gdb\) |>>> |(?:In |Out)\[\d{1,4}\]: |```\w*\s*$"
_PRINTED = r"\w*(?:Descriptor|desc)_?\s*[:=]\s*0x[0-9a-fA-F]{1,16}"
_PRINTED_FIELD = (
    r"(?:start_addr|leading_off|stride_off|base_offset|layout_type|version|lbo_mode|[abc]_format|[ab]_major"
    r"|[ab]_negate|[mnk]_(?:dim|size)|sparse_\w+|max_shift|saturate|scale_format|[ab]_sf_id)\s*:.*"
)
