"""What rules judge that the bits of a descriptor alone do not decide, and what has to be known for it."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.wording import join_and
from smemdesc.kinds.context import Context


class Ask(NamedTuple):
    """Something that rules judge only if more is known than the descriptor."""

    what: str
    needs: tuple[str, ...]
    """Attributes of the context: without one of them it is not judged, or not in full."""
    uses: tuple[str, ...] = ()
    """Keywords of the context that it depends on if they are known: those from which ``needs`` follow, and others."""

    def known(self, context: Context) -> bool:
        """Whether everything that it needs is known."""
        return all(getattr(context, name) is not None for name in self.needs)

    def give(self, context: Context) -> str:
        """Return the options of ``decode`` to give."""
        return join_and(dict.fromkeys(_OPTIONS[name] for name in self.needs if getattr(context, name) is None))

    @property
    def keywords(self) -> tuple[str, ...]:
        """The keywords of the context that it depends on."""
        return (*self.needs, *self.uses)


_OPTIONS = {
    **{name: f"--{name}" for name in ("dtype", "major", "shape", "tile", "arch", "m", "n", "backing")},
    "cta_group": "--cta-group",
    "ws": "--ws or --no-ws",
    "scale_vec": "--scale-vec",
    "both_types": "--dtype A,B",
    "majors": "--trans-a and --trans-b with --kind idesc",
    "given_m": "--shape MxNxK",
    "given_n": "--shape MxNxK",
    "given_k": "--shape MxNxK",
}

ARCH = Ask("architecture", ("arch",))
# of a shared-memory descriptor
TYPE = Ask("type", ("dtype",))
MAJOR = Ask("major-ness", ("dtype", "major"))
STRIDES = Ask("strides", ("dtype", "major"), ("shape", "tile"))
SHAPE = Ask("shape", ("dtype", "shape"), ("arch",))
ADDRESSES = Ask("addresses", ("dtype", "major", "shape"), ("arch",))
TILE = Ask("tile", ("dtype", "major", "tile"), ("order", "shape"))
# of an instruction descriptor
TYPES = Ask("types", ("both_types",), ("dtype", "types"))
MAJORS = Ask("major-ness", ("majors",))
GIVEN_M = Ask("M", ("given_m",), ("m", "shape", "mnk"))
GIVEN_N = Ask("N", ("given_n",), ("n", "shape", "mnk"))
GIVEN_K = Ask("K", ("given_k",), ("mnk", "arch"))
CTA_GROUP = Ask("cta_group", ("cta_group",))
WS = Ask(".ws", ("ws",))
SCALE_VEC = Ask("scale_vec", ("scale_vec",))
# of a mask, of a tensor map
SUB_MASKS = Ask("sub-masks", ("m",))
COLUMNS = Ask("columns", ("n",))
MAPPED = Ask("allocation", ("backing",))
