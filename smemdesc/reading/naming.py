"""What a text calls a number: a descriptor, or something else (an address, a size, a stride, an enumerator).

The one table of these names. Whoever looks for values in a text asks :func:`called`, so that the commands agree on
which numbers of it are descriptors.
"""

from __future__ import annotations

import re
from functools import lru_cache

DESCRIPTOR, INSTRUCTION, OTHER = "descriptor", "instruction descriptor", "other"
MEANT = "given"
"""What a text is only there for: it has nothing beside it."""
MADE = "made"
"""What an instruction makes, or a debugger prints."""
ROW_OF_BYTES = "row"
"""What stands in a row of bytes at an address: only the bits of it and of the others say what it is."""
LONGEST_NAME = 96
"""The characters before a number that may call it something."""

_CAST = (
    r"(?:(?:static|reinterpret)_cast\s*+<[\w:\s]{1,30}>|\(\s*+(?:const\s++)?(?:std::)?(?:u?int(?:32|64)_t|unsigned|long)"
    r"(?:\s++(?:long|int))*+\s*+\)|(?:std::|np\.|numpy\.)?u?int(?:32|64)(?:_t)?(?=\s*+[({])|UINT(?:32|64)_C(?=\())"
)
_BEFORE = re.compile(
    r"(?<![\w$])(?<![\w$\]]\.)(?<![\w$\]]->)(?<![\w$\]]::)(?:\d++\.?+)?+"
    r"(?P<name>[A-Za-z_$%][\w$]*+(?:(?:\.|->|::)\w++|\[[\w.:,+* -]*+\])*+)(?<!\belse)(?<!\breturn)"
    r"[\"')\]*]{0,3}"
    r"(?:\s{1,8}+(?:(?:for|of)\s{1,4}+)?(?:[a-dA-D]|lo|hi|low|high|value|bits|raw|(?P<index>\#?\d{1,3})))?"
    r"[\"')\]]{0,2}\s{0,24}+(?:[:=]{1,2}|is\b|->|<<|\|)?[\"']?\s{0,12}+(?:<<\s{0,4}+)?"
    rf"[\"'`({{\[]{{0,3}}\s{{0,4}}+(?:{_CAST}\s*+[\"'({{]{{0,3}})*[+-]?\Z"
)
"""A name, perhaps with the operand that it is of, then what stands between it and the number."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DESCRIPTOR_WORD = re.compile(r"[a-z]{0,6}desc(?:s|riptors?)?")
_INSTRUCTION_WORDS = re.compile(r"\b(?:\w*_)?(?:i|instr?|instruction)_?desc")
_OTHER_DESCRIPTOR = re.compile(
    r"tma|map|tensormap|file|event|socket|texture|surface|cublas|cudnn|cutensor|cusparse|handle|pixel|error|usb|gdt"
)
"""A word of a descriptor that no MMA reads."""
_QUANTITY = re.compile(
    r"addr(?:ess)?|ptr|pointer|pc|offsets?|strides?|sizes?|shape|count|num|bytes?|dims?|extent|width|height|depth|index"
    r"|idx|id|leading|layout|type|field|version|align(?:ment)?|len(?:gth)?|swizzle|sbo|lbo|mode|enum|code|stages?|steps?"
    r"|pitch|shift|frame|rip|rsp|line|lane|warp|thread|block|grid|seed|hash|crc|pid|tid"
)
_PRINTER = re.compile(r"(?i)(?:\w*_)?(?:thread|lane|warp|block|grid|tid|pid|stage|step|index|idx|id|line)")
"""A name whose index says which of many printed the number: ``thread 0: 0x4000404000010040``."""
_PART = re.compile(r"base|template|init|default|mask|shift|flags?|const(?:ant)?|fixed|version|start")
"""A word of what is only a part of a descriptor."""
_PLACE = re.compile(r"(?i)(?:\b(?:at|in|from|pc|@)[ \t]{1,4}|^\s*(?:=>\s*)?(?:\#\d{1,4}\s{1,4}))\Z")
"""What stands before an address in prose and in a frame of a debugger."""
_LONGEST_PLACE = 30
_MMA_CALL = re.compile(r"(?i)(?<![a-z])(?:w?gmma|umma|mma|tcgen05)(?![a-z])\w*\(\s{0,4}\Z")
"""A call of an MMA, whose first arguments are descriptors."""
_BETWEEN_NUMBERS = "0123456789 \t,.;:+-()[]{}"
"""Characters of a list of numbers, which has no names."""
_COMPARED = re.compile(r"(?:_|\b|t)(?i:eq|ne|equals?|same)!?\(\s*+(?:(?P<name>[A-Za-z_][\w.:>-]*+),\s*+)?+[\"']?\Z")
_COMPARED_WITH = re.compile(r"[\"']?,\s*+([A-Za-z_][\w.:>-]*+)\s*+[,)]")
"""A test that compares what has a name with the number, and its other side."""
_OF_A_TYPE = ("sizeof", "alignof", "offsetof", "len", "bit_width")
"""What asks for something of a descriptor that is not its bits."""
_GOES = re.compile(r"\b(?:BRA|BRX|JMP|CALL|RET|BSSY|SSY|JCAL|CAL)\b[^;\n]*\Z")
"""An instruction that goes to the address."""
_OF_ROW = re.compile(r"(?:\s*<[^<>\n]*>)?:\s+(?:/\*|@!?U?P|[A-Z][A-Z0-9_]{2,})")
"""What follows the address of an instruction."""


def called(before: str, after: str = "") -> str:
    """Return what the text ``before`` and ``after`` a number in its line calls it; an empty text if it does not say."""
    if not before.strip(" \t=>*") and _OF_ROW.match(after):
        return OTHER
    if not before.strip(_BETWEEN_NUMBERS):
        return ""
    if _PLACE.search(before, max(0, len(before) - _LONGEST_PLACE)):
        return OTHER
    if _GOES.search(before):
        return OTHER
    if _MMA_CALL.search(before):
        return DESCRIPTOR
    if "(" in before and (compared := _COMPARED.search(before)):
        second = None if compared["name"] else _COMPARED_WITH.match(after)
        if name := compared["name"] or (second and second[1]):
            return _meaning(name)
    match = _BEFORE.search(before)
    if match is None or (match["index"] and _PRINTER.fullmatch(match["name"])):
        return ""
    of = re.search(r"(?<!\w)(\w++)(?:\s++|(\()\s*+)\Z", before[: match.start()])
    is_of_another = of and (of[1] in _OF_A_TYPE if of[2] else _OTHER_DESCRIPTOR.fullmatch(of[1].lower()))
    return OTHER if is_of_another else _meaning(match["name"])


def is_declared_wide(before: str) -> bool:
    """Whether a declaration before a number gives its variable 64 bits, so that a short number is no word of it."""
    return _WIDE.search(before) is not None


_WIDE = re.compile(
    r"\b(?:(?:std::)?u?int64_t|u64|i64|(?:unsigned\s)?long\slong(?:\sint)?|unsigned\slong)\s{1,4}(?:const\s{1,4})?\w{1,64}\s{0,8}=\s{0,4}\Z"
    r"|\b\w{1,64}\s{0,4}:\s{0,4}[ui]64\s{0,4}=\s{0,4}\Z"
)
"""A declaration of C, C++ or Rust with 64 bits."""


def is_pointer(number: int) -> bool:
    """Whether a number is an address of a process, and by its stride no descriptor that anybody would print."""
    return 0x5500_0000_0000 <= number < 0x8000_0000_0000


def last_name(before: str) -> str:
    """Return the name right before a number, without the fields of it; an empty text if there is none."""
    match = _BEFORE.search(before)
    return "" if match is None else re.split(r"\W", match["name"].lstrip("$%"))[0]


def _is_of_another(words: list[str]) -> bool:
    """Whether words name a mask of a descriptor's bits (no zero-column mask), or what describes strides."""
    places = [at for at, word in enumerate(words) if _DESCRIPTOR_WORD.fullmatch(word)]
    if not places:
        return False
    is_mask = words[-1] == "mask" and not any(word.startswith(("zero", "col")) for word in words)
    before = words[places[0] - 1] if places[0] else ""
    return is_mask or before in ("stride", "strides", "pitch", "shape", "size", "sizes")


@lru_cache(1024)
def _meaning(name: str) -> str:
    first, *fields = re.split(r"\.|->|::", re.sub(r"\[[^][]*\]", "", name))
    parts = [[word.lower() for word in _WORD.findall(part)] for part in (first, *fields)]
    words, last = [word for part in parts for word in part], parts[-1]
    if any(map(_OTHER_DESCRIPTOR.fullmatch, words)):
        return OTHER
    is_descriptor = [any(map(_DESCRIPTOR_WORD.fullmatch, part)) for part in parts]
    is_quantity = [bool(_QUANTITY.fullmatch(word)) for word in last]
    if any(is_quantity if not is_descriptor[-1] else is_quantity[-1:]) or _is_of_another(words):
        return OTHER
    if not any(is_descriptor) or any(map(_PART.fullmatch, last)):
        return ""
    return INSTRUCTION if _INSTRUCTION_WORDS.search("_".join(words)) else DESCRIPTOR
