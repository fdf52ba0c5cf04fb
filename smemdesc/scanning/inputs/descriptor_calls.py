"""Calls in C++ sources that make descriptors: of functions that the text defines, and of known libraries.

A function of the text is evaluated with known bits; values of its parameters, and of anything that is not plain
arithmetic, are unknown. A function with any other statement is not read at all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from smemdesc.descriptors.readings import FITS, WHOLE, DescriptorReading
from smemdesc.engine import known
from smemdesc.engine.expressions import fold_expression, parse_expression
from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.kind import kind_of
from smemdesc.reading.text import VALUE_BITS
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import TextValue

_FUNCTION = re.compile(
    rb"\b(?P<type>uint32_t|u?int64_t|auto|unsigned[ \t]+long[ \t]+long|unsigned)[ \t\r\n]+(?P<name>\w++)[ \t]*+"
    rb"\((?P<parameters>[^(){};]{0,400}+)\)[ \t\r\n]*+(?:(?:const|noexcept)[ \t\r\n]*+)?"
    rb"\{(?P<body>[^{}]{0,4000}+)\}"
)
_MACRO = re.compile(
    rb"(?m)^[ \t]*+#[ \t]*+define[ \t]++(?P<name>\w++)\((?P<parameters>[\w, \t]{0,400}+)\)[ \t]++(?P<body>[^\n\\]++)$"
)
_LIBRARY = re.compile(
    rb"\btl::(?:initialize_wgmma_descriptor[ \t]*+<(?P<wgmma>[\w, \t]{1,100}+)>[ \t]*+\("
    rb"|initialize_tcgen05_descriptor[ \t]*+\((?P<tcgen05>[^;]{1,400}?)\)[ \t\r\n]*+;)"
)
"""Calls of TileLang: layout type, LBO and SBO as template arguments; or the fields as function arguments."""
_TCGEN05 = ("leading_byte_offset", "stride_byte_offset", "base_offset", "lbo_mode", "swizzle")
_WGMMA = ("swizzle", "leading_byte_offset", "stride_byte_offset")
_COMMENTS = re.compile(r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_ASSIGNED = re.compile(
    r"(?:(?:const|constexpr|auto|unsigned|long|uint32_t|u?int64_t)\s+)*+(?P<name>\w++)\s*+(?P<how>[|+^&]?=)(?!=)"
)
_TYPE = re.compile(r"\b(uint32_t|u?int64_t|auto|unsigned\s+long\s+long|unsigned)\b")
_CAST = re.compile(
    r"\(\s*(?:std::)?uint64_t\s*\)|\bstatic_cast<\s*(?:std::)?uint64_t\s*>|\b(?:std::)?uint64_t(?=\s*\()"
)
_NARROW = re.compile(r"\bstatic_cast<\s*(?:std::)?uint32_t\s*>|\b(?:std::)?uint32_t(?=\s*\()")
_ADDRESS = re.compile(
    r"(?<!\w)(?:\w++::){0,8}+(?:__cvta_generic_to_shared|cast_smem_ptr_to_uint|smem_ptr_to_uint)\s*\([^()]*+\)"
)
_DEEPEST = 8
_SIGN = 1 << WORD - 1


class _CallNumber(NamedTuple):
    """The known bits of a value of C++, and the width of its type in bits."""

    value: known.Value
    width: int


class _SourceFunction(NamedTuple):
    name: str
    parameters: tuple[tuple[str, int], ...]
    """Names, and the widths of their types in bits; 0: the width of the argument."""
    body: str
    width: int
    """The width of its type in bits; 0: the width of the result."""
    start: int


class MadeDescriptor(NamedTuple):
    """A descriptor that a call or a function makes: where it is, how it is shown, and its known bits."""

    start: int
    text: str
    bits: int
    known: int
    kinds: tuple[str, ...] = ("wgmma", "tcgen05")
    """The kinds that it may have."""
    is_call: bool = False


class _UnreadableError(Exception):
    """A statement or an expression is not understood."""


def made_descriptors(text: bytes) -> Iterator[MadeDescriptor]:
    """Yield the descriptors that functions of a text make from constants, and that calls of a known library make."""
    for match in _LIBRARY.finditer(text):
        kind, keys = ("wgmma", _WGMMA) if match["wgmma"] else ("tcgen05", _TCGEN05)
        arguments = [
            argument.strip() for argument in (match["wgmma"] or match["tcgen05"]).decode("utf-8", "replace").split(",")
        ]
        raw_values = _raws(arguments if kind == "wgmma" else arguments[-len(keys) :], keys)
        if raw_values is not None:
            table = kind_of(kind).table
            shown = match[0].decode("utf-8", "replace").partition("(")[0] if kind == "wgmma" else match[0].decode()
            bits = table.pack({**dict.fromkeys(("start_address",), 0), **raw_values})
            yield MadeDescriptor(
                match.start(), " ".join(shown.split()), bits, table.full & ~table.masks["start_address"], (kind,), True
            )
    functions: dict[str, _SourceFunction] = {}
    different: set[str] = set()
    for function in _functions(text):
        before = functions.setdefault(function.name, function)
        if before._replace(start=0) != function._replace(start=0):
            different.add(function.name)
    for name in different:
        del functions[name]  # overloads, or variants of the preprocessor
    for function in functions.values():
        if "desc" not in function.name.lower() or function.width != VALUE_BITS:
            continue
        try:
            number = _result(
                function, [_CallNumber(known.UNKNOWN, width) for _, width in function.parameters], functions, 0
            )
        except _UnreadableError:
            continue
        yield MadeDescriptor(function.start, f"{function.name}()", number.value[0] & number.value[1], number.value[1])


def descriptors_made(text: bytes, first: int, low: int, high: int) -> Iterator[TextValue]:
    """Yield the descriptors that functions and calls between two offsets of a C++ source make, as far as known."""
    for descriptor in made_descriptors(text):
        if not low <= descriptor.start < high:
            continue
        candidates = [
            DescriptorReading(kind_of(kind), WHOLE, descriptor.bits & descriptor.known, descriptor.known)
            for kind in descriptor.kinds
        ]
        fitting = tuple(
            reading_of(candidate)
            for candidate in candidates
            if candidate.grade == FITS
            and all(candidate.fields[key].settled for key in ("swizzle", "stride_byte_offset"))
        )
        stride = candidates[0].fields["stride_byte_offset"]
        if fitting and (stride.raw or descriptor.is_call):
            line = first + text.count(b"\n", 0, descriptor.start)
            column = descriptor.start - text.rfind(b"\n", 0, descriptor.start)
            yield TextValue(
                line, column, descriptor.text, fitting, descriptor.bits & descriptor.known, VALUE_BITS, descriptor.known
            )


def _raws(arguments: list[str], keys: tuple[str, ...]) -> dict[str, int] | None:
    """Return the raw number of each field; None if an argument is not a number."""
    words = [{"true": "1", "false": "0"}.get(argument, argument) for argument in arguments[: len(keys)]]
    if len(words) < len(keys) or not all(re.fullmatch(r"\d{1,5}|0x[0-9a-fA-F]{1,4}", word) for word in words):
        return None
    table = kind_of("wgmma" if keys is _WGMMA else "tcgen05").table
    raw_values = {key: int(word, 0) for key, word in zip(keys, words, strict=True)}
    return raw_values if all(number <= ones(table.row(key).width) for key, number in raw_values.items()) else None


def _functions(text: bytes) -> Iterator[_SourceFunction]:
    for pattern in (_FUNCTION, _MACRO):
        for match in pattern.finditer(text):
            parameters, name, body = (match[key].decode("utf-8", "replace") for key in ("parameters", "name", "body"))
            listed = [parameter.strip() for parameter in parameters.split(",") if parameter.strip()]
            is_macro = pattern is _MACRO
            yield _SourceFunction(
                name,
                tuple(_parameter(parameter, is_macro) for parameter in listed),
                f"return {body}" if is_macro else _COMMENTS.sub(" ", body),
                0 if is_macro else _width(match["type"].decode()),
                match.start("name"),
            )


def _parameter(text: str, is_macro: bool) -> tuple[str, int]:
    name = re.findall(r"\w+", text.partition("=")[0])[-1:]
    match = _TYPE.search(text)
    is_pointer = "*" in text or "&" in text
    return (name[0] if name else ""), 0 if is_macro else _width(match[1]) if match and not is_pointer else VALUE_BITS


def _width(name: str) -> int:
    return WORD if "32" in name or name == "unsigned" else 0 if name == "auto" else VALUE_BITS


def _result(
    function: _SourceFunction, arguments: list[_CallNumber], functions: Mapping[str, _SourceFunction], depth: int
) -> _CallNumber:
    """Return the result of a call; :class:`_UnreadableError` if the body of the function is more than assignments."""
    if depth > _DEEPEST or len(arguments) != len(function.parameters):
        raise _UnreadableError
    names = {
        name: _CallNumber(known.cut(argument.value, width), width) if width else argument
        for (name, width), argument in zip(function.parameters, arguments, strict=True)
    }
    for statement in filter(None, map(str.strip, function.body.split(";"))):
        if statement.startswith("return"):
            number = _evaluate(statement.removeprefix("return"), names, functions, depth)
            return _CallNumber(known.cut(number.value, function.width), function.width) if function.width else number
        match = _ASSIGNED.match(statement)
        if match is None:
            raise _UnreadableError
        name, how = match["name"], match["how"]
        declared = _TYPE.search(statement, 0, match.start("name"))
        if not declared and name not in names:
            raise _UnreadableError
        number = _evaluate(statement[match.end() :], names, functions, depth)
        if how != "=":
            number = _operate(how[0], names.get(name, _CallNumber(known.UNKNOWN, VALUE_BITS)), number)
        width = _width(declared[1]) if declared else names[name].width
        names[name] = _CallNumber(
            known.cut(_widened(number, width or number.width), width or number.width), width or number.width
        )
    raise _UnreadableError


def _evaluate(
    text: str, names: Mapping[str, _CallNumber], functions: Mapping[str, _SourceFunction], depth: int
) -> _CallNumber:
    """Return the known bits of an expression of C++, in which a unary plus marks 64 bits."""
    text = _NARROW.sub(" narrow_ ", _CAST.sub("+", _ADDRESS.sub(" unknown_address ", text)))

    def part(node: ast.expr) -> _CallNumber:
        if isinstance(node, ast.Name):
            return names.get(node.id, _CallNumber(known.UNKNOWN, WORD if node.id == "unknown_address" else VALUE_BITS))
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            raise _UnreadableError
        arguments = [fold_expression(argument, _number, _operate, part) for argument in node.args]
        if node.func.id == "narrow_" and len(arguments) == 1:
            return _CallNumber(known.cut(arguments[0].value, WORD), WORD)
        if node.func.id in functions:
            return _result(functions[node.func.id], arguments, functions, depth + 1)
        return _CallNumber(known.UNKNOWN, VALUE_BITS)

    try:
        return fold_expression(parse_expression(text), _number, _operate, part)
    except (ValueError, RecursionError):
        raise _UnreadableError from None


def _number(value: int) -> _CallNumber:
    width = WORD if value <= ones(WORD) else VALUE_BITS
    return _CallNumber(known.const(value, width), width)


def _operate(sign: str, left: _CallNumber, right: _CallNumber | None = None) -> _CallNumber:
    """Return the result of an operator; :class:`_UnreadableError` if C++ does not define it, or it is not followed."""
    if right is None:
        if sign == "+":
            return _CallNumber(_widened(left, VALUE_BITS), VALUE_BITS)
        if sign == "~" and left.width == VALUE_BITS:  # an int would be sign-extended
            return _CallNumber(known.complement(left.value, left.width), left.width)
        raise _UnreadableError
    if sign in ("<<", ">>"):
        count = right.value[0]
        if right.value[1] != ones(right.width) or count >= left.width:
            raise _UnreadableError
        shifted = (known.shl if sign == "<<" else known.shr)(_widened(left, left.width), count, left.width)
        if sign == "<<" and left.width == WORD and (shifted[0] | ~shifted[1]) & _SIGN:
            raise _UnreadableError
        return _CallNumber(shifted, left.width)
    width = max(left.width, right.width)
    a, b = _widened(left, width), _widened(right, width)
    if sign == "+":
        return _CallNumber(known.add(a, b, width)[0], width)
    if sign == "*":
        return _CallNumber(known.multiply(a, b, width), width)
    if sign == "/":
        return _CallNumber(known.divide(a, b, width), width)
    if sign in _BITWISE:
        return _CallNumber(_BITWISE[sign](a, b), width)
    raise _UnreadableError


_BITWISE = {"|": known.or_, "&": known.and_, "^": known.xor}


def _widened(number: _CallNumber, width: int) -> known.Value:
    """Return a number of unsigned type, zero-extended to ``width`` bits."""
    above = ones(width) & ~ones(number.width)
    return number.value[0], number.value[1] | above
