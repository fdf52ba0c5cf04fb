"""What help texts and pages give as examples runs and is sound, but for what is there to be wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documents import ROOT, Block, blocks, run, without_gpu
from samples import long_run, split
from shown import fill, of_help, of_pages, of_usage

FINDING = re.compile(r'(?m)^ *(?:error|warning)(?=[ :])|: (?:error|warning): |"severity": "(?:error|warning)"')
WRONG = (
    "smemdesc explain sbo-below-atom",
    "smemdesc explain lbo-sbo-swapped",
    "smemdesc explain --json scale-id | jq .rule.example",
    "smemdesc explain - < log",
    "smemdesc skill",
)
"""What is there to be wrong: these show a rule with a value that breaks it, or a call that failed."""
NOT_RUN = ("(cuda-gdb) ", "cuda-gdb ", "smemdesc web", "smemdesc lsp", "smemdesc probe --all")
"""How begins what is not run: it is for the debugger (tests/debugger), serves until it is stopped
(tests/integrations), or needs a GPU (tests/cli/test_probe.py)."""
ELSEWHERE = {
    "BYTES.bin --expect B.csv": "B.bin --expect B.csv",
    "gemm+0x100": "with_wgmma+0xc0",
    "tests/scanning/objects": "tests/scanning/objects/wgmma.cubin",
    "wheels/": "gemm.sass",
}
"""What is called otherwise in the folder where the examples are run, or of whose files one is enough."""
EXAMPLES = list(dict.fromkeys([*of_help(), *of_usage(), *of_pages()]))
RUN = [each for each in EXAMPLES if not each[1].startswith(NOT_RUN)]
PLAIN = [each for each in RUN if "docs/" not in each[0]][::4]

_FILTERED = re.compile(r"(.*\bsmemdesc\b[^|>]*) (?:\||>|2>)")
"""A command up to what takes some of its lines."""
_SAYS_SO = re.compile(r"status \d|smemdesc (?:decode|scan)[^|]*--json .*\.findings|grep -o 'row stride")
"""How a block shows that something was found without the line of the finding."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shown")
    fill(made)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("where", "command"), split(RUN, PLAIN.__contains__), ids=[" ".join(each) for each in RUN])
def test_an_example_is_sound(where: str, command: str, folder: Path) -> None:
    typed = without_gpu(command)
    for name, other in ELSEWHERE.items():
        typed = typed.replace(name, other)
    reads_ours = where == "README.md" and ">" not in typed  # what writes a file does not write it here
    done = run(typed, ROOT if reads_ours else folder, HOME=str(folder))
    assert (done.returncode, bool(FINDING.search(done.stdout))) == (0, command in WRONG), done.stdout


@pytest.mark.slow
def test_examples_come_from_everywhere() -> None:
    """And what is named here is still there."""
    commands = {command for _, command in EXAMPLES}
    assert min(len(of_help()), len(of_usage()), len(of_pages())) > 5
    assert set(WRONG) < commands
    for begins in (*NOT_RUN, *ELSEWHERE):
        assert any(begins in command for command in commands)


@pytest.mark.parametrize(
    "block",
    [each if each.document.name == "README.md" else long_run(each) for each in blocks() if _FILTERED.search(each.text)],
    ids=lambda each: each.name,
)
def test_a_page_hides_no_finding(block: Block) -> None:
    """What a pipe leaves of an output says, where something was found, that it was."""
    for command, shown in block.ran:
        filtered = _FILTERED.match(command)
        if filtered and not FINDING.search(shown) and not _SAYS_SO.search(command + shown):
            assert not FINDING.search(run(filtered[1]).stdout)
