"""In cuda-gdb: what the debugger knows, asked for as it is needed, and what follows from it.

:mod:`smemdesc.integrations.debugger.session` holds the commands; each is a generator that yields what it asks of the
debugger (:class:`Question`) and what is to be shown (any value that has a view). ``cuda_gdb.py`` is the script that the
debugger sources: it imports nothing of this package, since the debugger's Python is its own, and talks to ``smemdesc
gdb --session`` over a pipe, a line of JSON each way.
"""

from pathlib import Path

SCRIPT = Path(__file__).with_name("cuda_gdb.py")
"""The script to source."""
