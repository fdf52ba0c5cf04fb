"""Random statements of Python that compute numbers as kernels' authors compute descriptors, run by Python itself.

    python -m sources.python [SOURCES] [SEED]      (from the folder tests/tools)

What must hold: every bit that is claimed of a descriptor is the one that Python computes, for all arguments.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable

from smemdesc.reading.source_values import read_source

from .cpp import Tally

NUMBERS = (0, 1, 2, 4, 16, 64, 128, 1024, 0x3FFF, 0x3FFFF, 1 << 46, 1 << 62)
_FULL = 2**64 - 1


def _expression(chance: random.Random, names: list[str], depth: int) -> str:
    if not depth or chance.random() < 0.2:
        number = chance.choice((*NUMBERS, chance.getrandbits(chance.choice((4, 14, 32, 62)))))
        literal = chance.choice(
            (str(number), f"0x{number:x}", f"0b{number:b}", f"0o{number:o}", f"{number:_}", f'int("{number:#x}", 16)')
        )
        return chance.choice((literal, chance.choice(names), chance.choice(names)))
    left, right = (_expression(chance, names, depth - 1) for _ in range(2))
    roll = chance.random()
    if roll < 0.5:
        return f"({left} {chance.choice(('|', '|', '&', '^', '+', '-', '*'))} {right})"
    if roll < 0.7:
        return f"(({left}) {chance.choice(('<<', '>>'))} {chance.choice((1, 4, 16, 32, 46, 62))})"
    if roll < 0.82:
        return f"(({left}) {chance.choice(('//', '%'))} {chance.choice((1, 8, 16, 20, 64))})"
    if roll < 0.86:
        return f"({left} if {chance.choice(names)} {chance.choice(('==', '<', '>='))} 3 else {right})"
    if roll < 0.9:
        return f"({left} {chance.choice(('<', '>', '<=', '>=', '==', '!=', 'and', 'or'))} {right})"
    return (
        f"({chance.choice(('2', '4', '3'))}**{chance.choice((3, 5, 20))} | {left})" if roll < 0.95 else f"(~({left}))"
    )


def source(seed: int) -> str:
    """Return a module with a function of two arguments that returns what it makes."""
    chance = random.Random(seed)
    lines = ["import math"]
    names = ["a", "b"]
    for at in range(chance.randrange(3)):
        name = f"K{at}"
        lines.append(f"{name} = {_expression(chance, names[2:] or ['7'], 1)}")
        names.append(name)
    if chance.random() < 0.3:
        lines.append(f"{chance.choice(['K0', 'K1', 'K9'])} = 5")
    called = ""
    if chance.random() < 0.5:
        lines.append(f"def encode(x, y={_expression(chance, ['7'], 1)}, *, z=64):")
        lines.append(f"    return {_expression(chance, ['x', 'y', 'z'], 2)}")
        called = chance.choice(
            ("encode({})", "encode({}, y={})", "encode(y={}, x={})", "encode({}, z={})", "encode(*[{}])")
        )
    lines.append("def make_desc(a, b=3):")
    changing: list[str] = []
    for _ in range(chance.randrange(1, 6)):
        name = chance.choice((*changing, f"v{len(changing)}", "a"))
        sign = chance.choice(("=", "=", "|=", "+=", "&=")) if name in names else "="
        indent = "    "
        roll = chance.random()
        if name in names and roll < 0.15:
            lines.append("    if b > 2:")
            indent = "        "
        elif name in names and roll < 0.3:
            lines.append(f"    for {chance.choice(('i', name))} in range(2):")
            indent = "        "
        value = _expression(chance, names, 2)
        if called and chance.random() < 0.4:
            value = called.format(value, _expression(chance, names, 1))
        if sign == "=" and chance.random() < 0.3:
            other = chance.choice(("a", "b", name))
            swapped = chance.choice((f"{name}, {other}", f"({name}, {other})"))
            lines.append(f"{indent}{swapped} = {value}, {_expression(chance, names, 1)}")
        else:
            lines.append(f"{indent}{name} {sign} {value}")
        if name not in names:
            names.append(name)
            changing.append(name)
    lines.append(f"    return {_expression(chance, names, 2)}")
    return "\n".join(lines) + "\n"


def compare(seeds: Iterable[int]) -> tuple[list[str], Tally]:
    """Run sources; return what is claimed and wrong, and how much was compared."""
    wrong: list[str] = []
    total = Tally()
    for seed in seeds:
        text = source(seed)
        made = [value for value in read_source(text).values if value.text == "make_desc()"]
        scope: dict[str, object] = {}
        try:
            exec(text, scope)  # what the generator wrote
            results = [scope["make_desc"](a, b) for a in (0, 3, 2**40 + 77, -5) for b in (0, 3, 1000)]  # type: ignore[operator]
        except (ArithmeticError, ValueError, MemoryError, NameError):
            continue
        known = made[0].known if made else 0
        bits = made[0].bits if made else 0
        total = Tally(total.sources + 1, total.operands + 1, total.bits + 64, total.known + known.bit_count())
        wrong += [
            f"seed {seed}: claimed {bits:016x} of {known:016x}, computed {result & _FULL:016x}"
            for result in results
            if ((result & _FULL) ^ bits) & known
        ][:1]
    return wrong, total


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] + [2000, 0][len(sys.argv) - 1 :]
    faults, tally = compare(range(numbers[1], numbers[0] + numbers[1]))
    for line in faults[:20]:
        print(line)
    share = 100 * tally.known / max(1, tally.bits)
    print(f"{tally.sources} sources, {share:.1f} % of the bits known, {len(faults)} claims wrong")
    sys.exit(bool(faults))
