/** Nothing can be read on a page that nobody is looking at: in the list of open apps, in a shared window's small picture. */
export function veilWhenAway(): void {
  const { dataset } = document.documentElement;
  const set = (away: boolean) => {
    if (away) dataset.away = "";
    else delete dataset.away;
  };
  const look = () => set(document.visibilityState === "hidden");
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", () => set(true));
  addEventListener("pageshow", look);
  // Telephones take the picture before they say that the page is hidden.
  if (matchMedia("(pointer: coarse)").matches) {
    addEventListener("blur", () => set(true));
    for (const back of ["focus", "pointerdown", "keydown"]) addEventListener(back, look, { capture: true });
  }
}
