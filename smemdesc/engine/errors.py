"""One base for everything that can be wrong with what somebody typed.

An error carries its parts (what was given, where, what to type instead); putting them into lines is
left to ``smemdesc.render.problem``, so that the same error serves a terminal, a batch and a library.
"""

from __future__ import annotations


class SmemdescError(ValueError):
    """Something given cannot be used.

    ``message`` says what is wrong, ``given`` is the text it is about, ``span`` the half-open range of
    characters of ``given`` that is at fault, ``hint`` what to type instead.
    """

    def __init__(
        self, message: str, *, given: str | None = None, span: tuple[int, int] | None = None, hint: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.given = given
        self.span = span
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UnforeseenError(SmemdescError):
    """Something went wrong that nobody thought of; ``cause`` is the exception."""

    def __init__(self, cause: BaseException) -> None:
        what = " ".join(f"{type(cause).__name__}: {cause}".split())[:_SHOWN]
        super().__init__(
            f"an error in smemdesc itself ({what})",
            hint="please report it with the input; --debug shows where it happened",
        )
        self.cause = cause


_SHOWN = 200


def as_error(problem: Exception) -> SmemdescError:
    """Return any exception as an error that can be reported."""
    if isinstance(problem, SmemdescError):
        return problem
    if isinstance(problem, MemoryError):
        return SmemdescError("there is not enough memory for this")
    if isinstance(problem, RecursionError):
        return SmemdescError("it is nested too deeply")
    return UnforeseenError(problem)


class ValueSyntaxError(SmemdescError):
    """The text is no value (:data:`smemdesc.kinds.names.FORMS` shows the accepted forms)."""


class WidthError(SmemdescError):
    """The value has more bits than the descriptor."""


class FieldError(SmemdescError):
    """A field's value is unknown, misaligned, out of range or no name of its enumeration."""

    def __init__(self, key: str, message: str, *, hint: str = "", given: str | None = None) -> None:
        super().__init__(message, hint=hint, given=given)
        self.key = key


class IllegalError(SmemdescError):
    """The fields can be packed, but the rules say that the result is illegal (``force`` packs it)."""


class KindError(SmemdescError):
    """No such descriptor kind, or a kind that lacks what it needs."""
