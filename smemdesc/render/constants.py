"""Constants to paste: a descriptor, bare or as a line of a language with a comment; a plan as one block."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from smemdesc.descriptors.encoding import Encoded
from smemdesc.descriptors.explain import summary
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones, signed, words
from smemdesc.kinds.text import to_hex

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant
    from smemdesc.instructions.plan import ConstantGroup, Numbers, Plan, PlanConstant


_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
"""Keywords of C or C++: a header may be compiled as either."""
_PTX_WORDS = """
WARP_SZ abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns
getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min
mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret
rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld
suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vadd vmad vmax vmin vote vset vshl vshr
vsub wgmma wmma xor
"""
"""Opcodes of PTX, which are reserved (PTX ISA 9.1, 4.3)."""


class _ConstantNames(NamedTuple):
    """The valid names of a constant in a language."""

    language: str
    pattern: str
    words: frozenset[str]
    """Keywords of the language."""
    takes: str
    reserved: str = r"(?!)"
    """Names reserved for the language or its implementation."""


_OF_C = r"_[A-Z].*|.*__.*|_[a-z0-9]*"
"""C11 7.1.3, C++ [lex.name]: two underscores anywhere, one before a capital letter; one at the start at file scope."""
_TAKEN = frozenset(("main", "errno", "NULL", "EOF", "assert"))
_OF_CUDA = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"))
_LETTERS = "letters, digits and _, not a digit first"
_OF_HEADERS = frozenset(_WORDS.split()) | _TAKEN
_NAMES = {
    "c": _ConstantNames("C", r"[A-Za-z_][A-Za-z0-9_]*", _OF_HEADERS, _LETTERS, _OF_C),
    "cuda": _ConstantNames("CUDA C++", r"[A-Za-z_][A-Za-z0-9_]*", _OF_HEADERS | _OF_CUDA, _LETTERS, _OF_C),
    "ptx": _ConstantNames(
        "PTX",
        r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+",
        frozenset(_PTX_WORDS.split()),
        "letters, digits, _ and $, not a digit first",
        r"%(?:tid|ntid|laneid|warpid|nwarpid|ctaid|nctaid|smid|nsmid|gridid|clusterid|nclusterid|cluster_\w+|is_\w+"
        r"|lanemask_\w+|clock\w*|pm\d.*|envreg\d+|globaltimer\w*|reserved_\w+|total_smem_size|dynamic_smem_size"
        r"|aggr_smem_size|current_graph_exec)",
    ),
    "python": _ConstantNames("Python", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(keyword.kwlist), _LETTERS, r"__.*__"),
}


def check_name(style: str, name: str) -> None:
    """Reject a name that is invalid in the language of a style; styles without a language have no name."""
    names = _NAMES.get(style)
    if names is None:
        return
    if name in names.words:
        why = "it is a keyword"
    elif re.fullmatch(names.reserved, name):
        why = "such names are reserved"
    elif re.fullmatch(names.pattern, name):
        return
    else:
        why = f"a name is {names.takes}"
    raise SmemdescError(f"--name: {name!r} is not a name in {names.language}", hint=f"{why}; as in --name a_desc")


_FORMS = {
    "hex": "{hex}",
    "c": "static const uint{width}_t {name} = UINT{width}_C({hex}); /* {comment} */",
    "cuda": "constexpr uint{width}_t {name} = {hex}{suffix}; // {comment}",
    "ptx": "mov.b{width} {name}, {hex}; // {comment}",
    "python": "{name} = {hex}  # {comment}",
}


def constant(encoded: Encoded | Constant, style: str, name: str = "desc") -> str:
    """Return the value in a style: hex, dec, sdec, words, c, cuda, ptx or python.

    :class:`smemdesc.engine.errors.SmemdescError` if the value is not fully known and the style cannot express
    that, or if the name is invalid in the language.
    """
    check_name(style, name)
    table = encoded.kind.table
    value, known, width = encoded.value, encoded.known, table.width
    text = to_hex(value, known, width)
    if known != ones(width) and style not in ("hex", "words"):
        raise SmemdescError(
            f"{text} is not fully known and cannot be written as {style}", hint="use --format hex or words"
        )
    if style in ("dec", "sdec"):
        return str(value if style == "dec" else signed(value, width))
    if style == "words":
        return text if width == WORD else _words(value, known)
    suffix = "ull" if width > WORD else "u"
    comment = summary(encoded.kind, table.read(value, known))
    return _FORMS[style].format(name=name, hex=text, width=width, suffix=suffix, comment=comment)


def _words(value: int, known: int) -> str:
    pairs = zip(words(value), words(known), strict=True)
    return ":".join(to_hex(word, mask, WORD) if mask else "?" for word, mask in pairs)


# A plan


def _nested(item: PlanConstant, value: Numbers, suffix: str, marks: str = "{}") -> str:
    if isinstance(value, int):
        return (f"0x{value:0{item.bits // 4}x}" if item.hex else str(value)) + suffix
    return marks[0] + ", ".join(_nested(item, nested, suffix, marks) for nested in value) + marks[1]


def _extents(value: Numbers) -> str:
    if isinstance(value, int):
        return ""
    return f"[{len(value)}]{_extents(value[0])}"


def _cuda(item: PlanConstant, name: str) -> str:
    if isinstance(item.value, str):
        return f"static constexpr {item.type} {name} = {item.value};"
    suffix = "ull" if item.bits > WORD else ""
    kind = "uint64_t" if item.bits > WORD else "uint32_t" if item.hex else "int"
    return f"static constexpr {kind} {name}{_extents(item.value)} = {_nested(item, item.value, suffix)};"


def _c(item: PlanConstant, name: str) -> str:
    if isinstance(item.value, str):
        return f"static const {item.type} {name} = {item.value};"
    text = _nested(item, item.value, "u" if item.bits <= WORD else "ull")
    return f"static const uint{item.bits}_t {name}{_extents(item.value)} = {text};"


def _ptx(item: PlanConstant, name: str) -> str:
    if isinstance(item.value, str):
        return f"// {name}: {item.value}"
    text = _nested(item, item.value, "")
    return f".const .align 8 .b{item.bits} {name}{_extents(item.value)} = {text};"


def _python(item: PlanConstant, name: str) -> str:
    text = repr(item.value) if isinstance(item.value, str) else _nested(item, item.value, "", "[]")
    return f"{name!r}: {text},"


class _Language(NamedTuple):
    """The syntax for the constants of a plan in a language."""

    comment: str
    item: Callable[[PlanConstant, str], str]
    block: tuple[str, str] = ("", "")
    """Beginning and end of the block of all constants; a language without blocks uses name prefixes."""
    inner: tuple[str, str] = ("", "")
    """The same for a group within it."""


_LANGUAGES = {
    "c": _Language("/* {} */", _c),
    "cuda": _Language("// {}", _cuda, ("struct {} {{", "}};"), ("struct {} {{", "}};")),
    "ptx": _Language("// {}", _ptx),
    "python": _Language("# {}", _python, ("{} = {{", "}}"), ("{!r}: {{", "}},")),
}


def _plan_lines(groups: list[ConstantGroup], name: str, language: _Language) -> Iterator[str]:
    mark, (begin, end) = language.comment, language.block
    if begin:
        yield mark.format(groups[0].comment)
        yield begin.format(name)
    for group in groups:
        inner = begin and group.name
        if inner:
            yield f"    {language.inner[0].format(group.name)}  {mark.format(group.comment)}"
        elif not begin:
            yield mark.format(group.comment)
        margin = "        " if inner else "    " if begin else ""
        prefix = "" if begin else f"{name}_{group.name}_" if group.name else f"{name}_"
        for item in group.items:
            text = margin + language.item(item, prefix + item.name)
            beside = item.comment and not (language.item is _ptx and isinstance(item.value, str))
            yield f"{text}{'  ' if begin else ' '}{mark.format(item.comment)}" if beside else text
        if inner:
            yield f"    {language.inner[1].format()}"
    if begin:
        yield end.format()


def _header(groups: list[ConstantGroup], name: str, language: _Language, tensor_map: bool) -> Iterator[str]:
    """Yield the constants as a header of C or C++ that compiles alone.

    Without ``tensor_map`` the driver's header is not included, and its enumerators are omitted. The guard depends on
    the constants: of two headers with the same name, the second must not be skipped without an error.
    """
    driver = [item for group in groups for item in group.items if isinstance(item.value, str)]
    if not tensor_map:
        groups = [group._replace(items=tuple(item for item in group.items if item not in driver)) for group in groups]
    lines = [*_plan_lines(groups, name, language)]
    guard = f"SMEMDESC_{crc32(repr(lines).encode()):08X}_{name.upper()}"
    yield from (f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>")
    if driver and tensor_map:
        yield "#include <cuda.h>"
    elif driver:
        names = ", ".join(dict.fromkeys(item.name for item in driver))
        yield language.comment.format(f"{names}: --tensor-map, which includes <cuda.h>")
    yield from lines
    yield "#endif"


def block(plan: Plan, style: str, name: str, command: Sequence[str], *, tensor_map: bool = False) -> str:
    """Return the plan in a style: ``c``, ``cuda``, ``ptx`` or ``python``; ``command`` is the command that computed it.

    ``tensor_map``: in C and C++ with the enumerators of tensor maps, and ``cuda.h``.
    :class:`smemdesc.engine.errors.SmemdescError` if ``name`` is invalid in the language.
    """
    from smemdesc.instructions.plan import constants

    check_name(style, name)
    language = _LANGUAGES[style]
    notes = [*map(str, plan.findings), *(f"note: {note}" for note in plan.notes)]
    lines = [language.comment.format(text) for text in (shlex.join(command), *notes)]
    groups = constants(plan)
    if style in ("c", "cuda"):
        return "\n".join((*lines, *_header(groups, name, language, tensor_map))) + "\n"
    return "\n".join((*lines, *_plan_lines(groups, name, language))) + "\n"
