target triple = "nvptx64-nvidia-cuda"
@smem = external addrspace(3) global [0 x i8], align 1024
define ptx_kernel void @k(ptr %map_a, ptr %map_b) {
entry:
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @smem, i32 65600), i32 128)
  %d = load ptr addrspace(6), ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @smem, i32 65600)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @smem, i32 65536), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @smem, i32 65544), i32 1)
  br label %loop
loop:
  %stage = phi i32 [ 0, %entry ], [ %next, %loop ]
  %far = shl i32 %stage, 14
  %a = getelementptr i8, ptr addrspace(3) @smem, i32 %far
  %b = getelementptr i8, ptr addrspace(3) %a, i32 32768
  %to_a = addrspacecast ptr addrspace(3) %a to ptr addrspace(7)
  %to_b = addrspacecast ptr addrspace(3) %b to ptr addrspace(7)
  %bars = getelementptr i8, ptr addrspace(3) @smem, i32 65536
  %bar = getelementptr i64, ptr addrspace(3) %bars, i32 %stage
  %state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %bar, i32 32768)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %to_a, ptr addrspace(3) %bar, ptr %map_a, i32 0, i32 0, i16 0, i64 0, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %to_b, ptr addrspace(3) %bar, ptr %map_b, i32 0, i32 0, i16 0, i64 0, i1 false, i1 false, i32 0)
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %bar, i32 0)
  %read = shl i32 %stage, 14
  %from = getelementptr i8, ptr addrspace(3) @smem, i32 %read
  %start_a = ptrtoint ptr addrspace(3) %from to i32
  %units = lshr i32 %start_a, 4
  %low = and i32 %units, 16383
  %wide = zext i32 %low to i64
  %desc_a0 = or i64 %wide, 4611756662049472512
  %desc_b0 = add i64 %desc_a0, 2048
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %desc_a0, i64 %desc_b0, i32 136316048, i1 true, i32 0, i32 1, i32 0)
  %desc_a1 = add i64 %desc_a0, 2
  %desc_b1 = add i64 %desc_b0, 2
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %desc_a1, i64 %desc_b1, i32 136316048, i1 true, i32 0, i32 1, i32 0)
  %desc_a2 = add i64 %desc_a0, 4
  %desc_b2 = add i64 %desc_b0, 4
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %desc_a2, i64 %desc_b2, i32 136316048, i1 true, i32 0, i32 1, i32 0)
  %desc_a3 = add i64 %desc_a0, 6
  %desc_b3 = add i64 %desc_b0, 6
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %desc_a3, i64 %desc_b3, i32 136316048, i1 true, i32 0, i32 1, i32 0)
  %up = add i32 %stage, 1
  %last = icmp eq i32 %up, 2
  %next = select i1 %last, i32 0, i32 %up
  br label %loop
}
