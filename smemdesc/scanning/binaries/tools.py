"""NVIDIA's programs that print machine code: where they are."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from glob import escape, glob

from smemdesc.engine.errors import SmemdescError

NVDISASM, CUOBJDUMP = "nvdisasm", "cuobjdump"
_PACKAGED = ("nvidia/*/bin", "triton/backends/nvidia/bin")
"""Where packages of PyPI put programs: nvidia-cuda-nvdisasm and nvidia-cuda-cuobjdump, and Triton, which has both."""


class MissingError(SmemdescError):
    """The program is nowhere to be found."""


def find(name: str, folder: str | None = None) -> str:
    """Return the path of a program. :class:`MissingError` says what to install.

    ``folder`` (``--cuda-bin``) is the only place where there is one; else CUDA_HOME, CUDA_PATH, PATH and the packages
    of the running Python are looked at, in this order.
    """
    for place in _places(folder):
        found = shutil.which(name, path=place)
        if found:
            return found
    if folder is not None:
        raise MissingError(f"no {name} in {folder}", hint="--cuda-bin is the folder bin of a CUDA toolkit")
    raise MissingError(
        f"{name} is needed to read machine code, but was not found",
        hint="pip install 'smemdesc[sass]', or --cuda-bin DIR: the folder bin of a CUDA toolkit",
    )


def _places(folder: str | None) -> Iterator[str]:
    if folder is not None:
        yield folder
        return
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home:
            yield os.path.join(home, "bin")
    yield os.environ.get("PATH", os.defpath)
    for site in sys.path:
        for pattern in _PACKAGED:
            yield from sorted(glob(os.path.join(escape(site or os.curdir), pattern)), reverse=True)
