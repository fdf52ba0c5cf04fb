"""How long a scan takes, against the time that nvdisasm took to print the same dump, in one run.

    python tests/bench/scan.py NVDISASM CUBIN...

Each cubin is printed to a file and the file is scanned, several times in turn; what counts is the ratio of the two
medians. The limit is a quarter. Peak memory is that of the largest process of a scan.
"""

from __future__ import annotations

import compileall
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

LIMIT = 0.25
MEMORY = 200
"""Megabytes."""
ROUNDS = 3


def timed(command: list[str], out: Path) -> float:
    """Return the seconds that a command took to write a file."""
    with out.open("wb") as stream:
        begin = time.perf_counter()
        subprocess.run(command, stdout=stream, check=True)
        return time.perf_counter() - begin


def main() -> int:
    """Measure each cubin."""
    nvdisasm, *cubins = sys.argv[1:]
    import smemdesc

    compileall.compile_dir(Path(smemdesc.__file__).parent, quiet=1)
    scan = [sys.executable, "-m", "smemdesc", "scan"]
    worst = 0.0
    print(f"{'cubin':40} {'dump MB':>8} {'nvdisasm s':>11} {'scan s':>8} {'--json s':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        dump, out = Path(folder, "dump.sass"), Path(folder, "out.txt")
        for cubin in cubins:
            printing, scanning, objects = [], [], []
            for _ in range(ROUNDS):
                printing.append(timed([nvdisasm, "-c", cubin], dump))
                scanning.append(timed([*scan, str(dump)], out))
                objects.append(timed([*scan, "--json", str(dump)], out))
            ratio = median(scanning) / median(printing)
            worst = max(worst, ratio)
            size = dump.stat().st_size / 1e6
            print(
                f"{Path(cubin).name[-40:]:40} {size:8.1f} {median(printing):11.2f} {median(scanning):8.2f} "
                f"{median(objects):9.2f} {ratio:6.3f}"
            )
        peak = _peak([*scan, str(dump)])
    print(f"worst ratio {worst:.3f} (limit {LIMIT}); peak memory of a process {peak:.0f} MB (limit {MEMORY})")
    return int(worst > LIMIT or peak > MEMORY)


def _peak(command: list[str]) -> float:
    """Return the peak of the resident memory of a command, in megabytes; its largest process counts."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


if __name__ == "__main__":
    sys.exit(main())
