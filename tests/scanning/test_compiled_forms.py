"""The forms of one kernel: one that contradicts an earlier one is an error in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus.dumps import dumps
from run import smemdesc
from tables import every_row

from smemdesc import scan
from smemdesc.explanations.catalog import example_of

KERNEL = "triton_90_bf16_tma"
FORMS = {each.rpartition(".")[2]: text for each, text, _ in dumps(KERNEL) if each.startswith(f"{KERNEL}.")}
TWO_KIB = ("4611686293305294848", "4611686568183201792")
"""SBO 1024 B, and 2048 B."""


def write(folder: Path, *changes: tuple[str, str, str], forms: tuple[str, ...] = tuple(FORMS)) -> Path:
    """Write the forms as Triton's cache has them; ``changes``: a form, a text in it, and what it is to be."""
    for form in forms:
        text = FORMS[form]
        for _, old, new in (change for change in changes if change[0] == form):
            assert old in text
            text = text.replace(old, new)
        (folder / f"mm.{form}").write_text(text)
    return folder


def found(folder: Path) -> list[tuple[str, str]]:
    """Return the file and the message of each finding of the rule, each once."""
    every = scan(folder).findings
    return sorted({(Path(one.where.file).name, one.message) for one in every if one.rule == "forms-differ"})


WIDTH = ("swizzlingByteWidth = 128", "swizzlingByteWidth = 64")


@pytest.mark.slow
@every_row(
    ("changes", "says"),
    [
        ([], []),
        ([("ptx", *TWO_KIB)], [("mm.ptx", "the PTX has SBO 2048 B, the LLVM IR SBO 1024 B (mm.llir, line "),
                               ("mm.sass", "the SASS has SBO 1024 B, the PTX SBO 2048 B (mm.ptx, line ")]),
        ([("sass", "0x40000040", "0x40000080")],
         [("mm.sass", "the SASS has SBO 2048 B, the PTX SBO 1024 B (mm.ptx, line ")]),
        ([("ttgir", *WIDTH)],
         [("mm.llir", "the LLVM IR has LBO 0 B, SBO 1024 B and swizzle 128B, the MLIR LBO 4096 B, SBO 512 B and swi"),
          ("mm.llir", "the LLVM IR has SBO 1024 B and swizzle 128B, the MLIR SBO 512 B and swizzle 64B (mm.ttgir, ")]),
    ],
)  # fmt: skip
def test_a_form_that_contradicts_an_earlier_one(
    changes: list[tuple[str, str, str]], says: list[tuple[str, str]], tmp_path: Path
) -> None:
    every = found(write(tmp_path, *changes))
    assert [(file, message[: len(text)]) for (file, message), (_, text) in zip(every, says, strict=True)] == says


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "short", "github", "sarif", "json"])
def test_it_is_an_error_in_every_format(form: str, tmp_path: Path) -> None:
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.mkdir()
    wrong.mkdir()
    ran = smemdesc("scan", "--check", "--format", form, str(write(right)))
    assert ("forms-differ" in ran.out, ran.err, ran.status) == (False, "", 0)
    ran = smemdesc("scan", "--check", "--format", form, str(write(wrong, ("ptx", *TWO_KIB))))
    assert ("forms-differ" in ran.out, ran.err, ran.status) == (True, "", 1)


@pytest.mark.slow
def test_files_that_are_named_are_compared_too(tmp_path: Path) -> None:
    write(tmp_path, ("ptx", *TWO_KIB), forms=("llir", "ptx"))
    ran = smemdesc("scan", "--check", "--format", "github", *map(str, sorted(tmp_path.iterdir())))
    assert ("the PTX has SBO 2048 B, the LLVM IR SBO 1024 B (mm.llir, line" in ran.out, ran.status) == (True, 1)


@pytest.mark.slow
def test_in_json_it_is_about_its_operand_and_fields(tmp_path: Path) -> None:
    write(tmp_path, ("ptx", *TWO_KIB), forms=("llir", "ptx"))
    every = [json.loads(line) for line in smemdesc("scan", "--json", str(tmp_path)).out.splitlines()]
    assert {
        (each["file"].rpartition(".")[2], finding["operand"], *finding["fields"])
        for each in every
        for finding in each.get("findings", ())
        if finding["rule"] == "forms-differ"
    } == {("ptx", "a", "stride_byte_offset"), ("ptx", "b", "stride_byte_offset")}


class Compiled:
    """A kernel as Triton returns it, without its cubin."""

    def __init__(self, **forms: str) -> None:
        self.asm = forms


@pytest.mark.slow
def test_a_compiled_kernel_and_a_folder_are_not_ok(tmp_path: Path) -> None:
    forms = {form: text for form, text in FORMS.items() if form != "sass"}
    assert scan(Compiled(**forms)).ok
    wrong = scan(Compiled(**{**forms, "ptx": forms["ptx"].replace(*TWO_KIB)}))
    assert ("forms-differ" in {one.rule for one in wrong.findings}, wrong.ok) == (True, False)
    folder = scan(write(tmp_path, ("ptx", *TWO_KIB)))
    assert not folder.ok
    (first, *_) = smemdesc("scan", str(tmp_path)).out.splitlines()
    assert str(folder).startswith(first.removeprefix(f"{tmp_path}  ").rpartition(",")[0])


def test_two_forms_in_one_text_are_compared_unless_one_is_of_another_architecture() -> None:
    text = example_of("forms-differ").text
    assert {one.rule for one in scan(text).findings} == {"forms-differ"}
    other = text.replace(".target sm_100a\n.text.k:", ".target sm_103a\n.text.k:")
    assert "forms-differ" not in {one.rule for one in scan(other).findings}


def test_what_ptxas_drops_or_adds_contradicts_nothing() -> None:
    text = example_of("forms-differ").text.replace("0x80004040", "0x40004040")
    more = text.replace("ret;", "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd9, %r1, %p2;\nret;")
    more = more.replace("mov.b32 %r1", "mov.b64 %rd9, 0x8000404000010440;\nmov.b32 %r1", 1)
    assert "forms-differ" not in {one.rule for one in scan(more).findings}
