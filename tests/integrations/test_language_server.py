"""``smemdesc lsp``, asked by a client of pygls."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT
from tables import every_row

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PTX = (ROOT / "examples" / "data" / "k_loop_sm100.ptx").read_text()
SASS = (ROOT / "examples" / "data" / "k_loop_sm100.sass").read_text()
CODE = '// \u00e4\U0001d11e\nprint("\U0001d11e"); uint64_t desc_a = 0x6000404000010040ull;\n'
RIGHT = sorted((ROOT / "examples" / "data").glob("*_sm*.*"))
SECONDS = 20


class Editor:
    """A client with one document open."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.published: list[types.PublishDiagnosticsParams] = []
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.published.append(params))

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "smemdesc", "lsp")
        await self.client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))

    async def open(self, name: str, text: str) -> list[types.Diagnostic]:
        self.uri = f"file:///{name}"
        document = types.TextDocumentItem(self.uri, Path(name).suffix[1:], 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    async def change(self, text: str) -> list[types.Diagnostic]:
        whole = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(2, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        return await self.diagnostics()

    async def diagnostics(self) -> list[types.Diagnostic]:
        while not self.published:
            await asyncio.sleep(0.01)
        return list(self.published.pop(0).diagnostics)

    async def hover(self, line: int, character: int) -> str:
        where = types.HoverParams(types.TextDocumentIdentifier(self.uri), types.Position(line, character))
        answer = await self.client.text_document_hover_async(where)
        return "" if answer is None else answer.contents.value

    async def actions(self, at: types.Range) -> list[Any]:
        document, context = types.TextDocumentIdentifier(self.uri), types.CodeActionContext([])
        return list(await self.client.text_document_code_action_async(types.CodeActionParams(document, at, context)))


def edit(steps: Callable[[Editor], Coroutine[Any, Any, None]]) -> None:
    """Run steps of an editor."""

    async def whole() -> None:
        editor = Editor()
        await editor.start()
        try:
            await asyncio.wait_for(steps(editor), SECONDS)
        finally:
            await editor.client.shutdown_async(None)
            editor.client.exit(None)
            await editor.client.stop()

    asyncio.run(whole())


def applied(text: str, action: Any) -> str:
    """Return a text with a code action, whose columns count UTF-16 code units."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    for change in next(iter(action.edit.changes.values())):
        begin, end = change.range.start, change.range.end
        line = lines[begin.line]
        lines[begin.line] = (
            line[: 2 * begin.character] + change.new_text.encode("utf-16-le") + line[2 * end.character :]
        )
    return "\n".join(line.decode("utf-16-le") for line in lines)


WRONG = [
    ("k.ptx", PTX.replace("0x4000404000010040", "0x6000404000010040"), PTX, "0x4000404000010040: write swizzle 128B"),
    ("k.ptx", PTX.replace("0x4000404000010040", str(0x6000404000010040)), None, f"{0x4000404000010040}: write swizzle"),
    ("k.sass", SASS.replace("UR7, 0x40004040", "UR7, 0x60004040", 1), SASS, "0x40004040: write swizzle 128B"),
    ("k.cu", CODE, CODE.replace("0x6", "0x4"), "0x4000404000010040ull: write swizzle 128B"),
]


@pytest.mark.slow
@every_row(("name", "wrong", "right", "title"), WRONG)
def test_a_finding_is_marked_and_its_repair_takes_it_away(name: str, wrong: str, right: str | None, title: str) -> None:
    async def steps(editor: Editor) -> None:
        first = (await editor.open(name, wrong))[0]
        assert (first.code, first.source, first.severity) == ("swizzle-code", "smemdesc", 1)
        assert "undefined in tcgen05" in first.message
        (action, *_) = await editor.actions(first.range)
        assert action.title.startswith(f"smemdesc: {title}")
        repaired = applied(wrong, action)
        assert right is None or repaired == right
        assert await editor.change(repaired) == []
        assert await editor.actions(first.range) == []

    edit(steps)


@pytest.mark.slow
def test_nothing_is_marked_where_nothing_is_wrong() -> None:
    async def steps(editor: Editor) -> None:
        for path in RIGHT:
            assert (path.name, await editor.open(path.name, path.read_text())) == (path.name, [])
        assert await editor.open("other.cu", "int main() { return 0x40004040 * 3; }\n") == []
        assert await editor.open("empty.ptx", "") == []
        assert await editor.actions(types.Range(types.Position(0, 0), types.Position(9, 9))) == []

    edit(steps)


@pytest.mark.slow
def test_what_is_below_the_pointer_is_decoded() -> None:
    async def steps(editor: Editor) -> None:
        await editor.open("k.ptx", PTX)
        lines = PTX.split("\n")
        constant = next(line for line, text in enumerate(lines) if "0x4000404000010040" in text)
        mma = next(line for line, text in enumerate(lines) if "tcgen05.mma" in text)
        shown = await editor.hover(constant, lines[constant].index("0x4") + 5)
        assert shown.startswith("```text\n0x4000404000010040  tcgen05 shared-memory descriptor (Blackwell)  valid\n")
        assert "\ntcgen05.mma, kind::f16, cta_group::1, 128x64x16" in await editor.hover(mma, 3)
        assert await editor.hover(0, 3) == await editor.hover(len(lines) + 5, 0) == ""
        assert await editor.hover(constant, 1) == ""
        await editor.open("k.cu", CODE)
        assert "0x6000404000010040  tcgen05" in await editor.hover(1, CODE.split("\n")[1].index("0x6") + 1)

    edit(steps)


@pytest.mark.slow
def test_an_mma_that_cannot_be_read_is_said() -> None:
    async def steps(editor: Editor) -> None:
        marks = await editor.open("k.ptx", PTX.replace("%rd1, %rd2, 0x08100490", "%rd1, , 0x08100490"))
        (mark,) = (mark for mark in marks if mark.code == "unread")
        assert mark.severity == types.DiagnosticSeverity.Information
        assert mark.range.start.line == PTX[: PTX.index("tcgen05.mma")].count("\n")

    edit(steps)
