// Reports as the command line draws them, and what can be copied.
import { ask } from "./engine.js";
import { adopted, copier, el, show } from "./dom.js";

/** Columns of text that fit; below 80 tables lose their shape, so the report scrolls instead. */
export function columns() {
  return Math.max(80, Math.min(120, Math.floor((document.getElementById("main").clientWidth - 16) / 8.1)));
}

/** Run a command line; return its report as an element, or the error. */
export async function run(words, rest = {}) {
  return ask("run", { words, columns: columns(), ...rest });
}

/** The standard error of a command line, as a problem of the page. */
export function problemOf({ err, status }) {
  if (status !== 2 || !err) return undefined;
  const [message, ...rest] = err.trim().split("\n");
  return { message: message.replace(/^error: /, ""), given: null, span: null, hint: rest.join(" ").replace(/\s+/g, " ").trim() };
}

/** The buttons that copy: a link, the command line, the report as text. */
export function copies(command, { words, folder = "" }, more = []) {
  return el("div", { class: "copies", role: "group", "aria-label": "Copy" },
    copier("Copy link", () => location.href),
    copier("Copy as command", () => command),
    copier("Copy as text", async () => (await ask("run", { words, folder, plain: true })).out),
    more,
    el("code", { class: "command" }, command));
}

/** A report that is drawn when it is opened. */
export function reportOf(title, words, rest = {}) {
  const place = el("div", { class: "report", tabindex: 0, role: "region", "aria-label": title });
  const made = el("details", { "data-report": title }, el("summary", { "data-key": `report-${title}` }, title), place);
  made.addEventListener("toggle", async () => {
    opened[made.open ? "add" : "delete"](title);
    if (made.open && !place.firstChild) reportInto(place, await run(words, rest));
  });
  if (opened.has(title)) made.open = true;
  return made;
}

const opened = new Set();

/** Show the result of a command line. */
export function reportInto(place, answer) {
  const text = answer.html ? adopted(answer.html, answer.links) : el("pre", {}, answer.out);
  show(place, text, answer.err ? el("pre", { class: "err" }, answer.err) : null);
}
