"""Makes what runs: ``python3 -m silicon.known_bits.build`` (in tests/tools) compiles the kernels and disassembles them.

Needs ptxas and nvdisasm, no GPU. All goes to ``build/`` beside this file: a cubin and its dump for each
optimisation, and ``about.json``, which says of what and by what they were made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from silicon.known_bits import frames, kernels, rolled, steps, ways
from silicon.known_bits.record import BUILD, FRAMES, LEVELS, ROLLED, STEPS, WAYS

MADE = {"": kernels, WAYS: ways, STEPS: steps, ROLLED: rolled, FRAMES: frames}
"""What makes the kernels, by what stands before the level."""


def prefix(level: str) -> str:
    """Return which kernels these are."""
    return next(kind for kind in reversed(MADE) if level.startswith(kind))


def version(program: str) -> str:
    """Return the line in which a compiler says its version."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return next(line for line in said.splitlines() if "release" in line).strip()


def digest(data: bytes) -> str:
    """Return the SHA-256."""
    return hashlib.sha256(data).hexdigest()


def build(folder: Path, ptxas: str, nvdisasm: str, kinds: Collection[str]) -> None:
    """Compile and disassemble the kernels of these kinds, or all."""
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    cubins, texts = {}, {}
    for kind in kinds or MADE:
        programs = MADE[kind].make()
        ptx = folder / f"{kind}kernels.ptx"
        ptx.write_text(kernels.module(programs))
        texts[f"{kind}ptx"] = digest(ptx.read_bytes())
        for level in LEVELS:
            cubin = folder / f"{kind}{level}.cubin"
            command = [ptxas, "-arch=sm_90a", f"-{level}", ptx, "-o", cubin]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            dump = subprocess.run([nvdisasm, cubin], check=True, capture_output=True).stdout
            (folder / f"{kind}{level}.sass").write_bytes(dump)
            cubins[f"{kind}{level}"] = digest(cubin.read_bytes())
    about = {
        "compiler": f"ptxas {version(ptxas)}",
        "disassembler": f"nvdisasm {version(nvdisasm)}",
        **texts,
        "cubins": cubins,
    }
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n")


def main() -> int:
    """Build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptxas", default="ptxas", help="the compiler")
    parser.add_argument("--nvdisasm", default="nvdisasm", help="the disassembler")
    parser.add_argument("kinds", nargs="*", help="only these, such as frames-")
    given = parser.parse_args()
    build(BUILD, given.ptxas, given.nvdisasm, given.kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
