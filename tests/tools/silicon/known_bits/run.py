"""Runs the built kernels and writes down what they computed: ``python3 -m silicon.known_bits.run --out FOLDER``.

To be called in tests/tools on a machine with a Hopper GPU, nvcc and the folder ``build/`` that
:mod:`silicon.known_bits.build` made; needs the standard library only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from silicon.known_bits import record
from silicon.known_bits.build import MADE, digest, prefix, version
from silicon.known_bits.record import BUILD, HERE, Values
from silicon.record import named
from silicon.run import FLAGS, driver_version

LIMIT = 200
"""Seconds for one cubin: it takes a few."""


class RunError(Exception):
    """There is no GPU, or what was built does not fit, or the kernels did not answer."""


def asked(program: Path, *arguments: str | Path) -> str:
    """Run the host program."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=LIMIT)
    if done.returncode:
        raise RunError(f"status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def measure(out: Path) -> Path:
    """Compile the host program, run every cubin, write the record; return its file."""
    begin = time.monotonic()
    about = json.loads((BUILD / "about.json").read_text())
    values: dict[str, dict[str, Values]] = {}
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "host"
        subprocess.run(["nvcc", *FLAGS, "-o", program, HERE / "host.cu"], check=True)
        chip = json.loads(asked(program, "--about"))
        for level in about["cubins"]:
            count = MADE[prefix(level)].KERNELS
            cubin = BUILD / f"{level}.cubin"
            if digest(cubin.read_bytes()) != about["cubins"][level]:
                raise RunError(f"{cubin} is not the one that was disassembled")
            answers = dict(line.split(maxsplit=1) for line in asked(program, cubin, str(count)).splitlines())
            values[level] = {kernel: record.values_of(numbers.split()) for kernel, numbers in answers.items()}
            if any(seen.always & ~seen.ever for each in values[level].values() for seen in (each.a, each.b)):
                raise RunError(f"{cubin}: a kernel did not run")
            print(f"{level}: {len(answers)} kernels after {time.monotonic() - begin:.0f} s", file=sys.stderr)
    header = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        **chip,
        "driver": driver_version(),
        **about,
        "host_compiler": version("nvcc"),
    }
    path = out / f"{named(chip['chip'])}.json.xz"
    record.write(path, header, {level: (BUILD / f"{level}.sass").read_text() for level in values}, values)
    print(f"{path.stat().st_size} bytes in {path}: {json.dumps(header)}", file=sys.stderr)
    return path


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=record.RECORDS, help="folder for the record")
    given = parser.parse_args()
    try:
        measure(given.out)
    except (RunError, OSError, subprocess.SubprocessError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
