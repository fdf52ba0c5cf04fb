"""Write the kernels, compile them with whatever compilers there are, disassemble, and store dumps and truth.

From the folder ``tests``: ``python -m scanning.corpus.make`` (``--keep FOLDER`` keeps what is in between). Tools are
found in PATH, or named by NVCC, NVDISASM, CUOBJDUMP, NVCC_OLD (a second, older compiler) and TRITON_PYTHON
(a Python that has Triton; without it the Triton dumps stay as they are). ``--ir`` compiles the kernels of
gluon_kernels.py and cute_kernels.py instead, and stores their IR with the PTX made of it: TRITON_PYTHON, and
CUTE_PYTHON with the CuTe DSL (nvidia-cutlass-dsl), are all that it needs.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from . import blackwell, hopper
from .dumps import HERE, SASS, TRUTH, count, store
from .kernels import Unit
from .triton_truth import function_of

FORMAT = 1
_PATH = re.compile(r'"/(?:[^"\n/]+/)+([^"\n/]*)"')


class Way(NamedTuple):
    """How a unit is compiled and printed. ``only``: units whose names end so; empty: all."""

    label: str
    options: tuple[str, ...]
    forms: tuple[str, ...]
    only: tuple[str, ...] = ()
    old: bool = False
    lost: str = ""
    """Why descriptors may not be seen."""


STACK = "variables live in local memory, so that descriptors are stored and loaded again"
MAIN = ("styles", "forms")
WAYS = (
    Way("O3", (), ("nvdisasm", "ptx")),
    Way("O3", (), ("cuobjdump",), MAIN),
    Way("O2", ("-Xptxas", "-O2"), ("nvdisasm",), (*MAIN, "types", "kinds")),
    Way("O1", ("-Xptxas", "-O1"), ("nvdisasm",)),
    Way("O0", ("-Xptxas", "-O0"), ("nvdisasm",)),
    Way("lines", ("-lineinfo",), ("nvdisasm -g", "nvdisasm -gi", "ptx"), ("styles",)),
    Way("cicc0", ("-Xcicc", "-O0", "-Xptxas", "-O0"), ("nvdisasm", "ptx"), MAIN, lost=STACK),
    Way("debug", ("-G",), ("nvdisasm", "ptx"), ("styles",), lost=STACK),
    Way("O3", (), ("nvdisasm", "ptx"), (), True),
    Way("O0", ("-Xptxas", "-O0"), ("nvdisasm",), MAIN, True),
)


class Box:
    """What is made: texts by name, their entries in the truth, and the lines of the manifest."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.entries: dict[str, dict[str, Any]] = {}
        self.lines: list[str] = []

    def put(self, name: str, text: str, command: str, **entry: Any) -> None:
        """Take in a dump; its MMAs are counted here."""
        text = _PATH.sub(r'"/src/\1"', text)
        if entry["form"] == "ptx":
            text = text.partition("\t.section\t.debug")[0]
        self.texts[name] = text
        self.entries[name] = {**entry, "functions": count(text, entry["form"])}
        self.lines.append(f"{name}: {command}")


def tool(variable: str, name: str) -> str | None:
    """Return a program: what the environment names, else what PATH has."""
    return os.environ.get(variable) or shutil.which(name)


def version(program: str) -> str:
    """Return the release, as in 13.5, and the build."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"release [\d.]+, V([\d.]+)", text)
    return found[1] if found else text.strip().splitlines()[-1]


def run(command: list[str], where: Path) -> str:
    """Run a tool and return what it prints; stop with its message where it fails."""
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[:4000]}{done.stdout[:2000]}")
    return done.stdout


def _plain(command: list[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:]])


def compile_unit(box: Box, unit: Unit, way: Way, programs: dict[str, str], where: Path) -> None:
    """Compile a unit in one way and take in its dumps."""
    nvcc = programs["NVCC_OLD" if way.old else "NVCC"]
    release = ".".join(version(nvcc).split(".")[:2])
    source = f"{unit.name}.cu"
    (where / source).write_text(unit.source)
    base = [nvcc, "-std=c++17", f"-arch={unit.arch}", *way.options]
    about = {"unit": unit.name, "arch": unit.arch, "optimization": way.label, "compiler": release, "lost": way.lost}
    for form in way.forms:
        stem = f"{unit.name}.{way.label}.{release}"
        if form == "ptx":
            command = [*base, "-ptx", "-o", f"{stem}.ptx", source]
            run(command, where)
            box.put(f"{stem}.ptx", (where / f"{stem}.ptx").read_text(), _plain(command), form="ptx", **about)
            continue
        command = [*base, "-cubin", "-o", f"{stem}.cubin", source]
        if not (where / f"{stem}.cubin").exists():
            run(command, where)
        show = [programs["NVDISASM"], "-c", *form.split()[1:], f"{stem}.cubin"]
        if form == "cuobjdump":
            show = [programs["CUOBJDUMP"], "-sass", f"{stem}.cubin"]
        extra = form.partition(" ")[2].replace("-", ".")
        name = f"{stem}{extra}.{'cuobjdump' if form == 'cuobjdump' else 'sass'}"
        box.put(name, run(show, where), f"{_plain(command)} && {_plain(show)}", form=form.split()[0], **about)


def compile_triton(box: Box, programs: dict[str, str], where: Path) -> dict[str, Any]:
    """Compile the Triton kernels and return their truth."""
    folder = where / "triton"
    folder.mkdir(exist_ok=True)
    python = programs["TRITON_PYTHON"]
    made = run([python, str(HERE / "triton_kernels.py"), str(folder)], where)
    truth = {}
    for line in made.splitlines():
        name, arch = line.split()
        about = {"unit": "triton", "arch": f"sm_{arch}a", "optimization": "O3", "compiler": "triton", "lost": ""}
        for form in ("ptx", "llir", "ttgir", "nvdisasm"):
            if form == "llir" and not name.endswith(("ptr_t", "tma", "_64")):
                continue
            file = f"{name}.cubin" if form == "nvdisasm" else f"{name}.{form}"
            if form == "nvdisasm":
                show = [programs["NVDISASM"], "-c", file]
                text, command = run(show, folder), f"triton_kernels.py && {_plain(show)}"
            else:
                text, command = (folder / file).read_text(), "triton_kernels.py"
            dump = f"triton_{name}.{'sass' if form == 'nvdisasm' else form}"
            box.put(dump, text, command, form=form, kernel=name, **about)
        truth[name] = function_of((folder / f"{name}.ptx").read_text()).json()
    return truth


def store_all(box: Box, functions: dict[str, Any], versions: dict[str, str], groups: set[str]) -> None:
    """Write the archives of the groups that were made, the truth and the manifest."""
    for group in sorted(groups):
        store(HERE / f"{group}.tar.xz", {name: text for name, text in box.texts.items() if name.startswith(group)})
    truth = {"format": FORMAT, "functions": functions, "dumps": box.entries}
    packed = json.dumps(truth, separators=(",", ":"), sort_keys=True).encode()
    TRUTH.write_bytes(lzma.compress(packed, preset=9))
    head = ["Tools:", *(f"  {name} {text}" for name, text in sorted(versions.items())), ""]
    (HERE / "MANIFEST").write_text("\n".join([*head, "Dumps:", *(f"  {line}" for line in sorted(box.lines))]) + "\n")


def run_script(variable: str, script: str, folder: Path, **more: str) -> None:
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


def texts_of(folder: Path) -> dict[str, str]:
    """Return the files by name, without the folders that they were made in and without what debuggers read."""
    found = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in (".ptx", ".ttgir", ".mlir"):
            text = _PATH.sub(r'"/src/\1"', file.read_text())
            found[file.name] = text.partition("\t.section\t.debug")[0]
    return found


def make_ir() -> None:
    """Make what is of compiler IR."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run_script("TRITON_PYTHON", "gluon_kernels.py", folder)
        for arch in ("sm_90a", "sm_100a"):
            run_script("CUTE_PYTHON", "cute_kernels.py", folder, CUTE_DSL_ARCH=arch)
        store(HERE / "ir.tar.xz", texts_of(folder))


def main() -> None:
    """Make all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--keep", type=Path, help="a folder for sources, binaries and texts")
    parser.add_argument("--ir", action="store_true", help="only what is of compiler IR")
    given = parser.parse_args()
    if given.ir:
        make_ir()
        return
    names = {name.upper(): name for name in ("nvcc", "nvdisasm", "cuobjdump")} | {"NVCC_OLD": "", "TRITON_PYTHON": ""}
    programs = {variable: found for variable, name in names.items() if (found := tool(variable, name))}
    missing = {"NVCC", "NVDISASM", "CUOBJDUMP"} - set(programs)
    if missing:
        sys.exit(f"needs {', '.join(sorted(missing))}: in PATH, or named by these environment variables")
    box = Box()
    functions: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        where = given.keep or Path(scratch)
        where.mkdir(exist_ok=True, parents=True)
        for unit in (*hopper.units(), *blackwell.units()):
            functions[unit.name] = {name: each.json() for name, each in unit.truth.items()}
            for way in WAYS:
                if (not way.only or unit.name.endswith(way.only)) and (not way.old or "NVCC_OLD" in programs):
                    compile_unit(box, unit, way, programs, where)
        groups = {"wgmma", "tcgen05"}
        if "TRITON_PYTHON" in programs:
            functions["triton"] = compile_triton(box, programs, where)
            groups.add("triton")
        if given.keep:
            for name, text in box.texts.items():
                (where / "dumps").mkdir(exist_ok=True)
                (where / "dumps" / name).write_text(text)
    versions = {each: version(program) for each, program in programs.items() if each != "TRITON_PYTHON"}
    if "TRITON_PYTHON" in programs:
        ask = (
            "import triton; from triton.backends.nvidia.compiler import get_ptxas; "
            "print(triton.__version__, *(f'ptxas for sm_{n}: {get_ptxas(n).version}' for n in (90, 100)))"
        )
        versions["Triton"] = run([programs["TRITON_PYTHON"], "-c", ask], HERE).strip()
    store_all(box, functions, versions, groups)
    for form in ("ptx", *SASS):
        entries = [each for each in box.entries.values() if each["form"] == form]
        total = sum(each.get("mmas", 0) for entry in entries for each in entry["functions"].values())
        print(f"{form}: {len(entries)} dumps, {total} MMAs")


if __name__ == "__main__":
    main()
