"""From the text of Triton's and Gluon's shared-memory encodings for an MMA to a layout of shared memory."""

from __future__ import annotations

import re
from math import prod
from typing import NamedTuple, NoReturn

from smemdesc.engine.brackets import closing
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.modes import MODE, by_width
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Leaf, Mode, Span
from smemdesc.tiles.linear import Bases, Basis, Encoding, resolve, swizzled
from smemdesc.tiles.reading import (
    BY_WIDTH,
    TYPE_OF,
    Buffer,
    LayoutText,
    LayoutTokens,
    Options,
    TextReading,
    Token,
    allowed_majors,
    stage_of,
)

MODE_OF_WIDTH = {mode.triton: mode.name for mode in by_width() if mode.triton is not None}
"""The modes by Triton's ``swizzlingByteWidth``."""
_KEYS = {
    "swizzlingByteWidth": "swizzle",
    "swizzle_byte_width": "swizzle",
    "transposed": "transposed",
    "elementBitWidth": "bits",
    "element_bitwidth": "bits",
    "fp4Padded": "padded",
    "fp4_padded": "padded",
    "rank": "rank",
    "CTAsPerCGA": "ctas",
    "ctas_per_cga": "ctas",
    "CTASplitNum": "split",
    "cta_split_num": "split",
    "CTAOrder": "order",
    "cta_order": "order",
    "CGALayout": "bases",
    "cga_layout": "bases",
}
_DEFINED = re.compile(r"#(\w+)\s*=\s*(#(?:ttg|triton_gpu)\.(?:nvmma_shared|swizzled_shared|shared_linear)\s*<)")
_ANGLES = re.compile(r"[<>]")
_DEEPEST = 8
_MOST_BASES = 24
_POSITIONS = ("swizzle_byte_width", "element_bitwidth", "rank", "transposed", "fp4_padded", "cga_layout")
_AttributeValue = int | bool | list["_AttributeValue"]


class TensorText(NamedTuple):
    """An encoding, and the type and shapes of a ``memdesc`` around it."""

    text: str
    encoding: Encoding | Bases
    span: Span
    type: str | None = None
    shape: tuple[int, ...] | None = None
    whole: tuple[int, ...] | None = None
    """The shape of the allocation that a view was cut from."""

    def wrong(self, message: str, hint: str = "", span: Span | None = None) -> NoReturn:
        """Raise :class:`smemdesc.engine.errors.SmemdescError` with a caret under a span, by default the encoding."""
        raise SmemdescError(message, given=self.text, span=span or self.encoding.span, hint=hint)


def read_triton(text: str, ask: Options) -> LayoutText:
    """Return the meaning of a Triton text; see :func:`smemdesc.tiles.explaining.read_layout`."""
    tensor = parse_triton(text, ask)
    encoding = tensor.encoding
    shape, stages, notes = shape_of(tensor, ask)
    dtype, assumed = _type(tensor, ask)
    allocated = _allocated_shape(tensor, shape)
    _fits(tensor, allocated)
    count = 2 if dtype.name == "e2m1" else 1  # of them make an 8-bit element of the tensor
    leading = len(shape) - 2
    modes = tuple(_first_of(mode, size) for mode, size in zip(encoding.modes(allocated), shape, strict=True))
    contiguous = 0 if encoding.transposed else len(shape) - 1
    if leading and encoding.transposed:
        tensor.wrong(
            f"rank {len(shape)} transposed: dimension 0 is contiguous, which no MMA operand has",
            "give the encoding of the operand itself, of rank 2",
        )
    if count > 1:
        modes = tuple(mode.refined(count, contiguous=dim == contiguous) for dim, mode in enumerate(modes))
    size = prod(mode.size for mode in modes)
    outer = Mode(Leaf(stages, size, tensor.span))
    if leading:
        outer = Mode(*modes[0].leaves, *outer.leaves) if stages > 1 else modes[0]
        modes = modes[1:]
        contiguous -= leading
    total = outer.size
    stage = stage_of(ask.stage, total)
    if total > 1 and ask.stage is None:
        notes.append(
            f"buffer 0 of {total}, which are {outer.offset(1) * dtype.storage // 8} B apart; --stage chooses another"
        )
    function = Swizzle(*MODE[encoding.swizzle].swizzle)
    readings = []
    for major in allowed_majors(("K", "MN"), ask):
        role = contiguous if major == "K" else 1 - contiguous
        mn, k = modes[1 - role], modes[role]
        first, span = outer.offset(stage), encoding.span
        memory = Buffer(text, mn, k, dtype.storage, function, span, start=ask.start or 0, offset=first)
        names = ("K x MN", "as B is") if role == 0 else ("MN x K", "as A is")
        readings.append(TextReading(memory, (major,), f"tensor {names[0]}, {names[1]}"))
    return LayoutText(text, "Triton", dtype, assumed, tuple(readings), None, total, stage, tuple(notes))


def _allocated_shape(tensor: TensorText, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which the strides belong: the allocation's (a tensor may be a view of one)."""
    whole = tensor.whole
    if whole is None or len(whole) < len(shape):
        return shape
    split = tensor.encoding.split or (1,) * len(shape)
    if len(split) != len(shape):
        return shape
    return tuple(size // parts for size, parts in zip(whole[len(whole) - len(shape) :], split, strict=True))


def _first_of(mode: Mode, size: int) -> Mode:
    """Return the first ``size`` coordinates of a mode, a power of two."""
    leaves: list[Leaf] = []
    for leaf in mode.leaves:
        extent = min(leaf.extent, size)
        if extent > 1 or not leaves:
            leaves.append(leaf._replace(extent=extent))
        size = max(1, size // leaf.extent)
    return Mode(*leaves)


def shape_of(tensor: TensorText, ask: Options) -> tuple[tuple[int, ...], int, list[str]]:
    """Return the shape in one CTA, the number of buffers, and remarks on both."""
    notes = []
    shape = tensor.shape
    if shape is None:
        if ask.shape is None:
            tensor.wrong(
                "the encoding does not give the tensor's shape",
                "give it as Triton writes it with --shape, as in --shape 128x64, or paste !ttg.memdesc<...>",
            )
        shape = ask.shape
    elif ask.shape is not None and ask.shape != shape[-2:]:
        tensor.wrong(f"the text has {_by(shape)}, but --shape is {_by(ask.shape)}", "omit --shape", tensor.span)
    encoding = tensor.encoding
    if len(shape) < 2:
        tensor.wrong("a tensor of one dimension is not an MMA operand", span=tensor.span)
    whole = tensor.whole
    if whole is not None and whole[-2:] != shape[-2:]:
        notes.append(f"a view of {_by(shape)} of an allocation of {_by(whole)}: strides are those of the allocation")
    if encoding.rank > len(shape):
        tensor.wrong(
            f"the encoding has rank {encoding.rank}, the tensor {len(shape)} dimensions",
            "give the shape of the whole tensor",
        )
    buffers = prod(shape[: len(shape) - encoding.rank])
    inner = shape[len(shape) - encoding.rank :]
    if encoding.rank > 2:
        notes.append(f"rank {encoding.rank}: the lines of all but the last dimension follow each other")
    split = encoding.split
    if any(parts > 1 for parts in split):
        cut = tuple(size // parts for size, parts in zip(inner, split, strict=True))
        notes.append(f"{prod(split)} CTAs share the tensor: the shared memory of each has {_by(cut)} of {_by(inner)}")
        inner = cut
    return inner, buffers, notes


def _by(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def _type(tensor: TensorText, ask: Options) -> tuple[DType, bool]:
    encoding = tensor.encoding
    if encoding.padded:
        if ask.dtype is not None and (ask.dtype.bits, ask.dtype.storage) != (4, 8):
            tensor.wrong(
                f"fp4Padded holds e2m1 in 8-bit containers, not {ask.dtype.name}",
                "omit --dtype, or give --dtype e2m1",
            )
        return dtype_of("e2m1"), False
    if ask.dtype is not None:
        if max(8, ask.dtype.storage) != encoding.bits or ask.dtype.bits not in (ask.dtype.storage,):
            more = "; e2m1 in containers is fp4Padded" if ask.dtype.name == "e2m1" else ""
            tensor.wrong(
                f"elementBitWidth {encoding.bits} does not go with {ask.dtype.name}{more}",
                "omit --dtype, or give a type of that width",
            )
        return ask.dtype, False
    if tensor.type is not None and tensor.type in TYPE_OF:
        return dtype_of(TYPE_OF[tensor.type]), tensor.type.startswith("i")
    if encoding.bits not in BY_WIDTH:
        tensor.wrong(f"no operand has elements of {encoding.bits} bits")
    return dtype_of(BY_WIDTH[encoding.bits]), True


def _fits(tensor: TensorText, shape: tuple[int, ...]) -> None:
    """Reject as Triton does: a contiguous dimension below the swizzle's width, sizes that are not powers of two."""
    for size in shape:
        if size & (size - 1):
            tensor.wrong(f"a Triton tensor has powers of two, not {size}", "as in 128x64")
    encoding = tensor.encoding
    along = shape[0] if encoding.transposed else shape[-1]
    size = along * encoding.bits * (2 if encoding.padded else 1) // 8
    if encoding.swizzle != "none" and size < MODE[encoding.swizzle].width:
        tensor.wrong(
            f"the contiguous dimension of {_by(shape)} (dimension {0 if encoding.transposed else len(shape) - 1}) is "
            f"{size} B, below the {MODE[encoding.swizzle].width} B of swizzlingByteWidth; Triton rejects it",
            "use a shape with more elements there, or a smaller swizzlingByteWidth",
        )


def parse_triton(text: str, ask: Options = Options()) -> TensorText:  # noqa: B008 (a NamedTuple is immutable)
    """Read ``#ttg.nvmma_shared<{...}>``, ``#ttg.shared_linear<{...}>``, ``!ttg.memdesc<...>`` (with its alias) or
    Gluon's class."""
    aliases: dict[str, tuple[int, int]] = {}
    for match in _DEFINED.finditer(text):
        aliases[match[1]] = match.start(2), _end(text, match.end(2) - 1)
    memdesc = re.search(r"!(?:ttg|tt|triton_gpu)\.memdesc\s*<", text)
    if memdesc is not None:
        return _memdesc(LayoutTokens(text, memdesc.start(), _end(text, memdesc.end() - 1)), aliases)
    linear = _GLUON_LINEAR.search(text)
    if linear is not None:
        return _of_bases(_gluon_bases(LayoutTokens(text, linear.start(), len(text.rstrip()))), text, linear.span(), ask)
    printed = list(_PRINTED.finditer(text))
    if printed:
        return _of_bases(_printed_bases(text, printed), text, printed[0].span(), ask)
    gluon = re.search(r"\bNVMMASharedLayout\s*\(", text)
    if gluon is not None:
        encoding = _gluon(LayoutTokens(text, gluon.start(), len(text.rstrip())))
    elif aliases:
        return _alone(LayoutTokens(text, *next(iter(aliases.values()))), ask)
    else:
        words = LayoutTokens(text, max(text.find("#"), 0))
        tensor = _alone(words, ask)
        if words.peek().kind != "end":
            words.wrong(f"{words.peek().text!r} is unexpected after the encoding")
        return tensor
    return TensorText(text, encoding, encoding.span)


_ASSUMED_BITS = 16
"""Of an element, where neither the encoding nor an option says it."""
_GLUON_LINEAR = re.compile(r"\bSharedLinearLayout\s*\(")
_GLUON_LINEAR_POSITIONS = ("offset_bases", "block_bases", "alignment")
_PRINTED = re.compile(r"\boffset\s*=\s*(\d{1,9})\s*->\s*\(([\d, ]{3,60})\)")
"""A basis as Triton's linear layouts and ``layout linear`` print it: ``offset=64 -> (1, 8)``."""


def _of_bases(bases: list[Basis], text: str, span: tuple[int, int], ask: Options) -> TensorText:
    """Return the tensor of explicit bases. Of three dimensions, one that only the outermost bases step along counts
    stages: it is moved to the front."""
    try:
        found = resolve(bases, ask.dtype.storage if ask.dtype else _ASSUMED_BITS, span)
    except SmemdescError as problem:
        raise SmemdescError(problem.option_message, given=text, span=span, hint=problem.option_hint) from None
    if found.rank > 2:
        last = max(range(found.rank), key=lambda dim: min(leaf.stride for leaf in found.whole[dim].leaves))
        stride = min(leaf.stride for leaf in found.whole[last].leaves)
        rest = [mode for dim, mode in enumerate(found.whole) if dim != last]
        if stride >= prod(mode.size for mode in rest):
            found = found._replace(whole=(found.whole[last], *rest))
    return TensorText(text, found, span, shape=tuple(mode.size for mode in found.whole))


def _gluon_bases(words: LayoutTokens) -> list[Basis]:
    """Read Gluon's ``SharedLinearLayout(offset_bases=[[0, 1], ...], block_bases=[], alignment=16)``."""
    name = words.take()
    words.expect("(")
    arguments: dict[str, _AttributeValue] = {}
    for position in _GLUON_LINEAR_POSITIONS:
        if words.peek().text == ")":
            break
        key = position
        if words.peek().kind == "name" and words.peek(1).text == "=":
            given = words.take()
            key = given.text
            if key not in _GLUON_LINEAR_POSITIONS:
                words.wrong(f"{key!r} is not a part of the layout", given, f"it has {either(_GLUON_LINEAR_POSITIONS)}")
            words.expect("=")
        arguments[key] = _value(words)
        if not words.accept(","):
            break
    words.expect(")", " at the end of the layout")
    return _bases(words, {"offset": arguments.get("offset_bases", []), "block": arguments.get("block_bases", [])}, name)


def _printed_bases(text: str, rows: list[re.Match[str]]) -> list[Basis]:
    """Read the bases of a printed linear layout: each of its offsets once, from 1 on."""
    bases = []
    for power, row in enumerate(rows):
        if int(row[1]) != 1 << power:
            raise SmemdescError(
                f"offset {row[1]} is not {1 << power}", given=text, span=row.span(), hint="paste all bases, from 1 on"
            )
        bases.append(tuple(int(part) for part in row[2].split(",") if part.strip()))
    if len({len(basis) for basis in bases}) != 1 or len(bases[0]) < 2:
        raise SmemdescError("the bases have different dimensions", given=text, span=rows[0].span())
    return bases


def _alone(words: LayoutTokens, ask: Options) -> TensorText:
    """Read an encoding without a tensor around it; explicit bases give the tensor's shape."""
    if not words.peek(1).text.endswith("shared_linear"):
        encoding: Encoding | Bases = _attribute(words)
        return TensorText(words.text, encoding, encoding.span)
    name = words.peek(1)
    span = (words.peek().start, name.start + len(name.text))
    words.take()
    words.take()
    return _of_bases(_bases(words, _attributes(words), name), words.text, span, ask)


def _end(text: str, opening: int) -> int:
    """Return the end of the part that an angle bracket opens; the end of the text where it is never closed."""
    return closing(text, opening, marks=_ANGLES) + 1 or len(text.rstrip())


def _memdesc(words: LayoutTokens, aliases: dict[str, tuple[int, int]]) -> TensorText:
    words.expect("!")
    words.take()
    words.expect("<")
    shaped = words.take()
    dims, name = _dims(words, shaped)
    words.expect(",", " after the shape")
    words.expect("#", " before the encoding")
    layout = words.take()
    at = layout.start - 1, layout.start - 1
    if "." in layout.text:
        at = at[0], _end(words.text, words.peek().start)
        while words.peek().kind != "end" and words.peek().start < at[1]:
            words.take()
    elif layout.text in aliases:
        at = aliases[layout.text]
    else:
        words.wrong(
            f"the text does not define #{layout.text}",
            layout,
            f"also paste its definition: #{layout.text} = #ttg.nvmma_shared<...>",
        )
    whole = None
    while words.accept(","):
        token = words.take()
        if token.kind == "shaped":
            whole = tuple(int(size) for size in token.text.split("x"))
        elif token.text == "#":
            words.take()
    words.expect(">", " at the end of the memdesc")
    shape = whole if whole is not None else dims
    return TensorText(
        words.text, _read_encoding(LayoutTokens(words.text, *at), shape, _bits(name)), shaped.span, name, dims, whole
    )


def _read_encoding(words: LayoutTokens, shape: tuple[int, ...], bits: int | None) -> Encoding | Bases:
    """Read the encoding of a tensor of this shape, whose elements have these bits; None: those of no operand."""
    name = words.peek(1)
    if name.text.endswith("nvmma_shared"):
        return _attribute(words)
    if not name.text.endswith(("shared_linear", "swizzled_shared")) or bits is None:
        words.wrong(f"#{name.text} is not a layout that an MMA reads", name, "use #ttg.nvmma_shared")
    span = (words.peek().start, name.start + len(name.text))
    words.take()
    words.take()
    attributes = _attributes(words)
    try:
        if name.text.endswith("shared_linear"):
            return resolve(_bases(words, attributes, name), bits, span)
        parameters = (attributes.get(key, 1) for key in ("vec", "perPhase", "maxPhase"))
        vec, per_phase, max_phase = (
            parameter if isinstance(parameter, int) and parameter > 0 else 1 for parameter in parameters
        )
        order = attributes.get("order", [])
        dims = tuple(dim for dim in order if isinstance(dim, int)) if isinstance(order, list) else ()
        rank = len(dims)
        if sorted(dims) != list(range(rank)) or not 2 <= rank <= len(shape):
            words.wrong("order is a list of the dimensions, the contiguous one first", name, "as in order = [1, 0]")
        return resolve(swizzled(shape[len(shape) - rank :], vec, per_phase, max_phase, dims), bits, span)
    except SmemdescError as problem:
        raise SmemdescError(problem.option_message, given=words.text, span=span, hint=problem.option_hint) from None


def _bits(type_name: str) -> int | None:
    """Return the bits that an element of this type takes in Triton's tensors; None for other types."""
    name = TYPE_OF.get(type_name)
    bits = None if name is None else dtype_of(name).storage
    return bits if bits in (8, 16, 32) else None


def _bases(words: LayoutTokens, attributes: dict[str, _AttributeValue], name: Token) -> list[Basis]:
    value = attributes.get("offset")
    rows = value if isinstance(value, list) else []
    if len(rows) > _MOST_BASES:
        words.wrong(f"{len(rows)} bases: shared memory cannot hold so many elements", name)
    bases = [tuple(part for part in basis if isinstance(part, int)) for basis in rows if isinstance(basis, list)]
    if not bases or len(bases) != len(rows) or len({len(basis) for basis in bases}) != 1 or len(bases[0]) < 2:
        words.wrong("offset is a list of bases, as in [[0, 1], [0, 2]]", name)
    if attributes.get("block"):
        words.wrong("bases over several CTAs are not supported", name, "give the layout of one CTA")
    return bases


def _attributes(words: LayoutTokens) -> dict[str, _AttributeValue]:
    """Return the parameters between the angle brackets of an attribute, by name."""
    attributes: dict[str, _AttributeValue] = {}
    depth = 0
    while words.peek().kind != "end":
        token = words.take()
        depth += (token.text in "<{") - (token.text in ">}")
        if not depth:
            break
        if token.kind == "name" and words.accept("="):
            attributes[token.text] = _value(words)
    return attributes


def _dims(words: LayoutTokens, token: Token) -> tuple[tuple[int, ...], str]:
    parts = token.text.split("x")
    if token.kind != "shaped" or parts[-1].isdigit():
        words.wrong("expected a shape with its type, as in 128x64xbf16", token)
    if not all(part.isdigit() and len(part) < 7 and int(part) for part in parts[:-1]):
        words.wrong("no tensor in shared memory has this shape", token)
    return tuple(int(part) for part in parts[:-1]), parts[-1]


def _attribute(words: LayoutTokens) -> Encoding:
    start = words.expect("#", " before the encoding")
    name = words.take()
    if not name.text.endswith("nvmma_shared"):
        words.wrong(f"#{name.text} is not a layout that an MMA reads", name, "use #ttg.nvmma_shared")
    words.expect("<")
    words.expect("{")
    attributes: dict[str, tuple[_AttributeValue, Token]] = {}
    while True:
        _pair(words, attributes)
        if not words.accept(","):
            break
    words.expect("}", " at the end of the encoding")
    end = words.expect(">", " at the end of the encoding")
    return _encoding(words, attributes, (start.start, end.start + 1))


def _pair(words: LayoutTokens, attributes: dict[str, tuple[_AttributeValue, Token]]) -> None:
    key = words.take()
    if key.text not in _KEYS:
        words.wrong(
            f"{key.text!r} is not a part of the encoding", key, "it has " + ", ".join(k for k in _KEYS if "_" not in k)
        )
    words.expect("=", f" after {key.text}")
    attributes[_KEYS[key.text]] = _value(words), key


def _gluon(words: LayoutTokens) -> Encoding:
    start = words.take()
    words.expect("(")
    arguments: dict[str, tuple[_AttributeValue, Token]] = {}
    for position in _POSITIONS:
        if words.peek().text == ")":
            break
        if words.peek().kind == "name" and words.peek(1).text == "=":
            _pair(words, arguments)
        else:
            key = words.peek()
            arguments[_KEYS[position]] = _value(words), key
        if not words.accept(","):
            break
    end = words.expect(")", " at the end of the layout")
    return _encoding(words, arguments, (start.start, end.start + 1))


def _value(words: LayoutTokens, depth: int = 0) -> _AttributeValue:
    token = words.peek()
    if token.text in ("true", "True", "false", "False"):
        words.take()
        return token.text in ("true", "True")
    if token.text == "None":
        words.take()
        return []
    if words.accept("["):
        values: list[_AttributeValue] = []
        while words.peek().text != "]":
            if depth > _DEEPEST:
                words.wrong("the list is nested too deeply for an attribute")
            values.append(_value(words, depth + 1))
            if not words.accept(","):
                break
        words.expect("]", " at the end of the list")
        return values
    return words.number("a value")


def _encoding(
    words: LayoutTokens, arguments: dict[str, tuple[_AttributeValue, Token]], span: tuple[int, int]
) -> Encoding:
    for key, name in (("swizzle", "swizzlingByteWidth"), ("bits", "elementBitWidth")):
        if key not in arguments:
            words.wrong(f"{name} is missing", span, "an encoding has its swizzle and width")
    width, where = arguments["swizzle"]
    if isinstance(width, list) or width not in MODE_OF_WIDTH:
        words.wrong(f"swizzlingByteWidth is {either(list(MODE_OF_WIDTH))}, not {width}", where)
    bits, where = arguments["bits"]
    if bits not in (8, 16, 32):
        words.wrong(f"elementBitWidth of an operand is 8, 16 or 32, not {bits}", where)
    assert isinstance(bits, int)
    padded = bool(arguments.get("padded", (False, where))[0])
    if padded and (bits, width) != (8, 128):
        words.wrong("fp4Padded goes with elementBitWidth 8 and swizzlingByteWidth 128", arguments["padded"][1])
    split = _split(words, arguments)
    rank, where = arguments.get("rank", (len(split) or 2, where))
    if not isinstance(rank, int) or not 2 <= rank <= 5:
        words.wrong(f"a rank of {rank}: an operand has 2 dimensions, 3 with batches", where)
    if split and len(split) != rank:
        words.wrong(f"the CTA layout has {len(split)} dimensions, the encoding rank {rank}", where)
    transposed = bool(arguments.get("transposed", (False, where))[0])
    return Encoding(MODE_OF_WIDTH[int(width)], bits, transposed, padded, rank, split, span)


def _split(words: LayoutTokens, arguments: dict[str, tuple[_AttributeValue, Token]]) -> tuple[int, ...]:
    """Return into how many CTAs each dimension is cut."""
    if "split" in arguments:
        value, where = arguments["split"]
        if not isinstance(value, list) or not all(isinstance(parts, int) and parts > 0 for parts in value):
            words.wrong("CTASplitNum is a list of numbers", where)
        return tuple(int(parts) for parts in value if not isinstance(parts, list))
    if "bases" not in arguments:
        return ()
    value, where = arguments["bases"]
    bases = value if isinstance(value, list) else []
    split: list[int] = []
    for basis in bases:
        if not isinstance(basis, list) or (split and len(basis) != len(split)):
            words.wrong("CGALayout is a list of bases, as in [[1, 0]]", where)
        split = split or [1] * len(basis)
        for dim, step in enumerate(basis):
            if step:
                split[dim] *= 2
    return tuple(split)


def whole_tensor(
    text: str, shape: tuple[int, int] | None, dtype: DType | None = None
) -> tuple[Encoding | Bases, tuple[int, ...], list[str]]:
    """Return the encoding of a text, the shape of its tensor in one CTA, and remarks on it.

    ``dtype``: of the elements, which explicit bases do not say; None: 16 bits.
    """
    tensor = parse_triton(text, Options(dtype=dtype))
    encoding = tensor.encoding
    if dtype is not None and (isinstance(encoding, Encoding) or tensor.type is not None):
        raise SmemdescError("the text has the type of its elements", hint="omit --dtype", keyword="dtype")
    if isinstance(encoding, Bases) and tensor.type is None:
        return encoding, tuple(mode.size for mode in encoding.whole), []
    inner, buffers, notes = shape_of(tensor, Options(shape=shape))
    if buffers > 1:
        notes.append(f"{buffers} consecutive buffers; the bases are those of one")
    allocated = _allocated_shape(tensor, inner)
    if allocated != inner:
        notes.append(f"the bases are those of the allocation, {_by(allocated)}")
    _fits(tensor, allocated)
    return encoding, allocated, notes
