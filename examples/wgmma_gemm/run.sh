#!/bin/sh
# Build the program (where nvcc is) and run every case on this machine's Hopper GPU.
#
#   ./run.sh
#
# Without nvcc, a program that was built elsewhere is run. Exit status 1 if a result is wrong.
set -eu
cd "$(dirname "$0")"
if command -v nvcc > /dev/null; then
    make gemm
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
./gemm
