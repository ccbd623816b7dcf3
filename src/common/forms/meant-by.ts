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

/** Characters that are to be added, taken away or changed, or neighbours that have changed places (optimal string alignment). */
const stepsBetween = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > MOST_MISTYPED) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return at(a.length, b.length);
};
