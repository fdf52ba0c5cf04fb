"""Memory as it is printed: rows of bytes or words, with or without their addresses, of descriptors or a tensor map."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError
from smemdesc.engine.fields import WORD, UnknownBits, ones
from smemdesc.engine.wording import many
from smemdesc.reading.naming import MEANT, ROW_OF_BYTES
from smemdesc.reading.text import TENSOR_MAP_BITS, VALUE_BITS, Literal, parse_value

_RowLine = TypeVar("_RowLine")
_BYTE = 8
_WORD_BYTES, _DESCRIPTOR_BYTES = WORD // _BYTE, VALUE_BITS // _BYTE


def in_rows(text: str) -> tuple[Literal, ...]:
    """Return the descriptors in rows of memory, as ``x/2xw``, ``x/gx``, ``x/8xb``, ``x/2dw``, ``xxd``, ``hexdump``,
    ``od -t x1`` (``x4``, ``x8``) and ``objdump -s`` print them; empty if the text is no such rows.

    :class:`smemdesc.engine.errors.ValueSyntaxError` if the bytes of a row are not whole descriptors.
    """
    if not re.match(_FIRST_CELL, text) or re.match(_WORDS_OF_ONE, text):
        return ()
    decimal = re.fullmatch(_DECIMAL_ROW, text)
    if decimal:
        return tuple(each._replace(called=MEANT) for each in _of_decimals(decimal[1], decimal[2].split()))
    rows = list(_rows(text))
    if not all(map(_is_of_descriptors, rows)) or (rows and len(rows[0].data) < _FEWEST_BYTES and not rows[0].prefixed):
        return ()
    rows = list(_in_order(rows)) if rows else rows
    return tuple(
        literal._replace(called=MEANT if row.prefixed or not row.address else ROW_OF_BYTES, begin=row.span[0])
        for row in rows
        for literal in _of_row(row, text)
    )


def row_behind_prefix(line: str) -> int:
    """Return where a row of memory with its address begins behind the prefix of a log; 0 if there is no prefix."""
    if len(line) < _SHORTEST_ROW or (line[:1] in _HEX and not re.match(_TIME, line)):
        return 0
    match = re.search(_ROW_IN_LINE, line)
    return match.start() if match else 0


_TIME = r"\d{1,4}[-/:.]\d{1,2}"
_ROW_IN_LINE = (
    r"(?i)(?<=[\s|\]])(?:0x[0-9a-f]{4,16}(?:\s*+<[^<>\n]*+>)?+:(?:\s++0x[0-9a-f?]{2,16}(?!\w))++\s*+$"
    r"|[0-9a-f]{6,16}:?+\s++(?:[0-9a-f]{2}\s++){8}|[0-9a-f]{8}:\s(?:[0-9a-f]{4}\s++){4})"
)
"""A row of memory as a debugger, hexdump or xxd prints it."""


def ends_rows(text: str, above: str) -> bool:
    """Whether a line is only the offset where the row of memory ``above`` it ends, or says that it is repeated."""
    size = len(text)
    if text == "*":
        return bool(above[:1] in _HEX and (row := _row(above.rstrip(), None)).data and row.address)
    if not 4 <= size <= _LONGEST_OFFSET or above[size] != " " or not _HEX.issuperset(text + above[:size]):
        return False
    row = _row(above.rstrip(), None)
    offsets = ((_at(row, base), _at(row._replace(address=text), base)) for base in (16, 8, 10))
    return row.address == above[:size] and bool(row.data) and any(0 <= low < high for low, high in offsets)


_LONGEST_OFFSET = 16


def _is_of_descriptors(row: _MemoryRow) -> bool:
    """Whether a row is of bytes, or has an address and the cells that a debugger, ``xxd`` or ``od`` prints."""
    if row.prefixed or row.cell not in _CELLS:
        return bool(row.data) and row.colon and row.prefixed
    return row.cell == 2 or (row.address != "" and (len(row.data) * 2 > row.cell or not row.colon))


def _of_decimals(address: str, cells: Sequence[str]) -> tuple[Literal, ...]:
    """Return the values of a row of ``x/2dw`` or ``x/2dg``: words, low word first, if none is wider."""
    words = [parse_value(cell, bare=False) for cell in cells]
    where = f"memory at {address}"
    if max(word.bit_length for word in words) > WORD or len(words) % 2:
        return tuple(word._replace(form=f"decimal, {where}") for word in words)
    pairs = (f"{high}:{low}" for low, high in zip(cells[::2], cells[1::2], strict=True))
    return tuple(parse_value(pair, bare=False)._replace(form=f"{where}, the low word first") for pair in pairs)


def is_typed_row(text: str) -> bool:
    """Whether arguments of a command line are bytes or rows of memory: they may be typed without quotation marks."""
    if re.fullmatch(_LITERAL, text):
        return True
    rows = list(_rows(text))
    bytewise = len(rows) == 1 and rows[0].cell == 2 and len(rows[0].data) >= _FEWEST_BYTES
    return bytewise or all(row.run or (row.data and row.place is not None) for row in rows)


def _of_row(row: _MemoryRow, text: str) -> Iterator[Literal]:
    """Yield the values of a row: descriptors of 8 bytes, or one instruction descriptor of 4.

    In a row of words (with a prefix), a last word alone is a value, too.
    """
    count, where = len(row.data), f"memory at 0x{row.place:x}" if row.place is not None else "memory"
    is_whole = count % _DESCRIPTOR_BYTES == 0 or count == _WORD_BYTES
    if not is_whole and (count % _WORD_BYTES or not row.prefixed):
        raise ValueSyntaxError(
            f"{count} bytes of memory, not a whole number of descriptors",
            given=text,
            span=row.span,
            hint="a descriptor has 8 bytes, an instruction descriptor 4; the least significant comes first",
        )
    for at in range(0, count, _DESCRIPTOR_BYTES):
        value_bytes = slice(at, at + _DESCRIPTOR_BYTES)
        digits = _digits(row.data[value_bytes], row.unknown[value_bytes])
        if row.cell == 8 and len(digits) == 16:
            yield parse_value(f"0x{digits[:8]}:0x{digits[8:]}")._replace(form=f"{where}, the low word first")
        elif row.prefixed and row.cell > 2:
            unread = f"{row.address}, the address" if count == _WORD_BYTES else ""  # it could be a word of HI:LO
            yield parse_value(f"0x{digits}")._replace(form=f"hexadecimal, {where}", unread=unread)
        elif row.form == _CELLS[16]:
            yield parse_value(f"0x{digits}")._replace(text=digits, form=f"hexadecimal, {where}")
        else:
            cells = " ".join(re.findall("..", digits)[::-1])
            form = f"{where + ', ' if row.prefixed else ''}{len(digits) // 2} bytes, little-endian"
            yield parse_value(f"0x{digits}")._replace(text=cells, form=form)


_WORDS_OF_ONE = r"\s*+[0-9a-fA-F?]++:[0-9a-fA-F?]"
"""The words of a value, HI:LO: behind the colon of an address is a blank."""
_FIRST_CELL = r"\s*+(?:0[xX])?+[0-9a-fA-F?]{1,16}[<:\s](?!.*\{)"
_DECIMAL_ROW = r"\s*+(0[xX][0-9a-fA-F]++)\s*+(?:<[^<>]*+>\s*+)?+:((?:\s++-?(?:0|[1-9]\d*+)(?!\S))++)\s*+"
_FEWEST_BYTES = 3
"""The fewest bytes of a row without an address; two are more likely two numbers."""


def _digits(data: bytes, unknown: bytes) -> str:
    """Return the hexadecimal digits of bytes in memory, most significant first, ``?`` for an unknown one."""
    pairs = zip(data[::-1].hex(), unknown[::-1].hex(), strict=True)
    return "".join("?" if hidden == "f" else digit for digit, hidden in pairs)


def read_tensor_map(text: str) -> tuple[Literal, ...]:
    """Read the 128 bytes of a tensor map: hexadecimal digits in memory order, with or without line addresses, the
    words of ``x/32wx`` and ``x/16gx``, a Python bytes literal, a C array. ``?`` is an unknown digit.

    :class:`smemdesc.engine.errors.ValueSyntaxError` points at the fault in rows that begin like a map.
    """
    if numbers := map_of_numbers(text) or tuple(literal for _, _, literal in _in_indices(text)):
        return numbers
    literal = re.fullmatch(_LITERAL, text)
    digits = re.fullmatch(_MANY_DIGITS, text.strip())
    if digits and len(digits[1]) % 2:
        message = f"{len(digits[1])} hexadecimal digits; a tensor map has {TENSOR_MAP_BITS // 4}"
        raise ValueSyntaxError(message, given=text, span=(0, len(text)), hint="a digit was lost in pasting")
    if not literal and not _may_begin(text):
        return ()
    rows = [_python_bytes(literal)] if literal else list(_rows(text))
    if not rows or not rows[0].data:
        return ()
    sure = all(row.run for row in rows)
    rows = list(_in_order(_repeated(_placed(rows))))
    fault = _fault(rows)
    if fault is None:
        data, unknown = _joined(rows)
        if len(data) == TENSOR_MAP_BITS // _BYTE:
            number, mask = int.from_bytes(data, "little"), int.from_bytes(unknown, "little")
            whole = mask != ones(TENSOR_MAP_BITS) and (sure or is_tensor_map(number, mask))
            return (Literal(text, number, mask, TENSOR_MAP_BITS, rows[0].form),) if whole else ()
        if len(data) < _LEAST_OF_A_MAP:
            return ()
        fault = f"{many(len(data), 'byte')}; a tensor map has {TENSOR_MAP_BITS // _BYTE}", (0, len(text))
    if not ((sure and len(rows[0].data) >= _LEAST_OF_A_MAP) or (len(rows) > 1 and _meant(rows))):
        return ()
    message, span = fault
    hint = "copy all of it: 256 hexadecimal digits, or x/32wx of its address"
    raise ValueSyntaxError(message, given=text, span=span, hint=hint)


def map_of_numbers(text: str) -> tuple[Literal, ...]:
    """Read 16, 32, 64 or 128 numbers in brackets, as a debugger and NumPy print them, decimal or hexadecimal."""
    match = re.search(_NUMBERS, text)
    if match is None:
        return ()
    cells = re.sub(
        _REPEATED, lambda cell: ", ".join([cell[1]] * min(int(cell[2]), TENSOR_MAP_BITS // _BYTE)), match[1]
    ).split(",")
    size = TENSOR_MAP_BITS // _BYTE // len(cells) if len(cells) in (16, 32, 64, 128) else 0
    numbers = [int(cell.strip().rstrip("uUlL"), 0) for cell in cells] if size else []
    if not numbers or max(numbers) > ones(_BYTE * size):
        return ()
    data = b"".join(number.to_bytes(size, "little") for number in numbers)
    number = int.from_bytes(data, "little")
    if not number or not may_begin(data[:_BEGIN]) or not is_tensor_map(number):
        return ()
    return (Literal(text, number, 0, TENSOR_MAP_BITS, _CELLS[2 * size]),)


_CELL = r"\s*+(?:0[xX][0-9a-fA-F]{1,16}|0|[1-9]\d{0,19})[uUlL]*+(?:\s*+<repeats \d{1,3} times>)?+\s*+"
_NUMBERS = rf"[\[{{(]({_CELL}(?:,{_CELL}){{2,127}}+),?+\s*+[\]}})]"
_REPEATED = r"(?<!\w)(\w++)\s*+<repeats (\d{1,3}) times>"


def _may_begin(text: str) -> bool:
    """Whether a text may begin with a row: most lines of a stream do not."""
    return "{" in text or text.lstrip()[:1] in _HEX or re.match(_LISTED, text) is not None


_HEX = frozenset("0123456789abcdefABCDEF?")
_LEAST_OF_A_MAP = 32
"""Bytes; fewer digits in a row are more likely a number that is too wide."""
_ADDRESS = r"(0x[0-9a-f]{1,16}|[0-9a-f]{4,16})\s*+(?:<[^<>]*+>\s*+)?+:"
_COLUMN = rf"(?i){_ADDRESS}\s"
_NEXT_ROW = rf"(?i)\s(?={_ADDRESS})"
_ROW = rf"(?i)(?:{_ADDRESS}|/\*([0-9a-f]{{4,8}})\*/)?+\s*+(.*)"
_LISTED = r"\s*+(?:/\*|\.(?:[24]?byte|word|short))"
_DIRECTIVE = r"\.(?:byte|short|word|dword|[248]byte|long|quad)\s++"
"""What precedes the cells of a row in a listing of nvdisasm or an assembler."""
_LISTED_WORD = r"\s*+(?:/\*[0-9a-f]{4,8}\*/\s*+)?+\.(?:word|[48]byte|long|quad)\s++0x[0-9a-f]++\s*+$"
"""A row of such a listing that has one word."""
_ZEROS = r"\.zero\s++(\d{1,4})"
_OFFSET = r"(?i)([0-9a-f]{4,16})(?:\s++|$)"
"""As hexdump, od and objdump print it, without a colon."""
_FROM_HEX = r"bytes\.fromhex\(\s*+(?P<hex>['\"][\s\da-fA-F]*+['\"])\s*+\)"
_LITERAL = rf"(?s)\s*+(?:\w++\s*+=\s*+)?+(?:{_FROM_HEX}|(?P<py>b['\"].*['\"]))\s*+"
_MANY_DIGITS = r"(?:0[xX])?+([0-9a-fA-F?]{64,})"
_CELLS = {2: "bytes", 4: "16-bit words", 8: "32-bit words", 16: "64-bit words"}
"""The form of printed memory, by digits per cell."""


class _MemoryRow(NamedTuple):
    """A row of memory; if it cannot be read, ``data`` is empty, ``form`` says why and ``span`` is the place."""

    span: tuple[int, int]
    address: str
    """As it is printed; empty if it is not."""
    form: str = ""
    data: bytes = b""
    unknown: bytes = b""
    run: bool = False
    """Whether it is digits without blanks between bytes, which can be nothing else."""
    cell: int = 0
    """The number of digits of a cell, without a prefix."""
    prefixed: bool = False
    """Whether cells have a prefix."""
    colon: bool = False
    """Whether a colon and a blank follow the address."""
    place: int | None = None
    """Its address."""
    characters: str | None = None
    """The bytes as characters, if they are printed beside."""
    repeats: bool = False
    """Whether it is the ``*`` of rows that repeat the one before."""


_NO_ROW = _MemoryRow((0, 0), "")


def _rows(text: str) -> Iterator[_MemoryRow]:
    """Yield the rows of memory, or of an array; the first may be no row."""
    array = re.search(r"(?s)\{([^{}]*+)\}", text)
    if "\n" not in text.strip():
        text = re.sub(_NEXT_ROW, "\n", text)  # typed without quotation marks
    begin, end = array.span(1) if array else (0, len(text))
    before: _MemoryRow | None = None
    for line in re.finditer(r"\S[^\n]*+", text[begin:end]):
        row = _row(line[0].rstrip(), before)
        before = row if row.data and not row.repeats else before
        yield row._replace(span=(row.span[0] + begin + line.start(), row.span[1] + begin + line.start()))


@lru_cache(maxsize=512)  # rows below a beginning are those below the next one
def _row(text: str, before: _MemoryRow | None) -> _MemoryRow:
    """Return a line as a row, its places as they are in the line; ``before`` is the row with cells above it."""
    row = _MemoryRow((0, len(text)), "", "not a row of memory")
    if before is not None and text == "*":
        return row._replace(repeats=True)
    match = re.fullmatch(_ROW, text)
    assert match is not None
    address, cells = match[1] or match[2] or "", match[3]
    is_last = before is not None and re.fullmatch("[0-9a-f]+", text) and len(text) == len(before.address)
    if is_last or (not address and (offset := re.match(_OFFSET, text)) and _is_offset(offset[1], text[offset.end() :])):
        address, _, cells = text.partition(" ")
    row = row._replace(
        address=address, place=int(address, 16) if address else None, colon=re.match(_COLUMN, text) is not None
    )
    if is_last:
        return row._replace(form="")
    if zeros := re.fullmatch(_ZEROS, cells):
        data = bytes(min(int(zeros[1]), TENSOR_MAP_BITS // _BYTE))
        return (before or row)._replace(span=row.span, address="", place=None, data=data, unknown=data)
    cells = re.sub(rf"^{_DIRECTIVE}", "", cells.lstrip())
    return _with_cells(row, cells, row.span[1] - len(cells)) if cells else row


def _is_offset(first: str, text: str) -> bool:
    """Whether the first digits of a row are its offset: the cells after them have another length or are whole rows."""
    cells = _split_characters(text, False)[0].split()
    size = len(cells[0]) if cells else 0
    if any(len(cell) != size for cell in cells) or not re.fullmatch(r"[0-9a-fA-F?]++", "".join(cells)):
        return False
    if size == 2:
        return (len(first) >= 6 and (len(cells) >= 3 or text[:1] == " ")) or len(cells) == _FIRST
    whole = (_FIRST // 2, _FIRST, 2 * _FIRST) if re.fullmatch("0{6,8}", first) else (_FIRST, 2 * _FIRST)
    return size in _SIZES and len(cells) * _SIZES[size] in whole


_SIZES = {4: 2, 6: 2, 8: 4, 16: 8}
"""Bytes of a word, by its digits; six digits are octal, as od prints them."""


def _with_cells(row: _MemoryRow, text: str, at: int) -> _MemoryRow:
    """Return a row with its cells, which are at a place in the whole text."""
    text, characters = _split_characters(text, row.colon)
    cells = text.replace(",", " ").split()
    cells = _of_octal(cells) if row.address and len(cells) in (_FIRST // 4, _FIRST // 2) else cells
    sizes = {len(cell) - 2 for cell in cells}
    prefixed = len(sizes) == 1 and sizes <= _CELLS.keys()
    if prefixed and all(re.fullmatch(r"0[xX][0-9a-fA-F?]++", cell) for cell in cells):
        size = sizes.pop()
        known, unknown = (
            b"".join(bytes.fromhex(cell[2:])[::-1] for cell in map(decode, cells)) for decode in (_known, _unknown)
        )
        return row._replace(form=_CELLS[size], data=known, unknown=unknown, cell=size, prefixed=True)
    digits = "".join(cells)
    digits = digits[2:] if digits[:2].lower() == "0x" else digits
    if not re.fullmatch(r"(?i)(?:[0-9a-f?]{2})+", digits) or any(len(cell) % 2 for cell in cells):
        odd = next((match for match in re.finditer(r"[^\s,]++", text) if not _like(match[0], cells[0])), None)
        if odd is None:
            return row
        why = f"{odd[0]} is an address: a row has one, at its start" if ":" in odd[0] else f"{odd[0]} is not a word"
        return row._replace(form=why, span=(at + odd.start(), at + odd.end()))
    run = all(len(cell) >= 16 for cell in cells)
    data = bytes.fromhex(_known(digits))
    characters = None if characters is None else _unpadded(characters, len(data))
    if characters is not None and not _can_be_beside(characters, data):
        span = at + len(text), row.span[1]
        return row._replace(form=f"{many(len(characters), 'character')} beside {many(len(data), 'byte')}", span=span)
    unknown = bytes.fromhex(_unknown(digits))
    form = "bytes in memory order"
    size = max(map(len, cells))
    return row._replace(form=form, data=data, unknown=unknown, run=run, cell=size, characters=characters)


def _of_octal(cells: list[str]) -> list[str]:
    """Return 16-bit words in hexadecimal: od prints them in octal, with six digits."""
    return [f"{int(cell, 8):04x}" for cell in cells] if all(re.fullmatch("[0-7]{6}", cell) for cell in cells) else cells


def _unpadded(characters: str, count: int) -> str:
    """Return the characters beside bytes without the blanks that xxd puts before those of a shorter row."""
    padding = max(0, len(characters) - count)
    return characters if characters[:padding].strip(" ") else characters[padding:]


def _can_be_beside(characters: str, data: bytes) -> bool:
    """Whether there is a character for each byte; blanks at the end may be lost."""
    return len(characters) <= len(data) and not data[len(characters) :].strip(b" ")


def _split_characters(text: str, colon: bool) -> tuple[str, str | None]:
    """Return the cells of a row, and the bytes as characters, which ``hexdump -C`` and ``xxd`` print after them."""
    for opened, closed in ("|", "|"), (">", "<"):
        digits, bar, characters = text.partition(f"  {opened}")
        if bar:
            return digits, characters.removesuffix(closed)
    if (colon and text[:2].lower() != "0x") or re.match(r"(?i)[0-9a-f?]{8} ", text):
        digits, _, characters = text.partition("  ")
        if colon or not re.fullmatch(rf"(?:\s++{_DIGITS})++", characters):  # cells may be far apart
            return digits, characters or None
    match = re.search(r"(?<!\s)\s\s++(\S{1,16})$", text)
    return (text[: match.start()], match[1]) if match and not re.fullmatch(_DIGITS, match[1]) else (text, None)


_DIGITS = r"(?:0[xX])?+[0-9a-fA-F?]++"


def _like(cell: str, first: str) -> bool:
    """Whether a cell of memory has the form of the first in its row."""
    return len(cell) == len(first) and re.fullmatch(_DIGITS, cell) is not None


def _known(digits: str) -> str:
    return digits.replace("?", "0")


def _unknown(digits: str) -> str:
    return re.sub(r"[0-9a-fA-F]", "0", digits).replace("?", "f")


def _placed(rows: Sequence[_MemoryRow]) -> list[_MemoryRow]:
    """Return rows with their addresses in the base that they are printed in: od's are octal."""
    pairs = [(row, after) for row, after in pairwise(rows) if row.address and after.address]
    for base in (8, 10) if pairs and not pairs[0][0].colon else ():
        if all(_at(after, base) - _at(row, base) == len(row.data) for row, after in pairs):
            return [row._replace(place=_at(row, base)) if row.address else row for row in rows]
    return list(rows)


def _at(row: _MemoryRow, base: int) -> int:
    """Return the address of a row in a base; -1 if it is none."""
    return int(row.address, base) if set(row.address) <= set("0123456789abcdef"[:base]) else -1


def _repeated(rows: Sequence[_MemoryRow]) -> list[_MemoryRow]:
    """Return rows with what each ``*`` stands for, at most to the end of a map, and without the last address."""
    if not any(row.repeats for row in rows):
        return [row for row in rows if row.data or row.form]
    out: list[_MemoryRow] = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        size = sum(len(other.data) for other in out)
        if not row.repeats:
            out += [row] if row.data and size < TENSOR_MAP_BITS // _BYTE else []
            continue
        last = out[-1]
        most = TENSOR_MAP_BITS // _BYTE - size
        if after is not None and after.place is not None and last.place is not None:
            most = min(most, after.place - last.place - len(last.data))
        for step in range(1, most // len(last.data) + 1):
            place = None if last.place is None else last.place + step * len(last.data)
            out.append(last._replace(place=place))
    return out


def _in_order(rows: Sequence[_MemoryRow]) -> Sequence[_MemoryRow]:
    """Return rows of words without a prefix with their bytes in memory order.

    hexdump, od and ``xxd -e`` print numbers, xxd and objdump bytes. The characters beside them tell; without them, what
    a tensor map can be.
    """
    first = rows[0]
    size = first.cell // 2
    if first.prefixed or size not in (2, 4, 8) or any(len(row.data) % size for row in rows):
        return rows
    words = [
        row._replace(form=_CELLS[2 * size], data=_swapped(row.data, size), unknown=_swapped(row.unknown, size))
        for row in rows
    ]
    orders = [words, rows] if first.address and not first.colon and first.characters is None else [rows, words]
    beside = [order for order in orders if _is_beside(order)] or orders
    return next(filter(_is_map, beside), beside[0])


def _is_beside(rows: Sequence[_MemoryRow]) -> bool:
    """Whether the bytes of rows are the characters beside them, as far as these are printed."""
    return all(
        character == (chr(byte) if 0x20 <= byte < 0x7F else ".")
        for row in rows
        for character, byte in zip(row.characters or "", row.data, strict=False)
    )


def _is_map(rows: Sequence[_MemoryRow]) -> bool:
    data, unknown = _joined(rows)
    return may_begin(data) and is_tensor_map(int.from_bytes(data, "little"), int.from_bytes(unknown, "little"))


def _joined(rows: Sequence[_MemoryRow]) -> tuple[bytes, bytes]:
    """Return the bytes of rows, and which of them are not known."""
    return b"".join(row.data for row in rows), b"".join(row.unknown for row in rows)


def _swapped(data: bytes, size: int) -> bytes:
    return b"".join(data[at : at + size][::-1] for at in range(0, len(data), size))


def _fault(rows: Sequence[_MemoryRow]) -> tuple[str, tuple[int, int]] | None:
    """Return why rows are not one piece of memory, and the place."""
    first = before = rows[0]
    after = _behind(first)
    for row in rows[1:]:
        if not row.data:
            return row.form, row.span
        if row.form != first.form:
            return f"{row.form} among {first.form}: print all rows in one format", row.span
        if after is not None and row.place is not None and row.place != after:
            if len(before.data) < len(first.data) and row.place > after:
                return f"{many(len(before.data), 'byte')} in this row, {len(first.data)} in the others", before.span
            return _out_of_place(row, rows, after), row.span
        before, after = row, _behind(row)
    return None


def _behind(row: _MemoryRow) -> int | None:
    """Return the address after a row."""
    return None if row.place is None else row.place + len(row.data)


def _out_of_place(row: _MemoryRow, rows: Sequence[_MemoryRow], after: int) -> str:
    place, at = row.place, rows.index(row)
    assert place is not None
    if place in {row.place for row in rows[:at]}:
        return f"the row of 0x{place:x} appears twice"
    if place < after or after in {row.place for row in rows}:
        return f"the row of 0x{place:x} is out of order: 0x{after:x} follows"
    return f"{many(place - after, 'byte')} at 0x{after:x} are missing"


def _meant(rows: Sequence[_MemoryRow]) -> bool:
    """Whether rows that are not a map are meant as one: they start like one, each row at its address."""
    data = bytearray()
    first = min((row.place for row in rows if row.place is not None), default=0)
    for row in rows:
        at = len(data) if row.place is None else min(row.place - first, TENSOR_MAP_BITS)
        data += bytes(max(0, at - len(data)))
        data[at : at + len(row.data)] = row.data
    return len(data) >= _MEANT and may_begin(bytes(data))


_MEANT = 64


def _python_bytes(literal: re.Match[str]) -> _MemoryRow:
    import ast

    row = _MemoryRow((0, len(literal[0])), "")
    try:
        data = ast.literal_eval(literal["hex"] or f"({literal['py']})")
        data = bytes.fromhex(data) if literal["hex"] else data
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return row
    return row._replace(form="bytes of Python", data=data, unknown=bytes(len(data)), run=True)


class RowBlock(NamedTuple, Generic[_RowLine]):
    """Lines that may be a tensor map."""

    titles: list[_RowLine]
    """The lines above that only say what follows."""
    rows: list[_RowLine]


def row_blocks(
    lines: Iterable[_RowLine], text_of: Callable[[_RowLine], str]
) -> Iterator[RowBlock[_RowLine] | _RowLine]:
    """Yield lines in order: rows that begin like a tensor map together, each other line alone."""
    titles: list[_RowLine] = []
    rows: list[_RowLine] = []
    size, before, is_open = 0, _NO_ROW, False
    for line in lines:
        text = text_of(line)
        if not rows and not titles and len(text) < _SHORTEST_ROW and text[:1] in _HEX and text[-1:] in _HEX:
            yield line  # most lines of a stream are one number
            continue
        row = _row_below(text, before) if rows else None
        if row is not None and len(rows) < _MOST_ROWS:
            rows.append(line)
            size += len(row.data)
            before = row if row.data else before
            is_open = is_open or row.repeats
            whole = size == TENSOR_MAP_BITS // _BYTE and _quietly_read("\n".join(map(text_of, rows)))
            if not is_open and (whole or size > TENSOR_MAP_BITS // _BYTE):
                yield RowBlock(titles, rows)
                titles, rows = [], []
            continue
        if rows:
            yield RowBlock(titles, rows)
            titles, rows = [], []
        first = _first_row(text)
        if first is not None:
            # Behind hexdump's and od's rows stands where they end; which word of an array is the last is not known.
            rows, size, before = [line], len(first.data), first
            is_open = first.cell == 0 or (first.address != "" and not first.colon)
        elif re.match(_TITLE, text):
            titles.append(line)
        else:
            yield from (*titles, line)
            titles = []
    if rows:
        yield RowBlock(titles, rows)
    else:
        yield from titles


_MOST_ROWS = 260
"""The most lines of tensor maps: two, a word per line, and what stands above and below."""
_TITLE = (
    r"(?i)(?![^\n]*0x[\da-f])(?:[^\n]*(?:tensor ?map|\b128 bytes\b)"
    r"|contents of section |[^\n]*: +file format "
    r"|\s*+\.(?:nv\.constant|(?:section|align|type|size)\b)|\s*+[\w.$]++:\s*+$)"
)


def _first_row(text: str) -> _MemoryRow | None:
    """Return a line that may be the first of a tensor map; None if it is not.

    That is the head of an array, an array's word 0, or 16 bytes (8 with an address) that are no descriptors with a
    swizzle.
    """
    if text.rstrip().endswith("] = {") or ("[" in text and re.search(_FIRST_INDEX, text)):
        return _NO_ROW
    is_listed = text[:1] in "/. \t" and re.match(_LISTED_WORD, text)
    if (len(text) < _SHORTEST_ROW and not is_listed) or not _may_begin(text):
        return None
    row = _row(text.strip(), None)
    if not any(row.data) or len(row.data) >= TENSOR_MAP_BITS // _BYTE:
        return None
    fewest = 1 if is_listed else _FIRST // 2 if row.colon else _FIRST
    orders = (row.data, *(_swapped(row.data, row.cell // 2) for _ in (0,) if not row.prefixed and row.cell in _CELLS))
    return row if len(row.data) >= fewest and any(may_begin(data.ljust(_FIRST, b"\0")) for data in orders) else None


_SHORTEST_ROW = 32
"""Characters of a row of 16 bytes; most lines of a stream are shorter."""


def _row_below(text: str, before: _MemoryRow) -> _MemoryRow | None:
    """Return a line that goes on with the rows above it: cells, an address, ``*`` or the end of an array."""
    text, end = text.strip().rstrip("}; "), text.strip()
    if (end and not text) or (before.cell == 0 and re.search(_INDEXED, text)):
        return _NO_ROW
    row = _row(text, before)
    return row if row.data or row.place is not None or row.repeats else None


def printed_maps(text: str) -> Iterator[tuple[int, int, Literal]]:
    """Yield where tensor maps begin and end in a text, in any form that :func:`read_tensor_map` reads."""
    runs = ((match.start(), match.end()) for match in re.finditer(_RUN, text))
    lists = ((match.start(), match.end()) for match in re.finditer(_LIST, text))
    found = [
        *((begin, end, literal) for begin, end in (*runs, *lists) for literal in _quietly_read(text[begin:end])),
        *_in_lines(text),
    ]
    after = 0
    indexed = list(_in_indices(text))
    for begin, end, literal in sorted((*found, *indexed), key=lambda span: span[:2]):
        if begin >= after or (begin, end, literal) in indexed:  # two arrays may be printed by turns
            yield begin, end, literal
            after = max(after, end)


_RUN = r"(?<![\w.])(?:0x)?+[0-9a-fA-F?]{256}(?!\w)"
"""All digits of a tensor map."""
_LIST = r"[\[{(](?:\s*+(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})[uUlL]*+(?:\s*+<repeats \d{1,3} times>)?+\s*+[,\]})]){5,129}+"
"""Numbers in brackets, as a debugger and NumPy print them."""


@lru_cache(maxsize=4)  # who finds that rows are a whole map goes on to read it
def _quietly_read(text: str) -> tuple[Literal, ...]:
    """Return a tensor map; nothing if the text is none, or only begins like one."""
    try:
        return tuple(
            literal
            for literal in read_tensor_map(text)
            if literal.number and is_tensor_map(literal.number, literal.unknown)
        )
    except SmemdescError:
        return ()


def _in_lines(text: str) -> Iterator[tuple[int, int, Literal]]:
    """Yield the tensor maps in rows of memory."""
    after = 0
    for match in re.finditer(_CANDIDATE, "\n" + text):
        begin = match.start()
        if begin < after or _first_row(_line_at(text, begin)) is None:
            continue
        above = text.rfind("\n", 0, max(0, begin - 1)) + 1
        begin = above if text[above:begin].rstrip().endswith("] = {") else begin
        block = next(row_blocks(_lines_from(text, begin), str))
        for literal in _map_in(block.rows) if isinstance(block, RowBlock) else ():
            after = begin + len(literal.text)
            yield begin, after, literal


_CANDIDATE = (
    r"\n[ \t]*+(?:/\*[0-9a-f]{4,8}\*/[ \t]*+)?+(?:\.\w{2,6}[ \t]++)?+(?:[0-9a-fA-F?]{32,64}(?!\w)"
    r"|(?:0x)?+[0-9a-fA-F?]{2,16}(?:[ \t]*+<[^<>\n]*+>)?+(?:[ \t]*+[:,])?+[ \t]++(?:0x)?+[0-9a-fA-F?]{2,16}(?!\w)"
    r"|(?<=[a-z][ \t])(?:0x)[0-9a-fA-F]{8,16}\s)"
)
"""A line that begins with two numbers, a word behind its directive, or a run of digits."""


def _line_at(text: str, begin: int) -> str:
    end = text.find("\n", begin)
    return text[begin : end if end >= 0 else len(text)]


def _lines_from(text: str, begin: int) -> Iterator[str]:
    """Yield the line at ``begin`` and those below it, as many as a tensor map may have."""
    for _ in range(_MOST_ROWS):
        yield _line_at(text, begin)
        begin = text.find("\n", begin) + 1
        if begin == 0:
            break


def _map_in(lines: Sequence[str]) -> Iterator[Literal]:
    """Yield the tensor map that rows begin with, the fewest of them that have it."""
    size, is_open, before = 0, False, _NO_ROW
    for count, line in enumerate(lines, 1):
        row = _row_below(line, before) or _NO_ROW
        size += len(row.data)
        before = row if row.data else before
        repeated = is_open or row.repeats
        if size == TENSOR_MAP_BITS // _BYTE or (repeated and (not row.repeats or count == len(lines))):
            below = _row_below(lines[count], before) if count < len(lines) else None
            ends = below is not None and not below.data and not below.repeats
            found = _quietly_read("\n".join(lines[: count + ends])) or _quietly_read("\n".join(lines[:count]))
            # Behind * a row of cells may belong to what follows the map.
            fewer = _quietly_read("\n".join(lines[: count - 1])) if found and is_open and row.data else ()
            if found:
                yield fewer[0] if fewer and fewer[0].number == found[0].number else found[0]
                return
        is_open = repeated


def _in_indices(text: str) -> Iterator[tuple[int, int, Literal]]:
    """Yield the tensor maps in the words of arrays with their indices, as ``tma[ 0] = 0x34567000``.

    Two arrays of one name may be printed by turns: the first words of all indices are one, the second ones another.
    """
    if "[" not in text or not re.search(_FIRST_INDEX, text):
        return
    arrays: dict[tuple[str, int], list[re.Match[str]]] = {}
    for match in re.finditer(_INDEXED, text):
        turn = 0
        while any(_index(word) == _index(match) for word in arrays.get((match[1], turn), ())):
            turn += 1
        arrays.setdefault((match[1], turn), []).append(match)
    for words in arrays.values():
        size = TENSOR_MAP_BITS // _BYTE // len(words) if len(words) in (16, 32, 64, 128) else 0
        numbers = _numbers([word[3] for word in words])
        in_order = [_index(word) for word in words] == list(range(len(words)))
        if not size or not in_order or not 0 <= max(numbers, default=-1) <= ones(_BYTE * size):
            continue
        data = b"".join(number.to_bytes(size, "little") for number in numbers)
        number = int.from_bytes(data, "little")
        if number and may_begin(data[:_BEGIN]) and is_tensor_map(number):
            begin, end = words[0].start(), words[-1].end()
            yield begin, end, Literal(text[begin:end], number, 0, TENSOR_MAP_BITS, _CELLS[2 * size])


def _numbers(cells: Sequence[str]) -> list[int]:
    """Return printed words: with a prefix, decimal, or all of eight or sixteen digits; empty for other words."""
    plain = [cell for cell in cells if cell[:2].lower() != "0x"]
    if len(plain) == len(cells) and {len(cell) for cell in plain} in ({8}, {16}):
        return [int(cell, 16) for cell in cells]
    return [int(cell, 0) for cell in cells] if all(re.fullmatch(r"0|[1-9]\d*+", cell) for cell in plain) else []


def _index(word: re.Match[str]) -> int:
    return int(word[2], 16 if word[2].startswith("0x") else 10)


_FIRST_INDEX = r"\[[ \t]*+(?:0x)?+0{1,3}[ \t]*+\][ \t]*+[=:]?+[ \t]*+[0-9a-fA-F]"
_INDEXED = (
    r"(?<![\w.>-])([\w.>-]*+)\[[ \t]*+(0x[\da-fA-F]{1,2}|\d{1,3})[ \t]*+\][ \t]*+[=:]?+[ \t]*+"
    r"(0[xX][\da-fA-F]{1,16}|[\da-fA-F]{1,20})[uUlL]{0,3}(?![\w.])"
)
"""A word of an array with its index."""


def is_part_of_tensor_map(text: str) -> bool:
    """Whether rows of memory are an incomplete or damaged tensor map."""
    return _meant(list(_rows(text)))


def may_begin(data: bytes) -> bool:
    """Whether the first bytes of memory, 16 or more, can be a map's: an address of global memory, and no unknown
    bits."""
    from smemdesc.kinds.tensormap import ADDRESSES, TILED

    number = int.from_bytes(data[: TENSOR_MAP_BITS // _BYTE], "little")
    address = number & TILED.masks["global_address"]  # it comes first
    if len(data) < _FIRST or address % _FIRST or address >= ADDRESSES:
        return False
    return all(
        not raw or not isinstance(row.codec, UnknownBits) or raw in row.codec.tolerated or row.hi >= _BYTE * len(data)
        for row, raw in zip(TILED.rows, TILED.unpack(number), strict=True)
    )


_FIRST = 16
_BEGIN = 72
"""Bytes of a map whose fields are known; of those behind them a few may be set (:func:`is_tensor_map`)."""


def is_tensor_map(number: int, unknown: int = 0) -> bool:
    """Whether 128 bytes of memory look like a tensor map: they have the period of a swizzle where the driver writes
    it, or it is unknown, and almost nothing beyond."""
    from smemdesc.kinds.tensormap import PERIOD, TILED

    fields = TILED.read(number, TILED.full & ~unknown)
    period = fields["swizzle_period"]
    if period.complete and period.value not in PERIOD.values():
        return False
    return fields["unknown_592"].bits.bit_count() <= _FEW


_FEW = 8
