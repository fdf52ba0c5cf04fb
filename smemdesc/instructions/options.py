"""One instruction from the options of ``smemdesc mma``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import InMemory, Mma, Operand, read
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import CAPABILITIES, QUALIFIERS, has, parse_arch
from smemdesc.kinds.arguments import mode_name, start_address
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.kind import check_mma_kind
from smemdesc.kinds.names import BLACKWELL, HOPPER, MAJORS
from smemdesc.kinds.options import parse_mnk, parse_shape
from smemdesc.kinds.types import dtype_of

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import Copied


def mma_of(options: Mapping[str, Any]) -> Mma:
    """Return the instruction of these options, with their names as keys; missing ones are None.

    :class:`smemdesc.engine.errors.SmemdescError` names the missing option, or one that contradicts the others.
    """
    chosen: dict[str, Any] = defaultdict(lambda: None, options)
    wgmma = chosen["inst"] is not None
    if chosen["arch"] is not None:
        chosen["arch"] = parse_arch(chosen["arch"])
    _one_family(chosen, wgmma)
    kinds = tuple(each for each in (chosen["mma_kind"] or "").lower().split(",") if each)
    for each in kinds:
        check_mma_kind(each)
    made: dict[str, Operand] = {}
    for name in ("a", "b", "idesc", "mask"):
        if chosen[name] is None:
            continue
        kind = name if name in ("idesc", "mask") else "wgmma" if wgmma else "tcgen05"
        try:
            found = read(chosen[name], kind, kinds, chosen["arch"])
        except SmemdescError as error:
            error.message = f"--{name}: {error.message}"
            raise
        made[name] = found.operand
        kinds = found.mma_kinds or kinds
    return Mma(
        _wgmma(chosen) if wgmma else _tcgen05(chosen, kinds),
        **made,
        arch=chosen["arch"],
        a_tile=_tile(chosen, "a"),
        b_tile=_tile(chosen, "b"),
        a_map=_map(chosen["a_map"]),
        b_map=_map(chosen["b_map"]),
    )


def _map(given: Copied | str | None) -> Copied | None:
    if not isinstance(given, str):
        return given
    from smemdesc.tiles.tensor_map import read_map

    return read_map(given)


def remark(mma: Mma) -> str:
    """Return a remark on how an instruction was typed, or empty.

    It is not a finding: SASS prints both spellings alike.
    """
    instruction, arch = mma.instruction, mma.arch
    spelled = {"scale-vec", "block-size"} & set(instruction.qualifiers)
    if not instruction.scale_vec or arch is None or spelled or has(arch, "scale-vec") is not False:
        return ""
    if not has(arch, "block-size"):
        return ""
    number = instruction.scale_vec
    return (
        f"--scale-vec {number}: PTX for {arch} has .block16 or .block32 in place of .scale_vec::{number}X "
        f"({CAPABILITIES['scale-vec'].source}); checked as {number} scale factors per row"
    )


def _one_family(chosen: dict[str, Any], wgmma: bool) -> None:
    """Refuse options of the other family: which instruction it is has to be clear."""
    if not wgmma and chosen["idesc"] is None:
        raise SmemdescError(
            "the instruction is missing",
            hint="give --idesc for tcgen05.mma, or --inst m64n128k16 --dtype bf16 for wgmma",
        )
    if wgmma and chosen["dtype"] is None:
        raise SmemdescError("--inst needs the type of A and B", hint="as in --inst m64n128k16 --dtype bf16")
    others = ("idesc", "mask", "mma_kind", "cta_group", "ws", "scale_vec", "qualifier")
    wrong = [each for each in others if chosen[each] is not None] if wgmma else []
    if not wgmma:
        wrong = [each for each in ("dtype", "d_type", "trans_a", "trans_b") if chosen[each]]
    if wrong:
        names = ", ".join("--" + each.replace("_", "-") for each in wrong)
        family, other = ("wgmma (--inst)", "tcgen05.mma") if wgmma else ("tcgen05.mma (--idesc)", "wgmma")
        why = "" if wgmma else "; the instruction descriptor has types and major-ness"
        raise SmemdescError(f"{names} goes with {other}, not with {family}", hint=f"leave it out{why}")
    arch = chosen["arch"]
    if arch is not None and has(arch, "wgmma" if wgmma else "tcgen05") is False:
        name, archs = ("wgmma", HOPPER) if wgmma else ("tcgen05.mma", BLACKWELL)
        raise SmemdescError(f"{arch} has no {name}", hint=f"it exists on {', '.join(archs)}")


def _a_from(chosen: dict[str, Any]) -> str:
    place = {"smem": "shared", None: "shared"}.get(chosen["a_from"], chosen["a_from"])
    if place != "shared" and chosen["a"] is not None:
        raise SmemdescError(f"A in {place} has no descriptor", hint="omit --a")
    return str(place)


def _wgmma(chosen: dict[str, Any]) -> Instruction:
    m, n, k = parse_mnk(chosen["inst"])
    names = [dtype_of(each.strip()).name for each in chosen["dtype"].split(",")]
    if len(names) > 2:
        raise SmemdescError(
            f"--dtype {chosen['dtype']}: {len(names)} types", hint="one, or those of A and B: e4m3,e5m2"
        )
    in_registers = _a_from(chosen) == "registers"
    return Instruction(
        "wgmma",
        m=m,
        n=n,
        k=k,
        a_type=names[0],
        b_type=names[-1],
        d_type=aliases.dtype(chosen["d_type"]) if chosen["d_type"] else None,
        a_major=None if in_registers else "MN" if chosen["trans_a"] else "K",
        b_major="MN" if chosen["trans_b"] else "K",
        sparse=chosen["sparse"],
        a_from=_a_from(chosen),
    )


def _tcgen05(chosen: dict[str, Any], kinds: tuple[str, ...]) -> Instruction:
    qualifiers = _qualifiers(chosen["qualifier"] or "")
    if "ws" in qualifiers and chosen["ws"] is False:
        raise SmemdescError("--qualifier ws and --no-ws contradict each other", hint="omit one of the two")
    return Instruction(
        "tcgen05",
        mma_kind=kinds[0] if len(kinds) == 1 else None,
        mma_kinds=kinds,
        cta_group=int(chosen["cta_group"] or 1),
        ws=True if "ws" in qualifiers else chosen["ws"],
        sparse=True if chosen["sparse"] else None,
        scale_vec=int(chosen["scale_vec"]) if chosen["scale_vec"] else None,
        a_from=_a_from(chosen),
        qualifiers=qualifiers,
    )


def _qualifiers(text: str) -> tuple[str, ...]:
    given = tuple(each.strip() for each in text.split(",") if each.strip())
    odd = [each for each in given if each not in QUALIFIERS]
    if odd:
        raise SmemdescError(f"unknown qualifier {odd[0]!r}", hint=f"use {', '.join(QUALIFIERS)}")
    return given


def _tile(chosen: dict[str, Any], name: str) -> InMemory | None:
    """Read ``128x64`` or ``128x64,swizzle=64B,major=MN,order=k,at=0x400,dtype=bf16``."""

    text = chosen[f"{name}_tile"]
    if text is None:
        return None
    shape, *rest = text.split(",")
    more: dict[str, str] = {}
    for each in rest:
        key, _, value = each.partition("=")
        if key.strip().lower() not in ("swizzle", "major", "order", "at", "dtype") or not value:
            raise SmemdescError(
                f"--{name}-tile {text}: {each!r} is not understood",
                hint="write MNxK, then swizzle=128B, major=MN, order=k, at=0x400, dtype=bf16 as far as needed",
            )
        more[key.strip().lower()] = value.strip()
    major, order = more.get("major", "").upper() or None, more.get("order", "").lower() or None
    if major not in (None, *MAJORS):
        raise SmemdescError(f"--{name}-tile {text}: unknown major-ness {major!r}", hint="use K or MN")
    return InMemory(
        parse_shape(shape),
        mode_name(more["swizzle"]) if "swizzle" in more else None,
        major,
        order,
        start_address(more["at"], f"--{name}-tile: at", arch=chosen["arch"]) if "at" in more else None,
        dtype_of(more["dtype"]).name if "dtype" in more else None,
    )
