"""MLIR in generic form: the same answers as of the form that its dialects print.

``forms/custom.mlir`` was written by hand; ``forms/generic.mlir`` is what MLIR's own printer makes of it, and
``forms/generic.tar.xz`` what the printers of Triton and of the CuTe DSL make of the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest
from corpus.dumps import DUMPS, dumps, texts
from samples import sampled
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Part, ScannedMma

HERE = Path(__file__).parent / "forms"
CUSTOM, GENERIC = ((HERE / f"{name}.mlir").read_text() for name in ("custom", "generic"))


def said(mma: ScannedMma) -> list[object]:
    """What is known of an MMA, but for the names of operands."""
    operands = (mma.a, mma.b, mma.idesc, mma.mask)
    instruction = mma.instruction._replace(other_group="other" if mma.instruction.other_group else None)
    return [instruction, *(each and (each.bits, each.known, bool(each.lost)) for each in operands)]


def answers(part: Part) -> list[tuple[str | None, list[list[object]]]]:
    assert not part.failed
    assert not any(function.odd for function in part.functions)
    return [(function.name, [said(mma) for mma in function.mmas]) for function in part.functions]


def old(text: str) -> str:
    """As it was printed before there were properties: attributes in braces, behind the regions."""
    function = r'(?ms)^( +)"((?:llvm|func|gpu)\.func)"\(\) <\{([^\n]*)\}> \(\{\n(.*?)^\1\}\)(?: \{(.*?)\})? : '
    text = re.sub(function, r'\1"\2"() ({\n\4\1}) {\3, \5} : ', text)
    text = re.sub(r"<\{(.*)\}>", r"{\1}", text)
    return text.replace("operandSegmentSizes", "operand_segment_sizes").replace("({", "( {")


def with_aliases(text: str) -> str:
    """With names in place of types and attributes."""
    names = {
        "!d": "i64", "!addr": "!llvm.ptr<6>", "!acc": "!llvm.struct<(f32, f32, f32, f32)>",
        "!tile": "memref<64x64xf16, 3>", "#cp": "#nvvm.tcgen05_cp_shape<shape_128x256b>",
        "#two": "#nvvm.cta_group<cta_2>", "#f16": "#nvvm.wgmma_type<f16>",
    }  # fmt: skip
    for name, meaning in names.items():
        text = re.sub(rf"(?<![\w\"%]){re.escape(meaning)}(?![\w>])", name, text)
    return "".join(f"{name} = {meaning}\n" for name, meaning in names.items()) + text


def in_messages(text: str) -> str:
    """As a verifier shows it."""
    shown = "    %r = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 16> : !m -> !m\n         ^~~\n"
    message = f"k.mlir:3:9: error: 'nvvm.wgmma.mma_async' op is wrong\n{shown}k.mlir:3:9: note: see current operation: "
    return message + text + shown


VARIANTS: dict[str, Callable[[str], str]] = {
    "as it is printed": lambda text: text,
    "before there were properties": old,
    "quoted keys": lambda text: re.sub(
        r"(?<=[{ ])(value|predicate|position|kind|shape|\w+Group|asm_\w+|elem_type|\w+Sizes|sym_name|type.) = ",
        r'"\1" = ',
        text,
    ),
    "discardable attributes": lambda text: re.sub(r"(?<=[)>]) : \(", ' {"a.b" = 1 : i32, x, s = "}) : ({"} : (', text),
    "locations": lambda text: re.sub(r"(?m)(?<=[)\d])$", ' loc("a (b.py":3:4)', text),
    "aliases": with_aliases,
    "a message": in_messages,
    "a message on one line with each function": lambda text: re.sub(
        r"(?m)^ *(\"\w+\.func\")", r'loc("k.py":1:2): note: see current operation: \1', text
    ),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "operations that nobody knows": lambda text: re.sub(
        r"(?m)^( +%\d+ = \"llvm\.mlir\.constant\".*)$",
        r'\1\n"a.b"() : () -> ()\n%x:2 = "Foo-x.B"() <{a = "}) ({"}> ({\n'
        r'^bb0(%y: i32):\n  "foo"(%y)[^bb1] : (i32) -> ()\n'
        r'^bb1:\n  "foo"() ({}) : () -> ()\n}, {\n}) {b} : () -> (i32, i32)',
        text,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(VARIANTS))
def test_both_forms_have_the_same_answers(name: str) -> None:
    text = VARIANTS[name](GENERIC)
    assert (text == GENERIC) is (name == "as it is printed")
    found = answers(scan_text(text))
    expected = answers(scan_text(CUSTOM))
    if name == "operations that nobody knows":
        # They may write memory.
        found, expected = ([each for each in of if each[0] not in ("memory", "elements")] for of in (found, expected))
    assert [function for function, _ in found] == [function for function, _ in expected]
    for (function, mmas), (_, others) in zip(found, expected, strict=True):
        assert mmas == others, function


def test_most_is_known_in_both() -> None:
    mmas = [mma for function in scan_text(GENERIC).functions for mma in function.mmas]
    assert len(mmas) == 44
    assert sum(mma.a is not None and mma.a.known == ones(64) for mma in mmas) > 30


SOME = ("gluon_90_slice_k.ttgir", "triton_100_mxfp8_128.ttgir", "cute_100_described.mlir", "cute_100_nvf4_given.mlir")


def of_corpus(names: Collection[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Yield the MLIR of compilers in both forms, with its name."""
    generic = dict(texts(HERE / "generic.tar.xz"))
    custom = {name: text for name, text, _ in dumps("triton")} | dict(texts(DUMPS / "ir.tar.xz"))
    yield from ((name, custom[name], text) for name, text in generic.items() if not names or name in names)


@pytest.mark.slow
def test_kernels_of_compilers_have_the_same_answers() -> None:
    for name, custom, generic in of_corpus(SOME):
        assert answers(scan_text(generic)) == answers(scan_text(custom)), name


@pytest.mark.corpus
def test_every_kernel_of_the_corpus_has_the_same_answers() -> None:
    count = 0
    for name, custom, generic in of_corpus():
        expected = answers(scan_text(custom))
        assert answers(scan_text(generic)) == expected, name
        count += sum(len(mmas) for _, mmas in expected)
    assert count > 180


TRITON = """#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
"""
CUTE = """!mma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), \
elem_type = (bf16, bf16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!smem = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((128,16),1,4,3):((64,1),0,16,8192)">
!view = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,3):(0,0,2,1024)">
"""
TILE = "!ttg.memdesc<64x64xf16, #shared, #smem>"
A_TILE = TILE.replace("64x64", "128x64")
IN_TMEM = "!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>"
SCALES, BYTES = "!ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>", "!ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>"
TILES = {
    "wgmma": (
        TRITON,
        "%d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : "
        f"{TILE} * {TILE} -> tensor<64x64xf32, #mma>",
        '%d = "ttng.warp_group_dot"(%a, %b, %c) <{inputPrecision = 0 : i32, isAsync = false}> : '
        f"({TILE}, {TILE}, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>",
    ),
    "tcgen05": (
        TRITON,
        f"%0 = ttng.tc_gen5_mma %a, %b, %d[%k], %t, %t {{two_ctas}} : {A_TILE}, {TILE}, {IN_TMEM}",
        '%0 = "ttng.tc_gen5_mma"(%a, %b, %d, %k, %t, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>, '
        f"two_ctas}}> : ({A_TILE}, {TILE}, {IN_TMEM}, !ttg.async.token, i1, i1) -> !ttg.async.token",
    ),
    "scaled": (
        TRITON,
        "%0 = ttng.tc_gen5_mma_scaled %a, %b, %d[%k], %s, %s, %t, %t lhs = e4m3 rhs = e5m2 : "
        f"{BYTES}, {BYTES}, {IN_TMEM}, {SCALES}, {SCALES}",
        '%0 = "ttng.tc_gen5_mma_scaled"(%a, %b, %d, %k, %s, %s, %t, %t) <{a_type = 0 : i32, b_type = 1 : i32, '
        "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0>}> : "
        f"({BYTES}, {BYTES}, {IN_TMEM}, !ttg.async.token, {SCALES}, {SCALES}, i1, i1) -> !ttg.async.token",
    ),
    "CuTe": (
        CUTE,
        "%a = cute.mma.make_fragment A (%m, %s) : (!mma, !smem) -> !view\n"
        "%b = cute.mma.make_fragment B (%m, %s) : (!mma, !smem) -> !view\n"
        "cute.gemm(%m, %d, [%a, %x], [%b, %y], %d) : (!mma, !d, !view, !x, !view, !x, !d)",
        '%a = "cute.mma.make_fragment"(%m, %s) <{operand_id = 0 : i32}> : (!mma, !smem) -> !view\n'
        '%b = "cute.mma.make_fragment"(%m, %s) <{operand_id = 1 : i32}> : (!mma, !smem) -> !view\n'
        '"cute.gemm"(%m, %d, %a, %x, %b, %y, %d) <{operandSegmentSizes = array<i32: 1, 1, 2, 2, 1>}> : '
        "(!mma, !d, !view, !x, !view, !x, !d) -> ()",
    ),
}


def function(body: str, names: str = "") -> str:
    return f"{names}module {{\n  func.func @f(%x: i64, %t: !llvm.ptr<6>) {{\n{body}\n    return\n  }}\n}}\n"


@pytest.mark.parametrize("name", TILES)
def test_an_operation_on_tiles_has_the_same_answers(name: str) -> None:
    names, custom, generic = TILES[name]
    expected = answers(scan_text(function(custom, names)))
    assert answers(scan_text(function(generic, names))) == expected
    (((_, ((_, a, b, *_),)),)) = expected
    assert a[1]
    assert b[1]


CONSTANT = "%c = arith.constant 4611756662049538048 : i64"
OTHER = CONSTANT.replace("%c", "%d")
COPY = "nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}"
OPERATIONS = {
    "no region": ('%d = "my.op"(%c) : (i64) -> i64', 0),
    "beside": (f'"Other-x.y"(%c) {{a = "}}) {{"}} : (i64) -> ()\n{OTHER}', ones(64)),
    "without a dialect": (f'"op"(%c) ({{}}) : (i64) -> ()\n{OTHER}', ones(64)),
    "of a value that it yields": ('%d = "my.if"(%x) ({\n  "my.yield"(%c) : (i64) -> ()\n}) : (i64) -> i64', 0),
    "with a value of its own": (
        f'"my.loop"(%c) ({{\n^bb0(%d: i64):\n  "my.end"() : () -> ()\n}}) : (i64) -> ()\n{OTHER}',
        ones(64),
    ),
    "with the value of a block": ('"my.br"(%c)[^bb1] : (i64) -> ()\n^bb1(%d: i64):', 0),
    "that knows no value": ('%d = "arith.ori"(<<UNKNOWN SSA VALUE>>, %c) : (i64, i64) -> i64', 0x4000404000010000),
    "that knows no block": ('"cf.br"(%c)[<<UNKNOWN SSA BLOCK>>] : (i64) -> ()\n^bb1(%d: i64):', 0),
    "that may write": (
        "%n = llvm.mlir.constant(1 : i32) : i32\n%p = llvm.alloca %n x i64 : (i32) -> !llvm.ptr\n"
        'llvm.store %c, %p : i64, !llvm.ptr\n"my.op"(%p) : (!llvm.ptr) -> ()\n%d = llvm.load %p : !llvm.ptr -> i64',
        0,
    ),
    "that may not": (
        "%n = llvm.mlir.constant(1 : i32) : i32\n%p = llvm.alloca %n x i64 : (i32) -> !llvm.ptr\n"
        'llvm.store %c, %p : i64, !llvm.ptr\n"my.op"(%n) : (i32) -> ()\n%d = llvm.load %p : !llvm.ptr -> i64',
        ones(64),
    ),
    "that may run again": (
        "%n = llvm.mlir.constant(1 : i32) : i32\n%p = llvm.alloca %n x i64 : (i32) -> !llvm.ptr\n"
        'llvm.store %c, %p : i64, !llvm.ptr\n"my.loop"() ({\n  llvm.store %x, %p : i64, !llvm.ptr\n}) : () -> ()\n'
        "%d = llvm.load %p : !llvm.ptr -> i64",
        0,
    ),
}


@pytest.mark.slow
@every_row("name", OPERATIONS)
def test_an_operation_that_nobody_knows_loses_what_it_may_change(name: str) -> None:
    body, known = OPERATIONS[name]
    ((_, ((_, a, *_),)),) = answers(scan_text(function("\n".join((CONSTANT, body, COPY)))))
    assert hex(a[1]) == hex(known)


KEYS = '{"ttg.partition" = array<i32: 2>, "x y" = 1, inputPrecision = 0 : i32}'


@pytest.mark.parametrize(
    "keys", [KEYS, KEYS.replace("{", "{\n  ").replace(", ", ",\n  "), '{"ttg.unit"}', '{"a" = "{"}']
)
def test_a_key_may_be_in_quotes(keys: str) -> None:
    names, custom, _ = TILES["wgmma"]
    expected = answers(scan_text(function(custom, names)))
    assert answers(scan_text(function(custom.replace("{inputPrecision = 0 : i32}", keys), names))) == expected


def test_what_a_verifier_prints_is_one_operation() -> None:
    operation = TILES["tcgen05"][2]
    message = (
        "k.py:3:1: error: 'ttng.tc_gen5_mma' op operand types do not agree\n"
        f"    {TILES['tcgen05'][1]}\n    ^\nk.py:3:1: note: see current operation: {operation}\n"
        'Traceback (most recent call last):\n  File "k.py", line 3, in <module>: f()\nRuntimeError: run failed\n'
    )
    part = scan_text(message)
    assert not part.failed
    ((mma,),) = (found.mmas for found in part.functions)
    assert mma.line == 4
    assert mma.a is not None
    assert (mma.a.known, mma.a.lost_text) == (0, "the text does not define #shared")
    ((mma,),) = (found.mmas for found in scan_text(TRITON + message).functions)
    assert mma.a is not None
    assert mma.a.known


@every_row("place", ["k.mlir:5:3: error: ", 'loc("k.mlir":5:3): error: ', 'error: "-":5:3: '])
@every_row("what", ["custom op 'NAME' expected 'x'", "'NAME' op is wrong"])
def test_a_message_about_an_operation_that_was_read_is_no_other_one(place: str, what: str) -> None:
    message = place + what.replace("NAME", "nvvm.tcgen05.cp")
    part = scan_text(f"{message}\n  {COPY}\n  ^\n")
    assert not part.failed
    assert [len(found.mmas) for found in part.functions] == [1]
    assert scan_text(message).failed
