"""CUDA kernels around an MMA: how real code builds descriptors and walks along K.

A :class:`Case` names the operands, a style of building, of advancing and of looping; :func:`kernel` writes the
function and says which descriptors it asks for. What differs between wgmma and tcgen05 is in ``Case.machine``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import smemdesc

from .geometry import BASE, TCGEN05_CODE, WGMMA_CODE, Tile
from .truth import ALL, NONE, Function, Op, Row

HEADER = Path(__file__).with_name("descriptors.cuh").read_text()
STYLES = ("union", "or", "plus", "asm")
ADVANCES = ("again", "wide", "low")


def cycle(index: int) -> tuple[str, str]:
    """Return a style and a way to advance: each comes up with each other."""
    return STYLES[index % 4], ADVANCES[index // 4 % 3]


LOST_CALL = "the descriptor comes out of a function that is not inlined"
LOST_CONSTANT = "the descriptor is loaded from constant memory"


class Machine(Protocol):
    """What an instruction brings along: the call that issues it, what goes around it, its facts."""

    @property
    def kind(self) -> str:
        """wgmma or tcgen05."""

    @property
    def facts(self) -> dict[str, Any]:
        """What a scan should say of the instruction; ``instruction`` is the kind, if left out."""

    def call(self, a: str, b: str, step: str) -> str:
        """The statement that issues one MMA; ``step`` is an expression that is 0 for the first."""

    def around(self) -> tuple[str, str]:
        """What goes before the first and behind the last MMA."""

    def helpers(self) -> dict[str, str]:
        """Functions that the call needs, by name."""

    def other(self, step: int) -> tuple[int | None, int | None]:
        """The instruction descriptor and the mask at a K step."""

    def loose(self) -> int:
        """The bits of the instruction descriptor that depend on arguments."""


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
    """unrolled, rolled, ring, pick (one of two by a condition), flip (xor of the start), groups, branch,
    stride (SBO is an argument), call, table, absolute (LBO is an address)."""


class Written(NamedTuple):
    """A kernel's source and what it asks for."""

    source: str
    helpers: dict[str, str]
    truth: Function


STAGES = 3


def kernel(case: Case) -> Written:
    """Write the kernel of a case."""
    letter = case.machine.kind[0]
    code = WGMMA_CODE if letter == "w" else TCGEN05_CODE
    tiles = [("a", case.a), ("b", case.b)]
    offset = 0
    places: dict[str, int] = {}
    for name, tile in tiles:
        if tile is not None:
            places[name] = offset
            offset += tile.size

    def build(name: str, tile: Tile, address: str, sbo: str = "", maker: str = "") -> str:
        if (maker or case.style) == "asm":  # the high word is an immediate of the inline assembly
            return f"{letter}_asm<{tile.lbo}, {tile.sbo}, {code[tile.mode]}>({address})"
        return f"{letter}_{maker or case.style}({address}, {tile.lbo}, {sbo or tile.sbo}, {code[tile.mode]})"

    writer: Callable[..., tuple[str, list[Row], str, Row]] = LOOPS[case.loop]
    body, values, lost, free = writer(case, places, build, offset)
    before, behind = case.machine.around()
    free = free._replace(idesc=case.machine.loose())
    known = tuple((full or 0) & ~(gap or 0) for full, gap in zip(ALL, free, strict=True))
    dynamic = case.loop in ("ring", "flip", "groups", "pick", "absolute")
    many = {"ring": STAGES, "absolute": 3}.get(case.loop, 2)
    shared = (
        "extern __shared__ __align__(1024) uint8_t smem[];"
        if dynamic and offset * many > 48 * 1024
        else f"__shared__ __align__(1024) uint8_t smem[{offset * (many if dynamic else 1)}];"
    )
    table = ""
    if case.loop == "table":
        rows = ", ".join(f"{tile.descriptor(case.machine.kind, 0):#x}ull" for _, tile in tiles if tile is not None)
        table = f"__constant__ uint64_t table_{case.name}[] = {{{rows}}};\n"
    source = f"""{table}extern "C" __global__ void {case.name}(float *out, int p, int n, uint32_t tmem) {{
  {shared}
  uint32_t base = shared_address(smem);
{before}{body}{behind}}}
"""
    op = Op({"instruction": case.machine.kind, **case.machine.facts}, tuple(dict.fromkeys(values)), Row(*known), free)
    return Written(source, case.machine.helpers(), Function((op,), lost))


Build = Callable[..., str]
Result = tuple[str, list[Row], str, Row]


def _row(case: Case, places: dict[str, int], step: int, shift: int = 0) -> Row:
    """The descriptors of a K step, everything ``shift`` bytes further on."""
    out: list[int | None] = []
    for name, tile in (("a", case.a), ("b", case.b)):
        start = BASE + places.get(name, 0) + shift
        out.append(None if tile is None else tile.descriptor(case.machine.kind, start + step * tile.step))
    idesc, mask = case.machine.other(step)
    return Row(out[0], out[1], idesc, mask)


def _steps(case: Case) -> int:
    return case.b.steps if case.a is None else min(case.a.steps, case.b.steps)


def _walk(case: Case, places: dict[str, int], build: Build, shift: str = "", pragma: str = "unroll") -> str:
    """The MMAs along K, each from ``base + place + shift``."""
    steps = _steps(case)
    first: dict[str, str] = {}
    each: dict[str, str] = {}
    for name, tile in (("a", case.a), ("b", case.b)):
        if tile is None:
            each[name] = "0"
            continue
        where = f"base + {places[name]}{shift}"
        if case.advance == "again":
            each[name] = build(name, tile, f"{where} + s * {tile.step}")
        else:
            first[name] = f"uint64_t d{name} = {build(name, tile, where)};"
            each[name] = f"add_{case.advance}(d{name}, s * {tile.step // 16})"
    opening = "".join(f"  {line}\n" for line in first.values())
    call = case.machine.call(each["a"], each["b"], "s")
    return f"{opening}  #pragma {pragma}\n  for (int s = 0; s < {steps}; ++s) {{ {call} }}\n"


def _unrolled(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    return _walk(case, places, build), [_row(case, places, step) for step in range(_steps(case))], "", NONE


def _rolled(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    values = [_row(case, places, step) for step in range(_steps(case))]
    return _walk(case, places, build, pragma="unroll 1"), values, "", NONE


def _call(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    values = [_row(case, places, step) for step in range(_steps(case))]
    return _walk(case._replace(style="call"), places, _maker(build, "call")), values, LOST_CALL, NONE


def _maker(build: Build, maker: str) -> Build:
    def made(name: str, tile: Tile, address: str, sbo: str = "") -> str:
        return build(name, tile, address, sbo, maker)

    return made


def _ring(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """A buffer for each of several stages, its number wraps around."""
    inner = _walk(case, places, build, f" + stage * {size}")
    body = f"""  int stage = p;
  if (stage < 0 || stage >= {STAGES}) stage = 0;
  #pragma unroll 1
  for (int t = 0; t < n; ++t) {{
{inner}  if (++stage == {STAGES}) stage = 0;
  }}
"""
    return body, [_row(case, places, s, t * size) for t in range(STAGES) for s in range(_steps(case))], "", NONE


def _pick(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """One of two buffers, by an argument."""
    inner = _walk(case, places, build, f" + (p > 3 ? {size} : 0)")
    return inner, [_row(case, places, s, t * size) for t in range(2) for s in range(_steps(case))], "", NONE


def _flip(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """Two buffers in turn: an offset that alternates."""
    inner = _walk(case, places, build, " + turn")
    body = f"""  uint32_t turn = 0;
  #pragma unroll 1
  for (int t = 0; t < n; ++t) {{
{inner}  turn ^= {size};
  }}
"""
    return body, [_row(case, places, s, t * size) for t in range(2) for s in range(_steps(case))], "", NONE


def _groups(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """A warpgroup each has its own buffer; its number comes through a shuffle, as CUTLASS takes it."""
    inner = _walk(case, places, build, f" + group * {size}")
    body = f"  int group = __shfl_sync(0xffffffffu, (threadIdx.x / 128) & 1, 0);\n{inner}"
    return body, [_row(case, places, s, t * size) for t in range(2) for s in range(_steps(case))], "", NONE


def _branch(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """The descriptors of one or the other K step, set on either side of a branch."""
    lines = []
    for name, tile in (("a", case.a), ("b", case.b)):
        if tile is not None:
            lines.append(f"  uint64_t d{name};\n")
    for step, head in ((0, "if (p > 3) {"), (1, "} else {")):
        lines.append(f"  {head}\n")
        for name, tile in (("a", case.a), ("b", case.b)):
            if tile is not None:
                lines.append(f"    d{name} = {build(name, tile, f'base + {places[name] + step * tile.step}')};\n")
        lines.append(f"    out[{step + 200}] = {step}.5f;\n")
    lines.append("  }\n")
    call = case.machine.call("0" if case.a is None else "da", "db", "p")
    return "".join(lines) + f"  {{ {call} }}\n", [_row(case, places, step) for step in range(2)], "", NONE


def _stride(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """The stride byte offset of B is an argument."""
    lines = []
    each = {"a": "0"}
    if case.a is not None:
        each["a"] = build("a", case.a, f"base + {places['a']}")
    made = build("b", case.b, f"base + {places['b']}", "(uint32_t)n", "or")
    lines.append(f"  uint64_t db = {made};\n")
    row = _row(case, places, 0)
    free = 0x3FFF << 32
    assert row.b is not None
    call = case.machine.call(each["a"], "db", "p")
    return "".join(lines) + f"  {{ {call} }}\n", [row._replace(b=row.b & ~free)], "", Row(0, free, 0, 0)


def _table(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """All but the start comes out of constant memory."""
    lines = []
    each = {"a": "0"}
    index = 0
    for name, tile in (("a", case.a), ("b", case.b)):
        if tile is not None:
            lines.append(f"  uint64_t d{name} = table_{case.name}[{index}] | enc(base + {places[name]});\n")
            each[name] = f"d{name}"
            index += 1
    call = case.machine.call(each["a"], each["b"], "p")
    return "".join(lines) + f"  {{ {call} }}\n", [_row(case, places, 0)], LOST_CONSTANT, NONE


WALK = ((0, 0, 0), (0, 48, 0), (0, 96, 1), (1, 16, 1), (1, 64, 1), (1, 112, 2), (2, 32, 2), (2, 80, 2))
"""K = 96 fp4 over three buffers of 128 bytes: (buffer, offset in its rows, buffer of the rest), as CUTLASS walks."""


def _absolute(case: Case, places: dict[str, int], build: Build, size: int) -> Result:
    """The LBO is an address; three buffers of which each holds A and B."""
    lines, values = [], []
    assert case.a is not None
    for step, (buffer, offset, rest) in enumerate(WALK):
        made, row = [], []
        for name, tile in (("a", case.a), ("b", case.b)):
            start, more = (places[name] + size * each for each in (buffer, rest))
            code = TCGEN05_CODE[tile.mode]
            made.append(f"t_absolute(base + {start + offset}, (base + {more}) & 0x3FFFF, {tile.sbo}, {code})")
            fields: dict[str, Any] = {
                "start_address": BASE + start + offset,
                "leading_byte_offset": BASE + more,
                "stride_byte_offset": tile.sbo,
                "swizzle": tile.mode,
                "lbo_mode": "absolute",
            }
            row.append(smemdesc.encode("tcgen05", **fields))
        lines.append(f"  {case.machine.call(made[0], made[1], str(step))}\n")
        values.append(Row(row[0], row[1], *case.machine.other(step)))
    return "".join(lines), values, "", NONE


LOOPS: dict[str, Callable[[Case, dict[str, int], Build, int], Result]] = {
    "unrolled": _unrolled,
    "rolled": _rolled,
    "ring": _ring,
    "pick": _pick,
    "flip": _flip,
    "groups": _groups,
    "branch": _branch,
    "stride": _stride,
    "call": _call,
    "table": _table,
    "absolute": _absolute,
}
