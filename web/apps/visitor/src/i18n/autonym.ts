/** What a language calls itself, for those who look for theirs. */
export function autonym(tag: string): string {
  const name = tag.split("-")[0] ?? tag;
  try {
    return new Intl.DisplayNames([name], { type: "language" }).of(name) ?? tag;
  } catch {
    return tag;
  }
}
