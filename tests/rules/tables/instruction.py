"""What triggers the rules for the instruction descriptor, and what is near it."""

from __future__ import annotations

from typing import Any

DENSE = ("tf32", "f16", "f8f6f4", "i8", "ti16")
MX = ("mxf8f6f4", "mxf4", "mxf4nvf4")
FP4 = ("mxf4", "mxf4nvf4")

# The sound values have M 128, N 128, dense, nothing negated or transposed, K 64 where it is a field.
Case = tuple[str, dict[str, Any] | int, dict[str, Any], str, str]

TRIGGERS: list[Case] = [
    # what no set of values says: K = 96 with sparsity, and the sparsity version of sm_107a
    *((kind, 0x88A00484, {}, "error", "sparse-k-96") for kind in FP4),
    *((kind, 0x18A81484, {}, "error", "sparsity-version") for kind in FP4),
    *((kind, {"m": 0}, {}, "error", "shape") for kind in (*DENSE, *MX)),
    *((kind, {"n": 0}, {}, "error", "shape") for kind in (*DENSE, *MX)),
    *((kind, {"m": 192}, {}, "error", "shape") for kind in DENSE),
    *((kind, {"m": 384}, {}, "error", "shape") for kind in MX),
    *((kind, {"m": 256, "n": 136}, {}, "error", "shape") for kind in (*DENSE, *MX)),
    *((kind, {"n": 264}, {}, "error", "shape") for kind in (*DENSE, *MX)),
    ("i8", {"n": 40}, {}, "error", "shape"),
    ("i8", {"n": 24, "transpose_b": True}, {}, "error", "shape"),
    ("f8f6f4", {"n": 24, "transpose_b": True}, {}, "error", "shape"),
    ("f16", {"n": 96}, {"ws": True}, "error", "shape"),
    ("f16", {"n": 256, "sparse": True}, {"ws": True}, "error", "shape"),
    ("f16", {"m": 32, "n": 64}, {"ws": False}, "error", "shape"),
    ("f16", {"m": 64}, {"cta_group": 2}, "error", "shape"),
    ("f16", {}, {"cta_group": 2, "ws": True}, "error", "shape"),
    *((kind, {}, {"ws": True}, "error", "shape") for kind in MX),
    *((kind, {"sparse": True}, {"cta_group": 2}, "error", "shape") for kind in MX),
    *((kind, {"saturate": True}, {}, "error", "saturate-float") for kind in ("tf32", "f16", "f8f6f4", "ti16")),
    ("i8", {"negate_a": True}, {}, "error", "negate-integer"),
    ("i8", {"negate_b": True}, {}, "error", "negate-integer"),
    *(
        (kind, {"sparsity_selector": 1, "sparse": True}, {}, "error", "sparsity-selector")
        for kind in ("f8f6f4", "i8", "ti16")
    ),
    *((kind, {"sparsity_selector": 1}, {}, "warning", "sparsity-selector") for kind in ("tf32", "f16")),
    *((kind, {"sparsity_selector": 2, "sparse": True}, {}, "warning", "sparsity-selector") for kind in ("tf32", "f16")),
    *((kind, {"n": 72}, {}, "note", "m-128-columns") for kind in ("tf32", "f16", "f8f6f4", "ti16")),
    ("f16", {"n": 8}, {"cta_group": 1, "ws": False}, "note", "m-128-columns"),
    ("f16", {"d_type": "f16"}, {}, "error", "d-f16-types"),
    ("f16", {"d_type": "f16", "a_type": "f16"}, {}, "error", "d-f16-types"),
    ("f16", {"a_type": "f16"}, {}, "warning", "f16-bf16-mix"),
    ("i8", {"n": 24}, {}, "warning", "i8-n-24"),
    ("i8", {"n": 24, "m": 64}, {}, "warning", "i8-n-24"),
    *(
        (kind, {f"{side}_type": dtype, f"transpose_{side}": True}, {}, "note", "transpose-narrow")
        for kind in ("f8f6f4", "mxf8f6f4")
        for side in "ab"
        for dtype in ("e2m3", "e3m2", "e2m1")
    ),
    ("f8f6f4", 0x08218D90, {}, "note", "transpose-narrow"),
    *((kind, {}, {"dtype": "b1"}, "error", "types-given") for kind in (*DENSE, *MX)),
    ("f16", {"b_type": "f16"}, {"dtype": "bf16"}, "error", "types-given"),
    ("f16", 0x08200990, {"dtype": "bf16"}, "error", "types-given"),
    ("f8f6f4", {"a_type": "e4m3", "b_type": "e5m2"}, {"dtype": "e5m2,e4m3"}, "error", "types-given"),
    *((kind, {}, {"trans_a": "N"}, "error", "majors-given") for kind in (*DENSE, *MX)),
    ("f16", {"transpose_b": True}, {"trans_b": "N"}, "error", "majors-given"),
    *((kind, {}, {"shape": "128x64"}, "error", "shape-given") for kind in (*DENSE, *MX)),
    *((kind, {}, {"shape": "128x128x4"}, "error", "shape-given") for kind in (*DENSE, *MX)),
    ("f16", {}, {"shape": "128x128x32"}, "error", "shape-given"),
    ("f16", {"sparse": True}, {"shape": "128x128x16"}, "error", "shape-given"),
    ("mxf4", {}, {"shape": "128x128x96", "arch": "sm_103a"}, "error", "shape-given"),
    ("mxf4", {}, {"shape": "128x128x128"}, "error", "shape-given"),
    ("f16", {"m": 256, "n": 256}, {"m": 128}, "error", "shape-given"),
    ("f16", {"n": 256}, {"n": 128}, "error", "shape-given"),
    *((kind, {f"transpose_{side}": True}, {}, "error", "transpose-packed-fp4") for kind in FP4 for side in "ab"),
    *((kind, {"max_shift": 8}, {}, "note", "max-shift-without-ws") for kind in DENSE),
    *((kind, {"m": 32, "max_shift": 32}, {"ws": True}, "error", "max-shift-m-32") for kind in DENSE),
    *((kind, {"m": 32, "max_shift": 16}, {"ws": True}, "note", "max-shift-m-32") for kind in DENSE),
    *((kind, {"max_shift": 32}, {"ws": False}, "warning", "max-shift-without-ws") for kind in DENSE),
    *((kind, {"max_shift": 16, "m": 256}, {}, "warning", "max-shift-without-ws") for kind in DENSE),
    ("mxf8f6f4", {}, {"cta_group": 2}, "warning", "two-cta-m-128"),
    *((kind, {"k": 96}, {"cta_group": 2}, "warning", "k-96-two-cta-m-128") for kind in FP4),
    *((kind, {"k": 96, "n": 136}, {}, "warning", "k-96-columns") for kind in FP4),
    *(
        (kind, {"sparse": True}, {"arch": arch}, "error", "sparse-family")
        for kind in FP4
        for arch in ("sm_100f", "sm_103f", "sm_110f")
    ),
    *((kind, {f"{side}_scale_id": 1}, {}, "error", "scale-id") for kind in FP4 for side in "ab"),
    *((kind, {"a_scale_id": 3, "k": 96, "scale_type": "ue8m0"}, {}, "note", "scale-id") for kind in FP4),
    ("mxf4nvf4", {"a_scale_id": 3, "k": 96, "scale_type": "ue8m0"}, {"scale_vec": 4}, "error", "scale-id"),
    ("mxf4nvf4", {"a_scale_id": 2}, {}, "error", "scale-id"),
    ("mxf4nvf4", {"a_scale_id": 3, "k": 96}, {}, "error", "scale-id"),
    ("mxf4nvf4", {"b_scale_id": 2, "scale_type": "ue8m0"}, {"scale_vec": 4}, "error", "scale-id"),
    ("ti16", {"transpose_a": True}, {}, "warning", "transpose-ti16"),
    ("mxf8f6f4", {}, {"scale_vec": 2}, "error", "scale-vec"),
    ("mxf4", {}, {"scale_vec": 4}, "error", "scale-vec"),
    ("mxf4", {}, {"scale_vec": 1}, "error", "scale-vec"),
    ("mxf4nvf4", {}, {"scale_vec": 1}, "error", "scale-vec"),
    ("mxf4nvf4", {}, {"scale_vec": 2}, "error", "scale-vec"),
]


NEAR: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("f16", {}, {"dtype": "bf16", "shape": "128x128x16"}, "types-given"),
    ("f8f6f4", {"a_type": "e4m3", "b_type": "e5m2"}, {"dtype": "e4m3,e5m2"}, "types-given"),
    # one operand's, as its major-ness says
    ("f16", {}, {"dtype": "e4m3", "major": "K", "shape": "128x16"}, "types-given"),
    ("f16", {}, {"dtype": "bf16", "major": "K", "shape": "128x16"}, "shape-given"),
    ("f16", {"transpose_b": True}, {"trans_a": "T", "trans_b": "T"}, "majors-given"),
    ("f16", {}, {"shape": "128x128x16"}, "shape-given"),
    ("f16", {"sparse": True}, {"shape": "128x128x32"}, "shape-given"),
    ("mxf4", {"k": 96}, {"shape": "128x128x96"}, "shape-given"),
    ("mxf8f6f4", {}, {"m": 128, "n": 128}, "shape-given"),
    *((kind, {"m": 256}, {}, "shape") for kind in (*DENSE, *MX)),
    *((kind, {"m": 32, "n": 64}, {}, "shape") for kind in DENSE),
    *((kind, {"n": 256}, {}, "shape") for kind in (*DENSE, *MX)),
    ("i8", {"n": 24}, {}, "shape"),
    ("f16", {"n": 24, "transpose_b": True}, {}, "shape"),
    ("f8f6f4", {"n": 48, "transpose_b": True}, {}, "shape"),
    ("f8f6f4", {"n": 24, "transpose_a": True}, {}, "shape"),
    ("f16", {"m": 32, "n": 64}, {"ws": True}, "shape"),
    ("f16", {"m": 256}, {"cta_group": 2}, "shape"),
    ("mxf4", {"m": 256, "sparse": True}, {"cta_group": 2}, "shape"),
    ("i8", {"saturate": True}, {}, "saturate-float"),
    ("f16", {}, {}, "saturate-float"),
    ("f16", {"negate_a": True, "negate_b": True}, {}, "negate-integer"),
    ("i8", {}, {}, "negate-integer"),
    ("f16", {"sparsity_selector": 1, "sparse": True}, {}, "sparsity-selector"),
    ("f8f6f4", {"sparse": True}, {}, "sparsity-selector"),
    ("f16", {"n": 80}, {}, "m-128-columns"),
    ("f16", {"n": 72, "m": 64}, {}, "m-128-columns"),
    ("mxf4", {"n": 72}, {}, "m-128-columns"),
    ("f16", {"d_type": "f16", "a_type": "f16", "b_type": "f16"}, {}, "d-f16-types"),
    ("f8f6f4", {"d_type": "f16"}, {}, "d-f16-types"),
    ("f16", {}, {}, "f16-bf16-mix"),
    ("f8f6f4", {"a_type": "e5m2"}, {}, "f16-bf16-mix"),
    ("i8", {"n": 32}, {}, "i8-n-24"),
    ("i8", {"n": 24}, {"cta_group": 2}, "i8-n-24"),
    ("f8f6f4", {"a_type": "e2m1"}, {}, "transpose-narrow"),
    ("f8f6f4", {"a_type": "e2m1", "transpose_b": True}, {}, "transpose-narrow"),
    ("mxf8f6f4", {"transpose_a": True, "transpose_b": True}, {}, "transpose-narrow"),
    ("mxf4", {}, {}, "transpose-packed-fp4"),
    ("f16", {"max_shift": 8}, {"ws": True}, "max-shift-without-ws"),
    ("f16", {"m": 64, "max_shift": 32}, {"ws": True}, "max-shift-m-32"),
    ("f16", {}, {"ws": False}, "max-shift-without-ws"),
    ("mxf8f6f4", {"m": 256}, {"cta_group": 2}, "two-cta-m-128"),
    ("mxf8f6f4", {}, {"cta_group": 1}, "two-cta-m-128"),
    ("mxf4", {"k": 96, "m": 256}, {"cta_group": 2}, "k-96-two-cta-m-128"),
    ("mxf4", {}, {"cta_group": 2}, "k-96-two-cta-m-128"),
    ("mxf4", {"k": 96}, {}, "k-96-two-cta-m-128"),
    ("mxf4", {"k": 96}, {}, "k-96-columns"),
    ("mxf4", {"n": 136}, {}, "k-96-columns"),
    ("mxf4", {"sparse": True, "k": 128}, {"arch": "sm_100a"}, "sparse-family"),
    ("mxf4", {"sparse": True, "k": 128}, {"arch": "sm_110a"}, "sparse-family"),
    ("mxf4", {}, {"arch": "sm_100f"}, "sparse-family"),
    ("mxf4", {"k": 96}, {}, "sparse-k-96"),
    ("mxf4", {"sparse": True, "k": 128}, {}, "sparse-k-96"),
    ("mxf4", {"a_scale_id": 2, "b_scale_id": 2}, {}, "scale-id"),
    ("mxf4nvf4", {"a_scale_id": 2, "scale_type": "ue8m0"}, {"scale_vec": 2}, "scale-id"),
    ("mxf4nvf4", {"a_scale_id": 2, "k": 96}, {}, "scale-id"),
    ("mxf8f6f4", {"a_scale_id": 1, "b_scale_id": 3}, {}, "scale-id"),
    ("mxf8f6f4", {}, {"scale_vec": 1}, "scale-vec"),
    ("ti16", {}, {}, "transpose-ti16"),
    ("mxf4", {"sparse": True}, {"arch": "sm_100a"}, "sparsity-version"),
    ("mxf4", {}, {}, "sparsity-version"),
    ("mxf4", {}, {"scale_vec": 2}, "scale-vec"),
    ("mxf4nvf4", {}, {"scale_vec": 4}, "scale-vec"),
    ("mxf4nvf4", {"scale_type": "ue8m0"}, {"scale_vec": 2}, "scale-vec"),
]
