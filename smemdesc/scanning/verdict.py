"""What a whole scan comes to: whether there was something to check, and whether it passes."""

from __future__ import annotations

from collections.abc import Iterable

from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import OPERANDS, Judged
from smemdesc.scanning.agreement import Agreement
from smemdesc.scanning.comparison import Pair
from smemdesc.scanning.report import Tally
from smemdesc.scanning.selection import Choice, is_whole


class Verdict:
    """Counts the results that ``--check`` and ``--strict`` examine, over all files of a run."""

    def __init__(
        self, wanted: str | None, *, check: bool, strict: bool, at: int | None = None, agree: bool = False
    ) -> None:
        self.wanted = wanted
        self.at = at
        self.strict = strict
        self.asked = check or strict or agree
        self.option = "--strict" if strict else "--agree" if agree and not check else "--check"
        """The option that asked."""
        self.functions = 0
        """Functions that were examined: those whose name fits, if one was given."""
        self.instructions = 0
        self.failures = 0
        """Errors; with ``strict`` warnings, too. Of a comparison: functions that differ, then also what is unclear."""
        self.some = False
        """Whether enough is known of any descriptor to check it."""

    def add(self, functions: int, instructions: int, failures: int) -> None:
        """Count what was found in one stretch of a file."""
        self.functions += functions
        self.instructions += instructions
        self.failures += failures

    def judged(self, judged: Judged, choice: Choice) -> None:
        """Count what was found in one instruction."""
        self.failures += choice.fails(judged, self.strict)
        if not self.some:
            self.some = any(is_whole(getattr(judged, name)) for name in OPERANDS)

    def count(self, tally: Tally) -> None:
        """Count what was found in one file."""
        self.add(tally.functions, tally.looked.instructions, tally.failures(self.strict))
        self.some = self.some or any(tally.whole.values())

    def compared(self, pairs: Iterable[Pair]) -> None:
        """Count what differs between two files."""
        self.failures += sum(pair.differs or (self.strict and not pair.clear) for pair in pairs)
        self.some = True

    def agreed(self, found: Agreement) -> None:
        """Count whether PTX and machine code agree; with ``strict`` every MMA has a partner, too."""
        self.failures += not found.ok or (self.strict and not found.whole)
        self.some = True

    def nothing_named(self) -> SmemdescError | None:
        """Return the error about a function, or a place in one, that no file has."""
        if self.wanted is None:
            return None
        if self.functions:
            if self.at is None or self.instructions:
                return None
            return SmemdescError(
                f"no tensor-core instruction that reads a descriptor at {self.wanted}+{self.at:#x}",
                hint="an offset is in bytes from the start of the function, as in SASS: /*0100*/ is +0x100; PTX "
                "has none: scan the cubin",
                keyword="at",
            )
        return SmemdescError(
            f"no function is named {self.wanted}",
            hint="* and ? match any characters: --function '*gemm*'; names are those of --names mangled",
            keyword="function" if self.at is None else "at",
        )

    def nothing_checked(self) -> SmemdescError | None:
        """Return the remark that a check had nothing to look at."""
        if not self.asked or (self.instructions and self.some):
            return None
        if self.instructions:
            return SmemdescError(
                "nothing was checked: too few bits of the descriptors are known; the exit status does not cover them",
                hint="scan --all names the instruction that lost the bits",
            )
        return SmemdescError(
            "nothing was checked: no tensor-core instruction was found",
            hint=f"{self.option} needs at least one; is this the dump of the right kernel?",
        )

    @property
    def closed(self) -> bool:
        """Whether the check fails."""
        return self.asked and bool(self.failures or not self.instructions)
