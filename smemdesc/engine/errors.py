"""The base of all errors about what was typed.

An error carries its parts (the given text, the place, what to type instead);
``smemdesc.render.problem`` makes lines of them, so the same error serves a terminal, a batch and a library.
"""

from __future__ import annotations


class SmemdescError(ValueError):
    """An input cannot be used.

    ``message`` says what is wrong, ``given`` is the text in question, ``span`` the half-open range of
    its characters at fault, ``hint`` what to type instead.
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
    """An unexpected error; ``cause`` is the exception."""

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
        return SmemdescError("not enough memory")
    if isinstance(problem, RecursionError):
        return SmemdescError("the input is nested too deeply")
    return UnforeseenError(problem)


class ValueSyntaxError(SmemdescError):
    """The text is not a value (:data:`smemdesc.kinds.names.FORMS` shows the accepted forms)."""


class WidthError(SmemdescError):
    """The value has more bits than the descriptor."""


class FieldError(SmemdescError):
    """A field's value is unknown, misaligned, out of range or not a name of its enumeration."""

    def __init__(self, key: str, message: str, *, hint: str = "", given: str | None = None) -> None:
        super().__init__(message, hint=hint, given=given)
        self.key = key


class IllegalError(SmemdescError):
    """The fields can be packed, but the rules say that the result is illegal (``force`` packs it)."""


class KindError(SmemdescError):
    """Unknown descriptor kind, or a kind without a required option."""
