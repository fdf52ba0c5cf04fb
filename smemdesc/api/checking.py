"""``smemdesc.mma``: one instruction and its operands, from the options of the command, checked together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from smemdesc.api.options import readers
from smemdesc.api.options.keywords import as_read, reads
from smemdesc.descriptors.result import with_text
from smemdesc.engine.errors import SmemdescError, about, named, option
from smemdesc.instructions.mma import CheckedMma, judge_mma, read_operand
from smemdesc.instructions.model import Mma, MmaOperand, OperandTile
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.kinds.archs import CAPABILITIES, has
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.names import BLACKWELL, HOPPER
from smemdesc.reading.quantities import Shape, Shape3, parse_shape, start_address
from smemdesc.reading.starts import typed_base

if TYPE_CHECKING:
    from smemdesc.api.options.literals import PlaceName, TypeName, TypePair
    from smemdesc.tiles.tensor_map import CopiedBox, Map


@reads()
def mma(
    a: int | str | None = None,
    b: int | str | None = None,
    idesc: int | str | None = None,
    *,
    mask: int | str | None = None,
    mma_kind: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    qualifier: str | None = None,
    inst: Shape3 | None = None,
    dtype: TypeName | TypePair | None = None,
    d_type: str | None = None,
    trans_a: bool = False,
    trans_b: bool = False,
    sparse: bool | None = None,
    a_from: PlaceName | None = None,
    arch: str | None = None,
    a_tile: Shape | None = None,
    b_tile: Shape | None = None,
    a_map: Map | None = None,
    b_map: Map | None = None,
) -> CheckedMma:
    """Check one instruction and its operands together: ``smemdesc mma``.

    ``a``, ``b``, ``idesc`` and ``mask`` are the values, numbers or text as people paste it, unknown digits as ``?``. A
    ``tcgen05.mma`` has ``idesc``; ``mma_kind`` is its kind, or several, ``"f16,tf32"`` (left out: all that fit). A
    wgmma has ``inst``, its shape ``"m64n128k16"``, and ``dtype``, the type of A and B or of each, ``"e4m3,e5m2"``;
    ``trans_a`` and ``trans_b`` are its immediates: MN-major. ``a_from`` is ``smem``, ``registers`` or ``tmem``.
    ``a_tile`` and ``b_tile`` are the tiles in shared memory, MN x K in elements (of both CTAs), with settings as in
    ``"128x64,swizzle=64B,major=MN,order=k,at=0x400,dtype=bf16"``; ``a_map`` and ``b_map`` the tensor maps that write
    them: bytes, a number, or settings as text.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, is missing, or contradicts the rest.
    """
    tcgen05 = {"mask": mask, "mma_kind": mma_kind, "cta_group": cta_group, "ws": ws, "scale_vec": scale_vec}
    wgmma = {"dtype": dtype, "d_type": d_type, "trans_a": trans_a, "trans_b": trans_b}
    _check_family(inst is not None, {"idesc": idesc, **tcgen05, "qualifier": qualifier}, wgmma, arch)
    place = a_from or "shared"
    if place != "shared" and a is not None:
        raise SmemdescError(f"A in {place} has no descriptor", hint="omit --a", keyword="a")
    values = {"a": a, "b": b, "idesc": idesc, "mask": mask}
    operands, kinds = _operands(values, inst is not None, mma_kind, arch)
    instruction = (
        _tcgen05(kinds, qualifier, ws, mask is not None)._replace(cta_group=cta_group or 1, scale_vec=scale_vec)
        if inst is None
        else _wgmma(as_read(inst), dtype, trans_a, trans_b)._replace(d_type=d_type)
    )
    instruction = instruction._replace(sparse=sparse if inst is None else bool(sparse), a_from=place)
    around: Any = operand_memory(a_tile, b_tile, a_map, b_map, arch)
    asked = Mma(instruction, **operands, arch=arch, **around)  # type: ignore[arg-type]
    judged = judge_mma(asked)
    results: Any = {name: with_text(result, values[name] or 0, name) for name, result in judged.results.items()}
    return CheckedMma(asked, judged._replace(**results))


def _operands(
    values: Mapping[str, int | str | None], wgmma: bool, mma_kind: str | None, arch: str | None
) -> tuple[dict[str, MmaOperand], tuple[str, ...]]:
    """Return the operands, and the possible MMA kinds."""
    kinds = readers.read_mma_kinds("mma_kind", mma_kind) if mma_kind is not None else ()
    operands = {}
    for name, value in values.items():
        if value is None:
            continue
        kind = name if name in ("idesc", "mask") else "wgmma" if wgmma else "tcgen05"
        result = named(name, read_operand, value, kind, kinds, arch)
        operands[name] = result.operand
        kinds = result.mma_kinds or kinds
    return operands, kinds


def operand_memory(
    a_tile: Shape | None, b_tile: Shape | None, a_map: Map | None, b_map: Map | None, arch: str | None
) -> dict[str, OperandTile | CopiedBox]:
    """Read the tiles and the tensor maps that were given, by their keywords."""
    tiles = {"a_tile": a_tile, "b_tile": b_tile}
    maps = {"a_map": a_map, "b_map": b_map}
    return {
        **{name: _tile(name, typed, arch) for name, typed in tiles.items() if typed is not None},
        **{name: _map(name, typed) for name, typed in maps.items() if typed is not None},
    }


def _map(name: str, typed: Map) -> CopiedBox:
    from smemdesc.tiles.tensor_map import read_map

    return named(name, read_map, typed)


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


def _check_family(
    wgmma: bool, tcgen05_only: Mapping[str, Any], wgmma_only: Mapping[str, Any], arch: str | None
) -> None:
    """Refuse options of the other family: which instruction it is has to be clear."""
    if not wgmma and tcgen05_only["idesc"] is None and tcgen05_only["mma_kind"] is None:
        raise SmemdescError(
            "the instruction is missing",
            hint="give --idesc (or only --mma-kind) for tcgen05.mma, or --inst m64n128k16 --dtype bf16 for wgmma",
            keyword="idesc",
        )
    if wgmma and wgmma_only["dtype"] is None:
        hint = "as in --inst m64n128k16 --dtype bf16"
        raise SmemdescError("--inst needs the type of A and B", hint=hint, keyword="inst")
    others = tcgen05_only if wgmma else wgmma_only
    wrong = [name for name, value in others.items() if value not in (None, False) or (name, value) == ("ws", False)]
    if wrong:
        names = ", ".join("--" + name.replace("_", "-") for name in wrong)
        family, other_family = ("wgmma (--inst)", "tcgen05.mma") if wgmma else ("tcgen05.mma (--idesc)", "wgmma")
        why = "" if wgmma else "; the instruction descriptor has types and major-ness"
        message = f"{names} goes with {other_family}, not with {family}"
        raise SmemdescError(message, hint=f"leave it out{why}", keyword=wrong[0])
    if arch is not None and has(arch, "wgmma" if wgmma else "tcgen05") is False:
        name, archs = ("wgmma", HOPPER) if wgmma else ("tcgen05.mma", BLACKWELL)
        raise SmemdescError(f"{arch} has no {name}", hint=f"it exists on {', '.join(archs)}", keyword="arch")


def _wgmma(inst: tuple[int, int, int], dtype: str | None, trans_a: bool, trans_b: bool) -> Instruction:
    names = readers.read_dtypes("dtype", readers.required("dtype", dtype))
    majors = ("MN" if trans_a else "K"), ("MN" if trans_b else "K")
    m, n, k = inst
    return Instruction("wgmma", m=m, n=n, k=k, a_type=names[0], b_type=names[-1], a_major=majors[0], b_major=majors[1])


def _tcgen05(kinds: tuple[str, ...], qualifier: str | None, ws: bool | None, masked: bool) -> Instruction:
    qualifiers = () if qualifier is None else readers.read_qualifiers("qualifier", qualifier)
    if "ws" in qualifiers and ws is False:
        message = "--qualifier ws and --no-ws contradict each other"
        raise SmemdescError(message, hint="omit one of the two", keyword="qualifier")
    # Only .ws reads a mask.
    implied = True if ws is None and ("ws" in qualifiers or masked) else ws
    kind = kinds[0] if len(kinds) == 1 else None
    return Instruction("tcgen05", mma_kind=kind, mma_kinds=kinds, ws=implied, qualifiers=qualifiers)


def _tile_start(typed: str, arch: str | None) -> int | RelativeStart:
    """Read where a tile begins: bytes, or ``smem+0x400``."""
    return typed_base(typed) or start_address(typed, "at", arch=arch)


def _tile(name: str, typed: Shape, arch: str | None) -> OperandTile:
    """Read ``128x64`` or ``128x64,swizzle=64B,major=MN,order=k,at=0x400,dtype=bf16``."""
    if not isinstance(typed, str):
        return OperandTile(readers.read_shape(name, typed))
    size, *rest = typed.split(",")
    more: dict[str, str] = {}
    for part in rest:
        key, _, value = part.partition("=")
        if key.strip().lower() not in ("swizzle", "major", "order", "at", "dtype") or not value:
            raise SmemdescError(
                f"{option(name)} {typed}: {part!r} is not understood",
                hint="write MNxK, then swizzle=128B, major=MN, order=k, at=0x400, dtype=bf16 as far as needed",
                keyword=name,
            )
        more[key.strip().lower()] = value.strip()
    with about(name, typed):
        dtype = readers.read_dtype(name, more["dtype"]).name if "dtype" in more else None
        return OperandTile(
            parse_shape(size),
            readers.read_swizzle(name, more["swizzle"]) if "swizzle" in more else None,
            readers.read_major(name, more["major"]) if "major" in more else None,
            readers.read_word(name, more["order"], ("mn", "k")) if "order" in more else None,
            _tile_start(more["at"], arch) if "at" in more else None,
            dtype,
        )
