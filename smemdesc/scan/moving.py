"""What was found in a stretch of a file, counted from elsewhere."""

from __future__ import annotations

from smemdesc.scan.model import Function, Operand, Part


def moved(part: Part, lines: int) -> Part:
    """Return what was found with every line number larger by ``lines``."""
    if not lines:
        return part
    return part._replace(
        functions=tuple(_moved(function, lines) for function in part.functions),
        values=tuple(value._replace(line=value.line + lines) for value in part.values),
        failed=tuple((line + lines, reason) for line, reason in part.failed),
    )


def _moved(function: Function, lines: int) -> Function:
    def operand(each: Operand | None) -> Operand | None:
        return each if each is None or each.lost is None else each._replace(lost=each.lost + lines)

    return function._replace(
        line=function.line + lines,
        mmas=tuple(
            mma._replace(
                line=mma.line + lines,
                a=operand(mma.a),
                b=operand(mma.b),
                idesc=operand(mma.idesc),
                mask=operand(mma.mask),
            )
            for mma in function.mmas
        ),
    )
