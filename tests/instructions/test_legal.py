"""Every combination of options of an instruction is legal exactly where PTX has it: written here a second time.

The combinations of wgmma (2,466) and of qualifiers (``tests/evidence/ptxas.txt``) were also asked of ptxas 13.5.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

import smemdesc
from smemdesc.kinds.names import BLOCK_SCALED, PACKED_FP4
from smemdesc.kinds.types import DTYPE_NAMES, read_by

WGMMA = {"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256}
"""The types of wgmma and their dense K."""
MIXED = ({"e4m3", "e5m2"}, {"s8", "u8"})
EVEN = (8, 16, 24, *range(32, 257, 16))
"""N of integers."""


def wgmma_exists(given: dict[str, Any], a: str, b: str, m: int, n: int, k: int) -> bool:
    if a not in WGMMA or b not in WGMMA or (a != b and {a, b} not in MIXED):
        return False
    integer = a in ("s8", "u8", "b1")
    d_types = ("s32",) if integer else ("f32", "f16") if a in ("f16", "e4m3", "e5m2") else ("f32",)
    transposed = (a in ("f16", "bf16") and given["a_from"] == "smem", a in ("f16", "bf16"))
    return (
        m == 64
        and n in (EVEN if integer else range(8, 257, 8))
        and k == WGMMA[a] * (1 + given["sparse"])
        and given["d_type"] in (None, *d_types)
        and not (given["sparse"] and a == "b1")
        and not any(asked > has for asked, has in zip((given["trans_a"], given["trans_b"]), transposed, strict=True))
    )


def errors(**given: Any) -> list[smemdesc.Finding]:
    return [each for each in smemdesc.mma(**given).findings if each.severity == "error"]


@pytest.mark.slow
@some(400)
@given(st.data())
def test_wgmma(data: st.DataObject) -> None:
    a, b = data.draw(st.sampled_from(DTYPE_NAMES)), data.draw(st.sampled_from(DTYPE_NAMES))
    b = data.draw(st.sampled_from((a, b)))
    given = {
        "d_type": data.draw(st.sampled_from((None, "f16", "f32", "s32"))),
        "a_from": data.draw(st.sampled_from(("smem", "registers"))),
        **{name: data.draw(st.booleans()) for name in ("sparse", "trans_a", "trans_b")},
    }
    b_value = data.draw(st.sampled_from((None, "0x4000004000010000", "?:0x10000")))
    m, n = data.draw(st.sampled_from((64, 64, 128))), data.draw(st.integers(1, 33).map(lambda n: 8 * n))
    k = WGMMA.get(a, 32) * data.draw(st.sampled_from((1 + given["sparse"], 1, 2)))
    found = errors(inst=f"m{m}n{n}k{k}", dtype=f"{a},{b}", b=b_value, **given)
    assert (not found) == wgmma_exists(given, a, b, m, n, k), found


def tcgen05_has(kind: str, m: int, n: int, group: int, ws: bool, sparse: bool, transpose_b: bool) -> bool:
    """Table 42 of PTX ISA 9.3, and Table 55 for a transposed 8-bit B."""
    if transpose_b and kind in ("f8f6f4", "i8", "mxf8f6f4") and n % (16 * group):
        return False
    if ws:
        return (
            kind not in BLOCK_SCALED
            and group == 1
            and m in (32, 64, 128)
            and n in ((64, 128) if sparse else (64, 128, 256))
        )
    if kind in BLOCK_SCALED:
        return m in ((128,) if group == 1 else (256,) if sparse else (128, 256)) and n % (8 * group) == 0
    step = range(32, 257, 32) if kind == "i8" else range(16, 257, 16)
    one = EVEN if kind == "i8" else range(8, 257, 8)
    return m in ((64, 128) if group == 1 else (128, 256)) and n in (one if group == 1 else step)


@some(400)
@given(st.data())
def test_tcgen05(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(("f16", "tf32", "f8f6f4", "i8", "ti16", "mxf8f6f4", "mxf4", "mxf4nvf4")))
    arch = "sm_107a" if kind == "ti16" else "sm_100a"
    flags = ("sparse", "transpose_a", "transpose_b", "negate_a", *(() if kind in BLOCK_SCALED else ("saturate",)))
    fields: dict[str, Any] = {name: data.draw(st.booleans()) for name in flags}
    fields |= {f"{name}_type": data.draw(st.sampled_from(read_by(kind))) for name in "ab"}
    if kind in ("f16", "f8f6f4"):
        fields["d_type"] = data.draw(st.sampled_from(("f16", "f32")))
    m = data.draw(st.sampled_from((128, 256) if kind in BLOCK_SCALED else (32, 64, 128, 256)))
    n = data.draw(st.integers(1, 32).map(lambda n: 8 * n))
    group, tensor = data.draw(st.sampled_from((1, 2))), data.draw(st.booleans())
    mask = data.draw(st.sampled_from((None, 0)))
    ws = None if mask is not None else data.draw(st.booleans())
    idesc = smemdesc.encode("idesc", mma_kind=kind, arch=arch, force=True, m=m, n=n, **fields)
    legal = tcgen05_has(kind, m, n, group, ws is not False, fields["sparse"], fields["transpose_b"]) and not (
        (kind in PACKED_FP4 and (fields["transpose_a"] or fields["transpose_b"]))
        or (kind == "i8" and fields["negate_a"])
        or (kind != "i8" and fields.get("saturate"))
        or (kind == "f16" and fields["d_type"] == "f16" and {fields["a_type"], fields["b_type"]} != {"f16"})
        or (tensor and fields["transpose_a"])
    )
    place = "tmem" if tensor else "smem"
    given = {"cta_group": group, "ws": ws, "mask": mask, "sparse": fields["sparse"], "a_from": place}
    found = errors(idesc=idesc, mma_kind=kind, arch=arch, **given)
    assert (not found) == legal, found
