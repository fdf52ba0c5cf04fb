"""The wgmma kernels: every type, mode, major-ness, form of A, sparse, and the ways code is written."""

from __future__ import annotations

from typing import Any, NamedTuple

from .geometry import Tile
from .kernels import ADVANCES, STYLES, Case, cycle
from .unit import Unit, unit

MODES = ("128B", "64B", "32B", "none")


class Type(NamedTuple):
    """Operand types and accumulator of a wgmma."""

    a: str
    b: str
    d: str
    bits: int
    tail: str
    """What stands behind the scale-d predicate: negations, and room for transposes."""


TYPES = {
    "f16": Type("f16", "f16", "f32", 16, ", 1, 1"),
    "f16h": Type("f16", "f16", "f16", 16, ", 1, 1"),
    "bf16": Type("bf16", "bf16", "f32", 16, ", 1, 1"),
    "tf32": Type("tf32", "tf32", "f32", 32, ", 1, 1"),
    "e4m3": Type("e4m3", "e4m3", "f32", 8, ", 1, 1"),
    "e5m2": Type("e5m2", "e5m2", "f32", 8, ", 1, 1"),
    "e4e5": Type("e4m3", "e5m2", "f16", 8, ", 1, 1"),
    "e5e4": Type("e5m2", "e4m3", "f32", 8, ", 1, 1"),
    "s8": Type("s8", "s8", "s32", 8, ""),
    "u8": Type("u8", "u8", "s32", 8, ""),
    "s8u8": Type("s8", "u8", "s32", 8, ""),
    "u8s8": Type("u8", "s8", "s32", 8, ""),
    "b1": Type("b1", "b1", "s32", 1, ""),
}


class Wgmma(NamedTuple):
    """A wgmma.mma_async as a :class:`kernels.Machine`."""

    type: Type
    n: int
    transpose_a: bool = False
    transpose_b: bool = False
    registers: bool = False
    sparse: bool = False
    saturate: bool = False
    negate: bool = False

    @property
    def kind(self) -> str:
        """The kind of its descriptors."""
        return "wgmma"

    @property
    def k(self) -> int:
        """Elements of K, as the instruction counts them."""
        return 256 // self.type.bits * (2 if self.sparse else 1)

    @property
    def facts(self) -> dict[str, Any]:
        """What a scan should say of the instruction."""
        return {
            "a_type": self.type.a,
            "b_type": self.type.b,
            "d_type": self.type.d,
            "m": 64,
            "n": self.n,
            "k": self.k,
            "transpose_a": self.transpose_a,
            "transpose_b": self.transpose_b,
            "a_in": "registers" if self.registers else "shared",
            "sparse": self.sparse,
        }

    @property
    def registers_d(self) -> int:
        """32-bit registers of D."""
        return self.n // 4 if self.type.d == "f16" else self.n // 2

    @property
    def name(self) -> str:
        """The name of the function that wraps it."""
        flags = "".join(
            letter
            for letter, on in (
                ("r", self.registers),
                ("p", self.sparse),
                ("x", self.saturate),
                ("a", self.transpose_a),
                ("b", self.transpose_b),
                ("g", self.negate),
            )
            if on
        )
        return f"mma_{self.type.a}_{self.type.b}_{self.type.d}_n{self.n}_{flags or 's'}"

    def call(self, a: str, b: str, step: str) -> str:
        """The statement that issues one."""
        return f"{self.name}(acc, {'frag' if self.registers else a}, {b}, {step});"

    def around(self) -> tuple[str, str]:
        """Accumulators, fence, commit, and a store that keeps the result alive."""
        kind = {"f32": "float", "f16": "uint32_t", "s32": "int"}[self.type.d]
        frag = ""
        if self.registers:
            loads = ", ".join(f"__float_as_uint(out[threadIdx.x + {300 + i}])" for i in range(4))
            frag = f"  uint32_t frag[4] = {{{loads}}};\n"
        fence = '  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");\n'
        before = f"  {kind} acc[{self.registers_d}] = {{}};\n{frag}{fence}"
        behind = (
            '  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");\n'
            '  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");\n'
            "  out[threadIdx.x] = (float)acc[0];\n"
        )
        return before, behind

    def helpers(self) -> dict[str, str]:
        """The function with the inline PTX."""
        count = self.registers_d
        kind, letter = {"f32": ("float", "f"), "f16": ("uint32_t", "r"), "s32": ("int", "r")}[self.type.d]
        number = count

        def take() -> str:
            nonlocal number
            number += 1
            return f"%{number - 1}"

        d = ", ".join(f"%{i}" for i in range(count))
        outputs = ", ".join(f'"+{letter}"(d[{i}])' for i in range(count))
        inputs = []
        if self.registers:
            a = "{" + ", ".join(take() for _ in range(4)) + "}"
            inputs += [f'"r"(a[{i}])' for i in range(4)]
            parameter = "uint32_t (&a)[4]"
        else:
            a, parameter = take(), "uint64_t a"
            inputs.append('"l"(a)')
        b = take()
        inputs.append('"l"(b)')
        meta = ""
        if self.sparse:
            meta = f"{take()}, {'1' if self.type.bits > 8 else '0'}, "
            inputs.append('"r"(threadIdx.x * 0x1111u)')
        scale = take()
        inputs.append('"r"(scale_d)')
        tail = self.type.tail.replace("1", "-1") if self.negate else self.type.tail
        if self.type.bits == 16:
            tail += "" if self.registers else f", {int(self.transpose_a)}"
            tail += f", {int(self.transpose_b)}"
        ending = ".and.popc" if self.type.a == "b1" else ".satfinite" if self.saturate else ""
        instruction = (
            f"wgmma.mma_async{'.sp' if self.sparse else ''}.sync.aligned.m64n{self.n}k{self.k}"
            f".{self.type.d}.{self.type.a}.{self.type.b}{ending}"
        )
        text = (
            f"__device__ __forceinline__ void {self.name}({kind} (&d)[{count}], {parameter}, uint64_t b, "
            f"int scale_d) {{\n"
            f'  asm volatile("{{\\n.reg .pred p;\\nsetp.ne.b32 p, {scale}, 0;\\n"\n'
            f'    "{instruction} {{{d}}}, "\n    "{a}, {b}, {meta}p{tail};\\n}}\\n"\n'
            f"    : {outputs}\n    : {', '.join(inputs)});\n}}\n"
        )
        return {self.name: text}

    def other(self, step: int) -> tuple[int | None, int | None]:
        """There is no instruction descriptor and no mask."""
        return None, None

    def loose(self) -> int:
        """Nothing depends on arguments."""
        return 0


def _case(
    name: str,
    mma: Wgmma,
    mode_a: str,
    mode_b: str,
    style: str = "union",
    advance: str = "again",
    loop: str = "unrolled",
) -> Case:
    bits = mma.type.bits
    k = 256 // bits
    a = None if mma.registers else Tile(mode_a, "MN" if mma.transpose_a else "K", 64, bits, k, style == "plus")
    b = Tile(mode_b, "MN" if mma.transpose_b else "K", mma.n, bits, mma.k, style == "plus")
    return Case(name, mma, a, b, style, advance, loop)


def _types() -> list[Case]:
    """Every type under every mode, the other operand under another mode; both majors where there are two."""
    out = []
    index = 0
    for type_name, kind in TYPES.items():
        for i, mode in enumerate(MODES):
            majors = [(False, False), (True, False), (False, True), (True, True)][: 4 if kind.bits == 16 else 1]
            for transpose_a, transpose_b in majors:
                if type_name in ("f16h", "bf16") and (transpose_a, transpose_b) != (i % 2 == 0, i // 2 == 0):
                    continue
                n = (16, 32, 8, 64)[index % 4] if kind.bits == 16 else (16, 32, 64, 24)[index % 4]
                negate = index % 5 == 0 and bool(kind.tail)
                mma = Wgmma(kind, n, transpose_a, transpose_b, saturate=type_name == "s8u8", negate=negate)
                major = f"{'MK'[not transpose_a]}{'NK'[not transpose_b]}"
                name = f"t_{type_name}_{mode}_{major}"
                out.append(_case(name, mma, mode, MODES[(i + index) % 4], *cycle(index)))
                index += 1
    return out


def _shapes() -> list[Case]:
    out = []
    for index, n in enumerate((8, 24, 40, 72, 96, 128, 160, 200, 256)):
        out.append(_case(f"n_bf16_{n}", Wgmma(TYPES["bf16"], n), "128B", "128B", *cycle(index)))
    for index, n in enumerate((8, 48, 112, 192, 224, 240)):
        out.append(_case(f"n_s8_{n}", Wgmma(TYPES["s8"], n), "64B", "128B", *cycle(index + 1)))
    for index, n in enumerate((56, 88, 184)):
        out.append(_case(f"n_e4m3_{n}", Wgmma(TYPES["e4m3"], n), "128B", "64B", *cycle(index + 2)))
    return out


def _styles() -> list[Case]:
    """Every way to build, to advance and to loop."""
    out = []
    f16, bf16 = TYPES["f16"], TYPES["bf16"]
    for i, style in enumerate(STYLES):
        for advance in ADVANCES:
            out.append(_case(f"u_{style}_{advance}", Wgmma(f16, 16), "128B", "64B", style, advance))
            out.append(_case(f"r_{style}_{advance}", Wgmma(bf16, 32), "64B", "128B", style, advance, "rolled"))
            turned = Wgmma(f16, 16, False, True)
            out.append(_case(f"ring_{style}_{advance}", turned, "128B", "32B", style, advance, "ring"))
        for loop in ("pick", "flip", "groups", "branch"):
            advance = ADVANCES[i % 3]
            out.append(_case(f"{loop}_{style}", Wgmma(bf16, 24, i % 2 == 1), "128B", "128B", style, advance, loop))
    out.append(_case("branch_e4m3", Wgmma(TYPES["e4m3"], 64), "128B", "32B", "or", "again", "branch"))
    out.append(_case("stride_f16", Wgmma(f16, 16), "128B", "128B", "or", "again", "stride"))
    out.append(_case("stride_rs_f16", Wgmma(f16, 16, registers=True), "128B", "64B", "or", "again", "stride"))
    out.append(_case("call_f16", Wgmma(f16, 16), "128B", "128B", "or", "again", "call"))
    out.append(_case("table_f16", Wgmma(f16, 16), "64B", "128B", "or", "again", "table"))
    out.append(_case("ring_big_bf16", Wgmma(bf16, 256), "128B", "128B", "plus", "wide", "ring"))
    return out


def _forms() -> list[Case]:
    """A in registers, and sparse A."""
    out = []
    for index, (name, kind) in enumerate(TYPES.items()):
        mode = MODES[index % 4]
        style, advance = cycle(index)
        turned = kind.bits == 16 and index % 2 == 1
        out.append(_case(f"rs_{name}", Wgmma(kind, 16, transpose_b=turned, registers=True), mode, mode, style, advance))
        if name == "b1":
            continue
        turned_a = kind.bits == 16 and index % 3 == 0
        other = MODES[(index + 1) % 4]
        out.append(_case(f"sp_{name}", Wgmma(kind, 32, turned_a, turned, sparse=True), mode, other, style, advance))
        both = Wgmma(kind, 8, False, turned, registers=True, sparse=True)
        out.append(_case(f"sprs_{name}", both, mode, other, style, advance))
    for mode in MODES:
        out.append(_case(f"sp_f16_{mode}", Wgmma(TYPES["f16"], 32, sparse=True), mode, mode, "or", "again", "rolled"))
        registers = Wgmma(TYPES["bf16"], 32, registers=True)
        out.append(_case(f"rs_bf16_{mode}", registers, mode, mode, "plus", "wide", "rolled"))
    return out


def units() -> list[Unit]:
    """The source files."""
    return [
        unit("wgmma_types", "sm_90a", _types()),
        unit("wgmma_shapes", "sm_90a", _shapes()),
        unit("wgmma_styles", "sm_90a", _styles()),
        unit("wgmma_forms", "sm_90a", _forms()),
    ]
