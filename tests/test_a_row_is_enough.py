"""A swizzle mode or an architecture is a row of a table: all else follows from it, or is said not to be known."""

from __future__ import annotations

import re
import shlex
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import shown
from documents import ROOT
from made_up import Said, ask, package
from tables import every_row

MODE = re.compile(r"\b(?:128B_32B|128B|64B|32B)\b")
ARCH = re.compile(r"\b(?:sm_)(?:90|100|103|107|110|120)([af]?)\b")
TEXTS = (
    *("tests/scanning/objects/tcgen05.ptx", "tests/scanning/objects/wgmma.ptx", "examples/data/k_loop_sm100.ptx"),
    *("examples/data/gemm_sm100.sass", "tests/integrations/compiled/blackwell.sass"),
    *("tests/scanning/forms/custom.mlir", "tests/scanning/forms/generic.mlir"),
)
"""PTX, SASS and MLIR; :data:`TTGIR` is Triton's."""
TTGIR = "gluon_100_slice_k.ttgir"
REFUSED = (
    *("wgmma has no swizzle 256B", "has no wgmma", "'256B' is not one of", "no tensor map has swizzle 256B"),
    *("no kernel is known for sm_199a", "there is no NVIDIA driver", "not asked: "),
)
"""What an example says of a command or an encoding that has neither, or of a GPU that is not here."""
FALSE = re.compile(r"\b(?:99|100|227|228|327|328) KB|\b(?:101376|102400|232448|233472|334848|335872)\b")
"""The shared memory of other architectures."""


def _with_rows(command: str, path: str) -> Iterator[str]:
    """Yield an example with the mode, in a tile that has its atoms, and with the architecture."""
    if MODE.search(command):
        wider = {
            "128x64": "128x128",
            "64x64": "64x128",
            "256x64": "256x128",
            "128x768": "128x1024",
            "--mma 128x96": "--mma 128x64",
        }
        yield re.sub("|".join(wider), lambda tile: wider[tile[0]], MODE.sub("256B", command))
    if ARCH.search(command):
        yield ARCH.sub(r"sm_199\1", command)
    elif path in TAKE_ARCH:
        yield f"{command} --arch sm_199a"


TAKE_ARCH = {node.path for node in shown.tree.walk() if "--arch " in node.help} - {"smemdesc scan", "smemdesc diff"}
EXAMPLES = sorted(
    {
        other
        for path, command in shown.of_help()
        if command.startswith("smemdesc ") and not re.search(r" [|<>] ", command)
        for other in _with_rows(command, path)
    }
)
TCGEN05 = "0xe000408000010040"
IDESC = "smemdesc decode --arch sm_199a --mma-kind mxf4"
_UNKNOWN = "note kind-arch: what sm_199a has besides tcgen05 is not known: rules that depend on it are not checked"
_TRITON = "!ttg.memdesc<128x128xbf16, #ttg.nvmma_shared<{{swizzlingByteWidth = {}, elementBitWidth = 16}}>, #smem>"
SAYS = (
    # the mode
    (f"smemdesc decode --all --kind tcgen05 {TCGEN05}", "256-byte swizzle; encoded as 7 (no tensor map has it)"),
    ("smemdesc encode tcgen05 --start 0x400 --sbo 2048 --swizzle 256B", TCGEN05),
    ("smemdesc encode tcgen05 --start 0x400 --sbo 2048 --swizzle 'Sw<3,4,4>'", TCGEN05),
    ("smemdesc fields tcgen05", "7  256B       256-byte swizzle"),
    ("smemdesc explain 256B", "Code 7 in tcgen05; wgmma and the tensor map do not have it."),
    ("smemdesc explain 512B", "Code 5 in tcgen05, 7 in the tensor map; wgmma does not have it."),
    ("smemdesc explain swizzle atomicity", "16 in 32B, 64B, 128B, 256B and 512B, 32 in 128B_32B"),
    ("smemdesc layout atom", "256B      K      8x16  8x128 bf16  2048 B  Swizzle<3,4,4>  2048 B      -        7    -"),
    ("smemdesc layout atom 256B", "no figure of PTX is known"),
    ("smemdesc layout atom --swizzle 256B --major MN --elements", "256B, MN-major, bf16: atom of 128 x 8 elements"),
    ("smemdesc layout atom --swizzle 256B --major K --mma 1 --svg atom.svg", ""),
    ("smemdesc layout canonical", "no notation of PTX or CUTLASS is known for K-major 256B"),
    (f"smemdesc layout operand {TCGEN05} --dtype bf16 --major K --shape 64x16 --svg o.svg", ""),
    (f"smemdesc layout address {TCGEN05} --dtype bf16 --major K --shape 64x16 --at 17,9", "Swizzle<3,4,4>"),
    ("smemdesc layout tile 128x128 --dtype bf16 --major K --swizzle 256B", "TMA:      no box writes bf16 like this"),
    ("smemdesc layout tile 128x256 --dtype bf16 --major K --swizzle 512B", "CU_TENSOR_MAP_SWIZZLE_512B"),
    ("smemdesc layout store 128x128 --dtype bf16 --major K --swizzle 256B", "byte = 256 mn + (2 k xor 16 (mn mod 8))"),
    ("smemdesc layout linear --swizzle 256B --dtype bf16", "256B, 16-bit elements (bf16): 8 x 128 elements"),
    ("smemdesc layout linear --swizzle 512B --dtype bf16", "Triton has no linear layout of 512B"),
    ("smemdesc layout explain box=256x128,swizzle=512B,dtype=bf16 --major K", "mode:      K-major, 512B"),
    ("smemdesc layout explain box=128x128,swizzle=256B,dtype=bf16 --major K", "no tensor map has swizzle 256B"),
    (f"smemdesc layout explain '{_TRITON.format(256)}' --major K", "swizzlingByteWidth = 256, transposed = false"),
    (f"smemdesc layout explain '{_TRITON.format(512)}' --major K", "swizzlingByteWidth is 0, 32, 64, 128 or 256, not"),
    ("smemdesc layout explain 'Sw<3,4,4>_smem_ptr[16b](0x800) o (128,128):(128,1)'", "align<2048>, S<3,4,4>"),
    ("smemdesc layout guess BYTES.bin --expect A.npy --dtype bf16", ""),
    (f"smemdesc mma --a {TCGEN05} --b {TCGEN05} --idesc 0x08200490 --mma-kind f16 --a-tile 128x128", "256B"),
    ("smemdesc plan 128x128x128 bf16 --swizzle 256B", "TMA box      none"),
    ("smemdesc plan 128x128x256 bf16", "A  128x256 bf16, 512B K-major"),
    ("smemdesc plan 128x128x256 bf16 --all", "widest possible: K = 256 is a multiple of 256 elements, 512 B"),
    ("smemdesc plan 128x128x64 bf16 --all", "the next wider mode needs a multiple of 256"),
    ("smemdesc layout atom --swizzle none --major K --mma 1", "use 32B, 64B, 128B, 256B or 512B"),
    ("smemdesc decode CU_TENSOR_MAP_SWIZZLE_512B", "CU_TENSOR_MAP_SWIZZLE_512B = 7 is 512B: code 5 in tcgen05"),
    ("smemdesc encode tcgen05 --start 0x400 --sbo 2048 --base-offset 7 --swizzle 256B", ""),
    ("smemdesc schema layout explain", '"256B",'),
    # the architecture
    ("smemdesc fields --arch sm_199a", "how much shared memory a CTA can have is not known"),
    ("smemdesc fields --arch sm_199a", "sparse: not known"),
    ("smemdesc fields --arch sm_199f", "its code runs on sm_199a"),
    ("smemdesc fields --arch madeup", "sm_199a  tcgen05"),
    ("smemdesc fields --arch sm_199", "sm_199a and sm_199f have tcgen05"),
    ("smemdesc fields --arch sm_199a --json", '"shared_memory": null, "unknown": ["kind::i8"'),
    ("smemdesc decode --arch sm_199a 0x4000404000010040", _UNKNOWN),
    ("smemdesc decode --arch sm_199a --kind wgmma 0x4000004000010040", "sm_199a has no wgmma; it exists on sm_90a"),
    (f"{IDESC} 0x88a00480", _UNKNOWN),
    (f"{IDESC} 0x08a01484", _UNKNOWN),
    ("smemdesc decode --arch sm_199a --mma-kind i8 0x08200080", "it is not known whether sm_199a has kind::i8"),
    ("smemdesc plan 128x128x64 bf16 --arch sm_199a", "how much a CTA on sm_199a has is not known"),
    ("smemdesc plan 128x128x64 bf16 --arch sm_199a --stages 99 --json", '"limit": null, "stages_that_fit": null'),
    ("smemdesc explain kind-arch", "sm_110 and sm_199 only. sm_120 and sm_121 have neither"),
    ("smemdesc explain kind-arch", "All from sm_90 to sm_121 have tensor maps."),
    ("smemdesc explain sparsity-version", "sm_100a, sm_103a and sm_110a keep 4 of 8 in pairs"),
    ("smemdesc layout tile 512x512 --mma 128x16 --dtype bf16 --major K --swizzle 128B --arch sm_199a", "524288 B from"),
)
"""What a command says (empty: a file), and must be true."""


def _scanned(folder: Path) -> list[str]:
    """Write texts of every language for the architecture, with descriptors of the mode; return their names."""
    names = []
    for name in TEXTS:
        text = re.sub(r"\b(sm_|SM|compute_)(?:90|100|103)(a?)\b", r"\g<1>199\2", (ROOT / name).read_text())
        text = text.replace("0x40004040", "0xe0004080").replace("4611756662049538112", str(int(TCGEN05, 16) & ~0x3FFF))
        names.append(f"of-{name.replace('/', '-')}")
        (folder / names[-1]).write_text(text.replace("swizzle_128b", "swizzle_256b"))
    with tarfile.open(ROOT / "tests/scanning/corpus/ir.tar.xz") as box:
        text = str(box.extractfile(TTGIR).read(), "utf-8")  # type: ignore[union-attr]
    text = text.replace("swizzlingByteWidth = 128", "swizzlingByteWidth = 256").replace("cuda:100", "cuda:199")
    (folder / TTGIR).write_text(text)
    return [*names, TTGIR]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Said], dict[str, str]]:
    """What all commands say, by their lines, and the pages."""
    folder = tmp_path_factory.mktemp("made-up")
    shown.fill(folder)
    scans = [f"smemdesc scan {name}{form}" for name in _scanned(folder) for form in ("", " --json")]
    lines = [*EXAMPLES, *dict(SAYS), *scans]
    copy = package(tmp_path_factory.mktemp("package"))
    said, pages = ask(copy, folder, [shlex.split(line, comments=True)[1:] for line in lines])
    return dict(zip(lines, said, strict=True)), pages


@pytest.mark.slow
def test_every_example_works_or_says_what_there_is_not(asked: tuple[dict[str, Said], dict[str, str]]) -> None:
    said, _ = asked
    for line in EXAMPLES:
        out, status, problem = said[line]
        assert not problem, (line, problem)
        assert status in (0, 1) or any(reason in out for reason in REFUSED), (line, out)


@pytest.mark.slow
def test_nothing_is_said_of_the_architecture_that_holds_for_others(
    asked: tuple[dict[str, Said], dict[str, str]],
) -> None:
    said, _ = asked
    false = {line: found[0] for line, each in said.items() if "199" in line and (found := FALSE.search(each.out))}
    assert false == {}


@pytest.mark.slow
@every_row(("line", "words"), SAYS)
def test_what_follows_from_the_rows(line: str, words: str, asked: tuple[dict[str, Said], dict[str, str]]) -> None:
    out, status, problem = asked[0][line]
    assert not problem
    assert words in out
    assert words or status == 0


@pytest.mark.slow
@every_row("name", TEXTS)
def test_every_language_is_scanned(name: str, asked: tuple[dict[str, Said], dict[str, str]]) -> None:
    for form in ("", " --json"):
        out, status, problem = asked[0][f"smemdesc scan of-{name.replace('/', '-')}{form}"]
        assert (problem, status) == ("", 0)
        assert "smemdesc itself" not in out
        assert name.endswith("mlir") or "sm_199" in out


@pytest.mark.slow
def test_triton_has_the_mode_and_the_architecture(asked: tuple[dict[str, Said], dict[str, str]]) -> None:
    out, *_ = asked[0][f"smemdesc scan {TTGIR}"]
    assert "MLIR, sm_199a" in out
    assert "256B K-major f16 128x16, packed" in out
    assert _UNKNOWN in out


@pytest.mark.slow
@every_row(
    ("page", "words"),
    [
        ("reference/kinds.md", "| `256B` | - | 7 | - | 256 B | 8 x 256 B | 8 x 256 B | Swizzle"),
        ("reference/kinds.md", "Exists on `sm_90` to `sm_121f`"),
        ("reference/commands.md", "none, 32B, 64B, 128B, 256B, 512B or 128B_32B."),
        ("reference/commands.md", "sm_199a/f"),
        ("reference/rules.md", "6 32B, 7 256B"),
        ("glossary.md", "| **256B** | Swizzle"),
        ("man/smemdesc.1", "sm_199a/f"),
        ("forms", '"sm_199a"'),
        ("forms", '"256B"'),
        *((f"completions/{name}", "") for name in ("smemdesc", "_smemdesc", "smemdesc.fish")),
    ],
)
def test_every_page_is_made(page: str, words: str, asked: tuple[dict[str, Said], dict[str, str]]) -> None:
    assert words in asked[1][page]
