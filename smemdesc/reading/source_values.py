"""What is known of the values in source code: of variables, results of functions, and operands of inline assembly.

Statements are followed in their order. What a loop, a condition, a reference, an unknown call or a branch of the
preprocessor may change is unknown from there on; of arithmetic, what holds for all values of what is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.aliases import field_alias
from smemdesc.reading import integers
from smemdesc.reading.integers import C_PLUS_PLUS, INTEGER_TYPES, PYTHON, RUST, IntegerType, PartlyKnown
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, LONGEST_NAME, called
from smemdesc.reading.source_expressions import (
    LITERAL_MACROS,
    SHARED_ADDRESS_CALLS,
    SHARED_WORD,
    SourceExpression,
    SourceVariable,
    UnreadableError,
    Variables,
    is_plain,
)
from smemdesc.reading.source_libraries import LibraryCalls
from smemdesc.reading.source_parts import (
    ASM,
    CAST_OPERATORS,
    CLASSES,
    ENDS_OF_HEADS,
    KEYWORDS,
    NamePath,
    StatementEffects,
    Tokens,
    after_label,
    assignment_in,
    class_name,
    declared_names,
    effects_in,
    function_head,
    path_of,
    set_often,
    split_tokens,
    statements_in,
    sum_parts,
    without_angles,
    without_attributes,
    without_parentheses,
)
from smemdesc.reading.source_records import (
    GivenOperand,
    MadeDescriptor,
    SourceReading,
    enumerator_code,
    fields_of_record,
    initial_record,
    record_by_name,
    record_of_type,
)
from smemdesc.reading.source_text import (
    CONDITIONALS,
    DIRECTIVE,
    LOOPS,
    MACRO,
    NAME,
    OPAQUE,
    SIGN,
    STRING,
    SourceBlock,
    SourceStatement,
    SourceToken,
    condition_word,
    controlled,
    language_of,
    source_blocks,
    source_tokens,
)
from smemdesc.reading.text import VALUE_BITS


class _SourceFunction(NamedTuple):
    name: str
    parameters: tuple[_Parameter, ...]
    block: SourceBlock
    result: IntegerType | None
    env: Variables
    scope: tuple[str, ...]
    path: tuple[tuple[int, int], ...]
    """The branches of conditions that it is in."""
    start: int


class _Parameter(NamedTuple):
    name: str
    kind: IntegerType | None
    is_reference: bool
    default: Tokens


class _Frame:
    """A function, or the file, whose statements are followed."""

    def __init__(self, scope: tuple[str, ...], is_live: bool, name: str = "", is_class: bool = False) -> None:
        self.scope = scope
        self.is_live = is_live
        """Whether what it makes is reported."""
        self.name = name
        self.is_class = is_class
        self.returned: list[PartlyKnown] = []
        self.return_spans: list[tuple[int, int]] = []
        self.values: dict[str, int] = {}
        """The index of the last value of each variable."""
        self.is_file = False


_MOST_STEPS = 200_000
"""Tokens that are evaluated in one text."""
_DEEPEST_CALL = 8
_MOST_OUTER = 1000
"""First assignments to names declared elsewhere after which their values are not followed."""
_BY_VALUE = re.compile(r"(?i)mma|assert|print|format|desc(?:riptor)?_?encode")
"""Functions of which no one changes its arguments."""
_QUALIFIERS = frozenset(
    (
        *("static", "inline", "constexpr", "const", "consteval", "constinit", "register", "typename", "struct"),
        *("class", "union", "mut", "let", "var", "auto", "__device__", "__host__", "__forceinline__"),
        *("__inline__", "__noinline__", "alias", "comptime", "pub"),
    )
)
_TAKE_VALUES = SHARED_ADDRESS_CALLS | SHARED_WORD | CAST_OPERATORS | KEYWORDS | LITERAL_MACROS.keys()
_CHANGES_ALONE = frozenset(("volatile", "__shared__", "extern", "thread_local", "__constant__", "__managed__"))
_SHORT_TYPES = {
    **{f"u{bits}": IntegerType(bits, False) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": IntegerType(bits, False) for bits in (8, 16, 32, 64)},
}
_SCOPES = frozenset(("namespace", "extern", "mod", "unsafe", "with"))
_STATEMENTS = frozenset(
    ("using", "typedef", "template", "friend", "goto", "break", "continue", "import", "from", "use")
)


def read_source(text: str) -> SourceReading:
    """Return what is known of the descriptors and the operands of inline assembly in a source."""
    language = language_of(text)
    reader = _Reader(text, language)
    reader.read(source_blocks(text, language))
    reading = reader.reading
    if language == PYTHON:
        for start, end in reader.embedded:
            inner = _Reader(text, C_PLUS_PLUS)
            inner.read(source_blocks(text, C_PLUS_PLUS, start, end))
            reading.operands.update(inner.reading.operands)
            reading.values.extend(inner.reading.values)
            reading.instructions.extend(inner.reading.instructions)
    return reading


class ConstantOfC(NamedTuple):
    """A constant expression with the types of C++: its bits as a 64-bit number, and those that are known."""

    bits: int
    known: int
    overflow: tuple[int, int] | None
    """Where a shift is that is undefined: by more bits than its type has."""


def undefined_shift(shift: str) -> tuple[str, str]:
    """Return what is wrong with a shift by more bits than its type has, and what to write instead."""
    left, _, count = map(str.strip, shift.partition("<<"))
    if not left[:1].isdigit():
        return f"C++ does not define << {count} of what has 32 bits", f"uint64_t(..) << {count}"
    return f"{left} has 32 bits, so C++ does not define {left} << {count}", f"{left.rstrip('uU')}ull << {count}"


def constant_of_c(text: str, declared: str = "") -> ConstantOfC | None:
    """Return what C++ computes for an expression of numbers; None if nothing shows that it is one of C++.

    ``declared`` is what stands before the sign of the assignment. A type in it, a suffix or a cast shows it.
    """
    reader = _Reader(text, C_PLUS_PLUS)
    kind = reader.type_named(source_tokens(declared, C_PLUS_PLUS)[:-1])
    if kind is None and not _AUTO.search(declared) and not _OF_C.search(text):
        return None
    value = reader.evaluate(source_tokens(text, C_PLUS_PLUS), {}, ())
    value = value if kind is None else {kind: integers.as_type(value, kind)}
    bits, mask = integers.as_type(value, integers.ULONG)[:2]
    return ConstantOfC(bits & mask, mask & ones(VALUE_BITS), reader.undefined)


_AUTO = re.compile(r"\bauto\b|#[ \t]*+define\b")
_OF_C = re.compile(
    r"(?<![\w'])(?:0[xX][\da-fA-F']++|\d[\d']*+)[uUlL]++\b|\bu?int\d{1,2}_t\b|\bU?INT(?:32|64)_C\b|\bstatic_cast\b"
    r"|\(\s*+(?:unsigned|long|int)\b"
)


class _Reader:
    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.reading = SourceReading([], {}, [])
        self.types = dict(INTEGER_TYPES[language])
        self.overflow: Tokens = ()
        if language == C_PLUS_PLUS:
            self.types.update(_SHORT_TYPES)
        self.functions: dict[str, list[_SourceFunction]] = {}
        self.waiting: list[_SourceFunction] = []
        self.path: tuple[tuple[int, int], ...] = ()
        self.steps = 0
        self.depth = 0
        self.embedded: list[tuple[int, int]] = []
        self._known_effects: dict[int, StatementEffects] = {}
        self.followed = 0
        """How often a name that is declared elsewhere was assigned to for the first time in a block."""
        self.outer: set[str] = set()
        """Names that are assigned to and declared elsewhere."""
        self._results: dict[tuple[object, ...], PartlyKnown | None] = {}
        """Of calls, by the name and what is known of the arguments."""
        self.unclear: frozenset[str] = frozenset()
        """Variables of Python that several statements of the file, or other functions, set."""

    @property
    def anything(self) -> PartlyKnown:
        """A value of which nothing is known."""
        return integers.ANYTHING[self.language]

    @property
    def undefined(self) -> tuple[int, int] | None:
        """Where the last shift is that is undefined."""
        return (self.overflow[0].start, self.overflow[-1].end) if self.overflow else None

    def read(self, root: SourceBlock) -> None:
        frame = _Frame((), True)
        frame.is_file = True
        env: Variables = {}
        self._note_types(root)
        if self.language == PYTHON:
            self.unclear = set_often(root)
        self._items(root, env, frame)
        outer = self._constants(env)
        for function in self.waiting:
            whole = function.env if self.language == C_PLUS_PLUS else {**outer, **function.env}
            if _MAKES.search(self.text, function.start, function.block.end):
                self._report(function._replace(env=whole))

    def _note_types(self, root: SourceBlock) -> None:
        """Note the names that a text gives to types of integers."""
        seen: dict[str, str] = {}
        for statement in statements_in(root):
            tokens = statement.tokens
            words = [token.text for token in tokens]
            if words[:1] == ["using"] and "=" in words and words.index("=") == 2:
                name, of = words[1], words[3:]
            elif words[:1] == ["typedef"] and len(words) > 2:
                name, of = words[-1], words[1:-1]
            elif words[:1] == ["type"] and "=" in words and words.index("=") == 2:
                name, of = words[1], words[3:]
            else:
                continue
            of_text = " ".join(word for word in of if word not in ("std", "::"))
            if seen.setdefault(name, of_text) != of_text or of_text not in self.types:
                self.types.pop(name, None)
                seen[name] = ""
            else:
                self.types[name] = self.types[of_text]

    # Functions.

    def _report(self, function: _SourceFunction) -> None:
        """Follow a function for any arguments, and report what it makes."""
        frame = _Frame((*function.scope, function.name), True, function.name)
        frame.is_live = True
        self.path = function.path
        first = len(self.reading.values)
        try:
            self._call(function, None, frame)
        except RecursionError:
            return
        meaning = _meaning(function.name)
        if meaning not in (DESCRIPTOR, INSTRUCTION) or not frame.returned:
            return
        width = VALUE_BITS if meaning == DESCRIPTOR else WORD
        if function.result is not None and function.result.bits < width:
            return
        value = integers.as_type(integers.one_of(frame.returned), IntegerType(width, False))
        if not value[1]:
            return
        inside = self.reading.values[first:]
        spans = tuple(span for value in inside for span in value.spans)
        del self.reading.values[first:]
        start = function.start
        self.reading.values.append(
            MadeDescriptor(
                *(start, start + len(function.name), (*spans, *frame.return_spans), f"{function.name}()", meaning),
                *(value[0] & value[1], value[1], width),
            )
        )

    def _call(self, function: _SourceFunction, arguments: Sequence[PartlyKnown] | None, frame: _Frame) -> None:
        """Follow the statements of a function; ``arguments`` None: any."""
        env = dict(function.env)
        for at, parameter in enumerate(function.parameters):
            value = self.anything if arguments is None or at >= len(arguments) else arguments[at]
            kind = parameter.kind
            if parameter.is_reference:
                self.outer.add(parameter.name)
            if kind is not None:
                value = {kind: integers.as_type(value, kind)}
            env[parameter.name] = SourceVariable(
                value, kind, outer=parameter.is_reference, declared=function.start + at
            )
        self._items(function.block, env, frame)

    def defines(self, name: str) -> bool:
        """Whether the text defines a function."""
        return name in self.functions

    def result(
        self, name: str, arguments: Sequence[PartlyKnown], named: Mapping[str, PartlyKnown], scope: tuple[str, ...]
    ) -> PartlyKnown | None:
        """Return the result of a call of a function of the text; None if it has none, or several.

        ``named`` are the arguments that are given by their names.
        """
        found = [
            function for function in self.functions.get(name, ()) if scope[: len(function.scope)] == function.scope
        ]
        if len(found) != 1 or len(self.functions[name]) != 1 or self.depth >= _DEEPEST_CALL:
            return None
        (function,) = found
        others = {parameter.name: parameter for parameter in function.parameters[len(arguments) :]}
        if len(arguments) > len(function.parameters) or not named.keys() <= others.keys():
            return None
        if not all(parameter.default for name, parameter in others.items() if name not in named):
            return None
        if self.path[: len(function.path)] != function.path:
            return None
        if self.language == PYTHON and any(parameter.is_reference for parameter in function.parameters):
            return None  # it takes any number of arguments
        key = (name, *(tuple(argument.items()) for argument in arguments), *((of, *named[of].items()) for of in named))
        if key not in self._results:
            inner = (*function.scope, function.name)
            rest = [
                named[of] if of in named else self.evaluate(parameter.default, function.env, inner)
                for of, parameter in others.items()
            ]
            self._results[key] = self._result_of(function, [*arguments, *rest])
        return self._results[key]

    def _result_of(self, function: _SourceFunction, arguments: Sequence[PartlyKnown]) -> PartlyKnown | None:
        """Follow a function for its result."""
        inner = _Frame((*function.scope, function.name), False)
        path, self.path = self.path, function.path
        self.depth += 1
        try:
            self._call(function, arguments, inner)
        finally:
            self.depth -= 1
            self.path = path
        if not inner.returned:
            return None
        value = integers.one_of(inner.returned)
        return value if function.result is None else {function.result: integers.as_type(value, function.result)}

    def _constants(self, env: Variables) -> Variables:
        """Return what a function sees of the names around it: what does not change."""
        python = self.language == PYTHON
        self.outer.update(name for name, variable in env.items() if not variable.fixed)
        return {
            name: variable
            if variable.fixed or (python and name not in self.unclear)
            else SourceVariable(self._unknown(variable), variable.kind, outer=True)
            for name, variable in env.items()
        }

    def _outer(self, env: Variables) -> list[str]:
        """Return the names that are declared elsewhere, so that a call may change them."""
        return [name for name in self.outer & env.keys() if env[name].outer]

    def _unknown(self, variable: SourceVariable) -> PartlyKnown:
        """Return any value of the types that a variable may have."""
        return dict.fromkeys(variable.value, known.UNKNOWN) if self.language == C_PLUS_PLUS else self.anything

    # Blocks.

    def _items(self, block: SourceBlock, env: Variables, frame: _Frame) -> None:
        """Follow the statements of a block; ``env`` changes."""
        opened: list[tuple[Variables, list[Variables], bool, tuple[tuple[int, int], ...]]] = []
        for item in block.items:
            if isinstance(item, SourceBlock):
                self._block(item, env, frame)
                continue
            first = item.tokens[0]
            if first.kind == DIRECTIVE and len(item.tokens) == 1:
                self._condition(first, opened, env)
            elif any(token.kind == DIRECTIVE or token.text == OPAQUE.text for token in item.tokens):
                self._forget(env, None)
            else:
                self._statement(item, env, frame)
        if opened:
            self.path = opened[0][3]
            self._forget(env, None)

    def _condition(
        self,
        token: SourceToken,
        opened: list[tuple[Variables, list[Variables], bool, tuple[tuple[int, int], ...]]],
        env: Variables,
    ) -> None:
        """Follow a condition of the preprocessor: behind it holds what holds in all branches."""
        word = condition_word(token)
        if word.startswith("if"):
            opened.append((dict(env), [], False, self.path))
            self.path = (*self.path, (token.start, 0))
        elif not opened:
            self._forget(env, None)
        elif word == "endif":
            before, ends, has_else, self.path = opened.pop()
            ends = [*ends, dict(env), *([] if has_else else [before])]
            env.clear()
            merged = ends[0]
            for end in ends[1:]:
                merged = self._merged(merged, end)
            env.update(merged)
        else:
            before, ends, has_else, path = opened.pop()
            opened.append((before, [*ends, dict(env)], has_else or word == "else", path))
            env.clear()
            env.update(before)
            self.path = (*path, (token.start, len(ends) + 1))

    def _merged(self, one: Variables, other: Variables) -> Variables:
        """Return what holds after one of two ways."""
        out: Variables = {}
        for name in {**one, **other}:
            a, b = one.get(name), other.get(name)
            if a is b and a is not None:
                out[name] = a
            elif a is None or b is None or a.declared != b.declared or a.kind != b.kind:
                self.outer.add(name)
                out[name] = SourceVariable(self.anything, outer=True)
            else:
                value = integers.one_of((a.value, b.value))
                out[name] = a._replace(
                    value=value, fixed=a.fixed and b.fixed, escaped=a.escaped or b.escaped, outer=a.outer or b.outer
                )
        return out

    def _forget(
        self, env: Variables, names: Iterable[str] | None, frame: _Frame | None = None, *, forever: bool = False
    ) -> None:
        """Make names unknown; None: all that can change. ``forever``: of a descriptor of the frame, nothing is said."""
        for name in list(env) if names is None else [name for name in names if name in env]:
            variable = env[name]
            if not variable.fixed:
                env[name] = variable._replace(
                    value=self._unknown(variable), escaped=variable.escaped or forever, place=-1
                )
            at = frame.values.pop(name, _NOT_HERE) if forever and frame is not None else _NOT_HERE
            if at != _NOT_HERE:
                self.reading.values[at] = self.reading.values[at]._replace(bits=0, known=0)

    def _block(self, block: SourceBlock, env: Variables, frame: _Frame) -> None:
        head = without_attributes(block.head)
        how = self._sort(block, head, frame)
        if how == "function":
            self._define(block, head, env, frame)
            return
        if how == "class":
            self._class(block, head, env, frame)
        elif how == "enum" and self.language == C_PLUS_PLUS:
            self._enumerators(block, head, env, frame)
        elif how in ("plain", "branch"):
            self._once(block, head, env, frame, is_certain=how == "plain")
        else:
            self._repeated(block, head, env, frame, is_apart=how == "function in a function")

    def _class(self, block: SourceBlock, head: Tokens, env: Variables, frame: _Frame) -> None:
        """Follow the statements of a class, in which names may be declared anew."""
        scope = _Frame((*frame.scope, class_name(head)), frame.is_live, is_class=True)
        inner = self._constants(env)
        for name in declared_names(block):
            if name in inner:
                inner[name] = SourceVariable(self.anything)
        self._items(block, inner, scope)

    def _enumerators(self, block: SourceBlock, head: Tokens, env: Variables, frame: _Frame) -> None:
        """Set the enumerators of C++: constants of the type that the enumeration has, which is an int without one."""
        colon = next((at for at, token in enumerate(head) if token.text == ":"), len(head))
        words = [token.text for token in head[:colon] if token.kind == NAME and token.text not in ("enum", "typedef")]
        is_scoped = words[:1] in (["class"], ["struct"])
        kind = self.type_named(head[colon + 1 :]) if colon < len(head) else integers.INT
        listed = block.items[0] if len(block.items) == 1 else None
        parts = split_tokens(listed.tokens) if isinstance(listed, SourceStatement) else []
        if kind is None or any(token.kind in (DIRECTIVE, MACRO) for part in parts for token in part) or not parts:
            self._poison(env, declared_names(block))
            return
        inner, value = dict(env), integers.constant(-1, kind)
        for part in filter(None, parts):
            given = len(part) > 2 and part[1].text == "="
            one = integers.constant(1, integers.INT)
            number = self.evaluate(part[2:], inner, frame.scope) if given else None
            number = number or integers.operate_binary("+", value, one, self.language) or self.anything
            value = {kind: integers.as_type(number, kind)}
            known_value = value if colon < len(head) or is_scoped or _fits(number, kind) else self.anything
            variable = SourceVariable(known_value, kind, fixed=True, declared=part[0].start, place=part[0].start)
            inner[part[0].text] = variable
            env["::".join((*words[-1:], part[0].text))] = variable
            if not is_scoped:
                env[part[0].text] = variable

    def _once(self, block: SourceBlock, head: Tokens, env: Variables, frame: _Frame, *, is_certain: bool) -> None:
        """Follow a block that runs once, if ``is_certain``, or not at all."""
        inner, effects = dict(env), self._effects_of(block)
        if is_certain and frame.is_file and head:
            name = " ".join(token.text for token in head[1:] if token.kind == NAME)
            within = _Frame((*frame.scope, name), frame.is_live)
            within.is_file = True
            self._items(block, inner, within)
        else:
            self._poison(inner, self._declared_by(head))
            values = frame.values
            frame.values = dict(values) if is_certain else dict.fromkeys(values, _NOT_HERE)
            self._items(block, inner, frame)
            frame.values = frame.values if is_certain else values
        may_change = effects.changed | effects.escaped | {name for name, _ in effects.passed} | self.outer
        for name in list(env) if effects.labels else [name for name in may_change if name in env]:
            variable, end = env[name], inner[name]
            if end.declared != variable.declared:  # another one of this name
                env[name] = self._lost(variable) if name in effects.changed else variable
            elif is_certain:
                env[name] = end
            elif end is not variable:
                env[name] = self._either(variable, end)
                self._note_either(name, env, frame)

    def _either(self, before: SourceVariable, after: SourceVariable) -> SourceVariable:
        """Return what holds for a variable that may have been changed."""
        value = before.value if before.fixed else integers.one_of((before.value, after.value))
        return before._replace(value=value, escaped=before.escaped or after.escaped, place=-1)

    def _repeated(self, block: SourceBlock, head: Tokens, env: Variables, frame: _Frame, *, is_apart: bool) -> None:
        """Follow a block that runs any number of times: a loop, a lambda function, or what is not known."""
        effects, is_later = self._effects_of(block), block.in_expression
        self._forget(env, effects.changed, frame, forever=is_later)
        self._forget(env, effects.escaped, frame, forever=True)
        inner = self._constants(env) if is_later else dict(env)
        self._poison(inner, self._declared_by(head))
        if effects.labels:
            self._forget(inner, None)
        frame.values = {name: at for name, at in frame.values.items() if name not in effects.changed}
        self._items(block, inner, _Frame(frame.scope, frame.is_live) if is_later or is_apart else frame)
        if effects.calls:
            self._forget(env, self._outer(env))

    def _lost(self, variable: SourceVariable) -> SourceVariable:
        return variable if variable.fixed else variable._replace(value=self._unknown(variable), place=-1)

    def _poison(self, env: Variables, names: Iterable[str]) -> None:
        """Make names unknown that are declared anew."""
        for name in names:
            env[name] = SourceVariable(self.anything)

    def _sort(self, block: SourceBlock, head: Tokens, frame: _Frame) -> str:
        if block.in_expression:
            return "later"
        if not head:
            return "plain"
        words = [token.text for token in head]
        first = words[0]
        if self.language == PYTHON:
            if "def" in words[:2] or first == "fn":
                return "function" if frame.is_file or frame.is_class else "function in a function"
            if first in ("class", "struct"):
                return "class"
        if first in CONDITIONALS:
            return "branch"
        if first in LOOPS:
            return "loop"
        if first in _SCOPES and not (first == "extern" and words[-1] == ")"):
            return "plain"
        if "enum" in words[:2]:
            return "enum"
        is_function = function_head(head, self.language) is not None
        if not CLASSES.isdisjoint(words) and not (is_function and words[-1] in ENDS_OF_HEADS):
            return "class"
        if is_function and (frame.is_file or frame.is_class):
            return "function"
        return "loop"

    def _define(self, block: SourceBlock, head: Tokens, env: Variables, frame: _Frame) -> None:
        found = function_head(head, self.language)
        if found is None:
            self._forget(env, None)
            return
        at, parameters, before = found
        name = head[at].text
        listed = tuple(
            parameter for part in split_tokens(parameters) if part and (parameter := self._parameter(part)) is not None
        )
        result = self._result_type(head, before, at)
        inner = self._constants(env)
        for token in block.head[: len(block.head) - len(head)]:
            if token.kind == NAME and token.text in inner:
                inner[token.text] = SourceVariable(self.anything)  # a parameter of a template
        function = _SourceFunction(*(name, listed, block, result, inner, frame.scope, self.path, head[at].start))
        self.functions.setdefault(name, []).append(function)
        self.waiting.append(function)

    def _parameter(self, tokens: Tokens) -> _Parameter | None:
        equals = next((at for at, token in enumerate(tokens) if token.text == "="), len(tokens))
        declared, default = tokens[:equals], tokens[equals + 1 :]
        if self.language == C_PLUS_PLUS:
            names = [token for token in without_angles(declared) if token.kind == NAME]
            if not names:
                return None
            is_reference = any(token.text in ("*", "&", "&&", "...", "[") for token in declared)
            kind = None if is_reference else self.type_named(declared[: declared.index(names[-1])])
            return _Parameter(names[-1].text, kind, is_reference, default)
        names = [token for token in declared if token.kind == NAME and token.text not in ("mut", "ref", "out", "owned")]
        if not names:
            return None
        colon = next((at for at, token in enumerate(declared) if token.text == ":"), None)
        kind = None
        if colon is not None and self.language == RUST:
            kind = self.type_named(declared[colon + 1 :])
        is_reference = any(
            token.text in ("&", "*", "**") for token in declared[: 1 if self.language == PYTHON else None]
        )
        return _Parameter(names[0].text, kind, is_reference, default)

    def _result_type(self, head: Tokens, before: Tokens, at: int) -> IntegerType | None:
        arrow = next((place for place, token in enumerate(head) if token.text == "->" and place > at), None)
        if arrow is not None:
            return self.type_named(head[arrow + 1 :]) if self.language != PYTHON else None
        return self.type_named(before) if self.language == C_PLUS_PLUS else None

    def type_named(self, tokens: Tokens) -> IntegerType | None:
        """Return the type that tokens name; None if it is not known, or none of integers."""
        if any(token.text in ("*", "&", "&&", "[", "<") for token in tokens):
            return None
        words = [token.text for token in tokens if token.kind == NAME and token.text not in _QUALIFIERS]
        words = [word for word in words if not word.startswith("__")]
        while len(words) > 1 and " ".join(words) not in self.types and words[-1] in self.types:
            words = words[1:]  # std::uint64_t, MACRO uint64_t
        return self.types.get(" ".join(words))

    def _declared_by(self, head: Tokens) -> list[str]:
        """Return the names that the head of a loop, a function or a condition declares."""
        out = []
        for at, token in enumerate(head):
            if token.kind != NAME:
                continue
            after = head[at + 1].text if at + 1 < len(head) else ""
            before = head[at - 1] if at else None
            is_declared = before is not None and (before.kind == NAME or before.text in _BEFORE_DECLARED)
            if (
                after == ":="
                or (is_declared and (not after or after in _AFTER_DECLARED))
                or (after == "in" and self.language != C_PLUS_PLUS)
            ):
                out.append(token.text)
        return out

    # Statements.

    def _statement(self, statement: SourceStatement, env: Variables, frame: _Frame) -> None:
        tokens = without_attributes(statement.tokens)
        after = after_label(tokens, self.language) if tokens else 0
        if after:
            self._forget(env, None)
            tokens = tokens[after:]
        if not tokens or tokens[0].text in _STATEMENTS:
            return
        self.steps += len(tokens)
        self.overflow = ()
        if self.language == PYTHON:
            self.embedded += ((token.start, token.end) for token in tokens if _is_source_in_string(token))
        first = tokens[0].text
        if first in CONDITIONALS or first in LOOPS:
            self._controlled(statement, tokens, env, frame)
            return
        if tokens[0].kind == MACRO:
            self._forget(env, None)
            return
        if frame.is_live:
            self._library(
                LibraryCalls(
                    self.text, self.language, self.types, tokens, lambda given: self.evaluate(given, env, frame.scope)
                )
            )
        if first in ("return", "co_return") or (statement.is_result and self.language == RUST):
            self._return(tokens[1:] if "return" in first else tokens, env, frame)
        elif first in ASM:
            self._asm(tokens, env, frame)
        elif not (frame.is_class and self.language == C_PLUS_PLUS and _is_declaration(tokens)):
            self._set(tokens, env, frame, effects_in(tokens, self.language))

    def _return(self, value: Tokens, env: Variables, frame: _Frame) -> None:
        frame.returned.append(self.evaluate(value, env, frame.scope))
        self._apply(effects_in(value, self.language), env, frame)
        if value:
            frame.return_spans.append((value[0].start, value[-1].end))

    def _controlled(self, statement: SourceStatement, tokens: Tokens, env: Variables, frame: _Frame) -> None:
        """Follow a statement under a condition, or in a loop, without braces."""
        effects = effects_in(tokens, self.language)
        changed = (effects.changed | effects.escaped) & env.keys()
        is_loop = any(token.text in LOOPS for token in tokens)
        body = controlled(tokens, self.language)
        inner = dict(env)
        self._poison(inner, self._declared_by(tokens[: len(tokens) - len(body)]))
        if is_loop:
            self._forget(inner, changed)
        if body:
            values, frame.values = frame.values, dict.fromkeys(frame.values, _NOT_HERE)
            self._statement(statement._replace(tokens=tuple(body)), inner, frame)
            frame.values = {name: at for name, at in values.items() if not is_loop or name not in effects.changed}
        self._apply(effects, env, frame, but=() if is_loop else changed)
        if not is_loop:
            for name in changed:
                before, after = env[name], inner[name]
                is_same = before.declared == after.declared
                env[name] = self._either(before, after) if is_same else self._lost(before)
                self._note_either(name, env, frame)

    def _apply(self, effects: StatementEffects, env: Variables, frame: _Frame, but: Iterable[str] = ()) -> None:
        """Make unknown what a statement may change."""
        self._forget(env, effects.changed - frozenset(but))
        self._forget(env, effects.escaped, frame, forever=True)
        by_value = self._passed_by_value(effects.passed)
        passed = {name for name, to in effects.passed if (name, to) not in by_value}
        self._forget(env, passed, frame, forever=True)
        if effects.calls:
            self._forget(env, [name for name in self._outer(env) if name not in but])

    def _passed_by_value(self, passed: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the names that are passed to functions which do not change them."""
        if self.language != C_PLUS_PLUS:
            return set(passed)
        out = set()
        for name, to in passed:
            defined = self.functions.get(to, ())
            if defined:
                is_value = not any(parameter.is_reference for function in defined for parameter in function.parameters)
            else:
                is_value = to in _TAKE_VALUES or to in self.types or _BY_VALUE.search(to) is not None
            if is_value:
                out.add((name, to))
        return out

    def _set(self, tokens: Tokens, env: Variables, frame: _Frame, effects: StatementEffects) -> None:
        """Follow a declaration, an assignment, or another statement."""
        at, sign = assignment_in(tokens)
        if at < 0:
            self._apply(effects, env, frame)
            self._declare_only(tokens, env, frame)
            return
        target, value = tokens[:at], tokens[at + 1 :]
        if sign != "=":
            self._update(tokens, target, sign[:-1], value, env, frame, effects)
            return
        if self.language == PYTHON and self._set_several(tokens, target, value, env, frame, effects):
            return
        path = path_of(target)
        if (path is not None and self.language != RUST) or (
            path is not None and target[0].text not in ("let", "const")
        ):
            if self.language == PYTHON and path.text not in env and "." not in path.text and "[" not in path.text:
                self._declare(tokens, target, value, env, frame, effects)
            else:
                self._update(tokens, target, "", value, env, frame, effects)
            return
        if self.language == C_PLUS_PLUS and any(token.text == "[" for token in target) and target[-1].text == "]":
            self._apply(effects, env, frame)
            inside = [token.text for token in target if token.kind == NAME]
            self._poison(env, inside)
            return
        self._declare(tokens, target, value, env, frame, effects)

    def _set_several(
        self, tokens: Tokens, target: Tokens, value: Tokens, env: Variables, frame: _Frame, effects: StatementEffects
    ) -> bool:
        """Follow an assignment of Python to several names, and return whether it is one: ``a, b = 1, 2``."""
        targets, values = split_tokens(without_parentheses(target)), split_tokens(without_parentheses(value))
        is_one = len(targets) == len(values) > 1 and all(len(one) == 1 and one[0].kind == NAME for one in targets)
        if not is_one or assignment_in(value)[0] >= 0 or any(not one or one[0].text == "*" for one in values):
            return False
        numbers = [self.evaluate(one, env, frame.scope) for one in values]
        self._apply(effects, env, frame)
        for (name,), one, number in zip(targets, values, numbers, strict=True):
            if name.text not in env or not env[name.text].escaped:
                self._make((), name.text, number, one, env, frame, "", is_made=True, value=one)
        return True

    def _declare_only(self, tokens: Tokens, env: Variables, frame: _Frame) -> None:
        """Follow a declaration without ``=``: ``T x;``, ``T x{1};``, ``T x(1);``."""
        if self.language == PYTHON or (self.language == RUST and tokens[0].text != "let"):
            return
        plain = without_angles(tokens)
        is_head = [token.kind == NAME or token.text in ("::", "*", "&") for token in plain]
        at = is_head.index(False) if False in is_head else len(plain)
        if sum(token.kind == NAME for token in plain[:at]) < 2 or plain[at - 1].kind != NAME:
            return
        follows = plain[at].text if at < len(plain) else ""
        declared, rest = plain[: at - 1], plain[at:]
        name = plain[at - 1].text
        table = record_of_type(declared)
        value = self.anything
        if follows == "{" and len(split_tokens(rest[1:-1])) <= 1 and rest[-1].text == "}":
            inside = rest[1:-1]
            value = self.evaluate(inside, env, frame.scope) if inside else integers.constant(0, integers.INT)
        elif follows not in ("", ",", "(", "["):
            return
        self._make(declared, name, value, tokens, env, frame, table, is_made=follows == "{")
        if follows == ",":
            self._poison(env, [token.text for token in rest if token.kind == NAME])

    def _declare(
        self, tokens: Tokens, target: Tokens, value: Tokens, env: Variables, frame: _Frame, effects: StatementEffects
    ) -> None:
        """Follow a declaration with a value; in C++ perhaps several."""
        parts = [value]
        if self.language == C_PLUS_PLUS:
            parts = split_tokens(value)
            if len(parts) > 1 and any(token.text == "<" for token in value):
                self._apply(effects, env, frame)
                self._poison(env, [token.text for token in (*target, *value) if token.kind == NAME])
                return
        kind_tokens, name = self._declarator(target)
        if not name:
            self._apply(effects, env, frame)
            return
        is_reference = any(token.text in ("&", "&&") for token in kind_tokens)
        number = self.evaluate(parts[0], env, frame.scope)
        root = path_of(parts[0])
        self._apply(effects, env, frame, but=[name])
        if is_reference and root is not None:
            self._forget(env, [root.root], frame, forever=True)
        self._make(
            kind_tokens, name, number, tokens, env, frame, record_of_type(kind_tokens), is_made=True, value=parts[0]
        )
        for part in parts[1:]:
            at, sign = assignment_in(part)
            other = [token.text for token in part[: at if at >= 0 else len(part)] if token.kind == NAME]
            if sign == "=" and len(other) == 1 and part[0].kind == NAME:
                number = self.evaluate(part[at + 1 :], env, frame.scope)
                self._make(kind_tokens, other[0], number, part, env, frame, "", is_made=True, value=part[at + 1 :])
            else:
                self._poison(env, other)

    def _declarator(self, target: Tokens) -> tuple[Tokens, str]:
        """Return the type in a declaration, and the name that is declared; no name if there are several."""
        if self.language == C_PLUS_PLUS:
            plain = without_angles(target)
            if plain and plain[-1].kind == NAME:
                return plain[:-1], plain[-1].text
            return target, ""
        names = [token for token in target if token.kind == NAME and token.text not in _QUALIFIERS | {"static"}]
        colon = next((at for at, token in enumerate(target) if token.text == ":"), len(target))
        if not names or any(token.text in (",", "(", "[", ".") for token in target[:colon]):
            return target, ""
        return (*(token for token in target[:colon] if token is not names[0]), *target[colon + 1 :]), names[0].text

    def _make(
        self,
        kind_tokens: Tokens,
        name: str,
        number: PartlyKnown,
        tokens: Tokens,
        env: Variables,
        frame: _Frame,
        table: str,
        *,
        is_made: bool,
        value: Tokens = (),
    ) -> None:
        """Set a variable that is declared."""
        words = {token.text for token in kind_tokens}
        kind = self.type_named(kind_tokens)
        is_fixed = (
            not words.isdisjoint(("const", "constexpr", "alias", "comptime"))
            or (self.language == RUST and "mut" not in words and "static" not in words)
        ) and not words & {"*", "&", "&&"}
        is_static = "static" in words and not is_fixed
        is_open = bool(words & _CHANGES_ALONE) or is_static or bool(words & {"*", "&", "&&"})
        is_auto = "auto" in words or (self.language != C_PLUS_PLUS and kind is None)
        if self.language == PYTHON and kind is not None:
            kind = None  # an annotation converts nothing
        if kind is not None:
            number = {kind: integers.as_type(number, kind)}
        elif table and value and _is_zero(number):
            number = integers.constant(0)
        elif not is_auto:
            number = self.anything
        if table:
            number, kind = initial_record(table, number), IntegerType(fields_of_record(table).width, False)
        variable = SourceVariable(
            *(number, kind, is_fixed, is_open),
            declared=tokens[0].start,
            place=tokens[0].start,
            table=table,
        )
        if is_open or (frame.is_class and not is_fixed):
            variable = variable._replace(value=self._unknown(variable), escaped=True)
        env[name] = variable
        frame.values.pop(name, None)
        if is_made and value:
            self._note(name, name, tokens, value, env, frame)

    def _update(
        self,
        tokens: Tokens,
        target: Tokens,
        sign: str,
        value: Tokens,
        env: Variables,
        frame: _Frame,
        effects: StatementEffects,
    ) -> None:
        """Follow an assignment to what is declared before, or elsewhere."""
        path = path_of(target)
        if path is None:
            self._apply(effects, env, frame)
            self._forget(env, self._outer(env))
            return
        number = self.evaluate(value, env, frame.scope)
        variable = env.get(path.root)
        self._apply(effects, env, frame, but=[path.root])
        if path.text != path.root or path.is_far:
            self._set_field(path, sign, number, tokens, value, env, frame)
            return
        before = variable or SourceVariable(self.anything, outer=True, escaped=self.followed > _MOST_OUTER, declared=-2)
        if variable is None:
            self.outer.add(path.root)
            self.followed += 1
        if before.fixed:
            return
        if sign:
            changed = integers.operate_binary(sign, before.value, number, self.language)
            number = self.anything if changed is None else changed
        if self.language == C_PLUS_PLUS:
            number = {kind: integers.as_type(number, kind) for kind in before.value}
        elif before.kind is not None:
            number = {before.kind: integers.as_type(number, before.kind)}
        is_known = not before.escaped
        env[path.root] = before._replace(value=number if is_known else self._unknown(before), place=tokens[0].start)
        if path.root in effects.escaped or (path.root, "") in effects.passed:
            self._forget(env, [path.root], forever=True)
        self._note(path.text, path.root, tokens, value, env, frame, is_change=bool(sign))

    def _set_field(
        self,
        path: NamePath,
        sign: str,
        number: PartlyKnown,
        tokens: Tokens,
        value: Tokens,
        env: Variables,
        frame: _Frame,
    ) -> None:
        """Follow an assignment to a field of a descriptor; any other field makes what it is of unknown."""
        last = re.split(r"\.|->|::", path.text)[-1]
        variable = env.get(path.root)
        table = variable.table if variable is not None else ""
        is_bit_field = ".bitfield." in path.text or (last.endswith("_") and path.text.count(".") == 1)
        if variable is None and is_bit_field and self.language == C_PLUS_PLUS and not path.is_far:
            table = record_by_name(path.text)
            if table:
                width = IntegerType(fields_of_record(table).width, False)
                self.outer.add(path.root)
                variable = SourceVariable(
                    initial_record(table, self.anything), width, table=table, outer=True, declared=-3
                )
        if variable is None or variable.fixed or not table or path.is_far:
            self._forget(env, [path.root])
            if variable is None and not sign:
                self._note_far(path.text, tokens, value, number, frame)
            return
        rows = fields_of_record(table)
        width = IntegerType(rows.width, False)
        bits, mask = integers.as_type(variable.value, width)[:2]
        key = field_alias(last.strip("_"))
        whole = last in ("desc_", "desc", "reg64_", "raw")
        if whole and not sign:
            bits, mask = integers.as_type(number, width)[:2]
        elif not sign and key in rows.masks:
            row = rows.row(key)
            code = enumerator_code(rows, row.key, number, value, self.types)
            field = IntegerType(row.width, False)
            new = integers.as_type(number, field) if code < 0 else known.const(code, row.width)
            bits, mask = (
                rows.insert(bits & mask, key, new[0] & new[1]),
                rows.insert(mask, key, new[1] & ones(row.width)),
            )
        else:
            bits, mask = 0, 0
        known_bits: known.Value = known.UNKNOWN if variable.escaped else (bits & mask, mask)
        env[path.root] = variable._replace(value={width: known_bits}, kind=width, table=table, place=tokens[0].start)
        if mask:
            self._note(path.root, path.root, tokens, value, env, frame, is_change=True, is_field=True)

    def _note_far(self, name: str, tokens: Tokens, value: Tokens, number: PartlyKnown, frame: _Frame) -> None:
        """Note a descriptor that is assigned to what is not followed: a member, what a pointer points to."""
        meaning = _meaning(name)
        if meaning not in (DESCRIPTOR, INSTRUCTION) or not frame.is_live or is_plain(value, self.types):
            return
        self._add(name, meaning, tokens, value, number, frame, "")

    def _note(
        self,
        shown: str,
        name: str,
        tokens: Tokens,
        value: Tokens,
        env: Variables,
        frame: _Frame,
        *,
        is_change: bool = False,
        is_field: bool = False,
    ) -> None:
        """Note a descriptor that a variable holds now; of several statements in a row the last one counts."""
        if not frame.is_live:
            return
        variable = env[name]
        statement = self.text[tokens[0].start : tokens[-1].end]
        if variable.kind is None and not _AUTO.search(statement) and not _OF_C.search(statement):
            self.overflow = ()  # as it stands it may be one of Python
        meaning = _meaning(shown)
        if variable.table:
            meaning = INSTRUCTION if variable.table.startswith("idesc") else DESCRIPTOR
        if meaning not in (DESCRIPTOR, INSTRUCTION) and not (is_change and name in frame.values):
            if meaning or is_change or self.language == PYTHON or not self._looks_made(name, value):
                return
            meaning = ""
        at = frame.values.get(name)
        if is_change and at == _NOT_HERE:
            return
        if is_change and at is not None:
            before = self.reading.values[at]
            new = self._bits(variable.value, before.width)
            spans = (*before.spans, (tokens[0].start, tokens[-1].end))
            self.reading.values[at] = before._replace(
                spans=spans, bits=new[0], known=new[1], text=name, overflow=before.overflow or self.undefined
            )
            return
        is_number = self._is_left_to_numbers(value, variable.value)
        if not is_change and is_number:
            index = self._add(name, meaning, tokens, value, variable.value, frame, "")
            self.reading.values[index] = self.reading.values[index]._replace(text="")
        else:
            index = self._add(name, meaning, tokens, value, variable.value, frame, variable.table)
            if is_field:
                self.reading.values[index] = self.reading.values[index]._replace(text=name)
        frame.values[name] = index

    def _is_left_to_numbers(self, value: Tokens, number: PartlyKnown) -> bool:
        """Whether the reader of numbers lists a value, so that it is not listed here: an expression of numbers.

        That reads no masks, no octal numbers and no sum without a shift, and of C++ only what is defined.
        """
        if self.language == RUST or not is_plain(value, self.types):
            return False
        if any(self.text[token.start : token.end] != token.text for token in value):
            return False  # a macro
        is_known = all(one[1] & ones(kind.bits) == ones(kind.bits) for kind, one in number.items())
        signs = {token.text for token in value if token.kind == SIGN}
        is_listed = signs.isdisjoint(_MASKS) and ("<<" in signs or signs.isdisjoint(_SUMS))
        is_listed = is_listed and not any(_OCTAL.fullmatch(token.text) for token in value)
        return is_listed and (is_known or self.language != C_PLUS_PLUS)

    def _note_either(self, name: str, env: Variables, frame: _Frame) -> None:
        """Note what a descriptor is after a condition, under which it may have been changed."""
        at = frame.values.get(name, _NOT_HERE)
        if at != _NOT_HERE:
            before = self.reading.values[at]
            bits, mask = self._bits(env[name].value, before.width)
            self.reading.values[at] = before._replace(bits=bits, known=mask)

    def _looks_made(self, name: str, value: Tokens) -> bool:
        """Whether a variable with another name may become a descriptor: it begins as one."""
        return len(value) == 1 and len(name) <= _SHORT_NAME

    def _add(
        self, name: str, meaning: str, tokens: Tokens, value: Tokens, number: PartlyKnown, frame: _Frame, table: str
    ) -> int:
        width = WORD if meaning == INSTRUCTION else VALUE_BITS
        bits, mask = self._bits(number, width)
        text = " ".join(self.text[value[0].start : value[-1].end].split()) if value else name
        span = (tokens[0].start, tokens[-1].end)
        start = value[0].start if value else tokens[0].start
        self.reading.values.append(
            MadeDescriptor(
                *(start, tokens[-1].end, (span,), text, meaning, bits, mask, width, table), overflow=self.undefined
            )
        )
        return len(self.reading.values) - 1

    def _bits(self, number: PartlyKnown, width: int) -> tuple[int, int]:
        one = integers.as_type(number, IntegerType(width, False))
        return one[0] & one[1], one[1]

    def _library(self, calls: LibraryCalls) -> None:
        """Note the MMAs of libraries that a statement names, and the descriptors that its calls make."""
        self.reading.instructions.extend(calls.mmas())
        self.reading.values.extend(calls.made())

    # Inline assembly.

    def _asm(self, tokens: Tokens, env: Variables, frame: _Frame) -> None:
        """Follow a statement of inline assembly: what it reads is noted, what it writes is unknown."""
        sections: list[list[SourceToken]] = [[]]
        depth = 0
        for token in tokens[1:]:
            if token.kind == SIGN:
                depth += token.text in ("(", "[", "{")
                depth -= token.text in (")", "]", "}")
            if depth == 1 and token.text in (":", "::"):
                sections += [[] for _ in token.text]
                continue
            if depth > 1 or (depth == 1 and token.text != "("):
                sections[-1].append(token)
        operands: list[GivenOperand] = []
        written: list[str] = []
        for number, section in enumerate(sections[1:3]):
            for part in filter(None, split_tokens(section)):
                opening = next((at for at, token in enumerate(part) if token.text == "("), None)
                expression = part[opening + 1 : -1] if opening is not None else ()
                operands.append(self._operand(expression, env, frame))
                if number == 0:
                    written += [token.text for token in expression if token.kind == NAME]
        if frame.is_live:
            self.reading.operands[tokens[0].start] = operands
        self._forget(env, written)
        if any("memory" in token.text for section in sections[3:] for token in section):
            self._forget(env, self._outer(env))

    def _operand(self, tokens: Tokens, env: Variables, frame: _Frame) -> GivenOperand:
        if not tokens:
            return GivenOperand("", (), -1)
        text = " ".join(self.text[tokens[0].start : tokens[-1].end].split())
        parts = sum_parts(tokens)
        terms = tuple(self._bits(self.evaluate(part, env, frame.scope), VALUE_BITS) for part in parts)
        if self.language != C_PLUS_PLUS or len(parts) < 2 or self._sum_width(parts, env, frame) < VALUE_BITS:
            terms = (self._bits(self.evaluate(tokens, env, frame.scope), VALUE_BITS),)
        path = path_of(parts[0])
        variable = env.get(path.root) if path is not None else None
        return GivenOperand(text, terms, -1 if variable is None else variable.place)

    def _sum_width(self, parts: Sequence[Tokens], env: Variables, frame: _Frame) -> int:
        """Return the bits in which a sum is certainly computed."""
        return max(min(kind.bits for kind in self.evaluate(part, env, frame.scope)) for part in parts)

    # Expressions.

    def evaluate(self, tokens: Tokens, env: Variables, scope: tuple[str, ...]) -> PartlyKnown:
        """Return what is known of an expression."""
        self.steps += len(tokens)
        if not tokens or self.steps > _MOST_STEPS:
            return self.anything
        expression = SourceExpression(tokens, self, env, scope)
        try:
            value = expression.parse(0)
            return value if expression.at == len(tokens) else self.anything
        except (UnreadableError, RecursionError):
            return self.anything

    def _effects_of(self, block: SourceBlock) -> StatementEffects:
        """Return what a block may change."""
        key = id(block)
        if key not in self._known_effects:
            parts = [effects_in(block.head, self.language)]
            for item in block.items:
                if isinstance(item, SourceBlock):
                    parts.append(self._effects_of(item))
                else:
                    effects = effects_in(item.tokens, self.language)
                    if any(token.kind == DIRECTIVE or token.text == OPAQUE.text for token in item.tokens):
                        names = frozenset(token.text for token in item.tokens if token.kind == NAME)
                        effects = effects._replace(changed=effects.changed | names)
                    parts.append(effects)
            joined = StatementEffects(
                frozenset().union(*(part.changed for part in parts)),
                frozenset().union(*(part.escaped for part in parts)),
                frozenset().union(*(part.passed for part in parts)),
                any(part.calls for part in parts),
                any(part.labels for part in parts),
            )
            by_value = self._passed_by_value(joined.passed)
            escaped = {name for name, to in joined.passed if (name, to) not in by_value}
            self._known_effects[key] = joined._replace(escaped=joined.escaped | escaped)
        return self._known_effects[key]


_BEFORE_DECLARED = frozenset(("&", "*", ">", "as", "|", ","))
_AFTER_DECLARED = frozenset(("=", ":", ",", ")", "in", "|", "]"))
_SHORT_NAME = 4
_MASKS, _SUMS = frozenset(("&", "^", "~", "-", "%", "//")), frozenset("|+*/")
_OCTAL = re.compile(r"0(?=[0']*+[1-7])[0-7']++[uUlL]*+")
_NOT_HERE = -1
"""In place of the index of a value: it was made before a condition."""


_MAKES = re.compile(r"(?i)desc|\basm\b|__asm|bitfield|mma_|\bSM(?:90|100|120)_")


def _is_source_in_string(token: SourceToken) -> bool:
    """Whether a string of Python may hold a source with inline assembly."""
    return token.kind == STRING and "asm" in token.text and "{" in token.text


def _is_declaration(tokens: Tokens) -> bool:
    """Whether a statement of a class declares a function."""
    words = [token.text for token in tokens]
    return "(" in words and "=" not in words


def _meaning(name: str) -> str:
    """Return what a name calls what is assigned to it."""
    return called(f"{name[-LONGEST_NAME:]} = ") if "desc" in name.lower() else ""


def _fits(number: PartlyKnown, kind: IntegerType) -> bool:
    """Whether a number is known and not negative, and a type with a sign has it."""
    bits, mask = integers.as_type(number, integers.LONG)[:2]
    return mask & ones(VALUE_BITS) == ones(VALUE_BITS) and bits & mask & ones(VALUE_BITS) < 1 << kind.bits - 1


def _is_zero(number: PartlyKnown) -> bool:
    return integers.truth(number) is False
