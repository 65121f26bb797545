export interface Hit {
  path: string;
  line: number;
  from: number;
  to: number;
  before: string;
  found: string;
  after: string;
}

const MOST = 200;

/** Where words stand in the texts, whatever their case. */
export function hits(texts: Record<string, string>, words: string, most = MOST): Hit[] {
  const found: Hit[] = [];
  const wanted = words.toLowerCase();
  if (!wanted) return found;
  for (const [path, text] of Object.entries(texts)) {
    const lower = text.toLowerCase();
    for (
      let at = lower.indexOf(wanted);
      at >= 0 && found.length < most;
      at = lower.indexOf(wanted, at + wanted.length)
    ) {
      const start = text.lastIndexOf("\n", at - 1) + 1;
      const end = text.indexOf("\n", at);
      const to = at + words.length;
      found.push({
        path,
        line: text.slice(0, at).split("\n").length,
        from: at,
        to,
        before: text.slice(Math.max(start, at - 30), at).trimStart(),
        found: text.slice(at, to),
        after: text.slice(to, Math.min(end < 0 ? text.length : end, to + 60)),
      });
    }
  }
  return found;
}
