"""Text that means the same: blanks, comments and line breaks wherever a language allows them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedOperand

OFTEN = 0.3


def claims(text: bytes | str) -> list[Any]:
    """What a scan says of each MMA, but for line numbers."""

    def known(operand: ScannedOperand | None) -> Any:
        return operand if operand is None else operand[:2]

    return [
        (
            of.name,
            "".join(mma.text.partition(" /*")[0].split()),
            known(mma.a),
            known(mma.b),
            known(mma.idesc),
            known(mma.mask),
        )
        for of in scan_text(text).functions
        for mma in of.mmas
    ]


def sass(text: str, generator: random.Random) -> str:
    def maybe(*what: str) -> str:
        return generator.choice(what) if generator.random() < OFTEN else ""

    comments = (
        "// x",
        "  // | 26 : : ^  v :",
        "// .L_x_0:",
        "//UMOV UR7, 0x1 ;",
        "/* x */",
        "/* 0x0000000000007918 */",
    )
    inside = (" ", "\t", "/* x */", " /* .L_x_1: */ ", "   ")
    out = []
    for line in text.split("\n"):
        if not line.strip() or (line.lstrip().startswith((".", "//")) and not line.strip().endswith(":")):
            out.append(line + maybe(" ", "\t"))
            continue
        address, mark, code = line.partition("*/")
        if not mark:
            address, code = "", line
        if "`(" not in code and '"' not in code:
            code = re.sub(r"(?<=,)|(?=;)", lambda _: maybe(*inside), code)
        made = maybe(" ", "\t") + address + mark + maybe(" ", "\t", "/* y */ ") + code + maybe("  ", "\t", *comments)
        out += [made, *([maybe("", *comments)] if generator.random() < 0.1 else [])]
    return generator.choice(("\n", "\n", "\r\n")).join(out)


def ptx(text: str, generator: random.Random) -> str:
    put = (" ", "\t", " /* x */ ", "/* ; } { $L: */", "\n", "// y ; bra $L__BB0_1;\n", "\r\n")

    def after(found: re.Match[str]) -> str:
        # The colons of a modifier (cta_group::1) belong together.
        joined = "::" in found.string[max(0, found.start() - 1) : found.end() + 1]
        return found[0] + (generator.choice(put) if not joined and generator.random() < OFTEN / 3 else "")

    out = []
    for line in text.split("\n"):
        code = line.partition("//")[0]
        whole = code.strip().startswith((".file", ".loc", ".version", ".target", ".address_size"))
        if whole or '"' in code or not code.strip():
            out.append(line)
            continue
        code = re.sub(r"[,;:{}()]|(?<=\w)\s+|(?<=[\w\]])(?=[;,])", after, code)
        out.append(code + (generator.choice(("", "  ", "// c", "/* d */")) if generator.random() < OFTEN else ""))
    return "\n".join(out)


def _lines(beside: tuple[str, ...], between: tuple[str, ...], breaks: str) -> Callable[[str, random.Random], str]:
    def made(text: str, generator: random.Random) -> str:
        out = []
        for line in text.split("\n"):
            if line[:1].isspace() and '"' not in line and generator.random() < OFTEN:
                line = re.sub(breaks, lambda found: generator.choice((found[0], found[0], "  ", "\t", "\n    ")), line)
            out.append(line + (generator.choice(beside) if generator.random() < OFTEN else ""))
            if generator.random() < OFTEN / 3:
                out.append(generator.choice(between))
        return "\n".join(out)

    return made


llvm = _lines(
    ("  ", "\t", " ; x", " ; [ %3, %4 ], i64 7", "; preds = %1", "\r"), ("", "; %1 = add i64 1, 2", "  ; }"), r"(?<=,) "
)
mlir = _lines(
    ("  ", "\t", " // x", " // { %3 = arith.constant 7 : i64", "// }", "\r"), ("", "// %1 = x.y", "  // }"), r"(?<=,) "
)
