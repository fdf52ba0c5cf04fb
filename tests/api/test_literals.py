"""The names of keywords as types: what each has is read, and a type checker refuses what is not."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, STDOUT, run
from typing import Any, get_args

import pytest

from smemdesc.api.options import literals, readers
from smemdesc.kinds.aliases import DTYPE_ALIASES
from smemdesc.kinds.formats import SCALED_FORMATS
from smemdesc.kinds.kind import ids, kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.names import KINDS, MMA_KINDS
from smemdesc.kinds.types import DTYPE_NAMES, read_by

OF_TYPES = {name for name, dtype in DTYPE_ALIASES.items() if dtype in DTYPE_NAMES} | set(DTYPE_NAMES)
PAIRS = {f"{a},{b}" for kind in MMA_KINDS for a in read_by(kind) for b in read_by(kind)} | {"b1,b1"}
NAMES: list[tuple[Any, Callable[[str, Any], Any], set[str]]] = [
    (literals.KindName, lambda _, name: kind_of(*readers.read_kind("kind", name).split(":")), {
        *KINDS, *(kind_id for name in KINDS for kind_id in ids(name))
    } - {"idesc"}),
    (literals.MmaKindName, readers.read_mma_kind, set(MMA_KINDS)),
    (literals.MajorName, readers.read_major, {"K", "MN", "M", "N"}),
    (literals.ModeName, readers.read_swizzle, {name for mode in MODES for name in (mode.name, mode.tma)}),
    (literals.TypeName, readers.read_dtype, OF_TYPES | {scaled.name for scaled in SCALED_FORMATS}),
    (literals.TypePair, readers.read_dtype_or_two, PAIRS),
    (literals.PlaceName, readers.read_place_of_a, {"smem", "registers", "tmem"}),
]  # fmt: skip


@pytest.mark.parametrize(("names", "read", "needed"), NAMES)
def test_the_names_of_the_tables_are_there_and_each_is_read(
    names: Any, read: Callable[[str, str], object], needed: set[str]
) -> None:
    assert needed <= set(get_args(names))
    for name in set(get_args(names)) - {"idesc"}:
        read("keyword", name)


RIGHT = """
import smemdesc
from smemdesc import Context, decode, encode
decode(64, "wgmma", dtype="bfloat16", major="K", shape=(64, 16), order="mn")
decode(64, "idesc", "f8f6f4", dtype="e4m3,e5m2", trans_a="N")
encode("wgmma", start_address=1024, stride_byte_offset=1024, swizzle="SWIZZLE_128B")
smemdesc.plan("128x128x64", "nvfp4", a_from="tmem")
smemdesc.tile("128x64", "bf16", swizzle="128B", major="MN").steps
Context(dtype="e4m3,e5m2", major="MN")
smemdesc.decode_many([1, 2], "tcgen05")["swizzle"]
"""
WRONG = [
    'decode(64, major="X")',
    'decode(64, "wgmm")',
    'decode(64, "idesc", "f17")',
    'decode(64, dtype="bf61")',
    'decode(64, dtype="bf16,e4m3")',
    'decode(64, trans_a="K")',
    'encode("wgmma", swizzle="129B")',
    'smemdesc.tile("128x64", "bf16", swizzle="sw")',
    'smemdesc.atom("128b", major="row")',
    'smemdesc.plan("128x128x64", "bf16", order="m")',
    'smemdesc.mma(1, inst="m64n64k16", dtype="bf16", a_from="global")',
    'smemdesc.operand(1, kind="sm_80")',
    'smemdesc.decode_many([1], "hop")',
    'smemdesc.explain_layout("x", "hop")',
    'smemdesc.tensormap(dtype="bf16", address=0, dim=1, swizzle="128")',
    'Context(order="row")',
]


@pytest.mark.corpus
def test_a_type_checker_sees_a_wrong_name(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    written = tmp_path / "written.py"
    written.write_text("\n".join((RIGHT.strip(), *WRONG, "")))
    # A cache of its own: another test may run mypy at the same time.
    options = ["--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "mypy", *options, str(written)]
    checked = run(command, stdout=PIPE, stderr=STDOUT, text=True, cwd=tmp_path)
    first = len(RIGHT.strip().splitlines()) + 1
    named = {int(line) for line in re.findall(r"written\.py:(\d+): error:", checked.stdout)}
    assert named == set(range(first, first + len(WRONG))), checked.stdout
