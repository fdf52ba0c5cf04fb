"""Runs the program in forks of one process that has its libraries loaded: most of a run's time is Python's start.

A run has its own process, streams, environment and folder. The modules of the package are loaded before it, too, as
nothing was done with them yet; what a run imports by itself is held by ``tests/cli/test_imports.py``, in processes that
start afresh. What Python itself reads when it starts (``PYTHON...``, ``LC_ALL``, ``PATH``) it does not see: see
:func:`run.smemdesc`.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import traceback
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NoReturn

LIBRARIES = ("click", "bitstring", "json", "rich.console", "rich.table", "rich.text")
SERVER = "import sys; sys.path.append(sys.argv[1]); import forking; forking.serve(int(sys.argv[2]))"
_LONGEST = 1 << 20
"""Bytes of a command line with its environment."""


@cache
def _server(owner: int) -> socket.socket:
    """Start the process that forks, once for each process of the tests."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
    command = [sys.executable, "-P", "-c", SERVER, str(Path(__file__).parent), str(its.fileno())]
    process = subprocess.Popen(command, pass_fds=[its.fileno()])
    its.close()
    atexit.register(process.wait)
    atexit.register(mine.close)
    return mine


def start(arguments: list[str], environment: dict[str, str], streams: list[int], *, terminal: bool) -> socket.socket:
    """Run the program on three streams (or one terminal); its status comes through the socket: :func:`status`."""
    told, tells = socket.socketpair()
    asked = json.dumps([arguments, environment, os.getcwd(), terminal]).encode()
    with closing(tells):
        socket.send_fds(_server(os.getpid()), [asked], [*streams, tells.fileno()])
    return told


def status(told: socket.socket) -> int:
    """Wait for the end of a run; the status, negative for a signal."""
    with closing(told):
        return int(told.recv(16))


def serve(number: int) -> None:
    """Fork a run for each that is asked for, until nobody asks any more."""
    for name in LIBRARIES:
        importlib.import_module(name)
    del sys.path[-1]
    import smemdesc

    for module in pkgutil.walk_packages(smemdesc.__path__, "smemdesc."):
        if not module.name.endswith(("__main__", ".cuda_gdb")):  # that one runs within the debugger
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=number) as asking:
        while True:
            asked, descriptors, _, _ = socket.recv_fds(asking, _LONGEST, 4)
            if not asked:
                return
            pid = os.fork()
            if not pid:
                asking.close()
                _run(*json.loads(asked), descriptors)
            for each in descriptors[:-1]:
                os.close(each)
            with socket.socket(fileno=descriptors[-1]) as tells:
                tells.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _run(
    arguments: list[str], environment: dict[str, str], folder: str, terminal: bool, descriptors: list[int]
) -> NoReturn:
    *streams, tells = descriptors
    os.close(tells)
    if terminal:
        os.login_tty(streams[0])
    else:
        for place, each in enumerate(streams):
            os.dup2(each, place)
            os.close(each)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c", *arguments]
    # As Python opens them where the locale is UTF-8.
    sys.stdin = open(0, encoding="utf-8", errors="strict", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="strict", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
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
