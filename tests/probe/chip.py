"""A GPU of our own making: it multiplies in Python, and reads by the model or, if told so, by another one."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache

from smemdesc.kinds.context import Context
from smemdesc.kinds.elements import value_of
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import Operand, operand_of
from smemdesc.layout.scales import scale_layout
from smemdesc.layout.tmem import tmem_layout
from smemdesc.layout.zero_columns import expand
from smemdesc.probe.driver import Gpu
from smemdesc.probe.launch import (
    FIRST,
    LAST,
    NOT_WRITTEN,
    TENSOR_COLUMNS,
    Answered,
    DriverArguments,
    Launch,
    MmaKernel,
    ProbeBlock,
    RunFault,
)
from smemdesc.probe.ptx import PLACE_OF_A, PLACE_OF_SCALES_A, PLACE_OF_SCALES_B
from smemdesc.probe.questions import KEEP, MmaCase

Reads = Callable[[Operand], Operand]


class Chip:
    """Answers as a GPU does. ``reads``: what it makes of an operand; ``sums``: what it makes of D."""

    def __init__(self, arch: str = "sm_90a", reads: Reads = lambda operand: operand) -> None:
        self.gpu = Gpu("a chip in Python", arch, "0.0")
        self.reads = reads
        self.launches = 0

    def ask(self, launch: Launch) -> Answered | RunFault:
        self.launches += 1
        kernel = launch.kernel
        assert isinstance(kernel, MmaKernel)
        try:
            return Answered(tuple(self._block(kernel, block) for block in launch.blocks))
        except IndexError:
            return RunFault("the instruction faulted: illegal address")

    def encode(self, arguments: DriverArguments) -> bytes | RunFault:
        return RunFault("there is no driver")

    def _case(self, kernel: MmaKernel, block: ProbeBlock) -> MmaCase:
        if kernel.family == "wgmma":
            majors = ["MN" if turned else "K" for turned in (kernel.trans_a, kernel.trans_b)]
            dtype = self.b_type = dtype_of(kernel.a_type)
            self.sign = 1
            return MmaCase(kernel.arch, dtype, 64, kernel.n, kernel.k, kernel.d_type, *majors, kernel.sparse)
        fields = kind_of("idesc", kernel.mma_kind, kernel.arch).table.read(block.idesc)
        value = {key: field.value for key, field in fields.items()}
        self.b_type = dtype_of(str(value["b_type"]), kernel.mma_kind)
        self.sign = (-1) ** (bool(value.get("negate_a")) + bool(value.get("negate_b")))
        dtype = dtype_of(str(value["a_type"]), kernel.mma_kind)
        k = value.get("k") or dtype.k * (2 if kernel.sparse else 1)
        majors = ["MN" if value.get(f"transpose_{side}") else "K" for side in "ab"]
        assert bool(value["sparse"]) == kernel.sparse
        mask = block.mask if kernel.masked else None
        d_type = str(value.get("d_type", "f32"))
        return MmaCase(kernel.arch, dtype, value["m"], value["n"], k, d_type, *majors, kernel.sparse, kernel.mma_kind,
                       kernel.cta_group, kernel.ws, mask, kernel.scale_vec)  # fmt: skip

    def matrix(self, case: MmaCase, block: ProbeBlock, side: str) -> list[list[float]]:
        """The rows of A or B, from the memory of every CTA."""
        rows = (case.m if side == "a" else case.n) // case.cta_group
        k = case.k // 2 if case.sparse and side == "a" else case.k
        major = case.major_a if side == "a" else case.major_b
        fields = kind_of(case.family, arch=case.arch).table.read(block.a if side == "a" else block.b)
        if side == "b" and case.mask is not None:
            rows += expand(case.mask, case.m, case.n).shift
        operand = self.reads(
            operand_of(fields, Context(dtype=case.dtype if side == "a" else self.b_type, major=major, shape=(rows, k)))
        )
        memories = [image.data for image in block.images]
        return [[_element(image, operand.dtype, bit) for bit in row] for image in memories for row in operand.grid]

    def _block(self, kernel: MmaKernel, block: ProbeBlock) -> tuple[bytes, ...]:
        case = self._case(kernel, block)
        a, b = (self.matrix(case, block, side) for side in "ab")
        if kernel.a_from == "tmem":
            a = self._from_tensor_memory(case, block)
        if case.sparse:
            a = [self._spread(row, case, block) for row in a]
        zeroed = expand(case.mask, case.m, case.n) if case.mask is not None else None
        columns = [
            {k: value for k, value in enumerate(b[n + zeroed.shift if zeroed else n]) if value}
            if not (zeroed and zeroed.bits >> n & 1)
            else {}
            for n in range(case.n)
        ]
        letter = {"f32": "f", "s32": "i", "f16": "e"}[case.d_type]
        words = [bytearray(struct.pack("<I", NOT_WRITTEN) * kernel.words) for _ in range(case.cta_group)]
        size = struct.calcsize(letter)
        places = iter(case.places(case.m, case.n))
        scale, at_d = self._scale(case, kernel, block), 0
        for row in a:
            own = {k: value for k, value in enumerate(row) if value}
            for column in columns:
                few, many = sorted((own, column), key=len)
                cta, at = next(places)
                total = self.sign * sum(value * many.get(k, 0) * scale(at_d, k) for k, value in few.items())
                at_d += 1
                struct.pack_into(f"<{letter}", words[cta], at * size, int(total) if letter == "i" else total)
        return tuple(map(bytes, words))

    def _from_tensor_memory(self, case: MmaCase, block: ProbeBlock) -> list[list[float]]:
        stored = case.k // 2 if case.sparse else case.k
        layout = tmem_layout(case.m, case.n, operand="a", dtype=case.dtype.name, mma_kind=case.mma_kind,
                             cta_group=case.cta_group, ws=case.ws, sparse=case.sparse, k=stored)  # fmt: skip

        def element(m: int, k: int) -> float:
            place = layout.places(m, k)[-1]
            word = (place.cta * 128 + place.lane) * TENSOR_COLUMNS + PLACE_OF_A + place.column
            bits = int.from_bytes(block.tensor[4 * word : 4 * word + 4], "little") >> place.bit
            return value_of(case.dtype, bits & (1 << case.dtype.bits) - 1)

        return [[element(m, k) for k in range(stored)] for m in range(case.m)]

    def _scale(self, case: MmaCase, kernel: MmaKernel, block: ProbeBlock) -> Callable[[int, int], float]:
        """The product of the factors of an element of D and a k."""
        if not case.scale_vec:
            return lambda at, k: 1
        fields = kind_of("idesc", case.mma_kind, case.arch).table.read(block.idesc)
        ue8m0 = fields["scale_type"].value == "ue8m0"
        size = 16 if case.scale_vec == ".block16" else 32
        rows = {"a": case.m // case.cta_group, "b": case.n}
        layouts = {s: scale_layout(rows[s], case.k, case.mma_kind, operand=s, block=size, one_k=case.k) for s in "ab"}

        @cache
        def factor(side: str, row: int, number: int, cta: int, warp: int) -> float:
            place = layouts[side].place(row, number)
            identifier = fields[f"{side}_scale_id"].value
            first = PLACE_OF_SCALES_A if side == "a" else PLACE_OF_SCALES_B
            lane = (cta * 128 + place.lane + 32 * warp) if kernel.lanes else 0
            byte = block.tensor[4 * (lane * TENSOR_COLUMNS + first + place.column) + place.sub + identifier]
            return 2.0 ** (byte - 127) if ue8m0 else value_of(dtype_of("e4m3"), byte)

        def scale(at: int, k: int) -> float:
            m, n = divmod(at, case.n)
            cta, own = divmod(m, rows["a"])
            warp = own % 128 // 32
            return factor("a", own, k // size, cta, warp) * factor("b", n, k // size, cta, warp)

        return scale

    def _spread(self, row: list[float], case: MmaCase, block: ProbeBlock) -> list[float]:
        turn = KEEP.index(block.metadata)
        out = [0.0] * case.k
        for c, value in enumerate(row):
            out[2 * c + turn if case.dtype.storage == 32 else 4 * (c // 2) + 2 * turn + c % 2] = value
        return out


def _element(image: bytes, dtype: object, bit: int) -> float:
    byte, inside = divmod(bit, 8)
    if not FIRST <= byte < LAST:
        raise IndexError
    data = int.from_bytes(image[byte - FIRST : byte - FIRST + 5], "little")
    return value_of(dtype, data >> inside & (1 << dtype.bits) - 1)
