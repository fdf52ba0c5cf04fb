"""The masks of a convolution's tile, and a given mask descriptor checked against its padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import Result
from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import Context
from smemdesc.layout.zero_columns import ColumnMask, Comparison, FilterColumn, expand
from smemdesc.rules.base import Finding, fails, verdict, worst_first
from smemdesc.rules.convolution import data_zeroed, padding_not_zeroed


@shown(picture=True)
class CheckedMask(NamedTuple):
    """A zero-column mask descriptor: the columns of B that it zeroes, and what is wrong with it."""

    mask: ColumnMask
    decoded: Result
    found: str = ""
    """How the descriptor of given columns was found; empty if it was given."""

    @property
    def value(self) -> int:
        """The descriptor."""
        return self.mask.value

    @property
    def zeroed(self) -> tuple[tuple[int, int], ...]:
        """The first and the last column of each run of zeroed columns."""
        return self.mask.zeroed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with it, worst first."""
        return self.decoded.findings

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return self.decoded.ok

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return self.decoded.fails(strict)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return mask_dict(self.mask, self.findings)

    def __str__(self) -> str:
        return f"{self.mask}: {self.decoded.verdict}"


class Expected(NamedTuple):
    """A given descriptor, the filter column of its column shift, and the findings."""

    column: FilterColumn
    comparison: Comparison
    findings: tuple[Finding, ...]

    @property
    def value(self) -> int:
        """The descriptor."""
        return self.comparison.other.value

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            **mask_dict(self.comparison.other, self.findings),
            "unmasked": [list(run) for run in self.comparison.unmasked],
            "overmasked": [list(run) for run in self.comparison.overmasked],
            "same": self.comparison.same,
        }


@shown(picture=True)
class Convolution(NamedTuple):
    """The masks of a tile of a convolution, one for each filter column, and the descriptors compared with them."""

    q: int
    tile: int
    left: int
    columns: tuple[FilterColumn, ...]
    expected: tuple[Expected, ...]
    judged: tuple[tuple[Finding, ...], ...]
    """What is wrong with the mask of each filter column."""

    @property
    def values(self) -> tuple[int, ...]:
        """The descriptor of each filter column."""
        return tuple(column.mask.value for column in self.columns)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with one of them, or with a descriptor that was compared; worst first."""
        every = (*(comparison.findings for comparison in self.expected), *self.judged)
        return worst_first(dict.fromkeys(finding for findings in every for finding in findings))

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not self.fails()

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return fails(self.findings, strict)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of ``smemdesc mask conv --json``."""
        for column, findings in zip(self.columns, self.judged, strict=True):
            out = {
                "s": column.s,
                **mask_dict(column.mask, findings),
                "padding": f"0x{column.padding:0{column.mask.digits}x}",
                "agrees": column.agrees,
            }
            compared = [comparison.to_dict() for comparison in self.expected if comparison.column is column]
            yield out | {"expected": compared} if compared else out

    def to_dict(self) -> dict[str, Any]:
        """Return the lines of ``smemdesc mask conv --json``, as ``columns``."""
        return {"columns": list(self.rows())}

    def __str__(self) -> str:
        masks = ", ".join(column.mask.hex for column in self.columns)
        return f"tile {self.tile} of rows of {self.q} pixels: {masks}"


def mask_dict(mask: ColumnMask, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the JSON object of a mask descriptor: its expansion and findings."""
    listed = [finding.to_dict() for finding in findings]
    return {"value": mask.hex, **mask.to_dict(), "verdict": verdict(findings), "findings": listed}


def expected(columns: Sequence[FilterColumn], value: int | str) -> Expected:
    """Compare a descriptor with its filter column."""
    m, n = columns[0].mask.m, columns[0].mask.n
    shift = expand(value, m, n).shift
    if shift >= len(columns):
        text = str(value)
        raise SmemdescError(
            f"its column shift is {shift}, but the filter has columns 0 to {len(columns) - 1}",
            given=text,
            span=(0, len(text)),
            hint="the column shift gives the filter column of a mask",
        )
    column = columns[shift]
    comparison = column.compare(value)
    judged = decode_value(value, "mask", context=Context(m=m, n=n)).findings
    compared = [*padding_not_zeroed.apply(column, comparison), *data_zeroed.apply(column, comparison)]
    return Expected(column, comparison, worst_first([*compared, *judged]))
