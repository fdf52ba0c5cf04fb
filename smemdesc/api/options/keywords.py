"""The keywords of the functions of the API, read by the table of options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from smemdesc.api.options import readers
from smemdesc.api.options.table import Option, option_row
from smemdesc.engine.errors import SmemdescError, keywords, together
from smemdesc.kinds.context import Context
from smemdesc.kinds.names import BLAS

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C", bound=Context)


def read_options(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given for the keywords of a command, read; None is a keyword that was not given.

    ``trans_a`` and ``trans_b`` become ``major``. :class:`smemdesc.engine.errors.SmemdescError` names the keyword.
    """
    given = _with_type_of_kind(command, given)
    values = dict(given)
    rows = [(name, option_row(command, name)) for name, value in given.items() if value is not None]
    ordered = sorted(((name, option) for name, option in rows if option), key=lambda pair: len(pair[1].uses))
    known = given.get("context")
    for name, option in ordered:
        if option.read is not None:
            others = {used: values.get(used) or getattr(known, used, None) for used in option.uses}
            values[name] = option.read(name, given[name], **others)
    # An instruction descriptor has a flag for each operand instead.
    of_idesc = (values.get("kind") or ("idesc" if command == "decode" and values.get("mma_kind") else "")).startswith(
        "idesc"
    )
    if {"major", "trans_a"} <= values.keys() and not of_idesc:
        majors = readers.major_of_operand(*(values[name] for name in ("major", "trans_a", "trans_b")))
        values |= {"major": majors, "trans_a": None, "trans_b": None}
    return values


def _with_type_of_kind(command: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the keywords of a command with the element type that the MMA kind decides, if that was not given."""
    own, kind = option_row(command, "dtype"), given.get("mma_kind")
    if given.get("dtype") is not None or kind is None or own is None or not _by_kind(own):
        return given
    from smemdesc.kinds.types import read_by, type_of_kind

    name = readers.read_mma_kind("mma_kind", kind)
    dtype = type_of_kind(name)
    if dtype is None and "mma_kind" in own.instead:
        raise SmemdescError(f"kind::{name} reads {', '.join(read_by(name))}", hint="choose one", keyword="dtype")
    return given if dtype is None else {**given, "dtype": dtype}


def _by_kind(own: Option) -> bool:
    return "mma_kind" in own.instead or own.read is readers.read_operand_dtype


def reads(*apart: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make functions of the API: they get their keywords as they were read, and the default instead of None.

    Keywords about the instruction, except those named here, replace what ``context`` knows of it.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        plainly: Any = function
        code, defaults = plainly.__code__, plainly.__kwdefaults__ or {}
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        optional = {*defaults, *known[code.co_argcount - len(plainly.__defaults__ or ()) : code.co_argcount]}
        command = plainly.__qualname__.partition(".")[0]

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            if len(args) > code.co_argcount:
                return function(*args, **kwargs)  # a TypeError
            given = _with_type_of_kind(command, dict(zip(known, args, strict=False)) | kwargs)
            for name in (name for name in known if name not in optional and given.get(name, name) is None):
                raise SmemdescError("it is missing", keyword=name)
            typed = defaults | {name: value for name, value in given.items() if value is not None}
            values = typed | read_options(command, {name: typed.get(name) for name in known if name in typed})
            if "context" in defaults:
                values["context"] = _replaced(values, apart)
            result: T = plainly(**values)
            return result

        return keywords(together(call))

    return decorate


def _replaced(values: Mapping[str, Any], apart: Iterable[str]) -> Context:
    """Return the context in which keywords replace what is known."""
    context = values["context"]
    if not isinstance(context, Context):
        raise SmemdescError(f"{context!r} is not a Context", hint="make it with smemdesc.Context", keyword="context")
    names = (name for name in (*Context._fields, "trans_a", "trans_b") if name not in apart)
    return knowing(context, **{name: values[name] for name in names if values.get(name) is not None})


def knowing(context: C, **values: Any) -> C:
    """Return a context with what was read for keywords of :func:`smemdesc.decode`; None is not known.

    ``dtype`` and ``shape`` are of an operand, or types and shape of an instruction.
    """
    for one, whole in (("dtype", "types"), ("shape", "mnk")):
        if one in values and (type(values[one]) is tuple and (whole == "types" or len(values[one]) == 3)):
            values[whole] = values.pop(one)
    if "trans_a" in values or "trans_b" in values:
        majors = tuple(BLAS.get((operand, values.pop(f"trans_{operand}", None))) for operand in "ab")
        values["majors"] = majors if any(majors) else None
    return context._replace(**values)


def as_read(value: str | T) -> T:
    """Return a value that :func:`reads` has read, which is text no longer: only its type changes."""
    assert not isinstance(value, str)
    return value
