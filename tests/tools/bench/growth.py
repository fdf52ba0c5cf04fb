"""How time and memory of a scan grow with its input: shapes of text that a careless reader takes quadratic time for.

    python tests/tools/bench/growth.py [SHAPE...]
    python tests/tools/bench/growth.py --memory BYTES [SHAPE...]

Each shape is made twice, the second eight times as long; the second may take ten times as long as the first, in
processor time (measured again where it seems too long). Lengths grow until the first takes a tenth of a second. Steps
(lines of Python and calls, which other work on the machine does not change) are counted from a short length.

With ``--memory``, ``smemdesc scan`` reads each as a file of so many bytes, and may take 300 MB. The tests run each
shape once, small, and count the steps of each (tests/scanning/test_growth.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from multiprocessing import get_context
from types import FrameType
from typing import Any

MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;"
SASS = "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0"
LLVM = (
    '  %m = call {{ float }} asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{$0}}, $1, $2, 1, 1, '
    '1, 0, 0;", "=f,l,l"(i64 {0}, i64 {0})\n'
)
MLIR = (
    "  nvvm.tcgen05.mma %t, {0}, {0}, %i, %p {{kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>}}"
    " : (!llvm.ptr<6>, i64, i64, i32, i1)\n"
)
FACTOR = 8
LIMIT = 10.0
LONG_ENOUGH = 0.1
LARGEST = 400_000
MANY = 1000
"""Fewer steps are counted as so many: what is done once for each scan hides how the others grow."""
COUNTED = 500
"""The length from which steps are counted."""
FULL = {"sass branches far apart": 16_000}
"""The same where more of a shape is looked at with each line until it is all: there all 60 registers are followed."""
TRIES = 4
DEEP = 100
LINES = (
    "ptx deep", "ptx mnemonics on a line", "ptx copies on a line", "ptx headers on a line", "ptx in json",
    "ptx words before a function", "ptx registers without an end", "sass rows", "sanitizer",
    "mlir quotes in a location", "mlir quotes in assembly",
)  # fmt: skip
"""Shapes that took minutes before readers went forward only."""
MEMORY = 300
"""MB that the program may take, however large a function is."""


def entry(body: str) -> str:
    return f".visible .entry k()\n{{\n{body}\n{MMA}\nret;\n}}\n"


def listing(*lines: str) -> str:
    places = count()
    text = '\t.section\t.text.k,"ax",@progbits\n'
    return text + "".join(
        f"{line}\n" if line.endswith(":") else f"        /*{16 * next(places):04x}*/                   {line} ;\n"
        for line in lines
    )


def function(body: str, value: str = "%x") -> str:
    return "define void @f(i64 %x, i1 %p) {\n" + body + LLVM.format(value) + "  ret void\n}\n"


def operations(body: str, value: str = "%x") -> str:
    return "llvm.func @f(%x: i64, %t: i32, %i: i32, %p: i1) {\n" + body + MLIR.format(value) + "  llvm.return\n}\n"


def around(*lines: str) -> list[str]:
    """Return lines each of which a branch may pass over."""
    return [each for n, line in enumerate(lines) for each in (f"@P0 BRA `(.L_x_{n})", line, f".L_x_{n}:")]


def diamonds(count: int, apart: int) -> list[str]:
    """Return branches over additions to a register that was written so many branches before, or longer ago."""
    return around(*(f"UIADD3 UR{n % 60}, UR{(n - apart) % 60}, 0x1, URZ" for n in range(count)))


def live(count: int, definition: str, branch: str, label: str, use: str) -> list[str]:
    """Return registers that are all written at the beginning, and read at the end of as many blocks."""
    return [
        *(definition.format(k) for k in range(count)),
        *(each.format(k) for k in range(count) for each in (branch, label)),
        *(use.format(k) for k in range(count)),
    ]


def taken_apart(value: str, count: int) -> str:
    """Return LLVM IR that adds up the parts of an aggregate."""
    return "".join(
        f"  %e{k} = extractvalue {{ i64 }} {value}, {k}\n  %s{k + 1} = add i64 %s{k}, %e{k}\n" for k in range(count)
    )


SHAPES: dict[str, Callable[[int], str]] = {
    "sass": lambda n: listing(*["UIADD3 UR4, UR4, 0x2, URZ"] * n, SASS, "EXIT"),
    "sass branches": lambda n: listing(*diamonds(n // 4, 1), SASS, "EXIT"),
    "sass branches far apart": lambda n: listing(*diamonds(n // 4, 53), SASS, "EXIT"),
    "sass stack": lambda n: listing(
        *around(*(f"STL [R1+{4 * k:#x}], R10" for k in range(n // 4))),
        *(each for k in range(n // 4) for each in (f"LDL R12, [R1+{4 * k:#x}]", "IADD3 R13, R13, R12, RZ")),
        "R2UR UR4, R13", SASS, "EXIT",
    ),
    "sass memory": lambda n: listing(
        *around(*(f"ST.E desc[UR4][R8.64+{4 * k:#x}], R10" for k in range(n // 4))),
        *(each for k in range(n // 4)
          for each in (f"LD.E R12, desc[UR4][R8.64+{4 * k:#x}]", "IADD3 R13, R13, R12, RZ")),
        "R2UR UR4, R13", SASS, "EXIT",
    ),
    "sass addresses": lambda n: listing(
        "LDC R1, c[0x0][0x28]",
        *around(*(f"IADD3 R{k % 200 + 2}, R{k * 7 % 200 + 2}, {4 * k:#x}, R1" for k in range(n // 4))),
        *(each for k in range(n // 4)
          for each in (f"STL [R1+{4 * k:#x}], R210", f"LDL R211, [R{k % 200 + 2}]", "IADD3 R212, R212, R211, RZ")),
        "R2UR UR4, R212", SASS, "EXIT",
    ),
    "sass elements": lambda n: listing(
        "LDC R1, c[0x0][0x28]", "LOP3.LUT R2, R2, 0x1c, RZ, 0xc0, !PT", "IADD3 R3, R2, R1, RZ",
        *(f"STL [R1+{4 * k:#x}], R210" for k in range(n // 4)),
        *(each for k in range(n // 4)
          for each in (f"STL [R3+{4 * k:#x}], R210", f"LDL R211, [R3+{4 * k:#x}]", "IADD3 R212, R212, R211, RZ")),
        "R2UR UR4, R212", SASS, "EXIT",
    ),
    "sass unknown stores": lambda n: listing(
        *(f"STL [R1+{4 * k:#x}], R210" for k in range(n // 3)), *["STL [R3], R210"] * (n // 3),
        *(each for k in range(n // 3) for each in (f"LDL R211, [R1+{4 * k:#x}]", "IADD3 R212, R212, R211, RZ")),
        "R2UR UR4, R212", SASS, "EXIT",
    ),
    "sass opposites": lambda n: listing(
        "ISETP.NE.AND P0, PT, R4, RZ, PT",
        *["PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x80", "SEL R4, R4, RZ, P0"] * (n // 2),
        "R2UR UR4, R4", SASS, "EXIT",
    ),
    "sass one by one": lambda n: listing(
        *(each for k in range(n // 5) for each in (
            "PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x8", f".L_x_{k}:", "@P1 ELECT P0, URZ, PT",
            "@P0 R2UR.BROADCAST UR4, R4", SASS, f"@P1 BRA.U.ANY `(.L_x_{k})",
        )),
        "EXIT",
    ),
    "sass loops": lambda n: listing(
        *[each for k in range(n // 3) for each in (f".L_x_{k}:", f"UIADD3 UR{k % 60}, UR4, 0x1, URZ")],
        SASS,
        *[f"@P0 BRA `(.L_x_{k})" for k in range(n // 3)],
        "EXIT",
    ),
    "sass labels": lambda n: listing(*(f".L_x_{k}:" for k in range(n)), SASS, "EXIT"),
    "sass comments": lambda n: listing(SASS + " ; /* x */" * n, "EXIT"),
    "sass open comments": lambda n: listing(SASS, "EXIT") + "/* " * n,
    "sass blanks": lambda n: listing(SASS, "UMOV UR4," + " " * n + "0x1", "EXIT"),
    "sass blank lines": lambda n: listing(SASS, "EXIT") + (" " * 50 + "\n") * (n // 10),
    "sass commas": lambda n: listing("UMOV UR4" + ", " * n, SASS, "EXIT"),
    "sass brackets": lambda n: listing("UMOV UR4, " + "[(" * n, SASS, "EXIT"),
    "sass files": lambda n: listing(SASS, "EXIT").replace("EXIT", '\n//## File "x", line 1' * n + "\n EXIT")
    + "".join(f"        /*{16 * k:04x}*/ {SASS} ;\n" for k in range(n // 10)),
    "sass calls": lambda n: listing(*["CALL.REL.NOINC `(k)"] * n, SASS, "EXIT"),
    "sass tables": lambda n: listing(
        'BRX R4 `(x) (*"BRANCH_TARGETS ' + ",".join(f".L_x_{k}" for k in range(n)) + '"*)',
        *(f".L_x_{k}:" for k in range(n)),
        SASS,
        "EXIT",
    ),
    "sass wild": lambda n: listing(*["BRX R4 -0x10", "UIADD3 UR4, UR4, 0x2, URZ"] * (n // 2), SASS, "EXIT"),
    "sass live": lambda n: listing(
        *(f"MOV R{k}, 0x{k}0" for k in range(250)),
        *[each for k in range(n // 3) for each in (
            f"@P{k % 5} BRA `(.L_x_{k})", f"IADD3 R{k % 250}, R{k * 7 % 250}, 0x10, RZ", f".L_x_{k}:"
        )],
        *(f"IADD3 R4, R4, R{k}, RZ" for k in range(250)),
        "R2UR UR4, R4", SASS, "EXIT",
    ),
    "sass calls and registers": lambda n: listing(
        *[each for k in range(n // 2) for each in (f"IADD3 R{k % 250}, R4, 0x10, RZ", "CALL.REL.NOINC `(k)")],
        *(f"IADD3 R4, R4, R{k}, RZ" for k in range(250)),
        "R2UR UR4, R4", SASS, "EXIT",
    ),
    "ptx expression": lambda n: entry(f"mov.b64 %rd1, {'(' * n}1{' + 1)' * n};\nmov.b64 %rd1, {'1 ? 2 : ' * n}3;"),
    "ptx live": lambda n: entry("\n".join(
        live(n // 4, "mov.b64 %r{0}, {0}0;", "@%p bra L{0};", "L{0}:", "add.u64 %rd1, %rd1, %r{0};")
    )),
    "ptx live and changed": lambda n: entry(
        "".join(f"@%p bra L{k};\nmov.b64 %r{k}, {k}0;\nL{k}:\n" for k in range(n // 4))
        + "".join(f"add.u64 %rd1, %rd1, %r{k};\n" for k in range(n // 4))
    ),
    "ptx live in loops": lambda n: entry(
        "".join(f"L{k}:\nadd.u64 %r{k}, %r{k}, 16;\n" for k in range(n // 4))
        + "".join(f"@%p bra L{k};\n" for k in range(n // 4))
        + "".join(f"add.u64 %rd1, %rd1, %r{k};\n" for k in range(n // 4))
    ),
    "ptx unknown": lambda n: entry("\n".join(
        live(n // 4, "ld.b64 %r{0}, [%r0];", "@%p bra L{0};", "L{0}:", MMA.replace("%rd1", "%r{0}")
             .replace("{%f0,%f1,%f2,%f3}", "{{%f0,%f1,%f2,%f3}}"))
    )),
    "ptx": lambda n: entry("add.u64 %rd1, %rd1, 2;\n" * n),
    "ptx blanks": lambda n: entry("mov.b64 %rd1," + " " * n + "5;"),
    "ptx blank lines": lambda n: entry("\n" * n + (" " * 20 + "\n") * (n // 20)),
    "ptx commas": lambda n: entry("mov.b64 %rd1" + "," * n + ";"),
    "ptx scopes": lambda n: entry(("{\n" * DEEP + "mov.b64 %rd1, 5;\n" + "}\n" * DEEP) * (n // DEEP)),
    "ptx names in scopes": lambda n: entry("{\n" * DEEP + "add.u64 %rd1, %rd1, 1;\n" * n + "}\n" * DEEP),
    "ptx deep": lambda n: entry("{.reg .b64 %x;\nadd.u64 %rd1, %rd1, 1;\n" * (n // 8)),
    "ptx in json": lambda n: json.dumps([list(range(n)), *[entry("")] * 60]),
    "ptx mnemonics on a line": lambda n: "wgmma.mma_async.sync " * n + '"',
    "ptx copies on a line": lambda n: "tcgen05.cp." * n,
    "ptx headers on a line": lambda n: '"0x7fffd7a30d00' + ".func " * n,
    "ptx words before a function": lambda n: entry(".extern\n" * n),
    "ptx registers without an end": lambda n: entry(".reg .b64 %x\n" * n),
    "ptx statements without an end": lambda n: entry("add.u64 %rd1, %rd1, 2\n" * n),
    "sass rows": lambda n: "0x9 <" * n + "\n" + SASS,
    "sanitizer": lambda n: "========= at " + "static_cast<" * n + "+0x10 in x.cu:1\n",
    "mlir quotes in a location": lambda n: operations('  foo.bar loc("' + '\\"' * n + "\n"),
    "mlir quotes in assembly": lambda n: operations('  llvm.inline_asm "wgmma.mma_async' + '\\"' * n + "\n"),
    "ptx registers": lambda n: entry("".join(f".reg .b64 %r{k};\n" for k in range(n))),
    "ptx ranges": lambda n: entry(
        "".join(f".reg .b64 %r{k}x<9>;\n" for k in range(n)) + "add.u64 %rd1, %rd1, 1;\n" * n
    ),
    "ptx registers in a row": lambda n: entry(".reg .b64 " + ", ".join(f"%r{k}" for k in range(n)) + ";"),
    "ptx branches": lambda n: entry("".join(f"@%p bra L{k};\nadd.u64 %rd1, %rd1, 2;\nL{k}:\n" for k in range(n // 3))),
    "ptx tables": lambda n: entry(
        "ts: .branchtargets " + ", ".join(f"L{k}" for k in range(n)) + ";\nbrx.idx %r1, ts;\n"
        + "".join(f"L{k}:\n" for k in range(n))
    ),
    "ptx many tables": lambda n: entry(
        "ts: .branchtargets " + ", ".join(f"L{k}" for k in range(n)) + ";\n"
        + "".join(f"brx.idx %r1, ts;\nL{k}:\nadd.u64 %rd1, %rd1, 2;\n" for k in range(n))
    ),
    "ptx comments": lambda n: entry("/* x */" * n + "// y\n" * n),
    "ptx open comments": lambda n: entry("") + "/* " * n,
    "ptx quotes": lambda n: entry("") + '"' * n + "//",
    "ptx extern": lambda n: ".extern .shared .align 16 .b8 s[];\n" * n + entry("mov.b64 %rd1, s;"),
    "ptx qualifiers": lambda n: ".visible " * n + entry(""),
    "ptx dots": lambda n: entry("mov" + ".b64" * n + " %rd1, 5;"),
    "ptx functions on a line": lambda n: entry("").replace("\n", " ") * (n // 20),
    "ptx vectors": lambda n: entry("mov.b64 {" + ",".join(f"%r{k}" for k in range(n)) + "}, %rd1;"),
    "llvm": lambda n: function("".join(f"  %a{k + 1} = add i64 %a{k}, 2\n" for k in range(n)), f"%a{n}"),
    "llvm blanks": lambda n: function("  %a =" + " " * n + "add i64 %x, 2\n", "%a"),
    "llvm brackets": lambda n: function("  %a = add i64 " + "(" * n + "\n", "%a"),
    "llvm commas": lambda n: function("  %a = add i64 %x" + ",\n" * n, "%a"),
    "llvm comments": lambda n: function("  ; x\n" * n),
    "llvm variables": lambda n: function(
        "  %s = alloca [99999 x i64]\n" + "".join(
            f"  %p{k} = getelementptr i64, ptr %s, i64 {k}\n  store i64 %x, ptr %p{k}\n" for k in range(n)
        ) + "".join(f"  call void @f(ptr %p{k})\n" for k in range(n)) + "".join(
            f"  %v{k} = load i64, ptr %p{k}\n" for k in range(n)
        ), f"%v{n - 1}",
    ),
    "llvm any element": lambda n: function(
        "  %s = alloca [99999 x i64]\n  %i = and i64 %x, 7\n  %q = getelementptr i64, ptr %s, i64 %i\n" + "".join(
            f"  %p{k} = getelementptr i64, ptr %s, i64 {k}\n  store i64 1, ptr %p{k}\n  store i64 1, ptr %q\n"
            f"  %v{k} = load i64, ptr %p{k}\n" for k in range(n)
        ), f"%v{n // 2}",
    ),
    "llvm asm asm": lambda n: function("  %a = call i64 " + "asm " * n + "\n", "%a"),
    "llvm quotes": lambda n: function('  %a = call i64 asm "' + '""' * n + "\n", "%a"),
    "llvm phis": lambda n: function(
        "  %a = phi i64 " + ", ".join(f"[ {k}, %b{k} ]" for k in range(n)) + "\n", "%a"
    ),
    "llvm elements": lambda n: function(
        "  %a = phi { i64 } " + ", ".join(f"[ %v{k}, %b{k} ]" for k in range(n // 4)) + "\n"
        + taken_apart("%a", n // 4),
        f"%s{n // 4}",
    ),
    "llvm elements in a row": lambda n: function(
        "".join(f"  %a{k + 1} = insertvalue {{ i64 }} %a{k}, i64 {k}, {k}\n" for k in range(n // 4))
        + taken_apart(f"%a{n // 4}", n // 4),
        f"%s{n // 4}",
    ),
    "mlir": lambda n: operations("".join(f"  %a{k + 1} = llvm.add %a{k}, %x : i64\n" for k in range(n)), f"%a{n}"),
    "mlir elements": lambda n: operations(
        "".join(f"  llvm.cond_br %p, ^b(%v{k} : !llvm.struct<(i64)>), ^c{k}\n^c{k}:\n" for k in range(n // 8))
        + "^b(%a: !llvm.struct<(i64)>):\n"
        + "".join(
            f"  %e{k} = llvm.extractvalue %a[{k}] : !llvm.struct<(i64)>\n  %s{k + 1} = llvm.add %s{k}, %e{k} : i64\n"
            for k in range(n // 8)
        ),
        f"%s{n // 8}",
    ),
    "mlir elements in a row": lambda n: operations(
        "".join(f"  %a{k + 1} = llvm.insertvalue %x, %a{k}[{k}] : !llvm.struct<(i64)>\n" for k in range(n // 4))
        + "".join(
            f"  %e{k} = llvm.extractvalue %a{n // 4}[{k}] : !llvm.struct<(i64)>\n"
            f"  %s{k + 1} = llvm.add %s{k}, %e{k} : i64\n"
            for k in range(n // 4)
        ),
        f"%s{n // 4}",
    ),
    "mlir arguments": lambda n: operations(
        "".join(
            "  cf.cond_br %p, ^b(" + ", ".join(f"%x{k}" for k in range(n // 8)) + f" : i64), ^c{way}\n^c{way}:\n"
            for way in range(4)
        )
        + "^b(" + ", ".join(f"%y{k}: i64" for k in range(n // 8)) + "):\n"
        + "".join(f"  %s{k + 1} = llvm.add %s{k}, %y{k} : i64\n" for k in range(n // 8)),
        f"%s{n // 8}",
    ),
    "mlir carried": lambda n: operations(
        "  scf.for %i = %a to %b step %c iter_args(" + ", ".join(f"%y{k} = %x" for k in range(n // 4)) + ") -> (t) {\n"
        + "".join(f"  %s{k + 1} = llvm.add %s{k}, %y{k} : i64\n" for k in range(n // 4))
        + MLIR.format(f"%s{n // 4}")
        + "  scf.yield " + ", ".join(f"%y{k}" for k in range(n // 4)) + " : i64\n}\n"
    ),
    "mlir results": lambda n: operations("".join(f"  %a{k}:999 = foo.bar %x : i64\n" for k in range(n // 20))),
    "mlir types": lambda n: (
        "".join(f"!t{k} = !ttg.memdesc<!t{k - 1}, !t{k - 1}>\n" for k in range(n // 8))
        + operations("".join(f"  ttng.tc_gen5_mma %a, %b, %c : !t{k}, !t{k}, !t{k}\n" for k in range(n // 8)))
    ),
    "mlir brackets": lambda n: operations(f"  ttng.tc_gen5_mma %a, %b, %c : {'<' * n}, {'(' * n}, {'->' * n}\n"),
    "mlir lists": lambda n: operations(
        "  ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #ttg.shared_linear<{offset = ["
        + "[0, 1], " * n
        + "]}>, #s> * !t -> !t\n"
    ),
    "mlir views": lambda n: operations(
        "".join(f"  %v{k + 1} = cute.slice(%v{k}, %x) : (!v) -> !v\n" for k in range(n // 8))
        + f"  cute.gemm(%m, %d, %v{n // 8}, %v{n // 8}, %d) : (!cute_nvgpu.sm90.mma<64x8x16>, !d, !v, !v, !d)\n"
    ),
    "mlir dialects": lambda n: "llvm.func @f() {\n" + "  foo.bar %x\n  %a = " * n + "}\n",
    "mlir variables": lambda n: operations(
        "  %s = llvm.alloca %i x i64 : (i32) -> !llvm.ptr\n" + "".join(
            f"  %p{k} = llvm.getelementptr %s[{k}] : (!llvm.ptr) -> !llvm.ptr, i64\n"
            f"  scf.if %p {{\n  llvm.store %x, %p{k} : i64, !llvm.ptr\n  }}\n" for k in range(n)
        ) + "".join(f"  %v{k} = llvm.load %p{k} : !llvm.ptr -> i64\n" for k in range(n)), f"%v{n - 1}",
    ),
    "mlir blanks": lambda n: operations("  %a =" + " " * n + "llvm.add %x, %x : i64\n", "%a"),
    "mlir names": lambda n: operations("  " + ", ".join(f"%a{k}" for k in range(n)) + " = foo.bar %x : i64\n", "%a1"),
    "mlir regions": lambda n: operations("scf.if %p {\n}\n" * n),
    "mlir open": lambda n: operations("  foo.bar {\n" + '  a = "b",\n' * n),
    "mlir quotes": lambda n: operations('  foo.bar "' + '\\"' * n + "\n"),
    "mlir generic": lambda n: operations(
        "".join(f'  %a{k + 1} = "llvm.add"(%a{k}, %x) <{{flags = 1 : i32}}> : (i64, i64) -> i64\n' for k in range(n)),
        f"%a{n}",
    ),
    "mlir generic regions": lambda n: operations(
        '  "my.op"(%x) ({\n  ^bb0(%y: i64):\n  }, {\n  }) : (i64) -> ()\n' * n
    ),
    "mlir generic brackets": lambda n: operations(
        '  "my.op"' + "(" * n + "<" * n + "\n" + '  "my.op"(%x) [' * n + "\n"
    ),
    "mlir generic cases": lambda n: operations(
        '  "cf.switch"(%x' + ", %x" * n + ")[^b" + ", ^b" * n + "] <{case_operand_segments = array<i32"
        + ", 1" * n + f">, operandSegmentSizes = array<i32: 1, 0, {n}>}}> : (i64)\n  ^b(%y: i64):\n", "%y",
    ),
    "mlir messages": lambda n: operations("  see current operation: \n  foo: error: bar\n   ^\n" * n),
    "mlir blocks": lambda n: operations(
        "".join(f"  cf.br ^b{k}(%x : i64)\n^b{k}(%y{k}: i64):\n" for k in range(n)), "%y1"
    ),
    "text": lambda n: "desc = 0x4000404000010040 " * n,
    "text names": lambda n: "define void @f() {\n  %a = " + "HGMMA " * n,
    "text lines": lambda n: "desc = 0x4000404000010040\n" * n,
    "text rows that begin like a map": lambda n: "".join(
        f"0x{16 * k:08x}: 0x00007f1234567000 0x0000020000006510\n" for k in range(n)
    ),
    "text rows of a dump that begin like a map": lambda n: "".join(
        f"{16 * k:08x}: 0070 5634 127f 0000 1065 0000 0002 0000  .pV4....\n" for k in range(n)
    ),
    "text heads of tables": lambda n: "desc_a,desc_b,stride\n" * n,
    "text shifts": lambda n: "(1ull << 46) | " * n,
    "text open brackets": lambda n: "(" * n + "1 << 46",
    "text words without a digit": lambda n: "a" * n + "\n",
    "text rows of one form": lambda n: "".join(f"thread {k}: 0x6000404000010044\n" for k in range(n // 8)),
    "text digits": lambda n: "0x" + "4" * n,
    "text digits and quotes": lambda n: "4'0" * n,
    "llvm steps": lambda n: function(
        "  %s = and i64 %x, 16383\n  %a0 = or i64 %s, 4611756662049538048\n"
        + "".join(f"  %a{k + 1} = sub i64 %a{k}, %x\n{LLVM.format(f'%a{k + 1}')}" for k in range(n // 4)),
    ),
    "mlir loops": lambda n: operations(
        "".join(
            f"  cf.br ^h{k}(%x : i64)\n^h{k}(%a{k}: i64):\n  %b{k} = llvm.add %a{k}, %x : i64\n{MLIR.format(f'%a{k}')}"
            f"  cf.cond_br %p, ^h{k}(%b{k} : i64), ^o{k}\n^o{k}:\n"
            for k in range(n // 8)
        ),
    ),
    "mlir locations": lambda n: operations(
        "  foo.bar %x " + 'loc("a"(' * n + "\n" + "  foo.bar %x loc(#loc) " * n + "\n"
    ),
    "sass exits": lambda n: listing(
        *(each for k in range(n // 2) for each in (f"ISETP.GT.U32.AND P0, PT, R4, {k + 9:#x}, PT", "@P0 EXIT")),
        "R2UR UR4, R4", SASS, "EXIT",
    ),
}  # fmt: skip


def taken(text: str) -> float:
    """Return the seconds that a scan takes."""
    from smemdesc.scanning import scan_text

    begin = time.process_time()
    scan_text(text)
    return time.process_time() - begin


def steps(text: str) -> int:
    """Return how many lines of Python a scan runs, and how many functions it calls, those written in C as well."""
    from smemdesc.scanning import scan_text

    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return note

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    sys.setprofile(called)
    sys.settrace(note)
    try:
        scan_text(text)
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return count


def more_steps(make: Callable[[int], str], count: int) -> float:
    """Return how many times as many steps eight times the length takes."""
    taken(make(10))  # what is imported and made once
    few = max(steps(make(count)), MANY)  # before the others: lines that were read are remembered
    return steps(make(FACTOR * count)) / few


def ratio(make: Callable[[int], str], start: int, enough: float = LONG_ENOUGH) -> tuple[int, float, float]:
    """Return the length, its time, and how many times as long eight times the length takes."""
    count = start
    while (first := min(taken(make(count)) for _ in range(2))) < enough and count < LARGEST:
        count *= 2
    again = min(taken(make(FACTOR * count)) for _ in range(2)) / max(first, 1e-3)
    for _ in range(TRIES):
        if again <= LIMIT:
            break
        again = min(again, taken(make(FACTOR * count)) / max(taken(make(count)), 1e-3))
    return count, first, again


def measured(name: str) -> tuple[float, tuple[int, float, float]]:
    """Return how a shape's steps grow, and its time."""
    make = SHAPES[name]
    return more_steps(make, FULL.get(name, COUNTED)), ratio(make, 1000)


# A process counts as its own what it was a copy of when it was started: a small one starts it.
_MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss * 1024 / 1e6, os.waitstatus_to_exitcode(status))
"""


def memory(text: str) -> tuple[float, int]:
    """Return the MB that the program takes to scan a text, and its status."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        program = [sys.executable, "-m", "smemdesc", "scan", "--json", "--jobs", "1", file.name]
        said = subprocess.run([sys.executable, "-c", _MEASURE, *program], stdout=subprocess.PIPE, text=True, check=True)
        most, status = said.stdout.split()
        return float(most), int(status)


def main() -> int:
    """Measure the shapes."""
    wanted = sys.argv[1:]
    length = int(wanted[1]) if wanted[:1] == ["--memory"] else 0
    wanted = wanted[2:] if length else wanted
    bad = 0
    print(
        f"{'shape':28} {'bytes':>8} {'MB':>7} {'status':>6}"
        if length
        else f"{'shape':28} {'length':>8} {'s':>7} {'x':>6} {'steps x':>8}"
    )
    for name, make in SHAPES.items():
        if wanted and not any(each in name for each in wanted):
            continue
        if length:
            text = make(length * 1000 // len(make(1000)))
            most, status = memory(text)
            bad += most > MEMORY
            print(f"{name:28} {len(text):8} {most:7.0f} {status:6}{'  TOO LARGE' if most > MEMORY else ''}", flush=True)
            continue
        # In a process of its own: what others have left in memories is no part of it.
        with get_context("spawn").Pool(1) as alone:
            made, (count, first, again) = alone.apply(measured, (name,))
        long = again > LIMIT or made > LIMIT
        bad += long
        print(f"{name:28} {count:8} {first:7.3f} {again:6.1f} {made:8.1f}{'  TOO LONG' if long else ''}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
