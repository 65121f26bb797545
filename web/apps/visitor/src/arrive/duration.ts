/** Minutes of what scripts call a duration: `30m`, `1h30m`, `90s`; null when there is none. */
export function minutes(duration: string | null | undefined): number | null {
  const found = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? "");
  if (!found || found[0] === "") return null;
  const [hours, mins, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  return Math.max(1, (hours ?? 0) * 60 + (mins ?? 0) + Math.round((seconds ?? 0) / 60));
}
