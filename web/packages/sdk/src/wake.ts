const BEAT = 5_000;
const MISSED = 15_000;

export interface Waking {
  /** The page is back: from sleep, from the background, from being offline. Try everything at once. */
  wake(): void;
  /** The page has been out of sight for a while. */
  rest(): void;
  /** The page is put away, perhaps for good. */
  hide(): void;
  /** Another page has written into the storage that we share. */
  elsewhere(): unknown;
  /** The browser says that there is no network. */
  offline(): void;
}

const OUT_OF_SIGHT = 300_000;

/** Watches for the moments after which nothing that was under way can be trusted. A laptop that slept with the page in
 * view fires no event at all; there the clock has jumped between two beats. Returns how to stop. */
export function watch(waking: Waking): () => void {
  const page = globalThis as { window?: Window; document?: Document };
  const stop = new AbortController();
  const { signal } = stop;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let last = Date.now();
  const beat = setInterval(() => {
    const now = Date.now();
    if (now - last > MISSED) waking.wake();
    last = now;
  }, BEAT);
  const seen = () => {
    clearTimeout(hidden);
    if (page.document?.visibilityState === "hidden") hidden = setTimeout(() => waking.rest(), OUT_OF_SIGHT);
    else waking.wake();
  };
  for (const event of ["online", "pageshow"]) page.window?.addEventListener(event, () => waking.wake(), { signal });
  page.window?.addEventListener("storage", () => waking.elsewhere(), { signal });
  page.window?.addEventListener("pagehide", () => waking.hide(), { signal });
  page.window?.addEventListener("offline", () => waking.offline(), { signal });
  page.document?.addEventListener("visibilitychange", seen, { signal });
  page.document?.addEventListener("resume", () => waking.wake(), { signal });
  return () => {
    clearInterval(beat);
    clearTimeout(hidden);
    stop.abort();
  };
}
