"""A plan as one block to paste, in C, CUDA C++, PTX, Python or a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from smemdesc.render.constants import check_name
from smemdesc.render.header import array_text, header, indented_code

if TYPE_CHECKING:
    from smemdesc.instructions.plan import ConstantGroup, Plan, PlanConstant


def _python_item(item: PlanConstant) -> str:
    text = repr(item.value) if isinstance(item.value, str) else array_text(item, item.value, "[]")
    return f"{item.name!r}: {text}," + (f"  # {item.comment}" if item.comment else "")


def _python_lines(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    """Yield the constants as one dict, with a dict for each further group."""
    first, *others = groups
    yield f"# {first.comment}"
    yield f"{name} = {{"
    yield from indented_code(map(_python_item, first.items))
    for group in others:
        yield f"    {group.name!r}: {{  # {group.comment}"
        yield from indented_code(indented_code(map(_python_item, group.items)))
        yield "    },"
    yield "}"


def _sh_lines(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    """Yield variables with the names of the C header, without comments: ``eval`` also takes them as one line."""
    for group in groups:
        prefix = f"{name}_{group.name}_" if group.name else f"{name}_"
        yield from (f"{prefix}{item.name}={shlex.quote(' '.join(item.words))}" for item in group.items)


_PTX_REGISTERS = frozenset(("descriptor", "copy_descriptor", "idesc"))
_PTX_COMMENTS = re.compile(r"(?:tma_stage|[ab])_bytes|bytes|(?:[ab]_)?offset|offsets|tma_copy|[a-z_]*columns")
"""What a kernel adds to these, or to an address: immediates of its instructions."""


def _ptx_registers(item: PlanConstant, name: str) -> Iterator[str]:
    """Yield the declaration of a register, or of one for each number of an array, and their values."""
    kind = f".b{item.bits}"
    if isinstance(item.value, int):
        yield f".reg {kind} {name};"
        yield f"mov{kind} {name}, {array_text(item, item.value, '')}; // {item.comment}"
    else:
        yield f".reg {kind} {name}<{len(item.value)}>; // {item.comment}"
        for index, value in enumerate(item.value):
            yield f"mov{kind} {name}{index}, {array_text(item, value, '')};"


def _ptx_lines(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    """Yield registers of descriptors, to paste into a function, and comments of what a kernel adds to them."""
    for group in groups:
        yield f"// {group.comment}"
        prefix = f"{name}_{group.name}_" if group.name else f"{name}_"
        for item in group.items:
            if item.name in _PTX_REGISTERS:
                yield from _ptx_registers(item, prefix + item.name)
            elif not isinstance(item.value, str) and _PTX_COMMENTS.fullmatch(item.name):
                comment = f": {item.comment}" if item.comment else ""
                yield f"// {prefix}{item.name} {array_text(item, item.value, '{}')}{comment}"


def plan_text(plan: Plan, style: str, name: str, command: Sequence[str], *, tensor_map: bool = False) -> str:
    """Return the plan in a style: ``c``, ``cuda``, ``ptx``, ``sh`` or ``python``; ``command`` is what computed it.

    ``tensor_map``: in C and C++ with the enumerators of tensor maps, and ``cuda.h``.
    :class:`smemdesc.engine.errors.SmemdescError` if ``name`` is invalid in the language.
    """
    from smemdesc.instructions.plan import constants

    check_name(style, name)
    groups = constants(plan)
    if style == "sh":
        return "".join(f"{line}\n" for line in _sh_lines(groups, name))
    comment = {"c": "/* {} */", "python": "# {}"}.get(style, "// {}")
    notes = [*map(str, plan.findings), *(f"note: {note}" for note in plan.notes)]
    head = [comment.format(text) for text in (shlex.join(command), *notes)]
    if style == "python":
        lines = _python_lines(groups, name)
    elif style == "ptx":
        lines = _ptx_lines(groups, name)
    else:
        lines = header(groups, plan, style, name, tensor_map)
    return "\n".join((*head, *lines)) + "\n"
