"""Ask Triton's compiler how matrices and scale factors lie in tensor memory, and store what it answers.

From the folder ``tests/tools``, with a Python that has Triton (no GPU is needed): ``python evidence/triton_tmem.py``.
Each answer is a linear layout: where lane bit i (``rows``) and column bit i (``cols``) move in the matrix.
"""

from __future__ import annotations

import json
from pathlib import Path

D = [
    # block of one CTA, col_stride, two CTAs, shape of the matrix: col_stride 2 is 16 bits in a column of 32
    ((64, 64), 1, False, (64, 64)),
    ((64, 64), 2, False, (64, 64)),
    ((64, 256), 1, False, (64, 256)),
    ((128, 64), 1, False, (128, 64)),
    ((128, 256), 1, False, (128, 256)),
    ((64, 64), 1, True, (128, 64)),
    ((64, 256), 1, True, (128, 256)),
    ((128, 64), 1, True, (256, 64)),
    ((128, 256), 1, True, (256, 256)),
]
SCALES = [(64, 4), (128, 4), (128, 8), (256, 4), (256, 16)]
RECORD = Path(__file__).parents[2] / "layout" / "triton_tmem.json"


def main() -> None:
    """Ask, and write the answers."""
    import triton
    from triton._C.libtriton import gluon_ir, ir, nvidia
    from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout

    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)

    def bases(layout: object, shape: tuple[int, int]) -> dict[str, object]:
        answer = builder.to_linear_layout(layout._to_ir(builder), list(shape))
        return {"rows": [list(each) for each in answer.rows], "cols": [list(each) for each in answer.cols]}

    found = {
        "triton": triton.__version__,
        "d": [
            {
                "block": block,
                "col_stride": stride,
                "two_ctas": two,
                "shape": shape,
                **bases(TensorMemoryLayout(block, stride, [[1, 0]] if two else [], two), shape),
            }
            for block, stride, two, shape in D
        ],
        "scales": [{"shape": shape, **bases(TensorMemoryScalesLayout(), shape)} for shape in SCALES],
    }
    RECORD.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
