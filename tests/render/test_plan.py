"""A plan says the same as text, as JSON and as constants, and nothing that it takes is too little without an error."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import some

from smemdesc import SmemdescError
from smemdesc.api.planning import plan
from smemdesc.instructions.plan import Plan
from smemdesc.render.console import lines as drawn
from smemdesc.render.plan import plan_view
from smemdesc.render.plan_block import plan_text
from smemdesc.rules.base import ERROR

SCALED = (("e4m3", "ue8m0"), ("e2m1", "ue8m0"), ("e2m1", "ue4m3"))


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    hopper = draw(st.integers(0, 3)) == 3
    dtype, scale = draw(st.sampled_from(SCALED if not hopper and draw(st.booleans()) else _PLAIN))
    m = draw(st.sampled_from((64, 128, 192, 256, 384, 512, 1024)))
    n = draw(st.one_of(st.sampled_from((64, 128, 256, 512, 1024)), st.integers(1, 40).map(lambda count: 8 * count)))
    k = draw(st.sampled_from((64, 128, 192, 256, 384, 512, 1024)))
    chosen: dict[str, Any] = {"stages": draw(st.integers(1, 12)), "scale": scale}
    if hopper:
        chosen |= {"arch": "sm_90a", "a_from": draw(st.sampled_from(("smem", "registers")))}
    else:
        chosen |= {"cta_group": draw(st.integers(1, 2)), "a_from": draw(st.sampled_from(("smem", "smem", "tmem")))}
        one_n = draw(st.sampled_from((None, 16, 48, 64, 96, 160)))
        chosen["mma"] = None if one_n is None else (128 * chosen["cta_group"], one_n)
    chosen["sparse"] = draw(st.integers(0, 5)) == 0
    try:
        return plan((m, n, k), dtype=dtype, **chosen)
    except SmemdescError:
        assume(False)
        raise


_PLAIN = (("bf16", None), ("e4m3", None), ("u8", None), ("tf32", None), ("e2m3", None))


def views(made: Plan) -> tuple[str, dict[str, Any], dict[str, Any], str]:
    """Return the text of a plan without line breaks, its JSON, its constants, and the lines that hold these."""
    lines = plan_text(made, "python", "made", ["smemdesc", "plan"])
    names: dict[str, Any] = {}
    exec(lines, names)
    return drawn(plan_view(made, every=True), 4000), made.to_dict(), names["made"], lines


@pytest.mark.slow
@some(100, least=20)
@given(plans())
def test_a_plan(made: Plan) -> None:
    """Each is made once, and held to all of it: making them takes most of the time."""
    text, data, constants, lines = views(made)
    text_json_and_constants_agree(made, text, data, constants, lines)
    every_constant_can_be_asked_for(made, data, constants)
    the_first_screen_has_what_a_kernel_needs(made)
    too_little_of_anything_is_an_error_and_nothing_else_is(made)
    nothing_in_shared_memory_overlaps(made)
    every_step_has_its_scale_factors_for_itself(made)


def text_json_and_constants_agree(
    made: Plan, text: str, data: dict[str, Any], constants: dict[str, Any], lines: str
) -> None:
    memory = data["shared_memory"]
    said: list[tuple[Any, Any, str]] = [
        (memory["stage"], constants["stage_bytes"], "per stage  {} B"),
        (memory["bytes"], constants["shared_bytes"], "total      {} B for "),
        (memory["mbarriers"]["offset"], constants["mbarrier_offset"], " of mbarriers each, from byte {},"),
        (memory["tma_bytes"], constants["tma_stage_bytes"], "expects {} B from TMA" if made.tma_bytes else ""),
    ]
    for operand in made.operands:
        of, its = data[operand.name], constants[operand.name]
        said += [(of["bytes"], its["bytes"], "{} B, aligned to"), (of["offset"], its["offset"], "the first at byte {}")]
        values = [[int(each, 16) for each in row] for row in of["descriptors"]]
        assert values == [[its["descriptor"] + each for each in row] for row in its["offsets"]]
        if of["tma"] is not None:
            said.append((of["tma"]["bytes"], its["tma_bytes"], " of {} B"))
    if made.scale is not None:
        its = constants["scale"]
        assert data["scale"]["idescs"] == [f"0x{each:08x}" for each in its["idesc"]]
        for name in "ab":
            of = data["scale"][name]
            said.append((of["offset"], its[f"{name}_offset"], " of 512 B from byte {}, "))
            said.append((data["scale"][f"{name}_bytes"], its[f"{name}_bytes"], " {} B "))
            for steps, key in (("steps", "columns"), ("mn_steps", "mn_columns")):
                columns = [each["column"] for each in of[steps]]
                shown = ", ".join(f"+{each}" for each in columns[:8])
                said.append((columns, its[f"{name}_{key}"], f"{shown}" if len(columns) > 1 else ""))
    if made.tensor_memory is not None:
        said.append((data["tensor_memory"]["columns"], constants["tmem"]["columns"], " {} of 512 columns"))
    words = " ".join(text.split())
    for of_json, of_constants, form in said:
        assert of_json == of_constants
        assert " ".join(form.format(of_json).split()) in words
    for note in made.notes:
        assert note in data["notes"]
        assert note in words
        assert f"# note: {note}\n" in lines
    for finding, of in zip(made.findings, data["findings"], strict=True):
        assert of["message"] == finding.message
        assert f"# {finding}\n" in lines
        assert f"{finding.severity} {finding.rule}: " in text


def every_constant_can_be_asked_for(made: Plan, data: dict[str, Any], constants: dict[str, Any]) -> None:
    """A name that JSON and the constants share means the same in both."""
    for name, value in {**constants, **{f"b.{key}": part for key, part in constants["b"].items()}}.items():
        if not isinstance(value, dict):
            assert [int(word, 0) for word in made.bare(name).split() if word[0] != "C"] == [*numbers_in(value)]
    assert made.bare("b.descriptors").split() == [each for row in data["b"]["descriptors"] for each in row]
    assert made.bare("b.sbo") == str(data["b"]["stride_byte_offset"])


def numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part)


def the_first_screen_has_what_a_kernel_needs(made: Plan) -> None:
    text = drawn(plan_view(made), 4000)
    words = text.split()
    assert len(text.splitlines()) <= 20 or made.notes or made.findings
    needed = [made.mnemonic, *(f"0x{operand.base:016x}" for operand in made.operands), str(made.memory.total)]
    needed += [f"0x{made.idesc:08x}"] if made.idesc is not None else []
    assert [word for word in needed if word not in words] == []
    for operand in made.operands:
        for strides, offsets in (
            (operand.k_strides, operand.offsets[0]),
            (operand.mn_strides, [row[0] for row in operand.offsets]),
        ):
            assert strides is not None or operand.tile.absolute
            for units, _ in strides or ():
                assert f"+{units} ({16 * units} B)" in text
            if strides is not None:
                steps = [0]
                for units, count in strides:
                    steps = [step + at * units for at in range(count) for step in steps]
                assert tuple(steps) == tuple(offsets)


def too_little_of_anything_is_an_error_and_nothing_else_is(made: Plan) -> None:
    over = {
        "outside-shared-memory": made.memory.total > made.memory.limit,
        "tensor-memory-columns": made.tensor_memory is not None and made.tensor_memory.columns > 512,
        "accumulator-registers": made.kind == "wgmma" and made.shape[0] * made.shape[1] >= 65_536,
    }
    found = {each.rule for each in made.findings if each.severity == ERROR}
    assert found == {rule for rule, is_over in over.items() if is_over}
    # An mbarrier counts fewer than 2^20 bytes: what is more has no room in shared memory, either.
    assert made.tma_bytes * made.cta_group < 1 << 20 or found


def nothing_in_shared_memory_overlaps(made: Plan) -> None:
    parts = [*made.operands, *((made.scale.a, made.scale.b) if made.scale else ())]
    end = 0
    for part in parts:
        assert part.offset >= end
        end = part.offset + made.stages * part.bytes
    assert made.memory.barriers == end
    assert made.memory.total == end + made.stages * 16
    assert made.memory.stage == sum(part.bytes for part in parts)


def every_step_has_its_scale_factors_for_itself(made: Plan) -> None:
    """The columns that an MN step's rows take, 32 rows a column from its first, lie within what is counted."""
    if made.scale is None:
        return
    for each, count in zip((made.scale.a, made.scale.b), made.steps, strict=False):
        assert len(each.added) == count
        one = -(-each.rows // count // 32)
        apart = [range(first, first + one) for first in each.added]
        assert all(left.stop <= right.start for left, right in pairwise(apart))
        last = max(step.column for step in each.scales.steps)
        assert max(each.added) + last + one <= each.columns


def test_no_triton_tensor_is_named_that_there_is_not() -> None:
    made = plan((256, 32, 384), dtype="s8")
    text, data, _, _ = views(made)
    assert text.count("none: tensor sizes are powers of two") == 2
    assert [data[name][key] for name in "ab" for key in ("triton", "triton_shape")] == [None] * 4
