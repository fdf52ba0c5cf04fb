// Requests to Python, and its status while it starts.
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
  waiting.get(data.id)(JSON.parse(data.answer));
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

const KEPT = 40;
const kept = new Map(); // answers of command lines that read no file: they are always the same

/** Send one request to smemdesc/integrations/page/bridge.py. */
export function ask(what, rest) {
  const question = JSON.stringify({ do: what, ...rest });
  if (what !== "run" || rest.folder) return send({ question });
  const answer = kept.get(question) ?? send({ question });
  kept.delete(question); // the last asked stands last
  kept.set(question, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

/** Replace the files that scan reads. */
export function put(files) {
  return send({ files });
}

export const FOLDER = "/dumps";
