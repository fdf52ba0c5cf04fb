"""What triggers the rules that follow from the rows of the tables, and what is near it."""

from __future__ import annotations

from samples import ALL, SOUND

WGMMA_UNUSED = (14, 15, 30, 31, 46, 47, 48, *range(52, 62))
RESERVED = {
    "tcgen05": (14, 15, 30, 31),
    "mask": (36, 37, 38),
    "idesc:tf32": (6, 23, 29),
    "idesc:f16": (6, 23, 29),
    "idesc:f8f6f4": (6, 23, 29),
    "idesc:i8": (6, 23, 29),
    "idesc:mxf8f6f4": (0, 1, 3, 6, 24, 25, 26, 31),
    "idesc:mxf4": (0, 1, 3, 6, 24, 25, 26),
    "idesc:mxf4nvf4": (0, 1, 3, 6, 24, 25, 26),
    "idesc:ti16": (6, 23, 29),
}

UNDEFINED = {
    # kind: {lowest bit of the field: (width, codes that the tables leave out)}
    "tcgen05": {61: (3, (3, 5, 7))},
    "idesc:tf32": {4: (2, (0, 2, 3)), 7: (3, (0, 1, 3, 4, 5, 6, 7)), 10: (3, (0, 1, 3, 4, 5, 6, 7))},
    "idesc:f16": {4: (2, (2, 3)), 7: (3, (2, 3, 4, 5, 6, 7)), 10: (3, (2, 3, 4, 5, 6, 7))},
    "idesc:f8f6f4": {4: (2, (2, 3)), 7: (3, (2, 6, 7)), 10: (3, (2, 6, 7))},
    "idesc:i8": {4: (2, (0, 1, 3)), 7: (3, (2, 3, 4, 5, 6, 7)), 10: (3, (2, 3, 4, 5, 6, 7))},
    "idesc:mxf8f6f4": {7: (3, (2, 6, 7)), 10: (3, (2, 6, 7)), 23: (1, (0,))},
    "idesc:mxf4": {7: (3, (0, 2, 3, 4, 5, 6, 7)), 10: (2, (0, 2, 3)), 23: (1, (0,))},
    "idesc:mxf4nvf4": {7: (3, (0, 2, 3, 4, 5, 6, 7)), 10: (2, (0, 2, 3))},
    "idesc:ti16": {4: (2, (0, 1, 3)), 7: (3, (0, 1, 2, 4, 5, 6, 7)), 10: (3, (0, 1, 2, 4, 5, 6, 7))},
}
BEFORE = {"idesc:ti16": "sm_107a"}
"""An architecture with the table; else one that has the usual tables."""

Trigger = tuple[str, int, str | None, str, str]

TRIGGERS: list[Trigger] = [
    # kind, value, architecture, severity, rule
    *(("wgmma", SOUND["wgmma"] | 1 << bit, None, "warning", "reserved-bits") for bit in WGMMA_UNUSED),
    *(("mask", SOUND["mask"] | 1 << bit, None, "warning", "reserved-bits") for bit in (62, 63)),
    *(
        (
            kind,
            SOUND[kind] | 1 << bit,
            BEFORE.get(kind, "sm_100a") if kind != "mask" else None,
            "error",
            "reserved-bits",
        )
        for kind, reserved in RESERVED.items()
        for bit in reserved
    ),
    *(
        (kind, SOUND[kind] & ~(((1 << width) - 1) << lo) | code << lo, None, "error", "undefined-code")
        for kind, fields in UNDEFINED.items()
        for lo, (width, codes) in fields.items()
        for code in codes
    ),
    ("tcgen05", SOUND["wgmma"], None, "warning", "version-constant"),
    *(("tcgen05", SOUND["wgmma"] | code << 46, None, "error", "version-constant") for code in range(2, 8)),
    *(("tcgen05", SOUND["tcgen05"] | 1 << bit, "sm_100a", "error", "fixed-53-constant") for bit in range(53, 61)),
    ("tcgen05", SOUND["tcgen05"] | 0xB0 << 53, None, "error", "fixed-53-constant"),
    ("tcgen05", SOUND["tcgen05"] | 1 << 52, None, "note", "needs-arch"),
    ("tcgen05", SOUND["tcgen05"] | 1 << 52, "sm_100a", "error", "needs-arch"),
    ("tcgen05", SOUND["tcgen05"] | 1 << 52, "sm_110a", "error", "needs-arch"),
    *((f"idesc:{mma}", SOUND[f"idesc:{mma}"] | 1 << 31, None, "note", "needs-arch") for mma in ("mxf4", "mxf4nvf4")),
    *(
        (f"idesc:{mma}", SOUND[f"idesc:{mma}"] | 1 << 31, "sm_100a", "error", "needs-arch")
        for mma in ("mxf4", "mxf4nvf4")
    ),
    ("idesc:mxf4", SOUND["idesc:mxf4"] | 1 << 12, "sm_100a", "warning", "reserved-bits"),
    ("wgmma", SOUND["wgmma"], "sm_100a", "error", "kind-arch"),
    ("idesc:ti16", SOUND["idesc:ti16"], "sm_100a", "error", "kind-arch"),
    *((kind.id, SOUND[kind.id], "sm_90a", "error", "kind-arch") for kind in ALL if kind.id != "wgmma"),
    ("idesc:i8", SOUND["idesc:i8"], "sm_103a", "error", "kind-arch"),
    *(
        ("idesc:i8", SOUND["idesc:i8"], arch, "error", "kind-arch")
        for arch in ("sm_100f", "sm_103f", "sm_107a", "sm_107f", "sm_110f")
    ),
    *(("tcgen05", SOUND["tcgen05"], arch, "error", "kind-arch") for arch in ("sm_100", "sm_120a", "sm_121a", "sm_80")),
    ("wgmma", SOUND["wgmma"], "sm_90", "error", "kind-arch"),
    ("tcgen05", SOUND["tcgen05"], "sm_101a", "note", "kind-arch"),
    ("tcgen05", SOUND["tcgen05"] | 1 << 52, "sm_100f", "warning", "needs-arch"),
    ("idesc:mxf4", SOUND["idesc:mxf4"] | 1 << 31, "sm_100f", "warning", "needs-arch"),
    ("tcgen05", SOUND["tcgen05"] | 1 << 52, "sm_101a", "error", "needs-arch"),
]

NEAR: list[tuple[str, int, str | None, str]] = [
    # kind, value, architecture, rule that has nothing to say
    *((kind.id, SOUND[kind.id], None, "reserved-bits") for kind in ALL),
    *((kind, SOUND[kind], None, "undefined-code") for kind in UNDEFINED),
    ("tcgen05", SOUND["tcgen05"], None, "version-constant"),
    ("tcgen05", SOUND["tcgen05"], None, "fixed-53-constant"),
    ("tcgen05", SOUND["tcgen05"], "sm_100a", "needs-arch"),
    *(("tcgen05", SOUND["tcgen05"] | 1 << 52, arch, "needs-arch") for arch in ("sm_103a", "sm_103f", "sm_103")),
    *(("idesc:mxf4", SOUND["idesc:mxf4"] | 1 << 31, arch, "needs-arch") for arch in ("sm_103a", "sm_103f", "sm_103")),
    ("idesc:mxf4", SOUND["idesc:mxf4"] | 1 << 2, "sm_100a", "needs-arch"),
    ("wgmma", SOUND["wgmma"], "sm_90a", "kind-arch"),
    ("tcgen05", SOUND["tcgen05"], "sm_103a", "kind-arch"),
    ("idesc:i8", SOUND["idesc:i8"], "sm_100a", "kind-arch"),
    ("idesc:i8", SOUND["idesc:i8"], "sm_110a", "kind-arch"),
    *(("tcgen05", SOUND["tcgen05"], arch, "kind-arch") for arch in ("sm_103f", "sm_110f")),
    ("idesc:f16", SOUND["idesc:f16"], "sm_100f", "kind-arch"),
    ("mask", SOUND["mask"], "sm_103a", "kind-arch"),
]
