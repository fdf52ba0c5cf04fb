"""Which kernels of two builds are the same one: by file and name, else by name and signature, else it is not clear.

A compiler's cache has many kernels of one name in folders named by hashes. Kernels of one name are assigned to each
other such that the sum of the distances of their signatures is the smallest. Where another assignment is as good, the
kernels concerned are not paired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.scanning.results.function_names import without_namespaces


class Feature(NamedTuple):
    """Something that a kernel has, and how much it speaks against another kernel that it lacks it."""

    weight: float
    what: Hashable


_HASH = re.compile(r"(?<![0-9a-zA-Z])(?=[a-f]*[0-9])[0-9a-f]{7,}(?![0-9a-zA-Z])|\.llvm\.[0-9]+")


class Signature(NamedTuple):
    """What identifies a kernel besides its descriptors."""

    path: str
    """Its file in the named input, without the ending of a form; empty for the input itself."""
    name: str | None
    arch: str | None
    sort: Hashable
    """Kernels of one name are paired only if this is equal: the types of their instructions."""
    features: frozenset[Feature]


class KernelPairs(NamedTuple):
    """The numbers of the kernels that belong together."""

    partner: dict[int, int]
    """The old kernel of each new one that has a partner."""
    ambiguous: list[tuple[list[int], list[int]]]
    """The old and the new kernels of which it is not clear which belong together."""


def pair_kernels(old: Sequence[Signature], new: Sequence[Signature]) -> KernelPairs:
    """Pair kernels by file and name; then by architecture and name; by name; by the name without the hashes that a
    compiler adds; without namespaces. If one kernel is left on each side, these two are paired."""
    pairs = KernelPairs({}, [])
    before, after = list(range(len(old))), list(range(len(new)))
    for key in _KEYS:
        groups: dict[Hashable, tuple[list[int], list[int]]] = {}
        for side, (signatures, numbers) in enumerate(((old, before), (new, after))):
            for number in numbers:
                groups.setdefault(key(signatures[number]), ([], []))[side].append(number)
        for mine, theirs in groups.values():
            if len(mine) == len(theirs) == 1:
                pairs.partner[theirs[0]] = mine[0]
            elif mine and theirs and key is not _by_file:
                _assign_group(old, new, mine, theirs, pairs)
        gone = {number for numbers, _ in pairs.ambiguous for number in numbers} | set(pairs.partner.values())
        before = [number for number in before if number not in gone]
        gone = {number for _, numbers in pairs.ambiguous for number in numbers} | set(pairs.partner)
        after = [number for number in after if number not in gone]
    if len(before) == len(after) == 1:
        pairs.partner[after[0]] = before[0]
    return pairs


def _by_file(signature: Signature) -> Hashable:
    return signature.path, signature.name, signature.arch


def unhashed_name(name: str | None) -> str | None:
    """Return the name of a function without the hashes that a compiler adds."""
    return None if name is None else _HASH.sub("#", name)


def bare_name(name: str | None) -> str | None:
    """Return the name of a function without hashes and namespaces."""
    return None if name is None else _HASH.sub("#", without_namespaces(name))


_KEYS: tuple[Callable[[Signature], Hashable], ...] = (
    _by_file,
    lambda signature: (signature.name, signature.arch),
    lambda signature: signature.name,
    lambda signature: unhashed_name(signature.name),
    lambda signature: bare_name(signature.name),
)
_MOST_ALIKE = 400
"""The most kernels of one name and sort that are assigned; more are not clear."""
UNLIKE = 12.0
"""The distance from which on two kernels of one name are two kernels: that of another shape."""


def _assign_group(
    old: Sequence[Signature], new: Sequence[Signature], mine: list[int], theirs: list[int], pairs: KernelPairs
) -> None:
    """Pair the kernels of one name: equal ones, then those of one sort by the smallest distances."""
    sorts: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, (signatures, numbers) in enumerate(((old, mine), (new, theirs))):
        for number in numbers:
            sorts.setdefault(signatures[number].sort, ([], []))[side].append(number)
    for before, after in sorts.values():
        equal: dict[Hashable, list[int]] = {}
        for number in reversed(before):
            equal.setdefault(old[number].features, []).append(number)
        for number in after:
            if same := equal.get(new[number].features):
                pairs.partner[number] = same.pop()
        taken = set(pairs.partner.values())
        before = [number for number in before if number not in taken]
        after = [number for number in after if number not in pairs.partner]
        if not before or not after:
            continue
        if max(len(before), len(after)) > _MOST_ALIKE:
            pairs.ambiguous.append((before, after))
            continue
        _assign_alike(old, new, before, after, pairs)


def _assign_alike(
    old: Sequence[Signature], new: Sequence[Signature], before: list[int], after: list[int], pairs: KernelPairs
) -> None:
    costs = _costs([old[number] for number in before], [new[number] for number in after])
    column_of, tight = cheapest_assignment(costs)
    kinds = [old[number].features for number in before] + [frozenset()] * len(after)
    targets = [new[number].features for number in after] + [frozenset()] * len(before)
    for rows in exchangeable(column_of, tight):
        real = [row for row in rows if row < len(before)]
        columns = {column_of[row] for row in rows}
        wanted = [after[column] for column in sorted(columns) if column < len(after)]
        possible = ({targets[column] for column in tight[row] if column in columns} for row in real)
        is_clear = (
            all(len(several) == 1 for several in possible)
            or len({kinds[row] for row in rows}) == 1
            or len({targets[column] for column in columns}) == 1
        )
        if not is_clear:
            pairs.ambiguous.append(([before[row] for row in real], wanted))
            continue
        for row in real:
            if column_of[row] < len(after):
                pairs.partner[after[column_of[row]]] = before[row]


def _costs(old: Sequence[Signature], new: Sequence[Signature]) -> list[list[float]]:
    """Return the distances, with a row and a column for each kernel to have no partner."""
    alone = [UNLIKE / 2] * len(old)
    costs = [[*(distance(one.features, other.features) for other in new), *alone] for one in old]
    return costs + [[*([UNLIKE / 2] * len(new)), *([0.0] * len(old))] for _ in new]


def exchangeable(column_of: Sequence[int], tight: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the rows of a cheapest assignment in groups that may exchange their columns at no cost."""
    row_of = {column: row for row, column in enumerate(column_of)}
    onward = [[row_of[column] for column in columns] for columns in tight]
    backward: list[list[int]] = [[] for _ in onward]
    for row, following in enumerate(onward):
        for each in following:
            backward[each].append(row)
    left = set(range(len(onward)))
    while left:
        row = min(left)
        rows = _reached(row, onward, left) & _reached(row, backward, left)
        yield sorted(rows)
        left -= rows


def _reached(row: int, onward: Sequence[Sequence[int]], within: set[int]) -> set[int]:
    reached, waiting = {row}, [row]
    while waiting:
        for each in onward[waiting.pop()]:
            if each in within and each not in reached:
                reached.add(each)
                waiting.append(each)
    return reached


def distance(one: frozenset[Feature], other: frozenset[Feature]) -> float:
    """Return the sum of the weights of the features that only one of two kernels has."""
    return sum(feature.weight for feature in one ^ other)


def cheapest_assignment(costs: Sequence[Sequence[float]]) -> tuple[list[int], list[list[int]]]:
    """Return the column of each row of a square matrix such that the sum is the smallest, and the columns that each row
    may have in an assignment as cheap (Kuhn and Munkres, with potentials)."""
    size = len(costs)
    of_row, of_column = [0.0] * (size + 1), [0.0] * (size + 1)
    row_of = [0] * (size + 1)  # the row of each column; both count from 1
    for row in range(1, size + 1):
        row_of[0], column = row, 0
        least, before, seen = [float("inf")] * (size + 1), [0] * (size + 1), [False] * (size + 1)
        while row_of[column]:
            seen[column] = True
            at, delta, following = row_of[column], float("inf"), 0
            line, potential = costs[at - 1], of_row[at]
            for each in range(1, size + 1):
                if not seen[each]:
                    reduced = line[each - 1] - potential - of_column[each]
                    if reduced < least[each]:
                        least[each], before[each] = reduced, column
                    if least[each] < delta:
                        delta, following = least[each], each
            for each in range(size + 1):
                if seen[each]:
                    of_row[row_of[each]] += delta
                    of_column[each] -= delta
                else:
                    least[each] -= delta
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    column_of = [0] * size
    for column in range(1, size + 1):
        column_of[row_of[column] - 1] = column - 1
    tight = [
        [column for column in range(size) if costs[row][column] - of_row[row + 1] - of_column[column + 1] < _NOTHING]
        for row in range(size)
    ]
    return column_of, tight


_NOTHING = 1e-6
"""What a difference of sums of weights is at most if they are equal."""
