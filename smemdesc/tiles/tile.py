"""From a tile in shared memory to the descriptor of every MMA step; and a descriptor compared with such a tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm
from typing import Any, NamedTuple

from smemdesc.descriptors.encoding import build, within
from smemdesc.engine.display import shown
from smemdesc.engine.errors import IllegalError, SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.addresses import START, address_window
from smemdesc.kinds.archs import shared_memory
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import K_96_BYTES
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.modes import MODE, modes
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import AtomShape, AtomTiling, atom_tiling, divides, in_one_cta, second_chunk
from smemdesc.layout.operand import LINE, Operand, descriptor_of, fields_of, operand_of
from smemdesc.layout.strides import LBO, SBO, strides_of
from smemdesc.rules.addresses import outside_shared_memory
from smemdesc.rules.base import ERROR, Finding, fails, warning
from smemdesc.rules.judging import keywords_of
from smemdesc.rules.strides import UNDIVIDED
from smemdesc.rules.tiles import (
    MAJOR,
    SHAPE,
    Misread,
    cta_group_exists,
    instruction_exists,
    tile_and_descriptor,
    typed_begin,
)
from smemdesc.tiles.box import Filling, TmaCopy, box_of

REFUSED = ("k-major-32b-atoms", "tf32-mn-major")
"""Rules that only warn about a given value, but forbid making one."""


def forbids(finding: Finding) -> bool:
    """Whether this finding forbids making the descriptor."""
    return finding.severity == ERROR or finding.rule in REFUSED


def illegal_error(finding: Finding, keyword: str | tuple[str, ...], more: str = "") -> IllegalError:
    """Return a finding that forbids a descriptor as an error; ``more`` is added to the advice."""
    hint = f"{finding.fix or finding.likely} ({finding.source}){more}".strip()
    return IllegalError(f"{finding.message} [{finding.rule}]", hint=hint, keyword=keyword)


class TileStep(NamedTuple):
    """One MMA step: where it begins in the tile (elements), its start address and LBO (bytes), its descriptor."""

    mn: int
    k: int
    start: int
    lbo: int
    value: int


@shown(picture=True)
class Tile(NamedTuple):
    """A tile of whole atoms in the shared memory of one CTA, and the descriptors that read it."""

    kind: Kind
    swizzle: str
    major: str
    dtype: DType
    shape: AtomShape
    """MN x K of the tile in one CTA: with two CTAs, half of the rows of the pair's tile."""
    mma: AtomShape
    """MN x K of one instruction's operand in one CTA."""
    order: str
    """``mn`` or ``k``: the dimension along which neighboring atoms are contiguous."""
    start: int
    atom: AtomShape
    stride_mn: int
    """Bytes from one atom to the next along MN."""
    stride_k: int
    """Bytes from one atom to the next along K."""
    lbo: int
    sbo: int
    absolute: bool
    steps: tuple[TileStep, ...] = ()
    findings: tuple[Finding, ...] = ()
    assumed: bool = False
    """Whether nothing said which kind it is."""
    cta_group: int = 1

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not fails(self.findings)

    @property
    def whole(self) -> AtomShape:
        """The tile of all CTAs of the group."""
        return AtomShape(self.shape.mn * self.cta_group, self.shape.k)

    def __str__(self) -> str:
        return (
            f"{self.kind.name} tile of {self.whole} {self.dtype.name}, {self.major}-major, {self.swizzle}: "
            f"{len(self.steps)} MMA steps of {self.mma} from 0x{self.start:05x}"
        )

    @property
    def tiling(self) -> AtomTiling:
        """The tile as atoms."""
        return AtomTiling(self.swizzle, self.major, self.dtype, self.shape, self.order, self.atom)

    @property
    def size(self) -> int:
        """Bytes of the tile in one CTA."""
        return self.tiling.size

    @property
    def atoms(self) -> AtomShape:
        """The number of atoms along MN and K."""
        return self.tiling.atoms

    def atom_start(self, mn: int, k: int) -> int:
        """Return the first byte of an atom: the ``mn``-th along MN and the ``k``-th along K, from 0."""
        return self.start + mn * self.stride_mn + k * self.stride_k

    def buffer(self, start: int) -> Operand:
        """Return the buffer of the tile's elements, if it begins at ``start`` (bytes)."""
        return self.tiling.operand(start)

    def operand(self, step: TileStep) -> Operand:
        """Return what one step's descriptor addresses."""
        return Operand(
            self.swizzle,
            self.major,
            self.dtype,
            self.mma,
            start=step.start,
            lbo=step.lbo,
            sbo=self.sbo,
            absolute=self.absolute,
        )

    @property
    def filling(self) -> Filling | None:
        """How TMA fills one CTA's part; None if no box gives the layout of the descriptors."""
        whole = self.buffer(0)
        box = box_of(whole)
        if box is None:
            return None
        inner, rows = box.box
        lines, along = whole.extents
        copies = []
        for across in range(0, along, inner):
            for line in range(0, lines, rows):
                mn, k = (line, across) if self.major == "K" else (across, line)
                copies.append(TmaCopy(mn, k, whole.linear(mn, k) // 8))
        return Filling(box, tuple(copies))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        filling = self.filling
        steps = []
        for step in self.steps:
            entry = {"mn": step.mn, "k": step.k, "start_address": step.start, "value": f"0x{step.value:016x}"}
            if self.absolute:
                entry["segments"] = [segment.to_dict() for segment in self.operand(step).segments]
            steps.append(entry)
        return {
            "kind": self.kind.name,
            "dtype": self.dtype.name,
            "major": self.major,
            "swizzle": self.swizzle,
            "cta_group": self.cta_group,
            "whole": list(self.whole),
            "shape": list(self.shape),
            "mma": list(self.mma),
            "order": self.order,
            "start": self.start,
            "atom": list(self.atom),
            "stride_mn": self.stride_mn,
            "stride_k": self.stride_k,
            "leading_byte_offset": self.steps[0].lbo,
            "stride_byte_offset": self.sbo,
            "lbo_mode": "absolute" if self.absolute else "relative",
            "tma": filling.to_dict() if filling is not None else None,
            "steps": steps,
        }


def tma_order(major: str) -> str:
    """Return the dimension along which a TMA box makes atoms contiguous: ``mn`` or ``k``.

    A box writes contiguous lines of the swizzle's width, so its atoms are consecutive across the contiguous
    dimension. CUTLASS's ``Step<_2,_1>`` and Triton have the same order for MN-major operands.
    """
    return "mn" if major == "K" else "k"


def lay_out_tile(
    kind: str,
    tile_shape: tuple[int, int],
    dtype: DType,
    major: str,
    swizzle: str,
    *,
    mma: tuple[int, int] | None = None,
    order: str | None = None,
    start: int = 0,
    cta_group: int = 1,
    arch: str | None = None,
    force: bool = False,
) -> Tile:
    """Return the tile MN x K (elements) and the descriptor of each of its MMA steps, those along K inside.

    ``mma`` is MN x K of the instruction; default: the whole MN of the tile (at most 64 for wgmma) by the K of a dense
    instruction. With ``cta_group`` 2 both are the pair's: each CTA has half of the MN of each. The default of ``order``
    is a TMA box's (:func:`tma_order`).

    :class:`smemdesc.engine.errors.SmemdescError` for a shape that is not a whole number of atoms or steps, and
    :class:`smemdesc.engine.errors.IllegalError` for what the rules forbid; with ``force`` that is a finding.
    """
    table_kind, order = _kind(kind, arch), _order(order, major)
    whole = in_one_cta(AtomShape(*tile_shape), cta_group)
    context = Context(dtype=dtype, major=major, shape=whole, arch=arch, cta_group=cta_group)
    combined, illegal = _combination(table_kind, swizzle, context)
    illegal += cta_group_exists.apply(table_kind, cta_group)
    _refuse(illegal, table_kind, combined, context, force)
    inside, masked = within(table_kind, {START: start}, force)
    parts = atom_tiling(swizzle, major, dtype, whole, order)
    mma = mma or _instruction(table_kind, whole, dtype, cta_group)
    _check_ctas(mma, cta_group)
    illegal += instruction_exists.apply(table_kind, dtype, *mma)
    _refuse(illegal, table_kind, combined, context, force)
    one = AtomShape(mma[0] // cta_group, mma[1])
    absolute = one.k * dtype.storage // 8 == K_96_BYTES and dtype.storage == 4
    _check_steps(parts, one, inside[START], absolute, cta_group)
    lbo, sbo = parts.offsets(one.k)
    result = Tile(
        kind=table_kind,
        swizzle=swizzle,
        major=major,
        dtype=dtype,
        shape=whole,
        mma=one,
        order=order,
        start=inside[START],
        atom=parts.atom,
        stride_mn=parts.stride_mn,
        stride_k=parts.stride_k,
        lbo=lbo,
        sbo=sbo,
        absolute=absolute,
        cta_group=cta_group,
    )
    result = result._replace(steps=tuple(_steps(result)))
    judged = _judged(result, context._replace(shape=one), force)
    # What forbids the combination is found again in the descriptor.
    return result._replace(findings=tuple(dict.fromkeys((*masked, *illegal, *judged, *_too_large(result, arch)))))


def _instruction(kind: Kind, whole: AtomShape, dtype: DType, cta_group: int) -> tuple[int, int]:
    """Return MN x K of the instruction for a tile: all of its MN, for wgmma at most 64, by the K of a dense one."""
    return (min(whole.mn, 64) if kind.name == "wgmma" else whole.mn * cta_group), dtype.k


def _check_ctas(mma: tuple[int, int], cta_group: int) -> None:
    if mma[0] % cta_group:
        message = f"MN = {mma[0]} of the instruction does not divide by {cta_group} CTAs"
        raise SmemdescError(message, hint="use an even MN", keyword="mma")


def _kind(name: str, arch: str | None) -> Kind:
    kind = kind_of(name, None, arch)
    if kind.name not in SMEM_KINDS:
        raise SmemdescError(f"a {kind.name} descriptor has no tile", hint="use wgmma or tcgen05")
    return kind


def _order(order: str | None, major: str) -> str:
    if order and order not in ("mn", "k"):
        raise SmemdescError(f"there is no order {order!r}", hint="use mn (atoms are contiguous along MN) or k")
    return order or tma_order(major)


def _judged(tile: Tile, context: Context, force: bool) -> list[Finding]:
    """Return the findings of the first step's descriptor, and of any that its row is too short for; an error is
    raised, unless the tile is forced."""
    width = MODE[tile.swizzle].width
    # In a tile that begins with a row, no step runs past the end of one.
    steps = tile.steps if tile.start % width else tile.steps[:1]
    built = [build(tile.kind, fields_of(tile.operand(step)), context=context, force=True) for step in steps]
    first = built[0]
    of_others = ("tile-and-box", "outside-shared-memory", "row-crossing", *UNDIVIDED)
    judged = [finding for finding in first.findings if finding.rule not in of_others]
    crossing = [finding for step in built for finding in step.findings if finding.rule == "row-crossing"]
    judged += [
        finding._replace(
            likely="the tile does not start at the beginning of a row", fix=f"start it at a multiple of {width} B"
        )
        for finding in crossing[:1]
    ]
    _refuse([finding for finding in judged if finding.severity == ERROR], tile.kind, first.value, context, force)
    return judged


def _refuse(findings: list[Finding], kind: Kind, value: int, context: Context, force: bool) -> None:
    """Raise the first finding that forbids a tile, in a descriptor, unless it is forced."""
    if findings and not force:
        rule = findings[0].rule
        names = _KEYWORDS.get(rule) or keywords_of(kind, kind.table.read(value), context, rule) or "swizzle"
        raise illegal_error(findings[0], names)


_KEYWORDS = {"cta-group": "cta_group", "no-instruction": "mma"}
"""The keyword of each finding about a tile itself, not its descriptors."""


def _too_large(tile: Tile, arch: str | None) -> list[Finding]:
    """Judge the end of the whole tile as the rule judges the end of one operand."""
    end, limit = tile.start + tile.size, shared_memory(arch)
    if limit is None or end <= limit:
        return []
    problem = warning(
        f"the tile ends at byte {end}, beyond the {limit} B ({limit // 1024} KB) of shared memory",
        fix="use a smaller tile, or a lower start",
        fields=("start_address",),
    )
    return outside_shared_memory.as_findings(problem)


def _combination(kind: Kind, swizzle: str, context: Context) -> tuple[int, list[Finding]]:
    """Find what no instruction reads: by the rules that only the type, the mode and the major-ness decide.

    Return it with the descriptor in which they find it.
    """
    names = [mode.name for mode in modes(kind.name)]
    if swizzle not in names:
        raise SmemdescError(
            f"{kind.name} has no swizzle {swizzle}", hint=f"it has {', '.join(names)}", keyword="swizzle"
        )
    encoded = build(kind, {"swizzle": swizzle}, context=context, force=True)
    decided = [finding for finding in encoded.findings if "swizzle" in finding.fields or not finding.fields]
    return encoded.value, list(filter(forbids, decided))


def _check_steps(parts: AtomTiling, one: AtomShape, start: int, absolute: bool, cta_group: int) -> None:
    """Reject steps MN x K (in one CTA) that the tile does not divide into, or that no descriptor expresses."""
    whole = parts.shape
    if cta_group > 1 and whole.mn % one.mn:
        pair, mn = AtomShape(whole.mn * cta_group, whole.k), one.mn * cta_group
        raise SmemdescError(
            f"a tile of {pair} is {whole} in each of {cta_group} CTAs, not a whole number of their MMA operands of "
            f"{one}",
            hint=f"the tile is that of both CTAs: its MN must be a multiple of {mn}",
        )
    divides(whole, one, f"MMA operands of {one}")
    if not absolute:
        _check_inside_atoms(parts, one, cta_group)
    elif parts.swizzle != "128B":
        raise SmemdescError(
            f"K = {one.k} of packed e2m1 needs 128B swizzle, not {parts.swizzle}",
            hint="use --swizzle 128B",
            keyword="swizzle",
        )
    elif start % LINE:
        raise SmemdescError(
            f"K = {one.k} of packed e2m1 needs a tile that starts on a 128-byte line, not at {start}",
            hint="LBO mode absolute counts from such a line; use a multiple of 128",
            keyword="start",
        )


def _check_inside_atoms(parts: AtomTiling, one: AtomShape, cta_group: int) -> None:
    """Reject steps along the contiguous dimension that no descriptor expresses.

    A start address counts in 16-byte units. LBO and SBO count from the start of the step, so that an operand that
    begins within an atom has to end within it, too.
    """
    whole, atom, dtype = parts.shape, parts.atom, parts.dtype
    is_k = parts.major == "K"
    name, extent, step, size = ("K", whole.k, one.k, atom.k) if is_k else ("MN", whole.mn, one.mn, atom.mn)
    in_each = f" in each of {cta_group} CTAs" if cta_group > 1 and name == "MN" else ""
    times = cta_group if name == "MN" else 1
    unit = 128 // dtype.storage
    if step % unit:
        raise SmemdescError(
            f"{name} steps of {step} {dtype.name} elements{in_each} start inside a 16-byte unit of {unit}, "
            "but descriptors count 16-byte units",
            hint=f"give --mma with {name} a multiple of {unit * times}",
            keyword="mma",
        )
    if any(begin % size + min(step, size) > size for begin in range(0, min(extent, lcm(step, size)), step)):
        raise SmemdescError(
            f"{name} steps of {step} {dtype.name} elements{in_each} run past the end of the atom of {size} in which "
            "they start, but the strides of a descriptor count from its start",
            hint=f"give --mma with {name} a multiple of {size * times}, or a divisor of it",
            keyword="mma",
        )


def _steps(tile: Tile) -> Iterator[TileStep]:
    """Yield the steps; :class:`smemdesc.engine.errors.SmemdescError` if a descriptor cannot address the last one."""
    table, whole = tile.kind.table, tile.buffer(tile.start)
    reach = address_window(table.row(START))
    if tile.start + whole.linear(tile.shape.mn - tile.mma.mn, tile.shape.k - tile.mma.k) // 8 >= reach:
        raise SmemdescError(
            f"a tile of {tile.size} B from {tile.start} ends beyond the {reach} B that a descriptor can address",
            hint="use a smaller tile",
        )
    for mn in range(0, tile.shape.mn, tile.mma.mn):
        for k in range(0, tile.shape.k, tile.mma.k):
            start = tile.start + whole.linear(mn, k) // 8
            lbo = second_chunk(start, tile.stride_k) if tile.absolute else tile.lbo
            assert lbo is not None
            step = TileStep(mn, k, start, lbo, 0)
            yield step._replace(value=descriptor_of(tile.operand(step), table))


_LISTED = 64
"""Elements that the JSON lists; ``wrong`` counts all of them."""


class InTile(NamedTuple):
    """The elements of a tile that a descriptor reads."""

    tile: Tile
    start: int
    """Where the tile begins, in bytes: as given, or the start that fits the descriptor's."""
    step: TileStep
    """The assumed MMA step of the descriptor in the tile."""
    key: str | None
    """The first that differs from what the step asks for, and makes a difference: of what the instruction says, and of
    the fields."""
    present: object
    wanted: object
    misread: tuple[Misread, ...]
    """Every element that is read from another place."""
    elements: int
    """Elements of the operand."""
    base: str = ""
    """What ``start`` counts from, if that is not shared memory: its distance from a multiple of the pattern is not
    known, and taken to be 0."""

    @property
    def begins(self) -> str:
        """Where the tile begins, as one types it."""
        return typed_begin(self.start, self.base)

    @property
    def agrees(self) -> bool:
        """Whether every element is read from its place."""
        return not self.misread

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with the descriptor in the tile."""
        tile = self.tile
        atoms = f"{tile.major}-major {tile.swizzle}, atoms adjoin along {tile.order.upper()}"
        reads = self.key, self.present, self.wanted, self.misread, self.elements, self.base
        return tile_and_descriptor.apply(f"{tile.whole} ({atoms})", *reads)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        tile = self.tile
        return {
            "shape": list(tile.whole),
            "in_each_cta": list(tile.shape),
            "major": tile.major,
            "swizzle": tile.swizzle,
            "order": tile.order,
            "start": self.start,
            **({"base": self.base} if self.base else {}),
            "step": {"mn": self.step.mn, "k": self.step.k},
            "field": self.key,
            "present": self.present,
            "wanted": self.wanted,
            "elements": self.elements,
            "wrong": len(self.misread),
            "misread": [
                {"element": list(misread.wanted), "reads": None if misread.read is None else list(misread.read)}
                for misread in self.misread[:_LISTED]
            ],
        }


def compare_with_tile(
    fields: Mapping[str, FieldReading], context: Context, tile: Tile, start: int | None = None
) -> InTile:
    """Compare a descriptor with ``tile``; ``context`` must be complete, and every field that takes effect known.

    ``start`` is the first byte of the tile; default: the multiple of the pattern (at least 128 bytes) from which the
    descriptor's start is a step's start. :class:`smemdesc.engine.errors.SmemdescError` if a
    field is not known.
    """
    present = operand_of(fields, context)
    begin, step = _assumed_step(tile, present.start, start)
    expected: dict[str, object] = {"swizzle": tile.swizzle, LBO: step.lbo, SBO: tile.sbo, "base_offset": 0}
    if tile.absolute:
        expected[LBO] = step.lbo - tile.start + begin
    if "lbo_mode" in fields:
        expected["lbo_mode"] = "absolute" if tile.absolute else "relative"
    expected[START] = begin + step.start - tile.start
    used = {stride.key: stride.used is not False for stride in strides_of(tile.swizzle, tile.major, context)}
    differs = [
        key for key, value in expected.items() if fields[key].value != value and (tile.absolute or used.get(key, True))
    ]
    misread = _misread(present, tile.buffer(begin), step)
    key = None
    if misread:
        key = MAJOR if context.major != tile.major else differs[0] if differs else SHAPE
    mn, k = present.shape
    says = {**{differ: fields[differ].value for differ in differs}, MAJOR: context.major, SHAPE: f"{mn}x{k}"}
    expected |= {MAJOR: tile.major, SHAPE: str(tile.shape)}
    return InTile(tile, begin, step, key, says.get(key or ""), expected.get(key or ""), misread, mn * k)


def _assumed_step(tile: Tile, first: int, start: int | None) -> tuple[int, TileStep]:
    """Return where a tile begins, and the MMA step whose operand begins at ``first``, or nearest to it.

    ``start``: where the tile begins, if that is known. All are bytes.
    """
    # A tile whose position is not given begins at its own start: the steps' starts are offsets then.
    steps = [(step, step.start - tile.start) for step in tile.steps]
    if start is not None:
        step, _ = min(steps, key=lambda pair: (abs(start + pair[1] - first), pair[1]))
        return start, step
    align = max(MODE[tile.swizzle].period, LINE)
    for step, offset in steps:
        if offset <= first and not (first - offset) % align:
            return first - offset, step
    return first // align * align, steps[0][0]


def _misread(present: Operand, buffer: Operand, step: TileStep) -> tuple[Misread, ...]:
    """Return the elements of an operand that a descriptor reads from another place than their own in a tile."""
    lies = {bit: (mn, k) for mn, row in enumerate(buffer.grid) for k, bit in enumerate(row)}
    misread = []
    for mn, row in enumerate(present.grid):
        for k, bit in enumerate(row):
            place = (step.mn + mn, step.k + k)
            if lies.get(bit) != place:
                misread.append(Misread(place, lies.get(bit)))
    return tuple(misread)
