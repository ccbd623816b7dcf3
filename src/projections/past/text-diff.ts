/**
 * Differences of two texts as a unified diff, as diff(1) writes it. Lines are compared by Myers' algorithm (An O(ND) Difference Algorithm,
 * 1986).
 */

interface Edit {
  sign: ' ' | '-' | '+';
  line: string;
}

/** Lines around a change. */
const AROUND = 3;
/** Changed lines beyond which what remains is told as a whole: the algorithm takes their square. */
const MOST_CHANGES = 2_000;

/** Empty: they are the same. */
export const unifiedDiff = (before: string, after: string, names: { before: string; after: string }): string => {
  if (before === after) return '';
  const edits = editsOf(linesOf(before), linesOf(after));
  return `--- ${names.before}\n+++ ${names.after}\n${hunksOf(edits).join('')}`;
};

const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const editsOf = (a: readonly string[], b: readonly string[]): Edit[] => {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return [...a.slice(0, start).map(same), ...middleOf(from, to), ...a.slice(a.length - end).map(same)];
};

const same = (line: string): Edit => ({ sign: ' ', line });
const signed =
  (sign: '-' | '+') =>
  (line: string): Edit => ({ sign, line });

const middleOf = (a: readonly string[], b: readonly string[]): Edit[] => {
  const trace = traceOf(a, b);
  if (trace === null) return [...a.map(signed('-')), ...b.map(signed('+'))];
  const edits: Edit[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const reach = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && at(reach, k - 1) < at(reach, k + 1));
    const previous = down ? k + 1 : k - 1;
    const px = d === 0 ? 0 : at(reach, previous);
    const py = d === 0 ? 0 : px - previous;
    for (; x > px && y > py; x -= 1, y -= 1) edits.push(same(a[x - 1] ?? ''));
    if (d === 0) break;
    if (down) edits.push({ sign: '+', line: b[py] ?? '' });
    else edits.push({ sign: '-', line: a[px] ?? '' });
    [x, y] = [px, py];
  }
  return edits.reverse();
};

const at = (reach: ReadonlyMap<number, number>, k: number): number => reach.get(k) ?? -1;

/** How far each diagonal gets with 0, 1, 2 … changes, before each of them; null: there are too many. */
const traceOf = (a: readonly string[], b: readonly string[]): Map<number, number>[] | null => {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_CHANGES); d += 1) {
    trace.push(reach);
    const next = new Map(reach);
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(reach, k - 1) < at(reach, k + 1)) ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
    reach = next;
  }
  return null;
};

const hunksOf = (edits: readonly Edit[]): string[] => {
  const changed = edits.flatMap(({ sign }, n) => (sign === ' ' ? [] : [n]));
  const ranges: [number, number][] = [];
  for (const n of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && n - AROUND <= last[1]) last[1] = n + AROUND + 1;
    else ranges.push([Math.max(0, n - AROUND), n + AROUND + 1]);
  }
  return ranges.map(([from, to]) => hunkOf(edits, from, Math.min(to, edits.length)));
};

const hunkOf = (edits: readonly Edit[], from: number, to: number): string => {
  const count = (part: readonly Edit[], sign: '-' | '+'): number =>
    part.filter((edit) => edit.sign === ' ' || edit.sign === sign).length;
  const range = (sign: '-' | '+'): string => {
    const [before, length] = [count(edits.slice(0, from), sign), count(edits.slice(from, to), sign)];
    return `${length === 0 ? before : before + 1}${length === 1 ? '' : `,${length}`}`;
  };
  const lines = edits.slice(from, to).map(({ sign, line }) => `${sign}${line}\n`);
  return `@@ -${range('-')} +${range('+')} @@\n${lines.join('')}`;
};
