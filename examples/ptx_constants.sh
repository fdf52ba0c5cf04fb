#!/bin/sh
# Decode the descriptor constants of a PTX file.
#
#   examples/ptx_constants.sh kernel.ptx
#
# Compilers write them in decimal: whole descriptors with a start address of 0 (64 bits, negative under 64B
# and 32B swizzle), high words and instruction descriptors (32 bits). Constants that are no descriptor,
# like the mask 16383, are too short to be taken.
set -eu
smemdesc=${SMEMDESC:-smemdesc}
file=${1:?usage: $0 FILE.ptx}

grep -oE '[ ,{]-?[0-9]{9,20}' "$file" | tr -d ' ,{' | sort -u |
while read -r constant; do
    # The instruction names the MMA kind, which an instruction descriptor does not say itself.
    kind=$(sed -nE 's/.*tcgen05\.mma.*\.kind::([a-z0-9]+).*/\1/p' "$file" | head -n 1)
    case $constant in
        ?????????) set -- --mma-kind "${kind:-f16}" ;;
        *) set -- ;;
    esac
    $smemdesc decode "$@" "$constant"
    echo
done
