"""Constants to paste: a descriptor, bare or as a line of a language with a comment; a plan as one block."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.descriptors.encoding import Encoded
from smemdesc.descriptors.explain import summary
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones, signed, words
from smemdesc.kinds.text import to_hex

if TYPE_CHECKING:
    from smemdesc.instructions.plan import ConstantGroup, Numbers, Plan, PlanConstant


class Constant:
    """A wholly or partly known value of ``width`` bits with a name and a comment."""

    def __init__(self, encoded: Encoded, name: str) -> None:
        table = encoded.kind.table
        self.value = encoded.value
        self.known = encoded.known
        self.width = table.width
        self.name = name
        self.comment = summary(encoded.kind, table.read(encoded.value, encoded.known))

    @property
    def hex(self) -> str:
        """Hexadecimal of full width."""
        return to_hex(self.value, self.known, self.width)


def _hex(constant: Constant) -> str:
    return constant.hex


def _dec(constant: Constant) -> str:
    return str(constant.value)


def _sdec(constant: Constant) -> str:
    return str(signed(constant.value, constant.width))


def _words(constant: Constant) -> str:
    if constant.width == WORD:
        return constant.hex
    high, low = words(constant.value)
    known = words(constant.known)
    parts = [to_hex(word, mask, WORD) if mask else "?" for word, mask in zip((high, low), known, strict=True)]
    return ":".join(parts)


def _c(constant: Constant) -> str:
    macro = f"UINT{constant.width}_C"
    return f"static const uint{constant.width}_t {constant.name} = {macro}({constant.hex}); /* {constant.comment} */"


def _cuda(constant: Constant) -> str:
    suffix = "ull" if constant.width > WORD else "u"
    return f"constexpr uint{constant.width}_t {constant.name} = {constant.hex}{suffix}; // {constant.comment}"


def _ptx(constant: Constant) -> str:
    return f"mov.b{constant.width} {constant.name}, {constant.hex}; // {constant.comment}"


def _python(constant: Constant) -> str:
    return f"{constant.name} = {constant.hex}  # {constant.comment}"


_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
"""Words of C or C++: what stands in a header may be read as either."""
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


class _Names(NamedTuple):
    """What a language takes for the name of a constant."""

    language: str
    pattern: str
    words: frozenset[str]
    """Words of the language, which are no names."""
    takes: str
    reserved: str = r"(?!)"
    """Names that the language or its implementation keeps for itself."""


_OF_C = r"_[A-Z].*|.*__.*|_[a-z0-9]*"
"""C11 7.1.3, C++ [lex.name]: two underscores anywhere, one before a capital letter; one before any, at file scope."""
_TAKEN = frozenset(("main", "errno", "NULL", "EOF", "assert"))
_OF_CUDA = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"))
_LETTERS = "letters, digits and _, no digit first"
_OF_HEADERS = frozenset(_WORDS.split()) | _TAKEN
_NAMES = {
    "c": _Names("C", r"[A-Za-z_][A-Za-z0-9_]*", _OF_HEADERS, _LETTERS, _OF_C),
    "cuda": _Names("CUDA C++", r"[A-Za-z_][A-Za-z0-9_]*", _OF_HEADERS | _OF_CUDA, _LETTERS, _OF_C),
    "ptx": _Names(
        "PTX",
        r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+",
        frozenset(_PTX_WORDS.split()),
        "letters, digits, _ and $, no digit first",
        r"%(?:tid|ntid|laneid|warpid|nwarpid|ctaid|nctaid|smid|nsmid|gridid|clusterid|nclusterid|cluster_\w+|is_\w+"
        r"|lanemask_\w+|clock\w*|pm\d.*|envreg\d+|globaltimer\w*|reserved_\w+|total_smem_size|dynamic_smem_size"
        r"|aggr_smem_size|current_graph_exec)",
    ),
    "python": _Names("Python", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(keyword.kwlist), _LETTERS, r"__.*__"),
}


def check_name(style: str, name: str) -> None:
    """Refuse a name that the language of a style does not take; styles without a language have no name."""
    names = _NAMES.get(style)
    if names is None:
        return
    if name in names.words:
        why = "it is a word of the language"
    elif re.fullmatch(names.reserved, name):
        why = "the language keeps such names for itself"
    elif re.fullmatch(names.pattern, name):
        return
    else:
        why = f"a name is {names.takes}"
    raise SmemdescError(f"--name: {name!r} is not a name in {names.language}", hint=f"{why}; as in --name a_desc")


_WRITERS: dict[str, Callable[[Constant], str]] = {
    "hex": _hex,
    "dec": _dec,
    "sdec": _sdec,
    "words": _words,
    "c": _c,
    "cuda": _cuda,
    "ptx": _ptx,
    "python": _python,
}


def constant(encoded: Encoded, style: str, name: str = "desc") -> str:
    """Return the value in a style: hex, dec, sdec, words, c, cuda, ptx or python.

    :class:`smemdesc.engine.errors.SmemdescError` where the value is not wholly known and the style cannot say so,
    or where the name is none in the language.
    """
    check_name(style, name)
    each = Constant(encoded, name)
    if each.known != ones(each.width) and style not in ("hex", "words"):
        raise SmemdescError(
            f"{each.hex} is not wholly known and cannot be written as {style}", hint="use --format hex or words"
        )
    return _WRITERS[style](each)


# A plan


def _scalar(item: PlanConstant, number: int) -> str:
    if not item.hex:
        return str(number)
    return f"0x{number:0{item.bits // 4}x}"


def _nested(item: PlanConstant, value: Numbers, suffix: str, marks: str = "{}") -> str:
    if isinstance(value, int):
        return _scalar(item, value) + suffix
    return marks[0] + ", ".join(_nested(item, each, suffix, marks) for each in value) + marks[1]


def _extents(value: Numbers) -> str:
    if isinstance(value, int):
        return ""
    return f"[{len(value)}]{_extents(value[0])}"


def _plan_cuda(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    yield f"// {groups[0].comment}"
    yield f"struct {name} {{"
    for group in groups:
        if group.name:
            yield f"    struct {group.name} {{  // {group.comment}"
        margin = "        " if group.name else "    "
        for item in group.items:
            comment = f"  // {item.comment}" if item.comment else ""
            if isinstance(item.value, str):
                yield f"{margin}static constexpr {item.type} {item.name} = {item.value};{comment}"
                continue
            suffix = "ull" if item.bits > 32 else ""
            kind = "uint64_t" if item.bits > 32 else "uint32_t" if item.hex else "int"
            text = _nested(item, item.value, suffix)
            yield f"{margin}static constexpr {kind} {item.name}{_extents(item.value)} = {text};{comment}"
        if group.name:
            yield "    };"
    yield "};"


def _plan_c(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    for group in groups:
        yield f"/* {group.comment} */"
        prefix = f"{name}_{group.name}_" if group.name else f"{name}_"
        for item in group.items:
            comment = f" /* {item.comment} */" if item.comment else ""
            if isinstance(item.value, str):
                yield f"static const {item.type} {prefix}{item.name} = {item.value};{comment}"
                continue
            kind = f"uint{item.bits}_t"
            text = _nested(item, item.value, "u" if item.bits <= 32 else "ull")
            yield f"static const {kind} {prefix}{item.name}{_extents(item.value)} = {text};{comment}"


def _plan_ptx(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    for group in groups:
        yield f"// {group.comment}"
        prefix = f"{name}_{group.name}_" if group.name else f"{name}_"
        for item in group.items:
            if isinstance(item.value, str):
                yield f"// {prefix}{item.name}: {item.value}"
                continue
            comment = f" // {item.comment}" if item.comment else ""
            text = _nested(item, item.value, "")
            yield f".const .align 8 .b{item.bits} {prefix}{item.name}{_extents(item.value)} = {text};{comment}"


def _plan_python(groups: list[ConstantGroup], name: str) -> Iterator[str]:
    yield f"# {groups[0].comment}"
    yield f"{name} = {{"
    for group in groups:
        margin = "        " if group.name else "    "
        if group.name:
            yield f"    {group.name!r}: {{  # {group.comment}"
        for item in group.items:
            comment = f"  # {item.comment}" if item.comment else ""
            text = repr(item.value) if isinstance(item.value, str) else _nested(item, item.value, "", "[]")
            yield f"{margin}{item.name!r}: {text},{comment}"
        if group.name:
            yield "    },"
    yield "}"


_PLAN_WRITERS: dict[str, Callable[[list[ConstantGroup], str], Iterator[str]]] = {
    "c": _plan_c,
    "cuda": _plan_cuda,
    "ptx": _plan_ptx,
    "python": _plan_python,
}
_COMMENT = {"c": "/* {} */", "cuda": "// {}", "ptx": "// {}", "python": "# {}"}


def block(plan: Plan, style: str, name: str, command: Sequence[str]) -> str:
    """Return the plan in a style: ``c``, ``cuda``, ``ptx`` or ``python``; ``command`` is what made it.

    :class:`smemdesc.engine.errors.SmemdescError` where ``name`` is none in the language.
    """
    from smemdesc.instructions.plan import constants

    check_name(style, name)
    mark = _COMMENT[style]
    said = [*map(str, plan.findings), *(f"note: {each}" for each in plan.notes)]
    lines = [mark.format(text) for text in (shlex.join(command), *said)]
    return "\n".join((*lines, *_PLAN_WRITERS[style](constants(plan), name))) + "\n"
