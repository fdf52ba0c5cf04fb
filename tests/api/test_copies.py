"""Results and errors in other processes and in sets: each is pickled, copied, compared and hashed."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from samples import long_run
from tables import every_row

import smemdesc
from api.test_common import CASE, NEEDED, VALUE, call
from smemdesc.engine.errors import SmemdescError, UnforeseenError

DATA = Path(__file__).parents[2] / "examples" / "data"
WGMMA: dict[str, Any] = {"a": 0x4000004000010040, "b": 0x4000004000010040, "inst": "m64n64k16", "dtype": "bf16"}
MORE: dict[str, Callable[[], Any]] = {
    "decode all": lambda: smemdesc.decode(VALUE, tile="128x64", order="mn", **CASE),
    "decode several": lambda: smemdesc.decode(0x8200490),
    "decode partly": lambda: smemdesc.decode("0x40004040????????"),
    "decode wrong": lambda: smemdesc.decode(0x6000404000010041, dtype="bf16"),
    "decode map": lambda: smemdesc.decode(VALUE, map="box=64x64,swizzle=128B,dtype=bf16", **CASE),
    "mma wgmma": lambda: smemdesc.mma(**WGMMA),
    "mma tiles": lambda: smemdesc.mma(a=VALUE, idesc=0x8200490, mma_kind="f16", a_tile="128x64"),
    "mask zero": lambda: smemdesc.mask(zero="0-2", m=128, n=16),
    "atoms": lambda: smemdesc.atom(),
    "tmem loads": lambda: smemdesc.tmem(m=64, n=32, ld="16x256b"),
    "store given": lambda: smemdesc.store(
        "64x64", dtype="bf16", major="K", swizzle="128B", thread_layout="(4,8):(8,1)"
    ),
    "plan maps": lambda: smemdesc.plan("128x128x64", dtype="bf16", a_address=0),
    "encode layout": lambda: smemdesc.encode("wgmma", layout="(64,16):(64,1)", dtype="bf16", major="K"),
    "encode forced": lambda: smemdesc.encode("tcgen05", raw={"swizzle": 5}, force=True),
    "explain all": lambda: smemdesc.explain(),
    "explain rule": lambda: smemdesc.explain("sbo-below-atom"),
    "scan": lambda: smemdesc.scan(DATA / "gemm_sm100.sass", DATA / "gemm_sm90.sass"),
    "scan values": lambda: smemdesc.scan(f"desc = {VALUE:#x};\n"),
    "tmem ld": lambda: smemdesc.tmem(m=128, n=64, ld="16x256b"),
    "agree": lambda: smemdesc.agree(DATA / "k_loop_sm100.ptx", DATA / "k_loop_sm100.sass"),
}
NOT_RETURNED = {"LinearLayout", "MapCallAnswer", "Asked"}
"""What only commands show."""
SAMPLES = {name: lambda name=name: call(name) for name in NEEDED} | MORE


def modules() -> Iterator[Any]:
    """Import every module of the package that can be imported here."""
    for each in pkgutil.walk_packages(smemdesc.__path__, "smemdesc."):
        if not each.name.endswith("__main__"):
            with suppress(ImportError):  # cuda-gdb and pytest have theirs
                yield importlib.import_module(each.name)


def classes() -> set[type]:
    return {
        each
        for module in modules()
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__.startswith("smemdesc.")
    }


def parts(of: Any, seen: dict[int, Any]) -> None:
    """Collect an object and what it holds."""
    if id(of) in seen:
        return
    seen[id(of)] = of
    if isinstance(of, dict):
        of = [*of, *of.values()]
    for each in of if isinstance(of, list | tuple) else ():
        parts(each, seen)
    for each in getattr(of, "__dict__", {}).values() if type(of).__module__.startswith("smemdesc.") else ():
        parts(each, seen)


@pytest.mark.slow
@pytest.mark.parametrize("used", [False, long_run(True)])
@every_row("name", SAMPLES)
def test_a_result_is_copied_pickled_and_hashed(name: str, used: bool) -> None:
    result = SAMPLES[name]()
    if used and name != "Context":  # what was computed on demand goes with it
        assert result._repr_html_()
        assert result.to_dict() is not None
        assert name == "agree" or repr(result.findings)
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result) if used else copy.copy(result)):
        assert type(again) is type(result)
        assert (again, hash(again), str(again), repr(again)) == (result, hash(result), str(result), repr(result))
        assert name == "Context" or again.to_dict() == result.to_dict()


def test_every_result_that_shows_itself_is_among_them() -> None:
    seen: dict[int, Any] = {}
    for sample in SAMPLES.values():
        parts(sample(), seen)
    shown = {each for each in classes() if "_repr_html_" in vars(each)}
    public = {value for name in smemdesc.__all__ if inspect.isclass(value := getattr(smemdesc, name))}
    results = {each for each in shown | public if not issubclass(each, Exception)}
    assert {each.__qualname__ for each in results - {*map(type, seen.values())}} == NOT_RETURNED


ARGUMENTS = {
    "message": "what is wrong",
    "key": "swizzle",
    "cause": ValueError("x"),
    "column": 1,
    "sub_mask": 0,
    "hint": "do",
}


def errors() -> dict[str, SmemdescError]:
    """Return an error of every type of the package."""
    made: dict[str, SmemdescError] = {}
    for kind in classes():
        if not issubclass(kind, SmemdescError):
            continue
        names = [name for name, each in inspect.signature(kind).parameters.items() if each.default is each.empty]
        if kind.__name__ == "RefusedError":
            with pytest.raises(kind) as caught:
                smemdesc.encode("tcgen05", raw={"swizzle": 5})
            made[kind.__name__] = caught.value
        else:
            made[kind.__name__] = kind(*(ARGUMENTS[name] for name in names))
    return made


def test_an_error_is_copied_and_pickled() -> None:
    made = errors()
    assert len(made) > 8
    for error in made.values():
        error.keywords += ("kind",)
        error.add_note("a note")
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert (type(again), str(again), again.args) == (type(error), str(error), error.args)
            assert {key: str(each) for key, each in vars(again).items()} == {
                key: str(each) for key, each in vars(error).items()
            }
            assert hash(again)


def test_a_cause_that_cannot_be_pickled_stays_behind() -> None:
    cause = ValueError(lambda: 1)
    again = pickle.loads(pickle.dumps(UnforeseenError(cause)))
    assert "ValueError" in str(again.cause)


@pytest.mark.parametrize("kind", ["nope", "idesc"])
def test_an_error_comes_back_from_another_process(kind: str) -> None:
    with get_context("fork").Pool(1) as pool, pytest.raises(smemdesc.KindError):
        pool.map_async(smemdesc.encode, [kind]).get(30)


def test_results_come_back_from_another_process() -> None:
    with get_context("fork").Pool(1) as pool:
        assert pool.map_async(smemdesc.decode, [VALUE]).get(30) == [smemdesc.decode(VALUE)]
