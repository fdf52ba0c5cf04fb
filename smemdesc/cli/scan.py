"""``smemdesc scan``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from smemdesc.cli.common import Problems, color_option

if TYPE_CHECKING:
    from smemdesc.mma import Judge
    from smemdesc.scan.running import Found

ERROR_FOUND = 1

EXAMPLES = """\
Examples:
  cuobjdump -sass kernel.cubin | smemdesc scan -
  smemdesc scan gemm.ptx gemm.sass
  smemdesc scan --all --function '*gemm*' gemm.sass
  smemdesc scan --check *.ptx                 exit with 1 if an error is found
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
@click.option("--check", is_flag=True, help="Exit with 1 if an error is found.")
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
    jobs: int | None,
    color: str,
) -> None:
    if not files:
        raise click.UsageError("a file is missing; for example: cuobjdump -sass kernel.cubin | smemdesc scan -", ctx)
    from smemdesc.mma import Judge
    from smemdesc.render.progress import progress
    from smemdesc.scan.running import scan

    problems = Problems(color)
    judge = Judge()
    found = progress(scan(files, wanted, jobs), files)
    show = _json if as_json else _report
    errors = show(found, judge, problems, every, wanted, color)
    status = problems.status()
    ctx.exit(status or (ERROR_FOUND if check and errors else 0))


def _json(found: Iterable[Found], judge: Judge, problems: Problems, every: bool, wanted: str | None, color: str) -> int:
    from smemdesc.render.scan_json import Lines, value_line

    lines = Lines()
    errors = 0
    write = sys.stdout.write
    for each in found:
        if each.problem is not None:
            problems.report(each.problem)
            continue
        for function in each.part.functions:
            for mma in function.mmas:
                judged = judge.judge(mma.model)
                errors += judged.has_error
                write(lines.mma(each.name, function, mma, judged) + "\n")
        for value in each.part.values:
            write(value_line(each.name, value) + "\n")
    return errors


def _report(
    found: Iterable[Found], judge: Judge, problems: Problems, every: bool, wanted: str | None, color: str
) -> int:
    from tempfile import SpooledTemporaryFile

    from smemdesc.render.scan import function, overview, values
    from smemdesc.render.terminal import Output, stdout
    from smemdesc.scan.folding import Tally, fold

    out = stdout(color)
    errors = 0
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
            tally = Tally()
        part = each.part
        tally.functions += part.seen
        tally.odd += part.odd
        tally.values += len(part.values)
        waiting = Output(body, out.width, out.colour)
        for of in part.functions:
            rows = fold(of, judge)
            tally.add(of, rows)
            waiting.show(function(of, rows, out.width, every))
        waiting.show(values(list(part.values), out.width))
        if each.last:
            if shown:
                out.show([[]])
            shown = True
            out.show(overview(each.name, tally, wanted, out.width))
            body.seek(0)
            while text := body.read(_BLOCK):
                out.stream.write(text)
            body.close()
            body = None
            errors += tally.errors
    return errors


_SPOOL = 4_000_000
_BLOCK = 65_536
