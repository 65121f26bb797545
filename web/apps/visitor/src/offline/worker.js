// Keeps the page itself, so that it opens without a server; nothing that anybody said, and no answer of the API's.
// The build writes VERSION and SHELL above this line (vite.config.ts).
/* global VERSION, SHELL */
const NAME = `heartrule.shell.${VERSION}`;
const HOME = "/";
/** Milliseconds until a page that does not come is taken from here. */
const PATIENCE = 4_000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(sweep()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (url.pathname === HOME) event.respondWith(page(request));
    else if (SHELL.includes(url.pathname)) event.respondWith(part(request));
  } else if (SHELL.includes(url.pathname) && url.search === "") event.respondWith(part(request));
});

/** All of one build or nothing: a page whose parts belong to another one is not kept, and asked for again next time. */
async function install() {
  const answers = await Promise.all(
    SHELL.map(async (path) => {
      const answer = await fetch(path, { cache: "no-cache", credentials: "omit" });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return [path, answer];
    }),
  );
  const [, home] = answers.find(([path]) => path === HOME);
  const wanted = (await home.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [];
  if (!wanted.every((path) => SHELL.includes(path))) throw new Error("the page is of another build");
  const cache = await caches.open(NAME);
  for (const [path, answer] of answers) await cache.put(path, answer);
}

/** Only once no page of the build before is open any more: until then its parts stay. */
async function sweep() {
  for (const name of await caches.keys()) {
    if (name.startsWith("heartrule.shell.") && name !== NAME) await caches.delete(name);
  }
}

/** The server's while it answers in time, else ours. */
async function page(request) {
  const kept = await (await caches.open(NAME)).match(HOME);
  if (!kept) return fetch(request);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(HOME, { signal: stop.signal, cache: "no-cache" });
    return answer.status < 500 ? answer : kept;
  } catch {
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

async function part(request) {
  const kept = await (await caches.open(NAME)).match(new URL(request.url).pathname);
  return kept ?? fetch(request);
}
