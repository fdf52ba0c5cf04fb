"""What ptxas takes on which architecture: every kind, form and qualifier of the instructions that read descriptors.

``python -m evidence.ptxas`` (from the folder ``tests/tools``) asks ptxas for every combination and writes
``tests/evidence/ptxas.txt`` anew; it is found in PATH, or named by PTXAS. ``tests/kinds/test_archs.py`` holds the
table of the program to this record.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evidence.copies import instructions

RECORD = Path(__file__).parents[2] / "evidence" / "ptxas.txt"
VERSION = "9.5"
"""Of PTX: the newest one that the tables were read against."""
TARGETS = (
    *("sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_101a", "sm_103", "sm_103a", "sm_103f"),
    *("sm_107", "sm_107a", "sm_107f", "sm_110", "sm_110a", "sm_110f"),
    *("sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f"),
)
KINDS = ("tf32", "f16", "f8f6f4", "i8", "ti16", "mxf8f6f4", "mxf4", "mxf4nvf4")
SCALED = ("mxf8f6f4", "mxf4", "mxf4nvf4")
USES = ("fill", "use", "lastuse", "discard")
BLOCKS = ("", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X", ".block16", ".block32")
COPIES = ("128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4")
FORMATS = ("", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64")
WGMMA = {
    # what stands after the shape: the K of a dense one, and the registers of A and D
    "f32.f16.f16": 16,
    "f16.f16.f16": 16,
    "f32.bf16.bf16": 16,
    "f32.tf32.tf32": 8,
    "f32.e4m3.e4m3": 32,
    "f16.e4m3.e5m2": 32,
    "s32.s8.s8": 32,
    "s32.u8.s8": 32,
    "s32.b1.b1": 256,
}


class Case(NamedTuple):
    """One instruction: what it is called in the record, and its text."""

    family: str
    """``tcgen05.mma``, ``tcgen05.mma.ws``, ``tcgen05.cp`` or ``wgmma``."""
    kind: str
    """The MMA kind, the shape of a copy, or the types of a wgmma."""
    qualifier: str
    form: str
    """What is left: the CTA group, sparsity, where A is, N."""
    text: str

    @property
    def group(self) -> int:
        """The CTA group: ptxas takes one only in a function."""
        return 2 if "cta_group::2" in self.text else 1


def mma(
    kind: str, qualifier: str = "", *, group: int = 1, ws: bool = False, sparse: bool = False, tensor: bool = False
) -> Case:
    """Return a tcgen05.mma; ``qualifier`` may also be one of the operands ``scale-d``, ``mask`` and ``lanes``."""
    name = "tcgen05.mma" + (".ws" if ws else "")
    after = "" if qualifier in ("scale-d", "mask", "lanes") else qualifier
    scaled = ".block_scale" if kind in SCALED else ""
    words = ["[d]", "[t]" if tensor else "a", "b", *(["[s]"] if sparse else [])]
    words += ["[t]", "i"] if "::lut" in qualifier else ["i"]
    words += ["[s]", "[t]"] if scaled else []
    words += ["{" + ", ".join(f"m{i}" for i in range(4 * group)) + "}"] if qualifier == "lanes" else []
    words += ["p", *(["3"] if qualifier == "scale-d" else []), *(["z"] if qualifier == "mask" else [])]
    text = f"{name}{'.sp' if sparse else ''}.cta_group::{group}.kind::{kind}{scaled}{after} {', '.join(words)};"
    form = f"cta {group} {'sparse' if sparse else 'dense'} {'tensor' if tensor else 'shared'}"
    return Case(name, kind, qualifier or "-", form, text)


def qualifiers(kind: str) -> Iterator[str]:
    """Yield the qualifiers of a tcgen05.mma without .ws."""
    yield from BLOCKS if kind in SCALED else ("",)
    usual = ".block16" if kind == "mxf4nvf4" else ""
    for a in ("", *USES):
        for b in ("", *USES):
            if a or b:
                yield usual + (f".collector::a::{a}" if a else "") + (f".collector::b::{b}" if b else "")
    yield usual + ".ashift"
    yield usual + ".decompress::lut::b"
    yield usual + ".decompress::lut::b.collector::b::fill"
    if not usual:
        yield from ("scale-d", "lanes")


def cases() -> Iterator[Case]:
    """Yield every instruction that is asked about."""
    for kind in KINDS:
        for qualifier in qualifiers(kind):
            for group, sparse, tensor in itertools.product((1, 2), (False, True), (False, True)):
                yield mma(kind, qualifier, group=group, sparse=sparse, tensor=tensor)
        collectors = [f".collector::b{buffer}::{use}" for buffer in range(4) for use in USES]
        without = (".ashift", ".decompress::lut::b", ".collector::a::fill", ".collector::b::fill")
        for qualifier in ("", "mask", *without, *collectors):
            for group, sparse, tensor in itertools.product((1, 2), (False, True), (False, True)):
                yield mma(kind, qualifier, group=group, ws=True, sparse=sparse, tensor=tensor)
    for shape, formats, group in itertools.product(COPIES, FORMATS, (1, 2)):
        text = f"tcgen05.cp.cta_group::{group}.{shape}{formats} [d], b;"
        yield Case("tcgen05.cp", shape, formats or "-", f"cta {group}", text)
    yield from wgmmas()
    yield from (Case(family, kind, qualifier, "-", text) for family, kind, qualifier, text in instructions())


def wgmmas() -> Iterator[Case]:
    """Yield the wgmma of every type, with the N of both step sizes."""
    for types, k in WGMMA.items():
        d, a, _ = types.split(".")
        for sparse, n in itertools.product((False, True), (8, 24, 40, 64, 240, 256)):
            registers = ", ".join(f"r{i}" for i in range(n // 4 if d == "f16" else n // 2))
            tail = ["p"] if d == "s32" else ["p", "1", "1", *(["0", "0"] if a in ("f16", "bf16") else [])]
            popc = ".and.popc" if a == "b1" else ""
            words = [f"{{{registers}}}", "a", "b", *(["i", "0"] if sparse else []), *tail]
            shape = f"m64n{n}k{k * (2 if sparse else 1)}"
            name = f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.{shape}.{types}{popc}"
            yield Case("wgmma", types, "-", f"{'sparse' if sparse else 'dense'} n{n}", f"{name} {', '.join(words)};")


def source(texts: Iterable[str], target: str) -> str:
    """Return a module with one instruction a line."""
    names = ", ".join(f"m{i}" for i in range(8))
    floats = ", ".join(f"r{i}" for i in range(128))
    zeros = " ".join(f"mov.b32 {name}, 0;" for name in ("d", "i", "s", "t", *(f"m{i}" for i in range(8))))
    zeros += " ".join(f"mov.b32 r{i}, 0;" for i in range(128))
    head = (
        f".version {VERSION}\n.target {target}\n.address_size 64\n.visible .entry k() {{\n"
        f".reg .b32 d, i, s, t, {names}, {floats}; .reg .b64 a, b, z; .reg .pred p; .reg .b16 h;\n"
        f"{zeros} mov.b64 a, 0; mov.b64 b, 0; mov.b64 z, 0; mov.b16 h, 0; setp.ne.b32 p, d, 0;\n"
    )
    return head + "\n".join(texts) + "\nret;\n}\n"


HEAD = 6
"""Lines of a module before the first instruction."""
_WRONG = re.compile(r"line (\d+); error\s*: (.*)")


_NEWER = (
    f"{{}} takes PTX {{}}, but the tables were read against {VERSION}: read the release notes of the PTX ISA, then "
    "its wgmma, tcgen05 and tensormap, and change VERSION in evidence/ptxas.py (docs/evidence.md)"
)
_OLDER = f"{{}} takes PTX up to {{}}, but the probes are written in {VERSION}: use a newer ptxas"


@cache
def ptxas() -> str:
    """Return the program, which takes the version of PTX that the tables were read against, and no newer one."""
    program = os.environ.get("PTXAS") or shutil.which("ptxas")
    if not program:
        sys.exit("needs ptxas: in PATH, or named by PTXAS")
    listed = subprocess.run([program, "--list-version"], capture_output=True, text=True, check=True).stdout
    newest = max(listed.split(), key=_numbers)
    if newest != VERSION:
        sys.exit((_NEWER if _numbers(newest) > _numbers(VERSION) else _OLDER).format(program, newest))
    return program


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def compiled(text: str, arch: str) -> str:
    """Return what ptxas says against a module; empty where it takes it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "k.ptx"
        file.write_text(text)
        command = [ptxas(), "-O0", "-arch", arch, str(file), "-o", str(Path(folder) / "k.cubin")]
        done = subprocess.run(command, capture_output=True, text=True)
        return (done.stdout + done.stderr).strip() if done.returncode else ""


def taken(asked: list[Case], target: str) -> set[Case]:
    """Return the instructions that ptxas takes for a target: what it rejects is left out until it rejects nothing."""
    left = list(asked)
    while left:
        said = compiled(source((each.text for each in left), target), target)
        if not said:
            return set(left)
        wrong = {int(found[1]) - HEAD - 1 for found in _WRONG.finditer(said)}
        if not wrong:
            if "is not defined" in said or len(left) == 1:
                return set()
            half = len(left) // 2  # it says no line: find out by halves
            return taken(left[:half], target) | taken(left[half:], target)
        left = [each for number, each in enumerate(left) if number not in wrong]
    return set()


def version() -> str:
    """Return the release and build of ptxas."""
    said = subprocess.run([ptxas(), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"V([\d.]+)", said)
    return found[1] if found else said.strip().splitlines()[-1]


class Row(NamedTuple):
    """One line of the record: which targets take an instruction, in some of its forms."""

    family: str
    kind: str
    qualifier: str
    forms: tuple[str, ...]
    """``any``: all forms that were asked about, alike."""
    targets: tuple[str, ...]


def rows(asked: list[Case], answers: dict[str, set[Case]]) -> Iterator[Row]:
    """Yield the record: the forms of one kind and qualifier that the same targets take in one line."""
    groups: dict[tuple[str, str, str], dict[tuple[str, ...], list[str]]] = {}
    for each in asked:
        targets = tuple(target for target in TARGETS if each in answers[target])
        key = (each.family, each.kind, each.qualifier)
        groups.setdefault(key, {}).setdefault(targets, []).append(each.form)
    for (family, kind, qualifier), by_targets in groups.items():
        for targets, forms in by_targets.items():
            yield Row(family, kind, qualifier, ("any",) if len(by_targets) == 1 else tuple(forms), targets)


def families() -> Iterator[tuple[str, str]]:
    """Yield (family target, architecture) where ptxas compiles code of the first for the second."""
    plain = source([mma("f16").text], "TARGET")
    for target in (each for each in TARGETS if each.endswith("f")):
        for arch in (each for each in TARGETS if each.endswith("a")):
            text = plain.replace("TARGET", target) if "sm_12" not in target else source((), target)
            if not compiled(text, arch):
                yield target, arch


def main() -> None:
    """Ask, and write the record."""
    asked = list(cases())
    answers = {
        target: {each for group in (1, 2) for each in taken([one for one in asked if one.group == group], target)}
        for target in TARGETS
    }
    members: dict[str, list[str]] = {}
    for target, arch in families():
        members.setdefault(target, []).append(arch)
    lines = [
        f"# ptxas {version()}, PTX {VERSION}: {len(asked)} instructions for {len(TARGETS)} targets.",
        "# python -m evidence.ptxas writes this file.",
        "# family: code of this target is taken for these. Else: instruction, kind or shape, qualifier or operand,",
        "# forms (any: all that there are), and the targets that take it.",
    ]
    lines += [f"family | {target} | {' '.join(archs)}" for target, archs in members.items()]
    for row in rows(asked, answers):
        forms = ", ".join(row.forms)
        lines.append(f"{row.family} | {row.kind} | {row.qualifier} | {forms} | {' '.join(row.targets) or 'none'}")
    RECORD.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} lines")


class Record(NamedTuple):
    """The record as it was read."""

    rows: tuple[Row, ...]
    families: dict[str, tuple[str, ...]]


@cache
def record() -> Record:
    """Read the record."""
    found, members = [], {}
    for line in RECORD.read_text().splitlines():
        words = [each.strip() for each in line.split("|")]
        if words[0] == "family":
            members[words[1]] = tuple(words[2].split())
        elif not line.startswith("#"):
            targets = () if words[4] == "none" else tuple(words[4].split())
            found.append(Row(words[0], words[1], words[2], tuple(words[3].split(", ")), targets))
    return Record(tuple(found), members)


if __name__ == "__main__":
    main()
