"""A program of its own that prints the kernels of a report of Nsight Compute, as ``ncu --page source --csv`` does.

NVIDIA's package reads the report. It prints messages of its own, and may crash on a damaged file: so it runs in another
process, which imports nothing of smemdesc. Each kernel is printed once, however often it was profiled. A third column
has the source line of an instruction, which ncu does not print.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, TextIO

_SIZE = 16
"""Bytes of an instruction."""
_ENTRIES = "launch__function_pcs"
"""The metric with the addresses of the functions that were launched; every launch has it, even without counters."""
_LAUNCH = ("context_id", "registers_per_thread", "block_size", "shared_mem_per_block")
"""What differs where another kernel was later loaded at the same address under the same name, as JIT compilers do."""
_CAPABILITY = "device__attribute_compute_capability_"


def _metric(action: Any, name: str) -> Any:
    metric = action.metric_by_name(name)
    return None if metric is None else metric.value()


def _entries(action: Any) -> list[int]:
    """Return the addresses of the functions of a profiled kernel; without them, the first address with a counter."""
    metric = action.metric_by_name(_ENTRIES)
    if metric is not None:
        return [metric.as_uint64(index) for index in range(metric.num_instances())]
    counted = action.metric_by_name("inst_executed")
    addresses = counted.correlation_ids() if counted is not None and counted.has_correlation_ids() else None
    if addresses is None or not addresses.num_instances():
        return []
    first = min(addresses.as_uint64(index) for index in range(addresses.num_instances()))
    while action.sass_by_pc(first - _SIZE):
        first -= _SIZE
    return [first]


def _rows(action: Any, entry: int, others: list[int]) -> Iterator[str]:
    """Yield the instructions of a function from its first address to its end, or to where another begins."""
    address = entry
    while (text := action.sass_by_pc(address)) and (address == entry or address not in others):
        source = action.source_info(address)
        name = "" if source is None else source.file_name()
        place = f',"{name}:{source.line()}"' if name and '"' not in name else ""
        yield f'"{address:#x}","{text}"{place}\n'
        address += _SIZE


def _functions(action: Any, name: str, entries: list[int]) -> Iterator[str]:
    """Yield the text of each function of a profiled kernel: its name, a heading with the architecture, its rows."""
    major, minor = (_metric(action, _CAPABILITY + part) for part in ("major", "minor"))
    arch = "" if major is None or minor is None else f',"arch = sm_{major}{minor}"'
    for entry in entries:
        rows = "".join(_rows(action, entry, entries))
        more = f"{entry - entries[0]:+#x}" if entry != entries[0] else ""
        if rows:
            yield f'"Kernel Name","{name}{more}",\n"Address","Source"{arch}\n{rows}'


def write_listing(report: Any, listing: TextIO) -> str:
    """Write the kernels of a report, and return what could not be read; empty if all could."""
    seen = set()
    unread: list[str] = []
    actions = [action for results in report for action in results]
    for number, action in enumerate(actions, 1):
        name = action.name(action.NameBase_MANGLED) or action.name()
        entries = _entries(action) if name else []
        key = (name, *entries, *(_metric(action, f"launch__{part}") for part in _LAUNCH))
        if name and key in seen:
            continue
        seen.add(key)
        functions = list(_functions(action, name, entries)) if name else []
        listing.writelines(functions)
        listing.flush()
        if not functions:
            what = (
                f"{name}: the report has no SASS of it: profile it with ncu --set basic"
                if name
                else "it is damaged or cut off"
            )
            unread.append(f"result {number} of {len(actions)}: {what}")
    if not actions:
        unread.append("no profiled kernel: the report is empty, damaged or cut off")
    more = f" (and {len(unread) - 1} more like it)" if len(unread) > 1 else ""
    return "".join(unread[:1]) + more


def main(path: str) -> int:
    """Print a report, and on standard error what could not be read; return the exit status."""
    listing, errors = (os.fdopen(os.dup(number), "w", encoding="utf-8", newline="\n") for number in (1, 2))
    nothing = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nothing, number)
    with listing, errors:
        try:
            unread = write_listing(import_module("ncu_report").load_report(path), listing)
        except Exception as problem:
            unread = f"{type(problem).__name__}: {problem}"
        errors.write(unread)
    return 1 if unread else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
