"""``smemdesc scan``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import click

from smemdesc.cli.commands import ERROR_FOUND
from smemdesc.cli.support.common import (
    Problems,
    copied_box,
    one_format,
    one_output,
    spelled,
    svg_option,
    write_json,
    write_picture,
    write_result,
)
from smemdesc.cli.support.options import (
    Brief,
    check_options,
    color_option,
    format_option,
    json_option,
    quiet_option,
    takes,
)
from smemdesc.cli.support.paging import paging
from smemdesc.cli.support.pasted import STDIN, begins_with_layout, has_map_call, is_piped, layouts_in, text_to_explain
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import quoted
from smemdesc.kinds.names import FORMATS, NAME_STYLES, SCAN_ORDERS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smemdesc.instructions.mma import Judge
    from smemdesc.render.scan_changes import Change
    from smemdesc.render.scan_report import ReportSettings
    from smemdesc.scanning.inputs.binaries.members import Ask
    from smemdesc.scanning.inputs.files import ChunkResult, Source
    from smemdesc.scanning.model import Function
    from smemdesc.scanning.results.report import Verdict
    from smemdesc.scanning.results.selection import Choice
    from smemdesc.tiles.tensor_map import CopiedBox


class ComparedSide(Protocol):
    """One of two inputs that are compared."""

    def add(self, file: str, function: Function) -> None: ...

    def add_maps(self, result: ChunkResult) -> None: ...

    @property
    def functions(self) -> list[Any]: ...


EXAMPLES = """\
Examples:
  smemdesc scan kernel.cubin libgemm.so ~/.triton/cache
  cuobjdump -sass kernel.cubin | smemdesc scan -
  smemdesc scan --at gemm+0x100 gemm.cubin    # where compute-sanitizer says
  smemdesc scan --strict --a-tile 128x64,at=smem --b-tile 64x128 *.ptx
  smemdesc scan --agree gemm.ptx gemm.cubin   # did ptxas keep them?
"""
_COMPARES = "Compare OLD and NEW, or two forms of kernels (PTX, SASS)."


@click.command(
    cls=Brief,
    help="Check the descriptors of tensor-core instructions; PATH is a cubin, library, "
    "wheel, folder or text: SASS, PTX, LLVM IR, MLIR, any; -: standard input."
    "\n\n\b\n" + EXAMPLES,
)
@click.argument("files", metavar="PATH...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="List each function and each instruction.")
@takes("scan", "function at kind only")
@click.option(
    "--sort",
    "order",
    type=click.Choice(SCAN_ORDERS),
    metavar="ORDER",
    help=f"List all functions by {', '.join(SCAN_ORDERS)}.",
)
@takes("scan", "arch a_tile b_tile a_map b_map map")
@click.option("--annotate", is_flag=True, help="Print the dump with the descriptors in comments.")
@click.option("--diff", is_flag=True, help=_COMPARES)
@click.option("--agree", is_flag=True, help=_COMPARES)
@click.option(
    "--field", "parts", metavar="NAME", multiple=True, help="A line per MMA: place, and verdict, a.swizzle, ..."
)
@format_option(f"One of {', '.join(FORMATS)}.", *FORMATS)
@click.option("--short", is_flag=True, help="A line per finding, as compilers write them.")
@takes("scan", "names")
@json_option("One JSON object per instruction, one per line.")
@check_options
@click.option("--allow-empty", is_flag=True, help="With --check: no tensor-core instruction is fine.")
@click.option("--require-mma", is_flag=True, help="Exit with 1 if a PATH has no tensor-core instruction.")
@quiet_option
@svg_option
@takes("scan", "jobs cuda_bin")
@color_option
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], color: str, **params: Any) -> None:
    if not files and is_piped():
        files = (STDIN,)
    if not files:
        raise click.UsageError("a file is missing; for example: cuobjdump -sass kernel.cubin | smemdesc scan -", ctx)
    form = one_format(ctx, "text")
    for written in ("as_json", "svg", "annotate", "style", "short"):
        one_output(ctx, written, "quiet", "parts")
    for other in ("diff", "agree", "every", "order"):
        one_output(ctx, "parts", other)
    form = _FIELDS if params["parts"] else form
    _reject_together(ctx, params, form)
    if params["allow_empty"] and params["require_mma"]:
        raise click.UsageError("--allow-empty and --require-mma contradict each other: give one", ctx)
    from smemdesc.api.checking import operand_memory
    from smemdesc.api.options.keywords import read_options
    from smemdesc.api.scanning import given_maps, wanted
    from smemdesc.instructions.mma import Judge
    from smemdesc.scanning.inputs import limits
    from smemdesc.scanning.inputs.binaries.members import Ask
    from smemdesc.scanning.results.function_names import check_style
    from smemdesc.scanning.results.report import Verdict

    limits.limit()
    problems = Problems(color)
    try:
        pattern, choice = wanted(*(params[name] for name in ("function", "at", "kind", "only", "arch")))
        maps = {name: copied_box(params[name], name) for name in ("a_map", "b_map")}
        given = given_maps(dict(_named_map(text) for text in params["map"]))
        judge = Judge(operand_memory(params["a_tile"], params["b_tile"], **maps, arch=choice.arch))
        check_style(params["names"])
        jobs = read_options("scan", {"jobs": params["jobs"]})["jobs"]
    except SmemdescError as error:
        problems.report(error)
        ctx.exit(problems.status())
    flags = {name: params[name] for name in ("check", "strict", "agree", "allow_empty", "require_mma")}
    verdict = Verdict(pattern, choice, maps=given, **flags)
    # Opened first, closed last: the workers, which also hold the pager's pipe, end before the wait for the pager.
    ctx.with_resource(paging(color, unless=form != "text" or params["svg"], at_once=True))
    ask = Ask(pattern, params["cuda_bin"], jobs or 0, choice.arch, params["agree"], given)
    run = Run(ctx, files, form, ask, judge, problems, verdict, choice, params["names"] or NAME_STYLES[0])
    if params["diff"]:
        _diff(run)
    elif params["agree"]:
        _agree(run, params["every"])
    elif params["annotate"]:
        _annotate(run)
    else:
        _show(run, color, params["svg"], (params["every"], pattern, params["order"], choice, run.names))
    _leave(run)


def _named_map(text: str) -> tuple[str, CopiedBox]:
    """Read ``NAME=MAP``, a tensor map as it is given elsewhere."""
    name, separator, value = text.partition("=")
    if not (separator and name.strip()):
        raise SmemdescError(f"{quoted(text)} has no name", hint="--map k_param_0=@map.bin", keyword="map")
    box = copied_box(value, "map")
    assert box is not None
    return name.strip(), box


def _show(run: Run, color: str, svg: str | None, settings: tuple[Any, ...]) -> None:
    """Write what was found, then what a text prints of tensor maps and layouts."""
    from smemdesc.render.progress import progress

    texts = [] if svg else list(map(text_to_explain, run.files))
    pieces = progress(run.scan(run.files), color)
    run.ctx.call_on_close(pieces.close)  # the cursor is shown again before the wait for the workers
    if run.form == "text":
        from smemdesc.render.scan_report import ReportSettings

        _report(pieces, run, ReportSettings(*settings), svg)
    else:
        _WRITERS[run.form](pieces, run)
    for text in texts:
        has_call, layouts = has_map_call(text), layouts_in(text)
        if run.form not in ("text", "json"):
            for what in ["arguments of a tensor map: smemdesc explain - shows them"] * has_call + [
                f"a layout: smemdesc layout explain {quoted(layout)}" for layout in layouts
            ]:
                run.problems.note(f"not in this format: {what}")
            continue
        if has_call:
            _explain(text, run)
        if layouts:
            _explain_layouts(layouts, run, begins_with_layout(text))


def _explain(text: str, run: Run) -> None:
    """Explain the tensor maps whose arguments a text has, after what was scanned in it."""
    from smemdesc.cli.explain import show_calls

    if run.form == "text":
        sys.stdout.write("\n")
    show_calls(text, run.form == "json", None, run.problems)


def _explain_layouts(layouts: Iterable[str], run: Run, is_all: bool) -> None:
    """Explain the layouts of a text after what was scanned in it; ``is_all``: it is layouts, none of registers."""
    from smemdesc.api.layouts import explained_text

    for layout in layouts:
        with run.problems.reporting(""):
            try:
                explanation = explained_text(layout)
            except SmemdescError as problem:
                asked = f"smemdesc layout explain {quoted(layout)} --dtype bf16"
                if is_all:
                    raise SmemdescError(problem.option_message, hint=asked) from None
                run.problems.note(f"a layout, not explained ({problem.option_message}): {asked}")
                continue
            if run.form == "text":
                sys.stdout.write("\n")
            write_result({**run.ctx.params, "as_json": run.form == "json", "svg": None}, explanation)


def _reject_together(ctx: click.Context, params: dict[str, Any], form: str) -> None:
    """Reject options of the text output together with another output."""
    if params["names"] and form != "text":
        raise click.UsageError(f"--names is only for text output, not for --format {form}", ctx)
    of_text = ("svg", "order", "every")
    if params["agree"]:
        _reject_with_agree(ctx, params)
    comparing = "--agree" if params["agree"] else "--diff" if params["diff"] else None
    for key in of_text:
        if params[key] and (form != "text" or (comparing and (key, comparing) != ("every", "--agree"))):
            output = f"--format {form}" if form != "text" else comparing
            raise click.UsageError(f"{spelled(ctx, key)} is only for text output, not for {output}", ctx)
    if params["annotate"]:
        others = [spelled(ctx, key) for key in ("diff", "agree", *of_text) if params[key]]
        others += [f"--format {form}"] if form != "text" else []
        if others:
            raise click.UsageError(f"--annotate writes the dump; it cannot be used with {others[0]}", ctx)


def _reject_with_agree(ctx: click.Context, params: dict[str, Any]) -> None:
    """Reject options that select, or that judge, what ``--agree`` compares."""
    if params["diff"]:
        raise click.UsageError("--agree compares two forms of a kernel, --diff two builds: give one", ctx)
    for key in ("at", "kind", "only"):
        if params[key]:
            raise click.UsageError(f"--agree compares all MMAs of a function; --{key} leaves some out", ctx)
    for key in ("a_tile", "b_tile", "a_map", "b_map", "map"):
        if params[key]:
            raise click.UsageError(f"--agree compares descriptors; {spelled(ctx, key)} is to judge them", ctx)


class Run(NamedTuple):
    """A scan, and the state that the output formats share."""

    ctx: click.Context
    files: tuple[str, ...]
    form: str
    ask: Ask
    judge: Judge
    problems: Problems
    verdict: Verdict
    choice: Choice
    names: str
    """The form of function names."""

    def scan(self, paths: Iterable[str | Source]) -> Iterator[ChunkResult]:
        """Scan some files."""
        from smemdesc.scanning.inputs.workers import scan_files

        pieces = scan_files(paths, self.ask)
        # However the scan ends, its processes end and its temporary files are removed.
        self.ctx.call_on_close(pieces.close)
        return pieces

    def show(self, view: RenderableType) -> None:
        """Show a view on standard output."""
        from smemdesc.render.console import show, stdout

        show(stdout(self.problems.color), view)

    def _note_empty(self, results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
        """Yield results, and note the inputs that had no tensor-core instruction."""
        left = dict.fromkeys(self.files)
        for result in results:
            if result.part.functions:
                for file in [file for file in left if file in (result.name, result.folder)]:
                    del left[file]
            yield result
        self.verdict.empty_inputs += left

    def select(self, results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
        """Yield the selected results, and report what could not be read."""
        from smemdesc.scanning.results.forms import compare_forms
        from smemdesc.scanning.results.selection import select

        if self.verdict.require_mma:
            results = self._note_empty(results)
        results = self.verdict.note_maps(results)
        return select(compare_forms(results, self.judge), self.choice, self.judge, self.problems.report)


def _remark(result: ChunkResult, run: Run) -> None:
    """Note on standard error the contents of a file that are not read: other formats have no place for them."""
    if result.part.unknown:
        from smemdesc.render.scan_report import unread_dialects
        from smemdesc.scanning.inputs.spool import shown_name

        run.problems.note(f"{shown_name(result.name)}: {unread_dialects(dict(result.part.unknown))}")


def _leave(run: Run) -> None:
    """Exit with the status that the results determine."""
    verdict, problems = run.verdict, run.problems
    unnamed = verdict.nothing_named()
    if unnamed is not None and not problems.count:
        problems.report(unnamed)
    status = problems.status()
    unchecked = verdict.nothing_checked()
    if unchecked is not None and not status:
        problems.show(unchecked, severity="error" if verdict.closed else "warning")
    run.ctx.exit(status or (ERROR_FOUND if verdict.closed else 0))


def _json(pieces: Iterable[ChunkResult], run: Run) -> None:
    from smemdesc.render.scan_json import JsonLines
    from smemdesc.scanning.model import maps_dict, unknown_dict, unread_dict

    lines = JsonLines()
    at_end: dict[str, Any] = {"unread": unread_dict, "maps": maps_dict, "unknown_instructions": unknown_dict}
    waiting: dict[tuple[str, str], list[Any]] = {}

    def write(name: str, function: Function) -> None:
        _write_lines(lines.mma(name, function, mma, run.judge.judge(mma.model)) for mma in function.mmas)
        write_json(*filter(None, [function.memory_dict(name)]))

    def rest(result: ChunkResult) -> None:
        write_json(*(value.to_dict(result.name) for value in result.part.values))
        for name, to_dict in at_end.items():
            waiting.setdefault((result.name, name), []).extend(getattr(result.part, name))
            if result.last and (entries := waiting.pop((result.name, name))):
                write_json(to_dict(result.name, entries))

    _each_function(pieces, run, write, rest)


def _short(pieces: Iterable[ChunkResult], run: Run) -> None:
    from smemdesc.render.scan_lines import short_lines, short_values

    _each_function(
        pieces,
        run,
        lambda name, function: _write_lines(short_lines(name, function, run.judge, run.choice)),
        lambda result: _write_lines(short_values(result.name, result.part.values, run.choice)),
    )


_FIELDS = "fields"
"""The form that --field selects."""


def _fields(pieces: Iterable[ChunkResult], run: Run) -> None:
    from smemdesc.render.scan_lines import field_lines

    parts = run.ctx.params["parts"]
    _each_function(
        pieces,
        run,
        lambda name, function: _write_lines(field_lines(name, function, run.judge, parts)),
    )


def _github(pieces: Iterable[ChunkResult], run: Run) -> None:
    from smemdesc.render.scan_lines import github, github_unread, github_values
    from smemdesc.scanning.results.report import fold

    def rest(result: ChunkResult) -> None:
        _write_lines(github_values(result.name, result.part.values, run.choice))
        _write_lines(github_unread(result.name, unread) for unread in result.part.unread if not unread.only_named)

    _each_function(
        pieces,
        run,
        lambda name, function: _write_lines(github(name, function, fold(function, run.judge, run.choice))),
        rest,
    )
    unchecked = run.verdict.nothing_checked()
    if unchecked is not None:
        sys.stdout.write(
            f"::{'error' if run.verdict.closed else 'warning'} title=smemdesc::{unchecked.option_message}\n"
        )


def _write_lines(lines: Iterable[str]) -> None:
    for text in lines:
        sys.stdout.write(text + "\n")


def _sarif(pieces: Iterable[ChunkResult], run: Run) -> None:
    from smemdesc.render.scan_json import Sarif
    from smemdesc.scanning.results.report import fold

    sarif = Sarif(sys.stdout.write)
    _each_function(
        pieces,
        run,
        lambda name, function: sarif.function(name, function, fold(function, run.judge, run.choice)),
        lambda result: sarif.values(result.name, result.part.values, run.choice),
    )
    sarif.end(run.problems.messages, run.verdict.nothing_checked())


_WRITERS = {_FIELDS: _fields, "json": _json, "short": _short, "github": _github, "sarif": _sarif}


def _each_function(
    pieces: Iterable[ChunkResult],
    run: Run,
    write: Callable[[str, Function], object],
    rest: Callable[[ChunkResult], object] = lambda _: None,
    *,
    judged: bool = True,
) -> None:
    """Judge every selected function for the verdict, then write it with its file's name, and the rest of each part."""
    for result in run.select(pieces):
        run.verdict.add(result.part)
        if judged:
            _remark(result, run)
        for function in result.part.functions:
            with run.problems.reporting(f"{result.name}:{function.line}"):
                for mma in function.mmas if judged else ():
                    run.verdict.judged(run.judge.judge(mma.model))
                write(result.name, function)
        rest(result)


def _report(pieces: Iterable[ChunkResult], run: Run, settings: ReportSettings, svg: str | None) -> None:
    """Write the report as text, or with ``svg`` a picture of it."""
    from smemdesc.render.console import drawn, stdout
    from smemdesc.render.scan_report import Report, Store, total_view
    from smemdesc.scanning.results.forms import group_stages
    from smemdesc.scanning.results.function_names import Names
    from smemdesc.scanning.results.report import Tally

    names, reports, written, total = Names(settings.names), dict[str, Report](), 0, Tally()
    shown: list[RenderableType] = []
    kernels: list[Function] = []
    store = Store(stdout(run.problems.color))
    run.ctx.call_on_close(store.close)
    for group_stage in group_stages(run.select(pieces), run.judge, run.choice):
        if group_stage.name not in reports:
            reports[group_stage.name] = Report(settings, names, run.judge, drawn if svg else store.draw)
        report = reports[group_stage.name]
        report.add(group_stage.part)
        kernels += [function for function in group_stage.part.functions if svg and function.shared is not None]
        for function in group_stage.part.functions:
            with run.problems.reporting(f"{group_stage.name}:{function.line}"):
                report.function(function)
        if not group_stage.last:
            continue
        run.verdict.count(report.tally)
        if written and not svg:
            sys.stdout.write("\n")
        written += 1
        total.include(report.tally)
        for view in report.views(group_stage.name, group_stage.note):
            with run.problems.reporting(group_stage.name):
                if svg:
                    shown.append(drawn(view))
                else:
                    store.write(view)
        del reports[group_stage.name]
        if not reports:
            store.clear()
    if svg:
        from smemdesc.render.kernel_picture import kernel_blocks
        from smemdesc.render.text_picture import picture

        write_picture(svg, picture(shown, "smemdesc scan", above=kernel_blocks(kernels, names)))
    elif written > 1:
        run.show(total_view(written, total))


def _annotate(run: Run) -> None:
    from smemdesc.scanning.inputs.files import dump_text

    for file in run.files:
        with run.problems.reporting(), dump_text(file, run.ask.folder) as source:
            _annotate_file(source, run)


def _annotate_file(source: Source, run: Run) -> None:
    """Write a dump annotated with its results; nothing if it cannot be read."""
    from smemdesc.render.annotated import LineComment, annotated_view, note_lines, read_dump
    from smemdesc.scanning.results.function_names import Names

    before = run.problems.count
    notes: dict[int, LineComment] = {}
    names = Names(run.names)
    _each_function(
        run.scan([source]), run, lambda _, function: note_lines(function, run.judge, run.choice, notes, names)
    )
    if notes or run.problems.count == before:
        run.show(annotated_view(read_dump(source.path, source.name), notes))


def _each_side(run: Run, side: Callable[[str], ComparedSide]) -> tuple[list[Any], list[bool]]:
    """Return what ``side`` makes of each file, and whether parts of the file could not be read."""
    from smemdesc.scanning.inputs.files import pipe_of

    pipes = [pipe_of(file) for file in run.files]
    if pipes[0] is not None and pipes[0] in pipes[1:]:
        raise click.UsageError("standard input (-) can be read only once: name a file for the other dump", run.ctx)
    sides, unread = [], []
    for file in run.files:
        before = run.problems.count
        one = side(file)
        _each_function(run.scan([file]), run, one.add, one.add_maps, judged=False)
        sides.append(one.functions)
        unread.append(run.problems.count > before)
    return sides, unread


def _diff(run: Run) -> None:
    if len(run.files) != 2:
        raise click.UsageError("--diff takes two dumps: smemdesc diff OLD NEW", run.ctx)
    from smemdesc.scanning.results.comparison import ScannedSide, compare_functions

    sides, unread = _each_side(run, lambda file: ScannedSide(file, run.judge, run.choice))
    # An unreadable file is not a file from which every function vanished.
    missing = any(failed and not places for failed, places in zip(unread, sides, strict=True))
    pairs = [] if missing else list(compare_functions(*sides))
    run.verdict.count_comparison(sum(pair.differs or (run.verdict.strict and not pair.clear) for pair in pairs))
    if run.form == "json":
        write_json(*(pair.to_dict() for pair in pairs))
    elif run.form != "text":
        from smemdesc.render.scan_changes import changes_of

        _write_changes(changes_of(pairs), run)
    else:
        from smemdesc.render.scan_diff import diff_view
        from smemdesc.scanning.results.function_names import Names

        old, new = run.files
        run.show(diff_view(old, new, pairs, (unread[0], unread[1]), missing, Names(run.names)))


def _write_changes(changes: Iterable[Change], run: Run) -> None:
    """Write the changes of ``--diff`` or ``--agree`` as lines for other programs, or as SARIF."""
    from smemdesc.render.scan_changes import github_change, short_change
    from smemdesc.render.scan_json import Sarif

    if run.form == "sarif":
        sarif = Sarif(sys.stdout.write)
        for change in changes:
            sarif.change(change)
        sarif.end(run.problems.messages, run.verdict.nothing_checked())
    else:
        _write_lines(map(github_change if run.form == "github" else short_change, changes))


def _agree(run: Run, every: bool) -> None:
    from smemdesc.scanning.inputs.spool import shown_name
    from smemdesc.scanning.results.agreement import CompiledSide, compare_codes, missing_language

    if len(run.files) > 2:
        raise click.UsageError("--agree takes two forms of a kernel, or one file or folder that has both", run.ctx)
    sides, unread = _each_side(run, CompiledSide)
    lacking = missing_language(sides)
    if lacking is not None and not any(unread):
        run.problems.report(lacking)
    if lacking is not None or (any(unread) and not all(sides)):
        return
    comparison = compare_codes(code for codes in sides for code in codes)
    run.verdict.count_comparison(not comparison.ok or (run.verdict.strict and not comparison.whole))
    if run.form == "json":
        write_json(*(pair.to_dict() for pair in comparison.pairs))
    elif run.form != "text":
        from smemdesc.render.scan_changes import differences_of

        _write_changes(differences_of(comparison), run)
    else:
        from smemdesc.render.scan_agree import agreement_view
        from smemdesc.scanning.results.function_names import Names

        title = " -> ".join(map(shown_name, run.files))
        run.show(agreement_view(comparison, title, every, any(unread), Names(run.names)))
