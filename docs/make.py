"""Write the pages that are made from the program: ``python docs/make.py`` (with smemdesc installed).

The same is done by ``UPDATE_GOLDEN=1 pytest tests/test_docs.py``; without it, that test fails where a page is stale.
"""

from __future__ import annotations

from pathlib import Path

from generate import pages

HERE = Path(__file__).parent

if __name__ == "__main__":
    for name, page in pages().items():
        path, text = HERE / name, page()
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path}")
