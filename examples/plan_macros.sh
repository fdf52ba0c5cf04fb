#!/bin/sh
# Print a tile's constants as macros for a compiler.
#
#   nvcc $(examples/plan_macros.sh 128x128x64 bf16) kernel.cu
#
# All options of smemdesc plan can be given. The names are those of its C header; those of arrays are left out.
set -eu
smemdesc=${SMEMDESC:-smemdesc}

constants=$($smemdesc plan "$@" --format sh --name tile)
eval "$constants"
echo "-DIDESC=${tile_idesc:-0} -DA_DESCRIPTOR=${tile_a_descriptor:-0}ull -DB_DESCRIPTOR=${tile_b_descriptor}ull"
echo "-DSTAGE_BYTES=$tile_stage_bytes -DSTAGES=$tile_stages -DSHARED_BYTES=$tile_shared_bytes"
