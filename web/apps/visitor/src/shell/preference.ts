import { store } from "./storage.js";

export const THEMES = ["system", "light", "dark"] as const;
export const SIZES = ["normal", "large", "larger"] as const;
export type Theme = (typeof THEMES)[number];
export type Size = (typeof SIZES)[number];

function isOneOf<T extends string>(all: readonly T[], value: string | null): value is T {
  return value !== null && (all as readonly string[]).includes(value);
}

/** How somebody likes to read. Written onto <html>, where the styles and early.js find it. */
class Preference extends EventTarget {
  get theme(): Theme {
    const kept = store.get("heartrule.visitor.theme");
    return isOneOf(THEMES, kept) ? kept : "system";
  }

  get size(): Size {
    const kept = store.get("heartrule.visitor.size");
    return isOneOf(SIZES, kept) ? kept : "normal";
  }

  set theme(theme: Theme) {
    store.set("heartrule.visitor.theme", theme);
    this.apply();
  }

  set size(size: Size) {
    store.set("heartrule.visitor.size", size);
    this.apply();
  }

  apply(): void {
    const { dataset } = document.documentElement;
    if (this.theme === "system") delete dataset.theme;
    else dataset.theme = this.theme;
    if (this.size === "normal") delete dataset.size;
    else dataset.size = this.size;
    this.dispatchEvent(new Event("change"));
  }
}

export const preference = new Preference();
