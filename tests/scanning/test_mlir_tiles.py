"""Operations on tiles: what their layouts say, held to the PTX of the same compilation; locations of their source."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from corpus.dumps import DUMPS, dumps, texts
from run import Ran, smemdesc
from tables import every_row

from smemdesc.kinds.kind import kind_of
from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.units import MMA_MARKS
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand

SAID = ("n", "k", "a_type", "b_type", "d_type", "a_major", "b_major", "cta_group", "a_from")


@cache
def pairs() -> dict[str, tuple[str, str]]:
    """Return the IR and the PTX of each kernel."""
    found = {name: text for name, text, _ in dumps("triton")} | dict(texts(DUMPS / "ir.tar.xz"))
    stems = {name.rpartition(".")[0]: text for name, text in found.items() if name.endswith((".ttgir", ".mlir"))}
    return {stem: (text, found[f"{stem}.ptx"]) for stem, text in stems.items()}


def mmas(text: str) -> list[ScannedMma]:
    return [mma for function in scan_text(text).functions for mma in function.mmas]


def agree(one: ScannedOperand | None, other: ScannedOperand | None) -> bool:
    return one is other if one is None or other is None else not (one.bits ^ other.bits) & one.known & other.known


def same(tiled: ScannedMma, made: ScannedMma) -> bool:
    """Whether an instruction may be one that an operation on tiles became."""
    ours, theirs = tiled.instruction, made.instruction
    if ours.family != theirs.family:
        return False
    both = ((getattr(ours, name), getattr(theirs, name)) for name in SAID)
    if any(one != other for one, other in both if one is not None and other is not None):
        return False
    if ours.mma_kinds and theirs.mma_kinds and not set(ours.mma_kinds) & set(theirs.mma_kinds):
        return False
    return all(agree(getattr(tiled, name), getattr(made, name)) for name in ("a", "b", "idesc"))


@pytest.mark.corpus
def test_each_operation_is_what_the_compiler_made_of_it() -> None:
    held = 0
    for name, (ir, ptx) in pairs().items():
        tiled, made = mmas(ir), mmas(ptx)
        assert tiled, name
        for mma in tiled:
            assert any(same(mma, each) for each in made), (name, mma)
        for each in made:
            assert any(same(mma, each) for mma in tiled), (name, each)
        held += len(tiled)
    assert held > 130


MADE = ("cute_100_described", "cute_90_described")


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_a_descriptor_made_of_a_layout_is_the_number_that_the_compiler_makes(name: str) -> None:
    ir, ptx = pairs()[name]
    tiled, made = mmas(ir), mmas(ptx)
    assert len(tiled) == len(made) >= 14
    table = kind_of("tcgen05" if "_100_" in name else "wgmma").table
    for mma, each in zip(tiled, made, strict=True):
        assert mma.b or mma.a
        ours, theirs = mma.a or mma.b, each.a or each.b
        assert ours is not None
        assert theirs is not None
        assert agree(ours, theirs), (mma, each)
        swizzle = table.masks["swizzle"]
        assert ours.known & swizzle == swizzle


@pytest.mark.corpus
def test_the_descriptors_of_copies_are_those_of_their_layouts() -> None:
    modes = set()
    table = kind_of("tcgen05").table
    for name, (ir, ptx) in pairs().items():
        made = [mma.a for mma in mmas(ptx) if mma.instruction.family == "tcgen05.cp"]
        for mma in mmas(ir):
            if mma.instruction.family == "tcgen05.cp" and name not in MADE:
                assert mma.a is not None
                assert all(agree(mma.a, each) for each in made), (name, mma)
                read = table.read(mma.a.bits, mma.a.known)
                assert read["stride_byte_offset"].value, (name, mma)
                modes.add((read["swizzle"].value, read["leading_byte_offset"].value, read["stride_byte_offset"].value))
    assert modes == {
        ("128B", None, 1024), ("64B", None, 512), ("32B", None, 256), ("none", None, 128), ("none", None, 256),
        ("none", 128, 256), ("none", 8192, 128),
    }  # fmt: skip


POINTER = "!cute.ptr<bf16, smem, align<1024>, S<3,4,3>>"
MAKES = f'cute_nvgpu.make_umma_smem_desc(%p : {POINTER}) layout = <"((128,16),1):((64,1),0)">, major = <k>'
NOT_MADE = [
    MAKES.replace("umma_smem_desc", "umma_smem_desc_circular"),
    MAKES.replace("(%p :", "(%p, %q :"),
    MAKES.replace("<k>", "<n>"),
    MAKES.replace("(128,16)", "(128,?)"),
    MAKES.replace("(128,16)", "(128,64)"),
    MAKES.replace("S<3,4,3>", "S<3,3,3>"),
    MAKES.replace("smem, align", "gmem, align"),
    MAKES.replace(":((64,1),0)", ":((64,2),0)"),
    MAKES.replace("bf16", "f64"),
]


@every_row(("made", "known"), [(MAKES, True), *((each, False) for each in NOT_MADE)])
def test_a_descriptor_that_is_not_made_so_is_not_known(made: str, known: bool) -> None:
    (mma,) = mmas(
        f"func.func @f() {{\n %0 = {made} -> !cute_nvgpu.smem_desc\n"
        " %1 = builtin.unrealized_conversion_cast %0 : !cute_nvgpu.smem_desc to i64\n nvvm.tcgen05.cp %t, %1\n}"
    )
    assert mma.a is not None
    assert bool(mma.a.known) is known


MADE_OF_TYPES = f"%1 = {MAKES} -> !cute_nvgpu.smem_desc"
GENERIC = (
    '%1 = "cute_nvgpu.make_gmma_smem_desc"(%0) <{layout = #cute.layout<"((64,16),2,4):((64,1),4096,16)">, '
    f"major = #cute_nvgpu.major<k>}}> : ({POINTER}) -> !cute_nvgpu.smem_desc"
)


@every_row(
    ("line", "reading"),
    [
        (MADE_OF_TYPES, "tcgen05: start ?, LBO ?, SBO 1024 B, swizzle 128B"),
        (GENERIC, "wgmma: start ?, LBO ?, SBO 1024 B, swizzle 128B"),
    ],
)
@every_row("read", [lambda line: smemdesc("scan", "-", stdin=line), lambda line: smemdesc("-", stdin=line), smemdesc])
def test_an_operation_alone_is_listed_with_what_its_types_say(
    line: str, reading: str, read: Callable[[str], Ran]
) -> None:
    ran = read(line)
    assert (f"{reading}: valid" in ran.out, ran.status) == (True, 0)


VIEWED = f"""func.func @f() {{
 %0 = {MAKES.replace("),1)", "),1,4)").replace(',0)"', ',0,16)"')} -> !cute_nvgpu.smem_desc
 %v = cute.make_view(%0) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
 cute.gemm(%m, %d, %v, %v, %d) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), \
elem_type = (bf16, bf16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !d, !v, !v, !d)
 return
}}
"""


def test_a_view_of_a_descriptor_is_one_of_its_layout_and_major_ness() -> None:
    (mma,) = mmas(VIEWED)
    assert mma.a is not None
    assert mma.b is not None
    assert (hex(mma.a.bits), mma.b.known) == ("0x4000404000000000", 0)


@pytest.mark.parametrize(("layout", "known"), [("32,4,4:4,1,0", True), ("24,4,4:4,1,0", False), ("8,8,4:4,1,0", False)])
def test_the_rows_of_a_copy_are_parts_of_its_layout(layout: str, known: bool) -> None:
    shape, stride = layout.split(":")
    atom, view = "!cute_nvgpu.atom.s2t_copy<f32, 32 DP, 128 bit, 1 cta, x4>", "!cute_nvgpu.smem_desc_view"
    source = f'!cute.memref<f32, smem, align<1024>, "((({shape}),1),1):((({stride}),0),0)">'
    (mma,) = mmas(
        f"func.func @f() {{\n %0 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%c, %s) : ({atom}, {source}) -> {view}\n"
        f" cute.copy(%c, %0, %d) : ({atom}, {view}, !d)\n return\n}}"
    )
    assert mma.a is not None
    assert bool(mma.a.known) is known


def operands() -> Iterator[tuple[ScannedMma, ScannedOperand]]:
    for name, (ir, _) in pairs().items():
        for mma in mmas(ir) if name not in MADE else ():
            if mma.instruction.family != "tcgen05.cp":
                yield from ((mma, each) for each in (mma.a, mma.b) if each is not None)


@pytest.mark.corpus
def test_swizzle_and_sbo_are_known_of_every_operand() -> None:
    seen = set()
    for mma, operand in operands():
        table = kind_of(mma.instruction.family).table
        wanted = table.masks["swizzle"] | table.masks["stride_byte_offset"] | table.masks["base_offset"]
        assert operand.known & wanted == wanted, mma.text
        assert not operand.known & table.masks["start_address"]
        seen.add((mma.instruction.family, table.read(operand.bits, operand.known)["swizzle"].value))
    assert {mode for family, mode in seen if family == "tcgen05"} >= {"128B", "64B", "32B", "128B_32B"}
    assert {mode for family, mode in seen if family == "wgmma"} >= {"128B", "64B", "32B"}


@pytest.mark.corpus
def test_a_stride_that_is_used_is_known_and_held() -> None:
    used = 0
    for ir, ptx in pairs().values():
        for mma in mmas(ir):
            if mma.instruction.family == "tcgen05.cp":
                continue
            lbo = kind_of(mma.instruction.family).table.masks["leading_byte_offset"]
            became = [each for each in mmas(ptx) if same(mma, each)]
            for ours, *theirs in ([getattr(each, name) for each in (mma, *became)] for name in ("a", "b")):
                used += any(ours and other and ours.known & other.known & lbo == lbo for other in theirs)
    assert used > 20


@pytest.mark.corpus
def test_the_architecture_is_what_triton_compiled_for() -> None:
    ir = {stem: text for stem, (text, _) in pairs().items() if "cute" not in stem}
    for stem, text in ir.items():
        assert {mma.arch for mma in mmas(text)} == {"sm_90a" if "_90_" in stem else "sm_100a"}


LAYOUT = "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = false, elementBitWidth = 16}>"
DOT = """module attributes {ttg.target = "cuda:90"} {
  tt.func public @f() {
    %%d = ttng.warp_group_dot %%a, %%b, %%c {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, %s, #smem>

 * !ttg.memdesc<64x64xf16, %s, #smem> -> tensor<64x64xf32, #ttg.nvidia_mma<{instrShape = [16, 64, 16]}>>
    tt.return
  }
}
"""


def swizzles(text: str) -> list[object]:
    table = kind_of("wgmma").table
    return [table.read(*mma.a[:2])["swizzle"].value for mma in mmas(text) if mma.a]


def test_a_name_is_what_it_was_defined_as_last() -> None:
    one, other = (f"#s = {LAYOUT % width}\n{DOT % ('#s', '#s')}" for width in (128, 64))
    assert swizzles(one + other) == ["128B", "64B"]
    assert swizzles(DOT % ("#s", "#s") + one) == [None, "128B"]


UNREAD = {
    "#ttg.padded_shared<[32:+4] {order = [1, 0]}>": "#ttg.padded_shared is not a layout that an MMA reads",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>": "the bases match no swizzle mode",
    LAYOUT % 48: "swizzlingByteWidth is 0, 32, 64 or 128, not 48",
}


@pytest.mark.parametrize("layout", UNREAD)
def test_of_another_layout_nothing_is_claimed(layout: str) -> None:
    mma = mmas(DOT % (layout, LAYOUT % 128))[0]
    assert mma.a is not None
    assert mma.b is not None
    assert (mma.a.known, mma.a.lost, mma.a.lost_text) == (0, 3, UNREAD[layout])
    assert mma.b.known


NOT_READ = {
    'module {\n func.func @f() {\n %0 = tosa.matmul %a, %b : t\n "my.op"(%0) : (t) -> ()\n }\n}': ({"tosa", "my"}, {}),
    "cuda_tile.module @m {\n entry @f() {\n %0 = mmaf %a, %b, %c : t\n }\n}": ({"cuda_tile"}, {}),
    "tt.func @f() {\n %d = tt.dot %a, %b, %c : t\n tt.return\n}": (set(), {"tt.dot": 1}),
    "func.func @f() {\n cute.gemm(%m, %d, %a, %b, %c) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16>>, t)\n}": (
        set(),
        {"mma.sync": 1},
    ),
    '"func.func"() <{sym_name = "f"}> ({\n "cute.gemm"(%m, %d, %a, %b, %c) : '
    '(!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16>, l = <"(1,1)">>, t) -> ()\n %0 = "my.op"() : () -> ()\n}) : ()': (
        {"my"},
        {"mma.sync": 1},
    ),
    "func.func @f() {\n %0 = arith.constant 1 : i32\n %c:2 = scf.for %i = %a to %b {\n }\n}": (set(), {}),
    "def f():\n    import module\n    torch.matmul(a, b)\n": (set(), {}),
}


@every_row("text", NOT_READ)
def test_what_is_not_read_is_named(text: str) -> None:
    part = scan_text(text)
    assert not part.functions
    assert (set(dict(part.unknown)), dict(part.older)) == NOT_READ[text]


def test_the_marks_are_those_of_the_operations() -> None:
    from smemdesc.scanning.languages.mlir.front import READ_OPERATIONS

    for name in READ_OPERATIONS:
        assert any(mark.decode() in name for mark in MMA_MARKS["MLIR"]), name


FORMS = (
    "#loc", "#loc12", "unknown", '"a.py":3:4', '"a (b).py":3:4', '"dot"(#loc7)', 'callsite("f"("x.py":1:2) at #loc3)',
    'fused<"pass">["a.py":3:4, #loc4]', '"quote \\" )"',
)  # fmt: skip
ENDS = re.compile(r"(?m)(?<=[\w>)}\]])[ \t]*$(?<!\{)")
ARGUMENT = re.compile(r"(%arg\d+: [!\w.]+(?:<[^<>()]*>)?(?: \{[^{}]*\})?)(?=[,)])")


def located(text: str, rng: random.Random) -> str:
    """Put locations behind operations, regions and arguments, and their names before and behind the module."""

    def put(match: re.Match[str]) -> str:
        return f"{match[0]} loc({rng.choice(FORMS)})" if rng.random() < 0.8 else match[0]

    lines = []
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("%") or stripped.split(" ")[0].partition("(")[0].count(".") or stripped == "}":
            line = ENDS.sub(put, line, count=1) if not line.endswith("{") else ARGUMENT.sub(put, line)
        lines.append(line)
    names = "".join(f'#loc{number} = loc("b.py":{number}:2)\n' for number in range(20))
    return "\n".join(("#loc = loc(unknown)", *lines, names))


def bare(functions: tuple[Function, ...]) -> list[object]:
    return [
        each._replace(line=0, mmas=tuple(mma._replace(line=0, source=None) for mma in each.mmas)) for each in functions
    ]


def unlined(functions: tuple[Function, ...]) -> str:
    return re.sub(r"(line|lost)=\d+", "", repr(bare(functions)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gluon_100_slice_k", "gluon_90_slice_both", "cute_100_nvf4", "cute_90_bf16", "cute_100_s8"]
)
def test_locations_change_no_result(name: str) -> None:
    text = pairs()[name][0]
    rng = random.Random(name)
    for _ in range(3):
        more = located(text, rng)
        assert more.count("loc(") > 40
        assert unlined(scan_text(more).functions) == unlined(scan_text(text).functions)


COPY = "nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}"
TEXT = """#loc = loc("top.py":1:0)
#loc9 = loc("one.py":9:0)
llvm.func @f(%x: i64 loc("x"(#loc)), %t: !llvm.ptr<6> loc("loc("), %p: i1 loc(#loc)) {{
  %c = llvm.mlir.constant(4611756662049538048 : i64) : i64 loc(#loc2)
  llvm.br ^bb1(%c : i64) loc(#loc)
^bb1(%d: i64 loc("d"(#loc2))):  // 2 preds: ^bb0, ^bb1
  {copy}
  llvm.cond_br %p, ^bb1(%c : i64), ^bb2 loc(#loc)
^bb2:
  llvm.return loc(#loc)
}} loc(#loc)
#loc2 = loc("two.py":2:0)
#loc3 = loc(callsite(#loc2 at #loc))
#loc4 = loc("x"(#loc3))
#loc9 = loc("other.py":9:0)
"""
PLACES = {
    f"{COPY} loc(#loc)": ("top.py", 1),
    f"{COPY} loc(#loc2)": ("two.py", 2),
    f"{COPY} loc(#loc3)": ("two.py", 2),
    f"{COPY} loc(#loc4)": ("two.py", 2),
    f'{COPY} loc("a (b.py":3:4)': ("a (b.py", 3),
    f'{COPY} loc(fused<"loc(">["f.py":5:1, #loc])': ("f.py", 5),
    f'{COPY.replace(" {", chr(10) + "  {")} loc("g.py":7:1)': ("g.py", 7),
    f"{COPY} loc(#loc9)": None,
    f"{COPY} loc(#loc99)": None,
    f"{COPY} loc(unknown)": None,
    COPY: None,
    f'{COPY} loc("no end': None,
}


@every_row("line", PLACES)
def test_a_location_says_where_in_the_source(line: str) -> None:
    (function,) = scan_text(TEXT.format(copy=line)).functions
    (mma,) = function.mmas
    assert mma.source == PLACES[line]
    assert function.odd == 0
    assert mma.a is not None
    assert mma.a.bits == 0x4000404000010000
