"""The names of functions for people: demangled, and short enough to be distinguished at a glance.

The template arguments of a name are written from the outside in as far as a width allows: the rest is ``<...>``. Two
functions never have the same name: more arguments are written for the second one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple
from zlib import crc32

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import printable
from smemdesc.kinds.aliases import DTYPE_ALIASES

DemangledNode = Any
"""A node of demangle's tree; its kinds are not typed."""
NAME_CHARACTERS = 120
"""The most characters of a shortened name."""
NO_NAME = "(no function header)"
_DOTS = "..."
_HOMES = frozenset(("cutlass", "cute"))
"""Namespaces that nearly all kernels are in, which are omitted."""
_ALIKE = frozenset(
    (
        "void",
        "identity",
        "Layout",
        "ComposedLayout",
        "TiledMMA",
        "TiledCopy",
        "Copy_Atom",
        "FusionCallbacks",
        "Underscore",
    )
)
"""Arguments of CUTLASS's templates that follow from the others."""
_COPY = re.compile(r"SM\d+_(?=\w*?(?:LOAD|STORE|LDSM|STSM))\w++")
_WRAPPER = re.compile(r"device_kernel|enable_\w+")
"""Templates that only wrap a kernel."""
_OF_C = ("int", "float", "half")
"""Types whose names are not replaced."""
_NUMBER = re.compile(r"(?:\([^()]*+\))?(-?\d++)(?:u|l|ul|ll|ull)?")
_PLAIN = re.compile(r"\w+")
_NAMESPACES = re.compile(r"(?:\(anonymous namespace\)::|\b[A-Za-z_]\w*::)+")


class Group(NamedTuple):
    """Template arguments."""

    arguments: list[NamePieces]
    less: bool
    """Whether some were omitted."""


NamePieces = list["str | Group"]


class Names:
    """Names in a ``style``: ``short``, ``full`` (demangled and complete) or ``mangled`` (as in the file).

    Without the package ``demangle`` all names are mangled.
    """

    def __init__(self, style: str = "short") -> None:
        self.style = style
        self._shown: dict[str, str] = {}
        self._taken: set[str] = set()

    def __call__(self, name: str | None) -> str:
        """Return the shown name of a function; a name that cannot be demangled is unchanged."""
        if not name or self.style == "mangled":
            return printable(name or NO_NAME)
        if name not in self._shown:
            shown = next(
                candidate for candidate in self._candidates(name) if candidate not in self._taken or candidate == name
            )
            self._shown[name] = printable(shown)
            self._taken.add(shown)
        return self._shown[name]

    def of_variables(self, text: str) -> str:
        """Return a text in which each variable has its own name only: ``smem`` in place of ``_ZN2M74smemE``."""
        return text if self.style == "mangled" else _MANGLED.sub(lambda match: _own_name(match[0]), text)

    def _candidates(self, name: str) -> Iterator[str]:
        node = _parse(name)
        if node is not None:
            if self.style == "short":
                yield from _shortened(node, name)
            yield node.spell()
        yield name


AS_THEY_ARE = Names("mangled")


def check_style(style: str | None) -> None:
    """Raise :class:`smemdesc.engine.errors.SmemdescError` if full names are requested and nothing can demangle them."""
    if style == "full" and find_spec("demangle") is None:
        raise SmemdescError(
            "full names need the package demangle", hint="pip install 'smemdesc[sass]'", keyword="names"
        )


def without_namespaces(name: str) -> str:
    """Return a name demangled, without the namespaces in it; a C name is unchanged."""
    node = _parse(name)
    return name if node is None else _NAMESPACES.sub("", node.spell())


def _parse(name: str) -> DemangledNode | None:
    if not name.startswith("_Z"):
        return None
    try:
        from demangle import DemanglingError, parse
    except ImportError:
        return None
    try:
        return parse(name, language="itanium")
    except DemanglingError:
        return None


def _own_name(name: str) -> str:
    """Return the name of a variable without its namespaces and its function."""
    node = _parse(name)
    return name if node is None else node.spell().rpartition("::")[2] or name


_MANGLED = re.compile(r"\b_Z\w+")


def _shortened(node: DemangledNode, name: str) -> Iterator[str]:
    text = _read(node, True)
    if _PLAIN.fullmatch(_write(text, {})):
        return  # a C function may have that name; with its parameters it is unique
    short, longer = (
        _cut(_write(text, _opened(text, width)), width) for width in (NAME_CHARACTERS, 2 * NAME_CHARACTERS)
    )
    yield short
    yield longer
    yield f"{short} #{crc32(name.encode()):08x}"


def _cut(text: str, width: int) -> str:
    half = (width - len(_DOTS)) // 2
    return text if len(text) <= width else text[:half] + _DOTS + text[-half:]


def _opened(text: NamePieces, width: int) -> dict[int, int]:
    """Return how many arguments of each group are written, by its id: first of outer groups, as the width allows."""
    opened: dict[int, int] = {}
    level = [text]
    while level:
        inner: list[NamePieces] = []
        for group in (piece for part in level for piece in part if isinstance(piece, Group)):
            inside = sum(isinstance(part, Group) for argument in group.arguments for part in argument)
            # The outermost group leaves room for the arguments of its inner groups.
            room = 2 * width // 3 if not opened and inside > 1 else width
            fits = (
                count
                for count in range(min(len(group.arguments), room), 0, -1)
                if len(_write(text, opened | {id(group): count})) <= room
            )
            opened[id(group)] = next(fits, 0)
            inner += _some(group, opened[id(group)])
        level = inner
    return opened


def _some(group: Group, count: int) -> list[NamePieces]:
    """Return ``count`` arguments of a group, the first and the last ones, with dots for the others."""
    first, last = count - count // 3, count // 3
    if count == len(group.arguments):
        first, last = count, 0
    dots: list[NamePieces] = [[_DOTS]] if group.less or first < len(group.arguments) else []
    return [*group.arguments[:first], *dots, *group.arguments[len(group.arguments) - last :]]


def _write(text: NamePieces, opened: dict[int, int]) -> str:
    return "".join(piece if isinstance(piece, str) else _write_group(piece, opened) for piece in text)


def _write_group(group: Group, opened: dict[int, int]) -> str:
    return f"<{','.join(_write(argument, opened) for argument in _some(group, opened.get(id(group), 0)))}>"


def _read(node: DemangledNode, outermost: bool = False) -> NamePieces:
    """Return a name without the parts that do not distinguish kernels: parameters, namespaces, casts of constants."""
    match node.kind:
        case "function" if node.name is not None:
            return _read(node.name, outermost)
        case "decorated":
            return [*_read(node.inner, outermost), node.decoration]
        case "pointer" | "reference":
            inner = _read_argument(node.inner)
            return inner if inner == [_DOTS] else [*inner, "*" if node.kind == "pointer" else "&"]
        case "qualified":
            parts = list(_parts(node))
            if not outermost or (parts[0].kind == "name" and parts[0].text in _HOMES):
                while len(parts) > 1 and parts[0].kind == "name":
                    del parts[0]
            text = _read(parts[0])
            for part in parts[1:]:
                text += ["::", *_read(part)]
            return text
        case "template":
            base, arguments = _read(node.base), [_read_argument(argument) for argument in _unpacked(node.arguments)]
            if len(arguments) == 1 and isinstance(base[0], str) and _WRAPPER.fullmatch(base[0]):
                return arguments[0]
            shown = [argument for argument in arguments if argument != [_DOTS]]
            return [*base, Group(shown, len(shown) < len(arguments))]
    return [node.spell()]


def _read_argument(node: DemangledNode) -> NamePieces:
    read = _read(node)
    match read:
        case [str(head), *_] if head in _ALIKE or _COPY.fullmatch(head):
            return [_DOTS]
        case [str(text)]:
            number = _NUMBER.fullmatch(text)
            return [number[1] if number else text if text in _OF_C else DTYPE_ALIASES.get(text, text)]
        case ["C" | "integral_constant", Group([*_, value])]:
            return value
        case ["tuple", Group(shape, False)] if all(
            isinstance(extent[0], str) and extent[0].isdigit() for extent in shape
        ):
            return ["x".join(str(extent[0]) for extent in shape)]
        case ["tuple", *_]:
            return [_DOTS]
    return read


def _parts(node: DemangledNode) -> Iterator[DemangledNode]:
    for part in node.parts:
        yield from _parts(part) if part.kind == "qualified" else (part,)


def _unpacked(nodes: Iterable[DemangledNode]) -> Iterator[DemangledNode]:
    for node in nodes:
        yield from _unpacked(node.children()) if node.kind == "parameter_pack" else (node,)
