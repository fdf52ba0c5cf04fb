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
from smemdesc.engine.expressions import compute, fold, parse

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
_LONGEST = 2_000
"""Characters of a value."""
_DEEPEST = 16


class Unknown(NamedTuple):
    """A value that depends on something the text does not define."""

    name: str


Value = int | Unknown | list["int | Unknown"]


class SourceArgument(NamedTuple):
    """The text of an argument, where it is, and its value."""

    start: int
    end: int
    value: Value


class SourceCall(NamedTuple):
    """The arguments of a call by the driver's names, or as variables (``is_call`` false)."""

    start: int
    arguments: Mapping[str, SourceArgument]
    is_call: bool


class MiscountedCall(NamedTuple):
    """A call of the driver's function in C that has more or fewer arguments than the function."""

    function: str
    start: int
    end: int
    parameters: list[str]
    """The driver's names."""
    arguments: list[SourceArgument]


def is_source(text: str) -> bool:
    """Whether a text has the arguments of a tensor map as source."""
    return _SOURCE.search(text) is not None


def source_calls(text: str, order: tuple[str, ...], codes: Mapping[str, int]) -> Iterator[SourceCall | MiscountedCall]:
    """Yield the calls in a source; without any, the groups of variables that are named as the arguments.

    ``order`` are the driver's names of the arguments, tiled and im2col together; ``codes`` the enumerators.
    """
    text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    names = _SourceNames(text, codes)
    calls = [call for match in _CALL.finditer(text) if (call := _call(text, match, order, names)) is not None]
    yield from calls or _groups(order, names)


def _call(
    text: str, match: re.Match[str], order: tuple[str, ...], names: _SourceNames
) -> SourceCall | MiscountedCall | None:
    end = closing(text, match.end() - 1, min(len(text), match.end() + _LONGEST), CODE)
    if end < 0:
        return None  # it is cut off
    places = [place for place in spans(text, match.end(), end, CODE) if text[slice(*place)].strip()]
    if any(re.match(rf"(?:const\s++)?+{_TYPES}\b\s*+\**+\s*+\w++$", text[slice(*place)].strip()) for place in places):
        return None  # a declaration
    im2col = [parameter for parameter in order if parameter != "boxDim"]
    tiled = [parameter for parameter in order if not parameter.startswith(("pixel", "channels"))]
    has_map = bool(places) and text[slice(*places[0])].lstrip().startswith("&")
    forms = (tiled, im2col) if has_map else (tiled, tiled[1:], im2col, im2col[1:])  # in Python the map is returned
    keys = next((parameters for parameters in forms if len(parameters) == len(places)), None)
    arguments = [SourceArgument(*place, names.value(text[slice(*place)])) for place in places]
    if keys is not None:
        return SourceCall(match.start(), dict(zip(keys, arguments, strict=True)), True)
    function = _DRIVERS.match(match[0])
    if function is None or not has_map:
        return None
    parameters = im2col if function[1] == "Im2col" else tiled
    return MiscountedCall(function[0], match.start(), end, parameters, arguments)


_NAMED = re.compile(
    r"(?i)(?:(?P<prefix>\w*?)_?)(?P<name>(?:tensor_?)?data_?type|type|(?:tensor_?)?rank|global_?address|global_?dims?"
    r"|global_?strides?|box_?dims?|element_?strides?|interleave|swizzle|l2_?promotion|oob_?fill)"
)


def _groups(order: tuple[str, ...], names: _SourceNames) -> Iterator[SourceCall]:
    """Yield the variables that are named as the arguments, grouped by the prefix of the name."""
    groups: dict[str, dict[str, SourceArgument]] = {}
    plain = {parameter.lower().rstrip("s"): parameter for parameter in order}
    plain |= {"type": "tensorDataType", "datatype": "tensorDataType", "rank": "tensorRank"}
    for name, (start, end, _) in names.places.items():
        match = _NAMED.fullmatch(name)
        if match is not None:
            key = plain[match["name"].lower().replace("_", "").rstrip("s")]
            groups.setdefault(match["prefix"], {})[key] = SourceArgument(start, end, names.of(name))
    for group in groups.values():
        yield SourceCall(min(argument.start for argument in group.values()), group, False)


class _SourceNames:
    """What the text defines."""

    def __init__(self, text: str, codes: Mapping[str, int]) -> None:
        self.text = text
        self.codes = codes
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
        self._values: dict[str, Value] = {}

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

    def of(self, name: str, depth: int = 0) -> Value:
        """Return the value of a name."""
        if name in self.codes:
            return self.codes[name]
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

    def value(self, text: str, depth: int = 0) -> Value:
        """Return the value of an expression."""
        shown = " ".join(text.split())
        for pattern, instead in _CASTS:
            text = re.sub(pattern, instead, text)
        try:
            return self._folded(parse(text.translate(_BRACKETS)), depth)
        except (ValueError, RecursionError):
            return Unknown(shown)

    def _folded(self, node: ast.expr, depth: int) -> Value:
        return fold(node, int, _operate, lambda part: self._part(part, depth))

    def _part(self, node: ast.expr, depth: int) -> Value:
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

    def _method(self, node: ast.Call, depth: int) -> Value | None:
        """Return the data or the size of a list."""
        if isinstance(node.func, ast.Attribute) and not node.args and node.func.attr in ("data", "size"):
            container, is_size = node.func.value, node.func.attr == "size"
        elif isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            container, is_size = node.args[0], True
        else:
            return None
        value = self._folded(container, depth)
        return None if not isinstance(value, list) else len(value) if is_size else value

    def _item(self, node: ast.Subscript, depth: int) -> Value:
        values, index = self._folded(node.value, depth), self._folded(node.slice, depth)
        if isinstance(values, list) and isinstance(index, int) and 0 <= index < len(values):
            return values[index]
        return Unknown(ast.unparse(node))


_BRACKETS: Any = str.maketrans("{}&", "[] ")


def _operate(sign: str, *operands: Value) -> Value:
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
