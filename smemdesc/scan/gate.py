"""What a whole scan comes to: whether there was something to check, and whether it passes."""

from __future__ import annotations

from smemdesc.errors import SmemdescError


class Gate:
    """Counts what ``--check`` and ``--strict`` look at, over all files of a run."""

    def __init__(self, wanted: str | None, *, check: bool, strict: bool) -> None:
        self.wanted = wanted
        self.strict = strict
        self.asked = check or strict
        self.functions = 0
        """Functions that were looked at: those whose name fits, where one was asked for."""
        self.instructions = 0
        self.failures = 0
        """Errors; with ``strict`` warnings, too."""

    def add(self, functions: int, instructions: int, failures: int) -> None:
        """Count what was found in one stretch of a file."""
        self.functions += functions
        self.instructions += instructions
        self.failures += failures

    def nothing_named(self) -> SmemdescError | None:
        """Return the error about a pattern that no function of any file fits."""
        if self.wanted is None or self.functions:
            return None
        return SmemdescError(
            f"no function is named {self.wanted}",
            hint="* and ? stand for other letters: --function '*gemm*'; without --function all are listed",
        )

    def nothing_checked(self) -> SmemdescError | None:
        """Return the remark that a check had nothing to look at."""
        if not self.asked or self.instructions:
            return None
        option = "--strict" if self.strict else "--check"
        return SmemdescError(
            "nothing was checked: no tensor-core instruction was found",
            hint=f"{option} passes only where there is one; is it the dump of the right kernel?",
        )

    @property
    def closed(self) -> bool:
        """Whether the check fails."""
        return self.asked and bool(self.failures or not self.instructions)
