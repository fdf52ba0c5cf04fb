// A picture that Python draws, and the element under the pointer.
import { ask } from "./engine.js";
import { adopted, el, show } from "./dom.js";
import { problemOf, reportInto, run } from "./report.js";

const UNIT = 16; // bytes of a cell of an operand's picture
const HINT = "Hover over a cell.";
const TIP = 400; // pixels that an answer needs beside a picture
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
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "picture");
  const tip = el("div", { class: "tip", role: "status" }, HINT);
  let grid = null; // asked for when somebody points
  svg.addEventListener("pointermove", async ({ target, clientX, clientY }) => {
    const cell = target.closest("rect");
    const title = cell?.querySelector("title")?.textContent;
    if (!title) return;
    const at = within(cell, clientX, clientY);
    beside(tip, svg, clientY);
    if (words[1] === "operand") grid ??= addresses(words);
    pointed(title, at, words, await grid, tip);
  });
  svg.addEventListener("pointerleave", () => {
    if (!tip.classList.contains("over")) return; // it hides nothing
    hovered++;
    tip.className = "tip";
    tip.textContent = HINT;
    delete tip.dataset.asked;
  });
  const scroll = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "picture" }, drawn);
  const full = el("button", { type: "button", "aria-pressed": "false", hidden: true }, "Full size");
  full.addEventListener("click", () => full.setAttribute("aria-pressed", String(scroll.classList.toggle("full"))));
  show(place, full, scroll, tip);
  new ResizeObserver(() => (full.hidden = svg.clientWidth >= svg.width.baseVal.value && !scroll.classList.contains("full"))).observe(scroll);
  return answer;
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

/** Show what is under the pointer: the picture's text, or the answer of a command line. */
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
  const answer = await run(asked);
  if (mine === hovered) reportInto(tip, answer);
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
