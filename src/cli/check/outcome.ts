import { duration } from '../../common/forms/duration.ts';

/** Fields of a check that a test uses, as in the interface. */
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

/** Outcome of a check. `evidence`: that of the event that broke it. */
export interface Outcome {
  name: string;
  /** `error`: there was no verdict. */
  state: 'passed' | 'failed' | 'error';
  /** Time of the verdict since the start of the lab; null without one. Milliseconds. */
  after_ms: number | null;
  text: string;
  evidence: unknown;
}

/** Wait for a verdict behind the end of a check. Milliseconds. */
const PATIENCE_MS = 30_000;

const ms = (given: string | number | undefined): number => (given === undefined ? 0 : duration.parse(given));

/** End of a check in milliseconds since the start of the lab; its verdict may come before. */
const endOf = ({ first, for: lasts, within, before }: ToldCheck): number =>
  Math.max(lasts === undefined ? 0 : ms(first) + ms(lasts), ms(within), ms(before), ms(first));

/** Active storms, and whether more will come. */
export interface Weather {
  storms: readonly string[];
  goesOn: boolean;
  /** Last time of each storm at which it was still to end, or was first seen. Milliseconds since the start of the lab. */
  seen: ReadonlyMap<string, number>;
}
export const NO_WEATHER: Weather = { storms: [], goesOn: false, seen: new Map() };

/** Whether a check may still change. */
export const isOpen = (check: ToldCheck, nowMs: number, { storms, goesOn, seen }: Weather = NO_WEATHER): boolean => {
  const { verdict } = check.result;
  const end = endOf(check);
  if (check.during !== undefined) {
    // A probe that began during the storm may still be running. A storm to which nothing more comes has no end to wait for.
    const last = seen.get(check.during);
    const isJustOver = last !== undefined && nowMs < Math.max(last, end) + PATIENCE_MS;
    return (goesOn && storms.includes(check.during)) || (verdict === 'unknown' && (goesOn || isJustOver));
  }
  if (check.for !== undefined && nowMs < end) return true;
  return verdict === 'unknown' && nowMs < end + PATIENCE_MS;
};

interface Told {
  data: Readonly<Record<string, unknown>>;
}

/** Outcome of a check; one that was broken once has failed, even if it was met again. */
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

/** Characters that XML 1.0 (2.2) does not allow. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

const attribute = (text: string): string =>
  text.replace(NO_XML, '\ufffd').replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
const content = (text: string): string =>
  text.replace(NO_XML, '\ufffd').replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

interface Suite {
  name: string;
  /** ISO time. */
  began: string;
  /** Milliseconds. */
  took: number;
  outcomes: readonly Outcome[];
}

/** One suite with a case for each check, as Jenkins' schema of JUnit files (junit-10.xsd) has them. */
export const junitOf = ({ name, began, took, outcomes }: Suite): string => {
  const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length;
  const counts = `tests="${outcomes.length}" failures="${count('failed')}" errors="${count('error')}"`;
  const cases = unique(outcomes)
    .map((outcome) => caseOf(name, outcome))
    .join('');
  const head = `name="${attribute(name)}" ${counts} time="${seconds(took)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${head}>
  <testsuite ${head} skipped="0" timestamp="${began.replace(/\.\d+Z$/, '')}" hostname="localhost">
${cases}  </testsuite>
</testsuites>
`;
};

/** Numbers equal names, as readers of JUnit files take such cases for one. */
const unique = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.map((outcome, index) => {
    const before = outcomes.slice(0, index).filter(({ name }) => name === outcome.name).length;
    return before === 0 ? outcome : { ...outcome, name: `${outcome.name} (${before + 1})` };
  });

const caseOf = (suite: string, { name, state, after_ms, text, evidence }: Outcome): string => {
  const head = `name="${attribute(name)}" classname="${attribute(suite)}" time="${seconds(after_ms ?? 0)}"`;
  if (state === 'passed') return `    <testcase ${head}/>\n`;
  const tag = state === 'failed' ? 'failure' : 'error';
  const shown = evidence === null ? text : `${text}\n${JSON.stringify(evidence, null, 2)}`;
  return `    <testcase ${head}>
      <${tag} message="${attribute(text)}" type="check.broken">${content(shown)}</${tag}>
    </testcase>
`;
};
