"""The program, and ``python -m smemdesc``. Slow imports happen where an interrupt is caught."""

from __future__ import annotations


def main() -> None:
    """Run the program."""
    try:
        from smemdesc import cli
        from smemdesc.cli.commands import STARTED
    except KeyboardInterrupt:
        import os

        os._exit(130)
    STARTED["lsp"] = _serve_an_editor
    cli.main()


def _serve_an_editor() -> None:
    try:
        from smemdesc.integrations.language_server.server import EditorSession
    except ModuleNotFoundError as missing:
        from smemdesc.engine.errors import SmemdescError

        raise SmemdescError(f"an editor needs {missing.name}", hint='pip install "smemdesc[lsp]"') from None
    EditorSession().server.start_io()


if __name__ == "__main__":
    main()
