"""Random functions of C++ that compute numbers as kernels compute descriptors, compiled by g++ and run.

    python -m sources.cpp [SOURCES] [SEED]      (from the folder tests/tools)

Each function shows variables and expressions at many places, in what is an ``asm`` statement for the reader and a call
that prints for the compiler. What must hold: every bit that is claimed of an operand is what the program prints, each
time, for all arguments. Prints how many sources and operands there were, and the share of bits known.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from smemdesc.reading.source_values import read_source

TYPES = ("uint64_t", "uint32_t", "int", "unsigned", "unsigned long long", "int64_t", "uint16_t", "uint8_t", "auto")
NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    16,
    46,
    61,
    62,
    63,
    64,
    128,
    256,
    1024,
    0x3FFF,
    0x3FFFF,
    0x7FFFFFFF,
    0x80000000,
    1 << 46,
)
PRELUDE = """#include <cstdint>
#include <cstdio>
#include <cstddef>
#include <type_traits>
extern uint64_t outside(uint64_t x);
extern uint32_t smem_u32(uint64_t x);
extern void touches(uint64_t& x);
extern void touches(uint32_t& x);
extern void points(void* x);
extern bool flips();
static void record(int at, uint64_t value) { printf("%d %llx\\n", at, (unsigned long long)value); }
"""
"""What only the compiler sees."""
OUTSIDE = """
uint64_t state = 88172645463325252ull;
uint64_t outside(uint64_t x) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state ^ x; }
uint32_t smem_u32(uint64_t x) { return (uint32_t)outside(x); }
void touches(uint64_t& x) { x ^= outside(x); }
void touches(uint32_t& x) { x ^= (uint32_t)outside(x); }
void points(void* x) { *(uint8_t*)x ^= (uint8_t)outside(1); }
bool flips() { return outside(3) & 1; }
"""
_PROBE = re.compile(r"PROBE\((\d+), ([^;\n]*)\);")


class Source(NamedTuple):
    """A source, and the functions to call with any numbers."""

    text: str
    calls: tuple[str, ...]

    def read(self) -> str:
        """Return the source as it is read."""
        return _PROBE.sub(r'asm volatile("wgmma.mma_async" :: "l"(\2));', self.text)

    def compiled(self) -> str:
        """Return the source as it is compiled."""
        return _PROBE.sub(r"record(\1, (uint64_t)(\2));", self.text)


class _Writer:
    def __init__(self, chance: random.Random, number: int, probes: int) -> None:
        self.chance = chance
        self.number = number
        self.lines: list[str] = []
        self.at = probes
        self.fresh = 0
        self.helpers: list[tuple[str, int]] = []
        self.constants: list[str] = []
        self.usable: list[str] = []
        """Those that a constant expression may name."""

    def name(self, letter: str = "v") -> str:
        self.fresh += 1
        return f"{letter}{self.number}_{self.fresh}"

    def pick(self, *ways: Callable[[], str]) -> str:
        return self.chance.choice(ways)()

    def literal(self) -> str:
        chance = self.chance
        number = chance.choice((*NUMBERS, chance.getrandbits(chance.choice((3, 8, 14, 32, 64)))))
        form = chance.randrange(9)
        suffix = chance.choice(("", "", "u", "ull", "ULL", "llu", "ul", "ll", "UL"))
        if "u" not in suffix.lower() and number >> 63:
            suffix = "ull"
        text = (
            str(number) if form < 4 else f"0x{number:x}" if form < 7 else bin(number) if form == 7 else f"0{number:o}"
        )
        if number > 999 and form == 0:
            text = f"{number:,}".replace(",", "'")
        if form == 8 and chance.random() < 0.5:
            return (
                f"UINT64_C({number})"
                if chance.random() < 0.5
                else f"uint64_t{{{number}u{'ll' if number >> 32 else ''}}}"
            )
        return text + suffix

    def atom(self, names: Sequence[str]) -> str:
        ways: list[Callable[[], str]] = [self.literal, self.literal]
        if names:
            ways += [lambda: self.chance.choice(names)] * 3
        if self.constants:
            ways.append(lambda: self.chance.choice(self.constants))
        ways.append(lambda: f"outside({self.chance.randrange(9)})")
        ways.append(lambda: f"smem_u32({self.chance.randrange(9)})")
        return self.pick(*ways)

    def expression(self, names: Sequence[str], depth: int) -> str:
        chance = self.chance
        if not depth or chance.random() < 0.15:
            return self.atom(names)
        left = self.expression(names, depth - 1)
        roll = chance.random()
        if roll < 0.45:
            sign = chance.choice(("|", "|", "|", "&", "&", "^", "+", "+", "-", "*"))
            right = self.expression(names, depth - 1)
            return f"({left} {sign} {right})" if chance.random() < 0.7 else f"{left} {sign} {right}"
        if roll < 0.65:
            count = chance.choice((1, 2, 4, 4, 4, 7, 10, 16, 17, 24, 30, 31, 32, 32, 46, 61, 62))
            cast = chance.choice(("(uint64_t)", "uint64_t", "static_cast<uint64_t>", "", "(unsigned long long)"))
            return f"({cast}({left}) {chance.choice(('<<', '<<', '>>'))} {count})"
        if roll < 0.72:
            return f"(({left}) {chance.choice(('/', '%'))} {chance.choice((1, 2, 3, 8, 16, 20, 64))}u)"
        if roll < 0.86:
            kind = chance.choice(("uint32_t", "uint64_t", "int", "uint16_t", "uint8_t", "int64_t", "unsigned", "bool"))
            form = chance.choice(("({})({})", "{}({})", "static_cast<{}>({})", "({})({})", "static_cast<std::{}>({})"))
            if form.count("std") and "_t" not in kind:
                form = "static_cast<{}>({})"
            return form.format(kind, left)
        if roll < 0.90:
            return f"{chance.choice('~-+!')}({left})"
        if roll < 0.94:
            how = chance.choice(("flips()", f"({self.atom(names)}) == 1", "true", f"({self.atom(names)}) && 1"))
            return f"({how} ? {left} : {self.expression(names, depth - 1)})"
        if self.helpers:
            name, count = chance.choice(self.helpers)
            return f"{name}({', '.join(self.expression(names, depth - 2 if depth > 1 else 0) for _ in range(count))})"
        return left

    def probe(self, names: Sequence[str]) -> str:
        self.at += 1
        text = self.chance.choice(names)
        if self.chance.random() < 0.3:
            text = self.expression(names, 2)
        if self.chance.random() < 0.2:
            text = f"{text} + {self.expression(names, 1)}"
        return f"PROBE({self.at}, {text});"

    def statements(self, names: list[str], changing: list[str], depth: int, count: int) -> list[str]:
        """Return statements; ``changing`` are the names that may be assigned to."""
        out: list[str] = []
        names, changing = list(names), list(changing)
        for _ in range(count):
            out += self.statement(names, changing, depth)
            if self.chance.random() < 0.5 and names:
                out.append(self.probe(names))
        return out

    def statement(self, names: list[str], changing: list[str], depth: int) -> list[str]:
        chance = self.chance
        roll = chance.random()
        if not changing or roll < 0.22:
            name = self.name() if chance.random() < 0.85 or not names else chance.choice((*changing, self.name()))
            if name in changing:
                return [self.assigned(names, changing)]
            kind = chance.choice(TYPES)
            fixed = chance.choice(("", "", "", "const ", "volatile "))
            value = self.expression(names, chance.choice((1, 2, 3)))
            form = chance.random()
            names.append(name)
            if not fixed:
                changing.append(name)
            if form < 0.12 and kind == "uint64_t":
                other = self.name()
                names.append(other)
                changing.append(other)
                return [f"{fixed}{kind} {name} = {value}, {other} = {self.expression(names[:-2], 1)};"]
            if form < 0.2 and kind != "auto":
                return [f"{kind} {name};", f"{name} = {value};"] if not fixed else [f"{fixed}{kind} {name} = {value};"]
            if form < 0.3 and kind != "auto":
                return [f"{fixed}{kind} {name}{{({kind})({value})}};"]
            return [f"{fixed}{kind} {name} = {value};"]
        if roll < 0.62 or not depth:
            return [self.assigned(names, changing)]
        target = chance.choice(changing)
        inner = self.statements(names, changing, depth - 1, chance.randrange(1, 4))
        block = ["{", *inner, "}"]
        ways: list[Callable[[], list[str]]] = [
            lambda: ["if (flips())", *block],
            lambda: [f"if (flips()) {self.assigned(names, changing)}"],
            lambda: ["if (flips())", *block, "else", *["{", *self.statements(names, changing, depth - 1, 2), "}"]],
            lambda: [f"for (int i = 0; i < {chance.randrange(4)}; ++i)", *block],
            lambda: [f"for (int i = 0; i < {chance.randrange(4)}; i++) {self.assigned(names, changing)}"],
            lambda: ["while (flips())", *block],
            lambda: ["do", *block, "while (flips());"],
            lambda: [
                f"switch (outside(2) & 3) {{ case 0: {self.assigned(names, changing)}",
                "case 1:",
                *block,
                "break;",
                f"default: {self.assigned(names, changing)} }}",
            ],
            lambda: block,
            lambda: [
                f"auto {(f := self.name('f'))} = [&]() {{",
                *inner,
                "};",
                *([f"{f}();"] if chance.random() < 0.8 else []),
                self.assigned(names, changing),
                f"{f}();",
            ],
            lambda: [f"auto& {(r := self.name('r'))} = {target};", f"{r} |= {self.expression(names, 1)};"],
            lambda: [f"auto* {(p := self.name('p'))} = &{target};", f"*{p} = {self.expression(names, 1)};"],
            lambda: [f"points(&{target});"],
            lambda: [f"points((void*)&{target});"],
            lambda: [f"through{self.number}({target});"],
            lambda: [
                "#if defined(NEVER)",
                self.assigned(names, changing),
                "#else",
                self.assigned(names, changing),
                "#endif",
            ],
            lambda: ["#ifdef NEVER", self.assigned(names, changing), "#endif"],
            lambda: ["#ifdef NEVER", "if (flips()) {", "#else", "if (!flips()) {", "#endif", *inner, "}"],
            lambda: [f"{target}++;"],
            lambda: [f"(void)({target} = {self.expression(names, 1)});"],
            lambda: [f"{target} = {self.chance.choice(changing)} = {self.expression(names, 1)};"],
            lambda: [f"CHANGE{self.number}({target});"],
            lambda: [f"if (uint32_t {(w := self.name('w'))} = {self.expression(names, 1)}) {{ {target} |= {w}; }}"],
            lambda: [
                "{",
                f"uint32_t {target} = {self.expression([n for n in names if n != target], 1)};",
                self.probe([target]),
                f"{target} |= 1u << 4;",
                "}",
            ],
            lambda: [
                f"struct S{(s := self.name())} {{",
                f"uint64_t operator()(uint64_t {target}) const {{ return {target} | 1; }} }};",
                f"{target} |= S{s}{{}}({self.literal()});",
            ],
            lambda: ["try", *block, "catch (...) { }"],
            lambda: [f'asm volatile("" : "+r"({target}));'] if False else [f"touches_{self.number}({target});"],
        ]
        return chance.choice(ways)()

    def assigned(self, names: Sequence[str], changing: Sequence[str]) -> str:
        chance = self.chance
        sign = chance.choice(("|=", "|=", "|=", "=", "=", "+=", "&=", "^=", "-=", "*=", "<<=", ">>="))
        value = chance.choice((1, 4, 7)) if sign in ("<<=", ">>=") else self.expression(names, chance.choice((1, 2, 3)))
        return f"{chance.choice(changing)} {sign} {value};"

    def constant(self) -> list[str]:
        chance, name = self.chance, f"K{self.number}_{len(self.constants)}"
        self.constants.append(name)
        known = self.usable
        value = self.literal()
        if known and chance.random() < 0.5:
            value = f"{chance.choice(known)} {chance.choice('|+*^')} {value}"
        shared = chance.choice((f"({value})", value))
        lines = chance.choice(
            (
                [f"#define {name} {shared}"],
                [f"#define {name} {shared} // a comment"],
                [f"constexpr uint64_t {name} = {value};"],
                [f"static constexpr uint32_t {name} = (uint32_t)({value});"],
                [f"const auto {name} = {value};"],
                [f"uint64_t {name} = {value};"],
                ["#ifdef NEVER", f"#define {name} 5", "#else", f"#define {name} {shared}", "#endif"],
                ["#ifndef NEVER", f"constexpr int {name} = 77;", "#else", f"constexpr int {name} = 78;", "#endif"],
                [f"enum : uint64_t {{ {name} = (uint64_t)({value}) }};"],
                [f"enum class E{name} : uint16_t {{ A = 3, B }};", f"#define {name} ((uint64_t)E{name}::B)"],
                [f"enum E{name} {{ A{name}, B{name} = 64, {name} }};"],
            )
        )
        if not lines[0].startswith(("uint64_t", "const auto", "#if")):
            self.usable.append(name)
        return lines

    def helper(self) -> list[str]:
        chance, name, count = self.chance, self.name("h"), self.chance.randrange(1, 3)
        parameters = [f"p{at}" for at in range(count)]
        if chance.random() < 0.4:
            body = self.expression(parameters, 2)
            self.helpers.append((name, count))
            for each in parameters:
                body = re.sub(rf"\b{each}\b", f"({each})", body) if chance.random() < 0.7 else body
            return [f"#define {name}({', '.join(parameters)}) {chance.choice(('({})', '{}')).format(body)}"]
        kinds = [chance.choice(("uint64_t", "uint32_t", "int", "unsigned")) for _ in parameters]
        lead = chance.choice(
            ("static inline", "static", "constexpr" if False else "inline", "template <int N = 3> static")
        )
        typed = ", ".join(f"{kind} {each}" for kind, each in zip(kinds, parameters, strict=True))
        head = f"{lead} {chance.choice(('uint64_t', 'uint32_t', 'auto'))} {name}({typed}) {{"
        body = self.statements(parameters, parameters, 0, chance.randrange(3))
        body = [line for line in body if not line.startswith("PROBE")]
        if chance.random() < 0.3:
            returned = [f"if (p0 & 1) return (uint64_t)({self.expression(parameters, 2)});"]
        else:
            returned = []
        result = self.expression(parameters, 2)
        self.helpers.append((name, count))
        return [head, *body, *returned, f"return (uint64_t)({result});", "}"]

    def source(self) -> tuple[list[str], str]:
        chance = self.chance
        lines = [f"#define CHANGE{self.number}(x) x ^= outside(4)"]
        lines += [f"template <class T> void through{self.number}(T& x) {{ x = (T)outside(x); }}"]
        for _ in range(chance.randrange(3)):
            lines += self.constant()
        for _ in range(chance.randrange(3)):
            lines += self.helper()
        function = f"make_desc{self.number}"
        parameters = [f"a{self.number}", f"b{self.number}"]
        lines.append(f"uint64_t {function}(uint64_t {parameters[0]}, uint32_t {parameters[1]}) {{")
        body = self.statements(parameters, parameters, 2, chance.randrange(3, 9))
        lines += [*body, f"return {self.expression(parameters, 2)};", "}"]
        text = "\n".join(lines).replace(f"touches_{self.number}(", f"through{self.number}(")
        return text.split("\n"), function


def sources(seed: int, count: int) -> list[Source]:
    """Return sources that may stand in one text."""
    out = []
    for number in range(count):
        writer = _Writer(random.Random(f"{seed} {number}"), number, 10_000 * number)
        lines, call = writer.source()
        out.append(Source("\n".join(lines) + "\n", (call,)))
    return out


def joined(several: Sequence[Source]) -> Source:
    """Return sources as one text."""
    return Source("".join(each.text for each in several), tuple(call for each in several for call in each.calls))


class Tally(NamedTuple):
    """How much was compared."""

    sources: int = 0
    operands: int = 0
    bits: int = 0
    known: int = 0


def compare(several: Sequence[Source]) -> tuple[list[str], Tally]:
    """Compile and run sources; return what is claimed and wrong, and how much was compared.

    One that does not compile is left out.
    """
    source = joined(several)
    try:
        shown = _run(source)
    except ValueError:
        if len(several) == 1:
            return [], Tally()
        half = len(several) // 2
        parts = [compare(part) for part in (several[:half], several[half:])]
        return parts[0][0] + parts[1][0], Tally(*map(sum, zip(parts[0][1], parts[1][1], strict=True)))
    text = source.read()
    numbers = [int(match[1]) for match in _PROBE.finditer(source.text)]
    starts = [match.start() for match in re.finditer(r"\basm volatile\(\"wgmma", text)]
    reading = read_source(text)
    wrong: list[str] = []
    operands = known = 0
    for number, start in zip(numbers, starts, strict=True):
        if number not in shown or start not in reading.operands:
            continue
        (operand,) = reading.operands[start]
        operands += 1
        bits, mask = 0, 2**64 - 1
        if len(operand.terms) == 1:
            bits, mask = operand.terms[0]
        else:
            mask = 0
        known += mask.bit_count()
        line = text.count("\n", 0, start) + 1
        wrong += [
            f"{operand.text}: claimed {bits:016x} of {mask:016x}, printed {value:016x}, line {line}"
            for value in shown[number]
            if (value ^ bits) & mask
        ][:1]
    for value in reading.values:
        match = re.fullmatch(r"make_desc(\d+)\(\)", value.text)
        if match:
            operands += 1
            known += value.known.bit_count()
            wrong += [
                f"{value.text}: claimed {value.bits:016x} of {value.known:016x}, returned {result:016x}"
                for result in shown[-1 - int(match[1])]
                if (result ^ value.bits) & value.known
            ][:1]
    return wrong, Tally(len(source.calls), operands, 64 * operands, known)


_ARGUMENTS = ((0, 0), (2**64 - 1, 2**32 - 1), (0x12345, 0x8000), (0xDEADBEEFCAFE1234, 0x3FFFF), (1, 7))


def _run(source: Source) -> dict[int, set[int]]:
    """Return the numbers that each place prints; what a function returns by the negative of its number."""
    main = ["int main() {"]
    for call in source.calls:
        number = int(call.removeprefix("make_desc"))
        main += [f"record({-1 - number}, {call}({a}ull, {b}u));" for a, b in _ARGUMENTS]
    text = PRELUDE + source.compiled() + OUTSIDE + "\n".join((*main, "}")) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "source.cpp")
        path.write_text(text)
        command = ["g++", "-std=c++17", "-w", "-O0", "-fwrapv", "-fpermissive", "-o", f"{folder}/run", str(path)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode:
            raise ValueError(built.stderr[:2000])
        printed = subprocess.run([f"{folder}/run"], capture_output=True, text=True, timeout=60, check=False).stdout
    shown: dict[int, set[int]] = {}
    for line in printed.splitlines():
        number, value = line.split()
        shown.setdefault(int(number), set()).add(int(value, 16))
    return shown


_AT_ONCE = 40


def main(count: int, seed: int) -> int:
    """Compare sources; print what is wrong, and how much was known."""
    total = Tally()
    failed = 0
    for at in range(0, count, _AT_ONCE):
        wrong, tally = compare(sources(seed + at, _AT_ONCE))
        total = Tally(*map(sum, zip(total, tally, strict=True)))
        failed += len(wrong)
        for line in wrong[:5]:
            print(f"seed {seed + at}: {line}", flush=True)
    share = 100 * total.known / max(1, total.bits)
    print(f"{total.sources} sources, {total.operands} operands, {share:.1f} % of the bits known, {failed} claims wrong")
    return failed


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] + [400, 0][len(sys.argv) - 1 :]
    sys.exit(bool(main(*numbers[:2])))
