"""Questions for a GPU, with options as they are typed: ``smemdesc probe``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smemdesc.api.decoding import decode
from smemdesc.api.geometry import operand
from smemdesc.api.options.keywords import read_options, reads
from smemdesc.api.options.readers import required
from smemdesc.descriptors.result import literal_of
from smemdesc.engine.errors import SmemdescError, named
from smemdesc.engine.fields import ones
from smemdesc.kinds.instruction import WGMMA_M
from smemdesc.kinds.names import BLOCK_SCALED, HOPPER, SMEM_KINDS
from smemdesc.kinds.tensormap import MAP_BITS
from smemdesc.kinds.types import dtype_of

if TYPE_CHECKING:
    from smemdesc.probe.copies import CopyQuestion
    from smemdesc.probe.products import ProductQuestion
    from smemdesc.probe.questions import OperandQuestion
    from smemdesc.probe.scales import ScaleQuestion
    from smemdesc.reading.text import Literal

_ROWS = {"wgmma": WGMMA_M, "tcgen05": 2 * WGMMA_M}
_USUAL = {"wgmma": "sm_90a", "tcgen05": "sm_100a"}


def operand_question(value: Literal | int | str, **typed: Any) -> OperandQuestion:
    """Return the question about a shared-memory descriptor; the keywords are those of ``smemdesc probe operand``.

    Without ``shape`` the operand is the smallest A, or B of as many rows. :class:`SmemdescError` as of
    :func:`smemdesc.operand`, and if one instruction has no such operand.
    """
    from smemdesc.probe.questions import OperandQuestion, kind_for, operand_case

    read = read_options("probe", typed)
    side, mma_kind, ws = read.pop("operand", None) or "a", read["mma_kind"], bool(read["ws"])
    kind = read["kind"] or (_kind_of_arch(read["arch"]) if read["arch"] else None)
    if kind is None:
        seen = decode(value, mma_kind=None).kind
        kind = seen if seen in SMEM_KINDS else None
    dtype = required("dtype", read["dtype"])
    rows = WGMMA_M if ws else _ROWS.get(kind or "", WGMMA_M)
    shape = read["shape"] or (rows, dtype.k)
    case = {name: read[name] for name in ("dtype", "major", "arch", "cta_group", "ws", "mma_kind", "scale_vec")}
    told = {name: given for name, given in {"kind": kind, **case}.items() if given is not None}
    what = operand(value, shape=shape, **told)
    family = what.reading.kind.name
    if family == "tcgen05":
        mma_kind = mma_kind or kind_for(dtype)
    asks = operand_case(
        what.operand,
        read["arch"] or _USUAL[family],
        side,
        mma_kind if family == "tcgen05" else "",
        cta_group=read["cta_group"] or 1,
        ws=ws,
    )
    return OperandQuestion(what.value, what.operand, side, asks)


def _kind_of_arch(arch: str) -> str:
    return "wgmma" if arch in HOPPER else "tcgen05"


@reads()
def idesc_questions(
    value: Literal | int | str,
    *,
    mma_kind: str | None = None,
    cta_group: int = 1,
    ws: bool = False,
    a_from: str = "shared",
    arch: str = "sm_100a",
) -> list[ProductQuestion | ScaleQuestion]:
    """Return the questions about an instruction descriptor: its product, and the scale factors of A and of B.

    ``a_from``: ``tmem`` if A is in tensor memory.

    :class:`SmemdescError` for a descriptor that no instruction of these qualifiers has.
    """
    from smemdesc.probe.products import product_question
    from smemdesc.probe.scales import scale_question

    kind = required("mma_kind", mma_kind)
    bits = _whole(value, 32)
    product = named(
        "value",
        product_question,
        bits,
        kind,
        arch,
        cta_group=cta_group,
        ws=ws,
        a_from="tmem" if a_from == "tmem" else "shared",
    )
    if kind not in BLOCK_SCALED:
        return [product]
    return [product, *(scale_question(bits, kind, arch, side, cta_group=cta_group) for side in "ab")]


@reads()
def mask_questions(
    value: Literal | int | str,
    *,
    m: int,
    n: int,
    dtype: Any = None,
    arch: str = "sm_100a",
) -> list[OperandQuestion]:
    """Return the question about a zero-column mask. :class:`SmemdescError` as of :func:`smemdesc.mask`."""
    from smemdesc.probe.masks import mask_question

    return [named("value", mask_question, _whole(value, 64), m, n, arch, dtype or dtype_of("f16"))]


def map_question(value: Literal | int | str, arch: str = "sm_90a") -> CopyQuestion:
    """Return the question about a tensor map, by its 128 bytes in any form that ``decode`` reads.

    :class:`SmemdescError` for anything else, and for maps of whose copies no model is known.
    """
    from smemdesc.probe.copies import copy_question

    return copy_question(_whole(value, MAP_BITS), arch)


def _whole(value: Literal | int | str, width: int) -> int:
    """Return all bits of a value."""
    bits, known = named("value", literal_of, value).at(width)
    if known != ones(width):
        raise SmemdescError("the GPU needs every bit of it, and some are not known", keyword="value")
    return bits
