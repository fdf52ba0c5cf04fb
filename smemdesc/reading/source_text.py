"""Source code as statements and blocks: C++ and CUDA, Rust, Python and Mojo, whole files and pasted fragments.

Comments are dropped, macros that the text defines once are expanded, and what stands under a preprocessor condition is
marked. Nothing here knows what a statement means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdesc.reading.integers import C_PLUS_PLUS, PYTHON, RUST

NUMBER, NAME, STRING, SIGN, DIRECTIVE, NEWLINE = "number", "name", "string", "sign", "directive", "newline"
MACRO = "macro"
"""The name of a macro of which it is not certain what it stands for."""


class SourceToken(NamedTuple):
    """A number, a name, a string, a sign, or a directive of the preprocessor, with its place in the text."""

    kind: str
    text: str
    start: int
    end: int


class SourceStatement(NamedTuple):
    """A statement without the mark that ends it; ``is_result``: nothing ends it, as the last expression of Rust."""

    tokens: tuple[SourceToken, ...]
    is_result: bool = False


class SourceBlock:
    """A block: what stands before it in its statement (``if (x)``, the head of a function), and what is in it."""

    def __init__(self, head: tuple[SourceToken, ...], in_expression: bool = False) -> None:
        """``in_expression``: it is part of an expression, as the body of a lambda function."""
        self.head = head
        self.items: list[SourceStatement | SourceBlock] = []
        self.in_expression = in_expression
        self.end = 0
        """The offset behind it."""


_NAMES = r"|(?P<number>\d(?:'?\w|\.(?=\d))*+|\.\d\w*+)|(?P<name>[A-Za-z_$][\w$]*+)"
_SIGNS = (
    r"|(?P<sign><<=|>>=|\*\*=|\.\.\.|->|::|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|:=|=>|\*\*"
    r"|[-+*/%&|^]=|[^\sA-Za-z_$0-9])"
)
_C_TOKEN = re.compile(
    r"(?P<skip>(?:\s|\\\r?\n)++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+)"
    r"|(?P<raw>(?:u8|[uUL])?R\"(?P<mark>[^\s()\\\"]{0,16}+)\()"
    r"|(?P<string>(?:u8|[uUL])?\"(?:[^\"\\\n]|\\[\s\S])*+\"?+|'(?:[^'\\\n]|\\.){1,8}+')"
    r"|(?P<directive>#(?!\[|!\[)(?:[^\n\\]|\\\r?\n|\\)*+)" + _NAMES + _SIGNS
)
_PYTHON_TOKEN = re.compile(
    r"(?P<skip>(?:[^\S\n]|\\\r?\n)++|\#[^\n]*+)|(?P<newline>\n)"
    r"|(?P<string>[A-Za-z]{0,2}(?:\"\"\"(?:[^\"\\]|\\[\s\S]|\"(?!\"\"))*+(?:\"\"\")?+|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:''')?+"
    r"|\"(?:[^\"\\\n]|\\[\s\S])*+\"?+|'(?:[^'\\\n]|\\[\s\S])*+'?+))" + _NAMES + _SIGNS.replace("<<=|", "<<=|//=|//|", 1)
)
_PYTHON_MARK = re.compile(
    r"(?m)^[ \t]*+(?:(?:async[ \t]++)?(?:def|class|fn|struct)[ \t]++\w++[^\n;{}]*+:[ \t]*+(?:\#[^\n]*+)?$"
    r"|(?:import|from)[ \t]++[\w.]++(?:[ \t]++(?:import|as)[ \t][^;\n]*+)?$)"
)
_RUST_MARK = re.compile(
    r"\blet\s++(?:mut\s++)?\w++\s*+[:=]|\b(?:const|static)\s++\w++\s*+:\s*+[iu](?:8|16|32|64|size)\b|\bfn\s++\w++[^;{}]{0,400}\{|\bas\s++[iu](?:8|16|32|64|size)\b"
)
_C_MARK = re.compile(
    r"\b(?:u?int(?:8|16|32|64)_t|constexpr|auto|unsigned|size_t)\b[\s*&]*+\w|\(u?int(?:32|64)_t\)|\bstatic_cast\s*+<"
    r"|\b(?:0[xX][\da-fA-F]{1,16}|\d{1,20})[uU]?[lL]{1,2}\b|\.bitfield\."
)
_LINE_OF_C = re.compile(r"(?m)[;{}][ \t\r]*+(?://[^\n]*+)?$")
_STRINGS = re.compile(r"\"\"\"(?:[^\"\\]|\\[\s\S]|\"(?!\"\"))*+(?:\"\"\")?+|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:''')?+")
_LONGEST = 4
"""How many times longer than its tokens a text may get by macros."""
_DEEPEST = 48
"""Blocks within blocks that are read; further ones are one opaque statement."""


def language_of(text: str) -> str:
    """Return which language a source is in."""
    outside = _STRINGS.sub("", text) if '"""' in text or "'''" in text else text
    has_ends = _LINE_OF_C.search(outside) is not None
    if _PYTHON_MARK.search(outside) or not (has_ends or _C_MARK.search(outside)):
        return RUST if has_ends and _RUST_MARK.search(outside) else PYTHON
    return RUST if _RUST_MARK.search(outside) else C_PLUS_PLUS


def source_tokens(text: str, language: str, begin: int = 0, end: int | None = None) -> list[SourceToken]:
    """Return the tokens of a text; newlines only of Python, outside of brackets."""
    pattern = _PYTHON_TOKEN if language == PYTHON else _C_TOKEN
    out: list[SourceToken] = []
    place, depth = begin, 0
    end = len(text) if end is None else end
    while place < end:
        match = pattern.match(text, place, end)
        if match is None:
            place += 1
            continue
        kind, place = str(match.lastgroup), match.end()
        if kind == "skip":
            continue
        if kind == "raw":
            closing = text.find(f'){match["mark"]}"', place, end)
            place = end if closing < 0 else closing + len(match["mark"]) + 2
            kind = STRING
        if kind == SIGN:
            depth += (match[0] in _OPEN) - (match[0] in _CLOSE)
        if kind != NEWLINE or depth <= 0:
            depth = 0 if kind == NEWLINE else depth
            out.append(SourceToken(kind, text[match.start() : place], match.start(), place))
    return out


_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


def condition_word(token: SourceToken) -> str:
    """Return the word of a condition of the preprocessor: ``ifdef``, ``else``, ``endif``."""
    match = _CONDITION.match(token.text)
    return match["word"] if match else ""


_DEFINE = re.compile(r"#\s*define\s++(?P<name>\w++)(?P<parameters>\([^()]*+\))?+(?P<body>[\s\S]*+)")
_CONDITION = re.compile(r"#\s*(?P<word>ifdef|ifndef|if|elif|elifdef|elifndef|else|endif|undef)\b\s*+(?P<rest>[^\n]*+)")


class _Macro(NamedTuple):
    parameters: tuple[str, ...] | None
    body: tuple[SourceToken, ...]


OPAQUE = SourceToken(SIGN, "<conditional>", 0, 0)
"""Stands where the branches of a condition open and close different blocks."""


def preprocessed(tokens: Sequence[SourceToken]) -> list[SourceToken]:
    """Return tokens with macros expanded; of directives only conditions are left."""
    macros: dict[str, _Macro | None] = {}
    out: list[SourceToken] = []
    opened: list[bool] = []
    """The conditions that are open: whether each is an include guard."""
    for token in tokens:
        if token.kind != DIRECTIVE:
            out.append(token)
            continue
        if define := _DEFINE.match(token.text):
            _note(macros, define, token, all(opened))
            continue
        condition = _CONDITION.match(token.text)
        if condition is None:
            continue
        word = condition["word"]
        if word == "undef":
            macros[condition["rest"].split()[0] if condition["rest"].split() else ""] = None
            continue
        if word.startswith("if"):
            opened.append(word == "ifndef" and condition["rest"].strip().strip("_").upper().endswith(_GUARDS))
        if not (opened and opened[-1]):
            out.append(token)
        if word == "endif" and opened:
            opened.pop()
    return _expanded(_balanced(out), macros)


_GUARDS = ("_H", "_HPP", "_CUH", "_INCLUDE", "_INCLUDED", "_GUARD")
"""How the names of include guards end."""


def _note(macros: dict[str, _Macro | None], define: re.Match[str], token: SourceToken, is_certain: bool) -> None:
    """Note the definition of a macro; None for one that has several, or that a condition or an operator changes."""
    parameters = define["parameters"]
    body = tuple(
        part._replace(start=token.start, end=token.end)
        for part in source_tokens(define["body"].replace("\\\r\n", " ").replace("\\\n", " "), C_PLUS_PLUS)
    )
    names = None if parameters is None else tuple(name.strip() for name in parameters[1:-1].split(",") if name.strip())
    macro = _Macro(names, body)
    if (
        not is_certain
        or any(part.kind == DIRECTIVE for part in body)
        or (names and not all(map(str.isidentifier, names)))
    ):
        macros[define["name"]] = None
        return
    before = macros.get(define["name"], macro)
    is_same = before is not None and [part.text for part in before.body] == [part.text for part in macro.body]
    macros[define["name"]] = macro if is_same and before and before.parameters == macro.parameters else None


def _balanced(tokens: list[SourceToken]) -> list[SourceToken]:
    """Keep one branch of a condition whose branches open or close different numbers of blocks, and mark the place."""
    changes: list[list[int]] = []
    starts: list[int] = []
    drop: list[tuple[int, int]] = []
    marks: set[int] = set()
    branches: list[list[int]] = []
    for at, token in enumerate(tokens):
        if token.kind == SIGN and changes and token.text in "(){}[]":
            changes[-1][-1] += token.text in _OPEN
            changes[-1][-1] -= token.text in _CLOSE
        if token.kind != DIRECTIVE:
            continue
        word = condition_word(token)
        if word.startswith("if"):
            starts.append(at)
            changes.append([0])
            branches.append([])
        elif starts and word != "endif":
            changes[-1].append(0)
            branches[-1].append(at)
        elif starts:
            start, change, borders = starts.pop(), changes.pop(), branches.pop()
            if any(change):
                marks.add(start)
                if borders:
                    drop.append((borders[0], at))
            if changes:
                changes[-1][-1] += change[0]
    if not marks and not drop:
        return tokens
    drop.sort()
    out: list[SourceToken] = []
    place = 0
    for at, token in enumerate(tokens):
        while place < len(drop) and drop[place][1] <= at:
            place += 1
        if place < len(drop) and drop[place][0] <= at:
            continue
        out.append(token)
        if at in marks:
            out.append(OPAQUE._replace(start=token.start, end=token.end))
    return out


def _expanded(tokens: list[SourceToken], macros: dict[str, _Macro | None]) -> list[SourceToken]:
    """Replace the uses of macros by their bodies."""
    if not macros:
        return tokens
    left = _LONGEST * len(tokens) + 10_000
    out: list[SourceToken] = []
    waiting: list[tuple[list[SourceToken], int, frozenset[str]]] = [(tokens, 0, frozenset())]
    while waiting:
        source, at, within = waiting.pop()
        while at < len(source):
            token = source[at]
            macro = macros.get(token.text) if token.kind == NAME and token.text not in within else None
            if macro is None or left <= 0:
                is_opaque = token.kind == NAME and token.text in macros and token.text not in within
                out.append(token._replace(kind=MACRO) if is_opaque else token)
                at += 1
                continue
            place, body = token.start, list(macro.body)
            after = at + 1
            if macro.parameters is not None:
                found = _arguments(source, after)
                if found is None or len(found[0]) != len(macro.parameters):
                    out.append(token)
                    at += 1
                    continue
                arguments, after = found
                by_name = dict(zip(macro.parameters, arguments, strict=True))
                body = [
                    each
                    for part in macro.body
                    for each in (by_name[part.text] if part.kind == NAME and part.text in by_name else [part])
                ]
            left -= len(body) + 1
            waiting.append((source, after, within))
            source, at, within = [part._replace(start=place, end=token.end) for part in body], 0, within | {token.text}
    return out


def _arguments(tokens: Sequence[SourceToken], at: int) -> tuple[list[list[SourceToken]], int] | None:
    """Return the arguments in the brackets that open at an index, and the index after them."""
    if at >= len(tokens) or tokens[at].text != "(":
        return None
    arguments: list[list[SourceToken]] = [[]]
    depth = 0
    for place in range(at, len(tokens)):
        token = tokens[place]
        if token.kind == SIGN:
            depth += (token.text in _OPEN) - (token.text in _CLOSE)
            if not depth:
                return ([] if arguments == [[]] else arguments), place + 1
            if (token.text == "," and depth == 1) or place == at:
                arguments += [[]] if place != at else []
                continue
        arguments[-1].append(token)
    return None


# Blocks.

_CONTROL = frozenset(
    (
        *("if", "else", "for", "while", "do", "switch", "try", "catch", "loop", "match", "unsafe", "namespace"),
        *("extern", "struct", "class", "union", "enum", "impl", "trait", "mod", "fn", "pub", "requires"),
    )
)
CONDITIONALS = frozenset(("if", "else", "elif"))
LOOPS = frozenset(("for", "while", "do", "switch", "try", "catch", "loop", "match", "except", "finally", "case"))
_AFTER_A_HEAD = frozenset((")", "]", "const", "noexcept", "override", "final", "mutable", "}", "else", "do", "try"))
_ASSIGN = frozenset(("=", "|=", "&=", "^=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "**=", "//=", ":="))
ASSIGNMENTS = _ASSIGN
"""The signs of assignments."""


def source_blocks(text: str, language: str, begin: int = 0, end: int | None = None) -> SourceBlock:
    """Return a source as one block."""
    tokens = source_tokens(text, language, begin, end)
    if language == PYTHON:
        return _indented(text, tokens)
    return _braced(preprocessed(tokens) if language == C_PLUS_PLUS else tokens, language)


class _Open:
    """A block that is being read."""

    def __init__(self, block: SourceBlock, after: list[SourceToken] | None = None) -> None:
        self.block = block
        self.tokens: list[SourceToken] = []
        self.brackets: list[str] = []
        self.after = after
        """The tokens of the statement that the block is in, which goes on behind it."""


def _braced(tokens: Sequence[SourceToken], language: str) -> SourceBlock:
    root = SourceBlock(())
    stack = [_Open(root)]
    for token in tokens:
        top = stack[-1]
        sign = token.text if token.kind == SIGN else ""
        if sign == "{":
            how = _opens(top, language)
            if how == "list" or len(stack) > _DEEPEST:
                top.brackets.append("{")
                top.tokens.append(token)
                continue
            head = tuple(top.tokens)
            block = SourceBlock(head, how == "in expression")
            top.block.items.append(block)
            stack.append(_Open(block, top.tokens if how == "in expression" else None))
            if how != "in expression":
                top.tokens = []
        elif sign == "}":
            if "{" in top.brackets:
                while top.brackets.pop() != "{":
                    pass
                top.tokens.append(token)
            elif len(stack) > 1:
                _flush(top, is_result=True)
                stack.pop().block.end = token.end
                if top.after is not None:
                    stack[-1].tokens.append(token)
            else:
                _flush(top)
                top.brackets.clear()
                top.block.items.append(SourceStatement((OPAQUE._replace(start=token.start, end=token.end),)))
        elif sign == ";" and not top.brackets:
            _flush(top)
        elif token.kind == DIRECTIVE and not top.tokens:
            top.block.items.append(SourceStatement((token,)))
        else:
            if sign in ("(", "["):
                top.brackets.append(sign)
            elif sign in (")", "]") and top.brackets:
                top.brackets.pop()
            top.tokens.append(token)
    while stack:
        stack[-1].block.end = tokens[-1].end if tokens else 0
        _flush(stack.pop(), is_result=True)
    return root


def _flush(top: _Open, is_result: bool = False) -> None:
    if top.tokens:
        top.block.items.append(SourceStatement(tuple(top.tokens), is_result))
    top.tokens = []
    top.brackets.clear()


def _opens(top: _Open, language: str) -> str:
    """Return what a brace opens: a block, a block in an expression (a lambda function), or a list of values."""
    tokens = top.tokens
    if not tokens:
        return "block"
    last = tokens[-1].text
    is_head = last in _AFTER_A_HEAD
    if top.brackets:
        return "in expression" if is_head and last != "}" else "list"
    if tokens[0].text in CONDITIONALS or tokens[0].text in LOOPS:
        body = controlled(tokens, language)
        return "block" if language == RUST or not body else _opens_in(body, is_nested=True)
    return _opens_in(tokens)


def _opens_in(tokens: Sequence[SourceToken], is_nested: bool = False) -> str:
    last = tokens[-1].text
    is_head = last in _AFTER_A_HEAD
    words = {token.text for token in tokens if token.kind == NAME}
    if tokens[0].text in ("unsafe", "fn"):
        return "block"
    if "operator" in words or "fn" in words:
        return "block"
    own = _without_template(tokens)
    has_value = any(token.text in _ASSIGN or token.text == "return" for token in _outer(own))
    if has_value:
        return "in expression" if is_head and last != "}" else "list"
    if is_nested:
        return "list"
    if is_head or len(tokens) == 1 or not words.isdisjoint(_CONTROL) or "->" in [token.text for token in own]:
        return "block"
    return "list"


def _outer(tokens: Sequence[SourceToken]) -> Iterator[SourceToken]:
    depth = 0
    for token in tokens:
        if token.kind == SIGN:
            depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if not depth:
            yield token


def _without_template(tokens: Sequence[SourceToken]) -> Sequence[SourceToken]:
    """Return tokens without the parameters of templates that begin them."""
    while len(tokens) > 1 and tokens[0].text == "template" and tokens[1].text == "<":
        depth = 0
        for at, token in enumerate(tokens):
            depth += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
            if at and depth <= 0:
                tokens = tokens[at + 1 :]
                break
        else:
            return ()
    return tokens


def _indented(text: str, tokens: Sequence[SourceToken]) -> SourceBlock:
    """Return the statements of Python, by their indentation."""
    root = SourceBlock(())
    stack: list[tuple[int, SourceBlock]] = [(0, root)]
    opened: tuple[int, SourceBlock] | None = None
    line: list[SourceToken] = []
    for token in (*tokens, SourceToken(NEWLINE, "\n", len(text), len(text))):
        if token.kind != NEWLINE and not (token.text == ";" and line):
            line.append(token)
            continue
        if not line:
            continue
        start = line[0].start
        indent = start - (text.rfind("\n", 0, start) + 1)
        if opened is not None and indent > opened[0]:
            stack.append((indent, opened[1]))
        while len(stack) > 1 and indent < stack[-1][0]:
            stack.pop()
        opened = None
        if line[-1].text == ":" and len(stack) <= _DEEPEST and line[0].kind == NAME:
            opened = indent, SourceBlock(tuple(line[:-1]))
            stack[-1][1].items.append(opened[1])
        else:
            stack[-1][1].items.append(SourceStatement(tuple(line)))
        for _, block in stack:
            block.end = line[-1].end
        line = []
    return root


def controlled(tokens: Sequence[SourceToken], language: str) -> Sequence[SourceToken]:
    """Return what follows the head of a condition or a loop, in its statement."""
    at = 0
    if language == PYTHON:
        depth = 0
        for place, token in enumerate(tokens):
            depth += token.text in ("(", "[", "{")
            depth -= token.text in (")", "]", "}")
            if token.text == ":" and not depth:
                return tokens[place + 1 :]
        return ()
    while at < len(tokens) and (
        tokens[at].text in CONDITIONALS or tokens[at].text in LOOPS or tokens[at].text == "constexpr"
    ):
        is_bare = tokens[at].text in ("else", "do", "try", "loop")
        at += 1
        if not is_bare and at < len(tokens) and tokens[at].text == "constexpr":
            at += 1
        if not is_bare and at < len(tokens) and tokens[at].text == "(":
            depth = 0
            for place in range(at, len(tokens)):
                depth += (tokens[place].text == "(") - (tokens[place].text == ")")
                if not depth:
                    at = place + 1
                    break
            else:
                return ()
    return tokens[at:]
