"""What findings come to, in a word."""

from __future__ import annotations

from collections.abc import Iterable

from smemdesc.rules.base import ERROR, WARNING, Finding

VALID, SUSPICIOUS, INVALID, AMBIGUOUS = "valid", "suspicious", "invalid", "ambiguous"


def verdict(findings: Iterable[Finding]) -> str:
    """Return ``invalid`` if there is an error, ``suspicious`` if there is a warning, else ``valid``."""
    severities = {finding.severity for finding in findings}
    return INVALID if ERROR in severities else SUSPICIOUS if WARNING in severities else VALID
