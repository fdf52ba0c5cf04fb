// A view of one command line and its output.
import { el, problemShown, show } from "./dom.js";
import { assumed, FORMS, options } from "./form.js";
import { copies, problemOf, reportInto, run } from "./report.js";

/** Return the view of one command. */
export function view(name) {
  const about = FORMS[name];
  let asked = 0;
  return {
    async refresh(section) {
      const form = section.querySelector("form");
      const place = section.querySelector(".answer");
      const mine = ++asked;
      const given = about.place ? form.elements[about.place].value.trim() : "";
      const words = [...about.words, ...(given ? [given] : []), ...options(form)];
      const answer = await run(words);
      if (mine !== asked) return;
      const problem = problemOf(answer);
      problemShown(section, problem);
      if (problem) return show(place);
      const report = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": name });
      reportInto(report, answer);
      const guess = assumed(form);
      show(place, guess && el("p", { class: "assumed" }, `Assumed: ${guess}.`), report, copies(answer.command, { words }));
    },
  };
}
