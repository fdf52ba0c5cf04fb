"""What the page has to know before anything is pasted: its forms, the colors, the version."""

from __future__ import annotations

from typing import Any

from smemdesc import __version__
from smemdesc.integrations.page.forms import forms
from smemdesc.render.palette import CHUNKS, INK


def about() -> dict[str, Any]:
    """Return the forms of the page, and the colors of fields and chunks."""
    return {"version": __version__, "forms": forms(), "ink": INK, "chunks": CHUNKS}
