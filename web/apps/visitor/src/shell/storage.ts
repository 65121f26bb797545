import { localStore } from "@heartrule/sdk";

/** What this device keeps. The client's own storage, so that forgetting reaches everything; where a browser keeps nothing,
 * it lasts as long as the page. */
export const store = localStore();

/** Whether the browser will still have it when the page is opened again. */
export function lasts(): boolean {
  const probe = "heartrule.visitor.probe";
  try {
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}

/** What was kept as JSON, if it is what `is` says; anything else is as good as nothing. */
export function readJson<T>(key: string, is: (value: unknown) => value is T): T | null {
  const text = store.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : null;
  } catch {
    return null;
  }
}

export function writeJson(key: string, value: unknown): void {
  store.set(key, JSON.stringify(value));
}
