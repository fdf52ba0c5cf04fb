"""What rules judge that the bits of a descriptor alone do not decide, and what has to be known for it."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.wording import join_and
from smemdesc.kinds.context import Context


class Need(NamedTuple):
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

ARCH = Need("architecture", ("arch",))
# of a shared-memory descriptor
TYPE = Need("type", ("dtype",))
MAJOR = Need("major-ness", ("dtype", "major"))
NEEDS_STRIDES = Need("strides", ("dtype", "major"), ("shape", "tile"))
NEEDS_SHAPE = Need("shape", ("dtype", "shape"), ("arch",))
NEEDS_ADDRESSES = Need("addresses", ("dtype", "major", "shape"), ("arch",))
TILE = Need("tile", ("dtype", "major", "tile"), ("order", "shape"))
# of an instruction descriptor
NEEDS_TYPES = Need("types", ("both_types",), ("dtype", "types"))
NEEDS_MAJORS = Need("major-ness", ("majors",))
GIVEN_M = Need("M", ("given_m",), ("m", "shape", "mnk"))
GIVEN_N = Need("N", ("given_n",), ("n", "shape", "mnk"))
GIVEN_K = Need("K", ("given_k",), ("mnk", "arch"))
CTA_GROUP = Need("cta_group", ("cta_group",))
WS = Need(".ws", ("ws",))
SCALE_VEC = Need("scale_vec", ("scale_vec",))
# of a mask, of a tensor map
SUB_MASKS = Need("sub-masks", ("m",))
NEEDS_COLUMNS = Need("columns", ("n",))
MAPPED = Need("allocation", ("backing",))
