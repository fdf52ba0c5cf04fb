"""What the documents show is what the program prints, and their links lead somewhere.

``UPDATE_GOLDEN=1 pytest`` writes the console blocks anew; read the difference.
"""

from __future__ import annotations

import doctest
import os
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from documents import DOCUMENTS, ROOT, Block, blocks, links, run

LONG = "silicon.run --summary"
"""In a block: the comparison of a whole record, which the long run makes."""
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


def played(block: Block) -> str:
    """Return a console block with the output that its commands have now."""
    return "".join(f"$ {command}\n{run(command).stdout}" for command in block.commands)


@pytest.mark.parametrize(
    "block",
    [pytest.param(each, id=each.name, marks=pytest.mark.corpus if LONG in each.text else ()) for each in blocks()],
)
def test_console_block(block: Block) -> None:
    if block.missing:
        pytest.skip(f"{', '.join(block.missing)}: not here")
    now = played(block)
    if os.environ.get("UPDATE_GOLDEN"):
        with block.document.open("r+") as page:  # other workers write other blocks of it
            flock(page, LOCK_EX)
            changed = page.read().replace(block.text, now)
            page.seek(0)
            page.truncate()
            page.write(changed)
        return
    assert now == block.text


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_python_blocks(document: Path) -> None:
    failed, tried = doctest.testfile(str(document), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert not failed
    assert bool(tried) == (">>>" in document.read_text())


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_links(document: Path) -> None:
    assert [link for link in links(document) if not (document.parent / link).exists()] == []
