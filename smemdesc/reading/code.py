"""The values in code and other text: a line of SASS, PTX, LLVM IR, MLIR, C++ or Python, the output of a debugger.

Rows of memory are read by :mod:`smemdesc.reading.memory`. Any other text is taken apart into numbers, names and marks
(:class:`TextToken`): the forms that people paste say which numbers are values, where a number without a prefix is
decimal, and what is not used is part of the result (:attr:`smemdesc.reading.text.Literal.unread`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError, WidthError
from smemdesc.engine.fields import WORD, join_words, ones
from smemdesc.reading.naming import (
    DESCRIPTOR,
    INSTRUCTION,
    LONGEST_NAME,
    MADE,
    MEANT,
    OTHER,
    called,
    is_declared_wide,
    is_pointer,
)
from smemdesc.reading.text import EXPRESSION, VALUE_BITS, Literal, is_value, parse_value, without_encodings

if TYPE_CHECKING:
    from smemdesc.reading.source_values import ConstantOfC

_COMMENT = (  # ``256 // 8 << 17`` is a division of Python
    r"(?s)//(?:(?<![\w)]//)(?<![\w)] //)|(?!\s*+\d++\s*+(?:<<|[|)&^+*-]|\Z)))[^\n]*+"
    r"|/\*.*?(?:\*/|\Z)|(?:(?<=\s)|\A)#(?=\s)[^\n]*+"
)
_NO_CODE = rf"{_COMMENT}|\x1b\[[\d;]*+[A-Za-z]"
_DEFINITION = r"(?m)^[^\S\n]*+#define\s++(\w++)[ \t](?=\s*+\S)"
_CAST = (
    r"(?:static_cast|reinterpret_cast|bit_cast)\s*+<[\w\s:]*+>"
    r"|\(\s*+(?:const\s++)?+(?:std::)?+u?int(?:32|64)_t\s*+\)"
    r"|\(\s*+(?:unsigned|long|int)(?:\s++(?:unsigned|long|int))*+\s*+\)"
    r"|\(\s*+\w++(?:\s++\w++)*+\s*+[*&]++\s*+\)(?:\s*+@0x[0-9a-fA-F]++:)?+"
    r"|\b(?:std::)?+u?int(?:32|64)_t(?=\s*+[({])"
)
_TO_WORD = (  # a conversion to 32 bits
    r"(?:static_cast\s*+<\s*+(?:std::)?+u?int32_t\s*+>|\(\s*+(?:std::)?+u?int32_t\s*+\)"
    r"|\(\s*+unsigned(?:\s++int)?+\s*+\)|\b(?:std::)?+u?int32_t(?=\s*+[({]))\s*+"
)
_WRAPPER = (  # a call whose result is its argument, or the words that are its arguments
    r"(?<![\w.:])(?:\w++(?:\.|::))*+(?:[uU]?[iI]nt(?:32|64)|c_u?(?:int(?:32|64)|long|longlong|int)|U?INT(?:32|64)_C"
    r"|(?:as_)?tensor|(?:as)?array|constant|make_u?(?:int|long|longlong)2|u?(?:int|long|longlong)2|hex)(?=\s*+[({])"
    r"|\b(?:__)?+asm(?:__)?+(?:\s++(?:__)?+volatile(?:__)?+)?+(?=\s*+\()"
    r"|\b[A-Za-z_]\w*+(?=\(\s*+(?:lo|low|hi|high|x|y)\s*+[=:])"
    r"|\b(?=\w*?(?i:desc|mma))\w++(?=\((?:\s*+,?\s*+[\"']?0[xX][0-9a-fA-F]{9,16}[uUlL]*+[\"']?)++\s*+\))"
)
_ASIDE = (  # what a log, Python, MLIR and nvdisasm add to a value, none of it a number to read
    r"(?<![\w-])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?+)?+(?:Z|[+-]\d{2}:?+\d{2})?+)?+(?![\w-])"
    r"|,\s*+(?:dtype|device)\s*+=\s*+['\"]?+[A-Za-z][\w.:<>]*+['\"]?+|\bloc\([^()\n]*+\)"
    r"|&(?:req|rd|wr|rdy)\s*+=\s*+(?:\{[\d,]*+\}|\w++)(?:\s*+\?\w++)?+|\[B[-\d]{6}:[^]\s]{1,40}+\]"
    r"|\.align\s++\d++|:\s*+(?:[iu](?:32|64)\b|(?:vector|tensor)<\w++>)|\bdense(?=<)"
)
_LISTED = r"\A\s*+(?:[A-Za-z_./][\w./-]*+:|[A-Za-z_./][\w./]*+-)?+\d{1,6}[:-](?=\s*+(?:[@/\[]|[A-Za-z][\w.]*+[ \t]))"
"""The place that ``grep -n`` puts before a line."""
_NO_TOKENS = f"{_LISTED}|{_ASIDE}|{_CAST}|{_WRAPPER}"
_IN_PARENTHESES = r"(?<![\w\]])\(\s*+[+-]?+[\w?']++\s*+\)"
_NO_VALUES = f"{_CAST}|{_WRAPPER}"
_TUPLE = (
    r"\b([A-Za-z_]\w*+)\s*+,\s*+([A-Za-z_]\w*+)\s*+[])}]?+\s*+=\s*+[\[({]?+\s*+"
    r"([+-]?+[\d?][\w?']*+)\s*+,\s*+([+-]?+[\d?][\w?']*+)"
)
_RUN = r"[\w?](?:[\w?]|['.](?=\w))*+"
_TOKEN = (
    rf"(?P<number>(?:(?<![\w\])}}?.'\"])[+-])?+(?=[\d?]){_RUN}(?::[+-]?+{_RUN})*+)"
    r"|(?P<name>(?:(?<!\w)[%$@!#]{1,8}+(?!0[xX]))?+\w(?:\w|(?:\.|::|->)(?=\w))*+)"
    r"|(?P<mark>\S)"
)
_PREFIXED = r"(?i)[+-]?+0[xbo]"
_PLAIN = r"(?i)[+-]?+(?:0x[\da-f?_']++|0b[01?_']++|0o[0-7?_']++|\d[\d_']*+)(?:_?+[ui](?:32|64)|u?+l{0,2}+|l{1,2}+u)"
_HEX_WORD = r"(?i)(?!0[fd]|[a-f]++$|\d++$)(?:[\da-f?]{8}|[\da-f?]{16})"
_HEX_DIGITS_ONLY = r"(?=\d)(?:0\d{7}|0\d{15}|(?=\d*+[a-fA-F])[\da-fA-F]{2,16})"
"""Digits that can only be hexadecimal ones, as %x, %08x and %016llx print them."""
_ALL_DIGITS = r"0[xX][\da-fA-F]{16}(?![\da-fA-F])"
_SLASHED = r"0[xX][\da-fA-F]{16}/0[xX][\da-fA-F]{16}\Z"
"""Two values with a slash between them."""
_PADDED = r"0\d{1,6}"
"""A day, a minute or a counter, printed with as many digits as the largest."""
_CUT_OFF = r"0[xX](?![\da-fA-F?]{8}(?:[\da-fA-F?]{8})?$)[\da-fA-F?]++"
"""Digits before the ``?`` of an expression: a word, or a value, of which digits are unknown has all of them."""
_HEX_WORDS = r"[\da-fA-F]{8}:[\da-fA-F]{8}"
_NO_NUMBER_BUT = (  # a shape, a number with a point, a time of day, a hash
    r"[1-9]\d*+(?:x\d++)++\w*+|\d++[.-].*+|\d{1,2}(?::\d{2}){1,2}(?:\.\d++)?+|(?=\d*+[a-f])[\da-f]++"
)
_INSTRUCTION = (  # of SASS, PTX, LLVM IR and MLIR
    r"\s*+(?:(?:/\*\w*+\*/|[0-9a-f]{4,16}:?|@!?+%?+\w++)\s++)*+(?:[A-Z][A-Z0-9_.]{2,}+\s++U?[RP]\w++\s*+,"
    r"|mov\.[bus]\d++\s|[a-z]\w*+(?:[.:]++\w++)++\s++[%{]|%[\w.#:]++\s*+=)"
)
_MOVE = r"(?i)(?:U?MOV(?:\.\w++)*+|IMAD\.MOV(?:\.\w++)*+|mov\.[bus]\d++)"
_MNEMONIC = r"@!?U?P|/\*|[A-Z][A-Z0-9_]{2,}+(?:\.\w++)*+$|[a-z]\w*\.[a-z\d]"
_MARK_OF_A_NUMBER = r"[+-]?\d|\?|[0-9a-fA-F]{8,}$"
_TARGET = r"\s*+[A-Za-z_%$*][\w\s:<>,*&.%$\[\]>-]*+"
_LABEL = r"[\"'.]?+[A-Za-z_%$][\w.$%\[\]]*+[\"']?+\s*+[=:](?:\s|[^:=]|$)"


def values_in(text: str) -> tuple[Literal, ...]:
    """Return the values in a text that is not one number, in order; empty if it has none."""
    from smemdesc.reading.memory import in_rows, read_tensor_map

    code = _blanked(_NO_CODE, without_encodings(text))
    code = re.sub(_DEFINITION, lambda match: f"{match[1]:>{len(match[0]) - 1}}=", code)
    try:
        literals = (
            read_tensor_map(text)
            or in_rows(text)
            or _bare(code, text)
            or _with_starts(code)
            or _expression(code)
            or _in_code(code)
        )
    except SmemdescError as problem:
        if made := _made(text):
            return made
        if problem.given == code:
            problem.given = text
        raise
    if not literals:
        return _made(text)
    unread = ", ".join(filter(None, (literals[0].unread, _numbers_in_comments(text, literals))))
    return (literals[0]._replace(unread=unread), *literals[1:])


def _made(text: str) -> tuple[Literal, ...]:
    """Return the descriptors that expressions of a source make of which most bits are known."""
    from smemdesc.reading.terms import makes_descriptors

    if not makes_descriptors(text.encode("latin-1", "replace")):
        return ()
    from smemdesc.reading.source_values import read_source

    return tuple(
        Literal(
            *(made.text, made.bits, ones(made.width) & ~made.known, made.width, "a source, as far as it is known"),
            called=made.meaning,
        )
        for made in read_source(text).values
        if made.text and made.bits and 2 * made.known.bit_count() > made.width
    )


def without_comments(text: str) -> str | None:
    """Return a text with each comment replaced by blanks; None if it ends within one."""
    code = _blanked(_COMMENT, without_encodings(text))
    opened, closed = text.rfind("/*"), text.rfind("*/")
    return None if opened > closed and not code[opened:].strip() else code


def _blanked(pattern: str, text: str) -> str:
    return re.sub(pattern, lambda match: re.sub(r"\S", " ", match[0]), text)


def _bare(code: str, text: str) -> tuple[Literal, ...]:
    """Read values with blanks or commas between them and nothing else; each must be one."""
    words = list(re.finditer(r"[^\s,;]+", code))
    if len(words) < 1 + (code == text) or not all(re.match(_MARK_OF_A_NUMBER, word[0]) for word in words):
        return ()
    meant = MEANT if len(words) < _ROW_OF_CELLS or all(re.match(_WITH_BASE, word[0]) for word in words) else ""
    return tuple(
        _at(code, word[0], word.start(), bare=True)._replace(called=meant, begin=word.start()) for word in words
    )


_ROW_OF_CELLS = 3
"""Numbers without a prefix that are more likely a row of a table or of memory."""
_WITH_BASE = r"(?i)[-+]?0[xbo]|[^:]*:|[\da-f]*\?"


_WITH_START = r"(?<![\w.])0[xX][0-9a-fA-F?]{9,16}@[A-Za-z_$%.\d][\w$.%]*+(?::\w++)?+(?:[+-]\w++)?+"


def _with_starts(code: str) -> tuple[Literal, ...]:
    """Read the values of a text of which a start is given as a base and an offset, and the others in it."""
    from smemdesc.reading.starts import value_with_start

    found = []
    for match in re.finditer(_WITH_START, code) if "@" in code else ():
        if (literal := value_with_start(match[0])) is not None:
            before = code[max(code.rfind("\n", 0, match.start()) + 1, match.start() - LONGEST_NAME) : match.start()]
            found.append(literal._replace(called=called(before), begin=match.start()))
    if not found:
        return ()
    others = _in_code(re.sub(_WITH_START, lambda match: " " * len(match[0]), code))
    return tuple(sorted((*found, *others), key=lambda literal: literal.begin))


def _at(code: str, part: str, begin: int, *, bare: bool) -> Literal:
    """Read a part of a text; an error names the place in the whole."""
    try:
        return parse_value(part, bare=bare)
    except (ValueSyntaxError, WidthError) as problem:
        first, last = problem.span or (0, len(part))
        span = (begin + first, begin + last)
        raise type(problem)(problem.option_message, given=code, span=span, hint=problem.option_hint) from None


# Names of words, and two words as one value.

_LOW_HIGH = {"lo": 0, "low": 0, "lower": 0, "x": 0, "0": 0, "hi": 1, "high": 1, "upper": 1, "y": 1, "1": 1}
_NAMES_OF_WORDS = (
    # the value that the name is of, and which word
    r"(?i)(?P<stem>.*?)[_.]?+(?P<word>lo|low|lower|hi|high|upper)(?:_?(?:word|bits|part|half|32))?",
    r"(?i)(?P<word>lo|low|lower|hi|high|upper)_(?P<stem>\w+)",
    r"(?i)(?P<stem>(?:.*[._])?)(?:w|word|dword)_?(?P<word>[01])",
    r"(?P<stem>(?:.*\.)?)(?P<word>[xy])",
)


class WordName(NamedTuple):
    """Which word of a value a name means."""

    stem: str
    """What the two words of a value have in common."""
    word: int
    """0: the low word."""
    certain: bool
    """Whether the name shows it (``lo``, ``x``); registers and elements of an array may also be neighbors by chance."""


@lru_cache(256)
def word_name(name: str) -> WordName | None:
    """Return which word of a value a name means; None if it does not show this."""
    numbered = re.fullmatch(r"(U?R|.*\[)(\d{1,9})(\]?)", name)
    if numbered and (numbered[3] or numbered[1] in ("R", "UR")):
        at = int(numbered[2])
        return WordName(f"{numbered[1]}{at // 2}", at % 2, False)
    matches = (re.fullmatch(pattern, name) for pattern in _NAMES_OF_WORDS)
    match = next(filter(None, matches), None)
    return None if match is None else WordName(match["stem"].lower(), _LOW_HIGH[match["word"].lower()], True)


@lru_cache(4096)
def are_neighbors(first: str, second: str) -> bool:
    """Whether two names belong to the words of one value, or to two values that a debugger printed in turn."""
    if first[:1] == second[:1] == "$":
        numbers = [int(name[1:]) for name in (first, second) if re.fullmatch(r"\$\d{1,9}", name)]
        return len(numbers) == 2 and abs(numbers[0] - numbers[1]) == 1
    left, right = word_name(first), word_name(second)
    return left is not None and right is not None and left.stem == right.stem and left.word != right.word


def join_named(first: Literal, second: Literal) -> Literal | None:
    """Return the 64-bit value of two words that belong together by their names; else None."""
    name = word_name(first.register)
    if name is None or not are_neighbors(first.register, second.register):
        return None
    low, high = (second, first) if name.word else (first, second)
    return join_literals(low, high) if max(low.bit_length, high.bit_length) <= WORD else None


def join_literals(low: Literal, high: Literal) -> Literal:
    """Return the 64-bit value of two words pasted separately: of two names, or printed in turn."""
    low, high = in_one_base(low, high)
    unknown = join_words(high.at(WORD)[1] ^ ones(WORD), low.at(WORD)[1] ^ ones(WORD))
    number = join_words(high.at(WORD)[0], low.at(WORD)[0])
    form = f"{low.register} and {high.register} joined: {high.register} is the high word"
    text = f"{_typed(high)}:{_typed(low)}"
    unread = ", ".join(filter(None, (low.unread, high.unread)))
    digits = [word.text.strip() for word in (high, low)]
    is_open = any(word.other for word in (high, low)) and all(word.form == "decimal" for word in (high, low))
    other = ":".join(f"0x{word}" for word in digits) if is_open and all(map(str.isdecimal, digits)) else ""
    name, begin = low.called or high.called, min(low.begin, high.begin)
    return Literal(text, number, unknown, VALUE_BITS, form, unread=unread, other=other, called=name, begin=begin)


def in_one_base(first: Literal, second: Literal) -> tuple[Literal, Literal]:
    """Return two words: if only one of them is hexadecimal without a prefix, the other one is, too (``10040``)."""
    hexadecimal = [word.form.startswith("hexadecimal, ") for word in (first, second)]
    if sum(hexadecimal) != 1:
        return first, second
    one, other = (
        word if is_hex or not word.text.isdecimal() else _as_hexadecimal_too(word)
        for word, is_hex in zip((first, second), hexadecimal, strict=True)
    )
    return one, other


def _as_hexadecimal_too(word: Literal) -> Literal:
    return parse_value(f"0x{word.text}")._replace(
        text=word.text, register=word.register, unread=word.unread, called=word.called, begin=word.begin
    )


def _typed(word: Literal) -> str:
    """Return a word as it is typed in ``HI:LO``, where digits that only the text around made decimal would be bare."""
    text = word.text.strip()
    return f"+{text}" if word.form == "decimal" and word.other else text


class PairedWords(NamedTuple):
    """Two words of a text that are one value by their names, and the places of their digits."""

    begin: int
    end: int
    literal: Literal


def paired_words(text: str) -> Iterator[PairedWords]:
    """Yield the values of two words that a text names one after the other: ``desc_hi=0x40004040 desc_lo=0x10040``."""
    halves = [half for half in re.finditer(_HALF, text) if (name := word_name(half["name"])) and name.certain]
    for first, second in pairwise(halves):
        if second.start() - first.end() > _FAR or not are_neighbors(first["name"], second["name"]):
            continue
        read = _TextTokens(text[first.start() : second.end()])
        literals = [value.literal for value in read.find()]
        if len(literals) == 2 and (joined := join_named(*literals)):
            yield PairedWords(first.start("digits"), second.end("digits"), joined)


_HALF = (
    r"(?<![\w.$%])(?P<name>(?:[A-Za-z][\w.]{0,40}?[_.])?(?i:hi|lo|high|low|upper|lower)(?i:_?(?:word|bits|part|half|32))?"
    r"|(?i:hi|lo|high|low|upper|lower)_\w{1,40})[\"')]{0,2}[ \t]{0,8}[:=]?[ \t]{0,8}[\"']?"
    r"(?P<digits>(?:0[xX])?[0-9a-fA-F]{1,8}|\d{1,10})(?:[uU][lL]{0,2})?(?![\w.])"
)
"""A word with its name."""
_FAR = 8
"""The most characters between two words of one value."""


# Expressions.


def _expression(code: str) -> tuple[Literal, ...]:
    """Read an expression of constants, assigned or not: casts, macros and operators.

    Statements that change what the first one assigns (``desc |= ..;``) are a part of it.
    """
    source = " ".join(code.split()).rstrip("; ")
    whole = _in_one_statement(code) if len(source) <= _LONGEST_EXPRESSION else None
    if whole is None:
        return ()
    name, operator, assigned, declared = whole
    meant = (name and called(f"{name} = ")) or MEANT
    assigned, wide = _in_words(assigned)
    plain = _without_casts(assigned)
    if meant == OTHER or (not wide and not re.search(r"[-+*/%&|^~<>]", re.sub(r"^[+-]", "", plain))):
        return ()
    constant = None if wide else _of_c(code, assigned, declared)
    hidden = 0 if constant is None else ones(VALUE_BITS) & ~constant.known
    try:
        number = _evaluate(plain) if constant is None or hidden else constant.bits
    except NameError as unknown:
        if re.search(EXPRESSION, plain):
            raise _no_value_of(str(unknown), code) from None
        return ()
    except (ValueError, RecursionError):
        return ()
    unread = f"{name} {operator}=" if operator else ""
    begin = len(code) - len(code[code.index("=") + 1 if name else 0 :].lstrip())
    if constant is None or not hidden:
        form = f"an expression: 0x{number:x}"
        return (Literal(source, number, 0, 0, form, unread=unread, wide=wide, called=meant, begin=begin),)
    form = "an expression, as far as it is known"
    literal = Literal(source, constant.bits, hidden, VALUE_BITS, form, unread=unread, called=meant, begin=begin)
    return (literal,) if constant.known else ()


class _WholeStatement(NamedTuple):
    """What statements assign in all: the name, the operator before the ``=``, the value, and what is before these."""

    name: str
    operator: str
    assigned: str
    declared: str


def _in_one_statement(code: str) -> _WholeStatement | None:
    """Return statements that change one variable as one; None if another one is changed."""
    statements = re.split(r";\s*+|\n(?=[^\S\n]*+[\w.]++\s*+[|&^+-]=)", code.strip().rstrip("; \n"))
    first, *changes = (" ".join(statement.split()) for statement in statements)
    name, operator, assigned = assignment(first) or ("", "", first)
    for change in changes:
        changed, by, amount = assignment(change) or ("", "", "")
        if not by or changed != name or operator not in ("", by):
            return None  # what is changed further is not known
        assigned = f"({assigned}){by}({amount})"
    return _WholeStatement(name, operator, assigned, first[: first.index("=")] if name else "")


def _of_c(code: str, expression: str, declared: str) -> ConstantOfC | None:
    """Return what C++ computes for an expression, if it is one of C++; an error if that is undefined."""
    from smemdesc.reading.source_values import constant_of_c, undefined_shift

    constant = constant_of_c(expression, declared)
    if constant is not None and constant.overflow is not None and constant.known != ones(VALUE_BITS):
        shift = expression[slice(*constant.overflow)]
        problem, better = undefined_shift(shift)
        begin = max(0, code.find(shift))
        raise ValueSyntaxError(problem, given=code, span=(begin, begin + len(shift)), hint=f"write {better}")
    return constant


def assignment(statement: str) -> tuple[str, str, str] | None:
    """Return what a statement of code assigns to, the operator before the ``=``, if there is one, and the value."""
    target, _, assigned = statement.partition("=")
    target = target.rstrip()
    operator = target[-1:] if target[-1:] in ("|", "&", "^", "+", "-") else ""
    target = target.removesuffix(operator).rstrip()
    if not assigned or assigned[0] == "=" or not re.fullmatch(_TARGET, target):
        return None
    return re.split(r"[\s*&]", target)[-1], operator, assigned


def _no_value_of(name: str, text: str) -> ValueSyntaxError:
    """Name the word of an expression to replace by its number."""
    places = (match.span() for match in re.finditer(r"[\w.]+", text) if match[0] == name)
    hint = f"write its number in place of {name}"
    if re.search(r"(?i)i_?desc|desc_i|instr", name) and "<<" in text:
        hint += ", as in 0x08200490 << 32: CUTLASS keeps an instruction descriptor in bits 63-32 (idescE)"
    return ValueSyntaxError(
        f"an expression, and the value of {name} is unknown",
        given=text,
        span=next(places, (0, len(text))),
        hint=hint,
    )


_LONGEST_EXPRESSION = 2000


def evaluate_c(text: str) -> int | None:
    """Return the value of a constant expression; None if it is not one, or has more than 64 bits."""
    try:
        return _evaluate(_without_casts(text))
    except (NameError, ValueError, RecursionError):
        return None


def _in_words(text: str) -> tuple[str, int]:
    """Return an expression with the numbers that conversions to 32 bits leave of wider ones, and the last of these."""
    wide = 0
    for match in reversed([*re.finditer(_TO_WORD, text)]):
        operand = _OPERAND.match(text, match.end())
        number = None if operand is None else evaluate_c(operand[0])
        if operand is not None and number is not None and number > ones(WORD):
            text, wide = f"{text[: match.start()]}{number & ones(WORD):#x}{text[operand.end() :]}", number
    return text, wide


_OPERAND = re.compile(r"[\w']++|\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)|\{[^{}]*+\}")
"""What a conversion is of: a number, or an expression in parentheses."""


def _without_casts(text: str) -> str:
    return re.sub(_NO_VALUES, "", text).strip()


def _evaluate(text: str) -> int:
    """Return the value of an expression; NameError names an unknown name, ValueError is for what has no value."""
    from smemdesc.engine.expressions import compute, fold_expression, parse_expression

    body = parse_expression(text)
    if type(body).__name__ == "Call":
        raise ValueError("a statement")
    number = fold_expression(body, int, compute, _unknown)
    if not 0 <= number <= ones(VALUE_BITS):
        raise ValueError("too wide")
    return number


def _unknown(node: Any) -> int:
    import ast

    if isinstance(node, ast.Name | ast.Attribute | ast.Call):
        raise NameError(ast.unparse(node.func if isinstance(node, ast.Call) else node))
    raise ValueError("not a constant")


# Numbers in other text.


class TextToken(NamedTuple):
    """A number, a name or a mark of a text, and where it begins."""

    kind: str
    text: str
    begin: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.begin + len(self.text)


class PickedValue(NamedTuple):
    """A value of a text, and the indices of the tokens that it is made of."""

    literal: Literal
    tokens: tuple[int, ...]


class _TextTokens:
    """A text in tokens, the numbers among them, and which of these are values.

    ``text``: code without comments. Casts, and calls that only hand on their arguments, are blank, and so no tokens.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        plain = _blanked(_NO_TOKENS, text)
        for _ in range(2 if "(" in plain else 0):
            plain = re.sub(_IN_PARENTHESES, lambda match: f" {match[0][1:-1]} ", plain)
        self.plain = plain
        self.tokens = [TextToken(str(match.lastgroup), match[0], match.start()) for match in re.finditer(_TOKEN, plain)]
        self._calls: dict[int, str] = {}
        self.numbers: dict[int, Literal] = {}
        """By the index of its token, each number that can be read, and that the text does not call something else."""
        self.others: dict[int, Literal] = {}
        """By the index of its token, each pointer, and each number that the text calls something else."""
        for at, token in enumerate(self.tokens):
            if (literal := self._number(at, token)) is not None:
                is_other = is_pointer(literal.number) or self._called(at) == OTHER
                (self.others if is_other else self.numbers)[at] = literal
        self.indices = {at for at in self.numbers if self._is_index(at)}
        """The numbers in brackets after a name."""
        self.names = {match.start(place): match[place - 2] for match in re.finditer(_TUPLE, plain) for place in (3, 4)}
        """By the places of two numbers, the names to which they are assigned at once."""
        self.is_list = False
        """Whether numbers are in brackets, with commas between them."""
        self.pairs = 0
        """How many brackets have held two numbers alone."""
        self.is_move = False
        """Whether an instruction makes one value of two words in brackets."""
        self.picked: dict[int, PickedValue] = {}
        """By the index of its first number, each value."""

    def _word(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _is_name(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at].kind == "name"

    def _is_index(self, at: int) -> bool:
        if self._word(at - 1) != "[" or self._word(at + 1) != "]":
            return False
        return self._is_name(at - 2) or self._word(at + 2) in ("=", ":")

    def _called(self, at: int) -> str:
        """Return what the words around the number of a token call it."""
        if (known := self._calls.get(at)) is None:
            token = self.tokens[at]
            before = self.plain[max(0, token.begin - LONGEST_NAME) : token.begin].rpartition("\n")[2]
            known = self._calls[at] = called(before, self.plain[token.end : token.end + LONGEST_NAME])
        return known

    def _number(self, at: int, token: TextToken) -> Literal | None:
        """Read a token that begins like a number; None for a word, a shape, a date or a number with a point."""
        if self._is_hexadecimal(at, token.text):
            return parse_value(token.text)
        if token.kind != "number" or not token.text.strip("?") or re.fullmatch(_PREFIXED, token.text):
            return None
        if re.fullmatch(r"[01]{9,64}", token.text) and re.fullmatch(r"\$\d+", self._word(at - 2)):
            return parse_value("0b" + token.text)._replace(text=token.text, form="binary, as p/t prints it")
        parts = token.text.split(":")
        plain = len(parts) <= 2 and all(re.fullmatch(_PLAIN, part) or part == "?" for part in parts)
        is_meant = plain or re.match(_PREFIXED, token.text) or sum(map(str.isdigit, token.text)) >= _DIGITS
        if not is_meant or (not plain and re.fullmatch(_NO_NUMBER_BUT, token.text)):
            return None
        if "?" in token.text and re.fullmatch(_CUT_OFF, token.text):
            return None
        if re.fullmatch(_PADDED, token.text) and not self._is_named(at):
            return None
        return _at(self.text, token.text, token.begin, bare=False)

    def _is_hexadecimal(self, at: int, digits: str) -> bool:
        """Whether digits without a prefix are hexadecimal ones, by their name and by what they are."""
        is_assigned = self._word(at - 1) in ("=", ":")
        if is_assigned and re.fullmatch(_HEX_WORD, digits):
            return True
        if re.fullmatch(_HEX_DIGITS_ONLY, digits):
            name = self._word(at - 1 - (is_assigned and len(digits) == _WORD_DIGITS))
            return word_name(name) is not None or self._called(at) == DESCRIPTOR
        return re.fullmatch(_HEX_WORDS, digits) is not None and self._called(at) == DESCRIPTOR

    def _is_named(self, at: int) -> bool:
        """Whether a number has a name that makes it a value, or a word of one."""
        before = at - 1 - (self._word(at - 1) in ("=", ":"))
        return bool(word_name(_register(self._word(before)))) or self._called(at) in (DESCRIPTOR, INSTRUCTION)

    def _is_large(self, at: int) -> bool:
        """Whether a number can only be a value: shorter ones are immediate operands, line numbers and offsets."""
        for part in self.tokens[at].text.lower().split(":"):
            digits = re.sub(r"^[+-]?(?:0x)?|[_']|u?(?<!l)l*+$", "", part)
            if len(digits) >= (_HEX_DIGITS if "x" in part else _DIGITS):
                return True
        return False

    def _label(self, at: int) -> tuple[str, tuple[int, ...]]:
        """Return the name that is given to the number of a token, and the tokens that say so."""
        if (name := self.names.get(self.tokens[at].begin)) is not None:
            return name, tuple(index for index in range(at) if self.tokens[index].text == name)[-1:]
        before = at - 1
        while self._word(before) in ("(", "{", "[", '"', "'"):
            before -= 1
        if self._word(before) not in ("=", ":"):
            name = self._word(at - 1) if self._is_name(at - 1) else ""
            return (name, (at - 1,)) if name not in ("", "x", "y") and word_name(_register(name)) else ("", ())
        name_at = before - 1
        while self._word(name_at) in ('"', "'"):
            name_at -= 1
        if self._word(name_at) == "]" and name_at - 1 in self.indices and before == at - 1:
            tokens = tuple(range(name_at - 2 - self._is_name(name_at - 3), before + 1))
            return "".join(map(self._word, tokens[:-1])), tokens
        return (self._word(name_at), (name_at, before)) if self._is_name(name_at) else ("", ())

    def _pick(self, at: int, literal: Literal, *tokens: int) -> None:
        self.picked.setdefault(at, PickedValue(literal, (at, *tokens)))

    def keep_arguments(self) -> bool:
        """Keep only whole numbers that the text calls descriptors, as in ``mma(desc_a=..)``, or that have all digits of
        one; whether there is one."""
        from smemdesc.reading.terms import is_whole_value

        text = self.plain.encode("latin-1", "replace")
        for at in list(self.numbers):
            token, name = self.tokens[at], self._called(at)
            is_meant = name in (DESCRIPTOR, INSTRUCTION) or re.match(_ALL_DIGITS, token.text)
            if not is_meant or not is_whole_value(text, token.begin, token.end):
                self.others[at] = self.numbers.pop(at)
        return bool(self.numbers)

    def find(self) -> list[PickedValue]:
        """Return the values, in order."""
        self._find_moves()
        unknown = self._find_groups()
        taken = self.indices.union(*(picked.tokens for picked in self.picked.values()))
        free = [at for at in self.numbers if at not in taken and not self._is_repeated(at)]
        labels = {at: self._label(at) for at in free}
        remarks = self._remarks()
        words = [at for at in free if word_name(_register(labels[at][0]))]
        words = words if len(words) == len(free) or any(map(self._is_large, words)) else []
        for at in free:
            name, tokens = labels[at]
            if at not in remarks and (self._is_large(at) or at in words or name[:1] == "$"):
                self._pick(at, self._named(at, name), *tokens)
        if not self.picked and len(free) == 1:
            self._find_only(free[0], *labels[free[0]])
        if not self.picked and unknown is not None:
            raise ValueSyntaxError(
                "neither word is known",
                given=self.text,
                span=unknown,
                hint="give at least one as a number: {%r1, 0x40004040}, or 0x40004040:?",
            )
        return [self._placed(at) for at in sorted(self.picked)]

    def _placed(self, at: int) -> PickedValue:
        """Return a value with its place, and with what the text calls it."""
        literal = self.picked[at].literal
        before = self.text[: self.tokens[at].begin][-LONGEST_NAME:].rpartition("\n")[2]
        meant = self._called(at) or called(before).replace(OTHER, "")  # what prints it, as ``print_descriptor(..)``
        if meant == DESCRIPTOR and not literal.register and literal.width <= WORD and is_declared_wide(before):
            literal = literal._replace(width=VALUE_BITS)
        if not meant and not any(token.kind == "name" and token.text != "touches" for token in self.tokens):
            meant = MEANT
        elif not meant and (
            re.fullmatch(r"\$\d++|U?R\d++|lo|hi", literal.register)
            or re.match(rf"{_INSTRUCTION}|\s*+\$\d++\s*+=", self.plain)
        ):
            meant = MADE
        return self.picked[at]._replace(literal=literal._replace(called=meant, begin=self.tokens[at].begin))

    def _find_only(self, at: int, name: str, tokens: tuple[int, ...]) -> None:
        """Pick the only number of a text, however small, if the text is about it."""
        before = self.tokens[at].begin - 1
        if not (name or self.plain != self.text) or (before >= 0 and self.plain[before] == ":"):  # file:12 is a place
            return
        self._pick(at, self._named(at, name), *tokens)
        if self.unread() or (name and not word_name(_register(name)) and not self._called(at)):
            self.picked.clear()  # a number in prose, or of something else

    def _named(self, at: int, name: str) -> Literal:
        """Return a number with the name that it is given."""
        literal, register = self.numbers[at], _register(name)
        return literal._replace(register=register if word_name(register) or register[:1] == "$" else "")

    def _remarks(self) -> set[int]:
        """Return the tokens after the ``;`` of an instruction that are no further statement."""
        ends = [at for at, token in enumerate(self.tokens) if token.text == ";"]
        if not ends or not any(self._is_name(at) and re.fullmatch(_OPCODE, self._word(at)) for at in range(ends[0])):
            return set()
        statements = (range(begin, end) for begin, end in pairwise([*ends, len(self.tokens)]))
        remarks = (statement for statement in statements if _ARGUMENTS.isdisjoint(map(self._word, statement)))
        return set(chain.from_iterable(remarks))

    def _is_repeated(self, at: int) -> bool:
        """Whether a number repeats the previous one, as ``info registers`` prints it in decimal, perhaps signed."""
        before, number = self.numbers.get(at - 1), self.numbers[at].number
        return before is not None and before.number - number in (0, *(1 << bits for bits in (32, 64) if number < 0))

    def _find_moves(self) -> None:
        """Pick what an instruction moves into a register, however small it is."""
        for at, token in enumerate(self.tokens):
            if not (self._is_name(at) and self._is_name(at + 1) and re.fullmatch(_MOVE, token.text)):
                continue
            number = at + 2
            while self._is_name(number) or self._word(number) == ",":
                number += 1
            self.is_move = True
            if number in self.numbers and number > at + 2:
                literal = self._named(number, self._word(at + 1))
                self._pick(number, literal, *range(at, number))

    def _find_groups(self) -> tuple[int, int] | None:
        """Pick the words of brackets with two parts, and the numbers of longer ones; return where no word is known."""
        unknown = None
        for opening, parts, end in self._groups():
            if len(parts) == 1 and self.numbers.keys() >= set(parts[0]):
                parts = [[at] for at in parts[0]]  # as NumPy prints them
            words = [self._element(part) for part in parts]
            if None in words or len(words) < 2:
                continue
            known = [word for word in words if word in self.numbers]
            self.is_list = self.is_list or len(known) == len(words)
            if len(words) > 2:
                if len(known) == len(words) and any(map(self._is_large, known)):
                    for word in known:
                        self._pick(word, self.numbers[word])
            elif not known and opening == "{":
                begin = min((at for part in parts for at in part), default=end)
                unknown = self.tokens[begin - 1].begin, self.tokens[end].end
            elif opening == "{" or (len(known) == 2 and self._are_alone(known)):
                self._pick_pair(parts, words, known)
        return unknown

    def _pick_pair(self, parts: list[list[int]], words: list[int | None], known: list[int]) -> None:
        """Pick two words in brackets; two numbers alone are one value only if it is a descriptor."""
        literal = self._pair(parts, words)
        if literal is None:
            return
        self.is_list = True
        tokens = [at for part in parts for at in part]
        if re.fullmatch(r"reg\d\d_", self._label(known[0])[0]) and self._is_union_of(literal):
            self.indices.update(tokens)
            return
        if len(known) < 2 or tokens != known or self.is_move or self.names:
            self._pick(known[0], literal, *tokens)
            return
        for place, word in enumerate(known, 2 * self.pairs):
            self._pick(word, self.numbers[word]._replace(register=f"[{place}]"))
        self.pairs += 1

    def _is_union_of(self, literal: Literal) -> bool:
        """Whether a debugger prints a value as another member of the same union, too."""
        return any(number.number == literal.number for number in self.numbers.values())

    def _are_alone(self, words: Sequence[int]) -> bool:
        """Whether numbers in brackets are what a text is about: one is large, or the text holds nothing else."""
        alone = len(words) == len(self.numbers) and not any(token.kind == "name" for token in self.tokens)
        return alone or any(map(self._is_large, words))

    def _pair(self, parts: list[list[int]], words: list[int | None]) -> Literal | None:
        """Return the value of two words in brackets: the low word first, if their names do not say otherwise."""
        literals = [self.numbers.get(word) if word is not None else None for word in words]
        if any(literal is not None and literal.bit_length > WORD for literal in literals):
            return None
        labelled = [not {"=", ":"}.isdisjoint(map(self._word, part)) for part in parts]
        named = [word_name(self._label(part[-1])[0]) for part in parts]
        if any(labelled) and not (named[0] and named[1] and named[0].stem == named[1].stem):
            return None
        order = [0, 1]
        if named[0] and named[1] and named[0].certain and named[0].stem == named[1].stem and named[0].word:
            order = [1, 0]
        low, high = (literals[at] for at in order)
        names = [self._word(words[at]) for at in order]  # type: ignore[arg-type]
        form = "{lo, hi}: the low word first" if order == [0, 1] else "{hi, lo}: named so"
        blank = Literal("?", 0, ones(WORD), WORD, "", unread="")
        joined = join_literals(low or blank, high or blank)._replace(form=form)
        unknown = [name for name, literal in zip(names, (low, high), strict=True) if literal is None]
        return joined._replace(unread=f"{unknown[0]}, which is not known") if unknown else joined

    def _element(self, part: list[int]) -> int | None:
        """Return the only number or name of a part of a bracket, without its label or type; None if there are more."""
        at = [token for token in part if self._word(token) not in ('"', "'", ".")]
        if len(at) == 3 and self._is_name(at[0]) and self._word(at[1]) in ("=", ":"):
            at = at[2:]
        if len(at) == 2 and re.fullmatch(r"[iusb](?:32|64)", self._word(at[0])):
            at = at[1:]
        is_word = len(at) == 1 and (self._is_name(at[0]) or at[0] in self.numbers or self._word(at[0]) == "?")
        return at[0] if is_word else None

    def _groups(self) -> Iterator[tuple[str, list[list[int]], int]]:
        """Yield the innermost brackets: the opening one, the tokens of each part, and the index of the closing one."""
        opening, parts = "", [[]]  # type: str, list[list[int]]
        for at, token in enumerate(self.tokens):
            if token.text in _OPENING:
                opening, parts = token.text, [[]]
            elif token.text in _CLOSING:
                if opening and _OPENING.index(opening) == _CLOSING.index(token.text):
                    yield opening, parts if parts[-1] else parts[:-1], at
                opening = ""
            elif token.text == ",":
                parts.append([])
            else:
                parts[-1].append(at)

    def check(self) -> None:
        """Raise an error where a mark beside a value says that digits are missing, or that more belongs to it."""
        for at in self.picked:
            token, name = self.tokens[at], self.tokens[max(0, at - 2)]
            before, after = (
                self.plain[max(0, begin) : begin + size] for begin, size in ((token.begin - 1, 1), (token.end, 2))
            )
            if re.match(r"[\[({=]|:\S|[])}>'\"]\w", after) or (after[:1] == ":" and at + 2 == len(self.tokens)):
                raise self._stray(token.end, f"{after[0]!r} follows a number")
            is_tight = at > 1 and self._word(at - 1) == ":" and name.end + 1 == token.begin
            if is_tight and sum(map(str.isdigit, name.text)) >= _HEX_DIGITS - 1:
                raise self._stray(name.begin, f"{name.text!r} is not a number")
            if before in tuple("])}~!*/%^&|@#$\\") and not re.search(_SLASHED, self.plain[: token.end]):
                raise self._stray(token.begin - 1, f"{before!r} stands before a number")
        numbers = [at for at in self.numbers if at not in self.indices]
        for pair in pairwise(numbers):
            gap = self.plain[self.tokens[pair[0]].end : self.tokens[pair[1]].begin]
            is_range = gap in ("-", "/") and self._word(pair[1])[:2].lower() == "0x"
            if not (is_range or len(gap) > 1 or self.picked.keys().isdisjoint(pair) or re.match(r"[\s,;\w]", gap)):
                raise self._stray(self.tokens[pair[0]].end, f"{gap!r} is between two numbers")

    def _stray(self, at: int, message: str) -> ValueSyntaxError:
        hint = "copy the value again, and put a space between values"
        return ValueSyntaxError(message, given=self.text, span=(at, at + 1), hint=hint)

    def refuse_others(self) -> None:
        """Raise an error about the first large number that is no descriptor by its name or its range, if any."""
        at = next(filter(self._is_large, self.others), None)
        if at is None:
            return
        token = self.tokens[at]
        message = f"not a value: the text calls {token.text} something other than a matrix descriptor"
        hint = f"if it is one, give the number alone: smemdesc decode {token.text}"
        if is_pointer(self.others[at].number):
            message = f"not a value: {token.text} is in the range of a pointer"
            hint = f"give what it points to (x/gx {token.text} in cuda-gdb); if it is a descriptor, give it alone"
        raise ValueSyntaxError(message, given=self.text, span=(token.begin, token.end), hint=hint)

    def unread(self) -> str:
        """Return the unused parts of the text: numbers, and words outside of instructions and labels."""
        used = {token for picked in self.picked.values() for token in picked.tokens} | self.indices
        same = {self.picked[at].literal.number for at in self.picked}
        used |= {at for at, literal in self.numbers.items() if literal.number in same}
        first = 0
        for end in [*(at for at, token in enumerate(self.tokens) if token.text == ";"), len(self.tokens)]:
            tokens = range(first, end)
            used |= self._framed(tokens)
            first = end + 1
        names = {at for at in used if self._is_name(at) and at not in self.numbers}
        used -= {at for at in names if re.match(_SPOILED, self._word(at))}
        runs: list[list[TextToken]] = [[]]
        for at, token in enumerate(self.tokens):
            if token.kind != "mark" and at not in used:
                runs[-1].append(token)
            elif token.kind != "mark" and runs[-1]:
                runs.append([])
        return ", ".join(self.text[run[0].begin : run[-1].end] for run in runs if run)

    def _framed(self, tokens: range) -> set[int]:
        """Return the names of a statement that are its frame: of an instruction all, of a declaration its type."""
        names = [at for at in tokens if self.tokens[at].kind == "name"]
        if not names:
            return set()
        text = self.plain[self.tokens[tokens[0]].begin : self.tokens[tokens[-1]].end]
        opcode = next((at for at in names if self._word(at)[0] not in "@%!"), names[0])
        leads = not any(self.tokens[at].kind == "number" for at in range(tokens[0], opcode))
        if (leads and re.fullmatch(_OPCODE, self._word(opcode))) or re.search(r"\b[iusb](?:32|64)\b", text):
            return set(names)
        equals = next((at for at in tokens if self._word(at) == "="), tokens[0])
        if any(self.tokens[at].kind == "number" and at not in self.indices for at in range(tokens[0], equals)):
            return set()
        return {at for at in names if at < equals}


_SPOILED = r"(?i)(?!%[a-z]{1,3}\d++(?:_\w++)?$).*?(?:x[\da-f]{4}|\d{4})"
"""A name that is more likely a number with a wrong character."""
_OPCODE = r"[A-Z][A-Z0-9_]{2,}+(?:\.\w++)*+|[a-z]\w*+(?:\.\w++)++"
_BULLET = r"\s*+(?:[*>=:!|]++\s++|-\s++(?=0[xX]))[^\s:]++\s*+"
_ARROWS = r"\s*+(?:[^\s<>=-]++\s++[-=]{1,2}+>\s++)++[^\s<>=-]++\s*+"
_ARGUMENTS = frozenset(",=:{")
"""What occurs in a statement, but not in a remark."""
_OPENING, _CLOSING = "([{<", ")]}>"
_DIGITS, _HEX_DIGITS, _WORD_DIGITS = 8, 5, 8


def _register(name: str) -> str:
    """Return a name as it is compared: a register of SASS in capitals."""
    return name.lstrip("$").upper() if re.fullmatch(r"(?i)\$?u?r\d+", name) else name


def _in_code(code: str) -> tuple[Literal, ...]:
    """Return the values in code or other text; the first also holds the rest of the text, which was not read."""
    if not re.search(r"[\s=:(\[{]", code.strip()):
        return ()
    read = _TextTokens(code)
    if re.search(EXPRESSION, read.plain) and not read.keep_arguments():
        return ()
    picked = read.find()
    if not picked:
        read.refuse_others()
    named = read.plain != code or any(token.kind == "name" for token in read.tokens)
    if not picked or not (named or read.is_list or read.indices or re.fullmatch(f"{_ARROWS}|{_BULLET}", code)):
        return ()  # numbers and marks: after a typo, nothing is guessed
    read.check()
    first, *others = (_called_as_words(literal, code) for literal in _joined([number.literal for number in picked]))
    unread = ", ".join(filter(None, (first.unread, read.unread())))
    return (first._replace(unread=unread), *others)


def _called_as_words(literal: Literal, code: str) -> Literal:
    """Return a value; of two words with what the name before both of them calls it, as in ``desc hi=.. lo=..``."""
    if ":" not in literal.text or literal.called in (DESCRIPTOR, INSTRUCTION):
        return literal
    before, labels = re.subn(_LABEL_OF_WORD, "", code[: literal.begin].rpartition("\n")[2])
    meant = called(before[-LONGEST_NAME:]) if labels else ""
    return literal._replace(called=meant) if meant == DESCRIPTOR else literal


_LABEL_OF_WORD = r"(?<!\w)[.\"']?(?:lo|low|hi|high|x|y)[\"']?\s*+[=:]?\s*+[\"']?\Z"


def _numbers_in_comments(text: str, literals: Sequence[Literal]) -> str:
    """Return the comments of a text that may hold another value: it is not read, but named."""
    read = {literal.text.strip().lower() for literal in literals}
    comments = [match[0].strip() for match in re.finditer(_COMMENT, without_encodings(text))]
    return ", ".join(comment for comment in comments if not read.issuperset(re.findall(_LONG_NUMBER, comment.lower())))


_LONG_NUMBER = r"(?<!\w)(?:0x[\da-f]{4,}+|\d{5,}+)"


def _joined(literals: Sequence[Literal]) -> list[Literal]:
    """Return the values of a text; two words that are one value by their names are joined."""
    out: list[Literal] = []
    for literal in literals:
        names = word_name(out[-1].register) if out else None
        both = join_named(out[-1], literal) if names is not None and names.certain else None
        out[-1:] = [both] if both else [*out[-1:], literal]
    return out


def sentence(words: Iterable[str]) -> str | None:
    """Return the arguments of a command line as one line if they form one; else None.

    An instruction, words in brackets or with names, and bytes of memory may be typed without quotation marks.
    """
    words = list(words)
    if len(words) < 2:
        return None
    from smemdesc.reading.memory import is_typed_row

    line = " ".join(words)
    opened = sum(map(words[0].count, "([{")) > sum(map(words[0].count, ")]}")) and re.search(r"[])}][^\w\])}]*+$", line)
    whole = (
        opened
        or is_typed_row(line)
        or re.match(_LABEL, line)
        or any(word in ("=", ":") for word in words)
        or ((re.match(_MNEMONIC, words[0]) or word_name(_register(words[0]))) and not is_value(words[0]))
    )
    return line if whole else None
