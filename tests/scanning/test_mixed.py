"""Texts with code of several languages: of each, all is read that is read where it stands alone."""

import re
from itertools import permutations

import pytest
from tables import every_row

import smemdesc
from smemdesc.scanning import scan_text

DESC, IDESC = 0x4000404000010000, 136316048
CODE = {
    "SASS": "UMOV UR5, 0x40004040 ;\nUMOV UR7, 0x40004040 ;\nUMOV UR35, 0x8200010 ;\n"
    "UTCQMMA gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT ;\n",
    "PTX": f"mov.b64 %rd1, {DESC};\ntcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, {IDESC}, %p1;\n",
    "a function of PTX": f".visible .entry k(){{\nmov.b64 %rd1, {DESC};\n"
    f"tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, {IDESC}, %p1;\nret;\n}}\n",
    "LLVM IR": f"  %i = add i32 0, {IDESC}\n  %a = add i64 0, {DESC}\n"
    "  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a, i64 %a, "
    "i32 %i, i1 true, i32 0, i32 1, i32 0)\n",
    "MLIR": "llvm.func @k(%d: !llvm.ptr<6>, %p: i1) {\n"
    f"  %a = llvm.mlir.constant({DESC} : i64) : i64\n  %i = llvm.mlir.constant({IDESC} : i32) : i32\n"
    '  "nvvm.tcgen05.mma"(%d, %a, %a, %i, %p) <{ctaGroup = #nvvm.cta_group<cta_1>, kind = '
    "#nvvm.tcgen05_mma_kind<f16>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : "
    "(!llvm.ptr<6>, i64, i64, i32, i1) -> ()\n  llvm.return\n}\n",
    "C++": '__device__ void f() {\n  asm volatile("mov.b32 id, 67634320;\\n"\n'
    '               "tcgen05.mma.cta_group::1.kind::f16 [%2], %0, %1, id, p;" ::"l"(a), "l"(b), "r"(t));\n}\n',
}
LAYOUTS = {
    "Markdown": "# A fault\n\nFirst:\n\n```\n{}```\n\nand then\n\n```text\n{}```\nThanks!\n",
    "Markdown in an answer": "> ```\n> {}> ```\n> then\n> ```\n> {}> ```\n",
    "HTML": "<p>one</p><pre>\n{}</pre>\n<pre><code>{}</code></pre>\n",
    "Jira": "{code:java}\n{}{code}\nand\n{noformat}\n{}{noformat}\n",
    "Org": "#+begin_src asm\n{}#+end_src\n#+begin_src\n{}#+end_src\n",
    "Doxygen": "@code\n{}@endcode\n\n@code{.sass}\n{}@endcode\n",
    "reStructuredText": ".. code-block:: text\n\n{}\n.. code-block:: text\n\n{}\n",
    "one after the other": "{}{}",
    "with a blank line": "{}\n{}",
    "with titles": "=== one ===\n\n{}\n=== other ===\n\n{}\n",
}


def found(text: str) -> list[tuple[object, ...]]:
    """Return what is known of each MMA of a text."""
    instructions = [each.to_dict() for each in smemdesc.scan(text).instructions]
    return [
        tuple((each[key] or {}).get(of) for key in ("a", "b", "idesc") for of in ("value", "known"))
        for each in instructions
    ]


ALONE = {name: found(text) for name, text in CODE.items()}


CASES = [
    (layout, *pair) for number, pair in enumerate(permutations(CODE, 2)) for layout in list(LAYOUTS)[number % 3 :: 3]
]
"""Every two languages, in a third of the layouts."""


@pytest.mark.slow
@every_row(("layout", "first", "second"), CASES)
def test_code_of_two_languages_is_read_as_each_alone(layout: str, first: str, second: str) -> None:
    one, other = CODE[first], CODE[second]
    if layout == "Markdown in an answer":
        one, other = (text[:-1].replace("\n", "\n> ") + "\n" for text in (one, other))
    text = LAYOUTS[layout].replace("{}", "\0").replace("\0", one, 1).replace("\0", other)
    assert sorted(found(text), key=str) == sorted(ALONE[first] + ALONE[second], key=str)
    for function in scan_text(text).functions:
        for mma in function.mmas:
            assert re.search("(?i)tcgen05|utcqmma", text.split("\n")[mma.line - 1])


@every_row("layout", [name for name in LAYOUTS if " " not in name])
def test_a_block_of_code_says_nothing_of_the_next(layout: str) -> None:
    last = CODE["SASS"].splitlines()[-1] + "\n"
    text = LAYOUTS[layout].replace("{}", "\0").replace("\0", CODE["SASS"], 1).replace("\0", last)
    assert found(text)[1] == ("0x0000000000000000", "0x0000000000000000") * 2 + ("0x00000000", "0x00000000")


def test_code_may_stand_on_the_line_of_a_fence() -> None:
    assert found("```" + CODE["SASS"].strip() + "```\n") == ALONE["SASS"]


def test_a_remark_or_a_comment_is_no_code_of_another_language() -> None:
    for remark in ("; // {}", "; <- {}", "; {}", "  # {}", "/* {} */"):
        text = CODE["SASS"].replace(" ;", remark.replace("{}", CODE["PTX"].splitlines()[1]), 1)
        assert len(scan_text(text).functions) == 1


PREFIXES = ("> ", "+", "[rank0]: ", "2026-11-27T15:36:09.123Z ", "worker-1  | ", "{:5d} | ", "{:5d}\t", "k.x:{}:")


@pytest.mark.slow
@every_row("name", CODE)
@every_row("prefix", PREFIXES)
def test_what_stands_before_every_line_changes_nothing(name: str, prefix: str) -> None:
    lines = CODE[name].splitlines()
    assert found("\n".join(prefix.format(at) + line for at, line in enumerate(lines, 1)) + "\n") == ALONE[name]


@every_row("name", CODE)
def test_the_signs_of_a_web_page_change_nothing(name: str) -> None:
    text = CODE[name]
    assert found(text.replace("  ", "\xa0 ")) == ALONE[name]
    assert found(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")) == ALONE[name]
    assert found(text.replace("[", "&#91;").replace("]", "&#93;").replace('"', "&quot;")) == ALONE[name]
