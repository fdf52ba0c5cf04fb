"""Files with device code from their path to what is found: whatever holds it, whatever goes wrong with it."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from corpus import fake
from corpus.fake import OBJECTS, WRONG, claims, nvdisasm, zipped
from run import PROGRAM, beginning, environment, smemdesc
from samples import long_run, split

import smemdesc as package
from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import files, workers
from smemdesc.scanning.inputs.binaries import containers, members, programs
from smemdesc.scanning.inputs.binaries.containers import Member
from smemdesc.scanning.inputs.binaries.containers import members as contained
from smemdesc.scanning.model import Part, joined

WGMMA = OBJECTS / "wgmma.cubin"
RECORD = json.loads((OBJECTS.parent / "binaries" / "printed.json").read_text())
PRINTED = {
    name: next(text[""] for text in RECORD.values() if mark in text[""])
    for name, mark in {"wgmma": "with_wgmma", "tcgen05": "with_tcgen05", "asserts": ".text.asserts"}.items()
}
"""What nvdisasm -c prints of the whole cubins."""
PTX = (OBJECTS / "wgmma.ptx").read_text()


@pytest.fixture(autouse=True)
def _no_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test finds by chance what is installed here."""
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(programs, "_PACKAGED", ())
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


@pytest.fixture
def bin(tmp_path: Path) -> str:
    return nvdisasm(tmp_path / "bin")


def found(
    *paths: Path | str, bin: str | None = None, jobs: int = 1, wanted: str | None = None
) -> list[workers.ChunkResult]:
    return list(workers.scan_files([str(path) for path in paths], members.Ask(wanted, bin, jobs)))


def whole(*paths: Path | str, bin: str, jobs: int = 1) -> Part:
    """Everything that is found where nothing goes wrong."""
    all = found(*paths, bin=bin, jobs=jobs)
    assert problems(all) == []
    return joined(each.part for each in all)


def names(all: list[workers.ChunkResult]) -> set[str]:
    """The files with functions."""
    return {each.name for each in all if each.part.functions}


def with_damaged_member() -> bytes:
    data = bytearray((OBJECTS / "plain.fatbin").read_bytes())
    data[80 + 40 : 80 + 48] = b"\xff" * 8  # the offset of the first cubin's sections
    return bytes(data)


def problems(all: list[workers.ChunkResult]) -> list[str]:
    return [each.problem.text for each in all if each.problem]


def test_a_call_that_never_returns_loses_nothing(bin: str) -> None:
    """What is called is named by the cubin; what nvdisasm -c prints of it does not say."""
    (of,) = whole(OBJECTS / "asserts.cubin", bin=bin).functions
    (unnamed,) = scan_text(PRINTED["asserts"]).functions
    operands = [each.mmas[0].a for each in (of, unnamed)]
    assert [each and (each.bits & 0x7F, each.known & 0x7F, each.known >> 32) for each in operands] == [
        (0x40, 0x7F, 0xFFFFFFFF),
        (0, 0, 0xFFFFFFFF),
    ]


@pytest.mark.parametrize("name", ["wgmma", "tcgen05"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_cubin_is_what_all_of_it_says_printed(
    name: str, jobs: int, bin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "_GROUP", 1)  # with two processes each function by itself
    printed = scan_text(PRINTED[name])
    mine = whole(OBJECTS / f"{name}.cubin", bin=bin, jobs=jobs)
    assert claims(mine) == claims(printed)
    assert (mine.seen, mine.older, {of.member for of in mine.functions}) == (printed.seen, printed.older, {""})


def test_lines_are_those_of_one_nvdisasm_with_these_functions(bin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = whole(WGMMA, bin=bin)
    monkeypatch.setattr(members, "_GROUP", 1)
    assert whole(WGMMA, bin=bin, jobs=2) == once
    both = next(text for each in RECORD.values() for asked, text in each.items() if "," in asked).splitlines()
    assert all("GMMA" in both[mma.line - 1] for of in once.functions for mma in of.mmas)


@pytest.mark.slow
def test_the_bytes_of_a_cubin_are_not_held_while_its_functions_are_scanned(
    bin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many, held = 8 << 20, []
    unpacked, scan_piece = members.unpacked, members.scan_piece

    def watched(*given: Any) -> Part:
        held.append(tracemalloc.get_traced_memory()[0])
        return scan_piece(*given)

    for module in (files, members):
        monkeypatch.setattr(module, "unpacked", lambda *given: unpacked(*given) + bytes(many))
    monkeypatch.setattr(members, "scan_piece", watched)
    tracemalloc.start()
    try:
        assert whole(OBJECTS / "plain.fatbin", bin=bin).functions
    finally:
        tracemalloc.stop()
    assert max(held) < many


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "zstd", "lz4", "together"])
def test_a_member_is_named_where_it_is(form: str, bin: str) -> None:
    ran = smemdesc("scan", "--json", "--cuda-bin", bin, str(OBJECTS / f"{form}.fatbin"))
    assert (ran.err, ran.status) == ("", 0)
    lines = [json.loads(line) for line in ran.out.splitlines()]
    where = {(line["file"].rpartition(":")[2], line["arch"]) for line in lines}
    archs = ["sm_100a", "sm_90a", "sm_90a"] if form == "together" else ["sm_90a", "sm_100a", "sm_90a"]
    assert where == {(f"cubin {number}", arch) for number, arch in enumerate(archs, 1)}
    if form != "plain":
        return
    shown = smemdesc("scan", "--all", "--cuda-bin", bin, str(OBJECTS / f"{form}.fatbin")).out
    assert "read: 3 cubins and 1 PTX, 3 with instructions that read descriptors" in shown
    assert "  cubin 2, SASS, sm_" in shown


def test_an_instruction_of_a_binary_is_at_its_offset(bin: str) -> None:
    """Nobody has the listing whose lines are in JSON."""
    cubin = str(OBJECTS / "wgmma.cubin")
    ran = smemdesc("scan", "--json", "--cuda-bin", bin, cubin)
    first = json.loads(ran.out.splitlines()[0])
    shown = smemdesc("scan", "--all", "--cuda-bin", bin, cubin).out
    assert f"    at /*{first['offset']:04x}*/" in shown
    assert not re.search(r"\blines? \d", shown)
    at = f"{first['function']}+{first['offset']:#x}"
    (only,) = smemdesc("scan", "--json", "--cuda-bin", bin, "--at", at, cubin).out.splitlines()
    assert json.loads(only)["line"] == first["line"]


CUBIN, OTHER = ((OBJECTS / f"{name}.cubin").read_bytes() for name in ("wgmma", "tcgen05"))
LINKED = {
    "linked first": fake.host({".nv_fatbin": fake.entry(CUBIN), "__nv_relfatbin": fake.entry(fake.relocatable(CUBIN))}),
    "linked last": fake.host({"__nv_relfatbin": fake.entry(fake.relocatable(CUBIN)), ".nv_fatbin": fake.entry(CUBIN)}),
    "in an archive": fake.archive(fake.entry(fake.relocatable(CUBIN)), fake.entry(CUBIN)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKED)
def test_a_kernel_that_was_linked_is_counted_once(name: str, bin: str, tmp_path: Path) -> None:
    (tmp_path / "app").write_bytes(LINKED[name])
    alone = whole(OBJECTS / "wgmma.cubin", bin=bin)
    part = whole(tmp_path / "app", bin=bin)
    assert (part.seen, part.older, fake.claims(part)) == (alone.seen, alone.older, fake.claims(alone))
    members = ("cubin 2", "cubin 1") if name == "in an archive" else ("cubin 1", "cubin 2")
    assert {of.member for of in part.functions} == {members[0]}
    note = found(tmp_path / "app", bin=bin)[-1].note
    assert f"{part.seen} functions of {members[1]}: relocatable, linked into another cubin, counted once" in note


def test_relocatable_code_that_is_linked_nowhere_is_scanned(bin: str, tmp_path: Path) -> None:
    fatbins = {".nv_fatbin": fake.entry(CUBIN), "__nv_relfatbin": fake.entry(fake.relocatable(OTHER))}
    (tmp_path / "part.o").write_bytes(fake.host(fatbins))
    assert {of.member: of.name for of in whole(tmp_path / "part.o", bin=bin).functions}["cubin 2"] == "with_tcgen05"


def test_zeros_of_code_are_not_taken_for_those_of_text(bin: str, tmp_path: Path) -> None:
    (tmp_path / "k.bin").write_bytes(bytes(100_000) + CUBIN)
    assert whole(tmp_path / "k.bin", bin=bin).functions


@pytest.mark.slow
def test_only_files_with_unread_parts_are_told_to_have_some(bin: str, tmp_path: Path) -> None:
    folder = tmp_path / "build"
    folder.mkdir()
    for name, data in {"a.cubin": CUBIN, "b.fatbin": with_damaged_member(), "c.cubin": CUBIN, "d.cubin": b""}.items():
        (folder / name).write_bytes(data)
    ran = smemdesc("scan", "--all", "--cuda-bin", bin, str(folder))
    notes = [line.strip() for line in ran.out.splitlines() if line.startswith("  read: ")]
    assert ["could not be read" in note for note in notes] == [True, True], notes


def test_ptx_is_read_where_there_is_no_machine_code() -> None:
    (part, _) = [each.part for each in found(OBJECTS / "ptx.fatbin")]
    assert [(of.name, of.format, of.member) for of in part.functions] == [
        (name, "PTX", "ptx 1") for name in ("with_wgmma", "second")
    ]
    of = scan_text(PTX).functions
    assert [mma.a for each in part.functions for mma in each.mmas] == [mma.a for each in of for mma in each.mmas]


def test_code_for_a_chip_without_descriptors_says_what_it_has_in_their_place(tmp_path: Path) -> None:
    cubin = bytearray(WGMMA.read_bytes())
    cubin[49 if cubin[8] >= 8 else 48] = 120
    (tmp_path / "k.cubin").write_bytes(cubin)
    (tmp_path / "k.ptx").write_text(PLAIN.format("sm_121a"))
    (tmp_path / "k.sass").write_text('\t.target\tsm_120\n.section .text.k,"ax"\n/*0000*/ OMMA.16864.F32 R4, R4 ;\n')
    for name, function, counted, arch in (
        ("k.cubin", "with_mma", "2 HMMA", "sm_120"),
        ("k.ptx", "*", "1 mma.sync", "sm_121a"),
        ("k.sass", "*", "1 OMMA", "sm_120"),
    ):
        ran = smemdesc("scan", "--check", "--function", function, str(tmp_path / name))
        assert (
            f"without descriptors: {counted}\n  architecture: {arch} has neither wgmma nor tcgen05; its block"
            in ran.out
        )
        assert f"{arch} has neither wgmma nor tcgen05; its block-scaled mma.sync takes registers" in ran.err
    (tmp_path / "k.ptx").write_text(PLAIN.format("sm_100a"))
    assert "neither" not in smemdesc("scan", str(tmp_path / "k.ptx")).out


_MMA = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{d}}, {{a}}, {{b}}, {{c}};"
PLAIN = f".target {{}}\n.visible .entry k() {{{{\n{_MMA}\n}}}}\n"


def test_nvdisasm_is_not_needed_where_nothing_has_descriptors() -> None:
    all = found(WGMMA, wanted="*mma_or_plain*") + found(WGMMA, wanted="plain") + found(WGMMA, wanted="with_mma")
    assert problems(all) == []
    assert [(each.part.seen, each.part.older) for each in all] == [(0, ()), (1, ()), (1, (("HMMA", 2),))]


def test_without_nvdisasm_what_to_install_is_said_once_a_folder(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.cubin").write_bytes(WGMMA.read_bytes())
    ran = smemdesc("scan", "--cuda-bin", str(tmp_path), str(WGMMA))
    assert (ran.out, ran.status) == ("", 2)
    (message,) = problems(found(WGMMA))
    assert "nvdisasm is needed to read machine code" in message
    assert "pip install 'smemdesc[sass]', or --cuda-bin DIR" in message
    assert len(problems(found(tmp_path))) == 1
    assert problems(found(WGMMA, bin=str(tmp_path))) == [
        f"{WGMMA}: no nvdisasm in {tmp_path}; --cuda-bin is the folder bin of a CUDA toolkit"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_an_nvdisasm_that_fails_costs_its_member_only(wrong: str, tmp_path: Path) -> None:
    bad = nvdisasm(tmp_path / "bad", WRONG[wrong])
    ran = smemdesc("scan", "--cuda-bin", bad, str(OBJECTS / "plain.fatbin"), str(OBJECTS / "ptx.fatbin"))
    assert ran.status == 2
    assert ran.err.count("nvdisasm failed" if wrong != "crashes" else "nvdisasm crashed (signal 11)") == 3
    assert "plain.fatbin:cubin 3: " in ran.err
    assert "\x1b" not in ran.err
    assert "\u202e" not in ran.err
    assert "with_wgmma" in ran.out


SLEEPS = "import os, time; {}; time.sleep(60)"
SILENT = "printed nothing for 0.3 seconds and was stopped"
HANGS = {
    "prints nothing": (SLEEPS.format("0"), SILENT),
    "stops half way": (SLEEPS.format("print('\\t.section .text.k', flush=True)"), SILENT),
    "does not end": (SLEEPS.format("os.close(1)"), "did not end within 0.3 seconds after its output"),
}


@pytest.mark.slow
@pytest.mark.parametrize("hangs", split(HANGS, lambda hangs: hangs == "does not end"))
def test_an_nvdisasm_that_hangs_costs_its_file_only(
    hangs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "SILENT_SECONDS", 0.3)
    code, message = HANGS[hangs]
    all = found(WGMMA, OBJECTS / "wgmma.ptx", bin=nvdisasm(tmp_path / "slow", code))
    assert problems(all) == [f"{WGMMA}: nvdisasm {message}"]
    assert [of.name for each in all for of in each.part.functions]
    assert not programs.RUNNING


@pytest.mark.corpus
def test_a_cuobjdump_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "SILENT_SECONDS", 0.3)
    monkeypatch.setattr(containers, "_entry", lambda member: None)
    slow = Path(nvdisasm(tmp_path / "slow", HANGS["prints nothing"][0]))
    (slow / "nvdisasm").rename(slow / "cuobjdump")
    message = problems(found(OBJECTS / "zstd.fatbin", bin=str(slow)))
    assert "zstd.fatbin:cubin 1: cuobjdump printed nothing for 0.3 seconds and was stopped" in message[0]


def test_what_fails_under_annotate_names_its_file(tmp_path: Path) -> None:
    ran = smemdesc("scan", "--annotate", "--cuda-bin", nvdisasm(tmp_path / "bad", WRONG["stops half way"]), str(WGMMA))
    assert (ran.out, ran.err, ran.status) == ("", f"error: {WGMMA}: nvdisasm failed with status 3\n", 2)


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    bad = nvdisasm(tmp_path / "bad")
    Path(bad, "nvdisasm").write_bytes(b"\x7fELF nothing")
    (problem,) = problems(found(WGMMA, bin=bad))
    assert "could not be started: exec format error" in problem


def test_a_damaged_member_costs_itself(bin: str, tmp_path: Path) -> None:
    path = tmp_path / "f.fatbin"
    path.write_bytes(with_damaged_member())
    all = found(path, bin=bin)
    assert problems(all) == [f"{path}:cubin 1: the cubin is cut off, or its header is damaged"]
    assert [of.member for each in all for of in each.part.functions] == ["cubin 2", "cubin 3", "cubin 3"]
    assert smemdesc("scan", "--cuda-bin", bin, str(path)).status == 2


def test_a_folder_is_read_through(bin: str, tmp_path: Path) -> None:
    top = tmp_path / "cache"
    deep = top / "deep" / "er"
    deep.mkdir(parents=True)
    (deep / "k.cubin").write_bytes(WGMMA.read_bytes())
    (deep / "k.ptx").write_text(PTX)
    (deep / "again.cubin").symlink_to(deep / "k.cubin")
    (top / "notes.md").write_text(PTX)
    (top / "plain.txt").write_text("desc = 0x4000404000010040\n")
    (top / "blob").write_bytes(b"\0" * 99 + (OBJECTS / "plain.fatbin").read_bytes())
    (top / "image.png").write_bytes(b"\x89PNG\0\0")
    all = found(top, bin=bin)
    assert problems(all) == []
    in_order = dict.fromkeys(each.name for each in all if each.part.functions)
    assert list(in_order) == [f"{top}/{name}" for name in ("blob", "deep/er/again.cubin", "deep/er/k.ptx")]
    assert (all[-1].name, all[-1].note) == (f"{top}, other files", "4 files read, 3 with descriptors, 2 skipped")
    assert not any(each.part.values for each in all)
    assert [each.last for each in all if each.name == str(top / "blob")][-1]
    sizes = sum(path.stat().st_size for path in top.rglob("*") if not path.is_dir() and not path.is_symlink())
    assert all[-1].done == all[-1].total == sizes


def test_a_folder_without_anything_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("pass")
    ran = smemdesc("scan", str(tmp_path))
    assert (ran.out, ran.status) == ("", 2)
    assert "nothing to scan: no dump and no device code, among 1 file" in ran.err


@pytest.mark.slow
def test_a_wheel_is_read_without_being_unpacked_by_hand(bin: str, tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    library = b"\x7fELF\x02\x01" + bytes(70) + (OBJECTS / "zstd.fatbin").read_bytes()
    rest: dict[str, bytes | str] = {"p/k.ptx": PTX, "p/__init__.py": "pass", "p/\x1b[2J.cubin": WGMMA.read_bytes()}
    wheel.write_bytes(zipped({"p/libx.so": library, **rest}))
    ran = smemdesc("scan", "--json", "--cuda-bin", bin, str(wheel))
    files = {json.loads(line)["file"].removeprefix(f"{wheel}:") for line in ran.out.splitlines()}
    assert files == {*(f"p/libx.so:cubin {n}" for n in (1, 2, 3)), "p/k.ptx", "p/\x1b[2J.cubin"}
    shown = smemdesc("scan", "--cuda-bin", bin, str(wheel))
    assert "\x1b" not in shown.out
    assert f"{wheel}:p/libx.so  " in shown.out
    assert "3 files read, 3 with descriptors, 1 skipped" in shown.out
    assert (shown.err, shown.status) == ("", 0)


def test_archives_in_archives_are_read(bin: str, tmp_path: Path) -> None:
    library = b"\x7fELF\x02\x01" + bytes(70) + WGMMA.read_bytes()
    inner = zipped({"k.ptx": PTX, "libx.so.1.gz": gzip.compress(library), "notes.md.gz": gzip.compress(b"#")})
    middle = zipped({"b.whl": inner, "k.ptx.xz": lzma.compress(PTX.encode()), "c.md.gz": gzip.compress(PTX.encode())})
    (tmp_path / "a.zip").write_bytes(zipped({"m.zip": middle, "n.zip.gz": gzip.compress(inner)}))
    (tmp_path / "d.ptx.gz").write_bytes(gzip.compress(gzip.compress(PTX.encode())))
    all = found(tmp_path, bin=bin)
    assert problems(all) == []
    assert {name.removeprefix(f"{tmp_path}/") for name in names(all)} == {
        *(f"a.zip:m.zip:{name}" for name in ("b.whl:k.ptx", "b.whl:libx.so.1.gz", "k.ptx.xz")),
        *(f"a.zip:n.zip.gz:{name}" for name in ("k.ptx", "libx.so.1.gz")),
        "d.ptx.gz",
    }
    assert [each.note for each in all if each.name == f"{tmp_path}/a.zip:m.zip:b.whl, other files"] == [
        "2 files read, 2 with descriptors, 1 skipped"
    ]


def test_archives_without_end_are_not_read(bin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    deep = PTX.encode()
    for _ in range(7):
        deep = zipped({"k.ptx": PTX, "x.zip": deep})
    (tmp_path / "deep.zip").write_bytes(deep)
    (message,) = problems(found(tmp_path / "deep.zip", bin=bin))
    assert "nested in more than 5 archives" in message
    monkeypatch.setattr("smemdesc.scanning.inputs.files._UNPACKED", 200_000)
    wide = zipped({f"{number}.zip": zipped({"k.ptx": PTX + " " * 60_000}) for number in range(4)})
    (tmp_path / "wide.zip").write_bytes(wide)
    all = found(tmp_path / "wide.zip", bin=bin)
    assert any("its archives have more than 200000 bytes" in message for message in problems(all))
    assert names(all) == {f"{tmp_path}/wide.zip:{number}.zip:k.ptx" for number in range(3)}
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_damaged_wheel_costs_what_is_damaged(bin: str, tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    data = bytearray(zipped({"a.ptx": PTX * 50, "b.ptx": PTX}))
    data[200:260] = bytes(60)
    wheel.write_bytes(data)
    all = found(wheel, bin=bin)
    (message,) = problems(all)
    assert f"{wheel}:a.ptx" in message
    assert names(all) == {f"{wheel}:b.ptx"}


def test_what_is_compressed_or_piped_is_read(bin: str, tmp_path: Path) -> None:
    (tmp_path / "k.cubin.gz").write_bytes(gzip.compress(WGMMA.read_bytes()))
    assert claims(whole(tmp_path / "k.cubin.gz", bin=bin)) == claims(scan_text(PRINTED["wgmma"]))
    piped = smemdesc("scan", "--json", "--cuda-bin", bin, "-", stdin=WGMMA.read_bytes())
    assert {json.loads(line)["file"] for line in piped.out.splitlines()} == {"-"}


def test_no_file_is_left_where_memory_cannot_be_one(bin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert problems(found(WGMMA, bin=bin)) == []
    assert len(problems(found(WGMMA, bin=nvdisasm(tmp_path / "bad", WRONG["crashes"])))) == 1
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), long_run(signal.SIGHUP, 129), long_run(signal.SIGINT, 130)]
)
def test_a_signal_leaves_nothing_behind(number: int, status: int, tmp_path: Path) -> None:
    started = tmp_path / "started"
    code = f"import os, time\nopen({str(started)!r}, 'a').write(str(os.getpid()) + ' ')\ntime.sleep(60)"
    slow = nvdisasm(tmp_path / "slow", code)
    (tmp_path / "temporary").mkdir()
    command = [*PROGRAM, "scan", "--jobs", "2", "--cuda-bin", slow, "-", str(OBJECTS / "plain.fatbin")]
    where = {**environment(), "TMPDIR": str(tmp_path / "temporary")}
    with (
        (OBJECTS / "plain.fatbin").open("rb") as stream,
        beginning(command, stdin=stream, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=where) as child,
    ):
        until = time.monotonic() + 20
        while len(started.read_text().split() if started.exists() else []) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        child.send_signal(number)
        assert b"Traceback" not in child.communicate(timeout=20)[1]
        assert child.returncode == status
        assert list((tmp_path / "temporary").iterdir()) == []
    for each in started.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(each), 0)


def test_the_places_of_the_programs_and_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site [x]"
    packaged = site / "nvidia" / "cu13" / "bin"
    packaged.parent.mkdir(parents=True)
    monkeypatch.setattr(programs, "_PACKAGED", ("nvidia/*/bin",))
    monkeypatch.setattr(sys, "path", [str(site)])
    with pytest.raises(programs.MissingError):
        programs.find_program(programs.NVDISASM)
    (tmp_path / "home").mkdir()
    nvdisasm(packaged)
    assert programs.find_program(programs.NVDISASM) == str(packaged / "nvdisasm")
    monkeypatch.setenv("PATH", nvdisasm(tmp_path / "path"))
    assert programs.find_program(programs.NVDISASM) == str(tmp_path / "path" / "nvdisasm")
    nvdisasm(tmp_path / "home" / "bin")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    assert programs.find_program(programs.NVDISASM) == str(tmp_path / "home" / "bin" / "nvdisasm")
    given = nvdisasm(tmp_path / "given")
    assert programs.find_program(programs.NVDISASM, given) == str(Path(given, "nvdisasm"))


@pytest.mark.parametrize(("variable", "value", "given"), [
    ("", "", "bin"),
    ("", "", "./bin"),
    ("", "", "../{here}/bin"),
    ("CUDA_HOME", ".", None),
    ("CUDA_PATH", "../{here}", None),
    ("PATH", "./bin", None),
])  # fmt: skip
def test_a_relative_folder_of_programs_is_of_the_folder_of_the_run(
    variable: str, value: str, given: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cuobjdump runs in a folder of its own, where it writes files."""
    wrote = tmp_path / "wrote"
    wrote.write_bytes(b"unpacked")
    code = (
        f"import shutil, sys; assert sys.argv[2:] == ['all', 'member.fatbin']; shutil.copy({str(wrote)!r}, 'a.1.cubin')"
    )
    folder = tmp_path / "bin"
    nvdisasm(folder, code)
    (folder / "nvdisasm").rename(folder / "cuobjdump")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(containers, "_entry", lambda member: None)
    if variable:
        monkeypatch.setenv(variable, value.format(here=tmp_path.name))
    with (OBJECTS / "zstd.fatbin").open("rb") as stream:
        member = next(each for each in contained(stream) if isinstance(each, Member))
    assert containers.unpacked(member, given and given.format(here=tmp_path.name)) == b"unpacked"


@pytest.mark.parametrize("form", ["zstd", "lz4", "together"])
def test_cuobjdump_unpacks_what_no_library_does(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    try:
        programs.find_program(programs.CUOBJDUMP)
    except SmemdescError:
        pytest.skip("needs cuobjdump")
    with (OBJECTS / f"{form}.fatbin").open("rb") as stream:
        packed = [each for each in contained(stream) if isinstance(each, Member)]
    by_library = [containers.unpacked(each, None) for each in packed]
    monkeypatch.setattr(containers, "_entry", lambda member: None)
    by_cuobjdump = [containers.unpacked(each, None) for each in packed]
    assert [each.rstrip(b"\0") for each in by_cuobjdump] == [each.rstrip(b"\0") for each in by_library]


def test_without_library_and_cuobjdump_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    message = problems(found(OBJECTS / "zstd.fatbin"))
    assert len(message) == 4
    assert "cubin 1: it is compressed; unpacking needs the package zstandard or cuobjdump" in message[0]


class Compiled:
    """As Triton's."""

    def __init__(self, **asm: str | bytes) -> None:
        self.asm = asm


@pytest.mark.slow
def test_the_function_takes_what_is_at_hand(bin: str) -> None:
    cubin = WGMMA.read_bytes()
    text = PRINTED["wgmma"]
    for kernel in (str(WGMMA), WGMMA, cubin, memoryview(cubin), text, text.encode(), Compiled(cubin=cubin, ptx=PTX)):
        assert claims(package.scan(kernel, cuda_bin=bin)) == claims(scan_text(text))
    assert [of.name for of in package.scan(PTX, function="sec*").functions] == ["second"]
    assert {of.format for of in package.scan(Compiled(cubin=cubin, ptx=PTX)).functions} == {"PTX"}


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (3, "int cannot be scanned"),
        ("no such.cubin", "no such file"),
        (b"\x7fELF\x02\x01\0", "the bytes holds no device code"),
        (WGMMA.read_bytes(), "nvdisasm is needed"),
        (WGMMA.read_bytes()[:5000], "the bytes: cubin 1: the cubin is cut off"),
        (Compiled(cubin=WGMMA.read_bytes()), "nvdisasm is needed"),
        (Compiled(hsaco=b""), "none of the forms cubin, ptx"),
    ],
)
def test_the_function_says_what_it_cannot_scan(kernel: object, message: str) -> None:
    with pytest.raises(SmemdescError, match=message):
        package.scan(kernel)  # type: ignore[arg-type]


def test_what_of_a_library_fails_is_told_with_the_rest(bin: str) -> None:
    part = package.scan(with_damaged_member(), cuda_bin=bin)
    assert len(part.functions) == 3
    assert part.failed == ((0, "the bytes:cubin 1: the cubin is cut off, or its header is damaged"),)


@pytest.mark.slow
def test_an_empty_file_among_many_stops_nothing(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.ptx").write_text(PTX + "// " + "x" * 1_500_000)
    (tmp_path / "empty.ptx").write_text("")
    assert problems(found(tmp_path, jobs=2)) == []


def test_every_program_is_started_in_one_place() -> None:
    """There it has a limit, and ends with whoever ends this; the debugger's other half and the pager are apart."""
    folder = Path(package.__file__).parent
    starting = {str(path.relative_to(folder)) for path in folder.rglob("*.py") if "Popen(" in path.read_text()}
    assert starting == {
        "cli/support/paging.py",
        "scanning/inputs/binaries/programs.py",
        "debugger/cuda_gdb.py",
    }
    assert not [path for path in folder.rglob("*.py") if re.search(r"subprocess\.run\(|os\.system\(", path.read_text())]


@pytest.mark.slow
def test_the_benchmark_of_a_library_runs(bin: str, tmp_path: Path) -> None:
    """It takes minutes on a real one; here it prints one time of each kind."""
    command = [
        sys.executable,
        Path(fake.__file__).parents[1] / "bench" / "binaries.py",
        OBJECTS / "plain.fatbin",
        "--cuda-bin",
        bin,
    ]
    options = ["--sample", "2", "--jobs", "1", "--texts", "1"]
    out = subprocess.run([*command, *options], env=environment(), capture_output=True, text=True, check=False).stdout
    assert [line.split()[0] for line in out.splitlines()] == ["plain.fatbin:", "scan", "nvdisasm", "text:"]
