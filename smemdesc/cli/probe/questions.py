"""The commands of ``smemdesc probe``: each reads a value and asks the GPU about it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.common import ValueCommand, ValueType, answering, present, write_json, write_result
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import case_options, color_option, json_option, options, takes, typed
from smemdesc.cli.support.pasted import STDIN, file_bytes, names_file, read_values
from smemdesc.cli.support.standard_input import standard_input
from smemdesc.engine.errors import SmemdescError, named

if TYPE_CHECKING:
    from smemdesc.probe.asking import Asked, ProbeQuestion
    from smemdesc.probe.driver import Driver
    from smemdesc.probe.questions import OperandQuestion

_SETTINGS = {"ignore_unknown_options": True, "max_content_width": 80}
_check = click.option("--check", is_flag=True, help="Exit with 1 unless the GPU does what the model says.")
_ptx = click.option("--ptx", is_flag=True, help="Print the kernel that would run; needs no GPU.")
_output = options(takes("probe", "device"), _ptx, json_option(), _check, color_option)
_value = click.argument("value", metavar="VALUE", type=ValueType())


def _driver(params: dict[str, Any]) -> AbstractContextManager[Driver]:
    from smemdesc.api.options.keywords import read_options
    from smemdesc.probe import driver

    return driver.Driver(read_options("probe", {"device": params["device"]})["device"])


def _put(
    params: dict[str, Any],
    capability: str,
    arch: str | None,
    make: Callable[[str], Sequence[ProbeQuestion]],
    usual: str,
) -> bool:
    """Ask the questions that ``make`` has for an architecture, or print their kernels; return whether one fails."""
    if params["ptx"]:
        from smemdesc.probe.ptx import module_text

        texts = dict.fromkeys(module_text(question.kernel) for question in make(arch or usual))
        sys.stdout.write("\n".join(texts))
        return False
    from smemdesc.probe.asking import ask_gpu, check_gpu

    with _driver(params) as asker:
        check_gpu(asker.gpu, capability, arch)
        return _show(params, [ask_gpu(asker, question) for question in make(asker.gpu.arch)])


def _show(params: dict[str, Any], answers: list[Asked]) -> bool:
    for number, asked in enumerate(answers):
        if number and not params["as_json"]:
            sys.stdout.write("\n")
        write_result(params, asked)
    return not all(asked.ok for asked in answers)


def _on(question: OperandQuestion, arch: str) -> list[ProbeQuestion]:
    return [question.on(arch)]


@click.command(cls=ValueCommand, context_settings=_SETTINGS)
@_value
@takes("probe", "kind mma_kind operand")
@case_options("probe")
@_output
@answering
def operand_command(ctx: click.Context, /, value: str, **params: Any) -> bool:
    """Ask of which byte the GPU reads each element of an operand.

    \b
    Examples:
      smemdesc probe 0x4000004000010040 --dtype bf16 --major K
      smemdesc probe 0x4000004000010040 --dtype e4m3 --major K --operand b \\
          --shape 256x32 --check
      smemdesc probe 0x4000404000010040 --dtype bf16 --major K --arch sm_100a \\
          --ptx

    The default shape is the smallest of one instruction: 64xK for wgmma, 128xK for
    tcgen05.
    """
    from smemdesc.api.options.keywords import read_options
    from smemdesc.api.probing import operand_question

    if params["dtype"] is None and params["mma_kind"] is None:
        raise missing_parameters(ctx, "--dtype")
    failed = False
    for line in read_values((value,)):
        own = typed(ctx, "device")
        question = operand_question(line.text, **own)
        arch = read_options("probe", {"arch": own["arch"]})["arch"]
        capability = question.case.family
        failed |= _put(params, capability, arch, partial(_on, question), question.case.arch)
    return failed


@click.command(cls=ValueCommand, context_settings=_SETTINGS)
@_value
@takes("probe", "mma_kind cta_group ws a_from arch")
@_output
@answering
def idesc_command(ctx: click.Context, /, value: str, **params: Any) -> bool:
    """Ask whether the instruction computes M x N of A and B of these types; of a block-scaled kind also from where it
    reads the scale factors.

    \b
    Examples:
      smemdesc probe idesc 0x8210490 --mma-kind f16
      smemdesc probe idesc 0x10a00000 --mma-kind mxf8f6f4 --cta-group 2 --ptx
    """
    from smemdesc.api.probing import idesc_questions

    given = typed(ctx, "device", "arch")
    return _put(params, "tcgen05", params["arch"], lambda arch: idesc_questions(value, arch=arch, **given), "sm_100a")


@click.command(cls=ValueCommand, context_settings=_SETTINGS)
@_value
@takes("probe", "m n dtype arch")
@_output
@answering
def mask_command(ctx: click.Context, /, value: str, **params: Any) -> bool:
    """Ask which columns a zero-column mask zeroes, and which column of B is in each of the others.

    \b
    Examples:
      smemdesc probe mask 0x0003028100000000 --m 64 --n 128
      smemdesc probe mask 0x0203028301020100 --m 32 --n 64 --dtype e4m3 --ptx
    """
    from smemdesc.api.probing import mask_questions

    given = typed(ctx, "device", "arch")
    return _put(params, "tcgen05", params["arch"], lambda arch: mask_questions(value, arch=arch, **given), "sm_100a")


@click.command(cls=ValueCommand, context_settings=_SETTINGS)
@_value
@takes("probe", "arch")
@_output
@answering
def map_command(ctx: click.Context, /, value: str, **params: Any) -> bool:
    """Ask what the copy of a tensor map writes, and compare the 128 bytes with those that the driver makes.

    \b
    Examples:
      smemdesc probe map @a.map
      smemdesc encode tensormap --dtype bf16 --address 0 --dim 4096,4096 \\
          --stride 8192 --box 64,64 --swizzle 128B | smemdesc probe map -
    """
    from smemdesc.api.probing import map_question

    if value == STDIN:
        text = standard_input().read()
    else:
        text = named("value", file_bytes, value) if names_file(value) else value
    return _put(params, "tma", params["arch"], lambda arch: [map_question(text, arch)], "sm_90a")


@click.command(context_settings=_SETTINGS)
@click.option("--out", metavar="FILE", help="Write every question and answer: lines of JSON, compressed.")
@takes("probe", "device")
@json_option()
@_check
@color_option
@answering
def all_command(ctx: click.Context, /, out: str | None, **params: Any) -> bool:
    """Ask every question for this GPU, and sum up the answers by the claims of docs/evidence.md.

    \b
    Examples:
      smemdesc probe --all
      smemdesc probe --all --out answers.jsonl.gz --check
    """
    from smemdesc.probe.every import every_question
    from smemdesc.probe.record import Survey, write_record
    from smemdesc.render.progress import counted

    if out is not None:
        from smemdesc.cli.support.files import check_writable

        check_writable(out, "--out", force=True)
    with _driver(params) as asker:
        questions = every_question(asker.gpu.arch)
        if not questions:
            raise SmemdescError(f"not asked: {asker.gpu} has neither wgmma nor tcgen05")
        survey = Survey(asker.gpu)
        for question in counted(questions, params["color"]):
            survey.add(question, asker)
    if out is not None:
        write_record(out, survey)
    if params["as_json"]:
        write_json(survey.to_dict())
    else:
        from smemdesc.render.probe import survey_view

        present(params["color"], survey_view(survey))
    return not survey.ok
