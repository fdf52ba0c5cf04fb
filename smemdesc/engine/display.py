"""How results display with ``rich.print`` and in a notebook.

Views and pictures are imported when needed: the library itself does not need rich.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment

T = TypeVar("T")


class Immutable:
    """A result that is no tuple: set once, through ``__dict__``, where computed values are also cached.

    Two are equal if their annotated attributes are.
    """

    def _parts(self) -> tuple[object, ...]:
        return tuple(self.__dict__[name] for name in type(self).__annotations__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be deleted")


def shown(
    picture: bool = False, text: bool = False, line: Callable[[Any], str] | None = None
) -> Callable[[type[T]], type[T]]:
    """Let ``rich.print`` and notebooks show the objects of a class; ``picture``: it also has one, which a
    notebook shows in place of the text, with ``text`` below it.

    ``repr`` is one line: ``line``, or what ``__str__`` returns. The package says where views are
    (``smemdesc.views_of_results``): no module knows those above it.
    """

    def rich_console(self: T, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        yield from _views().themed(_views().view(self), console, options)

    def html(self: T) -> str:
        views = _views()
        if picture:
            from base64 import b64encode
            from html import escape

            data = b64encode(views.picture(self).encode()).decode()
            image = f'<img style="max-width:100%" alt="{escape(str(self))}" src="data:image/svg+xml;base64,{data}">'
            return f"{views.view_html(self)}{image}" if text else f"{image}{views.findings(self)}"
        page: str = views.view_html(self)
        return page

    def svg(self: T) -> str:
        drawing: str = _views().picture(self)
        return drawing

    def public_names(self: T) -> list[str]:
        """Leave out what a result has as a tuple: ``count`` and ``index`` say nothing of it."""
        of_tuple = {name: method for name, method in vars(tuple).items() if not name.startswith("_")}
        return [
            name for name in object.__dir__(self) if getattr(type(self), name, None) is not of_tuple.get(name, self)
        ]

    methods: dict[str, Callable[..., Any]] = {
        "__rich_console__": rich_console,
        "_repr_html_": html,
        "__dir__": public_names,
    }
    if picture:
        methods["_repr_svg_"] = svg

    def add_methods(cls: type[T]) -> type[T]:
        for name, method in {**methods, "__repr__": line or cls.__str__}.items():
            setattr(cls, name, method)
        return cls

    return add_methods


def _views() -> Any:
    return sys.modules[__name__.partition(".")[0]].views_of_results()
