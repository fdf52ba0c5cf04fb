"""The page on this machine: a folder of files served only to local browsers."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from smemdesc import _version
from smemdesc.engine.errors import SmemdescError

HOST = "127.0.0.1"
PORT = 8017
"""A fixed port, so that links keep working and the browser can cache the page."""
BUILT = Path("web", "dist")
"""Where ``web/build.py`` puts the page in a source checkout: relative to :data:`CHECKOUT`, or to the working directory
if the package is installed elsewhere."""
CHECKOUT = Path(_version.__file__).resolve().parents[1]
"""The folder that holds the package."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}


class Files(SimpleHTTPRequestHandler):
    """The files of the page; a browser revalidates them each time."""

    # Whatever this machine's tables of types say: a browser refuses scripts of another type.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | MEDIA_TYPES

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing: errors are on the page."""


class Server(ThreadingHTTPServer):
    """Continues after a failed request: a closed connection, an invalid path."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Log nothing; the connection is closed."""


def site(folder: str | None) -> Path:
    """Return the folder of the built page; :class:`smemdesc.engine.errors.SmemdescError` says how to get it."""
    places = [Path(folder)] if folder else [CHECKOUT / BUILT, BUILT]
    for chosen in places:
        if (chosen / "index.html").is_file() and (chosen / "pyodide").is_dir():
            return chosen
    what = f"{folder} is not the built page" if folder else "the page is not built"
    raise SmemdescError(what, hint="in a source checkout, run python web/build.py; or give --site FOLDER")


def server(folder: Path, port: int = PORT) -> Server:
    """Return a server of the page on ``port`` (0: any) of this machine; :class:`smemdesc.engine.errors.SmemdescError`
    if it is taken."""
    try:
        return Server((HOST, port), partial(Files, directory=str(folder)))
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        hint = "give another one: --port 8018, or --port 0 for any"
        raise SmemdescError(f"port {port}: {reason}", hint=hint) from None


def page_url(page_server: Server) -> str:
    """Return the URL of the page."""
    return f"http://{HOST}:{page_server.server_port}/"
