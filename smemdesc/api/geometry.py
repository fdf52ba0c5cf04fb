"""``smemdesc.tile``, ``atom``, ``operand``, ``address``, ``fragment``, ``tmem`` and ``scales``: the geometry.

The commands ``smemdesc layout ...`` call these functions with the text of their options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, overload

from smemdesc.api.decoding import decode
from smemdesc.api.options import readers
from smemdesc.api.options.keywords import as_read, reads
from smemdesc.api.options.readers import required
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.descriptors.result import matrix_reading
from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError, keywords, named
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import HOPPER
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import Operand, operand_of
from smemdesc.rules.base import Finding, fails, verdict

if TYPE_CHECKING:
    from smemdesc.api.options.literals import (
        AccumulatorName,
        KindName,
        MajorName,
        MmaKindName,
        ModeName,
        OrderName,
        TransName,
        TypeName,
    )
    from smemdesc.layout.atom import Atom
    from smemdesc.layout.forms import Atoms
    from smemdesc.layout.fragment import Fragment
    from smemdesc.layout.scales import Scales
    from smemdesc.layout.store import StoredTile
    from smemdesc.layout.tmem import Tmem
    from smemdesc.layout.tmem_load import TmemLoads
    from smemdesc.reading.quantities import Bytes, Pair, Shape
    from smemdesc.reading.text import Literal
    from smemdesc.tiles.tile import Tile


@reads()
def tile(
    shape: Shape,
    dtype: TypeName | DType | None = None,
    *,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    swizzle: ModeName,
    kind: KindName | None = None,
    mma: Shape | None = None,
    order: OrderName | None = None,
    start: Bytes = 0,
    cta_group: int = 1,
    mma_kind: MmaKindName | None = None,
    arch: str | None = None,
    force: bool = False,
) -> Tile:
    """Lay out a tile of MN x K elements in swizzle atoms, with each MMA step's descriptor: ``smemdesc layout tile``.

    ``shape`` is the shape of the tile, ``mma`` the shape of one instruction's operand (default: all of MN, for wgmma at
    most 64, by the K of a dense instruction), both in elements, as ``"128x64"`` or ``(128, 64)``; with ``cta_group`` 2
    they include both CTAs. ``major`` is K if it is not given, under 128B_32B MN; ``trans_a`` or ``trans_b`` (``N`` or
    ``T``) is the same in the terms of a column-major BLAS. ``start`` is in bytes. ``order`` is the dimension along
    which atoms are contiguous, ``mn`` or ``k`` (default: as a TMA box writes them). ``mma_kind`` mxf4 and mxf4nvf4 pack
    e2m1, and need no ``dtype``. ``kind`` is that of ``arch``, without either tcgen05.

    ``steps`` of the result are the MMA steps, MN outside and K inside, each with its ``start`` and ``lbo`` in bytes and
    its ``value``; ``sbo`` and ``lbo`` are in bytes; ``filling`` is the TMA box that writes the tile.

    :class:`smemdesc.SmemdescError` if the shape is not a whole number of atoms or steps;
    :class:`smemdesc.IllegalError` if the rules forbid the tile, unless ``force``: then its ``findings`` have the rule.
    Source: CUTLASS ``make_gmma_desc``, ``make_umma_desc``; the address formula, measured on an H200 for wgmma.
    """
    from smemdesc.tiles.tile import lay_out_tile

    laid_out = named(
        "shape",
        lay_out_tile,
        kind or ("wgmma" if arch in HOPPER else "tcgen05"),
        as_read(shape),
        required("dtype", as_read(dtype)),
        major or _usual_major(swizzle),
        swizzle,
        mma=as_read(mma),
        order=order,
        start=as_read(start),
        cta_group=cta_group,
        arch=arch,
        force=force,
    )
    return laid_out._replace(assumed=kind is None and arch is None)


@reads()
def store(
    shape: Shape,
    dtype: TypeName | AccumulatorName | DType | None = None,
    *,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    swizzle: ModeName,
    kind: KindName | None = None,
    order: OrderName | None = None,
    mma_kind: MmaKindName | None = None,
    thread_layout: str | None = None,
) -> StoredTile:
    """Return where threads write a tile of MN x K elements in shared memory: ``smemdesc layout store``.

    The tile's keywords are those of :func:`tile`; ``dtype`` may also be a type of D, as an epilogue stores it.
    ``element(mn, k)`` of the result is the byte of an element from the start of the tile, ``formula("c")`` the same as
    an expression of C. ``assignments`` are layouts from (row, 16-byte
    unit) to the thread; ``wavefronts`` counts those of a warp that stores or loads 16 bytes a thread, or the rows of
    stmatrix and ldmatrix. ``thread_layout`` is a layout of CuTe such as ``"(4,8):(8,1)"``, or one of the usual
    assignments (default: those of a warp): row, quarter, matrix, coalesced; or stmatrix: four warps that store D.

    :class:`smemdesc.SmemdescError` as of :func:`tile`, and if a thread has several units.
    Source: the address formula and the wavefronts, measured on an H200 for wgmma.
    """
    from smemdesc.kinds.types import ACCUMULATED
    from smemdesc.layout.atom import atom_tiling
    from smemdesc.layout.store import StoredTile, ThreadLayout
    from smemdesc.tiles.cute import read_cute_layout
    from smemdesc.tiles.tile import tma_order

    element = as_read(dtype)
    if element in ACCUMULATED:  # no MMA reads it
        along: str = major or _usual_major(swizzle)
        tiling = named("shape", atom_tiling, swizzle, along, element, as_read(shape), order or tma_order(along))
    else:
        keywords = {"dtype": dtype, "swizzle": swizzle, "kind": kind, "order": order, "mma_kind": mma_kind}
        tiling = tile(shape, major=major, **keywords).tiling  # type: ignore[arg-type]
    stored = StoredTile(tiling, tiling.operand())
    if thread_layout is None:
        return stored
    if thread_layout.lower() == "stmatrix":
        return stored._replace(thread_layout=named("thread_layout", lambda: stored.stmatrix))
    usual = {threads.name: threads for threads in stored.usual}
    threads = usual.get(thread_layout.lower())
    try:
        threads = threads or ThreadLayout("given", named("thread_layout", read_cute_layout, thread_layout))
        named("thread_layout", threads.threads)
    except SmemdescError as error:
        error.option_hint = f"use {', '.join(usual)}, or rows and 16-byte units to threads, as in (4,8):(8,1)"
        raise
    return stored._replace(thread_layout=threads)


def _usual_major(swizzle: str) -> str:
    """Return the major-ness that is meant if none is given: K, or the only one that the mode has."""
    return "MN" if MODE[swizzle].wide else "K"


@overload
def atom(*, dtype: TypeName | DType | None = None, mma_kind: MmaKindName | None = None) -> Atoms: ...
@overload
def atom(
    swizzle: ModeName,
    *,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    dtype: TypeName | DType | None = None,
    mma_kind: MmaKindName | None = None,
    elements: bool = False,
    mma: int | None = None,
    start: Bytes = 0,
    base_offset: int = 0,
) -> Atom: ...
@reads()
def atom(
    swizzle: ModeName | None = None,
    *,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    dtype: TypeName | DType | None = None,
    mma_kind: MmaKindName | None = None,
    elements: bool = False,
    mma: int | None = None,
    start: Bytes = 0,
    base_offset: int = 0,
) -> Atom | Atoms:
    """Return one swizzle atom: where each of its 16-byte units is, or with ``elements`` each element: ``smemdesc layout
    atom``.

    ``dtype`` is bf16 and ``major`` K if they are not given, under 128B_32B tf32 and MN. ``start`` is where the atom
    begins, in bytes, a multiple of 16; ``base_offset`` is the descriptor's, 0 to 7, in lines of 128 bytes. ``mma``
    shows only the units that this MMA step of a K-major atom reads. ``shape`` of the result is MN x K in elements,
    ``units`` with the contiguous dimension in 16-byte units; ``places()`` are the addresses before and after the
    swizzle, in bits.

    With no keyword but ``dtype`` and ``mma_kind``: the atoms of all modes, one for each of the ``rows()`` of the
    result.

    :class:`smemdesc.SmemdescError` if the atom or step does not exist.
    Source: PTX ISA 9.1, Table 38; 9.3, Table 58; CUTLASS ``Layout_*_Atom_Bits``.
    """
    from smemdesc.layout.atom import Atom

    if (swizzle, major, mma) == (None,) * 3 and not (elements or start or base_offset):
        from smemdesc.layout.forms import Atoms

        return Atoms(as_read(dtype))
    mode = required("swizzle", swizzle)
    default = "tf32" if MODE[mode].wide else "bf16"
    return named(
        "swizzle",
        Atom,
        mode,
        major or _usual_major(mode),
        as_read(dtype) or readers.read_operand_dtype("dtype", default, mma_kind),
        start=as_read(start),
        base_offset=base_offset,
        elements=elements,
        step=mma,
    )


@shown(picture=True)
class DescribedOperand(NamedTuple):
    """A descriptor, and the operand that it addresses."""

    reading: DescriptorReading
    operand: Operand
    findings: tuple[Finding, ...]

    @property
    def value(self) -> int:
        """The bits of the descriptor."""
        return self.reading.bits

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not fails(self.findings)

    def __str__(self) -> str:
        return f"{self.reading.hex}  {self.reading.kind.name}: {self.operand}: {verdict(self.findings)}"

    @keywords
    def at(self, at: Pair) -> Located:
        """Return where an element is: ``(mn, k)`` or ``"17,9"``.

        :class:`smemdesc.SmemdescError` if it is outside the operand.
        """
        mn, k = readers.read_coordinates("at", at, "MN,K")
        rows, columns = self.operand.shape
        if not (0 <= mn < rows and 0 <= k < columns):
            raise SmemdescError(
                f"--at {mn},{k} is outside the operand",
                hint=f"MN is 0..{rows - 1} and K is 0..{columns - 1} (--shape)",
                keyword="at",
            )
        return Located(self, ((mn, k),))

    @keywords
    def at_byte(self, byte: Bytes) -> Located:
        """Return the elements at a byte address: none, one, several (two 4-bit ones, or an overlap)."""
        address = readers.read_address("byte", byte)
        return Located(self, tuple(self.operand.at_byte(address)), address)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``smemdesc layout operand``."""
        from smemdesc.tiles.notation import notation_dict

        of = {"value": self.reading.hex, "kind": self.reading.kind.name}
        return {**of, **self.operand.to_dict(), **notation_dict(self.operand)}


@shown()
class Located(NamedTuple):
    """One element of an operand and its address, or a byte and the elements there."""

    described: DescribedOperand
    elements: tuple[tuple[int, int], ...]
    """(mn, k)."""
    byte: int | None = None
    """The requested address."""

    @property
    def address(self) -> int:
        """The address of the byte in shared memory; for an element, of the byte in which it begins."""
        return self.described.operand.address(*self.elements[0]) if self.byte is None else self.byte

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the descriptor."""
        return self.described.findings

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return self.described.ok

    def __str__(self) -> str:
        elements = ", ".join(f"({mn}, {k})" for mn, k in self.elements) or "no element"
        return f"0x{self.address:05x}: {elements} of {self.described}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``smemdesc layout address``."""
        elements = [self.described.operand.element_dict(mn, k) for mn, k in self.elements]
        return elements[0] if self.byte is None else {"byte": self.byte, "elements": elements}


@reads()
def operand(
    value: Literal | int | str,
    *,
    context: Context = NOTHING,
    dtype: TypeName | DType | None = None,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    shape: Shape | None = None,
    kind: KindName | None = None,
    mma_kind: MmaKindName | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
) -> DescribedOperand:
    """Return what a shared-memory descriptor addresses: ``smemdesc layout operand``.

    ``shape`` is MN x K of the operand of one instruction in elements, as ``"64x16"`` or ``(64, 16)``; it, ``dtype`` and
    ``major`` are always needed, since the bits do not contain them.
    ``trans_a`` or ``trans_b`` (``N`` or ``T``) is ``major`` in the terms of a column-major BLAS. ``kind`` (wgmma or
    tcgen05) is needed if both fit.
    ``operand`` of the result is the geometry: ``address(mn, k)`` is in bytes, ``grid`` has all addresses in bits.

    :class:`smemdesc.SmemdescError` if the value is not a shared-memory descriptor, or an address depends on unknown
    bits. Source: the address formula, measured on an H200 for wgmma; CUTLASS's common layout code for tcgen05.
    """
    result = decode(value, kind, context=context)
    reading = named("value", matrix_reading, result)
    addressed = named("value", operand_of, reading.fields, result.context, result.text)
    return DescribedOperand(reading, addressed, result.findings)


@reads()
def address(
    value: Literal | int | str,
    *,
    at: Pair | None = None,
    byte: Bytes | None = None,
    context: Context = NOTHING,
    dtype: TypeName | DType | None = None,
    major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    shape: Shape | None = None,
    kind: KindName | None = None,
    mma_kind: MmaKindName | None = None,
    arch: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
) -> Located:
    """Return the address of one element of an operand, or the elements at a byte: ``smemdesc layout address``.

    Either ``at``, the element as ``(mn, k)`` or ``"17,9"``, or ``byte``, an address in shared memory; the other
    keywords are as in :func:`operand`, whose result has several such addresses (``at``, ``at_byte``).
    ``address`` of the result is in bytes, ``elements`` are (mn, k).

    :class:`smemdesc.SmemdescError` as in :func:`operand`, and if the element is outside the operand.
    """
    described = operand(value, context=context, kind=kind)
    if (at is None) == (byte is None):
        names = ("at", "byte") if byte is None else ("byte", "at")
        raise SmemdescError("one element is needed", hint="either --at or --byte", keyword=names)
    if at is not None:
        return described.at(at)
    assert byte is not None
    return described.at_byte(byte)


@reads()
def fragment(shape: str | tuple[int, int, int], operand: str, dtype: str | None = None) -> Fragment:
    """Return the thread and register of each element of A or D of a wgmma: ``smemdesc layout fragment``.

    ``shape`` is the instruction's, in elements, as ``"m64n128k16"`` or ``(64, 128, 16)``; ``operand`` is ``a`` or
    ``d``, ``dtype`` the type of that operand itself, needed if the shape has several. ``place(row, column)`` of the
    result is the thread of the warpgroup (0..127), its register and the element in the register; ``cell(thread,
    register, element)`` is the inverse.

    :class:`smemdesc.SmemdescError` if there is no such instruction. Source: PTX ISA 9.1, 9.7.15.5.1.1.
    """
    from smemdesc.layout.fragment import fragment_layout, parse_wgmma_shape

    sizes = shape if isinstance(shape, str) else "m{}n{}k{}".format(*readers.read_shape3("shape", shape))
    return fragment_layout(named("shape", parse_wgmma_shape, sizes), operand, dtype)


@overload
def tmem(
    m: int | str,
    n: int | str,
    *,
    operand: str = "d",
    dtype: str | None = None,
    mma_kind: MmaKindName | None = None,
    cta_group: int = 1,
    ws: bool = False,
    sparse: bool = False,
    k: int | str | None = None,
    start: int | str = 0,
) -> Tmem: ...
@overload
def tmem(
    m: int | str,
    n: int | str,
    *,
    operand: str = "d",
    dtype: str | None = None,
    mma_kind: MmaKindName | None = None,
    cta_group: int = 1,
    ws: bool = False,
    sparse: bool = False,
    k: int | str | None = None,
    start: int | str = 0,
    ld: str,
    num: int | str | None = None,
    pack: str | None = None,
) -> TmemLoads: ...
@reads()
def tmem(
    m: int | str,
    n: int | str,
    *,
    operand: str = "d",
    dtype: str | None = None,
    mma_kind: MmaKindName | None = None,
    cta_group: int = 1,
    ws: bool = False,
    sparse: bool = False,
    k: int | str | None = None,
    start: int | str = 0,
    ld: str | None = None,
    num: int | str | None = None,
    pack: str | None = None,
) -> Tmem | TmemLoads:
    """Return the lane and column of tensor memory of each element of D, or of A: ``smemdesc layout tmem``.

    ``m`` and ``n`` are M and N of the instruction, ``k`` the columns of A (default: K of one instruction), in elements.
    ``start`` is the address of the matrix: lane << 16 | column. ``places(m, n)`` of the result are the places of an
    element, one for each copy: CTA, lane, column and bit; ``regions()`` are the blocks of the matrix.

    With ``ld``, the shape of a tcgen05.ld or .st (``"16x256b"``), the result is the registers that these fill or read:
    ``slots(m, n)`` are the thread of the warpgroup, the register and the element in it; ``held(thread, register)`` is
    the inverse. ``num`` is the repetitions of one instruction (``"x8"`` or 8; default: the most that divide the
    columns), ``pack`` is ``"16b"`` for two columns in a register.

    :class:`smemdesc.SmemdescError` if there is no such instruction, or the matrix does not fit.
    Source: PTX ISA 9.1, 9.7.16.10.5; of the registers 9.7.16.2.3.1.
    """
    from smemdesc.layout.tmem import parse_start, tmem_layout

    matrix = tmem_layout(
        as_read(m),
        as_read(n),
        operand=operand,
        dtype=dtype,
        mma_kind=mma_kind,
        cta_group=cta_group,
        ws=ws,
        sparse=sparse,
        k=as_read(k),
        start=named("start", parse_start, str(start)),
    )
    if ld is not None:
        from smemdesc.layout.tmem_load import tmem_loads

        return tmem_loads(matrix, ld, as_read(num), pack is not None)
    for name, value in (("num", num), ("pack", pack)):
        if value is not None:
            raise without_load(name)
    return matrix


@reads()
def scales(
    shape: Shape,
    mma_kind: MmaKindName,
    *,
    block: int | str | None = None,
    operand: str = "a",
    k: int | str | None = None,
    sparse: bool = False,
    ld: str | None = None,
    num: int | str | None = None,
) -> Scales:
    """Return where the scale factors of a tile are in shared and in tensor memory: ``smemdesc layout scales``.

    ``shape`` is MN x K of the part of A or B in one CTA, ``k`` the K of one instruction, both in elements; ``block`` is
    16 or 32 elements per factor. ``place(row, factor)`` of the result is the byte in shared memory, from the start of
    the factors, and the lane, column and byte in tensor memory. ``ld`` is the shape of a tcgen05.ld that covers them,
    ``num`` its repetitions (default: the most that divide the columns): ``slot(lane, column)`` is then the thread of
    each warp and the register.

    :class:`smemdesc.SmemdescError` if there is no such instruction.
    Source: PTX ISA 9.1, 9.7.16.10.7; CUTLASS ``sm100_blockscaled_layout.hpp``.
    """
    from smemdesc.layout.scales import scale_layout

    rows, columns = as_read(shape)
    if ld is None and num is not None:
        raise without_load("num")
    return scale_layout(
        *(rows, columns, mma_kind),
        operand=operand,
        block=as_read(block),
        one_k=as_read(k),
        sparse=sparse,
        ld=ld,
        num=as_read(num),
    )


def without_load(keyword: str) -> SmemdescError:
    """Return the error that a keyword needs a tcgen05.ld."""
    return SmemdescError("no tcgen05.ld is given", hint="give --ld 32x32b, 16x256b, ...", keyword=keyword)
