"""What was found in a stretch of a file, counted from elsewhere."""

from __future__ import annotations

from smemdesc.scan.model import Function, Operand, Origin, Part


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
    moved: dict[tuple[Origin, ...], tuple[Origin, ...]] = {}

    def operand(each: Operand | None) -> Operand | None:
        if each is None:
            return None
        origins = moved.get(each.origins)
        if origins is None:
            origins = tuple(origin._replace(line=origin.line + lines) for origin in each.origins)
            moved[each.origins] = origins
        return each._replace(lost=None if each.lost is None else each.lost + lines, origins=origins)

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
