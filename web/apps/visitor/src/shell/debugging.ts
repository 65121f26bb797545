/** Whether whoever opened this page works on a script (`?debug` in the address), and may see so much of their sessions. */
export function debugging(): boolean {
  return new URLSearchParams(location.search).has("debug");
}
