"""A headless Chromium on the built page: found or not, started once, asked by the tests."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from smemdesc.cli.support.serving import BUILT, HOST

PAGE = Path(__file__).parents[3] / BUILT
"""The built page."""

SECONDS = 120
"""How long anything may take: the machine may be slow, and Python starts first."""


def missing() -> str:
    """Return what keeps the page from being tested, empty where nothing does."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed: pip install '.[page]'"
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed: apt-get install chromium chromium-driver"
    return "" if (PAGE / "index.html").is_file() else "the page is not built: python web/build.py"


@contextmanager
def chromium(width: int = 1250, height: int = 1000) -> Iterator[Any]:
    """Start one, and end it."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(SECONDS)
    driver.set_script_timeout(SECONDS)
    try:
        yield driver
    finally:
        driver.quit()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def plainly_served(folder: Path) -> Iterator[ThreadingHTTPServer]:
    """Serve a folder as any file server does: without a header of ours."""
    with ThreadingHTTPServer((HOST, 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Page:
    """The page in a browser."""

    def __init__(self, driver: Any, home: str) -> None:
        self.driver = driver
        self.home = home

    def open(self, state: str) -> None:
        """Show a state."""
        if not self.driver.current_url.startswith(self.home):
            self.driver.get(f"{self.home}#{state}")
        else:  # Python is there already: a link within the page
            self.script("location.hash = arguments[0]", state)
        self.ready()

    def ready(self) -> None:
        """Wait until Python has answered what the address says."""
        shown = "return document.querySelector('section:not([hidden])').dataset.shown === location.hash"
        self.until(lambda: self.script(shown))

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait for something, and return it."""
        end = time.monotonic() + SECONDS
        last: Exception | None = None
        while time.monotonic() < end:
            try:
                if found := holds():
                    return found
            except Exception as problem:  # an element that was replaced meanwhile
                last = problem
            time.sleep(0.03)
        raise AssertionError(f"it never came to that; the page shows:\n{self.whole()}\n{last or ''}")

    def all(self, selector: str) -> list[Any]:
        """Return the elements of the view that is shown."""
        return [each for each in self.driver.find_elements("css selector", selector) if each.is_displayed()]

    def one(self, selector: str) -> Any:
        """Return the first element that is shown, as soon as there is one."""
        return self.until(lambda: self.all(selector))[0]

    def text(self, selector: str) -> str:
        """Return what an element says."""
        found = self.driver.find_elements("css selector", selector)
        return next((str(each.text) for each in found if each.is_displayed()), "")

    def whole(self) -> str:
        """Return the text of the view that is shown, without what Python drew."""
        return str(self.script("return document.getElementById('main').innerText"))

    def says(self, selector: str, words: str) -> None:
        """Wait until an element has some words in it."""
        self.until(lambda: words in self.text(selector))

    def script(self, code: str, *arguments: Any) -> Any:
        """Run JavaScript."""
        return self.driver.execute_script(code, *arguments)

    def ask(self, what: str, **rest: Any) -> Any:
        """Ask Python in the browser as the page does."""
        return self.ask_all([(what, rest)])[0]

    def ask_all(self, questions: list[tuple[str, dict[str, Any]]]) -> list[Any]:
        """Ask several questions at once."""
        said: list[Any] = self.driver.execute_async_script(
            "const [questions, done] = arguments;"
            "import(new URL('engine.js', document.baseURI))"
            ".then(({ ask }) => Promise.all(questions.map(([what, rest]) => ask(what, rest)))).then(done)",
            questions,
        )
        return said

    def shadow(self, selector: str) -> str:
        """Return the text of what Python drew."""
        return str(self.script(f"return document.querySelector({selector!r})?.shadowRoot?.textContent ?? ''"))

    def typed(self, element: Any, text: str) -> None:
        """Replace what a field holds, and leave it."""
        from selenium.webdriver.common.keys import Keys

        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(text + Keys.ENTER)

    def tap(self, element: Any) -> None:
        """Tap the middle of an element, as a finger does."""
        self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
        box = self.script("const { x, y, width, height } = arguments[0].getBoundingClientRect();"
                          "return { x: x + width / 2, y: y + height / 2 }", element)  # fmt: skip
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [box]})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def media(self, scheme: str = "light", width: int = 0) -> None:
        """Prefer dark or light; be a phone's width, or as the window is (0)."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        if width:
            metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": True}
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        else:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def errors(self) -> list[str]:
        """Return what the browser complains about: refused by policy, not found, thrown."""
        return [each["message"] for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]
