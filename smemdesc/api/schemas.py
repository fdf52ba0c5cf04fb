"""``smemdesc.schema``: the JSON schemas of what the commands print, the files of ``smemdesc/schemas``.

What several of them share is in ``common.json``; :func:`schema` copies what one of them needs into it, and writes the
names of the swizzle modes.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from smemdesc.api.options import readers
from smemdesc.engine.errors import SmemdescError, keywords
from smemdesc.kinds.modes import by_width

_FOLDER = files("smemdesc") / "schemas"
_SHARED = "common.json"
_REFERENCE = re.compile(rf'"{_SHARED}#/\$defs/(\w+)"')


def schemas() -> dict[str, dict[str, Any]]:
    """Return the files of the schemas by the command and the option that they are for: ``scan --diff``."""
    read = {file.name: json.loads(file.read_text("utf-8")) for file in _FOLDER.iterdir()}
    del read[_SHARED]
    named = {str(part["title"]).removeprefix("smemdesc "): part for part in read.values()}
    return dict(sorted(named.items()))


@keywords
def schema(command: str) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of an object that a command prints with ``--json``: ``smemdesc schema``.

    ``command`` is ``decode``, ``scan --diff`` or another that ``smemdesc schema`` lists; ``errors`` is what is printed
    on standard error. The result refers to no other schema.
    """
    known = schemas()
    named = {name.replace("--", ""): name for name in known}  # an error of the API names options without dashes
    command = " ".join(readers.read_text("command", command).replace("--", "").split())
    if command not in named:
        from smemdesc.engine.wording import nearest

        hint = nearest(command, known, f"the schemas are {', '.join(known)}")
        raise SmemdescError(f"there is no schema {command!r}", hint=hint, keyword="command")
    own = known[named[command]]
    shared = json.loads((_FOLDER / _SHARED).read_text("utf-8"))["$defs"]
    shared["swizzle"] = {"enum": [mode.name for mode in by_width()], "description": "swizzle mode"}
    waiting = _REFERENCE.findall(json.dumps(own))
    needed: dict[str, Any] = {}
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = shared[name]
            waiting += _REFERENCE.findall(json.dumps(shared[name]))
    text = json.dumps({**own, "$defs": {**dict(sorted(needed.items())), **own.get("$defs", {})}})
    complete: dict[str, Any] = json.loads(_REFERENCE.sub(r'"#/$defs/\1"', text))
    return complete
