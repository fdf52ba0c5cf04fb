#!/bin/sh
# Write the plan of every configuration as a CUDA header: descriptors and instruction descriptors.
#
#   ./plans.sh > plans.cuh
#
# A plan is named f16_K_MN_128B: the type, the major-ness of A and of B, the swizzle mode.
set -eu
smemdesc=${SMEMDESC:-smemdesc}

# One CTA multiplies 128 x K by K x 128, where K fills 128 bytes; one tcgen05.mma takes 32 bytes of it. Atoms adjoin
# along MN, as tile.cuh writes them.
plan() { # TYPE, K of the tile, major-ness of A, of B, mode
    echo
    $smemdesc plan "128x128x$2" --dtype "$1" --arch sm_100a --a-major "$3" --b-major "$4" --swizzle "$5" --order mn \
        --format cuda --name "$1_$3_$4_$5"
}

echo "// Written by plans.sh; do not edit."
echo "#pragma once"
for mode in none 32B 64B 128B; do
    for a in K MN; do
        for b in K MN; do
            plan f16 64 $a $b $mode
            plan bf16 64 $a $b $mode
        done
        plan e4m3 128 $a $a $mode
    done
    plan tf32 32 K K $mode
done
# The one mode for MN-major elements of 32 bits.
plan tf32 32 MN MN 128B_32B
