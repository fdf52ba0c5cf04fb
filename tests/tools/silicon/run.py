"""Asks the hardware and writes down what it answers: ``python3 -m silicon.run --out FOLDER`` (in tests/tools).

Needs a Hopper GPU, nvcc and the standard library; the cases are made beforehand (:mod:`silicon.cases`).
``python -m silicon.run --summary`` holds a record against the model instead, on any machine that has the library.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from silicon import record
from silicon.record import Answer, Group, Plan

SOURCE = record.HERE / "probe.cu"
FLAGS = ("-std=c++17", "-gencode=arch=compute_90a,code=sm_90a")
FAULTED = 3
"""The probe's status when a CUDA call failed."""
STRAYS = 4
"""Its status when it answered, but something was read where the other operand is zero."""
LOWEST = 0x400
SEARCHES = 80
"""Runs of the probe that may be spent on finding out which descriptors fault."""
LIMIT = 120
"""Seconds of one run of the probe: it takes a few."""
NO_NUMBER = 0xFFFFFFFE
"""From here on: an element that is none of the filled memory, or unreadable."""

Case = tuple[Group, int]
Answered = list[tuple[Group, list[Answer]]]


class ProbeError(Exception):
    """The probe could not be built, or did not answer."""


def build(folder: Path) -> tuple[Path, str]:
    """Compile the probe; return the program and the compiler's name."""
    program = folder / "probe"
    done = subprocess.run(["nvcc", *FLAGS, "-o", program, SOURCE], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProbeError(f"nvcc: {done.stdout}{done.stderr}")
    if done.stdout or done.stderr:
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
    version = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    return program, next(line for line in version.splitlines() if "release" in line).strip()


def isa_version(folder: Path) -> str:
    """Return the version of PTX that the compiler writes."""
    ptx, empty = folder / "version.ptx", folder / "version.cu"
    empty.write_text("__global__ void nothing() {}\n")
    subprocess.run(["nvcc", "--ptx", "-arch=compute_90a", "-o", ptx, empty], check=True, capture_output=True)
    return next(line.split()[1] for line in ptx.read_text().splitlines() if line.startswith(".version"))


def driver_version() -> str:
    """Return the version of the kernel driver, or ``unknown``."""
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


class Probe:
    """The built probe, and how often it may still be started in search of a fault."""

    def __init__(self, program: Path, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self.searches = SEARCHES
        self.strays = ""

    def about(self) -> dict[str, Any]:
        """Return what the probe says of the machine."""
        done = subprocess.run([self.program, "--about"], capture_output=True, text=True, check=False, timeout=LIMIT)
        if done.returncode:
            raise ProbeError(f"no GPU answers: {done.stderr.strip()}")
        about: dict[str, Any] = json.loads(done.stdout)
        if about["shared_from"] > LOWEST:
            raise ProbeError(f"shared memory begins at {about['shared_from']:#x}; the cases begin at {LOWEST:#x}")
        return about

    def ask(self, cases: list[Case]) -> list[Answer]:
        """Return the answer to each case; where one faults, the context is lost and the rest is asked by halves."""
        lines = [f"plain {self.plan.plain_a:x} {self.plan.plain_b:x}"]
        for group, descriptor in cases:
            pair = (group.fixed, descriptor) if group.asked == "B" else (descriptor, group.fixed)
            lines.append(f"{group.form} {pair[0]:x} {pair[1]:x}")
        given = ("\n".join(lines) + "\n").encode()
        try:
            done = subprocess.run([self.program], input=given, capture_output=True, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise ProbeError(f"no answer to {len(cases)} cases within {LIMIT} s, from {lines[1]} on") from None
        if done.returncode == FAULTED:
            return self._halves(cases, done.stderr.decode().strip())
        if done.returncode == STRAYS:
            self.strays += done.stderr.decode()
        elif done.returncode:
            raise ProbeError(f"status {done.returncode}: {done.stderr.decode().strip()}")
        return list(_split(cases, done.stdout))

    def _halves(self, cases: list[Case], why: str) -> list[Answer]:
        if len(cases) == 1:
            return [Answer([], why.split()[0])]
        if self.searches < 2:
            return [Answer([], f"unsearched: {why.split()[0]} among {len(cases)} cases")] * len(cases)
        self.searches -= 2
        middle = len(cases) // 2
        return [*self.ask(cases[:middle]), *self.ask(cases[middle:])]


def _split(cases: list[Case], data: bytes) -> Iterator[Answer]:
    """Cut what the probe wrote into the answers."""
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != sum(group.size for group, _ in cases):
        raise ProbeError(f"the probe wrote {len(numbers)} numbers for {len(cases)} cases")
    first = 0
    for group, _ in cases:
        yield Answer(numbers[first : first + group.size].tolist())
        first += group.size


def known_answer(group: Group) -> list[int]:
    """Return the addresses of a plain operand at the start of the memory: rows of 16 bytes, then the next 16 of K."""
    rows, columns = group.shape
    per_unit = record.UNIT // group.bytes
    return [
        LOWEST + (k // per_unit * rows + mn) * record.UNIT + k % per_unit * group.bytes
        for mn in range(rows)
        for k in range(columns)
    ]


def self_check(answered: Answered) -> None:
    """Refuse a run in which the layout that needs no model does not come back: then the probe is what is wrong."""
    plain = [(group, answers) for group, answers in answered if group.cls == "plain"]
    if not plain:
        raise ProbeError("no plain case was asked")
    for group, answers in plain:
        for answer in answers:
            if answer.numbers != known_answer(group):
                seen = answer.fault or [hex(number) for number in answer.numbers[:24]]
                raise ProbeError(f"{group.form}: the plain operand does not come back: {seen}")


def ask_all(probe: Probe, groups: list[Group]) -> Answered:
    """Ask the cases of some groups in one run."""
    answers = iter(probe.ask([(group, descriptor) for group in groups for descriptor in group.descriptors]))
    return [(group, [next(answers) for _ in group.descriptors]) for group in groups]


def ask_alone(probe: Probe, groups: list[Group]) -> Answered:
    """Ask each case in a run of its own: a fault takes the context with it."""
    return [(group, [probe.ask([(group, descriptor)])[0] for descriptor in group.descriptors]) for group in groups]


def measure(out: Path, program: Path | None) -> Path:
    """Build, ask, write the record; return its file. What fails the self-check is written as ``rejected``."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiler, isa = "unknown", "unknown"
        if program is None:
            program, compiler = build(folder)
            isa = isa_version(folder)
        plan = record.read_plan()
        probe = Probe(program, plan)
        header = {
            "date": datetime.now(UTC).strftime("%Y-%m-%d"),
            **probe.about(),
            "driver": driver_version(),
            "compiler": compiler,
            "ptx": isa,
            "flags": " ".join(FLAGS),
        }
        print(f"built after {time.monotonic() - begin:.0f} s: {json.dumps(header)}", file=sys.stderr)
        answered = ask_all(probe, [group for group in plan.groups if group.cls != "outside"])
        path = out / f"{record.named(header['chip'])}.jsonl.gz"
        try:
            self_check(answered)
            if probe.strays:
                raise ProbeError(probe.strays.strip())
        except ProbeError:
            record.write(path.with_name("rejected.jsonl.gz"), header, answered)
            raise
        # Written once before anything faults on purpose, and once with that.
        record.write(path, header, answered)
        answered += ask_alone(probe, [group for group in plan.groups if group.cls == "outside"])
        record.write(path, header, answered)
    everything = [answer for _, answers in answered for answer in answers]
    odd = sum(number >= NO_NUMBER for answer in everything for number in answer.numbers)
    faults = sum(bool(answer.fault) for answer in everything)
    print(
        f"{len(everything)} cases, {faults} faults, {odd} elements without an address, "
        f"{path.stat().st_size} bytes in {path}, {time.monotonic() - begin:.0f} s",
        file=sys.stderr,
    )
    return path


def show(path: Path) -> bool:
    """Print what a record holds and how it compares with the model; return whether all is as the model says."""
    from silicon.compare import summary

    made = record.read(path)
    for key, value in made.header.items():
        print(f"{key:<20} {value}")
    print(f"\n{'class':<20} {'cases':>6} {'elements':>9} {'mismatches':>10} {'faults':>6}")
    lines = list(summary(made))
    for line in lines:
        print(f"{line.cls:<20} {line.cases:>6} {line.elements:>9} {line.mismatches:>10} {line.faults:>6}")
    return not any(line.mismatches or (line.faults and line.cls != "outside") for line in lines)


def main() -> int:
    """Measure, or show a record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=record.RECORDS, help="folder for the record")
    parser.add_argument("--probe", type=Path, help="a probe that is built already")
    parser.add_argument("--summary", nargs="?", type=Path, const=record.RECORD, help="compare a record with the model")
    given = parser.parse_args()
    if given.summary:
        return 0 if show(given.summary) else 1
    try:
        measure(given.out, given.probe)
    except ProbeError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
