"""Sessions in cuda-gdb on an H100, run again: the same questions, and what is shown then; answers that are none.

Once in this process, and once by the script in gdb, where one with Python is installed.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import forking
import pytest
from rich.console import Console
from run import GOLDENS, held
from samples import long_run
from silicon.debugger.recorded import FOLDER, Command, sessions
from tables import every_row

from smemdesc.cli.gdb import command as gdb
from smemdesc.debugger import SCRIPT
from smemdesc.debugger.answers import ANSWERS, read_answer
from smemdesc.debugger.questions import DecodeQuestion, Question, Session
from smemdesc.debugger.session import _COMMANDS, HELP, Stop, session
from smemdesc.engine.errors import SmemdescError
from smemdesc.render.debugger import view

PAGE = Path(__file__).parents[2] / "docs" / "debugging.md"


def replayed(command: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command, give it the recorded answers, return what it says."""
    start = {"command": command.text, "columns": 110, "color": False}
    lines = [start, *(answer for _, answer in command.asked)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(json.dumps(line) + "\n" for line in lines)))
    gdb.main(["--session"], standalone_mode=False)
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each for each in said if "ask" in each] == [question for question, _ in command.asked]
    return "".join(each["say"] for each in said if "say" in each)


@pytest.mark.parametrize("kernel", sessions())
def test_a_recorded_session(kernel: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(FOLDER)
    text = ""
    for command in sessions()[kernel]:
        typed = f"(cuda-gdb) smemdesc {command.text}".rstrip()
        text += f"{typed}\n{replayed(command, monkeypatch, capsys)}\n"
    held("debugger", kernel, text)


def parts(kernel: str) -> dict[str, str]:
    """Return what each command of a session shows, with the command; the first time it is typed."""
    found: dict[str, str] = {}
    for each in re.split(r"(?m)^(?=\(cuda-gdb\) )", (GOLDENS / "debugger" / f"{kernel}.txt").read_text())[1:]:
        found.setdefault(each.partition("\n")[0], each.rstrip() + "\n")
    return found


def test_the_page_shows_these_sessions() -> None:
    """A block begins with a command; the line before it names the kernel. ``UPDATE_GOLDEN=1`` writes them anew."""

    def shown(block: re.Match[str]) -> str:
        return f"{block[1]}```text\n{parts(block[2])[block[3]]}```\n"

    text = PAGE.read_text()
    anew = re.sub(r"(<!-- (\w+) -->\n)```text\n(\(cuda-gdb\) .*)\n(?:.*\n)*?```\n", shown, text)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(anew)
    assert text.count("<!-- ") == len(re.findall(r"(?m)^\(cuda-gdb\) smemdesc", text)) > 5
    assert anew == PAGE.read_text()


@every_row("kernel", sessions())
def test_the_debugger_says_nothing_of_its_own(kernel: str) -> None:
    """From the first command on: neither of the breakpoints of ``next`` nor of the warps that are passed over."""
    said = (FOLDER / "record" / f"{kernel}.txt").read_text().partition("(cuda-gdb) ")[2]
    assert said
    assert not re.search(r"Breakpoint -|Switching focus", said)


GMMA = "HGMMA.64x8x16.F32.BF16 R24,gdesc[UR4],RZ,!UPT"
LISTING = f"   0x10 <k+0>:\tMOV R1,R2\n   0x20 <k+16>:\t{GMMA}\n   0x30 <k+32>:\t{GMMA}\n"
Thread = tuple[int, int, int]


def holds(condition: str, block: Thread, thread: Thread, size: Thread) -> bool:
    """Work out a condition of the debugger's for one thread."""
    python = condition.replace("&&", "and").replace("||", "or").replace("/", "//")
    named = {"blockIdx": block, "threadIdx": thread, "blockDim": size}
    return bool(eval(python, {name: SimpleNamespace(x=x, y=y, z=z) for name, (x, y, z) in named.items()}))


def where(arch: str, pc: int, thread: Thread) -> dict[str, object]:
    x, y, z = thread
    focus = f"kernel 0, block (1,2,0), thread ({x},{y},{z})"
    return {"pc": pc, "errorpc": None, "function": "k", "arch": arch, "thread": focus}


def going(arch: str, pc: int, size: Thread, thread: Thread) -> tuple[Session, str]:
    """Type ``next``; return the session where the program goes on, and until what."""
    running = session("next")
    question = next(running)
    while question.what != "run_to":
        answers = {"where": where(arch, pc, thread), "listing": {"text": LISTING}, "values": {"values": [*size[:2]]}}
        question = running.send(answers[question.what])
    return running, dict(question.arguments)["condition"]


@pytest.mark.parametrize(
    ("arch", "pc", "size", "thread", "stops", "passes"),
    [
        # Where it stands at a tensor-core instruction, for its own warp only.
        ("sm_90", 0x20, (384, 1, 1), (5, 0, 0), [(0, 0, 0), (31, 0, 0)], [(32, 0, 0), (128, 0, 0)]),
        ("sm_90", 0x20, (16, 8, 1), (3, 1, 0), [(0, 0, 0), (15, 1, 0)], [(0, 2, 0)]),
        ("sm_90", 0x20, (32, 2, 2), (0, 1, 1), [(31, 1, 1)], [(0, 1, 0), (0, 0, 1)]),
        # Before that, for its own warp or another warpgroup, which may be the one that multiplies; on Blackwell any.
        ("sm_90", 0x10, (384, 1, 1), (256, 0, 0), [(256, 0, 0), (0, 0, 0), (255, 0, 0)], [(288, 0, 0)]),
        ("sm_100", 0x10, (192, 1, 1), (0, 0, 0), [(0, 0, 0), (32, 0, 0), (191, 0, 0)], []),
    ],
)
def test_next_stops_for_one_warp(
    arch: str, pc: int, size: Thread, thread: Thread, stops: list[Thread], passes: list[Thread]
) -> None:
    _, condition = going(arch, pc, size, thread)
    assert all(holds(condition, (1, 2, 0), each, size) for each in stops)
    assert not any(holds(condition, (1, 2, 0), each, size) for each in passes)
    assert not holds(condition, (0, 2, 0), thread, size)


def test_a_breakpoint_of_the_user_stops_for_no_other_warp() -> None:
    running, condition = going("sm_90", 0x20, (128, 1, 1), (0, 0, 0))
    assert running.send({}).what == "where"
    assert running.send(where("sm_90", 0x20, (0, 0, 0))).what == "run_to"  # it did not move: another warp did
    assert running.send({}).what == "where"
    assert running.send(where("sm_90", 0x30, (32, 0, 0))) == Question("values", (("expressions", [condition]),))
    assert running.send({"values": [0]}).what == "run_to"


BARE = "   0x10 <k+0>:\tMOV R1,R2\n   0x20 <k+16>:\tEXIT\n"
"""A kernel without a tensor-core instruction."""


def launched(*kernels: tuple[int, str, int] | None) -> tuple[list[str], str]:
    """Type ``next`` in kernel 0, which has none; then the program stops in each of ``kernels``, or ends (None).

    A kernel is its number, its listing, and the distance of the stop from its beginning.

    Return what is shown, and the condition under which the last kernel stops at its instruction, or the error.
    """
    running, shown, at = session("next"), [], (0, BARE, 0)
    stops = iter(kernels)
    message = next(running)
    try:
        while True:
            if not isinstance(message, Question):
                shown.append(message.text)
                message = next(running)
            elif message.what == "run_to":
                return shown, dict(message.arguments)["condition"]
            elif message.what == "run_to_launch":
                at, message = next(stops), running.send({})
            elif at is None:
                message = running.send({"error": "No frame."})
            else:
                place = where("sm_90", 0x10 + at[0] * 0x1000 + at[2], (0, 0, 0))
                place["thread"] = f"kernel {at[0]}, block (1,2,0), thread (0,0,0)" if at[0] >= 0 else ""
                message = running.send({"where": place, "listing": {"text": at[1]}}[message.what])
    except SmemdescError as problem:
        return shown, problem.message


@pytest.mark.parametrize(
    ("kernels", "passed", "last"),
    [
        ([(1, LISTING, 0)], "kernel 1, after 1 kernel without a tensor-core instruction", "blockIdx.x == 1"),
        ([(1, BARE, 0), (2, LISTING, 0)], "kernel 2, after 2 kernels without a tensor-core instruction", "blockIdx.x"),
        ([(0, BARE, 0), (0, BARE, 0), (1, LISTING, 0)], "kernel 1, after 1 kernel without a tensor-core", "blockIdx.x"),
        ([(1, BARE, 0), None], "", "the program ended after 2 kernels without a tensor-core instruction"),
        ([(1, BARE, 0), (1, BARE, 16)], "", "something else stopped the program in k, after 2 kernels without"),
        ([(-1, BARE, 0)], "", "something else stopped the program in k, after 1 kernel without"),
        ([(at, BARE, 0) for at in range(1, 1001)], "", "1001 kernels have no tensor-core instruction"),
    ],
)
def test_next_runs_on_to_the_first_kernel_with_an_instruction(
    kernels: list[tuple[int, str, int] | None], passed: str, last: str
) -> None:
    shown, ended = launched(*kernels)
    assert "".join(shown).startswith(f"ran on to {passed}" if passed else "")
    assert len(shown) == bool(passed)
    assert ended.startswith(last)


def test_next_begins_in_the_code_of_the_host() -> None:
    running = session("next")
    assert next(running).what == "where"
    assert running.send({**where("", 0x10, (0, 0, 0)), "thread": ""}).what == "run_to_launch"


UMMA = "UTCOMMA.BLOCK16 gdesc[UR4], gdesc[UR6], tmem[UR11+0x40], tmem[UR12], idesc[UR13], tmem[UR8], UPT"
AROUND = (
    f"Dump of assembler code for function k:\n   0x10 <+0>:\tUMOV UR11, 0x200\n   0x20 <+16>:\t{UMMA}\n"
    "   0x30 <+32>:\t{}\n   0x40 <+48>:\tEXIT\n   0x50 <+64>:\tBRA 0x50\nEnd of assembler dump.\n"
)
REGISTERS = {
    "$UR4": 0x10040,
    "$UR5": 0x40004040,
    "$UR6": 0x10440,
    "$UR7": 0x40004040,
    "$UR13": 0x08200480,
    "$UR8": 0x12C,
    "$UR9": 0x80000134,
    "$UR11": 0x00100020,
}


def at_umma(after: str, pc: int) -> Stop:
    """Stop at an instruction of Blackwell, which failed if ``pc`` is behind it."""
    stopped = session("")
    question = next(stopped)
    while isinstance(question, Question):
        asked = dict(question.arguments).get("expressions", ())
        answers = {
            "where": {**where("sm_100", pc, (0, 0, 0)), "errorpc": 0x20 if pc > 0x20 else None},
            "listing": {"text": AROUND.format(after)},
            "values": {"values": [REGISTERS[each] for each in asked]},
        }
        question = stopped.send(answers[question.what])
    assert isinstance(question, Stop)
    return question


@pytest.mark.parametrize(
    ("after", "pc", "d"),
    [("NOP", 0x20, (16, 96)), ("NOP", 0x40, (16, 96)), ("UMOV UR11, 0x100", 0x40, (0, 576))],
)
def test_tensor_memory_is_read_in_the_registers(after: str, pc: int, d: tuple[int, int]) -> None:
    stopped = at_umma(after, pc)
    shown = io.StringIO()
    Console(file=shown, width=200).print(view(stopped))
    assert f"  D    tensor memory: lane {d[0]}, column {d[1]}" in shown.getvalue()
    assert "  SFA  tensor memory: lane 0, column 300" in shown.getvalue()
    assert "  SFB  tensor memory: lane 32768, column 308 (lane 0, and bits 30-31 are 2" in shown.getvalue()


def test_one_register_holds_an_address_of_tensor_memory() -> None:
    decoding = session("desc $UR11 --kind tmem")
    assert next(decoding) == Question("values", (("expressions", ["$UR11"]),))
    assert decoding.send({"values": [0x100020]}) == DecodeQuestion("0x00100020", ("--kind", "tmem"))


@pytest.mark.parametrize(
    ("typed", "number", "shown"),
    [
        ("0x4000404000010040", 0x4000404000010040, DecodeQuestion("0x4000404000010040", ("--kind", "wgmma"))),
        ("desc_a + 2 --short", 66, DecodeQuestion("0x0000000000000042", ("--kind", "wgmma", "--short"))),
        ("decode --kind idesc x", 16, DecodeQuestion("0x00000010", ("--kind", "idesc"))),
        ("decode x --kind=tmem", 16, DecodeQuestion("0x00000010", ("--kind=tmem",))),
        ("0x" + "0" * 256, None, DecodeQuestion("0x" + "0" * 256, ())),
    ],
)
def test_an_expression_is_decoded(typed: str, number: int | None, shown: DecodeQuestion) -> None:
    running = session(typed)
    message = next(running)
    while isinstance(message, Question):
        message = running.send({"where": where("sm_90", 0x20, (0, 0, 0)), "values": {"values": [number]}}[message.what])
    assert message == shown


@pytest.mark.parametrize("register", ["UR", "R"])
def test_a_register_begins_a_pair(register: str) -> None:
    running = session(f"${register}8 --kind wgmma")
    assert next(running) == Question("values", (("expressions", [f"${register}8", f"${register}9"]),))
    assert running.send({"values": [0x10040, 0x40004040]}).value == "0x4000404000010040"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("nxet", "did you mean smemdesc next?"),
        ("opernd a", "did you mean smemdesc operand?"),
        ("cmopare a A.npy", "did you mean smemdesc compare?"),
        ("desk $UR8", "did you mean smemdesc desc?"),
        ("zzz", "$UR8, or an expression"),
    ],
)
def test_a_mistyped_command_gets_the_near_one(typed: str, hint: str) -> None:
    running = session(f"{typed} --kind wgmma")
    next(running)
    with pytest.raises(SmemdescError, match=re.escape(f"no number for {typed}")) as raised:
        running.send({"values": [None]})
    assert raised.value.hint.startswith(hint)


def test_the_help_names_every_command_in_80_columns() -> None:
    assert max(map(len, HELP.splitlines())) <= 80
    names = set(re.findall(r"(?m)^smemdesc ([a-z]+)", HELP)) | {"", "help", "decode", "desc"}
    assert names == _COMMANDS.keys()


ANSWER = {"pc": 16, "errorpc": None, "function": "k", "thread": "", "arch": "sm_90"}
WRONG = {
    "where": ("", "[]", "null", "{", "[" * 100_000, "9" * 5000, *(json.dumps({**ANSWER, key: []}) for key in ANSWER)),
    "listing": ('{"text": null}', "{}"),
    "values": ('{"values": null}', '{"values": [1]}', '{"values": [1, "2"]}', '{"values": [1, true]}'),
    "memory": ('{"base64": 3}', '{"base64": "AAA"}', '{"base64": "AAAA"}', '{"base64": "\u00e9"}'),
}
"""What is no answer to a question."""
ASKED = {"expressions": ["$UR4", "$UR5"], "count": 2}


@every_row(("question", "line"), [(name, line) for name, lines in WRONG.items() for line in lines])
def test_an_answer_of_another_shape(question: str, line: str) -> None:
    with pytest.raises(SmemdescError, match=f'the debugger\'s answer to "{question}" (is|has)') as raised:
        read_answer(line, {"ask": question, **ASKED})
    assert line.strip()[:50] in raised.value.message


def test_every_recorded_answer_is_one() -> None:
    asked = [each for commands in sessions().values() for command in commands for each in command.asked]
    for question, answer in asked:
        assert read_answer(json.dumps(answer), question) == answer
    assert {question["ask"] for question, _ in asked} <= ANSWERS.keys()


def test_it_is_said_in_the_debugger(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    start = {"command": "", "columns": 100, "color": False}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(start) + '\n{"pc": "\\u001b[2J"}\n'))
    gdb.main(["--session"], standalone_mode=False)
    said = json.loads(capsys.readouterr().out.splitlines()[-1])["say"]
    assert said.startswith(
        'error: the debugger\'s answer to "where" has a "pc" that is not an address: {"pc": "\\u001b[2J'
    )


LAUNCHING = """\
import gdb
for name in ("cuda", "set cuda", "show cuda"):
    type("Prefix", (gdb.Command,), {})(name, gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)
class Launch(gdb.Parameter):
    stops = []
    def get_set_string(self):
        if self.value == "application":
            self.stops.append(gdb.Breakpoint("launch", internal=True))
        else:
            self.stops.pop().delete()
        return ""
Launch("cuda break_on_launch", gdb.COMMAND_DATA, gdb.PARAM_ENUM, ["none", "application"])
"""
"""cuda-gdb's setting, for a function in place of kernels."""


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("gdb") and shutil.which("cc")), reason="needs gdb and a C compiler")
def test_the_script_runs_on_to_a_launch_silently(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int launch(int i) { return i; }\nint main() { return launch(0) + launch(0); }\n")
    subprocess.run(["cc", "-g", "-o", tmp_path / "p", tmp_path / "p.c"], check=True)
    (tmp_path / "launching.py").write_text(LAUNCHING)
    on = "python print('=', DEBUGGER.answer(dict(ask='run_to_launch')), {})".format
    lines = [f"source {SCRIPT}", f"source {tmp_path / 'launching.py'}", "break main", "run", "echo begins\\n"]
    lines += [on("gdb.selected_frame().name()")] * 2 + [on("DEBUGGER._number('$_exitcode')")]
    (tmp_path / "all.gdb").write_text("\n".join([*lines, "show cuda break_on_launch"]) + "\n")
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-x", tmp_path / "all.gdb", tmp_path / "p"],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    if "Python scripting is not supported" in done.stderr:
        pytest.skip("this gdb has no Python")
    shown = done.stdout.partition("begins\n")[2].splitlines()
    assert [line for line in shown if not line.startswith("[Inferior 1")] == [
        *("= {} launch", "= {} launch", "= {} 0", "The current value of 'cuda break_on_launch' is \"none\"."),
    ]


REPLAY = """\
import json, sys
class Recorded:
    def __init__(self, asked):
        self.asked = asked
    def answer(self, question):
        expected, answer = self.asked.pop(0)
        assert question == expected, (question, expected)
        return answer
"""


@pytest.mark.skipif(not shutil.which("gdb"), reason="no gdb is installed (Debian: apt install gdb)")
@pytest.mark.parametrize("kernel", ["wrong_mode", long_run("wrong_lbo"), long_run("outside")])
def test_the_script_in_a_debugger(kernel: str, tmp_path: Path) -> None:
    """What gdb prints is what the session says; the answers of the debugger are the recorded ones."""
    (tmp_path / "replay.py").write_text(REPLAY)
    lines = ["set width 110", "set style enabled off", f"source {SCRIPT}", f"source {tmp_path / 'replay.py'}"]
    for number, command in enumerate(sessions()[kernel]):
        asked = tmp_path / f"{number}.json"
        asked.write_text(json.dumps(command.asked))
        typed = f"smemdesc {command.text}".rstrip()
        lines += [f"python DEBUGGER = Recorded(json.load(open({str(asked)!r})))", f"echo (cuda-gdb) {typed}\\n", typed]
        lines.append("echo \\n")
    script = tmp_path / "all.gdb"
    script.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-x", str(script)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=FOLDER,
        env={"PATH": "/usr/bin:/bin", "SMEMDESC": str(forking.path() / "smemdesc"), "HOME": str(tmp_path)},
    )
    if "Python scripting is not supported" in done.stderr:
        pytest.skip("this gdb has no Python")
    assert done.stdout == (GOLDENS / "debugger" / f"{kernel}.txt").read_text(), done.stderr
