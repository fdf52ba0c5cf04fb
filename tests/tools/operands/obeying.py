"""Whether obeying the repairs of a wrong constant ends at the constant that was meant, whatever is told around it.

    python -m operands.obeying [--count N] [--seed S] [--details] [--show OUTCOME]     (from the folder tests/tools)

Every mistake of N random plans is made, one at a time, and judged by ``decode`` and ``mma`` with more and more told:
the table has a row for each cause and a column for each that is told, in a cell the percentages of

    right         the repairs end at what was meant
    alternatives  the fault has no repair, and what was meant is among the alternatives
    open          a fault, without a repair, and without alternatives
    silent        no fault is found

and after a ``!`` the number of those that must not be, which ``--show`` prints as commands:

    wrong         the repairs end at something else in which nothing is wrong, or never
    missed        what was meant is not among the alternatives
    advised       a fault is found in what was meant
"""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from operands.causes import Mistake, Planned, mistakes, planned
from operands.contexts import map_of
from smemdesc.api.checking import mma
from smemdesc.api.decoding import decode
from smemdesc.descriptors.result import literal_of
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import BLAS
from smemdesc.layout.strides import LBO, SBO
from smemdesc.rules.base import NOTE, Finding
from smemdesc.tiles.tile import tma_order

ROUNDS = 6
ALLOWED = ("right", "alternatives", "open", "silent")
NEVER = ("wrong", "missed", "advised")

DECODED = ("", "arch", "dtype", "major", "dtype major", "dtype major shape", "dtype major tile", "dtype major map",
           "dtype major shape tile", "dtype major shape tile order", "dtype major shape map",
           "arch dtype major shape tile order map")  # fmt: skip
SYMBOLIC = ("symbol", "symbol dtype major shape", "symbol arch dtype major shape tile order map")
IDESC = (
    "",
    "arch",
    "cta_group",
    "shape",
    "dtype",
    "dtype shape",
    "trans_a trans_b",
    "arch cta_group scale_vec dtype shape trans_a trans_b",
)
CHECKED = ("", "tile", "tile at", "tile swizzle", "tile order", "tile swizzle major order",
           "tile swizzle major order at dtype", "map", "tile map", "tile swizzle major order at dtype map")  # fmt: skip
SYMBOLS = ("symbol", "symbol tile", "symbol tile swizzle major order dtype map")
_ORDER = (*CHECKED, *IDESC, *DECODED, *SYMBOLIC, *SYMBOLS)
Constants = dict[str, Any]
"""Constants by the option of the command: numbers, text of those with a symbol, and the immediates."""


class Asked(NamedTuple):
    """One command without the constants that it is about."""

    command: str
    """``decode`` or ``mma``."""
    of: str
    """The constant that ``decode`` is given."""
    told: dict[str, Any]

    def findings(self, constants: Constants) -> tuple[Finding, ...] | None:
        """Return the faults that follow from no other, worst first; None if the command is refused."""
        return _faults(self.command, self.of, tuple(self.told.items()), tuple(constants.items()))

    def typed(self, constants: Constants) -> str:
        """Return the command line."""
        words = ["smemdesc", self.command]
        options = {**constants, **self.told} if self.command == "mma" else self.told
        words += [] if self.command == "mma" else [_hex(constants[self.of], self.of)]
        for key, value in options.items():
            if value is False or value is None:
                continue
            words.append(f"--{key.replace('_', '-')}")
            if value is not True:
                words.append(_hex(value, key) if isinstance(value, int) and key in ("a", "b", "idesc") else str(value))
        return shlex.join(words)


@lru_cache(maxsize=1 << 14)
def _faults(
    command: str, of: str, told: tuple[tuple[str, Any], ...], constants: tuple[tuple[str, Any], ...]
) -> tuple[Finding, ...] | None:
    # Remembered: most of the ways lead to one constant.
    options = dict(told)
    try:
        found = mma(**dict(constants), **options) if command == "mma" else decode(dict(constants)[of], **options)
    except SmemdescError:
        return None
    return tuple(finding for finding in found.findings if finding.severity != NOTE and not finding.because)


def _hex(value: int | str, name: str) -> str:
    return value if isinstance(value, str) else f"0x{value:0{8 if name == 'idesc' else 16}x}"


# What is told


def decoding(case: Planned, name: str, words: str) -> Asked | None:
    """Return ``decode`` of a constant, with what these words name; None if there is no such thing to tell."""
    names = [each for each in words.split() if each != "symbol"]
    instruction = case.plan.mma.instruction
    if name == "idesc":
        known: dict[str, Any] = {"arch": case.plan.arch, "cta_group": instruction.cta_group}
        types, majors = _types(case)
        known |= {"scale_vec": instruction.scale_vec, "dtype": types}
        known |= {"shape": "x".join(map(str, case.plan.mma_shape)), "trans_a": majors[0], "trans_b": majors[1]}
        told = {each: known[each] for each in names if known[each] is not None}
        return Asked("decode", name, {"kind": "idesc", "mma_kind": case.mma_kind, **told})
    tile = case.operand(name).tile
    packed = {"mma_kind": case.mma_kind} if "dtype" in names and tile.dtype.storage < 8 else {}
    known = {"arch": case.plan.arch, "dtype": tile.dtype.name, "major": tile.major, "shape": str(tile.mma)}
    known |= {"tile": str(tile.shape), "order": tile.order, "map": _map(case, name)}
    if known["map"] is None and "map" in names:
        return None
    return Asked("decode", name, {"kind": tile.kind.name, **packed, **{each: known[each] for each in names}})


def _types(case: Planned) -> tuple[str, list[str]]:
    """Return the types of A and B, and their major-nesses as a column-major BLAS names them."""
    fields = case.kind("idesc").table.read(int(case.right["idesc"]))
    turned = {(name, major): trans for (name, trans), major in BLAS.items()}
    majors = {name: "MN" if fields[f"transpose_{name}"].bits else "K" for name in "ab"}
    return f"{fields['a_type'].value},{fields['b_type'].value}", [turned[each] for each in majors.items()]


def _map(case: Planned, name: str) -> str | None:
    box = map_of(case.operand(name).tile)
    return box and f"box={'x'.join(map(str, box.box))},swizzle={box.swizzle},dtype={box.data_type}"


def checking(case: Planned, words: str) -> Asked | None:
    """Return ``mma`` of the instruction, with what these words name of each operand; None if there is no such thing."""
    names = words.split()
    instruction, plan = case.plan.mma.instruction, case.plan
    told: dict[str, Any] = {"arch": plan.arch, "sparse": instruction.sparse or None}
    if instruction.family == "wgmma":
        m, n, k = plan.mma_shape
        told |= {"inst": f"m{m}n{n}k{k}", "dtype": f"{instruction.a_type},{instruction.b_type}"}
    else:
        told |= {"mma_kind": case.mma_kind, "cta_group": plan.cta_group, "scale_vec": instruction.scale_vec}
    if instruction.a_from != "shared":
        told["a_from"] = instruction.a_from
    for name, start in case.starts.items():
        tile = case.operand(name).tile
        if "map" in names:
            told[f"{name}_map"] = _map(case, name)
            if told[f"{name}_map"] is None:
                return None
        if "tile" in names:
            if "order" not in names and tile.order != tma_order(tile.major):
                return None  # without the order it is the other one
            known = {"swizzle": tile.swizzle, "major": tile.major, "order": tile.order, "at": hex(start)}
            known["dtype"] = tile.dtype.name
            parts = [f"{key}={value}" for key, value in known.items() if key in names]
            told[f"{name}_tile"] = ",".join((str(tile.whole), *parts))
    return Asked("mma", "", {key: value for key, value in told.items() if value is not None})


def symbolic(case: Planned, constants: Constants) -> Constants | None:
    """Return constants with the starts as distances from the symbols of their tiles; None where they begin before."""
    texts = {}
    for name, start in case.starts.items():
        if name in constants:
            reading = case.kind(name).table.read(constants[name])[START]
            rest = constants[name] & ~case.kind(name).table.masks[START]
            offset = int(reading.value or 0) - start
            if offset < 0 or case.operand(name).tile.absolute:
                return None
            texts[name] = f"0x{rest:016x}@{name}_tile:{case.operand(name).alignment}{offset:+#x}"
    return {**constants, **texts}


# What is obeyed


class Question(NamedTuple):
    """One context in which mistakes can be told."""

    of: str
    """What is asked."""
    words: str
    """What is told."""
    asked: Asked
    right: Constants
    """The constants that it is about, as numbers."""

    @property
    def symbol(self) -> bool:
        """Whether the starts are told as distances from a symbol."""
        return "symbol" in self.words


class Answer(NamedTuple):
    """What comes of one mistake in one context."""

    outcome: str
    after: Constants
    mistake: Mistake
    question: Question
    before: Constants
    meant: Constants


def questions(case: Planned) -> Iterator[Question]:
    """Yield each context in which the constants of a case can be told."""
    right = case.right
    for name in (each for each in right if not each.startswith("trans")):
        for words in IDESC if name == "idesc" else (*DECODED, *SYMBOLIC):
            of = f"decode {'idesc' if name == 'idesc' else case.kind(name).name}"
            if (asked := decoding(case, name, words)) is not None:
                yield Question(of, words, asked, {name: right[name]})
    for words in (*CHECKED, *SYMBOLS):
        if (asked := checking(case, words)) is not None:
            yield Question(f"mma {case.plan.kind}", words, asked, right)


def answers(case: Planned, question: Question, every: Iterable[Mistake]) -> Iterator[Answer]:
    """Yield the answer for each mistake that the question can be about; none where it is refused for what is right."""
    right, asked = question.right, question.asked
    meant = symbolic(case, right) if question.symbol else right
    found = None if meant is None else asked.findings(meant)
    if meant is None or found is None:
        return
    if found:
        yield Answer("advised", meant, Mistake("nothing", "", next(iter(right)), 0), question, meant, meant)
        return
    for mistake in every:
        # Of a start, a step too far can be seen from a symbol alone.
        if mistake.name not in right or (question.symbol and mistake.cause.startswith("start-address")):
            continue
        wrong = {**right, mistake.name: mistake.value}
        before = symbolic(case, wrong) if question.symbol else wrong
        if before is not None:
            yield Answer(*obey(case, asked, before, meant, mistake.cause), mistake, question, before, meant)


def obey(case: Planned, asked: Asked, constants: Constants, meant: Constants, cause: str = "") -> tuple[str, Constants]:
    """Return the outcome of obeying every repair of a mistake, and the constants at the end."""
    for number in range(ROUNDS):
        found = asked.findings(constants)
        if found is None:
            return "open", constants
        if not found:
            is_right = _alike(case, constants, meant)
            return ("silent" if not number else "right" if is_right else "wrong"), constants
        for finding in found:
            obeyed = _obeyed(case, asked, constants, finding, finding.to_dict())
            if obeyed is not None and obeyed != constants:
                constants = obeyed
                break
        else:
            break
    else:
        return "wrong", constants
    every = [(finding, each) for finding in found for each in finding.to_dict().get("alternatives") or ()]
    if not every:
        return "open", constants
    taken = [_obeyed(case, asked, constants, finding, each) for finding, each in every]
    is_named = any(each is not None and _alike(case, each, meant) for each in taken)
    # What is not told has no constant: the layout of the tile, another start, what an address ran over.
    unnamed = [said["cause"] for _, said in every if not said.get("repaired")]
    is_named |= any(each == cause or _differ_only(case, constants, meant, OPEN.get(each, ())) for each in unnamed)
    return ("alternatives" if is_named else "missed"), constants


OPEN = {"wrong-stride": (LBO, SBO, "swizzle"), "k-advance": (START,)}
"""The fields that an alternative without a constant is about."""


def _differ_only(case: Planned, constants: Constants, meant: Constants, keys: Iterable[str]) -> bool:
    """Whether A and B differ from what was meant in these fields, and in nothing else."""
    for name in "ab":
        if name in constants:
            numbers = [literal_of(each[name]).number for each in (constants, meant)]
            masks = case.kind(name).table.masks
            if (numbers[0] ^ numbers[1]) & ~sum(masks[key] for key in keys):
                return False
    return True


def _obeyed(
    case: Planned, asked: Asked, constants: Constants, finding: Finding, said: dict[str, Any]
) -> Constants | None:
    """Return the constants with what the JSON of a finding, or of an alternative, says; None if that is no repair."""
    repair = said.get("repair") or {}
    if repaired := said.get("repaired"):
        # Of A and of B, it may be about the instruction descriptor, which has fewer digits.
        name = asked.of or ("idesc" if len(repaired) == len("0x12345678") else finding.operand or "")
        return {**constants, name: repaired if {*repaired} & {*"@?"} else int(repaired, 16)}
    if repair.keys() & constants.keys():
        return {**constants, **repair}
    changed = constants
    for key, value in repair.items():
        for name in (finding.operand or asked.of, "idesc"):
            table = case.kind(name).table if name in constants else None
            if table is not None and key in table.by_key:
                raw = table.row(key).codec.encode(value)
                constant = _inserted(case.kind(name), changed[name], key, raw)
                if constant is None:
                    return None
                changed = {**changed, name: constant}
                break
    return changed if repair else None


def _inserted(kind: Kind, constant: int | str, key: str, raw: int) -> int | str | None:
    if isinstance(constant, int):
        return kind.table.insert(constant, key, raw)
    if key == START or "@" not in constant:
        return None
    value, _, start = constant.partition("@")
    return f"0x{kind.table.insert(int(value, 16), key, raw):016x}@{start}"


def _alike(case: Planned, constants: Constants, meant: Constants) -> bool:
    return all(_same(case, name, value, meant[name]) for name, value in constants.items())


def _same(case: Planned, name: str, value: int | str | bool, meant: int | str | bool) -> bool:
    if not isinstance(value, str):
        return case.same(name, value)
    one, other = literal_of(value), literal_of(str(meant))
    # A start that is not known is the right one if its base and its distance are, or if its known bits are.
    start = case.kind(name).table.masks[START]
    known = start & ~one.unknown & ~other.unknown
    if one.start not in (other.start, None) or one.unknown & ~start or (one.number ^ other.number) & known:
        return False
    return case.same(name, one.number & ~start | case.descriptor(name) & start)


# The table


def cells(found: Iterable[Answer], details: bool) -> dict[str, dict[str, dict[str, Counter[str]]]]:
    """Return how many of each outcome there are, by what is asked, the mistake, and what is told."""
    every: dict[str, dict[str, dict[str, Counter[str]]]] = {}
    for answer in found:
        mistake, question = answer.mistake, answer.question
        row = f"{mistake.cause}: {mistake.what}" if details else mistake.cause
        told = every.setdefault(question.of, {}).setdefault(row, {}).setdefault(question.words, Counter())
        told[answer.outcome] += 1
    return every


_SHORT = {"dtype": "d", "major": "m", "shape": "s", "swizzle": "w", "order": "o", "at": "@", "symbol": "sym"}
_COLUMNS = 7


def lines(every: dict[str, dict[str, dict[str, Counter[str]]]]) -> Iterator[str]:
    """Yield the tables in Markdown: at most seven of what is told beside each other."""
    for of, rows in every.items():
        words = sorted({word for row in rows.values() for word in row}, key=_ORDER.index)
        for first in range(0, len(words), _COLUMNS):
            part = words[first : first + _COLUMNS]
            heads = [" ".join(_SHORT.get(each, each) for each in word.split()) or "nothing" for word in part]
            yield f"\n| {of} | " + " | ".join(heads) + " |"
            yield "|---" * (len(part) + 1) + "|"
            for row, told in sorted(rows.items()):
                yield f"| {row} | " + " | ".join(_cell(told.get(word, Counter())) for word in part) + " |"


def _cell(counts: Counter[str]) -> str:
    total, bad = counts.total(), sum(counts[each] for each in NEVER)
    shares = " ".join(str(round(100 * counts[each] / total)) for each in ALLOWED) if total else ""
    return shares + (f" !{bad}" if bad else "")


def main() -> None:
    """Print the table, the totals, and the commands of an outcome."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="random plans")
    parser.add_argument("--mistakes", type=int, help="at most so many random mistakes in each (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only causes, or what is asked, with this in their names")
    parser.add_argument("--details", action="store_true", help="a row for each mistake of a cause")
    parser.add_argument("--show", choices=(*ALLOWED, *NEVER), action="append", default=[])
    arguments = parser.parse_args()
    random, found = Random(arguments.seed), list[Answer]()
    for _ in range(arguments.count):
        case = planned(random)
        every = list(mistakes(case))
        every = random.sample(every, min(len(every), arguments.mistakes or len(every)))
        for question in questions(case):
            mine = [each for each in every if arguments.only in f"{each.cause} {question.of}"]
            found += answers(case, question, mine) if mine else ()
    for line in lines(cells(found, arguments.details)):
        print(line)
    total = Counter(answer.outcome for answer in found)
    print(f"\n{total.total()} answers: " + ", ".join(f"{total[each]} {each}" for each in (*ALLOWED, *NEVER)))
    for answer in found:
        if answer.outcome in arguments.show:
            print("\n" + "\n".join(shown(answer)))


def shown(answer: Answer) -> Iterator[str]:
    """Yield the command of an answer, and where its repairs lead."""
    mistake, question = answer.mistake, answer.question
    yield f"# {answer.outcome}: {mistake.cause}, {mistake.what}; {question.of}; {question.words or 'nothing'} told"
    yield question.asked.typed(answer.before)
    for name, value in answer.meant.items():
        if name == mistake.name or value != answer.after[name]:
            before, after = _text(answer.before[name], name), _text(answer.after[name], name)
            yield f"#   {name}: {before} ends at {after}, meant {_text(value, name)}"


def _text(value: Any, name: str) -> str:
    return str(value) if isinstance(value, bool) else _hex(value, name)


if __name__ == "__main__":
    main()
