const MOST_MISTYPED = 2;
/** Characters of a word for each slip: two letters may stand for anything. */
const FOR_A_SLIP = 3;

/** Known words that a word of another case, or one with a slip or two, may have been meant for: nearest first. */
export const meantBy = (word: string, known: readonly string[]): string[] => {
  const most = Math.min(MOST_MISTYPED, Math.floor(word.length / FOR_A_SLIP));
  return known
    .map((one) => ({ one, steps: stepsBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .toSorted((a, b) => a.steps - b.steps)
    .map(({ one }) => one);
};

/** Characters that are to be added, taken away or changed (Levenshtein). */
const stepsBetween = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > MOST_MISTYPED) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? Infinity;
};
