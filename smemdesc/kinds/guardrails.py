"""The checks of tensor memory that ptxas puts into a kernel (``-g-tmem-access-check``, the default with ``-g``).

Each ends in a trap function, whose name compute-sanitizer prints. Names and meanings are from compute-sanitizer 13.5.
"""

from __future__ import annotations

import re
from typing import NamedTuple

GUARDRAILS_SOURCE = "compute-sanitizer 13.5, Tensor Core MMA guardrails"


class Guardrail(NamedTuple):
    """One check."""

    name: str
    """As in ``__cuda_sm10x_tcgen05_guardrail_trap_NAME``."""
    meaning: str
    """What the kernel did, and which bits or columns it is about."""
    check: str
    """The command that shows what is right."""


GUARDRAILS = {
    guardrail.name: guardrail
    for guardrail in (
        Guardrail(
            "access_out_of_physical_bounds",
            "A tensor-memory address names a lane from 128 on (bits 31-16) or a column from 512 on (bits 15-0).",
            "smemdesc decode --kind tmem ADDRESS",
        ),
        Guardrail(
            "allocation_granularity_invalid",
            "tcgen05.alloc got a number of columns other than 32, 64, 128, 256 or 512.",
            "smemdesc plan MxNxK --dtype TYPE --arch sm_100a",
        ),
        Guardrail(
            "col_being_dealloced_not_returned_by_alloc",
            "tcgen05.dealloc got an address that no tcgen05.alloc returned, or another number of columns.",
            "smemdesc decode --kind tmem ADDRESS",
        ),
        Guardrail(
            "current_warp_owner_invalid",
            "A warp used lanes of another warp (bits 31-16): warp w of a warpgroup reaches lanes 32 w to 32 w + 31.",
            "smemdesc layout tmem --m M --n N",
        ),
        Guardrail(
            "invalid_datapath_alignment",
            "The lane of a tensor-memory address (bits 31-16) is not a multiple of what the instruction moves at once.",
            "smemdesc decode --kind tmem ADDRESS",
        ),
        Guardrail(
            "phase_invalid_during_alloc",
            "A CTA executed tcgen05.alloc after tcgen05.relinquish_alloc_permit.",
            "search the kernel for both",
        ),
        Guardrail(
            "sp_used_in_unsupported_env",
            "Bit 2 of the instruction descriptor (sparse) is set, and the MMA kind is not sparse on this architecture.",
            "smemdesc decode --mma-kind KIND --arch ARCH IDESC",
        ),
        Guardrail(
            "sparse_mismatch_between_idesc_mod",
            "Bit 2 of the instruction descriptor (sparse) contradicts the instruction: it is set with tcgen05.mma.sp, "
            "else clear.",
            "smemdesc decode --kind idesc --field sparse IDESC",
        ),
        Guardrail(
            "unallocated_columns_access",
            "An instruction accessed columns of tensor memory that are not allocated. It starts at the column in "
            "bits 15-0 of its address and takes as many as D, A or the scale factors need.",
            "smemdesc layout tmem --m M --n N",
        ),
        Guardrail(
            "unallocated_columns_being_dealloced",
            "tcgen05.dealloc frees columns of tensor memory (bits 15-0 of the address) that are not allocated.",
            "smemdesc decode --kind tmem ADDRESS",
        ),
    )
}
TRAP = "guardrail_trap_"
TRAP_MESSAGE = "guardrail "
"""What messages about a trap begin with."""
_TRAP = re.compile(TRAP + r"(\w+)")


def trap_names(text: str) -> list[str]:
    """Return the trap functions that a text names, ``guardrail_trap_NAME``, each once."""
    return list(dict.fromkeys(trap[0] for trap in _TRAP.finditer(text)))


def trap_message(function: str) -> str | None:
    """Return what a trap function means and what checks it; None for any other function."""
    trap = _TRAP.search(function)
    if trap is None:
        return None
    if guardrail := GUARDRAILS.get(trap[1]):
        return f"{TRAP_MESSAGE}{guardrail.name}: {guardrail.meaning} Check: {guardrail.check}"
    return f"{TRAP_MESSAGE}{trap[1]}: unknown, not in {GUARDRAILS_SOURCE}; see the manual of your compute-sanitizer"


def guardrail_of(text: str) -> Guardrail | None:
    """Return the check with this name, or that ends in this trap function; None for any other text."""
    trap = _TRAP.search(text)
    return GUARDRAILS.get(trap[1] if trap else text.strip().lower())
