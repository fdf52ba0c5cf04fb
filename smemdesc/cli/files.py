"""Files that a command writes: whole or not at all, and never in the place of what somebody else made."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress

from smemdesc.errors import SmemdescError
from smemdesc.printable import quoted

_OURS = (b"font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\"", b'<svg class="rich-terminal"')
"""How the pictures begin that this program writes."""
_BEGINNING = 1024
_SYSTEM = ("/dev/", "/proc/")
"""Where no link is ever replaced: it may be everybody's."""


def write(file: str, text: str, what: str, *, force: bool = False) -> None:
    """Write a text into a file, beside it first; ``what`` is the option that names it.

    A file that is none of this program's pictures, and a link, is replaced only with ``force`` (the link itself, not
    what it points to). :class:`smemdesc.errors.SmemdescError` says what is in the way or what the system refused.
    """
    try:
        there = os.lstat(file)
    except OSError:
        there = None
    if there is not None and not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        if stat.S_ISDIR(there.st_mode):
            raise SmemdescError(f"{what} {file}: cannot write it: is a directory", hint="name a file")
        _into(file, text, what)
        return
    if there is not None and stat.S_ISLNK(there.st_mode) and os.path.abspath(file).startswith(_SYSTEM):
        raise SmemdescError(
            f"{what} {file}: it is a link of the system, not a file", hint=f"{what} - writes to standard output"
        )
    if there is not None and not force:
        if stat.S_ISLNK(there.st_mode):
            raise SmemdescError(
                f"{what} {file}: it is a link to {os.readlink(file)}", hint="name the file, or replace it with --force"
            )
        if not _ours(file):
            raise SmemdescError(
                f"{what} {file}: it is there already, and no picture that smemdesc wrote",
                hint=f"--force replaces it: {what} {quoted(file)} --force",
            )
    folder, name = os.path.split(file)
    beside = os.path.join(folder, f".{name[:_LONGEST_NAME]}.{secrets.token_hex(4)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
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
    except FileExistsError:
        raise SmemdescError(f"{what} {file}: somebody else has just written it", hint="--force replaces it") from None
    except OSError as error:
        raise SmemdescError(f"{what} {file}: cannot write it: {error.strerror}") from None


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


def _into(file: str, text: str, what: str) -> None:
    """Write into a pipe or a device."""
    try:
        with open(os.open(file, os.O_WRONLY), "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise SmemdescError(f"{what} {file}: cannot write it: {error.strerror}") from None


def _ours(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            beginning = stream.read(_BEGINNING)
    except OSError:
        return False
    return not beginning or (beginning.startswith(b"<svg") and any(mark in beginning for mark in _OURS))
