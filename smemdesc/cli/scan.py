"""``smemdesc scan``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from smemdesc.cli.common import Problems, check_options, color_option, svg_option, write_picture

if TYPE_CHECKING:
    from smemdesc.mma import Judge
    from smemdesc.scan.gate import Gate
    from smemdesc.scan.model import Part
    from smemdesc.scan.running import Found

ERROR_FOUND = 1

EXAMPLES = """\
Examples:
  cuobjdump -sass kernel.cubin | smemdesc scan -
  smemdesc scan gemm.ptx gemm.sass
  smemdesc scan --all --function '*gemm*' gemm.sass
  smemdesc scan --strict *.ptx                fail on an error or a warning
  smemdesc scan --json gemm.ptx | jq -r '.b.value'
  find . -name '*.sass' | xargs smemdesc scan
"""


@click.command(
    help="Find every tensor-core instruction in a dump and say what its descriptors are; FILE is SASS "
    "(nvdisasm, cuobjdump), PTX, LLVM IR, MLIR, or any text; - is standard input.\n\n\b\n" + EXAMPLES,
)
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="List each instruction, not only each distinct set of descriptors.")
@click.option("--function", "wanted", metavar="GLOB", help="Only functions whose name fits: '*gemm*'.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an instruction, one a line.")
@check_options
@svg_option
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes to use; one a core if not given.")
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    every: bool,
    wanted: str | None,
    as_json: bool,
    check: bool,
    strict: bool,
    jobs: int | None,
    svg: str | None,
    color: str,
) -> None:
    if not files:
        raise click.UsageError("a file is missing; for example: cuobjdump -sass kernel.cubin | smemdesc scan -", ctx)
    from smemdesc.mma import Judge
    from smemdesc.render.progress import progress
    from smemdesc.scan.gate import Gate
    from smemdesc.scan.running import scan

    problems = Problems(color)
    judge = Judge()
    found = progress(scan(files, wanted, jobs), files, color)
    gate = Gate(wanted, check=check, strict=strict)
    if svg:
        _picture(found, problems, every, gate, svg)
    else:
        show = _json if as_json else _report
        show(found, judge, problems, every, gate, color)
    unnamed = gate.nothing_named()
    if unnamed is not None and not problems.count:
        problems.report(unnamed)
    status = problems.status()
    unchecked = gate.nothing_checked()
    if unchecked is not None and not status:
        Problems(color).report(unchecked)
    ctx.exit(status or (ERROR_FOUND if gate.closed else 0))


def _json(found: Iterable[Found], judge: Judge, problems: Problems, every: bool, gate: Gate, color: str) -> None:
    from smemdesc.render.scan_json import Lines, value_line

    lines = Lines()
    write = sys.stdout.write
    for each in found:
        if each.problem is not None:
            problems.report(each.problem)
            continue
        gate.add(each.part.seen, 0, 0)
        _remark(each.name, each.part, color)
        for function in each.part.functions:
            try:
                for mma in function.mmas:
                    judged = judge.judge(mma.model)
                    text = lines.mma(each.name, function, mma, judged)
                    gate.add(0, 1, judged.fails(gate.strict))
                    write(text + "\n")
            except Exception as error:
                problems.report(error, f"{each.name}:{mma.line}")
        for value in each.part.values:
            write(value_line(each.name, value) + "\n")


def _remark(name: str, part: Part, color: str) -> None:
    """Say on standard error what else a file has that is not read; JSON has one object an instruction only."""
    if part.unknown:
        from smemdesc.render.scan import unread

        where = "standard input" if name == "-" else name
        Problems(color).note(f"{where}: {unread(dict(part.unknown))}")


def _report(found: Iterable[Found], judge: Judge, problems: Problems, every: bool, gate: Gate, color: str) -> None:
    from tempfile import SpooledTemporaryFile

    from smemdesc.render.console import on, show, stdout
    from smemdesc.render.scan import FunctionView, Overview, Values
    from smemdesc.scan.folding import Tally, fold

    out = stdout(color)
    shown = False
    # The summary stands first and is known last: what comes after it waits in a file.
    body = None
    tally = Tally()
    for each in found:
        if each.problem is not None:
            problems.report(each.problem)
            if each.last:
                continue
        if body is None:
            body = SpooledTemporaryFile(_SPOOL, mode="w+", encoding="utf-8", newline="")  # noqa: SIM115
            waiting = on(body, out)
            tally = Tally()
        part = each.part
        tally.take(part)
        for of in part.functions:
            try:
                rows = fold(of, judge)
                tally.add(of, rows)
                show(waiting, FunctionView(of, rows, every))
            except Exception as error:
                problems.report(error, f"{each.name}:{of.line}")
        show(waiting, Values(part.values))
        if each.last:
            if shown:
                out.file.write("\n")
            shown = True
            show(out, Overview(each.name, tally, gate.wanted))
            body.seek(0)
            while text := body.read(_BLOCK):
                out.file.write(text)
            body.close()
            body = None
            gate.add(tally.functions, tally.mmas + tally.copies, tally.failures(gate.strict))


def _picture(found: Iterable[Found], problems: Problems, every: bool, gate: Gate, svg: str) -> None:
    """Write what would be shown as a picture."""
    from smemdesc.render.console import picture
    from smemdesc.render.scan import PartView
    from smemdesc.scan.model import joined

    files: dict[str, list[Part]] = {}
    for each in found:
        if each.problem is not None:
            problems.report(each.problem)
        else:
            files.setdefault(each.name, []).append(each.part)
    views = [PartView(joined(parts), name, gate.wanted, every) for name, parts in files.items()]
    write_picture(svg, picture(views, "smemdesc scan"))
    for view in views:
        gate.add(view.tally.functions, view.tally.mmas + view.tally.copies, view.tally.failures(gate.strict))


_SPOOL = 4_000_000
_BLOCK = 65_536
