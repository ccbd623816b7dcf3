/** A change of a text by one side: these lines of it are replaced. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const commonLength = (a: readonly string[], b: readonly string[], most: number): number => {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
};

/** From the first line that differs to the last. Null: none does. */
const hunkOf = (before: readonly string[], after: readonly string[]): Hunk | null => {
  const shorter = Math.min(before.length, after.length);
  const from = commonLength(before, after, shorter);
  if (from === before.length && from === after.length) return null;
  const behind = commonLength(before.toReversed(), after.toReversed(), shorter - from);
  return { from, to: before.length - behind, lines: after.slice(from, after.length - behind) };
};

const linesOf = (text: string): string[] => text.split('\n');
const textOf = (lines: readonly string[]): string => lines.join('\n');

export interface Merged {
  /** With what both have changed; where that is the same lines, theirs and then mine. */
  readonly text: string;
  /** Null: they have changed different lines. Else what each has made of the same ones. */
  readonly clash: { readonly mine: string; readonly theirs: string } | null;
}

/** Puts together what two have made of the same text, so that nothing of either is lost. */
export const merge = (base: string, mine: string, theirs: string): Merged => {
  const before = linesOf(base);
  const [a, b] = [hunkOf(before, linesOf(mine)), hunkOf(before, linesOf(theirs))];
  if (a === null || mine === theirs) return { text: theirs, clash: null };
  if (b === null) return { text: mine, clash: null };
  const from = Math.min(a.from, b.from);
  const to = Math.max(a.to, b.to);
  /** One side's version of all lines that either has touched. */
  const partOf = (hunk: Hunk): string[] => [
    ...before.slice(from, hunk.from),
    ...hunk.lines,
    ...before.slice(hunk.to, to),
  ];
  const around = (middle: readonly string[]): string =>
    textOf([...before.slice(0, from), ...middle, ...before.slice(to)]);
  const [first, second] = b.from <= a.from && b.to <= a.from ? [b, a] : [a, b];
  if (first.to <= second.from)
    return {
      text: around([...first.lines, ...before.slice(first.to, second.from), ...second.lines]),
      clash: null,
    };
  return {
    text: around([...partOf(b), ...partOf(a)]),
    clash: { mine: textOf(partOf(a)), theirs: textOf(partOf(b)) },
  };
};
