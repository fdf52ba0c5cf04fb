#!/bin/sh
# Write the descriptors of every MMA step of every case, and the instruction descriptors, as a CUDA header.
#
#   ./descriptors.sh > descriptors.cuh
#
# A constant is named A_f16_K_128B_mn0_k2: the operand, its type, its major-ness, its swizzle mode, and the step; or
# I_f16_K_MN: the type and the major-ness of A and of B. All tiles begin at byte 0: the kernel adds their address.
set -eu
smemdesc=${SMEMDESC:-smemdesc}

# One CTA multiplies 128 x K by K x 128, where K fills 128 bytes; one tcgen05.mma takes 32 bytes of it. Atoms adjoin
# along MN, as tile.cuh writes them.
operands() { # TYPE, K of the tile, K of one MMA, major-ness, mode
    echo
    for operand in A B; do
        $smemdesc encode tcgen05 --arch sm_100a --dtype "$1" --tile "128x$2" --mma "128x$3" --major "$4" \
            --order mn --swizzle "$5" --format cuda --name "${operand}_$1_$4_$5" 2> /dev/null
    done
}

instruction() { # TYPE, MMA kind, major-ness of A, of B
    transposed=
    [ "$3" = K ] || transposed=--transpose-a
    [ "$4" = K ] || transposed="$transposed --transpose-b"
    # shellcheck disable=SC2086  # none, one or two options
    $smemdesc encode idesc --arch sm_100a --mma-kind "$2" --a-type "$1" --b-type "$1" --d-type f32 --m 128 --n 128 \
        $transposed --format cuda --name "I_$1_$3_$4"
}

echo "// Written by descriptors.sh; do not edit."
echo "#pragma once"
echo "#include <cstdint>"
echo
for a in K MN; do
    for b in K MN; do
        instruction f16 f16 $a $b
        instruction bf16 f16 $a $b
    done
    instruction tf32 tf32 $a $a
    instruction e4m3 f8f6f4 $a $a
done
for mode in none 32B 64B 128B; do
    for major in K MN; do
        operands f16 64 16 $major $mode
        operands bf16 64 16 $major $mode
        operands e4m3 128 32 $major $mode
    done
    operands tf32 32 8 K $mode
done
# The one mode for MN-major elements of 32 bits.
operands tf32 32 8 MN 128B_32B
