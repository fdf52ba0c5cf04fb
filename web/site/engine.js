// Requests to Python, and its status while it starts; answers that are there before it has started.
import about from "./about.js";
import { policy } from "./dom.js";

const worker = new Worker(policy.createScriptURL("worker.js"), { type: "module" });
const waiting = new Map();
const listeners = [];
let last = 0;

worker.onmessage = ({ data }) => {
  if (data.id === undefined) {
    for (const heard of listeners) heard(data);
    return;
  }
  waiting.get(data.id)(data.answer);
  waiting.delete(data.id);
};
worker.onerror = () => {
  for (const heard of listeners) heard({ status: "Python could not be started", failed: true });
};

/** Call `heard` with {status}, and with {started} once Python answers. */
export function onStatus(heard) {
  listeners.push(heard);
}

function send(message, transfer) {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, ...message }, transfer);
  });
}

const SAME = ["command", "decode", "run"]; // whose answer to a question is always the same, if no file is read
const KEPT = 40;
const SAVED = 8; // for a reload: the answers of one view
const kept = new Map(); // questions and their answers, as texts once they are there

/** Send one request to smemdesc/integrations/page/bridge.py. */
export async function ask(what, rest) {
  const question = JSON.stringify({ do: what, ...rest });
  if (!SAME.includes(what) || rest.folder) return JSON.parse(await send({ question }));
  const answer = kept.get(question) ?? send({ question });
  keep(question, answer);
  const text = await answer;
  if (kept.get(question) === answer) kept.set(question, text);
  return JSON.parse(text);
}

function keep(question, answer) {
  kept.delete(question); // the last asked stands last
  kept.set(question, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}

/** Replace the files that scan reads. */
export function put(files) {
  return send({ files });
}

export const FOLDER = "/dumps";

/** Addresses whose answers are there before Python is: the page's own, by the build, and that of a reload. */
export const EARLY = ["", "#plan"];
for (const [question, text] of Object.entries(about.first)) keep(question, text);
try {
  const { build, hash, answers } = JSON.parse(sessionStorage.getItem("answers")) ?? {};
  if (build === about.build) {
    EARLY.push(hash);
    for (const [question, text] of answers) keep(question, text);
  }
} catch {} // storage is off
addEventListener("pagehide", () => {
  const answers = [...kept].filter(([, answer]) => typeof answer === "string").slice(-SAVED);
  try {
    sessionStorage.setItem("answers", JSON.stringify({ build: about.build, hash: location.hash, answers }));
  } catch {} // off, or too small
});
