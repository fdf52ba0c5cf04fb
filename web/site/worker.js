// Python in a thread of its own. A message is {id, question} or {id, files}; the answer is {id, answer}.
// While it starts, {status} says what it does.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/dumps";

async function start() {
  const say = (status) => postMessage({ status });
  say("Loading Python (once, 7 MB)");
  const archive = fetch("packages.zip").then((found) => {
    if (!found.ok) throw new Error(`packages.zip: ${found.status}`);
    return found.arrayBuffer();
  });
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  say("Unpacking smemdesc");
  python.unpackArchive(await archive, "zip", { extractDir: "/packages" });
  python.FS.mkdir(FOLDER);
  say("Importing smemdesc");
  const door = python.runPython(
    "import sys; sys.path.insert(0, '/packages'); from smemdesc.web.bridge import answer; answer"
  );
  door('{"do": "decode", "text": "0x40004040"}'); // the first answer imports what the others use
  return { python, door };
}

const started = start();
started.then(({ door }) => {
  postMessage({ status: "", about: door('{"do": "about"}') });
}, (problem) => postMessage({ status: `Python could not be started: ${problem.message}`, failed: true }));

onmessage = async ({ data: { id, question, files } }) => {
  const { python, door } = await started;
  if (files) {
    for (const name of python.FS.readdir(FOLDER)) if (!name.startsWith(".")) python.FS.unlink(`${FOLDER}/${name}`);
    for (const { name, data } of files) python.FS.writeFile(`${FOLDER}/${name}`, new Uint8Array(data));
    postMessage({ id, answer: "{}" });
    return;
  }
  postMessage({ id, answer: door(question) });
};
