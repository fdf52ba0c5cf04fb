"""Takes what a GPU answered, a file of ``smemdesc probe --all --out FILE``, into the records.

In tests/tools: ``python -m silicon.merge FILE``. The file is checked, and written under the name of its chip into
``tests/silicon/probe``; the table of docs/evidence.md with what each chip answered is written anew. An answer that
contradicts a claim is shown, and is merged like the others: the claim is what has to change.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from silicon.record import named
from smemdesc.engine.errors import SmemdescError
from smemdesc.probe.every import CLAIM, CLAIMS
from smemdesc.probe.record import read_record

ROOT = Path(__file__).parents[3]
RECORDS = ROOT / "tests" / "silicon" / "probe"
PAGE = ROOT / "docs" / "evidence.md"
BEGIN, END = "<!-- the answers of chips -->\n", "<!-- the end of the answers -->\n"


def verdict(line: dict[str, Any]) -> str:
    """Return what an answer is: ``holds``, ``contradicted`` or ``not asked``."""
    return "not asked" if "not_asked" in line else "holds" if line["holds"] else "contradicted"


def counts(lines: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Return how often each claim held, was contradicted, was not asked."""
    found = {claim.key: Counter[str]() for claim in CLAIMS}
    for line in lines:
        if line["claim"] not in CLAIM:
            raise SmemdescError(f"there is no claim {line['claim']!r}", hint="the file is of another version")
        found[line["claim"]][verdict(line)] += 1
    return found


def merge(path: Path) -> Path:
    """Check a file and copy it into the records; return where it is. :class:`SmemdescError` for another file."""
    head, lines = read_record(path)
    counts(lines)
    to = RECORDS / f"{named(head['chip'])}.jsonl.gz"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(path.read_bytes())
    return to


def table() -> str:
    """Return the table of what each chip answered."""
    records = [read_record(path) for path in sorted(RECORDS.glob("*.jsonl.gz"))]
    columns = [counts(lines) for _, lines in records]
    heads = [f"{head['chip']}, CUDA {head['cuda_driver']}" for head, _ in records]
    rows = [["claim", *heads], ["---"] * (len(heads) + 1)]
    for claim in CLAIMS:
        rows.append([claim.text.replace("_", r"\_"), *(_cell(column[claim.key]) for column in columns)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(count: Counter[str]) -> str:
    asked = count["holds"] + count["contradicted"]
    return f"{count['holds']} of {asked}" if asked else "not asked"


def page(text: str) -> str:
    """Return the page of the evidence with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    """Merge a file, and say what it contradicts."""
    if len(sys.argv) != 2:
        print("usage: python -m silicon.merge FILE", file=sys.stderr)
        return 2
    try:
        to = merge(Path(sys.argv[1]))
    except SmemdescError as error:
        print(f"error: {error.text}", file=sys.stderr)
        return 2
    PAGE.write_text(page(PAGE.read_text()))
    _, lines = read_record(to)
    for line in lines:
        if verdict(line) == "contradicted":
            print(f"{CLAIM[line['claim']].text}: {line.get('value', '')} {line['instruction']}: {line['fault'] or ''}")
    print(f"{len(lines)} answers in {to.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
