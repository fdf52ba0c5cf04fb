"""NVIDIA's tensor-core matrix descriptors, decoded and encoded without a GPU.

``smemdesc.decode(0x4000404000010040).fields["swizzle"].value`` is ``"128B"``;
``smemdesc.encode("wgmma", start_address=1024, stride_byte_offset=1024, swizzle="128B")`` is
``0x4000004000010040``. Names are imported on first use: importing the package is cheap.
"""

from smemdesc._version import __version__

TYPE_CHECKING = False  # that of typing, whose import takes longer than all of this
if TYPE_CHECKING:
    from smemdesc.api.decoding import conv, decode, diff, mask
    from smemdesc.api.encoding import encode, tensormap
    from smemdesc.api.explaining import explain
    from smemdesc.api.geometry import (
        DescribedOperand,
        Located,
        address,
        atom,
        fragment,
        operand,
        scales,
        store,
        tile,
        tmem,
    )
    from smemdesc.api.schemas import schema
    from smemdesc.descriptors.constant import Constant
    from smemdesc.descriptors.difference import Difference
    from smemdesc.descriptors.result import Result
    from smemdesc.engine.errors import FieldError, IllegalError, KindError, SmemdescError, ValueSyntaxError, WidthError
    from smemdesc.instructions.checking import mma
    from smemdesc.instructions.convolution import CheckedMask, Convolution
    from smemdesc.instructions.mma import CheckedMma
    from smemdesc.instructions.plan import Plan
    from smemdesc.instructions.planning import plan
    from smemdesc.kinds.context import Context, context
    from smemdesc.layout.atom import Atom
    from smemdesc.layout.forms import Atoms
    from smemdesc.layout.fragment import Fragment
    from smemdesc.layout.operand import Operand
    from smemdesc.layout.scales import Scales
    from smemdesc.layout.store import StoredTile
    from smemdesc.layout.tmem import Tmem
    from smemdesc.layout.tmem_load import TmemLoads
    from smemdesc.rules import Finding
    from smemdesc.scanning.kernels import Scan, agree, scan
    from smemdesc.scanning.results.agreement import Agreement
    from smemdesc.tiles.tile import Tile

__all__ = [
    "Agreement",
    "Atom",
    "Atoms",
    "CheckedMask",
    "CheckedMma",
    "Constant",
    "Context",
    "Convolution",
    "DescribedOperand",
    "Difference",
    "FieldError",
    "Finding",
    "Fragment",
    "IllegalError",
    "KindError",
    "Located",
    "Operand",
    "Plan",
    "Result",
    "Scales",
    "Scan",
    "SmemdescError",
    "StoredTile",
    "Tile",
    "Tmem",
    "TmemLoads",
    "ValueSyntaxError",
    "WidthError",
    "__version__",
    "address",
    "agree",
    "atom",
    "context",
    "conv",
    "decode",
    "diff",
    "encode",
    "explain",
    "fragment",
    "mask",
    "mma",
    "operand",
    "plan",
    "scales",
    "scan",
    "schema",
    "store",
    "tensormap",
    "tile",
    "tmem",
]

_HOME = {
    "Agreement": "scanning.results.agreement",
    "Atom": "layout.atom",
    "Atoms": "layout.forms",
    "CheckedMask": "instructions.convolution",
    "CheckedMma": "instructions.mma",
    "Constant": "descriptors.constant",
    "Context": "kinds.context",
    "Convolution": "instructions.convolution",
    "DescribedOperand": "api.geometry",
    "Difference": "descriptors.difference",
    "FieldError": "engine.errors",
    "Finding": "rules",
    "Fragment": "layout.fragment",
    "IllegalError": "engine.errors",
    "KindError": "engine.errors",
    "Located": "api.geometry",
    "Operand": "layout.operand",
    "Plan": "instructions.plan",
    "Result": "descriptors.result",
    "Scales": "layout.scales",
    "Scan": "scanning.kernels",
    "SmemdescError": "engine.errors",
    "StoredTile": "layout.store",
    "Tile": "tiles.tile",
    "Tmem": "layout.tmem",
    "TmemLoads": "layout.tmem_load",
    "ValueSyntaxError": "engine.errors",
    "WidthError": "engine.errors",
    "address": "api.geometry",
    "agree": "scanning.kernels",
    "atom": "api.geometry",
    "context": "kinds.context",
    "conv": "api.decoding",
    "decode": "api.decoding",
    "diff": "api.decoding",
    "encode": "api.encoding",
    "explain": "api.explaining",
    "fragment": "api.geometry",
    "mask": "api.decoding",
    "mma": "instructions.checking",
    "operand": "api.geometry",
    "plan": "instructions.planning",
    "scales": "api.geometry",
    "scan": "scanning.kernels",
    "schema": "api.schemas",
    "store": "api.geometry",
    "tensormap": "api.encoding",
    "tile": "api.geometry",
    "tmem": "api.geometry",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        from importlib import import_module

        value: object = getattr(import_module(f"smemdesc.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'smemdesc' has no attribute {name!r}")


def views_of_results() -> object:
    """Return the module with the views of all results; it needs rich."""
    from smemdesc.render import views

    return views


def __dir__() -> list[str]:
    return sorted(__all__)
