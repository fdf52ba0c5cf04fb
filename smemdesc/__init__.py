"""NVIDIA's tensor-core matrix descriptors, decoded and encoded without a GPU.

``smemdesc.decode(0x4000404000010040).fields["swizzle"].value`` is ``"128B"``;
``smemdesc.encode("wgmma", start_address=1024, stride_byte_offset=1024, swizzle="128B")`` is
``0x4000004000010040``. Names are imported on first use: importing the package is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from smemdesc._version import __version__

if TYPE_CHECKING:
    from smemdesc.api.decoding import decode, diff
    from smemdesc.descriptors.difference import Difference
    from smemdesc.descriptors.encoding import encode
    from smemdesc.descriptors.result import Result
    from smemdesc.engine.errors import FieldError, IllegalError, KindError, SmemdescError, ValueSyntaxError, WidthError
    from smemdesc.kinds.context import Context, context
    from smemdesc.rules import Finding
    from smemdesc.scanning.kernels import scan

__all__ = [
    "Context",
    "Difference",
    "FieldError",
    "Finding",
    "IllegalError",
    "KindError",
    "Result",
    "SmemdescError",
    "ValueSyntaxError",
    "WidthError",
    "__version__",
    "context",
    "decode",
    "diff",
    "encode",
    "scan",
]

_HOME = {
    "Context": "kinds.context",
    "Difference": "descriptors.difference",
    "FieldError": "engine.errors",
    "Finding": "rules",
    "IllegalError": "engine.errors",
    "KindError": "engine.errors",
    "Result": "descriptors.result",
    "SmemdescError": "engine.errors",
    "ValueSyntaxError": "engine.errors",
    "WidthError": "engine.errors",
    "context": "kinds.context",
    "decode": "api.decoding",
    "diff": "api.decoding",
    "encode": "descriptors.encoding",
    "scan": "scanning.kernels",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        from importlib import import_module

        value: object = getattr(import_module(f"smemdesc.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'smemdesc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
