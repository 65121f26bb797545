import type { FormScore } from "@heartrule/sdk";

export interface Band {
  readonly label: string;
  readonly low: number;
}

/** One score of one form, each time that it was filled, oldest first. */
export interface Course {
  readonly name: string;
  readonly label: string;
  /** The latest form's bands, lowest first, and which end of the score is better, where it says so. */
  readonly bands: readonly Band[];
  readonly better: "high" | "low" | null;
  /** The least and the most that it can come to, where that is known. */
  readonly limits: readonly number[];
  readonly times: readonly { readonly at: string; readonly value: number; readonly band: string }[];
}

/** What forms came to, score by score; those that lack an answer are left out. */
export function courses(forms: readonly FormScore[]): Course[] {
  const found = new Map<string, Course>();
  for (const { form, name, scores, labels, bands, ranges, better, limits, at } of forms) {
    for (const [score, value] of Object.entries(scores)) {
      if (value === null) continue;
      const key = `${form} ${score}`;
      const times = [...(found.get(key)?.times ?? []), { at, value, band: bands[score] ?? "" }];
      const told = { bands: ranges[score] ?? [], better: better[score] ?? null, limits: limits[score] ?? [] };
      found.set(key, { name, label: labels[score] ?? "", ...told, times });
    }
  }
  return [...found.values()];
}
