"""The error about a first word that is neither a command nor a value, with the command that is probably meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from smemdesc.cli.commands import COMMANDS, SHORT_FOR
from smemdesc.cli.support.common import ALIKE

_WORDS = {
    "smemdesc --version": "version ver",
    "smemdesc --help": "man manual usage commands options examples",
    "smemdesc scan FILE": "disassemble disasm dump objdump cuobjdump nvdisasm sass ptx cubin binary kernel read open",
    "smemdesc decode VALUE": "parse print show view inspect info value desc descriptor hex",
    "smemdesc decode --strict VALUE, or smemdesc scan --strict FILE": "check verify validate lint test",
    "smemdesc encode KIND": "make build create pack construct new",
    "smemdesc layout atom MODE": "swizzle swizzling atom",
    "smemdesc plan MxNxK TYPE": "gemm matmul",
    "smemdesc fields KIND": "card table reference bits format",
    "smemdesc diff A B": "compare cmp",
    "smemdesc gdb": "cuda-gdb debug debugger",
    "smemdesc mma A B IDESC": "instruction inst umma utcmma gmma",
    "smemdesc encode tensormap, or smemdesc explain - < LOG if the driver rejects a map": "tma",
}
_SUBCOMMANDS = {
    "layout": "operand address tile store fragment scales canonical linear guess",
    "mask": "conv",
}
COMMAND_MEANT = {word: command for command, words in _WORDS.items() for word in words.split()} | {
    word: f"smemdesc {command} {word}" for command, words in _SUBCOMMANDS.items() for word in words.split()
}


def unknown_word(word: str, listed: Sequence[str]) -> str:
    """Return the message about an unknown first word; ``listed``: the commands that it names if it suggests none."""
    lower = word.lower()
    if lower in COMMAND_MEANT:
        return f"{word!r} is not a command: {COMMAND_MEANT[lower]}"
    near = get_close_matches(lower, (*COMMANDS, *SHORT_FOR), n=1, cutoff=ALIKE)
    if near:
        return f"{word!r} is not a command; did you mean {near[0]}?"
    if re.match(r"(?i)https?://", word):
        return f"{word!r} is a URL: download it, then smemdesc scan FILE"
    if re.search(r"[/\\]|\.\w{1,6}$", word):
        return f"{word!r}: no such file"
    from smemdesc.explanations.topics import is_name

    if is_name(word):
        return f"{word!r} is not a command: smemdesc explain {word}"
    return f"{word!r} is neither a command nor a value; commands are {', '.join(listed)}"
