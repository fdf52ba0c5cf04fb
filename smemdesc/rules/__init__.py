"""What is wrong with a descriptor: small named rules, each citing its table.

A rule reads some fields and returns problems or nothing. Rules never print and read only what
they declare, so their answers can be cached by those bits.
"""

from __future__ import annotations

from smemdesc.rules.base import Finding, Repair, Rule, fails, worst
from smemdesc.rules.judging import judge, rules_for

__all__ = ["Finding", "Repair", "Rule", "fails", "judge", "rules_for", "worst"]
