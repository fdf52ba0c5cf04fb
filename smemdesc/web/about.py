"""What the page has to know before anything is pasted: names to choose from, the colors, the version."""

from __future__ import annotations

from typing import Any

from smemdesc import __version__
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.types import NAMES
from smemdesc.render.palette import CHUNKS, INK
from smemdesc.words import ARCHS, FORMS, KINDS, MAJORS, MMA_KINDS


def about() -> dict[str, Any]:
    """Return the lists that the page's fields offer, and the colors of fields and chunks."""
    return {
        "version": __version__,
        "forms": FORMS,
        "lists": {
            "kinds": KINDS,
            "mma_kinds": MMA_KINDS,
            "majors": MAJORS,
            "archs": ARCHS,
            "dtypes": NAMES,
            "modes": [mode.name for mode in MODES],
        },
        "ink": INK,
        "chunks": CHUNKS,
    }
