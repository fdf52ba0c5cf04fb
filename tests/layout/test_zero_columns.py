"""Masks: the document's examples, an independent model bit by bit, the way back, and convolutions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import sampled, some
from tables import every_row

from smemdesc import context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.convolution import expected
from smemdesc.layout.zero_columns import (
    NoDescriptorError,
    column_masks,
    columns_text,
    equal_runs,
    expand,
    find_mask,
    parse_columns,
    parse_mask,
    row_starts,
    runs_of,
)

PARTS = {128: 1, 64: 2, 32: 4}


def column_by_column(raw: dict[str, int], m: int, n: int) -> int:
    """The mask by counting through the columns: no runs, no lengths."""
    if not raw.get("non_zero_mask", 1):
        return 0
    width = n // PARTS[m]
    mask = 0
    for i in range(PARTS[m]):
        value, count = raw.get(f"first_span_{i}", 0), raw.get(f"start_count_{i}", 0)
        for column in range(i * width, (i + 1) * width):
            if value:
                mask |= 1 << column
            if count >= raw["skip_span" if value else "use_span"]:
                value, count = 1 - value, 0
            else:
                count += 1
    return mask


DOCUMENT = [
    (0x0003040000000000, 128, []),
    (0x0003028000000000, 128, ["111 0000 111 0000"]),
    (0x0003028100000000, 64, ["111 0000 111 0000 111", "0000 111 0000 111 0000"]),
    (
        0x0203028301020100,
        32,
        ["0000 111 0000 111", "0000 111 0000 11", "111 0000 111 00", "111 0000 111 000"],
    ),
]


@every_row(("value", "m", "printed"), DOCUMENT)
@every_row("n", [64, 128, 256])
def test_examples_of_the_document(value: int, m: int, printed: list[str], n: int) -> None:
    mask = expand(value, m, n)
    assert len(mask.sub_masks) == PARTS[m]
    for sub, pattern in zip(mask.sub_masks, printed, strict=False):
        digits = f"{sub.bits:0{sub.width}b}"
        shown = pattern.replace(" ", "")
        assert digits.endswith(shown)
        assert all(digits[i] == digits[i + 7] for i in range(len(digits) - 7))
    if not printed:
        assert mask.bits == 0
        assert mask.zeroed == ()


def test_b_is_shifted_without_a_mask_too() -> None:
    assert expand(0x0203028301020100, 32, 128).columns == (2, 129)
    mask = expand({"non_zero_mask": 0, "column_shift": 5}, 64, 64)
    assert (mask.bits, mask.columns) == (0, (5, 68))


raws = st.one_of(st.sampled_from([0, 1, 2, 3, 7, 15, 31, 63]), st.integers(0, 255))
sizes = st.tuples(st.sampled_from([32, 64, 128]), st.integers(8, 256))
whole_sizes = sizes.map(lambda size: (size[0], size[1] // PARTS[size[0]] * PARTS[size[0]]))
"""N cut into sub-masks without a rest: for these there are descriptors to be found."""


@st.composite
def fields(draw: st.DrawFn) -> dict[str, int]:
    made = {f"start_count_{i}": draw(raws) for i in range(4)}
    made |= {f"first_span_{i}": draw(st.integers(0, 1)) for i in range(4)}
    return made | {
        "non_zero_mask": draw(st.sampled_from([0, *[1] * 9])),
        "skip_span": draw(raws),
        "use_span": draw(raws),
        "column_shift": draw(st.integers(0, 63)),
    }


@pytest.mark.corpus
@some(600)
@given(fields(), sizes)
def test_any_descriptor(raw: dict[str, int], size: tuple[int, int]) -> None:
    m, n = size
    mask = expand(raw, m, n)
    assert mask.bits == column_by_column(raw, m, n)
    assert mask.bits == sum(sub.bits << sub.first for sub in mask.sub_masks)
    assert mask.zeroed == runs_of(mask.bits, n)
    assert {column for first, last in mask.zeroed for column in range(first, last + 1)} == {
        column for column in range(n) if mask.bits >> column & 1
    }
    assert mask == expand(mask.value, m, n)
    skip, use = raw["skip_span"] + 1, raw["use_span"] + 1
    assert (mask.skip_span, mask.use_span) == (skip, use)
    for sub in mask.sub_masks if mask.generated else ():
        runs = list(equal_runs(sub.bits, sub.first, sub.width))
        for zeroed, first, last in runs[1:-1]:
            assert last - first + 1 == (skip if zeroed else use)
        begin = runs[0][2] + 1 - sub.first  # the pattern repeats from the second run on
        for column in range(begin, sub.width - skip - use):
            assert sub.bits >> column & 1 == sub.bits >> column + skip + use & 1


@pytest.mark.corpus
@some(600)
@given(fields(), whole_sizes)
def test_the_way_back_of_any_mask(raw: dict[str, int], size: tuple[int, int]) -> None:
    m, n = size
    mask = expand(raw, m, n)
    found = find_mask(mask.bits, m, n)
    assert found.bits == mask.bits
    assert found.generated is bool(mask.bits)
    if mask.bits:
        assert found.skip_span <= mask.skip_span
        if mask.bits != (1 << n) - 1:
            assert found.use_span <= mask.use_span
    checked = {finding.rule for finding in decode_value(found.value, "mask", context=context(m=m, n=n)).findings}
    assert checked <= {"mask-size"}


def sub_masks(skip: int, use: int, width: int) -> set[int]:
    """Every sub-mask with these raw spans. A start count past the first span is the last one within it, here too."""
    return {
        column_by_column(
            {"skip_span": skip, "use_span": use, "first_span_0": first, "start_count_0": start}, 128, width
        )
        for first in (0, 1)
        for start in range((skip if first else use) + 3)
    }


@pytest.mark.slow
@pytest.mark.parametrize("m", sampled(PARTS))
@pytest.mark.parametrize("n", [8, 16, *(pytest.param(n, marks=pytest.mark.corpus) for n in (24, 32))])
def test_the_way_back_of_every_mask(m: int, n: int) -> None:
    """Every mask that some descriptor has is found, with the smallest spans; of the others a sample is refused."""
    width = n // PARTS[m]
    smallest: dict[int, tuple[int, int]] = {}
    for skip, use in itertools.product(range(width), repeat=2):
        parts = sub_masks(skip, use, width)
        if len(parts) ** PARTS[m] > 5000:
            rng = random.Random(f"{m} {n} {skip} {use}")
            chosen = [tuple(rng.choice(sorted(parts)) for _ in range(PARTS[m])) for _ in range(600)]
            chosen += [(part,) * PARTS[m] for part in parts]
        else:
            chosen = list(itertools.product(parts, repeat=PARTS[m]))
        for tiles in chosen:
            mask = sum(part << i * width for i, part in enumerate(tiles))
            best = smallest.get(mask, (skip, use))
            smallest[mask] = min(best[0], skip), min(best[1], use)
    for mask, (skip, use) in smallest.items():
        found = find_mask(mask, m, n)
        assert found.bits == mask
        if mask:
            assert (found.skip_span, found.use_span) <= (skip + 1, use + 1)


@pytest.mark.corpus
def test_a_mask_that_is_found_is_one_that_there_is_and_no_other_is_refused() -> None:
    """All 65,536 masks of 16 columns, one and two sub-masks: found exactly if some descriptor has them."""
    for m in (128, 64):
        width = 16 // PARTS[m]
        possible = set()
        for skip, use in itertools.product(range(width), repeat=2):
            possible |= {
                sum(part << i * width for i, part in enumerate(tiles))
                for tiles in itertools.product(sub_masks(skip, use, width), repeat=PARTS[m])
            }
        for mask in range(1 << 16):
            try:
                found = find_mask(mask, m, 16)
            except NoDescriptorError:
                assert mask not in possible
            else:
                assert found.bits == mask
                assert mask in possible or not mask


@pytest.mark.parametrize(
    ("columns", "m", "n", "column", "sub_mask", "words"),
    [
        ("0-2,7-8,14-15", 128, 16, 9, 0, "skip span is at least 3 by the zeroed columns 0-2"),
        ("1-2,5-6,12", 128, 16, 9, 0, "use span is 2 by the used columns 3-4"),
        ("2-3,8-12", 128, 16, 10, 0, "zeroed columns 8-12 are 5"),
        ("1-2,9-12", 64, 16, 11, 1, "skip span is 2 by the zeroed columns 1-2 (sub-mask 0)"),
    ],
)
def test_where_a_pattern_breaks(columns: str, m: int, n: int, column: int, sub_mask: int, words: str) -> None:
    with pytest.raises(NoDescriptorError) as raised:
        find_mask(parse_columns(columns, n), m, n)
    assert (raised.value.column, raised.value.sub_mask) == (column, sub_mask)
    assert words in raised.value.message


def test_the_smallest_spans() -> None:
    found = find_mask(0b111 << 8, 128, 64)
    assert (found.skip_span, found.use_span) == (3, 53)
    assert find_mask((1 << 256) - 1, 128, 256).skip_span == 256
    assert find_mask(0, 128, 64).value == 0
    assert find_mask(0, 128, 64, shift=3).columns == (3, 66)


@every_row(
    ("wrong", "words"),
    [
        (lambda: expand(0, 16, 64), "M = 16"),
        (lambda: expand(0, 256, 64), "32, 64 or 128"),
        (lambda: expand(0, 32, 7), "8 to 256"),
        (lambda: expand(0, 32, 257), "8 to 256"),
        (lambda: expand(1 << 64, 32, 64), "64 bits"),
        (lambda: expand(-1, 32, 64), "64 bits"),
        (lambda: expand("0x0003028?00000000", 32, 64), "not all bits"),
        (lambda: expand({"skip_span": 256}, 32, 64), "skip_span"),
        (lambda: expand({"skip_spam": 1}, 128, 64), "skip_spam"),
        (lambda: find_mask(1 << 64, 32, 64), "column 64"),
        (lambda: find_mask(1, 32, 64, shift=17), "0 to 16"),
        (lambda: find_mask(1, 32, 30), "4 sub-masks of N/4 columns; the nearest are 28 and 32"),
        (lambda: find_mask(1, 64, 9), "2 sub-masks"),
        (lambda: column_masks(8, 32, 10, 0, 1, 3), "4 sub-masks"),
        (lambda: column_masks(0, 128, 64, 0, 1, 3), "q = 0"),
        (lambda: column_masks(8, 128, 64, -1, 1, 3), "tile = -1"),
        (lambda: column_masks(8, 32, 64, 0, 1, 18), "column shift of 17"),
        (lambda: column_masks(8, 128, 64, 0, 1, 34), "column shift of 33"),
    ],
)
def test_what_there_is_not(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(SmemdescError, match=words):
        wrong()


@pytest.mark.parametrize(
    ("bits", "width", "runs"),
    [
        (0, 4, [(False, 5, 8)]),
        (0b1111, 4, [(True, 5, 8)]),
        (0b0110, 4, [(False, 5, 5), (True, 6, 7), (False, 8, 8)]),
        (0b10110, 4, [(False, 5, 5), (True, 6, 7), (False, 8, 8)]),
    ],
)
def test_equal_runs(bits: int, width: int, runs: list[tuple[bool, int, int]]) -> None:
    assert list(equal_runs(bits, 5, width)) == runs


@pytest.mark.parametrize(
    ("text", "mask"), [("0-2,7", 0b10000111), (" 3 - 4 , 0 ", 0b11001), ("none", 0), ("7", 0b10000000)]
)
def test_columns_as_text(text: str, mask: int) -> None:
    assert parse_columns(text, 8) == mask
    assert parse_columns(columns_text(runs_of(mask, 8)), 8) == mask


@pytest.mark.parametrize("text", ["0x87", "0b1000 0111", "135", "0b 1 0000 111"])
def test_a_mask_as_text(text: str) -> None:
    assert parse_mask(text, 8) == 0x87


@every_row(
    ("parse", "text"),
    [
        *((parse_columns, text) for text in ("", "0-", "-3", "a", "0-2,,4", "5-3", "8", "0-8", "1-2-3", "0..3")),
        *((parse_mask, text) for text in ("", "0x", "abc", "-1", "0x100", "0b12")),
    ],
)
def test_what_is_no_mask(parse: Callable[[str, int], int], text: str) -> None:
    with pytest.raises(SmemdescError) as raised:
        parse(text, 8)
    assert raised.value.given == text


def padded(q: int, n: int, tile: int, left: int, s: int) -> set[int]:
    """The columns that read padding, from rows that are really laid out with it."""
    columns = set()
    for column in range(n):
        row, pixel = divmod(tile * n + column, q)
        laid_out = [None] * left + [(row, i) for i in range(q)] + [None] * (s + 1)
        if laid_out[pixel + s] is None:
            columns.add(column)
    return columns


@pytest.mark.corpus
@pytest.mark.parametrize("m", PARTS)
@pytest.mark.parametrize("n", [64, 128, 256])
@pytest.mark.parametrize("filter_width", [1, 3])
def test_convolutions(m: int, n: int, filter_width: int) -> None:
    for q in (1, 2, 3, 14, 63, 64, 65, 127, 129, 255, 256, 257, 513):
        for tile, left in itertools.product((0, 1, 9), (0, 1, 2)):
            for column in column_masks(q, m, n, tile, left, filter_width):
                assert {at for at in range(n) if column.padding >> at & 1} == padded(q, n, tile, left, column.s)
                assert column.agrees
                assert column.mask.shift == column.s


def test_row_starts() -> None:
    assert row_starts(255, 128, 1) == (127,)
    assert row_starts(28, 64, 0) == (0, 28, 56)
    assert row_starts(300, 128, 1) == ()
    assert row_starts(64, 64, 3) == (0,)


CUTLASS = 0x00FC010000000000
"""What make_column_zero_mask gives for the first filter column of the convolution below."""


def test_the_first_pixel_of_the_next_row_is_masked() -> None:
    first, second, third = column_masks(255, 128, 128, 1, 2, 3)
    assert first.mask.zeroed == ((127, 127),)
    assert second.mask.zeroed == ((127, 127),)
    assert third.mask.zeroed == ()
    assert not third.mask.generated
    comparison = first.compare(CUTLASS)
    assert (comparison.unmasked, comparison.overmasked, comparison.same) == (((127, 127),), (), False)


def test_findings_of_an_expected_mask() -> None:
    columns = column_masks(255, 128, 128, 1, 2, 3)
    [error, *_] = expected(columns, CUTLASS).findings
    assert (error.severity, error.rule) == ("error", "padding-not-zeroed")
    assert "column 127" in error.message
    assert "CUTLASS" in error.likely
    same = expected(columns, columns[1].mask.value)
    assert same.comparison.same
    assert same.findings == ()
    wrong = expected(columns, find_mask(1 << 5, 128, 128).value)
    assert [finding.rule for finding in wrong.findings] == ["padding-not-zeroed", "data-zeroed"]
    assert wrong.findings[0].likely == ""
    with pytest.raises(SmemdescError, match="column shift is 3"):
        expected(columns, 0x03FC010000000000)
