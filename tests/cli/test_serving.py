"""``smemdesc web``: what it serves, to whom, and what it says where there is nothing to serve."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from run import smemdesc

from smemdesc.cli.support.serving import BUILT, CHECKOUT, HOST, page_url, server, site
from smemdesc.engine.errors import SmemdescError


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "index.html").write_text("the page")
    return tmp_path


@pytest.fixture
def served(built: Path) -> Iterator[str]:
    with server(site(str(built)), 0) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield page_url(running)
        running.shutdown()


def test_it_serves_the_page_to_this_machine(served: str) -> None:
    assert served.startswith(f"http://{HOST}:")
    with urlopen(served) as answer:
        assert answer.read() == b"the page"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["../secret", "%2e%2e/secret", "nothing"])
def test_it_serves_nothing_else(served: str, built: Path, path: str) -> None:
    (built.parent / "secret").write_text("secret")
    with pytest.raises(HTTPError) as refused:
        urlopen(served + path)
    refused.value.close()


def test_where_it_is_not_built_it_says_how(tmp_path: Path) -> None:
    ran = smemdesc("web", "--site", str(tmp_path))
    assert ran.status == 2
    assert "python web/build.py" in ran.err


def test_it_is_not_listed_since_an_installed_package_has_no_page() -> None:
    assert "web" not in smemdesc("--help").out.split()
    assert ", web" not in smemdesc("nothing").err


def test_a_port_that_is_taken(built: Path) -> None:
    with server(built, 0) as running, pytest.raises(SmemdescError, match="in use") as problem:
        server(built, running.server_port)
    assert "--port" in problem.value.option_hint


def test_a_module_of_machine_code_is_served_as_one(served: str, built: Path) -> None:
    """A browser compiles it while it comes, by its type alone."""
    (built / "pyodide" / "x.wasm").write_bytes(b"\0asm")
    with urlopen(served + "pyodide/x.wasm") as answer:
        assert answer.headers["Content-Type"] == "application/wasm"


@pytest.mark.parametrize(
    "request_",
    [b"GET /%00 HTTP/1.0\r\n\r\n", b"\x1b[31m\r\n\r\n", b"GET /" + b"a/" * 40000 + b" HTTP/1.0\r\n\r\n", b""],
    ids=["a path with a null", "no request", "a long path", "nothing"],
)
def test_a_request_that_goes_wrong_says_nothing_here(
    served: str, request_: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    place = (HOST, int(served.rstrip("/").rpartition(":")[2]))
    with socket.create_connection(place) as browser, suppress(OSError):  # it may hang up before all of it was sent
        browser.sendall(request_)
        browser.shutdown(socket.SHUT_WR)
        while browser.recv(4096):
            pass
    with urlopen(served) as answer:
        assert answer.read() == b"the page"
    assert capfd.readouterr() == ("", "")


def test_it_finds_the_page_of_the_checkout_that_it_is_called_in(
    built: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path_factory.mktemp("checkout")
    (checkout / "web").mkdir()
    built.rename(checkout / "web" / "dist")
    monkeypatch.chdir(checkout)
    monkeypatch.setattr("smemdesc.cli.support.serving.CHECKOUT", checkout / "elsewhere")
    assert site(None) == Path("web", "dist")


def test_it_finds_the_page_of_the_checkout_that_it_is_part_of(
    built: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (CHECKOUT / "smemdesc" / "cli" / "support" / "serving.py").is_file()
    checkout = tmp_path_factory.mktemp("checkout")
    (checkout / "web").mkdir()
    built.rename(checkout / BUILT)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr("smemdesc.cli.support.serving.CHECKOUT", checkout)
    assert site(None) == checkout / BUILT
