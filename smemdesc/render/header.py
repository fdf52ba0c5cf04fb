"""A plan as a header of C or CUDA C++: numbers, and functions, which device code can call where it has no arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, Table, ones
from smemdesc.kinds.addresses import START
from smemdesc.layout.store import element_formula
from smemdesc.layout.strides import LBO
from smemdesc.layout.tmem import WARP
from smemdesc.layout.tmem_load import element_index

if TYPE_CHECKING:
    from smemdesc.instructions.plan import ConstantGroup, NestedNumbers, OperandPlan, Plan, PlanConstant, ScalePlan
    from smemdesc.layout.tmem_load import TmemLoads

DEVICE = "SMEMDESC_HOST_DEVICE"
_PREAMBLE = f"""\
#include <stdint.h>
#ifndef {DEVICE}
#ifdef __CUDACC__
#define {DEVICE} __host__ __device__
#else
#define {DEVICE}
#endif
#endif""".splitlines()


class HeaderFunction(NamedTuple):
    """A function of a group. In device code an array exists only inside a function, where it becomes immediates."""

    name: str
    type: str
    """The type that it returns; with ``members``, the struct of them, whose result may be written in braces."""
    parameters: str
    result: str
    comment: str
    tables: tuple[str, ...] = ()
    """Names of the constants that it reads, arrays local to it."""
    members: str = ""


def _operand_functions(operand: OperandPlan) -> Iterator[HeaderFunction]:
    tile, low = operand.tile, operand.base & ones(WORD)
    first = f"base + {operand.offset}u" if operand.offset else "base"
    yield HeaderFunction(
        "stage",
        "uint32_t",
        "uint32_t base, uint32_t i",
        f"{first} + i * {operand.bytes}u",
        "shared-memory address of stage i; base: that of the buffer of all stages, aligned as A and B are",
    )
    address = _start_units(tile.kind.table, absolute=tile.absolute)
    yield HeaderFunction(
        "at",
        "uint64_t",
        "uint32_t smem, int mn, int k",
        f"0x{operand.base - low:016x}ull | (0x{low:08x}u + offsets[mn][k] + {address})",
        "descriptor of MMA step (mn, k) of the stage at shared-memory address smem, in bytes: smem = stage(base, i)",
        ("offsets",),
    )
    yield HeaderFunction(
        "element",
        "uint32_t",
        "int mn, int k",
        element_formula(tile.tiling, "c"),
        "byte of element (mn, k) of the tile from the beginning of the stage, for threads that write it",
    )
    if operand.filling is not None:
        yield HeaderFunction(
            "copy",
            "tma_place",
            "int i",
            "tma_copy[i]",
            "where copy i of TMA begins: in the tile (mn, k: elements) and from the beginning of the stage (bytes)",
            ("tma_copy",),
            "int mn; int k; int offset;",
        )


def _start_units(table: Table, *, absolute: bool = False) -> str:
    """Return what the address ``smem`` adds to a descriptor: nothing that its start field cannot hold.

    ``absolute``: LBO is an address, too.
    """
    unit = table.insert(0, START, 1)
    if absolute:
        unit = table.insert(unit, LBO, 1)
    address = f"((smem >> 4) & 0x{ones(table.row(START).width):x}u)"
    return address if unit == 1 else f"{address} * 0x{unit:x}u"


def _scale_functions(scale: ScalePlan, table: Table) -> Iterator[HeaderFunction]:
    yield HeaderFunction(
        "copy_at",
        "uint64_t",
        "uint32_t smem",
        f"0x{scale.copy:016x}ull + {_start_units(table)}",
        "descriptor for the copy of the block of 512 bytes at shared-memory address smem",
    )
    yield HeaderFunction("idesc_at", "uint32_t", "int k", "idesc[k]", "instruction descriptor of K step k", ("idesc",))
    yield HeaderFunction("id_at", "int", "int k", "ids[k]", "scale-factor id of K step k, of A and B", ("ids",))
    for name in "ab":
        yield HeaderFunction(
            f"{name}_column_at",
            "int",
            "int mn, int k",
            f"{name}_columns[k] + {name}_mn_columns[mn]",
            f"what MMA step (mn, k) adds to the address of the factors of {name.upper()} in tensor memory",
            (f"{name}_columns", f"{name}_mn_columns"),
        )


def _load_functions(loads: TmemLoads) -> Iterator[HeaderFunction]:
    yield HeaderFunction(
        "d_address",
        "uint32_t",
        "uint32_t d, int warp, int load",
        f"d + warp % 4 * 0x{WARP << 16:x}u + load * {loads.load.columns}u",
        "tensor-memory address of a load of D by a warp; d: the address of D of the MMA",
    )
    yield HeaderFunction(
        "d_element",
        "d_place",
        "int thread, int load, int r",
        "{{ {}, {} }}".format(*element_index(loads, "c")),
        "m (in the CTA) and n of D of the MMA in register r of a thread of the warpgroup after this load",
        members="int m; int n;",
    )


def _functions(plan: Plan) -> dict[str, list[HeaderFunction]]:
    """Return the functions of each group."""
    functions = {operand.name: [*_operand_functions(operand)] for operand in plan.operands}
    if plan.scale is not None:
        functions["scale"] = [*_scale_functions(plan.scale, plan.b.tile.kind.table)]
    if plan.tensor_memory is not None:
        functions["tmem"] = [*_load_functions(plan.tensor_memory.loads)]
    return functions


def array_text(item: PlanConstant, value: NestedNumbers, brackets: str, suffix: str = "") -> str:
    """Return a number of a constant, or its array of numbers between two brackets."""
    if isinstance(value, int):
        return (f"0x{value:0{item.bits // 4}x}" if item.hex else str(value)) + suffix
    return brackets[0] + ", ".join(array_text(item, nested, brackets, suffix) for nested in value) + brackets[1]


def _extents(value: NestedNumbers, depth: int = 2) -> str:
    """Return the brackets after the name of an array, of at most ``depth`` dimensions."""
    return "" if isinstance(value, int) or not depth else f"[{len(value)}]{_extents(value[0], depth - 1)}"


def indented_code(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines four columns to the right."""
    return (f"    {line}" for line in lines)


class _Language(NamedTuple):
    """What differs between C and C++."""

    comment: str
    scalar: str
    """How a constant is declared."""
    function: str
    """How a function is declared."""
    local: str
    """How a table in a function is declared."""
    unsigned: str
    """Suffix of numbers of 32 bits; empty: only those written in hexadecimal are unsigned."""


_LANGUAGES = {
    "c": _Language("/* {} */", "static const", "static inline", "const", "u"),
    "cuda": _Language("// {}", "static constexpr", "static constexpr", "constexpr", ""),
}


def _scalar(item: PlanConstant, name: str, language: _Language) -> str:
    if isinstance(item.value, str):
        return f"{language.scalar} {item.type} {name} = {item.value};"
    wide = item.bits > WORD
    kind = f"uint{item.bits}_t" if wide or item.hex or language.unsigned else "int"
    suffix = "ull" if wide else language.unsigned
    value = array_text(item, item.value, "{}", suffix)
    text = f"{language.scalar} {kind} {name}{_extents(item.value)} = {value};"
    return f"{text}  {language.comment.format(item.comment)}" if item.comment else text


def _function_lines(
    function: HeaderFunction, prefix: str, tables: dict[str, PlanConstant], language: _Language
) -> Iterator[str]:
    kind, of = function.type, "int" if function.type == "int" else "uint32_t"
    yield language.comment.format(function.comment)
    if function.members:
        kind = of = prefix + kind
        members = f"{{ {function.members} }}"
        yield f"typedef struct {members} {kind};" if prefix else f"struct {kind} {members};"
    yield f"{DEVICE} {language.function} {kind} {prefix}{function.name}({function.parameters})"
    yield "{"
    for name in function.tables:
        table = tables[name]
        text = array_text(table, table.value, "{}", "u" if of == "uint32_t" else "")
        extents = _extents(table.value, depth=1 if function.members else 2)
        yield f"    {language.local} {of} {name}{extents} = {text};"
    if function.result.startswith("{"):
        yield f"    const {kind} place = {function.result};"
    yield "    return place;" if function.result.startswith("{") else f"    return {function.result};"
    yield "}"


def _group_lines(
    group: ConstantGroup, prefix: str, functions: list[HeaderFunction], language: _Language, tensor_map: bool
) -> Iterator[str]:
    """Yield the constants of a group, then its functions; arrays that only functions read are inside them."""
    tables = {item.name: item for item in group.items}
    read = {name for function in functions for name in function.tables}
    for item in group.items:
        if item.name not in read and (tensor_map or not item.type):
            yield _scalar(item, prefix + item.name, language)
    for function in functions:
        yield from _function_lines(function, prefix, tables, language)


def _struct_lines(groups: list[ConstantGroup], plan: Plan, name: str, tensor_map: bool) -> Iterator[str]:
    """Yield the constants as one struct of C++, with a struct for each further group."""
    functions, language = _functions(plan), _LANGUAGES["cuda"]
    first, *others = groups
    if name in (item.name for item in first.items) or name in (group.name for group in others):
        raise SmemdescError(f"--name: {name!r} is a member of the struct", hint=f"as in --name {name}_gemm")
    yield language.comment.format(first.comment)
    yield f"struct {name} {{"
    yield from indented_code(_group_lines(first, "", [], language, tensor_map))
    for group in others:
        yield f"    struct {group.name} {{  {language.comment.format(group.comment)}"
        lines = _group_lines(group, "", functions.get(group.name, []), language, tensor_map)
        yield from indented_code(indented_code(lines))
        yield "    };"
    yield "};"


def _prefixed_lines(groups: list[ConstantGroup], plan: Plan, name: str, tensor_map: bool) -> Iterator[str]:
    """Yield the constants in C, where the names of the plan and of the group are part of each name."""
    functions, language = _functions(plan), _LANGUAGES["c"]
    for group in groups:
        yield language.comment.format(group.comment)
        prefix = f"{name}_{group.name}_" if group.name else f"{name}_"
        yield from _group_lines(group, prefix, functions.get(group.name, []), language, tensor_map)


def header(groups: list[ConstantGroup], plan: Plan, style: str, name: str, tensor_map: bool) -> Iterator[str]:
    """Yield the lines of a header that compiles alone, in ``c`` (C99, C++11) or ``cuda`` (C++14).

    :class:`smemdesc.engine.errors.SmemdescError` if a member of the C++ struct has its name.

    Without ``tensor_map`` the driver's header is not included, and its enumerators are omitted. The guard depends on
    the constants: of two headers with the same name, the second must not be skipped without an error.
    """
    body = _prefixed_lines if style == "c" else _struct_lines
    lines = [*body(groups, plan, name, tensor_map)]
    guard = f"SMEMDESC_{crc32(repr(lines).encode()):08X}_{name.upper()}"
    yield from (f"#ifndef {guard}", f"#define {guard}", *_PREAMBLE)
    enumerators = [item.name for group in groups for item in group.items if item.type]
    if enumerators and tensor_map:
        yield "#include <cuda.h>"
    elif enumerators:
        names = ", ".join(dict.fromkeys(enumerators))
        yield _LANGUAGES[style].comment.format(f"{names}: --tensor-map, which includes <cuda.h>")
    yield from lines
    yield "#endif"
