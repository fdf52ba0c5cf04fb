"""The output of ``smemdesc mma``: the instruction, each descriptor in a line, and the findings."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from smemdesc.engine.fields import ones
from smemdesc.instructions.mma import CheckedMma
from smemdesc.instructions.model import Judged, Mma
from smemdesc.kinds.addresses import START, start_text
from smemdesc.kinds.instruction import PLACES_OF_A, Instruction, field_number, of
from smemdesc.reading.text import digits
from smemdesc.render.descriptor import OPERAND_TITLES, head_text, stride_texts
from smemdesc.render.diagnostics import diagnostics, undecided_lines, verdict_spans
from smemdesc.render.parts import StyledText, as_view, labeled, line, set_in, table
from smemdesc.rules.base import AMBIGUOUS

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import MapCheck
    from smemdesc.tiles.tile import InTile


def view_of(checked: CheckedMma, *, every: bool = False) -> RenderableType:
    """Return the view of a result of :func:`smemdesc.mma`; ``every``: with what unknown bits decide."""
    whole = mma_view(checked.mma, checked.judged)
    if not every:
        return whole
    of_one = (
        text
        for name, result in checked.judged.results.items()
        for text in undecided_lines(result, OPERAND_TITLES[name])
    )
    across = {f"{finding.severity} {finding.rule}": None for finding in checked.undecided}
    together = [labeled("not decided", ", ".join(across))] if across else []
    return Group(whole, *of_one, *together)


@as_view
def mma_view(mma: Mma, judged: Judged, without: Collection[str] = ()) -> Iterator[RenderableType]:
    """One instruction, checked together with its operands; ``without`` the findings of some rules."""
    yield Text(title(mma, judged), style="heading")
    yield _verdict(judged)
    yield Text()
    yield _operands(mma, judged)
    tiles: list[RenderableType] = [
        _tile(judged, name, tile) for name, tile in zip("ab", judged.tiles, strict=True) if tile is not None
    ]
    maps: list[RenderableType] = [
        _map(name, check) for name, check in zip("ab", judged.maps, strict=True) if check is not None
    ]
    for texts in filter(None, (tiles, maps)):
        yield Text()
        yield set_in(Group(*texts), 2)
    findings = [pair for pair in judged.findings if pair[1].rule not in without]
    if findings:
        yield Text()
        yield diagnostics(findings)


def _verdict(judged: Judged) -> Text:
    findings = tuple(finding for _, finding in judged.findings)
    if judged.verdict == AMBIGUOUS:
        names = ", ".join(f"kind::{kind}" for kind in judged.mma_kinds)
        return line(
            (AMBIGUOUS, "warning"),
            f": the bits fit {names}; choose one with --mma-kind: types and shapes depend on it",
        )
    results = judged.results.values()
    known, width = sum(result.known.bit_count() for result in results), sum(result.width for result in results)
    return line(*verdict_spans(findings, ones(known), width))


def _operands(mma: Mma, judged: Judged) -> RenderableType:
    rows: list[tuple[StyledText, StyledText, str]] = []
    where = PLACES_OF_A.get(mma.instruction.a_from)
    if where:
        rows.append((("A", "key"), ("-", "value"), f"in {where}"))
    for name, result in judged.results.items():
        text = head_text(name, result, judged.context(name))
        if name in ("a", "b"):
            start = start_text(result.candidates[0].fields[START], result.start) if result.settled else ""
            text += f", start {start or 'not known'}"
        value = digits(result.value, result.known, result.width)
        rows.append(((OPERAND_TITLES[name], "key"), (value, "value"), text))
        rows += [("", "", stride) for stride in stride_texts(name, result, judged.context(name))]
    return table(rows, indent=2)


def title(mma: Mma, judged: Judged) -> str:
    """Describe the instruction: its kind, qualifiers, shape, types, and whose shared memory the descriptors address."""
    instruction = mma.instruction
    wgmma = instruction.family == "wgmma"
    idesc = None if judged.idesc is None else judged.idesc.fields
    kinds = [judged.mma_kind] if judged.mma_kind else judged.mma_kinds
    parts = [
        "wgmma" if wgmma else f"{instruction.family}.mma",
        " or ".join(f"kind::{kind}" for kind in kinds),
        *(() if wgmma else _qualifiers(instruction)),
        "sparse" if (instruction.sparse if wgmma else of(idesc, "sparse")) is True else "",
        _size(judged, instruction),
        _types(judged, instruction),
        "A and B: half the rows in each CTA" if instruction.cta_group == 2 else "",
        mma.arch or "",
    ]
    return ", ".join(filter(None, parts))


def _qualifiers(instruction: Instruction) -> Iterator[str]:
    if instruction.cta_group:
        yield f"cta_group::{instruction.cta_group}"
    if instruction.ws:
        yield ".ws"
    if instruction.scale_vec:
        yield f"scale_vec::{instruction.scale_vec}X"


def _size(judged: Judged, instruction: Instruction) -> str:
    """Return M x N, with K if it is known; empty if they are not known."""
    if instruction.family == "wgmma":
        m, n, k = instruction.m, instruction.n, instruction.k
    else:
        idesc = None if judged.idesc is None else judged.idesc.fields
        shape = judged.contexts[1].shape
        m, n, k = field_number(idesc, "m"), field_number(idesc, "n"), shape[1] if shape else None
    return f"{m}x{n}" + (f"x{k}" if k else "") if m and n else ""


def _types(judged: Judged, instruction: Instruction) -> str:
    """Return the types of A, B and D; empty if the types of A and B are not known."""
    wgmma, idesc = instruction.family == "wgmma", None if judged.idesc is None else judged.idesc.fields
    a, b, d = (getattr(instruction, f"{name}_type") if wgmma else of(idesc, f"{name}_type") for name in "abd")
    return f"{a} x {b}" + (f" into {d}" if d else "") if a and b else ""


def _map(name: str, check: MapCheck) -> Text:
    text = Text(f"{OPERAND_TITLES[name]}'s tensor map: ")
    return text.append(str(check), style="good" if check.fits else "error")


@as_view
def _tile(judged: Judged, name: str, in_tile: InTile) -> Iterator[RenderableType]:
    tile = in_tile.tile
    part = f" ({tile.shape} in each CTA)" if tile.cta_group > 1 else ""
    text = Text()
    text.append(f"{OPERAND_TITLES[name]} in the tile {tile.whole}{part}, {tile.major}-major {tile.swizzle} ")
    text.append(f"from {in_tile.begins}: step (mn {in_tile.step.mn}, k {in_tile.step.k}), ")
    if in_tile.agrees:
        yield text.append("all elements in place", style="good")
        return
    yield text.append(f"{len(in_tile.misread)} of {in_tile.elements} elements are wrong", style="error")
    result, context = judged.results.get(name), judged.context(name)
    if result is not None and context.dtype is not None and context.shape is not None:
        value = digits(result.value, result.known, result.width)
        words = ["smemdesc", "layout", "operand", value, "--kind", str(result.kind), "--dtype", context.dtype.name]
        words += ["--major", str(context.major), "--shape", f"{context.shape[0]}x{context.shape[1]}"]
        words += ["--mma-kind", "mxf4"] if context.dtype.storage == 4 else []
        yield labeled("what it reads", (shlex.join(words), "faint"))
