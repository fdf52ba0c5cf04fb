"""What the package offers by its own name, and what is in the files that it is handed out as."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from itertools import permutations
from pathlib import Path

import pytest

import smemdesc

pytestmark = pytest.mark.corpus  # long: .ci/run has it

CALLS = {
    "decode": "smemdesc.decode(0x4000404000010040)",
    "encode": "smemdesc.encode('wgmma')",
    "diff": "smemdesc.diff(0x4000404000010040, 0x4000404000010042)",
    "context": "smemdesc.context(dtype='f16')",
}


def test_every_name_is_there() -> None:
    assert set(smemdesc.__all__) <= set(dir(smemdesc))
    assert all(getattr(smemdesc, name) is not None for name in smemdesc.__all__)


def test_no_other_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = smemdesc.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(("first", "second"), list(permutations(CALLS, 2)))
def test_functions_in_any_order(first: str, second: str) -> None:
    code = f"import smemdesc; {CALLS[first]}; {CALLS[second]}"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", CALLS)
def test_function_is_not_hidden_by_the_module_of_its_name(name: str) -> None:
    rooms = "smemdesc.descriptors.encoding, smemdesc.descriptors.difference"
    code = f"import smemdesc; import {rooms}; {CALLS[name]}"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


ROOT = Path(__file__).parent.parent
IN_SHARE = {
    "docs/man/smemdesc.1": "man/man1/smemdesc.1",
    "docs/completions/smemdesc": "bash-completion/completions/smemdesc",
    "docs/completions/_smemdesc": "zsh/site-functions/_smemdesc",
    "docs/completions/smemdesc.fish": "fish/vendor_completions.d/smemdesc.fish",
}
"""What goes beside the package, and where the programs that read it look for it below ``share``."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel and an sdist of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    quiet("-m", "hatchling", "build", "-d", str(folder))
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


def quiet(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True, timeout=300)


@pytest.mark.parametrize("form", ["wheel", "sdist"])
def test_installed_program_runs(built: dict[str, Path], form: str, tmp_path: Path) -> None:
    # The build back end and the dependencies are those of this environment: nothing comes from the network.
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    quiet(
        "-m", "pip", "install", "--quiet", *offline, "--ignore-installed", "--prefix", str(tmp_path), str(built[form])
    )
    places = sysconfig.get_paths("posix_prefix", {"base": str(tmp_path), "platbase": str(tmp_path)})
    package, scripts = Path(places["purelib"]) / "smemdesc", Path(places["scripts"])

    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [scripts / "smemdesc", "0x4000404000010040"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("0x4000404000010040  tcgen05 shared-memory descriptor (Blackwell)  valid\n")

    asked = [sys.executable, "-P", "-c", "import smemdesc; print(smemdesc.__file__)"]
    found = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).parent == package
    assert (package / "py.typed").exists()
    for source, name in IN_SHARE.items():
        assert (tmp_path / "share" / name).read_bytes() == (ROOT / source).read_bytes()


def test_wheel_has_the_package_and_nothing_else(built: dict[str, Path]) -> None:
    names = zipfile.ZipFile(built["wheel"]).namelist()
    paths = [path for path in (ROOT / "smemdesc").rglob("*") if path.suffix in (".py", ".json", ".md", ".typed")]
    assert {name for name in names if name.startswith("smemdesc/")} == {str(path.relative_to(ROOT)) for path in paths}
    assert {name.partition("/")[0].rpartition(".")[2] for name in names} == {"smemdesc", "data", "dist-info"}


def test_wheel_names_the_plugin_of_pytest(built: dict[str, Path]) -> None:
    wheel = zipfile.ZipFile(built["wheel"])
    (name,) = (each for each in wheel.namelist() if each.endswith("/entry_points.txt"))
    assert "[pytest11]\nsmemdesc = smemdesc.integrations.pytest_plugin\n" in wheel.read(name).decode()


def test_sdist_has_what_its_tests_need(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    top = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "action.yml", "pyproject.toml"}
    assert top | {"smemdesc/py.typed", ".github/workflows/ci.yml"} <= names
    for folder in ("smemdesc", "docs", "examples", "tests"):
        paths = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".md", ".txt")]
        assert {str(path) for path in paths if not any(part.startswith(".") for part in path.parts)} <= names
