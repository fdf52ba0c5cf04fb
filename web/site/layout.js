// Layout: pictures of atom, operand, tile, fragment and mask, and the address of an element.
import { el, problemShown, show } from "./dom.js";
import { options } from "./form.js";
import { addressWords, picture } from "./picture.js";
import { copies, problemOf, reportInto, reportOf, run } from "./report.js";

let asked = 0;

/** Show the fields of what is drawn. */
export function prepare(section) {
  const form = section.querySelector("form");
  const what = form.elements.what.value;
  for (const each of form.querySelectorAll("[data-for]")) each.hidden = !each.dataset.for.split(" ").includes(what);
}

function wordsOf(form) {
  const what = form.elements.what.value;
  const place = [...form.querySelectorAll("[data-place]")].find((each) => !each.closest("[hidden]"));
  const given = place ? [place.value.trim()] : [];
  if (place && !given[0]) return null;
  return what === "mask" ? ["mask", ...given, ...options(form)] : ["layout", what, ...given, ...options(form)];
}

export async function refresh(section) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const mine = ++asked;
  const words = wordsOf(form);
  if (!words) {
    problemShown(section);
    return show(place, el("p", {}, "Give a value."));
  }
  const drawn = el("div", { class: "picture" });
  const answer = await picture(drawn, words);
  if (mine !== asked) return;
  const problem = problemOf(answer);
  problemShown(section, problem);
  if (problem) return show(place);
  const said = await places(form, words);
  if (mine !== asked) return;
  const command = answer.command.replace(/ --svg -$/, "");
  show(place, said, drawn, copies(command, { words }), reportOf("Report", words));
}

/** The answers to the element and the byte that are asked for. */
async function places(form, words) {
  if (form.elements.what.value !== "operand") return null;
  const more = ["at", "byte"].flatMap((name) => {
    const value = form.elements[name].value.trim();
    return value ? [`--${name}`, value] : [];
  });
  if (!more.length) return null;
  const made = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": "Addresses" });
  reportInto(made, await run(addressWords(words, more)));
  return made;
}
