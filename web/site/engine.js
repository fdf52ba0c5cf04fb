// Questions for Python, and what it says of itself while it starts.
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

/** Call `heard` with {status}, and with {about} once Python answers. */
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

/** Ask one question of smemdesc/web/bridge.py. */
export function ask(what, rest) {
  return send({ question: JSON.stringify({ do: what, ...rest }) });
}

/** Replace the files that scan reads. */
export function put(files) {
  return send({ files });
}

export const FOLDER = "/dumps";
