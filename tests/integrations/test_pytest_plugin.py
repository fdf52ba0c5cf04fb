"""The plugin of pytest, in runs of pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from corpus.dumps import dumps

from smemdesc.integrations.pytest_plugin import golden
from smemdesc.integrations.pytest_plugin.kernel import scanned

pytest_plugins = ("pytester",)

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"
OBJECTS = Path(__file__).parents[1] / "scanning" / "objects"
SASS = (EXAMPLES / "gemm_sm100.sass").read_text()
PTX = """\
.version 8.0
.target sm_90a
.file 1 "kernel.py"
.visible .entry k(.param .u64 d)
{
	ld.param.u64 %rd1, [d];
	mov.b64 %rd2, 0x4000004000010040;
	.loc 1 31 0
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd2, 1, 1, 1, 0, 0;
	ret;
}
"""
"""A is an argument."""
MODES = SASS.replace("UMOV UR9, 0x40004040", "UMOV UR9, 0x80004040")
"""B of the first MMA has another swizzle mode."""


@pytest.fixture
def run(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with the dumps, in which pytest loads the plugin by its name, as an entry point, and no other one."""
    pytester.makeini("[pytest]\naddopts = -q --disable-plugin-autoload -p smemdesc -p xdist")
    for name, text in {"gemm.sass": SASS, "argument.ptx": PTX, "modes.sass": MODES}.items():
        (pytester.path / name).write_text(text)
    return pytester


def ask(run: pytest.Pytester, *statements: str, options: tuple[str, ...] = ()) -> pytest.RunResult:
    """Run a test of each statement, in which ``gemm`` are the descriptors of the dump."""
    tests = (
        f"def test_{number}(descriptors):\n    gemm = descriptors('gemm.sass')\n    {statement}\n"
        for number, statement in enumerate(statements)
    )
    run.makepyfile("from pathlib import Path\nfrom types import SimpleNamespace\n" + "\n".join(tests))
    # Only here the package is imported before pytest starts.
    warnings = ("-W", "error", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    return run.runpytest_inprocess(*warnings, *options)


@pytest.mark.slow
def test_passes(run: pytest.Pytester) -> None:
    statements = (
        "gemm.assert_valid()",
        "assert (gemm.count, len(gemm.groups), gemm.groups[0].count) == (4, 1, 4)",
        "assert (gemm.kind, gemm.mma_kind) == ('tcgen05', 'f16')",
        "assert (gemm.swizzle('a'), gemm.swizzle('B')) == ('128B', '128B')",
        "assert (gemm.major('a'), gemm.dtype('a'), gemm.shape('a')) == ('K', 'bf16', (128, 16))",
        "assert (gemm.strides('b'), gemm.field('b', 'sbo'), gemm.field('idesc', 'n')) == ((16, 1024), 1024, 128)",
        "assert gemm.field('idesc', 'transpose_b') is False",
        "assert descriptors(Path('gemm.sass').read_bytes(), function='gemm_*').count == 4",
        "assert descriptors(SimpleNamespace(asm={'ptx': Path('argument.ptx').read_text()})).count == 1",
        "assert descriptors(SimpleNamespace(__ptx__=Path('argument.ptx').read_text() + chr(0))).count == 1",
        "descriptors('argument.ptx').assert_valid(allow_unknown=True)",
        "descriptors(Path('gemm.sass').read_text().replace('0x8200490', '0x8210490')).assert_valid(strict=False)",
        "assert [each.swizzle('b') for each in descriptors('modes.sass').groups] == ['64B', '128B']",
        f"assert descriptors({str(OBJECTS / 'tcgen05.ptx')!r}).strides('copy') == (16, 1024)",
    )
    ask(run, *statements).assert_outcomes(passed=len(statements))


@pytest.mark.slow
def test_fails(run: pytest.Pytester) -> None:
    cases = (
        (
            "assert gemm.swizzle('a') == '64B'",
            "E * swizzle of A: gemm.sass:214: UTCHMMA (set in line 204: UMOV UR7, 0x40004040)",
        ),
        ("assert (128, 32) == gemm.shape('a')", "E * shape of A: gemm.sass:214: UTCHMMA (set in line 206: UMOV*"),
        (
            "descriptors(Path('gemm.sass').read_text().replace('UR9, 0x4', 'UR9, 0x6')).assert_valid()",
            "E * <text>:214: UTCHMMA: error: undefined-code: B: *; set in line 212: UMOV UR9, 0x60004040",
        ),
        (
            "descriptors(Path('gemm.sass').read_text().replace('0x8200490', '0x8210490')).assert_valid()",
            "E * <text>:214: UTCHMMA: warning: transpose-and-strides: B is MN-major *",
        ),
        (
            "descriptors('argument.ptx').assert_valid()",
            "E * A: not known: LBO, SBO, *swizzle: lost in line 6: ld.param.u64 %rd1, [[]d], an argument",
        ),
        (
            "descriptors('argument.ptx').swizzle('a')",
            "E * argument.ptx:9: wgmma.*, from kernel.py:31: A: not known: swizzle: lost in line 6: ld.param.*",
        ),
        ("descriptors('argument.ptx').same_as('new.json')", "E * A: not known: *"),
        (
            "descriptors('modes.sass').swizzle('b')",
            "E * swizzle of B differs\nE * 64B in 1 instruction, first *",
        ),
        ("descriptors('.ptx\\n').assert_valid()", "E * <text>: there is no tensor-core instruction that reads *"),
        ("gemm.swizzle('copy')", "E * gemm.sass: there is no tcgen05.cp in 1 function"),
        ("gemm.field('mask', 'n')", "E * gemm.sass: there is no descriptor of mask: no instruction has it"),
        ("gemm.field('a', 'swizle')", "E *FieldError: swizle: tcgen05 has no field 'swizle'; did you mean swizzle?"),
        ("gemm.swizzle('c')", "E *SmemdescError: unknown operand 'c'; use a, b, idesc, mask or copy"),
        ("descriptors('gemm.sass', function='x')", "E *SmemdescError: function: no function is named x; *"),
        ("descriptors('no.sass')", "E *SmemdescError: kernels: no.sass: cannot read it: *"),
        (
            "descriptors(Path('argument.ptx').read_text().replace('n8', 'n7')).assert_valid()",
            "E * <text>:9: this tensor-core instruction is not understood, *",
        ),
    )
    result = ask(run, *(statement for statement, _ in cases))
    result.assert_outcomes(failed=len(cases))
    result.stdout.fnmatch_lines([line for _, says in cases for line in says.split("\n")])
    result.stdout.no_fnmatch_line("*smemdesc/*.py:*: in *")  # the traceback ends in the test


def test_golden_is_written_read_and_held(run: pytest.Pytester) -> None:
    held = "descriptors('gemm.sass').same_as('goldens/gemm.json')"
    ask(run, held).stdout.fnmatch_lines(["E *: there is no golden file goldens?gemm.json; pytest --smemdesc-update *"])
    ask(run, held, options=("--smemdesc-update", "-n1")).stdout.fnmatch_lines(["smemdesc: wrote goldens?gemm.json"])
    written = (run.path / "goldens" / "gemm.json").read_text()
    ask(run, held).assert_outcomes(passed=1)
    (run.path / "gemm.sass").write_text("\n" + SASS.replace("0x8200490", "0x8210490"))
    ask(run, held).stdout.fnmatch_lines(
        [
            "E * gemm.sass: the descriptors are not those of goldens?gemm.json",
            "E * gemm.sass:215: UTCHMMA:",
            "E * B major: K -> MN (set in line 207: UMOV UR31, 0x8210490)",
            "E * B LBO: no effect -> 16 B (set in *",
            "E * idesc transpose_b: false -> true *",
        ]
    )
    (run.path / "gemm.sass").write_text(MODES)
    ask(run, held).stdout.fnmatch_lines(
        [
            "E * gemm.sass:214: UTCHMMA: not in goldens?gemm.json: differs from the nearest there",
            "E * B swizzle: 128B -> 64B (set in line 212: UMOV UR9, 0x80004040)",
        ]
    )
    (run.path / "goldens" / "gemm.json").write_text("{}")
    ask(run, held).stdout.fnmatch_lines(["E *SmemdescError: goldens?gemm.json is not a golden file of this version *"])
    assert "0x" not in written


def test_golden_names_functions_that_only_one_side_has(run: pytest.Pytester) -> None:
    other = (EXAMPLES / "gemm_sm90.sass").read_text()
    ask(run, "gemm.same_as('gemm.json')", options=("--smemdesc-update",)).assert_outcomes(passed=1)
    (run.path / "gemm.sass").write_text(other)
    ask(run, "gemm.same_as('gemm.json')").stdout.fnmatch_lines(
        ["E * gemm_bf16_K_K_128B: only in gemm.json: kind tcgen05, *", "E * not in gemm.json: kind wgmma, *"]
    )


def functions(text: str) -> list[golden.GoldenFunction]:
    """Return what a golden file holds of a dump."""
    return scanned(text, None, None, golden.Goldens(Path())).describe()[0]


@pytest.mark.corpus
def test_golden_notices_every_bit_of_a_constant() -> None:
    held = functions(SASS)
    for at, constant in enumerate(("0x40004040", "0x8200490")):
        for bit in range(at, 32, 2):
            other = functions(SASS.replace(constant, hex(int(constant, 16) ^ 1 << bit)))
            assert list(golden.compare(held, other)), (constant, bit)


@pytest.mark.corpus
def test_golden_is_the_same_for_every_version_of_the_compiler() -> None:
    """All compilations of every third source are held against one of them, function by function."""
    compilations: dict[str, list[str]] = {}
    for name, text, _ in dumps():
        compilations.setdefault(name.partition(".")[0], []).append(text)
    pairs = 0
    for source in sorted(compilations)[::3]:
        first: dict[str | None, golden.GoldenFunction] = {}
        for function in (function for text in compilations[source] for function in functions(text)):
            if not any(map(golden.unknown, function.mmas)):
                other = first.setdefault(function.name, function)
                pairs += other is not function
                assert list(golden.compare([other], [function])) == [], (source, function.name)
    assert pairs > 1_000


def test_start_of_pytest_imports_nothing_else_of_the_package() -> None:
    code = (
        "import sys, smemdesc.integrations.pytest_plugin\nprint(*(m for m in sys.modules if m.startswith('smemdesc')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    plugin = "smemdesc.integrations.pytest_plugin"
    assert set(done.stdout.split()) == {"smemdesc", "smemdesc._version", "smemdesc.integrations", plugin}


@pytest.mark.corpus
def test_plugin_is_loaded_as_an_entry_point_and_can_be_left_out(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(descriptors):\n    pass\n")
    assert pytester.runpytest_subprocess("-W", "error").ret == 0
    left_out = pytester.runpytest_subprocess("-p", "no:smemdesc")
    left_out.stdout.fnmatch_lines(["E *fixture 'descriptors' not found"])


MAP_WRITER = """.version 8.7
.target sm_100a
.visible .entry k()
{{
tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%rd9], {};
mov.b64 %rd1, 0x4000404000010040;
mov.b64 %rd2, 0x4000404000010440;
mov.b32 %r1, 0x08200490;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
ret;
}}
"""


def test_a_golden_file_holds_what_is_written_into_tensor_maps(run: pytest.Pytester) -> None:
    for mode in (3, 2):
        run.makefile(".ptx", **{f"mode{mode}": MAP_WRITER.format(mode)})
    run.makepyfile("""
        import os
        def test_map(descriptors):
            descriptors(os.environ["KERNEL"]).same_as("k.json")
        """)
    for kernel, options, says in (
        ("mode3.ptx", ["--smemdesc-update"], "wrote"),
        ("mode3.ptx", [], "1 passed"),
        ("mode2.ptx", [], "*k: tensor map swizzle_mode: 3 = 128B -> 2 = 64B*"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("KERNEL", kernel)
            run.runpytest(*options).stdout.fnmatch_lines([f"*{says}*"])
