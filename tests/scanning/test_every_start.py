"""A mistake is found whether the start is a number, a symbol or typed as a base and an offset: no more and no less."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

import pytest
from run import smemdesc
from tables import every_row

from smemdesc import mma, scan
from smemdesc.rules.mistakes import RULES

BASE = 1024
"""The byte address of the buffer, where it is a number; the symbol is aligned to it."""


class Case(NamedTuple):
    """Two operands without their starts, what follows the buffer's address, and what is found."""

    a: int
    b: int
    tail: str
    """The instruction descriptor and the kind, or the instruction of wgmma and its type."""
    rules: tuple[str, ...]
    a_offset: int = 0
    b_offset: int = 0x4000
    transposed: str = "0, 0"
    """The transposing immediates of a wgmma."""


K128, K64, K32 = 0x4000404000010000, 0x8000402000010000, 0xC000401000010000
"""K-major tiles of tcgen05."""
MN128 = 0x4000404002000000
"""An MN-major tile of 64 k: LBO 8192 B, SBO 1024 B."""
H128, H_MN = 0x4000004000010000, 0x4000004002000000
"""The same for wgmma."""
F16, F16_B, F16_A, F16_AB = "0x08200490 f16", "0x08210490 f16", "0x08208490 f16", "0x08218490 f16"
WGMMA = "m64n128k16 bf16"

RIGHT = [
    *(Case(tile, tile, F16, ()) for tile in (K128, K64, K32)),
    Case(K128, K128, F16, (), 0x20, 0x4020),
    Case(K64, K64, F16, (), 0x20, 0x4020),
    Case(K128, MN128, F16_B, ()),
    Case(K128, MN128, F16_B, (), 0x20, 0x4800),
    Case(MN128, MN128, F16_AB, (), 0x800, 0x4800),
    Case(H128, H128, WGMMA, (), 0x60, 0x4060),
    Case(H128, H_MN, WGMMA, (), 0x60, 0x5800, "0, 1"),
]
WRONG = [
    # transpose-bit
    Case(K128, K128, F16_B, ("lbo-below-atom", "operand-overlap", "transpose-and-strides")),
    Case(0xC000402000100000, 0xC000402000100000, F16_A, ("operand-overlap", "transpose-and-strides")),
    Case(H128, H128, WGMMA, ("lbo-below-atom", "operand-overlap", "transpose-and-strides"), transposed="0, 1"),
    # stride-divided-twice, stride-not-divided, swizzle-code, version-bits
    Case(K128, 0x4000400400010000, F16, ("operand-overlap", "sbo-below-atom")),
    Case(K128, 0x4000440000010000, F16, ("outside-shared-memory", "sbo-not-divided")),
    Case(K128, 0x4000402000010000, F16, ("operand-overlap", "sbo-below-atom")),
    Case(K128, 0x4000004000010000, F16, ("kinds-differ", "version-constant")),
    # k-advance: one operand only; past the end of its row; of a K-major operand on an MN-major one
    Case(K128, K128, F16, ("k-steps-differ",), 0, 0x4020),
    Case(K64, K64, F16, ("row-crossing", "row-crossing"), 0x30, 0x4030),
    Case(K128, MN128, F16_B, ("row-crossing",), 0x20, 0x4020),
    Case(0x4000404000010000, K128, "0x04208490 f16", ("row-crossing",), 0x20, 0x4000),
    Case(H128, H_MN, WGMMA, ("row-crossing",), 0x20, 0x4020, "0, 1"),
    # Both read the same bytes.
    Case(K128, K128, F16, ("operands-share-memory",), 0, 0x400),
    Case(H128, H128, WGMMA, ("operands-share-memory",), 0, 0x400),
]


def source(case: Case, buffer: str) -> str:
    """Return PTX that makes both descriptors of the address of a buffer."""
    code, what = case.tail.split()
    if what == "bf16":
        floats = ", ".join(f"%f{number}" for number in range(64))
        call = f"wgmma.mma_async.sync.aligned.{code}.f32.bf16.bf16 {{{floats}}}, %d2, %d4, 1, 1, 1, {case.transposed};"
    else:
        call = f"tcgen05.mma.cta_group::1.kind::{what} [%r9], %d2, %d4, %r8, %p1;"
    start = (
        "add.u32 %r{0}, %r1, {1};\nshr.u32 %r{0}, %r{0}, 4;\nand.b32 %r{0}, %r{0}, 16383;\ncvt.u64.u32 %d{2}, %r{0};"
    )
    return "\n".join(
        [
            f".version 8.7\n.target {'sm_90a' if what == 'bf16' else 'sm_100a'}\n.address_size 64",
            ".visible .entry k(.param .u32 q)\n{\n.reg .b32 %r<19>;\n.reg .b64 %d<9>;\n.reg .pred %p<2>;",
            f".reg .f32 %f<64>;\n.shared .align {BASE} .b8 sm[65536];\nld.param.u32 %r9, [q];",
            "setp.eq.u32 %p1, %r9, 0;",
            f"mov.b32 %r8, {code if what != 'bf16' else 0};\nmov.u32 %r1, {buffer};",
            start.format(2, case.a_offset, 1) + f"\nor.b64 %d2, %d1, 0x{case.a:x};",
            start.format(3, case.b_offset, 3) + f"\nor.b64 %d4, %d3, 0x{case.b:x};",
            f"{call}\nret;\n}}\n",
        ]
    )


def found(findings: object) -> list[tuple[str | None, str]]:
    rows = [(getattr(each, "operand", None), each.rule, each.severity) for each in findings]  # type: ignore[attr-defined]
    names = {rule.name for rule in RULES}  # of the mistakes that explain the others
    return sorted((operand or "", rule) for operand, rule, severity in rows if severity != "note" and rule not in names)


def typed(case: Case, form: str) -> list[tuple[str | None, str]]:
    code, what = case.tail.split()
    words = {
        name: f"0x{value:016x}@{form.format(offset=offset, address=BASE + offset)}"
        for name, value, offset in (("a", case.a, case.a_offset), ("b", case.b, case.b_offset))
    }
    if what == "bf16":
        trans_a, trans_b = (word == "1" for word in case.transposed.split(", "))
        return found(mma(**words, inst=code, dtype=what, trans_a=trans_a, trans_b=trans_b, arch="sm_90a").findings)
    return found(mma(**words, idesc=code, mma_kind=what, arch="sm_100a").findings)


@pytest.mark.slow
@every_row("case", [*RIGHT, *WRONG])
def test_a_number_and_a_symbol_are_judged_alike(case: Case) -> None:
    ways = {
        "constant": found(scan(source(case, str(BASE))).findings),
        "symbol": found(scan(source(case, "sm")).findings),
        "argument": typed(case, "{address}"),
        "base and offset": typed(case, "sm:1024+{offset}"),
    }
    assert {way: sorted(rule for _, rule in every) for way, every in ways.items()} == dict.fromkeys(
        ways, sorted(case.rules)
    )


@pytest.mark.slow
def test_the_printed_command_has_the_starts_where_the_finding_needs_them() -> None:
    """It finds the same: of two starts of one base the distance, of one its alignment."""
    for case in (case for case in WRONG if case.tail != WGMMA):
        for alignment in (16, BASE):
            text = source(case, "sm").replace(f".align {BASE}", f".align {alignment}")
            expected = {rule for _, rule in found(scan(text).findings)}
            if not expected:  # a base of 16 bytes does not tell where in its row an operand begins
                continue
            line = smemdesc("scan", "-", stdin=text).out.splitlines()[-1]
            ran = smemdesc(*shlex.split(line)[1:], "--strict")
            rules = set(re.findall(r"(?:warning|error) ([a-z0-9-]+):", ran.out)) - {rule.name for rule in RULES}
            assert rules == expected, (case, line)


@pytest.mark.slow
@pytest.mark.parametrize("alignment", [16, 64, 128])
def test_a_less_aligned_symbol_is_judged_as_far_as_it_is_known(alignment: int) -> None:
    """The rules that need nothing of the start, or the distance of two, do not depend on it."""
    for case in (case for case in WRONG if "row-crossing" not in case.rules):
        text = source(case, "sm").replace(f".align {BASE}", f".align {alignment}")
        assert sorted(rule for _, rule in found(scan(text).findings)) == sorted(case.rules), case
