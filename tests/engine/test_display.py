"""What the library returns, shown: one line as text, its view with rich, a page in a notebook."""

from __future__ import annotations

import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tables import every_row

import smemdesc
from smemdesc.api.scanning import scan
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import Atom
from smemdesc.layout.fragment import fragment_layout
from smemdesc.layout.scales import scale_layout
from smemdesc.layout.tmem import tmem_layout
from smemdesc.layout.zero_columns import column_masks, expand
from smemdesc.tiles.linear import LinearLayout
from smemdesc.tiles.tile import lay_out_tile

ROOT = Path(__file__).parents[2]
BF16 = dtype_of("bf16", None)
TILE = lay_out_tile("wgmma", (128, 64), BF16, "K", "128B")
RETURNED: dict[str, tuple[Any, str, str]] = {
    "result": (
        smemdesc.decode(0x4000404000010040),
        "0x4000404000010040  tcgen05: start 1024 B, LBO 16 B, SBO 1024 B, swizzle 128B: valid",
        "[45:32]",
    ),
    "ambiguous": (
        smemdesc.decode(0x08200490),
        "0x08200490  idesc:f16 or idesc:f8f6f4: D f32, N 128, M 128: ambiguous",
        "as f8f6f4: ",
    ),
    "difference": (
        smemdesc.diff(0x4000404000010040, 0x4000404000010042),
        "tcgen05: start_address differs",
        "only the start address moves",
    ),
    "finding": (
        smemdesc.decode(0x4000004000010040, "tcgen05").findings[0],
        "warning version-constant: bits 46-48 must be 0b001",
        "  fix: ",
    ),
    "atom": (Atom("128B", "K", BF16), "128B atom, K-major, bf16: 8x64 elements", "7:0"),
    "tile": (TILE, "wgmma tile of 128x64 bf16, K-major, 128B: 8 MMA steps of 64x16 from 0x00000", "strides:"),
    "operand": (
        TILE.operand(TILE.steps[1]),
        "128B operand, K-major, bf16: 64x16 elements from 0x00020, LBO 16 B, SBO 1024 B",
        "touches:",
    ),
    "fragment": (fragment_layout("m64n8k16", "d", "f32"), "D of m64n8k16 in f32", "T31:r3"),
    "tmem": (tmem_layout(64, 128), "D in f32 of M 64, N 128, cta_group::1: layout F", "m 48..63"),
    "scales": (
        scale_layout(128, 256, "mxf4"),
        "scale factors of A, 128 x 256 of kind::mxf4, one for 32 of K",
        "What each instruction along K reads",
    ),
    "linear": (LinearLayout("128B", BF16), "128B linear layout, bf16: 8x64, 9 bases", "offset=256"),
    "mask": (
        expand(0x0003028100000000, 64, 64),
        "0x0003028100000000  M = 64, N = 64: 27 of 64 columns zeroed",
        "sub-mask 1",
    ),
    "filter": (
        column_masks(255, 128, 128, 1, 2, 3)[0],
        "s = 0: 0x007e008000000000  M = 128, N = 128: 1 of 128 columns zeroed",
        "sub-mask 0",
    ),
    "scan": (
        scan(str(ROOT / "examples" / "data" / "gemm_sm100.sass")),
        "1 function, 1 with MMAs: 4 MMAs",
        "4 x UTCHMMA",
    ),
}
PICTURED = {"atom", "tile", "operand", "fragment", "tmem", "scales", "mask", "filter"}


@every_row("name", RETURNED)
def test_print_is_one_line(name: str) -> None:
    what, said, _ = RETURNED[name]
    assert str(what).startswith(said)
    assert repr(what) == str(what)
    assert "\n" not in str(what)


@pytest.mark.parametrize("name", RETURNED)
def test_rich_shows_the_view_on_any_console(name: str) -> None:
    what, _, word = RETURNED[name]
    out = io.StringIO()
    Console(file=out, width=100).print(what)
    assert word in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= 100


@pytest.mark.parametrize("name", RETURNED)
def test_a_page_shows_the_view_or_the_picture(name: str) -> None:
    what, _, word = RETURNED[name]
    page = what._repr_html_()
    assert hasattr(what, "_repr_svg_") is (name in PICTURED)
    if name in PICTURED:
        svg = what._repr_svg_()
        ET.fromstring(svg)
        assert b64decode(page.split("base64,")[1].split('"')[0]).decode() == svg
    else:
        assert ET.fromstring(page).tag == "pre"
        assert word in "".join(ET.fromstring(page).itertext())


def test_the_library_shows_itself_without_rich_until_asked() -> None:
    code = (
        "import sys, smemdesc; r = smemdesc.decode(0x4000404000010040); str(r), repr(r);"
        "assert 'rich' not in sys.modules;"
        "r._repr_html_(); assert 'rich' in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


@pytest.mark.corpus
def test_a_notebook() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = [
        "import smemdesc\nr = smemdesc.decode(0x4000404000010040)\nr",
        "smemdesc.atom(swizzle='128B', major='K')",
        "print(r)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=120).execute()
    decoded, atom, printed = (cell.outputs[0] for cell in book.cells)
    assert "start_address" in decoded.data["text/html"]
    assert decoded.data["text/plain"] == str(RETURNED["result"][0]) == printed.text.strip()
    assert atom.data["image/svg+xml"].startswith("<svg ")
    assert atom.data["text/html"].startswith("<img ")
