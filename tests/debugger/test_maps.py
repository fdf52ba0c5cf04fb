"""``smemdesc map`` in the debugger: which memory is read for an expression, and what is said where there is no map.

And ``smemdesc shared``: what the maps that are found are compared with.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from silicon.debugger.recorded import sessions
from tables import every_row

from smemdesc.debugger import SCRIPT
from smemdesc.debugger.maps import MAP_BYTES, maps_of
from smemdesc.debugger.questions import DecodeQuestion, PlainLine, Question
from smemdesc.debugger.session import session
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.tensormap import encode_map
from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines
from smemdesc.render.debugger import view
from smemdesc.scanning.results.report import fold

from .test_sessions import BARE, LISTING, where

MAP = encode_map("bf16", 0x7F0000000000, (4096, 2048), (8192,), (64, 128), swizzle="128B").value.to_bytes(
    MAP_BYTES, "little"
)


def encoded(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode()}


def played(command: str, **answers: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """Type a command; return what was asked of the debugger, and what is shown.

    ``answers`` are those to each question; of ``memory`` one for each address space.
    """
    running, asked, shown = session(command), [], []
    message = next(running, None)
    while message is not None:
        try:
            if isinstance(message, Question):
                asked.append(question := message.to_json())
                answer = answers.get(question["ask"], {"error": "no"})
                message = running.send(answer(question) if callable(answer) else answer)
            else:
                shown.append(message)
                message = next(running)
        except StopIteration:
            break
    return asked, shown


@every_row(
    ("pointer", "space"),
    [  # as cuda-gdb 13.0 names them on an H100
        ("const CUtensorMap *", ""),
        ("<text variable, no debug info> *", ""),
        ("@parameter char *", "parameter"),
        ("@constant CUtensorMap *", "constant"),
        ("@generic cuuint64_t (*)[16]", "generic"),
        ("const @generic CUtensorMap * @parameter", "generic"),
        ("const @generic CUtensorMap * @register", "generic"),
        ("const @generic CUtensorMap * @parameter *", "parameter"),
    ],
)
def test_the_address_space_is_that_of_what_is_pointed_to(pointer: str, space: str) -> None:
    found = {"address": 640, "size": MAP_BYTES, "pointer": pointer}
    asked, shown = played("map a.b + 1 --short", find=found, memory=encoded(MAP))
    assert asked[0] == {"ask": "find", "expression": "a.b + 1"}
    assert asked[1] == {"ask": "memory", "first": 640, "count": MAP_BYTES, "space": space}
    assert shown == [DecodeQuestion(MAP.hex(), ("--short",))]


@pytest.mark.parametrize("first", ["$UR4", "$R4"])
def test_a_register_begins_the_pair_that_holds_an_address(first: str) -> None:
    asked, shown = played(f"map {first}", values={"values": [0x280, -2]}, memory=encoded(MAP))
    assert asked[0] == {"ask": "values", "expressions": [first, first.replace("4", "5")]}
    assert asked[1]["first"] == 0xFFFFFFFE_00000280
    assert shown == [DecodeQuestion(MAP.hex(), ())]


PARAMETERS = bytes(48) + b"\x08" * 64 + MAP + bytes(64) + MAP
"""What is read from 0x210 on: a map at 0x280, and one behind the parameters, from what lay there before."""


def parameters(question: dict[str, Any]) -> dict[str, Any]:
    """Answer as cuda-gdb does: beyond the parameters nothing begins, and is read all the same."""
    first, count = question["first"] - 0x210, question["count"]
    if question["space"] != "parameter" or not 0 <= first < 48 + 64 + MAP_BYTES:
        return {"error": f"Cannot access memory at address {question['first']:#x}"}
    return encoded(PARAMETERS[first : first + count])


def test_the_maps_among_the_parameters_are_found() -> None:
    _, shown = played("map", where={"arch": "sm_90"}, memory=parameters)
    assert shown == [PlainLine("(@parameter char*)0x280"), DecodeQuestion(MAP.hex(), ())]


PACKED = {0x2C0: (4096, 64), 0x300: (2048, 64), 0x440: (512, 128)}
"""As cuBLASLt has them: 64 bytes each, one after the other; the sizes of the tensors."""


def packed(question: dict[str, Any]) -> dict[str, Any]:
    """Answer with the parameters of cuBLASLt's kernel."""
    data = bytearray(range(256)) * 17
    for at, (rows, columns) in PACKED.items():
        value = encode_map("bf16", 0x7F0000000000, (columns, rows, 1), (2 * columns, 2 * rows * columns), (64, 128, 1))
        data[at - 0x210 :][:64] = data[at - 0x210 : at - 0x210 + 64] = value.value.to_bytes(MAP_BYTES, "little")[:64]
    first, count = question["first"] - 0x210, question["count"]
    return encoded(bytes(data[first : first + count])) if question["space"] == "parameter" else {"error": "no"}


def test_the_maps_of_a_library_are_found_by_its_copies() -> None:
    """Its parameters have no types, and no map has its second half."""
    listing = next(answer for asked, answer in sessions()["cublaslt"][0].asked if asked["ask"] == "listing")
    _, shown = played("map", where={"arch": "sm_90"}, memory=packed, listing=listing)
    assert [text.text for text in shown[::2]] == [
        "(@parameter char*)0x2c0  UTMALDG.3D.MULTICAST at +15824, +17728",
        "(@parameter char*)0x300  UTMALDG.3D at +15856, +17760",
        "(@parameter char*)0x440  UTMASTG.3D at +9008, +9312, +9616, +9920 and 4 more",
    ]
    for question, (rows, columns) in zip(shown[1::2], PACKED.values(), strict=True):
        assert f"BFLOAT16 {columns}x{rows}x1" in str(decode_value(question.value)), question
        assert question.value.endswith("?" * 128)


def test_a_map_that_a_parameter_points_to() -> None:
    """The copy by a map in constant memory names the register that has its address."""
    texts = [answer for asked, answer in sessions()["wrong_map"][1].asked if asked["ask"] == "listing"]

    def memory(question: dict[str, Any]) -> dict[str, Any]:
        spaces = {"parameter": (MAP[:8] + bytes(4088))[: question["count"]], "": MAP}
        assert question["space"] == "parameter" or question["first"] == int.from_bytes(MAP[:8], "little")
        return encoded(spaces[question["space"]])

    _, shown = played("map", where={"arch": "sm_90"}, memory=memory, listing=texts[0])
    assert shown == [
        PlainLine("(char*)0x7f0000000000  UTMALDG.2D at +368, +528"),
        DecodeQuestion(MAP.hex(), ()),
        PlainLine("UTMALDG.2D at +656: its map is not among the parameters; stop there, then: smemdesc map $UR4"),
    ]


@pytest.mark.parametrize(("mapped", "backing"), [(1 << 17, 1 << 17), (1 << 16, 1 << 16), (70_000, 69_632)])
def test_what_is_mapped_decides_the_allocation_class(mapped: int, backing: int) -> None:
    large = bytearray(MAP)
    large[10] |= 1 << 5  # bit 85

    def memory(question: dict[str, Any]) -> dict[str, Any]:
        if question["space"] == "global":
            unmapped = question["first"] >= 0x7F0000000000 + mapped
            return {"error": "read_global_memory(): failed to read 1 bytes"} if unmapped else encoded(b"\0")
        return encoded(bytes(large))

    found = {"address": 640, "size": MAP_BYTES, "pointer": "const CUtensorMap *"}
    _, shown = played("map m", find=found, memory=memory)
    assert shown == [DecodeQuestion(bytes(large).hex(), ("--backing", str(backing)))]


@pytest.mark.parametrize(
    ("command", "find", "said", "hint"),
    [
        ("map b", {"error": 'No symbol "b" in current context.'}, 'says: No symbol "b"', "map (@parameter char*)0x280"),
        ("map 0x210", {"address": 0x210, "size": None, "pointer": ""}, "says: Cannot access memory", "0x280"),
        ("map p", {"address": 8, "size": 320, "pointer": "P *"}, r"p: 320 B \(P \*\); a tensor map has", "(char*)(p)"),
        ("map &p", {"address": 8, "size": 8, "pointer": "T **"}, "&p: 8 B", "name the map"),
        ("map $UR70", {}, r"\$UR70: the debugger says", "0x280"),
    ],
)  # fmt: skip
def test_what_is_no_map(command: str, find: dict[str, Any], said: str, hint: str) -> None:
    with pytest.raises(SmemdescError, match=said) as raised:
        played(command, find=find, where={"arch": "sm_90"}, memory=parameters)
    assert hint in raised.value.hint


def test_a_kernel_without_maps() -> None:
    with pytest.raises(SmemdescError, match="this kernel has no tensor map among its parameters"):
        played("map", where={"arch": "sm_100"}, memory=encoded(bytes(4096)))


def test_maps_are_named_for_operands() -> None:
    words = ["--b-map", "b", "--a-map", "(@parameter", "char*)0x280"]
    assert maps_of(words) == {"b": "b", "a": "(@parameter char*)0x280"}


@pytest.mark.parametrize(("command", "said"), [("--c-map m", "c_map m"), ("next m", "m: not"), ("--a-map", "which")])
def test_an_option_that_is_none(command: str, said: str) -> None:
    with pytest.raises(SmemdescError, match=said):
        next(session(command))


FILLED = {
    "64B": encode_map("bf16", 0x7F0000000000, (64, 64), (128,), (32, 64), swizzle="64B"),
    "f16": encode_map("f16", 0x7F0000000000, (64, 64), (128,), (64, 64), swizzle="128B"),
    "A": encode_map("bf16", 0x7F0000000000, (64, 64), (128,), (64, 64), swizzle="128B"),
    "B": encode_map("bf16", 0x7F0000000000, (64, 128), (128,), (64, 128), swizzle="128B"),
    "half": encode_map("bf16", 0x7F0000000000, (64, 64), (128,), (64, 32), swizzle="128B"),
}
IN_CONSTANT = " --map 0=constant_b"
SHARED = (
    # kernel, what is typed, the maps of A and of B, what is found, and shown of the copies of A
    ("wrong_map", "", "64B", "B", {"swizzle-code", "map-swizzle"}, "copied at +368, +528: 32x64 BFLOAT16, swizzle 64B"),
    ("right_map", "", "A", "B", set(), "copied at +416: 64x64 BFLOAT16, swizzle 128B; read at +976, +1152 and 2 more"),
    ("right_map", "", "f16", "B", {"map-type"}, "copied at +416: 64x64 FLOAT16"),
    ("right_map", " --map c[0x0][0xd0]=constant_b", "A", "B", set(), "copied at +560: 64x128 BFLOAT16, swizzle 128B"),
    ("right_map", IN_CONSTANT, "half", "B", {"barrier-bytes"}, "bring 20480 B (+416, +560)"),
    ("wrong_mode", "", "A", "B", set(), "no tensor map fills its shared memory"),
    ("cublaslt", "", "A", "B", set(), "other CTAs write there, or complete on its barriers"),
)


@pytest.mark.slow
@every_row(("kernel", "typed", "a", "b", "rules", "says"), SHARED)
def test_shared_judges_copies_by_the_maps_in_memory(
    kernel: str, typed: str, a: str, b: str, rules: set[str], says: str
) -> None:
    """A's map is a parameter, or what the first parameter points to; B's is in constant memory."""
    texts = [each for command in sessions()[kernel] for asked, each in command.asked if asked["ask"] == "listing"]
    map_a, map_b = (FILLED[name].value.to_bytes(MAP_BYTES, "little") for name in (a, b))
    data = (0x7F1000).to_bytes(8, "little") + bytes(0x68) + map_a + bytes(4096)

    def memory(question: dict[str, Any]) -> dict[str, Any]:
        places = {"parameter": data[max(question["first"] - 0x210, 0) :], "constant": map_b, "": map_a}
        return encoded(places[question["space"]][: question["count"]])

    here = {**where("sm_90", 0, (0, 0, 0)), "function": kernel}
    found = {"address": 0x40, "size": MAP_BYTES, "pointer": "@constant CUtensorMap *"}
    _, (shown,) = played(f"shared{typed}", where=here, listing=texts[0], memory=memory, find=found)
    assert {each.finding.rule for row in fold(shown.function, Judge()) for each in row.findings} == rules
    text = lines(view(shown))
    assert says in text
    assert ("c[0x0][0xd0]; a parameter: --map gives it" in text) == (not typed and kernel.endswith("_map"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("shared a", "a: not an option here"),
        ("shared --map", "which tensor map, and where?"),
        ("shared --map c[0x0][0xd0]", "which tensor map"),
        ("shared --map 2=m", "no copy uses a map at 2"),
        ("shared", "k has no tensor-core instruction"),
    ],
)
def test_what_shared_does_not_show(command: str, said: str) -> None:
    found = {"address": 0x40, "size": MAP_BYTES, "pointer": "@constant CUtensorMap *"}
    text = BARE if command == "shared" else LISTING

    def memory(question: dict[str, Any]) -> dict[str, Any]:
        return encoded((MAP + bytes(4096))[: question["count"]])

    with pytest.raises(SmemdescError, match=re.escape(said)):
        played(command, where=where("sm_90", 0, (0, 0, 0)), listing={"text": text}, memory=memory, find=found)


PROGRAM = """\
typedef struct { unsigned long long opaque[16]; } Map;
struct { int x; Map a; } both;
Map maps[2];
int f(const Map *m, void *v, char *none) { return 0; }
int main() { return f(&maps[1], &maps[1], 0); }
"""
FOUND = {
    "m": ("maps[1]", 128, "const Map *"),
    "*m": ("maps[1]", 128, "const Map *"),
    "v": ("maps[1]", 1, "void *"),
    "both.a": ("both.a", 128, "Map *"),
    "&both.a": ("both.a", 128, "Map *"),
    "maps": ("maps", 256, "Map (*)[2]"),
    "m->opaque": ("maps[1]", 128, "unsigned long long (*)[16]"),
    "(long)m": ("maps[1]", None, ""),
    "none": ("0", 1, "char *"),
}


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("gdb") and shutil.which("cc")), reason="needs gdb and a C compiler")
def test_the_script_finds_what_an_expression_is(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(PROGRAM)
    subprocess.run(["cc", "-g", "-o", tmp_path / "f", tmp_path / "f.c"], check=True)
    ask = "python print('=', json.dumps(DEBUGGER.answer({{'ask': 'find', 'expression': {!r}}})))".format
    lines = [f"source {SCRIPT}", "break f", "run"]
    for expression, (place, *_) in FOUND.items():
        lines += [ask(expression), f"python print('=', int(gdb.parse_and_eval('(long)&{place}')))".replace("&0", "0")]
    lines.append(ask("1.5"))
    (tmp_path / "all.gdb").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-x", tmp_path / "all.gdb", tmp_path / "f"],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    if "Python scripting is not supported" in done.stderr:
        pytest.skip("this gdb has no Python")
    *told, last = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("= ")]
    found = [(each["address"], each["size"], each["pointer"]) for each in told[::2]]
    assert found == [(at, *known[1:]) for at, known in zip(told[1::2], FOUND.values(), strict=True)]
    assert last == {"error": "1.5 is not in memory"}
