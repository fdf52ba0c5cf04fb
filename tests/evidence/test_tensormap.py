"""The table of tensor maps against what ptxas makes of ``tensormap.replace``: each kernel runs on a map of ones and on
one of zeros, and writes what the table says and nothing else."""

from __future__ import annotations

import pytest
from evidence.tensormap import COUNTS, RECORD, TARGETS, WIDE
from programs.machine import Instruction, Machine, Outside, Program

from smemdesc.engine.fields import ones
from smemdesc.kinds.tensormap import DATA_TYPE, MAP_BITS, PTXAS, TILED

MAP = 1 << 40
"""Where the map lies."""
VALUES = 0x8765_4321, 0x0123_4567_89AB_CDE0
"""What the kernels write: 32 bits, 64."""
KERNELS = dict(each.split(":\n") for each in RECORD.read_text().split("\n\n")[1:])
ELEMTYPES = (
    *("UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16", "FLOAT32", "FLOAT32_FTZ", "FLOAT64"),
    *("BFLOAT16", "TFLOAT32", "TFLOAT32_FTZ", "16U4_ALIGN8B", "16U4_ALIGN16B", "16U6_ALIGN16B"),
)
"""The types in the order of PTX: u8, ..., f32.ftz, f64, bf16, tf32, tf32.ftz, b4x16, b4x16_p64, b6x16_p32."""
CODED = {"interleave_layout": "interleave", "swizzle_mode": "swizzle", "fill_mode": "fill"}


class Memory(Outside):
    """A map in memory, and the parameters of a kernel."""

    def __init__(self, first: int, bits: int) -> None:
        self.bits = bits
        words = (MAP, MAP >> 32, VALUES[0], 0, VALUES[1], VALUES[1] >> 32)
        self.constants = {first + 4 * at: word & ones(32) for at, word in enumerate(words)}

    def constant(self, offset: int) -> int:
        return self.constants.get(offset, 0)

    def load(self, what: Instruction, address: int, size: int) -> int:
        return self.bits >> 8 * (address - MAP) & ones(8 * size)


def replaced(kernel: str, bits: int) -> int:
    """Return the map after a kernel ran."""
    memory = Memory(TARGETS[kernel.split()[0]], bits)
    machine = Machine(Program(KERNELS[kernel] + "\nEXIT;"), memory)
    machine.run()
    for address, byte in machine.memory.items():
        at = 8 * (address - MAP)
        bits = bits & ~(255 << at) | byte << at
    return bits


def expected(kernel: str, bits: int) -> int:
    """Return the map as the table says."""
    field, _, last = kernel.split()[1].rpartition("_")
    number = int(last) if last.isdecimal() else 0
    field = field if last.isdecimal() else kernel.split()[1]
    value = VALUES[field in WIDE]
    written: dict[str, int] = {}
    key, _, name = field.rpartition("_")
    if field == "query_large":  # writes 0 to the first word of a map whose class is large
        return bits & ~ones(32) if TILED.read(bits)["allocation_class"].value == "large" else bits
    if key in ("global_address", "allocation_class"):
        written = {"global_address": VALUES[1]} if key == "global_address" else {}
        written |= {} if name == "same" else {"allocation_class": name == "large"}
    elif field == "global_address":
        written = {field: value, "allocation_class": 0}
    elif field == "rank":
        written = {field: value & 7}
    elif field == "global_stride":  # number 0 is that of dimension 1
        key = f"stride_{number + 1}"
        written = {key: value >> 4 & ones(32), f"{key}_upper": value >> 36 & 15}
    elif field in COUNTS:
        key = f"{field.removesuffix('_dim') if field == 'box_dim' else field.removeprefix('global_')}_{number}"
        written = {key: value - 1 & ones(TILED.row(key).width)}
    elif field == "elemtype":
        of = DATA_TYPE[ELEMTYPES[number]]
        written = {"data_type": of.code, **({"data_type_upper": 1} if of.upper else {})}
    elif field == "swizzle_mode":
        written = {"swizzle": number % 4, "swizzle_upper": number // 4}
    else:
        written = {CODED.get(field, field): number}
    for key, raw in written.items():
        bits = TILED.insert(bits, key, raw)
    return bits


@pytest.mark.parametrize("target", TARGETS)
def test_ptxas_writes_the_fields_where_the_table_has_them(target: str) -> None:
    of_target = [each for each in KERNELS if each.startswith(target)]
    assert len(of_target) > 40
    for kernel in of_target:
        for bits in (0, ones(MAP_BITS)):
            assert replaced(kernel, bits) == expected(kernel, bits), kernel


def test_the_rows_that_name_ptxas_are_those_that_it_writes() -> None:
    changed = 0
    for kernel in KERNELS:
        changed |= replaced(kernel, 0) | ~replaced(kernel, ones(MAP_BITS))
    changed &= ones(MAP_BITS)
    named = {row.key for row in TILED.rows if PTXAS in row.source}
    assert named == {row.key for row in TILED.rows if changed >> row.lo & ones(row.width)}
    assert RECORD.read_text().startswith(f"// {PTXAS.split(',')[0]}.")


def test_what_exists_on_which_target() -> None:
    def codes(target: str, field: str) -> list[int]:
        names = (each.rpartition("_") for each in KERNELS)
        return [int(last) for name, _, last in names if name == f"{target} {field}"]

    assert codes("sm_90a", "elemtype") == list(range(13))
    assert codes("sm_100a", "elemtype") == list(range(16))
    assert codes("sm_90a", "swizzle_atomicity") == []
    assert codes("sm_100a", "swizzle_atomicity") == list(range(4))
    assert codes("sm_100a", "swizzle_mode") == list(range(4))
    assert codes("sm_103a", "swizzle_mode") == list(range(5))
