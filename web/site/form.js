// A view's state is its form; the URL holds all its fields. The forms are those of the command line.
import about from "./about.js";
import { el } from "./dom.js";

export const FORMS = about.forms;
const described = new WeakMap(); // what stands for a field: an option, a switch, ...

/** Put the fields of one form into a section; keep what was typed into a field of the same name. */
export function build(section, { title, fields, more = [], ask = [] }) {
  const form = section.querySelector("form");
  const kept = Object.fromEntries([...stateOf(form)]);
  for (const [place, some] of [["fields", fields], ["more", more], ["ask", ask]]) {
    const set = form.querySelector(`[data-${place}]`);
    if (!set) continue;
    for (const old of set.querySelectorAll("label[data-made]")) old.remove();
    if (place === "fields" && title) form.querySelector("[data-title]").textContent = title;
    set.append(...some.map((each) => label(each, place === "ask")));
    set.hidden = !some.length && !set.querySelector("label");
  }
  for (const field of form.elements) {
    if (field.name in kept && described.has(field)) put(field, kept[field.name]);
  }
}

function label(about, asks) {
  const { name, choices, flag, start = "", example = "" } = about;
  const option = about.option ?? flag;
  const given = { name, title: option ? `${option}: ${about.help}` : about.help, "data-start": start };
  const field = flag
    ? el("input", { ...given, type: "checkbox" })
    : choices
      ? el("select", given, choices.map(([value, text]) => el("option", { value, selected: value === start }, text)))
      : el("input", { ...given, value: start, placeholder: example, spellcheck: "false", size: Math.max(4, Math.min(22, Math.max(example.length, start.length) + 1)) });
  described.set(field, { ...about, asks });
  return el("label", { "data-made": true }, about.label, " ", field);
}

/** Return the fields of a form that differ from their defaults. */
export function stateOf(form) {
  const state = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || field.type === "file") continue;
    if (field.type === "checkbox") {
      if (field.checked) state.set(field.name, "1");
    } else if (field.value !== usual(field) || isGiven(field)) state.set(field.name, field.value);
  }
  return state;
}

/** Set the fields of a form; the others get their defaults. */
export function fill(form, state) {
  for (const field of form.elements) {
    if (!field.name || field.type === "file") continue;
    put(field, state.get(field.name) ?? usual(field));
    if (state.has(field.name)) field.dataset.given = "";
    else delete field.dataset.given;
  }
}

/** Whether the user chose a field's value, though it is the default. */
function isGiven(field) {
  return "given" in field.dataset && Boolean(field.dataset.start);
}

/** Mark the fields whose default the answer depends on. */
export function marked(form) {
  for (const field of form.elements) {
    field.parentElement.classList.toggle("assumed", Boolean(described.get(field)?.assumed) && field.value === usual(field) && !isGiven(field));
  }
}

/** Return what is assumed, in words, the fields first: "type bf16, major K". */
export function assumed(form, ...more) {
  const fields = [...form.querySelectorAll(".assumed :is(input, select)")];
  return [...fields.map((field) => `${described.get(field).label} ${field.value}`), ...more].filter(Boolean).join(", ");
}

/** Show beside folded fields what they hold. */
export function folded(section) {
  for (const place of section.querySelectorAll("summary > .known")) {
    const said = known(place.closest("details").querySelector("fieldset"));
    place.textContent = said ? `: ${said}` : "";
  }
}

/** Return what is given in a form or a part of it, in words. */
function known(form) {
  const given = (field) => (field.type === "checkbox" ? field.checked : field.value !== usual(field));
  const fields = [...form.elements].filter((field) => described.has(field) && given(field));
  const text = (field) => (field.type === "checkbox" ? "" : ` ${field.selectedOptions?.[0].text ?? field.value}`);
  return fields.map((field) => `${described.get(field).label}${text(field)}`).join(", ");
}

function usual(field) {
  return field.dataset.start ?? (field.tagName === "SELECT" ? field.options[0].value : "");
}

function put(field, value) {
  if (field.type === "checkbox") field.checked = value === "1";
  else {
    // A link may have an unknown choice: it is shown, and rejected when it is read.
    if (field.tagName === "SELECT" && ![...field.options].some((each) => each.value === value)) field.append(new Option(value, value));
    field.value = value;
  }
}

/** Return the command-line options of a form; `asks`: those that look up one place. */
export function options(form, { except = [], asks = false } = {}) {
  const words = [];
  for (const field of form.elements) {
    const about = described.get(field);
    if (!about || about.asks !== asks || except.includes(about.name)) continue;
    const value = field.value.trim();
    if (about.flag) words.push(...(field.checked ? [about.flag] : []));
    else if (about.switch) words.push(...(value ? [value] : []));
    else if (about.option && value && value !== about.default) words.push(about.option, value);
  }
  return words;
}
