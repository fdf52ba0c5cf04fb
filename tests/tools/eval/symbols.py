"""The second form of the questions: a symbol in place of each address, and everything else as it was.

In a kernel the start of a descriptor is rarely a number. ``smem`` stands for byte 0x400, is aligned to 1024 bytes, and
is a variable in PTX, a parameter in CUDA, and the base of a typed value (``VALUE@smem:1024+0x4000``).
"""

from __future__ import annotations

import re
from typing import Any

START_FIELD = 0x3FFF
"""The bits of a shared-memory descriptor that hold its start: in this form they do not count in a constant."""
_HIGH = r"\b(0x[0-9a-f]{12})"
_PLACES = {"0040": "smem", "0440": "smem+0x4000", "0400": "smem"}
"""The symbol by the last digits of a descriptor; 0400 is the address that was not divided."""
_TYPED = {"0040": "smem:1024", "0440": "smem:1024+0x4000"}


def with_symbols(question: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a question with the text that it asks about, in the second form; unchanged if it has no address."""
    if ".version" in text:
        rewritten = _ptx(_prose(text))
    else:
        rewritten = _cuda(_prose(text, " (smem is a multiple of 1024)")) if "source" in question else _typed(text)
    if rewritten == text:
        return question
    constant = question.get("constant", 0)
    return {
        **question,
        "context": _prose(question.get("context", "")),
        "text": rewritten,
        "first": _typed(question["first"].replace("at=0x4400", "at=smem+0x4000").replace("at=0x400", "at=smem")),
        "uncounted": START_FIELD if constant > 0xFFFFFFFF else 0,
    }


def _prose(text: str, where: str = "") -> str:
    """Replace the addresses in a description, and in the comment of a source."""
    text = re.sub(r"byte 0x400\b(?: of shared memory)?", f"smem{where}", text)
    return text.replace("byte 0x4400", f"smem+0x4000{where}").replace("in the cluster, 0x01004400", "in the cluster")


def _typed(text: str) -> str:
    return re.sub(_HIGH + r"(0040|0440)\b", lambda match: f"{match[1]}0000@{_TYPED[match[2]]}", text)


def _ptx(text: str) -> str:
    """Load the address of a variable where a descriptor, or an address of the cluster, was a number."""

    def loaded(match: re.Match[str]) -> str:
        start = "and.b32 %r4, %r4, 16383" if match[3] == "0400" else "bfe.u32 %r4, %r4, 4, 14"
        lines = (f"mov.u32 %r4, {_PLACES[match[3]]}", start, "cvt.u64.u32 %rd6, %r4")
        return ";\n\t".join((*lines, f"or.b64 {match[1]}, %rd6, {match[2]}0000;"))

    text = re.sub(rf"mov\.b64 (%rd\d), {_HIGH}(0040|0400|0440);", loaded, text)
    mapped = "mov.u32 \\1, smem+0x4000;\n\tmapa.shared::cluster.u32 \\1, \\1, 1;"
    text = re.sub(r"mov\.b32 (%r\d), 0x01004400;", mapped, text)
    return text.replace(".address_size 64\n", ".address_size 64\n.shared .align 1024 .b8 smem[32768];\n")


def _cuda(text: str) -> str:
    """Compute the start from a parameter where it was a number."""

    def computed(match: re.Match[str]) -> str:
        place = {"0040": "smem", "0440": "(smem + 0x4000)"}[match[2]]
        return f"{match[1]}0000{match[3]} | ({place} >> 4)"

    text = re.sub(_HIGH + r"(0040|0440)(ull|\b)", computed, text)
    text = re.sub(r"\b0x400 >> 4|\b0x40\b", "smem >> 4", text)
    return re.sub(r"(descriptor_of_[ab])\(\)", r"\1(std::uint32_t smem)", text)
