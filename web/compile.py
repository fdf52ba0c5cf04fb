"""Make ``/python.zip`` of Pyodide's standard library and ``/packages.zip``, and ``/about.js``: run in Pyodide.

The page's imports are compiled, so that a first visit need not do it; the rest is unchanged. Line tables,
annotations of functions and docstrings that are not shown are left out: they are a third of the size, and messages on
the page have no line numbers.
"""

import ast
import hashlib
import importlib
import io
import json
import marshal
import pkgutil
import shutil
import sys
import types
import zipfile
from importlib.util import MAGIC_NUMBER

LIBRARY, PACKAGES, OUT = "/lib/python314.zip", "/packages.zip", "/python.zip"
OWN = "smemdesc/"
SHOWN = (f"{OWN}rules/", f"{OWN}cli/")
"""Where docstrings are shown: by ``explain``, and in help texts."""
BESIDE = "site-packages/"
"""The folder in the archive of what the worker writes into files: Python loads no machine code out of an archive."""
PLAN = ("plan", "128x128x64", "--dtype", "bf16", "--a-major", "K", "--b-major", "K")
FIRST = (
    {"do": "run", "words": PLAN, "columns": 120},
    {"do": "run", "words": [*PLAN, "--field", "arch", "--force"], "plain": True},
    {"do": "run", "words": [*PLAN, "--svg", "-"], "plain": True},
)
"""What the page asks when it is opened, as it writes that (``web/site/plan.js``)."""
UNUSED = (
    "_pyio", "_pyrepl", "argparse", "bdb", "code", "compileall", "concurrent/futures/process", "ctypes", "curses",
    "difflib", "doctest", "email", "ensurepip", "fileinput", "ftplib", "http", "imaplib", "ipaddress",
    "logging/config", "logging/handlers", "mailbox", "modulefinder", "multiprocessing", "optparse", "pdb",
    "pickletools", "plistlib", "poplib", "profile", "pstats", "pydoc", "smtplib", "socketserver", "sqlite3",
    "statistics", "symtable", "tarfile", "tkinter", "tomllib", "trace", "tracemalloc", "turtle", "unittest",
    "urllib/request", "urllib/robotparser", "uuid", "venv", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp",
)  # fmt: skip
"""Of the standard library: servers, mail, tests, debuggers and the like, which nothing on the page imports."""
ENCODINGS = {f"encodings/{name}.py" for name in ("ascii", "cp1252", "latin_1", "utf_16", "utf_16_le", "utf_32")}
NOTHING_TO_CHECK = b"\1\0\0\0" + bytes(8)
"""Of a compiled file: it belongs to no source that may be newer."""


def main() -> None:
    library, packages = contents(LIBRARY), contents(PACKAGES)
    shutil.unpack_archive(PACKAGES, "/packages", "zip")
    sys.path.insert(0, "/packages")
    used = imported()
    made = {name: data for name, data in library.items() if name in used or not unused(name)}
    made |= {name if not name.startswith("bitarray/") else BESIDE + name: data for name, data in packages.items()}
    with zipfile.ZipFile(OUT, "w") as archive:
        for name, data in sorted(made.items()):
            plain = name.removeprefix(BESIDE)
            if plain.endswith(".py") and (plain in used or plain.startswith(OWN)):
                name, data = f"{name}c", compiled(plain, data)
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    with open("/about.js", "w") as file:
        file.write(f"export default {json.dumps(about())};\n")


def about() -> dict[str, object]:
    """Return the page's data before Python has started: also the answers of its first view, and a name of the build."""
    from smemdesc.integrations.page.bridge import answer_page
    from smemdesc.integrations.page.commands import about_page

    first = {
        question: answer_page(question) for question in (json.dumps(each, separators=(",", ":")) for each in FIRST)
    }
    with open(OUT, "rb") as archive:
        build = hashlib.sha256(archive.read()).hexdigest()[:16]
    return {**about_page(), "first": first, "build": build}


def contents(path: str) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def unused(name: str) -> bool:
    if name.startswith("encodings/"):
        return name not in ENCODINGS
    return name.startswith(tuple(f"{each}{end}" for each in UNUSED for end in ("/", ".py")))


def imported() -> set[str]:
    """Return the files that the page needs: our modules and all that they import."""
    import smemdesc
    from smemdesc.integrations.page.bridge import answer_page
    from smemdesc.scanning.results.function_names import without_namespaces

    for module in pkgutil.walk_packages(smemdesc.__path__, OWN.replace("/", ".")):
        if module.name != "smemdesc.debugger.cuda_gdb":  # the debugger's Python runs that one
            importlib.import_module(module.name)
    without_namespaces("_Z1fv")
    answer_page('{"do": "run", "words": ["decode", "0x4000404000010040"]}')
    names = [name.replace(".", "/") for name in sys.modules]
    return {name + end for name in names for end in (".py", "/__init__.py")}


def compiled(name: str, source: bytes) -> bytes:
    tree = ast.parse(source)
    for node in ast.walk(tree) if name.startswith(OWN) else ():
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0 if name.startswith(SHOWN) else 2)
    out = io.BytesIO()
    out.write(MAGIC_NUMBER + NOTHING_TO_CHECK)
    marshal.dump(without_lines(code), out)
    return out.getvalue()


def without_lines(code: types.CodeType) -> types.CodeType:
    inner = tuple(without_lines(each) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner)


main()
