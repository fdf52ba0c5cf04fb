"""The programs that were started and run: whoever is ended ends them.

It stands alone, for a signal may come while any other module is half imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

RUNNING: set[subprocess.Popen[bytes]] = set()
"""The processes that are under way."""
