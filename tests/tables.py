"""Tables of cases that one test tries, row by row."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def every_row(names: str | tuple[str, ...], table: Iterable[Any]) -> Callable[[Test], Test]:
    """Make one test of a table of cases: it tries every row, and reports each that fails, with its values.

    As ``pytest.mark.parametrize``, for rows that take less time than a test of their own: three milliseconds, to be
    collected by each worker, set up and reported. What a row leaves behind is there for the next one.
    """
    arguments = (names,) if isinstance(names, str) else names
    cases = [(row,) if isinstance(names, str) else tuple(row) for row in table]
    if not cases or any(len(case) != len(arguments) for case in cases):
        raise ValueError(f"a table without rows, or a row without a value for each of {arguments}")

    def decorate(test: Test) -> Test:
        def try_all(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: list[BaseException] = []
            for number, case in enumerate(cases, 1):
                try:
                    test(**dict(zip(arguments, case, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as failure:
                    failure.add_note(f"row {number}: " + ", ".join(map("{} = {!r}".format, arguments, case)))
                    failures.append(failure)
            if failures[1:]:
                raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} rows", failures)
            if failures:
                raise failures[0]

        signature = inspect.signature(test)
        fixtures = [value for name, value in signature.parameters.items() if name not in arguments]
        try_all.__dict__.update(test.__dict__, __signature__=signature.replace(parameters=fixtures))
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(try_all, name, getattr(test, name))
        return try_all

    return decorate
