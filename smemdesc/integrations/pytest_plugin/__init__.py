"""pytest's plugin, an entry point of the package: the fixture ``descriptors``. ``docs/pytest.md`` shows it.

Every run of pytest imports this module, even for the tests of other projects: it imports no other module of the package
until a test requests the fixture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from smemdesc.api.scanning import Kernel
    from smemdesc.integrations.pytest_plugin.kernel import Descriptors

_WRITTEN = "smemdesc_golden"
"""The property of a test's report that names a golden file that it wrote; pytest-xdist transfers it, too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("smemdesc", "descriptors of tensor-core kernels").addoption(
        "--smemdesc-update", action="store_true", help="write the golden files of descriptors(...).same_as(FILE) anew"
    )


@pytest.fixture
def descriptors(request: pytest.FixtureRequest) -> Callable[..., Descriptors]:
    """The descriptors of a kernel: descriptors(kernel).assert_valid(), .swizzle("a"), .same_as("kernel.json").

    The kernel is a path (a cubin, PTX, SASS, TTGIR, a fat binary), text or bytes of these, or a compiled kernel, as
    smemdesc.scan takes it; function="*gemm*" takes the functions with such a name.
    """
    from smemdesc.integrations.pytest_plugin.golden import Goldens
    from smemdesc.integrations.pytest_plugin.kernel import scanned

    def written(path: str) -> None:
        request.node.user_properties.append((_WRITTEN, path))

    goldens = Goldens(request.path.parent, written if request.config.getoption("smemdesc_update") else None)

    def of(kernel: Kernel, *, function: str | None = None, cuda_bin: str | None = None) -> Descriptors:
        __tracebackhide__ = True
        return scanned(kernel, function, cuda_bin, goldens)

    return of


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Add the place of each compared value of ``descriptors`` to the message of a failed comparison."""
    values = [value for side in (left, right) for value in (side if isinstance(side, tuple) else (side,))]
    where = dict.fromkeys(where_text for value in values if (where_text := getattr(value, "smemdesc_where", "")))
    return [f"{left!r} {op} {right!r}", *where] if where else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = (report for several in terminalreporter.stats.values() for report in several)
    properties = (item for report in reports for item in getattr(report, "user_properties", ()))
    for path in sorted({path for name, path in properties if name == _WRITTEN}):
        terminalreporter.write_line(f"smemdesc: wrote {path}")
