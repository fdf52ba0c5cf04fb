"""The tcgen05 kernels: every kind, mode, major-ness and form, and the ways code is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import smemdesc
from smemdesc.engine.fields import ones
from smemdesc.kinds.kind import kind_of

from .geometry import Tile
from .kernels import MODES, Case, Inputs, Machine, Unit, cycle, once, styles, unit, wrapped

CODES = {
    "tf32": {"tf32": 2},
    "f16": {"f16": 0, "bf16": 1},
    "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "i8": {"u8": 0, "s8": 1},
    "mxf8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "mxf4": {"e2m1": 1},
    "mxf4nvf4": {"e2m1": 1},
}
D_CODES = {"f16": 0, "f32": 1, "s32": 2}
SCALES = {"ue4m3": 0, "ue8m0": 1}
K_DENSE = {"tf32": 8, "f16": 16, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
STORAGE = {"tf32": 32, "f16": 16, "f8f6f4": 8, "i8": 8, "mxf8f6f4": 8, "mxf4": 4, "mxf4nvf4": 4}
HEADER = Path(__file__).with_name("umma.cuh").read_text()
SCALED = ("mxf8f6f4", "mxf4", "mxf4nvf4")


@dataclass(frozen=True)
class Umma(Machine):
    """A tcgen05.mma."""

    kind: ClassVar = "tcgen05"
    mma_kind: str
    a_type: str
    b_type: str
    d_type: str = "f32"
    m: int = 128
    n: int = 64
    transpose_a: bool = False
    transpose_b: bool = False
    cta_group: int = 1
    a_in: str = "shared"
    ws: bool = False
    sparse: bool = False
    mask: int | None = None
    lanes: bool = False
    scale_d: int | None = None
    collector: str = ""
    shift: bool = False
    """``.ashift``."""
    negate_a: bool = False
    negate_b: bool = False
    saturate: bool = False
    selector: int = 0
    max_shift: int = 0
    scale_type: str = "ue8m0"
    block: str = ""
    """``.scale_vec::1X`` or ``.block32``; empty where the kind has a default."""
    ids: tuple[tuple[int, int], ...] = ()
    """(A, B) scale-factor data ids of each K step, then over again."""
    run_time_ids: bool = False
    k96: bool = False
    build: str = "union"
    """union, or, high, literal."""
    guard: str = "thread"
    """thread, elect, or none: who issues."""

    @property
    def scaled(self) -> bool:
        """Whether it is block-scaled."""
        return self.mma_kind in SCALED

    @property
    def k(self) -> int:
        """Elements of K, as the instruction counts them."""
        return 96 if self.k96 else K_DENSE[self.mma_kind] * (2 if self.sparse else 1)

    def fields(self, *names: str) -> dict[str, Any]:
        """Some of the fields, by name."""
        return {name: getattr(self, name) for name in names}

    @property
    def facts(self) -> dict[str, Any]:
        facts = self.fields("mma_kind", "a_type", "b_type", "d_type", "m", "n", "k", "transpose_a", "transpose_b",
                            "cta_group", "ws", "sparse", "a_in")  # fmt: skip
        return facts | ({"block": self.block} if self.block else {})

    def id(self, step: int) -> tuple[int, int]:
        """Scale-factor ids at a K step."""
        return self.ids[step % len(self.ids)] if self.ids else (0, 0)

    def other(self, step: int) -> tuple[int | None, int | None]:
        both = [f"{key}_{name}" for key in ("negate", "transpose") for name in "ab"]
        common = self.fields("a_type", "b_type", *both, "n", "m", "sparse")
        if self.scaled:
            a, b = self.id(step)
            more: dict[str, Any] = {"scale_type": self.scale_type, "a_scale_id": a, "b_scale_id": b}
            if self.mma_kind != "mxf8f6f4":
                more["k"] = self.k
        else:
            more = {"d_type": self.d_type, "saturate": self.saturate, "sparsity_selector": self.selector}
            more["max_shift"] = (0, 8, 16, 32)[self.max_shift]
        return smemdesc.encode("idesc", mma_kind=self.mma_kind, **common, **more), self.mask

    def loose(self) -> int:
        if not self.run_time_ids:
            return 0
        rows = kind_of("idesc", self.mma_kind).table.rows
        return sum(ones(row.width) << row.lo for row in rows if row.key in ("a_scale_id", "b_scale_id"))

    def _idesc(self, step: str) -> str:
        codes = CODES[self.mma_kind]
        a, b = codes[self.a_type], codes[self.b_type]
        signs = f"{int(self.negate_a)}, {int(self.negate_b)}, {int(self.transpose_a)}, {int(self.transpose_b)}"
        if self.build == "literal":
            return f"{self.other(0)[0]:#x}u"
        if self.scaled:
            sfa, sfb = ("0", "0")
            if self.run_time_ids:
                sfa, sfb = "(uint32_t)p >> 30", "(uint32_t)n >> 30"
            elif self.ids:
                sfa, sfb = (
                    f"(uint32_t)(({step}) % {len(self.ids)} * {second - first} + {first})"
                    for first, second in zip(*self.ids[:2], strict=True)
                )
            fields = (
                f"Scaled{{{int(self.sparse)}, {sfb}, {a}, {b}, {signs}, {self.n}, {SCALES[self.scale_type]}, "
                f"{self.m}, {sfa}, {int(self.k96)}}}"
            )
        else:
            fields = (
                f"Dense{{{self.selector}, {int(self.sparse)}, {int(self.saturate)}, {D_CODES[self.d_type]}, {a}, {b}, "
                f"{signs}, {self.n}, {self.m}, {self.max_shift}}}"
            )
        return f"i_{self.build}({fields})"

    def call(self, a: str, b: str, step: str) -> str:
        return f"{self.name}(tmem, {'tmem + 256' if self.a_in == 'tensor' else a}, {b}, {self._idesc(step)}, {step});"

    @property
    def name(self) -> str:
        parts = [self.mma_kind, f"c{self.cta_group}", self.a_in]
        flags = (("ws", self.ws), ("sp", self.sparse), ("lanes", self.lanes), ("shift", self.shift))
        parts += [word for word, on in flags if on]
        parts += [f"d{self.scale_d}"] if self.scale_d is not None else []
        parts += [f"z{self.mask:x}"] if self.mask is not None else []
        parts += [self.collector, self.block]
        return "mma_" + "_".join(part.replace("::", "").replace(".", "") for part in parts if part)

    def around(self) -> tuple[str, str]:
        head = {"thread": "if (threadIdx.x == 0) ", "elect": "if (threadIdx.x < 32 && elect_one()) ", "none": ""}
        return f"  {head[self.guard]}{{\n", "  }\n"

    def helper(self) -> str:
        inputs = Inputs()
        tensor = self.a_in == "tensor"
        words = [f"[{inputs.add('r', 'd')}]", f"[{inputs.add('r', 'a')}]" if tensor else inputs.add("l", "a")]
        words.append(inputs.add("l", "b"))
        if self.sparse:
            words.append(f"[{inputs.add('r', 'd + 400')}]")
        words.append(inputs.add("r", "idesc"))
        if self.scaled:
            words += [f"[{inputs.add('r', f'd + {column}')}]" for column in (300, 308)]
        if self.lanes:
            words.append("{" + ", ".join(inputs.add("r", f"d ^ {i}") for i in range(4 * self.cta_group)) + "}")
        scale = inputs.add("r", "scale_d")
        words.append("p")
        if self.scale_d is not None:
            words.append(str(self.scale_d))
        if self.mask is not None:
            words.append(inputs.add("l", f"{self.mask:#x}ull"))
        instruction = (
            f"tcgen05.mma{'.ws' if self.ws else ''}{'.sp' if self.sparse else ''}.cta_group::{self.cta_group}"
            f".kind::{self.mma_kind}{f'.block_scale{self.block}' if self.scaled else ''}"
            f"{'.ashift' if self.shift else ''}{self.collector}"
        )
        parameters = f"uint32_t d, {'uint32_t' if tensor else 'uint64_t'} a, uint64_t b, uint32_t idesc"
        return wrapped(
            self.name, parameters, scale, instruction, ", ".join(words), f':: {", ".join(inputs)} : "memory"'
        )


@dataclass(frozen=True)
class Copy(Machine):
    """A tcgen05.cp: its one descriptor stands as B."""

    kind: ClassVar = "tcgen05"
    shape: str
    cta_group: int = 1
    formats: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        return {"instruction": "cp", "cta_group": self.cta_group, "shape": self.shape}

    @property
    def name(self) -> str:
        return f"cp_{self.cta_group}_{(self.shape + self.formats).replace('.', '_').replace('::', '')}"

    def call(self, a: str, b: str, step: str) -> str:
        return f"{self.name}(tmem + ({step}) * 4, {b});"

    def around(self) -> tuple[str, str]:
        return "  if (threadIdx.x == 0) {\n", "  }\n"

    def helper(self) -> str:
        return (
            f"__device__ __forceinline__ void {self.name}(uint32_t d, uint64_t b) {{\n"
            f'  asm volatile("tcgen05.cp.cta_group::{self.cta_group}.{self.shape}{self.formats} [%0], %1;" '
            ':: "r"(d), "l"(b) : "memory");\n}\n'
        )


def _case(
    name: str, mma: Umma, mode_a: str, mode_b: str, style: str = "union", advance: str = "again", loop: str = "unrolled"
) -> Case:
    bits = STORAGE[mma.mma_kind]
    dense = 96 if mma.k96 else K_DENSE[mma.mma_kind]
    a = None
    if mma.a_in == "shared":
        a = Tile(mode_a, "MN" if mma.transpose_a else "K", mma.m // mma.cta_group, bits, dense)
    b = Tile(mode_b, "MN" if mma.transpose_b else "K", mma.n // mma.cta_group, bits, mma.k)
    return Case(name, mma, a, b, style, advance, loop)


BUILDS = ("union", "or", "high", "literal")
GUARDS = ("thread", "elect", "none")


def _kinds() -> list[Case]:
    """Every kind and type under every mode; both majors where there are two; one and two CTAs."""
    pairs = [
        ("f16", "f16", "f16", "f32"),
        ("f16", "f16", "f16", "f16"),
        ("f16", "bf16", "bf16", "f32"),
        ("tf32", "tf32", "tf32", "f32"),
        ("f8f6f4", "e4m3", "e4m3", "f32"),
        ("f8f6f4", "e4m3", "e5m2", "f16"),
        ("f8f6f4", "e5m2", "e2m1", "f32"),
        ("f8f6f4", "e2m3", "e3m2", "f32"),
        ("i8", "s8", "s8", "s32"),
        ("i8", "u8", "s8", "s32"),
    ]
    out = []
    index = 0
    for kind, a_type, b_type, d_type in pairs:
        for i, mode in enumerate(MODES):
            for group in (1, 2):
                plain = kind == "tf32" or any(each in a_type + b_type for each in ("e2", "e3"))
                mma = Umma(
                    kind, a_type, b_type, d_type,
                    m=(128, 64)[index % 2] * group, n=(32, 64, 96, 128)[(index + i) % 4], cta_group=group,
                    transpose_a=not plain and index % 2 == 0, transpose_b=not plain and index // 2 % 2 == 0,
                    negate_a=kind != "i8" and index % 7 == 0, saturate=kind == "i8" and index % 2 == 0,
                    build=BUILDS[index % 4], guard=GUARDS[index % 3],
                )  # fmt: skip
                name = f"k_{kind}_{a_type}_{b_type}_{d_type}_{mode}_c{group}"
                out.append(_case(name, mma, mode, MODES[(i + index) % 4], *cycle(index)))
                index += 1
    for index, (a, b) in enumerate(((True, True), (False, True), (True, False))):
        mma = Umma("tf32", "tf32", "tf32", transpose_a=a, transpose_b=b, build=BUILDS[index])
        mode_a, mode_b = ("128B_32B" if a else "64B"), ("128B_32B" if b else "32B")
        out.append(_case(f"k_tf32_turned_{int(a)}{int(b)}", mma, mode_a, mode_b, *cycle(index)))
    return out


def _styles() -> list[Case]:
    def machine(loop: str, i: int, j: int) -> Umma:
        build, guard = BUILDS[(i + j) % 4], GUARDS[(i + j) % 3]
        f16 = Umma("f16", "bf16", "bf16", n=32, build=build, guard=guard)
        known = {
            "unrolled": f16,
            "rolled": Umma("f8f6f4", "e4m3", "e4m3", n=64, build=build, guard=guard),
            "ring": replace(f16, transpose_b=True),
        }
        guard = "none" if loop == "groups" else GUARDS[i % 3]
        return known.get(loop) or Umma(
            "f16", "f16", "f16", m=64, n=24, transpose_a=i % 2 == 1, build=BUILDS[i], guard=guard
        )

    plain = Umma("f16", "f16", "f16", n=32)
    return [*styles(_case, machine), *once(_case, plain, replace(plain, a_in="tensor"), replace(plain, n=256))]


def _masks() -> list[int]:
    return [
        smemdesc.encode("mask", skip_span=3, use_span=4),
        smemdesc.encode("mask", skip_span=3, use_span=4, first_span_0=True, column_shift=2),
        smemdesc.encode("mask", skip_span=1, use_span=7, start_count_0=2, start_count_1=1, first_span_1=True),
        smemdesc.encode("mask", non_zero_mask=False, column_shift=16),
    ]


def _forms() -> list[Case]:
    """A in tensor memory, .ws with and without a mask, sparse, the optional operands and qualifiers."""
    out = []
    dense = (("f16", "bf16", "f32"), ("tf32", "tf32", "f32"), ("f8f6f4", "e5m2", "f32"), ("i8", "s8", "s32"))
    masks = _masks()
    for i, (kind, kind_type, d_type) in enumerate(dense):
        base = Umma(kind, kind_type, kind_type, d_type, build=BUILDS[i], guard=GUARDS[i % 3])
        mode, other = MODES[i], MODES[(i + 1) % 4]
        style, advance = cycle(i)
        add = [
            ("tensor", replace(base, a_in="tensor")),
            ("tensor_2cta", replace(base, a_in="tensor", cta_group=2, m=256)),
            ("shift", replace(base, a_in="tensor", shift=True)),
            ("sp", replace(base, sparse=True)),
            ("sp_2cta", replace(base, sparse=True, cta_group=2, m=256)),
            ("sp_tensor", replace(base, sparse=True, a_in="tensor")),
            ("lanes", replace(base, lanes=True)),
            ("lanes_2cta", replace(base, lanes=True, cta_group=2, m=256)),
            ("fill", replace(base, collector=".collector::a::fill")),
            ("use", replace(base, collector=".collector::a::use")),
            ("lastuse", replace(base, collector=".collector::a::lastuse", a_in="tensor")),
            ("ws", replace(base, ws=True, m=32, n=64)),
            ("ws_m64", replace(base, ws=True, m=64, n=128, max_shift=1)),
            ("ws_fill", replace(base, ws=True, n=64, collector=f".collector::b{i}::fill")),
            ("ws_use", replace(base, ws=True, m=64, n=64, collector=f".collector::b{i}::use", mask=masks[i])),
            ("ws_sp", replace(base, ws=True, sparse=True, n=64)),
            ("ws_sp_mask", replace(base, ws=True, sparse=True, n=64, mask=masks[(i + 1) % 4])),
            ("ws_tensor_mask", replace(base, ws=True, a_in="tensor", n=64, mask=masks[(i + 2) % 4], max_shift=2)),
        ]
        add += [
            (f"ws_mask{j}", replace(base, ws=True, m=(128, 64, 64, 32)[j], n=128, mask=mask))
            for j, mask in enumerate(masks)
        ]
        if kind in ("f16", "tf32"):
            add += [
                ("scale", replace(base, scale_d=3)),
                ("scale_lanes", replace(base, scale_d=15, lanes=True)),
                ("sp_selector", replace(base, sparse=True, selector=1)),
            ]
        out += [_case(f"{kind}_{name}", mma, mode, other, style, advance) for name, mma in add]
    ws = Umma("f16", "bf16", "bf16", n=64, ws=True, mask=masks[1])
    out.append(_case("ws_rolled", ws, "128B", "128B", "plus", "wide", "rolled"))
    out.append(_case("ws_ring", ws, "64B", "128B", "union", "low", "ring"))
    tensor = replace(ws, ws=False, mask=None, a_in="tensor")
    out.append(_case("tensor_rolled", tensor, "128B", "128B", "asm", "low", "rolled"))
    return out


def _copies() -> list[Case]:
    shapes = ("128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4")
    formats = ("", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32")
    out = []
    for i, shape in enumerate(shapes):
        tile, loop = Tile(MODES[i % 4], "K", 32, 8, 32), ("unrolled", "rolled")[i % 2]
        for group in (1, 2):
            copy = Copy(shape, group, formats[(i + group) % 3])
            out.append(Case(f"cp_{i}_{group}", copy, None, tile, *cycle(i), loop))
    return out


def _scaled() -> list[Case]:
    """Block-scaled kinds."""
    out = []
    index = 0
    forms: list[tuple[str, str, str, str, str]] = [
        ("mxf8f6f4", "e4m3", "e4m3", "ue8m0", ".scale_vec::1X"),
        ("mxf8f6f4", "e5m2", "e4m3", "ue8m0", ""),
        ("mxf8f6f4", "e2m1", "e3m2", "ue8m0", ".block32"),
        ("mxf4", "e2m1", "e2m1", "ue8m0", ".scale_vec::2X"),
        ("mxf4", "e2m1", "e2m1", "ue8m0", ""),
        ("mxf4nvf4", "e2m1", "e2m1", "ue4m3", ".scale_vec::4X"),
        ("mxf4nvf4", "e2m1", "e2m1", "ue8m0", ".scale_vec::2X"),
        ("mxf4nvf4", "e2m1", "e2m1", "ue4m3", ".block16"),
    ]
    for kind, a_type, b_type, scale, block in forms:
        ids: tuple[tuple[int, int], ...] = ()
        if kind == "mxf8f6f4":
            ids = ((0, 0), (1, 1), (2, 2), (3, 3))
        elif "4X" not in block and block != ".block16":
            ids = ((0, 0), (2, 2))
        label = block.strip(".").replace("scale_vec::", "") or "plain"
        for group in (1, 2):
            changes: dict[str, dict[str, Any]] = {"plain": {}, "tensor": {"a_in": "tensor"}, "sp": {"sparse": True}}
            if a_type in ("e4m3", "e5m2"):
                changes["turned"] = {"transpose_a": True, "transpose_b": True}
            if group == 1 and kind != "mxf4nvf4":
                changes["run_time_ids"] = {"run_time_ids": True, "ids": ()}
            if group == 1:
                changes["fill"] = {"collector": ".collector::a::fill"}
            for form, change in changes.items():
                mma = Umma(
                    kind, a_type, b_type, m=128 * group, n=(32, 64, 128)[index % 3], cta_group=group, scale_type=scale,
                    block=block, ids=ids, build=BUILDS[index % 3], guard=GUARDS[index % 3],
                )  # fmt: skip
                name, loop = f"s_{kind}_{a_type}_{label}_c{group}_{form}", ("unrolled", "rolled")[index // 2 % 2]
                modes = MODES[index % 3], MODES[index // 2 % 4]
                out.append(_case(name, replace(mma, **change), *modes, *cycle(index), loop))
                index += 1
    return out


def _k96() -> list[Case]:
    """fp4 with K = 96, of sm_103a."""
    out = []
    for i, (kind, scale, block) in enumerate(
        (("mxf4", "ue8m0", ".block32"), ("mxf4nvf4", "ue4m3", ".block16"), ("mxf4nvf4", "ue8m0", ".block32"))
    ):
        for group in (1, 2):
            mma = Umma(
                kind, "e2m1", "e2m1", m=128 * group, n=64, cta_group=group, scale_type=scale, block=block, k96=True,
                build=BUILDS[i], guard=GUARDS[i],
            )  # fmt: skip
            name = f"k96_{kind}_{block[1:]}_c{group}"
            out.append(_case(name, mma, "128B", "128B", *cycle(i)))
            out.append(_case(f"{name}_absolute", mma, "128B", "128B", loop="absolute"))
    return out


def units() -> list[Unit]:
    """The source files."""
    cases = {"kinds": _kinds(), "styles": _styles(), "forms": _forms(), "scaled": _scaled(), "copies": _copies(),
             "103_scaled": _scaled()[::5], "103_k96": _k96()}  # fmt: skip
    return [
        unit(f"tcgen05_{name}", "sm_103a" if name.startswith("103") else "sm_100a", each, HEADER)
        for name, each in cases.items()
    ]
