"""The pictures of the documents are what their commands draw.

``UPDATE_GOLDEN=1 pytest`` draws them anew; look at them.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from documents import DOCUMENTS, ROOT, links
from run import smemdesc

PICTURES = ROOT / "docs" / "pictures"
LIST = PICTURES / "README.md"
COMMAND = re.compile(r"(?m)^smemdesc (?P<command>.* --svg) docs/pictures/(?P<name>.*)$")
DRAWN = [(match["name"], match["command"]) for match in COMMAND.finditer(LIST.read_text())]


@pytest.mark.parametrize(("name", "command"), DRAWN)
def test_picture_is_what_its_command_draws(name: str, command: str) -> None:
    drawn = smemdesc(*shlex.split(command), "-")
    assert (drawn.err, drawn.status) == ("", 0)
    if os.environ.get("UPDATE_GOLDEN"):
        (PICTURES / name).write_text(drawn.out)
    assert drawn.out == (PICTURES / name).read_text()


def test_every_picture_is_listed_and_shown() -> None:
    there = {path.name for path in PICTURES.glob("*.svg")}
    shown = {Path(link).name for document in DOCUMENTS for link in links(document) if link.endswith(".svg")}
    assert sorted(name for name, _ in DRAWN) == sorted(there) == sorted(shown)
