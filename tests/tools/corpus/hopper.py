"""The wgmma kernels: every type, mode, major-ness, form of A, sparse, and the ways code is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from .geometry import Tile
from .kernels import MODES, Case, Inputs, Machine, Unit, cycle, once, styles, unit, wrapped


class Type(NamedTuple):
    """Operand types and accumulator of a wgmma."""

    a: str
    b: str
    d: str
    bits: int


TYPES = {
    "f16": Type("f16", "f16", "f32", 16),
    "f16h": Type("f16", "f16", "f16", 16),
    "bf16": Type("bf16", "bf16", "f32", 16),
    "tf32": Type("tf32", "tf32", "f32", 32),
    "e4m3": Type("e4m3", "e4m3", "f32", 8),
    "e5m2": Type("e5m2", "e5m2", "f32", 8),
    "e4e5": Type("e4m3", "e5m2", "f16", 8),
    "e5e4": Type("e5m2", "e4m3", "f32", 8),
    "s8": Type("s8", "s8", "s32", 8),
    "u8": Type("u8", "u8", "s32", 8),
    "s8u8": Type("s8", "u8", "s32", 8),
    "u8s8": Type("u8", "s8", "s32", 8),
    "b1": Type("b1", "b1", "s32", 1),
}


@dataclass(frozen=True)
class Wgmma(Machine):
    """A wgmma.mma_async."""

    kind: ClassVar = "wgmma"
    type: Type
    n: int
    transpose_a: bool = False
    transpose_b: bool = False
    registers: bool = False
    sparse: bool = False
    saturate: bool = False
    negate: bool = False

    @property
    def k(self) -> int:
        """Elements of K, as the instruction counts them."""
        return 256 // self.type.bits * (2 if self.sparse else 1)

    @property
    def facts(self) -> dict[str, Any]:
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
        on = (self.registers, self.sparse, self.saturate, self.transpose_a, self.transpose_b, self.negate)
        flags = "".join(letter for letter, flag in zip("rpxabg", on, strict=True) if flag)
        return f"mma_{self.type.a}_{self.type.b}_{self.type.d}_n{self.n}_{flags or 's'}"

    def call(self, a: str, b: str, step: str) -> str:
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

    def helper(self) -> str:
        count, inputs = self.registers_d, Inputs(self.registers_d)
        kind, letter = {"f32": ("float", "f"), "f16": ("uint32_t", "r"), "s32": ("int", "r")}[self.type.d]
        if self.registers:
            a = "{" + ", ".join(inputs.add("r", f"a[{i}]") for i in range(4)) + "}"
        else:
            a = inputs.add("l", "a")
        words = [a, inputs.add("l", "b")]
        if self.sparse:
            words += [inputs.add("r", "threadIdx.x * 0x1111u"), "1" if self.type.bits > 8 else "0"]
        scale = inputs.add("r", "scale_d")
        words.append("p")
        if self.type.d != "s32":
            words += ["-1" if self.negate else "1"] * 2
        if self.type.bits == 16:
            words += [] if self.registers else [str(int(self.transpose_a))]
            words.append(str(int(self.transpose_b)))
        ending = ".and.popc" if self.type.a == "b1" else ".satfinite" if self.saturate else ""
        instruction = (
            f"wgmma.mma_async{'.sp' if self.sparse else ''}.sync.aligned.m64n{self.n}k{self.k}"
            f".{self.type.d}.{self.type.a}.{self.type.b}{ending}"
        )
        d = ", ".join(f"%{i}" for i in range(count))
        outputs = ", ".join(f'"+{letter}"(d[{i}])' for i in range(count))
        parameters = f"{kind} (&d)[{count}], {'uint32_t (&a)[4]' if self.registers else 'uint64_t a'}, uint64_t b"
        constraints = f": {outputs}\n    : {', '.join(inputs)}"
        return wrapped(self.name, parameters, scale, f"{instruction} {{{d}}},", ", ".join(words), constraints)


def _case(name: str, mma: Wgmma, mode_a: str, mode_b: str, style: str, advance: str, loop: str = "unrolled") -> Case:
    bits = mma.type.bits
    a = Tile(mode_a, "MN" if mma.transpose_a else "K", 64, bits, 256 // bits, style == "plus")
    b = Tile(mode_b, "MN" if mma.transpose_b else "K", mma.n, bits, mma.k, style == "plus")
    return Case(name, mma, None if mma.registers else a, b, style, advance, loop)


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
                negate = index % 5 == 0 and kind.d != "s32"
                mma = Wgmma(kind, n, transpose_a, transpose_b, saturate=type_name == "s8u8", negate=negate)
                major = f"{'MK'[not transpose_a]}{'NK'[not transpose_b]}"
                name = f"t_{type_name}_{mode}_{major}"
                out.append(_case(name, mma, mode, MODES[(i + index) % 4], *cycle(index)))
                index += 1
    return out


SHAPES = (
    ("bf16", "128B", "128B", (8, 24, 40, 72, 96, 128, 160, 200, 256)),
    ("s8", "64B", "128B", (8, 48, 112, 192, 224, 240)),
    ("e4m3", "128B", "64B", (56, 88, 184)),
)


def _shapes() -> list[Case]:
    return [
        _case(f"n_{name}_{n}", Wgmma(TYPES[name], n), mode_a, mode_b, *cycle(index))
        for first, (name, mode_a, mode_b, shapes) in enumerate(SHAPES)
        for index, n in enumerate(shapes, first)
    ]


def _styles() -> list[Case]:
    f16, bf16 = TYPES["f16"], TYPES["bf16"]

    def machine(loop: str, i: int, j: int) -> Wgmma:
        known = {"unrolled": Wgmma(f16, 16), "rolled": Wgmma(bf16, 32), "ring": Wgmma(f16, 16, False, True)}
        return known.get(loop) or Wgmma(bf16, 24, i % 2 == 1)

    branch = _case("branch_e4m3", Wgmma(TYPES["e4m3"], 64), "128B", "32B", "or", "again", "branch")
    single = once(_case, Wgmma(f16, 16), Wgmma(f16, 16, registers=True), Wgmma(bf16, 256))
    return [*styles(_case, machine), branch, *single]


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
    cases = {"types": _types(), "shapes": _shapes(), "styles": _styles(), "forms": _forms()}
    return [unit(f"wgmma_{name}", "sm_90a", each) for name, each in cases.items()]
