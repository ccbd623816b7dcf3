import type { Steps } from '../../common/slices.ts';

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
/**
 * Limits of changed lines and of compared lines, beyond which the rest is shown as replaced: the cost grows with the
 * square of the changes.
 */
const MOST_CHANGES = 2_000;
const MOST_COMPARED = 5_000_000;
/** Comparisons, or lines, per slice. */
const STEP = 10_000;

/** Empty for equal texts. */
export function* unifiedDiff(before: string, after: string, names: { before: string; after: string }): Steps<string> {
  if (before === after) return '';
  const edits = yield* editsOf(linesOf(before), linesOf(after));
  const hunks = yield* hunksOf(edits);
  return `--- ${names.before}\n+++ ${names.after}\n${hunks.join('')}`;
}

const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

function* editsOf(a: readonly string[], b: readonly string[]): Steps<Edit[]> {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  yield;
  const edits = a.slice(0, start).map(same);
  const middle = yield* middleOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  for (const edit of middle) edits.push(edit);
  yield;
  for (const line of a.slice(a.length - end)) edits.push(same(line));
  return edits;
}

const same = (line: string): Edit => ({ sign: ' ', line });
const signed =
  (sign: '-' | '+') =>
  (line: string): Edit => ({ sign, line });

function* middleOf(a: readonly string[], b: readonly string[]): Steps<Edit[]> {
  const trace = yield* traceOf(a, b);
  if (trace === null) return [...a.map(signed('-')), ...b.map(signed('+'))];
  const edits: Edit[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const reach = trace[d];
    const k = x - y;
    const down = isDown(reach, k, d);
    const previous = down ? k + 1 : k - 1;
    const px = d === 0 ? 0 : at(reach, previous, d);
    const py = d === 0 ? 0 : px - previous;
    for (; x > px && y > py; x -= 1, y -= 1) {
      edits.push(same(a[x - 1] ?? ''));
      if (edits.length % STEP === 0) yield;
    }
    if (d === 0) break;
    if (down) edits.push({ sign: '+', line: b[py] ?? '' });
    else edits.push({ sign: '-', line: a[px] ?? '' });
    [x, y] = [px, py];
  }
  return edits.reverse();
}

/**
 * Furthest x on diagonals −(d − 1) to d − 1 after d − 1 changes, the lowest diagonal first; undefined before the
 * first change.
 */
type Reach = Int32Array | undefined;

const at = (reach: Reach, k: number, d: number): number => {
  if (d === 0) return k === 1 ? 0 : -1;
  return reach?.[k + d - 1] ?? -1;
};

const isDown = (reach: Reach, k: number, d: number): boolean =>
  k === -d || (k !== d && at(reach, k - 1, d) < at(reach, k + 1, d));

/** Reach before each number of changes, from 0 on; null: too many changes. */
function* traceOf(a: readonly string[], b: readonly string[]): Steps<Reach[] | null> {
  const trace: Reach[] = [];
  let reach: Reach;
  let compared = 0;
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_CHANGES); d += 1) {
    trace.push(reach);
    const next = new Int32Array(2 * d + 1).fill(-1);
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(reach, k, d) ? at(reach, k + 1, d) : at(reach, k - 1, d) + 1;
      for (; x < a.length && x - k < b.length && a[x] === b[x - k]; x += 1) {
        compared += 1;
        if (compared % STEP === 0) yield;
      }
      next[k + d] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
    compared += d;
    if (compared > MOST_COMPARED) return null;
    yield;
    reach = next;
  }
  return null;
}

function* hunksOf(edits: readonly Edit[]): Steps<string[]> {
  const ranges: [number, number][] = [];
  for (const [n, { sign }] of edits.entries()) {
    if (n % STEP === 0) yield;
    if (sign === ' ') continue;
    const last = ranges.at(-1);
    if (last !== undefined && n - AROUND <= last[1]) last[1] = n + AROUND + 1;
    else ranges.push([Math.max(0, n - AROUND), n + AROUND + 1]);
  }
  const hunks: string[] = [];
  // Lines of both texts before the hunk.
  const before = { '-': 0, '+': 0 };
  let place = 0;
  for (const [from, end] of ranges) {
    const to = Math.min(end, edits.length);
    for (; place < from; place += 1) count(before, edits[place]);
    const within = { '-': 0, '+': 0 };
    const lines: string[] = [];
    for (const edit of edits.slice(from, to)) {
      count(within, edit);
      lines.push(`${edit.sign}${edit.line}\n`);
    }
    hunks.push(`@@ -${rangeOf(before['-'], within['-'])} +${rangeOf(before['+'], within['+'])} @@\n${lines.join('')}`);
    yield;
  }
  return hunks;
}

const count = (lines: Record<'-' | '+', number>, edit: Edit | undefined): void => {
  if (edit?.sign !== '+') lines['-'] += 1;
  if (edit?.sign !== '-') lines['+'] += 1;
};

const rangeOf = (before: number, length: number): string =>
  `${length === 0 ? before : before + 1}${length === 1 ? '' : `,${length}`}`;
