"""Print the MLIR of the corpus in generic form, and ``custom.mlir``: needs jaxlib, nvidia-cutlass-dsl and triton.

    python -m corpus.forms        (from the folder tests/tools)

Triton's bindings print the generic form of a module that is not valid: a return is put where none may be.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from corpus.dumps import DUMPS, dumps, store, texts

FORMS = Path(__file__).parents[2] / "scanning" / "forms"
RETURN = '      "tt.return"() : () -> ()\n'


def of_bindings(package: str, text: str) -> str:
    """Return what MLIR's bindings print; ``package``: those of the CuTe DSL, or of jaxlib."""
    ir = importlib.import_module(package)
    with ir.Context() as context:
        if package.startswith("jaxlib"):
            extension = importlib.import_module("jaxlib.mlir._mlir_libs._jax_mlir_ext")
            registry = ir.DialectRegistry()
            for name in dir(extension):
                if name.startswith("register_dialects"):
                    getattr(extension, name)(registry)
            context.append_dialect_registry(registry)
            context.load_all_available_dialects()
        printed = ir.Module.parse(text).operation.get_asm(print_generic_op_form=True)
        return str(printed)


def of_triton(text: str) -> str:
    """Return what Triton prints."""
    triton = importlib.import_module("triton._C.libtriton")
    context = triton.ir.context()
    triton.ir.load_dialects(context)
    triton.nvidia.load_dialects(context)
    with NamedTemporaryFile("w", suffix=".ttgir") as file:
        file.write(text)
        file.flush()
        module = triton.ir.parse_mlir_module(file.name, context)
    returns: list[Any] = []
    module.walk(lambda operation: returns.append(operation) if operation.get_name() == "tt.return" else None)
    builder = triton.ir.builder(context)
    builder.set_insertion_point_to_start(returns[0].get_block())
    builder.ret([])
    return str(module.str_nodebug()).replace(RETURN, "", 1)


if __name__ == "__main__":
    found = {name: text for name, text, _ in dumps("triton")} | dict(texts(DUMPS / "ir.tar.xz"))
    generic = {name: of_triton(text) for name, text in found.items() if name.endswith(".ttgir")}
    generic |= {name: of_bindings("cutlass._mlir.ir", text) for name, text in found.items() if name.endswith(".mlir")}
    store(FORMS / "generic.tar.xz", generic)
    (FORMS / "generic.mlir").write_text(of_bindings("jaxlib.mlir.ir", (FORMS / "custom.mlir").read_text()))
