"""Whole outputs of ``decode``, ``fields`` and ``explain``; ``UPDATE_GOLDEN=1 pytest`` writes them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from goldens import goldens
from run import smemdesc

from smemdesc.explanations.glossary import TERMS
from smemdesc.rules.catalog import names

GOLDEN = Path(__file__).parent.parent / "golden"

DIFF_K = ["decode", "--diff", "0x4000404000010040"]
DIFF_MN = ["decode", "--diff", "0x4000404000400040"]
IN_A_PIPE = {
    "tcgen05": ["decode", "0x4000404000010040"],
    "wgmma": ["decode", "0x4000004000010040"],
    "tcgen05-bits": ["decode", "--bits", "0x4000404000010040"],
    "high-word": ["decode", "0x40004040"],
    "low-word": ["decode", "?:0x00010040"],
    "idesc-open": ["decode", "0x08200490"],
    "idesc-mxf8f6f4": ["decode", "--mma-kind", "mxf8f6f4", "0x08a01400"],
    "idesc-nothing-fits": ["decode", "0x082016a0"],
    "idesc-in-high-word": ["decode", "0x0820049000000000"],
    "mask": ["decode", "0x0203028301020100"],
    "mask-bits": ["decode", "--bits", "--kind", "mask", "0x0003028100000000"],
    "tmem": ["decode", "0x00400020"],
    "tmem-json": ["decode", "--json", "--kind", "tmem", "0x00400020", "0x00400200", "0x4000????"],
    "nothing-near": ["decode", "0xdeadbeefdeadbeef"],
    "wgmma-given-to-tcgen05": ["decode", "--kind", "tcgen05", "0x4000004000010040"],
    "k-major": ["decode", "--dtype", "bf16", "--major", "K", "--shape", "64x16", "0x4000404000010040"],
    "mn-major": ["decode", "--dtype", "bf16", "--major", "MN", "--shape", "32x16", "0xc000402000100000"],
    "mn-major-none": ["decode", "--dtype", "bf16", "--major", "MN", "--shape", "16x16", "0x0000000800100000"],
    "sparse-32b": ["decode", "--dtype", "f16", "--major", "K", "--shape", "64x32", "0xc000001000800000"],
    "absolute": ["decode", "--arch", "sm_100a", "0x4010404000010040"],
    "two-values": ["decode", "0x4000404000010040", "0x40004040"],
    "json": ["decode", "--json", "0x4000404000010040", "0x40004040:?", "0x08400010", "0x6000404000010040"],
    "diff-k-step": ["decode", "--diff", "0x4000404000010040", "0x4000404000010042"],
    "diff-k-step-mn-major": [*DIFF_MN, "0x4000404000400042", "--major", "MN"],
    "diff-mn-major-bf16": [*DIFF_MN, "0x4000404000400042", "--major", "MN", "--dtype", "bf16"],
    "diff-row-end": [*DIFF_K, "0x4000404000010048", "--major", "K", "--dtype", "bf16"],
    "diff-atom": [*DIFF_K, "0x4000404000010080", "--dtype", "bf16"],
    "diff-atom-of-a-tile": [*DIFF_K, "0x4000404000010240", "--major", "K", "--dtype", "bf16", "--tile", "64x128"],
    "diff-stage": [*DIFF_K, "0x4000404000010440", "--dtype", "bf16", "--tile", "64x128", "--order", "mn"],
    "diff-wrap": ["decode", "--diff", "0x4000404000013ffe", "0x4000404000010000"],
    "diff-carry-out-of-the-low-word": ["decode", "--diff", "0x40004040ffffffff", "0x4000404100000001"],
    "diff-carry-out-of-the-address": ["decode", "--diff", "0x4000404000013fff", "0x4000404000014001"],
    "diff-idesc": ["decode", "--diff", "--mma-kind", "f16", "0x08200490", "0x08400410"],
    "diff-tmem": ["decode", "--diff", "0x00400020", "0x00200060", "--kind", "tmem"],
    "diff-low-words": ["diff", "0x00400020", "0x00200060"],
    "diff-json": ["decode", "--diff", "--json", "0x4000404000010040", "0x4000404000010042"],
    "sm-107": ["decode", "--arch", "sm_107a", "--mma-kind", "mxf4", "0x0ca01488"],
    "sm-107-not-said": ["decode", "0x4020404000014040"],
    "sm-107-ti16": ["decode", "--arch", "sm_107a", "0x08400da0"],
    "sm-107-version": ["decode", "--arch", "sm_107a", "--mma-kind", "mxf4nvf4", "0x08a00484"],
    "sm-107-json": ["decode", "--json", "--arch", "sm_107a", "0x4020404000014040", "0xa8a00000"],
    "sm-107-diff": ["decode", "--diff", "--arch", "sm_107a", "0x4000404000010040", "0x4020404000014040"],
    "fields-arch-107": ["fields", "--arch", "sm_107a"],
    "fields-arch-family": ["fields", "--arch", "sm_100f"],
    "fields-arch-renamed": ["fields", "--arch", "101a", "--json"],
    "fields-arch-none": ["fields", "--arch", "sm_120a"],
    "fields-arch-90": ["fields", "--arch", "sm_90a"],
    "fields-arch-without-suffix": ["fields", "--arch", "sm_100"],
    "fields-tcgen05-107": ["fields", "tcgen05", "--arch", "sm_107a"],
    "fields-idesc-mxf4-107": ["fields", "--mma-kind", "mxf4", "--arch", "sm_107a"],
    "fields": ["fields"],
    "fields-wgmma": ["fields", "wgmma"],
    "fields-tcgen05": ["fields", "tcgen05"],
    "fields-idesc-f16": ["fields", "idesc", "--mma-kind", "f16"],
    "fields-idesc-mxf4nvf4": ["fields", "idesc:mxf4nvf4"],
    "fields-mask": ["fields", "mask"],
    "fields-tmem": ["fields", "tmem"],
}
ON_A_TERMINAL = {
    "terminal-80": (["decode", "--bits", "0x4000401000010040"], 80, {}),
    "terminal-80-no-color": (["decode", "--bits", "0x4000401000010040"], 80, {"NO_COLOR": "1"}),
    "terminal-200": (["decode", "0x4000401000010040"], 200, {}),
    "terminal-80-open": (["decode", "0x08200490"], 80, {"NO_COLOR": "1"}),
    "terminal-80-diff": (["decode", "--diff", "0x4000404000010040", "0x4000404000010042"], 80, {"NO_COLOR": "1"}),
    "terminal-80-fields": (["fields", "wgmma"], 80, {"NO_COLOR": "1"}),
}


test_golden, test_every_golden_file_is_used, test_a_terminal_is_never_overrun = goldens(
    GOLDEN, IN_A_PIPE, narrow=("tcgen05-bits", "fields-wgmma", "idesc-open"), drawn=ON_A_TERMINAL
)


@pytest.mark.parametrize("folder", sorted(GOLDEN.parent.glob("golden*")), ids=lambda folder: folder.name)
def test_no_view_says_what_only_python_says(folder: Path) -> None:
    said = {path.name: re.findall(r"\b(?:True|False|None)\b", path.read_text()) for path in folder.glob("*.txt")}
    assert {name: words for name, words in said.items() if words} == {}


EXPLAINED = ("lbo-below-atom", "several-readings", "kinds-differ", "swizzle-atom", "column-shift", "lbo")
test_explain, test_every_explanation_is_used, test_an_explanation_never_overruns_a_terminal = goldens(
    GOLDEN.with_name("golden_explain"),
    {name: ["explain", *(name.split("-") if name == "swizzle-atom" else [name])] for name in EXPLAINED},
    narrow=EXPLAINED[:1],
)


def test_without_a_name_every_rule_and_term_is_a_line() -> None:
    lines = smemdesc("explain").out.splitlines()
    assert len(lines) == len(names()) + len(TERMS) + 3
    listed = [json.loads(line)["name"] for line in smemdesc("explain", "--json").out.splitlines()]
    assert listed == [*names(), *(term.name for term in TERMS)]
