"""Asks the analysis what a register holds: it is put into a descriptor of an MMA."""

from __future__ import annotations

from smemdesc.scanning.languages.ptx import PtxModule, analyse
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand

HEAD = ".visible .entry k(.param .u64 k_param_0)\n{\n"
PROBE = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, {}, %p1, 1, 1, 0, 0;"


def probe(register: str) -> str:
    """Return an MMA whose B descriptor is ``register``."""
    return PROBE.replace("{}", register)


def function(body: str, module: PtxModule | None = None) -> Function:
    """Analyse the body of a kernel; the body begins in line 3."""
    found = analyse(f"{HEAD}{body}\n}}\n".encode(), 1, "k", "sm_90a", module)
    assert found is not None
    return found


def mma(text: str, module: PtxModule | None = None) -> ScannedMma:
    """Analyse a fragment that holds one MMA."""
    found = analyse(text.encode(), 1, None, None, module)
    assert found is not None
    (only,) = found.mmas
    return only


def held(body: str, register: str = "%x", module: PtxModule | None = None) -> ScannedOperand:
    """Return what is known of a register after ``body``."""
    (only,) = function(f"{body}\n{probe(register)}", module).mmas
    assert only.b is not None
    return only.b
