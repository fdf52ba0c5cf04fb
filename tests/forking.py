"""Runs the program in forks of one process that has its libraries loaded: most of a run's time is Python's start.

A run has its own process, streams, environment and folder. The modules of the package are loaded before it, too, as
nothing was done with them yet; what a run imports by itself is held by ``tests/cli/test_imports.py``, in processes that
start afresh. What Python itself reads when it starts (``PYTHON...`` but for ``PYTHONIOENCODING``, ``LC_ALL``, ``PATH``)
it does not see: see :func:`run.smemdesc`.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import marshal
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from shutil import rmtree
from tempfile import mkdtemp
from typing import NoReturn

LIBRARIES = ("click", "bitstring", "json", "rich.console", "rich.table", "rich.text")
SERVER = "import sys; sys.path.append(sys.argv[1]); import forking; forking.serve(*map(int, sys.argv[2:]))"
CLIENT = """#!{python} -IS
import marshal, os, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket

asking = socket(AF_UNIX, SOCK_SEQPACKET)
asking.connect({address!r})
asked = marshal.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), False])
streams = b"".join(each.to_bytes(4, sys.byteorder) for each in (0, 1, 2))
asking.sendmsg([asked], [(SOL_SOCKET, SCM_RIGHTS, streams)])
status = int(asking.recv(16))
if status < 0:
    os.kill(os.getpid(), -status)
os._exit(status)
"""
"""What stands for the program in a shell: without ``socket`` and ``json``, which take longer to load than Python."""
_LONGEST = 1 << 20
"""Bytes of a command line with its environment."""


@cache
def _server(owner: int) -> Path:
    """Start the process that forks, once for each process of the tests; the folder with its socket."""
    folder = Path(mkdtemp(prefix="smemdesc-"))
    address = f"{folder}/socket"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(address)
    listening.listen(64)
    kept, lives = socket.socketpair()
    numbers = [listening.fileno(), lives.fileno()]
    command = [sys.executable, "-P", "-c", SERVER, str(Path(__file__).parent), *map(str, numbers)]
    process = subprocess.Popen(command, pass_fds=numbers)
    listening.close()
    lives.close()
    program = folder / "bin" / "smemdesc"
    program.parent.mkdir()
    program.write_text(CLIENT.format(python=sys.executable, address=address))
    program.chmod(0o755)

    def end() -> None:
        if os.getpid() == owner:  # from Python 3.14 on, the processes of a scan run this, too
            kept.close()
            process.wait()
            rmtree(folder)

    atexit.register(end)
    return folder


def path() -> Path:
    """Return a folder for ``PATH`` in which ``smemdesc`` asks for a fork."""
    return _server(os.getpid()) / "bin"


def start(arguments: list[str], environment: dict[str, str], streams: list[int], *, terminal: bool) -> socket.socket:
    """Run the program on three streams (or one terminal); its status comes through the socket: :func:`status`."""
    asking = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asking.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
    asking.connect(str(_server(os.getpid()) / "socket"))
    asked = marshal.dumps([arguments, environment, os.getcwd(), terminal])
    socket.send_fds(asking, [asked], streams)
    return asking


def status(told: socket.socket) -> int:
    """Wait for the end of a run; the status, negative for a signal."""
    with closing(told):
        return int(told.recv(16))


def serve(listening: int, lives: int) -> None:
    """Fork a run for each that is asked for, until whoever started us has gone."""
    for name in LIBRARIES:
        importlib.import_module(name)
    del sys.path[-1]
    import smemdesc

    for module in pkgutil.walk_packages(smemdesc.__path__, "smemdesc."):
        if not module.name.endswith(("__main__", ".cuda_gdb", ".server")):  # for the debugger, for an editor
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    ended, ends = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(ends)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    running: dict[int, socket.socket] = {}
    asking = socket.socket(fileno=listening)
    with DefaultSelector() as waiting:
        for each in (listening, lives, ended):
            waiting.register(each, EVENT_READ)
        while True:
            ready = {key.fd for key, _ in waiting.select()}
            if lives in ready:
                return
            if ended in ready:
                os.read(ended, 4096)
                while running and (done := os.waitpid(-1, os.WNOHANG))[0]:
                    with closing(running.pop(done[0])) as tells, suppress(OSError):
                        tells.send(str(os.waitstatus_to_exitcode(done[1])).encode())
            if listening in ready:
                told, _ = asking.accept()
                asked, descriptors, _, _ = socket.recv_fds(told, _LONGEST, 3)
                pid = os.fork()
                if not pid:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for each in (asking, told, *running.values()):
                        each.close()
                    _run(*marshal.loads(asked), descriptors)
                for each in descriptors:
                    os.close(each)
                running[pid] = told


def _run(
    arguments: list[str], environment: dict[str, str], folder: str, terminal: bool, descriptors: list[int]
) -> NoReturn:
    if terminal:
        os.login_tty(descriptors[0])
    else:
        for place, each in enumerate(descriptors):
            os.dup2(each, place)
            os.close(each)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c", *arguments]
    # As Python opens them where the locale is UTF-8.
    asked, _, errors = environment.get("PYTHONIOENCODING", "").partition(":")
    encoding, errors = asked or "utf-8", errors or "strict"
    sys.stdin = open(0, encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding=encoding, errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    code: object = 1
    try:
        from smemdesc.cli import main

        main()
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)
