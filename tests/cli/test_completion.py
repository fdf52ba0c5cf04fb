"""What the shells are offered: the program's answers, and the committed scripts in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from run import environment, process

from smemdesc import cli

SCRIPTS = Path(__file__).parent.parent.parent / "docs" / "completions"
COMMANDS = " ".join(cli.COMMANDS)
OFFERED = {
    "smemdesc dec": "decode",
    "smemdesc ": COMMANDS,
    "smemdesc encode ": "wgmma tcgen05 idesc mask tmem tensormap -",
    "smemdesc layout t": "tile tmem",
    "smemdesc decode --di": "--diff",
    "smemdesc encode wgmma --sw": "--swizzle",
    "smemdesc mask conv --l": "--left",
    "smemdesc fields idesc --mma-kind mxf4": "mxf4 mxf4nvf4",
    "smemdesc decode --major ": "K MN",
    "smemdesc 0x4000404000010040 --major m": "MN",
    "smemdesc mask ": "conv",
    "smemdesc mask conv ": "",
    "smemdesc mask conv --svg pic": "file,pic",
    "smemdesc mask conv --color a": "auto always",
    "smemdesc mask 0x0003028100000000 ": "",
    "smemdesc decode --kind ": "wgmma tcgen05 idesc mask tensormap tmem",
    "smemdesc fields t": "tcgen05 tensormap tmem",
    "smemdesc decode --arch sm_1": "sm_100a sm_100f sm_103a sm_103f sm_107a sm_107f sm_110a sm_110f",
    "smemdesc layout tile 64x64 --dtype bf": "bf16",
    "smemdesc layout atom --swizzle 128": "128B_32B 128B",
    "smemdesc encode wgmma --swizzle ": "none 128B 64B 32B",
    "smemdesc decode --field sta": "start_address start_count_0 start_count_1 start_count_2 start_count_3",
    "smemdesc scan gemm": "file,gemm",
    "smemdesc scan --format s": "short sarif",
    "smemdesc scan --kind t": "tcgen05 tmem",
    "smemdesc scan --only sbo": "sbo-below-atom sbo-inside-row sbo-not-divided sbo-zero",
    "smemdesc scan --only e": "error empty-group equal-bytes error-in-every-reading",
    "smemdesc explain lbo-s": "lbo-sbo-swapped",
    "smemdesc scan --sort ": "line findings known name",
    "smemdesc scan --arch sm_9": "sm_90a",
}
IN_A_SHELL = {
    "bash": "source {}/smemdesc; COMP_WORDS=(smemdesc encode wg); COMP_CWORD=2; _smemdesc_completion smemdesc; "
    'echo "${{COMPREPLY[@]}}"',
    # Asked twice: the file is loaded as a function by the first time.
    "zsh": "fpath=({} $fpath); autoload -U _smemdesc; _describe() {{ print ${{(P)3}} }}; compadd() {{ print $@ }}; "
    "words=(smemdesc encode wg); CURRENT=3; _smemdesc > /dev/null; _smemdesc",
    "fish": "source {}/smemdesc.fish; complete -C 'smemdesc encode wg'",
}


@pytest.mark.slow
@pytest.mark.parametrize("typed", OFFERED)
def test_offered(typed: str) -> None:
    place = str(len(typed.split(" ")) - 1)
    ran = process(_SMEMDESC_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=place)
    assert (ran.err, ran.status) == ("", 0)
    assert " ".join(line.removeprefix("plain,") for line in ran.out.splitlines()) == OFFERED[typed]


@pytest.mark.parametrize(
    ("shell", "said"), [("bash", "wgmma"), ("zsh", "wgmma:64-bit shared"), ("fish", "wgmma\t64-bit shared")]
)
def test_script_in_its_shell(shell: str, said: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [shell, "-c", IN_A_SHELL[shell].format(SCRIPTS)],
        env=environment(PATH=path),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.startswith(said), done.stderr
