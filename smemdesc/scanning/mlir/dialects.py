"""What a text of MLIR multiplies matrices with that is not read here: so that it is not taken for none."""

from __future__ import annotations

import re
from collections import Counter

from smemdesc.scanning.mlir.aliases import Aliases, types
from smemdesc.scanning.mlir.cute import OLDER

_OPERATION = re.compile(
    rb'(?m)^[ \t]*+(?:%[^\n="]*+=[ \t]*+)?+"?+([a-z_][a-z_0-9]*+)\.([\w.]++)(?=["\s(<{@%\[]|$)([^\n]*+)'
)
_MLIR = re.compile(
    rb"(?m)^[ \t]*+(?:module(?: @[\w.]++)?+(?: attributes)?+ ?+\{|\"builtin\.module\"|[a-z_][a-z_0-9]*+\.module\b"
    rb"|[#!]\w++ = [#!][a-z_]\w*+\.\w)"
)
_BEGINNING = 65_536
# fmt: off
SILENT = frozenset((
    "acc", "affine", "arith", "async", "bufferization", "builtin", "cf", "complex", "core", "cuda", "cute",
    "cute_nvgpu", "dlti", "func", "gluon", "gpu", "iket", "index", "linalg", "llvm", "math", "memref", "nvgpu",
    "nvvm", "nvws", "omp", "proton", "pyir", "quant", "scf", "shape", "tensor", "tt", "ttg", "ttng", "ub",
    "vector",
))
# fmt: on
"""Dialects of which every operation that reads descriptors is known here."""
_WITHOUT = {b"tt.dot": "tt.dot", b"tt.dot_scaled": "tt.dot", b"linalg.matmul": "linalg.matmul"}
"""Operations that say nothing of shared memory yet."""
_GEMMS = (b"cute.gemm", b"cute.mma_atom_call")
_LONGEST = 20_000


def is_mlir(text: bytes) -> bool:
    """Whether a text that begins with no function is MLIR."""
    return _MLIR.search(text, 0, _BEGINNING) is not None


def passed_over(text: bytes, aliases: Aliases) -> tuple[Counter[str], Counter[str]]:
    """Return the operations that take no descriptor, and the dialects (or operations) that are not known here."""
    without: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for each in _OPERATION.finditer(text):
        dialect, name = each[1].decode(), b"%b.%b" % (each[1], each[2])
        if name in _WITHOUT:
            without[_WITHOUT[name]] += 1
        elif dialect not in SILENT:
            unknown[dialect] += 1
        elif name in _GEMMS:
            given = types(each[3][:_LONGEST].decode("utf-8", "replace"))
            if given and OLDER.search(aliases.expand(given[0])):
                without["mma.sync"] += 1
    return without, unknown
