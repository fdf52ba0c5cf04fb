"""Every kernel that Triton compiles, checked as soon as it is compiled.

``check()`` hangs on ``triton.knobs.runtime.jit_post_compile_hook``; ``python -m smemdesc.integrations.triton
script.py`` calls it before it runs a script. The variable ``SMEMDESC_TRITON`` says what a check does: ``1`` reports,
``strict`` raises, ``0`` is off.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from importlib import import_module
from typing import Any, TextIO

from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.engine.wording import many
from smemdesc.integrations import compiled
from smemdesc.integrations.compiled import Checked, DescriptorError, Found, Place

VARIABLE = "SMEMDESC_TRITON"
_VALUES = {"": False, "1": False, "strict": True, "0": False}
_HOOK = "jit_post_compile_hook"
_INDUCTOR = {"run_jit_post_compile_hook": True, "compile_threads": 1}
"""Inductor calls the hook only if it is told to, and only in the process that compiles."""
USAGE = "usage: python -m smemdesc.integrations.triton SCRIPT | -m MODULE [ARGUMENTS]"


def check(strict: bool | None = None, *, sass: bool = False, file: TextIO | None = None) -> Check:
    """Check the descriptors of every kernel that Triton compiles from now on, also for ``torch.compile``.

    A kernel's PTX is scanned; with ``sass`` its machine code instead, for which Triton's nvdisasm is run, and which has
    the lines of Python as far as ptxas keeps them. Errors and warnings are
    written to ``file`` (standard error), each once. ``strict``: they are raised as a :class:`DescriptorError`, and the
    kernel is not run; None: if the variable ``SMEMDESC_TRITON`` is ``strict``. If it is ``0``, nothing is checked. A
    hook that is there already is still called. Closing what is returned, or leaving its ``with`` block, ends the check.

    :class:`~smemdesc.engine.errors.SmemdescError` where Triton has no such hook (before 3.4), or the variable has
    another value.
    """
    value = os.environ.get(VARIABLE, "")
    if value not in _VALUES:
        raise SmemdescError(f"{VARIABLE} is {value}", hint="use 1 (report), strict (raise) or 0 (off)")
    made = Check(_VALUES[value] if strict is None else strict, sass, file)
    if value != "0":
        made._hang()
    return made


class Check:
    """A check of all kernels that are compiled while it is open; it is the hook that Triton calls."""

    def __init__(self, strict: bool, sass: bool, file: TextIO | None) -> None:
        self.kernels = 0
        """How many kernels were checked."""
        self.with_mmas = 0
        """How many of them have tensor-core instructions that read descriptors."""
        self.failed = 0
        """How many could not be checked."""
        self.mmas = self.known = 0
        """How many such instructions, and of how many of them enough is known of every descriptor for most rules."""
        self.findings: list[Found] = []
        """What was found: alike ones once."""
        self.unread: list[str] = []
        """The tensor-core instructions that were not understood, and were not checked."""
        self._strict, self._sass, self._file = strict, sass, file
        self._before: Any = None
        self._logged: DescriptorError | None = None
        """What was raised first and Inductor has only logged."""
        self._open = False
        self._inductor = ExitStack()

    def __str__(self) -> str:
        found = len(self.findings)
        unread = f", {many(len(self.unread), 'instruction')} not understood" if self.unread else ""
        known = "" if self.known == self.mmas else f" ({self.known} with known descriptors)"
        failed = f", {many(self.failed, 'kernel')} not checked" if self.failed else ""
        return (
            f"{many(self.kernels, 'kernel')}, {self.with_mmas} with MMAs: {many(self.mmas, 'MMA')}{known}, "
            f"{many(found, 'finding') if found else 'no finding'}{unread}{failed}"
        )

    def __call__(self, **given: Any) -> Any:
        """Check the kernel that was compiled; what Triton calls."""
        before = self._before
        while isinstance(before, Check):  # the newest alone reports
            before = before._before
        answer = before(**given) if before is not None else None
        if self._open:
            self._take(given)
        return answer

    def close(self) -> None:
        """End the check."""
        if not self._open:
            return
        self._open = False
        runtime = import_module("triton.knobs").runtime
        if getattr(runtime, _HOOK) is self:  # else it is in a chain of another, and only passes on
            setattr(runtime, _HOOK, self._before)
        self._inductor.close()

    def __enter__(self) -> Check:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if self._logged is not None and (kind is None or issubclass(kind, SystemExit)):
            raise self._logged

    def _hang(self) -> None:
        runtime = import_module("triton.knobs").runtime
        if not hasattr(runtime, _HOOK):
            raise SmemdescError(f"this Triton has no triton.knobs.runtime.{_HOOK}", hint="Triton has it from 3.4 on")
        self._before = getattr(runtime, _HOOK)
        if self._before is not None:
            from inspect import signature

            with suppress(TypeError, ValueError):  # Inductor gives a hook what it has parameters for
                self.__signature__ = signature(self._before)
        self._open = True
        setattr(runtime, _HOOK, self)
        self._tell_inductor()

    def _tell_inductor(self) -> None:
        for key, value in _INDUCTOR.items():
            if "torch" not in sys.modules:  # it reads the variables when it is imported
                name = f"TORCHINDUCTOR_{key.upper()}"
                if name not in os.environ:
                    os.environ[name] = str(int(value))
                    self._inductor.callback(os.environ.pop, name, None)
                continue
            config = import_module("torch._inductor.config")
            if hasattr(config, key):  # older ones do not call the hook
                self._inductor.callback(setattr, config, key, getattr(config, key))
                setattr(config, key, value)

    def _take(self, given: dict[str, Any]) -> None:
        try:
            kernel, forget = _kernel(given)
            found = _checked(kernel, self._sass)
            self.kernels += 1
            self.with_mmas += bool(found.mmas)
            self.mmas += found.mmas
            self.known += found.known
            findings = [each for each in found.findings if each not in self.findings]
            unread = [each for each in found.unread if each not in self.unread]
            self.findings += findings
            self.unread += unread
            for each in (*(() if self._strict else findings), *unread):
                print(each, file=self._file or sys.stderr)
        except Exception as fault:
            self._fail(fault)
            return
        if self._strict and found.findings:
            error = compiled.as_error(kernel.name, found)
            if forget is None:
                self._logged = self._logged or error
            else:
                forget()
            raise error

    def _fail(self, fault: Exception) -> None:
        """Say once, in one line, that a kernel was not checked: its compilation goes on."""
        self.failed += 1
        if self.failed == 1:
            with suppress(Exception):
                said = " ".join(str(as_error(fault)).split())
                print(f"smemdesc: a kernel was not checked: {said}", file=self._file or sys.stderr)


def _kernel(given: dict[str, Any]) -> tuple[Any, Callable[[], object] | None]:
    """Return the compiled kernel that a hook is called for, and what makes Triton forget it; None: Inductor has it."""
    made = given["compile"]
    if hasattr(made, "asm"):
        return made, None
    kernels = given["fn"].jit_function.device_caches[made["device"]][0]
    key = given["key"]
    return kernels[key], lambda: kernels.pop(key, None)


def _checked(kernel: Any, sass: bool) -> Checked:
    asm = kernel.asm
    function = getattr(getattr(kernel.src, "fn", None), "fn", None)
    code = getattr(function, "__code__", None)
    defined = Place(code.co_filename, code.co_firstlineno) if code else None
    if "ptx" in asm and not (sass and "cubin" in asm and compiled.has_mmas(asm["ptx"])):
        return compiled.check(asm["ptx"], kernel.name, defined)
    if "cubin" not in asm:  # not for a GPU of NVIDIA
        return Checked()
    text = compiled.disassembled(asm["cubin"], import_module("triton.knobs").nvidia.nvdisasm.path)
    return compiled.check(text, kernel.name, defined)


def main(arguments: list[str]) -> None:
    """Run a script or a module with a check, and say in the end what was checked."""
    if not arguments or arguments == ["-m"] or arguments[0] in ("-h", "--help"):
        sys.exit(f"{USAGE}\n{VARIABLE}=1 reports findings (the default), strict raises them, 0 is off")
    from runpy import run_module, run_path

    with check() as made:
        try:
            if arguments[0] == "-m":
                sys.argv = arguments[1:]
                run_module(arguments[1], run_name="__main__", alter_sys=True)
            else:
                sys.argv = arguments
                sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
                run_path(arguments[0], run_name="__main__")
        finally:
            print(f"smemdesc: {made}", file=sys.stderr)


if __name__ == "__main__":
    from smemdesc.integrations import triton  # this module is ``__main__`` here, and would be there twice

    triton.main(sys.argv[1:])
