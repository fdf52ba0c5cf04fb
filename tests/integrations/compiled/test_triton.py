"""The check of every kernel that Triton compiles: a listener, called here as Triton calls it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations.compiled import DescriptorError
from smemdesc.integrations.triton import check

from .test_compiled import HERE, recorded

NO_MMA = ".version 8.7\n.target sm_90a\n.visible .entry add() { ret; }\n"
THREADS = "TORCHINDUCTOR_COMPILE_THREADS"


class Triton:
    """Stands in for ``triton.knobs``, and compiles."""

    def __init__(self, folder: Path) -> None:
        self.compilation = SimpleNamespace(listener=None)
        self.nvidia = SimpleNamespace(nvdisasm=SimpleNamespace(path="/triton/nvdisasm"))
        self.folder = folder

    def compile(self, text: str, form: str = "ptx") -> None:
        path = self.folder / f"gemm.{form}"
        path.write_text(text)
        files = {"gemm.json": "/gone", "gemm.cubin": str(self.folder / "gemm.cubin"), path.name: str(path)}
        if self.compilation.listener is not None:
            self.compilation.listener(
                src=SimpleNamespace(fn=None),
                metadata={"name": "gemm"},
                metadata_group=files,
                times=None,
                cache_hit=False,
            )


@pytest.fixture(autouse=True)
def triton(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Triton:
    made = Triton(tmp_path)
    monkeypatch.setitem(sys.modules, "triton.knobs", made)
    monkeypatch.delenv("SMEMDESC_TRITON", raising=False)
    return made


@pytest.fixture(autouse=True)
def inductor(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stand in for ``torch._inductor.config``."""
    config = SimpleNamespace(compile_threads=32)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "torch._inductor.config", config)
    return config


def test_findings_are_reported_once(triton: Triton) -> None:
    out = io.StringIO()
    with check(file=out) as made:
        for text in (recorded("hopper"), recorded("hopper"), NO_MMA):
            triton.compile(text)
    assert out.getvalue() == "".join(f"{each}\n" for each in made.findings)
    assert str(made) == "3 kernels, 2 with MMAs: 12 MMAs, 9 findings"
    triton.compile(recorded("blackwell"))
    assert (made.kernels, triton.compilation.listener) == (3, None)


def test_strict_raises_each_time(triton: Triton) -> None:
    out = io.StringIO()
    with check(strict=True, file=out):
        triton.compile(NO_MMA)
        for _ in range(2):
            with pytest.raises(
                DescriptorError, match=r"^9 findings in the descriptors of the kernel gemm\nseeded.py:79: "
            ):
                triton.compile(recorded("hopper"))
    assert out.getvalue() == ""


def test_inductor_compiles_in_this_process_while_the_check_is_open(inductor: SimpleNamespace) -> None:
    with check():
        assert inductor.compile_threads == 1
    assert inductor.compile_threads == 32


@pytest.mark.parametrize("before", ["4", None])
def test_inductor_is_told_before_it_is_imported(monkeypatch: pytest.MonkeyPatch, before: str | None) -> None:
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.delenv(THREADS, raising=False)
    if before is not None:
        monkeypatch.setenv(THREADS, before)
    with check():
        assert os.environ[THREADS] == "1"
    assert os.environ.get(THREADS) == before


@pytest.mark.parametrize("strict", [False, True])
def test_a_fault_of_its_own_breaks_nothing(triton: Triton, monkeypatch: pytest.MonkeyPatch, strict: bool) -> None:
    def faulty(*_: object) -> object:
        raise KeyError("ptx")

    monkeypatch.setattr("smemdesc.integrations.compiled.check", faulty)
    out = io.StringIO()
    with check(strict, file=out) as made:
        triton.compile(recorded("hopper"))
        triton.compile(recorded("hopper"))
    assert out.getvalue().startswith(
        "smemdesc: a kernel was not checked: an error in smemdesc itself (KeyError: 'ptx')"
    )
    assert out.getvalue().count("\n") == 1
    assert str(made) == "0 kernels, 0 with MMAs: 0 MMAs, no finding, 2 kernels not checked"


def test_what_triton_does_not_say_breaks_nothing(triton: Triton) -> None:
    with check(file=io.StringIO()) as made:
        triton.compilation.listener(src=None, metadata={}, metadata_group={})
        triton.compilation.listener(src=None, metadata={"name": "gemm"}, metadata_group={"gemm.ptx": "/gone"})
    assert made.failed == 2


def test_a_closed_stream_breaks_nothing(triton: Triton) -> None:
    out = io.StringIO()
    out.close()
    with check(file=out) as made:
        triton.compile(recorded("hopper"))
    assert made.failed == 1


def test_a_listener_that_is_there_is_called_and_comes_back(triton: Triton) -> None:
    called = []

    def listener(**given: object) -> None:
        called.append(given["cache_hit"])

    triton.compilation.listener = listener
    outer, inner = check(file=io.StringIO()), check(file=io.StringIO())
    triton.compile(recorded("hopper"))
    assert (len(outer.findings), len(inner.findings)) == (0, 9)  # the newest alone reports
    inner.close()
    triton.compile(recorded("blackwell"))
    assert len(outer.findings) == 8
    outer.close()
    outer.close()
    assert (triton.compilation.listener, called) == (listener, [False, False])


def test_below_another_listener_it_only_passes_on(triton: Triton) -> None:
    made = check(file=io.StringIO())
    triton.compilation.listener = above = lambda **given: made(**given)
    made.close()
    triton.compile(recorded("hopper"))
    assert (triton.compilation.listener, made.kernels) == (above, 0)


@pytest.mark.parametrize(("form", "sass"), [("ptx", True), ("json", False)], ids=["asked for", "no PTX"])
def test_machine_code(triton: Triton, monkeypatch: pytest.MonkeyPatch, form: str, sass: bool) -> None:
    def disassembled(_: bytes, nvdisasm: str) -> str:
        assert nvdisasm == "/triton/nvdisasm"
        return recorded("hopper", "sass")

    monkeypatch.setattr("smemdesc.integrations.compiled.sass_of", disassembled)
    (triton.folder / "gemm.cubin").write_bytes(b"cubin")
    with check(sass=sass, file=io.StringIO()) as made:
        triton.compile(recorded("hopper"), form)
    assert {each.details[-1].split(": ")[-1][:5] for each in made.findings} == {"HGMMA"}


@pytest.mark.parametrize(("value", "strict"), [("", False), ("1", False), ("strict", True), ("0", None)])
def test_the_variable(triton: Triton, monkeypatch: pytest.MonkeyPatch, value: str, strict: bool | None) -> None:
    monkeypatch.setenv("SMEMDESC_TRITON", value)
    with check(file=io.StringIO()) as made:
        try:
            triton.compile(recorded("hopper"))
            raised = False
        except DescriptorError:
            raised = True
    assert (raised, made.kernels) == (bool(strict), strict is not None)


def test_a_variable_of_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMEMDESC_TRITON", "yes")
    with pytest.raises(
        SmemdescError, match=r"^SMEMDESC_TRITON is yes; use 1 \(report\), strict \(raise\) or 0 \(off\)$"
    ):
        check()


SCRIPT = """
import sys
from triton.knobs import compilation
print(sys.argv[1:])
given = {"src": None, "metadata": {"name": "gemm"}, "metadata_group": {"gemm.ptx": sys.argv[1]}}
compilation.listener(**given)
"""


def run(folder: Path, *arguments: str, value: str = "1") -> subprocess.CompletedProcess[str]:
    """Run the module in a folder that has a script and a stand-in for Triton."""
    (folder / "triton").mkdir()
    (folder / "triton" / "knobs.py").write_text(
        "from types import SimpleNamespace\ncompilation = SimpleNamespace(listener=None)\n"
    )
    (folder / "script.py").write_text(SCRIPT)
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "smemdesc.integrations.triton", *arguments],
        cwd=folder,
        env=os.environ | {"SMEMDESC_TRITON": value, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("value", "status", "first"), [("1", 0, "seeded.py:79: "), ("strict", 1, "Traceback ")])
@pytest.mark.parametrize("how", ["script.py", "-m script"])
def test_a_script_is_run_with_a_check(tmp_path: Path, how: str, value: str, status: int, first: str) -> None:
    done = run(tmp_path, *how.split(), str(HERE / "hopper.ptx"), value=value)
    assert (done.returncode, done.stdout) == (status, f"['{HERE / 'hopper.ptx'}']\n")
    assert sum(line.startswith(first) for line in done.stderr.splitlines()) == 1
    assert "smemdesc: 1 kernel, 1 with MMAs: 6 MMAs, 9 findings\n" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "value", "says"),
    [
        ((), "1", "usage: python -m "),
        (("-m",), "1", "usage: python -m "),
        (("script.py",), "on", "error: SMEMDESC_TRITON "),
    ],
)
def test_what_cannot_be_run(tmp_path: Path, arguments: tuple[str, ...], value: str, says: str) -> None:
    done = run(tmp_path, *arguments, value=value)
    assert (done.returncode, done.stdout, done.stderr.startswith(says), done.stderr.count("\n")) == (2, "", True, 1)


def test_a_check_that_is_off_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "nothing.py").write_text("")
    assert run(tmp_path, "nothing.py", value="0").stderr == ""
