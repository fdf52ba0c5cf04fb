"""Why a bit is unknown, from the instruction where it was lost: what no analysis of the text could find is counted
apart."""

import re

ARGUMENT, MEMORY, SPECIAL, CALL = "argument", "memory", "special register", "call"
"""Sources of values that the text does not contain: an argument of the kernel, global or shared memory, the index of a
thread or a block, a function that is called."""

FROM_SHARED = re.compile(r"\bld(?:\.\w+)*\.shared\b|\bLDS\b|\bload\b.*(?:addrspace\(3\)|ptr<3>)")
"""A load from shared memory, as each language writes it."""

FROM_CLUSTER = re.compile(r"\bmapa\b")
"""The address in another block of the cluster, as PTX, LLVM IR and MLIR write it."""

UNKNOWN, UNREAD = "unknown instruction", "not understood"
"""Why a line loses bits although the text has them: its name is unknown, or the line is not understood."""

NEVER_RETURN = ("__assertfail",)
"""Functions of the driver that end the kernel."""
SYSTEM_CALLS = frozenset(("vprintf", "malloc", "free", *NEVER_RETURN))
"""Functions of the driver: none allocates tensor memory."""
