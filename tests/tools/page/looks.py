"""``python -m page.looks FOLDER`` (in tests/tools): a screenshot of each view, wide, on a phone, and in the dark.

Look at the pictures: no test can tell whether they look right. ``FOLDER/page.png`` is the README's: copy it to
``docs/pictures``. Without FOLDER, the times are taken.
"""

from __future__ import annotations

import base64
import statistics
import sys
import threading
import time
import zlib
from pathlib import Path
from urllib.parse import urlencode

from smemdesc.cli.support.serving import page_url, server

from .browser import PAGE, Page, chromium, missing
from .views import DATA, PICTURES, VALUE, VIEWS, WORDS

README = (1100, 984)
"""The size of the README's picture."""
SLOW = 4
"""How much slower a slow machine is."""
SVG = {name: [*words, "--svg", "-"] for name, words in PICTURES.items()}
PLAN = ["plan", "128x128x64", "--dtype", "bf16"]
ASKED = [
    ("decode", {"text": VALUE}),
    ("decode", {"text": "0x08400010"}),
    ("edit", {"bits": VALUE, "kind": "tcgen05", "bit": 62}),
    *(("run", {"words": words, "plain": True}) for words in SVG.values()),
    ("run", {"words": [*PLAN, "--format", "cuda"], "plain": True}),
    ("run", {"words": PLAN}),
    ("run", {"words": ["decode", VALUE]}),
    ("run", {"words": ["layout", "address", VALUE, *WORDS, "--byte", "1034"]}),
]


def dumped(show: str) -> str:
    """Return the state of a scan of an example."""
    packed = zlib.compressobj(9, wbits=-15)
    data = packed.compress((DATA / "gemm_sm100.sass").read_bytes()) + packed.flush()
    return f"scan?z={base64.urlsafe_b64encode(data).decode().rstrip('=')}{show}"


SCANS = {"scan": dumped(""), "listing": dumped("&show=--annotate")}


def whole(page: Page, width: int, most: int = 3000) -> bytes:
    """Return a picture of the whole page, as long as it is."""
    height = page.script("return document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, most), "scale": 1}
    taken = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    return base64.b64decode(taken["data"])


def main(folder: Path | None) -> None:
    """Take the pictures, or the times."""
    with server(PAGE, 0) as served, chromium() as driver:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        page = Page(driver, page_url(served))
        for slower in (1, SLOW) if not folder else ():
            driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slower})
            driver.get("about:blank")
            began = time.monotonic()
            driver.get(f"{page.home}#decode?text={VALUE}")
            page.says("h2", VALUE)
            print(f"first answer, the processor slowed down {slower}: {time.monotonic() - began:.1f} s")
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
        for what, rest in ASKED if not folder else ():
            times = []
            for number in range(20):
                # Another width each time: the page keeps what it was answered.
                more = {"columns": 100 + number} if what == "run" else {}
                began = time.monotonic()
                page.ask(what, **rest, **more)
                times.append(1000 * (time.monotonic() - began))
            said = " ".join(rest.get("words", [what, rest.get("text", "")]))
            print(f"{statistics.median(times):4.0f} ms, fastest {min(times):3.0f}: {said}")
        for name, state in (VIEWS | SCANS).items() if folder else ():
            for looks, width in (("light", 0), ("dark", 0), ("light", 390)):
                page.media(looks, width)
                page.open(state)
                page.until(lambda: not page.all("[aria-busy=true]"))
                time.sleep(0.4)
                picture = folder / f"{name}-{looks}{'-phone' if width else ''}.png"
                picture.write_bytes(whole(page, width or 1250))
        if folder:  # a value with one of its fields lit
            page.media(width=README[0])
            page.open(f"decode?{urlencode({'text': VALUE, 'dtype': 'bf16', 'major': 'K', 'tile': '128x64'})}")
            page.one(".picture .drawn")
            page.script("document.querySelector('[data-of=stride_byte_offset]').click()")
            (folder / "page.png").write_bytes(whole(page, *README))
        served.shutdown()


if __name__ == "__main__":
    if missing():
        sys.exit(missing())
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
