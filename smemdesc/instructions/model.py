"""One tensor-core instruction as it is found or typed, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.descriptors.readings import typed_from
from smemdesc.descriptors.result import Result
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.instruction import Instruction
from smemdesc.reading.text import by_words
from smemdesc.rules.base import AMBIGUOUS, Finding, fails, verdict, worst_first
from smemdesc.rules.causes import OF_TEXT, follow
from smemdesc.rules.compiled_forms import FormDifference
from smemdesc.rules.shared_memory_use import SharedMemoryCase
from smemdesc.rules.siblings import SiblingField
from smemdesc.rules.steps import OperandMoves
from smemdesc.rules.tensor_memory_use import TensorMemoryAddress

if TYPE_CHECKING:
    from smemdesc.descriptors.checks import Checks
    from smemdesc.tiles.tensor_map import CopiedBox, MapCheck
    from smemdesc.tiles.tile import InTile

OPERANDS = ("a", "b", "idesc", "mask")
"""The names of an instruction's descriptors."""


OF_THE_FUNCTION = (
    *("mixed-cta-group", "k-step", "odd-one-out", "first-lane", "outside-tensor-memory", "not-allocated"),
    *("barrier-bytes", "stage-stride", "overwritten", "copy-start", "within-stage", "equal-bytes"),
    "copy-barrier",
    *("start-address-carry", "start-address-not-divided", "forms-differ"),
)
"""Rules about other instructions of the function, or its tensor memory, of which a command of one instruction does not
know."""


class MmaOperand(NamedTuple):
    """A descriptor operand: the known bits, and the mask of them."""

    bits: int
    known: int
    start: RelativeStart | None = None
    """Its start address as a base and an offset, if more is known of it than its bits."""
    wide: int = 0
    """Of an instruction descriptor: the 64 bits that it was taken from, 0 if not known."""
    carries: bool = False
    """Whether upper bits of an address in the cluster run into LBO."""


class OperandTile(NamedTuple):
    """The tile of one operand in shared memory, MN x K in elements: with two CTAs, the tile of both."""

    shape: tuple[int, int]
    swizzle: str | None = None
    """The mode that the data were written with; None: the descriptor's."""
    major: str | None = None
    """None: as the instruction gives it."""
    order: str | None = None
    """``mn`` or ``k``; None: as a TMA box writes it."""
    start: int | RelativeStart | None = None
    """Where the tile begins in the CTA's shared memory, in bytes; None: where it fits the descriptor."""
    dtype: str | None = None
    """None: as the instruction gives it."""

    @property
    def typed(self) -> str:
        """The tile as it is typed: ``128x64,swizzle=128B,at=0x400``."""
        start = self.start.typed if isinstance(self.start, RelativeStart) else self.start and f"{self.start:#x}"
        told = {"swizzle": self.swizzle, "major": self.major, "order": self.order, "at": start, "dtype": self.dtype}
        mn, k = self.shape
        return ",".join([f"{mn}x{k}", *(f"{key}={value}" for key, value in told.items() if value is not None)])


class Mma(NamedTuple):
    """One tensor-core instruction. An operand is None if the instruction has none, or nothing is known of it."""

    instruction: Instruction
    a: MmaOperand | None = None
    b: MmaOperand | None = None
    idesc: MmaOperand | None = None
    mask: MmaOperand | None = None
    arch: str | None = None
    a_tile: OperandTile | None = None
    b_tile: OperandTile | None = None
    a_map: CopiedBox | None = None
    b_map: CopiedBox | None = None
    unversioned: bool = False
    """Whether the version is 0 in every descriptor of its kernel."""
    tensor_memory: tuple[TensorMemoryAddress, ...] = ()
    """What is known of its addresses in tensor memory."""
    allocated: int | None = None
    """The columns of tensor memory that its kernel allocates, if that is certain."""
    moves: OperandMoves | None = None
    """How A and B have moved since the MMA before it on the same accumulator."""
    siblings: tuple[SiblingField, ...] = ()
    """What others that read the same tile say, where it says something else."""
    maps_found: bool = False
    """Whether its maps were found in its function: then that they cannot be compared is not said."""
    shared: tuple[SharedMemoryCase, ...] = ()
    """What the rest of its function says of it that concerns shared memory."""
    form_differences: tuple[FormDifference, ...] = ()
    """What it contradicts in another form of its kernel."""


class Judged(NamedTuple):
    """The operands of one instruction, decoded, and what is wrong with them."""

    instruction: Instruction
    arch: str | None
    mma_kind: str | None
    a: Result | None
    b: Result | None
    idesc: Result | None
    mask: Result | None
    contexts: tuple[Context, Context]
    """What A and B were judged for."""
    across: tuple[Finding, ...]
    """Findings that concern more than one operand."""
    tiles: tuple[InTile | None, InTile | None] = (None, None)
    """A and B against the tiles in shared memory."""
    of_tiles: tuple[tuple[str, Finding], ...] = ()
    """The findings on the descriptors and these tiles, on the tensor maps that write them, and on what the code shows
    of a descriptor."""
    maps: tuple[MapCheck | None, MapCheck | None] = (None, None)
    """The tensor maps that write A and B, compared with the descriptors."""

    @property
    def results(self) -> dict[str, Result]:
        """The operands of the instruction, by name."""
        return {name: result for name in OPERANDS if (result := getattr(self, name)) is not None}

    def context(self, name: str) -> Context:
        """Return the context of an operand; empty for all but A and B."""
        return self.contexts[name == "b"] if name in ("a", "b") else NOTHING

    @property
    def findings(self) -> tuple[tuple[str | None, Finding], ...]:
        """Every finding with the operand that it is about (None: several)."""
        findings = [(name, finding) for name, result in self.results.items() for finding in result.findings]
        findings.sort(key=lambda pair: pair[1].rule not in OF_TEXT)  # what was misread spoils the rest
        return (*findings, *((None, finding) for finding in self.across), *self.of_tiles)

    @property
    def verdict(self) -> str | None:
        """``valid``, ``suspicious``, ``invalid``, or ``ambiguous`` if several MMA kinds fit; None: nothing is known."""
        if not self.findings and not any(result.known for result in self.results.values()):
            return None
        if len(self.mma_kinds) > 1 and not self.fails():
            return AMBIGUOUS
        return verdict(finding for _, finding in self.findings)

    @property
    def mma_kinds(self) -> tuple[str, ...]:
        """The MMA kinds that fit the instruction descriptor."""
        candidates = () if self.idesc is None else self.idesc.candidates
        return tuple(candidate.mma_kind for candidate in candidates if candidate.mma_kind)

    def with_findings(self, found: Iterable[tuple[str | None, Finding]]) -> Judged:
        """Return the same with other findings, each with the operand that it is about."""
        of: dict[str | None, list[Finding]] = {}
        tiled = {(name or "", finding.rule): finding for name, finding in self.of_tiles}
        for name, finding in found:
            if (name or "", finding.rule) in tiled:
                tiled[name or "", finding.rule] = finding
            else:
                of.setdefault(name if name in self.results else None, []).append(finding)
        results: dict[str, Any] = {
            name: result._replace(findings=worst_first(of.get(name, ()))) for name, result in self.results.items()
        }
        of_tiles = tuple((name, finding) for (name, _), finding in tiled.items())
        return with_causes(self._replace(**results, across=tuple(of.get(None, ())), of_tiles=of_tiles))

    def fails(self, strict: bool = False) -> bool:
        """Whether an error was found; ``strict``: or a warning."""
        return fails((finding for _, finding in self.findings), strict)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``tiles`` if tiles were given."""
        out = {
            "kind": self.instruction.family,
            "mma_kind": self.mma_kind,
            "arch": self.arch,
            **self.operands_dict(),
        }
        if any(self.tiles):
            out["tiles"] = {name: tile and tile.to_dict() for name, tile in zip("ab", self.tiles, strict=True)}
        if any(self.maps):
            out["maps"] = {name: check and check.to_dict() for name, check in zip("ab", self.maps, strict=True)}
        return out

    def operands_dict(self) -> dict[str, Any]:
        """Return each operand as ``decode`` writes it, with its context, and every finding."""
        out: dict[str, Any] = {}
        for name in OPERANDS:
            result: Result | None = getattr(self, name)
            out[name] = None
            if result is not None:
                out[name] = {**result.to_dict(expand=False), **self.checks(name).to_dict(), **self._role(name)}
        out["verdict"] = self.verdict
        out["findings"] = [{"operand": name, **finding.to_dict()} for name, finding in self.findings]
        return out

    def checks(self, name: str) -> Checks:
        """Return what of an operand was judged, and what was not, with the options of ``mma`` to give."""
        from smemdesc.descriptors.checks import of_operand

        tiled, mapped = any(self.tiles), False
        if name in ("a", "b"):
            tiled, mapped = (pair["ab".index(name)] is not None for pair in (self.tiles, self.maps))
        around = {"tiled": tiled, "mapped": mapped, "copied": self.instruction.copied is not None}
        result, wgmma = self.results[name], self.instruction.family == "wgmma"
        return of_operand(result.kinds, result.context, name, wgmma=wgmma, **around)

    def _role(self, name: str) -> dict[str, Any]:
        """Return what the instruction says of an operand; of A and B also what is stored there."""
        if name not in ("a", "b"):
            return {"role": name}
        context = self.context(name)
        shape = context.shape
        if self.instruction.family == "tcgen05.cp":
            reads = {"rows": shape[0], "bytes": shape[1]} if shape else None
            return {"role": "copy", "major": None, "dtype": None, "shape": None, "reads": reads}
        return {
            "role": name,
            "major": context.major,
            "dtype": context.dtype.name if context.dtype else None,
            "shape": list(shape) if shape else None,
        }


def typed_operand(operand: MmaOperand, width: int) -> str:
    """Return an operand as it is typed: with its start as a base and an offset, if it is known as that."""
    if operand.wide:
        word = f"0x{operand.wide:016x}"
        return word if operand.bits else f"uint32_t({word})"
    if operand.start is None:
        return by_words(operand.bits, operand.known, width)
    return typed_from(operand.start, operand.bits, operand.known)


def with_causes(judged: Judged) -> Judged:
    """Return the same with each finding that follows from one of another operand, or across them, linked to it."""
    followed = iter(follow(judged.findings))
    results = {
        name: result._replace(findings=tuple(finding for _, finding in islice(followed, len(result.findings))))
        for name, result in judged.results.items()
    }
    across = tuple(finding for _, finding in islice(followed, len(judged.across)))
    more: dict[str, Any] = {**results, "across": across, "of_tiles": tuple(followed)}
    return judged._replace(**more)
