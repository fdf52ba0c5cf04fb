"""The page in a real browser: decode, edit, share, reload, scan, draw, refuse; on a phone, in the dark, offline."""

from __future__ import annotations

import json
import shlex
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode
from xml.etree import ElementTree as ET

import pytest
from colors import contrast
from page.browser import PAGE, Page, chromium, missing, plainly_served
from page.views import CASE, DATA, MAP, PICTURES, VALUE, VIEWS, WORDS
from run import smemdesc
from samples import ALL, SOUND

from smemdesc.cli.support.serving import HOST, page_url, server
from smemdesc.explanations.catalog import example_of, rule_names
from smemdesc.integrations.page.commands import VIEW_EXAMPLES as SHOWN

pytestmark = pytest.mark.browser

EVIL = ["<script>window.evil=1</script>", '<img src=x onerror="window.evil=1">', "</pre><svg onload=window.evil=1>"]
ROOT_OF = "const root = document.querySelector('section:not([hidden]) .picture .drawn').shadowRoot;"
"""Of the picture that is shown."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """The page, loaded once: Python takes seconds to start. Who asks for these tests gets all of them."""
    if problem := missing():
        pytest.fail(problem)
    with server(PAGE, 0) as served, chromium() as driver:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield Page(driver, page_url(served))
        served.shutdown()


@pytest.fixture(autouse=True)
def without_complaints(page: Page) -> Iterator[None]:
    """Whatever a test does: the browser refuses nothing, and nothing pasted runs."""
    yield
    page.media()
    assert page.errors() == []
    assert page.script("return window.evil ?? 0") == 0


def bits(page: Page) -> str:
    """Return the strip of bits."""
    return str(page.script("return [...document.querySelectorAll('.bits button')].map(e => e.textContent).join('')"))


def opened(page: Page, view: str) -> None:
    """Open a view and wait until it is drawn."""
    page.open(VIEWS[view])
    page.one(".problem strong" if view == "wrong" else ".copies")


# ----------------------------------------------------------------------------------------------------------- decode


def test_it_says_what_it_does_and_can_be_typed_into_meanwhile(page: Page) -> None:
    page.driver.get("about:blank")
    page.driver.get(f"{page.home}#decode")
    assert page.text(".about").startswith("Plans, decodes and draws descriptors: the 64 bits that tell")
    assert page.text("#status") not in ("", "Ready")
    assert "sm_90a" in page.script("return document.querySelector('[name=arch]').textContent")
    page.driver.switch_to.active_element.send_keys("0x8200490")  # in place of the example
    page.says("h2", "idesc:f16 or idesc:f8f6f4")


def test_the_first_answer_is_there_before_python(page: Page, tmp_path: Path) -> None:
    """Here Python never starts: its files are missing."""
    shutil.copytree(PAGE, tmp_path / "page", ignore=shutil.ignore_patterns("python.zip", "docs"))
    with plainly_served(tmp_path / "page") as served:
        page.driver.get(f"http://{HOST}:{served.server_port}/")
        page.until(lambda: "0x08200490" in page.shadow("section:not([hidden]) .report .drawn"))
        page.one(".picture .drawn")
        page.says("#status", "Python could not be started")
    assert page.errors()  # of the missing file


def test_a_reload_shows_the_answer_at_once(page: Page) -> None:
    for state, shown in (("decode?text=0x8200490", "h2"), (VIEWS["plan"], ".report"), (VIEWS["mma"], ".report")):
        page.open(state)
        page.one(shown)
        page.driver.refresh()
        page.one(shown)
        assert page.text("#status") not in ("", "Ready"), state
        page.says("#status", "Ready")
        page.ready()


def test_it_opens_with_an_example_and_a_row_of_them(page: Page) -> None:
    page.open("decode")
    page.says("h2", f"{VALUE} tcgen05 shared-memory descriptor")
    assert page.text(".examples [aria-current]") == "" or page.text(".examples a") == "tcgen05 descriptor"
    page.one(".examples a:nth-of-type(4)").click()
    page.says("h2", "0x8200490")
    assert page.one("textarea").get_attribute("value") == "0x8200490"
    assert page.text(".examples [aria-current]") == "instruction descriptor"


@pytest.mark.parametrize("view", ["plan", "mma", "scan", "explain"])
def test_other_views_have_examples_as_well(page: Page, view: str) -> None:
    page.open(view)
    page.all(".examples a")[-1].click()
    page.ready()
    assert page.one("section:not([hidden]) .report")
    assert page.all(".problem strong") == []


def test_what_is_known_of_the_instruction_is_closed_and_says_what_it_holds(page: Page) -> None:
    page.open(VIEWS["decode"])
    assert page.text("summary") == "Instruction context: type bf16, major K, shape 64x16"
    assert page.all("details [name]") == []
    page.one("summary").click()
    assert len(page.all("details [name]")) == 13
    page.one("summary").click()


def test_a_value_is_decoded(page: Page) -> None:
    page.open(VIEWS["decode"])
    page.says("h2", VALUE)
    assert page.text(".verdict") == "valid"
    assert bits(page) == f"{int(VALUE, 16):064b}"
    assert "1024 B = 64 x 16 B" in page.text("[data-field=stride_byte_offset]")
    assert "no effect here: K fits one atom" in page.text("[data-field=leading_byte_offset]")


EDITS: dict[str, tuple[Callable[[Page], None], str]] = {
    "bit": (lambda page: page.one("[data-bit='62']").click(), "0x0000404000010040"),
    "bytes": (lambda page: page.typed(page.one("[data-key=field-stride_byte_offset]"), "2KiB"), "0x4000408000010040"),
    "name": (lambda page: page.one("[data-key=field-swizzle] option[value='64B']").click(), "0x8000404000010040"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_value_is_edited(page: Page, edit: str) -> None:
    act, value = EDITS[edit]
    page.open(f"decode?text={VALUE}")
    page.one("[data-bit='62']")
    act(page)
    page.says("h2", value)
    assert page.one("textarea").get_attribute("value") == value
    assert f"text={value}" in page.driver.current_url


def test_a_bit_of_a_tensor_map_stands_where_memory_has_it(page: Page) -> None:
    page.open(VIEWS["tensormap"])
    page.says("#reading", "a copy: 128 lines of 64 BFLOAT16")
    assert page.one("[data-key=field-global_address]").get_attribute("value") == "0x7f0000000000"
    page.one("[data-bit='77']").click()
    page.says("[data-field=swizzle]", "64B")
    edited = page.one("textarea").get_attribute("value").removeprefix("0x")
    assert [at for at in range(256) if edited[at] != MAP[at]] == [2 * (77 // 8)]


def test_a_bit_is_turned_over_by_keys(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open(f"decode?text={VALUE}")
    first = page.one("[data-bit='63']")
    first.send_keys(Keys.ARROW_RIGHT)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.says("h2", "0x0000404000010040")
    page.until(lambda: page.driver.switch_to.active_element.get_attribute("data-bit") == "62")


def test_a_field_refuses_beside_it(page: Page) -> None:
    page.open(f"decode?text={VALUE}")
    page.typed(page.one("[data-key=field-start_address]"), "17")
    page.says("[data-field=start_address] .problem", "17 B is not a multiple of 16 B")
    assert VALUE in page.text("h2")


def test_a_finding_stands_beside_its_field_with_its_repair(page: Page) -> None:
    page.open("decode?text=0x4000004000010040&kind=tcgen05")
    page.says("[data-field=version] .findings", "version-constant")
    page.one("[data-field=version] .repair").click()
    page.says("h2", VALUE)


def test_bits_and_edits_are_undone_and_back_and_forward_work(page: Page) -> None:
    page.open("decode?text=0x8200490")
    page.open(VIEWS["decode"])
    page.says("h2", VALUE)
    changed = ["0x0000404000010040", "0x0000408000010040", "0x8000408000010040"]
    for edit, value in zip(EDITS.values(), changed, strict=True):
        edit[0](page)
        page.says("h2", value)
    page.one("[data-key=undo]").click()
    page.says("h2", changed[1])
    page.driver.back()
    page.says("h2", changed[0])
    assert page.one("textarea").get_attribute("value") == changed[0]
    page.driver.forward()
    page.says("h2", changed[1])
    page.driver.back()
    page.one("[data-key=undo]").click()
    page.says("h2", VALUE)
    assert page.text("summary").endswith("shape 64x16")
    page.until(lambda: page.all("[data-bit='0']") and not page.all("[data-key=undo]"))  # it was opened so
    page.driver.back()
    page.says("h2", "0x8200490")


def test_what_is_typed_is_one_step_of_the_history(page: Page) -> None:
    page.open(f"decode?text={VALUE}")
    page.typed(page.one("textarea"), "0x40000040")
    page.says("h2", "0x40000040")
    page.driver.back()
    page.says("h2", VALUE)


def test_bits_and_rows_are_lit_together(page: Page) -> None:
    """By the pointer, by the focus, by a tap: the row of a field, its bits above, its bits in the picture."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.open(VIEWS["decode"])
    page.one(".picture .drawn")

    def lit(field: str) -> None:
        page.until(lambda: page.script(LIT) == [field] * 3)

    row = page.one("[data-field=stride_byte_offset] .key")
    ActionChains(page.driver).move_to_element(row).perform()
    lit("stride_byte_offset")
    page.script("document.querySelector('[data-bit=\"62\"]').focus()")
    ActionChains(page.driver).move_to_element(page.one("h1")).perform()
    lit("swizzle")
    page.one(".picture .scroll").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    lit("fixed_53")
    page.media(width=390)
    page.tap(page.one("[data-field=leading_byte_offset] .meaning"))
    lit("leading_byte_offset")


LIT = """
const roots = [document, ...[...document.querySelectorAll('.drawn')].map(e => e.shadowRoot)];
return roots.flatMap(e => [...e.querySelectorAll('.lit')]).map(e => e.dataset.of);
"""


def test_a_finding_has_one_severity(page: Page) -> None:
    """In the verdict, in the bits, in the row, in what the finding says and in what the example is called."""
    label, state = SHOWN["decode"][1]
    page.open(f"decode?{urlencode(state)}")
    page.says(".verdict", label.partition(":")[0])
    colors = page.script(
        "const color = (place, name) => getComputedStyle(document.querySelector(place))[name];"
        "return [color('.verdict', 'color'), color('.findings strong', 'color'), color('.findings li', 'borderColor'),"
        "color('[data-field=version] .place', 'backgroundColor'), color('[data-field=version] .meaning', 'color'),"
        "color('[data-of=version] .bits', 'backgroundColor'), color('[data-field=version]', 'borderLeftColor')]"
    )
    assert len(set(colors)) == 1


def test_what_a_finding_says_is_said_once(page: Page) -> None:
    page.open(VIEWS["error"])
    page.says(".findings", "no-reading-fits")
    assert page.whole().count("no reading fits exactly") == 1


def test_what_is_pasted_outside_of_a_field_is_decoded(page: Page) -> None:
    page.open("plan")
    page.script(
        "const data = new DataTransfer(); data.setData('text', arguments[0]);"
        "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))",
        "desc = 0x40004040:0x00010040",
    )
    page.says("h2", VALUE)


def test_a_rule_leads_to_its_explanation_and_back(page: Page) -> None:
    page.open("decode?text=0x4000004000010040&kind=tcgen05")
    page.one("[data-field=version] .findings a").click()
    shown = "section:not([hidden]) .report .drawn"
    page.until(lambda: page.shadow(shown).split() == smemdesc("explain", "version-constant").out.split())
    page.driver.back()
    page.says("[data-field=version] .findings", "version-constant")


def paste(page: Page, name: str, text: str) -> None:
    """Paste a text into a field."""
    page.script(
        "const field = document.querySelector(`[name=${arguments[0]}]`); field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', { bubbles: true }))",
        name, text,
    )  # fmt: skip


def without_bar(report: str) -> list[str]:
    """Return the words of a report without the bar of what is known, which a pipe does not get."""
    return [word for word in report.split() if word.strip("\u2588\u2591")]


@pytest.mark.parametrize("name", ["gemm_sm90.sass", "gemm_sm100.sass"])
def test_a_dump_in_the_first_box_is_offered_to_scan(page: Page, name: str) -> None:
    dump = (DATA / name).read_text()
    page.open("decode")
    paste(page, "text", dump)
    page.says(".dump", "This looks like a dump.")
    assert page.text("[data-key=value0]") == {"gemm_sm90.sass": "0x40000040", "gemm_sm100.sass": "0x40004040"}[name]
    page.one("[data-key=scan]").click()
    wanted = smemdesc("scan", "-", stdin=dump).out.replace("standard input", "dump").split()
    page.until(lambda: without_bar(page.shadow("section:not([hidden]) .report .drawn")) == wanted)
    page.driver.back()
    page.says(".dump", "This looks like a dump.")


def test_readings_are_tabs(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open("decode?text=0x08400010")
    tabs = [each.text.split()[0] for each in page.until(lambda: page.all("[role=tab]"))]
    assert tabs == json.loads(smemdesc("decode", "--json", "0x08400010").out)["candidates"]
    page.all("[role=tab]")[0].send_keys(Keys.ARROW_RIGHT)
    page.until(lambda: page.all("[role=tab]")[1].get_attribute("aria-selected") == "true")
    assert f"tab={quote(tabs[1], safe='')}" in page.driver.current_url


def test_of_several_values_the_first_is_shown(page: Page) -> None:
    page.open(f"decode?{urlencode({'text': '0x00010040, 0x40004040'})}")
    assert bits(page) == f"{int(VALUE, 16):064b}"


def test_a_wrong_value_is_marked(page: Page) -> None:
    page.open("decode?text=0x40zz")
    page.says(".problem", "'z' is not a hexadecimal digit")
    assert page.text(".problem mark") == "z"


def corpus() -> Iterator[str]:
    """Yield values of each kind: sound ones, those of the rules' examples, any bits, words, signs and forms."""
    drawn = Random(1)
    for kind in ALL:
        width = kind.table.width
        for value in (SOUND[kind.id], drawn.getrandbits(width), SOUND[kind.id] ^ 1 << drawn.randrange(width)):
            yield f"0x{value:0{width // 4}x}"
    commands = (shlex.split(example_of(name).command) for name in rule_names())
    yield from dict.fromkeys(words[-1] for words in commands if words[1] == "decode")
    yield from ("0x40004040:?", "0x40004040????????", "-9223371899399045120", "4000404000010040", "0b1000")


def test_the_json_is_that_of_the_command_line(page: Page) -> None:
    page.open("decode")
    values = list(corpus())
    said = page.ask_all([("decode", {"text": value}) for value in values])
    ran = smemdesc("decode", "--json", "--", *values)
    wanted = [json.loads(line) for line in ran.out.splitlines()]
    assert [each["json"] for each in said if "problem" not in each] == wanted
    assert all(each["problem"]["message"] in ran.err for each in said if "problem" in each)


# ------------------------------------------------------------------------------------------------------------ share


@pytest.mark.parametrize("view", VIEWS)
def test_a_link_gives_the_same_view(page: Page, view: str) -> None:
    opened(page, view)
    shown = page.whole()
    page.open("scan")
    page.open(VIEWS[view])
    page.until(lambda: page.whole() == shown)


def test_a_change_is_in_the_link(page: Page) -> None:
    page.open(VIEWS["decode"])
    page.one("[data-key=field-swizzle] option[value='32B']").click()
    page.says("h2", "0xc000404000010040")
    link = page.driver.current_url
    page.open("plan")
    page.open(link.partition("#")[2])
    page.says("h2", "0xc000404000010040")
    assert "type bf16" in page.text("summary")


def test_the_command_and_the_text_are_copied(page: Page) -> None:
    page.open(VIEWS["decode"])
    page.one(".copies")
    page.script("window.kept = []; navigator.clipboard.writeText = async (text) => { window.kept.push(text); }")
    for button in page.all(".copies button")[:3]:
        button.click()
    link, command, text = page.until(lambda: len(kept := page.script("return window.kept")) == 3 and kept)
    assert link == page.driver.current_url
    assert command == " ".join(["smemdesc decode", VALUE, *WORDS])
    assert text == smemdesc("decode", VALUE, *WORDS).out


# ----------------------------------------------------------------------------------------------------------- layout


@pytest.mark.parametrize("view", PICTURES)
def test_a_picture_is_the_command_line_s(page: Page, view: str) -> None:
    page.open(VIEWS[view])
    page.one(".picture .drawn")
    shown = page.script(
        ROOT_OF + "const all = (tag) => [...root.querySelectorAll(tag)]; return [root.firstChild.getAttribute('role'),"
        "all('text').map((e) => e.textContent), all('rect').map((e) => e.getAttribute('fill'))]"
    )
    drawn = ET.fromstring(smemdesc(*PICTURES[view], "--svg", "-").out)
    texts = ["".join(each.itertext()) for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    fills = [each.get("fill") for each in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert shown == ["img", texts, fills]


def test_an_element_says_its_address_and_a_byte_its_element(page: Page) -> None:
    page.open(VIEWS["operand"])
    answered = smemdesc("layout", "address", VALUE, *WORDS, "--kind", "tcgen05", "--at", "17,9").out
    page.until(lambda: "(17, 9)" in page.shadow("section:not([hidden]) .report .drawn"))
    assert page.shadow("section:not([hidden]) .report .drawn").split() == answered.split()


def pointed(page: Page, view: str, title: str, right: float, down: float) -> None:
    """Point at the cell whose title begins so: at shares of its width and height."""
    page.open(VIEWS[view])
    page.one(".picture .drawn")
    page.script(
        ROOT_OF + "const cell = [...root.querySelectorAll('rect')].find(e => e.textContent.startsWith(arguments[0]));"
        "const box = cell.getBoundingClientRect();"
        "const at = { clientX: box.left + box.width * arguments[1], clientY: box.top + box.height * arguments[2] };"
        "cell.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, composed: true, ...at }));",
        title, right, down,
    )  # fmt: skip


def test_pointing_at_a_cell_says_what_lies_there(page: Page) -> None:
    pointed(page, "operand", "mn 1, k 8:", 0.3, 0.15)
    grid = json.loads(smemdesc("layout", "operand", VALUE, *WORDS, "--json").out)["addresses"]
    byte = grid[1][8] // 16 * 16 + 4
    wanted = smemdesc("layout", "address", VALUE, *WORDS, "--kind", "tcgen05", "--byte", str(byte)).out
    page.until(lambda: page.shadow("section:not([hidden]) .tip .drawn").split() == wanted.split())


@pytest.mark.parametrize(
    ("view", "title", "asked"),
    [
        ("fragment", "row 5, column 5:", ["--at", "5,5"]),
        ("scales", "m 17, k 32:", ["--at", "17,32"]),
        ("tmem", "lanes 32..47, columns 0..63:", ["--lane", "40", "--column", "32"]),
    ],
)
def test_pointing_at_a_cell_answers_as_the_command_line(page: Page, view: str, title: str, asked: list[str]) -> None:
    pointed(page, view, title, 0.505, 0.505)
    # In a narrow table lines wrap cell by cell: the same words in another order.
    wanted = sorted(smemdesc(*PICTURES[view], *asked).out.split())
    page.until(lambda: sorted(page.shadow("section:not([hidden]) .tip .drawn").split()) == wanted)


def test_a_cell_is_asked_by_a_tap_and_by_the_keyboard(page: Page) -> None:
    """It says its element, its byte and its bank; a tap elsewhere and Escape close the answer."""
    from selenium.webdriver.common.keys import Keys

    page.media(width=390)
    page.open(VIEWS["operand"])
    cell = page.script(ROOT_OF + "return [...root.querySelectorAll('rect')].find(e => e.textContent)")
    tip = "section:not([hidden]) .tip"
    page.tap(cell)
    page.until(lambda: "element (mn, k) = (0, 4)" in page.shadow(f"{tip} .drawn"))
    page.tap(page.one("h1"))
    page.says(tip, "Point at a cell or tap it")
    page.one(".picture .scroll").send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    wanted = smemdesc("layout", "address", VALUE, *WORDS, "--kind", "tcgen05", "--at", "1,8").out
    page.until(lambda: sorted(page.shadow(f"{tip} .drawn").split()) == sorted(wanted.split()))
    assert "bank 0" in wanted
    over = "const e = document.querySelector(arguments[0]).shadowRoot.firstChild; return e.scrollWidth - e.clientWidth"
    assert page.script(over, f"{tip} .drawn") == 0  # nothing of the answer is cut
    page.one(".picture .scroll").send_keys(Keys.ESCAPE)
    page.says(tip, "Point at a cell or tap it")


@pytest.mark.parametrize(
    ("view", "keys", "said"),
    [
        ("decode", "RIGHT " * 11 + "DOWN", "mn 1, k 56: byte 1248, bank 24, moved from 1264"),
        ("atom", "RIGHT RIGHT", "mn 0, k 8: 16 B: the swizzle does not move it; line 0, chunk 1, bank 4"),
    ],
)
def test_other_cells_say_their_element_byte_and_bank(page: Page, view: str, keys: str, said: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open(VIEWS[view])
    page.one(".picture .scroll").send_keys(*(getattr(Keys, f"ARROW_{key}") for key in keys.split()))
    page.says("section:not([hidden]) .tip", said)


def test_full_size_is_offered_only_where_it_is_larger(page: Page) -> None:
    wider = f"{VIEWS['operand']}&shape=64x64"
    for state, texts in ((VIEWS["tile"], []), (VIEWS["decode"], []), ("plan", []), (wider, ["Full size"])):
        page.open(state)
        page.one(".picture .drawn")
        page.until(lambda texts=texts: [each.text for each in page.all("[data-key=full]")] == texts)


@pytest.mark.parametrize(
    ("view", "said", "fields"),
    [
        (f"layout?what=operand&value={VALUE}", "Assumed: type bf16, major K, shape 64x16.", 3),
        (f"layout?what=operand&value={VALUE}&dtype=bf16&major=K", "Assumed: shape 64x16.", 1),
        (f"layout?{urlencode({'what': 'operand', 'value': VALUE, **CASE})}", "", 0),
        ("layout?what=tile", "Assumed: swizzle 128B, type bf16, major K, kind tcgen05.", 3),
        ("plan", "Assumed: type bf16, A major K, B major K, arch sm_100a.", 3),
        ("plan?dtype=nvfp4&shape=128x128x256&arch=sm_103a", "Assumed: A major K, B major K.", 2),
        ("plan?a-major=MN&b-major=MN&dtype=f16&stages=20", "Assumed: arch sm_100a.", 0),  # with an error
        (f"decode?text={VALUE}", "Assumed: bf16, K-major.", 0),
        (f"decode?text={VALUE}&major=MN&dtype=f16", "", 0),
    ],
)
def test_what_is_assumed_is_marked(page: Page, view: str, said: str, fields: int) -> None:
    page.open(view)
    page.one(".picture .drawn")
    assert page.text(":is(p, strong).assumed") == said
    marked = page.script("return [...document.querySelectorAll('section:not([hidden]) label.assumed')].length")
    assert marked == fields


def test_what_is_chosen_is_assumed_no_more(page: Page) -> None:
    page.open("plan")
    page.says("p.assumed", "type bf16, ")
    for name in ("f16", "bf16"):
        page.one(f"section:not([hidden]) [name=dtype] option[value={name}]").click()
        page.until(lambda name=name: f"dtype={name}" in page.driver.current_url)
        page.ready()
    assert page.text("p.assumed") == "Assumed: A major K, B major K, arch sm_100a."


# ------------------------------------------------------------------------------------------------- mma, plan, scan

WGMMA = {"a": "0x4000004000010040", "b": "0x4000004000010440", "inst": "m64n128k16", "dtype": "bf16"}


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({}, ["--a", VALUE, "--b", "0x4000404000010440", "--idesc", "0x08200490", "--mma-kind", "f16"]),
        (
            {**WGMMA, "idesc": "", "mma-kind": ""},
            [word for name, value in WGMMA.items() for word in (f"--{name}", value)],
        ),
    ],
)
def test_an_instruction_is_checked(page: Page, state: dict[str, str], words: list[str]) -> None:
    page.open(f"mma?{urlencode(state)}")
    wanted = smemdesc("mma", *words).out.split()
    page.until(lambda: without_bar(page.shadow("section:not([hidden]) .report .drawn")) == wanted)


def test_descriptors_of_a_scan_open_in_decode_and_their_instruction_in_mma(page: Page) -> None:
    page.open(f"scan?{urlencode(dict(SHOWN['scan'])['wgmma in SASS'] | {'all': '1'})}")
    for what, place, words in (
        ("0x40000040????????", "h2", "wgmma shared-memory descriptor"),
        ("smemdesc mma", ".command", "--inst m64n128k16"),
    ):
        page.until(lambda what=what: page.script(LINK, what))
        page.says(place, words)
        page.driver.back()
    page.until(lambda: page.script(LINK, "0x40000040????????"))


def test_the_name_of_a_kernel_is_demangled(page: Page) -> None:
    dump = f"Function : _ZN7cutlass13device_kernelIiEEvT_\n{dict(SHOWN['scan'])['wgmma in SASS']['dump']}"
    page.open(f"scan?{urlencode({'dump': dump})}")
    wanted = smemdesc("scan", "-", stdin=dump).out.replace("standard input", "dump").split()
    assert "cutlass::device_kernel<int>(int)" in wanted
    page.until(lambda: without_bar(page.shadow("section:not([hidden]) .report .drawn")) == wanted)


LINK = """
const report = document.querySelector('section:not([hidden]) .report .drawn');
const all = [...(report?.shadowRoot.querySelectorAll('a') ?? [])];
const found = all.find(e => e.textContent.startsWith(arguments[0]));
found?.click();
return found?.textContent;
"""
"""Click a link of a report."""


def test_the_plan_is_first_and_its_constants_are_folded_below(page: Page) -> None:
    page.driver.get(page.home)
    page.one(".picture .drawn")
    assert page.text("nav [aria-current]") == page.text("nav a") == "Plan"
    places = [page.one(f"section:not([hidden]) {each}") for each in (".report", ".picture", ".constants summary")]
    assert [each.location["y"] for each in places] == sorted(each.location["y"] for each in places)
    assert page.all(".constants .block, .constants [name]") == []
    offered = page.script("return document.querySelector('section:not([hidden]) [name=dtype]').textContent")
    assert all(name in offered for name in ("bf16", "nvfp4", "mxfp8", "mxfp4"))


def test_a_descriptor_of_a_plan_opens_in_decode_with_its_tile(page: Page) -> None:
    page.open("plan?shape=64x128x64&arch=sm_90a")
    page.until(lambda: page.script(LINK, "0x4000004000010000"))
    page.says("summary", "kind wgmma, type bf16, major K, tile 64x64")
    page.until(lambda: "tile 64 × 64 at 0x00000" in page.shadow("section:not([hidden]) .picture .drawn"))


@pytest.mark.parametrize("style", ["cuda", "ptx", "python"])
def test_the_constants_of_a_plan(page: Page, style: str) -> None:
    page.open(f"plan?format={style}")
    if not page.all(".constants [name=format]"):
        page.one("[data-key=constants]").click()
    majors = ["--a-major", "K", "--b-major", "K"]
    wanted = smemdesc("plan", "128x128x64", "--dtype", "bf16", *majors, "--format", style).out
    page.until(lambda: page.script("return document.querySelector('.block')?.textContent") == wanted)


@pytest.mark.parametrize("name", ["gemm_sm100.sass", "matmul_sm90.ptx"])
def test_a_dump_is_chosen(page: Page, name: str) -> None:
    page.open("scan")
    page.one("[name=file]").send_keys(str(DATA / name))
    scanned(page, DATA / name)


def test_a_dump_is_dropped(page: Page) -> None:
    """As a file that is dragged over the window and let go."""
    page.open("scan?show=--annotate")
    dump = DATA / "matmul_sm100.ptx"
    drop = page.one(".drop")
    box = page.script("const { x, y } = arguments[0].getBoundingClientRect(); return { x: x + 9, y: y + 9 }", drop)
    data = {"items": [], "files": [str(dump)], "dragOperationsMask": 1}
    for event in ("dragEnter", "dragOver", "drop"):
        page.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": event, **box, "data": data})
    scanned(page, dump)


def scanned(page: Page, dump: Path) -> None:
    """Hold the report and the annotated listing to those of the command line."""
    page.one("[name=show] option[value='']").click()
    page.until(lambda: dump.name in page.shadow("section:not([hidden]) .report .drawn"))
    assert "The dump is not in the link" in page.text("section:not([hidden]) .answer")
    page.one("[name=show] option[value='--annotate']").click()
    wanted = smemdesc("scan", str(dump), "--annotate").out.replace(str(dump), dump.name)
    page.until(lambda: page.script("return document.querySelector('.listing pre')?.textContent") == wanted)
    marked = page.script("return [...document.querySelectorAll('.listing .said')].map(e => e.textContent)")
    both = zip(wanted.splitlines(), dump.read_text().expandtabs().splitlines(), strict=True)
    assert marked == [line.removeprefix(old.rstrip()) + "\n" for line, old in both if line.rstrip() != old.rstrip()]


PASTED = "HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT ;\nUMOV UR7, 0x40000040 ;\n"


def pasted(page: Page) -> None:
    """Paste a dump and wait for its report."""
    page.open("scan")
    paste(page, "dump", PASTED)
    page.until(lambda: "HGMMA" in page.shadow("section:not([hidden]) .report .drawn"))


def test_a_pasted_dump_is_in_the_link(page: Page) -> None:
    pasted(page)
    link = page.driver.current_url
    assert "z=" in link
    page.open("scan")
    page.open(link.partition("#")[2])
    page.until(lambda: "HGMMA" in page.shadow("section:not([hidden]) .report .drawn"))
    assert page.one("[name=dump]").get_attribute("value") == PASTED


# ----------------------------------------------------------------------------------------------------------- markup


@pytest.mark.parametrize("text", EVIL)
def test_nothing_pasted_becomes_markup(page: Page, text: str, tmp_path: Path) -> None:
    for state in (
        f"decode?{urlencode({'text': text})}",
        f"decode?{urlencode({'text': VALUE, 'shape': text, 'dtype': text, 'tab': text})}",
        f"layout?{urlencode({'what': 'operand', 'value': text})}",
        f"plan?{urlencode({'shape': text})}",
        f"scan?{urlencode({'function': text})}",
    ):
        page.open(state)
        if not state.startswith(("scan", "decode?text=%3C")):  # a scan needs a file; a number in the text is a value
            page.one(".problem strong")
    dump = tmp_path / f"{text.replace('/', '_')}.sass"
    dump.write_text((DATA / "gemm_sm100.sass").read_text().replace("gemm", text) + f"\n// {text}\n")
    page.open("scan")
    page.one("[name=file]").send_keys(str(dump))
    page.until(lambda: dump.name in page.text("section:not([hidden]) .answer"))
    assert page.all("main img, main script, main iframe, main object") == []
    drawn = "[...document.querySelectorAll('.drawn')].flatMap(e => [...e.shadowRoot.querySelectorAll('*')])"
    tags = page.script(f"return {drawn}.map(e => e.localName)")
    of_svg = {"svg", "g", "rect", "line", "path", "text", "title", "desc", "defs", "pattern"}
    assert set(tags) <= {"pre", "span", "a", *of_svg}
    assert page.script(f"return {drawn}.every(e => e.localName !== 'a' || e.getAttribute('href')[0] === '#')")


def test_the_documents_are_part_of_the_page(page: Page) -> None:
    page.open("decode")
    link = page.one("footer a")
    assert link.text == "documents"
    page.driver.get(link.get_attribute("href"))
    page.driver.find_element("link text", "LBO and SBO").click()
    pictures = page.script("return [...document.images].map(e => e.naturalWidth)")
    assert page.driver.find_element("css selector", "h1").text
    assert pictures
    assert all(pictures)
    page.media(width=390)
    assert page.script("return document.documentElement.scrollWidth") <= 390
    page.driver.get(page.home)


def test_it_asks_nobody_else(page: Page) -> None:
    opened(page, "plan")
    asked = page.script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert asked
    assert all(name.startswith(page.home) for name in asked)


# --------------------------------------------------------------------------------------------------- looks, access


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_shows_it_without_scrolling_sideways(page: Page, view: str) -> None:
    page.media(width=390)
    opened(page, view)
    assert page.script("return document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("view", VIEWS)
def test_on_a_phone_pictures_can_be_read_and_the_answer_is_on_the_first_screen(page: Page, view: str) -> None:
    page.media(width=390)
    opened(page, view)
    section = "document.querySelector('section:not([hidden])')"
    answer = f"{section}.querySelector(arguments[0]).getBoundingClientRect()"
    if view in ("decode", "readings", "error"):
        assert page.script(f"return {answer}.bottom + scrollY", ".heading") <= 500
        assert page.script(f"return {answer}.bottom + scrollY", ".strip") <= 844
    else:
        others = {"wrong": ".problem", "tensormap": ".strip", "plan": ".report", "mma": ".report", "explain": ".report"}
        first = others.get(view, ".picture .drawn")
        assert page.script(f"return {answer}.top + scrollY", first) <= 744
    for drawn in page.all(".picture .drawn"):
        own, shown = page.script(
            "const svg = arguments[0].shadowRoot.firstChild;"
            "return [svg.width.baseVal.value, svg.getBoundingClientRect().width]",
            drawn,
        )
        assert shown == pytest.approx(own, abs=0.1)  # whose text is at least 10.5 px
        assert page.script("return arguments[0].parentElement.getBoundingClientRect().right", drawn) <= 390
        fit = page.all("[data-key=full]")
        assert [each.text for each in fit] == ["Fit the width"] * (own > 366)
        for each in fit:
            each.click()
            assert page.script("return arguments[0].getBoundingClientRect().right", drawn) <= 390
            assert each.text == "Full size"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_the_dark_and_in_the_light(page: Page, scheme: str) -> None:
    page.media(scheme)
    opened(page, "error")
    ground = page.script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(_rgb(ground)) < 200) is (scheme == "dark")
    for selector in ("body", "#status", ".verdict", "legend", ".meaning", ".findings strong", "a", ".command"):
        color = page.script(f"return getComputedStyle(document.querySelector({selector!r})).color")
        one, other = ("#{:02x}{:02x}{:02x}".format(*_rgb(each)) for each in (color, ground))
        assert contrast(one, other) >= 4.5, selector


def _rgb(text: str) -> list[int]:
    return [int(each) for each in text.partition("(")[2].rstrip(")").split(",")[:3]]


@pytest.mark.parametrize("view", VIEWS)
def test_a_screen_reader_has_a_name_for_every_control(page: Page, view: str) -> None:
    opened(page, view)
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    asked = {"textbox", "combobox", "button", "tab", "link", "checkbox", "image", "tabpanel", "region"}
    nameless = [each for each in tree if not each.get("ignored") and _role(each) in asked and not _name(each)]
    assert nameless == []


def test_the_focus_goes_through_the_page_in_its_order(page: Page) -> None:
    """By Tab: past the views into the fields, then one stop for all bits, then the fields of the value."""
    from selenium.webdriver.common.keys import Keys

    opened(page, "decode")
    page.script("document.querySelector('.skip').focus()")
    seen = []
    while not seen or seen[-1] != "field-swizzle":
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(page.script("const e = document.activeElement; return e.dataset.key || e.name || e.dataset.view"))
        assert len(seen) < 40
    fields = [each.get_attribute("data-key") for each in page.all(".control [data-key], .findings a")]
    examples = ["example"] * len(page.all(".examples a"))
    views = ["plan", "decode", "layout", "mma", "scan", "explain"]
    assert seen == [*views, "text", *examples, "known", "bit63", *fields]


def _role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


# ---------------------------------------------------------------------------------------------------------- offline


def test_it_works_in_a_folder_of_a_site_and_after_a_reload_without_a_network(page: Page, tmp_path: Path) -> None:
    """Served without a header of ours, as GitHub Pages does; the last test, since it leaves the page's own server."""
    (tmp_path / "smemdesc").symlink_to(PAGE)
    with plainly_served(tmp_path) as served:
        there = Page(page.driver, f"http://127.0.0.1:{served.server_port}/smemdesc/")
        there.open("decode?text=0x08400010&tab=idesc%3Af8f6f4")
        assert there.text("[role=tab][aria-selected=true]").startswith("idesc:f8f6f4")
        pasted(there)
        shown = there.whole()
        there.until(
            lambda: there.driver.execute_async_script(
                "const done = arguments[0];"
                "navigator.serviceWorker.ready.then(() => done(Boolean(navigator.serviceWorker.controller)))"
            )
        )
    there.driver.refresh()
    there.ready()
    there.until(lambda: "HGMMA" in there.shadow("section:not([hidden]) .report .drawn"))
    assert there.whole() == shown
