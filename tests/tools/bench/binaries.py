"""How long the scan of a library takes, against nvdisasm alone on its functions with tensor-core instructions.

    python tests/tools/bench/binaries.py LIBRARY [--cuda-bin DIR] [--sample N] [--jobs N] [--texts N]

The floor is nvdisasm, one process a core, on each cubin with such functions and told which (-fun), its output thrown
away. Scan and floor run in turn; the limit is 1.3 times the floor. The memory is that of all of our processes together,
without nvdisasm (what they share is counted once). ``--sample`` takes N such cubins, drawn with a fixed seed and put
into a fat binary of their own: a whole library takes many minutes. Then the text that nvdisasm prints of ``--texts``
cubins is scanned, one process each.
"""

from __future__ import annotations

import argparse
import compileall
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import smemdesc
from smemdesc.scanning.inputs.binaries import programs
from smemdesc.scanning.inputs.binaries.containers import FAT_BINARY, Member, members
from smemdesc.scanning.inputs.binaries.members import Ask, Printing
from smemdesc.scanning.inputs.files import Inputs

LIMIT = 1.3
PROGRAM = [sys.executable, "-P", "-c", "from smemdesc.cli import main; main()"]


def chosen(path: Path, folder: str | None) -> Iterator[Printing]:
    """Yield what the scan has printed of a library."""
    for job in Inputs([str(path)], Ask(None, folder, 1), lambda _: iter(())).jobs():
        if isinstance(job.task, Printing) and job.task.member.kind == "cubin":
            yield job.task


def sampled(path: Path, folder: str | None, many: int, out: Path) -> None:
    """Write a fat binary with some of a library's cubins."""
    wanted = [each.member.number for each in chosen(path, folder)]
    wanted = sorted(random.Random(1).sample(wanted, min(many, len(wanted))))
    with path.open("rb") as stream, out.open("wb") as made:
        for each in members(stream):
            if isinstance(each, Member) and each.kind == "cubin" and each.number in wanted:
                content = each.header + each.data + bytes(-len(each.data) % 8)
                made.write(FAT_BINARY + struct.pack("<Q", len(content)) + content)


def _of_processors() -> float:
    """Return the seconds of the processors that children took which have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def alone(path: Path, folder: str | None, jobs: int) -> tuple[float, float, int]:
    """Seconds of nvdisasm alone, by the clock and of the processors, and the number of cubins."""
    before = _of_processors()
    count = 0

    def run(task: Printing) -> None:
        with tempfile.NamedTemporaryFile(suffix=".cubin") as copy:
            copy.write(task.unpacked())
            copy.flush()
            only = ["-fun", ",".join(map(str, task.symbols))]
            subprocess.run([task.nvdisasm, "-c", *only, copy.name], stdout=subprocess.DEVNULL, check=True)

    begin = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        waiting = []
        for task in chosen(path, folder):
            count += 1
            waiting.append(pool.submit(run, task))
            if len(waiting) > 2 * jobs:
                waiting.pop(0).result()
        for each in waiting:
            each.result()
    spent = time.perf_counter() - begin
    return spent, _of_processors() - before, count


class Watch:
    """Watches the memory of a process and its children, without nvdisasm."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.peak = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.ended.wait(0.5):
            self.peak = max(self.peak, sum(self._sizes(self.pid)))

    def _sizes(self, pid: int) -> Iterator[float]:
        try:
            if os.readlink(f"/proc/{pid}/exe").endswith(programs.NVDISASM):
                return
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            return
        yield sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024
        for child in children:
            yield from self._sizes(int(child))


def scanned(path: Path, folder: str | None, jobs: int) -> tuple[float, float, float]:
    """Seconds of a scan, by the clock and of the processors, and its peak of memory in megabytes."""
    before = _of_processors()
    command = [*PROGRAM, "scan", "--json", "--jobs", str(jobs), str(path)]
    command += ["--cuda-bin", folder] if folder else []
    begin = time.perf_counter()
    with open(os.devnull, "w") as out:
        child = subprocess.Popen(command, stdout=out)
        watch = Watch(child.pid)
        status = child.wait()
    spent = time.perf_counter() - begin
    watch.ended.set()
    watch.thread.join()
    if status:
        sys.exit(f"the scan ended with status {status}")
    return spent, _of_processors() - before, watch.peak


def texts(path: Path, folder: str | None, many: int) -> tuple[float, float]:
    """Seconds of nvdisasm on some cubins of a file, and of the scan of what it printed, of the processors."""
    printing = scanning = 0.0
    with tempfile.TemporaryDirectory() as where:
        cubin, dump = Path(where, "k.cubin"), Path(where, "k.sass")
        for task, _ in zip(chosen(path, folder), range(many), strict=False):
            cubin.write_bytes(task.unpacked())
            printing += _cpu([task.nvdisasm, "-c", str(cubin)], dump)
            scanning += _cpu([*PROGRAM, "scan", "--jobs", "1", str(dump)], Path(os.devnull))
    return printing, scanning


def _cpu(command: list[str], out: Path) -> float:
    before = _of_processors()
    with out.open("wb") as stream:
        subprocess.run(command, stdout=stream, check=True)
    return _of_processors() - before


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("library", type=Path)
    parser.add_argument("--cuda-bin")
    parser.add_argument("--sample", type=int, help="take so many of its cubins")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--texts", type=int, default=6, help="of so many cubins the text is scanned")
    asked = parser.parse_args()
    compileall.compile_dir(Path(smemdesc.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as where:
        path = asked.library
        if asked.sample:
            path = Path(where, "sample.fatbin")
            sampled(asked.library, asked.cuda_bin, asked.sample, path)
        print(f"{asked.library.name}: {asked.jobs} processes", flush=True)
        worst = 0.0
        for _ in range(asked.runs):
            mine, my_cpu, peak = scanned(path, asked.cuda_bin, asked.jobs)
            print(f"scan {mine:.1f} s ({my_cpu:.1f} s of processors)", flush=True)
            floor, cpu, cubins = alone(path, asked.cuda_bin, asked.jobs)
            worst = max(worst, mine / floor)
            print(
                f"nvdisasm alone on {cubins} cubins {floor:.1f} s ({cpu:.1f} s of processors): "
                f"ratio {mine / floor:.2f} (limit {LIMIT}), {my_cpu / cpu:.2f} of processors; "
                f"memory {peak:.0f} MB",
                flush=True,
            )
        if asked.texts:
            printing, scanning = texts(path, asked.cuda_bin, asked.texts)
            share = scanning / printing
            print(f"text: nvdisasm -c {printing:.1f} s, scan {scanning:.1f} s, ratio {share:.2f}")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
