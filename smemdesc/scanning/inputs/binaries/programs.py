"""NVIDIA's programs: where they are, and their output as a stream, with a timeout for one that hangs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from glob import escape, glob
from importlib.util import find_spec
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import is_seen

NVDISASM, CUOBJDUMP = "nvdisasm", "cuobjdump"
_PACKAGED = ("nvidia/*/bin", "triton/backends/nvidia/bin")
"""Where packages of PyPI put programs: nvidia-cuda-nvdisasm and nvidia-cuda-cuobjdump, and Triton, which has both."""


class MissingError(SmemdescError):
    """The program was not found."""


def find_program(name: str, folder: str | None = None) -> str:
    """Return the absolute path of a program, which may be started in another folder. :class:`MissingError` says what
    to install.

    ``folder`` (``--cuda-bin``) is the only place that is searched; without it CUDA_HOME, CUDA_PATH, PATH and the
    packages of the running Python are searched, in this order.
    """
    for place in _places(folder):
        path = shutil.which(name, path=place)
        if path:
            return os.path.abspath(path)
    if folder is not None:
        raise MissingError(f"no {name} in {folder}", hint="--cuda-bin is the folder bin of a CUDA toolkit")
    raise MissingError(
        f"{name} is needed to read machine code, but was not found",
        hint="pip install 'smemdesc[sass]', or --cuda-bin DIR: the folder bin of a CUDA toolkit",
    )


def _places(folder: str | None) -> Iterator[str]:
    if folder is not None:
        yield folder
        return
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home:
            yield os.path.join(home, "bin")
    yield os.environ.get("PATH", os.defpath)
    for site in sys.path:
        for pattern in _PACKAGED:
            yield from sorted(glob(os.path.join(escape(site or os.curdir), pattern)), reverse=True)


RUNNING: set[subprocess.Popen[bytes]] = set()
"""The programs that are running: a process that is ended ends them."""
_READ = 1 << 19
SILENT_SECONDS = 300
"""Seconds without output after which a program is stopped; nvdisasm may take a minute for the largest cubins."""
_MOST = 400
"""Characters of its standard error that are shown."""


def output(
    program: str,
    arguments: Sequence[str],
    file: str,
    inherited: Sequence[int] = (),
    folder: str | None = None,
    name: str = "",
) -> Generator[bytes, None, None]:
    """Yield what a program prints about a file, its last argument; ``folder`` is its working directory.

    ``inherited`` are file descriptors that it needs; ``name`` is what messages call it. :class:`SmemdescError` if it
    cannot be started, fails, or prints nothing for :data:`SILENT_SECONDS` seconds.
    """
    name = name or os.path.basename(program).removesuffix(".exe")
    with TemporaryFile() as complaints:
        try:
            child = subprocess.Popen(
                [program, *arguments, file],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
                pass_fds=inherited,
            )
        except OSError as problem:
            raise SmemdescError(f"{program} could not be started: {(problem.strerror or '').lower()}") from None
        RUNNING.add(child)
        try:
            assert child.stdout is not None
            while True:
                if not _readable(child.stdout):
                    raise SmemdescError(f"{name} printed nothing for {SILENT_SECONDS} seconds and was stopped")
                block = os.read(child.stdout.fileno(), _READ)
                if not block:
                    break
                yield block
            status = child.wait(SILENT_SECONDS)
        except subprocess.TimeoutExpired:
            raise SmemdescError(f"{name} did not end within {SILENT_SECONDS} seconds after its output") from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            RUNNING.discard(child)
            if child.stdout is not None:
                child.stdout.close()
        if status:
            raise SmemdescError(_why(name, status, complaints, file))


def _readable(pipe: IO[bytes]) -> bool:
    """Wait until a pipe can be read; False after a timeout. On Windows the read itself waits."""
    if sys.platform == "win32":
        return True
    import selectors

    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return bool(selector.select(SILENT_SECONDS))


def _why(name: str, status: int, complaints: IO[bytes], file: str) -> str:
    complaints.seek(0)
    text = " ".join(complaints.read(_MOST * 4).decode("utf-8", "replace").replace(file, "the file").split())[:_MOST]
    text = "".join(char if is_seen(char) else "?" for char in text).removeprefix(f"{name} ")
    if status < 0:
        return f"{name} crashed (signal {-status})" + (f": {text}" if text else "")
    return f"{name} failed: {text}" if text else f"{name} failed with status {status}"


@contextmanager
def _file(data: bytes) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the name of a file with these bytes, and the file descriptors that a child has to inherit for it."""
    if hasattr(os, "memfd_create"):
        try:
            descriptor = os.memfd_create("smemdesc")
        except OSError:
            pass
        else:
            # No file on disk: nothing is left over, whatever ends the program.
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                del data
                yield f"/proc/self/fd/{descriptor}", (descriptor,)
            return
    with NamedTemporaryFile(prefix="smemdesc-", suffix=".cubin", delete=False) as copy:
        copy.write(data)
    del data
    try:
        yield copy.name, ()
    finally:
        with suppress(OSError):
            os.unlink(copy.name)


def disassembled(nvdisasm: str, data: bytes, symbols: Sequence[int], more: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield what nvdisasm -c prints for the functions with these symbol indices (for all functions if empty).

    ``more`` are further options. :class:`SmemdescError` if nvdisasm fails.
    """
    options = ["-c", *more, *(["-fun", ",".join(map(str, symbols))] if symbols else [])]
    with _file(data) as (name, descriptors), closing(output(nvdisasm, options, name, descriptors)) as printed:
        del data  # a cubin may have tens of megabytes
        yield from printed


def report_listing(path: str) -> Iterator[bytes]:
    """Yield the SASS of the kernels of a report of Nsight Compute, as ``ncu --page source --csv`` prints it.

    :class:`MissingError` without NVIDIA's package ncu-report; :class:`SmemdescError`, after what could be read, if
    something could not.
    """
    if find_spec("ncu_report") is None:
        raise MissingError(
            "a report of Nsight Compute is read with NVIDIA's package ncu-report, which was not found",
            hint="pip install 'smemdesc[ncu]', or ncu --import FILE --page source --print-source sass --csv"
            " | smemdesc scan -",
        )
    program = os.path.join(os.path.dirname(__file__), "ncu_listing.py")
    yield from output(sys.executable, ["-P", program], path, name="ncu-report")
