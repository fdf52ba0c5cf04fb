#!/bin/sh
# Write the descriptors of a kernel's K loop into a CUDA header.
#
#   examples/k_loop_header.sh > descriptors.cuh
#
# A K-major bf16 tile of 128 x 128 under 128B swizzle: an atom row of 128 bytes holds 64 elements, that is four
# MMA steps of K = 16; the next four are in the next atom, and how far that is the tile says.
set -eu
smemdesc=${SMEMDESC:-smemdesc}

first=$($smemdesc encode tcgen05 --start 1KiB --sbo 1KiB --swizzle 128B)

echo "#pragma once"
for step in 0 1 2 3 4 5 6 7; do
    $smemdesc encode tcgen05 --from "$first" --advance $((16 * step)) --dtype bf16 --major K \
        --tile 128x128 --order mn --format cuda --name "a_desc_k$step"
done
$smemdesc encode idesc --mma-kind f16 --a-type bf16 --b-type bf16 --m 128 --n 128 \
    --format cuda --name idesc
