"""How byte offsets and addresses are stored in shared-memory descriptors: matrix-descriptor-encode(x) = x >> 4."""

from __future__ import annotations

from smemdesc.engine.fields import Scaled

BYTES = Scaled(16, "B")
ASSUMED = Scaled(16, "B", default=1)
"""LBO: in K-major swizzled layouts PTX calls it "not used, assumed to be 1"."""
