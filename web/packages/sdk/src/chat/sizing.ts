import { type CSSResult, type CSSResultGroup, unsafeCSS } from "lit";

const PROPERTY = "--heart-rem";

/** What stands for `rem` in our styles: a page that embeds us may have set the size of its root to anything, while this
 * is the person's own text size, unless the page says otherwise. */
function register(): void {
  try {
    CSS.registerProperty({ name: PROPERTY, syntax: "<length>", inherits: true, initialValue: "16px" });
  } catch {
    // An older browser, or a page that has us twice: the size is then taken where it is used.
  }
}

register();

/** The same styles, with sizes that do not hang on the page's root. Queries keep theirs. */
export function sized(styles: readonly CSSResult[]): CSSResultGroup {
  return styles.map(({ cssText }) => unsafeCSS(freed(cssText)));
}

export function freed(text: string): string {
  return text.replace(/@[^{;]*[{;]|(-?\d*\.?\d+)rem\b/g, (whole, size?: string) =>
    size === undefined ? whole : `calc(${size} * var(${PROPERTY}))`,
  );
}
