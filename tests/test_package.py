"""What the package offers by its own name."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations

import pytest

import smemdesc

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
    code = f"import smemdesc; import smemdesc.render.json, smemdesc.encoding, smemdesc.comparing; {CALLS[name]}"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
