import { useEffect } from "react";

let count = 0;
let page = "";

function write(): void {
  document.title = `${count ? `(${count}) ` : ""}${page ? `${page} · ` : ""}HeartRule`;
}

/** The page's name in the title of the tab. */
export function useTitle(name: string): void {
  useEffect(() => {
    page = name;
    write();
  }, [name]);
}

/** How many wait, in front of the title of the tab; 0 takes it away. */
export function countInTitle(next: number): void {
  count = next;
  write();
}
