"""The shared memory of one function as one picture: tiles, the copies that write them, the MMAs that read, barriers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import CopiedBox

GivenMaps: TypeAlias = "tuple[tuple[str, CopiedBox], ...]"
"""Tensor maps that were given for parameters of kernels, by their names or numbers."""


class SharedPlace(NamedTuple):
    """An address in the first stage; as text ``smem + stage * 16384 + 0x400``."""

    base: str
    """What the address begins with: a variable, or that it is not known."""
    number: int
    """Places with the same number have one base."""
    stage: int
    """Bytes from one stage to the next; 0: there is one."""
    offset: int
    """Bytes from the base."""

    def __str__(self) -> str:
        words = [self.base] if self.base else []
        words += [f"stage * {self.stage}"] if self.stage else []
        return " + ".join([*words, *([f"0x{self.offset:x}"] if self.offset or not words else [])])


class SharedTile(NamedTuple):
    """A tile of A or of B: what MMAs read of it, and what copies write there."""

    operand: str
    """``a`` or ``b``."""
    at: SharedPlace
    """Its first byte."""
    size: int
    """Bytes from the first that the MMAs read to the last."""
    reads: tuple[int, ...]
    """The lines of the MMAs."""
    copies: tuple[int, ...]
    """The lines of the copies."""
    box: str
    """What one copy brings, by its map; empty if that is not known."""

    @property
    def stage(self) -> int:
        """Bytes from one stage to the next; 0: there is one."""
        return self.at.stage


class SharedBarrier(NamedTuple):
    """A barrier that waits for bytes."""

    at: SharedPlace
    expected: tuple[int, ...]
    """The numbers of bytes that instructions tell it to expect; empty if they are not known."""
    lines: tuple[int, ...]
    """Of these instructions."""
    copies: tuple[int, ...]
    """The lines of the copies that name it."""


class SharedSlot(NamedTuple):
    """Where ``tcgen05.alloc`` leaves the address of the columns."""

    at: SharedPlace
    line: int


class ParameterMap(NamedTuple):
    """A tensor map by which copies go, and which the text of the function does not contain."""

    name: str
    """Where the function finds it."""
    box: str
    """What one copy brings, if the map was given; else empty."""


class SharedMemoryPicture(NamedTuple):
    """All that is known of the shared memory of a function."""

    tiles: tuple[SharedTile, ...]
    barriers: tuple[SharedBarrier, ...]
    slots: tuple[SharedSlot, ...]
    not_judged: tuple[str, ...]
    """Why some copies and barriers were not compared."""
    maps: tuple[ParameterMap, ...] = ()
    """By their numbers."""

    def placed(self, place: Callable[[int], int]) -> SharedMemoryPicture:
        """Return it with other numbers of lines."""

        def moved(lines: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(map(place, lines))

        return self._replace(
            tiles=tuple(tile._replace(reads=moved(tile.reads), copies=moved(tile.copies)) for tile in self.tiles),
            barriers=tuple(each._replace(lines=moved(each.lines), copies=moved(each.copies)) for each in self.barriers),
            slots=tuple(slot._replace(line=place(slot.line)) for slot in self.slots),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        return {
            "tiles": [{**tile._asdict(), "at": str(tile.at), "stage": tile.stage} for tile in self.tiles],
            "barriers": [{**barrier._asdict(), "at": str(barrier.at)} for barrier in self.barriers],
            "slots": [{**slot._asdict(), "at": str(slot.at)} for slot in self.slots],
            "not_judged": list(self.not_judged),
            "maps": [each._asdict() for each in self.maps],
        }
