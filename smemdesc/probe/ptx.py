"""The kernels, as PTX: one frame, in which only the instruction differs.

Each block fills its shared memory with the bytes it is given, issues one instruction and writes what came of it. What
the instruction is given is read from a record, so that a kernel is compiled once for each kind and type.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import join_and
from smemdesc.kinds.archs import RENAMED
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.probe.launch import (
    ACCUMULATORS,
    FIRST,
    LAST,
    SHARED_BYTES,
    TENSOR_COLUMNS,
    CopyKernel,
    MmaKernel,
    ProbeBlock,
)

ENTRY = "probe"
_VERSIONS = {"sm_90a": "8.0", "sm_100a": "8.6", "sm_103a": "8.8", "sm_107a": "9.4", "sm_110a": "9.0"}
"""The first version of PTX with the instructions of an architecture."""
_LATER = {"8.0": "8.2", "8.6": "8.8"}
"""The first version that has sparse wgmma, and the sizes of blocks of scale factors."""
HEAD_BYTES = 8
"""Bytes in front of what a CTA answers: where its shared memory begins, and whether the instruction ended."""
ENDED = 1
_RECORD = "<QQQIIIIII8x5i4x"
RECORD_BYTES = 256
MAP_AT = 128
"""Where the tensor map is in a record: on a multiple of 64."""
_PATIENCE = 1_000_000_000
"""Nanoseconds after which a barrier that nothing completes is given up."""
_CHUNK = 8
"""Columns of tensor memory that one instruction moves."""
PLACE_OF_A = 448
"""The column of tensor memory of A, of its metadata and of the scale factors of A and B."""
PLACE_OF_METADATA = 480
PLACE_OF_SCALES_A = 256
PLACE_OF_SCALES_B = 352


def record_of(block: ProbeBlock) -> bytes:
    """Return the record of a block, as the kernel reads it."""
    coordinates = (*block.coordinates, 0, 0, 0, 0, 0)[:5]
    record = struct.pack(
        _RECORD,
        block.a,
        block.b,
        block.mask,
        block.idesc,
        block.metadata,
        block.control,
        block.destination,
        block.transaction,
        0,
        *coordinates,
    )
    return (record.ljust(MAP_AT, b"\0") + block.tensor_map).ljust(RECORD_BYTES, b"\0")


def module_text(kernel: MmaKernel | CopyKernel) -> str:
    """Return the PTX of a kernel."""
    if isinstance(kernel, CopyKernel):
        return _frame(kernel, _copy(kernel))
    return _frame(kernel, _tcgen05(kernel) if kernel.family == "tcgen05" else _wgmma(kernel))


_REGISTERS = (
    ".reg .pred p, q, zero, leader;",
    ".reg .b32 thread, cta, block, rank, i, r, base, warp;",
    ".reg .b32 idesc, metadata, control, destination, transaction, barrier, state, tensor, column, lane;",
    ".reg .b32 x<8>, c<5>;",
    ".reg .b64 record, image, words, answer, a, b, mask, at, from, began, now, map;",
)
_FIELDS = (("u64", "a", 0), ("u64", "b", 8), ("u64", "mask", 16), ("u32", "idesc", 24), ("u32", "metadata", 28),
           ("u32", "control", 32), ("u32", "destination", 36), ("u32", "transaction", 40))  # fmt: skip
"""The numbers of a record: their type, their register, their byte."""


def _frame(kernel: MmaKernel | CopyKernel, body: Iterable[str]) -> str:
    """Return the kernel around the instruction: it fills shared memory and says where that begins, and how it ended."""
    arch = RENAMED.get(kernel.arch, kernel.arch)
    version = _VERSIONS.get(arch)
    if version is None:
        raise SmemdescError(f"no kernel is known for {arch}", hint=f"there are kernels for {join_and([*_VERSIONS])}")
    if isinstance(kernel, MmaKernel) and (kernel.scale_vec or (kernel.sparse and kernel.family == "wgmma")):
        version = _LATER.get(version, version)
    lines = [
        f".version {version}",
        f".target {arch}",
        ".address_size 64",
        ".extern .shared .align 1024 .b8 memory[];",
        f".visible .entry {ENTRY}(.param .u64 records, .param .u64 images, .param .u64 tensors, .param .u64 answers)",
        ".reqntid 128",
        *([".explicitcluster", ".reqnctapercluster 2"] if kernel.cta_group == 2 else []),
        "{",
        *_REGISTERS,
        *_begin(kernel),
        "mov.u32 base, memory;",
        *_loop("fill", "shl.b32 i, thread, 4;", 2048, SHARED_BYTES, (
            "cvt.u64.u32 at, i;",
            "add.u64 from, image, at;",
            "ld.global.v4.u32 {x0, x1, x2, x3}, [from];",
            "add.u32 r, base, i;",
            "st.shared.v4.u32 [r], {x0, x1, x2, x3};",
        )),
        "fence.proxy.async;",
        "bar.sync 0;",
        "mov.u32 state, 0;",
        *body,
        "@zero st.global.u32 [answer], base;",
        "@zero st.global.u32 [answer + 4], state;",
        "ret;",
        "}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _begin(kernel: MmaKernel | CopyKernel) -> Iterator[str]:
    """Yield the reading of what this CTA is given; ``zero`` is its first thread, ``q`` is never true."""
    pair = kernel.cta_group == 2
    yield "mov.u32 thread, %tid.x;"
    yield "mov.u32 cta, %ctaid.x;"
    yield "shr.u32 warp, thread, 5;"
    yield "shr.u32 block, cta, 1;" if pair else "mov.u32 block, cta;"
    yield "and.b32 rank, cta, 1;" if pair else "mov.u32 rank, 0;"
    yield "setp.eq.u32 zero, thread, 0;"
    yield "setp.ne.u32 q, rank, rank;"
    places = (("record", "records", "block", RECORD_BYTES), ("image", "images", "cta", SHARED_BYTES),
              ("answer", "answers", "cta", HEAD_BYTES + 4 * kernel.words))  # fmt: skip
    for name, given, number, size in places:
        yield f"ld.param.u64 {name}, [{given}];"
        yield f"mad.wide.u32 {name}, {number}, {size}, {name};"
    yield from (f"ld.global.{kind} {name}, [record + {at}];" for kind, name, at in _FIELDS)


def _loop(label: str, begin: str, step: int, end: int, body: Iterable[str]) -> Iterator[str]:
    yield begin
    yield f"{label}:"
    yield from body
    yield f"add.u32 i, i, {step};"
    yield f"setp.lt.u32 p, i, {end};"
    yield f"@p bra {label};"


def _names(letter: str, count: int) -> str:
    return "{" + ", ".join(f"{letter}{i}" for i in range(count)) + "}"


def _wgmma(kernel: MmaKernel) -> Iterator[str]:
    """Yield the instruction, and the stores of the registers of D: thread by thread."""
    count = kernel.registers
    types = f"{kernel.d_type}.{kernel.a_type}.{kernel.b_type}"
    a = "a"
    yield f".reg .b32 d<{count}>;"
    if kernel.a_from == "registers":
        # They are the last 2 KB of the image, 16 bytes for each thread.
        yield f"mad.lo.u32 r, thread, 16, {LAST - FIRST - 2048};"
        yield "add.u32 r, r, base;"
        yield "ld.shared.v4.u32 {x0, x1, x2, x3}, [r];"
        a = "{x0, x1, x2, x3}"
    flags = "" if kernel.d_type == "s32" else ", 1, 1"
    if kernel.a_type in ("f16", "bf16"):
        flags += ("" if kernel.a_from == "registers" else f", {int(kernel.trans_a)}") + f", {int(kernel.trans_b)}"
    yield "wgmma.fence.sync.aligned;"
    yield (
        f"wgmma.mma_async{'.sp' if kernel.sparse else ''}.sync.aligned.m64n{kernel.n}k{kernel.k}.{types} "
        f"{_names('d', count)}, {a}, b{', metadata, 0' if kernel.sparse else ''}, q{flags};"
    )
    yield "wgmma.commit_group.sync.aligned;"
    yield "wgmma.wait_group.sync.aligned 0;"
    yield f"mad.wide.u32 words, thread, {4 * count}, answer;"
    yield from (f"st.global.u32 [words + {HEAD_BYTES + 4 * i}], d{i};" for i in range(count))
    yield f"mov.u32 state, {ENDED};"


def _wait(label: str) -> Iterator[str]:
    """Yield a wait for the barrier's first phase that ends by itself; then ``state`` says whether it came."""
    yield "mov.u64 began, %globaltimer;"
    yield f"{label}:"
    yield "mbarrier.try_wait.parity.shared::cta.b64 p, [barrier], 0;"
    yield f"@p mov.u32 state, {ENDED};"
    yield f"@p bra {label}_done;"
    yield "mov.u64 now, %globaltimer;"
    yield "sub.u64 now, now, began;"
    yield f"setp.lt.u64 p, now, {_PATIENCE};"
    yield f"@p bra {label};"
    yield f"{label}_done:"


def _barrier() -> Iterator[str]:
    yield "add.u32 barrier, control, 8;"
    yield "@zero mbarrier.init.shared::cta.b64 [barrier], 1;"
    yield "fence.mbarrier_init.release.cluster;"
    yield "fence.proxy.async;"


def _together(kernel: MmaKernel) -> Iterator[str]:
    """Yield what every thread of the block, or of the pair, waits at; tensor memory is ordered across it."""
    yield "tcgen05.fence::before_thread_sync;"
    if kernel.cta_group == 2:
        yield "barrier.cluster.arrive.aligned;"
        yield "barrier.cluster.wait.aligned;"
    else:
        yield "bar.sync 0;"
    yield "tcgen05.fence::after_thread_sync;"


def _columns(label: str, end: int, body: Iterable[str]) -> Iterator[str]:
    """Yield a loop over columns of tensor memory: ``column`` is the address, ``at`` its offset in bytes."""
    yield "shl.b32 lane, warp, 21;"  # 32 lanes of each warp, in the upper half of the address
    yield "add.u32 lane, lane, tensor;"
    yield from _loop(
        label,
        "mov.u32 i, 0;",
        _CHUNK,
        end,
        ("add.u32 column, lane, i;", "mul.wide.u32 at, i, 4;", *body),
    )


def _tcgen05(kernel: MmaKernel) -> Iterator[str]:
    """Yield the instruction with its tensor memory, whose columns of D are the answer: lane by lane."""
    group = f".cta_group::{kernel.cta_group}"
    chunk = _names("x", _CHUNK)
    halves = ("{x0, x1, x2, x3}", "{x4, x5, x6, x7}")
    yield "setp.eq.u32 p, warp, 0;"
    yield "@!p bra allocated;"
    yield f"tcgen05.alloc{group}.sync.aligned.shared::cta.b32 [control], {TENSOR_COLUMNS};"
    yield f"tcgen05.relinquish_alloc_permit{group}.sync.aligned;"
    yield "allocated:"
    yield from _barrier()
    yield from _together(kernel)
    yield "ld.shared.u32 tensor, [control];"
    size = 4 * TENSOR_COLUMNS
    yield "ld.param.u64 words, [tensors];"
    yield f"mad.wide.u32 words, {'cta' if kernel.lanes else 'block'}, {128 * size if kernel.lanes else size}, words;"
    if kernel.lanes:
        yield f"mad.wide.u32 words, thread, {size}, words;"
    yield from _columns(
        "prepare",
        TENSOR_COLUMNS,
        (
            "add.u64 from, words, at;",
            *(f"ld.global.v4.u32 {half}, [from + {16 * i}];" for i, half in enumerate(halves)),
            f"tcgen05.st.sync.aligned.32x32b.x{_CHUNK}.b32 [column], {chunk};",
        ),
    )
    yield "tcgen05.wait::st.sync.aligned;"
    yield from _together(kernel)
    yield "setp.eq.u32 leader, rank, 0;"
    yield "and.pred leader, leader, zero;"
    yield "@!leader bra issued;"
    yield from _issue(kernel)
    yield "issued:"
    yield from _wait("ended")
    yield from _together(kernel)
    yield f"mad.wide.u32 words, thread, {4 * ACCUMULATORS}, answer;"
    yield from _columns(
        "result",
        ACCUMULATORS,
        (
            f"tcgen05.ld.sync.aligned.32x32b.x{_CHUNK}.b32 {chunk}, [column];",
            "tcgen05.wait::ld.sync.aligned;",
            "add.u64 from, words, at;",
            *(
                f"st.global.v2.u32 [from + {HEAD_BYTES + 8 * i}], {{x{2 * i}, x{2 * i + 1}}};"
                for i in range(_CHUNK // 2)
            ),
        ),
    )
    yield from _together(kernel)
    yield "setp.eq.u32 p, warp, 0;"
    yield "@!p bra freed;"
    yield f"tcgen05.dealloc{group}.sync.aligned.b32 tensor, {TENSOR_COLUMNS};"
    yield "freed:"


def _issue(kernel: MmaKernel) -> Iterator[str]:
    """Yield the instruction itself, and the arrival on the barrier of each CTA when it has ended."""
    places = {"x1": PLACE_OF_METADATA, "x2": PLACE_OF_SCALES_A, "x3": PLACE_OF_SCALES_B, "x4": PLACE_OF_A}
    yield from (f"add.u32 {name}, tensor, {place};" for name, place in places.items())
    group = f".cta_group::{kernel.cta_group}"
    scaled = f".block_scale{kernel.scale_vec}" if kernel.mma_kind in BLOCK_SCALED else ""
    name = f"tcgen05.mma{'.ws' if kernel.ws else ''}{'.sp' if kernel.sparse else ''}{group}"
    operands = [
        "[tensor]",
        "[x4]" if kernel.a_from == "tmem" else "a",
        "b",
        *(["[x1]"] if kernel.sparse else []),
        "idesc",
        *(["[x2]", "[x3]"] if scaled else []),
        "q",
        *(["mask"] if kernel.masked else []),
    ]
    yield f"{name}.kind::{kernel.mma_kind}{scaled} {', '.join(operands)};"
    arrive = f"tcgen05.commit{group}.mbarrier::arrive::one.shared::cluster"
    if kernel.cta_group == 2:
        yield ".reg .b16 both;"
        yield "mov.u16 both, 3;"
        yield f"{arrive}.multicast::cluster.b64 [barrier], both;"
    else:
        yield f"{arrive}.b64 [barrier];"


def _copy(kernel: CopyKernel) -> Iterator[str]:
    """Yield the copy, and the whole of shared memory as the answer."""
    yield from _barrier()
    yield "bar.sync 0;"
    yield f"add.u64 map, record, {MAP_AT};"
    yield from (f"ld.global.u32 c{i}, [record + {56 + 4 * i}];" for i in range(5))
    yield "@!zero bra issued;"
    yield "mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], transaction;"
    offsets = ""
    if kernel.im2col:
        yield ".reg .b16 o<3>;"
        yield from (f"mov.u16 o{i}, 0;" for i in range(3))
        offsets = f", {_names('o', kernel.rank - 2)}"
    form = "im2col" if kernel.im2col else "tile"
    yield (
        f"cp.async.bulk.tensor.{kernel.rank}d.shared::cluster.global.{form}.mbarrier::complete_tx::bytes "
        f"[destination], [map, {_names('c', kernel.rank)}], [barrier]{offsets};"
    )
    yield "issued:"
    yield from _wait("ended")
    yield "bar.sync 0;"
    yield from _loop("keep", "shl.b32 i, thread, 4;", 2048, SHARED_BYTES, (
        "add.u32 r, base, i;",
        "ld.shared.v4.u32 {x0, x1, x2, x3}, [r];",
        "cvt.u64.u32 at, i;",
        "add.u64 from, answer, at;",
        f"st.global.v2.u32 [from + {HEAD_BYTES}], {{x0, x1}};",
        f"st.global.v2.u32 [from + {HEAD_BYTES + 8}], {{x2, x3}};",
    ))  # fmt: skip
