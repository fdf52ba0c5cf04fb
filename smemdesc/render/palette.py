"""The colors of what is drawn, the same on a terminal and in a picture. Imports nothing."""

from __future__ import annotations

INK = "#1f2328"
"""Text on every color below: a contrast of 5.9 at least."""
SOFT = "#3b434b"
"""The same for small print."""
CHUNKS = ("#f6977f", "#cc9731", "#f0dc82", "#7de68b", "#57c5c5", "#62a4f7", "#cdc2f4", "#fca6e9")
"""The eight 16-byte chunks of a 128-byte line, and the fields of a descriptor in turn.

Chosen such that a terminal of 256 or of 16 colors still shows eight: rich takes the nearest of what there is.
"""
