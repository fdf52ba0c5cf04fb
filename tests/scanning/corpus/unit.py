"""A source file of several kernels, with what is known of each."""

from __future__ import annotations

from typing import NamedTuple

from .kernels import HEADER, Case, kernel
from .truth import Function


class Unit(NamedTuple):
    """A translation unit."""

    name: str
    arch: str
    source: str
    truth: dict[str, Function]


def unit(name: str, arch: str, cases: list[Case], header: str = "") -> Unit:
    """Write the kernels of all cases into one source."""
    helpers: dict[str, str] = {}
    kernels: list[str] = []
    truth: dict[str, Function] = {}
    for case in cases:
        made = kernel(case)
        helpers.update(made.helpers)
        kernels.append(made.source)
        assert case.name not in truth, case.name
        truth[case.name] = made.truth
    return Unit(name, arch, HEADER + header + "".join(helpers.values()) + "\n" + "\n".join(kernels), truth)
