"""What the hardware is asked: ``python -m silicon.cases`` (in tests/tools) writes the file that the driver reads.

The library makes the cases, so that no bit is placed by hand; the machine with the chip needs no library.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from silicon.compare import expected
from silicon.record import Group, Plan, write_plan
from smemdesc.engine.fields import Reserved, ones
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import atom_bytes, atom_shape
from smemdesc.layout.operand import Operand

TABLE = kind_of("wgmma").table
LOWEST = 0x400
"""Dynamic shared memory begins here on sm_90: the first KiB is the system's."""
PLAIN_A, PLAIN_B = 0x36000, 0x37000
"""The operands that are no question lie above all that the descriptors reach (but for those that shall fault)."""
LARGEST = 16 * ones(TABLE.row("leading_byte_offset").width)
FLOAT16 = ("f16", "bf16")
DTYPES = ("f16", "bf16", "tf32", "e4m3", "s8")
WIDTHS = ("f16", "tf32", "e4m3")
"""One type of each width: of these and dense ones each reserved bit is asked alone."""
MODE_NAMES = tuple(mode.name for mode in MODES if mode.wgmma is not None)
RESERVED = tuple(1 << bit for row in TABLE.rows if isinstance(row.codec, Reserved) for bit in range(row.lo, row.hi + 1))
ACCUMULATORS = (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"), ("e4m3", "f32"), ("e4m3", "f16"),
                ("s8", "s32"))  # fmt: skip


class Form(NamedTuple):
    """An operand of one instruction."""

    name: str
    dtype: str
    asked: str
    major: str
    mn: int
    k: int
    sparse: bool = False

    @property
    def rows_of_other(self) -> int:
        """Rows of the plain operand: M of A; N of B, which has to pick out each k of A."""
        if self.asked == "B":
            return 64
        return 2 * self.k if self.sparse else self.k


class Numbers(NamedTuple):
    """What a descriptor says, in bytes."""

    mode: str
    start: int
    lbo: int
    sbo: int
    base_offset: int = 0
    reserved: int = 0

    def descriptor(self) -> int:
        """Return it packed."""
        fields = {
            "start_address": self.start,
            "leading_byte_offset": self.lbo,
            "stride_byte_offset": self.sbo,
            "base_offset": self.base_offset,
            "swizzle": self.mode,
        }
        return TABLE.pack(TABLE.encode(fields)) | self.reserved


def operand_forms() -> Iterator[Form]:
    """Yield what is asked in every class: A and B of every type, both major-nesses where they exist, dense and sparse.

    K-major B has 32 rows, four groups of 8; MN-major B 128, two rows of 128 bytes in 16 bits. A is 64 rows always.
    """
    for dtype in DTYPES:
        k = dtype_of(dtype).k
        for sparse in (False, True):
            mark = "sp" if sparse else ""
            for major, n in (("K", 32), ("MN", 128))[: 2 if dtype in FLOAT16 else 1]:
                # The sparse A is compressed: it has the K of the dense one. B has twice that.
                yield Form(f"{mark}A.{dtype}.{major}", dtype, "A", major, 64, k, sparse)
                yield Form(f"{mark}B.{dtype}.{major}.n{n}", dtype, "B", major, n, 2 * k if sparse else k, sparse)


def sizes() -> Iterator[Form]:
    """Yield B with other N: the fewest rows and the most."""
    for dtype in DTYPES:
        k = dtype_of(dtype).k
        yield Form(f"B.{dtype}.K.n8", dtype, "B", "K", 8, k)
        yield Form(f"B.{dtype}.K.n256", dtype, "B", "K", 256, k)
        if dtype in FLOAT16:
            yield Form(f"B.{dtype}.MN.n256", dtype, "B", "MN", 256, k)


def steps(form: Form, mode: str) -> dict[str, int]:
    """Return how many times LBO and SBO are added to reach the last element."""
    made = Operand(mode, form.major, dtype_of(form.dtype), (form.mn, form.k))
    return {term.name: term.times for term in made.terms(form.mn - 1, form.k - 1) if term.name in ("LBO", "SBO")}


def packed(form: Form, mode: str, *, mn_first: bool) -> tuple[int, int]:
    """Return LBO and SBO of a tile whose atoms lie one after another, along MN first or along K first."""
    dtype = dtype_of(form.dtype)
    atom, size = atom_shape(mode, form.major, dtype), atom_bytes(mode, form.major)
    down, across = -(-form.mn // atom.mn), -(-form.k // atom.k)
    along_mn, along_k = (size, size * down) if mn_first else (size * across, size)
    return (along_k, along_mn) if form.major == "K" or mode == "none" else (along_mn, along_k)


def some_strides(form: Form, mode: str, rng: random.Random, reach: int) -> tuple[int, int]:
    """Return any LBO and SBO that stay within ``reach`` bytes, in either order, zero and overlaps among them."""
    times = steps(form, mode)
    share = rng.random()
    room = {"LBO": share * reach, "SBO": (1 - share) * reach}
    lbo, sbo = (rng.randrange(int(room[name]) // max(1, times[name]) // 16 + 1) * 16 for name in ("LBO", "SBO"))
    return min(lbo, LARGEST), min(sbo, LARGEST)


def period(mode: str) -> int:
    """Return the bytes within which starts are tried; without a pattern, as many as of the smallest."""
    return max(256, next(each.period for each in MODES if each.name == mode))


# ---- the classes: what is varied, for one form and one mode ----


def plain(form: Form, mode: str) -> Iterator[Numbers]:
    """The layout whose answer is known without a model: rows of 16 bytes one after another."""
    if mode == "none" and form.major == "K":
        yield Numbers(mode, LOWEST, 16 * form.mn, 128)


def canonical(form: Form, mode: str) -> Iterator[Numbers]:
    """Tiles without gaps, in both orders of their atoms."""
    for mn_first in (True, False):
        yield Numbers(mode, 0x800, *packed(form, mode, mn_first=mn_first))


def strides(form: Form, mode: str) -> Iterator[Numbers]:
    """Any strides, any start: gaps, overlaps, LBO above SBO and below, odd multiples of 16."""
    rng = random.Random(f"strides {form.name} {mode}")
    for reach in (0x800, 0x2000, 0x8000, 0x20000):
        yield Numbers(mode, LOWEST + 16 * rng.randrange(256), *some_strides(form, mode, rng, reach))
    yield Numbers(mode, 0x1000, 0, 0)


def far(form: Form, mode: str) -> Iterator[Numbers]:
    """The largest strides that end in the block's memory, up to 200 KiB in a step."""
    times = steps(form, mode)
    for name, other in (("LBO", "SBO"), ("SBO", "LBO")):
        if times[name]:
            room = PLAIN_A - 0x3000 - LOWEST
            found = {name: min(room // times[name] // 16 * 16, LARGEST), other: 16}
            yield Numbers(mode, LOWEST + 16, found["LBO"], found["SBO"])


def starts(form: Form, mode: str) -> Iterator[Numbers]:
    """Starts at every 16 bytes of a pattern: the swizzle is of absolute addresses."""
    lbo, sbo = packed(form, mode, mn_first=True)
    for inside in range(0, period(mode), 16):
        yield Numbers(mode, 0x2000 + inside, lbo, sbo)


def base_offsets(form: Form, mode: str) -> Iterator[Numbers]:
    """Base offsets 0 to 7, from the start of a pattern and from inside it."""
    lbo, sbo = packed(form, mode, mn_first=True)
    for inside in (0, 0x1B0):
        for base_offset in range(8):
            yield Numbers(mode, 0x2000 + inside, lbo, sbo, base_offset)


def reserved(form: Form, mode: str) -> Iterator[Numbers]:
    """No reserved bit, all of them, and each alone (of one type of each width, in the modes furthest apart)."""
    lbo, sbo = packed(form, mode, mn_first=False)
    each = RESERVED if mode in ("none", "128B") and form.dtype in WIDTHS and not form.sparse else ()
    for bits in (0, sum(RESERVED), *each):
        yield Numbers(mode, 0x2430, lbo, sbo, 0, bits)


def lbo_without_effect(form: Form, mode: str) -> Iterator[Numbers]:
    """K-major and swizzled, with K inside the atom: any LBO, the largest too."""
    if form.major == "K" and mode != "none" and not steps(form, mode)["LBO"]:
        for lbo in (0, 16, 32, 1024, LARGEST):
            yield Numbers(mode, 0x2000, lbo, packed(form, mode, mn_first=True)[1])


def lbo_beyond_the_atom(form: Form, mode: str) -> Iterator[Numbers]:
    """K-major and swizzled, with K of more than one atom: LBO is the step from one to the next."""
    if form.major == "K" and mode != "none" and steps(form, mode)["LBO"]:
        for lbo in (0, 16, 32, 1024, 0x3330):
            yield Numbers(mode, 0x2000, lbo, packed(form, mode, mn_first=True)[1])


CLASSES = {
    "plain": plain,
    "canonical": canonical,
    "strides": strides,
    "far": far,
    "starts": starts,
    "base-offsets": base_offsets,
    "reserved-bits": reserved,
    "lbo-without-effect": lbo_without_effect,
    "lbo-beyond-the-atom": lbo_beyond_the_atom,
}
SIZES = ("canonical", "strides", "far")
"""The classes in which N of 8 and of 256 are asked too."""


def outside(form: Form, mode: str) -> Numbers:
    """A start and a stride whose sum is past 18 bits; modulo 2**18 it would be in the block's memory."""
    times = steps(form, mode)
    name = "SBO" if times["SBO"] else "LBO"
    return Numbers(mode, 0x35000, LARGEST if name == "LBO" else 16, LARGEST if name == "SBO" else 16)


def plain_descriptor(rows: int, start: int) -> int:
    """Return the descriptor of a plain operand: all rows of 16 bytes of K, then of the next 16."""
    return Numbers("none", start, 16 * rows, 128).descriptor()


def group(cls: str, form: Form, numbers: Iterable[Numbers]) -> Group:
    """Return the cases of one class and form."""
    other = plain_descriptor(form.rows_of_other, PLAIN_A if form.asked == "B" else PLAIN_B)
    descriptors = tuple(each.descriptor() for each in numbers)
    d_type = "s32" if form.dtype == "s8" else "f32"
    size = dtype_of(form.dtype).storage // 8
    return Group(cls, form.name, form.dtype, form.asked, form.major, (form.mn, form.k), size, form.sparse, d_type,
                 other, descriptors)  # fmt: skip


def registers() -> Iterator[Group]:
    """Yield A in registers of every type."""
    for dtype in DTYPES:
        k, size = dtype_of(dtype).k, dtype_of(dtype).storage // 8
        d_type = "s32" if dtype == "s8" else "f32"
        yield Group("registers", f"regs.{dtype}", dtype, "registers", "K", (64, k), size, False, d_type,
                    plain_descriptor(k, PLAIN_B), (0,))  # fmt: skip


def accumulators() -> Iterator[Group]:
    """Yield D of every type of A and of D, for N of 8, 32 and 256."""
    for dtype, d_type in ACCUMULATORS:
        for n in (8, 32, 256):
            size = dtype_of(dtype).storage // 8
            yield Group("accumulator", f"acc.{dtype}.{d_type}.n{n}", dtype, "accumulator", "K", (64, n), size, False,
                        d_type, plain_descriptor(n, PLAIN_B), (plain_descriptor(64, PLAIN_A),))  # fmt: skip


def make() -> Plan:
    """Return all cases: those that fault last, a machine may not survive them."""
    groups = [*registers(), *accumulators()]
    wide = list(sizes())
    for cls, vary in CLASSES.items():
        for form in [*operand_forms(), *(wide if cls in SIZES else [])]:
            numbers = [each for mode in MODE_NAMES for each in vary(form, mode)]
            if numbers:
                groups.append(group(cls, form, numbers))
    for form in operand_forms():
        if form.dtype == "f16" and not form.sparse:
            groups.append(group("outside", form, [outside(form, mode) for mode in MODE_NAMES]))
    return Plan(PLAIN_A, PLAIN_B, groups)


def astray(plan: Plan) -> Iterator[str]:
    """Yield the cases whose operand is not in the filled memory, though it is none of those that shall fault."""
    for group in plan.groups:
        for descriptor in group.descriptors:
            if group.addresses and group.cls != "outside":
                every = expected(group, descriptor)
                if min(every) < LOWEST or max(every) >= PLAIN_A:
                    yield f"{group.cls}, {group.form}: 0x{descriptor:016x}"


if __name__ == "__main__":
    made = make()
    wrong = list(astray(made))
    if wrong:
        sys.exit("\n".join(["outside of the filled memory:", *wrong]))
    write_plan(made)
