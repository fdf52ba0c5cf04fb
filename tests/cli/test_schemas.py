"""What is printed with ``--json`` is what the schema of the command describes, to the last key."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from documents import blocks
from goldens import COMMANDS
from hypothesis import given
from hypothesis import strategies as st
from instructions.test_clean_plans import some_plan
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from render.test_scan_shapes import functions
from run import GOLDENS
from run import smemdesc as run
from samples import contexts, kinds, masks, pasted, sampled, some, values
from shown import fill, of_help, of_pages

import smemdesc
from smemdesc import Context
from smemdesc.api.schemas import schemas
from smemdesc.descriptors.decoding import decode_value
from smemdesc.instructions.mma import Judge
from smemdesc.kinds.kind import Kind
from smemdesc.render.scan_json import JsonLines
from smemdesc.scanning.model import Function

_COMMAND = re.compile(r"\bsmemdesc ((?:[^|>;&\"']|\"[^\"]*\"|'[^']*')*)")
"""A command in a line of a shell, up to what takes its output."""
NAMES = [name for name in schemas() if name not in ("errors", "probe")]
"""Those of commands that run here: ``probe`` needs a GPU, ``test_probe.py`` has one of its own making."""
_LEFT_OUT = ("--help", "--svg", "--version", "web", "gdb", "schema", "lsp", "skill", "probe", "-", "--")
"""Words of what is no JSON, is not run, or waits for standard input."""


@cache
def checker(name: str) -> Draft202012Validator:
    return Draft202012Validator(smemdesc.schema(name))


def faults(name: str, *objects: Any) -> list[str]:
    """Return what a schema has against objects."""
    errors = filter(None, (best_match(checker(name).iter_errors(data)) for data in objects))
    return [f"{name}: {list(error.absolute_path)}: {error.message[:300]}" for error in errors]


def command_lines() -> Iterator[list[str]]:
    """Yield the command lines of the goldens, of the documents and of the help texts, with ``--json``."""
    texts = [text.removeprefix("$ ") for block in blocks() for text in block.commands]
    texts += [text for _, text in [*of_help(), *of_pages()]]
    for path in sorted((GOLDENS / "sessions").glob("*.txt")):
        texts += re.findall(r"(?m)^\$ (.*)$", path.read_text())
    typed = [shlex.split(words) for text in texts for words in _COMMAND.findall(text)]
    for words in [*(command.words for command in COMMANDS.values()), *typed]:
        if words and not set(_LEFT_OUT) & set(words):
            yield [word for word in words if word != "--json"] + ["--json"]


def schema_of(words: list[str]) -> str:
    """Return the name of the schema of a command line."""
    form = next((option for option in ("--diff", "--agree") if option in words), "")
    names_files = any(re.search(r"\.\w+$", word) for word in words[1:])
    if form or words[0] == "diff":
        return f"{'scan' if words[0] == 'scan' or names_files else 'decode'} {form or '--diff'}"
    if words[0] == "layout":
        return f"layout {words[1]}" if f"layout {words[1]}" in NAMES else "layout atom"
    if words[0] == "mask" and "conv" in words:
        return "mask conv"
    if words[0] not in NAMES:
        return "scan" if re.search(r"\.\w+$", words[0]) else "decode"
    return words[0]


@cache
def by_schema() -> dict[str, list[list[str]]]:
    lines: dict[str, list[list[str]]] = {name: [] for name in NAMES}
    for words in command_lines():
        if words not in lines[schema_of(words)]:
            lines[schema_of(words)].append(words)
    return lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the examples, with what documents name by its path."""
    made = tmp_path_factory.mktemp("json")
    fill(made)
    return made


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


FEW = 2
"""The command lines of each schema that a plain run tries, with one element of each long list."""
PAIR = 3


def cut(data: Any) -> Any:
    if isinstance(data, list):
        return [cut(each) for each in (data[:1] if len(data) > PAIR else data)]
    return {key: cut(value) for key, value in data.items()} if isinstance(data, dict) else data


def objects(words: list[str]) -> list[Any]:
    """Return what a command line prints; what it says on standard error is as its schema says."""
    ran = run(*words)
    assert faults("errors", *map(json.loads, ran.err.splitlines())) == [], words
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_output_is_what_the_schema_says(name: str, there: None) -> None:
    data = [cut(each) for words in by_schema()[name][:FEW] for each in objects(words)[:FEW]]
    assert data
    assert faults(name, *data) == []


@pytest.mark.corpus
@pytest.mark.parametrize("name", NAMES)
def test_every_output_is_what_the_schema_says(name: str, there: None) -> None:
    for words in by_schema()[name]:
        assert faults(name, *objects(words)) == [], words


USAGE = re.findall(r"(?m)^\$ smemdesc (.*)$", (GOLDENS / "sessions" / "usage.txt").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["bogus", "decode --zzz 1", "scan nofile", "decode 0x40004o40", *USAGE])
@pytest.mark.parametrize("json_option", ["--json", "-j"])
def test_an_error_is_one_object(text: str, json_option: str, there: None) -> None:
    ran = run(*shlex.split(text), json_option)
    if not ran.status:
        return
    said = [json.loads(line) for line in ran.err.splitlines()]
    assert faults("errors", *said) == []
    assert said[-1]["severity"] == "error"


# ---- what no command line has thought of ----


@pytest.mark.slow
@some(200)
@given(st.data(), kinds, contexts)
def test_any_decoded_value(data: st.DataObject, kind: Kind, case: Context) -> None:
    bits, known = data.draw(values(kind)), data.draw(masks(kind.table.width).filter(bool))
    named = data.draw(st.sampled_from([None, kind.name]))
    assert faults("decode", decode_value(pasted(bits, known, kind.table.width), named, context=case).to_dict()) == []


@some(48, least=6)
@given(st.integers(0, 1 << 32))
def test_any_plan(seed: int) -> None:
    assert faults("plan", some_plan(Random(seed)).to_dict()) == []


@pytest.mark.slow
@some(100)
@given(functions)
def test_any_function(of: Function) -> None:
    for mma in of.mmas:
        line = JsonLines().mma("k", of, mma, Judge().judge(mma.model))
        assert faults("scan", json.loads(line)) == []


# ---- the schemas themselves ----


@pytest.mark.slow
@pytest.mark.parametrize("name", schemas())
def test_a_schema_is_sound_and_stands_alone(name: str) -> None:
    schema = smemdesc.schema(name)
    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    assert set(re.findall(r'"\$ref": "([^"]*)"', text)) <= {f"#/$defs/{part}" for part in schema["$defs"]}
    assert run("schema", *name.split()).out == json.dumps(schema, indent=2) + "\n"


def test_no_shared_part_is_left_over_or_hidden() -> None:
    folder = Path(smemdesc.__file__).parent / "schemas"
    shared = set(json.loads((folder / "common.json").read_text())["$defs"])
    used = {part for name in schemas() for part in smemdesc.schema(name)["$defs"]}
    assert shared <= used
    assert [name for name, own in schemas().items() if shared & set(own.get("$defs", {}))] == []


FREE = ("fields", "repair", "arguments", "bytes")
"""Objects whose keys are not the schema's: the tables', or those of a call."""


def renamed(data: Any, free: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield each key of an object and of those in it, with the object in which it is renamed."""
    if isinstance(data, list) and data:
        yield from ((key, [first, *data[1:]]) for key, first in renamed(data[0]))
    for key, value in (list(data.items())[: 1 if free else None]) if isinstance(data, dict) else ():
        if not free:
            yield key, {f"{name}_x" if name == key else name: each for name, each in data.items()}
        yield from ((f"{key}.{inner}", {**data, key: part}) for inner, part in renamed(value, key in FREE))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(NAMES))
def test_a_renamed_key_is_noticed(name: str, there: None) -> None:
    data = cut(next(each for words in by_schema()[name] for each in objects(words)))
    assert [key for key, other in renamed(data) if checker(name).is_valid(other)] == []
