!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
llvm.func @values(%x: i64, %i: i32, %p: i1, %t: !llvm.ptr<6>, %q: !llvm.ptr) {
  %c1 = llvm.mlir.constant(4611756662049538048 : i64) : i64
  %c2 = arith.constant 2 : i64
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %z = llvm.mlir.zero : i64
  %zero = arith.constant 0 : i32
  nvvm.tcgen05.cp %t, %z {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %or = llvm.or disjoint %c1, %c2 : i64
  nvvm.tcgen05.cp %t, %or {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %sum = arith.addi %c1, %c2 overflow<nsw> : i64
  nvvm.tcgen05.cp %t, %sum {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %ext = arith.extui %c3 : i32 to i64
  nvvm.tcgen05.cp %t, %ext {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %zext = llvm.zext nneg %i : i32 to i64
  nvvm.tcgen05.cp %t, %zext {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %sext = llvm.sext %c3 : i32 to i64
  nvvm.tcgen05.cp %t, %sext {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %cut = arith.trunci %c1 : i64 to i32
  %cut64 = arith.extsi %cut : i32 to i64
  nvvm.tcgen05.cp %t, %cut64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %shl = llvm.shl %c1, %c2 overflow<nuw> : i64
  nvvm.tcgen05.cp %t, %shl {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %less = llvm.icmp "ult" %c2, %c1 : i64
  %chosen = llvm.select %less, %c2, %c1 : i1, i64
  nvvm.tcgen05.cp %t, %chosen {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %more = arith.cmpi sge, %c2, %c1 : i64
  %chosen2 = arith.select %more, %c2, %c1 : i64
  nvvm.tcgen05.cp %t, %chosen2 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %v = llvm.bitcast %c1 : i64 to vector<2xi32>
  %w = llvm.insertelement %c3, %v[%zero : i32] : vector<2xi32>
  %joined = llvm.bitcast %w : vector<2xi32> to i64
  nvvm.tcgen05.cp %t, %joined {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %high = llvm.extractelement %v[%zero : i32] : vector<2xi32>
  %high64 = llvm.zext %high : i32 to i64
  nvvm.tcgen05.cp %t, %high64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %dense = arith.constant dense<[65536, 1073758272]> : vector<2xi32>
  %dense64 = llvm.bitcast %dense : vector<2xi32> to i64
  nvvm.tcgen05.cp %t, %dense64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %u = llvm.mlir.undef : !llvm.struct<(i64, struct<(i32, i64)>)>
  %u1 = llvm.insertvalue %c1, %u[1, 1] : !llvm.struct<(i64, struct<(i32, i64)>)>
  %u2 = llvm.insertvalue %c2, %u1[0] : !llvm.struct<(i64, struct<(i32, i64)>)>
  %part = llvm.extractvalue %u2[1, 1] : !llvm.struct<(i64, struct<(i32, i64)>)>
  nvvm.tcgen05.cp %t, %part {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
  %tid64 = llvm.zext %tid : i32 to i64
  nvvm.tcgen05.cp %t, %tid64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %ix = arith.index_cast %c3 : i32 to index
  %ix2 = arith.addi %ix, %ix : index
  %ix64 = arith.index_cast %ix2 : index to i64
  nvvm.tcgen05.cp %t, %ix64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %asm = llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .b64 m;\0Amov.b64 m, \221\22 + 1;\0A}", "=l" : () -> i64
  %asm1 = llvm.inline_asm "{ .reg .b64 m; or.b64 m, $1, (1 << 4); mov.b64 $0, m; }\0A", "=l,l" %c1 : (i64) -> i64
  nvvm.tcgen05.cp %t, %asm1 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %asm2 = llvm.inline_asm has_side_effects "mov.b64 {$0, $1}, $2;", "=r,=r,l" %c1 : (i64) -> !llvm.struct<(i32, i32)>
  %low = llvm.extractvalue %asm2[1] : !llvm.struct<(i32, i32)>
  %low64 = llvm.zext %low : i32 to i64
  nvvm.tcgen05.cp %t, %low64 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.inline_asm has_side_effects "tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, 1;", "r,l,l,n" %i, %c1, %c1, %c3 : (i32, i64, i64, i32) -> ()
  %if = scf.if %p -> (i64) {
    scf.yield %c1 : i64
  } else {
    scf.yield %c2 : i64
  }
  nvvm.tcgen05.cp %t, %if {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : index
  %for:2 = scf.for %k = %none to %n step %one iter_args(%a = %c2, %b = %c1) -> (i64, i64) {
    %next = arith.addi %a, %c2 : i64
    nvvm.tcgen05.cp %t, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    %kk = arith.index_cast %k : index to i64
    nvvm.tcgen05.cp %t, %kk {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    scf.yield %next, %b : i64, i64
  }
  nvvm.tcgen05.cp %t, %for#0 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  nvvm.tcgen05.cp %t, %for#1 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.return
}
llvm.func @memory(%x: i64, %i: i32, %p: i1, %t: !llvm.ptr<6>, %q: !llvm.ptr) {
  %c1 = llvm.mlir.constant(4611756662049538048 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %local = llvm.alloca %c16 x i64 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %at = llvm.getelementptr inbounds %local[3] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %c1, %at {alignment = 8 : i64} : i64, !llvm.ptr
  %loaded = llvm.load %at {alignment = 8 : i64} : !llvm.ptr -> i64
  nvvm.tcgen05.cp %t, %loaded {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %same = llvm.getelementptr %local[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x array<2 x i64>>
  %again = llvm.load %same : !llvm.ptr -> i64
  nvvm.tcgen05.cp %t, %again {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %any = llvm.getelementptr %local[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  llvm.store %c2, %any : i64, !llvm.ptr
  %either = llvm.load %at : !llvm.ptr -> i64
  nvvm.tcgen05.cp %t, %either {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %other = llvm.alloca %c16 x i64 : (i32) -> !llvm.ptr
  llvm.store %c1, %other : i64, !llvm.ptr
  %read = llvm.load volatile %other : !llvm.ptr -> i64
  nvvm.tcgen05.cp %t, %read {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.return
}
llvm.func @blocks(%x: i64, %i: i32, %p: i1, %t: !llvm.ptr<6>) {
  %c1 = llvm.mlir.constant(4611756662049538048 : i64) : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i32
  llvm.cond_br %p, ^bb1(%c1, %i : i64, i32), ^bb2(%c2 : i64)
^bb1(%y: i64, %yy: i32):
  nvvm.tcgen05.cp %t, %y {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  cf.br ^bb2(%y : i64)
^bb2(%y2: i64):
  nvvm.tcgen05.cp %t, %y2 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  cf.cond_br %p, ^bb3, ^bb4(%c1 : i64)
^bb3:
  llvm.br ^bb4(%c1 : i64)
^bb4(%y3 : i64):
  nvvm.tcgen05.cp %t, %y3 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.switch %i : i32, ^bb7(%c2 : i64) [
    1: ^bb5,
    2: ^bb6(%c1, %c3 : i64, i32),
    7: ^bb7(%c2 : i64)
  ]
^bb5:
  cf.switch %i : i32, [
    default: ^bb7(%c2 : i64),
    5: ^bb6(%c1, %c3 : i64, i32)
  ]
^bb6(%y6: i64, %z6: i32):
  nvvm.tcgen05.cp %t, %y6 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.br ^bb7(%c2 : i64)
^bb7(%y7: i64):
  nvvm.tcgen05.cp %t, %y7 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  llvm.return
}
func.func @elements(%m: memref<4x4xi64>, %i: index, %t: !llvm.ptr<6>) -> i64 {
  %c1 = arith.constant 4611756662049538048 : i64
  %two = arith.constant 2 : index
  %al = memref.alloca() : memref<2x4xi64>
  %one = memref.alloca() : memref<i64>
  memref.store %c1, %one[] : memref<i64>
  %w = memref.load %one[] : memref<i64>
  nvvm.tcgen05.cp %t, %w {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  %zero = arith.constant 0 : index
  memref.store %c1, %al[%zero, %two] : memref<2x4xi64>
  %v = memref.load %al[%zero, %two] : memref<2x4xi64>
  nvvm.tcgen05.cp %t, %v {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  memref.store %c1, %al[%i, %two] : memref<2x4xi64>
  return %v : i64
}
gpu.module @mod {
  gpu.func @instructions(%t: !llvm.ptr<6>, %p: i1, %acc: !llvm.struct<(f32, f32, f32, f32)>, %m: memref<64x64xf16, 3>, %map: !map, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) kernel {
    %a = arith.constant 4611756662049538048 : i64
    %b = arith.constant 4611756662049538049 : i64
    %n = arith.constant 136316048 : i32
    %w = arith.constant 1048608 : i32
    %at = llvm.inttoptr %w : i32 to !llvm.ptr<6>
    nvvm.tcgen05.mma %at, %a, %b, %n, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.mma %t, %at, %b, %n, %p {kind = #nvvm.tcgen05_mma_kind<tf32>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
    nvvm.tcgen05.mma.ws %t, %a, %b, %n, %p, %b {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
    nvvm.tcgen05.mma.sp %t, %a, %b, %n, %p, %at {kind = #nvvm.tcgen05_mma_kind<i8>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
    nvvm.tcgen05.mma.block_scale %t, %a, %b, %n, %p, %at, %at {kind = #nvvm.tcgen05_mma_kind<mxf4nvf4>, ctaGroup = #nvvm.cta_group<cta_1>, blockScale = #nvvm.tcgen05_mma_block_scale<block16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
    nvvm.tcgen05.cp %t, %b {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>}
    %r = nvvm.wgmma.mma_async %a, %b, %acc, <m = 64, n = 8, k = 16>, D[<f32>, <one>, <wrapped>], A[<f16>, <one>, <row>], B[<f16>, <neg>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %s = nvvm.wgmma.mma_async %a, %b, %r, <m = 64, n = 8, k = 16>, D[<f32>, <zero>, <wrapped>], A[<bf16>, <one>, <col>], B[<bf16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %da = nvgpu.warpgroup.generate.descriptor %m, %map : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
    %d = nvgpu.warpgroup.mma %da, %da, %c {transposeB} : <tensor = memref<64x64xf16, 3>>, <tensor = memref<64x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf32>>
    gpu.return
  }
}
}
