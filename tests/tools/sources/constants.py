"""Random constant expressions of C++ with a type, compiled by g++: what is read of each is what it computes.

    python -m sources.constants [EXPRESSIONS] [SEED]      (from the folder tests/tools)

Each is decoded as a statement alone, and found in a text: as code, and as a number of a text.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from smemdesc.engine.errors import SmemdescError
from smemdesc.reading.code import values_in
from smemdesc.reading.source_values import constant_of_c
from smemdesc.scanning import scan_text

from .cpp import PRELUDE, Tally

TYPES = ("uint64_t", "uint64_t", "auto", "uint32_t", "int64_t", "unsigned long long", "const uint64_t")
SUFFIXES = ("", "", "u", "ull", "ull", "ULL", "ul")
NUMBERS = (1, 1, 2, 3, 16, 64, 64, 0x3FFF, 0x10001, 0xFFFF, 0x12345)
SHIFTS = (4, 16, 16, 30, 31, 32, 32, 46, 49, 61, 62, 62)


def _expression(chance: random.Random, depth: int) -> str:
    if not depth or chance.random() < 0.2:
        if chance.random() < 0.05:
            return chance.choice(("'A'", "(int)64.9", "(1 - 1001)", "-48"))
        number = chance.choice(NUMBERS)
        form = chance.choice(("{}", "{}", "{:#x}", "0{:o}"))
        text = form.format(number) + chance.choice(SUFFIXES)
        cast = chance.choice(("", "", "", "(uint64_t)", "(uint32_t)", "uint64_t", "static_cast<uint64_t>"))
        return f"{cast}({text})" if cast and "(" not in cast else cast + text
    left = _expression(chance, depth - 1)
    roll = chance.random()
    if roll < 0.5:
        return f"{left} {chance.choice(('|', '|', '|', '+'))} {_expression(chance, depth - 1)}"
    if roll < 0.85:
        return f"({left}) << {chance.choice(SHIFTS)}" if " " in left else f"{left} << {chance.choice(SHIFTS)}"
    if roll < 0.92:
        return f"({left}) & ~{_expression(chance, 0)}"
    if roll < 0.95:
        return f"({left} {chance.choice(('<', '>', '<=', '>=', '==', '!='))} {_expression(chance, 0)})"
    return f"({left}) {chance.choice(('>>', '/', '/', '%'))} {chance.choice((1, 4, 16))}"


def compare(count: int, seed: int) -> tuple[list[str], Tally]:
    """Compile and run expressions; return what is read otherwise, and how much was compared."""
    chance = random.Random(seed)
    made = [(chance.choice(TYPES), _expression(chance, 3)) for _ in range(count)]
    lines = [f"{{ {kind} x = {text}; record({at}, (uint64_t)x); }}" for at, (kind, text) in enumerate(made)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "source.cpp")
        path.write_text(PRELUDE + "\n".join(("int main() {", *lines, "}")))
        command = ["g++", "-std=c++17", "-w", "-O0", "-fpermissive", "-o", f"{folder}/run", str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        printed = subprocess.run([f"{folder}/run"], capture_output=True, text=True, timeout=60, check=True).stdout
    wrong: list[str] = []
    bits = known = 0
    for (kind, text), line in zip(made, printed.splitlines(), strict=True):
        value = int(line.split()[1], 16)
        statement = f"{kind} desc = {text};"
        constant = constant_of_c(text, f"{kind} desc ")
        assert constant is not None
        claims = [("expression", constant.bits, constant.known), *_decoded(statement), *_listed(statement)]
        wrong += [
            f"{statement} {of}: claimed {said:016x} of {mask:016x}, printed {value:016x}"
            for of, said, mask in claims
            if (said ^ value) & mask
        ]
        bits, known = bits + 64, known + constant.known.bit_count()
    return wrong, Tally(count, count, bits, known)


def _decoded(statement: str) -> list[tuple[str, int, int]]:
    try:
        literals = values_in(statement)
    except SmemdescError:
        return []
    full = 2**64 - 1
    return [("decoded", each.number & full, full & ~each.unknown) for each in literals if each.number >= 0]


def _listed(statement: str) -> list[tuple[str, int, int]]:
    return [("listed", value.bits, value.known) for value in scan_text(f"void f() {{ {statement} }}\n").values]


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] + [2000, 0][len(sys.argv) - 1 :]
    faults, tally = compare(*numbers[:2])
    for fault in faults[:20]:
        print(fault)
    print(f"{tally.sources} expressions, {100 * tally.known / tally.bits:.1f} % of the bits known, {len(faults)} wrong")
    sys.exit(bool(faults))
