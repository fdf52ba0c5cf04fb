"""``smemdesc.explain``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from smemdesc.api.options import readers
from smemdesc.engine.errors import SmemdescError, keywords, named

if TYPE_CHECKING:
    from smemdesc.descriptors.map_call import MapCallAnswer
    from smemdesc.explanations.topics import Topic, Topics


@keywords
def explain(name: str | None = None) -> Topic | MapCallAnswer | Topics:
    """Explain a rule, a cause, a term or a field by its name: ``smemdesc explain``; without a name, all but the fields.

    For a rule: what must hold, why, an example that breaks it with its repair, and the source. For the cause of a
    mistake: which bits are wrong, how it looks, which rules report it, the repair. For a term: its names in
    PTX, CUTLASS and Triton. For text that holds the arguments of a ``cuTensorMapEncodeTiled``, as a
    library prints them if the call fails, or in source: why the driver rejects them.

    :class:`smemdesc.engine.errors.SmemdescError` suggests similar names if the name is unknown.
    """
    if name is None:
        from smemdesc.explanations.topics import topics

        return topics()
    if {"\n", "("} & set(readers.read_text("name", name)):
        from smemdesc.descriptors.map_call import answers

        every = list(answers(name))
        if len(every) > 1:
            message = f"the text has the arguments of {len(every)} calls"
            raise SmemdescError(message, hint="give those of one", keyword="name")
        for answer in every:
            if isinstance(answer, SmemdescError):
                answer.keywords = ("name",)
                raise answer
            return answer
    from smemdesc.explanations.topics import topic

    return named("name", topic, name, _function)


def _function(name: str) -> Callable[..., Any]:
    """Return the function of a command: it runs the example of a rule."""
    from smemdesc.api import checking, decoding, encoding, geometry, planning, scanning

    modules = (decoding, encoding, geometry, checking, planning, scanning)
    functions = (getattr(module, name, None) for module in modules)
    function = explain if name == "explain" else next(filter(None, functions), None)
    assert function is not None, name
    return function
