"""The stored dumps and their truth, and a count of the MMAs in a dump that only looks for mnemonics.

The truth is what is known of a kernel before it is compiled: the descriptors that its source asks for. There is one row
of values for each different MMA that the source issues at run time; a value is None where the MMA has no such
descriptor. ``known`` has the bits of each that the source settles, ``free`` those that arguments of the kernel decide.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Function as ScannedFunction

DUMPS = Path(__file__).parents[2] / "scanning" / "corpus"
TRUTH = DUMPS / "truth.json.xz"
SASS = ("nvdisasm", "cuobjdump")
TILE_LEVEL = ("ttgir",)
"""Forms whose operations work on whole tiles: they have no descriptors yet."""


class Row(NamedTuple):
    """The descriptors of one MMA, or a mask of bits for each."""

    a: int | None
    b: int | None
    idesc: int | None
    mask: int | None

    def texts(self) -> list[str | None]:
        """Hexadecimal, as in the truth file."""
        return [None if value is None else f"{value:#x}" for value in self]


ALL = Row((1 << 64) - 1, (1 << 64) - 1, (1 << 32) - 1, (1 << 64) - 1)
NONE = Row(0, 0, 0, 0)


class Op(NamedTuple):
    """One instruction of the source, perhaps issued many times."""

    facts: dict[str, Any]
    """``instruction`` (wgmma, tcgen05 or cp), types, shape, transposes and so on."""
    values: tuple[Row, ...]
    known: Row = ALL
    free: Row = NONE

    def json(self) -> dict[str, Any]:
        """The object that stands in the truth file."""
        masks = {"known": (self.known, ALL), "free": (self.free, NONE)}
        more = {key: row.texts() for key, (row, usual) in masks.items() if row != usual}
        return {"facts": self.facts, "values": [row.texts() for row in self.values], **more}


class Function(NamedTuple):
    """A kernel: its operations, and whether an analysis of one function may fail to see the descriptors."""

    ops: tuple[Op, ...]
    lost: str = ""
    """Why descriptors may be lost; empty: nothing should be."""

    def json(self) -> dict[str, Any]:
        """The object that stands in the truth file."""
        return {"lost": self.lost, "ops": [op.json() for op in self.ops]}


_SASS_MMA = re.compile(r"^\s*/\*[0-9a-f]+\*/.*?\s(?:[HQIB]GMMA|UTC[HQIO]MMA)\b")
_ADDED = re.compile(r"\sHGMMA\.64x8x16\.F16 \w+, gdesc\[\w+\], \w+, !UPT, gsb0")
_FORMS = {
    "nvdisasm": (re.compile(r"^//-+ \.text\.(\S+)"), _SASS_MMA, re.compile(r"\sUTCCP\b")),
    "cuobjdump": (re.compile(r"^\s*Function : (\S+)"), _SASS_MMA, re.compile(r"\sUTCCP\b")),
    "ptx": (
        re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)"),
        re.compile(r"\b(?:wgmma\.mma_async|tcgen05\.mma)\."),
        re.compile(r"\btcgen05\.cp\."),
    ),
    "llir": (
        re.compile(r'^define .*?@"?([\w$.]+)"?\('),
        re.compile(r"\b(?:wgmma\.mma_async|tcgen05\.mma)\."),
        re.compile(r"\btcgen05\.cp\."),
    ),
    "ttgir": (
        re.compile(r"tt\.func \w+ @([\w$]+)"),
        re.compile(r"= ttng\.warp_group_dot |\bttng\.tc_gen5_mma(?:_scaled)? "),
        re.compile(r"\bttng\.tmem_copy "),
    ),
}


def count(text: str, form: str) -> dict[str, dict[str, int]]:
    """Count ``mmas``, ``copies`` (tcgen05.cp) and ``added`` (empty MMAs that ptxas puts in) by function.

    ``added`` ones are among the ``mmas``. The mnemonic is all that is looked for.
    """
    head, mma, copy = _FORMS[form]
    found: dict[str, Counter[str]] = {}
    function = ""
    for line in text.splitlines():
        if form == "ptx":
            line = line.partition("//")[0]
        opening = head.search(line)
        if opening:
            function = opening[1]
        here = Counter(mmas=len(mma.findall(line)), copies=len(copy.findall(line)))
        if form in SASS and _ADDED.search(line):
            here["added"] += 1
        if any(here.values()):
            found.setdefault(function, Counter()).update(here)
    return {name: {key: n for key, n in sorted(each.items()) if n} for name, each in found.items()}


@cache
def scanned(text: str) -> tuple[ScannedFunction, ...]:
    """Return the functions of a text, of which several tests ask."""
    return scan_text(text).functions


@cache
def truth() -> dict[str, Any]:
    """Return what :mod:`make` stored: ``functions`` by unit and name, ``dumps`` by name.

    A function has ``lost`` (why descriptors may not be seen; mostly empty) and ``ops``: ``facts``, rows of
    ``values`` (a, b, idesc, mask; hexadecimal or null), the ``known`` bits of these if not all are, and the bits
    that are ``free``: arguments decide them. Whatever a scan knows of an MMA must agree with one row in full;
    only starts in the kernel's shared memory are known because ptxas places it at 0x400.
    A copy (tcgen05.cp) has its descriptor in the place of b. Triton's functions stand under ``triton`` by the
    name of the kernel, which is ``kernel`` in the dump; in the dumps they are called otherwise.

    A dump has ``unit``, ``form``, ``arch``, ``optimization``, ``compiler``, ``lost`` and ``functions``: counts by
    the name in the dump. In SASS, ``added`` of the ``mmas`` are empty ones of ptxas: no row has their
    descriptors, which are 0 (A and B). At -O0, SASS has a mask of 0 where the source gives none.
    """
    loaded: dict[str, Any] = json.loads(lzma.decompress(TRUTH.read_bytes()))
    return loaded


def texts(archive: Path) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of an archive."""
    with tarfile.open(archive, "r:xz") as box:
        for member in box:
            opened = box.extractfile(member)
            assert opened is not None
            yield member.name, opened.read().decode()


def store(archive: Path, texts: Mapping[str, str]) -> None:
    """Write an archive of texts, sorted by name."""
    with tarfile.open(archive, "w:xz", preset=9) as box:
        for name, text in sorted(texts.items()):
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            box.addfile(member, io.BytesIO(data))


def compile_texts(archive: Path, archs: Iterable[str], source: Callable[[str], str]) -> None:
    """Compile PTX that was written for each architecture, disassemble it, and store all of it in one archive."""
    tools = [os.environ.get(name.upper()) or shutil.which(name) for name in ("ptxas", "nvdisasm")]
    if None in tools:
        sys.exit("needs ptxas and nvdisasm 13.5: in PATH, or named by PTXAS and NVDISASM")
    ptxas, nvdisasm = map(str, tools)
    texts, stem = dict[str, str](), archive.name.partition(".")[0]
    with tempfile.TemporaryDirectory() as folder:
        for arch in archs:
            texts[f"{stem}.{arch}.ptx"] = source(arch)
            Path(folder, "k.ptx").write_text(source(arch))
            for level in ("O3", "O0"):
                subprocess.run([ptxas, f"-{level}", "-arch", arch, "k.ptx", "-o", "k.cubin"], cwd=folder, check=True)
                shown = subprocess.check_output([nvdisasm, "-c", "k.cubin"], cwd=folder, text=True)
                texts[f"{stem}.{arch}.{level}.sass"] = shown
    store(archive, texts)
    print(f"{len(texts)} dumps, {archive.stat().st_size} bytes")


def dumps(prefix: str = "") -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (name, text, entry of the truth) of the dumps whose names begin with ``prefix``."""
    own = {DUMPS / f"{name}.tar.xz" for name in ("ir", "rubin", "newest")}  # these have truth of their own
    for archive in sorted(set(DUMPS.glob("*.tar.xz")) - own):
        if archive.name.startswith(prefix) or prefix.startswith(archive.name.partition(".")[0]):
            for name, text in texts(archive):
                if name.startswith(prefix):
                    yield name, text, truth()["dumps"][name]
