"""What a notebook shows of each result: one small page that loads nothing."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from tables import every_row

import smemdesc
from api.test_common import NEEDED, call

MOST = 400_000
"""Bytes: a notebook keeps what it shows."""
SASS = Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass"


class Tags(HTMLParser):
    """Collects the elements of a page, and where its pictures come from."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.sources: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]


@pytest.mark.slow
@every_row("name", [*(name for name in NEEDED if name != "Context"), "scan"])
def test_a_result_is_a_small_page_that_loads_nothing(name: str) -> None:
    html = (smemdesc.scan(SASS) if name == "scan" else call(name))._repr_html_()
    page = Tags(html)
    assert page.tags <= {"pre", "span", "img"}
    assert page.tags & {"pre", "img"}
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert len(html) < MOST


def test_a_plan_shows_its_constants_and_its_picture() -> None:
    plan = smemdesc.plan("128x128x64", dtype="bf16")
    html = plan._repr_html_()
    needed = ("kind::f16", "0x08200490", "0x4000404000010000", "32784 of 232448 B")
    assert [text for text in needed if text not in html] == []
    assert Tags(html).tags >= {"pre", "img"}
    assert "idesc 0x08200490, A 0x4000404000010000, B 0x4000404000010000" in repr(plan)


@every_row("name", [name for name in NEEDED if name != "Context"])
def test_a_result_is_completed_without_the_methods_of_tuples(name: str) -> None:
    result = call(name)
    names = {each for each in dir(result) if not each.startswith("_")}
    assert "to_dict" in names
    assert not names & {"count", "index"}
