"""The arguments of ``cuTensorMapEncodeTiled`` in C, C++ or Python source: of a call, or of variables with their names.

Numbers, enumerators, casts, ``sizeof``, arithmetic and variables that the text defines once are evaluated. What else an
argument depends on is unknown, and named.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from smemdesc.engine.brackets import CODE, closing, outside, spans
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.expressions import compute, fold_expression, parse_expression
from smemdesc.engine.wording import either
from smemdesc.kinds.tensormap import DATA_TYPE
from smemdesc.reading.map_arguments import (
    ARGUMENT,
    ENUMERATOR,
    IM2COL_ARGUMENTS,
    LEAST,
    SOURCE_TEXT,
    TILED_ARGUMENTS,
    MapArguments,
    MapCall,
    printed_calls,
    to_rank,
)
from smemdesc.reading.terms import is_source

_TYPES = (
    r"(?:cuu?int(?:32|64)_t|u?int(?:8|16|32|64)_t|size_t|CUtensorMap\w*+|(?:unsigned\s+)?(?:long\s+long|long|int)"
    r"|unsigned|void)"
)
_SOURCE = re.compile(
    r"\b(?:cuu?int(?:32|64)_t|CUtensorMap\w++)\b[\s*]*+\w++\s*+(?:\[\w*+\]\s*+)?+[={;]"
    r"|[tT]ensorMapEncode\w{0,40}+\)?\s*+\((?=[^()]*[&,])"
)
"""What occurs in source, but not in a log."""
_COMMENT = re.compile(
    r"//(?!= )[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|(?m:^[ \t]*+#(?![ \t]*+define\b)[^\n]*)|(?<=[\s,])#[ \t][^\n]*"
)
_CALL = re.compile(r"(?<!\w)\w*[tT]ensorMapEncode\w{0,40}+\)?\s*+\(")
_DRIVERS = re.compile(r"cuTensorMapEncode(Tiled|Im2col)\b")
_DEFINED = re.compile(r"(?<![\w.>])([A-Za-z_]\w*+)\s*+(?:\[([^][;{}]{0,60}+)\]\s*+)?(?:=(?!=)|(?=\{))")
_DEFINE = re.compile(r"(?m)^[ \t]*+#[ \t]*+define[ \t]++(\w++)[ \t]++([^\n]++)$")
_CHANGED = re.compile(
    r"\b([A-Za-z_]\w*+)\s*+(?:\[[^][;{}]{0,60}+\]\s*+)?+(?:(?:[-+*/%&|^]|<<|>>|//|\*\*)=|\+\+|--)"
    r"|(?:\+\+|--)\s*+(\w++)|&\s*+\w++\s*+=\s*+(\w++)"
)
_FILLED = re.compile(
    r"\b(?:mem(?:cpy|move|set)|swap|fill(?:_n)?+|copy(?:_n)?+|iota|reverse|transform)\s*+\(([^()]*+)\)"
)
_PARAMETER = re.compile(
    rf"[(,]\s*+(?:const\s+)?(?:{_TYPES}(?:\s*[*&]+\s*|\s+)|[\w:]++\s++)(?:const\s+)?(\w++)\s*+(?=[,)=])"
)
_DEFINED_IN_PYTHON = re.compile(r"\bdef[ \t]++\w++\(([^()]*+)\)")
_CASTS = (
    (rf"\(\s*+(?:const\s++)?+{_TYPES}\s*+\**+\s*+\)(?=\s*+[\w(&-])", ""),
    (r"\b(?:static|reinterpret|const)_cast\s*<[^<>;]{1,60}>", ""),
    (rf"(?<![\w.])(?:std::|(?:\w++\.)++)?(?:{_TYPES}|c_uint(?:32|64)|uint(?:32|64))\s*(?=\()", ""),
    (r"(?<![\w.:])(?:\w++(?:::|\.))++(?=CU_TENSOR_MAP_)", ""),
    (r"\bsizeof\s*+\(\s*+(?:\w++::)*+(\w++)\s*+\)", r"sizeof_\1"),
    (r"->|::", "."),
)
_SIZES = {
    **dict.fromkeys(("char", "int8_t", "uint8_t", "__nv_fp8_e4m3", "__nv_fp8_e5m2", "float_e4m3_t", "float_e5m2_t"), 1),
    **dict.fromkeys(("half", "__half", "half_t", "bf16", "__nv_bfloat16", "nv_bfloat16", "bfloat16_t", "uint16_t"), 2),
    **dict.fromkeys(("float", "int", "int32_t", "uint32_t", "tfloat32_t"), 4),
    **dict.fromkeys(("double", "int64_t", "uint64_t"), 8),
}
_CODES = {name: code for argument in ARGUMENT.values() for name, code in argument.codes.items()}
_LONGEST = 2_000
"""Characters of a value."""
_DEEPEST = 16


class Unknown(NamedTuple):
    """A value that depends on something the text does not define."""

    name: str


SourceValue = int | Unknown | list["int | Unknown"]


class _SourceArgument(NamedTuple):
    """Where an argument is in the text, and its value."""

    place: tuple[int, int]
    value: SourceValue


def calls(text: str) -> Iterator[MapCall | SmemdescError]:
    """Yield the calls in a source, without any the groups of variables that are named as the arguments; in other text
    the calls whose arguments are printed. An error for each that cannot be read."""
    if _SOURCE.search(text) is None:
        is_log = not is_source(text.encode(errors="replace"))
        for printed in printed_calls(text):
            if {"globalDim", "boxDim"} & printed.values.keys() if isinstance(printed, MapCall) else is_log:
                yield printed  # a rank and strides alone are of something else
        return
    names = _SourceNames(_COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text))
    matches = _CALL.finditer(names.text)
    yield from [call for match in matches if (call := _call(text, match, names)) is not None] or _groups(text, names)


def _call(text: str, match: re.Match[str], names: _SourceNames) -> MapCall | SmemdescError | None:
    """Return a call; ``text`` is the source with its comments."""
    code = names.text
    end = closing(code, match.end() - 1, min(len(code), match.end() + _LONGEST), CODE)
    if end < 0:
        return None  # it is cut off
    places = [place for place in spans(code, match.end(), end, CODE) if code[slice(*place)].strip()]
    if any(re.match(rf"(?:const\s++)?+{_TYPES}\b\s*+\**+\s*+\w++$", code[slice(*place)].strip()) for place in places):
        return None  # a declaration
    has_map = bool(places) and code[slice(*places[0])].lstrip().startswith("&")
    forms = (
        (TILED_ARGUMENTS, IM2COL_ARGUMENTS)
        if has_map
        else (TILED_ARGUMENTS, TILED_ARGUMENTS[1:], IM2COL_ARGUMENTS, IM2COL_ARGUMENTS[1:])
    )  # in Python the map is returned
    keys = next((parameters for parameters in forms if len(parameters) == len(places)), None)
    arguments = [_SourceArgument(place, names.value(code[slice(*place)])) for place in places]
    if keys is not None:
        return _with_values(text, match.start(), dict(zip(keys, arguments, strict=True)), {})
    function = _DRIVERS.match(match[0])
    if function is None or not has_map:
        return None
    parameters = IM2COL_ARGUMENTS if function[1] == "Im2col" else TILED_ARGUMENTS
    missing = _missing(text, parameters, arguments)
    return SmemdescError(
        f"{function[0]} takes {len(parameters)} arguments, not {len(arguments)}{missing}",
        given=text,
        span=(match.start(), end + 1),
        hint=f"in this order: {', '.join(parameters)}",
    )


def _missing(text: str, parameters: tuple[str, ...], arguments: list[_SourceArgument]) -> str:
    """Name the missing argument, if the others show which one it is."""

    def fits(name: str, argument: _SourceArgument) -> bool:
        enumerator = re.search(ENUMERATOR, text[slice(*argument.place)])
        if enumerator is not None:
            return enumerator[0] in ARGUMENT[name].codes
        return isinstance(argument.value, Unknown) or isinstance(argument.value, list) == ARGUMENT[name].is_list

    candidates = [
        name
        for number, name in enumerate(parameters)
        if number and len(arguments) == len(parameters) - 1
        if all(map(fits, parameters[:number] + parameters[number + 1 :], arguments))
    ]
    return f": {either(candidates)} is missing" if candidates else ""


def _with_values(
    text: str, start: int, arguments: Mapping[str, _SourceArgument], assumed: Mapping[str, str]
) -> MapCall | SmemdescError:
    """Return a call with what is known of its arguments; an error if one is a list that is too short."""
    values: MapArguments = {}
    unknown: dict[str, str] = {}
    for key, (place, value) in arguments.items():
        items = value if isinstance(value, list) else [value]
        names = list(dict.fromkeys(item.name for item in items if isinstance(item, Unknown)))
        if names or isinstance(value, list) != ARGUMENT[key].is_list:
            unknown[key] = ", ".join(names) or text[slice(*place)].strip()
        else:
            values[key] = value
    unknown.pop("tensorMap", None)
    if "tensorRank" in unknown:  # an array may be longer than its used part
        for key in [key for key in values if ARGUMENT[key].is_list]:
            del values[key]
            unknown[key] = unknown["tensorRank"]
    try:
        to_rank(text, SOURCE_TEXT, values, {}, {key: argument.place for key, argument in arguments.items()})
    except SmemdescError as problem:
        return problem
    for key in ("elementStrides", "interleave", "swizzle", "l2Promotion", "oobFill"):
        if key not in values:
            unknown.setdefault(key, "")
    return MapCall(SOURCE_TEXT, text.count("\n", 0, start) + 1, values, None, assumed, unknown)


_NAMED = re.compile(
    r"(?i)(?:(?P<prefix>\w*?)_?)(?P<name>(?:tensor_?)?data_?type|type|(?:tensor_?)?rank|global_?address|global_?dims?"
    r"|global_?strides?|box_?dims?|element_?strides?|interleave|swizzle|l2_?promotion|oob_?fill)"
)
_PLAIN = {name.lower().rstrip("s"): name for name in ARGUMENT}
_PLAIN |= {"type": "tensorDataType", "datatype": "tensorDataType", "rank": "tensorRank"}


def _groups(text: str, names: _SourceNames) -> Iterator[MapCall | SmemdescError]:
    """Yield the variables that are named as the arguments, grouped by the prefix of the name."""
    groups: dict[str, dict[str, _SourceArgument]] = {}
    for name, (start, end, _) in names.places.items():
        match = _NAMED.fullmatch(name)
        if match is not None:
            key = _PLAIN[match["name"].lower().replace("_", "").rstrip("s")]
            groups.setdefault(match["prefix"], {})[key] = _SourceArgument((start, end), names.of(name))
    for group in groups.values():
        if len(group) >= LEAST:
            assumed = _without_innermost(group)
            yield _with_values(text, min(argument.place[0] for argument in group.values()), group, assumed)


def _without_innermost(group: dict[str, _SourceArgument]) -> dict[str, str]:
    """Leave out the stride of dimension 0, if it is given: it is the size of an element."""
    strides, rank, dtype = (
        group[key].value if key in group else None for key in ("globalStrides", "tensorRank", "tensorDataType")
    )
    size = next((data_type.bits // 8 for data_type in DATA_TYPE.values() if data_type.number == dtype), 0)
    if not isinstance(strides, list) or len(strides) != rank or not size or strides[0] != size:
        return {}
    group["globalStrides"] = group["globalStrides"]._replace(value=strides[1:])
    return {"globalStrides": f"without the first, {size}, which is the stride of dimension 0"}


class _SourceNames:
    """What the text defines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: dict[str, tuple[int, int, str]] = {}
        """The span and the text of the value of each name."""
        self.items: dict[str, dict[int, str]] = {}
        """Values of elements that are set one by one."""
        self.unclear = {match[match.lastindex or 0] for match in _CHANGED.finditer(text)}
        """Names with several values, and names of parameters."""
        self.unclear |= {match[1] for match in _PARAMETER.finditer(text)}
        for definition in (*_DEFINED_IN_PYTHON.finditer(text), *_FILLED.finditer(text)):
            self.unclear |= set(re.findall(r"\w+", definition[1]))
        for definition in _DEFINED.finditer(text):
            before = _before(text, definition.start())
            if _CONDITIONAL.search(before):
                self.unclear.add(definition[1])
            elif before.count("(") <= before.count(")"):  # else a keyword, or the default of a parameter
                self._define(definition)
        for definition in _DEFINE.finditer(text):
            self._set(definition[1], definition.start(2), definition.end(2))
        self._values: dict[str, SourceValue] = {}

    def _define(self, match: re.Match[str]) -> None:
        start = match.end()
        end = _end(self.text, start)
        value = self.text[start:end].strip()
        if not value or ";" in value:
            return
        if match[2] and value[0] not in "{[(" and match[2].isdigit():
            items = self.items.setdefault(match[1], {})
            if items.setdefault(int(match[2]), value) != value:
                self.unclear.add(match[1])
            self.places.setdefault(match[1], (match.start(), end, ""))
        elif (
            match[2] is None
            and value[0] == "{"
            and value[-1] == "}"
            and not self.text[max(0, match.start() - 8) : match.start()].rstrip().endswith(">")
        ):  # int rank{2}; and no list
            self._set(match[1], self.text.index("{", start) + 1, self.text.rindex("}", start, end))
        else:
            self._set(match[1], start, end)

    def _set(self, name: str, start: int, end: int) -> None:
        value = self.text[start:end].strip()
        if self.places.setdefault(name, (start, end, value))[2] != value:
            self.unclear.add(name)

    def of(self, name: str, depth: int = 0) -> SourceValue:
        """Return the value of a name."""
        if name in _CODES:
            return _CODES[name]
        if name.startswith("sizeof_"):
            size = _SIZES.get(name.removeprefix("sizeof_"))
            return Unknown(f"sizeof({name.removeprefix('sizeof_')})") if size is None else size
        if name in ("nullptr", "NULL", "None"):
            return 0
        if name not in self.places or name in self.unclear or depth > _DEEPEST:
            return Unknown(name)
        if name not in self._values:
            items, text = self.items.get(name), self.places[name][2]
            if items is None:
                self._values[name] = self.value(text, depth + 1)
            elif text or sorted(items) != list(range(len(items))):
                self._values[name] = Unknown(name)
            else:
                values = [self.value(items[at], depth + 1) for at in range(len(items))]
                self._values[name] = [item if not isinstance(item, list) else Unknown(name) for item in values]
        value = self._values[name]
        return Unknown(name) if isinstance(value, Unknown) and not re.fullmatch(r"[\w().]+", value.name) else value

    def value(self, text: str, depth: int = 0) -> SourceValue:
        """Return the value of an expression."""
        shown = " ".join(text.split())
        for pattern, instead in _CASTS:
            text = re.sub(pattern, instead, text)
        try:
            return self._folded(parse_expression(text.translate(_BRACKETS)), depth)
        except (ValueError, RecursionError):
            return Unknown(shown)

    def _folded(self, node: ast.expr, depth: int) -> SourceValue:
        return fold_expression(node, int, _operate, lambda part: self._part(part, depth))

    def _part(self, node: ast.expr, depth: int) -> SourceValue:
        """Return the value of what is no number and no operator."""
        if isinstance(node, ast.Name):
            return self.of(node.id, depth)
        if isinstance(node, ast.List | ast.Tuple):
            items = [self._folded(elt, depth) for elt in node.elts]
            return [item if not isinstance(item, list) else Unknown(ast.unparse(node)) for item in items]
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self._item(node, depth)
        result = self._method(node, depth) if isinstance(node, ast.Call) else None
        return Unknown(ast.unparse(node)) if result is None else result

    def _method(self, node: ast.Call, depth: int) -> SourceValue | None:
        """Return the data or the size of a list."""
        if isinstance(node.func, ast.Attribute) and not node.args and node.func.attr in ("data", "size"):
            container, is_size = node.func.value, node.func.attr == "size"
        elif isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            container, is_size = node.args[0], True
        else:
            return None
        value = self._folded(container, depth)
        return None if not isinstance(value, list) else len(value) if is_size else value

    def _item(self, node: ast.Subscript, depth: int) -> SourceValue:
        values, index = self._folded(node.value, depth), self._folded(node.slice, depth)
        if isinstance(values, list) and isinstance(index, int) and 0 <= index < len(values):
            return values[index]
        return Unknown(ast.unparse(node))


_BRACKETS: Any = str.maketrans("{}&", "[] ")


def _operate(sign: str, *operands: SourceValue) -> SourceValue:
    """Return the result of an operator: of numbers, of two lists, or of a list and its first element."""
    numbers = [operand for operand in operands if isinstance(operand, int)]
    if len(numbers) == len(operands):
        return compute(sign, *numbers)
    first, last = operands[0], operands[-1]
    if sign == "+" and isinstance(first, list) and len(operands) == 2 and not isinstance(last, Unknown):
        return first[last:] if isinstance(last, int) else [*first, *last]
    return next((operand for operand in operands if isinstance(operand, Unknown)), Unknown(""))


_CONDITIONAL = re.compile(r"\btemplate\s*+<|\b(?:if|else|case|default|while|for)\b")


def _before(text: str, at: int) -> str:
    """Return the text before a place in its statement."""
    low = max(0, at - _LONGEST)
    return text[max(low, *(text.rfind(char, low, at) + 1 for char in ";{}")) : at]


def _end(text: str, start: int) -> int:
    """Return where a value ends: at a semicolon, or outside of brackets at a comma or the end of a line."""
    for place, mark in outside(text, start, min(len(text), start + _LONGEST), CODE):
        is_line = mark == "\n" and text[start:place].strip() and not text[place:].lstrip().startswith(_CONTINUED)
        if is_line or mark in (",", ";", ""):
            semicolon = text.find(";", start, place)  # a bracket was not closed
            return place if semicolon < 0 else semicolon
    raise AssertionError


_CONTINUED = tuple("+-*/%|&<>?:")
"""What a line begins with that continues the value before it."""
