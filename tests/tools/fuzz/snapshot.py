"""Whether two checkouts know the same of every descriptor of many dumps, from the same lines: no bit may be lost.

    python -m fuzz.snapshot OTHER [--random COUNT] [--times N] [FILE OR FOLDER...]        (from the folder tests/tools)

Scans every dump of the repository (or the files that are named) and COUNT random programs of each kind with this
checkout (mine) and with that in the folder OTHER (theirs), and compares all operands: what is known, ``from``, ``lost``
and ``provided``. Prints each operand of which theirs knows a bit that mine does not (LOST) or another (CONTRADICTS),
of which mine knows more (MORE, with the bits) and of which something else differs; how many there are of each, and
processor time and memory of both. ``--times``: run each so often, in turn. Status 1 where a bit is lost or another.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import resource
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).parents[2]
PROGRAMS = ("any", "apart", "calls", "choices", "memory", "rolled", "stack", "stepped", "tables", "votes", "ways")
"""Kinds of random SASS (``programs/programs.grammar``)."""
Operands = dict[str, dict[str, Any]]
"""What is said of each operand, by its place."""


def unpack(folder: Path) -> None:
    """Put every dump of the repository into a folder."""
    for archive in sorted(TESTS.rglob("*.tar.xz")):
        with tarfile.open(archive, "r:xz") as box:
            for member in filter(tarfile.TarInfo.isfile, box):
                member.name = f"{archive.name}-{member.name.replace('/', '-')}"
                box.extract(member, folder, filter="data")
    for record in sorted(TESTS.rglob("known_bits/record/*.json.xz")):
        for level, text in json.loads(lzma.decompress(record.read_bytes()))["sass"].items():
            (folder / f"{record.name}-{level}.sass").write_text(text)
    for pattern in (
        "tests/scanning/**/*.sass",
        "tests/scanning/**/*.ptx",
        "tests/scanning/**/*.cubin",
        "examples/**/*",
    ):
        for path in sorted(TESTS.parent.glob(pattern)):
            if path.is_file():
                (folder / str(path.relative_to(TESTS.parent)).replace("/", "-")).write_bytes(path.read_bytes())


def generate(folder: Path, count: int) -> None:
    """Put random programs of every kind into a folder."""
    from programs.grammar import program
    from programs.rolling import OPERATIONS, WRITERS, Maker
    from silicon.known_bits.build import MADE
    from silicon.known_bits.kernels import module

    for seed in range(count):
        for kind in PROGRAMS:
            (folder / f"{kind}-{seed}.sass").write_text(program(kind, f"snapshot {seed}"))
        for name, writer in WRITERS.items():
            operations = tuple(OPERATIONS) if seed % 2 else ()
            written = writer()
            maker = Maker(random.Random(f"{seed}"), name[:3] == "scf", operations=operations, memory=written.memory)
            (folder / f"{name}-{seed}").write_text(written.text(*maker.program()))
    for kind, maker in MADE.items():
        (folder / f"{kind}kernels.ptx").write_text(module(maker.make(count)))


def scanned(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place of each operand of all files in a folder, and what is said of it by the package on the path."""
    from smemdesc import scan
    from smemdesc.engine.errors import SmemdescError

    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        file = str(path.relative_to(folder))
        try:
            part = scan(str(path))
        except SmemdescError as error:
            yield file, {"bits": 0, "known": 0, "error": str(error)}
            continue
        for number, function in enumerate(part.functions):
            for mma in function.mmas:
                place = f"{file}:{mma.line}: {number} {function.name} {function.odd}"
                said = mma.place_dict()
                for name in ("a", "b", "idesc", "mask"):
                    operand = getattr(mma, name)
                    if operand is not None:
                        more = {key: (said.get(key) or {}).get(name) for key in ("from", "lost", "provided")}
                        yield f"{place} {name}", {"bits": operand.bits, "known": operand.known, **more}
                for address in mma.tensor_memory:
                    yield f"{place} {address.name}", {"bits": address.bits, "known": address.known}


def answers(checkout: Path, folder: Path) -> tuple[Operands, float, int]:
    """Return what a checkout says, its processor time in seconds, and the most memory that it took, in MB."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", __file__, "--answer", str(folder)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found, seconds, memory = json.loads(done.stdout)
    return found, seconds, memory


def compared(mine: dict[str, Any] | None, theirs: dict[str, Any] | None) -> str:
    """Return what differs of an operand."""
    if mine is None or theirs is None:
        return "LOST: not seen here" if mine is None else "MORE: not seen there"
    both = mine["known"] & theirs["known"]
    if (mine["bits"] ^ theirs["bits"]) & both:
        return f"CONTRADICTS: {(mine['bits'] ^ theirs['bits']) & both:#x}"
    lost, more = theirs["known"] & ~mine["known"], mine["known"] & ~theirs["known"]
    if lost:
        return f"LOST: {lost:#x}"
    if more:
        return f"MORE: {more:#x}"
    other = [key for key in theirs if key not in ("bits", "known") and mine.get(key) != theirs[key]]
    return " ".join(["OTHER:", *other]) if other else ""


def main() -> int:
    """Compare, print, and return the status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("other", type=Path)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--times", type=int, default=1)
    given = parser.parse_args()
    counted: Counter[str] = Counter()
    with TemporaryDirectory(prefix="snapshot-") as name:
        folder = Path(name)
        for path in given.files:
            (folder / path.name).symlink_to(path.resolve())
        if not given.files:
            unpack(folder)
        generate(folder, given.random)
        sides = [TESTS.parent, given.other.resolve()]
        runs = [[answers(each, folder) for each in sides] for _ in range(given.times)]
    mine, theirs = (found for found, _, _ in runs[0])
    for place in dict.fromkeys([*theirs, *mine]):
        differs = compared(mine.get(place), theirs.get(place))
        counted[differs.partition(":")[0] or "equal"] += 1
        if differs:
            print(f"{differs}  {place}")
            if differs.startswith("OTHER"):
                for key in differs.split()[1:]:
                    print(f"    {key}: here {mine[place].get(key)}\n    {key}: there {theirs[place].get(key)}")
    files = len({place.partition(":")[0] for place in theirs})
    print(f"{len(theirs)} operands of {files} files:", ", ".join(f"{n} {name}" for name, n in counted.items()))
    for side, label in enumerate(("here", "there")):
        seconds = " ".join(f"{run[side][1]:.1f}" for run in runs)
        print(f"{label}: {seconds} s of processor time, {max(run[side][2] for run in runs)} MB")
    return 1 if counted["LOST"] or counted["CONTRADICTS"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        said = dict(scanned(Path(sys.argv[2])))
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps((said, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)))
    else:
        sys.exit(main())
