"""CUDA kernels around an MMA: how real code builds descriptors and walks along K.

A :class:`Case` names the operands, a style of building, of advancing and of looping; :class:`Kernel` writes the
function and says which descriptors it asks for. What differs between wgmma and tcgen05 is in ``Case.machine``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import smemdesc

from .dumps import ALL, Function, Op, Row
from .geometry import BASE, CODES, Tile

HEADER = Path(__file__).with_name("descriptors.cuh").read_text()
MODES = ("128B", "64B", "32B", "none")
STYLES = ("union", "or", "plus", "asm")
ADVANCES = ("again", "wide", "low")


def cycle(index: int) -> tuple[str, str]:
    """Return a style and a way to advance: each comes up with each other."""
    return STYLES[index % 4], ADVANCES[index // 4 % 3]


@dataclass(frozen=True)
class Machine(ABC):
    """What an instruction brings along: the call that issues it, what goes around it, its facts."""

    kind: ClassVar[str]
    """wgmma or tcgen05."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the function that wraps it."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What a scan should say of the instruction; ``instruction`` is the kind, if left out."""

    @abstractmethod
    def call(self, a: str, b: str, step: str) -> str:
        """The statement that issues one MMA; ``step`` is an expression that is 0 for the first."""

    @abstractmethod
    def around(self) -> tuple[str, str]:
        """What goes before the first and behind the last MMA."""

    @abstractmethod
    def helper(self) -> str:
        """The function with the inline PTX."""

    def other(self, step: int) -> tuple[int | None, int | None]:
        """The instruction descriptor and the mask at a K step."""
        return None, None

    def loose(self) -> int:
        """The bits of the instruction descriptor that depend on arguments."""
        return 0


class Inputs(list[str]):
    """The inputs of inline PTX behind so many outputs."""

    def __init__(self, outputs: int = 0) -> None:
        self.outputs = outputs

    def add(self, constraint: str, value: str) -> str:
        """Add one, and return its name in the PTX."""
        self.append(f'"{constraint}"({value})')
        return f"%{self.outputs + len(self) - 1}"


def wrapped(name: str, parameters: str, scale: str, instruction: str, operands: str, constraints: str) -> str:
    """Return a function around an MMA whose predicate ``p`` says whether ``scale`` is not zero."""
    return (
        f"__device__ __forceinline__ void {name}({parameters}, int scale_d) {{\n"
        f'  asm volatile("{{\\n.reg .pred p;\\nsetp.ne.b32 p, {scale}, 0;\\n"\n'
        f'    "{instruction} "\n    "{operands};\\n}}\\n"\n    {constraints});\n}}\n'
    )


class Case(NamedTuple):
    """A kernel to write."""

    name: str
    machine: Machine
    a: Tile | None
    """None: A is not in shared memory."""
    b: Tile
    style: str = "union"
    advance: str = "again"
    loop: str = "unrolled"
    """One of :data:`LOOPS`."""


STAGES = {"ring": 3, "absolute": 3, "pick": 2, "flip": 2, "groups": 2}
"""Buffers of a loop; of others one."""
STEPS = {"branch": 2, "stride": 1, "table": 1}
"""MMAs along K; of others as many as the tiles have."""
LOST = {
    "call": "the descriptor comes out of a function that is not inlined",
    "table": "the descriptor is loaded from constant memory",
}
WALK = ((0, 0, 0), (0, 48, 0), (0, 96, 1), (1, 16, 1), (1, 64, 1), (1, 112, 2), (2, 32, 2), (2, 80, 2))
"""K = 96 fp4 over three buffers of 128 bytes: (buffer, offset in its rows, buffer of the rest), as CUTLASS walks."""


class Kernel:
    """The kernel of a case: its source, and what it asks for."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.machine = case.machine
        self.tiles = {name: tile for name, tile in (("a", case.a), ("b", case.b)) if tile is not None}
        self.places: dict[str, int] = {}
        self.size = 0
        for name, tile in self.tiles.items():
            self.places[name] = self.size
            self.size += tile.size
        self.steps = STEPS.get(case.loop) or min(tile.steps for tile in self.tiles.values())
        self.stages = STAGES.get(case.loop, 1)
        self.values = [self.row(step, self.size * stage) for stage in range(self.stages) for step in range(self.steps)]
        self.free = Row(0, 0, self.machine.loose(), 0)
        body = LOOPS[case.loop](self)
        before, behind = self.machine.around()
        size = self.size * self.stages
        large = self.stages > 1 and size > 48 * 1024
        table = ""
        if case.loop == "table":
            rows = ", ".join(f"{tile.descriptor(self.machine.kind, 0):#x}ull" for tile in self.tiles.values())
            table = f"__constant__ uint64_t table_{case.name}[] = {{{rows}}};\n"
        self.source = f"""{table}extern "C" __global__ void {case.name}(float *out, int p, int n, uint32_t tmem) {{
  {"extern " if large else ""}__shared__ __align__(1024) uint8_t smem[{"" if large else size}];
  uint32_t base = shared_address(smem);
{before}{body}{behind}}}
"""

    @property
    def truth(self) -> Function:
        """What a scan should say."""
        known = Row(*((full or 0) & ~(gap or 0) for full, gap in zip(ALL, self.free, strict=True)))
        facts = {"instruction": self.machine.kind, **self.machine.facts}
        return Function((Op(facts, tuple(dict.fromkeys(self.values)), known, self.free),), LOST.get(self.case.loop, ""))

    def row(self, step: int, shift: int) -> Row:
        """The descriptors of a K step, everything ``shift`` bytes further on."""
        a, b = (
            tile and tile.descriptor(self.machine.kind, BASE + self.places[name] + shift + step * tile.step)
            for name, tile in (("a", self.case.a), ("b", self.case.b))
        )
        return Row(a, b, *self.machine.other(step))

    def build(self, name: str, address: str, style: str = "", sbo: str = "") -> str:
        """The expression that makes a descriptor."""
        tile, style = self.tiles[name], style or self.case.style
        letter, code = self.machine.kind[0], CODES[self.machine.kind][tile.mode]
        if style == "asm":  # the high word is an immediate of the inline assembly
            return f"{letter}_asm<{tile.lbo}, {tile.sbo}, {code}>({address})"
        return f"{letter}_{style}({address}, {tile.lbo}, {sbo or tile.sbo}, {code})"

    def issue(self, step: str, **made: str) -> str:
        """The statement that issues one MMA, of variables if nothing else is given."""
        names = {name: f"d{name}" for name in self.tiles} | made
        return self.machine.call(names.get("a", "0"), names["b"], step)

    def walk(self, shift: str = "", pragma: str = "unroll", style: str = "") -> str:
        """The MMAs along K, each from ``base + place + shift``."""
        opening = ""
        each = {}
        for name, tile in self.tiles.items():
            where = f"base + {self.places[name]}{shift}"
            if self.case.advance == "again":
                each[name] = self.build(name, f"{where} + s * {tile.step}", style)
            else:
                opening += f"  uint64_t d{name} = {self.build(name, where, style)};\n"
                each[name] = f"add_{self.case.advance}(d{name}, s * {tile.step // 16})"
        call = self.issue("s", **each)
        return f"{opening}  #pragma {pragma}\n  for (int s = 0; s < {self.steps}; ++s) {{ {call} }}\n"

    def ring(self) -> str:
        """A buffer for each of several stages, its number wraps around."""
        return f"""  int stage = p;
  if (stage < 0 || stage >= {self.stages}) stage = 0;
  #pragma unroll 1
  for (int t = 0; t < n; ++t) {{
{self.walk(f" + stage * {self.size}")}  if (++stage == {self.stages}) stage = 0;
  }}
"""

    def flip(self) -> str:
        """Two buffers in turn: an offset that alternates."""
        return f"""  uint32_t turn = 0;
  #pragma unroll 1
  for (int t = 0; t < n; ++t) {{
{self.walk(" + turn")}  turn ^= {self.size};
  }}
"""

    def groups(self) -> str:
        """A warpgroup each has its own buffer; its number comes through a shuffle, as CUTLASS takes it."""
        inner = self.walk(f" + group * {self.size}")
        return f"  int group = __shfl_sync(0xffffffffu, (threadIdx.x / 128) & 1, 0);\n{inner}"

    def branch(self) -> str:
        """The descriptors of one or the other K step, set on either side of a branch."""
        lines = [f"  uint64_t d{name};\n" for name in self.tiles]
        for step, head in enumerate(("if (p > 3) {", "} else {")):
            lines.append(f"  {head}\n")
            for name, tile in self.tiles.items():
                made = self.build(name, f"base + {self.places[name] + step * tile.step}")
                lines.append(f"    d{name} = {made};\n")
            lines.append(f"    out[{step + 200}] = {step}.5f;\n")
        return "".join(lines) + f"  }}\n  {{ {self.issue('p')} }}\n"

    def stride(self) -> str:
        """The stride byte offset of B is an argument."""
        made = {name: self.build(name, f"base + {place}") for name, place in self.places.items() if name != "b"}
        db = self.build("b", f"base + {self.places['b']}", "or", "(uint32_t)n")
        sbo = 0x3FFF << 32
        self.free = self.free._replace(b=sbo)
        self.values = [row._replace(b=(row.b or 0) & ~sbo) for row in self.values]
        return f"  uint64_t db = {db};\n  {{ {self.issue('p', **made)} }}\n"

    def table(self) -> str:
        """All but the start comes out of constant memory."""
        lines = (
            f"  uint64_t d{name} = table_{self.case.name}[{index}] | enc(base + {place});\n"
            for index, (name, place) in enumerate(self.places.items())
        )
        return "".join(lines) + f"  {{ {self.issue('p')} }}\n"

    def absolute(self) -> str:
        """The LBO is an address; three buffers of which each holds A and B."""
        lines = []
        self.values = []
        for step, (buffer, offset, rest) in enumerate(WALK):
            made, row = {}, []
            for name, tile in self.tiles.items():
                start, more = (self.places[name] + self.size * each for each in (buffer, rest))
                code = CODES["tcgen05"][tile.mode]
                first, second = f"base + {start + offset}", f"(base + {more}) & 0x3FFFF"
                made[name] = f"t_absolute({first}, {second}, {tile.sbo}, {code})"
                fields: dict[str, Any] = {
                    "start_address": BASE + start + offset,
                    "leading_byte_offset": BASE + more,
                    "stride_byte_offset": tile.sbo,
                    "swizzle": tile.mode,
                    "lbo_mode": "absolute",
                }
                row.append(smemdesc.encode("tcgen05", **fields))
            lines.append(f"  {self.issue(str(step), **made)}\n")
            self.values.append(Row(row[0], row[1], *self.machine.other(step)))
        return "".join(lines)


LOOPS: dict[str, Callable[[Kernel], str]] = {
    "unrolled": Kernel.walk,
    "rolled": lambda kernel: kernel.walk(pragma="unroll 1"),
    "call": lambda kernel: kernel.walk(style="call"),
    "pick": lambda kernel: kernel.walk(f" + (p > 3 ? {kernel.size} : 0)"),  # one of two buffers, by an argument
    "ring": Kernel.ring,
    "flip": Kernel.flip,
    "groups": Kernel.groups,
    "branch": Kernel.branch,
    "stride": Kernel.stride,
    "table": Kernel.table,
    "absolute": Kernel.absolute,
}


class Unit(NamedTuple):
    """A translation unit: a source file of several kernels, with what is known of each."""

    name: str
    arch: str
    source: str
    truth: dict[str, Function]


def unit(name: str, arch: str, cases: list[Case], header: str = "") -> Unit:
    """Write the kernels of all cases into one source."""
    helpers = {case.machine.name: case.machine.helper() for case in cases}
    kernels = {case.name: Kernel(case) for case in cases}
    assert len(kernels) == len(cases)
    source = HEADER + header + "".join(helpers.values()) + "\n" + "\n".join(each.source for each in kernels.values())
    return Unit(name, arch, source, {name: each.truth for name, each in kernels.items()})


def styles(case: Callable[..., Case], machines: Callable[[str, int, int], Machine]) -> list[Case]:
    """Every way to build, to advance and to loop; ``machines``: by loop, style and way to advance."""
    out = []
    for i, style in enumerate(STYLES):
        for j, advance in enumerate(ADVANCES):
            for name, loop, *modes in (
                ("u", "unrolled", "128B", "64B"),
                ("r", "rolled", "64B", "128B"),
                ("ring", "ring", "128B", "32B"),
            ):
                out.append(case(f"{name}_{style}_{advance}", machines(loop, i, j), *modes, style, advance, loop))
        for loop in ("pick", "flip", "groups", "branch"):
            out.append(case(f"{loop}_{style}", machines(loop, i, i), "128B", "128B", style, ADVANCES[i % 3], loop))
    return out


def once(case: Callable[..., Case], plain: Machine, other: Machine, big: Machine) -> list[Case]:
    """The ways to loop that come up once; ``other``: with A not in shared memory."""
    where = {"registers": "rs", "tensor": "tensor"}[other.facts["a_in"]]
    return [
        case("stride_f16", plain, "128B", "128B", "or", "again", "stride"),
        case(f"stride_{where}_f16", other, "128B", "64B", "or", "again", "stride"),
        case("call_f16", plain, "128B", "128B", "or", "again", "call"),
        case("table_f16", plain, "64B", "128B", "or", "again", "table"),
        case(f"ring_big_{big.facts['a_type']}", big, "128B", "128B", "plus", "wide", "ring"),
    ]
