"""Rules for the descriptors of one instruction against each other, and against what the instruction says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from smemdesc.decoding import Result
from smemdesc.findings.base import Finding, Problem, Repair, error, note, warning


class Case(NamedTuple):
    """The operands of one instruction, decoded (None: the instruction has none, or it is not known which)."""

    family: str
    """``wgmma``, ``tcgen05`` or ``tcgen05.cp``."""
    a: Result | None
    b: Result | None
    idesc: Result | None
    mask: Result | None
    a_from: str
    sparse: bool | None
    """Whether the instruction says that it is sparse."""

    def of_idesc(self, key: str) -> object:
        """Return the value of a field of the instruction descriptor, None where it is not known."""
        field = None if self.idesc is None else self.idesc.fields.get(key)
        return None if field is None else field.value


class OperandRule(NamedTuple):
    """One named rule over a :class:`Case`."""

    name: str
    source: str
    doc: str
    check: Callable[[Case], Iterator[Problem]]

    def ask(self, case: Case) -> list[Finding]:
        """Return what the rule finds."""
        return [
            Finding(
                each.severity,
                self.name,
                each.fields or (),
                each.message,
                each.likely,
                each.fix,
                each.source or self.source,
                each.repair,
            )
            for each in self.check(case)
        ]


RULES: list[OperandRule] = []


def _rule(source: str) -> Callable[[Callable[[Case], Iterator[Problem]]], OperandRule]:
    def made(check: Callable[[Case], Iterator[Problem]]) -> OperandRule:
        doc = " ".join((check.__doc__ or "").split())
        rule = OperandRule(check.__name__.replace("_", "-"), source, doc, check)
        RULES.append(rule)
        return rule

    return made


@_rule("PTX ISA 9.3, Tables 45 and 46: bit 2")
def sparse_and_instruction(case: Case) -> Iterator[Problem]:
    """The sparsity bit of the instruction descriptor says what the instruction says."""
    sparse = case.of_idesc("sparse")
    if case.sparse is None or not isinstance(sparse, bool) or sparse == case.sparse:
        return
    if sparse:
        yield error(
            "the instruction descriptor says sparse (bit 2), the instruction has no .sp",
            "a scale-factor id that was not shifted to its place",
            "clear bit 2, or use tcgen05.mma.sp",
            fields=("sparse",),
            repair=Repair("sparse", False),
        )
    else:
        yield error(
            "the instruction is .sp, its descriptor says dense (bit 2 is 0)",
            fix="set bit 2",
            fields=("sparse",),
            repair=Repair("sparse", True),
        )


@_rule("CUTLASS mma_sm100_desc.hpp: A of tensor memory is K-major")
def transposed_a_in_tmem(case: Case) -> Iterator[Problem]:
    """A in tensor memory is not transposed."""
    if case.a_from == "tmem" and case.of_idesc("transpose_a") is True:
        yield error(
            "transpose_a is set and A is in tensor memory, which cannot be transposed",
            fix="clear bit 15",
            fields=("transpose_a",),
            repair=Repair("transpose_a", False),
        )


@_rule("PTX ISA 9.3, 9.7.17.4.1; CUTLASS mma_sm100_umma.hpp: one kind of descriptor for both operands")
def kinds_differ(case: Case) -> Iterator[Problem]:
    """A and B are descriptors of the same kind (bits 46-48)."""
    if case.family != "tcgen05" or case.a is None or case.b is None:
        return
    versions = [result.fields["version"].raw for result in (case.a, case.b)]
    if None not in versions and versions[0] != versions[1]:
        yield warning(
            f"bits 46-48 are 0b{versions[0]:03b} in A and 0b{versions[1]:03b} in B",
            "one of the two was made for wgmma",
            fields=("version",),
            repair=Repair("version", 1),
        )


@_rule("ptxas -O0")
def empty_group(case: Case) -> Iterator[Problem]:
    """An MMA of which both descriptors are 0 carries the mark of an empty group."""
    if is_empty(case):
        yield note("both descriptors are 0: ptxas -O0 adds this MMA to close an empty group", fields=())


def is_empty(case: Case) -> bool:
    """Whether both descriptors of a wgmma are known to be 0, as ptxas writes for an empty group."""
    if case.family != "wgmma" or case.a is None or case.b is None:
        return False
    return all(not each.value and each.known.bit_count() == each.width for each in (case.a, case.b))


def judge_operands(case: Case) -> tuple[Finding, ...]:
    """Return what the rules find in one instruction."""
    return tuple(finding for rule in RULES for finding in rule.ask(case))
