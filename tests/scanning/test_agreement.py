"""The MMAs of PTX beside those of the machine code that ptxas made of it."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
import rich
from corpus.dumps import DUMPS, texts
from corpus.dumps import scanned as functions
from samples import refusing, split
from tables import every_row

from smemdesc import agree
from smemdesc.instructions.model import OPERANDS
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Function, ScannedOperand
from smemdesc.scanning.results import agreement
from smemdesc.scanning.results.agreement import Agreement
from smemdesc.scanning.results.alignment import SourceBlocks, align, disorder

KERNELS = Path(__file__).parent / "agreeing"
PTX, SASS = ((KERNELS / f"kernels.{ending}").read_text() for ending in ("ptx", "sass"))
_LEVEL = re.compile(r"\.O[0-3]\b")


class Both(NamedTuple):
    """PTX, and the machine code of one compilation of it."""

    name: str
    ptx: str
    sass: str


def pairs(archive: str) -> Iterator[Both]:
    """Yield the PTX of an archive with each listing of it: ptxas was given the same at all of its levels."""
    if archive == "kernels":
        yield Both(archive, PTX, SASS)
        return
    every = dict(texts(DUMPS / f"{archive}.tar.xz"))
    for name, text in every.items():
        stem, _, ending = name.rpartition(".")
        if ending == "ptx":
            for other in every:
                made, _, form = other.rpartition(".")
                made = re.sub(r"(?<=\.lines\.13\.5)\.gi?$", "", made)
                same = made == stem or (
                    (_LEVEL.search(stem) or archive == "rubin")
                    and stem == _LEVEL.sub(".O3" if _LEVEL.search(stem) else "", made)
                )
                if form in ("sass", "cuobjdump") and same:
                    yield Both(other, text, every[other])


def compare(ptx: tuple[Function, ...], sass: tuple[Function, ...]) -> Agreement:
    return agreement.compare_codes(agreement.code_of("", "", each) for each in (*ptx, *sass))


def differs(found: Agreement) -> bool:
    return any(pair.differs for pair in found.pairs)


ARCHIVES = {"kernels": 1, "rubin": 4, "triton": 68, "wgmma": 28, "tcgen05": 40}
"""With how many pairs."""
ALL = split(ARCHIVES, lambda name: name in ("kernels", "rubin"))


@pytest.mark.slow
@pytest.mark.parametrize("archive", ALL)
def test_what_ptxas_made_agrees_with_its_ptx(archive: str) -> None:
    every = list(pairs(archive))
    assert len(every) == ARCHIVES[archive]
    for each in every:
        found = compare(functions(each.ptx), functions(each.sass))
        # ptxas removes an MMA whose predicate is never true.
        lost = {pair.name: pair.lost for pair in found.pairs if pair.lost}
        assert lost == ({"dead": 1} if archive == "kernels" else {}), each.name
        assert found.whole == found.ok == (not lost), each.name
        assert not differs(found), each.name


NONE = ScannedOperand(0, 0)
OF_SIDE = {"ptx": "source", "sass": "target"}
NUMBER = {
    "sass": re.compile(r"(?<![\w[+])-?0x[0-9a-f]+"),
    "ptx": re.compile(r"(?<![\w.%$-])-?(?:0x[0-9a-f]+|\d+)(?![\w.])"),
}
TABLE = re.compile(r"(?<=URZ, )0x[0-9a-f]{1,2}(?=, !?UPT)")
"""The table of a LOP3, which is no number."""


Change = tuple[int, int, int, str]
"""A line, the columns in it, and what is to stand there."""


def changes(side: str, text: str, found: Agreement) -> list[Change]:
    """Return what to change: each bit of each number in lines that write bits known on both sides."""
    lines = text.split("\n")
    wanted = {
        origin.line
        for pair in found.pairs
        for each in pair.entries
        for name, both in zip(OPERANDS, each.operands, strict=True)
        for origin in ((both and getattr(getattr(each, OF_SIDE[side]), name)) or NONE).origins
        if both and origin.mask & both[0].known & both[1].known
    }
    return [
        (number, *at.span(), f"{int(at[0], 0) & (1 << width) - 1 ^ 1 << bit:#x}")
        for number in sorted(wanted)
        for width in [64 if re.search(r"\.[bsu]64", lines[number - 1]) else 32]
        for at in NUMBER[side].finditer(lines[number - 1])
        if not TABLE.match(lines[number - 1], at.start())
        for bit in range(width)
    ]


def changed(side: str, code: dict[str, tuple[Function, ...]], text: str, change: Change) -> tuple[Function, ...]:
    """Return the functions of a side after a change: only the one that it is in is scanned again."""
    number, start, end, new = change
    heads = [of.line for of in code[side]]
    at = bisect(heads, number) - 1
    first, last = heads[at] - 1, heads[at + 1] - 1 if at + 1 < len(heads) else None
    lines = text.split("\n")
    lines[number - 1] = lines[number - 1][:start] + new + lines[number - 1][end:]
    alone = [*lines[: heads[0] - 1], *[""] * (first - heads[0] + 1), *lines[first:last]]
    (function,) = scan_text("\n".join(alone)).functions
    return (*code[side][:at], function, *code[side][at + 1 :])


def contradicts(before: Agreement, side: str, after: tuple[Function, ...]) -> bool:
    """Whether a descriptor of the changed side has a bit that its MMA of the other is known not to have."""
    now = {mma.line: mma for of in after for mma in of.mmas}
    for each in (entry for pair in before.pairs for entry in pair.entries):
        mine, other = getattr(each, OF_SIDE[side]), side == "ptx"
        for name, both in zip(OPERANDS, each.operands, strict=True):
            operand = getattr(now[mine.line], name) if mine and both else None
            if operand and both and (operand.bits ^ both[other].bits) & operand.known & both[other].known:
                return True
    return False


EVERY = {
    ("sass", "kernels"): 167,
    ("sass", "rubin"): 401,
    ("ptx", "kernels"): 11,
    ("ptx", "rubin"): 401,
    ("sass", "triton"): 499,
    ("sass", "wgmma"): 7993,
    ("ptx", "wgmma"): 7993,
    ("sass", "tcgen05"): 11003,
    ("ptx", "tcgen05"): 11003,
}
"""Of how many changes one is tried: prime, so that every bit of a number has its turn."""


@pytest.mark.slow
@pytest.mark.parametrize(("side", "archive"), split(EVERY, lambda each: each == ("sass", "kernels")))
def test_a_changed_bit_is_told_wherever_it_is_known_on_both_sides(side: str, archive: str) -> None:
    counts: Counter[str] = Counter()
    number = 0
    for each in pairs(archive):
        texts = {"ptx": each.ptx, "sass": each.sass}
        code = {name: functions(text) for name, text in texts.items()}
        before = compare(**code)
        for where in changes(side, texts[side], before):
            number += 1
            if number % EVERY[side, archive]:
                continue
            after = changed(side, code, texts[side], where)
            told = differs(compare(**{**code, side: after}))
            possible = contradicts(before, side, after)
            counts[f"possible: {possible}, told: {told}"] += 1
    assert counts["possible: True, told: True"] > 10, counts
    assert counts["possible: True, told: False"] == counts["possible: False, told: True"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("archive", ALL)
def test_every_bit_that_is_known_on_both_sides_is_compared(archive: str) -> None:
    """Of every 160th, changed in one MMA of the machine code of one function."""
    told: Counter[bool] = Counter()
    number = 0
    for each in pairs(archive):
        ptx, sass = ({of.name: of for of in functions(text)} for text in (each.ptx, each.sass))
        for pair in compare(tuple(ptx.values()), tuple(sass.values())).pairs:
            assert pair.source is not None
            assert pair.target is not None
            before = pair.target.function
            for entry in pair.entries:
                for name, both in zip(OPERANDS, entry.operands, strict=True):
                    operand = getattr(entry.target, name) if both and not entry.function else None
                    for bit in range(64) if both and operand else ():
                        number += both[0].known & both[1].known & 1 << bit != 0
                        if number % 160 or not both[0].known & both[1].known & 1 << bit:
                            continue
                        other = entry.target and entry.target._replace(
                            **{name: operand._replace(bits=operand.bits ^ 1 << bit)}
                        )
                        mmas = tuple(other if mma is entry.target else mma for mma in before.mmas)
                        told[differs(compare((pair.source.function,), (before._replace(mmas=mmas),)))] += 1
    assert told[True] > 12
    assert not told[False]


def asked(functions: tuple[Function, ...]) -> list[object]:
    """Return what PTX asks for in each MMA, as far as it says it: not the start addresses."""
    masks = [~0x3FFF, ~0x3FFF, -1, -1]
    return [
        (
            mma.instruction,
            *(
                (of.bits & of.known & mask, of.known & mask) if of else None
                for of, mask in zip((mma.a, mma.b, mma.idesc, mma.mask), masks, strict=True)
            ),
        )
        for function in functions
        for mma in function.mmas
    ]


@pytest.mark.corpus
def test_the_machine_code_of_other_kernels_is_told() -> None:
    """Of every two kernels of which the PTX asks for something else in each MMA."""
    told: Counter[bool] = Counter()
    every = list(pairs("triton"))
    for one, other in permutations(every, 2):
        ptx, sass = functions(one.ptx), functions(other.sass)
        theirs = asked(functions(other.ptx))
        if set(map(repr, asked(ptx))).isdisjoint(map(repr, theirs)) and ptx[0].mmas[0].arch == sass[0].mmas[0].arch:
            told[not compare(ptx, sass).ok] += 1
    assert told[True] > 1000
    assert not told[False]


@every_row(
    ("blocks", "text", "walk", "back"),
    [
        ("aaa", "012", [0, 1, 2], []),
        ("aaa", "012012", [0, 1, 2, 0, 1, 2], []),  # unrolled
        ("aab", "0122", [0, 1, 2, 2], []),
        ("aabb", "2301", [2, 3, 0, 1], []),  # blocks moved
        ("aa", "00'11'", [0, 0, 1, 1], []),  # two predicates
        ("aa", "00101", [0, 0, 1, 0, 1], [0]),
        ("aA", "00101", [0, 0, 1, 0, 1], []),  # of which the second has a predicate, and was left out
        ("AA", "00101", [0, 0, 1, 0, 1], [0]),  # not without the other
        ("aaa", "02", [0, 2], []),  # one left out
        ("aaa", "021", [0, 2, 1], [1]),  # another order
        ("aaa", "0x2", [0, 1, 2], []),  # one differs
        ("aabb", "01x301", [0, 1, 2, 3, 0, 1], []),
        ("abc", "1", [1], []),
    ],
)
def test_the_walk_over_the_ptx(blocks: str, text: str, walk: list[int], back: list[int]) -> None:
    """MMAs of the PTX by the letters of their blocks, of the SASS by their numbers; a capital one has a predicate, and
    one with a ' behind it."""
    source = SourceBlocks(blocks.lower(), ["@p" * each.isupper() for each in blocks])
    numbers = [each for each in text if each != "'"]
    guarded = [each.endswith("'") for each in re.findall(".'?", text)]
    found = align(source, guarded, lambda source, at: 10 * (numbers[at] != str(source)))
    assert (found, disorder(source, guarded, found)[0]) == (walk, back)


def one(name: str) -> tuple[Function, Function]:
    """Return a function of the kernels, PTX and SASS."""
    ptx, sass = ({each.name: each for each in functions(text)} for text in (PTX, SASS))
    return ptx[name], sass[name]


def reordered(of: Function, *order: int) -> Function:
    return of._replace(mmas=tuple(of.mmas[number] for number in order))


@pytest.mark.parametrize(
    ("name", "order", "says"),
    [
        ("unrolled", (0, 1, 2, 3), (True, 0, 4)),
        ("unrolled", (1, 0), (False, 1, 2)),
        ("unrolled", (0, 1, 3, 2, 4, 5), (False, 0, 4)),  # two that differ are likelier than two steps back
        ("unrolled", (0, 2, 4, 6), (True, 0, 4)),
        ("predicated", (0, 1, 2), (True, 0, 3)),
    ],
)
def test_the_order_of_a_block(name: str, order: tuple[int, ...], says: tuple[bool, int, int]) -> None:
    ptx, sass = one(name)
    found = compare((ptx,), (reordered(sass, *order),)).pairs[0]
    assert (not found.differs, len(found.order), sum(each.status == "agrees" for each in found.entries)) == says


def test_another_order_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    ptx, sass = one("unrolled")
    rich.print(compare((ptx,), (reordered(sass, 1, 0),)))
    (p, q), (a, b) = ([mma.line for mma in of.mmas[:2]] for of in (ptx, sass))
    assert f"SASS lines {b}, {a} are lines {q}, {p} of the PTX: the order is changed" in capsys.readouterr().out


def test_a_step_that_is_left_out_of_a_block_is_not_taken_for_merged() -> None:
    ptx, sass = one("unrolled")
    found = compare((ptx,), (reordered(sass, 0),))
    assert (found.ok, found.whole) == (False, False)
    assert [each.source and each.source.line for each in found.pairs[0].entries if each.status == "only_source"] == [
        ptx.mmas[1].line
    ]


def test_equal_branches_that_ptxas_merged_are_paired_with_one() -> None:
    ptx, sass = one("branches")
    alike = ptx._replace(mmas=(ptx.mmas[0], ptx.mmas[1]._replace(a=ptx.mmas[0].a)))
    found = compare((alike,), (reordered(sass, 0),))
    assert (found.ok, found.whole, len(found.pairs[0].entries)) == (True, True, 2)


def test_an_inlined_function_is_no_function_without_a_partner() -> None:
    (pair,) = (each for each in compare(functions(PTX), functions(SASS)).pairs if each.name == "inlined")
    assert [each.function for each in pair.entries] == [None, "helper"]


@pytest.mark.parametrize(
    ("ptx", "sass", "status"),
    [
        (["sm_100a"], ["sm_100a"], ["agrees"]),
        (["sm_100f"], ["sm_100a", "sm_103a"], ["agrees", "agrees"]),
        (["sm_100a"], ["sm_90a"], ["only_target", "only_source"]),
        (["sm_90a", "sm_100a"], ["sm_100a"], ["agrees", "only_source"]),
        ([None], ["sm_100a"], ["agrees"]),
    ],
)
def test_functions_are_of_one_architecture_or_family(ptx: list[Any], sass: list[Any], status: list[str]) -> None:
    before, after = one("predicated")
    mine, theirs = (
        tuple(of._replace(mmas=tuple(mma._replace(arch=arch) for mma in of.mmas)) for arch in archs)
        for of, archs in ((before, ptx), (after, sass))
    )
    assert [each.status for each in compare(mine, theirs).pairs] == status


def test_functions_of_one_name_in_several_files_are_not_mistaken_for_each_other() -> None:
    """Only one of two has its PTX here."""
    (ptx, sass), (_, other) = one("predicated"), one("unrolled")
    found = compare((ptx,), (other._replace(name="predicated"), sass))
    assert [each.status for each in found.pairs] == ["only_target", "agrees"]


@pytest.mark.slow
def test_python_takes_text_paths_and_compiled_kernels() -> None:
    class Compiled:
        asm: ClassVar = {"ptx": PTX, "cubin": SASS.encode()}

    by_text = agree(PTX, SASS)
    assert (by_text.ok, by_text.whole) == (False, False)
    for other in (agree(KERNELS / "kernels.ptx", KERNELS / "kernels.sass"), agree(KERNELS), agree(Compiled())):
        assert [each.status for each in other.pairs] == [each.status for each in by_text.pairs]
    assert by_text.to_dict()["ok"] is False
    assert str(by_text) == "6 functions in both, none that differ; 1 MMA only in the PTX"
    (alone,) = (agreement.Agreement((pair,)) for pair in by_text.pairs if pair.name == "unrolled")
    assert (alone.ok, alone.whole, str(alone)) == (True, True, "1 function in both, none that differ")
    with refusing("no other form"):
        agree(PTX)


def test_python_does_not_say_ok_of_what_it_could_not_read() -> None:
    no_shape = "wgmma.mma_async.sync.aligned.m64n7k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    found = agree(PTX.replace("\ttcgen05.mma", f"\t{no_shape}\n\ttcgen05.mma", 1), SASS)
    assert "1 problem" in str(found)
    assert found.to_dict()["failed"] == [list(found.failed[0])]
    assert [each.failed for each in (agree(PTX, SASS), found)] == [(), found.failed]
    assert not found._replace(pairs=tuple(pair for pair in found.pairs if not pair.lost)).ok


def test_python_names_a_function_that_is_not_there() -> None:
    with refusing("function: no function is named x"):
        agree(PTX, SASS, function="x")
