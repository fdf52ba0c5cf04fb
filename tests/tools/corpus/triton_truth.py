"""What Triton's PTX says in so many words of the descriptors of each MMA.

Nothing is analysed: the operand's one definition is looked up, and only where it is an ``or`` with a constant,
a pair of a low word and a constant high word, or a constant added to such a register, bits are taken as known.
The low word is left open: the start address, and LBO, which may be ored in beforehand.
"""

from __future__ import annotations

import re
from typing import Any

from .dumps import Function, Op, Row

_WGMMA = re.compile(
    r"wgmma\.mma_async(?P<sp>\.sp)?\.sync\.aligned\.m64n(?P<n>\d+)k(?P<k>\d+)\.(?P<d>\w+)\.(?P<a>\w+)\.(?P<b>\w+)\S*\s+"
    r"\{[^}]*\}, (?P<first>\{[^}]*\}|%\w+), (?P<second>%\w+), (?P<rest>[^;]*);"
)
_TCGEN05 = re.compile(
    r"tcgen05\.mma(?P<ws>\.ws)?(?P<sp>\.sp)?\.cta_group::(?P<group>\d)\.kind::(?P<kind>\w+)(?P<more>\S*)\s+"
    r"\[[^]]*\], (?P<first>\[[^]]*\]|%\w+), (?P<second>%\w+), (?P<idesc>%\w+),"
)
_DEFINED = re.compile(r"^\s*(?P<op>[a-z0-9.]+)\s+(?P<to>%\w+), (?P<from>[^;]*);", re.M)
HIGH = 0xFFFFFFFF << 32


class _Ptx:
    def __init__(self, text: str) -> None:
        self.defined: dict[str, list[tuple[str, list[str]]]] = {}
        for found in _DEFINED.finditer(text):
            sources = [word.strip(" {}") for word in found["from"].split(",")]
            self.defined.setdefault(found["to"], []).append((found["op"], sources))

    def _only(self, register: str) -> tuple[str, list[str]]:
        several = self.defined.get(register, [])
        return several[0] if len(several) == 1 else ("", [])

    def word(self, register: str) -> int | None:
        """The constant a 32-bit register is set to."""
        op, sources = self._only(register)
        return int(sources[0], 0) & 0xFFFFFFFF if op == "mov.b32" and _number(sources[0]) else None

    def descriptor(self, register: str) -> tuple[int, int]:
        """(bits, known) of a 64-bit register."""
        op, sources = self._only(register)
        if op == "or.b64" and _number(sources[-1]):
            return int(sources[-1], 0) & HIGH, HIGH
        if op == "mov.b64" and len(sources) == 2:
            high = int(sources[1], 0) if _number(sources[1]) else self.word(sources[1])
            if high is not None:
                return (high & 0xFFFFFFFF) << 32, HIGH
        if op == "add.s64" and _number(sources[-1]) and 0 <= int(sources[-1]) < 1 << 14:
            return self.descriptor(sources[0])
        return 0, 0


def _number(text: str) -> bool:
    return re.fullmatch(r"-?(?:0x[0-9a-fA-F]+|\d+)", text) is not None


def function_of(ptx: str) -> Function:
    """The truth of a Triton kernel, by its PTX."""
    text = _Ptx(ptx)
    ops: list[Op] = []
    for found in _WGMMA.finditer(ptx):
        in_registers = found["first"].startswith("{")
        a = (None, 0) if in_registers else text.descriptor(found["first"])
        b = text.descriptor(found["second"])
        flags = found["rest"].split(", ")[3:]
        facts: dict[str, Any] = {
            "instruction": "wgmma", "a_type": found["a"], "b_type": found["b"], "d_type": found["d"], "m": 64,
            "n": int(found["n"]), "k": int(found["k"]),
            "transpose_a": not in_registers and flags[:1] == ["1"], "transpose_b": flags[-1:] == ["1"],
            "a_in": "registers" if in_registers else "shared", "sparse": found["sp"] is not None,
        }  # fmt: skip
        ops.append(Op(facts, (Row(a[0], b[0], None, None),), Row(a[1], b[1], 0, 0)))
    for found in _TCGEN05.finditer(ptx):
        in_tensor = found["first"].startswith("[")
        a = (None, 0) if in_tensor else text.descriptor(found["first"])
        b = text.descriptor(found["second"])
        idesc = text.word(found["idesc"])
        facts = {
            "instruction": "tcgen05", "mma_kind": found["kind"], "cta_group": int(found["group"]),
            "ws": found["ws"] is not None, "sparse": found["sp"] is not None,
            "a_in": "tensor" if in_tensor else "shared",
        }  # fmt: skip
        known = Row(a[1], b[1], 0 if idesc is None else 0xFFFFFFFF, 0)
        ops.append(Op(facts, (Row(a[0], b[0], idesc or 0, None),), known))
    different = {repr(op): op for op in ops}
    return Function(tuple(different.values()))
