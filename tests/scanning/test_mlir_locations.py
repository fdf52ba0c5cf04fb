"""MLIR with the locations of its source: they change no result, and say where an instruction comes from."""

from __future__ import annotations

import random
import re

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Function

from .test_mlir_tiles import pairs

FORMS = (
    "#loc", "#loc12", "unknown", '"a.py":3:4', '"a (b).py":3:4', '"dot"(#loc7)', 'callsite("f"("x.py":1:2) at #loc3)',
    'fused<"pass">["a.py":3:4, #loc4]', '"quote \\" )"',
)  # fmt: skip
ENDS = re.compile(r"(?m)(?<=[\w>)}\]])[ \t]*$(?<!\{)")
ARGUMENT = re.compile(r"(%arg\d+: [!\w.]+(?:<[^<>()]*>)?(?: \{[^{}]*\})?)(?=[,)])")


def located(text: str, rng: random.Random) -> str:
    """Put locations behind operations, regions and arguments, and their names before and behind the module."""

    def put(match: re.Match[str]) -> str:
        return f"{match[0]} loc({rng.choice(FORMS)})" if rng.random() < 0.8 else match[0]

    lines = []
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("%") or stripped.split(" ")[0].partition("(")[0].count(".") or stripped == "}":
            line = ENDS.sub(put, line, count=1) if not line.endswith("{") else ARGUMENT.sub(put, line)
        lines.append(line)
    names = "".join(f'#loc{number} = loc("b.py":{number}:2)\n' for number in range(20))
    return "\n".join(("#loc = loc(unknown)", *lines, names))


def bare(functions: tuple[Function, ...]) -> list[object]:
    return [
        each._replace(line=0, mmas=tuple(mma._replace(line=0, source=None) for mma in each.mmas)) for each in functions
    ]


def unlined(functions: tuple[Function, ...]) -> str:
    return re.sub(r"(line|lost)=\d+", "", repr(bare(functions)))


@pytest.mark.parametrize(
    "name", ["gluon_100_slice_k", "gluon_90_slice_both", "cute_100_nvf4", "cute_90_bf16", "cute_100_s8"]
)
def test_locations_change_no_result(name: str) -> None:
    text = pairs()[name][0]
    rng = random.Random(name)
    for _ in range(3):
        more = located(text, rng)
        assert more.count("loc(") > 40
        assert unlined(scan_text(more).functions) == unlined(scan_text(text).functions)


COPY = "nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}"
TEXT = """#loc = loc("top.py":1:0)
#loc9 = loc("one.py":9:0)
llvm.func @f(%x: i64 loc("x"(#loc)), %t: !llvm.ptr<6> loc("loc("), %p: i1 loc(#loc)) {{
  %c = llvm.mlir.constant(4611756662049538048 : i64) : i64 loc(#loc2)
  llvm.br ^bb1(%c : i64) loc(#loc)
^bb1(%d: i64 loc("d"(#loc2))):  // 2 preds: ^bb0, ^bb1
  {copy}
  llvm.cond_br %p, ^bb1(%c : i64), ^bb2 loc(#loc)
^bb2:
  llvm.return loc(#loc)
}} loc(#loc)
#loc2 = loc("two.py":2:0)
#loc3 = loc(callsite(#loc2 at #loc))
#loc4 = loc("x"(#loc3))
#loc9 = loc("other.py":9:0)
"""
PLACES = {
    f"{COPY} loc(#loc)": ("top.py", 1),
    f"{COPY} loc(#loc2)": ("two.py", 2),
    f"{COPY} loc(#loc3)": ("two.py", 2),
    f"{COPY} loc(#loc4)": ("two.py", 2),
    f'{COPY} loc("a (b.py":3:4)': ("a (b.py", 3),
    f'{COPY} loc(fused<"loc(">["f.py":5:1, #loc])': ("f.py", 5),
    f'{COPY.replace(" {", chr(10) + "  {")} loc("g.py":7:1)': ("g.py", 7),
    f"{COPY} loc(#loc9)": None,
    f"{COPY} loc(#loc99)": None,
    f"{COPY} loc(unknown)": None,
    COPY: None,
    f'{COPY} loc("no end': None,
}


@pytest.mark.parametrize("line", PLACES)
def test_a_location_says_where_in_the_source(line: str) -> None:
    (function,) = scan_text(TEXT.format(copy=line)).functions
    (mma,) = function.mmas
    assert mma.source == PLACES[line]
    assert function.odd == 0
    assert mma.a is not None
    assert mma.a.bits == 0x4000404000010000
