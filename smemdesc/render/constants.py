"""A descriptor as a constant to paste, bare or as a line of a language with a comment; names in these languages."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.descriptors.encoding import Encoded
from smemdesc.descriptors.explain import one_line
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones, signed, word_pair
from smemdesc.reading.text import to_hex

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant


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


_OF_C = r"_[A-Z].*|(?s:.*?__.*)|_[a-z0-9]*|u?int[a-z0-9_]*_t|U?INT[A-Z0-9_]*_(?:MAX|MIN|C|WIDTH)"
"""C11 7.1.3, C++ [lex.name]: two underscores anywhere, one before a capital letter; one at the start at file scope.

C11 7.31.10: names like those of stdint.h, which the header includes.
"""
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
    "sh": _ConstantNames("a shell", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(), _LETTERS),
    "python": _ConstantNames("Python", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(keyword.kwlist), _LETTERS, r"__.*__"),
}


def check_name(style: str, name: str) -> None:
    """Reject a name that is invalid in the language of a style; styles without a language have no name."""
    names = _NAMES.get(style)
    if names is None:
        return
    if name in names.words:
        why = "the language or its headers define it"
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


def constant_text(encoded: Encoded | Constant, style: str, name: str = "desc") -> str:
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
    comment = one_line(encoded.kind, table.read(value, known))
    return _FORMS[style].format(name=name, hex=text, width=width, suffix=suffix, comment=comment)


def _words(value: int, known: int) -> str:
    pairs = zip(word_pair(value), word_pair(known), strict=True)
    return ":".join(to_hex(word, mask, WORD) if mask else "?" for word, mask in pairs)
