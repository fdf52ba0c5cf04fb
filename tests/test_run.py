"""How the tests run the program: in their own process it answers as in a process of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from run import KEPT, process, smemdesc

import smemdesc as package

PACKAGE = Path(package.__file__).parent
V = "0x4000404000010040"
ALIKE: dict[str, tuple[tuple[str, ...], str]] = {
    "decode": (("decode", V, "0x4000004000010040", "--dtype", "bf16"), ""),
    "decode in colors": (("decode", "--color", "always", V), ""),
    "values and errors": (("decode", "--json", "--check", "-"), f"{V}\nhello\n0x08400490\n"),
    "encode": (("encode", "-"), '{"kind": "wgmma"}\n{"kind": "wgma"}\n'),
    "scan": (("scan", "--json", "-"), (Path(__file__).parent.parent / "examples/data/gemm_sm90.sass").read_text()),
    "layout": (("layout", "atom", "--swizzle", "128B", "--major", "K"), ""),
    "layout refused": (("layout", "atom", "--swizzle", "96B", "--major", "K"), ""),
    "mask": (("mask", "0x0003028100000000", "--m", "64", "--n", "16"), ""),
    "mma": (("mma", "--a", V, "--b", V, "--idesc", "0x08400490", "--mma-kind", "f16"), ""),
    "plan": (("plan", "128x128x64", "--dtype", "bf16"), ""),
    "explain": (("explain", "lbo"), ""),
    "help": (("scan", "--help"), ""),
    "usage": (("decode", "--nosuch"), ""),
    "version": (("--version",), ""),
    "status 1": (("decode", "--check", "0x4000402000010040"), ""),
    "a letter that ASCII lacks": (("explain", "é"), ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALIKE)
def test_a_run_in_this_process_answers_as_one_of_its_own_the_second_time_too(name: str) -> None:
    words, stdin = ALIKE[name]
    encoding = {"PYTHONIOENCODING": "ascii"} if "ASCII" in name else {}
    alone = process(*words, stdin=stdin, **encoding)
    assert alone == smemdesc(*words, stdin=stdin, **encoding) == smemdesc(*words, stdin=stdin, **encoding)
    assert alone.out or alone.err


def test_what_was_kept_of_one_run_is_not_there_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that is filled with what is wrong has no say in the next run: it is emptied."""
    from smemdesc.rules import judging

    whole = smemdesc("decode", "--json", "0x4000402000010040")
    assert judging._ANSWERS == {}
    monkeypatch.setattr(judging, "rules_for", lambda *_, **more: ())
    assert smemdesc("decode", "--json", "0x4000402000010040").out != whole.out
    monkeypatch.undo()
    assert smemdesc("decode", "--json", "0x4000402000010040") == whole


FILLED_AT_IMPORT = {"_BY_WORD", "_BY_SPELLING"}
THERE_ONCE = {"_CACHE", "_NODES", "_RESULTS"}
OF_A_PROCESS = {"RUNNING", "_ending_signal", "WAITING", "STARTED"}
"""Programs that run, the signal that ends the process, and the server that the program starts."""


def test_what_collects_in_the_variables_of_modules_is_known_here() -> None:
    variables = {
        (".".join(path.relative_to(PACKAGE).with_suffix("").parts), name)
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"(?m)^(\w+)(?:: .*)? = (?:\[\]|\{\}|set\(\))$", path.read_text(encoding="utf-8"))
    }
    kept = {(module, name) for module, names in KEPT.items() for name in names.split()}
    others = {
        (module, name) for module, name in variables - kept if name not in FILLED_AT_IMPORT | THERE_ONCE | OF_A_PROCESS
    }
    assert (kept - variables, others) == (set(), {("scanning.languages.lowering", "NO_TYPES")})
