"""Compile the kernels of gluon_kernels.py and cute_kernels.py, and store their IR with the PTX made of it.

From the folder ``tests``: ``python -m scanning.corpus.make_ir``. TRITON_PYTHON and CUTE_PYTHON name a Python that has
Triton and one that has the CuTe DSL (nvidia-cutlass-dsl); no GPU is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .dumps import HERE, store
from .make import _PATH

ARCHIVE = HERE / "ir.tar.xz"


def run(variable: str, script: str, folder: Path, **more: str) -> None:
    """Run a script that compiles; stop where it fails."""
    python = os.environ.get(variable)
    if not python:
        sys.exit(f"{variable} is to name a Python")
    done = subprocess.run(
        [python, str(HERE / script), str(folder)], env={**os.environ, **more}, capture_output=True, text=True
    )
    print(done.stdout, end="")
    if done.returncode or not done.stdout.strip() or "# " in done.stdout + done.stderr:
        sys.exit(done.stderr[-4000:])


def texts(folder: Path) -> dict[str, str]:
    """Return the files by name, without the folders that they were made in and without what debuggers read."""
    found = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in (".ptx", ".ttgir", ".mlir"):
            text = _PATH.sub(r'"/src/\1"', file.read_text())
            found[file.name] = text.partition("\t.section\t.debug")[0]
    return found


def main() -> None:
    """Make all of it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run("TRITON_PYTHON", "gluon_kernels.py", folder)
        for arch in ("sm_90a", "sm_100a"):
            run("CUTE_PYTHON", "cute_kernels.py", folder, CUTE_DSL_ARCH=arch)
        store(ARCHIVE, texts(folder))


if __name__ == "__main__":
    main()
