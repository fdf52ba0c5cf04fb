// A picture that Python draws, and the cell that is pointed at, tapped, or chosen by the arrow keys.
import { ask } from "./engine.js";
import { adopted, el, show } from "./dom.js";
import { problemOf, reportInto, run } from "./report.js";

const UNIT = 16; // bytes of a cell of an operand's picture
const HINT = "Point at a cell or tap it; arrow keys go from cell to cell.";
const TIP = 400; // pixels that an answer needs beside a picture
const NARROW = 760; // pixels of a window that an answer over a picture fills
const READABLE = 0.8; // of a picture's size: below it, its smallest text has less than 8.4 pixels
const FAR = 1e6;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let hovered = 0;

/** Draw the output of `words`; true on success. In an operand, each element shows its address. */
export async function picture(place, words) {
  const answer = await ask("run", { words: [...words, "--svg", "-"], plain: true });
  if (!answer.out) {
    const problem = problemOf(answer);
    show(place, el("p", { class: "none" }, problem ? `${problem.message}. ${problem.hint}` : "No picture for this."));
    return answer;
  }
  const drawn = adopted(answer.out);
  const svg = drawn.shadowRoot.querySelector("svg");
  const cells = [...svg.querySelectorAll("rect")].filter((each) => titleOf(each));
  for (const cell of cells) {
    const [, field] = /^bits \[[\d:]+\]: (\w+),/.exec(titleOf(cell)) ?? [];
    if (field) cell.dataset.of = field; // it is lit with the rest of the field
  }
  const name = svg.querySelector("title").textContent;
  svg.setAttribute("aria-label", name);
  const tip = el("div", { class: "tip", role: "status" }, cells.length ? HINT : "");
  const named = { role: cells.length ? "application" : "region", "aria-label": name, "aria-roledescription": "picture" };
  const scroll = el("div", { class: "scroll", tabindex: 0, "data-key": `picture-${words[0]}`, ...named }, drawn);
  const full = el("button", { type: "button", "data-key": "full", hidden: true });
  asking(svg, cells, words, scroll, tip);
  sized(place, svg, scroll, full);
  show(place, full, scroll, tip);
  return answer;
}

const titleOf = (cell) => cell.querySelector(":scope > title")?.textContent;

/** A picture that is wider than the page fits into it if it can be read so, else it scrolls; the button changes that. */
function sized(place, svg, scroll, full) {
  const wide = svg.width.baseVal.value;
  let chosen; // once the button was pressed
  const look = () => {
    const own = chosen ?? place.clientWidth < wide * READABLE;
    scroll.classList.toggle("full", own);
    full.textContent = own ? "Fit the width" : "Full size";
    full.hidden = wide <= place.clientWidth + 1;
  };
  full.addEventListener("click", () => {
    chosen = !scroll.classList.contains("full");
    look();
  });
  new ResizeObserver(look).observe(place);
}

/** Answer for the cell under the pointer, for the one that is tapped, and for the one that arrow keys lead to. */
function asking(svg, cells, words, scroll, tip) {
  let grid = null; // asked for when somebody points
  let here = null; // the cell that was asked last
  const frame = document.createElementNS(svg.namespaceURI, "rect");
  frame.setAttribute("class", "asked");
  const about = async (cell, at, y) => {
    here = cell;
    for (const name of ["x", "y", "width", "height", "rx"]) frame.setAttribute(name, cell.getAttribute(name) ?? 0);
    svg.append(frame);
    beside(tip, svg, y);
    if (words[1] === "operand") grid ??= addresses(words);
    pointed(titleOf(cell), at, words, await grid, tip);
  };
  const quiet = () => {
    hovered++;
    frame.remove();
    tip.className = "tip";
    tip.textContent = HINT;
    delete tip.dataset.asked;
  };
  const under = ({ target, clientX, clientY }) => {
    const cell = target.closest("rect");
    if (cell && titleOf(cell)) about(cell, within(cell, clientX, clientY), clientY);
    return cell && titleOf(cell);
  };
  svg.addEventListener("pointermove", (event) => event.pointerType !== "touch" && under(event));
  svg.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType !== "touch" && tip.classList.contains("over")) quiet(); // else it hides nothing
  });
  svg.addEventListener("click", (event) => under(event) || quiet());
  scroll.addEventListener("blur", () => tip.classList.contains("over") && quiet());
  scroll.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (event.key === "Escape") quiet();
    if (!step || !cells.length) return;
    event.preventDefault();
    const cell = here?.isConnected ? following(here, step, cells) : cells[0];
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { top, height } = cell.getBoundingClientRect();
    about(cell, [0, 0], top + height / 2);
    cell.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true })); // its field is lit
  });
}

/** The nearest cell to the left, right, above or below, the same one at the edge. */
function following(from, [right, down], cells) {
  const place = (cell) => ["x", "y", "width", "height"].map((name) => Number(cell.getAttribute(name)));
  const [x, y, wide, tall] = place(from);
  let best = from;
  let least = Infinity;
  for (const cell of cells) {
    const [left, top, across, high] = place(cell);
    const far = [left + across / 2 - x - wide / 2, top + high / 2 - y - tall / 2];
    const along = far[0] * right + far[1] * down;
    const aside = Math.abs(right ? far[1] : far[0]);
    const cost = along + 3 * aside + (aside > along ? FAR : 0); // what is beside rather than ahead comes last
    if (along > 1 && cost < least) [best, least] = [cell, cost];
  }
  return best;
}

/** The byte address of each element: a list for each mn. */
async function addresses(words) {
  const { out, status } = await ask("run", { words: [...words, "--json"], plain: true });
  return status ? null : JSON.parse(out).addresses;
}

/** Put an answer beside a picture, or over the half of the window without the pointer. */
function beside(tip, svg, y) {
  const over = tip.parentElement.clientWidth - svg.clientWidth < TIP;
  tip.className = over ? `tip over${y > innerHeight / 2 ? " above" : ""}` : "tip beside";
}

/** How far right and down in a cell, each from 0 to less than 1. */
function within(cell, x, y) {
  const box = cell.getBoundingClientRect();
  const part = (far, whole) => Math.min(0.999, Math.max(0, far / whole));
  return [part(x - box.left, box.width), part(y - box.top, box.height)];
}

/** Show what a cell holds: the picture's text, or the answer of a command line. */
async function pointed(title, at, words, grid, tip) {
  const asked = question(title, at, words, grid);
  const key = asked ? asked.join(" ") : title;
  if (tip.dataset.asked === key) return;
  tip.dataset.asked = key;
  const mine = ++hovered;
  if (!asked) {
    tip.textContent = title;
    return;
  }
  // Over a narrow window, as many columns as fit: nothing of the answer is cut.
  const answer = await run(asked, innerWidth <= NARROW ? { columns: Math.floor((innerWidth - 42) / 6.05) } : {});
  if (mine !== hovered) return;
  if (answer.status === 2) tip.textContent = title;
  else reportInto(tip, answer);
}

function question(title, [right, down], words, grid) {
  const [, mn, k] = /^(?:mn|m|n|row) (\d+), (?:k|column) (\d+):/.exec(title) ?? [];
  const block = /^lanes (\d+)\.\.(\d+), columns (\d+)\.\.(\d+):/.exec(title)?.slice(1).map(Number);
  const place = (first, last, part) => String(first + Math.floor((last - first + 1) * part));
  if (mn && grid) {
    const unit = Math.floor(grid[mn][k] / UNIT) * UNIT;
    return addressWords(words, ["--byte", place(unit, unit + UNIT - 1, right)]);
  }
  if (mn && (words[1] === "fragment" || words[1] === "scales")) return [...words, "--at", `${mn},${k}`];
  if (block && words[1] === "tmem") {
    const [lane, lastLane, column, lastColumn] = block;
    return [...words, "--lane", place(lane, lastLane, down), "--column", place(column, lastColumn, right)];
  }
  return null;
}

/** The command for the address of an element, or for the element at a byte. */
export function addressWords(words, more) {
  return ["layout", "address", ...words.slice(2), ...more];
}
