"""Ask CUTLASS where tcgen05.ld and .st put each element, and ptxas which of them exist; store what they answer.

From the folder ``tests/tools``: ``INCLUDE=CUTLASS/include:CUDA/include PTXAS=ptxas python -m evidence.tmem_loads``
compiles the copy traits for the host (g++, or CXX) and writes ``tests/layout/tmem_loads.tsv``. A row: the instruction,
shape, num, whether it packs, the registers that ptxas takes (0: no number of them), and where the bits of the thread,
of the register and of the half of a register move in tensor memory, as lane,column from the lowest bit up ("-": CUTLASS
has no such copy). That each map is the sum of these moves is checked for every bit before it is written.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from evidence.ptxas import VERSION

RECORD = Path(__file__).parents[2] / "layout" / "tmem_loads.tsv"
SHAPES = {"32x32b": "32dp32b", "16x64b": "16dp64b", "16x128b": "16dp128b", "16x256b": "16dp256b", "16x32bx2": "16dp32b"}
"""The names of PTX, and of CUTLASS."""
NUMS = [1 << bit for bit in range(8)]
PROBE = """\
#include <cute/atom/copy_traits_sm100.hpp>
#include <cstdio>
using namespace cute;
template <class Op, bool Store>
void moves(char const* name) {
  using Traits = Copy_Traits<Op>;
  auto registers = [] { if constexpr (Store) return typename Traits::SrcLayout{}; else
                        return typename Traits::DstLayout{}; }();
  auto bits = [&](int thread, int value) { return long(typename Traits::ValID{}(registers(thread, value))); };
  auto move = [&](int thread, int value) {
    long bit = bits(thread, value);
    std::printf(" %ld,%ld", bit / int(TMEM::DP_b{}), bit % int(TMEM::DP_b{}) / 32);
  };
  int count = size<1>(registers);
  for (int thread = 0; thread < 32; ++thread)
    for (int value = 0; value < count; ++value) {
      long sum = 0;
      for (int bit = 1; bit < 32; bit <<= 1) sum += thread & bit ? bits(bit, 0) : 0;
      for (int bit = 1; bit < count; bit <<= 1) sum += value & bit ? bits(0, bit) : 0;
      if (sum != bits(thread, value)) { std::printf("%s is no sum\\n", name); std::exit(1); }
    }
  std::printf("%s\\t", name);
  for (int bit = 1; bit < 32; bit <<= 1) move(bit, 0);
  std::printf("\\t");
  for (int bit = 32; bit < count; bit <<= 1) move(0, bit);
  std::printf("\\t");
  move(0, 16);
  std::printf("\\n");
}
int main() {
"""


def moves(folder: Path) -> dict[str, list[str]]:
    """Return the moves of each copy of CUTLASS, by its name without the prefix."""
    includes = os.environ["INCLUDE"].split(":")
    header = next(path for root in includes if (path := Path(root, "cute/atom/copy_traits_sm100.hpp")).exists())
    names = re.findall(r"struct Copy_Traits<SM100_TMEM_((?:LOAD|STORE)_\d+dp\w+)>", header.read_text())
    calls = [f'moves<SM100_TMEM_{name}, {str(name.startswith("STORE")).lower()}>("{name}");' for name in names]
    source = folder / "moves.cpp"
    source.write_text(PROBE + "\n".join(calls) + "\n}\n")
    words = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-w", *(f"-I{root}" for root in includes)]
    subprocess.run([*words, str(source), "-o", str(folder / "moves")], check=True)
    answer = subprocess.run([str(folder / "moves")], check=True, capture_output=True, text=True).stdout
    rows = [[column.strip() for column in line.split("\t")] for line in answer.splitlines()]
    return {name: columns for name, *columns in rows}


def instruction(name: str, shape: str, num: int, pack: bool, registers: int) -> str:
    """Return the text of one instruction with this number of registers."""
    qualifier = "" if not pack else ".pack::16b" if name == "ld" else ".unpack::16b"
    vector = "{" + ", ".join(f"r{at}" for at in range(registers)) + "}"
    address = f"[t], {num}" if shape == "16x32bx2" else "[t]"
    operands = f"{vector}, {address}" if name == "ld" else f"{address}, {vector}"
    return f"tcgen05.{name}.sync.aligned.{shape}.x{num}{qualifier}.b32 {operands};"


def registers(folder: Path, name: str, shape: str, num: int, pack: bool) -> int:
    """Return the number of registers with which ptxas takes an instruction; 0 if there is none."""
    for count in (*NUMS, 256, 512):
        source = folder / "one.ptx"
        body = instruction(name, shape, num, pack, count)
        source.write_text(
            f".version {VERSION}\n.target sm_100a\n.address_size 64\n.visible .entry f() {{\n.reg .b32 t, r<{count}>;\n"
            f"mov.u32 t, 0;\n{body}\nret;\n}}\n"
        )
        words = [os.environ.get("PTXAS", "ptxas"), "-arch", "sm_100a", str(source), "-o", os.devnull]
        if subprocess.run(words, capture_output=True).returncode == 0:
            return count
    return 0


def main() -> None:
    """Ask both, and write the answers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = moves(folder)
        rows = []
        for copy in ("ld", "st"):
            for shape, own in SHAPES.items():
                for num in NUMS:
                    for pack in (False, True):
                        key = f"{'LOAD' if copy == 'ld' else 'STORE'}_{own}{num}x{'_16b' if pack else ''}"
                        moved = known.pop(key, ["-"] * 3)
                        count = registers(folder, copy, shape, num, pack)
                        rows.append([copy, shape, str(num), "pack" if pack else "", str(count), *moved])
    if known:
        sys.exit(f"copies without an instruction: {', '.join(known)}")
    RECORD.write_text("".join("\t".join(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
