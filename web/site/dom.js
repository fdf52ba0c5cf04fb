// Making elements. Text is text everywhere: nothing on this page takes markup from pasted text.

const TAGS = new Set(["pre", "code", "span", "svg", "g", "rect", "line", "path", "text", "title", "desc", "defs", "pattern"]);
const REFUSED = /^(on|href$|src$|xlink:)/i;

/** The only policy that the page's Content-Security-Policy allows: its own scripts, and markup only for `adopted`. */
export const policy = (self.trustedTypes ?? { createPolicy: (_, rules) => rules }).createPolicy("smemdesc", {
  createScriptURL(name) {
    if (name !== "worker.js" && name !== "service.js") throw new TypeError(`${name} is no script of this page`);
    return name;
  },
  createHTML: (text) => text,
});

/** Make an element: attributes, `on...` listeners, children (strings become text). */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return made;
}

/**
 * Show what Python drew: a report (`<pre>`) or an SVG, in its own shadow root with its styles. `links` are
 * parts of its text, from the first on: where each begins and ends, and an address within the page.
 */
export function adopted(text, links = []) {
  const kind = text.startsWith("<svg") ? "image/svg+xml" : "text/html";
  const styles = [];
  // The Content-Security-Policy rejects styles in markup, so a script sets them.
  const plain = text
    .replace(/<style>([^<]*)<\/style>/g, (_, rules) => (styles.push(rules), ""))
    .replace(/(<(?:pre|span)) style="/g, '$1 data-style="');
  const parsed = new DOMParser().parseFromString(policy.createHTML(plain), kind);
  const host = el("div", { class: "drawn" });
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(["pre { margin: 0; font-size: var(--report, 13px) } a { color: inherit } text { pointer-events: none } svg { max-width: var(--picture, 100%); height: auto; display: block } .asked { fill: none; stroke: var(--text); stroke-width: 3; pointer-events: none } .lit { stroke: var(--text); stroke-width: 3 }", ...styles].join("\n"));
  root.adoptedStyleSheets = [sheet];
  const whole = kind === "text/html" ? parsed.body.firstElementChild : parsed.documentElement;
  if (whole) root.append(copied(whole));
  if (links.length) linked(root, links);
  return host;
}

function linked(root, links) {
  const left = links.filter(([, , to]) => to.startsWith("#"));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let at = 0; // where the text of a node begins
  for (let node = walker.nextNode(); node && left.length; node = walker.nextNode()) {
    const [begin, end, href] = left[0];
    const after = at + node.data.length;
    if (begin < after) {
      left.shift();
      if (begin >= at && end <= after) {
        node = node.splitText(begin - at);
        node.splitText(end - begin);
        const link = el("a", { href });
        node.replaceWith(link);
        link.append(node);
        at = begin;
        walker.currentNode = node;
      }
    }
    at += node.data.length;
  }
}

/** Copy a parsed tree, element by element, without what is not drawn. */
function copied(from) {
  const made = document.createElementNS(from.namespaceURI, from.localName);
  for (const { name, value } of from.attributes) {
    if (name === "data-style") made.style.cssText = value;
    else if (!REFUSED.test(name) && !name.startsWith("xmlns")) made.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent);
    else if (child.nodeType === Node.ELEMENT_NODE && TAGS.has(child.localName)) made.append(copied(child));
  }
  return made;
}

/** Replace the content of an element and restore the focus. */
export function show(place, ...children) {
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  if (key) place.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** A button that copies a text, and confirms it. */
export function copier(label, text) {
  const button = el("button", { type: "button", class: "copy" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "The browser refused to copy";
    }
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

/** Show in a section what is wrong with the input: the message, the text with its fault marked, what to type instead. */
export function problemShown(section, problem) {
  const place = section.querySelector(".problem");
  if (!problem) return show(place);
  const { message, given, span, hint } = problem;
  const marked = given && span
    ? el("pre", {}, given.slice(0, span[0]), el("mark", {}, given.slice(...span) || " "), given.slice(span[1]))
    : null;
  show(place, el("p", {}, el("strong", {}, message)), marked, hint ? el("p", {}, hint) : null);
}
