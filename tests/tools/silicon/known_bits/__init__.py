"""What the hardware computed, against the bits that a scan of the very machine code claims to know."""
