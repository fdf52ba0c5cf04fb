"""What ``web/build.py`` puts into the page: the package's modules, the documents as HTML, the address of the source."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from samples import long_run

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "web"))

from build import WHEELS, loaded, web_address  # noqa: E402
from markdown_pages import documents  # noqa: E402

SOURCE = "https://example.org/o/smemdesc"


@pytest.mark.slow
@pytest.mark.parametrize("source", [SOURCE, long_run(None)])
def test_every_link_of_a_document_leads_somewhere(tmp_path: Path, source: str | None) -> None:
    documents(ROOT / "docs", tmp_path / "docs", source, [])
    pages = {path: path.read_text() for path in tmp_path.rglob("*.html")}
    assert len(pages) == len([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "reference").glob("*.md")])
    for path, text in pages.items():
        for to in re.findall(r'<(?:a href|img src)="([^"]*)"', text):
            if to.startswith(SOURCE):
                assert source
                assert (ROOT / to.removeprefix(f"{SOURCE}/blob/HEAD/")).exists()
            elif not to.startswith("https://"):
                name, _, place = to.partition("#")
                target = (path.parent / name).resolve() if name else path
                above = target in (tmp_path / "index.html", tmp_path / "style.css")  # those of the page
                assert above or target.exists(), to
                assert not place or f'id="{place}"' in pages[target], to


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://name:password@example.org/o/smemdesc.git", SOURCE),
        ("git@example.org:o/smemdesc.git", SOURCE),
        (SOURCE, SOURCE),
        ("/srv/smemdesc", None),
        ("", None),
    ],
)
def test_the_address_of_the_source(remote: str, address: str | None) -> None:
    assert web_address(remote) == address


IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
roots = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"smemdesc"}
print(*sorted(name for name in roots if not name.startswith("_")))
"""


@pytest.mark.slow
def test_every_module_on_the_page_imports_only_what_the_page_has() -> None:
    paths = (path.relative_to(ROOT) for path in (ROOT / "smemdesc").rglob("*.py") if "cuda_gdb" not in path.name)
    modules = [".".join(path.with_suffix("").parts) for path in paths if loaded(path.as_posix())]
    isolated = [sys.executable, "-Es", "-c", IMPORT_ALL, *modules]
    run = subprocess.run(isolated, cwd=ROOT, capture_output=True, text=True, check=True)
    on_the_page = {line.partition("==")[0] for line in WHEELS.splitlines()}
    assert set(run.stdout.split()) <= on_the_page, run.stdout
