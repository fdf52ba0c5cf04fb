"""Remainders that multiplications compute: for all numbers of a few bits, and by the code of compilers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.engine.known import FALSE, TRUE, const
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.division import Half, Ratio, Sum, Term, evaluated, remainder
from smemdesc.scanning.analysis.ir import IN, Node

from .ptx.asking import held
from .sass.test_sass_front import listing, scanned

W = 5
"""Bits of x."""


def ratio(each: Ratio, x: int) -> int:
    return x // each.by * each.times >> each.down


def number(term: Term, x: int) -> int:
    if isinstance(term, Half):
        return x // term.part.by - ratio(term.part, x) >> 1
    return 1 if term is None else ratio(term, x)


@pytest.mark.parametrize("most", [ones(W), 20, 7, 1, 0])
def test_a_shifted_product_is_a_quotient_only_where_it_is_for_all_numbers(most: int) -> None:
    for by in (1, 2, 3):
        for times in range(1, 1 << W + 1):
            for down in range(2 * W + 2):
                made = Ratio("x", most, by, times).shifted(down)
                whole = Ratio("x", most, by, times, down)
                assert all(ratio(made, x) == ratio(whole, x) for x in range(most + 1)), (whole, made)
                assert whole.largest == max(ratio(whole, x) for x in range(most + 1))


@every_row("divisor", range(1, 1 << W))
def test_every_quotient_has_a_product(divisor: int) -> None:
    """The least power of two with a multiple near enough, as compilers choose it."""
    for down in range(2 * W + 1):
        times = -(-(1 << down) // divisor)
        if (times * divisor - (1 << down)) * ones(W) < 1 << down:
            assert Ratio("x", ones(W), 1, times).shifted(down) == Ratio("x", ones(W), divisor)
            return
    pytest.fail("no product")


def expressions(depth: int) -> st.SearchStrategy[Any]:
    """Expressions of ``W`` bits in x, as code computes quotients, and others like them."""
    constants = st.builds(const, st.integers(0, ones(W)), st.just(W))
    if not depth:
        return st.one_of(st.just(IN[0]), st.just(IN[0]), constants)
    inner = expressions(depth - 1)
    carry = st.sampled_from([FALSE, TRUE])

    def high(a: Any, b: Any) -> Node:
        wide = (ir.EXTEND(each, W, 2 * W, False) for each in (a, b))
        return ir.FIELD(ir.MULTIPLY(*wide, 2 * W), W, W)

    def over(a: Any) -> Node:
        return ir.FIELD(
            ir.ADD(ir.EXTEND(a, W, 2 * W, False), ir.CONCAT(const(3, W), const(0, W), W), FALSE, 2 * W), 0, W
        )

    return st.one_of(
        inner,
        st.builds(high, inner, constants),
        st.builds(over, inner),
        st.builds(lambda a, n: ir.SHR(ir.CUT(a, W), const(n, 32), W), inner, st.integers(0, W - 1)),
        st.builds(lambda a, b: ir.MULTIPLY(a, b, W), inner, constants),
        st.builds(lambda a, b, c, minus: ir.ADD(a, b, c, W, minus), inner, inner, carry, st.booleans()),
        st.builds(lambda a, b: ir.ADD(ir.MULTIPLY(a, b, W), IN[0], FALSE, W), inner, constants),
    )


@some(400)
@given(expressions(4), st.sampled_from([ones(W), 19, 6]))
def test_a_sum_is_what_the_expression_is(node: Any, most: int) -> None:
    made = evaluated(node, [Sum({Ratio("x", most): 1}, W)])
    if made is None:
        return
    rest = remainder(made)
    for x in range(most + 1):
        value = node[0] if node.__class__ is tuple else node(const(x, W))[0]
        terms = sum(count * number(term, x) for term, count in made.terms.items())
        assert not (terms - value) & ones(min(W, made.width)), (node, made, x)
        if rest is not None:
            assert x // rest.by % rest.divisor == value, (node, rest, x)
            assert rest.expression(const(x, W))[:2] == (value, ones(W))


def magic(divisor: int, width: int = 32) -> tuple[int, int]:
    """Return the factor, and how far its product with a number is shifted, by which a number is divided."""
    return next(
        (times, down)
        for down in range(width, 2 * width + 1)
        for times in [-(-(1 << down) // divisor)]
        if (times * divisor - (1 << down)) * ones(width) < 1 << down
    )


DIVISORS = [d for d in (*range(3, 130), 641, 1000, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFE) if d & d - 1]


def in_ptx(divisor: int, times: int, down: int, split: bool = False) -> str:
    """Return x % divisor in PTX, of x that is not known."""
    code = "ld.param.b32 %u, [k_param_0]; "
    if times > ones(32):
        code += f"mul.hi.u32 %t, %u, {times & ones(32)}; sub.u32 %h, %u, %t; shr.u32 %h, %h, 1; add.u32 %h, %h, %t; "
        code += f"shr.u32 %q, %h, {down - 33}; "
    else:
        code += f"mul.hi.u32 %t, %u, {times}; shr.u32 %q, %t, {down - 32}; "
    if split:
        return code + f"mul.lo.u32 %m, %q, {divisor}; sub.u32 %x, %u, %m;"
    return code + f"mad.lo.u32 %x, %q, {-divisor & ones(32)}, %u;"


@every_row("divisor", DIVISORS)
def test_a_remainder_has_its_range(divisor: int) -> None:
    times, down = magic(divisor)
    for split in (False, True):
        found = held(in_ptx(divisor, times, down, split))
        above = ones(32) & ~ones((divisor - 1).bit_length())
        low = (divisor & -divisor) - 1
        assert (found.bits & ones(32), found.known & ones(32)) == (0, above), (divisor, low)


@every_row("seed", range(40))
def test_what_is_no_remainder_is_not_taken_for_one(seed: int) -> None:
    """What is known holds for numbers at the edges, where one of the numbers of the code is another."""
    rng = random.Random(seed)
    divisor = rng.choice(DIVISORS)
    times, down = magic(divisor)
    for changed in (
        (divisor + rng.choice((-1, 1)), times, down),
        (divisor, times + rng.choice((-1, 1, 2, 64)), down),
        (divisor, times, down + 1),
        (divisor, times, max(down - 1, 33)),
    ):
        by, factor, shift = changed
        found = held(in_ptx(by, factor, shift))
        for x in (
            0,
            1,
            divisor - 1,
            divisor,
            ones(32),
            ones(32) - 1,
            ones(32) // divisor * divisor - 1,
            rng.getrandbits(32),
        ):
            real = x - (x * factor >> shift) * by & ones(32)
            assert not (real ^ found.bits) & found.known & ones(32), (changed, x)


MMA = "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24, gsb0"


@every_row(
    ("code", "unknown"),
    [
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R4", 3),
        ("IMAD.WIDE.U32 R6, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R7; IMAD R5, R5, -0x3, R4", 3),
        ("UMOV UR9, 0xaaaaaaab; IMAD.HI.U32 R5, R4, UR9, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R4", 3),
        ("IMAD.HI.U32 R5, R4, 0x24924925, RZ; IADD3 R6, R4, -R5, RZ; LEA.HI R5, R6, R5, RZ, 0x1f; "
         "SHF.R.U32.HI R5, RZ, 0x2, R5; IMAD R5, R5, -0x7, R4", None),
        ("IMAD.HI.U32 R5, R4, 0x24924925, RZ; IADD3 R6, R4, -R5, RZ; SHF.R.U32.HI R6, RZ, 0x1, R6; "
         "IADD3 R5, R6, R5, RZ; SHF.R.U32.HI R5, RZ, 0x2, R5; IMAD R5, R5, -0x7, R4", 7),
        ("SHF.R.U32.HI R5, RZ, 0x1, R4; IMAD.HI.U32 R5, R5, -0x6db6db6d, RZ; SHF.R.U32.HI R5, RZ, 0x2, R5; "
         "IMAD R5, R5, -0xe, R4", 15),
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x2, R5; IMAD R6, R5, 0x6, RZ; "
         "IADD3 R5, R4, -R6, RZ", 7),
        ("LOP3.LUT R4, R4, 0xffff, RZ, 0xc0, !PT; IMAD.HI.U32 R5, R4, 0x55555556, RZ; IMAD R5, R5, -0x3, R4", 3),
        ("MOV R6, R4; IMAD.HI.U32 R5, R6, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R4", 3),
        ("SHF.R.U32.HI R4, RZ, 0x2, R4; IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; "
         "IMAD R5, R5, -0x3, R4", 3),
        # another number, or of another thread
        ("IMAD.HI.U32 R5, R4, 0x55555556, RZ; IMAD R5, R5, -0x3, R4", None),
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R8", None),
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; LDG R4, [R8]; "
         "IMAD R5, R5, -0x3, R4", None),
        ("R2UR UR9, R4; UIMAD.HI.U32 UR9, UR9, 0xaaaaaaab, URZ; USHF.R.U32.HI UR9, URZ, 0x1, UR9; MOV R5, UR9; "
         "IMAD R5, R5, -0x3, R4", None),
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; R2UR UR9, R5; USHF.R.U32.HI UR9, URZ, 0x1, UR9; "
         "IMAD R5, -0x3, UR9, R4", None),
        ("IMAD.HI R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R4", None),
        ("IMAD.HI.U32 R5, R4, -0x55555555, R4; SHF.R.U32.HI R5, RZ, 0x1, R5; IMAD R5, R5, -0x3, R4", None),
        ("IMAD.HI.U32 R5, R4, -0x55555555, RZ; SHF.R.U32.HI R5, RZ, 0x1, R5; @P0 MOV R5, RZ; "
         "IMAD R5, R5, -0x3, R4", None),
    ],
)  # fmt: skip
def test_sass(code: str, unknown: int | None) -> None:
    """R4 is not known; of its remainder these bits are not."""
    lines = ["LDG R4, [R2]", "LDG R8, [R2+0x4]", *code.split("; "), "R2UR UR7, R5", MMA, "EXIT"]
    b = scanned(listing(*lines)).mmas[0].b
    assert b is not None
    mask = b.known >> 32
    assert mask == (0 if unknown is None else ones(32) & ~unknown)
    assert not b.bits >> 32


def test_an_index_of_a_ring_stays_within_it() -> None:
    """The number of a step is not known; its place among the stages is, in every iteration."""
    b = (
        scanned(
            listing(
                "MOV R4, RZ",
                ".L_x_1:",
                "IMAD.HI.U32 R5, R4, -0x55555555, RZ",
                "SHF.R.U32.HI R5, RZ, 0x1, R5",
                "IMAD R5, R5, -0x3, R4",
                "IMAD R5, R5, 0x10, RZ",
                "R2UR UR7, R5",
                MMA,
                "IADD3 R4, R4, 0x1, RZ",
                "LDG R9, [R2]",
                "ISETP.NE.AND P0, PT, R9, R4, PT",
                "@P0 BRA `(.L_x_1)",
                "EXIT",
            )
        )
        .mmas[0]
        .b
    )
    assert b is not None
    assert (b.bits >> 32, b.known >> 32) == (0, ones(32) & ~0x30)
