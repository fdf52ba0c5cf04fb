"""The values in pasted text: a number, a line of SASS, PTX or C++, or the output of a debugger.

:func:`values` is the one reader of values for the command line, the page and Python. Other forms are searched for
numbers that can only be values; how each was read is part of the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError, WidthError
from smemdesc.engine.fields import WORD, join_words, ones
from smemdesc.engine.wording import many
from smemdesc.kinds.text import COMMENT, EXPRESSION, WIDEST, Literal, parse, without_encodings

_BYTE = 8
_REGISTER = r"U?R\d+|[%$]\w+"

# Patterns of what is no plain number: compiled where they are used, since most runs never get there.
_INSIDE = r"(?i)(?<![\w.])(?:0x[0-9a-f_']{1,}[ul]*|-?\d{8,20}[ul]*)(?![\w.])"
_MEMORY = r"(?i)((?:0x)?[0-9a-f]{1,16})(?:\s*+<[^<>]*+>)?+\s*+:\s++((?:0x[0-9a-f]++\s*+)++)"
_BYTES = r"(?i)(?:[0-9a-f]{4,16}:?+\s++)?+([0-9a-f]{2}(?:\s++[0-9a-f]{2}\b){2,}+)(?:\s++\|.*)?+"  # hexdump -C, od
_PAIRS = r"(?i)[0-9a-f]{4,16}:\s++((?:[0-9a-f]{4}(?: |$)){2,})(?:\s.*)?+"  # xxd
_INFO = rf"({_REGISTER})\s++(0x[0-9a-fA-F]++)\s++-?+\d++"
_HISTORY = r"(\$\d++)\s*+=\s*+(-?+[0-9a-fA-FxX]++)"
_VECTOR = r"\{\s*+([^{},]++),\s*+([^{},]++)\}"
_MOVE = (
    r"(?i)\b(?:U?MOV(?:\.\w++)*+|IMAD\.MOV(?:\.\w++)*+|mov\.[bus]\d++)\s++"
    rf"({_REGISTER})\s*+,(?:\s*+U?RZ\s*+,)*+\s*+(-?+(?:0x[0-9a-f]++|\d++))\s*+;?+\s*+$"
)
_CAST = (
    r"(?:static_cast|reinterpret_cast)\s*+<[\w\s:]*+>"
    r"|\(\s*+(?:const\s++)?+(?:std::)?+u?int(?:32|64)_t\s*+\)"
    r"|\(\s*+(?:unsigned|long|int)(?:\s++(?:unsigned|long|int))*+\s*+\)"
    r"|\b(?:std::)?+u?int(?:32|64)_t(?=\s*+[({])|\bU?INT(?:32|64)_C(?=\s*+\()"
)
_MNEMONIC = r"@!?U?P|/\*|[A-Z][A-Z0-9_]{2,}+(?:\.\w++)*+$|[a-z]\w*\.[a-z\d]"
_MARK_OF_A_NUMBER = r"[+-]?\d|\?|[0-9a-fA-F]{8,}$"


def values(text: str) -> tuple[Literal, ...]:
    """Return the values in ``text``, one line or a few, in order; at least one.

    :class:`smemdesc.engine.errors.ValueSyntaxError` or :class:`smemdesc.engine.errors.WidthError` says what is wrong
    if there is none, or if an obvious one cannot be read.
    """
    if len(text) >= MAP // 4 and (whole := tensor_map(text)):
        return whole  # also one of zeros, which would do as a number
    try:
        return (parse(text),)
    except SmemdescError as problem:
        for read in _FORMS:
            found = read(text)
            if found:
                return found
        if isinstance(problem, ValueSyntaxError):
            found = _inside(text)
            if found:
                return found
        raise


def value(text: str) -> Literal:
    """Return the value in ``text``; more than one is an error."""
    found = values(text)
    if len(found) > 1:
        raise ValueSyntaxError(
            f"{len(found)} values, but one is expected",
            given=text,
            span=(0, len(text)),
            hint="give one of them: " + ", ".join(each.text for each in found[:4]),
        )
    return found[0]


def _memory(text: str) -> tuple[Literal, ...]:
    """Read a line of ``x/2xw``, ``x/gx`` or ``x/8xb`` with its address column."""
    match = re.fullmatch(_MEMORY, text.strip())
    if match is None:
        return ()
    where = f"memory at {match[1]}"
    cells = match[2].split()
    digits = {len(cell) - 2 for cell in cells}
    if digits == {2}:
        return _little_endian([cell[2:] for cell in cells], text, f"{where}, ")
    if digits == {8} and len(cells) > 1:
        pairs = (cells[at : at + 2] for at in range(0, len(cells), 2))
        return tuple(
            _vector_of(*pair, form=f"{where}, the low word first") if len(pair) == 2 else parse(*pair) for pair in pairs
        )
    if digits <= {8, 16}:
        return tuple(parse(cell)._replace(form=f"hexadecimal, {where}") for cell in cells)
    return ()


def _bytes(text: str) -> tuple[Literal, ...]:
    """Read the bytes of a memory dump, as xxd, hexdump -C and od -t x1 print them."""
    match = re.fullmatch(_BYTES, text.strip()) or re.fullmatch(_PAIRS, text.strip())
    return _little_endian(re.findall(r"[0-9a-fA-F]{2}", match[1]), text) if match else ()


def _little_endian(cells: Sequence[str], text: str, where: str = "") -> tuple[Literal, ...]:
    size = WIDEST // _BYTE
    if len(cells) % size and len(cells) != WORD // _BYTE:
        raise ValueSyntaxError(
            f"{len(cells)} bytes of memory, not a whole number of descriptors",
            given=text,
            span=(0, len(text)),
            hint="a descriptor has 8 bytes, an instruction descriptor 4; the least significant comes first",
        )
    groups = (cells[at : at + size] for at in range(0, len(cells), size))
    return tuple(
        parse("0x" + "".join(reversed(group)))._replace(
            text=" ".join(group), form=f"{where}{len(group)} bytes, little-endian"
        )
        for group in groups
    )


def _info(text: str) -> tuple[Literal, ...]:
    """Read a line of ``info registers``: the value, and again in decimal."""
    match = re.fullmatch(_INFO, text.strip())
    return (parse(match[2])._replace(register=match[1].upper()),) if match else ()


def _history(text: str) -> tuple[Literal, ...]:
    """Read what ``p/x`` and ``p/t`` print. Nine digits or more, all 0 and 1, are binary: ``p/t`` writes no prefix."""
    match = re.fullmatch(_HISTORY, text.strip())
    if match is None:
        return ()
    if re.fullmatch(r"[01]{9,64}", match[2]):
        literal = parse("0b" + match[2])._replace(text=match[2], form="binary, as p/t prints it")
    else:
        literal = parse(match[2])
    return (literal._replace(register=match[1]),)


def _vector(text: str) -> tuple[Literal, ...]:
    """Read ``{lo, hi}``, as in ``mov.b64 %rd1, {%r1, 0x40004040};``: the low word first."""
    matches = list(re.finditer(_VECTOR, text))
    if len(matches) != 1 or len(re.findall(_INSIDE, text)) > len(re.findall(_INSIDE, matches[0][0])):
        return ()
    low, high = (each.strip() for each in matches[0].groups())
    unknown = [not re.match(r"[+-]?\d", each) for each in (low, high)]
    if all(unknown):
        raise ValueSyntaxError(
            "neither word is known",
            given=text,
            span=matches[0].span(),
            hint="give at least one as a number: {%r1, 0x40004040}, or 0x40004040:?",
        )
    return (_vector_of("?" if unknown[0] else low, "?" if unknown[1] else high, form="{lo, hi}: the low word first"),)


def _vector_of(low: str, high: str, *, form: str) -> Literal:
    return parse(f"{high}:{low}")._replace(form=form)


def join(low: Literal, high: Literal) -> Literal:
    """Return the 64-bit value of two words pasted separately, of neighboring registers or printed in turn."""
    unknown = join_words(high.unknown, low.unknown)
    number = join_words(high.at(WORD)[0], low.at(WORD)[0])
    form = f"{low.register} and {high.register} joined: {high.register} is the high word"
    return Literal(f"{high.text.strip()}:{low.text.strip()}", number, unknown, WIDEST, form)


def _arithmetic(text: str) -> tuple[Literal, ...]:
    """Read a C++ expression of constants, assigned or not: casts, macros and the operators of :data:`_OPERATIONS`."""
    source = text.strip().rstrip(";")
    if len(source) > _LONGEST_EXPRESSION:
        return ()
    source = source.rpartition("=")[2] if source.count("=") == 1 else source
    plain = re.sub(_CAST, "", source).strip()
    if plain != text.strip() and re.match(_MARK_OF_A_NUMBER, plain.lstrip("({ ")):
        try:
            return (parse(plain),)
        except SmemdescError:
            pass
    try:
        number = _evaluate(plain)
    except NameError as unknown:
        if re.search(EXPRESSION, re.sub(COMMENT, "", text)):
            raise _no_value_of(str(unknown), text) from None
        return ()
    except _NO_NUMBER:
        return ()
    return (Literal(text, number, 0, 0, f"an expression: 0x{number:x}"),)


def _no_value_of(name: str, text: str) -> ValueSyntaxError:
    """Name the word of an expression to replace by its number."""
    places = (each.span() for each in re.finditer(r"[\w.]+", text) if each[0] == name)
    hint = f"write its number in place of {name}"
    if re.search(r"(?i)i_?desc|desc_i|instr", name) and "<<" in text:
        hint += ", as in 0x08200490 << 32: CUTLASS keeps an instruction descriptor in bits 63-32 (idescE)"
    return ValueSyntaxError(
        f"an expression, and the value of {name} is unknown",
        given=text,
        span=next(places, (0, len(text))),
        hint=hint,
    )


_LONGEST_EXPRESSION = 400


def evaluate(text: str) -> int | None:
    """Return the value of a constant expression; None if it is not one, or has more than 64 bits."""
    try:
        return _evaluate(text)
    except (NameError, *_NO_NUMBER):
        return None


_NO_NUMBER = (SyntaxError, ValueError, RecursionError, MemoryError)


def _evaluate(text: str) -> int:
    """Return the value of an expression; NameError names an unknown name, other errors say why it has no value."""
    import ast

    source = re.sub(r"(?i)(?<![\w'])(0x[0-9a-f']++|[0-9']++)[ul]++\b", lambda found: found[1].replace("'", ""), text)
    number = _fold(ast.parse(source, mode="eval").body)
    if not 0 <= number <= ones(WIDEST):
        raise ValueError("too wide")
    return number


def _fold(node: Any) -> int:
    import ast

    if isinstance(node, (ast.Name, ast.Attribute)):
        raise NameError(ast.unparse(node))
    if type(node).__name__ == "Constant" and type(node.value) is int:
        return int(node.value)
    if type(node).__name__ == "UnaryOp" and type(node.op).__name__ == "Invert":
        return ones(WIDEST) ^ _fold(node.operand)
    if type(node).__name__ == "BinOp":
        operation = _OPERATIONS.get(type(node.op).__name__)
        left, right = _fold(node.left), _fold(node.right)
        if (
            operation is not None
            and right <= ones(WIDEST)
            and ("Shift" not in type(node.op).__name__ or right < WIDEST)
        ):
            return operation(left, right)
    raise ValueError("not a constant")


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "BitOr": int.__or__,
    "BitAnd": int.__and__,
    "BitXor": int.__xor__,
    "Add": int.__add__,
    "Sub": int.__sub__,
    "Mult": int.__mul__,
    "LShift": int.__lshift__,
    "RShift": int.__rshift__,
}


def _move(text: str) -> tuple[Literal, ...]:
    """Read an instruction that moves a constant into a register, however small the constant is."""
    match = re.search(_MOVE, re.sub(COMMENT, "", without_encodings(text)))
    return (parse(match[2])._replace(register=match[1].upper()),) if match else ()


def _tokens(text: str) -> tuple[Literal, ...]:
    """Read several values with blanks or commas between them; each must be one."""
    words = list(re.finditer(r"[^\s,;]+", text))
    if len(words) < 2 or not all(re.match(_MARK_OF_A_NUMBER, each[0]) for each in words):
        return ()
    return tuple(_at(text, each) for each in words)


def tensor_map(text: str) -> tuple[Literal, ...]:
    """Read the 128 bytes of a tensor map: hexadecimal digits in memory order, with or without line addresses, the
    words of ``x/32wx`` and ``x/16gx``, a Python bytes literal, a C array. ``?`` is an unknown digit.

    :class:`smemdesc.engine.errors.ValueSyntaxError` points at the fault in rows that begin like a map.
    """
    literal = re.fullmatch(_LITERAL, text)
    digits = re.fullmatch(_MANY_DIGITS, text.strip())
    if digits and len(digits[1]) % 2:
        message = f"{len(digits[1])} hexadecimal digits; a tensor map has {MAP // 4}"
        raise ValueSyntaxError(message, given=text, span=(0, len(text)), hint="a digit was lost in pasting")
    rows = [_python_bytes(literal)] if literal else list(_rows(text))
    if not rows or not rows[0].data:
        return ()
    sure = all(row.run for row in rows)
    fault = _fault(rows)
    if fault is None:
        data, unknown = (b"".join(each) for each in zip(*((row.data, row.unknown) for row in rows), strict=True))
        if len(data) == MAP // _BYTE:
            number, mask = int.from_bytes(data, "little"), int.from_bytes(unknown, "little")
            whole = mask != ones(MAP) and (sure or is_tensor_map(number, mask))
            return (Literal(text, number, mask, MAP, rows[0].form),) if whole else ()
        if len(data) < _LEAST_OF_A_MAP:
            return ()
        fault = f"{many(len(data), 'byte')}; a tensor map has {MAP // _BYTE}", (0, len(text))
    if not ((sure and len(rows[0].data) >= _LEAST_OF_A_MAP) or (len(rows) > 1 and _meant(rows))):
        return ()
    message, span = fault
    hint = "copy all of it: 256 hexadecimal digits, or x/32wx of its address"
    raise ValueSyntaxError(message, given=text, span=span, hint=hint)


MAP = 1024
_LEAST_OF_A_MAP = 32
"""Bytes; fewer digits in a row are more likely a number that is too wide."""
_ADDRESS = r"((?:0x)?[0-9a-f]{4,16})\s*+(?:<[^<>]*+>\s*+)?+:"
_NEXT_ROW = rf"(?i)\s(?={_ADDRESS})"
_OFFSET = r"([0-9a-f]{6,16})(?=\s\s|\s(?:[0-9a-f?]{2}\s){3})"
"""As hexdump and od print it, without a colon."""
_ROW = rf"(?i)(?:{_ADDRESS}|{_OFFSET})?+\s*+(.*)"
_FROM_HEX = r"bytes\.fromhex\(\s*+(?P<hex>['\"][\s\da-fA-F]*+['\"])\s*+\)"
_LITERAL = rf"(?s)\s*+(?:\w++\s*+=\s*+)?+(?:{_FROM_HEX}|(?P<py>b['\"].*['\"]))\s*+"
_MANY_DIGITS = r"(?:0[xX])?+([0-9a-fA-F?]{64,})"
_CELLS = {2: "bytes", 8: "32-bit words", 16: "64-bit words"}
"""The form of printed memory, by digits per cell."""


class _Row(NamedTuple):
    """A row of memory; if it cannot be read, ``data`` is empty, ``form`` says why and ``span`` is the place."""

    span: tuple[int, int]
    place: int | None
    """Its address, if it is printed."""
    form: str = ""
    data: bytes = b""
    unknown: bytes = b""
    run: bool = False
    """Whether it is digits without blanks between bytes, which can be nothing else."""


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows of memory, or of an array; the first may be no row."""
    array = re.search(r"(?s)\{([^{}]*+)\}", text)
    if "\n" not in text.strip():
        text = re.sub(_NEXT_ROW, "\n", text)  # typed without quotation marks
    begin, end = array.span(1) if array else (0, len(text))
    for line in re.finditer(r"\S[^\n]*+", text[begin:end]):
        match = re.fullmatch(_ROW, line[0].rstrip())
        address = match and (match[1] or match[2])
        span = begin + line.start(), begin + line.start() + len(line[0].rstrip())
        row = _Row(span, int(address, 16) if address else None, "not a row of memory")
        yield _with_cells(row, match[3], span[0] + match.start(3)) if match and match[3] else row


def _with_cells(row: _Row, text: str, at: int) -> _Row:
    """Return a row with its cells, which are at a place in the whole text."""
    digits, _, _ = text.partition("  |")  # hexdump -C repeats them as characters there, xxd behind two blanks
    cells = re.sub(r"(?<!\s)\s\s++\S{1,16}$", "", digits).replace(",", " ").split()
    sizes = {len(cell) - 2 for cell in cells}
    if len(sizes) == 1 and sizes <= _CELLS.keys() and all(re.fullmatch(r"0[xX][0-9a-fA-F?]++", cell) for cell in cells):
        size = sizes.pop()
        known, unknown = (
            b"".join(bytes.fromhex(each[2:])[::-1] for each in map(of, cells)) for of in (_known, _unknown)
        )
        return row._replace(form=_CELLS[size], data=known, unknown=unknown)
    digits = "".join(cells)
    digits = digits[2:] if digits[:2].lower() == "0x" else digits
    if not re.fullmatch(r"(?i)(?:[0-9a-f?]{2})+", digits) or any(len(cell) % 2 for cell in cells):
        odd = next((each for each in re.finditer(r"[^\s,]++", text) if not _like(each[0], cells[0])), None)
        if odd is None:
            return row
        why = f"{odd[0]} is an address: a row has one, at its start" if ":" in odd[0] else f"{odd[0]} is not a word"
        return row._replace(form=why, span=(at + odd.start(), at + odd.end()))
    run = all(len(cell) >= 16 for cell in cells)
    form = "bytes in memory order"
    return row._replace(form=form, data=bytes.fromhex(_known(digits)), unknown=bytes.fromhex(_unknown(digits)), run=run)


def _like(cell: str, first: str) -> bool:
    """Whether a cell of memory has the form of the first in its row."""
    return len(cell) == len(first) and re.fullmatch(r"(?:0[xX])?+[0-9a-fA-F?]++", cell) is not None


def _known(digits: str) -> str:
    return digits.replace("?", "0")


def _unknown(digits: str) -> str:
    return re.sub(r"[0-9a-fA-F]", "0", digits).replace("?", "f")


def _fault(rows: Sequence[_Row]) -> tuple[str, tuple[int, int]] | None:
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


def _behind(row: _Row) -> int | None:
    """Return the address after a row."""
    return None if row.place is None else row.place + len(row.data)


def _out_of_place(row: _Row, rows: Sequence[_Row], after: int) -> str:
    place, at = row.place, rows.index(row)
    assert place is not None
    if place in {each.place for each in rows[:at]}:
        return f"the row of 0x{place:x} appears twice"
    if place < after or after in {each.place for each in rows}:
        return f"the row of 0x{place:x} is out of order: 0x{after:x} follows"
    return f"{many(place - after, 'byte')} at 0x{after:x} are missing"


def _meant(rows: Sequence[_Row]) -> bool:
    """Whether rows that are not a map are meant as one: they start like one, each row at its address."""
    data = bytearray()
    first = min((row.place for row in rows if row.place is not None), default=0)
    for row in rows:
        at = len(data) if row.place is None else min(row.place - first, MAP)
        data += bytes(max(0, at - len(data)))
        data[at : at + len(row.data)] = row.data
    return len(data) >= _MEANT and _begins(bytes(data))


_MEANT = 64


def _python_bytes(literal: re.Match[str]) -> _Row:
    import ast

    row = _Row((0, len(literal[0])), None)
    try:
        data = ast.literal_eval(literal["hex"] or f"({literal['py']})")
        data = bytes.fromhex(data) if literal["hex"] else data
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return row
    return row._replace(form="bytes of Python", data=data, unknown=bytes(len(data)), run=True)


def is_row(text: str) -> bool:
    """Whether a line is a row of memory, or of a byte array, or begins with the address of one."""
    row = next(_rows(text.rstrip("}; ")), None)
    return row is not None and (bool(row.data) or row.place is not None)


def begins_tensor_map(text: str) -> bool:
    """Whether a line may be the first of a tensor map: 16 or more bytes that are no descriptors with a swizzle."""
    row = next(_rows(text), None)
    return row is not None and len(row.data) < MAP // _BYTE and _begins(row.data)


def is_part_of_tensor_map(text: str) -> bool:
    """Whether rows of memory are an incomplete or damaged tensor map."""
    return _meant(list(_rows(text)))


def _begins(data: bytes) -> bool:
    """Whether the first bytes of memory can be those of a map: every row of the table that they hold whole."""
    from smemdesc.kinds.tensormap import ADDRESSES, TILED

    if len(data) < _FIRST:
        return False
    fields = TILED.read(int.from_bytes(data[: MAP // _BYTE], "little"))
    address = fields["global_address"].bits
    unknown = (row.key for row in TILED.rows if row.hi < _BYTE * len(data) and row.key.startswith("unknown"))
    return not (any(fields[key].bits for key in unknown) or address % _FIRST or address >= ADDRESSES)


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

_FORMS = (tensor_map, _memory, _bytes, _info, _history, _vector, _arithmetic, _move, _tokens)


def _inside(text: str) -> tuple[Literal, ...]:
    """Return the numbers in other text: hexadecimal of five digits or more, decimal of eight or more.

    Shorter ones are immediate operands, line numbers and offsets.
    """
    code = without_encodings(text)
    if not re.search(r"[\s=:(\[]", text.strip()) or re.search(EXPRESSION, re.sub(COMMENT, "", code)):
        return ()
    found = re.finditer(_INSIDE, code)
    return tuple(_at(text, each) for each in found if "x" not in each[0].lower() or len(each[0].rstrip("uUlL")) >= 7)


def _at(text: str, place: re.Match[str]) -> Literal:
    """Read the part of ``text`` that matched; an error names the place in the whole."""
    try:
        return parse(place[0])
    except (ValueSyntaxError, WidthError) as problem:
        begin, end = problem.span or (0, len(place[0]))
        span = (place.start() + begin, place.start() + end)
        raise type(problem)(problem.message, given=text, span=span, hint=problem.hint) from None


def sentence(words: Iterable[str]) -> str | None:
    """Return the arguments of a command line as one line if they form one; else None.

    An instruction, ``{lo, hi}`` and bytes of memory may be typed without quotation marks.
    """
    words = list(words)
    if len(words) < 2:
        return None
    line = " ".join(words)
    whole = (
        re.fullmatch(_BYTES, line)
        or re.fullmatch(_VECTOR, line)
        or (re.fullmatch(_LITERAL, line) or all(row.run or (row.data and row.place is not None) for row in _rows(line)))
        or (re.match(_MNEMONIC, words[0]) and not _is_value(words[0]))
    )
    return line if whole else None


def _is_value(text: str) -> bool:
    try:
        parse(text)
    except SmemdescError:
        return False
    return True
