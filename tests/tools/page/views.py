"""The views of the page that are tested and looked at, by their addresses, and the commands of their pictures."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from smemdesc.integrations.page.commands import VIEW_EXAMPLES as SHOWN

DATA = Path(__file__).parents[3] / "examples" / "data"
VALUE = "0x4000404000010040"
CASE = {"dtype": "bf16", "major": "K", "shape": "64x16"}
WORDS = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]
MAP = dict(SHOWN["decode"])["tensor map"]["text"]
VIEWS = {
    "decode": f"decode?{urlencode({'text': VALUE, **CASE})}",
    "readings": "decode?text=0x08400010",
    "wrong": "decode?text=0x40zz",
    "error": f"decode?{urlencode({'text': '0x6000404000010040', **CASE})}",
    "atom": "layout",
    "operand": f"layout?{urlencode({'what': 'operand', 'value': VALUE, 'kind': 'tcgen05', 'at': '17,9'})}",
    "tile": "layout?what=tile",
    "fragment": "layout?what=fragment",
    "tmem": "layout?what=tmem&m=64&n=64&at=37,5",
    "scales": "layout?what=scales&mma-kind=mxf4nvf4&block=16",
    "mask": "layout?what=mask&value=0x0003028100000000&m=64",
    "mma": "mma",
    "plan": "plan",
    "explain": "explain?names=lbo",
    "tensormap": f"decode?text={MAP}",
}

PICTURES = {
    "atom": ["layout", "atom", "--swizzle", "128B", "--dtype", "bf16", "--major", "K"],
    "operand": ["layout", "operand", VALUE, "--kind", "tcgen05", *WORDS],
    "tile": ["layout", "tile", "128x64", "--kind", "tcgen05", "--swizzle", "128B", "--dtype", "bf16", "--major", "K"],
    "fragment": ["layout", "fragment", "--shape", "m64n64k16", "--operand", "d", "--dtype", "f32"],
    "tmem": ["layout", "tmem", "--m", "64", "--n", "64"],
    "scales": ["layout", "scales", "128x256", "--mma-kind", "mxf4nvf4", "--block", "16"],
    "mask": ["mask", "0x0003028100000000", "--m", "64", "--n", "128"],
}
