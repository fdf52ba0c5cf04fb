"""``smemdesc layout guess``: whole outputs, the repaired descriptor, what is refused."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from operands.wrong import WRONG, A, matrix, memory
from reading.test_matrices import npy
from run import held, refused

from smemdesc import decode, encode
from smemdesc.cli.layout.operand import guess_command as command
from smemdesc.kinds.modes import MODE
from smemdesc.layout.elements import elements
from smemdesc.layout.operand import operand_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "wrong_numbers"
TILE = 8192


def saved(rows: list[list[int]]) -> bytes:
    """Return a matrix of bf16 as wrong.cu saves it."""
    data = b"".join(element.to_bytes(2, "little") for row in rows for element in row)
    return npy("'<u2'", data, f"({len(rows)}, {len(rows[0])})")


def descriptor(name: str) -> int:
    """Return the descriptor that a kernel of wrong.cu has."""
    says = WRONG[name].says
    return encode(
        "wgmma",
        start_address=says.start,
        leading_byte_offset=says.lbo,
        stride_byte_offset=says.sbo,
        swizzle=says.mode.name,
    )


@cache
def contents() -> dict[str, bytes]:
    """Return the files that are asked about."""
    matrices = {"A": A, "B": matrix("wrong_lbo"), "zero": [[0] * 64] * 64, "half": A[:32]}
    return {
        **{f"{name}.bin": memory(name).data for name in WRONG},
        **{f"{name}.npy": saved(rows) for name, rows in matrices.items()},
        "plain.bin": b"".join(element.to_bytes(2, "little") for row in A for element in row),
        "zeros.bin": bytes(TILE),
        "noise.bin": memory("wrong_lbo").data[40000:50000],
    }


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in contents().items():
        Path(name).write_bytes(content)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), prog_name="smemdesc layout guess")


def asked(name: str) -> list[str]:
    wrong = WRONG[name]
    how = ["--expect", f"{wrong.of}.npy", "--dtype", "bf16", "--desc", hex(descriptor(name)), "--kind", "wgmma"]
    return [f"{name}.bin", *how, "--major", wrong.says.major]


ONE = ["--dtype", "bf16", "--expect"]
RIGHT = ["--desc", "0x4000004000010000", "--major", "K"]
RUNS = {
    **{name: asked(name) for name in WRONG},
    "find": ["wrong_mode.bin", *ONE, "A.npy"],
    "find-wgmma-at": ["wrong_major.bin", *ONE, "A.npy", "--kind", "wgmma", "--first", "0x400"],
    "find-other-major": ["wrong_major.bin", *ONE, "A.npy", "--major", "K"],
    "plain": ["plain.bin", *ONE, "A.npy", *RIGHT],
    "part": ["right.bin", *ONE, "half.npy", *RIGHT],
    "zeros": ["zeros.bin", *ONE, "zero.npy", *RIGHT],
    "zeros-find": ["zeros.bin", *ONE, "zero.npy", "--kind", "tcgen05"],
    "nothing": ["noise.bin", *ONE, "A.npy", *RIGHT],
    "json": [*asked("wrong_base_offset"), "--json"],
    "json-plain": ["plain.bin", *ONE, "A.npy", "--json"],
}


@pytest.mark.parametrize("name", RUNS)
def test_whole_output(name: str, files: Path) -> None:
    ran = run(*RUNS[name])
    held("guess", name, ran.stdout)
    assert (ran.exit_code, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_the_repaired_descriptor_reads_every_element(name: str, files: Path) -> None:
    said = json.loads(run(*asked(name), "--json").stdout)
    from smemdesc import context

    result = decode(said["descriptors"]["wgmma"], "wgmma")
    layout = said["answer"]["layout"] if said["answer"] else said["asked"]
    case = context(dtype="bf16", major=layout["major"], shape=(len(matrix(name)), 64))
    assert layout["swizzle"] in MODE
    assert elements(operand_of(result.fields, case), memory(name)) == matrix(name)


def test_the_example_is_the_kernel_with_the_wrong_mode() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        EXAMPLE.mkdir(exist_ok=True)
        (EXAMPLE / "shared.bin").write_bytes(memory("wrong_mode").data[:TILE])
        (EXAMPLE / "A.npy").write_bytes(saved(A))
    assert (EXAMPLE / "shared.bin").read_bytes() == memory("wrong_mode").data[:TILE]
    assert (EXAMPLE / "A.npy").read_bytes() == saved(A)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["right.bin", "--dtype", "bf16"], ["--expect"]),
        (["right.bin", *ONE, "none.npy"], ["none.npy: No such file"]),
        (["none.bin", *ONE, "A.npy"], ["none.bin: No such file", "bytes of shared memory"]),
        (["right.bin", *ONE, "A.npy", "--desc", "0x4000004000010000"], ["--desc needs --major"]),
        (["right.bin", *ONE, "A.npy", "--first", "x"], ["--first x", "0x400"]),
        (["right.bin", *ONE, "A.npy", "--first", "0x38000"], ["65536 B from 0x38000", "--first"]),
        (["right.bin", "--dtype", "bf61", "--expect", "A.npy"], ["bf61"]),
        (["right.bin", *ONE, "right.bin"], ["right.bin: it is neither .npy nor text"]),
        (["right.bin", "--dtype", "e4m3", "--expect", "A.npy", "--kind", "idesc"], ["idesc"]),
        (["right.bin", *ONE, "A.npy", "--desc", "0x08200490", "--major", "K"], ["0x08200490"]),
    ],
)
def test_bad_use_is_a_clear_error(arguments: list[str], words: list[str], files: Path) -> None:
    refused("layout", "guess", *arguments, says=words)


def test_an_empty_dump_is_refused(files: Path) -> None:
    Path("empty.bin").write_bytes(b"")
    ran = run("empty.bin", *ONE, "A.npy")
    assert ran.exit_code == 2
    assert "empty.bin: it is empty" in ran.stderr
