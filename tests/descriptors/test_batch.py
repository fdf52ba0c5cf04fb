"""A batch: what two lines are together, what is passed over, and that nothing else is lost."""

from __future__ import annotations

import pytest
from tables import every_row

from smemdesc.descriptors.batch import BatchLine, read_batch

LOW, HIGH = "0x10040", "0x40004040"
_UNREAD = ["error: not a value", "error: one of the two words is missing", "error: not a value"]


def texts(text: str) -> list[str]:
    return [
        each.literal.text.strip() if each.literal else f"error: {each.problem}".partition(";")[0]
        for each in read_batch(BatchLine(line) for line in text.splitlines())
    ]


@every_row(
    ("text", "found"),
    [
        (f"UMOV UR4, {LOW} ;\nUMOV UR5, {HIGH} ;", [f"{HIGH}:{LOW}"]),
        (f"UMOV UR5, {HIGH} ;\nUMOV UR4, {LOW} ;", [f"{HIGH}:{LOW}"]),
        (f"UR4 {LOW} 65600\nUR5 {HIGH} 1073758272", [f"{HIGH}:{LOW}"]),
        (f"$1 = {LOW}\n$2 = {HIGH}", [f"{HIGH}:{LOW}"]),
        (f"$1 = {HIGH}\n$2 = {LOW}", [f"{HIGH}:{LOW}"]),
        (f"UMOV UR5, {LOW}\nUMOV UR6, {HIGH}", [LOW, HIGH]),
        (f"UMOV UR4, {LOW}\nUMOV UR7, {HIGH}", [LOW, HIGH]),
        (f"UMOV UR4, {LOW}\nMOV R5, {HIGH}", [LOW, HIGH]),
        ("UMOV UR4, 0x8200490\nUMOV UR5, 0x40004040", ["0x8200490", HIGH]),
        (f"$1 = {LOW}\n$2 = 0x8200490", [LOW, "0x8200490"]),
        (f"$1 = {HIGH}00010040\n$2 = 0x8200490\n$3 = {LOW}", [f"{HIGH}00010040", "0x8200490", LOW]),
        (f"{LOW}\n{HIGH}", [f"{HIGH}:0x000{LOW[2:]}", LOW, HIGH]),
        (f"{LOW}\n{HIGH}\n{LOW}", [LOW, HIGH, LOW]),
        (
            f"UMOV UR4, {LOW}\nUMOV UR8, 0x10042\nUMOV UR5, {HIGH}\nUMOV UR9, {HIGH}",
            [f"{HIGH}:{LOW}", f"{HIGH}:0x10042"],
        ),
        (f"UMOV UR4, {LOW}\nUMOV UR4, 0x10042\nUMOV UR5, {HIGH}", [LOW, f"{HIGH}:0x10042"]),
        (f"UR4={LOW} UR5={HIGH}", [f"{HIGH}:{LOW}"]),
        ("UR4=0x10040 UR5=0x40000041", ["0x40000041:0x10040", LOW, "0x40000041"]),
        ("UR4=0x10040 UR5=0x8200490", [LOW, "0x8200490"]),
        ("lo = 65600\nhi = 1073758272", ["1073758272:65600"]),
        ("{\n  lo = 65600,\n  hi = 1073758272\n}", ["1073758272:65600"]),
        (f"d = [\n  {LOW},\n  {HIGH},\n]\n0x1", [f"{HIGH}:{LOW}", "0x1"]),
        ("[0x8200490, 0x8210490]", ["0x8200490", "0x8210490"]),
        ("tensor([138413200, 68158608])", ["138413200", "68158608"]),
        (f"[{LOW}, {HIGH}], [0x10042, {HIGH}]", [f"{HIGH}:{LOW}", f"{HIGH}:0x10042"]),
        (f"[{HIGH}, {LOW}]", [f"{LOW}:{HIGH}", HIGH, LOW]),
        ("d = 0;\n// version\nd |= 1ull << 46;\n0x1", ["d = 0; d |= 1ull << 46", "0x1"]),
        ("desc = 1;\ne |= 1ull << 46;", ["1", "e |= 1ull << 46"]),
        ("d = (1 << 4) \\\n  | (1 << 7)\n0x1", ["d = (1 << 4) | (1 << 7)", "0x1"]),
        ("uint32_t i = (1 << 4)  // D\n  | (1 << 7);\n0x1", ["uint32_t i = (1 << 4) | (1 << 7)", "0x1"]),
        ("x = 1 |\n /* A\n | 4 */ 2\n0x1", ["x = 1 | 2", "0x1"]),
        ("1 << 4\n0x1\n1 << 7", ["1 << 4", "0x1", "1 << 7"]),
        (
            f"A:\n{LOW}\n---\n// B\nOperand B (K-major):\n=== B ===\n;\n-- as printed\n/* B */\n{HIGH}0\n",
            [LOW, f"{HIGH}0"],
        ),
        (f"lo:\n{LOW}\nhello\n0x123:\n// {LOW}\n", ["error: not a value", LOW, *_UNREAD]),
        ("A:\n---", ["error: not a value"]),
        ("d = [\n0x1\n0x2", ["error: not a value", "0x1", "0x2"]),
        (f"UMOV UR4, {LOW}\nhello\nUMOV UR5, {HIGH}", [LOW, "error: not a value", HIGH]),
        ("GmmaDescriptor: 0x4000004000010040\nstart_addr : 0x0040\nbase_offset: 0x0", ["0x4000004000010040"]),
        ("start_addr: 12345678", ["error: not a value"]),
        (f"UMOV UR5, {HIGH} ; /* 0x4000404000057882 */\n/* 0x000fe20000000000 */", [HIGH]),
        (
            "/* 0x000fe20000000000 */",
            ["error: the encoding"],
        ),
    ],
)
def test_lines(text: str, found: list[str]) -> None:
    assert [each[: len(start)] for each, start in zip(texts(text), found, strict=True)] == found


def test_a_joined_value_says_so() -> None:
    (item,) = read_batch([BatchLine(f"UMOV UR4, {LOW} ;", "line 3"), BatchLine(f"UMOV UR5, {HIGH} ;", "line 4")])
    assert item.literal is not None
    assert item.literal.form == "UR4 and UR5 joined: UR5 is the high word"
    assert item.literal.at(64) == (0x4000404000010040, (1 << 64) - 1)
    assert item.line.where == "line 3"


@pytest.mark.parametrize(
    "text", ["10040 40004040", "40004040 10040", "10040\n40004040", "00010040 40004040", "65600 40004040"]
)
def test_two_words_are_in_one_base_if_that_makes_a_descriptor(text: str) -> None:
    joined = next(read_batch([BatchLine(line) for line in text.split("\n")])).literal
    assert joined is not None
    assert joined.at(64) == (0x4000404000010040, (1 << 64) - 1)


@pytest.mark.parametrize(
    "text",
    [
        "(cuda-gdb) p/x $UR4\n$1 = 0x10040\n(cuda-gdb) p/x $UR5\n$2 = 0x40004040",
        "(gdb) x/2xw &d\n0x7ffe: 0x00010040 0x40004040",
        "(gdb) 0x4000404000010040",
        ">>> hex(desc)\n'0x4000404000010040'",
        "In [3]: hex(desc)\nOut[3]: 0x4000404000010040",
        "```\n0x4000404000010040\n```",
        "```text\n0x4000404000010040\n```",
        "* 0x4000404000010040",
        "+ 0x4000404000010040",
        "1. 0x4000404000010040",
        "| desc | 0x4000404000010040 |",
        "| 0x4000404000010040 | A |",
    ],
)
def test_what_is_typed_or_written_around_a_value_is_none(text: str) -> None:
    assert [item.literal and item.literal.at(64)[0] for item in read_batch(map(BatchLine, text.split("\n")))] == [
        0x4000404000010040
    ]


@pytest.mark.parametrize("text", ["(gdb)0x1", "| 0x1 | 0x2 | 0x3", "*0x1"])
def test_other_lines_with_such_marks_are_errors(text: str) -> None:
    assert any(item.problem for item in read_batch([BatchLine(text)]))
