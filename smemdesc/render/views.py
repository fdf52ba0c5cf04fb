"""The view and the picture of a result, by the name of its class; each module is imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from smemdesc.render.console import html
from smemdesc.render.console import themed as themed
from smemdesc.render.diagnostics import diagnostics

VIEWS: dict[str, tuple[str, ...]] = {
    "Asked": ("probe:asked_view",),
    "Agreement": ("scan_agree:of_agreement",),
    "Atom": ("atom:atom_view", "atom:picture"),
    "Atoms": ("atom:modes_view",),
    "CheckedMask": ("report:of_mask", "mask:picture_of"),
    "CheckedMma": ("mma:view_of",),
    "ColumnMask": ("mask:mask_view", "mask:mask_picture"),
    "Constant": ("report:constant_view",),
    "Convolution": ("mask:conv_view", "mask:conv_picture"),
    "DescribedOperand": ("operand:of_descriptor", "operand:described_picture"),
    "Difference": ("report:difference_view",),
    "Explanation": ("layout_text:explanation_view",),
    "FilterColumn": ("mask:of_column", "mask:column_picture"),
    "Finding": ("diagnostics:of_one",),
    "Fragment": ("index_map:whole_view", "index_map:picture"),
    "LinearLayout": ("layout_text:linear_view",),
    "Located": ("operand:located",),
    "MapCallAnswer": ("map_call:answer_view",),
    "Operand": ("operand:operand_view", "operand:picture"),
    "Plan": ("plan:plan_view", "plan_picture:picture"),
    "Result": ("report:decoded_view", "anatomy:picture"),
    "Scales": ("index_map:whole_view", "index_map:picture"),
    "Scan": ("scan_report:of_scan",),
    "StoredTile": ("store:store_view", "store:picture"),
    "TensorLayout": ("layout_text:tensor_view",),
    "Tile": ("tile:tile_view", "tile:picture"),
    "Tmem": ("index_map:whole_view", "index_map:picture"),
    "TmemLoads": ("index_map:whole_view", "index_map:picture"),
    "Topic": ("topic:topic_view",),
    "Topics": ("topic:topic_list",),
}
"""For each class of a result: ``module:name`` of the function for its view and, if it has one, for its picture."""


def view(result: object, **settings: Any) -> Any:
    """Return the rich renderable of a result."""
    return function_at(_places(result)[0])(result, **settings)


def has_picture(result: object) -> bool:
    """Whether a result has a picture of its own."""
    return len(_places(result)) > 1


def picture(result: object, **settings: Any) -> str:
    """Return the SVG of a result."""
    drawing: str = function_at(_places(result)[1])(result, **settings)
    return drawing


def view_html(result: object) -> str:
    """Return the HTML of a result's view."""
    return html(view(result))


def findings(result: object) -> str:
    """Return the HTML of the findings of a result, which its picture does not show; empty without findings."""
    below = getattr(result, "findings", ())
    return html(diagnostics(below)) if below else ""


def _places(result: object) -> tuple[str, ...]:
    return next(VIEWS[base.__name__] for base in type(result).__mro__ if base.__name__ in VIEWS)


def function_at(place: str) -> Callable[..., Any]:
    """Return a function of this room by its name, ``module:name``."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"smemdesc.render.{module}"), name)
    return function
