"""NVIDIA's tensor-core matrix descriptors, decoded and encoded without a GPU.

``smemdesc.decode(0x4000404000010040).fields["swizzle"].value`` is ``"128B"``;
``smemdesc.encode("wgmma", start_address=1024, stride_byte_offset=1024, swizzle="128B")`` is
``0x4000004000010040``. Names are imported on first use: importing the package is cheap.
"""

from smemdesc._version import __version__ as __version__

TYPE_CHECKING = False  # that of typing, whose import takes longer than all of this
if TYPE_CHECKING:
    from smemdesc.api.arrays import decode_many as decode_many
    from smemdesc.api.arrays import encode_many as encode_many
    from smemdesc.api.checking import mma as mma
    from smemdesc.api.decoding import conv as conv
    from smemdesc.api.decoding import decode as decode
    from smemdesc.api.decoding import diff as diff
    from smemdesc.api.decoding import mask as mask
    from smemdesc.api.encoding import encode as encode
    from smemdesc.api.encoding import tensormap as tensormap
    from smemdesc.api.explaining import explain as explain
    from smemdesc.api.geometry import DescribedOperand as DescribedOperand
    from smemdesc.api.geometry import Located as Located
    from smemdesc.api.geometry import address as address
    from smemdesc.api.geometry import atom as atom
    from smemdesc.api.geometry import fragment as fragment
    from smemdesc.api.geometry import operand as operand
    from smemdesc.api.geometry import scales as scales
    from smemdesc.api.geometry import store as store
    from smemdesc.api.geometry import tile as tile
    from smemdesc.api.geometry import tmem as tmem
    from smemdesc.api.layouts import explain_layout as explain_layout
    from smemdesc.api.layouts import linear_layout as linear_layout
    from smemdesc.api.options.context import ReadContext
    from smemdesc.api.planning import plan as plan
    from smemdesc.api.scanning import Scan as Scan
    from smemdesc.api.scanning import agree as agree
    from smemdesc.api.scanning import scan as scan
    from smemdesc.api.schemas import schema as schema
    from smemdesc.descriptors.constant import Constant as Constant
    from smemdesc.descriptors.difference import Difference as Difference
    from smemdesc.descriptors.result import Result as Result
    from smemdesc.engine.errors import FieldError as FieldError
    from smemdesc.engine.errors import IllegalError as IllegalError
    from smemdesc.engine.errors import KindError as KindError
    from smemdesc.engine.errors import SmemdescError as SmemdescError
    from smemdesc.engine.errors import ValueSyntaxError as ValueSyntaxError
    from smemdesc.engine.errors import WidthError as WidthError
    from smemdesc.instructions.convolution import CheckedMask as CheckedMask
    from smemdesc.instructions.convolution import Convolution as Convolution
    from smemdesc.instructions.mma import CheckedMma as CheckedMma
    from smemdesc.instructions.plan import Plan as Plan
    from smemdesc.layout.atom import Atom as Atom
    from smemdesc.layout.forms import Atoms as Atoms
    from smemdesc.layout.fragment import Fragment as Fragment
    from smemdesc.layout.operand import Operand as Operand
    from smemdesc.layout.scales import Scales as Scales
    from smemdesc.layout.store import StoredTile as StoredTile
    from smemdesc.layout.tmem import Tmem as Tmem
    from smemdesc.layout.tmem_load import TmemLoads as TmemLoads
    from smemdesc.rules import Finding as Finding
    from smemdesc.scanning.results.agreement import Agreement as Agreement
    from smemdesc.tiles.tile import Tile as Tile

    Context = context = ReadContext

_NAMES = {
    "api.arrays": "decode_many encode_many",
    "api.checking": "mma",
    "api.decoding": "conv decode diff mask",
    "api.encoding": "encode tensormap",
    "api.explaining": "explain",
    "api.geometry": "DescribedOperand Located address atom fragment operand scales store tile tmem",
    "api.layouts": "explain_layout linear_layout",
    "api.options.context": "Context context",
    "api.planning": "plan",
    "api.scanning": "Scan agree scan",
    "api.schemas": "schema",
    "descriptors.constant": "Constant",
    "descriptors.difference": "Difference",
    "descriptors.result": "Result",
    "engine.errors": "FieldError IllegalError KindError SmemdescError ValueSyntaxError WidthError",
    "instructions.convolution": "CheckedMask Convolution",
    "instructions.mma": "CheckedMma",
    "instructions.plan": "Plan",
    "layout.atom": "Atom",
    "layout.forms": "Atoms",
    "layout.fragment": "Fragment",
    "layout.operand": "Operand",
    "layout.scales": "Scales",
    "layout.store": "StoredTile",
    "layout.tmem": "Tmem",
    "layout.tmem_load": "TmemLoads",
    "rules": "Finding",
    "scanning.results.agreement": "Agreement",
    "tiles.tile": "Tile",
}
"""The public names of each module."""
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
_ALIASES = {"Context": "ReadContext", "context": "ReadContext"}
"""Public names of a class with another name in its module; ``context`` is an older one."""
__all__ = sorted(("__version__", *_HOME))


def __getattr__(name: str) -> object:
    if name in _HOME:
        from importlib import import_module

        value: object = getattr(import_module(f"smemdesc.{_HOME[name]}"), _ALIASES.get(name, name))
        globals()[name] = value
        return value
    raise AttributeError(f"module 'smemdesc' has no attribute {name!r}")


def views_of_results() -> object:
    """Return the module with the views of all results; it needs rich."""
    from smemdesc.render import views

    return views


def __dir__() -> list[str]:
    return __all__
