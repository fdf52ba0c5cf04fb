"""Hold the table of opcodes to whole disassemblies: no tensor-core instruction is missed, none is taken for one.

    python -m evidence.opcodes BIN PATH... [--sample N] [--largest BYTES]        (from the folder tests/tools)

BIN has nvdisasm; PATH is anything with cubins in it. Of each, N cubins for every architecture are drawn with a fixed
seed and printed whole, with encodings. Each instruction has to be in the table if and only if its mnemonic is; and
the scan by opcodes has to find what the scan of the whole text finds: functions, instructions, operands, counts.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from corpus.fake import claims

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import workers
from smemdesc.scanning.inputs.binaries import containers, cubin
from smemdesc.scanning.inputs.binaries.containers import Member, members
from smemdesc.scanning.inputs.binaries.members import Ask
from smemdesc.scanning.model import joined

_LINE = re.compile(
    r"/\*[0-9a-f]{4,8}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_]*)[^\n]*?/\* 0x([0-9a-f]{16}) \*/\s+/\* 0x[0-9a-f]{16} \*/"
)
_GENERIC = re.compile("UTC[A-Z]+MMA")
NAMES = {each.bits: each.name for each in cubin.OPCODES}
ARCH = slice(28, 32)
"""Where the header of an entry has its architecture."""
AGAIN = {each.bits for each in cubin.OLDER_OPCODES.values() if each.archs != cubin.ANY_ARCH}
"""Opcodes that are something else on some architectures."""


def mnemonics(text: str) -> Counter[tuple[str, int]]:
    """Count mnemonics with their opcodes."""
    return Counter((found[1], int(found[2], 16) & 0x1FF) for found in _LINE.finditer(text))


def wrong(mnemonic: str, opcode: int) -> bool:
    """Whether the table says otherwise than a disassembly."""
    generic = "UTC*MMA" if _GENERIC.fullmatch(mnemonic) else mnemonic
    name = generic if generic in NAMES.values() else None
    if opcode in AGAIN and name is None:
        return False
    return NAMES.get(opcode) != name


def drawn(path: Path, many: int, largest: int) -> Iterator[bytes]:
    """Yield some of the cubins of a file."""
    places: dict[bytes, list[int]] = defaultdict(list)
    with path.open("rb") as stream:
        for each in members(stream):
            if isinstance(each, Member) and each.kind == "cubin" and each.size <= largest:
                places[each.header[ARCH]].append(each.number)
    generator = random.Random(1)
    wanted = {number for of in places.values() for number in generator.sample(of, min(many, len(of)))}
    with path.open("rb") as stream:
        for each in members(stream):
            if isinstance(each, Member) and each.kind == "cubin" and each.number in wanted:
                yield containers.unpacked(each, None)


def main() -> int:
    """Compare, and print the opcodes that were seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("bin", type=Path)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--largest", type=int, default=500_000)
    asked = parser.parse_args()
    seen: Counter[tuple[str, int]] = Counter()
    differ = cubins = mmas = 0
    with tempfile.TemporaryDirectory() as where:
        copy = Path(where, "k.cubin")
        for path in asked.paths:
            for data in drawn(path, asked.sample, asked.largest):
                copy.write_bytes(data)
                command = [asked.bin / "nvdisasm", "-c", copy]
                done = subprocess.run([*command, "-hex"], capture_output=True, text=True, check=False)
                if done.returncode:
                    print(f"{path}: sm_{cubin.read_cubin(data).sm}: {done.stderr.strip()[:100]}")
                    continue
                cubins += 1
                seen += mnemonics(done.stdout)
                found = list(workers.scan_files([str(copy)], Ask(folder=str(asked.bin), jobs=1)))
                problems = [each.problem for each in found if each.problem]
                mine = joined(each.part for each in found)
                whole = scan_text(subprocess.run(command, capture_output=True, check=True).stdout)
                mmas += sum(len(of.mmas) for of in whole.functions)
                counts = [(each.seen, dict(each.older)) for each in (mine, whole)]
                same = claims(mine) == claims(whole) and counts[0] == counts[1]
                if problems or not same:
                    differ += 1
                    print(
                        f"{path}: a cubin of {len(data)} bytes for sm_{cubin.read_cubin(data).sm} "
                        f"differs {problems[:1]}"
                    )
    for (mnemonic, opcode), count in sorted(seen.items()):
        if opcode in NAMES or wrong(mnemonic, opcode):
            print(f"{mnemonic:10} 0x{opcode:03x} {count:9} {'WRONG' if wrong(mnemonic, opcode) else ''}")
    bad = sum(wrong(*each) for each in seen)
    total = sum(seen.values())
    print(f"{cubins} cubins, {total} instructions, {mmas} of them with descriptors: {bad} wrong, {differ} differ")
    return int(bool(bad or differ))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SmemdescError as problem:
        sys.exit(str(problem))
