// Plan: every constant of a GEMM tile, ready to copy.
import { copier, el, problemShown, show } from "./dom.js";
import { assumed, options } from "./form.js";
import { picture } from "./picture.js";
import { ask } from "./engine.js";
import { copies, problemOf, reportInto, run } from "./report.js";

let asked = 0;

export async function refresh(section) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const mine = ++asked;
  const shape = form.elements.shape.value.trim();
  if (!shape) return show(place, el("p", {}, "Give a tile, as in 128x128x64."));
  const words = ["plan", shape, ...options(form, { except: ["format"] })];
  const block = await ask("run", { words: [...words, "--format", form.elements.format.value], plain: true });
  if (mine !== asked) return;
  const problem = problemOf(block);
  problemShown(section, problem);
  if (problem) return show(place);
  const { command } = await ask("command", { words });
  if (mine !== asked) return;
  const report = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": "Plan" });
  const drawn = el("div", { class: "picture" });
  const written = block.out !== ""; // not with an error
  const guess = assumed(form);
  show(
    place,
    guess && el("p", { class: "assumed" }, `Assumed: ${guess}.`),
    written && el("div", { class: "copies" }, copier("Copy the constants", () => block.out)),
    written && el("pre", { class: "block", tabindex: 0, role: "region", "aria-label": "Constants" }, block.out),
    copies(command, { words }),
    el("h3", {}, "The plan"),
    report,
    drawn
  );
  reportInto(report, await run(words));
  await picture(drawn, words);
}
