"""Rules for one kernel's shared memory: copies against the barriers that wait for them and the MMAs that read."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from smemdesc.engine.wording import line_words, many
from smemdesc.rules.base import Finding, Problem, case_rule, error, explained

TMA_SOURCE = "PTX ISA 9.1, 9.7.9.25 (cp.async.bulk) and 9.7.13.15 (mbarrier, tx-count)"


class BarrierBytes(NamedTuple):
    """What a barrier is told to wait for, and what the copies that name it bring."""

    barrier: str
    """Its address, as it is shown."""
    expected: int
    """Bytes."""
    least: int
    """Bytes that the copies bring, at least."""
    most: int | None
    """At most; None if no limit is known."""
    lines: tuple[int, ...]
    """Of the copies."""
    by_maps: bool
    """Whether the boxes of the copies say how many bytes they bring; else what the MMAs read of their tiles."""
    pair: bool = False
    """Whether two CTAs may copy for one barrier."""
    written: int = 0
    """Bytes of the tiles that something else may write, at most."""


class StageStrides(NamedTuple):
    """From stage to stage, the bytes by which a copy and an MMA move."""

    operand: str
    copied: int
    read: int
    lines: tuple[int, ...]
    """Of the MMAs."""


class Overwritten(NamedTuple):
    """A place in shared memory that a copy writes while it holds something else."""

    what: str
    """What it holds."""
    at: str
    size: int
    """Bytes that the copy writes."""
    lines: tuple[int, ...]


class Beside(NamedTuple):
    """A copy that begins inside a tile of which no copy writes the first byte."""

    operand: str
    by: int
    """Bytes from the start of the tile to the copy."""
    lines: tuple[int, ...]
    """Of the MMAs."""


class Beyond(NamedTuple):
    """Stages that are closer together than what an MMA reads of one."""

    operand: str
    read: int
    """Bytes from the first to the last that one MMA reads."""
    stage: int
    """Bytes from stage to stage."""
    lines: tuple[int, ...]
    """Of the MMAs."""


class UnequalBytes(NamedTuple):
    """Two barriers that expect different numbers of bytes of copies by the same maps."""

    barrier: str
    expected: int
    other: str
    by_other: int
    """Bytes that the other one expects."""
    lines: tuple[int, ...]
    """Of the copies."""
    missing: int = 0
    """How many copies for the other barrier have no counterpart for this one."""


class OtherBarrier(NamedTuple):
    """A copy and an instruction that tells a barrier what to expect, of one stage, which name different barriers."""

    barrier: str
    """The one that is named once only."""
    other: str
    """The one that the others name."""
    lines: tuple[int, ...]
    """Of the others."""
    expected: int | None = None
    """The bytes that the first is told to expect; None: a copy names it."""
    told: int = 0
    """The bytes that the other is told to expect, too."""
    usual: int = 0
    """Those that a barrier is told elsewhere for copies by the same maps."""


class ArrivalCount(NamedTuple):
    """A barrier that is set up for more arrivals than can come."""

    barrier: str
    arrivals: int
    """For how many it is set up."""
    most: int
    """How many come in one phase, at most."""
    lines: tuple[int, ...]
    """Of the instructions that arrive."""


SharedMemoryCase = (
    BarrierBytes | StageStrides | Overwritten | Beside | Beyond | UnequalBytes | OtherBarrier | ArrivalCount
)


_RING = """.version 8.8
.target sm_100a
.extern .shared .align 1024 .b8 smem[];
.visible .entry k(.param .b64 map_a, .param .b64 map_b)
{
.reg .b32 %r<20>;
.reg .b64 %d<9>;
.reg .pred %p<4>;
mov.b32 %r1, smem;
ld.param.b64 %d1, [map_a];
ld.param.b64 %d2, [map_b];
mov.b32 %r2, 0;
$loop:
shl.b32 %r3, %r2, 14;
add.s32 %r4, %r1, %r3;
shl.b32 %r5, %r2, 3;
add.s32 %r6, %r1, %r5;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6+65536], 32768;
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%d1, {%r9, %r9}], [%r6+65536];
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r4+32768], [%d2, {%r9, %r9}], [%r6+65536];
shl.b32 %r10, %r2, 14;
add.s32 %r11, %r1, %r10;
shr.u32 %r12, %r11, 4;
and.b32 %r13, %r12, 0x3fff;
mov.b32 %r15, 0x40004040;
mov.b32 %r16, 0x8200490;
add.s32 %r14, %r13, 2048;
add.s32 %r19, %r13, 0;
mov.b64 %d3, {%r19, %r15};
mov.b64 %d4, {%r14, 0x40004040};
tcgen05.mma.cta_group::1.kind::f16 [%r17], %d3, %d4, %r16, %p1;
add.s32 %r14, %r13, 2050;
add.s32 %r19, %r13, 2;
mov.b64 %d3, {%r19, %r15};
mov.b64 %d4, {%r14, 0x40004040};
tcgen05.mma.cta_group::1.kind::f16 [%r17], %d3, %d4, %r16, %p1;
add.s32 %r14, %r13, 2052;
add.s32 %r19, %r13, 4;
mov.b64 %d3, {%r19, %r15};
mov.b64 %d4, {%r14, 0x40004040};
tcgen05.mma.cta_group::1.kind::f16 [%r17], %d3, %d4, %r16, %p1;
add.s32 %r14, %r13, 2054;
add.s32 %r19, %r13, 6;
mov.b64 %d3, {%r19, %r15};
mov.b64 %d4, {%r14, 0x40004040};
tcgen05.mma.cta_group::1.kind::f16 [%r17], %d3, %d4, %r16, %p1;
add.s32 %r18, %r2, 1;
setp.eq.u32 %p2, %r18, 2;
selp.b32 %r2, 0, %r18, %p2;
bra $loop;
}
"""
"""A right kernel with two stages of A and of B."""


_BEFORE = _RING.replace(
    "$loop:",
    """mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1+65536], 32768;
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r9, %r9}], [%r1+65536];
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1+32768], [%d2, {%r9, %r9}], [%r1+65536];
$loop:""",
    1,
)
"""The same, with copies before the loop."""


_SET_UP = _RING.replace(
    "mov.b32 %r2, 0;",
    "mov.b32 %r2, 0;\nmbarrier.init.shared::cta.b64 [%r1+65536], 1;\nmbarrier.init.shared::cta.b64 [%r1+65544], 1;",
)
"""The same, with the instructions that set up its barriers."""


def _with(wrong: str, right: str, kernel: str = _RING) -> tuple[str, str, str]:
    """Return what is said of an example: the command, the repair, and the kernel with a mistake."""
    return "smemdesc scan k.ptx", f"{right} for {wrong}", kernel.replace(right, wrong)


def _lines(lines: tuple[int, ...]) -> str:
    return line_words(lines, _MOST_LINES)


_MOST_LINES = 4


@explained(
    "A barrier's phase ends when exactly the bytes that were expected have arrived. If fewer come, the wait never "
    "ends; if more come, it ends early, or the next phase begins with a wrong count.",
    *_with("[%r6+65536], 65536;", "[%r6+65536], 32768;"),
)
@case_rule(TMA_SOURCE)
def barrier_bytes(case: BarrierBytes) -> Problem | None:
    """A barrier expects the bytes of the copies that name it: those of their boxes, as many as the MMAs read."""
    factors = (1, 2) if case.pair else (1,)
    if case.least == case.most and case.by_maps:
        if case.expected in [factor * case.least for factor in factors]:
            return None
    elif case.expected >= case.least - case.written and (case.most is None or case.expected <= factors[-1] * case.most):
        return None
    brings = "brings" if len(case.lines) == 1 else "bring"
    copies = f"the {'copy' if len(case.lines) == 1 else 'copies'} that {'names' if len(case.lines) == 1 else 'name'} it"
    if not case.lines:
        what = "no copy names it"
    elif case.by_maps:
        what = f"{copies} {brings} {case.least} B"
    elif case.expected < case.least:
        what = f"the MMAs read {case.least} B of what {copies} {'writes' if len(case.lines) == 1 else 'write'}"
    else:
        what = f"there is room for {case.most} B where {copies} {'writes' if len(case.lines) == 1 else 'write'}"
    right = case.least if case.by_maps or case.expected < case.least else case.most
    outcome = (
        "the wait ends before all have arrived, or a later one never ends"
        if case.expected < case.least
        else "the wait never ends"
    )
    if not case.lines:
        fix = "add the copy, or expect nothing"
    else:
        fix = f"expect {right} B" if case.by_maps else f"expect {right} B, or change the box"
    where = f" ({_lines(case.lines)})" if case.lines else ""
    return error(f"the barrier at {case.barrier} expects {case.expected} B, but {what}{where}", outcome, fix)


@explained(
    "Copies and MMAs go around the same ring of stages. If they step by different numbers of bytes, the MMAs read what "
    "no copy wrote from the second stage on.",
    *_with("%r3, %r2, 15;", "%r3, %r2, 14;"),
)
@case_rule(TMA_SOURCE)
def stage_stride(case: StageStrides) -> Problem:
    """From stage to stage, the copies of a tile and the MMAs that read it move by the same number of bytes."""
    return error(
        f"from stage to stage the copy moves by {case.copied} B, and {case.operand}, which the MMAs read there, by "
        f"{case.read} B ({_lines(case.lines)})",
        fix=f"step both by {max(case.read, case.copied)} B",
        operand=case.operand.lower(),
    )


@explained(
    "A copy writes whatever lies in its tile. The address of tensor memory that tcgen05.alloc leaves in its slot, or a "
    "barrier, must lie elsewhere or be read before.",
    *_with("[%r6+4096]", "[%r6+65536]"),
)
@case_rule(TMA_SOURCE)
def overwritten(case: Overwritten) -> Problem:
    """No copy writes over its barrier, or over the slot of tcgen05.alloc before it is read."""
    return error(f"{case.what} at {case.at} lies in the {case.size} B that the copy writes")


@explained(
    "The MMAs read a tile from its first byte on. If its first copy begins later, they read what was there before.",
    *_with("bytes [%r4+1024],", "bytes [%r4],"),
)
@case_rule(TMA_SOURCE)
def copy_start(case: Beside) -> Problem:
    """Some copy of a tile begins where the MMAs begin to read it."""
    where = f"{many(abs(case.by), 'byte')} {'after' if case.by > 0 else 'before'}"
    return error(f"the copy begins {where} the start of {case.operand} that the MMAs read ({_lines(case.lines)})")


@explained(
    "SBO and LBO say how far apart the parts of an operand are. If they reach past the stage, the MMA reads another "
    "one, which other copies are writing.",
    *_with("%r15, 0x40004080;", "%r15, 0x40004040;"),
)
@case_rule(TMA_SOURCE)
def within_stage(case: Beyond) -> Problem:
    """What an MMA reads of a stage ends before the next stage begins."""
    return error(
        f"the stages of {case.operand} are {case.stage} B apart, and one MMA reads {case.read} B of a stage "
        f"({_lines(case.lines)})",
        "SBO or LBO of the descriptor is too large, or the stride of the stages too small",
    )


@explained(
    "A map says how many bytes its copies bring: barriers whose copies are by the same maps expect the same number.",
    *_with("[%r1+65536], 28672;", "[%r1+65536], 32768;", _BEFORE),
)
@case_rule(TMA_SOURCE)
def equal_bytes(case: UnequalBytes) -> Problem:
    """Barriers whose copies are by the same tensor maps expect the same number of bytes; with fewer copies, fewer."""
    other = f"the one at {case.other} expects" if case.other != case.barrier else "elsewhere it expects"
    if case.missing:
        return error(
            f"the barrier at {case.barrier} expects {case.expected} B of {many(len(case.lines), 'copy')} "
            f"({_lines(case.lines)}); {other} {case.by_other} B of {len(case.lines) + case.missing} copies, "
            "by the same maps and others",
            "a copy is missing, and the wait never ends",
        )
    return error(
        f"the barrier at {case.barrier} expects {case.expected} B; {other} {case.by_other} B, for copies by the same "
        f"maps ({_lines(case.lines)})"
    )


@explained(
    "A copy completes on the barrier that it names, and the MMAs wait for the one that was told how many bytes come. "
    "If these are two, the wait for one never ends, and nobody waits for the other.",
    *_with("bytes [%r4+32768], [%d2, {%r9, %r9}], [%r6+65544]", "bytes [%r4+32768], [%d2, {%r9, %r9}], [%r6+65536]"),
)
@case_rule(TMA_SOURCE)
def copy_barrier(case: OtherBarrier) -> Problem:
    """The copies of a stage name the barrier that is told to expect their bytes."""
    if case.expected is None:
        return error(
            f"the copy names the barrier at {case.barrier}, which is never told to expect bytes; the others of its "
            f"stage name {case.other} ({_lines(case.lines)})",
        )
    told = "is never told"
    if case.told:
        told = f"expects {case.told} B here, and {case.usual} B elsewhere, of copies by the same maps"
    return error(
        f"the barrier at {case.barrier} is told to expect {case.expected} B, and no copy {'here ' if case.told else ''}"
        f"names it; those beside it name {case.other}, which {told} ({_lines(case.lines)})",
    )


@explained(
    "A phase of a barrier ends when as many have arrived as mbarrier.init says, and all bytes that they expect. The "
    "thread that copies arrives once, and so does tcgen05.commit.",
    *_with("[%r1+65536], 2;", "[%r1+65536], 1;", _SET_UP),
)
@case_rule(TMA_SOURCE)
def arrival_count(case: ArrivalCount) -> Problem:
    """A barrier is set up for no more arrivals than come, where one thread alone arrives: it copies, or issues MMAs."""
    comes = "1 comes" if case.most == 1 else f"at most {case.most} come"
    return error(
        f"the barrier at {case.barrier} is set up for {many(case.arrivals, 'arrival')}, and {comes} in a phase "
        f"({_lines(case.lines)})",
        "the wait never ends",
        f"set it up for {case.most}",
    )


RULES = (
    *(barrier_bytes, stage_stride, overwritten, copy_start, within_stage),
    *(equal_bytes, copy_barrier, arrival_count),
)
_RULE_OF: dict[type, Callable[..., list[Finding]]] = {
    BarrierBytes: barrier_bytes.apply,
    StageStrides: stage_stride.apply,
    Overwritten: overwritten.apply,
    Beside: copy_start.apply,
    Beyond: within_stage.apply,
    UnequalBytes: equal_bytes.apply,
    OtherBarrier: copy_barrier.apply,
    ArrivalCount: arrival_count.apply,
}


def judge_shared_memory(cases: tuple[SharedMemoryCase, ...]) -> list[Finding]:
    """Return the findings about an instruction in the shared memory of its function."""
    return [finding for case in cases for finding in _RULE_OF[type(case)](case)]
