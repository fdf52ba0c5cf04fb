"""Fat binaries of every form, in whatever holds them, whole and spoiled; cubins without a disassembler."""

from __future__ import annotations

import io
import random
import struct
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from corpus.fake import OBJECTS, archive, entry, host, relocatable
from evidence.opcodes import mnemonics, wrong
from samples import sampled
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries import containers, cubin, elf, programs
from smemdesc.scanning.inputs.binaries.containers import Damage, Member, members

FORMS = ("plain", "zstd", "lz4", "together")
FILES = {form: (OBJECTS / f"{form}.fatbin").read_bytes() for form in FORMS}
NAMES = {"sm_90a": "wgmma", "sm_90": "wgmma", "sm_100a": "tcgen05"}
CUBINS = {arch: (OBJECTS / f"{name}.cubin").read_bytes() for arch, name in NAMES.items()}
AROUND = {
    "alone": (b"", b""),
    "in an object": (b"\x7fELF\x02\x01\x01" + bytes(2000), b".nv_fatbin\0" * 9),
    "in an archive, at an odd place": (b"!<arch>\n" + b"x" * 1001, b"\n" * 77),
    "behind a mark that is none": (b"\x50\xed\x55\xba\x01\x00\x10\x00" + b"\x07" * 99, b""),
    "across two blocks": (bytes((1 << 20) - 3), b""),
}


def found(data: bytes) -> list[Member | Damage]:
    return list(members(io.BytesIO(data)))


def contents(data: bytes, kind: str) -> list[bytes]:
    return sorted(
        containers.unpacked(each, None).rstrip(b"\0")
        for each in found(data)
        if isinstance(each, Member) and each.kind == kind
    )


@every_row("form", FORMS)
@every_row("around", AROUND)
def test_every_form_is_found_in_everything(form: str, around: str) -> None:
    before, after = AROUND[around]
    (ptx,) = contents(before + FILES[form] + after, "ptx")
    # fatbinary leaves blanks out.
    assert ptx.split() == (OBJECTS / "wgmma.ptx").read_bytes().split()
    assert contents(before + FILES[form] + after, "cubin") == sorted(data.rstrip(b"\0") for data in CUBINS.values())


def test_members_are_numbered_by_kind_through_the_file() -> None:
    names = [each.name for each in found(FILES["zstd"] * 2) if isinstance(each, Member)]
    assert names == ["cubin 1", "cubin 2", "ptx 1", "cubin 3", "cubin 4", "cubin 5", "ptx 2", "cubin 6"]


ORDERS = {
    "linked first": host({".nv_fatbin": FILES["zstd"], "__nv_relfatbin": FILES["plain"]}),
    "relocatable first, as CMake links": host({"__nv_relfatbin": FILES["plain"], ".nv_fatbin": FILES["zstd"]}),
    "a section that cuobjdump does not list": host({".cask_resource": FILES["plain"], ".nv_fatbin": FILES["zstd"]}),
}


@every_row("order", ORDERS)
@every_row("around", [(b"", b""), (b"!<arch>\n", b"")])
def test_linked_code_is_numbered_first(order: str, around: tuple[bytes, bytes]) -> None:
    data = archive(ORDERS[order], ORDERS[order]) if around[0] else ORDERS[order]
    packings = [each.packing for each in found(data) if isinstance(each, Member) and each.kind == "cubin"]
    assert packings == [*["zstd"] * 3, *[""] * 3] * (2 if around[0] else 1)


def test_sections_that_hold_something_else_change_no_order() -> None:
    data = host({"__nv_relfatbin": FILES["plain"][:-8], ".nv_fatbin": FILES["zstd"]})
    assert [each.name for each in found(data) if isinstance(each, Member)][:2] == ["cubin 1", "cubin 2"]


@every_row("at", [32, 40, 64 * 3])
@every_row("number", [1 << 50, 1 << 63, (1 << 64) - 1])
def test_an_offset_beyond_all_files_costs_its_cubin_only(at: int, number: int) -> None:
    wrong = bytearray(CUBINS["sm_90a"])
    wrong[at : at + 8] = number.to_bytes(8, "little")
    for sound in (CUBINS["sm_100a"], entry(CUBINS["sm_100a"]), FILES["zstd"]):
        good = [each.data for each in found(sound) if isinstance(each, Member)]
        assert good == [each.data for each in found(bytes(wrong) + sound) if isinstance(each, Member)][-len(good) :]


@every_row("form", ["zstd", "lz4", "plain"])
@every_row("field", [(2, 2), (4, 4), (8, 8)])
def test_a_damaged_entry_costs_no_other(form: str, field: tuple[int, int]) -> None:
    """The cubin of the first entry, too, is found where it is not compressed."""
    (at, size), data = field, bytearray(FILES[form])
    data[16 + at : 16 + at + size] = b"\xfe" * size
    damaged = found(bytes(data))
    assert any(isinstance(each, Damage) for each in damaged)
    names = [each.size for each in damaged if isinstance(each, Member)][-3:]
    assert names == [each.size for each in found(FILES[form]) if isinstance(each, Member)][-3:]


def test_relocatable_code_is_told() -> None:
    data = CUBINS["sm_90a"]
    assert [cubin.read_cubin(each).relocatable for each in (data, relocatable(data))] == [False, True]


def test_a_cubin_needs_no_container() -> None:
    (alone,) = found(CUBINS["sm_90a"])
    assert isinstance(alone, Member)
    assert (alone.name, alone.data) == ("", CUBINS["sm_90a"])
    inside = found(b"\x7fELF\x02\x01" + bytes(500) + CUBINS["sm_90a"] + bytes(9) + CUBINS["sm_100a"])
    assert [each.name for each in inside if isinstance(each, Member)] == ["cubin 1", "cubin 2"]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_spoiled_is_refused_or_read(form: str) -> None:
    generator = random.Random(form)
    for _ in range(150):
        data = bytearray(FILES[form])
        for _ in range(generator.choice((1, 3, 40))):
            data[generator.randrange(len(data))] = generator.randrange(256)
        for each in found(bytes(data)):
            if isinstance(each, Member):
                with suppress(SmemdescError):
                    cubin.read_cubin(containers.unpacked(each, "/nowhere"))


def test_what_says_that_it_is_endless_is_not_waited_for() -> None:
    data = FILES["plain"]
    assert any(isinstance(each, Damage) for each in found(data[:8] + b"\xff" * 8 + data[16:]))
    assert found(data[:16] + b"\0" * len(data)) == []


WHOLE = {name: (OBJECTS / f"{name}.cubin").read_bytes() for name in ("wgmma", "tcgen05")}


@pytest.mark.parametrize(
    ("name", "sm", "with_descriptors"), [("wgmma", 90, {"with_wgmma", "second"}), ("tcgen05", 100, {"with_tcgen05"})]
)
def test_functions_with_descriptors_are_told_by_their_opcodes(name: str, sm: int, with_descriptors: set[str]) -> None:
    data = WHOLE[name]
    of = cubin.read_cubin(data)
    used = {code.name: cubin.used(data[code.start : code.start + code.size], of.sm) for code in of.functions}
    assert of.sm == sm
    assert {code for code in used if used[code].descriptors} == with_descriptors
    assert used["plain"] == (False, Counter())
    if name == "wgmma":
        assert used["with_mma"] == (False, Counter(HMMA=2))


@pytest.mark.parametrize(
    ("words", "sm", "older"),
    [
        ((0x7236, 0x723C, 0x7237, 0x723C), 75, {"HMMA": 3, "IMMA": 1}),
        ((0x836,), 75, {"HMMA": 1}),
        ((0x836,), 80, {}),  # an addition of later architectures
        ((0x836,), 100, {}),
    ],
)
def test_all_opcodes_of_a_name_are_counted_together(words: tuple[int, ...], sm: int, older: dict[str, int]) -> None:
    assert cubin.used(b"".join(word.to_bytes(cubin.INSTRUCTION_BYTES, "little") for word in words), sm).older == older


def test_the_architecture_of_an_older_cubin_stands_elsewhere() -> None:
    data = bytearray(WHOLE["wgmma"])
    data[8], data[48:52] = 7, (0x5A0D5A).to_bytes(4, "little")
    assert cubin.read_cubin(bytes(data)).sm == 90


ASSERTS = (OBJECTS / "asserts.cubin").read_bytes()


def test_constant_memory_tells_which_functions_never_return() -> None:
    assert cubin.never_returning_offsets(ASSERTS) == {0}
    assert cubin.never_returning_offsets(ASSERTS.replace(b"__assertfail", b"__assertfine")) == set()


def test_a_spoiled_cubin_is_refused_or_read() -> None:
    generator = random.Random(1)
    for data in (*WHOLE.values(), ASSERTS):
        for _ in range(500):
            spoiled = bytearray(data[: generator.choice((len(data), generator.randrange(len(data))))])
            for _ in range(generator.choice((0, 1, 20))):
                place = generator.choice((generator.randrange(64), generator.randrange(len(data))))
                if place < len(spoiled):
                    spoiled[place] = generator.randrange(256)
            try:
                of = cubin.read_cubin(bytes(spoiled))
                cubin.never_returning_offsets(bytes(spoiled))
            except SmemdescError:
                continue
            assert all(code.start + code.size <= len(spoiled) for code in of.functions)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WHOLE))
def test_opcodes_are_those_of_nvdisasm(name: str) -> None:
    try:
        program = programs.find_program(programs.NVDISASM)
    except SmemdescError:
        pytest.skip("needs nvdisasm")
    command = [program, "-c", "-hex", str(OBJECTS / f"{name}.cubin")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seen = mnemonics(text)
    assert seen.total() > 50
    assert [each for each in seen if wrong(*each)] == []


class Counting(io.BytesIO):
    """A file that counts the bytes that are read of it."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


def _entry(payload: int, packed: int, flags: int, unpacked: int) -> bytes:
    return struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, payload, packed, 0, 0, 0, 0, 0, 0, flags, 0, unpacked)


_HEADER = CUBINS["sm_90a"][:40] + struct.pack("<Q", 64) + CUBINS["sm_90a"][48:60] + b"\xff\xff\0\0"
ZSTD = b"\x28\xb5\x2f\xfd".ljust(64, b"\0")
HOSTILE: dict[str, Callable[[int], bytes]] = {
    "marks of ELF": lambda size: elf.MAGIC * (size // 6),
    "marks of fat binaries": lambda size: containers.FAT_BINARY * (size // 8),
    "headers of cubins": lambda size: _HEADER * (size // 64),
    "endless fat binaries": lambda size: (containers.FAT_BINARY + struct.pack("<Q", 1 << 50)) * (size // 16),
    "entries within each other": lambda size: (
        containers.FAT_BINARY
        + struct.pack("<Q", size)
        + (_entry(size // 2 // 8 * 8 + 8, size // 2 // 8 * 8 + 4, 0x8000, 10**6) + ZSTD) * (size // 128)
    ),
    "members of an archive": lambda size: b"!<arch>\n" + b"%-48s%-10d`\n" % (b"k.o/", 0) * (size // 60),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_read_grows_with_the_file(name: str) -> None:
    counts = []
    for size in (1 << 15, 1 << 17):
        stream = Counting(HOSTILE[name](size))
        for _ in members(stream):
            pass
        containers.cut_short(stream)
        counts.append(stream.count)
    assert counts[1] <= 6 * counts[0]
