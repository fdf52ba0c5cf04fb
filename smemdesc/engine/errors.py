"""The base of all errors about what was typed, and what the functions of the API share: errors name the keyword.

An error carries its parts (the given text, the place, what to type instead);
``smemdesc.render.problem`` makes lines of them, so the same error serves a terminal, a batch and a library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from smemdesc.engine.plain import plain
from smemdesc.engine.wording import nearest, printable, short

P = ParamSpec("P")
T = TypeVar("T")


class SmemdescError(ValueError):
    """An input cannot be used.

    ``message`` says what is wrong, ``given`` is the text in question, ``span`` the half-open range of
    its characters at fault, ``hint`` what to type instead. ``keywords`` are the arguments that it is about, if any:
    ``keyword`` is the first, and without one of the others there would be no error. The others are looked for when
    they are asked for (:func:`together`).

    ``message``, ``hint`` and ``str`` name keywords: ``mma_kind``. ``option_message`` and ``option_hint`` are what the
    command line says: ``--mma-kind``.
    """

    def __init__(
        self,
        message: str,
        *,
        given: str | None = None,
        span: tuple[int, int] | None = None,
        hint: str = "",
        keyword: str | tuple[str, ...] = "",
    ) -> None:
        super().__init__(message)
        self.option_message = message
        self.given = given
        self.span = span
        self.option_hint = hint
        self._keywords = tuple(filter(None, (keyword,) if isinstance(keyword, str) else keyword))
        self._find_others: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None

    @property
    def message(self) -> str:
        """What is wrong."""
        return _with_keywords(self.option_message)

    @property
    def hint(self) -> str:
        """What to type instead, or empty."""
        return _with_keywords(self.option_hint)

    @property
    def keyword(self) -> str:
        """The argument that cannot be used, or empty."""
        return next(iter(self._keywords or self.keywords), "")

    @property
    def keywords(self) -> tuple[str, ...]:
        """The arguments that the error is about."""
        find, self._find_others = self._find_others, None
        if find is not None:
            self._keywords += find(self._keywords)
        return self._keywords

    @keywords.setter
    def keywords(self, keywords: tuple[str, ...]) -> None:
        self._keywords = keywords

    def find_others(self, find: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
        """Remember how to find the other keywords, given those that are known, for when they are asked for."""
        before = self._find_others

        def find_all(known: tuple[str, ...]) -> tuple[str, ...]:
            first = before(known) if before is not None else ()
            return first + find(known + first)

        self._find_others = find_all

    @property
    def text(self) -> str:
        """The message and the hint, with the names of options."""
        return f"{self.option_message}; {self.option_hint}" if self.option_hint else self.option_message

    @property
    def named(self) -> bool:
        """Whether the message itself names the argument."""
        first = self.option_message.partition(" ")[0]
        begins = first.startswith(self.keyword) if first.endswith(":") else first == self.keyword
        return begins or option(self.keyword) in self.option_message

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``place`` is the line of the given text that is at fault, its column from 1."""
        place = None
        if self.given is not None and self.given.strip():
            text, first, length = marked_line(self.given, self.span)
            place = {"text": text, "column": first + 1, "length": length}
        return {"message": short(self.option_message), "place": place, "hint": short(self.option_hint) or None}

    def __reduce__(self) -> tuple[object, ...]:
        _ = self.keywords  # how to find them cannot be pickled
        return _remade, (type(self), self.args, self.__dict__)

    def _render_traceback_(self) -> list[str]:
        """Return the message for IPython and notebooks, which would otherwise show this package's stack frames."""
        return [f"{type(self).__name__}: {self}"]

    def __str__(self) -> str:
        text = "\n".join(map(printable, _with_keywords(self.text).split("\n")))
        return text if self.named or not self.keywords else f"{', '.join(self.keywords)}: {text}"


def marked_line(source: str, span: tuple[int, int] | None) -> tuple[str, int, int]:
    """Return the line of ``source`` in which a span begins (None: all of it), where it begins there, and its length."""
    first, end = span or (0, len(source))
    begin = source.rfind("\n", 0, first) + 1
    text = source[begin:].partition("\n")[0]
    return text, first - begin, max(1, min(end - begin, len(text)) - (first - begin))


def _remade(kind: type[SmemdescError], arguments: tuple[object, ...], parts: dict[str, object]) -> SmemdescError:
    """Return a copy of an error, whose class's constructor may take other arguments."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(parts)
    return error


_OPTION = r"\bsmemdesc [^;\n]*+|(?<![\w./-])--(no-)?+([a-z]++(?:-[a-z0-9]++)*+)(?:[ ]((?=[a-z_]*+[A-Z\d])[\w.,]*\w))?"


def _with_keywords(text: str) -> str:
    """Return a text about options as one about keywords: ``major="K"`` for ``--major K``. Commands stay as they are."""
    return re.sub(_OPTION, _as_keyword, text)


def _as_keyword(found: re.Match[str]) -> str:
    if found[2] is None:
        return found[0]
    name = found[2].replace("-", "_")
    name = "from_" if name == "from" else name
    if found[1] or found[3] is None:
        return f"{name}=False" if found[1] else name
    value = found[3] if found[3].isdecimal() else f'"{found[3]}"'
    return f"{name}={value}" + "," * found.string.startswith(" --", found.end())


def option(keyword: str) -> str:
    """Return the option of a keyword: ``--mma-kind``."""
    return "--" + keyword.rstrip("_").replace("_", "-")


def named(keyword: str, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what ``read`` returns; its error names the keyword, unless it names one itself."""
    try:
        return read(*args, **kwargs)
    except SmemdescError as error:
        error.keywords = error.keywords or (keyword,)
        raise


@contextmanager
def about(keyword: str, given: str = "") -> Iterator[None]:
    """Attribute every error, even one that names another keyword, to this one, which was ``given`` like this."""
    try:
        yield
    except SmemdescError as error:
        prefix = f"{option(keyword)} {given}: " if given else ""
        raise SmemdescError(prefix + error.option_message, hint=error.option_hint, keyword=keyword) from None


def together(function: Callable[P, T]) -> Callable[P, T]:
    """Add to the keywords of a function's error each other given keyword without which the error does not occur.

    To find out, the function is called again without each: only when the error is asked for its keywords.
    """

    again: Callable[..., T] = function

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SmemdescError as error:

            def needed(known: tuple[str, ...]) -> tuple[str, ...]:
                found = []
                for name in [name for name in kwargs if name not in known]:
                    with suppress(Exception):
                        again(*args, **{key: value for key, value in kwargs.items() if key != name})
                        found.append(name)
                return tuple(found)

            error.find_others(needed)
            raise

    return call


def keywords_beside(*objects: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make functions of the API; the arguments named here (``fields`` for ``**fields``) are objects of other packages.

    All others are made plain (:func:`smemdesc.engine.plain.plain`). :class:`TypeError` for an unknown keyword suggests
    one that the function has.
    """

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        innermost: Any = function
        while hasattr(innermost, "__wrapped__"):
            innermost = innermost.__wrapped__
        code = innermost.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        takes_others = bool(code.co_flags & _TAKES_OTHERS)
        rest = code.co_varnames[len(known)] if code.co_flags & _TAKES_SEVERAL else ""
        others = code.co_varnames[len(known) + bool(rest)] if takes_others else ""

        typed: Callable[..., T] = function

        def taken(name: str, value: object) -> object:
            return value if name in objects and not isinstance(value, str) else plain(value)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            for name in () if takes_others else kwargs:
                if name not in known:
                    advice = nearest(name, known, f"it takes {', '.join(known)}")
                    raise TypeError(f"{function.__qualname__}() has no keyword {name!r}; {advice}")
            names = *known[: code.co_argcount], *[rest] * len(args)
            return typed(
                *map(taken, names, args),
                **{name: taken(name if name in known else others, value) for name, value in kwargs.items()},
            )

        return call

    return decorated


_TAKES_SEVERAL, _TAKES_OTHERS = 4, 8
"""Of the flags of code: it has ``*kernels``, and ``**fields``."""
keywords = keywords_beside()
"""Makes a function of the API that takes no object of another package."""


class UnforeseenError(SmemdescError):
    """An unexpected error; ``cause`` is the exception."""

    def __init__(self, cause: BaseException) -> None:
        what = " ".join(f"{type(cause).__name__}: {cause}".split())[:_SHOWN]
        super().__init__(
            f"an error in smemdesc itself ({what})",
            hint="please report it with the input; --debug shows where it happened",
        )
        self.cause = cause

    def __reduce__(self) -> tuple[object, ...]:
        import pickle

        try:
            pickle.dumps(self.cause)
        except Exception:  # an exception may hold anything
            return _remade, (type(self), self.args, {**self.__dict__, "cause": Exception(repr(self.cause))})
        return super().__reduce__()


_SHOWN = 200


def as_error(problem: Exception) -> SmemdescError:
    """Return any exception as an error that can be reported."""
    if isinstance(problem, SmemdescError):
        return problem
    if isinstance(problem, MemoryError):
        return SmemdescError("not enough memory")
    if isinstance(problem, RecursionError):
        return SmemdescError("the input is nested too deeply")
    return UnforeseenError(problem)


class ValueSyntaxError(SmemdescError):
    """The text is not a value (:data:`smemdesc.kinds.names.VALUE_FORMS` shows the accepted forms)."""


class WidthError(SmemdescError):
    """The value has more bits than the descriptor."""


class FieldError(SmemdescError):
    """A field's value is unknown, misaligned, out of range or not a name of its enumeration."""

    def __init__(self, key: str, message: str, *, hint: str = "", given: str | None = None) -> None:
        super().__init__(message, hint=hint, given=given, keyword=key)
        self.key = key


class IllegalError(SmemdescError):
    """The fields can be packed, but the rules say that the result is illegal (``force`` packs it)."""


class KindError(SmemdescError):
    """Unknown descriptor kind, or a kind without a required option."""
