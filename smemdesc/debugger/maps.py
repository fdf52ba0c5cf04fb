"""Tensor maps in the debugger: from an expression, or among the parameters of the kernel."""

from __future__ import annotations

import base64
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.debugger.questions import AnswerDict, DecodeQuestion, PlainLine, Question, Session, ask, pair
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed_words
from smemdesc.kinds.chips import CHIP, CHIPS
from smemdesc.kinds.tensormap import LARGE_BYTES, MAP_BITS
from smemdesc.reading.memory import is_tensor_map
from smemdesc.scanning.languages.sass.copies import MapCopy, map_copies

MAP_BYTES = MAP_BITS // 8
"""Bytes of a tensor map in memory."""
_ALIGNED = 64
_HALF = 64
"""Bytes of a map that cuBLASLt keeps: the driver puts nothing into the rest that does not follow from these."""
_POINTER = 8
"""Bytes of a pointer."""
_EARLIEST = min(chip.parameters for chip in CHIPS if chip.parameters)
"""Where the parameters of a kernel begin in their address space at the earliest."""
_PAGE = 4096
"""Bytes: memory is mapped in units of at least this."""
_MOST = 4096
"""Bytes of parameters to search."""


class Filled(NamedTuple):
    """The tensor map given for the tile of an operand."""

    name: str
    expression: str
    map: Result


class PlacedMap(NamedTuple):
    """A tensor map, the expression for it, and the copies by it."""

    expression: str
    map: Result
    copies: tuple[MapCopy, ...] = ()

    @property
    def title(self) -> str:
        """The expression, and the copies."""
        return "  ".join((self.expression, *_named(self.copies)))


def _named(copies: Iterable[MapCopy]) -> Iterator[str]:
    """Yield the copies of each kind in a few words: ``UTMALDG.3D at +15856, +17760``."""
    offsets: dict[str, list[str]] = {}
    for copy in copies:
        offsets.setdefault(copy.mnemonic, []).append(f"+{copy.offset}")
    for mnemonic, places in offsets.items():
        yield f"{mnemonic} at {listed_words(places, 4)}"


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


def map_at(expression: str) -> Generator[Any, AnswerDict, Result]:
    """Return the tensor map that an expression is, or points to; a register starts the pair with its address."""
    try:
        first, space = yield from _place(expression)
        answer = yield from ask("memory", first=first, count=MAP_BYTES, space=space)
    except SmemdescError as problem:
        message = (
            problem.option_message
            if expression in problem.option_message
            else f"{expression}: {problem.option_message}"
        )
        raise SmemdescError(message, hint=problem.option_hint or (yield from _elsewhere())) from None
    return _decoded(base64.b64decode(answer["base64"]))


def _decoded(data: bytes) -> Result:
    """Return the map that begins at ``data``; if other data follows its first half, with the second half unknown."""
    whole = decode_value(data.hex(), "tensormap")
    if whole.has_error or not is_tensor_map(int.from_bytes(data, "little")):
        half = decode_value(data[:_HALF].hex() + "??" * (MAP_BYTES - _HALF), "tensormap")
        return whole if half.has_error else half
    return whole


def _place(expression: str) -> Generator[Any, AnswerDict, tuple[int, str]]:
    """Return the address of a tensor map, and its address space, empty if the pointer names none."""
    register = re.fullmatch(r"\$(U?R)(\d++)", expression)
    if register:
        address = yield from pair(register[1], int(register[2]))
        if address is None:
            raise SmemdescError(f"the debugger has no {expression}", hint="focus on a thread of a kernel")
        return address, ""
    location = yield from ask("find", expression=expression)
    pointer = location["pointer"]
    if location["size"] not in (None, 0, 1, MAP_BYTES):  # unknown, or of characters
        raise SmemdescError(
            f"{expression}: {location['size']} B ({pointer}); a tensor map has {MAP_BYTES} B",
            hint=f"name the map in it, or cast it: smemdesc map (char*)({expression})",
        )
    space = re.search(r"@(\w++)[^*@]*+\*[^*]*+$", pointer)
    return location["address"], space[1] if space else ""


def _elsewhere() -> Generator[Any, AnswerDict, str]:
    """Return the places of tensor maps among the parameters, which may have no name."""
    maps, _ = yield from list_maps()
    if not maps:
        return "the map, a pointer to it, or its address: map_a, &map_a, $UR4, (@parameter char*)0x280"
    return "the parameters of this kernel have one: " + "; ".join(f"smemdesc map {map.expression}" for map in maps)


def list_maps() -> Generator[Any, AnswerDict, tuple[list[PlacedMap], list[MapCopy]]]:
    """Return the tensor maps among the parameters of the kernel and those that they point to, as far as copies use
    them; and the copies whose map is elsewhere."""
    arch = (yield Question("where")).get("arch")
    chip = CHIP.get(arch or "")
    first = (chip and chip.parameters) or _EARLIEST
    answer = yield Question("memory", (("first", first), ("count", _MOST), ("space", "parameter")))
    data = base64.b64decode(answer.get("base64", ""))
    maps: dict[str, PlacedMap] = {}
    elsewhere = []
    for copy in (yield from _copies()) if data else ():
        placed = yield from _copied(copy, first, data)
        if placed is None:
            elsewhere.append(copy)
        else:
            before = maps.setdefault(placed.expression, placed)
            maps[placed.expression] = before._replace(copies=(*before.copies, copy))
    for at, whole in _aligned(first, data):
        if _parameter(at) not in maps:
            last = yield Question("memory", (("first", at + MAP_BYTES - 1), ("count", 1), ("space", "parameter")))
            if "error" not in last:  # past the parameters it reads anything, but no map begins there
                maps[_parameter(at)] = PlacedMap(_parameter(at), decode_value(whole.hex(), "tensormap"))
    return sorted(maps.values(), key=lambda placed: placed.expression), elsewhere


def _parameter(at: int) -> str:
    return f"(@parameter char*){at:#x}"


def _copies() -> Generator[Any, AnswerDict, tuple[MapCopy, ...]]:
    return map_copies((yield Question("listing")).get("text", ""))


def _copied(copy: MapCopy, first: int, data: bytes) -> Generator[Any, AnswerDict, PlacedMap | None]:
    """Return the map of a copy, given the parameters from address ``first`` on; None if it is not found.

    The pointer is a parameter, or one of the driver's, to the parameters or to the constant bank that they are in.
    """
    if copy.pointer is not None and copy.pointer >= first:
        pointer = data[copy.pointer - first :][:_POINTER]
        at = int.from_bytes(pointer, "little") + copy.plus
        answer = yield Question("memory", (("first", at), ("count", MAP_BYTES), ("space", "")))
        candidates = [(f"(char*){at:#x}", base64.b64decode(answer.get("base64", "")))]
    else:
        places = (first + copy.plus, copy.plus) if copy.pointer is not None else ()
        candidates = [(_parameter(at), data[at - first :][:MAP_BYTES]) for at in places if at >= first]
    for expression, bytes_there in candidates:
        if len(bytes_there) == MAP_BYTES:
            map = _decoded(bytes_there)
            rank, address = (map.fields[key].value for key in ("rank", "global_address"))
            if not map.has_error and rank == copy.rank and address:
                return PlacedMap(expression, map)
    return None


def _aligned(first: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(-first % _ALIGNED, len(data) - MAP_BYTES + 1, _ALIGNED):
        map = data[at : at + MAP_BYTES]
        if is_tensor_map(int.from_bytes(map, "little")) and not decode_value(map.hex(), "tensormap").has_error:
            yield first + at, map


def mapped(*words: str) -> Session:
    """Decode the tensor map ``smemdesc map EXPRESSION``, or, without an expression, all maps of the kernel."""
    end = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    expression, options = " ".join(words[:end]), words[end:]
    if expression:
        map = yield from map_at(expression)
        yield DecodeQuestion(map.text, (*options, *(yield from _backing(map))))
        return
    maps, elsewhere = yield from list_maps()
    others = [
        f"{text}: its map is not among the parameters; stop there, then: smemdesc map ${register}"
        for register in dict.fromkeys(copy.register for copy in elsewhere)
        for text in _named(copy for copy in elsewhere if copy.register == register)
    ]
    if not maps:
        raise SmemdescError(
            "this kernel has no tensor map among its parameters",
            hint="\n  ".join(others) or "name one: smemdesc map EXPRESSION",
        )
    for placed in maps:
        yield PlainLine(placed.title)
        yield DecodeQuestion(placed.map.text, (*options, *(yield from _backing(placed.map))))
    for text in others:
        yield PlainLine(text)


def _backing(map: Result) -> Generator[Any, AnswerDict, tuple[str, ...]]:
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
