"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, i32, i1, ptr<6>, ptr)>, linkage = #llvm.linkage<external>, sym_name = "values", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg18: i64, %arg19: i32, %arg20: i1, %arg21: !llvm.ptr<6>, %arg22: !llvm.ptr):
    %38 = "llvm.mlir.constant"() <{value = 4611756662049538048 : i64}> : () -> i64
    %39 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %40 = "llvm.mlir.constant"() <{value = 3 : i32}> : () -> i32
    %41 = "llvm.mlir.zero"() : () -> i64
    %42 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "nvvm.tcgen05.cp"(%arg21, %41) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %43 = "llvm.or"(%38, %39) <{isDisjoint}> : (i64, i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %43) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %44 = "arith.addi"(%38, %39) <{overflowFlags = #arith.overflow<nsw>}> : (i64, i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %44) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %45 = "arith.extui"(%40) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %45) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %46 = "llvm.zext"(%arg19) <{nonNeg}> : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %46) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %47 = "llvm.sext"(%40) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %47) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %48 = "arith.trunci"(%38) <{overflowFlags = #arith.overflow<none>}> : (i64) -> i32
    %49 = "arith.extsi"(%48) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %49) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %50 = "llvm.shl"(%38, %39) <{overflowFlags = 2 : i32}> : (i64, i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %50) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %51 = "llvm.icmp"(%39, %38) <{predicate = 6 : i64}> : (i64, i64) -> i1
    %52 = "llvm.select"(%51, %39, %38) <{fastmathFlags = #llvm.fastmath<none>}> : (i1, i64, i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %52) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %53 = "arith.cmpi"(%39, %38) <{predicate = 5 : i64}> : (i64, i64) -> i1
    %54 = "arith.select"(%53, %39, %38) : (i1, i64, i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %54) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %55 = "llvm.bitcast"(%38) : (i64) -> vector<2xi32>
    %56 = "llvm.insertelement"(%55, %40, %42) : (vector<2xi32>, i32, i32) -> vector<2xi32>
    %57 = "llvm.bitcast"(%56) : (vector<2xi32>) -> i64
    "nvvm.tcgen05.cp"(%arg21, %57) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %58 = "llvm.extractelement"(%55, %42) : (vector<2xi32>, i32) -> i32
    %59 = "llvm.zext"(%58) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %59) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %60 = "arith.constant"() <{value = dense<[65536, 1073758272]> : vector<2xi32>}> : () -> vector<2xi32>
    %61 = "llvm.bitcast"(%60) : (vector<2xi32>) -> i64
    "nvvm.tcgen05.cp"(%arg21, %61) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %62 = "llvm.mlir.undef"() : () -> !llvm.struct<(i64, struct<(i32, i64)>)>
    %63 = "llvm.insertvalue"(%62, %38) <{position = array<i64: 1, 1>}> : (!llvm.struct<(i64, struct<(i32, i64)>)>, i64) -> !llvm.struct<(i64, struct<(i32, i64)>)>
    %64 = "llvm.insertvalue"(%63, %39) <{position = array<i64: 0>}> : (!llvm.struct<(i64, struct<(i32, i64)>)>, i64) -> !llvm.struct<(i64, struct<(i32, i64)>)>
    %65 = "llvm.extractvalue"(%64) <{position = array<i64: 1, 1>}> : (!llvm.struct<(i64, struct<(i32, i64)>)>) -> i64
    "nvvm.tcgen05.cp"(%arg21, %65) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %66 = "nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 128>}> : () -> i32
    %67 = "llvm.zext"(%66) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %67) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %68 = "arith.index_cast"(%40) : (i32) -> index
    %69 = "arith.addi"(%68, %68) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %70 = "arith.index_cast"(%69) : (index) -> i64
    "nvvm.tcgen05.cp"(%arg21, %70) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %71 = "llvm.inline_asm"() <{asm_dialect = 0 : i64, asm_string = "{\0A.reg .b64 m;\0Amov.b64 m, \221\22 + 1;\0A}", constraints = "=l", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : () -> i64
    %72 = "llvm.inline_asm"(%38) <{asm_string = "{ .reg .b64 m; or.b64 m, $1, (1 << 4); mov.b64 $0, m; }\0A", constraints = "=l,l", tail_call_kind = #llvm.tailcallkind<none>}> : (i64) -> i64
    "nvvm.tcgen05.cp"(%arg21, %72) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %73 = "llvm.inline_asm"(%38) <{asm_string = "mov.b64 {$0, $1}, $2;", constraints = "=r,=r,l", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : (i64) -> !llvm.struct<(i32, i32)>
    %74 = "llvm.extractvalue"(%73) <{position = array<i64: 1>}> : (!llvm.struct<(i32, i32)>) -> i32
    %75 = "llvm.zext"(%74) : (i32) -> i64
    "nvvm.tcgen05.cp"(%arg21, %75) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.inline_asm"(%arg19, %38, %38, %40) <{asm_string = "tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, 1;", constraints = "r,l,l,n", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : (i32, i64, i64, i32) -> ()
    %76 = "scf.if"(%arg20) ({
      "scf.yield"(%38) : (i64) -> ()
    }, {
      "scf.yield"(%39) : (i64) -> ()
    }) : (i1) -> i64
    "nvvm.tcgen05.cp"(%arg21, %76) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %77 = "arith.constant"() <{value = 4 : index}> : () -> index
    %78 = "arith.constant"() <{value = 1 : index}> : () -> index
    %79 = "arith.constant"() <{value = 0 : index}> : () -> index
    %80:2 = "scf.for"(%79, %77, %78, %39, %38) ({
    ^bb0(%arg23: index, %arg24: i64, %arg25: i64):
      %81 = "arith.addi"(%arg24, %39) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "nvvm.tcgen05.cp"(%arg21, %arg24) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
      %82 = "arith.index_cast"(%arg23) : (index) -> i64
      "nvvm.tcgen05.cp"(%arg21, %82) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
      "scf.yield"(%81, %arg25) : (i64, i64) -> ()
    }) : (index, index, index, i64, i64) -> (i64, i64)
    "nvvm.tcgen05.cp"(%arg21, %80#0) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "nvvm.tcgen05.cp"(%arg21, %80#1) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, i32, i1, ptr<6>, ptr)>, linkage = #llvm.linkage<external>, sym_name = "memory", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg13: i64, %arg14: i32, %arg15: i1, %arg16: !llvm.ptr<6>, %arg17: !llvm.ptr):
    %26 = "llvm.mlir.constant"() <{value = 4611756662049538048 : i64}> : () -> i64
    %27 = "llvm.mlir.constant"() <{value = 2 : i64}> : () -> i64
    %28 = "llvm.mlir.constant"() <{value = 16 : i32}> : () -> i32
    %29 = "llvm.alloca"(%28) <{alignment = 8 : i64, elem_type = i64}> : (i32) -> !llvm.ptr
    %30 = "llvm.getelementptr"(%29) <{elem_type = i64, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 3>}> : (!llvm.ptr) -> !llvm.ptr
    "llvm.store"(%26, %30) <{alignment = 8 : i64, ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
    %31 = "llvm.load"(%30) <{alignment = 8 : i64, ordering = 0 : i64}> : (!llvm.ptr) -> i64
    "nvvm.tcgen05.cp"(%arg16, %31) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %32 = "llvm.getelementptr"(%29) <{elem_type = !llvm.array<4 x array<2 x i64>>, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: 0, 1, 1>}> : (!llvm.ptr) -> !llvm.ptr
    %33 = "llvm.load"(%32) <{ordering = 0 : i64}> : (!llvm.ptr) -> i64
    "nvvm.tcgen05.cp"(%arg16, %33) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %34 = "llvm.getelementptr"(%29, %arg14) <{elem_type = i64, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr
    "llvm.store"(%27, %34) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
    %35 = "llvm.load"(%30) <{ordering = 0 : i64}> : (!llvm.ptr) -> i64
    "nvvm.tcgen05.cp"(%arg16, %35) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %36 = "llvm.alloca"(%28) <{elem_type = i64}> : (i32) -> !llvm.ptr
    "llvm.store"(%26, %36) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
    %37 = "llvm.load"(%36) <{ordering = 0 : i64, volatile_}> : (!llvm.ptr) -> i64
    "nvvm.tcgen05.cp"(%arg16, %37) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, i32, i1, ptr<6>)>, linkage = #llvm.linkage<external>, sym_name = "blocks", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg9: i64, %arg10: i32, %arg11: i1, %arg12: !llvm.ptr<6>):
    %16 = "llvm.mlir.constant"() <{value = 4611756662049538048 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    "llvm.cond_br"(%arg11, %16, %arg10, %17)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (i1, i64, i32, i64) -> ()
  ^bb1(%19: i64, %20: i32):  // pred: ^bb0
    "nvvm.tcgen05.cp"(%arg12, %19) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "cf.br"(%19)[^bb2] : (i64) -> ()
  ^bb2(%21: i64):  // 2 preds: ^bb0, ^bb1
    "nvvm.tcgen05.cp"(%arg12, %21) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "cf.cond_br"(%arg11, %16)[^bb3, ^bb4] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i64) -> ()
  ^bb3:  // pred: ^bb2
    "llvm.br"(%16)[^bb4] : (i64) -> ()
  ^bb4(%22: i64):  // 2 preds: ^bb2, ^bb3
    "nvvm.tcgen05.cp"(%arg12, %22) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.switch"(%arg10, %17, %16, %18, %17)[^bb7, ^bb5, ^bb6, ^bb7] <{case_operand_segments = array<i32: 0, 2, 1>, case_values = dense<[1, 2, 7]> : vector<3xi32>, operandSegmentSizes = array<i32: 1, 1, 3>}> : (i32, i64, i64, i32, i64) -> ()
  ^bb5:  // pred: ^bb4
    "cf.switch"(%arg10, %17, %16, %18)[^bb7, ^bb6] <{case_operand_segments = array<i32: 2>, case_values = dense<5> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 1, 2>}> : (i32, i64, i64, i32) -> ()
  ^bb6(%23: i64, %24: i32):  // 2 preds: ^bb4, ^bb5
    "nvvm.tcgen05.cp"(%arg12, %23) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.br"(%17)[^bb7] : (i64) -> ()
  ^bb7(%25: i64):  // 4 preds: ^bb4, ^bb4, ^bb5, ^bb6
    "nvvm.tcgen05.cp"(%arg12, %25) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x4xi64>, index, !llvm.ptr<6>) -> i64, sym_name = "elements"}> ({
  ^bb0(%arg6: memref<4x4xi64>, %arg7: index, %arg8: !llvm.ptr<6>):
    %9 = "arith.constant"() <{value = 4611756662049538048 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 2 : index}> : () -> index
    %11 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2x4xi64>
    %12 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<i64>
    "memref.store"(%9, %12) : (i64, memref<i64>) -> ()
    %13 = "memref.load"(%12) : (memref<i64>) -> i64
    "nvvm.tcgen05.cp"(%arg8, %13) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    %14 = "arith.constant"() <{value = 0 : index}> : () -> index
    "memref.store"(%9, %11, %14, %10) : (i64, memref<2x4xi64>, index, index) -> ()
    %15 = "memref.load"(%11, %14, %10) : (memref<2x4xi64>, index, index) -> i64
    "nvvm.tcgen05.cp"(%arg8, %15) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "memref.store"(%9, %11, %arg7, %10) : (i64, memref<2x4xi64>, index, index) -> ()
    "func.return"(%15) : (i64) -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "mod"}> ({
    "gpu.func"() <{function_type = (!llvm.ptr<6>, i1, !llvm.struct<(f32, f32, f32, f32)>, memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) -> (), kernel}> ({
    ^bb0(%arg0: !llvm.ptr<6>, %arg1: i1, %arg2: !llvm.struct<(f32, f32, f32, f32)>, %arg3: memref<64x64xf16, 3>, %arg4: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg5: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>):
      %0 = "arith.constant"() <{value = 4611756662049538048 : i64}> : () -> i64
      %1 = "arith.constant"() <{value = 4611756662049538049 : i64}> : () -> i64
      %2 = "arith.constant"() <{value = 136316048 : i32}> : () -> i32
      %3 = "arith.constant"() <{value = 1048608 : i32}> : () -> i32
      %4 = "llvm.inttoptr"(%3) : (i32) -> !llvm.ptr<6>
      "nvvm.tcgen05.mma"(%4, %0, %1, %2, %arg1) <{collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f16>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      "nvvm.tcgen05.mma"(%arg0, %4, %1, %2, %arg1) <{collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<tf32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1) -> ()
      "nvvm.tcgen05.mma.ws"(%arg0, %0, %1, %2, %arg1, %1) <{collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b0>, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, kind = #nvvm.tcgen05_mma_kind<f16>}> : (!llvm.ptr<6>, i64, i64, i32, i1, i64) -> ()
      "nvvm.tcgen05.mma.sp"(%arg0, %0, %1, %2, %arg1, %4) <{collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>) -> ()
      "nvvm.tcgen05.mma.block_scale"(%arg0, %0, %1, %2, %arg1, %4, %4) <{blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<mxf4nvf4>}> : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
      "nvvm.tcgen05.cp"(%arg0, %1) <{group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}> : (!llvm.ptr<6>, i64) -> ()
      %5 = "nvvm.wgmma.mma_async"(%arg2, %0, %1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, satfinite = #nvvm.mma_int_overflow<wrapped>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 8, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
      %6 = "nvvm.wgmma.mma_async"(%5, %0, %1) <{layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<col>, satfinite = #nvvm.mma_int_overflow<wrapped>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<one>, scaleD = #nvvm.wgmma_scale_out<zero>, shape = #nvvm.shape<m = 64, n = 8, k = 16>, typeA = #nvvm.wgmma_type<bf16>, typeB = #nvvm.wgmma_type<bf16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
      %7 = "nvgpu.warpgroup.generate.descriptor"(%arg3, %arg4) : (memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
      %8 = "nvgpu.warpgroup.mma"(%7, %7, %arg5) <{transposeB}> : (!nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
      "gpu.return"() : () -> ()
    }) {sym_name = "instructions"} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
