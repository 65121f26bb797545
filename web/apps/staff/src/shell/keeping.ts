/** What this browser remembers of how somebody likes the app; nothing that anybody said is ever among it. */
const PREFIX = "heartrule.staff.";

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
}
