module attributes {gpu.container_module} {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k(%map_a: !llvm.ptr, %map_b: !llvm.ptr, %d: !llvm.ptr<6>, %yes: i1) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c14 = llvm.mlir.constant(14 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %bytes = llvm.mlir.constant(32768 : i32) : i32
    %field = llvm.mlir.constant(16383 : i32) : i32
    %fixed = llvm.mlir.constant(4611756662049472512 : i64) : i64
    %to_b = llvm.mlir.constant(2048 : i64) : i64
    %step = llvm.mlir.constant(2 : i64) : i64
    %step2 = llvm.mlir.constant(4 : i64) : i64
    %step3 = llvm.mlir.constant(6 : i64) : i64
    %idesc = llvm.mlir.constant(136316048 : i32) : i32
    %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %bars = llvm.getelementptr %smem[65536] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    nvvm.mbarrier.init.shared %bars, %c1 : !llvm.ptr<3>, i32
    llvm.br ^loop(%c0 : i32)
  ^loop(%stage: i32):
    %far = llvm.shl %stage, %c14 : i32
    %a = llvm.getelementptr %smem[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %b = llvm.getelementptr %a[32768] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bar = llvm.getelementptr %bars[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.arrive.expect_tx.shared %bar, %bytes : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %a, %map_a, %bar, box[%c0, %c0] : !llvm.ptr<3>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %b, %map_b, %bar, box[%c0, %c0] : !llvm.ptr<3>, !llvm.ptr
    nvvm.mbarrier.try_wait.parity.shared %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %read = llvm.shl %stage, %c14 : i32
    %from = llvm.getelementptr %smem[%read] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %start = llvm.ptrtoint %from : !llvm.ptr<3> to i32
    %units = llvm.lshr %start, %c4 : i32
    %low = llvm.and %units, %field : i32
    %wide = llvm.zext %low : i32 to i64
    %a0 = llvm.or %wide, %fixed : i64
    %b0 = llvm.add %a0, %to_b : i64
    nvvm.tcgen05.mma %d, %a0, %b0, %idesc, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    %a1 = llvm.add %a0, %step : i64
    %b1 = llvm.add %b0, %step : i64
    nvvm.tcgen05.mma %d, %a1, %b1, %idesc, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    %a2 = llvm.add %a0, %step2 : i64
    %b2 = llvm.add %b0, %step2 : i64
    nvvm.tcgen05.mma %d, %a2, %b2, %idesc, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    %a3 = llvm.add %a0, %step3 : i64
    %b3 = llvm.add %b0, %step3 : i64
    nvvm.tcgen05.mma %d, %a3, %b3, %idesc, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    %up = llvm.add %stage, %c1 : i32
    %last = llvm.icmp "eq" %up, %c2 : i32
    %next = llvm.select %last, %c0, %up : i1, i32
    llvm.br ^loop(%next : i32)
  }
}
