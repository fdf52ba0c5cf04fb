"""The glossary: every term with what PTX, CUTLASS and Triton call it."""

from __future__ import annotations

from generate.markdown import GENERATED, table, text
from smemdesc.explanations.glossary import TERMS, GlossaryTerm

INTRODUCTION = """\
# Glossary

The terms of the field, and their names in the PTX ISA, CUTLASS (with CuTe) and Triton. `smemdesc explain TERM` prints
one of them, under any of its names.
"""


def page() -> str:
    """Return the page."""
    rows = [
        [f"**{text(term.name)}**", text(term.text), *(text(each) or "-" for each in _names(term))] for term in TERMS
    ]
    return "\n".join([GENERATED, INTRODUCTION, table(["term", "meaning", "PTX", "CUTLASS", "Triton", "also"], rows)])


def _names(term: GlossaryTerm) -> tuple[str, ...]:
    return term.ptx, term.cutlass, term.triton, ", ".join(term.also)
