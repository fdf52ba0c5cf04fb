// Decode: the pasted text, its readings as tabs, bits to click, fields to edit, findings beside them.
import { ask } from "./engine.js";
import { copier, el, problemShown, show } from "./dom.js";
import { folded, options } from "./form.js";
import { copies, reportOf } from "./report.js";
import { picture } from "./picture.js";
import { linkTo, LONGEST } from "./scan.js";

let asked = 0;
let held = "";

/** The bits of a field, its row, and its bits in the picture are lit together. */
export function begin(section) {
  const place = section.querySelector(".answer");
  const fieldOf = (event) => event.composedPath().find((each) => each.dataset?.of)?.dataset.of;
  const light = (field) => {
    const roots = [place, ...[...place.querySelectorAll(".drawn")].map((each) => each.shadowRoot)];
    const all = roots.flatMap((root) => [...root.querySelectorAll("[data-of]")]);
    for (const each of all) each.classList.toggle("lit", each.dataset.of === field);
  };
  let kept; // the field that has the focus, or was clicked or tapped
  for (const type of ["focusin", "click"]) place.addEventListener(type, (event) => light((kept = fieldOf(event))));
  place.addEventListener("pointerover", (event) => light(fieldOf(event) ?? kept));
  place.addEventListener("pointerleave", () => light(kept));
}

/** A new text is another value: drop the choices for the old one. */
export function typed(section, field) {
  const { pick, tab } = section.querySelector("form").elements;
  if (field.name === "text") pick.value = tab.value = "";
  if (field.name === "kind" || field.name === "mma-kind") tab.value = "";
}

/** Text too long for a link is not in it, but is restored by Back. */
export function kept(section, state) {
  if (!(state.get("text")?.length > LONGEST)) return;
  held = state.get("text");
  state.set("text", "");
  state.set("held", "1");
}

export function restored(section, state) {
  if (state.has("held")) section.querySelector("form").elements.text.value = held;
}

/** Grow the field with the pasted text, and show what the closed fields hold. */
export function prepare(section) {
  const form = section.querySelector("form");
  form.elements.text.rows = Math.min(8, form.elements.text.value.split("\n").length);
  folded(section);
}

export async function refresh(section, changed) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const { text, pick, tab } = form.elements;
  const mine = ++asked;
  if (!text.value.trim()) {
    problemShown(section);
    return show(place);
  }
  const case_ = options(form);
  const answer = await ask("decode", { text: text.value, options: case_, pick: Number(pick.value) || 0 });
  if (mine !== asked) return; // something was typed meanwhile
  problemShown(section, answer.problem);
  if (answer.problem) {
    return show(place, answer.dump ? toScan(text.value) : null);
  }
  const set = (value) => {
    text.value = value;
    pick.value = "";
    changed();
  };
  const edit = async (reading, change, at) => {
    const { bits, kind, view } = reading;
    const made = await ask("edit", { bits, kind, view, ...change });
    if (made.problem) return problemBeside(at, made.problem);
    set(made.value);
  };
  const readings = answer.readings;
  const chosen = Math.max(0, readings.findIndex((each) => each.id === tab.value));
  const pickTab = (id) => {
    tab.value = id;
    changed();
  };
  show(
    place,
    answer.dump ? toScan(text.value) : null,
    answer.values.length > 1 ? several(answer, pick, changed) : null,
    heading(answer, readings[chosen]),
    findings(answer.findings, set),
    readings.length > 1 ? tabs(readings, chosen, pickTab) : null,
    panel(readings[chosen], readings.length > 1, edit, set),
    near(answer.near, set),
    drawn(readings[chosen], form),
    copies(answer.command, { words: ["decode", answer.value, ...case_] }, [copier("Copy JSON", () => JSON.stringify(answer.json))]),
    reportOf("Report", ["decode", answer.value, ...case_])
  );
}

/** A dump, or text without a value, was pasted: offer Scan. */
function toScan(text) {
  const scan = async () => {
    location.hash = await linkTo(text);
  };
  return el("p", { class: "dump" }, "This looks like a dump. ",
    el("button", { type: "button", "data-key": "scan", onclick: scan }, "Scan it"), " for its instructions and their descriptors.");
}

function several(answer, pick, changed) {
  return el("p", { class: "values", role: "group", "aria-label": "Values in what was pasted" },
    "Found: ",
    answer.values.map((value, index) =>
      el("button", {
        type: "button", class: "value", "data-key": `value${index}`, "aria-pressed": String(value === answer.value),
        onclick: () => { pick.value = index || ""; changed(); },
      }, value)
    ));
}

function heading(answer, reading) {
  const said = reading.findings.some((each) => each.message === answer.reason); // a finding says it, and what to do
  const title = answer.settled ? reading.title : answer.readings.map((each) => each.id).join(" or ");
  return el("div", { class: "heading", "aria-live": "polite" },
    el("h2", {}, el("code", { class: "whole" }, answer.settled ? reading.value : answer.value), " ", title),
    el("p", {}, el("span", { class: `verdict ${answer.verdict}` }, answer.verdict), said ? "" : ` ${answer.reason}`));
}

function tabs(readings, chosen, pickTab) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (chosen + step + readings.length) % readings.length;
    event.currentTarget.children[next].focus();
    pickTab(readings[next].id);
  };
  return el("div", { role: "tablist", "aria-label": "Readings", class: "tabs", onkeydown: move },
    readings.map((each, index) =>
      el("button", {
        type: "button", role: "tab", id: `tab-${index}`, "aria-controls": "reading", "aria-selected": String(index === chosen),
        tabindex: index === chosen ? 0 : -1, "data-key": `tab${each.id}`, onclick: () => pickTab(each.id),
      }, each.id, " ", el("span", { class: `verdict ${each.verdict}` }, each.verdict))
    ));
}

function panel(reading, tabbed, edit, set) {
  const given = tabbed ? { role: "tabpanel", id: "reading", "aria-label": reading.id } : { id: "reading" };
  const keys = new Set(reading.fields.map((each) => each.key));
  const general = reading.findings.filter((each) => !each.fields.some((key) => keys.has(key)));
  return el("div", given,
    tabbed ? el("p", {}, reading.title) : null,
    findings(general, set),
    reading.words.map(([label, text]) => el("p", { class: "words" }, `${label}: ${text}`)),
    strip(reading, edit),
    history.state?.steps ? el("button", { type: "button", "data-key": "undo", onclick: () => history.back() }, "Undo") : null,
    el("div", { class: "fields" }, reading.fields.map((field) => row(field, reading, edit, set))));
}

/** The bits, most significant first; one of them has the focus, arrows move it. */
function strip(reading, edit) {
  const place = el("div", { class: "problem", role: "alert" });
  const turn = (bit) => edit(reading, { bit }, place);
  const groups = [...reading.fields].reverse().map((field) =>
    el("span", { class: `group ${field.style}`, title: field.key, "data-of": field.key },
      el("span", { class: "ruler", "aria-hidden": "true" }, field.hi),
      el("span", { class: "bits" }, [...field.bits].map((digit, index) => {
        const bit = field.hi - index;
        return el("button", {
          type: "button", tabindex: bit === reading.width - 1 ? 0 : -1, "data-key": `bit${bit}`, "data-bit": bit,
          "aria-label": `bit ${bit} of ${field.key}: ${digit === "?" ? "not known" : digit}`, onclick: () => turn(bit),
        }, digit);
      }))));
  const move = (event) => {
    const step = { ArrowLeft: 1, ArrowRight: -1, Home: reading.width, End: -reading.width }[event.key];
    if (!step) return;
    event.preventDefault();
    const now = Number(event.target.dataset.bit);
    const next = Math.min(reading.width - 1, Math.max(0, now + step));
    event.currentTarget.querySelector(`[data-bit="${next}"]`).focus();
  };
  return el("div", {},
    el("div", { class: "strip", role: "group", "aria-label": "Bits: arrow keys move, Enter flips one", onkeydown: move }, groups),
    place);
}

function row(field, reading, edit, set) {
  const mine = reading.findings.filter((each) => each.fields.includes(field.key) && first(each, reading) === field.key);
  const others = reading.findings.filter((each) => each.fields.includes(field.key) && first(each, reading) !== field.key);
  const worst = ["error", "warning", "note"].find((one) => mine.concat(others).some((each) => each.severity === one));
  const beside = el("div", { class: "problem", role: "alert" });
  return el("div", { class: `field ${worst ?? ""}`, "data-field": field.key, "data-of": field.key },
    el("span", { class: `place ${field.style}` }, field.place),
    el("span", { class: "key" }, field.key),
    control(field, reading, edit, beside),
    el("span", { class: "raw", title: field.takes }, field.raw_text, field.text ? el("span", { class: "text" }, ` ${field.text}`) : null),
    el("span", { class: field.wrong ? `meaning ${field.style}` : "meaning" }, field.meaning),
    beside,
    findings(mine, set));
}

/** The field at which a finding is shown; its other fields are only marked. */
function first(finding, reading) {
  const repaired = finding.repair ? Object.keys(finding.repair)[0] : finding.fields[0];
  return reading.fields.some((each) => each.key === repaired) ? repaired : finding.fields[0];
}

function control(field, reading, edit, beside) {
  const { input, key } = field;
  if (!input) return el("span", { class: "control" });
  const given = { "aria-label": key, "data-key": `field-${key}`, title: field.takes };
  const send = (event) => edit(reading, { field: key, to: event.target.value }, beside);
  if (input.choices) {
    const known = input.choices.some(([name]) => name === input.now);
    return el("span", { class: "control" },
      el("select", { ...given, onchange: send },
        known ? null : el("option", { value: "", selected: true, disabled: true }, field.raw_text),
        input.choices.map(([name, text]) => el("option", { value: name, selected: name === input.now }, text))));
  }
  return el("span", { class: "control" },
    el("input", { ...given, value: input.now, placeholder: "?", size: Math.max(8, input.now.length), spellcheck: "false", autocomplete: "off", onchange: send }),
    input.unit ? el("span", { class: "unit" }, ` ${input.unit}`) : null);
}

function problemBeside(at, { message, hint }) {
  show(at, el("p", {}, el("strong", {}, message), hint ? ` ${hint}` : ""));
}

function findings(found, set) {
  if (!found.length) return null;
  return el("ul", { class: "findings" }, found.map((each) =>
    el("li", { class: each.severity },
      el("p", {}, el("strong", {}, each.severity), " ", explained(each.rule), ": ", each.message),
      each.because ? el("p", {}, "follows from ", explained(each.because)) : null,
      each.likely ? el("p", {}, `probably: ${each.likely}`) : null,
      each.next ? el("p", {}, `next: ${each.next}`) : null,
      each.fix || each.repaired
        ? el("p", {}, each.fix ? `fix: ${each.fix} ` : "",
            each.repaired ? el("button", { type: "button", class: "repair", onclick: () => set(each.repaired) }, `Repair: ${each.repaired}`) : null)
        : null,
      each.source ? el("p", { class: "source" }, each.source) : null)
  ));
}

function explained(rule) {
  return el("a", { href: `#explain?${new URLSearchParams({ names: rule })}`, "data-key": `rule-${rule}` }, el("code", {}, rule));
}

function near(found, set) {
  if (!found.length) return null;
  return el("p", { class: "near" }, "Near: ",
    found.map((each) => el("button", { type: "button", class: "value", onclick: () => set(each.value) }, `${each.reading}, ${each.repair}: ${each.value}`)));
}

/** The anatomy of a shared-memory descriptor, what a mask zeroes, and a link to more. */
function drawn(reading, form) {
  const value = (name) => form.elements[name].value.trim();
  const said = (...names) => Object.fromEntries(names.map((name) => [name, value(name)]).filter(([, each]) => each));
  const link = (state) => el("a", { href: `#layout?${new URLSearchParams(state)}` }, "Open in Layout");
  if (reading.kind === "mask") {
    const state = { what: "mask", value: reading.value, m: value("m") || "128", n: value("n") || "128" };
    return section("Columns", ["mask", reading.value, "--m", state.m, "--n", state.n], link(state));
  }
  if (reading.kind !== "wgmma" && reading.kind !== "tcgen05") return null;
  const state = { what: "operand", value: reading.value, kind: reading.kind, ...said("dtype", "major", "shape", "mma-kind") };
  const { dtype, major } = reading.assumed;
  const assumed = Object.entries(reading.assumed).flatMap(([name, text]) => [`--${name}`, text]);
  const words = ["decode", reading.value, "--kind", reading.kind, ...options(form, { except: ["kind"] }), ...assumed];
  const guesses = [dtype, major && `${major}-major`].filter(Boolean).join(", ");
  const guess = guesses && el("strong", { class: "assumed" }, `Assumed: ${guesses}. `);
  const more = value("tile") || value("shape") ? "" : "Give a tile or a shape for all rows. ";
  return section("Anatomy", words, el("span", {}, guess, more, link(state)));

  function section(title, words, note) {
    const place = el("div", { class: "picture" });
    picture(place, words);
    return el("div", { class: "beside", role: "group", "aria-label": title }, el("h3", {}, title), el("p", {}, note), place);
  }
}
