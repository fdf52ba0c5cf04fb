"""Random programs of SASS out of ``programs.grammar``, which says how each kind of them is written."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

M32 = (1 << 32) - 1
Scope = dict[str, str]
Piece = Callable[["Writer", Scope], str]
_RULE = re.compile(r"(\w+) =(?: (.*))?$")
_CHOICE = re.compile(r"\s+(\d+)(\^?)(?:\[(.*?)\])? \|(?: (.*))?$")
_CALL = re.compile(r"\$([a-z_0-9]+|\(\w+\))(?:\*(\d+)-(\d+)|\*(each))?")
_BOUND = re.compile(r"\{(\w+)(?:\+(\d))?\}")


class Choice(NamedTuple):
    """What a rule may be written as, where ``condition`` holds; ``deeper``: once less within itself."""

    weight: int
    deeper: bool
    condition: str
    text: str


@cache
def rules() -> dict[str, list[Choice]]:
    found: dict[str, list[Choice]] = {}
    for line in (Path(__file__).parent / "programs.grammar").read_text().splitlines():
        if rule := _RULE.match(line):
            choices = found[rule[1]] = [] if rule[2] is None else [Choice(1, False, "", rule[2])]
        elif choice := _CHOICE.match(line):
            choices.append(Choice(int(choice[1]), bool(choice[2]), choice[3] or "", choice[4] or ""))
        elif line.startswith(" "):
            choices[-1] = choices[-1]._replace(text=f"{choices[-1].text} {line.strip()}")
    return found


def _closed(text: str, at: int) -> int:
    """Return where the bracket closes that opens at a place."""
    opening, closing = text[at], "}" if text[at] == "{" else ">"
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if not depth:
            return place
    raise ValueError(text)


def _apart(text: str) -> list[str]:
    """Return what stands between the slashes that are in no bracket."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "<{") - (letter in ">}")
        if letter == "/" and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


def _value(text: str) -> int | str:
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9a-f]+|[0-9]+)", text) else text


def _evaluated(expression: str, scope: Scope) -> int:
    return int(eval(expression, {"M32": M32}, {name: _value(value) for name, value in scope.items()}))


@cache
def _choosing(inside: str) -> Piece:
    """Read ``<0x1..0x20>``, a number; ``<20%text>``; ``<one*3/other>``, of which the first is three times as likely."""
    if bounds := re.fullmatch(r"(0x[0-9a-f]+|\d+)\.\.(0x[0-9a-f]+|\d+)", inside):
        first, last = int(bounds[1], 0), int(bounds[2], 0)
        form = "#x" if bounds[1].startswith("0x") else "d"
        return lambda writer, scope: format(writer.rng.randint(first, last), form)
    if share := re.match(r"(\d+)%", inside):
        percent, text = int(share[1]), inside[share.end() :]
        return lambda writer, scope: writer.text(text, scope) if writer.rng.random() * 100 < percent else ""
    every = []
    for each in _apart(inside):
        weighted = re.search(r"\*(\d+)$", each)
        every += [each[: weighted.start()]] * int(weighted[1]) if weighted else [each]
    return lambda writer, scope: writer.text(writer.rng.choice(every), scope)


def _binding(name: str, text: str) -> Piece:
    """Read ``{x=text}``, ``{x=(a+1)}`` or ``{x=0x(a+1)}``: a name for what a rule, and those that it calls, read."""
    calculated = re.fullmatch(r"(0x)?\((.*)\)", text)

    def piece(writer: Writer, scope: Scope) -> str:
        if calculated:
            scope[name] = format(_evaluated(calculated[2], scope), "#x" if calculated[1] else "d")
        else:
            scope[name] = writer.text(text, scope)
        return ""

    return piece


def _bound(name: str, plus: str) -> Piece:
    return lambda writer, scope: str(int(scope[name]) + int(plus)) if plus else scope[name]


def _call(name: str, least: int, most: int) -> Piece:
    def piece(writer: Writer, scope: Scope) -> str:
        called = scope[name[1:-1]] if name[0] == "(" else name
        return ";".join(writer.rule(called, scope) for _ in range(writer.rng.randint(least, most)))

    return piece


def _of_each(name: str) -> Piece:
    """Call a rule for each register, with its file and number in ``u`` and ``i``."""
    return lambda writer, scope: ";".join(
        writer.rule(name, {**scope, "u": u, "i": str(i)}) for i in range(int(scope["n"])) for u in ("", "U")
    )


@cache
def _pieces(text: str) -> list[str | Piece]:
    found: list[str | Piece] = []
    at = 0
    while at < len(text):
        if text[at] == "$":
            call = _CALL.match(text, at)
            assert call, text
            name, least, most, each = call.groups()
            found.append(_of_each(name) if each else _call(name, int(least or 1), int(most or 1)))
            at = call.end()
        elif text[at] in "<{":
            end = _closed(text, at)
            inside = text[at + 1 : end]
            if text[at] == "<":
                found.append(_choosing(inside))
            elif inside[0] == ">":
                found.append(lambda writer, scope, inside=inside: writer.later(inside[1:], scope))  # type: ignore[misc]
            elif bound := _BOUND.match(text, at):
                found.append(_bound(bound[1], bound[2]))
            else:
                found.append(_binding(*inside.split("=", 1)))
            at = end + 1
        else:
            plain = re.compile(r"[^$<{]+").match(text, at)
            assert plain
            found.append(plain[0])
            at = plain.end()
    return found


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.behind: list[str] = []
        """What stands behind the end of the program."""
        self.functions: dict[str, list[str]] = {}

    def text(self, text: str, scope: Scope) -> str:
        return "".join([each if isinstance(each, str) else each(self, scope) for each in _pieces(text)])

    def rule(self, name: str, scope: Scope) -> str:
        """Write a rule; the names that it binds are forgotten."""
        if name in _BUILT_IN:
            return _BUILT_IN[name](self, scope)
        choices = rules()[name]
        choice = choices[0]
        if len(choices) > 1:
            depth = int(scope["depth"])
            choices = [
                each
                for each in choices
                if (depth or not each.deeper) and (not each.condition or _evaluated(f"bool({each.condition})", scope))
            ]
            choice = self.rng.choices(choices, [each.weight for each in choices])[0]
        return self.text(choice.text, {**scope, "depth": str(int(scope["depth"]) - choice.deeper)})

    def later(self, text: str, scope: Scope) -> str:
        self.behind.append(self.text(text, dict(scope)))
        return ""

    def fresh(self) -> str:
        """Return a number that was not yet given."""
        self.count += 1
        return str(self.count)

    def function(self, scope: Scope) -> str:
        """Return a function of a level, which calls none of that level: one that is there, or another."""
        there = self.functions.setdefault(scope["level"], [])
        if not there or self.rng.random() < 0.5:
            there.append(name := f".L_f_{self.fresh()}")
            self.later(f"{name}:; $(function)", scope)
            return name
        return self.rng.choice(there)

    def write(self, kind: str) -> str:
        """Return a program as nvdisasm would print it."""
        scope = {"u": "", "depth": "2", "level": "0", "compare": "compare", "synced": "synced", "call": "ways_call",
                 "elect": "elect"}  # fmt: skip
        items = [each.strip() for each in self.rule(kind, scope).split(";")]
        items += [each.strip() for text in self.behind for each in text.split(";")]
        return self.printed([each for each in [*items, ".L_end:", "BRA `(.L_end)"] if each])

    def printed(self, items: list[str]) -> str:
        """Number the instructions. A label with ``~`` goes anywhere; one with ``&`` is not printed."""
        anywhere = [each[1:] for each in items if each[0] == "~"]
        items = [each for each in items if each[0] != "~"]
        first = next((place for place, each in enumerate(items) if "BRX" in each), 0)
        last = max(place for place, each in enumerate(items) if each == "EXIT")
        for label in anywhere:
            items.insert(self.rng.randrange(first + 1, max(last, first + 2)), label)
        lines: list[str] = []
        at: dict[str, str] = {}
        count = 0
        for each in items:
            if each[0] == "&":
                at[each[:-1]] = f"{16 * count:#x}"
            elif each[-1] == ":":
                lines.append(each)
            else:
                lines.append(f"        /*{16 * count:04x}*/                   {each} ;")
                count += 1
        text = '.section .text.fuzz,"ax",@progbits\n.text.fuzz:\n' + "\n".join(lines) + "\n"
        return re.sub(r"&\.L_x_\d+", lambda label: at[label[0]], text)

    def constant(self) -> str:
        """A run of ones, a small number, or any."""
        rng = self.rng
        run = M32 & ((1 << rng.randint(1, 12)) - 1) << rng.randrange(32)
        number = rng.choice(
            (run, M32 ^ run, rng.choice((0, rng.randrange(64))), rng.getrandbits(32), -rng.randrange(1, 0x80000))
        )
        return f"{number:#x}"


_BUILT_IN: dict[str, Callable[[Writer, Scope], str]] = {
    "imm": lambda writer, scope: writer.constant(),
    "bits8": lambda writer, scope: f"{writer.rng.getrandbits(8):#x}",
    "bits16": lambda writer, scope: f"{writer.rng.getrandbits(16):#x}",
    "bits32": lambda writer, scope: f"{writer.rng.getrandbits(32):#x}",
    "pow2": lambda writer, scope: f"{1 << writer.rng.randrange(32):#x}",
    "r": lambda writer, scope: str(writer.rng.randrange(int(scope["n"]))),
    "even": lambda writer, scope: str(writer.rng.randrange(0, int(scope["n"]), 2)),
    "quad": lambda writer, scope: str(writer.rng.randrange(0, int(scope["n"]) - 3, 2)),
    "new": lambda writer, scope: f".L_x_{writer.fresh()}",
    "fresh": lambda writer, scope: str(30 + int(writer.fresh()) % 200),
    "fn": Writer.function,
}
"""Constants, numbers of registers (any, even, the first of four), labels, a register of its own, and a function."""


def program(kind: str, seed: object) -> str:
    """Return a program of a kind: always the same one."""
    return Writer(random.Random(f"{kind} {seed}")).write(kind)
