// The page: the current view, its state in the URL, and Python's messages while it starts.
import about from "./about.js";
import { EARLY, onStatus } from "./engine.js";
import { el, policy } from "./dom.js";
import { build, fill, FORMS, marked, stateOf } from "./form.js";
import { view } from "./command.js";
import * as decode from "./decode.js";
import * as layout from "./layout.js";
import * as plan from "./plan.js";
import * as scan from "./scan.js";

const VIEWS = { plan, decode, layout, mma: view("mma"), scan, explain: view("explain") };
const FIRST = "plan";
const sections = Object.fromEntries(
  [...document.querySelectorAll("section[data-view]")].map((each) => [each.dataset.view, each])
);
let shown = "";
let ready = false;
let asked = 0;
let typing = null; // the field that is being typed into: all of it is one step of the history

/** Read the URL: #view?field=value&... */
function read() {
  const [name, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  return [name in VIEWS ? name : FIRST, new URLSearchParams(query)];
}

async function open() {
  const [name, state] = read();
  const section = sections[name];
  typing = null;
  if (name !== shown) {
    for (const [each, one] of Object.entries(sections)) one.hidden = each !== name;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    shown = name;
    document.title = `${name[0].toUpperCase()}${name.slice(1)} · smemdesc`;
  }
  linked();
  VIEWS[name].filled?.(section, state);
  fill(section.querySelector("form"), state);
  await VIEWS[name].restored?.(section, state);
  refresh();
}

/** A view's link restores its last state, and an example is marked while it is shown. */
function linked() {
  for (const link of document.querySelectorAll(`nav a[data-view=${shown}]`)) link.href = location.hash || `#${FIRST}`;
  for (const link of sections[shown].querySelectorAll(".examples a")) {
    if (link.hash === location.hash) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Update the URL and the answer: a step in the history, except for typed letters after the first. */
async function changed(field = null) {
  const section = sections[shown];
  const state = stateOf(section.querySelector("form"));
  const step = !field || field !== typing;
  typing = field;
  await VIEWS[shown].kept?.(section, state);
  const query = state.toString();
  const to = `#${shown}${query ? `?${query}` : ""}`;
  const steps = history.state?.steps ?? 0;
  if (step && to !== location.hash) history.pushState({ steps: steps + 1 }, "", to);
  else history.replaceState({ steps }, "", to);
  linked();
  refresh();
}

async function refresh() {
  const section = sections[shown];
  const mine = ++asked;
  section.setAttribute("aria-busy", "true");
  marked(section.querySelector("form"));
  VIEWS[shown].prepare?.(section);
  if (!ready && (shown === "scan" || !EARLY.includes(location.hash))) return;
  await VIEWS[shown].refresh(section, changed);
  if (mine !== asked) return;
  section.setAttribute("aria-busy", "false");
  section.dataset.shown = location.hash; // what is shown is what the address says
}

for (const section of Object.values(sections)) {
  const form = section.querySelector("form");
  form.addEventListener("submit", (event) => event.preventDefault());
  const take = ({ target, type }) => {
    // A list fires "change" on a choice; typing fires "input" with every letter.
    if (target.type === "file" || (target.tagName === "SELECT") !== (type === "change")) return;
    VIEWS[section.dataset.view].typed?.(section, target);
    target.dataset.given = "";
    changed(type === "input" ? target : null);
  };
  form.addEventListener("input", take);
  form.addEventListener("change", take);
}
addEventListener("hashchange", open);
// What is pasted outside of a field is a value, or a dump.
addEventListener("paste", async ({ target, clipboardData }) => {
  const text = clipboardData?.getData("text") ?? "";
  if (!text.trim() || target.closest?.("input, textarea, select")) return;
  location.hash = text.length > scan.LONGEST ? await scan.linkTo(text) : `#decode?${new URLSearchParams({ text })}`;
});

onStatus(({ status, failed, started }) => {
  const place = document.getElementById("status");
  place.replaceChildren(status ? el("span", { class: failed ? "failed" : "busy" }, status) : "");
  if (!started) return;
  ready = true;
  place.textContent = "Ready";
  const early = sections[shown].dataset.shown === location.hash;
  // After the first answer: cache what the next visit needs offline.
  Promise.resolve(early || refresh()).finally(() => navigator.serviceWorker?.register(policy.createScriptURL("service.js")).catch(() => {}));
});

about.chunks.forEach((color, index) => document.documentElement.style.setProperty(`--chunk${index}`, color));
document.documentElement.style.setProperty("--ink", about.ink);
document.getElementById("version").textContent = about.version;
for (const [name, view] of Object.entries(VIEWS)) {
  if ("fields" in FORMS[name]) build(sections[name], FORMS[name]);
  const examples = about.examples[name]?.map(([label, href]) => el("a", { href, "data-key": "example" }, label)) ?? [];
  sections[name].querySelector(".examples")?.append("Examples: ", ...examples);
  view.begin?.(sections[name], changed);
}
open();
document.querySelector("section:not([hidden]) textarea")?.select(); // what is typed or pasted replaces the example
