// Plan: every constant of a GEMM's tile, ready to be copied.
import { copier, el, problemShown, show } from "./dom.js";
import { options } from "./form.js";
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
  const words = ["plan", shape, ...options(form)];
  const answer = await run(words);
  if (mine !== asked) return;
  const problem = problemOf(answer);
  problemShown(section, problem);
  if (problem) return show(place);
  const style = form.elements.format.value;
  const block = await ask("run", { words: [...words, "--format", style], plain: true });
  if (mine !== asked) return;
  const report = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": "Plan" });
  reportInto(report, answer);
  const drawn = el("div", { class: "picture" });
  show(
    place,
    report,
    el("h3", {}, "Constants"),
    el("div", { class: "copies" }, copier("Copy the constants", () => block.out)),
    el("pre", { class: "block", tabindex: 0, role: "region", "aria-label": "Constants" }, block.out),
    copies(answer.command, { words }),
    drawn
  );
  picture(drawn, words);
}
