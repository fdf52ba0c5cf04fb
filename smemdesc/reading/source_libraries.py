"""Calls of libraries that make a descriptor of their arguments, and names of the MMAs of libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from smemdesc.engine.fields import WORD, Scaled, Table, ones
from smemdesc.reading import integers
from smemdesc.reading.integers import C_PLUS_PLUS, IntegerType, PartlyKnown
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION
from smemdesc.reading.source_parts import Tokens, closing_of, split_tokens
from smemdesc.reading.source_records import MadeDescriptor, enumerator_code, fields_of_record
from smemdesc.reading.source_text import NAME, SourceToken


class _LibraryCall(NamedTuple):
    """A function of a library that makes a descriptor: the fields that its arguments are."""

    table: str
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    """The fields that the arguments of the template are, if it has any."""
    in_bytes: bool = False
    """Whether offsets are in bytes, not in units of 16."""
    scopes: tuple[str, ...] = ()


_STRIDES = ("stride_byte_offset", "leading_byte_offset", "swizzle")
_CALLS = {
    "initialize_wgmma_descriptor": _LibraryCall(
        "wgmma",
        ("", "", "swizzle", "leading_byte_offset", "stride_byte_offset"),
        ("swizzle", "leading_byte_offset", "stride_byte_offset"),
    ),
    "initialize_tcgen05_descriptor": _LibraryCall(
        "tcgen05",
        ("", "", "leading_byte_offset", "stride_byte_offset", "base_offset", "lbo_mode", "swizzle"),
        (),
    ),
    "create": _LibraryCall("tcgen05", (), _STRIDES, in_bytes=True, scopes=("MMASmemDescriptor.",)),
}
"""Those of TileLang, whose arguments are what is in the bits, and of Mojo."""
_LIBRARIES = frozenset(("tl::", "T.", "tl.", "tir."))
_MMA = re.compile(r"(?:ptx_)?(?:wgmma|tcgen05_?mma)_(?:\w*_)?(?:ss|rs|ts)")
_MMA_OF_CUTLASS = re.compile(r"SM90_\d+x\d+x\d+_\w+|SM100_MMA_\w+|SM120_\d+x\d+x\d+_\w+")
_WITH_IDESC = frozenset(("tcgen05mma_ss", "tcgen05mma_ts", "tcgen05mma_ws_ss", "tcgen05mma_ws_ts"))
_IDESC_PLACE = 4
"""Which of the arguments of these is the instruction descriptor."""


class LibraryCalls:
    """What the calls in one statement make; ``evaluate`` returns what is known of an argument."""

    def __init__(
        self,
        text: str,
        language: str,
        types: Container[str],
        tokens: Tokens,
        evaluate: Callable[[Tokens], PartlyKnown],
    ) -> None:
        self._text = text
        self._language = language
        self._types = types
        self._tokens = tokens
        self._evaluate = evaluate

    def mmas(self) -> Iterator[tuple[int, int]]:
        """Yield where the names of MMAs of libraries stand."""
        for at, token in self._names():
            scope = self._scope(at)
            is_of_library = scope in _LIBRARIES
            if (is_of_library and _MMA.fullmatch(token.text)) or _MMA_OF_CUTLASS.fullmatch(token.text):
                yield token.start - len(scope) * is_of_library, token.end

    def made(self) -> Iterator[MadeDescriptor]:
        """Yield the descriptors that calls make, and those with which they call an MMA."""
        for at, token in self._names():
            scope, call = self._scope(at), _CALLS.get(token.text)
            made = None
            if scope in _LIBRARIES and token.text in _WITH_IDESC:
                made = self._instruction_descriptor(at)
            elif call and (scope in _LIBRARIES or scope in call.scopes):
                made = self._matrix_descriptor(at, call)
            if made:
                yield made

    def _names(self) -> Iterator[tuple[int, SourceToken]]:
        return ((at, token) for at, token in enumerate(self._tokens) if token.kind == NAME)

    def _scope(self, at: int) -> str:
        return "".join(each.text for each in self._tokens[max(0, at - 2) : at])

    def _matrix_descriptor(self, at: int, call: _LibraryCall) -> MadeDescriptor | None:
        tokens, follows = self._tokens, at + 1
        keys, arguments = call.arguments, []
        if follows < len(tokens) and tokens[follows].text in ("<", "["):
            end = closing_of(tokens, follows)
            keys, arguments = call.parameters, split_tokens(tokens[follows + 1 : end])
            follows = end + 1
        if follows >= len(tokens) or tokens[follows].text != "(":
            return None
        end = closing_of(tokens, follows)
        arguments = arguments or split_tokens(tokens[follows + 1 : end])
        rows = fields_of_record(call.table)
        bits, mask = rows.must_value, rows.full & ~rows.masks["start_address"]
        for key, argument in zip(keys, [*arguments, *([()] * len(keys))], strict=False):
            if key:
                new = self._field(rows, key, argument, in_bytes=call.in_bytes)
                bits, mask = rows.insert(bits & mask, key, new[0]), rows.insert(mask, key, new[1])
        first, last = tokens[at - 2 if at > 1 else at], tokens[min(end, len(tokens) - 1)]
        shown = tokens[follows - 1] if call.parameters is keys else last
        text = " ".join(self._text[first.start : shown.end].split())
        span = (tokens[0].start, tokens[-1].end)
        return MadeDescriptor(
            first.start, last.end, (span,), text, DESCRIPTOR, bits & mask, mask, rows.width, call.table
        )

    def _instruction_descriptor(self, at: int) -> MadeDescriptor | None:
        """Return the instruction descriptor that an MMA of TileLang is called with."""
        tokens = self._tokens
        opening = closing_of(tokens, at + 1) + 1 if at + 1 < len(tokens) and tokens[at + 1].text == "<" else at + 1
        if opening >= len(tokens) or tokens[opening].text != "(":
            return None
        arguments = split_tokens(tokens[opening + 1 : closing_of(tokens, opening)])
        if len(arguments) <= _IDESC_PLACE or not (given := arguments[_IDESC_PLACE]):
            return None
        bits, mask = integers.as_type(self._evaluate(given), IntegerType(WORD, False))[:2]
        text = " ".join(self._text[given[0].start : given[-1].end].split())
        span = (given[0].start, given[-1].end)
        return MadeDescriptor(*span, (span,), text, INSTRUCTION, bits & mask, mask, WORD)

    def _field(self, rows: Table, key: str, argument: Tokens, *, in_bytes: bool) -> tuple[int, int]:
        """Return the known bits of a field that is an argument; without one it is 0."""
        row = rows.row(key)
        if not argument:
            return 0, ones(row.width)
        number = self._evaluate(argument)
        if in_bytes and key.endswith("_offset") and isinstance(row.codec, Scaled):
            step = integers.constant(
                row.codec.step, integers.INT if self._language == C_PLUS_PLUS else integers.UNBOUNDED
            )
            number = integers.operate_binary("//", number, step, self._language) or integers.ANYTHING[self._language]
        named = (*argument[:1], *argument) if len(argument) == 1 else argument
        code = enumerator_code(rows, key, number, named, self._types)
        if code >= 0:
            return code, ones(row.width)
        new = integers.as_type(number, IntegerType(row.width, False))
        return new[0] & new[1], new[1] & ones(row.width)
