"""C++ and Python sources: the PTX of asm statements is read, and nothing is claimed of what comes from elsewhere."""

from __future__ import annotations

import random

import pytest
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Part, ScannedMma

INSTRUCTION = "tcgen05.mma.cta_group::1.kind::f16 [%2], da, db, id, p;"
LINES = (
    "{",
    ".reg .b32 hi, id; .reg .b64 da, db; .reg .pred p;",
    "mov.b32 hi, 0x40004040;  // SBO 1024 B",
    "mov.b32 id, 67634320;",
    "mov.b64 da, {%0, hi};",
    "mov.b64 db, {%1, hi};",
    "setp.ne.b32 p, 1, 0;",
    INSTRUCTION,
    "}",
)
OPERANDS = ':: "r"(lo_a), "r"(lo_b), "r"(tmem));'
TEXT = "\n".join(LINES)


def quoted(start: str, end: str, between: str = "\n") -> str:
    return between.join(f"{start}{line}{end}" for line in LINES)


SOURCES = {
    "lines": "asm volatile(\n" + quoted('  "', '\\n"') + OPERANDS,
    "tabs": "asm volatile(\n" + quoted('  "', '\\n\\t"') + OPERANDS,
    "one line": 'asm("' + "\\n".join(LINES) + '" ' + OPERANDS,
    "alternate keywords": "__asm__ __volatile__ (\n" + quoted('"', '\\n"') + OPERANDS,
    "asm goto": "asm volatile goto(\n" + quoted('"', '\\n"') + OPERANDS,
    "comments between": "asm volatile(\n" + quoted('/* a */ "', '\\n"  // b') + "\n" + OPERANDS,
    "raw string": 'asm volatile(R"(\n' + TEXT + '\n)" ' + OPERANDS,
    "raw string with a mark": 'asm volatile(R"ptx(\n' + TEXT + '\n)ptx" ' + OPERANDS,
    "macro": "#define MMA(a, b, t) \\\n asm volatile( \\\n" + quoted('"', '\\n" \\') + "\n" + OPERANDS,
    "a string that is continued": 'asm volatile("' + "\\n\\\n".join(LINES) + '" ' + OPERANDS,
    "carriage returns": ("asm volatile(\n" + quoted('  "', '\\n"') + OPERANDS).replace("\n", "\r\n"),
    "in a string of Python": 'SRC = r"""\nasm volatile(\n' + quoted('"', '\\n"') + OPERANDS + '\n"""\n',
    "in a string with escapes": 'SRC = """\nasm volatile(\n' + quoted('"', '\\\\n"') + OPERANDS + '\n"""\n',
    "in a string in one line": 'SRC = "asm volatile('
    + quoted('\\"', '\\\\n\\"', " ")
    + OPERANDS.replace('"', '\\"')
    + '"',
    "in a format": (
        'SRC = f"""\nasm volatile(\n' + quoted('"', '\\n"').replace("{", "{{").replace("}", "}}") + OPERANDS + '\n"""\n'
    ),
    "escaped percent signs": "asm volatile(\n"
    + quoted('"', '\\n"').replace(" p,", " %%p,").replace("p;", "%%p;")
    + OPERANDS,
    "inline assembly of Triton": (
        'import triton\ntl.inline_asm_elementwise(\n    asm="""'
        + TEXT.replace("%", "$")
        + '""",\n    constraints="=r,r")\n'
    ),
    "inline assembly of a DSL": (
        'import cutlass\nllvm.inline_asm(None, [a, b, t],\n"""' + TEXT.replace("%", "$") + '""",\n"r,r,r")\n'
    ),
}


def the_mma(part: Part) -> ScannedMma:
    ((mma,),) = (function.mmas for function in part.functions)
    return mma


@every_row("name", SOURCES)
def test_the_instruction_of_an_asm_statement_is_read(name: str) -> None:
    text = SOURCES[name] + "\n"
    part = scan_text(text)
    mma = the_mma(part)
    assert not part.failed
    assert mma.a is not None
    assert mma.b is not None
    assert mma.idesc is not None
    assert (mma.a.bits, mma.a.known) == (mma.b.bits, mma.b.known) == (0x40004040 << 32, 0xFFFFFFFF << 32)
    assert (mma.idesc.bits, mma.idesc.known) == (67634320, 0xFFFFFFFF)
    assert "tcgen05.mma" in text.split("\n")[mma.line - 1]


def test_an_operand_is_named() -> None:
    mma = the_mma(scan_text(SOURCES["lines"]))
    assert mma.text == "tcgen05.mma.cta_group::1.kind::f16 [%2 (tmem)], da, db, id, p"
    assert mma.a is not None
    assert mma.a.lost_text == "%0 (lo_a) of the asm statement"


WGMMA = '"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\\n"'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'asm volatile("setp.ne.b32 p, " STR(X) ", 0;\\n"\n{WGMMA});', "a macro in its string"),
        (f'asm volatile(\n#ifdef X\n"nop;"\n#endif\n{WGMMA});', "a preprocessor condition in its string"),
        (f"#include <x>\nconst char* code =\n{WGMMA};", "in a string: no inline assembly that is read"),
        (f"#include <x>\n// {WGMMA}", "in a comment"),
        (f"#include <x>\n#define CODE {WGMMA}", "in a string: no inline assembly that is read"),
    ],
)
def test_what_cannot_be_read_is_seen(text: str, reason: str) -> None:
    part = scan_text(text + "\n")
    assert not part.functions
    assert [each.reason for each in part.unread] == [reason]
    assert len(part.failed) == (reason != "in a comment")
    assert "wgmma" in text.split("\n")[part.unread[0].line - 1]


def test_a_call_of_the_cute_dsl_is_no_operation_of_mlir() -> None:
    part = scan_text("import cutlass.cute as cute\n\ndef f():\n    cute.copy(a, b)\n    cute.gemm(m, d, a, b, d)\n")
    assert [(each.line, each.text) for each in part.unread] == [(5, "cute.gemm(m, d, a, b, d)")]


KERNEL = """.visible .entry k()
{
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, 0x4000004000010000, 4611686293305344, p, 1, 1;
  ret;
}
"""


def test_ptx_in_a_docstring_is_no_kernel() -> None:
    part = scan_text(f'import x\n\ndef f():\n    """Example:\n\n{KERNEL}"""\n    return 1\n')
    assert not part.functions
    assert [each.line for each in part.unread] == [8]


def test_ptx_in_a_variable_is_one() -> None:
    assert len(scan_text(f'import x\n\nPTX = """\n{KERNEL}"""\n').functions) == 1


@pytest.mark.slow
def test_damaged_sources_are_read_without_a_fault() -> None:
    chance = random.Random(5)
    for _ in range(150):
        text = list(chance.choice(list(SOURCES.values())))
        for _ in range(chance.choice((1, 3, 20))):
            at = chance.randrange(len(text))
            text[at : at + chance.randrange(3)] = chance.choice("(){}[]\"'\\\n;:,%$<>=*&|+-0x9Rabc#/")
        part = scan_text("".join(text))
        assert not any("smemdesc itself" in reason for _, reason in part.failed)
