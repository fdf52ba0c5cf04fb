"""The documents as pages: each Markdown file of ``docs`` as HTML, with its pictures."""

from __future__ import annotations

import html
import os
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{up}style.css">
</head>
<body class="document">
<header><a href="{up}index.html">smemdesc</a> <a href="{up}docs/index.html">Documents</a></header>
<main>
{body}</main>
</body>
</html>
"""
FOLDERS = (".", "reference")


def documents(docs: Path, out: Path, source: str | None, wheels: list[Path]) -> None:
    """Write the documents into ``out``. ``source`` is the URL of the repository, for links to other files."""
    anchor = runpy.run_path(str(docs / "generate" / "markdown.py"))["anchor"]
    sys.path[:0] = map(str, wheels)
    from markdown_it import MarkdownIt

    shown = [path for folder in FOLDERS for path in sorted((docs / folder).glob("*.md"))]
    for path in shown:

        def address(to: str, path: Path = path) -> str | None:
            return _address(to, path, docs, out, source)

        parser = MarkdownIt("commonmark").enable("table")
        tokens = parser.parse(path.read_text(encoding="utf-8"))
        for before, token in zip([None, *tokens], tokens, strict=False):
            if token.type == "inline":
                if before and before.type == "heading_open":
                    before.attrSet("id", anchor(token.content).removeprefix("#"))
                _follow(token.children or [], address)
        title = re.search(r"(?m)^# (.+)$", path.read_text(encoding="utf-8"))
        body = parser.renderer.render(tokens, parser.options, {})
        up = "../" * len(path.relative_to(docs).parts)
        page = out / _named(path.relative_to(docs))
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(TEMPLATE.format(title=html.escape(title[1] if title else path.stem), up=up, body=body), "utf-8")


def _follow(children: list, address: Callable[[str], str | None]) -> None:
    """Give links and pictures the addresses that they have on the page; what is not there is no link."""
    dropped = []
    for token in children:
        name = {"link_open": "href", "image": "src"}.get(token.type)
        if name:
            to = address(str(token.attrGet(name)))
            token.attrs = {name: to} | ({"alt": token.content} if name == "src" else {}) if to else {}
        if token.type == "link_open":
            dropped.append(not token.attrs)
        if token.type in ("link_open", "link_close") and (dropped[-1] if token.type == "link_open" else dropped.pop()):
            token.tag = "span"


def _address(to: str, path: Path, docs: Path, out: Path, source: str | None) -> str | None:
    """Return where a link of a document leads on the page; a picture is copied there."""
    if re.match(r"https?:|#", to):
        return to
    name, _, place = to.partition("#")
    target = Path(os.path.normpath(path.parent / name))
    beside = os.path.relpath(target, path.parent)
    if target.suffix == ".md" and target.is_relative_to(docs) and str(target.parent.relative_to(docs)) in FOLDERS:
        return Path(beside).with_name(_named(Path(name)).name).as_posix() + (f"#{place}" if place else "")
    if target.suffix == ".svg":
        copy = out / target.relative_to(docs)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(target, copy)
        return beside
    return f"{source}/blob/HEAD/{os.path.relpath(target, docs.parent)}" if source else None


def _named(path: Path) -> Path:
    return path.with_name("index.html" if path.name == "README.md" else f"{path.stem}.html")
