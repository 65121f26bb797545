import { keep, kept } from "./keeping.js";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Light or dark; written onto <html>, where the styles and early.js find it. */
export const theme = {
  get chosen(): Theme {
    const said = kept("theme");
    return said === "light" || said === "dark" ? said : "system";
  },
  choose(next: Theme): void {
    keep("theme", next);
    this.apply();
  },
  apply(): void {
    const { dataset } = document.documentElement;
    if (this.chosen === "system") delete dataset.theme;
    else dataset.theme = this.chosen;
  },
};
