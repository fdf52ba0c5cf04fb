"""Which kernels of two builds are compared: those that belong together, and none where that is not clear."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest
from run import smemdesc
from tables import every_row

from smemdesc.scanning.results.pairing import Feature, Signature, cheapest_assignment, pair_kernels

PTX = """.version 8.7
.target {arch}
.file 1 "k.py"
.visible .entry {name}()
{{
.loc 1 {line} 1
mov.b64 %rd1, 0x4000404000010040;
mov.b64 %rd2, {b};
mov.b32 %r1, {idesc};
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
ret;
}}
"""
B = 0x4000404000010440
LBO, SBO = 1 << 16, 1 << 32
"""One unit of each stride."""


def kernel(name: str = "mm", b: int = B, idesc: int = 0x08200490, arch: str = "sm_100a", line: int = 1) -> str:
    return PTX.format(name=name, b=f"{b:#x}", idesc=f"{idesc:#x}", arch=arch, line=line)


def diff(old: list[str], new: list[str], folder: Path, *options: str) -> tuple[str, int]:
    """Compare two caches: each kernel is in a folder named by a hash."""
    folder = Path(mkdtemp(dir=folder))
    for side, kernels in (("old", old), ("new", new)):
        for number, text in enumerate(kernels):
            (folder / side / f"{side}{number:07x}").mkdir(parents=True)
            (folder / side / f"{side}{number:07x}" / "mm.ptx").write_text(text)
    ran = smemdesc("scan", "--diff", *options, str(folder / "old"), str(folder / "new"))
    return ran.out, ran.status


WIDE, NARROW = 0x08200490, 0x08100490
"""N 128, and N 64."""


@pytest.mark.slow
@every_row(
    ("old", "new", "statuses"),
    [
        ([kernel(), kernel(idesc=NARROW)], [kernel(idesc=NARROW), kernel()], ["same", "same"]),
        ([kernel(), kernel(idesc=NARROW)], [kernel(idesc=NARROW), kernel(b=B + SBO)], ["changed", "same"]),
        ([kernel(), kernel(idesc=NARROW)], [kernel(idesc=NARROW), kernel(b=B + LBO)], ["same", "without_effect"]),
        ([kernel(), kernel()], [kernel(b=B + SBO), kernel(b=B + SBO)], ["changed", "changed"]),
        ([kernel(), kernel(b=B + SBO)], [kernel(b=B + 2 * SBO), kernel(b=B + 3 * SBO)], ["ambiguous"]),
        ([kernel(), kernel(b=B + SBO)], [kernel(b=B + 2 * SBO)], ["ambiguous"]),
        ([kernel(line=3), kernel(b=B + SBO, line=4)], [kernel(b=B + 2 * SBO, line=4), kernel(b=B + 3 * SBO, line=3)],
         ["changed", "changed"]),
        ([kernel(), kernel(idesc=NARROW)], [kernel()], ["only_old", "same"]),
        ([kernel("a"), kernel("b")], [kernel("b"), kernel("a", b=B + SBO)], ["changed", "same"]),
        ([kernel("a_0123456789abcdef"), kernel("b")], [kernel("b"), kernel("a_fedcba9876543210")], ["same", "same"]),
    ],
)  # fmt: skip
def test_what_belongs_together(old: list[str], new: list[str], statuses: list[str], tmp_path: Path) -> None:
    out, _ = diff(old, new, tmp_path, "--json")
    assert sorted(json.loads(line)["status"] for line in out.splitlines()) == statuses


@every_row(
    ("old", "new", "check", "strict"),
    [
        ([kernel()], [kernel()], 0, 0),
        ([kernel()], [kernel(b=B + SBO)], 1, 1),
        ([kernel()], [kernel(b=B + LBO)], 0, 1),
        ([kernel(), kernel(b=B + SBO)], [kernel(b=B + 2 * SBO), kernel(b=B + 3 * SBO)], 0, 1),
    ],
)
def test_what_check_and_strict_count(old: list[str], new: list[str], check: int, strict: int, tmp_path: Path) -> None:
    assert [diff(old, new, tmp_path, option)[1] for option in ("--check", "--strict")] == [check, strict]


def test_identical_changes_are_one_and_those_without_effect_are_last(tmp_path: Path) -> None:
    old = [kernel(f"k{number}") for number in range(4)]
    new = [kernel(f"k{number}", b=B + (SBO if number == 3 else LBO)) for number in range(4)]
    out, _ = diff(old, new, tmp_path)
    assert "4 functions with MMAs in both, 1 with different descriptors, 3 with changes without effect" in out
    assert "3 functions: changed B LBO 16 B -> 32 B, without effect" in out
    assert out.index("SBO 1024 B -> 1040 B") < out.index("3 functions:")
    assert "old0000003/mm.ptx:4 -> new0000003/mm.ptx:4" in out


@pytest.mark.parametrize("form", ["short", "github", "sarif"])
def test_other_formats_have_the_same(form: str, tmp_path: Path) -> None:
    out, status = diff([kernel()], [kernel(b=B + SBO)], tmp_path, "--check", "--format", form)
    assert ("B SBO 1024 B -> 1040 B" in out, "descriptor-changed" in out, status) == (True, True, 1)


def test_what_is_not_clear_is_said(tmp_path: Path) -> None:
    out, _ = diff([kernel(), kernel(b=B + SBO)], [kernel(b=B + 2 * SBO), kernel(b=B + 3 * SBO)], tmp_path)
    assert "ambiguous: 2 functions named mm" in out
    assert "changed" not in out


MAP = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd9], {};\nret;"


@pytest.mark.parametrize(("new", "status"), [(3, 0), (2, 1)])
def test_a_tensor_map_that_changed_is_a_change(new: int, status: int, tmp_path: Path) -> None:
    both = [kernel().replace("ret;", MAP.format(mode)) for mode in (3, new)]
    out, was = diff(both[:1], both[1:], tmp_path, "--check")
    assert ("tensor map swizzle_mode 3 = 128B -> 2 = 64B" in out, was) == (bool(status), status)


def test_the_assignment_is_the_cheapest() -> None:
    random = Random(50)
    for size in (1, 2, 3, 4, 5):
        for _ in range(20):
            costs = [[float(random.randrange(6)) for _ in range(size)] for _ in range(size)]
            column_of, tight = cheapest_assignment(costs)
            every = {order: sum(costs[row][at] for row, at in enumerate(order)) for order in permutations(range(size))}
            best = {order for order, cost in every.items() if cost == min(every.values())}
            assert tuple(column_of) in best
            assert {(row, at) for order in best for row, at in enumerate(order)} <= {
                (row, at) for row, columns in enumerate(tight) for at in columns
            }


def test_each_kernel_has_one_partner_at_most() -> None:
    random = Random(5)
    for _ in range(30):
        sides = [
            [
                Signature("", "mm", None, "f16", frozenset(Feature(1, random.randrange(4)) for _ in range(3)))
                for _ in range(random.randrange(1, 7))
            ]
            for _ in range(2)
        ]
        pairs = pair_kernels(*sides)
        unclear = [number for group in pairs.ambiguous for number in group[0]]
        assert len({*pairs.partner.values()}) == len(pairs.partner)
        assert not {*pairs.partner.values()} & {*unclear}
