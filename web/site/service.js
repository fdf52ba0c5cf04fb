// Caches the page for the next visit, online or offline. The build writes the names of the files.
const OURS = `smemdesc ${registration.scope} `;
const KEPT = `${OURS}VERSION`;
const FILES = "FILES";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OURS) && name !== KEPT);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin !== location.origin) {
    event.respondWith(Response.error()); // this page asks nobody else
    return;
  }
  event.respondWith(
    caches.open(KEPT).then((kept) => kept.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request))
  );
});
