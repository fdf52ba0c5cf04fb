"""Asks the CUDA driver for tensor maps and writes down what it answers: ``python3 probe.py --out FOLDER``.

Needs a machine with NVIDIA's driver and the standard library; no kernel runs. One argument is varied at a time over its
whole range, around maps of every rank and form; then all are random, most of them legal. A line of the record is a
request with the status and, where the driver accepted it, the 128 bytes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SIZE = 128
"""Bytes of a tensor map; it is aligned to 64."""
TILED, IM2COL, WIDE = "tiled", "im2col", "im2col_wide"
BITS = (8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32)
"""Of one element, by the driver's number of the type; 13 to 15 are the packed types of Blackwell."""
TYPES = len(BITS) + 3
FIRST_FLOAT, BF16 = 6, 9


class Request(NamedTuple):
    """The arguments of one call, in the driver's order and numbers; dimensions innermost first."""

    form: str
    dtype: int
    address: int
    dims: list[int]
    strides: list[int]
    """In bytes, of all dimensions but the innermost."""
    box: list[int]
    """Tiled: the box. im2col: lower corners, upper corners, channels per pixel, pixels per column."""
    element_strides: list[int]
    interleave: int
    swizzle: int
    l2_promotion: int
    fill: int
    mode: int = 0
    """Of im2col wide."""

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)


ADDRESS = 0x7F12_3456_7000
DIMS = [512, 48, 40, 24, 12]
BOX = [64, 8, 4, 2, 1]
CORNERS = {3: 1, 4: 2, 5: 3}
"""im2col: how many coordinates a corner has, by the rank."""


def packed(dtype: int, dims: list[int]) -> list[int]:
    """Return the strides, in bytes, of dimensions that follow each other without a gap, to whole 32 bytes."""
    strides, size = [], dims[0] * (BITS[dtype] if dtype < len(BITS) else 8) // 8
    for each in dims[1:]:
        size = (size + 31) // 32 * 32
        strides.append(size)
        size *= each
    return strides


def plain(rank: int, form: str = TILED, **more: Any) -> Request:
    """Return a legal request: bf16, 128-byte swizzle."""
    dims = DIMS[:rank]
    box = BOX[:rank]
    if form == IM2COL:
        count = CORNERS[rank]
        box = [*([-1] * count), *([1] * count), 64, 32]
    elif form == WIDE:
        box = [-1, 1, 64, 32]
    made = Request(form, BF16, ADDRESS, dims, packed(BF16, dims), box, [1] * rank, 0, 3, 0, 0)
    return made._replace(**more)


def put(values: list[int], index: int, value: int) -> list[int]:
    """Return the values with another one at an index."""
    return [*values[:index], value, *values[index + 1 :]]


NUMBERS = sorted(
    {0, 1, 3, 5, 7, 255, 256, 257, *(1 << bit for bit in range(34)), *((1 << bit) - 1 for bit in range(1, 34))}
)


def varied() -> Iterator[Request]:
    """Yield requests in which one argument, or two that go together, takes every value of its range."""
    forms = [(rank, TILED) for rank in range(1, 6)] + [(rank, form) for form in (IM2COL, WIDE) for rank in (3, 4, 5)]
    for rank, form in forms:
        base = plain(rank, form)
        yield base
        for bit in range(64):
            yield base._replace(address=1 << bit)
            yield base._replace(address=1 << bit, interleave=2, swizzle=1)
            yield base._replace(address=ADDRESS | 1 << bit)
        for dtype in range(TYPES):
            yield base._replace(dtype=dtype, strides=packed(dtype, base.dims))
            yield base._replace(dtype=dtype, strides=packed(dtype, base.dims), swizzle=0)
            small = put(base.box, 0, 16) if form == TILED else put(base.box, -2 % len(base.box), 16)
            yield base._replace(dtype=dtype, strides=packed(dtype, base.dims), box=small)
            for fill in range(3):
                yield base._replace(dtype=dtype, strides=packed(dtype, base.dims), box=small, fill=fill, swizzle=0)
        for index in range(rank):
            for number in NUMBERS:
                yield base._replace(dims=put(base.dims, index, number))
            for number in range(11):
                yield base._replace(element_strides=put(base.element_strides, index, number))
                yield base._replace(element_strides=put(base.element_strides, index, number), swizzle=0)
        for index in range(rank - 1):
            for bit in range(2, 42):
                yield base._replace(strides=put(base.strides, index, 1 << bit))
                yield base._replace(strides=put(base.strides, index, (1 << bit) + 16))
        for interleave in range(4):
            for swizzle in range(8):
                yield base._replace(interleave=interleave, swizzle=swizzle)
                narrow = put(base.box, 0, 16) if form == TILED else put(base.box, -2 % len(base.box), 16)
                yield base._replace(interleave=interleave, swizzle=swizzle, box=narrow)
        for number in range(6):
            yield base._replace(l2_promotion=number)
            yield base._replace(fill=number)
        if form == TILED:
            for index in range(rank):
                for number in range(259):
                    yield base._replace(box=put(base.box, index, number), swizzle=0)
                for swizzle in (1, 2, 3):
                    for number in (1, 2, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128):
                        yield base._replace(box=put(base.box, index, number), swizzle=swizzle)
            continue
        count = len(base.box) - 2
        for index in range(count):
            width = {1: 1 << 15, 2: 1 << 7, 3: 1 << 4}[CORNERS[rank]] if form == IM2COL else 1 << 15
            numbers = {
                *range(-20, 21),
                -width - 1,
                -width,
                -width + 1,
                width - 1,
                width,
                width + 1,
                width // 2,
                -(width // 2),
            }
            for number in sorted(numbers):
                yield base._replace(box=put(base.box, index, number))
        for number in range(259):
            yield base._replace(box=put(base.box, count, number), swizzle=0)
        for number in (*range(12), 31, 33, 63, 64, 127, 128, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2048):
            yield base._replace(box=put(base.box, count + 1, number))
        if form == WIDE:
            for mode in range(4):
                for swizzle in range(8):
                    yield base._replace(mode=mode, swizzle=swizzle)


def random_requests(count: int, form: str, rng: random.Random) -> Iterator[Request]:
    """Yield requests in which every argument is random: four of five are meant to be legal."""
    for _ in range(count):
        rank = rng.randint(1, 5) if form == TILED else rng.randint(3, 5)
        dtype = rng.randrange(len(BITS))
        bits = BITS[dtype]
        swizzle = rng.randrange(4)
        interleave = rng.choice((0, 0, 0, 0, 1, 2)) if rank >= 3 else 0
        line = {0: 256 * bits // 8, 1: 32, 2: 64, 3: 128}[swizzle]
        inner = rng.randrange(16, max(17, min(line, 256 * bits // 8) + 1), 16) * 8 // bits
        dims = [rng.randint(1, 1 << rng.randint(1, 20)) for _ in range(rank)]
        strides, least = [], (dims[0] * bits // 8 + 31) // 32 * 32
        for each in dims[1:]:
            strides.append(min(least + 32 * rng.randrange(1 << rng.randint(0, 10)), (1 << 40) - 32))
            least = min(strides[-1] * each, 1 << 39)
        element_strides = [1] * rank if rng.random() < 0.6 else [rng.randint(1, 8) for _ in range(rank)]
        box = [max(1, min(256, inner)), *(rng.randint(1, 1 << rng.randint(0, 8)) for _ in range(rank - 1))]
        if form != TILED:
            corners = CORNERS[rank] if form == IM2COL else 1
            edge = {1: 1 << 15, 2: 1 << 7, 3: 1 << 4}[corners]
            span = [rng.randint(-edge, edge - 1) >> rng.randint(0, 6) for _ in range(2 * corners)]
            box = [*span, max(1, min(256, inner)), rng.randint(1, 1024)]
        made = Request(
            form,
            dtype,
            rng.randrange(1 << rng.randint(5, 47)) >> 5 << 5,
            dims,
            strides,
            box,
            element_strides,
            interleave,
            swizzle,
            rng.randrange(4),
            rng.randrange(2) if dtype >= FIRST_FLOAT else 0,
            rng.randrange(2) if form == WIDE else 0,
        )
        yield _spoiled(made, rng) if rng.random() < 0.2 else made


def _spoiled(made: Request, rng: random.Random) -> Request:
    """Return the request with one argument that may be illegal."""
    name = rng.choice(Request._fields[1:])
    value = getattr(made, name)
    if isinstance(value, list):
        if not value:
            return made
        return made._replace(**{name: put(value, rng.randrange(len(value)), rng.choice(NUMBERS))})
    return made._replace(**{name: rng.choice(NUMBERS) if name == "address" else rng.randrange(9)})


def requests() -> Iterator[Request]:
    """Yield all requests of the record, always the same."""
    yield from varied()
    rng = random.Random(27)
    for form, count in ((TILED, 14000), (IM2COL, 8000), (WIDE, 3000)):
        yield from random_requests(count, form, rng)


class Driver:
    """The driver's three functions."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._check(self._cuda.cuInit(0))
        device = ctypes.c_int()
        self._check(self._cuda.cuDeviceGet(ctypes.byref(device), 0))
        context = ctypes.c_void_p()
        self._check(self._cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
        self._check(self._cuda.cuCtxSetCurrent(context))
        name = ctypes.create_string_buffer(100)
        self._check(self._cuda.cuDeviceGetName(name, 100, device))
        version = ctypes.c_int()
        self._check(self._cuda.cuDriverGetVersion(ctypes.byref(version)))
        self.chip = name.value.decode()
        self.cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
        self._room = ctypes.create_string_buffer(SIZE + 64)
        self._at = (ctypes.addressof(self._room) + 63) & ~63

    @staticmethod
    def _check(status: int) -> None:
        if status:
            raise SystemExit(f"the driver says {status}")

    def ask(self, request: Request) -> tuple[int, str]:
        """Return the status and, where it is 0, the 128 bytes in hexadecimal, as they lie in memory."""
        ctypes.memset(self._at, 0xA5, SIZE)
        rank = request.rank
        wide = ctypes.c_uint64 * max(1, rank)
        narrow = ctypes.c_uint32 * max(1, rank)
        signed = ctypes.c_int * max(1, rank)
        common = [
            ctypes.c_void_p(self._at),
            ctypes.c_int(request.dtype),
            ctypes.c_uint32(rank),
            ctypes.c_void_p(request.address),
            wide(*request.dims),
            wide(*request.strides),
        ]
        element_strides = narrow(*request.element_strides)
        tail = [ctypes.c_int(each) for each in (request.swizzle, request.l2_promotion, request.fill)]
        interleave = ctypes.c_int(request.interleave)
        if request.form == TILED:
            status = self._cuda.cuTensorMapEncodeTiled(
                *common, narrow(*(each & 0xFFFFFFFF for each in request.box)), element_strides, interleave, *tail
            )
        else:
            *corners, channels, pixels = request.box
            half = len(corners) // 2
            counts = [ctypes.c_uint32(channels & 0xFFFFFFFF), ctypes.c_uint32(pixels & 0xFFFFFFFF)]
            if request.form == IM2COL:
                status = self._cuda.cuTensorMapEncodeIm2col(
                    *common,
                    signed(*corners[:half]),
                    signed(*corners[half:]),
                    *counts,
                    element_strides,
                    interleave,
                    *tail,
                )
            else:
                status = self._cuda.cuTensorMapEncodeIm2colWide(
                    *common,
                    ctypes.c_int(corners[0]),
                    ctypes.c_int(corners[1]),
                    *counts,
                    element_strides,
                    interleave,
                    ctypes.c_int(request.mode),
                    *tail,
                )
        return status, ctypes.string_at(self._at, SIZE).hex() if not status else ""


def driver_version() -> str:
    """Return the version of the kernel's driver."""
    text = Path("/proc/driver/nvidia/version").read_text()
    found = re.search(r"\b\d{3}\.\d+(?:\.\d+)?", text)
    return found[0] if found else "unknown"


def main() -> None:
    """Write the record of this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    driver = Driver()
    head = {"chip": driver.chip, "driver": driver_version(), "cuda": driver.cuda, "fields": Request._fields}
    name = re.sub(r"[^a-z0-9]+", "-", driver.chip.lower()).strip("-")
    asked = accepted = 0
    with lzma.open(out / f"{name}.jsonl.xz", "wt", encoding="ascii", preset=9) as record:
        record.write(json.dumps(head) + "\n")
        for request in requests():
            status, text = driver.ask(request)
            asked += 1
            accepted += not status
            record.write(json.dumps([*request, status, text], separators=(",", ":")) + "\n")
    print(f"{driver.chip}, driver {head['driver']}: {asked} maps asked for, {accepted} made")


if __name__ == "__main__":
    main()
