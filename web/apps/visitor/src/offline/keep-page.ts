/** The worker that keeps the page on this device (`worker.js`): there is none where the browser has none, over plain http,
 * and where nothing is to be kept. */
const WORKER = "/worker.js";

export async function keepPage(): Promise<void> {
  await workers()?.register(WORKER, { scope: "/", updateViaCache: "none" });
}

/** Takes the worker off this device, with what it has kept. */
export async function dropPage(): Promise<void> {
  for (const each of (await workers()?.getRegistrations()) ?? []) await each.unregister();
  if (!("caches" in globalThis)) return;
  for (const name of await caches.keys()) if (name.startsWith("heartrule.shell.")) await caches.delete(name);
}

function workers(): ServiceWorkerContainer | undefined {
  return (globalThis as { navigator?: { serviceWorker?: ServiceWorkerContainer } }).navigator?.serviceWorker;
}
