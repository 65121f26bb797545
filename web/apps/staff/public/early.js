// Before the first paint, so that a dark room stays dark. A file of its own, because inline code is forbidden.
try {
  const theme = localStorage.getItem("heartrule.staff.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing gets the system's theme.
}
