"""The SASS that cuda-gdb and Nsight Compute print of a loaded kernel: as its disassembly, and never more than that."""

from __future__ import annotations

import random
import re
import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from programs.annotating import claims
from programs.grammar import program
from programs.loading import FORMS, Form, code, cuda_gdb, plain
from samples import sampled
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.sass import live_listing

from .test_sass_front import MMA, PUT

ROUNDS = 15


@cache
def samples() -> dict[str, str]:
    """What the tools print of one kernel with an unrolled loop on an H100; ``made.txt`` says how."""
    with tarfile.open(Path(__file__).parent / "loaded.tar.xz", "r:xz") as box:
        return {member.name: box.extractfile(member).read().decode() for member in box}  # type: ignore[union-attr]


TOOLS = [name for name in samples() if name.startswith(("cuda-gdb", "ncu"))]


def said(text: str) -> list[Any]:
    """What is claimed of each MMA; the tools call functions otherwise."""
    return [each[1:] for each in claims(text)]


def known(text: str) -> int:
    return sum(bin(part[1]).count("1") for each in said(text) for part in each[1:] if part is not None)


# ---- what the tools print ----


@pytest.mark.slow
@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_prints_what_the_disassembly_says(name: str) -> None:
    truth = samples()["nvdisasm.sass"]
    assert len(said(truth)) == 10
    assert known(truth)
    assert said(samples()[name]) == said(truth)
    part = scan_text(samples()[name])
    assert (part.seen, len(part.functions), part.odd, part.functions[0].format) == (1, 1, 0, "SASS")


@pytest.mark.parametrize("name", TOOLS)
def test_lines_are_those_of_the_text(name: str) -> None:
    lines = samples()[name].split("\n")
    (of,) = scan_text(samples()[name]).functions
    for mma in of.mmas:
        assert mma.instruction.family == "wgmma"
        assert "GMMA" in lines[mma.line - 1]
        assert mma.b is not None
        for origin in mma.b.origins:
            assert origin.text.split()[0] in lines[origin.line - 1]
    assert "staged" in lines[of.line - 1]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("cuda-gdb-disassemble.txt", "_Z6stagedIfLi4EEv4TileIT_XT0_EES0_IKS1_Li17EEi"),
        *((name, "void staged<float, (int)4>(Tile<T1, T2>, Tile<const T1, (int)17>, int)") for name in TOOLS[-4:]),
    ],
)
def test_a_function_is_called_as_the_tool_does(name: str, called: str) -> None:
    assert [of.name for of in scan_text(samples()[name]).functions] == [called]


@pytest.mark.parametrize("name", TOOLS)
def test_offsets(name: str) -> None:
    def offsets(text: str) -> list[int | None]:
        return [mma.offset for of in scan_text(text).functions for mma in of.mmas]

    assert offsets(samples()[name]) == offsets(samples()["nvdisasm.sass"])


PASTED: dict[str, Callable[[str], str]] = {
    "quoted": lambda line: f"> {line}",
    "numbered": lambda line: f"  12: {line}",
    "from grep": lambda line: f"gdb.log:12:{line}",
    "with a remark": lambda line: f"{line}   <-- here, UR4" if "GMMA" in line else line,
    "with words": lambda line: f"{line}    the high word of UR5" if "UMOV" in line else line,
    "broken after a comma": lambda line: re.sub(r"(GMMA[^,]*,[^,]*,)", "\\1\n  ", line),
    "with Windows line ends": lambda line: f"{line}\r",
}


@pytest.mark.slow
@pytest.mark.parametrize("form", PASTED)
@pytest.mark.parametrize(
    "name", ["cuda-gdb-disassemble.txt", "cuda-gdb-disassemble-r.txt", "cuda-gdb-examine-twice.txt"]
)
def test_what_is_pasted_of_it_says_the_same(name: str, form: str) -> None:
    text = "\n".join(map(PASTED[form], samples()[name].splitlines()))
    assert said(text) == said(samples()[name]) != []


def test_a_log_has_several_functions() -> None:
    texts = [samples()["cuda-gdb-disassemble.txt"], samples()["ncu-sass.csv"], samples()["exception.txt"]]
    found = scan_text("\n".join(texts)).functions
    assert [(of.name or "")[:11] for of in found] == ["_Z6stagedIf", "void staged", "outside"]


def test_what_is_printed_twice_is_told_once() -> None:
    assert len(scan_text(samples()["ncu-sass.txt"] * 2).functions) == 1


def test_a_function_in_pieces_is_put_together() -> None:
    rows = samples()["cuda-gdb-examine-twice.txt"].split("\n")
    half = len(rows) // 3
    text = "\n".join((*rows[half:], "(cuda-gdb) x/90i _Z6staged", *rows[:half]))
    assert sorted(said(text)) == sorted(said(samples()["nvdisasm.sass"]))


def test_without_an_mma_it_is_a_function_still() -> None:
    text = re.sub(r"(?m)^.*HGMMA.*$", "", samples()["cuda-gdb-disassemble.txt"])
    part = scan_text(text)
    assert (part.seen, part.functions, part.values) == (1, (), ())


@pytest.mark.parametrize(
    "text",
    [
        "0x7ffd <x>: the value 0x4000004000010040",
        "   0x00007ffff7a <+4>:\tmov    %rsp,%rbp",
        '"a","0x4000004000010040","b"',
        "desc 0x4000004000010040  OK 3",
    ],
)
def test_other_text_is_other_text(text: str) -> None:
    assert scan_text(text).seen == 0


# ---- what is missing ----


def lost(text: str) -> set[str]:
    return {
        part.lost_text
        for of in scan_text(text).functions
        for mma in of.mmas
        for part in (mma.a, mma.b)
        if part is not None
    }


ONCE = [name for name in TOOLS if "twice" not in name and "memory" not in name]
"""Texts that print the function once."""
ROW = re.compile(r"(?m)^[^\w\n]*0x0*([0-9a-f]{12})\b.*\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(ONCE))
def test_without_one_instruction_nothing_is_known(name: str) -> None:
    text = samples()[name]
    addresses = sorted({row[1] for row in ROW.finditer(text)})
    assert len(addresses) == 136
    for gone in (addresses[0], *random.Random(name).sample(addresses[:-1], 3)):
        less = ROW.sub(lambda row, gone=gone: "" if row[1] == gone else row[0], text)  # type: ignore[misc]
        assert len(less) < len(text)
        assert known(less) == 0, gone
        (why,) = lost(less)
        assert "missing" in why


@pytest.mark.slow
@pytest.mark.parametrize("name", ONCE)
def test_of_a_text_that_is_cut_off_nothing_is_known(name: str) -> None:
    text = samples()[name]
    for cut in random.Random(name).sample(range(text.index("HGMMA") + 60, text.rindex("EXIT")), 5):
        assert known(text[:cut]) == 0, cut


def test_an_excerpt_says_what_it_lacks() -> None:
    """x/20i at an exception, from the middle of a function on."""
    (of,) = scan_text(samples()["exception.txt"]).functions
    (mma,) = of.mmas
    assert (of.name, mma.offset, mma.instruction.n) == ("outside", 0x100, 8)
    assert mma.b is not None
    assert (mma.b.known, mma.b.lost_text) == (0, "instructions are missing from +0x0 to +0x60")
    assert mma.a is not None
    assert mma.a.provided is not None
    assert (mma.a.provided.bits >> 32, mma.a.provided.known >> 32, mma.a.provided.cut) == (0x40003FC0, 0xFFFFFFFF, True)


def test_a_line_that_a_terminal_broke_claims_nothing() -> None:
    text = samples()["cuda-gdb-disassemble.txt"].replace("UMOV UR5,0x40000040", "UMOV UR5,0x4000\n0040")
    assert "0x4000\n" in text
    assert known(text) == 0
    assert lost(text) == {"it may continue on the next line: UMOV UR5, 0x4000"}


def test_an_end_that_is_not_there() -> None:
    text = samples()["cuda-gdb-disassemble.txt"].replace("End of assembler dump.", "")
    assert said(text) == said(samples()["nvdisasm.sass"])  # NOPs up to a multiple of 128 bytes
    text = re.sub(r"(?m)^.*NOP\n", "", text, count=1)
    assert known(text) == 0


def test_other_code_at_the_same_address_is_of_another_run() -> None:
    first = samples()["cuda-gdb-disassemble.txt"]
    found = scan_text(first + first.replace("UMOV UR5,0x40000040", "UMOV UR5,0x80000020")).functions
    assert len(found) == 2
    assert found[0].mmas[0].a != found[1].mmas[0].a


# ---- where branches go ----


def listed(base: int, near: bool, *, closed: bool = True) -> str:
    """A loop of two instructions, at ``base``; ``near``: branches say how far they go."""
    end = "BRA {6}" if closed else "EXIT"
    texts = [PUT, "UMOV UR4, 0x1", MMA, "UIADD3 UR7, UR7, 0x1, URZ", "@P0 BRA {2}", "EXIT", end, "NOP"]
    generator = random.Random(0)
    while True:
        text = cuda_gdb(texts, generator)
        far = f"@P0 BRA {'-0x20' if near else f'{base + 32:#x}'}"
        if far in text and f"0x{base:016x} <+0>" in text:
            return text


@every_row("near", [False, True])
@every_row("base", [0x7FFDDB7AD700, 0x700, 0])
def test_a_branch_says_where_or_how_far(base: int, near: bool) -> None:
    """Out of the memory of a device cuda-gdb prints distances; the jump to itself tells which at low addresses."""
    ((_, _, b, *_),) = said(listed(base, near))
    assert b[1] >> 32 == 0
    assert b[1] & 0xFFFFFFFF == 0


def test_where_that_is_not_known_nothing_is() -> None:
    text = listed(0x700, False, closed=False)
    assert known(text) == 0
    assert lost(text) == {"branch targets may be addresses or distances"}


# ---- any program, in any of their forms ----


@pytest.mark.slow
@pytest.mark.parametrize("form", sampled(FORMS))
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_any_program_in_any_form(form: Form, seed: int) -> None:
    # In the order of the source the first instruction tells where a function begins.
    instructions = code("/*0000*/ LDC R1, c[0x0][0x28] ;\n" + program("any", seed))
    text = form(instructions, random.Random(seed))
    assert live_listing.is_listing(text.encode())
    assert said(text) == said(plain(instructions))
