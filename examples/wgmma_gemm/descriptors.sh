#!/bin/sh
# Write the descriptors of every MMA step of every case as a CUDA header.
#
#   ./descriptors.sh > descriptors.cuh
#
# A constant is named A_f16_K_128B_mn0_k2: the operand, its type, its major-ness, its swizzle mode, and the step.
# All begin at byte 0: the kernel adds the address of its tile.
set -eu
smemdesc=${SMEMDESC:-smemdesc}

# One CTA multiplies 64 x K by K x 128, where K fills 128 bytes; one wgmma takes 32 bytes of it.
operands() { # TYPE, K of the tile, K of one wgmma, major-ness, mode
    echo
    for operand in A:64 B:128; do
        mn=${operand#*:}
        $smemdesc encode wgmma --dtype "$1" --tile "${mn}x$2" --mma "${mn}x$3" --major "$4" --swizzle "$5" \
            --format cuda --name "${operand%:*}_$1_$4_$5"
    done
}

echo "// Written by descriptors.sh; do not edit."
echo "#pragma once"
echo "#include <cstdint>"
for mode in none 32B 64B 128B; do
    for major in K MN; do
        operands f16 64 16 $major $mode
        operands bf16 64 16 $major $mode
    done
    # Of these types wgmma reads K-major operands only.
    operands tf32 32 8 K $mode
    operands e4m3 128 32 K $mode
done
