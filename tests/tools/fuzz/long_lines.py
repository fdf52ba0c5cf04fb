"""Long lines through ``scan``: in every language and form, words that a reader may look far from, again and again.

    python -m fuzz.long_lines [SECONDS] [SEED] [LENGTH]        (from the folder tests/tools)

What must hold: the time is that of a text read once, and nothing goes wrong in smemdesc itself.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from smemdesc.scanning import scan_text

from .command import run as by_command

MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;"
SASS = "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0"
CALL = f'call {{ float }} asm sideeffect "{MMA.replace("%", "$")}", "=f,l,l"(i64 %x, i64 %x)'
NVVM = (
    "nvvm.tcgen05.mma %t, %x, %x, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>}"
    " : (!llvm.ptr<6>, i64, i64, i32, i1)"
)
GDB = "   0x00007fffd7a30d00 <+0>:\t" + SASS
NCU = f'"0","0x7fffd7a30d00","{SASS}","0","0"'
OBJECT = (
    '[{"ELF":{"layout-id":4}},[{"function-name":"k","start":0,"length":32,"sass-instructions":['
    '{"opcode":"HGMMA.64x8x16.F32","operands":"R24, gdesc[UR4], R24, gsb0"},'
)

FORMS: dict[str, tuple[str, str]] = {
    "sass": (
        '\t.section\t.text.k,"ax",@progbits\n        /*0000*/                   ',
        f" ;\n        /*0010*/ {SASS} ;\n",
    ),
    "cuobjdump": ("\t\tFunction : k\n        /*0000*/  ", f" ;  /* 0x0000000000000000 */\n        /*0010*/ {SASS} ;\n"),
    "sass pasted": ("", f"\n{SASS} ;\n"),
    "sass line": (f"{SASS} ; ", ""),
    "cuda-gdb": (
        "Dump of assembler code for function k:\n" + GDB + "\n   0x00007fffd7a30d10 <+16>:\t",
        "\nEnd of assembler dump.\n",
    ),
    "x/i": (GDB, ""),
    "ncu": (f'"Kernel Name","k"\n"#","Address","Source","Samples","x"\n{NCU}\n"1","0x7fffd7a30d10","', '","0"\n'),
    "ncu text": (
        "Kernel Name  k\n---------- ---------------- --------------------\n"
        "Address  Source   x\n---------- ---------------- -----\n"
        f"1 0x7fffd7a30d00  {SASS}   0\n",
        "\n",
    ),
    "objects": (OBJECT, ""),
    "object": (OBJECT + '{"opcode":"MOV","operands":"', '"}]}]]'),
    "ptx": (f".version 8.0\n.target sm_90a\n.visible .entry k()\n{{\n{MMA}\n", f"\n{MMA}\nret;\n}}\n"),
    "ptx header": (".visible .entry k(", f")\n{{\n{MMA}\nret;\n}}\n"),
    "ptx module": ("", f"\n.visible .entry k()\n{{\n{MMA}\nret;\n}}\n"),
    "ptx local": (".visible .entry k()\n{\n.local .b8 x[8];\n.reg .b64 %rd<9>;\n{\n", f"\n}}\n{MMA}\nret;\n}}\n"),
    "ptx behind": (f".visible .entry k()\n{{\n{MMA}\nret;\n}}\n", ""),
    "ptx line": (MMA + " ", ""),
    "llvm": ("define void @f(i64 %x, i1 %p) {\n  %a = ", f"\n  %m = {CALL}\n  ret void\n}}\n"),
    "llvm call": (
        'define void @f(i64 %x, i1 %p) {\n  %m = call { float } asm sideeffect "' + MMA,
        '", "=f,l,l"(i64 %x, i64 %x)\n  ret void\n}\n',
    ),
    "llvm arguments": ("define void @f(i64 %x, i1 %p) {\n  %m = " + CALL[:-1] + ", ", ")\n  ret void\n}\n"),
    "llvm head": ("define void @f(i64 %x, ", f") {{\n  %m = {CALL}\n  ret void\n}}\n"),
    "llvm module": ("", f"\ndefine void @f(i64 %x, i1 %p) {{\n  %m = {CALL}\n  ret void\n}}\n"),
    "llvm line": ("  %m = " + CALL, ""),
    "mlir": ("llvm.func @f(%x: i64, %t: i32, %i: i32, %p: i1) {\n  %a = ", f"\n  {NVVM}\n  llvm.return\n}}\n"),
    "mlir operation": ("llvm.func @f(%x: i64, %t: i32, %i: i32, %p: i1) {\n  " + NVVM, "\n  llvm.return\n}\n"),
    "mlir head": ("llvm.func @f(%x: i64, ", f") {{\n  {NVVM}\n  llvm.return\n}}\n"),
    "mlir generic": (
        'llvm.func @f(%x: i64, %t: i32) {\n  "nvvm.tcgen05.cp"(%t, %x) <{',
        "}> : (i32, i64) -> ()\n  llvm.return\n}\n",
    ),
    "mlir asm": (
        'llvm.func @f(%x: i64) {\n  llvm.inline_asm has_side_effects "' + MMA,
        '", "l,l" %x, %x : (i64, i64) -> ()\n  llvm.return\n}\n',
    ),
    "mlir module": (
        "module {\n",
        f"\nllvm.func @f(%x: i64, %t: i32, %i: i32, %p: i1) {{\n  {NVVM}\n  llvm.return\n}}\n}}\n",
    ),
    "mlir line": ("  " + NVVM, ""),
    "tiles": (
        "tt.func @f(%x: i64) {\n  %d = ttng.tc_gen5_mma %a, %b, %c ",
        " : !ttg.memdesc<64x64xf16, #s, #m>, !t, !t\n  tt.return\n}\n",
    ),
    "cute": (
        "cuda.kernel @f(%x: i64) {\n  cute.gemm(%m, %d, %v, %v, %d) ",
        " : (!cute_nvgpu.sm90.mma<64x8x16>, !d, !v, !v, !d)\n  llvm.return\n}\n",
    ),
    "json": ('{"ptx": ".visible .entry k()\\n{\\n' + MMA + "\\n", '"}\n'),
    "log": (
        "[2026-01-01 00:00:00] W0101 12:34:56.789 123 x.cc:45] ",
        "\n[2026-01-01 00:00:01] .visible .entry k()\n[2026-01-01 00:00:01] {\n",
    ),
    "log of ptx": ("INFO 1: .visible .entry k()\nINFO 2: {\nINFO 3: ", f"\nINFO 4: {MMA}\nINFO 5: }}\n"),
    "sanitizer": ("========= Invalid __shared__ write\n=========     at ", "+0x10 in x.cu:1\n"),
    "text": ("", ""),
    "source": ("constexpr uint64_t desc = ", ";\n"),
}
"""What stands before and behind the line's words."""

# fmt: off
WORDS: tuple[str, ...] = (
    " ", "\t", "x", "0", "_", "$", "%", "%r1 ", "%r1, ", ",", ", ", ";", "; ", ":", ": ", ".", "..", "@", "@%p ",
    "-", "->", "=", " = ", "#", "!", "\\", '\\"', '"', '""', '" "', "'", "`", "`(", "(", ")", "()", "[", "]", "[]",
    "{", "}", "{}", "{ ", "} ", "<", ">", "<>", "|", "/", "//", "/*", "*/", "/**/", "/* x */", "(*", '(*"', '"*)',
    "\x1b[", "\x1b[1m", "\r", "\0", "\xff", "é", "0x", "0x1 ", "0x4000004000010040 ", "4'0", "1 << ",
    "(1ull << 46) | ", "1u", "x(", "a b ", "A.", "A.B ", "R1, ", "UR4", "x.y ", "a.b.",
    # PTX
    "wgmma.mma_async.sync ", "wgmma.mma_async.sync;", "wgmma.mma_async.", "tcgen05.mma.cta_group", "tcgen05.cp.",
    MMA, ".extern ", ".extern .func ", ".extern .shared ", ".visible .entry k() { ", ".visible ", ".reg ",
    ".reg .b64 %r1; ", ".reg .b64 %r1, ", ".param ", ".param .b64 x, ", ".shared .align 16 .b8 s[]; ",
    ".local .b8 x[8]; ", ".local ", ".branchtargets ", ".branchtargets L, ", ".entry ", ".func ", ".func (",
    ".loc 1 2 3 ", ".file 1 ", ".target sm_90 ", ".align 8 ", ".b64", ".b64 ", "mov.b64 %rd1, 5; ", "mov.b64 ",
    "bra L; ", "L: ", "inlined_at 1 2 3 ", "{%f0,%f1}, ", "::", "x::", "a.b::c ",
    "1 ? ", "1 ? 2 : ", "~", "(.s64)", "(1 + ",
    # SASS
    SASS + " ; ", "HGMMA ", "HGMMA.", "gdesc[", "gdesc[UR4]", "/*0000*/ ", "/* 0x000fe20000000000 */ ", "@!P0 ",
    "P0, ", "MOV.x0", "MOV R1, 0x0 ;", "BRA `(.L_x_0) ; ", ".L_x_0: ", ".section\t.text.k ", ".section ",
    "Function : k ", '(*"BRANCH_TARGETS .L_x_0"*)', "......", "//## File ", '//## File "x", line 1 ', ".text.k:",
    "c[0x0][0x28] ", "desc[UR4][R8.64]", "CALL.REL.NOINC `(k) ; ", "R2UR UR4, R4 ; ", GDB,
    "0x7fffd7a30d00 <k+16>:\t", "0x9 <", "<+0>:", "(cuda-gdb) ", "=> ", "Dump of assembler code for function k: ",
    "End of assembler dump. ", NCU + ",", '"0x7fffd7a30d00","', '"Address"', "Address  ", "-------- ",
    "---------- ---------- -", "Function Name: ", '"Kernel Name","', '{"function-name":',
    '{"opcode":"HGMMA","operands":"R1"},', '"opcode":', '"tki_toolOptions":"', '"ELF":', "-arch sm_90 ",
    # LLVM IR, MLIR
    '"my.op"(', '"llvm.func"(', "<{", "}>", "({", "})", "see current operation: ",
    "define ", "define void @f() { ", "call ", "call void ", "asm ", 'asm "', "asm sideeffect ", CALL + " ",
    "@llvm.nvvm.wgmma.mma_async", "i64 %x, ", "i64 ", "%a = ", "%a = call ", "[ 0, %b ], ", "label %x",
    "label %x, ", "to ", "phi ", "add(", "getelementptr (", "!dbg !1 ", "!1 = !DILocation(", "range(i32 0, 8) ",
    "addrspace(3) ", "@s = ", "align 16 ", "llvm.func @f() { ", "func ", "gpu.func ", "llvm.inline_asm ",
    NVVM + " ", "nvvm.tcgen05.mma ", "loc(", 'loc("x":1:2) ', "loc(#loc) ", "#loc = loc(", "^b", "^b(",
    "^b(%x : i64), ", "%a:2", "%a#0 ", "%a:2 = x.y ", "ttng.tc_gen5_mma %a ", "iter_args(", "iter_args(%a = %b) ",
    "scf.for ", "!t ", "#s ", "!ttg.memdesc<", "#ttg.", "dense<[1, 2]> ", "dense<", "module {", "%x to %y step %z ",
    "cute.gemm(", "!cute.", "tensor<", "attributes {", "i64, ", "(i64) -> ", "foo.bar ", "foo.bar {",
    # everything else
    "sm_90 ", "sm_", "compute_", "cuda:90", '"cuda:', "arch = sm_90 ", "desc", "desc = ",
    "desc: 0x4000004000010040, ", "mask ", "zero_col_mask = ", "static_cast<uint64_t>(", "kind::f16 ", "========= ",
    "========= at ", "========= at f(int)+0x10 in ", "+0x10 in ", "0x10+", "12:34:56 ", "1:", "1-", "INFO ", "[1] ",
    "\\n", "\\n\\t", "\\u0000", '{"a":', "[", '["a",', '"a": ', "mma.sync ", "mma.", "MMA.", "@llvm.nvvm.mma.",
    "HMMA.16816 ",
)
# fmt: on
"""What a line is made of."""


LENGTH = 1_000_000
SECONDS = 20e-6
"""For a byte; what is slowest is to judge a value in each word."""
LEAST = 0.5


def text(form: str, words: str, length: int) -> str:
    """Return a text with a line (of words without an end of one) of a length."""
    before, behind = FORMS[form]
    return before + words * max(1, length // len(words)) + behind


def fault(form: str, words: str, length: int) -> str:
    """Say what of the scan of a text must not be; empty where all is well."""
    made = text(form, words, length)
    begin = time.process_time()
    part = scan_text(made)
    took = time.process_time() - begin
    if took > LEAST + SECONDS * len(made):
        return f"{took:.1f} s for {len(made)} bytes"
    return next((why for _, why in part.failed if "smemdesc itself" in why), "")


def cases(seed: int, length: int = LENGTH) -> Iterator[tuple[str, str, int]]:
    """Yield forms, words and the length of the line that is made of them, without end."""
    generator = random.Random(seed)
    while True:
        form = generator.choice(list(FORMS))
        words = "".join(generator.choices(WORDS, k=generator.choice((1, 1, 2, 3))))
        yield form, words + generator.choice(("", "", "", "\n")), length


if __name__ == "__main__":
    size = int(sys.argv[3]) if len(sys.argv) > 3 else LENGTH
    by_command(lambda seed: cases(seed, size), fault, lambda form, words, _, why: f"{why}: {form}: {words!r}"[:400])
