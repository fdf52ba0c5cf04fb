// Plan: a GEMM tile on one screen, its shared memory drawn; below, folded, every constant ready to copy.
import { copier, el, problemShown, show } from "./dom.js";
import { assumed, folded, options } from "./form.js";
import { picture } from "./picture.js";
import { ask } from "./engine.js";
import { copies, problemOf, reportInto } from "./report.js";

const COLUMNS = 120; // on every screen, so that the build can ask for the first answer
let asked = 0;

export function begin(section) {
  const constants = section.querySelector(".constants");
  constants.addEventListener("toggle", () => constants.open && written(section));
}

export const prepare = folded;

/** Return the command line of a form; the constants are another form of its output. */
function wordsOf(form) {
  return ["plan", form.elements.shape.value.trim(), ...options(form)];
}

async function written(section) {
  const form = section.querySelector("form");
  const mine = asked;
  const { out } = await ask("run", { words: [...wordsOf(form), "--format", form.elements.format.value], plain: true });
  if (mine !== asked) return;
  show(
    section.querySelector(".written"),
    out ? el("div", { class: "copies" }, copier("Copy the constants", () => out)) : el("p", {}, "None are written: the plan has an error."),
    out && el("pre", { class: "block", tabindex: 0, role: "region", "aria-label": "Constants" }, out)
  );
}

export async function refresh(section) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const constants = section.querySelector(".constants");
  const mine = ++asked;
  const words = wordsOf(form);
  if (!words[1]) {
    constants.hidden = true;
    problemShown(section);
    return show(place, el("p", {}, "Give a tile, as in 128x128x64."));
  }
  const answer = await ask("run", { words, columns: COLUMNS });
  if (mine !== asked) return;
  const problem = problemOf(answer);
  problemShown(section, problem);
  constants.hidden = Boolean(problem);
  if (problem) return show(place);
  const arch = form.elements.arch.value ? "" : (await ask("run", { words: [...words, "--field", "arch", "--force"], plain: true })).out.trim();
  if (mine !== asked) return;
  const report = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": "Plan" });
  reportInto(report, answer);
  const drawn = el("div", { class: "picture" });
  const guess = assumed(form, arch && `arch ${arch}`);
  show(place, guess && el("p", { class: "assumed" }, `Assumed: ${guess}.`), report, copies(answer.command, { words }), drawn);
  if (constants.open) written(section);
  await picture(drawn, words);
}
