"""For cuda-gdb: ``source`` this file, then ``smemdesc help``.

It runs in the Python of the debugger (3.6 or newer) and needs only the standard library; the installed ``smemdesc``
does the work, one process per command, the next one started ahead. Environment: ``SMEMDESC`` is the program to
run, ``SMEMDESC_GDB_LOG`` a file to which questions and answers are appended.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress

import gdb


def program():
    """Return the command that starts smemdesc: if known, the command of this installation."""
    if os.environ.get("SMEMDESC"):
        return os.environ["SMEMDESC"]
    folder = os.path.dirname(os.path.abspath(program.__code__.co_filename))  # sourced: there is no __file__
    for _ in range(8):
        path = os.path.join(folder, "bin", "smemdesc")
        if os.access(path, os.X_OK):
            return path
        folder = os.path.dirname(folder)
    return shutil.which("smemdesc")


@contextmanager
def setting(name, value):
    """Set a parameter of the debugger for a while, if the debugger has it."""
    try:
        before = gdb.parameter(name)
    except RuntimeError:  # an older version
        yield
        return
    try:
        gdb.execute(f"set {name} {as_typed(value)}", to_string=True)
        yield
    finally:
        gdb.execute(f"set {name} {as_typed(before)}", to_string=True)


def as_typed(value):
    """Return the value of a parameter as it is typed."""
    return {True: "on", False: "off"}.get(value, value)


REFERENCES = (gdb.TYPE_CODE_REF, getattr(gdb, "TYPE_CODE_RVALUE_REF", None))
DUMP_BYTES = 32768
"""The most bytes that are dumped at once: the debugger's limit for a value (max-value-size) is 65536."""


class Debugger:
    """Answers questions from the debugger. Each method is named after the question."""

    def where(self):
        """Return the position of the focused thread."""
        frame = gdb.selected_frame()
        position = {
            "pc": frame.pc(),
            "function": frame.name(),
            "errorpc": self._number("$errorpc"),
            "thread": "",
            "arch": "",
        }
        position["thread"] = self._output("cuda kernel block thread").strip()
        for line in self._output("info cuda devices").splitlines():
            arch = re.search(r"\bsm_(\d+)", line)
            if line.startswith("*") and arch:
                position["arch"] = arch.group(0)
        return position

    def listing(self, function=None):
        """Return the SASS of a function, or of the one that the focused thread is in."""
        return {"text": gdb.execute("disassemble" + (" " + function if function else ""), to_string=True)}

    def values(self, expressions):
        """Return numbers, None for expressions without one."""
        return {"values": [self._number(expression) for expression in expressions]}

    def memory(self, first, count, space="shared"):
        """Return bytes of the shared memory of the focused block, or of another address space."""
        return self._dumped(f"@{space} unsigned char" if space else "unsigned char", first, count)

    def find(self, expression):
        """Return the address of the object that an expression is or points to, its size, and its pointer type.

        A number is an address; the size and the type of the object there are unknown.
        """
        value = gdb.parse_and_eval(expression)
        if value.type.strip_typedefs().code in REFERENCES:
            value = value.referenced_value()
        if value.is_optimized_out:
            raise gdb.error(f"{expression} is optimized out")
        code = value.type.strip_typedefs().code
        if code == gdb.TYPE_CODE_INT:
            return {"address": int(value), "size": None, "pointer": ""}
        if code != gdb.TYPE_CODE_PTR:
            value = value.address
        if value is None:
            raise gdb.error(f"{expression} is not in memory")
        pointer = value.type.strip_typedefs()
        return {"address": int(value), "size": pointer.target().sizeof, "pointer": str(pointer)}

    def host(self, expression, count):
        """Return bytes of the memory of an expression, or at which it points."""
        try:
            value = gdb.parse_and_eval(expression)
        except gdb.error:  # a variable without type information
            value = gdb.parse_and_eval(f"&{expression}")
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
            value = value.address
        return self._dumped("unsigned char", int(value), count)

    def stop_at(self, addresses):
        """Put a breakpoint on each address."""
        for address in addresses:
            gdb.Breakpoint(f"*0x{address:x}")
        return {}

    def run_to(self, addresses, condition):
        """Continue silently until a thread for which the condition holds reaches one of the addresses.

        The debugger reports other stops.
        """
        breakpoints = []
        try:
            for address in addresses:
                breakpoints.append(gdb.Breakpoint(f"*0x{address:x}", internal=True))
                breakpoints[-1].silent = True
                breakpoints[-1].condition = condition
            gdb.execute("continue", to_string=True)
        finally:
            for breakpoint in breakpoints:
                if breakpoint.is_valid():
                    breakpoint.delete()
        return {}

    def run_to_launch(self):
        """Continue silently until a kernel of the program is launched, or something else stops it."""
        with setting("cuda break_on_launch", "application"), setting("suppress-cli-notifications", True):
            gdb.execute("continue", to_string=True)
        return {}

    def _number(self, expression):
        try:
            return int(gdb.parse_and_eval(expression))
        except (gdb.error, ValueError, OverflowError):
            return None

    def _output(self, command):
        try:
            return gdb.execute(command, to_string=True)
        except gdb.error:
            return ""

    def _dumped(self, kind, first, count):
        """Return bytes as the debugger dumps them: many times faster than its values."""
        handle, path = tempfile.mkstemp(prefix="smemdesc-")
        os.close(handle)
        data = b""
        try:
            for begin in range(first, first + count, DUMP_BYTES):
                many = min(DUMP_BYTES, first + count - begin)
                gdb.execute(f"dump binary value {path} *({kind}*){begin}@{many}", to_string=True)
                with open(path, "rb") as file:
                    data += file.read()
        finally:
            os.remove(path)
        return {"base64": base64.b64encode(data).decode("ascii")}

    def answer(self, question):
        """Answer a question; an error of the debugger is an answer with the key ``error``."""
        arguments = dict(question)
        try:
            return getattr(self, arguments.pop("ask"))(**arguments)
        except (gdb.error, RuntimeError, TypeError, OverflowError) as problem:
            return {"error": " ".join(str(problem).split())}


DEBUGGER = Debugger()


def log(line):
    """Log a question and its answer."""
    path = os.environ.get("SMEMDESC_GDB_LOG")
    if path:
        with open(path, "a") as file:
            file.write(line + "\n")


WAITING = []
"""A process started ahead for the next command, so that Python's startup is over by then."""


def started():
    """Return a process of smemdesc that waits for a command."""
    executable = program()
    if not executable:
        raise gdb.GdbError("smemdesc is not on the path: install it, or set SMEMDESC to the program")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONHOME"}  # the debugger's own
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "universal_newlines": True}
    # Of its own session: an interrupt is for the program that is debugged.
    return subprocess.Popen([executable, "gdb", "--session"], env=environment, start_new_session=True, **pipes)


def run_session(command):
    """Run a command: answer the questions of smemdesc, show its output."""
    process = WAITING.pop() if WAITING else started()
    if process.poll() is not None:
        process = started()
    color = bool(gdb.parameter("style enabled")) and os.isatty(1)
    start = {"command": command, "columns": gdb.parameter("width") or 0, "color": color}
    try:
        log(json.dumps(start))
        process.stdin.write(json.dumps({**start, "folder": os.getcwd()}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            message = json.loads(line)
            if "say" in message:
                gdb.write(message["say"])
                gdb.flush()
                continue
            answer = json.dumps(DEBUGGER.answer(message))
            log(line.strip())
            log(answer)
            process.stdin.write(answer + "\n")
            process.stdin.flush()
    except (ValueError, OSError) as problem:
        raise gdb.GdbError(f"unexpected answer of smemdesc: {problem}") from None
    finally:
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        process.wait()
    WAITING.append(started())


class Command(gdb.Command):
    """The tensor-core instruction at $pc: its descriptors from the registers, and what is wrong with them.

    smemdesc                      the instruction at $pc, or after an exception at $errorpc
    smemdesc next                 run on to the next tensor-core instruction of the focused warp; from a kernel
                                  without one, to the first kernel launched that has one
    smemdesc break [FUNCTION]     a breakpoint on each of them
    smemdesc --a-map EXPRESSION   and the tensor map that fills A, or with --b-map B; also with next
    smemdesc EXPRESSION           decode a value: $UR8 is the pair UR8, UR9
    smemdesc map [EXPRESSION]     decode a tensor map; without EXPRESSION those of the kernel
    smemdesc operand a|b [ROWS,COLUMNS]   the operand as a matrix of numbers
    smemdesc at a|b MN,K          one element, its address and the formula
    smemdesc compare a|b FILE     where it differs from the expected matrix, and why"""

    def __init__(self):
        super().__init__("smemdesc", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        """Run it."""
        self.dont_repeat()
        run_session(argument)

    def complete(self, text, word):
        """Complete the first word."""
        names = ("next", "break", "decode", "map", "operand", "at", "compare", "help")
        return [name for name in names if name.startswith(word)] if text.strip() == word else gdb.COMPLETE_SYMBOL


Command()
