"""Changes of tensor maps: which fields instructions write, and which values are known."""

from __future__ import annotations

import pytest
from evidence.tensormap import CODES, COUNTS
from run import smemdesc as program
from tables import every_row

import smemdesc
from smemdesc.kinds.tensormap import REPLACED_CODES, REPLACED_COUNTS
from smemdesc.scanning import scan_text

HEAD = (
    ".version 9.5\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p){\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<4>;\n"
    "ld.param.u64 %rd1, [p]; mov.b32 %r1, 32; shl.b32 %r1, %r1, 1; ld.param.u32 %r2, [p];\n"
)
REPLACE = "tensormap.replace.tile"
LLVM = (
    "define ptx_kernel void @k(ptr addrspace(3) %s, i32 %n) {\n%m = and i32 %n, 0\n%q = or i32 %m, 128\n"
    'call void asm sideeffect "@$2 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x1, $1;", "r,r,b"'
    "(ptr addrspace(3) %s, i32 %q, i1 true)\nret void\n}\n"
)
CPP = (
    "__global__ void k(void* map, int n) {\n"
    '  asm volatile("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%0], 3;" :: "l"(map) : "memory");\n}\n'
)
CREATE = (
    "tt.func public @mk(%p: !tt.ptr<bf16>, %m: i32) {\n%c1 = arith.constant 1 : i32\n%c64 = arith.constant 64 : i32\n"
    "%s = arith.constant 4096 : i64\n%g = ttg.global_scratch_alloc {nbytes = 128 : i32} : !tt.ptr<i8>\nCREATE\n"
    "tt.return\n}\n"
)
TYPES = "(!tt.ptr<i8>, !tt.ptr<bf16>, i32, i32, i32, i32, i64, i32, i32) -> ()"
CUSTOM = (
    "ttng.tensormap_create %g, %p, [%c64, %c1], [%m, %c64], [%s], [%c1, %c1] {elem_type = 10 : i32, "
    f"fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}} : {TYPES}"
)
GENERIC = (
    '"ttng.tensormap_create"(%g, %p, %c64, %c1, %m, %c64, %s, %c1, %c1) <{elem_type = 10 : i32, fill_mode = 0 : i32, '
    "interleave_layout = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 2, 1, 2>, swizzle_mode = 3 : i32}> : "
    f"{TYPES}"
)


def changes(text: str) -> list[str]:
    return [str(change) for change in scan_text(text).maps]


@every_row(
    ("instruction", "expected"),
    [
        ("tensormap.query.alloc_class_large.global.b1024 %p1, [%rd1]", ["allocation_class is read"]),
        (f"{REPLACE}.alloc_small.global.b1024 [%rd1]", ["allocation_class 0 = small"]),
        (f"{REPLACE}.alloc_large.b1024 [%rd1]", ["allocation_class 1 = large"]),
        (
            f"{REPLACE}.global_address.global.b1024.b64 [%rd1], %rd1",
            ["global_address ?", "allocation_class 0 = small"],
        ),
        (
            f"{REPLACE}.global_address.alloc_large.b1024.b64 [%rd1], 0x1000",
            ["global_address 0x1000", "allocation_class 1 = large"],
        ),
        (f"{REPLACE}.global_address.alloc_same.b1024.b64 [%rd1], %rd1", ["global_address ?"]),
        (f"{REPLACE}.rank.b1024.b32 [%rd1], 1", ["rank 1 = 2 dimensions"]),
        (f"{REPLACE}.rank.b1024.b32 [%rd1], 5", ["rank 5: no such code"]),
        (f"{REPLACE}.box_dim.shared::cta.b1024.b32 [%rd1 + 0], 0x1, %r1", ["box_dim[1] 64"]),
        (f"{REPLACE}.global_dim.b1024.b32 [%rd1], 0, %r2", ["global_dim[0] ?"]),
        (f"{REPLACE}.global_stride.b1024.b64 [%rd1], 0, 4096", ["global_stride[0] 4096 B"]),
        (f"{REPLACE}.elemtype.b1024.b32 [%rd1], 0xb", ["elemtype 11 = TFLOAT32"]),
        (f"{REPLACE}.swizzle_mode.b1024.b32 [%rd1], 3", ["swizzle_mode 3 = 128B"]),
        (f"{REPLACE}.swizzle_mode.b1024.b32 [%rd1], 7", ["swizzle_mode 7: no such code"]),
        (f"{REPLACE}.fill_mode.b1024.b32 [%rd1]", []),
        ("tensormap.cp_fenceproxy.global.shared::cta.sync.aligned [%rd1], [%rd1], 128", []),
    ],
)
def test_what_an_instruction_changes(instruction: str, expected: list[str]) -> None:
    assert changes(f"{HEAD}{instruction};\nret;}}\n") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"{REPLACE}.swizzle_mode.b1024.b32 [%rd1], 3;", "swizzle_mode 3 = 128B"),
        (f"@%p1 {REPLACE}.rank.b1024.b32 [%rd1], 1;", "rank 1 = 2 dimensions"),
        ("tensormap.query.alloc_class_large.b1024 %p1, [%rd1];", "allocation_class is read"),
    ],
)
def test_a_line_alone_is_read(line: str, expected: str) -> None:
    assert changes(f"  {line}\n") == [expected]
    for ran in (program("-", stdin=f"{line}\n"), program(line)):
        assert (ran.status, ran.err) == (0, "")
        assert expected.split(" is ")[0] in ran.out


def test_the_fields_are_those_that_ptxas_takes() -> None:
    assert set(REPLACED_COUNTS) == set(COUNTS)
    assert set(REPLACED_CODES) == {*CODES, "allocation_class"}


@pytest.mark.parametrize(("text", "expected"), [(LLVM, "box_dim[1] 128"), (CPP, "swizzle_mode 3 = 128B")])
def test_inline_ptx_changes_a_map(text: str, expected: str) -> None:
    assert changes(text) == [expected]


@pytest.mark.parametrize("form", [CUSTOM, GENERIC])
def test_triton_makes_a_map(form: str) -> None:
    part = scan_text(CREATE.replace("CREATE", form))
    assert sorted(str(change) for change in part.maps) == sorted(
        [
            *("global_address ?", "rank 1 = 2 dimensions", "box_dim[0] 64", "box_dim[1] 1", "global_dim[0] ?"),
            *("global_dim[1] 64", "global_stride[0] 4096 B", "element_stride[0] 1", "element_stride[1] 1"),
            *("elemtype 10 = BFLOAT16", "fill_mode 0 = zero", "interleave_layout 0 = none", "swizzle_mode 3 = 128B"),
        ]
    )
    assert {(change.function, change.map, change.line) for change in part.maps} == {("mk", "%g", 6)}


def test_a_text_that_may_hide_a_write_hides_the_value() -> None:
    text = f"{HEAD}$$$ hidden\n{REPLACE}.rank.b1024.b32 [%rd1], %r1;\n{REPLACE}.rank.b1024.b32 [%rd1], 0;\nret;}}\n"
    assert changes(text) == ["rank ?", "rank 0 = 1 dimension"]


def test_the_predicate_of_a_query_is_unknown() -> None:
    lines = (
        "setp.eq.b32 %p1, 0, 0; tensormap.query.alloc_class_large.b1024 %p1, [%rd1];",
        f"selp.b32 %r3, 1, 0, %p1; {REPLACE}.rank.b1024.b32 [%rd1], %r3;",
    )
    assert changes(HEAD + "\n".join(lines) + "\nret;}\n")[1] == "rank ?"


def test_the_changes_have_their_own_object_of_json() -> None:
    text = f"{HEAD}{REPLACE}.box_dim.b1024.b32 [%rd1], 0, %r1;\nret;}}\n"
    result = smemdesc.scan(text)
    assert result.to_dict()["instructions"] == []
    (of_file,) = result.to_dict()["tensor_maps"]
    assert of_file["tensor_maps"] == [
        {
            "line": 7,
            "function": "k",
            "map": "%rd1",
            "field": "box_dim",
            "dimension": 0,
            "value": 64,
            "reads": False,
            "instruction": f"{REPLACE}.box_dim.b1024.b32 [%rd1], 0, %r1",
            "meaning": "box_dim[0] 64",
        }
    ]
    assert smemdesc.scan(text, kind="tcgen05").maps == ()
