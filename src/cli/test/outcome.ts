import { duration } from '../../common/forms/duration.ts';

/** A check as the interface tells it, as far as a test is concerned. */
export interface ToldCheck {
  check_id: string;
  title: string;
  first?: string | number;
  for?: string | number;
  within?: string | number;
  before?: string | number;
  during?: string;
  result: { verdict: 'met' | 'broken' | 'unknown'; after_ms: number | null; text: string | null; broken: number };
}

/** What became of a check. `text`: a sentence; `evidence`: of the event that broke it. */
export interface Outcome {
  name: string;
  /** `error`: nobody could tell. */
  state: 'passed' | 'failed' | 'error';
  /** Since the start of the lab, null: never. Milliseconds. */
  after_ms: number | null;
  text: string;
  evidence: unknown;
}

/** Beyond its last moment a check is not waited for. Milliseconds. */
const PATIENCE_MS = 30_000;

const ms = (given: string | number | undefined): number => (given === undefined ? 0 : duration.parse(given));

/** When nothing of a check is to come any more, in milliseconds since the start of the lab; a verdict may come before. */
const endOf = ({ first, for: lasts, within, before }: ToldCheck): number =>
  Math.max(lasts === undefined ? 0 : ms(first) + ms(lasts), ms(within), ms(before), ms(first));

/** What of the weather is there, and whether more is to come. */
export interface Weather {
  storms: readonly string[];
  goesOn: boolean;
  /** When each was there last, in milliseconds since the start of the lab. */
  seen: ReadonlyMap<string, number>;
}
export const NO_WEATHER: Weather = { storms: [], goesOn: false, seen: new Map() };

/** Whether there is something to wait for. */
export const isOpen = (check: ToldCheck, nowMs: number, { storms, goesOn, seen }: Weather = NO_WEATHER): boolean => {
  const { verdict } = check.result;
  const end = endOf(check);
  if (check.during !== undefined) {
    // A look that began in it may still be going on.
    const isJustOver = nowMs < (seen.get(check.during) ?? -Infinity) + PATIENCE_MS;
    return storms.includes(check.during) || (verdict === 'unknown' && (goesOn || isJustOver));
  }
  if (check.for !== undefined && nowMs < end) return true;
  return verdict === 'unknown' && nowMs < end + PATIENCE_MS;
};

interface Told {
  data: Readonly<Record<string, unknown>>;
}

/** Whatever broke once has failed, also if it was met again. */
export const outcomeOf = (check: ToldCheck, events: readonly Told[], { seen }: Weather = NO_WEATHER): Outcome => {
  const { verdict, after_ms, text } = check.result;
  const broken = events.find(({ data }) => data['check_id'] === check.check_id);
  if (broken !== undefined)
    return {
      name: check.title,
      state: 'failed',
      after_ms: broken.data['after_ms'] as number,
      text: String(broken.data['text']),
      evidence: broken.data['evidence'] ?? null,
    };
  if (verdict === 'met') return { name: check.title, state: 'passed', after_ms, text: text ?? '', evidence: null };
  const hadTime = check.during === undefined || seen.has(check.during);
  const nothing = hadTime ? 'it was never looked at to an end' : `there was no ${check.during}`;
  return { name: check.title, state: 'error', after_ms: null, text: nothing, evidence: null };
};
