"""Starts as a base and an offset: where two have the same base, the difference of what runs read is that of offsets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import pytest
from programs.grammar import program
from programs.machine import EndlessError, Machine, Program
from programs.rolling import OPERATIONS, WRITERS, Loop, Maker, Mlir, Statement, Use, Writer, run
from samples import long_run, sampled

from smemdesc.engine.fields import ones
from smemdesc.engine.known import FALSE, TRUE, UNKNOWN, const
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.fixpoint import Definition, solve
from smemdesc.scanning.analysis.provenance import Provenance
from smemdesc.scanning.analysis.starts import RelativeStarts
from smemdesc.scanning.model import ScannedMma

from .sass.test_sass_fuzz import EVERY, Thread

BITS = 14
UNIT = 16


def apart(one: RelativeStart | None, other: RelativeStart | None) -> int | None:
    """Return how far the second is from the first, in units of a start address; None if nothing is said."""
    if one is None or other is None or one.base != other.base:
        return None
    assert one.offset % UNIT == other.offset % UNIT == 0
    return (other.offset - one.offset) // UNIT % (1 << BITS)


# ---- expressions ----

IN = ir.IN
ROWS: Sequence[Callable[[random.Random], ir.Node]] = (
    lambda rng: ir.CUT(IN[0], 32),
    lambda rng: ir.ADD(IN[0], IN[1], rng.choice((FALSE, TRUE)), rng.choice((32, 64)), rng.random() < 0.3),
    lambda rng: ir.ADD(IN[0], const(rng.choice((16, 32, -64, 8, 3, rng.getrandbits(20))), 64), FALSE, 64),
    lambda rng: ir.ADD(IN[0], IN[1], ir.CUT(IN[2], 1), 32),
    lambda rng: ir.AND(IN[0], const(ones(rng.choice((14, 18, 32))) << rng.choice((0, 0, 4)), 64), 64),
    lambda rng: ir.OR(IN[0], const(rng.choice((1 << 16, 1, 1 << rng.randrange(20))), 64), 64),
    lambda rng: ir.XOR(IN[0], const(rng.choice((1 << rng.randrange(20), -1)), 64), 64),
    lambda rng: ir.LOP3(IN[0], const(rng.choice((0x3FFF, 0x3FFF0)), 32), IN[1], rng.choice((0xEA, 0xF8, 0xC0)), 32),
    lambda rng: ir.NOT(IN[0], 32),
    lambda rng: ir.SHR(IN[0], const(rng.choice((4, 4, 1)), 32), 64),
    lambda rng: ir.SHL(IN[0], const(rng.choice((4, 7, 1)), 32), 64),
    lambda rng: ir.FIELD(IN[0], rng.choice((0, 4)), rng.choice((14, 28, 32))),
    lambda rng: ir.EXTRACT(IN[0], const(4, 32), const(rng.choice((14, 20)), 32), 32, rng.random() < 0.3),
    lambda rng: ir.INSERT(IN[0], IN[1], const(rng.choice((0, 4)), 32), const(rng.choice((14, 10)), 32), 64),
    lambda rng: ir.CONCAT(IN[0], IN[1], 32),
    lambda rng: ir.FUNNEL(IN[0], IN[1], const(rng.choice((4, 28)), 32), 32, rng.random() < 0.5, True),
    lambda rng: ir.PERMUTE(IN[0], IN[1], const(rng.choice((0x3210, 0x5410, 0x7610, 0x4321)), 32)),
    lambda rng: ir.MULTIPLY(IN[0], const(rng.choice((3, 16, 0x400)), 32), 32),
    lambda rng: ir.SELECT(IN[0], IN[1], rng.choice((TRUE, UNKNOWN)), None, None, None, 64),
    lambda rng: ir.EITHER(IN[0], IN[1], 64),
    lambda rng: ir.ADD(ir.SHL(IN[0], const(4, 32), 32), IN[1], FALSE, 32),
    lambda rng: ir.SHR(ir.ADD(IN[0], const(rng.choice((0x4000, 32, 8)), 32), FALSE, 32), const(4, 32), 32),
)
LEAVES = ("x", "y", "z")
VALUES, TRIED = 40, 12


def expressions(seed: int) -> dict[str, Definition]:
    """Return values that follow from others, each in one step; some steps are carried out twice."""
    rng = random.Random(f"starts {seed}")
    made: dict[str, Definition] = {}
    for number in range(VALUES):
        node = rng.choice(ROWS)(rng)
        names = [*LEAVES, *list(made)[-8:]]
        reads = tuple([rng.choice(names) for _ in range(node.program.inputs)])
        made[f"v{number}"] = Definition(number, reads, node)
    return made


def evaluated(made: dict[str, Definition], rng: random.Random) -> dict[str, int]:
    values = {leaf: rng.getrandbits(64) for leaf in LEAVES}
    for name, definition in made.items():
        result = definition.result([const(values[read], 64) for read in definition.reads])
        # A selection whose side is not known is one of both, at random; it is the same wherever the value is read.
        assert result is not None
        values[name] = result[0] & result[1] | rng.getrandbits(64) & ~result[1] & ones(
            min(64, definition.expression.width)
        )
    return values


def related(first: int, count: int) -> int:
    """Hold every two values with the same base to what they are; return how many pairs there are."""
    pairs = 0
    for seed in range(first, first + count):
        made = expressions(seed)
        names = Provenance(solve(made, made.get))
        starts = RelativeStarts(names, lambda at: None)
        found = {name: starts.start(name, BITS, UNIT) for name in made}
        runs = [evaluated(made, random.Random(f"{seed} {each}")) for each in range(TRIED)]
        for one in made:
            for other in made:
                distance = apart(found[one], found[other])
                if distance is not None and one != other:
                    pairs += 1
                    for values in runs:
                        assert (values[other] - values[one]) % (1 << BITS) == distance, f"seed {seed}: {one} {other}"
    return pairs


@pytest.mark.slow
def test_what_is_said_of_expressions_holds() -> None:
    assert related(0, 40) > 1000


@pytest.mark.corpus
def test_what_is_said_of_many_expressions_holds() -> None:
    assert related(40, 200) > 5_000


# ---- programs of compiler IR ----


def ordered(statements: Iterable[Statement], above: Sequence[int] = ()) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Yield each MMA with those before it through which every way to it leads."""
    before = list(above)
    for each in statements:
        if isinstance(each, Use):
            yield id(each), tuple(before)
            before.append(id(each))
        elif isinstance(each, Loop):
            yield from ordered(each.body, before)


def check(seed: int, writer: Writer, arithmetic: bool) -> int:
    """Hold a program to its runs; return how many pairs of MMAs have the same base."""
    written = writer()
    structured = type(written) is Mlir
    operations = tuple(OPERATIONS) if arithmetic else ()
    rng = random.Random(f"starts {seed}")
    start, program = Maker(rng, structured, True, False, operations, written.memory).program()
    text = written.text(start, program)
    (function,) = scan_text(text).functions
    operands = zip(written.uses, function.mmas, strict=True)
    claims = {place: mma.a if mma.b is None else mma.b for place, mma in operands}
    above = dict(ordered(program))
    pairs = set()
    for each in range(6):
        last: dict[int, int] = {}
        for place, value in run(start, program, random.Random(f"{seed} {each}")):
            for other in above[place]:
                distance = apart(claims[other].start, claims[place].start)
                if distance is not None:
                    pairs.add((place, other))
                    assert (value - last[other]) % (1 << BITS) == distance, f"seed {seed}\n{text}"
            last[place] = value
    return len(pairs)


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", [False, long_run(True)])
@pytest.mark.parametrize("name", sampled(WRITERS))
def test_no_run_of_compiler_ir_contradicts_a_start(name: str, arithmetic: bool) -> None:
    assert sum(check(seed, WRITERS[name], arithmetic) for seed in range(60)) > 2


# ---- programs of SASS ----


def following(program: Program, at: int) -> list[int]:
    each = program.code[at]
    labels = [program.labels[label] for label in re.findall(r"\.L_\w+", " ".join(each.operands))]
    goes = each.name in ("BRA", "BRX", "EXIT")
    to = labels if each.name in ("BRA", "BRX") else []
    stays = not goes or each.guard != "PT" or each.unless or len(each.operands) > 1
    return [place for place in (*to, *([at + 1] if stays else ())) if place < len(program.code)]


def always_before(program: Program, one: int, other: int) -> bool:
    """Whether every way to an instruction leads through another one."""
    seen, waiting = {0, one}, [0]
    while waiting:
        for to in following(program, waiting.pop()):
            if to == other:
                return False
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    return True


def check_sass(kind: str, seed: int) -> int:
    text = program(kind, seed)
    _, runs, _, steps = EVERY[kind]
    code = Program(text)
    places = [place for place, each in enumerate(code.code) if each.name == "HGMMA"]
    (function,) = scan_text(text).functions
    mmas: dict[int, ScannedMma] = dict(zip(places, function.mmas, strict=True))
    whole = not any(each.name in ("CALL", "RET", "BSSY", "BSYNC") for each in code.code)
    found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    pairs = 0
    for other in places:
        for one in places:
            if one == other or (whole and always_before(code, one, other)):
                for x, first in enumerate((mmas[one].a, mmas[one].b)):
                    for y, second in enumerate((mmas[other].a, mmas[other].b)):
                        assert first is not None
                        assert second is not None
                        distance = None if (one, x) == (other, y) else apart(first.start, second.start)
                        if distance is not None:
                            found.setdefault((one, other), []).append((x, y, distance))
                            pairs += 1
    lanes: dict[tuple[int, int], list[int]] = {}
    for each in range(runs):
        thread = Thread(random.Random(f"{seed} {each}"), lanes)
        with suppress(EndlessError):
            Machine(code, thread).run(steps)
        last: dict[int, tuple[int, ...]] = {}
        for place, *values in thread.read:
            last[place] = tuple(values)
            for one in places:
                for x, y, distance in found.get((one, place), ()):
                    assert (values[y] - last[one][x]) % (1 << BITS) == distance, f"seed {seed}\n{text}"
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["any", "choices", "apart", "calls", "rolled"])
def test_no_run_of_sass_contradicts_a_start(kind: str) -> None:
    assert sum(check_sass(kind, seed) for seed in range(20)) > 2


@pytest.mark.corpus
@pytest.mark.parametrize("kind", ["any", "choices", "apart", "calls", "rolled"])
def test_no_run_of_many_programs_of_sass_contradicts_a_start(kind: str) -> None:
    for seed in range(20, 80):
        check_sass(kind, seed)
