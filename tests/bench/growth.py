"""How the time of a scan grows with its input: shapes of text that a careless reader takes quadratic time for.

    python tests/bench/growth.py [SHAPE...]

Each shape is made twice, the second eight times as long; the second may take ten times as long as the first. Lengths
grow until the first takes a tenth of a second. The tests run each shape once, small (tests/scan/test_growth.py).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

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


def entry(body: str) -> str:
    return f".visible .entry k()\n{{\n{body}\n{MMA}\nret;\n}}\n"


def listing(*lines: str) -> str:
    text = '\t.section\t.text.k,"ax",@progbits\n'
    return text + "".join(
        f"{line}\n" if line.endswith(":") else f"        /*{16 * n:04x}*/                   {line} ;\n"
        for n, line in enumerate(lines)
    )


def function(body: str, value: str = "%x") -> str:
    return "define void @f(i64 %x, i1 %p) {\n" + body + LLVM.format(value) + "  ret void\n}\n"


def operations(body: str, value: str = "%x") -> str:
    return "llvm.func @f(%x: i64, %t: i32, %i: i32, %p: i1) {\n" + body + MLIR.format(value) + "  llvm.return\n}\n"


def diamonds(count: int) -> list[str]:
    made = []
    for n in range(count):
        made += [f"@P0 BRA `(.L_x_{n})", f"UIADD3 UR{n % 60}, UR{(n + 7) % 60}, 0x1, URZ", f".L_x_{n}:"]
    return made


SHAPES: dict[str, Callable[[int], str]] = {
    "sass": lambda n: listing(*["UIADD3 UR4, UR4, 0x2, URZ"] * n, SASS, "EXIT"),
    "sass branches": lambda n: listing(*diamonds(n // 4), SASS, "EXIT"),
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
    "ptx": lambda n: entry("add.u64 %rd1, %rd1, 2;\n" * n),
    "ptx blanks": lambda n: entry("mov.b64 %rd1," + " " * n + "5;"),
    "ptx blank lines": lambda n: entry("\n" * n + (" " * 20 + "\n") * (n // 20)),
    "ptx commas": lambda n: entry("mov.b64 %rd1" + "," * n + ";"),
    "ptx scopes": lambda n: entry("{\n" * n + "mov.b64 %rd1, 5;\n" + "}\n" * n),
    "ptx names in scopes": lambda n: entry("{\n" * (n // 2) + "add.u64 %rd1, %rd1, 1;\n" * (n // 2) + "}\n" * (n // 2)),
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
        "ts: .branchtargets " + ", ".join(f"L{k}" for k in range(int(n**0.5))) + ";\n"
        + "".join(f"brx.idx %r1, ts;\nL{k}:\n" for k in range(int(n**0.5)))
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
    "llvm asm asm": lambda n: function("  %a = call i64 " + "asm " * n + "\n", "%a"),
    "llvm quotes": lambda n: function('  %a = call i64 asm "' + '""' * n + "\n", "%a"),
    "llvm phis": lambda n: function(
        "  %a = phi i64 " + ", ".join(f"[ {k}, %b{k} ]" for k in range(n)) + "\n", "%a"
    ),
    "mlir": lambda n: operations("".join(f"  %a{k + 1} = llvm.add %a{k}, %x : i64\n" for k in range(n)), f"%a{n}"),
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
    "mlir blanks": lambda n: operations("  %a =" + " " * n + "llvm.add %x, %x : i64\n", "%a"),
    "mlir names": lambda n: operations("  " + ", ".join(f"%a{k}" for k in range(n)) + " = foo.bar %x : i64\n", "%a1"),
    "mlir regions": lambda n: operations("scf.if %p {\n}\n" * n),
    "mlir open": lambda n: operations("  foo.bar {\n" + '  a = "b",\n' * n),
    "mlir quotes": lambda n: operations('  foo.bar "' + '\\"' * n + "\n"),
    "mlir blocks": lambda n: operations(
        "".join(f"  cf.br ^b{k}(%x : i64)\n^b{k}(%y{k}: i64):\n" for k in range(n)), "%y1"
    ),
    "text": lambda n: "desc = 0x4000404000010040 " * n,
    "text lines": lambda n: "desc = 0x4000404000010040\n" * n,
    "text shifts": lambda n: "(1ull << 46) | " * n,
    "text open brackets": lambda n: "(" * n + "1 << 46",
    "text digits": lambda n: "0x" + "4" * n,
    "text digits and quotes": lambda n: "4'0" * n,
}  # fmt: skip


def taken(text: str) -> float:
    """Return the seconds that a scan takes."""
    from smemdesc.scan import scan_text

    begin = time.process_time()
    scan_text(text)
    return time.process_time() - begin


def ratio(make: Callable[[int], str], start: int, enough: float = LONG_ENOUGH) -> tuple[int, float, float]:
    """Return the length, its time, and how many times as long eight times the length takes."""
    count = start
    while (first := min(taken(make(count)) for _ in range(2))) < enough and count < LARGEST:
        count *= 2
    again = taken(make(FACTOR * count)) / max(first, 1e-3)
    return count, first, again


def main() -> int:
    """Measure the shapes."""
    wanted = sys.argv[1:]
    bad = 0
    print(f"{'shape':28} {'length':>8} {'s':>7} {'x':>6}")
    for name, make in SHAPES.items():
        if wanted and not any(each in name for each in wanted):
            continue
        count, first, again = ratio(make, 1000)
        bad += again > LIMIT
        print(f"{name:28} {count:8} {first:7.3f} {again:6.1f}{'  TOO LONG' if again > LIMIT else ''}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
