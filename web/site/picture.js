// A picture that Python draws, and what lies under the pointer.
import { ask } from "./engine.js";
import { adopted, el, show } from "./dom.js";
import { problemOf, reportInto, run } from "./report.js";

const UNIT = 16; // bytes of a cell of an operand's picture
let hovered = 0;

/** Draw what `words` draw; true if it could be drawn. Of an operand, each element answers with its address. */
export async function picture(place, words) {
  const answer = await ask("run", { words: [...words, "--svg", "-"], plain: true });
  if (!answer.out) {
    const problem = problemOf(answer);
    show(place, el("p", { class: "none" }, problem ? `${problem.message}. ${problem.hint}` : "There is no picture of this."));
    return answer;
  }
  const drawn = adopted(answer.out);
  const svg = drawn.shadowRoot.querySelector("svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "picture");
  const tip = el("div", { class: "tip", role: "status" }, "Point at a cell.");
  let grid = null; // asked for when somebody points
  svg.addEventListener("pointermove", async ({ target, clientX }) => {
    grid ??= words[1] === "operand" ? addresses(words) : Promise.resolve(null);
    pointed(target.closest("rect"), clientX, words, await grid, tip);
  });
  show(place, el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "picture" }, drawn), tip);
  return answer;
}

/** The byte address of each element: a list for each mn. */
async function addresses(words) {
  const { out, status } = await ask("run", { words: [...words, "--json"], plain: true });
  return status ? null : JSON.parse(out).addresses;
}

async function pointed(cell, clientX, words, grid, tip) {
  const title = cell?.querySelector("title")?.textContent;
  if (!title) return;
  const first = grid && /^mn (\d+), k (\d+):/.exec(title);
  if (!first) {
    tip.textContent = title;
    return;
  }
  const box = cell.getBoundingClientRect();
  const byte = Math.min(UNIT - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * UNIT)));
  const unit = Math.floor(grid[first[1]][first[2]] / UNIT) * UNIT;
  const asked = `${unit + byte}`;
  if (tip.dataset.byte === asked) return;
  tip.dataset.byte = asked;
  const mine = ++hovered;
  const answer = await run(addressWords(words, ["--byte", asked]));
  if (mine === hovered) reportInto(tip, answer);
}

/** The command that says where an element lies, or which element lies at a byte. */
export function addressWords(words, more) {
  return ["layout", "address", ...words.slice(2), ...more];
}
