"""Who decides about colour: the option, then NO_COLOR, then FORCE_COLOR, then the terminal.

What others chose (names of files, values of options, JSON) neither paints nor moves nor fakes a line.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.lines import run
from run import on_terminal, smemdesc

# A report waits in a temporary file, which the end of the process closes.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
EVIL = "a\x1b[31m\u202e\nerror: faked\r\x07.ptx"
PTX = """.version 8.0
.target sm_90a
.visible .entry k()
{
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;
ret;
}
"""
LINES = {
    "value": ["decode", EVIL],
    "value in JSON": ["decode", "--json", EVIL],
    "first word": [EVIL],
    "option": ["decode", "--" + EVIL, "0x1"],
    "choice": ["encode", "idesc", "--mma-kind", EVIL],
    "number": ["encode", "wgmma", "--sbo", EVIL, "--swizzle", "128B"],
    "name": ["encode", "wgmma", "--sbo", "1024", "--swizzle", "128B", "--format", "c", "--name", EVIL],
    "raw": ["encode", "wgmma", "--raw", f"{EVIL}=1"],
    "type": ["decode", "--dtype", EVIL, "0x1"],
    "shape": ["layout", "operand", "0x1", "--dtype", "bf16", "--major", "K", "--shape", EVIL],
    "layout": ["layout", "explain", EVIL],
    "Triton's layout": ["layout", "explain", f"!ttg.memdesc<128x64xbf16, #{EVIL}, #smem>"],
    "box": ["layout", "explain", f"box=64x128,swizzle={EVIL},dtype=bf16"],
    "picture": ["layout", "atom", "--swizzle", "128B", "--major", "K", "--svg", f"/nowhere/{EVIL}"],
    "picture of another kind": ["layout", "atom", "--swizzle", "128B", "--major", "K", "--svg", f"{EVIL}.png"],
    "rule": ["explain", EVIL],
    "kind": ["fields", EVIL],
    "plan": ["plan", EVIL, "--dtype", "bf16"],
    "file that is not there": ["scan", f"/nowhere/{EVIL}"],
    "address": ["scan", f"http://{EVIL}"],
    "function": ["scan", "--function", EVIL, "{file}"],
}


def plain(text: str) -> bool:
    return all(each.isprintable() or each == "\n" for each in text)


def faked(text: str) -> bool:
    return any(each.startswith("error: faked") for each in text.splitlines())


@pytest.mark.parametrize("name", LINES)
def test_what_is_typed(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(PTX)
    ran = run([each.replace("{file}", str(file)) for each in LINES[name]])
    assert plain(ran.out + ran.err)
    assert not faked(ran.out)
    assert not faked(ran.err)


@pytest.mark.parametrize("options", [[], ["--json"], ["--all"], ["--svg", "-"]])
def test_the_name_of_a_file(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / EVIL
    file.write_text(PTX)
    ran = run(["scan", *options, str(file)])
    assert ran.status == 0
    assert plain(ran.out + ran.err)
    assert not faked(ran.out)


def test_a_command_to_type_is_quoted(tmp_path: Path) -> None:
    file = tmp_path / "a b;echo $HOME"
    file.write_text(PTX)
    assert f"smemdesc scan '{file}'" in run(["decode", "0x40004040", str(file)]).err


JSON = {
    '{"kind": "\\u001b[31m\\u202e"}': "unknown descriptor kind",
    '{"kind": "wgmma", "fields": {"\\nerror: faked": 1}}': "wgmma has no field",
    '{"kind": "wgmma", "kind": "tcgen05"}': "the key 'kind' is twice in one object",
    '{"kind": "wgmma", "fields": {"swizzle": "128B", "swizzle": "64B"}}': "the key 'swizzle' is twice",
    '{"kind": "wgmma", "\\u001b": 1, "\\u001b": 2}': "is twice",
    '{"kind": "tcgen05", "value": "0x4000404000010040", "fields": {"start_address": 2048}}': (
        "start_address is 128 in the bits of fields, but 64 in value"
    ),
}


@pytest.mark.parametrize("text", JSON)
def test_json(text: str) -> None:
    ran = run(["encode", "-"], f'{text}\n{{"kind": "wgmma"}}\n')
    assert ran.status == 2
    assert plain(ran.out + ran.err)
    assert not faked(ran.err)
    assert ran.err.startswith("error: line 1: ")
    assert JSON[text] in ran.err
    assert ran.out == "0x0000000000010000\n"


VALUE = "0x4000404000010040"


@pytest.mark.parametrize(
    ("option", "env", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_in_a_pipe(option: list[str], env: dict[str, str], coloured: bool) -> None:
    assert ("\x1b" in smemdesc("decode", *option, VALUE, **env).out) is coloured


@pytest.mark.parametrize(
    ("option", "env", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {}, False),
    ],
)
def test_colour_on_a_terminal(option: list[str], env: dict[str, str], coloured: bool) -> None:
    assert ("\x1b" in on_terminal("decode", *option, VALUE, **env).out) is coloured


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "ascii_only"), [("", True), ("utf-8", False)])
def test_lc_all_c_draws_in_ascii_unless_an_encoding_is_asked_for(encoding: str, ascii_only: bool) -> None:
    env = {"LC_ALL": "C", "PYTHONIOENCODING": encoding}
    assert on_terminal("decode", "--bits", "0x40004040", **env).out.isascii() is ascii_only
