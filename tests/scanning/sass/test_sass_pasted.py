"""SASS as people paste it: the wrapping changes no answer, or what was not read is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import cycle
from typing import Any

import pytest
from programs.annotating import claims
from tables import every_row

from smemdesc.scanning import scan_text

from .test_sass_forms import forms

BLACKWELL = """\
UMOV UR15, 0x8200010 ;
UMOV UR17, 0x40004040 ;
UMOV UR19, 0x40004040 ;
@P2 LOP3.LUT R5, R5, RZ, RZ, 0xf, !PT ;
UTCQMMA.2CTA gdesc[UR16], gdesc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], !UP1 ;
UIADD3 UR16, UPT, UPT, UR16, 0x2, URZ ;
NOP ;
UTCQMMA.2CTA gdesc[UR16], gdesc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], UPT ;""".splitlines()
HOPPER = """\
UMOV UR9, 0x40000040 ;
UMOV UR11, 0x40000080 ;
ULEA UR5, UR6, UR5, 0x18 ;
UIADD3 UR5, UR5, 0x3ff, URZ ;
ULOP3.LUT UR5, UR5, 0x3fc00, URZ, 0xc0, !UPT ;
LDS.128 R4, [R2+0x10] ;
ULEA.HI UR8, UR5, 0x10000, URZ, 0x1c ;
ULEA.HI UR10, UR5, 0x400000, URZ, 0x1c ;
WARPGROUP.ARRIVE ;
HGMMA.64x128x16.F32 R24, gdesc[UR8].tnspB, R24, gsb0 ;""".splitlines()

Lines = list[str]
Wrapping = Callable[[Lines], Lines]


def addressed(lines: Lines) -> Lines:
    return [f"        /*{16 * place + 0x100:04x}*/                   {line}" for place, line in enumerate(lines)]


def bare(lines: Lines) -> Lines:
    return [line.removesuffix(" ;") for line in lines]


BASES: dict[str, Lines] = {
    f"{name}, {form}": change(lines)
    for name, lines in (("Blackwell", BLACKWELL), ("Hopper", HOPPER))
    for form, change in {
        "plain": list,
        "without semicolons": bare,
        "with addresses": addressed,
        "with addresses, without semicolons": lambda each: bare(addressed(each)),
    }.items()
} | {name: forms()[f"{name}.txt"].decode().rstrip("\n").split("\n") for name in ("nvdisasm-c", "cuobjdump_-sass")}


def each(template: str) -> Wrapping:
    """Return what puts something around each line, ``{0}``; ``{1}`` is its number."""
    return lambda lines: [template.format(line, number) for number, line in enumerate(lines, 1)]


def mixed(template: str) -> Wrapping:
    """Return what grep -B puts before each line: a colon before those that match, hyphens before the others."""
    return lambda lines: [
        template.format(line=line, number=number, sign=":" if "MMA" in line or "UMOV" in line else "-")
        for number, line in enumerate(lines, 98)
    ]


def after_comma(width: int) -> Wrapping:
    def wrapped(lines: Lines) -> Lines:
        out = []
        for line in lines:
            while len(line) > width and "," in line[:width]:
                cut = line.rindex(",", 0, width) + 1
                out.append(line[:cut])
                line = " " + line[cut:].lstrip()
            out.append(line)
        return out

    return wrapped


def hard(width: int) -> Wrapping:
    return lambda lines: [line[at : at + width] for line in lines for at in range(0, len(line) or 1, width)]


def mnemonics_alone(lines: Lines) -> Lines:
    return re.sub(r"(?m)^((?:.*\s)?[A-Z][A-Z0-9]+[\w.]*) (?=[^\s;])", r"\1\n        ", "\n".join(lines)).split("\n")


def changed(pattern: str, to: str | Callable[[re.Match[str]], str]) -> Wrapping:
    return lambda lines: [re.sub(pattern, to, line) for line in lines]


def pair(register: re.Match[str]) -> str:
    return f"gdesc[{{UR{register[1]},UR{int(register[1]) + 1}}}]"


WRAPPINGS: dict[str, Wrapping] = {
    "indented": each("    {0}"),
    "a tab": each("\t{0}"),
    "quoted": each("> {0}"),
    "quoted twice": each("> > {0}"),
    "a fence": lambda lines: ["Hi,", "```sass", *lines, "```", "why?"],
    "HTML": lambda lines: ["<pre>", *lines, "</pre>"],
    "a remark //": each("{0} // flip UR7, the phase"),
    "a remark #": each("{0}   # step, along K of UR16"),
    "a remark /* */": each("{0} /* high word, UR17 */"),
    "a remark <--": each("{0}   <-- here"),
    "a remark <-": each("{0} <- UR17 here"),
    "a remark of words": each("{0}            flip the phase bit"),
    "a remark with a comma": each("{0}  the high word, of A"),
    "an arrow after": each("{0}  \u2190 here"),
    "=>": each("=> {0}"),
    "-->": each("--> {0}"),
    "an arrow": each("\u2192 {0}"),
    "numbers": each("{1:4d}  {0}"),
    "numbers:": each("{1}: {0}"),
    "numbers |": each("{1:3d} | {0}"),
    "numbers, tab": each("{1}\t{0}"),
    "numbers.": each("{1}. {0}"),
    "numbers)": each("{1}) {0}"),
    "[numbers]": each("[{1}] {0}"),
    "grep": each("dump.sass:{1}:{0}"),
    "grep, path": each("./a-b/c_d.sass:{1}:    {0}"),
    "grep -A": each("dump.sass-{1}-{0}"),
    "grep -B": mixed("dump.sass{sign}{number}{sign}{line}"),
    "grep -B, one file": mixed("{number}{sign}{line}"),
    "percent before": each("{1:6.2f}%  {1:5d}  {0}"),
    "percent after": each("{0}    {1}   {1:.2f}%"),
    "percent after, tabs": each("{0}\t{1}\t{1:.2f}%\t-"),
    "Nsight Compute, copied": each("{1}\t00007f1c 4b2fa{1:03x}\t{0}\t{1}\t{1:.2f}\t0\t0x1"),
    "addresses": each("0x7f1c4b2fa{1:03x}  {0}  {1}  0  -"),
    "a table": each("| {0} |"),
    "a table of three": each("| {1} | {0:<90} | {1} |"),
    "a frame": each("\u2502 {0:<90} \u2502"),
    "a list": each("- {0}"),
    "a list *": each("* {0}"),
    "code in a list": each("- `{0}`"),
    "code": each("`{0}`"),
    "added lines": each("+{0}"),
    "strings": each('"{0}\\n"'),
    "quotation marks": each('"{0}"'),
    "Windows": each("{0}\r"),
    "colors": changed(r"([A-Z]\S+)", "\x1b[32m\\1\x1b[0m"),
    "hard blanks": changed(" ", "\xa0"),
    "lower case": lambda lines: [line.lower() for line in lines],
    "empty lines": each("{0}\n"),
    "prose between": each("{0}\nand then it does"),
    "CuAssembler": each("      [B0----5:R-:W1:Y:S15]         {0}"),
    "maxas": each("--:-:0:-:2      {0}"),
    "turingas": each("B------:R-:W0:-:S04  {0}"),
    "broken at 80": after_comma(80),
    "broken at 40": after_comma(40),
    "broken and quoted": lambda lines: each("> {0}")(after_comma(60)(lines)),
    "mnemonics alone": mnemonics_alone,
    "wide blanks": changed("(?<=[A-Z0-9,]) ", "   "),
    "no blanks": changed(", (?=[^ ]+ ?(?:,|;|$))", ","),
    "pairs of registers": changed(r"gdesc\[UR(\d+)\]", pair),
    "blanks in brackets": changed(r"\[(U?R\w+)\]", r"[ \1 ]"),
    "a log": each("[12:33:01] {0}"),
    "a log with dates": each("2026-11-27T12:33:01.123Z {0}"),
    "a prompt": each("sass> {0}"),
}
WRAPPINGS |= {
    "HTML entities": each("&gt; {0}"),
    "places in a function": each("kernel+0x{1:x}: {0}"),
    "CSV": each('"{1}","0x7f1c4b2fa{1:03x}","      {0}","{1}"'),
    "CSV, small addresses": each('"{1}","0x{1:x}","{0}","{1}"'),
    "CSV, half addresses": each('"{1}","00007f1c 4b2fa{1:03x}","{0}","{1}"'),
    "CSV, bare": each('{1},0x7f1c4b2fa{1:03x},"{0}",{1}'),
    "places in a section": each(".text.kernel:{1:08x}    {0}"),
    "places in a file": each(".text:{1:016X}                 {0}"),
    "lines that go on": lambda lines: [part for line in lines for part in line.replace(", ", ", \\\n  ").split("\n")],
}
BROKEN: dict[str, Wrapping] = {
    "a terminal of 80": hard(80),
    "a terminal of 70": hard(70),
    "a terminal of 60": hard(60),
    "in one line": lambda lines: [" ".join(lines)] if len(lines) < 20 else lines,
}
"""What may break a number, or leaves no sign of where an instruction ends."""


TWO = {
    "a comparison": "-UMOV UR7, 0x40000040 ;\n+UMOV UR7, 0x40000080 ;\n {0} ;",
    "two texts side by side": "UMOV UR7, 0x40000040 ;   | UMOV UR7, 0x40000080 ;\n{0} ;   {0} ;",
    "what it was": "UMOV UR7, 0x40000040 ;  was UMOV UR7, 0x40000080\n{0} ;",
    "prose": "UMOV UR7, 0x40000040 ;\nHere UMOV UR7, 0x40000080 would be wrong\n{0} ;",
    "code that is left out": "UMOV UR7, 0x40000040 ;\n...\n{0} ;",
    "a guard alone": "UMOV UR7, 0x40000040 ;\n@P0\nUMOV UR7, 0x40000180 ;\n{0} ;",
    "a number that is cut off": "UMOV UR6, 0x1 ;\nUMOV UR7, 0x400000\n{0} ;",
}


@pytest.mark.parametrize("text", TWO.values(), ids=list(TWO))
def test_what_may_be_another_value_is_not_known(text: str) -> None:
    for *_, b, _, _ in claims(text.format("HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24, gsb0") + "\n"):
        assert b[1] >> 32 != 0xFFFFFFFF


def test_what_is_left_out_may_write_a_predicate() -> None:
    lines = ("UMOV UR7, 0x1 ;", "UISETP.NE.AND UP0, UPT, URZ, URZ, UPT ;", "...", "@UP0 UMOV UR7, 0x2 ;")
    (*_, b, _, _), *_ = claims("\n".join((*lines, "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0 ;")) + "\n")
    assert b[1] >> 32 & 3 == 0


def said(lines: Lines) -> list[Any]:
    return [operands for _, _, *operands in claims("\n".join(lines) + "\n")]


@cache
def right(base: str) -> list[Any]:
    return said(BASES[base])


*SHORT, ONE, OTHER = BASES
"""The whole dumps stand in every other wrapping."""


@pytest.mark.slow
@every_row("wrapping", WRAPPINGS)
@every_row("base", SHORT)
def test_a_wrapping_changes_no_answer(wrapping: str, base: str) -> None:
    assert said(WRAPPINGS[wrapping](BASES[base])) == right(base) != []


@pytest.mark.corpus
@every_row(("wrapping", "base"), zip(WRAPPINGS, cycle((ONE, OTHER)), strict=False))
def test_a_wrapping_of_a_whole_dump_changes_no_answer(wrapping: str, base: str) -> None:
    assert said(WRAPPINGS[wrapping](BASES[base])) == right(base) != []


@pytest.mark.slow
@every_row("wrapping", BROKEN)
@every_row("base", BASES)
def test_what_is_broken_is_read_or_named_and_never_more_is_known(base: str, wrapping: str) -> None:
    lines = BROKEN[wrapping](BASES[base])
    whole, found = right(base), said(lines)
    if found == whole:
        return
    part = scan_text("\n".join(lines) + "\n")
    assert part.odd or part.failed
    assert len(found) <= len(whole)
    for operands, other in zip(found, whole if len(found) == len(whole) else (), strict=False):
        for (bits, known), (truth, most) in (both for both in zip(operands, other, strict=True) if both[0]):
            assert (known & ~most, (bits ^ truth) & known) == (0, 0)


@every_row("width", [*range(42, 62), 80, 100])
def test_a_line_broken_at_any_width_is_read_or_reported(width: int) -> None:
    lines = (
        f"        /*{16 * at:04x}*/                   {line} ;"
        for at, line in enumerate(
            (
                "UMOV UR5, 0x40004040",
                "UMOV UR7, 0x40004040",
                "UMOV UR35, 0x8200010",
                "UTCQMMA gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT",
                "EXIT",
            )
        )
    )
    text = "".join(line[at : at + width] + "\n" for line in lines for at in range(0, len(line), width))
    part = scan_text(text)
    known = [mma.a and mma.a.known for function in part.functions for mma in function.mmas]
    assert known == [0xFFFFFFFF << 32] or (not known and part.unread)
