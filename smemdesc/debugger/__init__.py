"""In cuda-gdb: the debugger's data, requested as needed, and its analysis.

:mod:`smemdesc.debugger.session` holds the commands; each is a generator that yields questions to the
debugger (:class:`~smemdesc.debugger.questions.Question`) and values to show (any with a view).
``cuda_gdb.py`` is the script that the debugger sources: it imports nothing from this package, since the debugger has
its own Python, and talks to ``smemdesc gdb --session`` over a pipe, one line of JSON per message.
"""

from pathlib import Path

SCRIPT = Path(__file__).with_name("cuda_gdb.py")
"""The script to source."""
