"""The server: findings as diagnostics with their repairs as code actions, and decoded values below the pointer."""

from __future__ import annotations

from functools import partial
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from smemdesc._version import __version__
from smemdesc.integrations.language_server.answers import TextMark, hover, text_marks
from smemdesc.integrations.language_server.repairs import TextRepair
from smemdesc.rules.base import ERROR, WARNING

_SEVERITY = {ERROR: types.DiagnosticSeverity.Error, WARNING: types.DiagnosticSeverity.Warning}


class EditorSession:
    """Answers an editor about the documents that it has opened."""

    def __init__(self) -> None:
        self.server = LanguageServer("smemdesc", f"v{__version__}")
        for feature, answer in (
            (types.TEXT_DOCUMENT_DID_OPEN, self.check),
            (types.TEXT_DOCUMENT_DID_CHANGE, self.check),
            (types.TEXT_DOCUMENT_DID_CLOSE, self.clear),
            (types.TEXT_DOCUMENT_HOVER, self.show),
        ):
            self.server.feature(feature)(partial(answer))  # a method has no place for pygls' attributes
        quick = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
        self.server.feature(types.TEXT_DOCUMENT_CODE_ACTION, quick)(partial(self.repair))

    def check(self, params: Any) -> None:
        """Publish the findings of a document that was opened or changed."""
        document = self._document(params)
        self._publish(document.uri, [self._diagnostic(document, mark) for mark in text_marks(document.source)])

    def clear(self, params: Any) -> None:
        """Take back the findings of a document that was closed."""
        self._publish(params.text_document.uri, [])

    def show(self, params: Any) -> types.Hover | None:
        """Return what is known of the place below the pointer."""
        document = self._document(params)
        place = self.server.workspace.position_codec.position_from_client_units(document.lines, params.position)
        text = hover(document.source, place.line, place.character)
        if text is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text.rstrip()}\n```"))

    def repair(self, params: Any) -> list[types.CodeAction]:
        """Return the repairs of the findings in a range."""
        document, asked = self._document(params), params.range
        found = (mark for mark in text_marks(document.source) if asked.start.line <= mark.line <= asked.end.line)
        return [self._action(document, mark, repair) for mark in found for repair in mark.repairs]

    def _action(self, document: Any, mark: TextMark, repair: TextRepair) -> types.CodeAction:
        edits = [types.TextEdit(self._range(document, *change.place), change.text) for change in repair.changes]
        changed = types.WorkspaceEdit(changes={document.uri: edits})
        title, marked = f"smemdesc: {repair.title}", [self._diagnostic(document, mark)]
        return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=marked, edit=changed)

    def _document(self, params: Any) -> Any:
        return self.server.workspace.get_text_document(params.text_document.uri)

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _range(self, document: Any, line: int, begin: int, end: int) -> types.Range:
        places = types.Range(types.Position(line, begin), types.Position(line, end))
        return self.server.workspace.position_codec.range_to_client_units(document.lines, places)

    def _diagnostic(self, document: Any, mark: TextMark) -> types.Diagnostic:
        place = self._range(document, mark.line, mark.begin, mark.end)
        severity = _SEVERITY.get(mark.severity, types.DiagnosticSeverity.Information)
        return types.Diagnostic(place, mark.message, severity=severity, code=mark.rule, source="smemdesc")
