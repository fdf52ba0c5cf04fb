"""What is known of the bits of each value of a function: one small language of operations, and one solver."""
