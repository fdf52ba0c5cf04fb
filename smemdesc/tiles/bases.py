"""A layout of shared memory as linear bases, Triton's ``#ttg.shared_linear`` and ``#ttg.swizzled_shared``.

Each basis is what one bit of the offset moves in the tensor; an offset is at the XOR of the bases of its set bits.
A descriptor knows four swizzles of 16-byte units and one of 32-byte units: the bases are those of one of them.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODES
from smemdesc.tiles.reading import Leaf, Mode

Basis = tuple[int, ...]


class Bases(NamedTuple):
    """The layout of a tensor in one CTA, in elements of ``bits``."""

    swizzle: str
    bits: int
    whole: tuple[Mode, ...]
    """Where each dimension lies before the swizzle."""
    span: tuple[int, int]
    split: tuple[int, ...] = ()
    padded: bool = False

    @property
    def rank(self) -> int:
        """Dimensions of the tensor."""
        return len(self.whole)

    @property
    def transposed(self) -> bool:
        """Whether dimension 0 is contiguous."""
        return bool(self.whole[0].leaves) and self.whole[0].leaves[0].stride == 1

    def modes(self, shape: tuple[int, ...]) -> tuple[Mode, ...]:
        """Return where each dimension lies; ``shape`` is that of the tensor.

        :class:`smemdesc.engine.errors.SmemdescError` where the bases are of another.
        """
        own = tuple(mode.size for mode in self.whole)
        if own != shape:
            by = "x".join(map(str, own))
            raise SmemdescError(f"the bases are of a tensor of {by}, not {'x'.join(map(str, shape))}")
        return self.whole


def resolve(bases: list[Basis], bits: int, span: tuple[int, int]) -> Bases:
    """Return what the bases of the offset's bits say. :class:`smemdesc.engine.errors.SmemdescError` where no mode does
    it."""
    rank = len(bases[0])
    for mode in sorted(MODES, key=lambda each: each.name != "none"):
        plain = _unswizzled(bases, mode.swizzle, bits)
        if plain is None:
            continue
        leaves: list[list[Leaf]] = [[] for _ in range(rank)]
        for place, basis in sorted(enumerate(plain), key=lambda each: max(each[1])):
            dim = next(index for index, part in enumerate(basis) if part)
            run = leaves[dim][-1] if leaves[dim] else None
            if run is not None and run.stride * run.extent == 1 << place:
                leaves[dim][-1] = run._replace(extent=2 * run.extent)
            else:
                leaves[dim].append(Leaf(2, 1 << place, span))
        return Bases(mode.name, bits, tuple(Mode(tuple(each) or (Leaf(1, 1, span),)) for each in leaves), span)
    raise SmemdescError(
        "the bases are those of no swizzle mode", hint="a descriptor has 32B, 64B, 128B, 128B_32B or no swizzle"
    )


def _unswizzled(bases: list[Basis], swizzle: tuple[int, int, int], bits: int) -> list[Basis] | None:
    """Return the bases before a swizzle of byte addresses; None where they are not one step of one dimension each."""
    b, m, s = swizzle
    element = bits.bit_length() - 4  # log2 of its bytes
    plain = [list(basis) for basis in bases]
    for power in range(b):
        to, source = m + power - element, m + s + power - element
        if source < len(plain):
            if to < 0:
                return None
            plain[source] = [one ^ other for one, other in zip(plain[source], bases[to], strict=True)]
    reached = [0] * len(bases[0])
    for basis in plain:
        steps = [(index, part) for index, part in enumerate(basis) if part]
        if len(steps) != 1 or steps[0][1] & (steps[0][1] - 1) or reached[steps[0][0]] & steps[0][1]:
            return None
        reached[steps[0][0]] |= steps[0][1]
    # Every step once, from 1 on.
    return [tuple(basis) for basis in plain] if all(not each & (each + 1) for each in reached) else None


def swizzled(shape: tuple[int, ...], vec: int, per_phase: int, max_phase: int, order: tuple[int, ...]) -> list[Basis]:
    """Return the bases of ``#ttg.swizzled_shared``: units of ``vec`` elements, XORed with the number of the line."""
    lines = order[1] if len(order) > 1 else order[0]
    found: list[Basis] = []
    for dim in order:
        for power in range(shape[dim].bit_length() - 1):
            basis = [0] * len(shape)
            basis[dim] = 1 << power
            if dim == lines and dim != order[0]:
                basis[order[0]] ^= ((1 << power) // per_phase % max_phase) * vec % shape[order[0]]
            found.append(tuple(basis))
    return found
