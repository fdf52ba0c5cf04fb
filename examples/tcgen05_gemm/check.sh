#!/bin/sh
# Scan a dump of the kernels and compare every descriptor in it with its plan; make plans.cuh writes the plans.
#
#   ./check.sh gemm.sass
set -eu
smemdesc=${SMEMDESC:-smemdesc}
here=$(dirname "$0")

$smemdesc scan --json "${1:?usage: $0 gemm.sass}" | python3 "$here/../wgmma_gemm/check.py" "$here/plans.cuh"
