"""What several tests share: the twelve kinds, values to try, and how to ask for findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from smemdesc import Context, context
from smemdesc.api.options.keywords import knowing
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum, Field, Flag
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS

ALL = tuple(kind_of(each) for name in KINDS if name != "tensormap" for each in ids(name))
"""Every kind that has a table of its own and is a number; tensor maps, which are bytes, have tests of their own."""
WIDE = tuple(kind for kind in ALL if kind.table.width == 64)
IDESC = tuple(kind for kind in ALL if kind.mma_kind)

SOUND = {
    "wgmma": 0x4000004000010040,
    "tcgen05": 0x4000404000010040,
    "mask": 0x0003028000000000,
    "tmem": 0x00400020,
    "idesc:tf32": 0x08200910,
    "idesc:f16": 0x08200490,
    "idesc:f8f6f4": 0x08200010,
    "idesc:i8": 0x08200020,
    "idesc:mxf8f6f4": 0x08A00000,
    "idesc:mxf4": 0x08A00480,
    "idesc:mxf4nvf4": 0x08200480,
    "idesc:ti16": 0x08200DA0,
}
"""A value of each kind that nothing is found in."""


EVERY = "SMEMDESC_EXAMPLES"
"""Set to anything: every property is held for all of its examples."""
LEAST = 8
Test = TypeVar("Test", bound=Callable[..., None])


def long_run(*parameters: Any) -> Any:
    """Return parameters of a test that ``pytest -m corpus`` runs, and a plain run leaves out."""
    return pytest.param(*parameters, marks=pytest.mark.corpus)


def split(many: Iterable[Any], is_short: Callable[[Any], bool]) -> list[Any]:
    """Return the parameters of a test, those that are not short for the long run alone."""
    return [each if is_short(each) else long_run(*(each if isinstance(each, tuple) else (each,))) for each in many]


def sampled(many: Iterable[Any], step: int = 2) -> list[Any]:
    """Return the parameters of a test: a plain run tries one in ``step`` of them, the long run all."""
    return [each if number % step == 0 else long_run(each) for number, each in enumerate(many)]


def examples_of(every: int, *, least: int = LEAST) -> int:
    """Return how many examples of a property this run tries: all, a quarter, or in a plain run an eighth; no fewer than
    ``least``."""
    share = {"all": 1, "quarter": 4}.get(os.environ.get(EVERY, ""), 8)
    return max(every // share, min(every, least))


def some(examples: int, *, least: int = LEAST) -> Callable[[Test], Test]:
    """Let a property hold for so many examples, the same ones in every run; for an eighth of them in a plain run.

    A plain run tries no fewer than ``least``: a smaller number is for examples that take long.
    """
    asked = settings(
        max_examples=examples_of(examples, least=least),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    return lambda test: pytest.mark.property(asked(test))


@contextmanager
def refusing(*words: str) -> Iterator[pytest.ExceptionInfo[SmemdescError]]:
    """Hold that what is done is refused, by an error that has these words in its message or its hint."""
    with pytest.raises(SmemdescError) as caught:
        yield caught
    error = caught.value
    text = f"{error}\n{error.message}\n{error.hint}\n{error.option_message}\n{error.option_hint}"
    assert [word for word in words if word not in text] == []


def found(kind: str, what: dict[str, Any] | int | str, **case: Any) -> set[tuple[str, str]]:
    """Return (severity, rule) of each finding in a value, or in the sound value of the kind with fields changed."""
    if isinstance(what, dict):
        own = kind_of(kind)
        base = SOUND[kind]
        what = build(own, what, base=(base, own.table.full), force=True).value
    return {
        (each.severity, each.rule) for each in decode_value(what, kind, context=case_of(kind_of(kind), **case)).findings
    }


def case_of(kind: Kind, **case: Any) -> Context:
    """Return the context that the command line makes of these options."""
    both = {name: case.pop(name) for name in ("trans_a", "trans_b") if name in case}
    return knowing(context(mma_kind=case.pop("mma_kind", kind.mma_kind), **case), **both)


CHARACTERS = st.one_of(
    st.integers(0, 0x7F).map(chr), st.integers(0x80, 0xD7FF).map(chr), st.integers(0xE000, 0x10FFFF).map(chr)
)
"""Any character. Hypothesis' own first looks at a million of them: seconds of a fresh clone's first run."""


def place(row: Field) -> st.SearchStrategy[int]:
    """Return raw numbers of a field, most of them such as a kernel has."""
    full = (1 << row.width) - 1
    anything = st.integers(0, full)
    if row.constant:
        return st.sampled_from([row.codec.default] * 15 + [full])
    if isinstance(row.codec, Enum):
        return st.one_of(st.sampled_from(sorted(row.codec.by_raw)), anything)
    if isinstance(row.codec, Flag):
        return st.sampled_from([0, 0, 1])
    usual = [raw for raw in (0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 512) if raw <= full]
    return st.one_of(st.sampled_from(usual), anything)


def packed(kind: Kind, raws: tuple[int, ...]) -> int:
    """Return the value of raw numbers, lowest field first; shifts alone, no bitstring."""
    return sum(raw << row.lo for raw, row in zip(raws, kind.table.rows, strict=True))


def realistic(kind: Kind) -> st.SearchStrategy[int]:
    """Return values that look like descriptors of a kind."""
    return st.tuples(*(place(row) for row in kind.table.rows)).map(lambda raws: packed(kind, raws))


def values(kind: Kind) -> st.SearchStrategy[int]:
    """Return values of a kind: descriptors, and any bits at all."""
    return st.one_of(realistic(kind), st.integers(0, kind.table.full))


def masks(width: int) -> st.SearchStrategy[int]:
    """Return masks of known bits: whole words, whole digits, any bits."""
    digits = st.lists(st.sampled_from("0f"), min_size=width // 4, max_size=width // 4).map(
        lambda found: int("".join(found), 16)
    )
    whole = (1 << width) - 1
    return st.one_of(st.sampled_from([whole, whole ^ 0xFFFFFFFF, whole & 0xFFFFFFFF]), digits, st.integers(0, whole))


kinds = st.sampled_from(ALL)

contexts = st.builds(
    context,
    dtype=st.sampled_from([None, "f16", "bf16", "tf32", "e4m3", "s8", "b1", "e2m3", "e2m1"]),
    major=st.sampled_from([None, "K", "MN"]),
    shape=st.sampled_from([None, (64, 16), (128, 8), (8, 64), (256, 128), (16, 1)]),
    arch=st.sampled_from([None, "sm_90a", "sm_100a", "sm_103a"]),
    cta_group=st.sampled_from([None, 1, 2]),
    ws=st.sampled_from([None, False, True]),
    scale_vec=st.sampled_from([None, 1, 2, 4]),
    mma_kind=st.sampled_from([None, "mxf4", "f8f6f4"]),
    m=st.sampled_from([None, None, 32, 64, 100]),
    n=st.sampled_from([None, None, 64, 66, 300]),
)
"""Cases that a value may be judged for, possible and impossible ones."""


def pasted(bits: int, known: int, width: int) -> str:
    """Return a value as text: hexadecimal, or binary where a digit is known in part; ``?`` where unknown."""
    digits = width // 4
    mask = f"{known:0{digits}x}"
    if set(mask) <= {"0", "f"}:
        return "0x" + "".join(
            digit if full == "f" else "?" for digit, full in zip(f"{bits:0{digits}x}", mask, strict=True)
        )
    return "0b" + "".join(
        digit if one == "1" else "?" for digit, one in zip(f"{bits:0{width}b}", f"{known:0{width}b}", strict=True)
    )
