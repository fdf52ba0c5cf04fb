"""Layouts explained, as text or as Triton's objects, and linear layouts of shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import index
from typing import Any, Protocol

from smemdesc.api.options.keywords import read_options
from smemdesc.engine.errors import SmemdescError, keywords_beside, named
from smemdesc.tiles.explaining import Explanation, explain_text
from smemdesc.tiles.linear import LinearLayout, TensorLayout, shared_linear
from smemdesc.tiles.reading import Options
from smemdesc.tiles.triton import whole_tensor


class WithOffsetBases(Protocol):
    """The interface of Gluon's ``SharedLinearLayout``."""

    @property
    def offset_bases(self) -> Sequence[Sequence[int]]:
        """The coordinate change of each bit of the offset."""
        ...


class WithNamedBases(Protocol):
    """The interface of Triton's ``LinearLayout``: the bases of each input by its name; the offset is ``offset``."""

    @property
    def bases(self) -> Any:
        """Pairs of a name and its bases, or a dictionary."""
        ...


TritonLayout = str | Sequence[Sequence[int]] | WithOffsetBases | WithNamedBases


@keywords_beside("layout")
def explain_layout(layout: TritonLayout, kind: str = "tcgen05", **typed: object) -> Explanation:
    """Return the descriptors of a layout: ``smemdesc layout explain``, whose options are the keywords.

    ``layout`` is a text (CuTe, Triton, a tensor map's box), the bases of Triton's shared memory (``[[0, 1], [0, 2],
    ...]``: the coordinate change of each bit of the offset, in elements), Gluon's ``SharedLinearLayout`` or Triton's
    ``LinearLayout``. Raises :class:`smemdesc.SmemdescError` where the text or the bases cannot be read.
    """
    text = named("layout", text_of_layout, layout)
    return named("layout", explained_text, text, kind, **typed)


def explained_text(text: str, kind: str = "tcgen05", **typed: object) -> Explanation:
    """Return the descriptors of the text of a layout, with the options of ``smemdesc layout explain``.

    :class:`smemdesc.SmemdescError` where the text cannot be read: it names no keyword.
    """
    read_values = read_options("explain", {"kind": kind, **typed})
    values = {name: value for name, value in read_values.items() if value is not None and name != "mma_kind"}
    apart = {name: values.pop(name, None) for name in ("mma", "at", "arch")}
    kind = values.pop("kind", "tcgen05")
    return explain_text(text, kind, Options(**values), **apart)


@keywords_beside("layout")
def linear_layout(
    layout: TritonLayout | None = None,
    *,
    swizzle: str | None = None,
    dtype: str | None = None,
    mma_kind: str | None = None,
    shape: str | tuple[int, int] | None = None,
) -> LinearLayout | TensorLayout:
    """Return the bases of a layout of shared memory: ``smemdesc layout linear``.

    Either ``swizzle`` and ``dtype`` of an atom, or ``layout`` as in :func:`explain_layout`: with the ``shape`` of the
    tensor where it does not say it, with the ``dtype`` of explicit bases (default: any of 16 bits). The result has
    ``.bases``, ``.at(row, column)``, ``.at_offset(offset)`` (offsets in elements), and ``.triton``, the text that
    :func:`explain_layout` takes.
    """
    given = read_options("linear", {"swizzle": swizzle, "dtype": dtype, "mma_kind": mma_kind, "shape": shape})
    if layout is None:
        for name in ("swizzle", "dtype"):
            if given[name] is None:
                raise SmemdescError(f"{name} is missing", hint="give swizzle and dtype, or a layout", keyword=name)
        return LinearLayout(given["swizzle"], given["dtype"])
    text = named("layout", text_of_layout, layout)
    encoding, dims, _ = named("layout", whole_tensor, text, given["shape"], given["dtype"])
    return TensorLayout(encoding, dims)


_MOST_BASES = 64
"""The most bases that are read: no shared memory has so many elements."""


def text_of_layout(layout: TritonLayout) -> str:
    """Return a layout as text: ``#ttg.shared_linear`` of bases.

    :class:`smemdesc.engine.errors.SmemdescError` for other objects.
    """
    if isinstance(layout, str):
        return layout
    bases: Any = layout
    try:
        if hasattr(layout, "offset_bases"):
            bases = None if getattr(layout, "block_bases", None) else layout.offset_bases
        elif hasattr(layout, "bases"):
            bases = dict(layout.bases).get("offset")
        return shared_linear([[index(part) for part in basis] for basis in islice(bases, _MOST_BASES)])
    except Exception:  # an object of another package may raise anything
        raise SmemdescError(
            f"{type(layout).__name__} is not a layout",
            hint="give a text, bases as [[0, 1], [0, 2]], or a layout of one CTA of Triton or Gluon",
        ) from None
