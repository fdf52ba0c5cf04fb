// Python in its own thread. A message is {id, question} or {id, files}; the answer is {id, answer}.
// While it starts, {status} says what it does.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/dumps";

// Machine code is loaded only from files; a dropped file must not be a module, so the folder of dumps is not searched.
const BEGIN = `
import sys, zipfile
sys.path.remove("")
with zipfile.ZipFile("/lib/python314.zip") as all:
    all.extractall("/lib/python3.14", [name for name in all.namelist() if name.startswith("site-packages/")])
from smemdesc.integrations.page.bridge import answer_page
answer_page
`;

async function start() {
  const say = (status) => postMessage({ status });
  say("Loading Python (once, 7 MB)");
  const here = (name) => new URL(name, import.meta.url).href;
  const python = await loadPyodide({ indexURL: here("pyodide/"), stdLibURL: here("python.zip") });
  say("Importing smemdesc");
  python.FS.mkdir(FOLDER);
  const door = python.runPython(BEGIN);
  return { python, door };
}

const started = start();
started.then(
  () => postMessage({ status: "", started: true }),
  (problem) => postMessage({ status: `Python could not be started: ${problem.message}`, failed: true })
);

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
