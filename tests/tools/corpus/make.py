"""Write the kernels, compile them with whatever compilers there are, disassemble, and store dumps and truth.

From the folder ``tests/tools``: ``python -m corpus.make`` (``--keep FOLDER`` keeps what is in between). Tools are
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
from .dumps import DUMPS, SASS, TRUTH, count, store
from .kernels import Unit
from .triton_truth import function_of

HERE = Path(__file__).parent
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


def cleaned(text: str, form: str) -> str:
    """Return a text without the folders that it was made in, PTX without what debuggers read."""
    text = _PATH.sub(r'"/src/\1"', text)
    return text.partition("\t.section\t.debug")[0] if form == "ptx" else text


class Box:
    """What is made: texts by name, their entries in the truth, and the lines of the manifest."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.entries: dict[str, dict[str, Any]] = {}
        self.lines: list[str] = []

    def put(self, name: str, text: str, command: str, **entry: Any) -> None:
        """Take in a dump; its MMAs are counted here."""
        self.texts[name] = text = cleaned(text, entry["form"])
        self.entries[name] = {**entry, "functions": count(text, entry["form"])}
        self.lines.append(f"{name}: {command}")


def version(program: str) -> str:
    """Return the release, as in 13.5, and the build."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"release [\d.]+, V([\d.]+)", text)
    return found[1] if found else text.strip().splitlines()[-1]


def run(command: list[str], where: Path, **more: str) -> str:
    """Run a tool and return what it prints; stop with its message where it fails."""
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, env={**os.environ, **more})
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-4000:]}{done.stdout[:2000]}")
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
    stem = f"{unit.name}.{way.label}.{release}"
    for form in way.forms:
        kind = "ptx" if form == "ptx" else "cubin"
        command = [*base, f"-{kind}", "-o", f"{stem}.{kind}", source]
        if not (where / f"{stem}.{kind}").exists():
            run(command, where)
        if form == "ptx":
            box.put(f"{stem}.ptx", (where / f"{stem}.ptx").read_text(), _plain(command), form="ptx", **about)
            continue
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
    made = run([programs["TRITON_PYTHON"], str(HERE / "triton_kernels.py"), str(folder)], where)
    truth = {}
    for line in made.splitlines():
        name, arch = line.split()
        about = {"unit": "triton", "arch": f"sm_{arch}a", "optimization": "O3", "compiler": "triton", "lost": ""}
        for form in ("ptx", "llir", "ttgir"):
            if form != "llir" or name.endswith(("ptr_t", "tma", "_64")):
                text = (folder / f"{name}.{form}").read_text()
                box.put(f"triton_{name}.{form}", text, "triton_kernels.py", form=form, kernel=name, **about)
        show = [programs["NVDISASM"], "-c", f"{name}.cubin"]
        command = f"triton_kernels.py && {_plain(show)}"
        box.put(f"triton_{name}.sass", run(show, folder), command, form="nvdisasm", kernel=name, **about)
        truth[name] = function_of((folder / f"{name}.ptx").read_text()).json()
    return truth


def store_all(box: Box, functions: dict[str, Any], versions: dict[str, str], groups: set[str]) -> None:
    """Write the archives of the groups that were made, the truth and the manifest."""
    for group in sorted(groups):
        store(DUMPS / f"{group}.tar.xz", {name: text for name, text in box.texts.items() if name.startswith(group)})
    truth = {"format": FORMAT, "functions": functions, "dumps": box.entries}
    packed = json.dumps(truth, separators=(",", ":"), sort_keys=True).encode()
    TRUTH.write_bytes(lzma.compress(packed, preset=9))
    head = ["Tools:", *(f"  {name} {text}" for name, text in sorted(versions.items())), ""]
    (DUMPS / "MANIFEST").write_text("\n".join([*head, "Dumps:", *(f"  {line}" for line in sorted(box.lines))]) + "\n")


def make_ir() -> None:
    """Make what is of compiler IR."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for variable, script, arch in (
            ("TRITON_PYTHON", "gluon_kernels.py", ""),
            ("CUTE_PYTHON", "cute_kernels.py", "sm_90a"),
            ("CUTE_PYTHON", "cute_kernels.py", "sm_100a"),
        ):
            if not (python := os.environ.get(variable)):
                sys.exit(f"{variable} is to name a Python")
            made = run([python, str(HERE / script), str(folder)], folder, CUTE_DSL_ARCH=arch)
            print(made, end="")
            if not made.strip() or "# " in made:
                sys.exit(1)
        files = [file for file in folder.iterdir() if file.suffix in (".ptx", ".ttgir", ".mlir")]
        store(DUMPS / "ir.tar.xz", {file.name: cleaned(file.read_text(), file.suffix[1:]) for file in files})


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
    programs = {
        variable: found for variable, name in names.items() if (found := os.environ.get(variable) or shutil.which(name))
    }
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
        for name, text in box.texts.items() if given.keep else ():
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
