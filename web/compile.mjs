// node compile.mjs ENGINE PACKAGES OUT: run compile.py in the page's own Python, which alone writes code that it reads.
// Into the folder OUT go python.zip and about.js.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, packages, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${engine}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: engine, env: { PYTHONHASHSEED: "0" } });
python.FS.writeFile("/packages.zip", new Uint8Array(readFileSync(packages)));
python.runPython(readFileSync(new URL("compile.py", import.meta.url), "utf8"));
for (const name of ["python.zip", "about.js"]) writeFileSync(`${out}/${name}`, python.FS.readFile(`/${name}`));
