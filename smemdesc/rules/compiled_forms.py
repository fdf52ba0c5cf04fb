"""The rule about the forms of one kernel, as a compiler writes them: none contradicts an earlier one."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.wording import join_and
from smemdesc.rules.base import Problem, case_rule, error, explained


class FieldInForms(NamedTuple):
    """A field, or an attribute of the instruction, and its value in two forms, in words."""

    key: str
    name: str
    """Its usual name: ``SBO``."""
    here: str
    earlier: str


class FormDifference(NamedTuple):
    """What an instruction of one form of a kernel contradicts in every instruction of an earlier form."""

    operand: str | None
    """``a``, ``b``, ``idesc`` or ``mask``; None: the instruction itself."""
    form: str
    """``MLIR``, ``LLVM IR``, ``PTX`` or ``SASS``."""
    earlier: str
    """The form that this one was compiled from."""
    place: str
    """The nearest instruction there: ``mm.llir, line 40``."""
    fields: tuple[FieldInForms, ...]


_BOTH = """.version 8.7
.target sm_100a
.visible .entry k()
{
mov.b64 %rd1, 0x4000404000010040;
mov.b64 %rd2, 0x4000404000010440;
mov.b32 %r1, 0x08200490;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
ret;
}
.target sm_100a
.text.k:
/*0000*/ UMOV UR4, 0x10040 ;
/*0010*/ UMOV UR5, 0x80004040 ;
/*0020*/ UMOV UR6, 0x10440 ;
/*0030*/ UMOV UR7, 0x40004040 ;
/*0040*/ UMOV UR9, 0x8200490 ;
/*0050*/ UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR10], tmem[UR8], idesc[UR9], !UPT ;
/*0060*/ EXIT ;
"""


@explained(
    "A compiler lowers one kernel step by step: TTGIR, LLVM IR, PTX, SASS. Each step keeps the descriptors. Where one "
    "form has other bits, a step changed them, or the files are of different builds: what was checked in one form is "
    "not what runs.",
    "smemdesc scan k.txt",
    "0x40004040 for 0x80004040",
    _BOTH,
)
@case_rule("", "error")
def forms_differ(difference: FormDifference) -> Problem:
    """No form of a kernel contradicts the form that it was compiled from, apart from start addresses."""
    here = join_and([f"{field.name} {field.here}" for field in difference.fields])
    earlier = join_and([f"{field.name} {field.earlier}" for field in difference.fields])
    return error(
        f"the {difference.form} has {here}, the {difference.earlier} {earlier} ({difference.place})",
        "a compiler pass changed it, or the two files are of different builds",
        fields=tuple(field.key for field in difference.fields),
        operand=difference.operand,
    )


RULES = (forms_differ,)
