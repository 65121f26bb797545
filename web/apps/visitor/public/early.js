// Before the first paint, so that a dark room stays dark. A file of its own, because inline code is forbidden.
try {
  const root = document.documentElement;
  const kept = (name) =>
    sessionStorage.getItem(`heartrule.visitor.${name}`) ?? localStorage.getItem(`heartrule.visitor.${name}`);
  if (kept("theme") === "light" || kept("theme") === "dark") root.dataset.theme = kept("theme");
  if (kept("size") === "large" || kept("size") === "larger") root.dataset.size = kept("size");
} catch {
  // A browser that keeps nothing gets the system's theme.
}
