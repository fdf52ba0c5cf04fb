"""Dumps with bytes changed, cut out and put in."""

from __future__ import annotations

import random

LONGEST = 40_000
PUT_IN = (b"(", b")", b"{", b"}", b"[", b'"', b"\r\n", b"\0", b"@", b"gdesc[", b",", b";;", b"0x", b"\xff" * 20)


def damaged(text: bytes, generator: random.Random) -> bytes:
    """Return a part of a dump with bytes changed, cut out and put in."""
    start = generator.randrange(len(text))
    out = bytearray(text[start : start + generator.randrange(LONGEST)])
    for _ in range(generator.randrange(30)):
        place = generator.randrange(len(out) + 1)
        how = generator.randrange(4)
        if how == 0 and place < len(out):
            out[place] = generator.randrange(256)
        elif how == 1:
            del out[place : place + generator.randrange(200)]
        elif how == 2:
            other = generator.randrange(len(out) + 1)
            out[place:place] = out[other : other + generator.randrange(300)]
        else:
            out[place:place] = generator.choice(PUT_IN)
    return bytes(out)
