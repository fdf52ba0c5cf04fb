"""Build the page: a folder of static files in ``web/dist``, from ``web/site``, this package, Pyodide and five wheels.

``python web/build.py`` needs node, npm (or the registry itself) and pip; a second build needs only node, since
downloads stay in ``web/.downloads``. Every download is pinned by version and hash.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import html
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

from markdown_pages import documents

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SITE, DIST, DOWNLOADS = HERE / "site", HERE / "dist", HERE / ".downloads"

PYODIDE = "314.0.7"
PYODIDE_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
REGISTRY = "https://registry.npmjs.org/pyodide/-"
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What of Pyodide's package the page loads."""
LOCK = "pyodide-lock.json"
LIBRARY = "python_stdlib.zip"
"""What it loads compiled, together with the wheels."""
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "3.14"
"""Of this Pyodide: ``info`` of its ``pyodide-lock.json``."""
WHEELS = """\
bitarray==3.12.3 --hash=sha256:841b1aad10f4291463bc16fa65066d29f3fed65a8ff115c8f7e93c26787103d5
bitstring==4.4.0 --hash=sha256:feac49524fcf3ef27e6081e86f02b10d2adf6c3773bf22fbe0e7eea9534bc737
click==8.3.1 --hash=sha256:981153a64e25f12d547d3426c367a4857371575ee7ad18df2a6183ab0545b2a6
demangle==0.6.0 --hash=sha256:1be7cb87596a42819fd5b270b691b0c08bc002fb004bddc1484d70d40a410073
rich==14.3.3 --hash=sha256:793431c1f8619afa7d3b52b2cdec859562b950ea0d4b6b505397612db8d5362d
"""
"""The versions of Pyodide's own lock file, which has no demangle; its wheel of bitarray is not in the npm package, PyPI
has one that fits."""
WRITERS = """\
markdown_it_py==3.0.0 --hash=sha256:355216845c60bd96232cd8d8c40e8f9765cc86f46880e43a8fd22dc1a1a8cab1
mdurl==0.1.2 --hash=sha256:84008a41e51615a49fc9966191ff91509e3c40b939176e643fd50a5c2196b8f8
"""
"""What writes the documents as HTML, here."""
OTHER_NAMES = (
    "ada", "codewarrior", "d", "delphi", "gnuv2", "go", "jni", "msvc", "nim", "objc", "pascal", "rust", "swift",
)  # fmt: skip
"""What demangle reads beside the names of nvcc and clang."""
LEFT_OUT = (
    *("tests/", ".h", "test/", ".dist-info/", ".pyi", "py.typed", "bitarray/test_", "share/", "__main__"),
    *("demangle/cli", *(f"demangle/schemes/{each}/" for each in OTHER_NAMES)),
    *(
        f"smemdesc/integrations/{each}"
        for each in ("compiled.py", "cute.py", "language_server/", "pytest_plugin/", "triton.py")
    ),
    *("smemdesc/probe/", "smemdesc/render/probe.py"),  # there is no GPU to ask
    # Widths of characters in older versions of Unicode: rich takes the newest.
    *(f"rich/_unicode_data/unicode{version}-" for version in range(4, 17)),
)
"""Of the wheels: what the page does not load. The names are parts of paths."""
LIMIT = 8_000_000
"""Bytes of all files, compressed as a server sends them."""
MISSING = 3
"""The status where something of this machine or of the network is missing. What is wrong with the page is 1."""


def main() -> None:
    """Build, and report the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=DIST, help="where the page goes; it is replaced")
    parser.add_argument("--source", default=source(), help="address of the repository (%(default)s)")
    given = parser.parse_args()
    out = given.out
    try:
        build(out, given.source)
    except OSError as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(MISSING)
    sizes = {path: len(gzip.compress(path.read_bytes(), 9)) for path in out.rglob("*") if path.is_file()}
    total = sum(sizes.values())
    print(f"{out}: {len(sizes)} files, {total / 1e6:.2f} MB compressed")
    if total > LIMIT:
        sys.exit(f"error: more than {LIMIT / 1e6:.0f} MB")


def source() -> str | None:
    """Return the URL of the repository of this checkout, if it has one."""
    asked = ["git", "-C", str(ROOT), "config", "--get", "remote.origin.url"]
    told = subprocess.run(asked, capture_output=True, text=True).stdout.strip() if shutil.which("git") else ""
    return web_address(told)


def web_address(remote: str) -> str | None:
    """Return the browser URL of a git remote, without names and passwords; None if it has none."""
    found = re.fullmatch(r"(?:https?://(?:[^@/]+@)?|(?:ssh://)?git@)([\w.-]+)[:/](.+?)(?:\.git)?/?", remote)
    return f"https://{found[1]}/{found[2]}" if found else None


def build(out: Path, source: str | None = None) -> None:
    """Put the page into a folder; :class:`OSError` if something is missing."""
    engine, wheels = pyodide(), downloaded_wheels(WHEELS)
    with tempfile.TemporaryDirectory(dir=HERE) as made:
        folder = Path(made) / "site"
        shutil.copytree(SITE, folder)
        (folder / "pyodide").mkdir()
        for name in (*ENGINE, LOCK):
            (folder / "pyodide" / name).write_bytes(engine[name])
        documents(ROOT / "docs", folder / "docs", source, downloaded_wheels(WRITERS))
        index = folder / "index.html"
        text = index.read_text(encoding="utf-8")
        link = f', <a href="{html.escape(source)}">source</a>' if source else ""
        index.write_text(text.replace(', <a href="SOURCE">source</a>', link), encoding="utf-8")
        compiled(engine, packages([*wheels, own_wheel(Path(made))]), folder)
        listed = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        worker = folder / "service.js"
        text = worker.read_text(encoding="utf-8")
        files = json.dumps(["./", *(name for name in listed if name != "service.js")])
        worker.write_text(text.replace('"FILES"', files).replace("VERSION", digest(folder)), encoding="utf-8")
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(folder, out)


def digest(folder: Path) -> str:
    """Return a name that depends on the content of a folder."""
    seen = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        seen.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return seen.hexdigest()[:16]


def pyodide() -> dict[str, bytes]:
    """Return the files of Pyodide, and a lock file with only the page's packages."""
    archive = DOWNLOADS / f"pyodide-{PYODIDE}.tgz"
    if not archive.exists():
        DOWNLOADS.mkdir(exist_ok=True)
        npm = shutil.which("npm")
        if npm:  # it knows the registry that this machine uses
            subprocess.run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], cwd=DOWNLOADS, capture_output=True)
        if not archive.exists():
            url = f"{REGISTRY}/{archive.name}"
            try:
                with urllib.request.urlopen(url, timeout=60) as answer:
                    archive.write_bytes(answer.read())
            except OSError as problem:
                raise OSError(f"{problem}; the page needs {url} once") from None
    data = archive.read_bytes()
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != PYODIDE_SHA512:
        archive.unlink()
        sys.exit(f"error: {archive.name} is not the file that is pinned")
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:

        def file(name: str) -> bytes:
            found = opened.extractfile(f"package/{name}")
            assert found is not None, name
            return found.read()

        files = {name: file(name) for name in (*ENGINE, LIBRARY)}
        lock = json.loads(file(LOCK))
    assert "pyemscripten_{abi_version}_{arch}".format(**lock["info"]) == PLATFORM, lock["info"]
    files[LOCK] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    return files


def downloaded_wheels(wanted: str) -> list[Path]:
    """Return pinned wheels."""
    DOWNLOADS.mkdir(exist_ok=True)
    pinned = [line.split(" --hash=sha256:") for line in wanted.splitlines()]
    found = [_held(name.replace("==", "-"), sha) for name, sha in pinned]
    if all(found):
        return [path for path in found if path]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(wanted)
        file.flush()
        _pip("download", "--no-deps", "--only-binary", ":all:", "--platform", PLATFORM, "--python-version", PYTHON,
             "--implementation", "cp", "--require-hashes", "-r", file.name, "-d", str(DOWNLOADS))  # fmt: skip
    return [path for name, sha in pinned if (path := _held(name.replace("==", "-"), sha))]


def _held(name: str, sha: str) -> Path | None:
    """Return the downloaded wheel with this name and hash."""
    for path in DOWNLOADS.glob(f"{name}-*.whl"):
        if hashlib.sha256(path.read_bytes()).hexdigest() == sha:
            return path
    return None


def own_wheel(folder: Path) -> Path:
    """Build the wheel of this package."""
    alone = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    _pip("wheel", "--no-deps", *alone, "-w", str(folder), str(ROOT))
    return next(folder.glob("smemdesc-*.whl"))


def _pip(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words], capture_output=True, text=True
    )
    if done.returncode:
        raise OSError(f"pip {words[0]}: {done.stderr.strip()}")


def packages(wheels: list[Path]) -> bytes:
    """Return one archive of all wheels, with only what the page loads; the same bytes for the same wheels."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(_members(wheels)):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def compiled(engine: dict[str, bytes], packages: bytes, out: Path) -> None:
    """Write ``python.zip``, the standard library and the packages compiled by the page's Python, and ``about.js``, the
    page's data before Python has started; node runs it."""
    node = shutil.which("node")
    if not node:
        raise OSError("no node, which compiles the packages for the page: install Node.js 20 or later")
    with tempfile.TemporaryDirectory() as made:
        for name, data in {**engine, "packages.zip": packages}.items():
            (Path(made) / name).write_bytes(data)
        words = [node, str(HERE / "compile.mjs"), made, f"{made}/packages.zip", str(out)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"error: compile.mjs: {done.stderr[-2000:].strip()}")


def _members(wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                if not name.endswith("/") and loaded(name):
                    yield name, opened.read(name)


def loaded(name: str) -> bool:
    """Return whether the page gets this file of a wheel: what it loads, and licenses."""
    return "LICENSE" in name.upper() or not any(part in name for part in LEFT_OUT)


if __name__ == "__main__":
    main()
