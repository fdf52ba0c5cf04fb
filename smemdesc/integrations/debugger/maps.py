"""Tensor maps in the debugger: from an expression, or among the parameters of the kernel."""

from __future__ import annotations

import base64
import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.result import Result, decode
from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations.debugger.questions import Answer, DecodeQuestion, Question, Session, Text, ask, pair
from smemdesc.kinds.memory import is_tensor_map
from smemdesc.kinds.tensormap import LARGE_BYTES, WIDTH

SIZE = WIDTH // 8
_ALIGNED = 64
"""Bytes of a tensor map in memory."""
_PARAMETERS = {"sm_90": 0x210}
"""Where the parameters of a kernel begin in their address space; from sm_100 on at :data:`_LATER`."""
_LATER = 0x380
_PAGE = 4096
"""Bytes: memory is mapped in units of at least this."""
_MOST = 4096
"""Bytes of parameters to search."""


class Filled(NamedTuple):
    """The tensor map given for the tile of an operand."""

    name: str
    expression: str
    map: Result


def maps_of(words: Sequence[str]) -> dict[str, str]:
    """Read ``--a-map EXPRESSION --b-map EXPRESSION``."""
    before, *rest = re.split(r"(?:^|\s)--([ab])-map(?!\S)", " ".join(words))
    expressions = {name: text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)}
    if before.strip() or not all(expressions.values()):
        raise SmemdescError(
            f"{before.strip()}: not an option here" if before.strip() else "which tensor map?",
            hint="smemdesc next --a-map EXPRESSION --b-map EXPRESSION",
        )
    return expressions


def read_map(expression: str) -> Generator[Any, Answer, Result]:
    """Return the tensor map that an expression is, or points to; a register starts the pair with its address."""
    try:
        first, space = yield from _place(expression)
        answer = yield from ask("memory", first=first, count=SIZE, space=space)
    except SmemdescError as problem:
        message = problem.message if expression in problem.message else f"{expression}: {problem.message}"
        raise SmemdescError(message, hint=problem.hint or (yield from _elsewhere())) from None
    return decode(base64.b64decode(answer["base64"]).hex(), "tensormap")


def _place(expression: str) -> Generator[Any, Answer, tuple[int, str]]:
    """Return the address of a tensor map, and its address space, empty if the pointer names none."""
    register = re.fullmatch(r"\$(U?R)(\d++)", expression)
    if register:
        address = yield from pair(register[1], int(register[2]))
        if address is None:
            raise SmemdescError(f"the debugger has no {expression}", hint="focus on a thread of a kernel")
        return address, ""
    location = yield from ask("find", expression=expression)
    pointer = location["pointer"]
    if location["size"] not in (None, 0, 1, SIZE):  # unknown, or of characters
        raise SmemdescError(
            f"{expression}: {location['size']} B ({pointer}); a tensor map has {SIZE} B",
            hint=f"name the map in it, or cast it: smemdesc map (char*)({expression})",
        )
    space = re.search(r"@(\w++)[^*@]*+\*[^*]*+$", pointer)
    return location["address"], space[1] if space else ""


def _elsewhere() -> Generator[Any, Answer, str]:
    """Return the places of tensor maps among the parameters, which may have no name."""
    maps = yield from list_maps()
    if not maps:
        return "the map, a pointer to it, or its address: map_a, &map_a, $UR4, (@parameter char*)0x280"
    return "the parameters of this kernel have one: " + "; ".join(
        f"smemdesc map {expression}" for expression, _ in maps
    )


def list_maps() -> Generator[Any, Answer, list[tuple[str, Result]]]:
    """Return the tensor maps among the parameters of the kernel, each with the expression for it."""
    arch = (yield Question("where")).get("arch")
    first = _PARAMETERS.get(arch or "", _LATER)
    answer = yield Question("memory", (("first", first), ("count", _MOST), ("space", "parameter")))
    maps = []
    for at, data in _aligned(first, base64.b64decode(answer.get("base64", ""))):
        last = yield Question("memory", (("first", at + SIZE - 1), ("count", 1), ("space", "parameter")))
        if "error" not in last:  # past the parameters it reads anything, but no map begins there
            maps.append((f"(@parameter char*){at:#x}", decode(data.hex(), "tensormap")))
    return maps


def _aligned(first: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(-first % _ALIGNED, len(data) - SIZE + 1, _ALIGNED):
        map = data[at : at + SIZE]
        if is_tensor_map(int.from_bytes(map, "little")) and not decode(map.hex(), "tensormap").has_error:
            yield first + at, map


def mapped(*words: str) -> Session:
    """Decode a tensor map: ``smemdesc map EXPRESSION``; without EXPRESSION, those among the parameters."""
    end = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    expression, options = " ".join(words[:end]), words[end:]
    if expression:
        map = yield from read_map(expression)
        yield DecodeQuestion(map.text, (*options, *(yield from _backing(map))))
        return
    maps = yield from list_maps()
    if not maps:
        raise SmemdescError(
            "this kernel has no tensor map among its parameters", hint="name one: smemdesc map EXPRESSION"
        )
    for place, map in maps:
        yield Text(place)
        yield DecodeQuestion(map.text, (*options, *(yield from _backing(map))))


def _backing(map: Result) -> Generator[Any, Answer, tuple[str, ...]]:
    """Return the option that says how much is mapped at the address of a map, if its allocation class needs it."""
    address, name = (map.fields[key].value for key in ("global_address", "allocation_class"))
    if name != "large" or not isinstance(address, int):
        return ()
    mapped = 0
    for size in range(_PAGE, LARGE_BYTES + 1, _PAGE):
        answer = yield Question("memory", (("first", address + size - 1), ("count", 1), ("space", "global")))
        if "error" in answer:
            break
        mapped = size
    return ("--backing", str(mapped)) if mapped else ()
