/** Which tab this is. A duplicated tab takes the name of the one it was made of, and has to find another. */

const KEY = "heartrule.workbench.tab";

function made(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes]
    .map((byte) => byte.toString(36))
    .join("")
    .slice(0, 20);
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(tab: string): string {
  try {
    sessionStorage.setItem(KEY, tab);
  } catch {
    // A browser that keeps nothing gives each page a name of its own.
  }
  return tab;
}

/** The name of this tab, which no other tab that is open has, and whoever has it lets go. */
export async function ownTab(project: string): Promise<{ tab: string; release: () => void }> {
  const before = kept();
  const first = before ? await held(project, before) : null;
  if (before && first) return { tab: before, release: first };
  const tab = keep(made());
  return { tab, release: (await held(project, tab)) ?? (() => {}) };
}

/** Holds the name of a tab as long as it is there; null when another one does. Plain http has no locks: then it is ours. */
function held(project: string, tab: string): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    void navigator.locks.request(`heartrule.workbench.${project}.${tab}`, { ifAvailable: true }, (lock) => {
      if (!lock) {
        resolve(null);
        return undefined;
      }
      return new Promise<void>((release) => resolve(release));
    });
  });
}

/** The tabs of this browser in which a project is open. */
export async function openTabs(project: string): Promise<Set<string>> {
  if (!navigator.locks) return new Set();
  const { held: all = [] } = await navigator.locks.query();
  const prefix = `heartrule.workbench.${project}.`;
  return new Set(all.flatMap(({ name = "" }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
