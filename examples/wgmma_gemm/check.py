"""Compare the descriptors that a kernel's SASS feeds its MMAs with the constants that were put in.

    smemdesc scan --json gemm.sass | python3 check.py plans.cuh

A kernel gemm_f16_K_MN_128B is expected to take, MMA after MMA, the K steps of the plan f16_K_MN_128B; in a header of
single descriptors, those of A_f16_K_128B and B_f16_MN_128B and the instruction descriptor I_f16_K_MN. The address of
the stage is added at run time, in units of its alignment; every other bit has to be known from the SASS alone, and
right. Needs the standard library only.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ALIGNMENT = 1024 // 16
"""Of the tiles, in units of the start address."""
START = 0xFFFF & ~(ALIGNMENT - 1)
"""Bits of a descriptor that the tile's address decides: what is above its alignment, and the two unused bits that
a sum may carry into."""
CONSTANT = re.compile(r"^constexpr uint(?:32|64)_t (\w+) = (0x[0-9a-f]+)u", re.M)
PLAN = re.compile(
    r"^struct (\w+) \{|^    struct (\w+) \{|^ +(?:static )?constexpr \w+ (idesc|descriptor|offsets)\S* = (.+?);", re.M
)
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
KERNEL = re.compile(r"gemm_(?P<type>[a-z0-9]+)_(?P<a>K|MN)_(?P<b>K|MN)_(?P<mode>\w+)")


def constants_of(header: str) -> dict[str, int]:
    """Return the descriptors of a header by name; those of a plan are f16_K_MN_128B.a_k0, f16_K_MN_128B.idesc."""
    found = {name: int(value, 16) for name, value in CONSTANT.findall(header)}
    plan = operand = ""
    base = 0
    for outer, inner, key, text in PLAN.findall(header):
        plan, operand = outer or plan, inner or operand
        numbers = [int(each, 0) for each in NUMBER.findall(text)]
        if key == "idesc":
            found[f"{plan}.idesc"] = numbers[0]
        elif key == "descriptor":
            base = numbers[0]
        elif key == "offsets":
            found |= {f"{plan}.{operand}_k{step}": base + offset for step, offset in enumerate(numbers)}
    return found


def expected(function: str, constants: dict[str, int], place: int) -> dict[str, str]:
    """Return the names of the constants of the ``place``-th MMA of a kernel, by its operand."""
    case = KERNEL.search(function)
    if case is None:
        raise SystemExit(f"{function}: this is no kernel of the example")
    names = {}
    for operand in ("a", "b"):
        name = f"{case['type']}_{case['a']}_{case['b']}_{case['mode']}.{operand}_k"
        if f"{name}0" not in constants:
            name = f"{operand.upper()}_{case['type']}_{case[operand]}_{case['mode']}_mn0_k"
        steps = sum(constant.startswith(name) for constant in constants)
        if not steps:
            raise SystemExit(f"{function}: the header has no {name}*")
        names[operand] = f"{name}{place % steps}"
    kernel = f"{case['type']}_{case['a']}_{case['b']}"
    for name in (f"I_{kernel}", f"{kernel}_{case['mode']}.idesc"):
        if name in constants:
            names["idesc"] = name
    return names


def differs(found: dict[str, str] | None, wanted: int, operand: str) -> str:
    """Say what is wrong with one descriptor; empty if nothing is."""
    if found is None or found.get("value") is None:
        return "not found"
    full = 0xFFFFFFFF if operand == "idesc" else 0xFFFFFFFFFFFFFFFF
    fixed = full if operand == "idesc" else full & ~START
    value, known = int(found["value"], 16), int(found.get("known", hex(full)), 16)
    if (value ^ wanted) & known & fixed:
        return f"{value:#x}, not {wanted:#x}"
    unknown = fixed & ~known
    return f"bits {unknown:#x} are not known" if unknown else ""


def main() -> int:
    """Read the scan from standard input; return the exit status."""
    constants = constants_of(Path(sys.argv[1]).read_text())
    count: dict[str, int] = {}
    met: set[str] = set()
    wrong = compared = 0
    for line in sys.stdin:
        mma = json.loads(line)
        if "instruction" not in mma:
            continue  # what is known of a function's shared memory
        place = count.get(mma["function"], 0)
        count[mma["function"]] = place + 1
        for operand, name in expected(mma["function"], constants, place).items():
            compared += 1
            met.add(name)
            problem = differs(mma[operand], constants[name], operand)
            if problem:
                wrong += 1
                print(f"{mma['file']}:{mma['line']}: {mma['function']}: {operand}: {problem} ({name})")
    missing = sorted(set(constants) - met)
    for name in missing:
        print(f"{name}: no MMA takes it")
    print(f"{len(count)} kernels, {sum(count.values())} MMAs, {compared} descriptors compared, {wrong} wrong")
    print(f"{len(constants)} constants, {len(missing)} not met")
    return int(bool(wrong or missing))


if __name__ == "__main__":
    sys.exit(main())
