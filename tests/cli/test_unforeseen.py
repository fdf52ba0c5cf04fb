"""What nobody thought of: one line that asks for a report, status 2, and the rest of the batch."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from fuzz.lines import Ran, run
from run import environment

TROUBLE = "0x4000404000010041"
DECODE = "smemdesc.api.decoding.decode_literal"
STUMBLES = {
    "decode": (["decode", "-"], DECODE, f"0x1\n{TROUBLE}\n0x2\n"),
    "decode --json": (["decode", "--json", "-"], DECODE, f"0x1\n{TROUBLE}\n0x2\n"),
    "mask": (
        ["mask", "--json", "--m", "64", "--n", "16", "-"],
        "smemdesc.layout.zero_columns.expand",
        f"0x0003028100000000\n{TROUBLE}\n0x0\n",
    ),
    "encode": (
        ["encode", "-"],
        "smemdesc.descriptors.encoding.from_object",
        '{"kind": "wgmma"}\n{"kind": "idesc", "mma_kind": "stumble"}\n{"kind": "mask"}\n',
    ),
    "layout explain": (
        ["layout", "explain", "--json", "-"],
        "smemdesc.api.layouts.explain_text",
        f"box=64x128,swizzle=128B,dtype=bf16\n{TROUBLE}\nbox=64x64,swizzle=128B,dtype=bf16\n",
    ),
}


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMEMDESC_DEBUG", raising=False)


def stumbling(original: Callable[..., Any], problem: Exception) -> Callable[..., Any]:
    def stumble(*arguments: Any, **more: Any) -> Any:
        given = repr(arguments)
        if TROUBLE in given or "stumble" in given or str(int(TROUBLE, 16)) in given:
            raise problem
        return original(*arguments, **more)

    return stumble


PROBLEMS = [TypeError("of nobody's making"), AssertionError(), MemoryError(), RecursionError(), KeyError("a")]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("name", STUMBLES)
def test_the_batch_goes_on(name: str, problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, place, stdin = STUMBLES[name]
    patch(monkeypatch, place, problem)
    ran = run(arguments, stdin)
    assert ran.status == 2
    (line,) = (each for each in ran.err.splitlines() if each.startswith(("error: ", '{"severity": "error"')))
    assert "line 2" in line
    assert said(problem) in ran.err
    assert len(ran.out.split("\n\n" if name == "decode" else "\n")) >= 2
    assert "Traceback" not in ran.err


MASK = ["--m", "64", "--n", "16"]
SHAPE = ["--major", "K", "--shape", "64x16"]
DRAWN = {
    "decode": ["decode", "0x1"],
    "decode -": ["decode", "-"],
    "decode --diff": ["decode", "--diff", "0x1", "0x2"],
    "mask": ["mask", *MASK, "0x0003028100000000"],
    "mask -": ["mask", *MASK, "-"],
    "mask find": ["mask", *MASK, "--zero", "0-3"],
    "mask conv": ["mask", "conv", "--q", "16", *MASK, "--tile", "0", "--left", "1", "--filter", "3"],
    "layout atom": ["layout", "atom", "--swizzle", "128B", "--major", "K"],
    "layout operand": ["layout", "operand", "0x4000404000010040", "--dtype", "bf16", *SHAPE],
    "layout tile": ["layout", "tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "none"],
    "fields": ["fields", "wgmma"],
    "plan": ["plan", "128x128x64", "--dtype", "bf16"],
    "mma": ["mma", "--a", "0x1", "--b", "0x1", "--idesc", "0x08400490", "--mma-kind", "f16"],
    "explain": ["explain", "lbo"],
    "scan": ["scan", "-"],
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_view_that_cannot_be_drawn_is_said_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    original = Console.print

    def stumble(console: Console, *shown: Any, **more: Any) -> None:
        if console.file is not sys.stderr:
            raise ZeroDivisionError("here")
        original(console, *shown, **more)

    monkeypatch.setattr(Console, "print", stumble)
    stdin = "0x0003028100000000\n0x1\n" if name != "scan" else f"UMOV UR4, 1 ;\n{HGMMA} ;\n"
    ran = run(DRAWN[name], stdin)
    assert (ran.out.strip(), ran.status) == ("", 2)
    said = {each for each in ran.err.splitlines() if each.startswith("error: ")}
    assert len(said) == (2 if DRAWN[name][-1] == "-" else 1)  # of a scan: a function, and what is around it
    assert all("an error in smemdesc itself (ZeroDivisionError: here)" in each for each in said)
    assert "Traceback" not in ran.err


HGMMA = "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, gsb0"


def patch(monkeypatch: pytest.MonkeyPatch, place: str, problem: Exception) -> None:
    from pkgutil import resolve_name

    owner, _, attribute = place.rpartition(".")
    monkeypatch.setattr(place, stumbling(getattr(resolve_name(owner), attribute), problem))


def said(problem: Exception) -> str:
    if isinstance(problem, MemoryError):
        return "not enough memory"
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    return "please report it with the input; --debug shows where it happened"


def test_debug_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, DECODE, TypeError("here"))
    for arguments in (["--debug", TROUBLE], ["decode", TROUBLE, "--debug"]):
        ran = run(arguments)
        assert ran.status == 2
        assert "error: an error in smemdesc itself (TypeError: here)" in ran.err
        assert "Traceback (most recent call last)" in ran.err


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        (
            "smemdesc.api.checking.judge_mma",
            ["mma", "--a", "0x1", "--b", "0x1", "--idesc", "0x08400490", "--mma-kind", "f16"],
        ),
        ("smemdesc.api.planning.plan", ["plan", "128x128x64", "--dtype", "bf16"]),
        ("smemdesc.explanations.topics.topic", ["explain", "lbo"]),
        ("smemdesc.api.encoding.build", ["encode", "wgmma", "--sbo", "1024", "--swizzle", "128B"]),
        ("smemdesc.kinds.kind.kind_of", ["fields", "wgmma"]),
    ],
)
def test_every_command_says_it_in_one_line(place: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("here")

    monkeypatch.setattr(place, stumble)
    ran = run(arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.splitlines()[0] == "error: an error in smemdesc itself (ZeroDivisionError: here)"


@pytest.mark.parametrize(
    ("number", "text", "says"),
    [
        (24, "Too many open files", "the system refused: too many open files"),
        (11, "Resource temporarily unavailable", "the system refused: resource temporarily unavailable"),
        (28, "No space left on device", "cannot write: no space left on device"),
    ],
)
def test_what_the_system_refuses_is_called_that(
    number: int, text: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: Any) -> Any:
        raise OSError(number, text)

    monkeypatch.setattr(DECODE, stumble)
    ran: Ran = run(["decode", "0x1"])
    assert (ran.status, ran.err) == (2, f"error: {says}\n")


INTERRUPTED = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from smemdesc.__main__ import main
sys.argv = ["smemdesc", "0x4000404000010040"]
main()
"""


def process(*arguments: str, before: tuple[str, ...] = (), **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run Python on these arguments, with its streams in pipes but for those that are given."""
    command = [*before, sys.executable, "-P", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(command, **pipes, text=True, check=False, env=environment(), timeout=60)


@pytest.mark.parametrize("name", ["click", "smemdesc.cli.decode", "rich.console", "bitstring"])
def test_an_interrupt_while_modules_load_is_quiet(name: str) -> None:
    done = process("-c", INTERRUPTED.format(name=name))
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["0x4000404000010040"], ["--help"], ["decode", "--json", "0x1"], ["fields"]])
def test_standard_output_that_is_closed_is_an_error(arguments: list[str]) -> None:
    done = process("-m", "smemdesc", *arguments, before=("bash", "-c", 'exec "$@" >&-', "-"), stdout=None)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "standard output is closed" in done.stderr


READERS = {
    "decode -": "0x4000404000010040",
    "decode --json -": "0x4000404000010040",
    "decode --short -": "0x4000404000010040",
    "decode --kind wgmma --check -": "0x4000404000010040",
    "mask --m 64 --n 16 -": "0x0003028100000000",
    "encode -": '{"kind": "wgmma"}',
    "layout explain -": "box=64x128,swizzle=128B,dtype=bf16",
    "layout operand --shape 64x16 --dtype bf16 --major K -": "0x4000404000010040",
    "explain -": "lbo",
    "scan -": ".target sm_90a",
    "scan --json -": ".target sm_90a",
    "scan --diff - examples/data/gemm_sm90.sass": ".target sm_90a",
    "scan --agree -": ".target sm_90a",
    "scan --annotate -": ".target sm_90a",
    "gdb --session": '{"command": "help", "columns": 80, "color": false}',
}
"""Every command that reads standard input, and what it can read there."""


@pytest.mark.slow
@pytest.mark.parametrize("command", READERS)
def test_streams_that_are_closed_are_named_and_change_nothing_else(command: str) -> None:
    def closed(*streams: str) -> subprocess.CompletedProcess[str]:
        before = ("bash", "-c", f'exec "$@" {" ".join(streams)}', "-")
        return process("-m", "smemdesc", *command.split(), before=before, input=READERS[command] + "\n")

    usual = closed()
    assert "smemdesc itself" not in usual.stderr
    without_input = closed("<&-")
    assert without_input.returncode == 2
    assert without_input.stdout == "" or "standard input could not be read" in without_input.stdout
    assert "standard input is closed" in without_input.stderr
    without_errors = closed("2>&-")
    assert (without_errors.returncode, without_errors.stdout) == (usual.returncode, usual.stdout)
    without_output = closed(">&-")
    assert without_output.returncode == (2 if usual.stdout else usual.returncode)
    assert ("standard output is closed" in without_output.stderr) == bool(usual.stdout)
    for streams in (("<&-", ">&-"), ("<&-", "2>&-"), ("<&-", ">&-", "2>&-")):
        assert closed(*streams).returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["0x4000404000010040"],
        ["decode", "--check", "0x6000404000010040"],
        ["encode", "wgmma", "--sbo", "1024", "--swizzle", "128B"],
        ["layout", "atom", "--swizzle", "128B", "--major", "K"],
        ["explain", "lbo"],
        ["--help"],
        ["--version"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_pipe_whose_reader_has_gone_is_no_finding(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process("-m", "smemdesc", *arguments, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("value", ["0x4000404000010040", "0x6000404000010040"])
def test_a_standard_error_whose_reader_has_gone_changes_no_status(value: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process("-m", "smemdesc", "decode", value, "nonsense", "--check", "--field", "start", stderr=writer)
    os.close(writer)
    assert (done.returncode, done.stdout) == (2, "1024\n")
