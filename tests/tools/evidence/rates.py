"""How often each rule speaks of other people's kernels, and how much of their descriptors is known.

``python -m evidence.rates NAME=PATH...`` (in ``tests/tools``) scans what ``smemdesc scan`` takes, a package of PyPI as
it is unpacked or a folder of dumps, and prints the tables of docs/evidence.md. Paths of the same name are counted
as one.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from smemdesc.descriptors.result import Result
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.rules.base import RANK
from smemdesc.scanning.inputs.workers import scan_files
from smemdesc.scanning.model import Part, ScannedOperand
from smemdesc.scanning.model.causes import ARGUMENT, CALL, MEMORY, SPECIAL

FIELDS = (
    ("swizzle", "swizzle"),
    ("SBO", "stride_byte_offset"),
    ("version", "version"),
    ("LBO", "leading_byte_offset"),
    ("base offset", "base_offset"),
)


REASONS = (ARGUMENT, MEMORY, SPECIAL, CALL, None)
"""What the bits of a field were lost by; None: something that more could be known of."""


class Rates:
    """What the scans of one library come to."""

    def __init__(self) -> None:
        self.functions = 0
        self.instructions = 0
        self.operands = Counter[str]()
        """Descriptors by their name in the instruction; A and B are ``shared``."""
        self.known = Counter[str]()
        """Of how many descriptors a field is wholly known."""
        self.with_field = Counter[str]()
        self.addresses = 0
        """In how many LBO is not known and is an address, as the start is."""
        self.provided = Counter[str]()
        """Of how many more a field would be known if additions change the start address only."""
        self.lost = Counter[tuple[str, str | None]]()
        """Of how many a field is not known, by the reason of the first unknown bit."""
        self.rules = Counter[tuple[str, str]]()
        """In how many operands a rule finds something, by severity and rule; across operands: instructions."""
        self.problems: list[str] = []

    def add(self, part: Part, judge: Judge) -> None:
        """Count what one stretch of a file holds."""
        for function in part.functions:
            self.functions += 1
            for mma in function.mmas:
                self.instructions += 1
                judged = judge.judge(mma.model)
                self.rules.update(
                    key[1:] for key in {(name, each.severity, each.rule) for name, each in judged.findings}
                )
                for name in OPERANDS:
                    result: Result | None = getattr(judged, name)
                    if result is not None:
                        self._operand(name, result, getattr(mma, name))

    def _operand(self, name: str, result: Result, operand: ScannedOperand) -> None:
        self.operands["shared" if name in ("a", "b") else name] += 1
        if name == "idesc":
            self._field("idesc", result.known == (1 << result.width) - 1, operand, -1)
        for label, key in FIELDS:
            if name in ("a", "b") and key in result.fields:
                field = result.fields[key]
                if label == "LBO" and "lbo_mode" in result.fields and result.fields["lbo_mode"].value == "absolute":
                    self.addresses += not field.complete  # type: ignore[union-attr]
                mask = result.candidates[0].kind.table.masks[key]
                self._field(label, field.complete, operand, mask)  # type: ignore[union-attr]

    def _field(self, label: str, known: bool, operand: ScannedOperand, mask: int) -> None:
        self.with_field[label] += 1
        self.known[label] += known
        if not known:
            self.lost[label, operand.lost_why] += 1
            self.provided[label] += operand.provided is not None and not mask & ~operand.provided.known


def named(arguments: Iterable[str]) -> dict[str, list[str]]:
    """Read ``NAME=PATH`` words: the paths of each name; a path alone is named after itself."""
    found: dict[str, list[str]] = {}
    for each in arguments:
        name, equals, path = each.partition("=")
        found.setdefault(name, []).append(path if equals else name)
    return found


def rates(name: str, paths: Iterable[str]) -> dict[str, Rates]:
    """Scan everything in ``paths`` and count, for each architecture by itself."""
    made, judge = defaultdict[str, Rates](Rates), Judge()
    for found in scan_files(paths):
        if found.problem is not None:
            made[name].problems.append(found.problem.message)
        for function in found.part.functions:
            arch = (function.mmas[0].arch or "").rstrip("af")
            made[f"{name}, {arch}" if arch else name].add(Part((function,)), judge)
    return {name: made[name] for name in sorted(made, key=lambda name: (len(name), name))}


def percent(count: int, of: int) -> str:
    """Return a share that is never rounded to all or to nothing."""
    if not of:
        return "-"
    share = 100 * count / of
    return "100%" if count == of else "0" if not count else f"{min(max(share, 0.01), 99.99):.2f}%"


def table(heads: list[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def known_table(all_of: dict[str, Rates]) -> Iterator[str]:
    """Yield how much is known of the operands of each library."""
    heads = ["library", "functions", "MMAs and copies", "A, B", *(label for label, _ in FIELDS), "idesc"]
    rows = [
        (
            name,
            each.functions,
            each.instructions,
            each.operands["shared"],
            *(percent(each.known[label], each.with_field[label]) for label, _ in FIELDS),
            percent(each.known["idesc"], each.with_field["idesc"]),
        )
        for name, each in all_of.items()
    ]
    return table(heads, rows)


def lost_table(all_of: dict[str, Rates]) -> Iterator[str]:
    """Yield why fields are not known, where they are not, and of how many more something is known on a condition."""
    reasons = (f"by {each}" if each else "else" for each in REASONS)
    heads = ["library", "field", "not known", *reasons, "if only starts move"]
    rows = [
        (
            name,
            label,
            f"{lost} of {each.with_field[label]}",
            each.addresses if label == "LBO" else 0,
            *(each.lost[label, reason] for reason in REASONS[:-1]),
            each.lost[label, None] - (each.addresses if label == "LBO" else 0),
            percent(each.known[label] + each.provided[label], each.with_field[label]) if label != "idesc" else "-",
        )
        for name, each in all_of.items()
        for label in (*(label for label, _ in FIELDS), "idesc")
        if (lost := each.with_field[label] - each.known[label])
    ]
    return table(heads, rows)


def rule_table(all_of: dict[str, Rates]) -> Iterator[str]:
    """Yield how often each rule that said anything spoke in each library."""
    keys = sorted({key for each in all_of.values() for key in each.rules}, key=lambda key: (RANK[key[0]], key[1]))
    rows = ((rule, severity, *(_rate(each, severity, rule) for each in all_of.values())) for severity, rule in keys)
    return table(["rule", "severity", *all_of], rows)


def _rate(of: Rates, severity: str, rule: str) -> str:
    count = of.rules[severity, rule]
    return f"{count} ({percent(count, sum(of.operands.values()))})" if count else "0"


def main(arguments: list[str]) -> int:
    """Print the tables."""
    if not arguments:
        print(__doc__)
        return 2
    all_of = {name: of for library, paths in named(arguments).items() for name, of in rates(library, paths).items()}
    print("\n".join((*known_table(all_of), "", *lost_table(all_of), "", *rule_table(all_of))))
    for name, each in all_of.items():
        for problem in each.problems:
            print(f"{name}: {problem}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
