"""Runs a kernel of a PTX dump as one thread, integers only, to see which descriptors its MMAs really get.

It knows the instructions that nvcc makes of this folder's kernels and stops at any other. Registers hold Python
integers; memory is a dictionary of bytes. Shared memory begins at ``BASE``, loads of what nobody stored give 0.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator

from .dumps import Row
from .geometry import BASE

_ADDRESS = re.compile(r"\[\s*([\w$%.]+)\s*(?:\+\s*(-?\d+))?\s*\]")
_LABEL = re.compile(r"^\s*([\w$]+):\s*", re.M)
_FUNCTION = re.compile(r"\.(?:entry|func)\s+(?:\(([^)]*)\)\s*)?([\w$]+)\s*\(([^)]*)\)[^{};]*\{")
_TABLE = re.compile(r"\.const[^;=\n]*?\.[bu](8|64) ([\w$]+)\[\d+\] = \{([^}]*)\}")
LOCAL, CONSTANT = 1 << 32, 1 << 40
LIMIT = 200_000
COMPUTED: dict[str, Callable[..., int]] = {
    "add": operator.add, "sub": operator.sub, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "mul": operator.mul, "div": operator.floordiv, "shr": operator.rshift,
    "shl": lambda a, b: a << min(b, 64),
    "mov": lambda a: a, "cvta": lambda a: a, "not": operator.inv, "neg": operator.neg,
    "mad": lambda a, b, c: a * b + c,
    "selp": lambda a, b, predicate: a if predicate else b,
    "shfl": lambda a, *other: a,
    "bfe": lambda a, low, count: a >> low & (1 << count) - 1,
    "bfi": lambda a, into, low, count: into ^ (into ^ a << low) & (1 << count) - 1 << low,
}  # fmt: skip
"""What an instruction makes of its sources."""
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
IGNORED = (".reg", ".loc", ".pragma", ".local", ".shared", ".param", "wgmma.fence", "wgmma.commit", "wgmma.wait")


class UnknownError(Exception):
    """The PTX has an instruction that is not known here."""


class Function:
    """A function's statements and where its labels stand among them."""

    def __init__(self, parameters: list[str], result: str, body: str) -> None:
        self.parameters = parameters
        self.result = result
        self.statements: list[str] = []
        self.labels: dict[str, int] = {}
        self.shared = re.findall(r"\.shared[^;]*?\.b8 ([\w$]+)", body)
        self.depots = re.findall(r"\.local[^;]*?\.b8\s+([\w$]+)", body)
        for piece in _pieces(body):
            label = _LABEL.match(piece)
            while label:
                self.labels[label[1]] = len(self.statements)
                piece = piece[label.end() :]
                label = _LABEL.match(piece)
            if piece.strip():
                self.statements.append(" ".join(piece.split()))


def _pieces(body: str) -> Iterator[str]:
    """Split into statements; braces that hold operands stay inside theirs."""
    start = depth = 0
    for place, letter in enumerate(body):
        if letter == "{" and not _LABEL.sub("", body[start:place]).strip():
            yield body[start:place]
            start = place + 1
        elif letter == "{":
            depth += 1
        elif letter == "}" and depth:
            depth -= 1
        elif letter == "}":
            start = place + 1
        elif letter == ";" and not depth:
            yield body[start:place]
            start = place + 1


def _closing(text: str, place: int) -> int:
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        place += 1
    return place - 1


class Module:
    """A PTX dump."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"//[^\n]*|^\s*\.(?:loc|file)\s[^\n]*", "", text, flags=re.M)
        self.functions: dict[str, Function] = {}
        self.memory: dict[int, int] = {}
        self.symbols: dict[str, int] = {}
        self.shared = set(re.findall(r"\.extern \.shared[^;]*?\.b8 ([\w$]+)", text))
        for found in _TABLE.finditer(text):
            size, name, numbers = int(found[1]) // 8, found[2], found[3]
            where = CONSTANT + 4096 * len(self.symbols)
            self.symbols[name] = where
            for i, number in enumerate(numbers.split(",")):
                for j, byte in enumerate((int(number) & (1 << 64) - 1).to_bytes(8, "little")[:size]):
                    self.memory[where + i * size + j] = byte
        for found in _FUNCTION.finditer(text):
            body = text[found.end() : _closing(text, found.end())]
            words = [re.findall(r"[\w$]+", each.partition("[")[0]) for each in found[3].split(",") if each.strip()]
            result = re.findall(r"[\w$]+", found[1] or "")
            self.functions[found[2]] = Function([each[-1] for each in words], result[-1] if result else "", body)

    def run(self, kernel: str, arguments: tuple[int, ...], thread: int = 0) -> list[Row]:
        """Run a kernel; return the descriptors of each MMA or copy in the order of issue."""
        function = self.functions[kernel]
        return Thread(self, dict(zip(function.parameters, arguments, strict=True)), thread).run(function)


class Thread:
    """The one thread."""

    def __init__(self, module: Module, parameters: dict[str, int], number: int) -> None:
        self.module = module
        self.number = number
        self.memory = dict(module.memory)
        self.parameters = parameters
        self.issued: list[Row] = []
        self.steps = 0

    def run(self, function: Function) -> list[Row]:
        """Run to the return."""
        registers: dict[str, int] = {"%tid.x": self.number}
        symbols = {**self.module.symbols, **dict.fromkeys([*function.shared, *self.module.shared], BASE)}
        symbols.update(dict.fromkeys(function.depots, LOCAL))
        place = 0

        def value(word: str) -> int:
            word = word.strip()
            if re.fullmatch(r"-?(?:0x[0-9a-fA-F]+|\d+)", word):
                return int(word, 0)
            if word.startswith(("0f", "0d")):
                return 0
            return symbols[word] if word in symbols else registers.get(word, 0)

        while place < len(function.statements):
            self.steps += 1
            if self.steps > LIMIT:
                raise UnknownError("it does not end")
            text = function.statements[place]
            place += 1
            if text.startswith("@"):
                guard, text = text[1:].split(None, 1)
                if bool(registers.get(guard.lstrip("!"), 0)) is guard.startswith("!"):
                    continue
            name, _, rest = text.partition(" ")
            if name.startswith(IGNORED):
                continue
            head, *types = name.split(".")
            operands = [each.strip() for each in re.split(r",(?![^{\[(]*[}\])])", rest)]
            width = next((int(each[1:]) for each in reversed(types) if re.fullmatch(r"[busf]\d+", each)), 1)
            signed = any(re.fullmatch(r"s\d+", each) for each in types)
            full = (1 << width) - 1

            def number(word: str, width: int = width, signed: bool = signed) -> int:
                bits = value(word) & (1 << width) - 1
                return bits - (1 << width) if signed and bits >> (width - 1) else bits

            if head in ("ret", "exit"):
                break
            if head == "bra":
                place = function.labels[operands[0]]
            elif head == "call":
                self._call(text)
            elif name.startswith(("wgmma.mma_async", "tcgen05.mma", "tcgen05.cp")):
                self.issued.append(_descriptors(name, operands, value))
            elif head == "st":
                self._store(operands[0], value(operands[1]) & full, width, value)
            elif head == "ld":
                registers[operands[0]] = self._load(operands[1], width, value)
            elif head == "mov" and operands[1].startswith("{"):
                words = [value(each) for each in operands[1].strip("{}").split(",")]
                part = width // len(words)
                registers[operands[0]] = sum((each & (1 << part) - 1) << part * i for i, each in enumerate(words))
            elif head == "mov" and operands[0].startswith("{"):
                names = operands[0].strip("{} ").split(",")
                part = width // len(names)
                for i, each in enumerate(names):
                    registers[each.strip()] = value(operands[1]) >> part * i & (1 << part) - 1
            elif head == "cvt":
                source = int(types[-1][1:])
                got = number(operands[1], source, types[-1].startswith("s")) if types[-1][0] in "busf" else 0
                target = next(int(each[1:]) for each in types if re.fullmatch(r"[busf]\d+", each))
                registers[operands[0]] = got & (1 << target) - 1
            elif head == "elect":
                registers[operands[0].partition("|")[2]] = 1
            elif head in COMPUTED or head == "setp":
                compute = COMPARED[types[0]] if head == "setp" else COMPUTED[head]
                wide = (1 << 2 * width) - 1 if "wide" in types else full
                registers[operands[0].partition("|")[0]] = compute(*map(number, operands[1:])) & wide
            else:
                raise UnknownError(text)
        return self.issued

    def _address(self, text: str, value: Callable[[str], int]) -> tuple[str, int]:
        found = _ADDRESS.match(text)
        assert found is not None, text
        return found[1], (0 if found[1] in self.parameters else value(found[1])) + int(found[2] or 0)

    def _store(self, to: str, bits: int, width: int, value: Callable[[str], int]) -> None:
        name, address = self._address(to, value)
        if re.match(r"param\d|func_retval", name):
            self.parameters[name] = bits
            return
        for i in range(width // 8):
            self.memory[address + i] = bits >> 8 * i & 255

    def _load(self, source: str, width: int, value: Callable[[str], int]) -> int:
        name, address = self._address(source, value)
        if name in self.parameters:
            return self.parameters[name] & (1 << width) - 1
        return sum(self.memory.get(address + i, 0) << 8 * i for i in range(width // 8))

    def _call(self, text: str) -> None:
        found = re.search(r"call(?:\.uni)?\s*\((\w+)\)\s*,\s*([\w$]+)\s*,\s*\(([^)]*)\)", text)
        if found is None:
            raise UnknownError(text)
        called = self.module.functions[found[2]]
        kept = dict(self.parameters)
        given = [self.parameters[each.strip()] for each in found[3].split(",")]
        self.parameters = {**kept, **dict(zip(called.parameters, given, strict=True))}
        Thread.run(self, called)
        self.parameters = {**kept, found[1]: self.parameters[called.result]}


def _descriptors(name: str, operands: list[str], value: Callable[[str], int]) -> Row:
    """Pick the descriptors among the operands, as the PTX ISA orders them."""
    full = (1 << 64) - 1
    if name.startswith("tcgen05.cp"):
        return Row(None, value(operands[1]) & full, None, None)
    a = None if operands[1][0] in "[{" else value(operands[1]) & full
    b = value(operands[2]) & full
    if name.startswith("wgmma"):
        return Row(a, b, None, None)
    idesc = value(operands[4 if ".sp." in name else 3]) & 0xFFFFFFFF
    mask = None
    if ".ws" in name and len(operands) == (7 if ".sp." in name else 6):
        mask = value(operands[-1]) & full
    return Row(a, b, idesc, mask)
