"""NVIDIA's tensor-core matrix descriptors, decoded and encoded without a GPU.

``smemdesc.decode(0x4000404000010040).fields["swizzle"].value`` is ``"128B"``;
``smemdesc.encode("wgmma", start_address=1024, stride_byte_offset=1024, swizzle="128B")`` is
``0x4000004000010040``. Names are imported on first use: importing the package is cheap.
"""

from smemdesc._version import __version__

TYPE_CHECKING = False  # that of typing, whose import takes longer than all of this
if TYPE_CHECKING:
    from smemdesc.api.decoding import decode, diff, mask
    from smemdesc.api.encoding import encode, tensormap
    from smemdesc.api.explaining import explain
    from smemdesc.api.instructions import mma, plan
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.difference import Difference
    from smemdesc.descriptors.result import Result
    from smemdesc.engine.errors import FieldError, IllegalError, KindError, SmemdescError, ValueSyntaxError, WidthError
    from smemdesc.instructions.convolution import CheckedMask
    from smemdesc.instructions.mma import CheckedMma
    from smemdesc.instructions.plan import Plan
    from smemdesc.kinds.context import Context, context
    from smemdesc.rules import Finding
    from smemdesc.scanning.kernels import scan

__all__ = [
    "CheckedMask",
    "CheckedMma",
    "Constant",
    "Context",
    "Difference",
    "FieldError",
    "Finding",
    "IllegalError",
    "KindError",
    "Plan",
    "Result",
    "SmemdescError",
    "ValueSyntaxError",
    "WidthError",
    "__version__",
    "context",
    "decode",
    "diff",
    "encode",
    "explain",
    "mask",
    "mma",
    "plan",
    "scan",
    "tensormap",
]

_HOME = {
    "CheckedMask": "instructions.convolution",
    "CheckedMma": "instructions.mma",
    "Constant": "descriptors.constant",
    "Context": "kinds.context",
    "Difference": "descriptors.difference",
    "FieldError": "engine.errors",
    "Finding": "rules",
    "IllegalError": "engine.errors",
    "KindError": "engine.errors",
    "Plan": "instructions.plan",
    "Result": "descriptors.result",
    "SmemdescError": "engine.errors",
    "ValueSyntaxError": "engine.errors",
    "WidthError": "engine.errors",
    "context": "kinds.context",
    "decode": "api.decoding",
    "diff": "api.decoding",
    "encode": "api.encoding",
    "explain": "api.explaining",
    "mask": "api.decoding",
    "mma": "api.instructions",
    "plan": "api.instructions",
    "scan": "scanning.kernels",
    "tensormap": "api.encoding",
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
