"""Why a bit is unknown, from the line where it was lost: what no analysis of the text could find is counted apart."""

from __future__ import annotations

import re

ARGUMENT, MEMORY, SPECIAL, CALL = "argument", "memory", "special register", "call"
"""Sources of values that the text does not contain: an argument of the kernel, global or shared memory, the index of a
thread or a block, a function that is called."""

UNKNOWN, UNREAD = "unknown instruction", "not understood"
"""Why a line loses bits although the text has them: its name is unknown, or the line is not understood."""

NEVER_RETURN = ("__assertfail",)
"""Functions of the driver that end the kernel."""
_FIRST_ARGUMENT = 0x160
"""Where arguments begin in constant bank 0 at the earliest (sm_70 to sm_89; sm_90: 0x210, sm_100: 0x380)."""
_BANK = re.compile(r"\bc\[0x0\]\[(?:U?R\w+\+?)?(0x[0-9a-f]+)?\]")
_BEGINS = re.compile(
    r"""(?x) (?:@!?%?\w+\ +)?+ (?:
      (?P<argument> ld\.param\b | [%$]\d{1,3}\ [^;]* of\ the\ asm\ statement$ )
    | (?P<memory> U?LD(?!C|L)[A-Z]*\b | LD\.E | ATOM[SG]?\b | LDC\.?[\w.]*\ +R\d+,\ +c\[0x[1-9a-f]
      | (?:ld|ldu|atom)\.(?!param|local)[\w:.]+ )
    | (?P<special> U?S2U?R\b | CS2R\b | mov\.\w+\ +%\w+,\ *%(?:tid|ctaid|ntid|nctaid|laneid|warpid|clus|cluster_)\w* )
    | (?P<call> CALL\b | call\b )
    ) """
)
_IR = re.compile(
    r"""(?x) (?: (?:%[-\w$.]+(?::\d+)? | %"[^"]*") \ =\ )?+ (?:
      (?P<argument> (?:i\d++|ptr|half|bfloat|float|double|[<\[{])[^=@]* \ %[-\w$."]+$ | %[-\w$.]+:\ ?[^=\s][^=]*$ )
    | (?P<special> (?:tail\ )?call\b [^"@]* @llvm\.nvvm\.read\.ptx\.sreg\.
      | (?:tail\ )?call\b [^"@]* \basm\b [^"]*+ "mov\.[bus](?:32|64)\ \$0,\ ?%(?:tid|ctaid|ntid|nctaid|laneid|cluster)
      | "?nvvm\.read\.ptx\.sreg\. | "?gpu\.(?:thread_id|block_id|block_dim|grid_dim|cluster_\w+|lane_id)\b )
    | (?P<memory> load\b [^"]*? \bptr\ addrspace\([1-47]\) | "?llvm\.load\b [^"]*? !llvm\.ptr<[1-47]>
      | (?:atomicrmw|cmpxchg)\b )
    | (?P<call> (?:tail\ )?call\b [^"@]* @(?!llvm\.) | "?(?:llvm|func|tt)\.call\b (?!\ @"?llvm\.) )
    ) """
)
"""The same for LLVM IR and MLIR. A load through a generic pointer may be from a local variable."""


def why(text: str) -> str | None:
    """Return where the line that lost bits takes them from; None if they could be known."""
    bank = _BANK.search(text)
    if bank is not None and (bank[1] is None or int(bank[1], 16) >= _FIRST_ARGUMENT):
        return ARGUMENT
    match = _IR.match(text) or _BEGINS.match(text)
    return None if match is None else _NAMES.get(match.lastgroup or "")


_NAMES = {"argument": ARGUMENT, "memory": MEMORY, "special": SPECIAL, "call": CALL}
