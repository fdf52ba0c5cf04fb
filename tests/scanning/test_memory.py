"""Local variables of LLVM IR and MLIR: what a load gives, and what it must not."""

from __future__ import annotations

import re

import pytest
from corpus.dumps import dumps
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedOperand

from .test_llvm_front import FULL, copied
from .test_mlir_front import CONSTANTS, COPY, one

WAYS = FULL & ~0x4000404000010002
"""What is known of what is 2 on one way and 0x4000404000010000 on another."""
A = "%a = alloca [4 x i64], align 8\n%q = getelementptr inbounds [4 x i64], ptr %a, i64 0, i64 1\n"
PUT = "store i64 4611756662049538048, ptr %a, align 8\n"
GET = "%d = load i64, ptr %a, align 8"
ELEMENT = "%j = and i32 %i, 1\n%r = getelementptr inbounds i64, ptr %a, i32 %j\n"
LLVM: dict[str, tuple[str, int, int]] = {
    "a load gives what was stored": (A + PUT + GET, 0x4000404000010000, FULL),
    "an element": (A + "store i64 5, ptr %q\n%d = load i64, ptr %q", 5, FULL),
    "another element": (A + "store i64 5, ptr %q\n" + PUT + "%d = load i64, ptr %q", 5, FULL),
    "by two pointers": (
        A + "store i64 5, ptr %q\n%s = getelementptr i8, ptr %a, i64 8\n%d = load i64, ptr %s", 5, FULL,
    ),
    "backwards": (A + "%s = getelementptr i64, ptr %q, i64 -1\nstore i64 5, ptr %s\n" + GET, 5, FULL),
    "backwards by a byte": (
        A + "%s = getelementptr i64, ptr %q, i8 -1\nstore i64 5, ptr %s\n" + GET,
        5, FULL,
    ),
    "a field": (
        A + "%s = getelementptr { i32, i64 }, ptr %a, i64 0, i32 1\nstore i64 5, ptr %s\n%d = load i64, ptr %q",
        5, FULL,
    ),
    "a field of a field": (
        A + "%s = getelementptr { i64, [2 x { i8, i32 }] }, ptr %a, i64 0, i32 1, i64 0, i32 1\nstore i32 5, ptr %s\n"
        "store i32 6, ptr %q\n%d = load i64, ptr %q", 5 << 32 | 6, FULL,
    ),
    "a packed field": (
        A + "%s = getelementptr <{ i32, i64 }>, ptr %a, i64 0, i32 1\nstore i64 5, ptr %s\n%d = load i64, ptr %q",
        0, 0xFFFFFFFF,
    ),
    "by a cast": (
        "%x = alloca i64, addrspace(5)\n%a = addrspacecast ptr addrspace(5) %x to ptr\n"
        "store i64 5, ptr addrspace(5) %x\n" + GET, 5, FULL,
    ),
    "part of it": (
        A + PUT + "%s = getelementptr i8, ptr %a, i64 4\n%w = load i32, ptr %s\n%d = zext i32 %w to i64",
        0x40004040, FULL,
    ),
    "a part is overwritten": (A + PUT + "store i16 7, ptr %a\n" + GET, 0x4000404000010007, FULL),
    "two halves": (
        A + "store i32 7, ptr %a\n%s = getelementptr i8, ptr %a, i64 4\nstore i32 9, ptr %s\n" + GET, 9 << 32 | 7, FULL,
    ),
    "half of it": (A + "store i32 7, ptr %a\n" + GET, 7, 0xFFFFFFFF),
    "a vector": (A + "store <2 x i64> <i64 3, i64 5>, ptr %a\n%d = load i64, ptr %q", 5, FULL),
    "a pointer": (
        A + "store ptr addrspace(3) inttoptr (i32 64 to ptr addrspace(3)), ptr %a\n%e = load ptr addrspace(3), ptr %a\n"
        "%d = ptrtoint ptr addrspace(3) %e to i64", 64, 0xFFFFFFFF,
    ),
    "a branch": (
        A + PUT + "br i1 %p, label %x1, label %x2\nx1:\nstore i64 2, ptr %a\nbr label %x2\nx2:\n" + GET, 0x0, WAYS,
    ),
    "both ways": (
        A + "br i1 %p, label %x1, label %x2\nx1:\nstore i64 2, ptr %a\nbr label %x3\nx2:\nstore i64 2, ptr %a\n"
        "br label %x3\nx3:\n" + GET, 2, FULL,
    ),
    "one way": (A + "br i1 %p, label %x1, label %x2\nx1:\nstore i64 2, ptr %a\nbr label %x2\nx2:\n" + GET, 0, 0),
    "a counter": (
        "%a = alloca i64\n%n = alloca i32\n" + PUT + "store i32 0, ptr %n\nbr label %x1\nx1:\n%k = load i32, ptr %n\n"
        "%c = icmp slt i32 %k, 3\nbr i1 %c, label %x2, label %x3\nx2:\n%o = load i64, ptr %a\n%m = add i64 %o, 64\n"
        "store i64 %m, ptr %a\n%k1 = add nsw i32 %k, 1\nstore i32 %k1, ptr %n\nbr label %x1\nx3:\n" + GET,
        0x4000404000010000, FULL & ~0xC0,
    ),
    "an element that is one of two": (
        A + "store i64 3, ptr %a\nstore i64 1, ptr %q\n" + ELEMENT + "%d = load i64, ptr %r", 1, FULL & ~2,
    ),
    "a store to one of two": (A + PUT + ELEMENT + "store i64 2, ptr %r\n" + GET, 0, WAYS),
    "beside what may be stored": (
        A + ELEMENT + "%s = getelementptr i64, ptr %a, i64 2\nstore i64 5, ptr %s\nstore i64 2, ptr %r\n"
        "%d = load i64, ptr %s", 5, FULL,
    ),
    "a store to any element": (A + PUT + "%r = getelementptr i64, ptr %a, i32 %i\nstore i64 2, ptr %r\n" + GET, 0, 0),
    "an element of an unknown type": (
        A + PUT + "%r = getelementptr %t, ptr %a, i32 0\nstore i64 2, ptr %r\n" + GET, 0, 0,
    ),
    "a store to any element of another": (
        A + PUT + "%b = alloca [4 x i64]\n%r = getelementptr i64, ptr %b, i32 %i\nstore i64 2, ptr %r\n" + GET,
        0x4000404000010000, FULL,
    ),
    "a call that has it": (A + PUT + "call void @f(ptr %a)\n" + GET, 0, 0),
    "a call that has a part of it": (A + PUT + "call void @f(ptr %q)\n" + GET, 0, 0),
    "a call that has it later": (
        A + "br label %x1\nx1:\n" + PUT + "call void @f()\n%d = load i64, ptr %a\ncall void @g(ptr %a)\n"
        "br i1 %p, label %x1, label %x2\nx2:", 0, 0,
    ),
    "a call that does not have it": (A + PUT + "call void @f(ptr null)\n" + GET, 0x4000404000010000, FULL),
    "before a call": (A + PUT + GET + "\ncall void @f(ptr %a)", 0x4000404000010000, FULL),
    "assembly that has it": (A + PUT + 'call void asm sideeffect "st.u64 [$0], 1;", "l"(ptr %a)\n' + GET, 0, 0),
    "a store through any pointer": (A + PUT + "store ptr %a, ptr @g\nstore i64 1, ptr %t\n" + GET, 0, 0),
    "a store beside it": (A + PUT + "store i64 1, ptr %t\n" + GET, 0x4000404000010000, FULL),
    "its address as a number": (
        A + PUT + "%n = ptrtoint ptr %a to i64\n%o = inttoptr i64 %n to ptr\nstore i64 1, ptr %o\n" + GET, 0, 0,
    ),
    "one of two pointers": (A + PUT + "%o = select i1 %p, ptr %a, ptr %t\nstore i64 1, ptr %o\n" + GET, 0, 0),
    "its address in another": (
        A + PUT + "%b = alloca ptr\nstore ptr %a, ptr %b\n%o = load ptr, ptr %b\nstore i64 1, ptr %o\n" + GET, 0, 0,
    ),
    "a volatile load": (A + PUT + "%d = load volatile i64, ptr %a", 0, 0),
    "a volatile store": (A + PUT + "store volatile i64 5, ptr %a\n" + GET, 0, 0),
    "an atomic": (A + PUT + "%o = atomicrmw add ptr %a, i64 1 seq_cst\n" + GET, 0, 0),
    "the end of its life": (A + PUT + "call void @llvm.lifetime.end.p0(i64 32, ptr %a)\n" + GET, 0, 0),
    "an intrinsic without its operands": (
        A + PUT + "call void @llvm.lifetime.end.p0()\ncall void @llvm.memset.p0.i64(ptr %a)\n" + GET, 0, 0,
    ),
    "a line that is not understood": (A + PUT + "%o = %a\ncall void @f()\n" + GET, 0, 0),
    "the beginning of its life": (
        A + "call void @llvm.lifetime.start.p0(i64 32, ptr %a)\n" + PUT + GET, 0x4000404000010000, FULL,
    ),
    "made anew in each round": (
        "br label %x1\nx1:\n" + A + GET + "\n" + PUT + "br i1 %p, label %x1, label %x2\nx2:", 0, 0,
    ),
    "a copy": (
        A + PUT + "%b = alloca [4 x i64]\ncall void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 %a, i64 32, "
        "i1 false)\n%d = load i64, ptr %b", 0x4000404000010000, FULL,
    ),
    "a copy of less": (
        A + PUT + "%b = alloca i64\nstore i64 -1, ptr %b\ncall void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 6, "
        "i1 false)\n%d = load i64, ptr %b", 0xFFFF404000010000, FULL,
    ),
    "a copy of what is not known": (
        A + PUT + "call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @g, i64 8, i1 false)\n" + GET, 0, 0,
    ),
    "a copy from it": (A + PUT + "call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %a, i64 8, i1 false)\n" + GET, 0, 0),
    "bytes that are set": (
        A + PUT + "call void @llvm.memset.p0.i64(ptr align 8 %a, i8 -1, i64 4, i1 false)\n" + GET,
        0x40004040FFFFFFFF, FULL,
    ),
    "bytes that are set to what is not known": (
        A + PUT + "%z = trunc i32 %i to i8\ncall void @llvm.memset.p0.i64(ptr %a, i8 %z, i64 4, i1 false)\n" + GET,
        0, 0,
    ),
    "a structure": (A + PUT + "store { i64, i64 } { i64 1, i64 2 }, ptr %a\n" + GET, 0, 0),
    "a debugger's note": (
        A + PUT + "  #dbg_declare(ptr %a, !1, !DIExpression(), !2)\n" + GET, 0x4000404000010000, FULL,
    ),
}  # fmt: skip


@every_row("name", LLVM)
def test_local_variables_of_llvm_ir(name: str) -> None:
    body, bits, known = LLVM[name]
    operand = copied(body)
    assert (hex(operand.bits), hex(operand.known)) == (hex(bits), hex(known))


@pytest.mark.parametrize(("more", "known"), [("", FULL), ("%s = type { i64 }\n", 0)])
def test_a_type_is_what_all_modules_of_the_file_say(more: str, known: int) -> None:
    body = A + "%s = getelementptr %s, ptr %a, i64 0, i32 1\nstore i64 5, ptr %s\n%d = load i64, ptr %q"
    assert copied(body, f"%s = type {{ i8, i64 }}\n{more}".encode()).known == known


VARIABLE = (
    "%one = llvm.mlir.constant(1 : i32) : i32\n%a = llvm.alloca %one x !llvm.array<4 x i64> : (i32) -> !llvm.ptr\n"
    "%q = llvm.getelementptr inbounds %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i64>\n"
    "llvm.store %c1, %a {alignment = 8 : i64} : i64, !llvm.ptr\n"
)
LOAD = "%d = llvm.load %a {alignment = 8 : i64} : !llvm.ptr -> i64"
STORE = "llvm.store %c2, %a : i64, !llvm.ptr\n"
MEMREF = (
    "%e = memref.alloca() : memref<2x4xi64>\n%0 = arith.constant 0 : index\n%1 = arith.constant 1 : index\n"
    "%4 = arith.constant 4 : index\nmemref.store %c1, %e[%0, %1] : memref<2x4xi64>\n"
)
AT = "%d = memref.load %e[%0, %1] : memref<2x4xi64>"
ANY = "%j = arith.andi %i, %one32 : i32\n%k = arith.index_cast %j : i32 to index\n"
MLIR: dict[str, tuple[str, int, int]] = {
    "a load gives what was stored": (VARIABLE + LOAD, 0x4000404000010000, FULL),
    "an element": (
        VARIABLE + "llvm.store %c2, %q : i64, !llvm.ptr\n%s = llvm.getelementptr %a[8] : (!llvm.ptr) -> !llvm.ptr, i8\n"
        "%d = llvm.load %s : !llvm.ptr -> i64", 2, FULL,
    ),
    "an element beside it": (VARIABLE + "llvm.store %c2, %q : i64, !llvm.ptr\n" + LOAD, 0x4000404000010000, FULL),
    "a part is overwritten": (VARIABLE + "llvm.store %c3, %a : i32, !llvm.ptr\n" + LOAD, 0x4000404000000003, FULL),
    "a store to one of two": (
        VARIABLE + "%j = llvm.and %i, %one : i32\n%r = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i64\n"
        "llvm.store %c2, %r : i64, !llvm.ptr\n" + LOAD, 0, WAYS,
    ),
    "a store to any element": (
        VARIABLE + "%r = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64\n"
        "llvm.store %c2, %r : i64, !llvm.ptr\n" + LOAD, 0, 0,
    ),
    "a branch": (
        VARIABLE + "llvm.cond_br %p, ^bb1, ^bb2\n^bb1:\n" + STORE + "llvm.br ^bb2\n^bb2:\n" + LOAD, 0, WAYS,
    ),
    "a choice": (VARIABLE + "scf.if %p {\n" + STORE + "}\n" + LOAD, 0, WAYS),
    "both ways": (VARIABLE + "scf.if %p {\n" + STORE + "} else {\n" + STORE + "}\n" + LOAD, 2, FULL),
    "a counter": (
        VARIABLE + "%n = llvm.alloca %one x i32 : (i32) -> !llvm.ptr\nllvm.store %zero, %n : i32, !llvm.ptr\n"
        "llvm.br ^bb1\n^bb1:\n%k = llvm.load %n : !llvm.ptr -> i32\n%c = llvm.icmp \"slt\" %k, %c3 : i32\n"
        "llvm.cond_br %c, ^bb2, ^bb3\n^bb2:\n%o = llvm.load %a : !llvm.ptr -> i64\n%u = llvm.add %o, %c2 : i64\n"
        "llvm.store %u, %a : i64, !llvm.ptr\n%k1 = llvm.add %k, %one : i32\nllvm.store %k1, %n : i32, !llvm.ptr\n"
        "llvm.br ^bb1\n^bb3:\n" + LOAD, 0x4000404000010000, FULL & ~6,
    ),
    "a loop": (
        MEMREF + "scf.for %l = %0 to %4 step %1 {\n%o = memref.load %e[%0, %1] : memref<2x4xi64>\n"
        "%u = arith.addi %o, %c2 : i64\nmemref.store %u, %e[%0, %1] : memref<2x4xi64>\n}\n" + AT,
        0x4000404000010000, FULL & ~0xE,
    ),
    "in a loop": (
        MEMREF + "scf.for %l = %0 to %4 step %1 {\n" + AT + "\n%u = arith.addi %d, %c2 : i64\n"
        "memref.store %u, %e[%0, %1] : memref<2x4xi64>\n" + COPY + "\n}", 0x4000404000010000, FULL & ~6,
    ),
    "a row of a matrix": (
        MEMREF + "memref.store %c2, %e[%1, %0] : memref<2x4xi64>\n" + AT, 0x4000404000010000, FULL,
    ),
    "any column": (
        MEMREF + "%k = arith.index_cast %i : i32 to index\nmemref.store %c2, %e[%0, %k] : memref<2x4xi64>\n" + AT, 0, 0,
    ),
    "a call that has it": (VARIABLE + "llvm.call @f(%a) : (!llvm.ptr) -> ()\n" + LOAD, 0, 0),
    "a memref that a call has": (MEMREF + "func.call @f(%e) : (memref<2x4xi64>) -> ()\n" + AT, 0, 0),
    "a call without a dialect": (MEMREF + "call @f(%e) : (memref<2x4xi64>) -> ()\n" + AT, 0, 0),
    "a call that does not have it": (VARIABLE + "llvm.call @f() : () -> ()\n" + LOAD, 0x4000404000010000, FULL),
    "an operation with a region": (
        VARIABLE + "scf.while : () -> () {\nscf.condition(%p)\n} do {\n" + STORE + "scf.yield\n}\n" + LOAD, 0, 0,
    ),
    "a block argument": (
        VARIABLE + "llvm.br ^bb1(%a : !llvm.ptr)\n^bb1(%b: !llvm.ptr):\nllvm.store %c2, %b : i64, !llvm.ptr\n" + LOAD,
        0, 0,
    ),
    "one of two pointers": (
        VARIABLE + "%o = llvm.select %p, %a, %t : i1, !llvm.ptr\nllvm.store %c2, %o : i64, !llvm.ptr\n" + LOAD, 0, 0,
    ),
    "a copy": (
        VARIABLE + "%b = llvm.alloca %one x !llvm.array<4 x i64> : (i32) -> !llvm.ptr\n"
        "%n = llvm.mlir.constant(8 : i64) : i64\n"
        "\"llvm.intr.memcpy\"(%b, %a, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()\n"
        "%d = llvm.load %b : !llvm.ptr -> i64", 0x4000404000010000, FULL,
    ),
    "bytes that are set": (
        VARIABLE + "%n = llvm.mlir.constant(4 : i64) : i64\n%v = llvm.mlir.constant(-1 : i8) : i8\n"
        "\"llvm.intr.memset\"(%a, %v, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()\n" + LOAD,
        0x40004040FFFFFFFF, FULL,
    ),
    "a volatile load": (VARIABLE + "%d = llvm.load volatile %a : !llvm.ptr -> i64", 0, 0),
    "a volatile store": (VARIABLE + "llvm.store volatile %c2, %a : i64, !llvm.ptr\n" + LOAD, 0, 0),
    "the end of its life": (VARIABLE + "llvm.intr.lifetime.end 32, %a : !llvm.ptr\n" + LOAD, 0, 0),
    "a field": (
        VARIABLE + "%r = llvm.getelementptr %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<\"s\", (i32, i64)>\n"
        "llvm.store %c2, %r : i64, !llvm.ptr\n%d = llvm.load %q : !llvm.ptr -> i64", 2, FULL,
    ),
    "a packed field": (
        VARIABLE + "%r = llvm.getelementptr %a[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<packed (i8, i64)>\n"
        "llvm.store %c2, %r : i64, !llvm.ptr\n" + LOAD, 0, 0,
    ),
}  # fmt: skip


@every_row("name", MLIR)
def test_local_variables_of_mlir(name: str) -> None:
    body, bits, known = MLIR[name]
    operand = one(f"{CONSTANTS}\n{body}" + ("" if COPY in body else f"\n{COPY}")).a
    assert isinstance(operand, ScannedOperand)
    assert (hex(operand.bits), hex(operand.known)) == (hex(bits), hex(known))


PHI = re.compile(r"  (%[-\w.$]+) = phi (i\d+|ptr addrspace\(3\)) (.*?)(?:, !dbg !\d+)?$")


def demoted(body: list[str]) -> list[str]:
    """A function of which the merges are in memory: the end of each block stores what comes from it."""
    labels = {label[1] for line in body if (label := re.match(r"([-\w.$]+):", line))}
    stores: dict[str, list[str]] = {}
    made, loads, here = [], [], ""
    for phi in filter(None, map(PHI.match, body)):
        made.append(f"  {phi[1]}.at = alloca {phi[2]}")
        for value, block in re.findall(r"\[ ([^,\]]+), %([-\w.$]+) \]", phi[3]):
            stores.setdefault(block if block in labels else "", []).append(f"  store {phi[2]} {value}, ptr {phi[1]}.at")
    for line in body:
        label = re.match(r"([-\w.$]+):", line)
        here = label[1] if label else here
        if phi := PHI.match(line):
            loads.append(f"  {phi[1]} = load {phi[2]}, ptr {phi[1]}.at")
            continue
        if " phi " not in line:
            made, loads = made + loads, []
        if re.match(r"  (?:br|switch|ret|unreachable)\b", line):
            made += stores.pop(here, [])
        made.append(line)
    return made


@pytest.mark.corpus
def test_kernels_whose_merges_are_in_memory_say_the_same() -> None:
    count = 0
    for name, text, _ in dumps("triton"):
        if name.endswith(".llir"):
            lines = text.split("\n")
            start = next(at for at, line in enumerate(lines) if line.startswith("define "))
            end = lines.index("}", start)
            body = demoted(lines[start + 1 : end])
            count += sum(".at = alloca" in line for line in body)
            both = (text, "\n".join([*lines[: start + 1], *body, *lines[end:]]))
            (one,), (other,) = (scan_text(each).functions for each in both)
            assert other.odd == 0
            for before, after in zip(one.mmas, other.mmas, strict=True):
                assert [each and each[:2] for each in before[3:7]] == [each and each[:2] for each in after[3:7]], name
    assert count > 300
