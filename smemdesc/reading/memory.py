"""Memory as it is printed: rows of bytes or words, with or without their addresses, of descriptors or a tensor map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.errors import ValueSyntaxError
from smemdesc.engine.fields import WORD, UnknownBits, ones
from smemdesc.engine.wording import many
from smemdesc.reading.text import TENSOR_MAP_BITS, VALUE_BITS, Literal, parse_value

_BYTE = 8
_WORD_BYTES, _DESCRIPTOR_BYTES = WORD // _BYTE, VALUE_BITS // _BYTE


def in_rows(text: str) -> tuple[Literal, ...]:
    """Return the descriptors in rows of memory, as ``x/2xw``, ``x/gx``, ``x/8xb``, ``x/2dw``, ``xxd``, ``hexdump -C``
    and ``od -t x1`` print them; empty if the text is no such rows.

    :class:`smemdesc.engine.errors.ValueSyntaxError` if the bytes of a row are not whole descriptors.
    """
    if not re.match(_FIRST_CELL, text):
        return ()
    decimal = re.fullmatch(_DECIMAL_ROW, text)
    if decimal:
        return _of_decimals(decimal[1], decimal[2].split())
    rows = list(_rows(text))
    if not all(map(_is_of_descriptors, rows)) or (rows and len(rows[0].data) < _FEWEST_BYTES and not rows[0].prefixed):
        return ()
    return tuple(literal for row in rows for literal in _of_row(row, text))


def _is_of_descriptors(row: _MemoryRow) -> bool:
    """Whether a row is of bytes, or has an address and the cells that a debugger or ``xxd`` prints."""
    return bool(row.data) and (row.cell == 2 or (row.colon and (row.prefixed or row.cell == 4)))


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
        else:
            cells = " ".join(re.findall("..", digits)[::-1])
            form = f"{where + ', ' if row.prefixed else ''}{len(digits) // 2} bytes, little-endian"
            yield parse_value(f"0x{digits}")._replace(text=cells, form=form)


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
    if numbers := map_of_numbers(text):
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
    fault = _fault(rows)
    if fault is None:
        data, unknown = (b"".join(parts) for parts in zip(*((row.data, row.unknown) for row in rows), strict=True))
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
    """Read 16 words, 32 or 128 numbers in brackets, as a debugger and NumPy print them, decimal or hexadecimal."""
    match = re.search(_NUMBERS, text)
    if match is None:
        return ()
    cells = re.sub(
        _REPEATED, lambda cell: ", ".join([cell[1]] * min(int(cell[2]), TENSOR_MAP_BITS // _BYTE)), match[1]
    ).split(",")
    size = TENSOR_MAP_BITS // _BYTE // len(cells) if len(cells) in (16, 32, 128) else 0
    numbers = [int(cell.strip().rstrip("uUlL"), 0) for cell in cells] if size else []
    if not numbers or max(numbers) > ones(_BYTE * size):
        return ()
    data = b"".join(number.to_bytes(size, "little") for number in numbers)
    number = int.from_bytes(data, "little")
    if not number or not may_begin(data) or not is_tensor_map(number):
        return ()
    return (Literal(text, number, 0, TENSOR_MAP_BITS, _CELLS[2 * size]),)


_CELL = r"\s*+(?:0[xX][0-9a-fA-F]{1,16}|0|[1-9]\d{0,19})[uUlL]*+(?:\s*+<repeats \d{1,3} times>)?+\s*+"
_NUMBERS = rf"[\[{{(]({_CELL}(?:,{_CELL}){{2,127}}+),?+\s*+[\]}})]"
_REPEATED = r"(?<!\w)(\w++)\s*+<repeats (\d{1,3}) times>"


def _may_begin(text: str) -> bool:
    """Whether a text may begin with a row: most lines of a stream do not."""
    return "{" in text or text.lstrip()[:1] in _HEX


_HEX = frozenset("0123456789abcdefABCDEF?")
_LEAST_OF_A_MAP = 32
"""Bytes; fewer digits in a row are more likely a number that is too wide."""
_ADDRESS = r"(0x[0-9a-f]{1,16}|[0-9a-f]{4,16})\s*+(?:<[^<>]*+>\s*+)?+:"
_COLUMN = rf"(?i){_ADDRESS}\s"
_NEXT_ROW = rf"(?i)\s(?={_ADDRESS})"
_OFFSET = r"([0-9a-f]{6,16})(?=\s\s|\s(?:[0-9a-f?]{2}\s){3})"
"""As hexdump and od print it, without a colon."""
_ROW = rf"(?i)(?:{_ADDRESS}|{_OFFSET})?+\s*+(.*)"
_FROM_HEX = r"bytes\.fromhex\(\s*+(?P<hex>['\"][\s\da-fA-F]*+['\"])\s*+\)"
_LITERAL = rf"(?s)\s*+(?:\w++\s*+=\s*+)?+(?:{_FROM_HEX}|(?P<py>b['\"].*['\"]))\s*+"
_MANY_DIGITS = r"(?:0[xX])?+([0-9a-fA-F?]{64,})"
_CELLS = {2: "bytes", 8: "32-bit words", 16: "64-bit words"}
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

    @property
    def place(self) -> int | None:
        """Its address."""
        return int(self.address, 16) if self.address else None


def _rows(text: str) -> Iterator[_MemoryRow]:
    """Yield the rows of memory, or of an array; the first may be no row."""
    array = re.search(r"(?s)\{([^{}]*+)\}", text)
    if "\n" not in text.strip():
        text = re.sub(_NEXT_ROW, "\n", text)  # typed without quotation marks
    begin, end = array.span(1) if array else (0, len(text))
    for line in re.finditer(r"\S[^\n]*+", text[begin:end]):
        match = re.fullmatch(_ROW, line[0].rstrip())
        span = begin + line.start(), begin + line.start() + len(line[0].rstrip())
        row = _MemoryRow(
            span,
            (match and (match[1] or match[2])) or "",
            "not a row of memory",
            colon=re.match(_COLUMN, line[0]) is not None,
        )
        yield _with_cells(row, match[3], span[0] + match.start(3)) if match and match[3] else row


def _with_cells(row: _MemoryRow, text: str, at: int) -> _MemoryRow:
    """Return a row with its cells, which are at a place in the whole text."""
    text, characters = _split_characters(text, row.colon)
    cells = text.replace(",", " ").split()
    sizes = {len(cell) - 2 for cell in cells}
    if len(sizes) == 1 and sizes <= _CELLS.keys() and all(re.fullmatch(r"0[xX][0-9a-fA-F?]++", cell) for cell in cells):
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
    if characters is not None and not _can_be_beside(characters, data):
        span = at + len(text), row.span[1]
        return row._replace(form=f"{many(len(characters), 'character')} beside {many(len(data), 'byte')}", span=span)
    unknown = bytes.fromhex(_unknown(digits))
    form = "bytes in memory order"
    return row._replace(form=form, data=data, unknown=unknown, run=run, cell=max(map(len, cells)))


def _can_be_beside(characters: str, data: bytes) -> bool:
    """Whether there is a character for each byte; blanks at the end may be lost."""
    return len(characters) <= len(data) and not data[len(characters) :].strip(b" ")


def _split_characters(text: str, colon: bool) -> tuple[str, str | None]:
    """Return the cells of a row, and the bytes as characters, which ``hexdump -C`` and ``xxd`` print after them."""
    digits, bar, characters = text.partition("  |")
    if bar:
        return digits, characters.removesuffix("|")
    if colon and text[:2].lower() != "0x":
        digits, _, characters = text.partition("  ")
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


def bytes_of_row(text: str) -> int | None:
    """Return the number of bytes in a row of memory, or of a byte array (0: its end, or an address); None: no row."""
    row = next(_rows(text.rstrip("}; ")), None)
    if row is None:
        return 0 if text.strip() in ("}", "};") else None
    return len(row.data) or (None if row.place is None else 0)


def begins_tensor_map(text: str) -> bool:
    """Whether a line may be the first of a tensor map: 16 or more bytes that are no descriptors with a swizzle."""
    row = next(_rows(text), None) if _may_begin(text) else None
    return row is not None and len(row.data) < TENSOR_MAP_BITS // _BYTE and may_begin(row.data)


def is_part_of_tensor_map(text: str) -> bool:
    """Whether rows of memory are an incomplete or damaged tensor map."""
    return _meant(list(_rows(text)))


def may_begin(data: bytes) -> bool:
    """Whether the first bytes of memory, 16 or more, can be a map's: an address of global memory, and no unknown
    bits."""
    from smemdesc.kinds.tensormap import ADDRESSES, TILED

    if len(data) < _FIRST:
        return False
    address = 0
    for row, raw in zip(
        TILED.rows, TILED.unpack(int.from_bytes(data[: TENSOR_MAP_BITS // _BYTE], "little")), strict=True
    ):
        if row.key == "global_address":
            address = raw
        elif not raw or row.hi >= _BYTE * len(data):
            continue
        elif isinstance(row.codec, UnknownBits) and raw not in row.codec.tolerated:
            return False
    return not address % _FIRST and address < ADDRESSES


_FIRST = 16


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
