"""What of a value was judged, and what was not: an empty list of findings is as good as what was asked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.wording import join_and
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.rules.asks import TILE
from smemdesc.rules.judging import asks_of, unused

ITS_FIELDS = "fields"
"""What is always judged: constants, codes, and what the bits alone decide."""
MAP = "map"
NOUN = {
    **dict.fromkeys(SMEM_KINDS, "a shared-memory descriptor"),
    "idesc": "an instruction descriptor",
    "mask": "a zero-column mask",
    "tmem": "a tensor-memory address",
    "tensormap": "a tensor map",
}
_KEYWORD = {"types": "dtype", "mnk": "shape", "majors": "trans_a"}
"""Attributes of the context, and the keyword of each where that has another name."""


class NotChecked(NamedTuple):
    """What was not judged: ``give`` are the options that would change that, or ``why`` says why none would."""

    what: str
    give: str = ""
    why: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the JSON object."""
        return {"what": self.what, "give": self.give} if self.give else {"what": self.what, "why": self.why}


class Checks(NamedTuple):
    """What was judged, and what was not."""

    checked: tuple[str, ...]
    not_checked: tuple[NotChecked, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the JSON object of a value."""
        return {"checked": list(self.checked), "not_checked": [each.to_dict() for each in self.not_checked]}


@lru_cache(1024)
def checks(kinds: tuple[Kind, ...], context: Context, mapped: bool = False) -> Checks:
    """Return what was judged of a value of one of these kinds. ``mapped``: it was compared with a tensor map."""
    asks = [ask for ask in asks_of(kinds[0]) if all(ask in asks_of(kind) for kind in kinds)]
    of_operand = all(kind.name in SMEM_KINDS for kind in kinds)
    if mapped:
        asks.remove(TILE)  # the map is compared with it
    checked = [ITS_FIELDS, *(ask.what for ask in asks if ask.known(context)), *([MAP] if mapped else [])]
    rest = [NotChecked(ask.what, ask.give(context)) for ask in asks if not ask.known(context)]
    if of_operand and not mapped:
        rest.append(NotChecked(MAP, "--map" if context.major else "--map and --major"))
    if len(kinds) > 1:
        give = "--mma-kind" if all(kind.name == "idesc" for kind in kinds) else "--kind"
        rest.insert(0, NotChecked("kind", give))
    rest += [NotChecked(f"--{name}".replace("_", "-"), "", why) for name, why in not_used(kinds, context).items()]
    return Checks(tuple(dict.fromkeys(checked)), tuple(rest))


_OF_MMA = {"arch": "--arch", "ws": "--ws or --no-ws", "scale_vec": "--scale-vec", "cta_group": "--cta-group"}
"""Attributes of an operand's context that an option of ``mma`` is; the instruction says the others."""
_NOT_OF_MMA = ("both_types", "majors", "given_m", "given_n", "given_k")
"""Those that nothing around an instruction descriptor says."""


@lru_cache(1024)
def _of_instruction(kinds: tuple[Kind, ...], context: Context, wgmma: bool) -> Checks:
    asks = [ask for ask in asks_of(kinds[0]) if all(ask in asks_of(kind) for kind in kinds)]
    asks = [ask for ask in asks if ask is not TILE and not {*ask.needs} & {*_NOT_OF_MMA}]
    rest = [
        NotChecked(
            ask.what,
            join_and(
                dict.fromkeys(
                    _OF_MMA.get(need, "--sparse or --no-sparse" if wgmma else "--idesc")
                    for need in ask.needs
                    if getattr(context, need) is None
                )
            ),
        )
        for ask in asks
        if not ask.known(context)
    ]
    if len(kinds) > 1:
        rest.insert(0, NotChecked("kind", "--mma-kind"))
    return Checks((ITS_FIELDS, *dict.fromkeys(ask.what for ask in asks if ask.known(context))), tuple(rest))


def of_operand(
    kinds: tuple[Kind, ...], context: Context, name: str, *, wgmma: bool, tiled: bool, mapped: bool, copied: bool
) -> Checks:
    """Return what of an instruction's operand was judged; ``give`` are options of ``mma``."""
    found = _of_instruction(kinds, context, wgmma)
    around = {} if copied or name == "mask" else {"tile": tiled} | ({"map": mapped} if name in "ab" else {})
    checked = tuple(what for what, done in around.items() if done)
    options = {what: f"--{name}-{what}" if name in "ab" else "--a-tile and --b-tile" for what in around}
    rest = tuple(NotChecked(what, options[what]) for what, done in around.items() if not done)
    return Checks((*found.checked, *checked), (*found.not_checked, *rest))


def not_used(kinds: Iterable[Kind], context: Context) -> dict[str, str]:
    """Return what says nothing about a value of one of these kinds, by keyword, each with the reason."""
    kind, *others = kinds
    names = [name for name in unused(kind, context) if all(name in unused(other, context) for other in others)]
    return {_KEYWORD.get(name, name): _why(name, kind, context) for name in names}


def _why(name: str, kind: Kind, context: Context) -> str:
    noun = NOUN[kind.name]
    if name == "mnk" and kind.name in SMEM_KINDS and context.mnk:
        m, n, k = context.mnk
        return f"{noun} is one operand: {m}x{k} of A, {n}x{k} of B"
    if name == "types" and kind.name in SMEM_KINDS:
        return f"{noun} is one operand, which has one type"
    if kind.name == "idesc" and name == "major":
        return f"{noun} has the major-ness of A and of B: give --trans-a and --trans-b"
    if kind.name == "idesc" and name in ("dtype", "shape"):
        return "with --major it is about one operand, and an instruction descriptor is about A and B"
    return f"it says nothing about {noun}" + (
        f" of kind::{kind.mma_kind}" if name == "scale_vec" and kind.mma_kind else ""
    )


def advice(found: Checks) -> str:
    """Return in words what was not judged of an operand, and what to give; empty if every address was, or a map."""
    open_ = {each.what: each.give for each in found.not_checked}
    if "addresses" not in open_ or MAP in found.checked:
        return ""
    what = [word for word in ("strides", "addresses") if word in open_]
    return f"{join_and(what)} (give {open_['addresses']})"
