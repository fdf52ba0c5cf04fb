"""The descriptors of an MMA decoded for what the instruction says: kind, types, shape, major-ness."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.case import NOTHING, Context
from smemdesc.decoding import Result, report
from smemdesc.findings.base import Finding, fails
from smemdesc.findings.operands import Case, is_empty, judge_operands
from smemdesc.identify import FITS_NOT, WHOLE, Candidate, Identified
from smemdesc.kinds import MMA_KINDS, PACKED_FP4, kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.scan.model import Instruction, Mma, Operand
from smemdesc.values import Literal, to_hex

OPERANDS = ("a", "b", "idesc", "mask")


class Judged(NamedTuple):
    """The operands of one instruction, decoded, and what is wrong with them."""

    mma_kind: str | None
    a: Result | None
    b: Result | None
    idesc: Result | None
    mask: Result | None
    contexts: tuple[Context, Context]
    """What A and B were judged for."""
    across: tuple[Finding, ...]
    """Findings that concern more than one operand."""

    @property
    def findings(self) -> tuple[tuple[str | None, Finding], ...]:
        """Every finding with the operand that it is about (None: several)."""
        of = [(name, finding) for name in OPERANDS for finding in _of(getattr(self, name))]
        return (*of, *((None, finding) for finding in self.across))

    @property
    def has_error(self) -> bool:
        """Whether an error was found."""
        return self.fails()

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return fails((finding for _, finding in self.findings), strict)


def _of(result: Result | None) -> tuple[Finding, ...]:
    return () if result is None else result.findings


_ROWS, _COLUMN = 8, 128


def _unread(copied: tuple[int, int]) -> tuple[str, ...]:
    """Return the rules about a stride that a tcgen05.cp of so many rows of so many bits never steps over.

    One 16-byte column needs no LBO, one group of 8 rows no SBO.
    """
    rows, bits = copied
    one_column = ("lbo-below-atom", "lbo-zero") if bits <= _COLUMN else ()
    one_group = ("sbo-below-atom", "sbo-zero") if rows <= _ROWS else ()
    return (*one_column, *one_group)


class Judge:
    """Decodes MMAs, each distinct set of descriptors once."""

    def __init__(self, most: int = 20_000) -> None:
        self._made: dict[object, Judged] = {}
        self._results: dict[object, Result] = {}
        self._most = most

    def judge(self, mma: Mma) -> Judged:
        """Return what an MMA's descriptors say."""
        key = (mma.instruction, mma.arch, *(each[:2] if each else None for each in (mma.a, mma.b, mma.idesc, mma.mask)))
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= self._most:
                self._made.clear()
                self._results.clear()
            found = self._made[key] = self._judge(mma)
        return found

    def _judge(self, mma: Mma) -> Judged:
        instruction = mma.instruction
        idesc, mma_kind = self._idesc(mma)
        case_a, case_b = contexts(instruction, idesc, mma_kind, mma.arch)
        kind = "wgmma" if instruction.family == "wgmma" else "tcgen05"
        a = self._result(mma.a, kind, case_a)
        b = self._result(mma.b, kind, case_b)
        if instruction.copied is not None and a is not None:
            a = a._replace(findings=tuple(each for each in a.findings if each.rule not in _unread(instruction.copied)))
        m, n = (_number(idesc, key) for key in ("m", "n"))
        mask = self._result(mma.mask, "mask", Context(m=m, n=n, arch=mma.arch))
        case = Case(instruction.family, a, b, idesc, mask, instruction.a_from, instruction.sparse)
        if is_empty(case):
            a, b = (None if each is None else each._replace(findings=()) for each in (a, b))
        return Judged(mma_kind, a, b, idesc, mask, (case_a, case_b), judge_operands(case))

    def _result(self, operand: Operand | None, kind: str, context: Context) -> Result | None:
        if operand is None:
            return None
        key = (operand.bits, operand.known, kind, context)
        made = self._results.get(key)
        if made is None:
            candidate = Candidate(kind_of(kind), WHOLE, operand.bits, operand.known)
            made = self._results[key] = _decoded((candidate,), context)
        return made

    def _idesc(self, mma: Mma) -> tuple[Result | None, str | None]:
        """Decode the instruction descriptor; where the instruction leaves the kind open, its bits may tell."""
        instruction = mma.instruction
        said = instruction.mma_kinds or ((instruction.mma_kind,) if instruction.mma_kind else ())
        kinds = [each for each in said if each in MMA_KINDS]
        operand = mma.idesc
        if operand is None or not kinds:
            return None, kinds[0] if len(kinds) == 1 else None
        candidates = [Candidate(kind_of("idesc", each), WHOLE, operand.bits, operand.known) for each in kinds]
        if len(candidates) > 1:
            grades = [each.grade() for each in candidates]
            best = max(grades)
            if best > FITS_NOT:
                candidates = [each for each, grade in zip(candidates, grades, strict=True) if grade == best]
        context = Context(
            arch=mma.arch, cta_group=instruction.cta_group, ws=instruction.ws, scale_vec=instruction.scale_vec
        )
        key = (operand.bits, operand.known, tuple(each.kind.id for each in candidates), context)
        made = self._results.get(key)
        if made is None:
            made = _decoded(tuple(candidates), context)
            # That the instruction does not say which of two kinds it is, is no fault of the descriptor.
            found = tuple(each for each in made.findings if each.rule != "several-readings")
            made = self._results[key] = made._replace(findings=found)
        return made, candidates[0].kind.mma_kind if len(candidates) == 1 else None


def _decoded(candidates: tuple[Candidate, ...], context: Context) -> Result:
    first = candidates[0]
    width = first.kind.table.width
    text = to_hex(first.bits, first.known, width)
    literal = Literal(text, first.bits, 0, width, "an operand")
    identified = Identified(candidates, "the instruction says so", True, len(candidates) == 1)
    return report(literal, identified, context)


def _number(result: Result | None, key: str) -> int | None:
    field = None if result is None else result.fields.get(key)
    value = None if field is None else field.value
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _name(result: Result | None, key: str) -> str | None:
    field = None if result is None else result.fields.get(key)
    value = None if field is None else field.value
    return value if isinstance(value, str) else None


def contexts(
    instruction: Instruction, idesc: Result | None, mma_kind: str | None, arch: str | None
) -> tuple[Context, Context]:
    """Return what is known about A and B: type, major-ness and the shape of what one descriptor covers."""
    if instruction.family == "wgmma":
        return _of_wgmma(instruction, arch)
    if instruction.family != "tcgen05":
        return Context(arch=arch, cta_group=instruction.cta_group), NOTHING
    group = instruction.cta_group
    common = {"arch": arch, "cta_group": group, "ws": instruction.ws}
    made = []
    sparse = None if idesc is None else idesc.fields["sparse"].value
    # Where the bits leave two kinds (mxf4 and mxf4nvf4), both read the same types.
    kind = mma_kind or (idesc.candidates[0].mma_kind if idesc is not None else None)
    for operand, rows in (("a", "m"), ("b", "n")):
        name = _name(idesc, f"{operand}_type")
        # Without the sparsity it is open how much of K a descriptor covers.
        dtype = dtype_of(name, kind) if name and isinstance(sparse, bool) else None
        field = None if idesc is None else idesc.fields.get(f"transpose_{operand}")
        transposed = False if kind in PACKED_FP4 else None if field is None else field.value
        major = None if not isinstance(transposed, bool) else "MN" if transposed else "K"
        count = _number(idesc, rows)
        k = _k(idesc, dtype.k if dtype else None, sparse, operand)
        shape = (count // (group or 1), k) if count and k and group else None
        made.append(Context(dtype=dtype, major=major, shape=shape, **common))  # type: ignore[arg-type]
    return made[0], made[1]


def _k(idesc: Result | None, dense: int | None, sparse: object, operand: str) -> int | None:
    """K in elements of what a descriptor covers: A of a sparse MMA is stored compressed, B is not."""
    if dense is None or not isinstance(sparse, bool):
        return None
    said = _number(idesc, "k")
    if sparse:
        return dense if operand == "a" else 2 * dense
    return said or dense


def _of_wgmma(instruction: Instruction, arch: str | None) -> tuple[Context, Context]:
    made = []
    for name, major, rows, part in (
        (instruction.a_type, instruction.a_major, instruction.m, 2 if instruction.sparse else 1),
        (instruction.b_type, instruction.b_major, instruction.n, 1),
    ):
        dtype = dtype_of(name) if name else None
        shape = (rows, instruction.k // part) if rows and instruction.k and instruction.sparse is not None else None
        made.append(Context(dtype=dtype, major=major, shape=shape, arch=arch))
    return made[0], made[1]
