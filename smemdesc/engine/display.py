"""How results display with ``rich.print`` and in a notebook.

Views and pictures are named here and imported when needed: the library itself does not need rich.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment

T = TypeVar("T")


class Immutable:
    """A result that is no tuple: set once, through ``__dict__``; what it computes on demand is cached there, too.

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


def with_view(view: str, picture: str = "", line: Callable[[Any], str] | None = None) -> Callable[[type[T]], type[T]]:
    """Give a class a view and optionally a picture: ``module:name`` in ``smemdesc.render``, a function of the object.

    ``repr`` is one line: ``line``, or what ``__str__`` returns.
    """

    def rich_console(self: T, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        yield from _imported("console:themed")(_imported(view)(self), console, options)

    def html(self: T) -> str:
        if picture:
            from base64 import b64encode
            from html import escape

            data = b64encode(_imported(picture)(self).encode()).decode()
            image = f'<img style="max-width:100%" alt="{escape(str(self))}" src="data:image/svg+xml;base64,{data}">'
            findings = getattr(self, "findings", ())  # which a picture does not show
            below = _imported("console:html")(_imported("diagnostics:Diagnostics")(findings)) if findings else ""
            return f"{image}{below}"
        page: str = _imported("console:html")(_imported(view)(self))
        return page

    def svg(self: T) -> str:
        drawing: str = _imported(picture)(self)
        return drawing

    methods: dict[str, Callable[..., Any]] = {"__rich_console__": rich_console, "_repr_html_": html}
    if picture:
        methods["_repr_svg_"] = svg

    def add_methods(cls: type[T]) -> type[T]:
        for name, method in {**methods, "__repr__": line or cls.__str__}.items():
            setattr(cls, name, method)
        return cls

    return add_methods


def _imported(what: str) -> Callable[..., Any]:
    from importlib import import_module

    module, _, name = what.partition(":")
    view: Callable[..., Any] = getattr(import_module(f"smemdesc.render.{module}"), name)
    return view
