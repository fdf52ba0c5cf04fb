"""A text that names an MMA which was not read is never said to have none: seen, not read."""

from __future__ import annotations

import random
import tarfile
from itertools import cycle, islice
from pathlib import Path

import pytest
from samples import sampled
from tables import every_row

import smemdesc
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import mentions

NAMES = sorted(name for names in mentions.MMA_NAMES.values() for name in names)
WRAPPINGS = {
    "alone": "{}",
    "prose": "the kernel issues {} in a loop",
    "at the end of a sentence": "the kernel issues {}.",
    "with a colon": "{}: what it does",
    "output of grep": "kernel.cu:12:{} a, b",
    "after dots": "... {}, then",
    "after a label": ".L_x_1: {} R4, R8 ;",
    "negated": "!{}",
    "JSON": '{{"opcode": "{}", "operands": "R4"}}',
    "a declared name": "declare {} in the kernel",
    "a color": "\x1b[32m{}\x1b[0m R4",
    "C++ comment": "int x = 0;  // {}",
    "C comment": "/* {} */",
    "Python comment": "x = 0  # {}",
    "comment of LLVM IR": "; {}",
    "C string": 'asm volatile("{} %0, %1;" ::);',
    "behind an escape": '"\\n\\t{} %0, %1;\\n"',
    "behind an escape of LLVM": 'asm sideeffect "\\0A\\09{} $0;"',
    "Python string": "text = '{} %0, %1;'",
    "Markdown": "- **{}**, `{}`",
    "an error of ptxas": "ptxas k.ptx, line 9; error   : Feature '{}' not supported on .target 'sm_90'",
    "a remark of ptxas": "ptxas info    : (C7510) Potential Performance Loss: {} instructions are serialized",
    "HTML": "<code>{}</code>",
    "table": "|{}|4 cycles|",
    "CSV": '"12","{}","R4"',
    "with an address": "        /*0010*/                   {} R4, R8 ;",
    "with a predicate": "@P0 {} R4, R8 ;",
    "qualified": "{}.x.y",
    "generic MLIR": '"{}"(%0, %1) : (i64, i64) -> ()',
    "with carriage returns": "x\r\n{}\r\ny\r\n",
    "in PTX": ".visible .entry k()\n{{\n  {} %a, %b;\n}}\n",
    "in a comment in PTX": ".visible .entry k()\n{{\n  // {}\n  ret;\n}}\n",
    "in LLVM IR": "define void @k() {{\n  call void @{}(i64 0)\n  ret void\n}}\n",
    "in MLIR": 'llvm.func @k() {{\n  "{}"(%0) : (i64) -> ()\n  llvm.return\n}}\n',
    "in SASS": "\t\tFunction : k\n        /*0000*/                   {} R4, R8 ;\n        /*0010*/   EXIT ;\n",
}


NAMED = {"prose", "at the end of a sentence", "C++ comment", "C comment", "Python comment", "Markdown", "JSON"}
NOT_READ = {"output of grep", "C string", "Python string", "CSV", "with an address", "with a predicate", "in SASS"}


@every_row("name", ["HGMMA", "wgmma.mma_async", "tcgen05.mma", "ttng.warp_group_dot"])
def test_a_name_that_is_no_instruction_is_no_error(name: str) -> None:
    for wrapping in NAMED | NOT_READ:
        part = scan_text(WRAPPINGS[wrapping].replace("{}", name).replace("{{", "{") + "\n")
        assert part.unread
        assert bool(part.failed) == (wrapping in NOT_READ), wrapping


SYNTAX = """The syntax is:

    {}
        [d-tmem], a-desc, b-desc, idesc, enable-input-d;
"""


def test_no_rule_is_applied_to_the_syntax_of_a_document() -> None:
    forms = (f"tcgen05.mma.cta_group::{ctas}.kind::f16" for ctas in (1, 2))
    part = scan_text("\n".join(map(SYNTAX.format, forms)))
    assert [(each.line, each.reason) for each in part.unread] == [(at, mentions.IN_SYNTAX) for at in (3, 8)]
    assert not part.functions
    assert not part.failed


def test_one_that_was_not_read_makes_all_names_errors() -> None:
    assert len(scan_text('// HGMMA\n"12","HGMMA","R4"\n').failed) == 2


@every_row("view", ["plan", "scales", "debugger", "mma"])
def test_a_saved_view_is_no_error(view: str) -> None:
    for path in (Path(__file__).parents[1] / "golden" / view).glob("*.txt"):
        assert not [reason for _, reason in scan_text(path.read_bytes()).failed if "seen, not read" in reason], path


def is_noticed(text: str) -> bool:
    found = smemdesc.scan(text + "\n")
    return bool(found.instructions) or (bool(found.unread) and not found.ok)


@pytest.mark.slow
@pytest.mark.parametrize("wrapping", sampled(WRAPPINGS))
def test_every_name_is_noticed_in_every_wrapping(wrapping: str) -> None:
    forms = cycle((str, str.upper, str.lower, str.title))
    silent = [
        name
        for name, form in zip(NAMES, islice(forms, list(WRAPPINGS).index(wrapping) % 4, None), strict=False)
        if not is_noticed(WRAPPINGS[wrapping].replace("{}", form(name)).replace("{{", "{").replace("}}", "}"))
    ]
    assert not silent


def test_every_name_is_noticed_between_any_signs() -> None:
    signs = random.Random(7)
    for _ in range(300):
        before, after = ("".join(signs.choices(" \t()[]<>,;:|*+=!?'\"`/\\~^&{}", k=3)) for _ in range(2))
        text = f"{before}{signs.choice(NAMES)}{after}"
        assert is_noticed(text), text


@every_row(
    "text",
    [
        "_ZN7cutlass4arch7UTCHMMAE",
        "my_hgmma = 1",
        "hgmma_kernel<128>();",
        "self.hgmma(a, b)",
        "wgmma.fence.sync.aligned;",
        "tcgen05.commit.cta_group::1.b64 [%rd1];",
        "declare void @llvm.nvvm.tcgen05.mma.shared(ptr)",
        '.file 1 "tcgen05.mma.cu"',
        ".loc 1 12 3, function_name $L__info, inlined_at 1 5 2 // x",
        '!12 = !DILocation(name: "wgmma.mma_async")',
        '#loc3 = loc("wgmma.mma_async"(#loc2))',
        "the UTC time is 12:00",
        "ttng.warp_group_dot_wait %0",
    ],
)
def test_a_part_of_another_name_is_no_instruction(text: str) -> None:
    part = scan_text(text + "\n")
    assert not part.unread
    assert not part.failed


def test_a_name_in_markdown_may_have_escapes() -> None:
    assert is_noticed("the kernel issues wgmma.mma\\_async and ttng.tc\\_gen5\\_mma")


def test_a_message_of_ptxas_is_no_comment() -> None:
    part = scan_text("ptxas k.ptx, line 9; error   : Feature 'tcgen05.mma' not supported on .target 'sm_90'\n")
    assert [each.reason for each in part.unread] == [mentions.MESSAGE]


READ = """.target sm_100a
.visible .entry k(){
mov.b64 %rd1, 0x4000404000010000;
tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, 136316048, %p1;
"""


def test_a_comment_beside_an_instruction_that_was_read_is_about_that() -> None:
    part = scan_text(READ + '// tcgen05.mma of the first stage\n//k.cu:12 asm("wgmma.mma_async.sync")\nret;\n}\n')
    assert len(part.functions) == 1
    assert not part.unread


def test_an_instruction_beside_one_that_was_read_is_reported() -> None:
    part = scan_text(
        READ + "tcgen05.mma.cta_group::1.kind::f16 [%r1];\nTCGEN05.MMA.cta_group::1 [%r1], %rd1;\nret;\n}\n"
    )
    assert [each.line for each in part.unread] == [5, 6]
    assert len(part.failed) == 2


def test_only_the_first_of_many_are_errors_of_their_own() -> None:
    part = scan_text('"12","HGMMA","R4"\n' * 100)
    assert len(part.unread) == 100
    assert len(part.failed) == 4


def test_functions_that_are_not_asked_for_are_not_reported() -> None:
    text = ".visible .entry a(){\nret;\n}\n.visible .entry b(){\nWGMMA.mma_async.sync %r1;\n}\n"
    assert not smemdesc.scan(text, function="a").unread
    assert len(smemdesc.scan(text, function="b").unread) == 1


def test_listings_of_tools_that_show_an_instruction_twice_are_clean() -> None:
    with tarfile.open(Path(__file__).parent / "sass" / "loaded.tar.xz") as archive:
        for member in archive:
            stream = archive.extractfile(member)
            if stream is not None:
                assert not scan_text(stream.read()).unread, member.name
