"""A run that is stopped leaves nothing behind: no temporary file, no process, no word."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from run import beginning, environment
from samples import split

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs import spool, workers

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
FUNCTION = """.visible .entry k{0}()
{{
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0,%f1,%f2,%f3}}, %rd1, %rd1, 1, 1, 1, 0, 0;
{1}
ret;
}}
"""


def started(
    *arguments: str, folder: Path, prefix: tuple[str, ...] = ()
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return beginning(
        [*prefix, sys.executable, "-P", "-m", "smemdesc", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=str(folder)),
        start_new_session=True,
    )


def until(true: object, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("number", STATUS, ids=lambda each: each.name)
def test_the_copy_of_a_pipe_goes(number: signal.Signals, tmp_path: Path) -> None:
    with started("scan", "-", folder=tmp_path) as program:
        assert program.stdin is not None
        program.stdin.write(b"x" * 3_000_000)
        program.stdin.flush()
        until(lambda: os.listdir(tmp_path))
        program.send_signal(number)
        _, err = program.communicate(timeout=30)
        assert (program.returncode, err.strip()) == (STATUS[number], b"")
        assert os.listdir(tmp_path) == []


def children(of: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == of and fields[0] != "Z":
                found.append(int(name))
    return found


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("long") / "long.ptx"
    slow = "add.s64 %rd1, %rd1, 1;\n" * 40_000
    file.write_text("".join(FUNCTION.format(n, slow) for n in range(8)))
    return file


@pytest.mark.slow
def test_the_tests_ignore_no_signal_that_they_send() -> None:
    ignored = "from signal import *; both = SIGINT, SIGHUP; [signal(each, SIG_IGN) for each in both]"
    code = f"{ignored}; import conftest; print(SIG_IGN in map(getsignal, both))"
    tests = Path(__file__).parents[1]
    said = subprocess.run([sys.executable, "-c", code], cwd=tests, capture_output=True, text=True, check=True).stdout
    assert said == "False\n"


def test_a_failed_test_leaves_no_program_behind(tmp_path: Path) -> None:
    with pytest.raises(AssertionError), started("scan", "-", folder=tmp_path) as program:
        raise AssertionError
    assert program.returncode is not None


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", split(STATUS, (signal.SIGINT).__eq__), ids=lambda each: each.name)
def test_the_workers_go(number: signal.Signals, long: Path, tmp_path: Path) -> None:
    with started("scan", "--jobs", "2", "--json", str(long), folder=tmp_path) as program:
        until(lambda: len(children(program.pid)) >= 2)
        workers = children(program.pid)
        program.send_signal(number)
        _, err = program.communicate(timeout=30)
        assert (program.returncode, err.strip()) == (STATUS[number], b"")
        until(lambda: not any(os.path.exists(f"/proc/{each}") for each in workers))
        assert os.listdir(tmp_path) == []


@pytest.mark.corpus
def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    with started("scan", "-", folder=tmp_path, prefix=("nohup",)) as program:
        assert program.stdin is not None
        program.stdin.write(b"x" * 3_000_000)
        program.stdin.flush()
        until(lambda: os.listdir(tmp_path))
        program.send_signal(signal.SIGHUP)
        program.communicate(timeout=30)
        assert program.returncode == 0


def test_a_pipe_without_an_end_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "SPOOL", 5 << 20)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    found = list(workers.scan_files(["/dev/zero"]))
    assert len(found) == 1
    assert isinstance(found[0].problem, SmemdescError)
    assert "a pipe (or a device) of more than 5 MiB" in str(found[0].problem)
    assert os.listdir(tmp_path) == []


def test_where_there_is_little_room_a_pipe_may_take_half_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=3_000_000))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (found,) = workers.scan_files(["/dev/zero"])
    assert f"{tmp_path}, where it is stored, has 3000000 bytes free" in str(found.problem)
    assert os.listdir(tmp_path) == []


@pytest.mark.corpus
@pytest.mark.parametrize("number", STATUS, ids=lambda each: each.name)
def test_the_cursor_is_shown_again(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "long.ptx"
    slow = f"add.s64 %rd1, %rd1, 1; // {'-' * 400}\n" * 5_000
    file.write_text("".join(FUNCTION.format(n, slow) for n in range(9)))  # so large that a progress bar is shown
    terminal, its = pty.openpty()
    with beginning(
        [sys.executable, "-P", "-m", "smemdesc", "scan", "--json", "--jobs", "2", str(file)],
        stdout=subprocess.DEVNULL,
        stderr=its,
        env=environment(TERM="xterm-256color", COLUMNS="100"),
        start_new_session=True,
    ) as program:
        os.close(its)
        written = b""
        while HIDE not in written:
            written += os.read(terminal, 65536)
        program.send_signal(number)
        with suppress(OSError):  # the end of the terminal
            while more := os.read(terminal, 65536):
                written += more
        os.close(terminal)
        assert program.wait(30) == STATUS[number]
        assert written.rfind(SHOW) > written.rfind(HIDE)


HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"
