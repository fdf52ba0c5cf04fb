"""What functions are called where people read it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from run import smemdesc
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.results import function_names
from smemdesc.scanning.results.function_names import NAME_CHARACTERS, NO_NAME, Names, check_style, without_namespaces

DATA = Path(__file__).parents[2] / "examples" / "data"
COLLECTIVE = (  # of torch 2.14
    "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiEEENS1_10collective13CollectiveMmaI"
    "NS1_34MainloopSm90TmaGmmaWarpSpecializedILi4ENS5_IJNS4_1CILi2EEENSA_ILi1EEESC_EEENS1_35KernelTmaWarpSpecialize"
    "dCooperativeEEENS5_IJNSA_ILi128EEENSA_ILi256EEENSA_ILi64EEEEEENS_10bfloat16_tENS5_IJlSC_lEEESK_SL_NS4_8TiledMM"
    "AINS4_8MMA_AtomIJNS4_4SM904GMMA28MMA_64x256x16_F32BF16BF16_SSILNSP_5MajorE0ELSR_0ELNSP_7ScaleInE1ELSS_1EEEEEEN"
    "S4_6LayoutISD_NS5_IJSC_NSA_ILi0EEESW_EEEEENS5_IJNS4_10UnderscoreESZ_SZ_EEEEENS4_13SM90_TMA_LOADENS4_14Composed"
    "LayoutINS4_7SwizzleILi3ELi4ELi3EEENS4_18smem_ptr_flag_bitsILi16EEENSV_INS5_IJNSA_ILi8EEESI_EEENS5_IJSI_SC_EEEE"
    "EEEvNS4_8identityENS4_23SM90_TMA_LOAD_MULTICASTES1C_vS1D_EENS_8epilogue10collective18CollectiveEpilogueINS1G_2"
    "2Sm90TmaWarpSpecializedILi4ELi2ELi16ELb0ELb1EEEJSJ_NS5_IJSG_NSA_ILi32EEEEEEvSL_SK_SL_NS1G_6fusion15FusionCallb"
    "acksIS1K_NS1N_17LinearCombinationISK_fvfLNS_15FloatRoundStyleE2EEESJ_S1M_JEEES12_NS13_INS14_ILi2ELi4ELi3EEES17"
    "_NSV_INS5_IJS18_S1L_EEENS5_IJS1L_SC_EEEEEEENS4_17SM75_U32x4_LDSM_NENS4_14SM90_TMA_STOREES1X_NS4_17SM90_U32x4_S"
    "TSM_NENS4_9Copy_AtomIJS20_NS_6half_tEEEEvEEENS1_29PersistentAsyncInputSchedulerISE_vEEvEEEEvNT_6ParamsE"
)
FLASH = (
    "_ZN7cutlass13device_kernelIN5flash20enable_sm90_or_laterINS1_16FlashAttnFwdSm90INS1_25CollectiveMainloopFwdSm9"
    "0ILi2EN4cute5tupleIJNS5_1CILi1EEES8_S8_EEENS6_IJNS7_ILi64EEESA_SA_EEELi512ENS_10bfloat16_tEfNS_4arch4Sm90ELb0E"
    "Lb1ELb0ELb0ELb1ELb0ELb1ELb0ELb0ELb1ELb1ELb0ESC_EENS1_21CollectiveEpilogueFwdINS6_IJSA_NS7_ILi512EEESA_EEES9_SC"
    "_SE_Li256ELb0ELb1ELb1ELb0EEENS1_19SingleTileSchedulerILb0ELb1ELb1ELi64EEEEEEEEEvNT_6ParamsE"
)
DEEP_GEMM = (
    "_ZN9deep_gemm24sm100_fp8_gemm_1d1d_implILN4cute4UMMA5MajorE0ELS3_0ELj0ELj128ELj512ELj128ELj16ELj128ELj1ELj128E"
    "Lj128ELj32ELj4ELj0ELj128ELj128ELj1ELb1ELNS_8GemmTypeE2ELb0EN7cutlass10bfloat16_tEEEvPijjj14CUtensorMap_stS8_S8"
    "_S8_S8_S8_"
)
MANGLED = "_ZN2my4gemmIN7cutlass6half_tELi64ELb1EEEvPT_"
SHOWN = {
    None: NO_NAME,
    "gemm": "gemm",
    "_Z4gemmPf": "gemm(float*)",  # a C function may be called gemm
    "_Zgarbage": "_Zgarbage",
    "_Z8identityIN4cute1CILi64EEEEvv": "identity<64>",
    MANGLED: "my::gemm<f16,64,true>",
    "_ZZN4cute6launchIiEEvvENKUlvE_clEv": "launch<int>::'lambda'()::operator()",
    COLLECTIVE: (
        "GemmUniversal<CollectiveMma<MainloopSm90TmaGmmaWarpSpecialized<4,...>,128x256x64,...,bf16>,"
        "CollectiveEpilogue<...>,...>"
    ),
    FLASH: (
        "FlashAttnFwdSm90<CollectiveMainloopFwdSm90<2,1x1x1,64x64x64,512,bf16,...,false,bf16>,"
        "CollectiveEpilogueFwd<...>,...>"
    ),
    DEEP_GEMM: (
        "deep_gemm::sm100_fp8_gemm_1d1d_impl<0,0,0,128,512,128,16,128,1,128,128,32,4,0,128,128,1,true,2,false,bf16>"
    ),
}


@every_row(("name", "shown"), SHOWN.items())
def test_what_is_shown(name: str | None, shown: str) -> None:
    assert Names()(name) == shown


def test_two_kernels_never_have_one_name() -> None:
    """They differ in the tile, in the cluster, and in a number deep in the epilogue."""
    deep = [COLLECTIVE.replace("StyleE2", f"StyleE{number}") for number in (0, 1)]
    names = [COLLECTIVE, COLLECTIVE.replace("128", "64", 1), COLLECTIVE.replace("CILi2", "CILi1", 1), *deep]
    called = Names()
    shown = [called(name) for name in names]
    assert len({*shown, *names}) == 2 * len(names)
    assert shown == [called(name) for name in names]
    assert max(map(len, shown)) <= 2 * NAME_CHARACTERS


SASS = (DATA / "gemm_sm90.sass").read_text().replace("gemm_f16_K_MN_128B", MANGLED)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ([], "my::gemm<f16,64,true>"),
        (["--names", "full"], "void my::gemm<cutlass::half_t, 64, true>(cutlass::half_t*)"),
        (["--names", "mangled"], MANGLED),
    ],
)
def test_names(arguments: list[str], name: str) -> None:
    assert f"\n{name}\n  line 7" in smemdesc("scan", *arguments, "-", stdin=SASS).out


def test_without_the_package_names_stay_mangled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "demangle", None)
    assert [Names(style)(MANGLED) for style in ("short", "full")] == [MANGLED, MANGLED]
    assert without_namespaces(MANGLED) == MANGLED
    monkeypatch.setattr(function_names, "find_spec", lambda name: None)
    check_style("short")
    with pytest.raises(SmemdescError) as refused:
        check_style("full")
    assert refused.value.hint == "pip install 'smemdesc[sass]'"


def test_others_have_the_mangled_name() -> None:
    assert json.loads(smemdesc("scan", "--json", "-", stdin=SASS).out.splitlines()[0])["function"] == MANGLED
    assert smemdesc("scan", "--json", "--names", "full", "-", stdin=SASS).status == 2


@every_row(
    ("text", "shown"),
    [
        ("_ZN2M74smemE + stage * 16384", "smem + stage * 16384"),
        ("barrier _ZZN2M74gemmEiiPfE12full_barrier, smem", "barrier full_barrier, smem"),
        ("tile_a + 0x40; _Z and _Zx", "tile_a + 0x40; _Z and _Zx"),
    ],
)
def test_a_variable_has_its_own_name_only(text: str, shown: str) -> None:
    assert Names().of_variables(text) == shown
    assert Names("mangled").of_variables(text) == text
