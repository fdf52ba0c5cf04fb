"""Files that a command writes: completely or not at all, and never over another program's file."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import quoted

_OWN_MARKS = (b"font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\"", b'<svg class="rich-terminal"')
"""The beginnings of this program's pictures."""
_BEGINNING = 1024
_SYSTEM = ("/dev/", "/proc/")
"""Folders in which links are never replaced."""


def check_writable(file: str, what: str, *, force: bool = False) -> None:
    """Raise the errors of :func:`write_file`, before any work is done."""
    existing = _existing(file, what, force)
    if existing is not None and not (stat.S_ISREG(existing.st_mode) or stat.S_ISLNK(existing.st_mode)):
        return
    temporary = _temporary_name(file)
    with _naming_refusal(file, what):
        os.close(_create(temporary))
        os.unlink(temporary)


def write_file(file: str, text: str, what: str, *, force: bool = False) -> None:
    """Write a text into a file, through a temporary one; ``what`` is the option that names it.

    A file that is not a picture of this program, or a link, is replaced only with ``force`` (the link itself, not
    its target). :class:`smemdesc.engine.errors.SmemdescError` gives the obstacle or the error of the
    system.
    """
    existing = _existing(file, what, force)
    if existing is not None and not (stat.S_ISREG(existing.st_mode) or stat.S_ISLNK(existing.st_mode)):
        with _naming_refusal(file, what), open(os.open(file, os.O_WRONLY), "w", encoding="utf-8") as out:
            out.write(text)
        return
    temporary = _temporary_name(file)
    with _naming_refusal(file, what):
        handle = _create(temporary)
        try:
            with open(handle, "w", encoding="utf-8") as out:
                out.write(text)
            if existing is not None and stat.S_ISREG(existing.st_mode):
                os.chmod(temporary, stat.S_IMODE(existing.st_mode))
            if existing is None:
                _link_or_rename(temporary, file)
            else:
                os.replace(temporary, file)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


def _existing(file: str, what: str, force: bool) -> os.stat_result | None:
    """Return the status of an existing file; reject one that must not be replaced."""
    try:
        existing = os.lstat(file)
    except OSError:
        return None
    if stat.S_ISDIR(existing.st_mode):
        raise SmemdescError(f"{what} {file}: cannot write it: is a directory", hint="name a file")
    if stat.S_ISLNK(existing.st_mode) and os.path.abspath(file).startswith(_SYSTEM):
        raise SmemdescError(
            f"{what} {file}: it is a system link, not a file", hint=f"{what} - writes to standard output"
        )
    if stat.S_ISLNK(existing.st_mode) and not force:
        raise SmemdescError(
            f"{what} {file}: it is a link to {os.readlink(file)}", hint="name the file, or replace it with --force"
        )
    if stat.S_ISREG(existing.st_mode) and not force and not _is_own_picture(file):
        raise SmemdescError(
            f"{what} {file}: it exists already and is not a picture that smemdesc wrote",
            hint=f"--force replaces it: {what} {quoted(file)} --force",
        )
    return existing


@contextmanager
def _naming_refusal(file: str, what: str) -> Iterator[None]:
    """Report what the system refused."""
    try:
        yield
    except FileExistsError:
        raise SmemdescError(f"{what} {file}: another process has just written it", hint="--force replaces it") from None
    except OSError as error:
        raise SmemdescError(f"{what} {file}: cannot write it: {error.strerror}") from None


def _temporary_name(file: str) -> str:
    folder, name = os.path.split(file)
    return os.path.join(folder, f".{name[:_LONGEST_NAME]}.{secrets.token_hex(4)}")


def _create(file: str) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


_LONGEST_NAME = 200


def _link_or_rename(temporary: str, file: str) -> None:
    """Give a file its name, unless the name has been taken since."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        raise
    except OSError:  # the file system has no links
        os.rename(temporary, file)
        return
    os.unlink(temporary)


def _is_own_picture(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            beginning = stream.read(_BEGINNING)
    except OSError:
        return False
    return not beginning or (beginning.startswith(b"<svg") and any(mark in beginning for mark in _OWN_MARKS))
