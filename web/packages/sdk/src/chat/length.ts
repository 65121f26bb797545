/** What the server takes in one message, in characters as it counts them (code points). */
export const LONGEST = 20_000;
/** From here on it is said how many are left. */
export const NEAR = 18_000;

export function lengthOf(text: string): number {
  // Counting is only worth it where it can matter: a character is at most two code units.
  if (text.length <= NEAR) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
