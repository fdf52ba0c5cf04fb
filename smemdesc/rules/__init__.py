"""What is wrong with a descriptor: small named rules, each citing its table.

A rule reads some fields and says nothing or returns problems. Rules never print and never look at
anything but what they declare to read, so that their answers can be remembered by those bits alone.
"""

from __future__ import annotations

from smemdesc.rules.base import Finding, Repair, Rule, fails, worst
from smemdesc.rules.judging import judge, rules_for

__all__ = ["Finding", "Repair", "Rule", "fails", "judge", "rules_for", "worst"]
