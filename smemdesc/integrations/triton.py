"""Every kernel that Triton compiles, checked as soon as it is compiled.

``check()`` is installed as ``triton.knobs.compilation.listener``; ``python -m smemdesc.integrations.triton script.py``
calls it before it runs a script. The variable ``SMEMDESC_TRITON`` selects what a check does: ``1`` reports, ``strict``
raises, ``0`` is off.

``triton.knobs.runtime.jit_post_compile_hook`` is not used: with any hook there, Triton 3.9 does not compile kernels
with a parameter that it cannot write as JSON (its Gluon tutorials have one that is a class); Inductor calls that hook
only on request, and only logs its exceptions; and Triton runs a kernel that the hook refused when it is called again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO

from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.engine.wording import many
from smemdesc.integrations import compiled
from smemdesc.integrations.compiled import Checked, CompiledFinding, PythonLine

VARIABLE = "SMEMDESC_TRITON"
_VALUES = {"": False, "1": False, "strict": True, "0": False}
_THREADS = "compile_threads"
"""Inductor's setting: with more than one, other processes compile."""
USAGE = "usage: python -m smemdesc.integrations.triton SCRIPT | -m MODULE [ARGUMENTS]"


def check(strict: bool | None = None, *, sass: bool = False, file: TextIO | None = None) -> Check:
    """Check the descriptors of every kernel that Triton compiles in this process from now on.

    Kernels of ``torch.compile`` are included: Inductor compiles in this process while a check is open. A kernel in
    Triton's cache on disk is checked when it is loaded.

    A kernel's PTX is scanned; with ``sass`` its machine code instead, which takes Triton's nvdisasm, and which has
    the lines of Python as far as ptxas keeps them. Errors and warnings are written to ``file`` (standard error), each
    once. ``strict``: they are raised as a :class:`~smemdesc.integrations.compiled.DescriptorError`, and the compilation
    fails; None: if the variable ``SMEMDESC_TRITON`` is ``strict``. If it is ``0``, nothing is checked. An existing
    listener is still called. Closing the returned check, or leaving its ``with`` block, ends it.

    :class:`~smemdesc.engine.errors.SmemdescError` if the variable has another value.
    """
    value = os.environ.get(VARIABLE, "")
    if value not in _VALUES:
        raise SmemdescError(f"{VARIABLE} is {value}", hint="use 1 (report), strict (raise) or 0 (off)")
    new_check = Check(_VALUES[value] if strict is None else strict, sass, file)
    if value != "0":
        new_check._open()
    return new_check


class Check:
    """A check of all kernels that are compiled while it is open; it is the listener that Triton calls."""

    def __init__(self, strict: bool, sass: bool, file: TextIO | None) -> None:
        self.kernels = 0
        """How many kernels were checked."""
        self.with_mmas = 0
        """How many of them have tensor-core instructions that read descriptors."""
        self.mmas = self.known = 0
        """The number of such instructions, and of those whose descriptors are all known well enough for most rules."""
        self.failed = 0
        """How many kernels could not be checked."""
        self.findings: list[CompiledFinding] = []
        """The findings; equal ones are listed once."""
        self.unread: list[str] = []
        """The tensor-core instructions that were not understood, and so not checked."""
        self._strict, self._sass, self._file = strict, sass, file
        self._before: Any = None
        self._restore: ExitStack | None = None

    def __str__(self) -> str:
        count = len(self.findings)
        known = "" if self.known == self.mmas else f" ({self.known} with known descriptors)"
        unread = f", {many(len(self.unread), 'instruction')} not understood" if self.unread else ""
        failed = f", {many(self.failed, 'kernel')} not checked" if self.failed else ""
        return (
            f"{many(self.kernels, 'kernel')}, {self.with_mmas} with MMAs: {many(self.mmas, 'MMA')}{known}, "
            f"{many(count, 'finding') if count else 'no finding'}{unread}{failed}"
        )

    def __call__(self, **arguments: Any) -> None:
        """Check the kernel that was compiled; called by Triton."""
        before = self._before
        while isinstance(before, Check):  # only the newest check reports
            before = before._before
        if before is not None:
            before(**arguments)
        if self._restore is not None:
            self._take(**arguments)

    def close(self) -> None:
        """End the check."""
        if self._restore is not None:
            self._restore.close()
            self._restore = None

    def __enter__(self) -> Check:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        knob = import_module("triton.knobs").compilation
        self._before = knob.listener
        knob.listener = self
        self._restore = ExitStack()
        self._restore.callback(self._uninstall, knob)
        if "torch" not in sys.modules:  # torch reads the variable when it is imported
            name = f"TORCHINDUCTOR_{_THREADS.upper()}"
            self._restore.callback(_set, os.environ, name, os.environ.get(name))
            os.environ[name] = "1"
        else:
            with suppress(ImportError):
                config = import_module("torch._inductor.config")
                self._restore.callback(setattr, config, _THREADS, getattr(config, _THREADS))
                setattr(config, _THREADS, 1)

    def _uninstall(self, knob: Any) -> None:
        if knob.listener is self:  # otherwise a later listener still calls it, and it only forwards the call
            knob.listener = self._before

    def _take(self, src: Any, metadata: Mapping[str, Any], metadata_group: Mapping[str, str], **_: Any) -> None:
        try:
            checked = _checked(src, str(metadata["name"]), metadata_group, self._sass)
            self.kernels += 1
            self.with_mmas += bool(checked.mmas)
            self.mmas += checked.mmas
            self.known += checked.known
            findings = [finding for finding in checked.findings if finding not in self.findings]
            unread = [message for message in checked.unread if message not in self.unread]
            self.findings += findings
            self.unread += unread
            for message in (*(() if self._strict else findings), *unread):
                print(message, file=self._file or sys.stderr)
        except Exception as fault:
            self._fail(fault)
            return
        if self._strict and checked.findings:
            raise compiled.findings_error(str(metadata["name"]), checked)

    def _fail(self, fault: Exception) -> None:
        """Report once, in one line, that a kernel was not checked; its compilation continues."""
        self.failed += 1
        if self.failed == 1:
            with suppress(Exception):
                reason = " ".join(str(as_error(fault)).split())
                print(f"smemdesc: a kernel was not checked: {reason}", file=self._file or sys.stderr)


def _set(variables: Any, name: str, value: str | None) -> None:
    """Set a variable of the environment, or remove it."""
    if value is None:
        variables.pop(name, None)
    else:
        variables[name] = value


def _checked(src: Any, name: str, files: Mapping[str, str], sass: bool) -> Checked:
    """Check a kernel; ``files`` are the paths of its forms by file name, which Triton has just written or read."""
    code = getattr(getattr(getattr(src, "fn", None), "fn", None), "__code__", None)
    defined = PythonLine(code.co_filename, code.co_firstlineno) if code else None
    forms = {os.path.splitext(file)[1]: Path(path) for file, path in files.items()}
    if ".ptx" in forms:
        text = forms[".ptx"].read_text()
        if not (sass and ".cubin" in forms and compiled.has_mmas(text)):
            return compiled.check(text, name, defined)
    if ".cubin" not in forms:  # not for an NVIDIA GPU
        return Checked()
    nvdisasm = import_module("triton.knobs").nvidia.nvdisasm.path
    return compiled.check(compiled.sass_of(forms[".cubin"].read_bytes(), nvdisasm), name, defined)


def main(arguments: list[str]) -> None:
    """Run a script or a module with a check, and print at the end what was checked."""
    if arguments in ([], ["-m"]):
        _refuse(USAGE)
    from runpy import run_module, run_path

    try:
        new_check = check()
    except SmemdescError as problem:
        _refuse(f"error: {problem}")
    with new_check:
        try:
            if arguments[0] == "-m":
                sys.argv = arguments[1:]
                run_module(arguments[1], run_name="__main__", alter_sys=True)
            else:
                sys.argv = arguments
                sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
                run_path(arguments[0], run_name="__main__")
        finally:
            if new_check._restore is not None:  # unless it is off
                print(f"smemdesc: {new_check}", file=sys.stderr)


def _refuse(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    from smemdesc.integrations import triton  # this module is ``__main__`` here, and would be there twice

    triton.main(sys.argv[1:])
