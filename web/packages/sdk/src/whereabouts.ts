/** What many browsers say whose owner chose nothing: it names no country. */
const NOBODYS_CHOICE = "en-US";

/** In which language, and where: the clock's zone, and the country of the browser's own tag for this language. */
export function whereabouts(locale: string | undefined): { locale: string | undefined; zone: string | undefined } {
  const tags = typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
  const own = tags.find((tag) => tag !== NOBODYS_CHOICE && locale && tag.startsWith(`${locale}-`));
  return { locale: own ?? locale, zone: zoneOf() };
}

function zoneOf(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || undefined;
  } catch {
    return undefined;
  }
}
