// Layout: pictures of layouts, and the place of one element.
import { ask } from "./engine.js";
import { el, problemShown, show } from "./dom.js";
import { assumed, build, FORMS, options } from "./form.js";
import { picture } from "./picture.js";
import { copies, problemOf, reportInto, reportOf, run } from "./report.js";

const PICTURES = FORMS.layout;
let asked = 0;

export function begin(section) {
  const { what } = section.querySelector("form").elements;
  what.append(...Object.entries(PICTURES).map(([name, { title }]) => new Option(title, name)));
  shape(section, what.value);
}

/** Show the fields of one picture. */
function shape(section, what) {
  if (section.dataset.what === what) return;
  section.dataset.what = what;
  build(section, { ...PICTURES[what], title: "" });
}

export function filled(section, state) {
  const what = state.get("what");
  shape(section, what in PICTURES ? what : Object.keys(PICTURES)[0]);
}

export function typed(section, field) {
  if (field.name === "what") shape(section, field.value);
}

export async function refresh(section) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const mine = ++asked;
  const about = PICTURES[section.dataset.what];
  const given = about.place ? form.elements[about.place].value.trim() : "";
  if (about.place && !given) {
    problemShown(section);
    return show(place, el("p", {}, `Give a ${about.place}.`));
  }
  const rest = [...(about.place ? [given] : []), ...options(form)];
  const words = [...about.words, ...rest];
  const drawn = el("div", { class: "picture" });
  const answer = await picture(drawn, words);
  if (mine !== asked) return;
  const problem = problemOf(answer);
  problemShown(section, problem);
  if (problem) return show(place);
  const asks = options(form, { asks: true });
  const said = asks.length ? el("div", { class: "report", tabindex: 0, role: "region", "aria-label": "Answer" }) : null;
  if (said) reportInto(said, await run([...about.asked, ...rest, ...asks]));
  if (mine !== asked) return;
  // Without a kind and an architecture, the descriptors of a tile are those of one of them.
  const open = section.dataset.what === "tile" && !form.elements.kind.value;
  const { kind = "" } = open ? JSON.parse((await ask("run", { words: [...words, "--json"], plain: true })).out) : {};
  if (mine !== asked) return;
  const guess = assumed(form, kind && `kind ${kind}`);
  show(place, guess && el("p", { class: "assumed" }, `Assumed: ${guess}.`), said, drawn, copies(answer.command.replace(/ --svg -$/, ""), { words }), reportOf("Report", words));
}
