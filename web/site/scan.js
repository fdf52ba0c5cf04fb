// Scan: a dump that is dropped, chosen or pasted; it stays in this browser.
import { FOLDER, put } from "./engine.js";
import { el, problemShown, show } from "./dom.js";
import { options } from "./form.js";
import { copies, problemOf, reportInto, run } from "./report.js";

export const LONGEST = 16000; // characters of a link that browsers and mail take
let asked = 0;
let files = []; // what was dropped or chosen
let written = null;

export function begin(section, changed) {
  const form = section.querySelector("form");
  const take = async (list) => {
    files = await Promise.all([...list].map(async (file) => ({ name: named(file.name), data: await file.arrayBuffer() })));
    form.elements.dump.value = "";
    form.elements.file.value = ""; // so that the same file can be chosen again
    changed();
  };
  form.elements.file.addEventListener("change", () => take(form.elements.file.files));
  section.addEventListener("dragover", (event) => {
    event.preventDefault();
    section.classList.add("over");
  });
  section.addEventListener("dragleave", () => section.classList.remove("over"));
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("over");
    take(event.dataTransfer.files);
  });
}

/** A name that is one file in one folder, not an option. */
function named(name) {
  return name.replace(/^[-.]+|[/\\\0]/g, "_") || "dump";
}

export function typed(section, field) {
  if (field.name === "dump") files = [];
}

/** Return the URL of the scan of a text; a text that does not fit is kept as a file. */
export async function linkTo(dump) {
  const state = new URLSearchParams({ dump });
  await kept(null, state);
  if (!state.has("z")) files = [{ name: "dump", data: new TextEncoder().encode(dump).buffer }];
  return `#scan?${state}`;
}

/** A dump that fits is in the link, compressed; a larger one stays here, and the page says so. */
export async function kept(_, state) {
  const dump = state.get("dump");
  state.delete("dump");
  if (!dump) return;
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(dump));
  const text = btoa(String.fromCharCode(...packed.slice(0, LONGEST))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (packed.length <= (LONGEST * 3) / 4) state.set("z", text);
}

export async function restored(section, state) {
  const packed = state.get("z");
  if (packed || state.has("dump")) files = [];
  if (!packed) return;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    const dump = await through(new DecompressionStream("deflate-raw"), bytes);
    section.querySelector("form").elements.dump.value = new TextDecoder().decode(dump);
  } catch {
    problemShown(section, { message: "the dump in this link is damaged", given: null, span: null, hint: "copy the link again" });
  }
}

async function through(change, bytes) {
  const changed = new Blob([bytes]).stream().pipeThrough(change);
  return new Uint8Array(await new Response(changed).arrayBuffer());
}

/** Show a listing with the additions highlighted, from the first such line on. */
function listingInto(report, { out, err }, given) {
  const before = new Set(given.flatMap(({ data }) => new TextDecoder().decode(data).split(/\r?\n/).map(spaced)));
  const pre = el("pre");
  let plain = "";
  for (const line of out.split(/(?<=\n)/)) {
    const at = before.has(line.trimEnd()) ? -1 : added(line, before);
    plain += at < 0 ? line : line.slice(0, at);
    if (at < 0) continue;
    pre.append(plain, el("span", { class: "said" }, line.slice(at)));
    plain = "";
  }
  pre.append(plain);
  show(report, pre, err ? el("pre", { class: "err" }, err) : null);
  const first = pre.querySelector(".said");
  requestAnimationFrame(() => (report.scrollTop = first ? first.offsetTop - report.offsetTop - report.clientHeight / 3 : 0));
}

/** A line as a listing shows it: tabs as blanks, none at its end. */
function spaced(line) {
  let made = "";
  for (const part of line.replaceAll("\r", " ").split(/(?<=\t)/)) {
    made += part.replace("\t", "");
    if (part.endsWith("\t")) made += " ".repeat(8 - (made.length % 8));
  }
  return made.trimEnd();
}

/** Where an addition to a line of the dump begins, or -1. */
function added(line, before) {
  for (const { index } of line.matchAll(/ {2}(?:\/\/|;) /g)) if (before.has(line.slice(0, index))) return index;
  return -1;
}

export async function refresh(section) {
  const form = section.querySelector("form");
  const place = section.querySelector(".answer");
  const mine = ++asked;
  const dump = form.elements.dump.value;
  const given = files.length ? files : dump.trim() ? [{ name: "dump", data: new TextEncoder().encode(dump).buffer }] : [];
  if (!given.length) {
    problemShown(section);
    return show(place);
  }
  if (written !== (files.length ? files : dump)) {
    written = files.length ? files : dump;
    await put(given);
  }
  if (mine !== asked) return;
  show(place, el("p", { role: "status" }, "Scanning"));
  const names = given.map((each) => each.name);
  const shown = form.elements.show.value;
  const words = ["scan", ...names, ...options(form, { except: shown ? ["all", "sort"] : [] }), ...(shown ? [shown] : [])];
  const answer = await run(words, { folder: FOLDER, plain: Boolean(shown) });
  if (mine !== asked) return;
  const problem = answer.out || answer.html ? undefined : problemOf(answer);
  problemShown(section, problem);
  if (problem) return show(place);
  const report = el("div", { class: shown ? "report listing" : "report", tabindex: 0, role: "region", "aria-label": "Scan" });
  if (shown === "--annotate") listingInto(report, answer, given);
  else reportInto(report, answer);
  const inLink = /[?&](z|dump)=/.test(location.hash);
  show(
    place,
    el("p", {}, names.join(", ")),
    report,
    copies(answer.command, { words, folder: FOLDER }),
    inLink ? null : el("p", { class: "remark" }, "The dump is not in the link: it stays in this browser.")
  );
}
