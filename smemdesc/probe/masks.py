"""The question about a zero-column mask: is each of these columns zero, and which column of B is in the others?"""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import UNIT, Operand, descriptor_of
from smemdesc.layout.zero_columns import expand
from smemdesc.probe.launch import FIRST
from smemdesc.probe.questions import OperandQuestion, kind_for, operand_case

MAX_SHIFTS = (0, 8, 16, 32)


def mask_question(value: int, m: int, n: int, arch: str, dtype: DType) -> OperandQuestion:
    """Return the question: B is K-major without swizzle, with as many more rows as the mask shifts.

    :class:`SmemdescError` if no ``tcgen05.mma.ws`` has this M and N.
    """
    mask = expand(value, m, n)
    mma_kind = kind_for(dtype)
    one = Operand("none", "K", dtype, (n, dtype.k))
    case = operand_case(one, arch, "b", mma_kind, ws=True, m=m, mask=value)
    shift = next((most for most in MAX_SHIFTS if most >= mask.shift), None)
    if shift is None:
        raise SmemdescError(f"a shift of {mask.shift} columns is undefined", hint="the shift is at most 32")
    rows = n + mask.shift
    # A stride of whole groups of 8 rows, so that the columns after the last one are there too.
    operand = Operand("none", "K", dtype, (rows, dtype.k), start=FIRST, lbo=UNIT * -(-rows // 8) * 8, sbo=8 * UNIT)
    table = kind_of("tcgen05", arch=arch).table
    descriptor = descriptor_of(operand, table)
    return OperandQuestion(descriptor, operand, "b", case._replace(max_shift=shift))
