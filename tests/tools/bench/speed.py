"""Speed against floors measured in the same run: ``python tests/tools/bench/speed.py``.

Each line is a ratio: the program's time over that of a Python that does the unavoidable part and nothing else (time of
the processor; on a terminal, time that passes). The two run in turn (A B A B ...), the median of the pairwise ratios is
printed, so that a machine whose speed drifts does not matter. Of streams it says values a second. The package is
compiled first, as pip does when it installs it.

Options: ``--runs N`` (pairs for start-up, default 25), ``--values N`` (stream length, default 100000).
"""

from __future__ import annotations

import argparse
import compileall
import os
import pty
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import smemdesc

VALUE = "0x4000404000010040"
PROGRAM = [sys.executable, "-P", "-c", "from smemdesc.cli import main; main()"]
GRIDS = {
    "atom, 64 x 8 elements": ["atom", "--swizzle", "128B", "--major", "MN", "--elements"],
    "fragment, 64 x 64 elements": [
        "fragment", "--shape", "m64n64k16", "--operand", "d", "--dtype", "f32", "--all",
    ],
    "operand, 64 x 64, K-major": ["operand", VALUE, "--dtype", "bf16", "--major", "K", "--shape", "64x64"],
    "operand, 64 x 64, MN-major": ["operand", VALUE, "--dtype", "bf16", "--major", "MN", "--shape", "64x64"],
    "operand, 64 x 64, every element": [
        "operand", VALUE, "--dtype", "bf16", "--major", "K", "--shape", "64x64", "--list",
    ],
    "tile, 64 x 64": ["tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "none"],
}  # fmt: skip
"""What ``layout`` draws on a terminal. No atom is 64 x 64 elements: the largest are 64 x 8 and 8 x 64 of 16 bits."""
ENCODE = ["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B", "--format", "c"]
Timed = Callable[[], float]


def in_pipe(command: list[str], path: str | Path = os.devnull) -> float:
    """Seconds of the processor for one run with ``path`` as its input and its output in a pipe."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(path) as stdin:
        subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def on_terminal(command: list[str]) -> float:
    """Seconds of one run on a pseudo-terminal."""
    start = time.perf_counter()
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(TERM="xterm-256color", COLUMNS="100", PAGER="cat")
        os.environ.pop("NO_COLOR", None)
        os.execv(command[0], command)
    try:
        while os.read(fd, 65536):
            pass
    except OSError:  # the terminal is gone when the program is
        pass
    os.waitpid(pid, 0)
    os.close(fd)
    return time.perf_counter() - start


def ratio(one: Timed, floor: Timed, runs: int) -> tuple[float, float, float]:
    """Median of the pairwise ratios, and both medians in seconds."""
    one(), floor()
    pairs = [(one(), floor()) for _ in range(runs)]
    return (
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
    )


def kernels(count: int, rng: random.Random) -> Iterator[int]:
    """Descriptors as a kernel's K loop has them: four K steps of every tile."""
    from smemdesc.engine.fields import join_words
    from smemdesc.kinds.kind import kind_of

    while True:
        kind = kind_of(rng.choice(["wgmma", "tcgen05"]))
        table = kind.table
        swizzle = rng.choice(["32B", "64B", "128B"])
        base = table.pack(
            table.encode(
                {
                    "start_address": rng.randrange(200) * 1024,
                    "stride_byte_offset": {"32B": 256, "64B": 512, "128B": 1024}[swizzle],
                    "leading_byte_offset": rng.choice([16, 4096, 8192]),
                    "swizzle": swizzle,
                }
            )
        )
        for step in range(4):
            yield base + join_words(0, 2 * step)
            count -= 1
            if not count:
                return


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--values", type=int, default=100_000)
    chosen = parser.parse_args()
    compileall.compile_dir(str(Path(smemdesc.__file__).parent), quiet=1)
    click = [sys.executable, "-P", "-c", "import click"]
    engine = [sys.executable, "-P", "-c", "import click, bitstring"]
    drawn = [sys.executable, "-P", "-c", "import click, bitstring, rich.console, rich.table, rich.text"]
    starts = [
        ("--version", in_pipe, ["--version"], click, "click", 1.10),
        ("--help", in_pipe, ["--help"], click, "click", 1.10),
        ("decode --field", in_pipe, ["decode", "--field", "swizzle", VALUE], engine, "click, bitstring", 1.10),
        ("decode --json", in_pipe, ["decode", "--json", VALUE], engine, "click, bitstring", 1.10),
        ("encode --format c", in_pipe, ENCODE, engine, "click, bitstring", None),
        ("decode, in a pipe", in_pipe, ["decode", VALUE], drawn, "... and rich.console, .table, .text", 1.10),
        ("decode, on a terminal", on_terminal, ["decode", VALUE], drawn, "the same", 1.10),
        ("decode, ambiguous", on_terminal, ["decode", "0x08200490"], drawn, "the same", None),
        ("fields wgmma, in a pipe", in_pipe, ["fields", "wgmma"], drawn, "the same", 1.10),
        *((name, on_terminal, ["layout", *arguments], drawn, "the same", 1.50) for name, arguments in GRIDS.items()),
        *(
            (f"{name}, in a pipe", in_pipe, ["layout", *arguments], drawn, "the same", None)
            for name, arguments in GRIDS.items()
        ),
    ]
    print(f"python {sys.version.split()[0]}, {chosen.runs} pairs of runs, medians")
    print(f"{'what':38} {'ratio':>6} {'limit':>6}   ms     floor ms  floor imports")
    for name, timed, arguments, floor, label, limit in starts:
        got, mine, other = ratio(
            lambda timed=timed, arguments=arguments: timed([*PROGRAM, *arguments]),
            lambda timed=timed, floor=floor: timed(floor),
            chosen.runs,
        )
        shown = f"{limit:6.2f}" if limit else "     -"
        print(f"{name:38} {got:6.2f} {shown}   {mine * 1e3:5.1f}  {other * 1e3:5.1f}     {label}")
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        streams = {
            "K loops of kernels": kernels(chosen.values, rng),
            "random 64-bit values": (rng.getrandbits(64) for _ in range(chosen.values)),
        }
        print(f"\nstream of {chosen.values} values, decode --json -: values a second, by the processor's time")
        for name, values in streams.items():
            path = Path(folder, "values")
            path.write_text("".join(f"0x{value:016x}\n" for value in values))
            rates = [chosen.values / in_pipe([*PROGRAM, "decode", "--json", "-"], path) for _ in range(3)]
            print(f"{name:38} {statistics.median(rates):6.0f} {5000:6d}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of any child: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
