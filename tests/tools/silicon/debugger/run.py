"""Debugs the kernels that are wrong on purpose: ``python3 -m silicon.debugger.run [KERNEL ...]`` (in tests/tools).

And a product by PyTorch. Needs a Hopper GPU, nvcc, cuda-gdb, PyTorch (for ``cublaslt`` and ``pytorch``) and an
installed ``smemdesc``. Writes what the debugger printed, and what the script asked of it and was told
(``SMEMDESC_GDB_LOG``): with that the sessions run again without a GPU. Kernels that are not named keep their records.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[4]
KERNELS = ROOT / "tests" / "silicon" / "debugger"
RECORDS = KERNELS / "record"
FLAGS = ("-std=c++17", "-gencode=arch=compute_90a,code=sm_90a", "-lineinfo")
START = ("set pagination off", "set width 110", "set style enabled off")
SESSIONS = {
    "right": ("next", "compare a A.npy", "compare b B.npy", "compare a expected_a 64x64"),
    "wrong_mode": (
        "",
        "break",
        "next",
        "operand a 0-7,0-7",
        "at a 1,9",
        "desc $UR4",
        "compare a A.npy",
        "compare b B.npy",
    ),
    "wrong_major": ("next", "operand a 0-7,0-7", "compare a A.npy"),
    "wrong_lbo": ("next", "compare a A.npy", "compare b B.npy"),
    "wrong_base_offset": ("next", "compare a A.npy", "compare a A.npy[0:64,0:16]"),
    "wrong_stage": ("next", "operand a 0-7,0-7", "compare a A.npy", "next", "compare a A.npy[:,16:32]"),
}
GEMM = {
    "gemm_bf16_MN_K_64B": ("next", "operand a 0-7,0-7", "next", "desc $UR4"),
    "gemm_e4m3_K_K_128B": ("next", "operand b 0-3", "at b 7,31"),
}
MAPS = {
    "right_map": (
        "map",
        "map constant_b",
        "map a",
        "next --a-map (@parameter char*)0x280 --b-map constant_b",
    ),
    "wrong_map": ("map global_a", "next --a-map global_a --b-map constant_b"),
}
SHARED = {
    "right_map.shared": ("shared", "shared --map 0=constant_b"),
    "wrong_map.shared": ("shared",),
}
GEMM_SHARED = {"gemm_e4m3_K_K_128B.shared": ("shared",)}
"""The maps of a kernel as they are in memory, and what they fill."""
MAPS_BY_NAME = {
    "right_map.debug": ("map a", "map constant_b", "map &global_a"),
    "wrong_map.debug": ("map a", "map *a", "map &a"),
}
"""With -G parameters have names."""
LAUNCHES = {"write_numbers": ("next", "map", "$UR4", "decode $UR4 --short", "next")}
"""The debugger stops in the first of three kernels without a tensor-core instruction."""
FAULT = {"outside": ("",)}
TORCH = {"cublaslt": ("next", "operand a 0-7,0-7", "operand b 0-7,0-7", "next", "next")}
"""A process of PyTorch: the kernel has a name of cuBLASLt's own, and is the first that is launched."""
PYTORCH = {"pytorch": ("next", "map")}
"""The same, with matrices that PyTorch's own kernels make on the GPU before."""
LAUNCHED = "set cuda break_on_launch application"
LOADS = "cuda thread 256"
"""Focuses on a warp that loads tiles, and comes to no tensor-core instruction."""


def debugged(program: Path | str, kernel: str, commands: tuple[str, ...], log: Path, arguments: str) -> str:
    """Return what cuda-gdb prints; without a breakpoint where the kernel stops by itself."""
    lines = [*START, f"source {ROOT / 'smemdesc' / 'debugger' / 'cuda_gdb.py'}"]
    if kernel not in FAULT:
        lines.append(LAUNCHED if kernel in (*TORCH, *PYTORCH) else f"tbreak {kernel.partition('.')[0]}")
    lines.append(f"run {arguments}")
    if kernel in TORCH:
        lines.append(LOADS)
    for command in commands:
        lines += [f"echo (cuda-gdb) smemdesc {command}".rstrip() + "\\n", f"smemdesc {command}".rstrip()]
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write("\n".join(lines) + "\n")
        script.flush()
        command = ["cuda-gdb", "-batch", "-nx", "-x", script.name, str(program)]
        environment = {**os.environ, "SMEMDESC_GDB_LOG": str(log)}
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=KERNELS, env=environment, timeout=300, check=False
        )
    return (done.stdout + done.stderr).replace(f"{ROOT}/", "")


def main() -> int:
    """Build, debug, write down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", help="those to debug; all if none is named")
    parser.add_argument("--out", type=Path, default=RECORDS, help="folder for the record")
    parser.add_argument("--python", default="python3", help="one that has PyTorch")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    asked = given.out / "asked.json.xz"
    record: dict[str, list[object]] = json.loads(lzma.decompress(asked.read_bytes())) if given.kernels else {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("wrong", "fault", "mapped", "launches"):
            subprocess.run(["nvcc", *FLAGS, "-o", folder / name, KERNELS / f"{name}.cu"], check=True)
        subprocess.run(["nvcc", *FLAGS[:-1], "-g", "-G", "-o", folder / "debug", KERNELS / "mapped.cu"], check=True)
        gemm = ROOT / "examples" / "wgmma_gemm"
        if not given.kernels or {*GEMM, *GEMM_SHARED} & {*given.kernels}:
            subprocess.run(["make", "-C", gemm, "gemm"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([folder / "wrong", "--matrices", KERNELS], check=True)
        programs: tuple[tuple[Path | str, str | None, dict[str, tuple[str, ...]]], ...] = (
            (folder / "wrong", None, SESSIONS),
            (folder / "fault", "", FAULT),
            (folder / "mapped", "", MAPS),
            (folder / "mapped", "", SHARED),
            (folder / "debug", "", MAPS_BY_NAME),
            (folder / "launches", "", LAUNCHES),
            (gemm / "gemm", "", GEMM),
            (gemm / "gemm", "", GEMM_SHARED),
            (given.python, str(KERNELS / "mm.py"), TORCH),
            (given.python, f"{KERNELS / 'mm.py'} cuda", PYTORCH),
        )
        for program, called, sessions in programs:
            for kernel, commands in sessions.items():
                if given.kernels and kernel not in given.kernels:
                    continue
                log = folder / f"{kernel}.jsonl"
                arguments = kernel if called is None else called
                text = debugged(program, kernel, commands, log, arguments)
                (given.out / f"{kernel}.txt").write_text(text)
                record[kernel] = [json.loads(line) for line in log.read_text().splitlines()]
                print(f"{kernel}: {len(commands)} commands", file=sys.stderr)
    text = json.dumps(record, separators=(",", ":"))
    asked.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return 0


if __name__ == "__main__":
    sys.exit(main())
