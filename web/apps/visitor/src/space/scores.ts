import type { FormScore } from "@heartrule/sdk";

/** One score of one form, each time that it was filled, oldest first. */
export interface Course {
  readonly name: string;
  readonly label: string;
  readonly times: readonly { readonly at: string; readonly value: number; readonly band: string }[];
}

/** What forms came to, score by score; those that lack an answer are left out. */
export function courses(forms: readonly FormScore[]): Course[] {
  const found = new Map<string, Course & { times: { at: string; value: number; band: string }[] }>();
  for (const { form, name, scores, labels, bands, at } of forms) {
    for (const [score, value] of Object.entries(scores)) {
      if (value === null) continue;
      const key = `${form} ${score}`;
      const course = found.get(key) ?? { name, label: labels[score] ?? "", times: [] };
      course.times.push({ at, value, band: bands[score] ?? "" });
      found.set(key, course);
    }
  }
  return [...found.values()];
}
