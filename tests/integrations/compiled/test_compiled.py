"""What is found in kernels as a compiler holds them: the mistakes of ``seeded.py``, in their lines of Python.

``python seeded.py FOLDER``, run by a Python that has Triton, made the PTX and SASS beside this file.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations import cute
from smemdesc.integrations.compiled import DescriptorError, PythonLine, check

HERE = Path(__file__).parent
SOURCE = HERE / "seeded.py"
KERNELS = {"hopper": (6, "call"), "blackwell": (6, "")}
"""How many instructions each has, and what it calls."""
TRITON = os.environ.get("TRITON_PYTHON") or (sys.executable if importlib.util.find_spec("triton") else None)


def recorded(kernel: str, form: str = "ptx") -> str:
    """Return a kernel of ``seeded.py`` as it was compiled."""
    return (HERE / f"{kernel}.{form}").read_text()


def mistakes(kernel: str) -> set[tuple[int, str]]:
    """Return the lines of ``seeded.py`` with mistakes of a kernel, and the rules that find them."""
    functions = re.split(r"(?m)^(?=@triton)", SOURCE.read_text())
    found, line = set(), 1
    for text in functions:
        wanted = any(name and f"def {name}(" in text for name in (kernel, KERNELS[kernel][1]))
        for number, each in enumerate(text.split("\n"), line):
            if wanted and (rule := re.search(r"\)  # ([\w-]+)$", each)):
                found.add((number, rule[1]))
        line += text.count("\n")
    return found


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_mistake_is_found_in_its_line(kernel: str) -> None:
    checked = check(recorded(kernel), kernel)
    assert (checked.mmas, checked.known, checked.unread) == (KERNELS[kernel][0], KERNELS[kernel][0], ())
    found = {(each.place.line, each.message.split(": ")[1]) for each in checked.findings if each.place}
    assert mistakes(kernel) <= found
    assert {line for line, _ in mistakes(kernel)} == {line for line, _ in found}


def test_the_machine_code_has_the_same_mistakes() -> None:
    of_ptx, of_sass = (check(recorded("hopper", form), "hopper").findings for form in ("ptx", "sass"))
    assert {each.message for each in of_ptx} == {each.message for each in of_sass}
    assert {each.place.file for each in of_sass if each.place} == {"seeded.py"}


def test_a_finding_reads_as_a_compiler_prints_it() -> None:
    assert str(check(recorded("blackwell"), "blackwell").findings[0]) == (
        "seeded.py:99: error: swizzle-code: A: code 3 is 128B in the tensor map, undefined in tcgen05\n"
        "  fix: 0x4000404000010040: write swizzle 128B\n"
        "  set in: mov.b64 a, 0x6000404000010040\n"
        "  in: kernel blackwell, sm_100a: tcgen05.mma.cta_group::1.kind::f16"
    )


def test_of_inlined_code_both_lines_are_named() -> None:
    found = check(recorded("hopper"), "hopper").findings[-1]
    assert (str(found.place), found.details[-2]) == ("seeded.py:64", "called from: seeded.py:83")


def test_without_debug_lines_the_place_is_that_of_the_kernel() -> None:
    text = re.sub(r"(?m)^\s*\.loc.*\n", "", recorded("blackwell"))
    defined = PythonLine("seeded.py", 93)
    assert {each.place for each in check(text, "blackwell", defined).findings} == {defined}


def test_code_without_matrix_instructions_is_not_even_scanned() -> None:
    code = (
        "import sys; from smemdesc.integrations.compiled import check; check('.version 8.0\\n', 'add'); "
        "sys.exit(any(name.startswith('smemdesc.scanning') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "made", [{"__ptx__": recorded("hopper") + "\0"}, {"__cubin__": b"cubin"}], ids=["ptx", "cubin"]
)
def test_cute_dsl(made: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("smemdesc.integrations.compiled.sass_of", lambda *_: recorded("hopper", "sass"))
    kernel = SimpleNamespace(function_name="gemm", **made)
    checked = cute.check(kernel)
    assert capsys.readouterr().err == "".join(f"{each}\n" for each in checked.findings)
    assert len(checked.findings) == 9
    with pytest.raises(DescriptorError, match=r"^9 findings in the descriptors of the kernel gemm\n"):
        cute.check(kernel, strict=True)


def test_cute_dsl_without_ptx() -> None:
    with pytest.raises(SmemdescError, match=r"^gemm has no PTX and no cubin; set CUTE_DSL_KEEP=ptx "):
        cute.check(SimpleNamespace(function_name="gemm", __ptx__=None, __cubin__=None))


@pytest.mark.skipif(TRITON is None, reason="no Triton here; TRITON_PYTHON names a Python that has it and smemdesc")
def test_triton_compiles_to_what_is_recorded(tmp_path: Path) -> None:
    """With a newer Triton or ptxas the texts may differ: what is found must not."""
    done = subprocess.run([str(TRITON), SOURCE, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == ("1 kernel, 1 with MMAs: 6 MMAs, 9 findings\n1 kernel, 1 with MMAs: 6 MMAs, 7 findings\n")
    found = [str(each) for kernel in KERNELS for each in check(recorded(kernel), kernel).findings]
    assert done.stderr.replace(str(SOURCE), SOURCE.name) == "".join(f"{each}\n" for each in found)
