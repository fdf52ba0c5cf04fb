#!/bin/sh
# Fail a build on a descriptor that is not sound.
#
#   examples/check_build.sh kernel.cu other.cuh
#
# Takes every 64-bit constant that looks like a descriptor (16 hexadecimal digits) out of the sources and
# lets `decode --strict` judge them: status 1 means that an error or a warning was found. `--check` would let
# pass what is legal and yet probably not meant, such as strides that lay elements over each other.
set -eu
smemdesc=${SMEMDESC:-smemdesc}
[ $# -gt 0 ] || { echo "usage: $0 FILE..." >&2; exit 2; }

status=0
for file in "$@"; do
    constants=$(grep -oE '0x[0-9a-fA-F]{16}' "$file" | sort -u) || continue
    for constant in $constants; do
        if $smemdesc decode --strict "$constant" > /dev/null; then
            continue
        fi
        status=1
        grep -n "$constant" "$file" | sed "s|^|$file:|"
        $smemdesc decode "$constant" | sed 's/^/    /'
    done
done
exit $status
