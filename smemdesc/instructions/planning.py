"""From the tile of a GEMM to all its constants: instruction, descriptors, layouts, tensor maps, shared memory."""

from __future__ import annotations

from smemdesc.descriptors.encoding import Encoded
from smemdesc.descriptors.tensormap import data_type, encode_map
from smemdesc.engine.errors import SmemdescError, named
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import many
from smemdesc.instructions.choices import Choices, Request, with_formats
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import Mma, MmaOperand
from smemdesc.instructions.plan import BARRIERS, OperandPlan, Plan, ScaleFactors, ScalePlan, SharedMemory, TensorMemory
from smemdesc.kinds.archs import RESERVED, shared_memory, variant_of
from smemdesc.kinds.instruction import PLACES_OF_A
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, MODES, SWIZZLES
from smemdesc.kinds.types import DType
from smemdesc.layout.scales import WARP, copy_descriptor, scale_layout
from smemdesc.layout.tmem import Tmem, metadata_columns, tmem_layout
from smemdesc.rules.addresses import outside_shared_memory
from smemdesc.rules.base import NOTE, Finding, error
from smemdesc.rules.operands import transpose_and_strides
from smemdesc.rules.plans import SMALLER_TILE, accumulator_registers, tensor_memory_columns
from smemdesc.rules.strides import UNDIVIDED
from smemdesc.tiles.text import cute_text, dsl_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile, lay_out_tile


def with_maps(plan: Plan, addresses: tuple[int | None, int | None], gemm: tuple[int, int, int] | None = None) -> Plan:
    """Return a plan with the tensor maps of A and B that begin at ``addresses`` in global memory (None: without one).

    ``gemm`` is M x N x K of the whole matrices, which are contiguous: default: the tile's.
    :class:`smemdesc.engine.errors.SmemdescError` if no such map exists.
    """
    m, n, k = gemm or plan.shape
    a, b, findings = plan.a, plan.b, plan.findings
    if addresses[0] is not None:
        if a is None:
            message = f"A in {PLACES_OF_A[plan.a_from]} has no tensor map"
            raise SmemdescError(message, hint="leave --a-address out", keyword="a_address")
        part = 2 if plan.mma.instruction.sparse else 1  # compressed
        encoded = named("a_address", _map, a, addresses[0], (m, k // part))
        a, findings = a._replace(map=encoded.value), (*findings, *encoded.findings)
    if addresses[1] is not None:
        encoded = named("b_address", _map, b, addresses[1], (n, k))
        b, findings = b._replace(map=encoded.value), (*findings, *encoded.findings)
    return plan._replace(a=a, b=b, findings=tuple(dict.fromkeys(findings)))


def _map(operand: OperandPlan, address: int, shape: tuple[int, int]) -> Encoded:
    """Return the tensor map of a whole matrix MN x K (elements) that fills the tiles of an operand."""
    name, tile = operand.name.upper(), operand.tile
    if operand.filling is None:
        raise SmemdescError(
            f"{name}: no box writes {tile.dtype.name} like this", hint=f"leave --{operand.name}-address out"
        )
    box = operand.filling.map
    if box.swizzle not in SWIZZLES:
        raise SmemdescError(f"{name}: map swizzle {box.swizzle} needs Blackwell, whose driver was not measured")
    inner, outer = shape if tile.major == "MN" else shape[::-1]
    try:
        map_type = data_type(box.data_type)
        dims, strides = (inner, outer), (map_type.row_bytes(inner),)
        return encode_map(map_type.name, address, dims, strides, box.box, swizzle=box.swizzle)
    except SmemdescError as error:
        raise SmemdescError(f"the tensor map of {name}: {error.option_message}", hint=error.option_hint) from None


def _choose_instruction(choices: Choices) -> tuple[tuple[int, int, int], OperandPlan | None, OperandPlan]:
    """Return M, N and K of the instruction, and its operands: as requested, else the largest that divides the tile."""
    request = choices.request
    k = choices.k()
    m, n, whole_k = request.shape
    if whole_k % k:
        raise SmemdescError(
            f"K = {whole_k} of the tile is not a multiple of {k}, the K of one {'sparse ' if request.sparse else ''}"
            f"instruction on {choices.types[0].name}",
            hint=f"use a multiple of {k}",
            keyword="shape",
        )
    requested = (request.mma[0], request.mma[1]) if request.mma is not None else None
    first: SmemdescError | None = None
    for one_m, one_n in choices.shapes():
        if m % one_m or n % one_n or requested not in (None, (one_m, one_n)) or not choices.exists(one_m, one_n, k):
            continue
        try:
            a, b = (_operand(choices, name, (one_m, one_n, k)) for name in ("a", "b"))
        except SmemdescError as error:
            first = first or error
            continue
        assert b is not None
        return (one_m, one_n, k), a, b
    if first is not None:
        raise first
    legal = [shape for shape in choices.shapes() if requested in (None, shape) and choices.exists(*shape, k)]
    if not legal:
        choices.refuse_shape(*(requested or next(choices.shapes())), k)
    raise choices.indivisible(legal, requested is not None)


def planned(request: Request) -> Plan:
    """Return the plan of a request, without tensor maps."""
    choices = Choices(with_formats(request))
    return _plan(choices, *_choose_instruction(choices))


def _plan(choices: Choices, mma_shape: tuple[int, int, int], a: OperandPlan | None, b: OperandPlan) -> Plan:
    request = choices.request
    idesc = None if choices.hopper else choices.idesc(*mma_shape)
    factors = _scale(choices, *mma_shape)
    memory = _shared_memory(choices, a, b, factors)
    _, of_b, of_a_factors, of_b_factors, _ = _offsets(request.stages, a, b, factors)
    b = b._replace(offset=of_b)
    if factors is not None:
        factors = factors._replace(a=factors.a._replace(offset=of_a_factors), b=factors.b._replace(offset=of_b_factors))
    tensor = None if choices.hopper else _tensor_memory(choices, mma_shape, factors)
    mma = Mma(
        choices.instruction(*mma_shape),
        None if a is None else _whole(a.base, 64),
        _whole(b.base, 64),
        None if idesc is None else _whole(idesc, 32),
        None,
        choices.arch,
    )
    # The operands begin at byte 0 here, and their strides are their tiles'; where a whole tile lies is the
    # memory's business.
    findings = [
        finding
        for _, finding in Judge().found(mma).findings
        if finding.rule not in (*UNDIVIDED, transpose_and_strides.name)
    ]
    findings += [
        finding for operand in (a, b) if operand for finding in operand.tile.findings if finding not in findings
    ]
    findings = [finding for finding in findings if finding.rule != "outside-shared-memory"]
    findings += _capacity_findings(choices, memory, tensor)
    return Plan(
        choices.arch,
        mma,
        choices.mnemonic(*mma_shape, factors.a.scales if factors else None),
        request.shape,
        mma_shape,
        request.cta_group,
        idesc,
        a,
        b,
        request.stages,
        factors,
        memory,
        tensor,
        request.remarks,
        tuple(finding for finding in findings if finding.severity != NOTE),
    )


def _whole(value: int, width: int) -> MmaOperand:
    return MmaOperand(value, ones(width))


def _operand(choices: Choices, name: str, mma: tuple[int, int, int]) -> OperandPlan | None:
    """Return one operand in shared memory, under the requested mode or the widest that fits."""
    request = choices.request
    if name == "a" and request.a_from != "shared":
        if request.a_major == "MN":
            message = f"A in {PLACES_OF_A[request.a_from]} is K-major"
            raise SmemdescError(message, hint="omit --a-major and --trans-a", keyword="a_major")
        return None
    dtype = choices.types[name == "b"]
    major = request.a_major if name == "a" else request.b_major
    # A of a sparse MMA is stored compressed: half of its K.
    part = 2 if request.sparse and name == "a" else 1
    mn, one = (request.shape[0], mma[0]) if name == "a" else (request.shape[1], mma[1])
    size = mn, request.shape[2] // part
    first: SmemdescError | None = None
    for mode in [request.swizzle] if request.swizzle else _candidate_modes(choices.kind, dtype, major):
        try:
            operand_tile = lay_out_tile(
                choices.kind.name,
                size,
                dtype,
                major,
                mode,
                mma=(one, mma[2] // part),
                order=request.order,
                cta_group=request.cta_group,
                arch=choices.arch,
            )
        except SmemdescError as error:
            error.option_message = f"{name.upper()}: {error.option_message}"
            names = tuple({"major": f"{name}_major"}.get(keyword, keyword) for keyword in error.keywords)
            error.keywords = names or ("shape",)
            first = first or error
            continue
        return OperandPlan(
            name,
            operand_tile,
            _why(request.swizzle, operand_tile, first),
            0,
            operand_tile.filling,
            cute_text(operand_tile),
            dsl_text(operand_tile),
            triton_encoding(operand_tile, name),
            triton_shape(operand_tile, name),
        )
    assert first is not None
    raise first


def _candidate_modes(kind: Kind, dtype: DType, major: str) -> list[str]:
    """Return the modes to try, the widest first; of MN-major 32-bit operands tcgen05 has one only."""
    if dtype.storage == 32 and major == "MN" and kind.name == "tcgen05":
        return [mode.name for mode in MODES if mode.wide]
    # A plan loads with TMA.
    written = (mode for mode in MODES if not mode.wide and mode.tma and mode.code(kind.name) is not None)
    return [mode.name for mode in sorted(written, key=lambda mode: -mode.width)]


def _why(requested: str | None, tile: Tile, refused: SmemdescError | None) -> str:
    """Say why a mode was taken."""
    k_major = tile.major == "K"
    along, size, atom = ("K", tile.shape.k, tile.atom.k) if k_major else ("MN", tile.shape.mn, tile.atom.mn)
    if requested is not None:
        return "as requested"
    if MODE[tile.swizzle].wide:
        return "the only mode of MN-major 32-bit operands"
    width = MODE[tile.swizzle].width
    text = f"{along} = {size} is a multiple of {atom} elements, {width} B"
    widths = (MODE[name].width for name in _candidate_modes(tile.kind, tile.dtype, tile.major))
    wider = [other for other in widths if other > width]
    if not wider:
        return f"widest possible: {text}"
    need = wider[-1] * 8 // tile.dtype.storage
    if size % need:
        return f"the widest that fits: {text}; the next wider mode needs a multiple of {need}"
    return f"the widest that fits: {text}" + (
        f"; wider: {refused.option_message.partition(': ')[2]}" if refused else ""
    )


def _scale(choices: Choices, m: int, n: int, k: int) -> ScalePlan | None:
    """Return the scale factors of the tile; None if the kind has none."""
    if choices.mma_kind is None or choices.block is None:
        return None
    whole_m, whole_n, whole_k = choices.request.shape
    # Each CTA of a pair scales its own rows of A, and all columns of B.
    group, kind, block = choices.request.cta_group, choices.mma_kind, choices.block.size

    def factors(operand: str, rows: int, one: int) -> ScaleFactors:
        count = rows // one
        # An instruction takes its factors from lane 0 on: steps that begin elsewhere have no block in common.
        sets = count if one % WARP else 1
        factors = scale_layout(
            rows // sets, whole_k, kind, operand=operand, block=block, one_k=k, sparse=choices.request.sparse
        )
        added = [step * factors.columns if sets > 1 else factors.begins(step * one) for step in range(count)]
        return ScaleFactors(factors, sets, tuple(column for column in added if column is not None))

    a, b = factors("a", whole_m // group, m // group), factors("b", whole_n, n)
    idescs = tuple(choices.idesc(m, n, k, scale_id=step.id) for step in a.scales.steps)
    return ScalePlan(choices.scale_type(), a, b, copy_descriptor(), idescs)


def _tensor_memory(choices: Choices, mma: tuple[int, int, int], scale: ScalePlan | None) -> TensorMemory:
    """Return what the tile takes of tensor memory."""
    request, (m, n, _) = choices.request, mma
    group, sparse = request.cta_group, request.sparse
    d = tmem_layout(m, n, dtype=choices.d_type, mma_kind=choices.mma_kind, cta_group=group, sparse=sparse)
    count = (request.shape[0] // m) * (request.shape[1] // n)
    # Two matrices that take half of the lanes each lie in the same columns.
    d_columns = -(-count // 2 if d.path.half else -count) * d.columns
    a: Tmem | None = None
    if request.a_from == "tmem":
        a = tmem_layout(
            m,
            n,
            operand="a",
            dtype=choices.types[0].name,
            mma_kind=choices.mma_kind,
            cta_group=group,
            sparse=sparse,
            k=request.shape[2] // (2 if sparse else 1),
            limit=None,
        )
    along_m = request.shape[0] // m
    factors = (scale.a.columns, scale.b.columns) if scale else (0, 0)
    metadata = 0
    if sparse:
        assert choices.mma_kind is not None
        pairs = not variant_of(choices.arch, f"idesc:{choices.mma_kind}")
        of_each = metadata_columns(request.shape[2], choices.mma_kind, pairs=pairs)
        metadata = -(-along_m // 2 if d.path.half else -along_m) * of_each
    return TensorMemory(d, d_columns, a, a.columns * along_m if a else 0, factors, metadata, request.stages)


def _offsets(stages: int, a: OperandPlan | None, b: OperandPlan, scale: ScalePlan | None) -> tuple[int, ...]:
    """Return where the first stages of A, of B and of the scale factors of both begin, and the mbarriers."""
    of_b = -(-stages * a.bytes // b.alignment) * b.alignment if a else 0
    of_scale = of_b + stages * b.bytes
    a_factors, b_factors = (scale.a.bytes, scale.b.bytes) if scale else (0, 0)
    return 0, of_b, of_scale, of_scale + stages * a_factors, of_scale + stages * (a_factors + b_factors)


def _shared_memory(choices: Choices, a: OperandPlan | None, b: OperandPlan, scale: ScalePlan | None) -> SharedMemory:
    """Return what the stages take of shared memory."""
    of_sm = shared_memory(choices.arch)
    stage = b.bytes + (a.bytes if a else 0) + (scale.bytes if scale else 0)

    def total(stages: int) -> int:
        return _offsets(stages, a, b, scale)[-1] + stages * BARRIERS

    stages = choices.request.stages
    if of_sm is None:
        return SharedMemory(stage, total(stages), _offsets(stages, a, b, scale)[-1], None, None)
    limit = of_sm - RESERVED
    most = limit // (stage + BARRIERS)
    while most and total(most) > limit:
        most -= 1
    return SharedMemory(stage, total(stages), _offsets(stages, a, b, scale)[-1], limit, most)


def _capacity_findings(choices: Choices, memory: SharedMemory, tensor: TensorMemory | None) -> list[Finding]:
    """Return what says that a CTA has less."""
    findings = []
    if memory.limit is not None and memory.most is not None and memory.total > memory.limit:
        most = f"use {many(memory.most, 'stage')}" + (" or fewer" if memory.most > 1 else "")
        need = "1 stage needs" if choices.request.stages == 1 else f"{choices.request.stages} stages need"
        message = f"{need} {memory.total} B of shared memory, but a CTA on {choices.arch} has {memory.limit} B"
        fits = most if memory.most else SMALLER_TILE
        findings += outside_shared_memory.as_findings(error(message, fix=fits, fields=()))
    if tensor is not None:
        findings += tensor_memory_columns.apply(
            tensor.stages, tensor.d_columns, tensor.a_columns, tensor.scale_columns, tensor.metadata_columns
        )
    if choices.hopper:
        findings += accumulator_registers.apply(*choices.request.shape[:2], choices.d_type)
    return findings
