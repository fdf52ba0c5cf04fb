"""Asks a Hopper GPU the cases of the record again, and holds its answers against it: ``python -m silicon.run``.

In tests/tools; needs a GPU, its driver and smemdesc, no toolkit. The questions are those of ``smemdesc probe``; only A
in registers and the registers of D are asked here alone. ``--summary`` holds a record against the model instead,
without a GPU.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from silicon import record
from silicon.compare import TABLE, summary
from silicon.record import Answer, Group, Record
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import legal_n
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import Operand, fields_of, operand_of
from smemdesc.probe.driver import Driver
from smemdesc.probe.launch import EMPTY_IMAGE, LAST, THREADS, Answered, Launch, ProbeBlock, RunFault
from smemdesc.probe.planes import MemoryPlace, Naming, patches_of, unit_of
from smemdesc.probe.questions import MmaCase, OperandQuestion, operand_case

ARCH = "sm_90a"
NOTHING, UNREADABLE = 0xFFFFFFFF, 0xFFFFFFFE
"""What stands in a record for an element that is a zero, and for one that is no named one."""
REGISTERS = 4
"""Of A, in one thread."""


def operand_question(group: Group, descriptor: int) -> OperandQuestion:
    """Return the question about one descriptor of A or B."""
    dtype = dtype_of(group.dtype)
    context = Context(dtype=dtype, major=group.major, shape=group.shape)
    operand = operand_of(TABLE.read(descriptor), context)
    side = group.asked.lower()
    case = operand_case(operand, ARCH, side)
    if group.sparse and side == "a":  # it is compressed: its K is that of a dense one
        n = next(n for n in legal_n(dtype.name) if n >= 2 * dtype.k)
        case = case._replace(sparse=True, k=2 * dtype.k, n=n)
    return OperandQuestion(descriptor, operand, side, case)


def _number(place: MemoryPlace) -> int:
    return (NOTHING if place.zero else UNREADABLE) if place.bit is None else place.bit // 8


def ask_operand(driver: Driver, group: Group, descriptor: int) -> Answer:
    """Return the byte address of each element."""
    question = operand_question(group, descriptor)
    answer = question.judge(driver.ask(question.launch()))
    if answer.fault is not None:
        return Answer([], answer.fault.why)
    if answer.strays:
        raise SystemExit(f"{group.form} 0x{descriptor:016x}: {answer.strays} elements of D are not a sum of zeros")
    return Answer([_number(question.naming.place(name)) for name in answer.seen])


def ask_fragment(driver: Driver, group: Group) -> Answer:
    """Return the name of what each element of a fragment is: of A in registers, or of D."""
    dtype = dtype_of(group.dtype)
    naming, of_a = Naming(dtype), group.asked == "registers"
    n = next(n for n in legal_n(dtype.name) if n >= dtype.k) if of_a else group.shape[1]
    case = MmaCase(ARCH, dtype, THREADS // 2, n, dtype.k, group.d_type)
    kernel = case.kernel._replace(a_from="registers" if of_a else "shared")
    a, b = (
        Operand("none", "K", dtype, (rows, dtype.k), start=start, lbo=16 * rows, sbo=128)
        for rows, start in ((case.m, 0x30000), (n, 0x34000))
    )
    # Where the record has the plain operands is no question.
    descriptors = [TABLE.pack(TABLE.encode(fields_of(each))) for each in (a, b)]
    blocks = []
    for plane in range(naming.planes):
        image = EMPTY_IMAGE
        if of_a:
            count = REGISTERS * 32 // dtype.storage
            names = ([naming.digit(thread * count + i, plane) for i in range(count)] for thread in range(THREADS))
            registers = b"".join(unit_of(dtype, tuple(each)) for each in names)
            image = image.patched((LAST - len(registers), registers))
            image = image.patched(*patches_of(b, ((k, k, 1) for k in range(dtype.k))))
        else:
            # The digit of the name m + 64 n is a sum: column 0 brings that of m, column 1 that of 64 n.
            of_m = [(m, 0, naming.digit(m, plane)) for m in range(case.m)]
            image = image.patched(*patches_of(a, [*of_m, *((m, 1, 1) for m in range(case.m))]))
            of_n = [(each, 1, naming.digit(case.m * each, plane) if plane else 0) for each in range(n)]
            image = image.patched(*patches_of(b, [*of_n, *((each, 0, 1) for each in range(n))]))
        blocks.append(ProbeBlock((image,), *descriptors, control=LAST - 16))
    answer = driver.ask(Launch(kernel, tuple(blocks)))
    if isinstance(answer, RunFault):
        return Answer([], answer.why)
    return Answer(_names(case, group, naming, answer))


def _names(case: MmaCase, group: Group, naming: Naming, answer: Answered) -> list[int]:
    numbers = [case.numbers(block[0]) for block in answer.words]
    if group.asked == "registers":
        places = case.places(case.m, case.n)
        wanted = [places[row * case.n + k][1] for row in range(case.m) for k in range(group.shape[1])]
    else:
        wanted = list(range(len(numbers[0])))
    found = (naming.joined([plane[at] for plane in numbers]) for at in wanted)
    return [UNREADABLE if name is None else name for name in found]


def ask_all(driver: Driver) -> Iterator[tuple[Group, list[Answer]]]:
    """Yield every group of cases with its answers."""
    for group in record.read_plan().groups:
        if group.addresses:
            yield group, [ask_operand(driver, group, descriptor) for descriptor in group.descriptors]
        else:
            yield group, [ask_fragment(driver, group) for _ in group.descriptors]


def compare(answered: list[tuple[Group, list[Answer]]], known: Record) -> bool:
    """Print how many answers are those of a record; return whether all are."""
    cases = same = 0
    for (group, answers), (_, before) in zip(answered, known.answers(), strict=True):
        for descriptor, answer, old in zip(group.descriptors, answers, before, strict=True):
            cases += 1
            equal = answer.numbers == old.numbers and bool(answer.fault) == bool(old.fault)
            same += equal
            if not equal:
                print(f"{group.cls}, {group.form}, 0x{descriptor:016x}: {answer.fault or 'another answer'}")
    print(f"{same} of {cases} cases: the same answer as {known.header['chip']} of {known.header['date']}")
    return same == cases


def measure(out: Path | None) -> bool:
    """Ask all, compare with the record and, if there is a folder for it, write another one."""
    begin = time.monotonic()
    with Driver() as driver:
        print(driver.gpu)
        answered = list(ask_all(driver))
        header = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), **driver.gpu.to_dict()}
    if out is not None:
        record.write(out / f"{record.named(driver.gpu.name)}.jsonl.gz", header, answered)
    print(f"{time.monotonic() - begin:.0f} s")
    return compare(answered, record.read())


def show(path: Path) -> bool:
    """Print what a record holds and how it compares with the model; return whether all is as the model says."""
    made = record.read(path)
    for key, value in made.header.items():
        print(f"{key:<20} {value}")
    print(f"\n{'class':<20} {'cases':>6} {'elements':>9} {'mismatches':>10} {'faults':>6}")
    lines = list(summary(made))
    for line in lines:
        print(f"{line.cls:<20} {line.cases:>6} {line.elements:>9} {line.mismatches:>10} {line.faults:>6}")
    return not any(line.mismatches or (line.faults and line.cls != "outside") for line in lines)


def main() -> int:
    """Measure, or show a record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder for another record")
    parser.add_argument("--summary", nargs="?", type=Path, const=record.RECORD, help="compare a record with the model")
    given = parser.parse_args()
    return 0 if (show(given.summary) if given.summary else measure(given.out)) else 1


if __name__ == "__main__":
    sys.exit(main())
