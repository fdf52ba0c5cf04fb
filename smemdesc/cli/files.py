"""Files that a command writes: whole or not at all, and never in the place of what somebody else made."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import quoted

_OURS = (b"font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\"", b'<svg class="rich-terminal"')
"""How the pictures begin that this program writes."""
_BEGINNING = 1024
_SYSTEM = ("/dev/", "/proc/")
"""Where no link is ever replaced: it may be everybody's."""


def check(file: str, what: str, *, force: bool = False) -> None:
    """Refuse what :func:`write` would, before there is anything to write: nothing is worked out in vain."""
    there = _there(file, what, force)
    if there is not None and not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        return
    beside = _beside(file)
    with _refused(file, what):
        os.close(_opened(beside))
        os.unlink(beside)


def write(file: str, text: str, what: str, *, force: bool = False) -> None:
    """Write a text into a file, beside it first; ``what`` is the option that names it.

    A file that is none of this program's pictures, and a link, is replaced only with ``force`` (the link itself, not
    what it points to). :class:`smemdesc.engine.errors.SmemdescError` says what is in the way or what the system
    refused.
    """
    there = _there(file, what, force)
    if there is not None and not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        with _refused(file, what), open(os.open(file, os.O_WRONLY), "w", encoding="utf-8") as out:
            out.write(text)
        return
    beside = _beside(file)
    with _refused(file, what):
        handle = _opened(beside)
        try:
            with open(handle, "w", encoding="utf-8") as out:
                out.write(text)
            if there is not None and stat.S_ISREG(there.st_mode):
                os.chmod(beside, stat.S_IMODE(there.st_mode))
            if there is None:
                _put(beside, file)
            else:
                os.replace(beside, file)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise


def _there(file: str, what: str, force: bool) -> os.stat_result | None:
    """Return what is there already; refuse what is not to be replaced."""
    try:
        there = os.lstat(file)
    except OSError:
        return None
    if stat.S_ISDIR(there.st_mode):
        raise SmemdescError(f"{what} {file}: cannot write it: is a directory", hint="name a file")
    if stat.S_ISLNK(there.st_mode) and os.path.abspath(file).startswith(_SYSTEM):
        raise SmemdescError(
            f"{what} {file}: it is a link of the system, not a file", hint=f"{what} - writes to standard output"
        )
    if stat.S_ISLNK(there.st_mode) and not force:
        raise SmemdescError(
            f"{what} {file}: it is a link to {os.readlink(file)}", hint="name the file, or replace it with --force"
        )
    if stat.S_ISREG(there.st_mode) and not force and not _ours(file):
        raise SmemdescError(
            f"{what} {file}: it is there already, and no picture that smemdesc wrote",
            hint=f"--force replaces it: {what} {quoted(file)} --force",
        )
    return there


@contextmanager
def _refused(file: str, what: str) -> Iterator[None]:
    """Say what the system refused."""
    try:
        yield
    except FileExistsError:
        raise SmemdescError(f"{what} {file}: somebody else has just written it", hint="--force replaces it") from None
    except OSError as error:
        raise SmemdescError(f"{what} {file}: cannot write it: {error.strerror}") from None


def _beside(file: str) -> str:
    folder, name = os.path.split(file)
    return os.path.join(folder, f".{name[:_LONGEST_NAME]}.{secrets.token_hex(4)}")


def _opened(file: str) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


_LONGEST_NAME = 200


def _put(beside: str, file: str) -> None:
    """Give a file its name, unless there is one of that name by now."""
    try:
        os.link(beside, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(beside, file)
        return
    os.unlink(beside)


def _ours(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            beginning = stream.read(_BEGINNING)
    except OSError:
        return False
    return not beginning or (beginning.startswith(b"<svg") and any(mark in beginning for mark in _OURS))
