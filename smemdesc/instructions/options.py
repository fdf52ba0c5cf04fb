"""One instruction from the options of ``smemdesc mma``, which are the keywords of :func:`smemdesc.mma`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from smemdesc.engine.errors import SmemdescError, about, named, option
from smemdesc.instructions.mma import Mma, OperandTile
from smemdesc.instructions.mma import read as read_operand
from smemdesc.kinds import aliases
from smemdesc.kinds import options as read
from smemdesc.kinds.archs import CAPABILITIES, QUALIFIERS, has
from smemdesc.kinds.arguments import start_address
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.kind import check_mma_kind
from smemdesc.kinds.names import BLACKWELL, HOPPER
from smemdesc.kinds.options import parse_shape
from smemdesc.kinds.types import dtype_of

if TYPE_CHECKING:
    from smemdesc.tiles.tensor_map import CopiedBox


def mma_of(options: Mapping[str, Any]) -> Mma:
    """Return the instruction of these options, with their names as keys; missing ones are None.

    :class:`smemdesc.engine.errors.SmemdescError` names the missing option, or one that contradicts the others.
    """
    chosen: dict[str, Any] = defaultdict(lambda: None, options)
    wgmma = chosen["inst"] is not None
    for name in ("ws", "sparse", "trans_a", "trans_b"):
        read.flag(name, chosen[name])
    chosen["arch"] = read.arch("arch", chosen["arch"])
    _one_family(chosen, wgmma)
    kinds = tuple(word.strip() for word in _words("mma_kind", chosen) if word)
    for mma_kind in kinds:
        named("mma_kind", check_mma_kind, mma_kind)
    arguments: dict[str, Any] = {}
    for name in ("a", "b", "idesc", "mask"):
        if chosen[name] is None:
            continue
        kind = name if name in ("idesc", "mask") else "wgmma" if wgmma else "tcgen05"
        result = named(name, read_operand, chosen[name], kind, kinds, chosen["arch"])
        arguments[name] = result.operand
        kinds = result.mma_kinds or kinds
    return Mma(
        _wgmma(chosen) if wgmma else _tcgen05(chosen, kinds),
        **arguments,
        arch=chosen["arch"],
        a_tile=_tile(chosen, "a"),
        b_tile=_tile(chosen, "b"),
        a_map=_map(chosen, "a_map"),
        b_map=_map(chosen, "b_map"),
    )


def _map(chosen: Mapping[str, Any], name: str) -> CopiedBox | None:
    if chosen[name] is None:
        return None
    from smemdesc.tiles.tensor_map import read_map

    return named(name, read_map, chosen[name])


def _words(name: str, chosen: Mapping[str, Any]) -> list[str]:
    """Return the words of an option that takes several, ``f16,tf32``."""
    return [] if chosen[name] is None else read.text(name, chosen[name]).lower().split(",")


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
            keyword="idesc",
        )
    if wgmma and chosen["dtype"] is None:
        hint = "as in --inst m64n128k16 --dtype bf16"
        raise SmemdescError("--inst needs the type of A and B", hint=hint, keyword="inst")
    others = ("idesc", "mask", "mma_kind", "cta_group", "ws", "scale_vec", "qualifier")
    wrong = [name for name in others if chosen[name] is not None] if wgmma else []
    if not wgmma:
        wrong = [name for name in ("dtype", "d_type", "trans_a", "trans_b") if chosen[name] not in (None, False)]
    if wrong:
        names = ", ".join("--" + name.replace("_", "-") for name in wrong)
        family, other_family = ("wgmma (--inst)", "tcgen05.mma") if wgmma else ("tcgen05.mma (--idesc)", "wgmma")
        why = "" if wgmma else "; the instruction descriptor has types and major-ness"
        message = f"{names} goes with {other_family}, not with {family}"
        raise SmemdescError(message, hint=f"leave it out{why}", keyword=wrong[0])
    arch = chosen["arch"]
    if arch is not None and has(arch, "wgmma" if wgmma else "tcgen05") is False:
        name, archs = ("wgmma", HOPPER) if wgmma else ("tcgen05.mma", BLACKWELL)
        raise SmemdescError(f"{arch} has no {name}", hint=f"it exists on {', '.join(archs)}", keyword="arch")


def _a_from(chosen: dict[str, Any]) -> str:
    place = read.one_of("a_from", chosen["a_from"], ("smem", "shared", "registers", "tmem"))
    place = "shared" if place in ("smem", None) else place
    if place != "shared" and chosen["a"] is not None:
        raise SmemdescError(f"A in {place} has no descriptor", hint="omit --a", keyword="a")
    return str(place)


def _wgmma(chosen: dict[str, Any]) -> Instruction:
    m, n, k = read.shape3("inst", chosen["inst"]) or (None, None, None)
    names = [named("dtype", dtype_of, word.strip()).name for word in _words("dtype", chosen)]
    if len(names) > 2:
        hint = "one, or those of A and B: e4m3,e5m2"
        raise SmemdescError(f"--dtype {chosen['dtype']}: {len(names)} types", hint=hint, keyword="dtype")
    d_type = chosen["d_type"]
    return Instruction(
        "wgmma",
        m=m,
        n=n,
        k=k,
        a_type=names[0],
        b_type=names[-1],
        d_type=None if d_type is None else named("d_type", aliases.dtype, read.text("d_type", d_type)),
        a_major="MN" if chosen["trans_a"] else "K",
        b_major="MN" if chosen["trans_b"] else "K",
        sparse=chosen["sparse"],
        a_from=_a_from(chosen),
    )


def _tcgen05(chosen: dict[str, Any], kinds: tuple[str, ...]) -> Instruction:
    qualifiers = tuple(word.strip() for word in _words("qualifier", chosen) if word.strip())
    odd = [qualifier for qualifier in qualifiers if qualifier not in QUALIFIERS]
    if odd:
        hint = f"use {', '.join(QUALIFIERS)}"
        raise SmemdescError(f"unknown qualifier {odd[0]!r}", hint=hint, keyword="qualifier")
    if "ws" in qualifiers and chosen["ws"] is False:
        message = "--qualifier ws and --no-ws contradict each other"
        raise SmemdescError(message, hint="omit one of the two", keyword="qualifier")
    return Instruction(
        "tcgen05",
        mma_kind=kinds[0] if len(kinds) == 1 else None,
        mma_kinds=kinds,
        cta_group=read.one_of("cta_group", chosen["cta_group"], (1, 2)) or 1,
        # Only .ws reads a mask.
        ws=True if chosen["ws"] is None and ("ws" in qualifiers or chosen["mask"] is not None) else chosen["ws"],
        sparse=True if chosen["sparse"] else None,
        scale_vec=read.one_of("scale_vec", chosen["scale_vec"], (1, 2, 4)),
        a_from=_a_from(chosen),
        qualifiers=qualifiers,
    )


def _tile(chosen: dict[str, Any], operand: str) -> OperandTile | None:
    """Read ``128x64`` or ``128x64,swizzle=64B,major=MN,order=k,at=0x400,dtype=bf16``."""
    name = f"{operand}_tile"
    text = chosen[name]
    if text is None or not isinstance(text, str):
        shape = read.shape(name, text)
        return shape and OperandTile(shape)
    size, *rest = text.split(",")
    more: dict[str, str] = {}
    for part in rest:
        key, _, value = part.partition("=")
        if key.strip().lower() not in ("swizzle", "major", "order", "at", "dtype") or not value:
            raise SmemdescError(
                f"{option(name)} {text}: {part!r} is not understood",
                hint="write MNxK, then swizzle=128B, major=MN, order=k, at=0x400, dtype=bf16 as far as needed",
                keyword=name,
            )
        more[key.strip().lower()] = value.strip()
    with about(name, text):
        dtype = read.dtype(name, more.get("dtype"))
        return OperandTile(
            parse_shape(size),
            read.swizzle(name, more.get("swizzle")),
            read.major_named(name, more.get("major")),
            read.one_of(name, more.get("order"), ("mn", "k")),
            start_address(more["at"], "at", arch=chosen["arch"]) if "at" in more else None,
            dtype and dtype.name,
        )
