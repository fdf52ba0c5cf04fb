"""Compile the PTX of ``scanning/objects``, put it into fat binaries of every form, and record what nvdisasm prints.

    python -m corpus.objects BIN        (from the folder tests/tools)

BIN has ptxas, fatbinary and nvdisasm (13.5 made what is here). A fake nvdisasm (``fake.py``) replays the
record, so that the tests need none of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from .fake import OBJECTS, RECORD

ARCHS = {"wgmma": "90a", "tcgen05": "100a"}
ALONE = {"asserts": "90a"}
"""Those that are in no fat binary."""
FORMS = {
    "plain": ["--compress-mode=none"],
    "zstd": ["--compress-all", "--compress-mode=default"],
    "lz4": ["--compress-all", "--compress-mode=speed"],
    "together": ["--compress-all", "--concat"],
}
ASKED = {"wgmma": ("with_wgmma", "second"), "tcgen05": ("with_tcgen05",), "asserts": ("asserts",)}
"""The functions with instructions that read descriptors, as nvdisasm is asked for them."""


def run(*command: str | Path) -> str:
    """Run a tool."""
    return subprocess.run(
        [str(each) for each in command], check=True, capture_output=True, text=True, cwd=OBJECTS
    ).stdout


def main() -> None:
    """Make everything anew."""
    from smemdesc.scanning.inputs.binaries import cubin

    tools = Path(sys.argv[1])
    record = {}
    for name, arch in (ARCHS | ALONE).items():
        made = OBJECTS / f"{name}.cubin"
        run(tools / "ptxas", f"-arch=sm_{arch}", "-o", made, f"{name}.ptx")
        data = made.read_bytes()
        symbols = {code.name: code.symbol for code in cubin.read_cubin(data).functions}
        chosen = ",".join(str(symbols[each]) for each in sorted(ASKED[name], key=list(symbols).index))
        key = sha256(data.rstrip(b"\0")).hexdigest()
        ways = {"", chosen, *(str(symbols[each]) for each in ASKED[name])}
        record[key] = {
            way: run(tools / "nvdisasm", "-c", *(["-fun", way] if way else []), made) for way in sorted(ways)
        }
    images = [f"--image3=kind=elf,sm={arch},file={name}.cubin" for name, arch in ARCHS.items()]
    images.append("--image3=kind=ptx,sm=90a,file=wgmma.ptx")
    # The same cubin again, for an architecture without options: such are compressed together.
    images.append("--image3=kind=elf,sm=90,file=wgmma.cubin")
    for form, options in FORMS.items():
        run(tools / "fatbinary", "-64", *options, f"--create={form}.fatbin", *images)
    run(tools / "fatbinary", "-64", "--create=ptx.fatbin", "--image3=kind=ptx,sm=90a,file=wgmma.ptx")
    RECORD.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
