"""Runs random PTX on plain integers, to see whether what the analysis claims of a register is so.

It shares nothing with the analysis: the semantics are written down once more, from the manual's pseudo code.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NamedTuple


class Code(NamedTuple):
    """An instruction: a destination (or two: the second a predicate or none), sources by name or as numbers."""

    mnemonic: str
    to: tuple[str, ...]
    of: tuple[str | int, ...]
    guard: str = ""
    negated: bool = False

    def text(self) -> str:
        """The PTX."""
        guard = f"@{'!' if self.negated else ''}{self.guard} " if self.guard else ""
        if self.mnemonic.startswith("mov.") and len(self.to) > 1:
            to = "{" + ", ".join(self.to) + "}"
        elif self.mnemonic.startswith("shfl"):
            to = f"{self.to[0]}|%p9"
        else:
            to = ", ".join(self.to)
        of = [str(each) for each in self.of]
        if self.mnemonic.startswith("mov.") and len(of) > 1:
            of = ["{" + ", ".join(of) + "}"]
        elif self.mnemonic.startswith("ld."):
            of = ["[k_param_0]"]
        return f"{guard}{self.mnemonic} {', '.join(filter(None, (to, *of)))};"


def ones(width: int) -> int:
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    value &= ones(width)
    return value - (1 << width) if value >> (width - 1) else value


def bfe(a: int, b: int, c: int, width: int, sign: bool) -> int:
    position, length, last = b & 255, c & 255, width - 1
    fill = (a >> min(position + length - 1, last)) & 1 if sign and length else 0
    out = 0
    for i in range(width):
        out |= ((a >> (position + i)) & 1 if i < length and position + i <= last else fill) << i
    return out


def bfi(a: int, b: int, c: int, d: int, width: int) -> int:
    position, length = c & 255, d & 255
    for i in range(length):
        if position + i < width:
            b = b & ~(1 << (position + i)) | ((a >> i) & 1) << (position + i)
    return b


def prmt(a: int, b: int, c: int) -> int:
    both = a | b << 32
    out = 0
    for i in range(4):
        control = c >> 4 * i & 15
        byte = both >> 8 * (control & 7) & 255
        if control & 8:
            byte = 255 if byte & 128 else 0
        out |= byte << 8 * i
    return out


def funnel(a: int, b: int, c: int, left: bool, clamp: bool) -> int:
    n = min(c, 32) if clamp else c & 31
    if left:
        return (b << n | a >> (32 - n)) & ones(32)
    return (b << (32 - n) | a >> n) & ones(32)


def szext(a: int, b: int, sign: bool, clamp: bool) -> int:
    low = b & 31
    large = b >= 32 and clamp
    mask = 0 if large else ones(32) & ~ones(low)
    place = (low - 1) & 31
    bit = not (low == 0 or large or not sign) and a >> place & 1
    return (a & ~mask | (mask if bit else 0)) & ones(32)


def bmsk(a: int, b: int, clamp: bool) -> int:
    a1, b1 = a & 31, b & 31
    mask0 = ones(32) & (ones(32) << a1)
    if clamp and a >= 32:
        mask0 = 0
    mask1 = ones(32) & (ones(32) << (a1 + b1))
    if a1 + b1 >= 32 or (clamp and (a >= 32 or b >= 32)):
        mask1 = 0
    elif b1 == 0:
        mask1 = ones(32)
    return mask0 & ~mask1 & ones(32)


def lop3(a: int, b: int, c: int, table: int) -> int:
    return sum((table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i for i in range(32))


COMPARED: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


class Machine:
    """Registers by name; ``inputs`` are what loads give, and other lanes' values."""

    def __init__(self, inputs: Callable[[], int], tid: int) -> None:
        self.registers: dict[str, int] = {}
        self.inputs = inputs
        self.tid = tid
        self.carry = 0

    def value(self, of: str | int, width: int) -> int:
        """A source cut to the width that is read."""
        if isinstance(of, str):
            of = self.tid if of == "%tid.x" else self.registers.get(of, 0)
        return of & ones(width)

    def run(self, code: Code) -> None:
        """Execute one instruction."""
        if code.guard and bool(self.registers.get(code.guard, 0)) == code.negated:
            return
        parts = code.mnemonic.split(".")
        kind = parts[-1]
        width = int(kind.lstrip("usb"))
        sign = kind[0] == "s"
        name = parts[0]
        if name == "mov" and (len(code.to) > 1 or len(code.of) > 1):
            each = width // len(code.of)
            whole = sum(self.value(of, each) << each * i for i, of in enumerate(code.of))
            each = width // len(code.to)
            for i, to in enumerate(code.to):
                self.registers[to] = whole >> each * i & ones(each)
            return
        if name == "setp":
            a, b = (signed(v, width) if sign else v for v in (self.value(of, width) for of in code.of))
            self.registers[code.to[0]] = int(COMPARED[parts[1]](a, b))
            return
        self.registers[code.to[0]] = self.result(name, parts, code.of, width, sign)

    def result(self, name: str, parts: list[str], of: tuple[str | int, ...], width: int, sign: bool) -> int:
        """What an instruction leaves in its destination."""
        full = ones(width)
        v = [self.value(each, width) for each in of]
        n = [self.value(each, 32) for each in of]
        s = [signed(each, width) if sign else each for each in v]
        if name == "ld":
            return self.inputs() & full
        if name == "mov":
            return v[0]
        if name in ("add", "addc", "sub", "subc"):
            carry = self.carry if name in ("addc", "subc") else 0
            total = v[0] + v[1] + carry if name[0] == "a" else v[0] - v[1] - carry
            if "cc" in parts:
                self.carry = int(total > full or total < 0)
            return total & full
        if name in ("mul", "mad", "madc"):
            product = s[0] * s[1]
            if "wide" in parts:
                extra = self.value(of[2], 2 * width) if len(of) > 2 else 0
                return (product + extra) & ones(2 * width)
            part = (product >> width if "hi" in parts else product) & full
            total = part + (v[2] if len(of) > 2 else 0) + (self.carry if name == "madc" else 0)
            if "cc" in parts:
                self.carry = int(total > full)
            return total & full
        if name in ("mul24", "mad24"):
            a, b = (signed(each, 24) if sign else each & ones(24) for each in v[:2])
            part = (a * b >> 16 if "hi" in parts else a * b) & full
            return (part + (v[2] if len(of) > 2 else 0)) & full
        if name == "shl":
            return v[0] << min(n[1], width) & full
        if name == "shr":
            return s[0] >> min(n[1], width) & full
        if name == "cvt":
            source, target = parts[2], parts[1]
            value = self.value(of[0], int(source[1:]))
            if source[0] == "s":
                value = signed(value, int(source[1:]))
            value &= ones(int(target[1:]))
            # A wider register gets the sign, or zeros.
            return (signed(value, int(target[1:])) if target[0] == "s" else value) & ones(64)
        simple: dict[str, Callable[[], int]] = {
            "and": lambda: v[0] & v[1],
            "or": lambda: v[0] | v[1],
            "xor": lambda: v[0] ^ v[1],
            "not": lambda: ~v[0],
            "cnot": lambda: int(v[0] == 0),
            "neg": lambda: -v[0],
            "abs": lambda: abs(s[0]),
            "min": lambda: min(s[0], s[1]),
            "max": lambda: max(s[0], s[1]),
            "clz": lambda: width - v[0].bit_length(),
            "popc": lambda: v[0].bit_count(),
            "brev": lambda: int(f"{v[0]:0{width}b}"[::-1], 2),
            "div": lambda: v[0] // v[1],
            "rem": lambda: v[0] % v[1],
            "lop3": lambda: lop3(v[0], v[1], v[2], v[3]),
            "bfe": lambda: bfe(v[0], n[1], n[2], width, sign),
            "bfi": lambda: bfi(v[0], v[1], n[2], n[3], width),
            "prmt": lambda: prmt(v[0], v[1], v[2]),
            "shf": lambda: funnel(v[0], v[1], v[2], "l" in parts, "clamp" in parts),
            "szext": lambda: szext(v[0], v[1], sign, "clamp" in parts),
            "bmsk": lambda: bmsk(v[0], v[1], "clamp" in parts),
            "selp": lambda: v[0] if self.registers.get(str(of[2]), 0) else v[1],
            "shfl": lambda: v[0],
        }
        return simple[name]() & full
