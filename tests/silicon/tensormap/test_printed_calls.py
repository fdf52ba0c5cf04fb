"""Each request of the record, printed as a library prints it, is refused or accepted as the driver did, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from printed_maps import PRINTERS, Arguments, deepgemm, tilelang_im2col
from samples import long_run
from silicon.tensormap.probe import IM2COL, TILED, Request
from test_tensormap_record import _answers, _arguments

from smemdesc.descriptors.encoding import RefusedError
from smemdesc.descriptors.map_call import MapCallAnswer, answers
from smemdesc.descriptors.tensormap import encode_map
from smemdesc.engine.errors import FieldError, SmemdescError

FIRST_PACKED, NEWER_MODES = 13, (4, 5, 6)
ALWAYS = {
    "tensorrt": {"interleave": 0, "fill": 0, "l2_promotion": 2},
    "triton": {"interleave": 0, "l2_promotion": 2},
    "deepgemm": {"interleave": 0, "fill": 0, "l2_promotion": 3},
    **{name: {"interleave": 0, "fill": 0, "l2_promotion": 0} for name in ("a dict", "JSON")},
}
"""What a library always passes, and does not print."""


def _printed(printer: Callable[..., str], request: Request) -> MapCallAnswer:
    fields = request.dtype, request.address, request.dims, request.strides, request.box, request.swizzle
    text = printer(Arguments(*fields, request.l2_promotion, request.element_strides, request.interleave, request.fill))
    (found,) = answers(text)
    assert isinstance(found, MapCallAnswer), (found, text)
    return found


def _why(request: Request) -> str:
    """Return the field or the rule by which :func:`tensormap`, held to the record, refuses a request."""
    try:
        encode_map(**_arguments(request))
    except RefusedError as error:
        return error.finding.rule
    except FieldError as error:
        return error.key
    except SmemdescError as error:
        return error.message
    return ""


def _asked(name: str, form: str, step: int) -> Iterator[tuple[Request, bool]]:
    """Yield the requests of a form as a library can have made them, each with whether the driver refused it."""
    always = ALWAYS.get(name, {})
    for each in _answers(step):
        request = each.request._replace(**always)
        # In place of a promotion that is legal any other does; every answer is the same but for its bits.
        legal = "l2_promotion" not in always or each.request.l2_promotion < 4
        if request.form == form and legal and request == each.request._replace(l2_promotion=request.l2_promotion):
            yield request, bool(each.status)


@pytest.mark.slow
@pytest.mark.parametrize("step", [613, long_run(29)])
@pytest.mark.parametrize(
    ("name", "printer", "form"),
    [*((name, printer, TILED) for name, printer in PRINTERS.items()), ("tilelang im2col", tilelang_im2col, IM2COL)],
)
def test_what_the_driver_refused_is_told_so(name: str, printer: Any, form: str, step: int) -> None:
    asked = list(_asked(name, form, step))
    assert len(asked) > 10
    for request, refused in asked:
        told = _printed(printer, request)
        if request.dtype >= FIRST_PACKED or request.swizzle in NEWER_MODES:
            assert refused, request
            assert told.newer, request
        elif name == "tvm":  # it does not print the address
            assert not told.refused or refused, request
            assert told.refused or not refused or _why(request) == "global-address", request
        elif refused:
            reasons = {reason for finding in told.refused for reason in (finding.rule, *finding.fields)}
            assert _why(request) in reasons, (request, told.refused)
        else:
            assert told.refused == (), request
            assert told.made is not None, request
            assert told.made.value == encode_map(**_arguments(request)).value, request


@pytest.mark.slow
def test_deepgemm_prints_no_type_and_counts_strides_in_elements() -> None:
    seen = set()
    for request, refused in _asked("deepgemm", TILED, 17):
        two = request.rank == 2 and request.dtype in (0, 9) and request.swizzle < 4
        if two and set(request.element_strides) == {1} and request.strides[0] % 2 == 0:
            told = _printed(deepgemm, request)
            assert bool(told.refused) == refused, (request, told.refused)
            seen.add(refused)
    assert seen == {False, True}
