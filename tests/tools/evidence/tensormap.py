"""What ptxas makes of ``tensormap.replace``: for each field, index and code one kernel, as SASS.

``python -m evidence.tensormap`` (from the folder ``tests/tools``) asks ptxas and nvdisasm, in PATH or named by
PTXAS and NVDISASM, and writes ``tests/evidence/tensormap.sass`` anew; ``tests/evidence/test_tensormap.py`` runs it
and holds the table of the program to what it writes.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evidence.ptxas import ptxas, version

RECORD = Path(__file__).parents[2] / "evidence" / "tensormap.sass"
TARGETS = {"sm_90a": 0x210, "sm_100a": 0x380, "sm_103a": 0x380}
"""Where the parameters of a kernel begin in constant memory."""
WIDE = ("global_address", "global_stride")
"""The fields whose new value has 64 bits; the third parameter, that of the others the second."""
COUNTS = {"box_dim": 5, "global_dim": 5, "global_stride": 4, "element_stride": 5}
CODES = ("elemtype", "interleave_layout", "swizzle_mode", "fill_mode", "swizzle_atomicity")
ALLOCATION = ("large", "small", "same")
MOST = 16
"""Codes that are asked for; ptxas refuses those that a target does not have."""


def kernel(field: str, number: int | None = None) -> str:
    """Return a kernel that replaces a field of the map that its first parameter points to."""
    value = "%w" if field in WIDE else "%v"
    name, words = field, [value]
    if number is not None:
        name, words = f"{field}_{number}", [str(number)] if field in CODES else [str(number), value]
    size = "b64" if field in WIDE else "b32"
    return (
        f".visible .entry {name}(.param .u64 map, .param .u32 v, .param .u64 w) {{\n.reg .b64 %map, %w; .reg .b32 %v;\n"
        "ld.param.u64 %map, [map]; ld.param.u32 %v, [v]; ld.param.u64 %w, [w];\n"
        f"tensormap.replace.tile.{field}.b1024.{size} [%map], {', '.join(words)};\nret;\n}}\n"
    )


def _of_class(name: str, instruction: str) -> str:
    """Return a kernel with an instruction of PTX 9.5 about the allocation class."""
    return (
        f".visible .entry {name}(.param .u64 map, .param .u32 v, .param .u64 w) {{\n"
        ".reg .b64 %map, %w; .reg .pred %large;\nld.param.u64 %map, [map]; ld.param.u64 %w, [w];\n"
        f"{instruction};\nret;\n}}\n"
    )


def kernels_of_classes() -> Iterator[str]:
    """Yield kernels that change the allocation class, or write 0 to the first word where it is large."""
    for name in ALLOCATION:
        replace = f"tensormap.replace.tile.global_address.alloc_{name}.b1024.b64 [%map], %w"
        yield _of_class(f"global_address_{name}", replace)
        if name != "same":
            yield _of_class(f"allocation_class_{name}", f"tensormap.replace.tile.alloc_{name}.b1024 [%map]")
    query = "tensormap.query.alloc_class_large.b1024 %large, [%map]"
    yield _of_class("query_large", f"{query};\n@%large st.b32 [%map], 0")


def kernels() -> Iterator[str]:
    """Yield every kernel that is asked for."""
    yield from kernels_of_classes()
    yield from map(kernel, ("global_address", "rank"))
    for field, count in COUNTS.items():
        yield from (kernel(field, number) for number in range(count))
    for field in CODES:
        yield from (kernel(field, number) for number in range(MOST))


def compiled(kernel: str, target: str, folder: Path) -> str:
    """Return the instructions of a kernel up to its end; empty where ptxas refuses it."""
    source, cubin = folder / "k.ptx", folder / "k.cubin"
    source.write_text(f".version 9.5\n.target {target}\n.address_size 64\n{kernel}")
    if subprocess.run([ptxas(), "-arch", target, source, "-o", cubin], capture_output=True, check=False).returncode:
        return ""
    said = subprocess.run([os.environ.get("NVDISASM", "nvdisasm"), cubin], capture_output=True, text=True, check=True)
    lines = re.findall(r"(?m)^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", said.stdout)
    return "".join(f"{line};\n" for line in lines[: lines.index("EXIT")])


def main() -> None:
    """Ask, and write the record."""
    parts = [f"// ptxas {version()}, tensormap.replace. python -m evidence.tensormap writes this file."]
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            for each in kernels():
                name = each.split("(")[0].split()[-1]
                if sass := compiled(each, target, Path(folder)):
                    parts.append(f"\n{target} {name}:\n{sass}".rstrip())
    RECORD.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
