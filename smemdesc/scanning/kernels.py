"""``smemdesc.scan(kernel)``: a scan from Python, of whatever a kernel is at hand as; and PTX compared with its SASS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.model import Part, joined

if TYPE_CHECKING:
    from smemdesc.scanning.agreement import Agreement, Code

_FORMS = ("cubin", "ptx", "llir", "ttgir")
"""What of a compiled kernel is scanned: the first that there is. The cubin says what runs."""
_NAME_LIMIT = 4096


class Compiled(Protocol):
    """What Triton's ``CompiledKernel`` has: its forms by name."""

    @property
    def asm(self) -> Mapping[str, str | bytes]:
        """``cubin`` as bytes; ``ptx``, ``llir`` and ``ttgir`` as text."""
        ...


Kernel = str | bytes | bytearray | memoryview | os.PathLike[str] | Compiled


def scan(kernel: Kernel, *, function: str | None = None, jobs: int = 1, cuda_bin: str | None = None) -> Part:
    """Find every tensor-core instruction that reads descriptors, and what is known of these.

    ``kernel`` is a path (a dump, a cubin, a library, a folder), text (a ``str`` with a newline in it), bytes (a dump, a
    cubin, a fat binary), or a kernel compiled by Triton, of which the cubin is scanned, or the PTX where nvdisasm is
    not to be found. ``function`` is a pattern for names of functions, ``jobs`` how many processes work (1: this one),
    ``cuda_bin`` the folder of nvdisasm.

    What in a library could not be scanned is in :attr:`~smemdesc.scanning.model.Part.failed`, with line 0 where it has
    none. :class:`smemdesc.engine.errors.SmemdescError` where nothing can be scanned.
    """
    if isinstance(kernel, str) and "\n" in kernel:
        from smemdesc.scanning.chunks import whole

        return whole(kernel.encode("utf-8", "replace"), function)
    if isinstance(kernel, str | os.PathLike):
        return _file(os.fspath(kernel), function, jobs, cuda_bin)
    if isinstance(kernel, bytes | bytearray | memoryview):
        return _bytes(bytes(kernel), function, jobs, cuda_bin)
    asm = getattr(kernel, "asm", None)
    if not isinstance(asm, Mapping):
        raise SmemdescError(
            f"{type(kernel).__name__} cannot be scanned",
            hint="give a path, text, bytes, or a compiled kernel with .asm, as Triton's",
        )
    return _compiled(asm, function, jobs, cuda_bin)


def agree(
    ptx: Kernel, sass: Kernel | None = None, *, function: str | None = None, jobs: int = 1, cuda_bin: str | None = None
) -> Agreement:
    """Compare the MMAs of PTX with those of the machine code that ptxas made of it, as ``scan --agree`` does.

    Each is what :func:`scan` takes; of two folders files of the same name without suffix belong together. Without
    ``sass`` the first is a kernel compiled by Triton, a folder or a file that has both. The other arguments are those
    of :func:`scan`. :class:`smemdesc.engine.errors.SmemdescError` where something cannot be scanned, or has only one
    of the two.
    """
    from smemdesc.scanning import agreement

    asm = getattr(ptx, "asm", None)
    given: list[Kernel] = [ptx] if sass is None else [ptx, sass]
    if sass is None and isinstance(asm, Mapping) and "ptx" in asm and "cubin" in asm:
        given = [asm["ptx"], asm["cubin"]]
    sides = [_codes(each, function, jobs, cuda_bin) for each in given]
    lacking = agreement.missing(sides)
    if lacking is not None:
        raise lacking
    return agreement.agree(each for codes in sides for each in codes)


def _codes(kernel: Kernel, function: str | None, jobs: int, cuda_bin: str | None) -> list[Code]:
    from smemdesc.scanning.agreement import Code, kernel_in
    from smemdesc.scanning.workers import scan as found

    if isinstance(kernel, os.PathLike) or (isinstance(kernel, str) and "\n" not in kernel):
        path = os.fspath(kernel)
        parts = list(found([path], function, jobs, cuda_bin, all_ptx=True))
        for each in parts:
            if each.problem is not None:
                raise each.problem
        return [Code(each.name, of, kernel_in(path, each.name)) for each in parts for of in each.part.functions]
    return [Code("", of) for of in scan(kernel, function=function, jobs=jobs, cuda_bin=cuda_bin).functions]


def _compiled(asm: Mapping[str, str | bytes], function: str | None, jobs: int, cuda_bin: str | None) -> Part:
    from smemdesc.scanning.binaries.programs import MissingError
    from smemdesc.scanning.chunks import whole

    missing: SmemdescError | None = None
    for form in _FORMS:
        if form not in asm:
            continue
        text = asm[form]
        if isinstance(text, str):
            return whole(text.encode("utf-8", "replace"), function)
        try:
            return _bytes(text, function, jobs, cuda_bin)
        except MissingError as problem:
            missing = problem
    raise missing or SmemdescError("the compiled kernel has none of the forms " + ", ".join(_FORMS))


def _bytes(data: bytes, function: str | None, jobs: int, cuda_bin: str | None) -> Part:
    from tempfile import NamedTemporaryFile

    from smemdesc.scanning import files
    from smemdesc.scanning.chunks import whole

    if files.sort(data[: files.BEGINNING]).kind == files.TEXT:
        return whole(data, function)
    with NamedTemporaryFile(prefix="smemdesc-", delete=False) as copy:
        copy.write(data)
    try:
        return _file(copy.name, function, jobs, cuda_bin, "the bytes")
    finally:
        with suppress(OSError):
            os.unlink(copy.name)


def _file(path: str, function: str | None, jobs: int, cuda_bin: str | None, name: str = "") -> Part:
    from smemdesc.scanning.binaries.programs import MissingError
    from smemdesc.scanning.workers import scan

    parts = []
    problems = []
    for each in scan([path], function, jobs, cuda_bin):
        parts.append(each.part)
        if each.problem is not None:
            problems.append(each.problem)
    found = joined(parts)
    missing = next((each for each in problems if isinstance(each, MissingError)), None)
    problem = missing or (problems[0] if problems else None)
    if problem is not None and (missing or not (found.functions or found.seen or found.values or found.older)):
        if name:
            problem = type(problem)(problem.message.replace(path, name), hint=problem.hint)
        raise problem
    return found._replace(failed=(*found.failed, *((0, each.message.replace(path, name or path)) for each in problems)))
