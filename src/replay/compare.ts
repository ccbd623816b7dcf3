import type { AnyEvent } from '../events/schemas.ts';
import { describeEvent, describeStep, type Names } from './names.ts';
import { type Grouped, groupEvents } from './groups.ts';
import type { Plan, Step } from './steps.ts';
import { type Canon, isVerdict, normalise, normaliseReason, type Side, stableText } from './normalise.ts';

/** Something that turned out otherwise than it is recorded. */
export interface Difference {
  /** null: by itself, between the steps. */
  step: number | null;
  /** The step's request. */
  request: string | null;
  what: string;
  /** null: there was no such thing. */
  recorded: unknown;
  now: unknown;
}

/** What came of a step in the replay. */
export interface Answer {
  status: number;
  /** Of a refusal. */
  reason: string | null;
}

export interface Performed {
  /** Answers by the number of the step. */
  answers: ReadonlyMap<number, Answer>;
  /** Events since the first step. */
  events: readonly AnyEvent[];
  /** Request id of a step. */
  requestId(n: number): string;
  /** What checks are held to, of a replay that takes less time than the recording; null: every verdict. */
  lasting: readonly Verdict[] | null;
}

export interface Sides {
  recorded: Side;
  now: Side;
}

/** Holds every step against its recording. Pure. */
export const compareReplay = (plan: Plan, performed: Performed, sides: Sides, names: Names): Difference[] => {
  const { groups, background } = groupEvents(performed.events);
  const byRequest = new Map<string, AnyEvent[]>();
  for (const { request_id, events } of groups)
    if (request_id !== null) byRequest.set(request_id, [...(byRequest.get(request_id) ?? []), ...events]);
  const found: Difference[] = [];
  for (const step of plan.steps) {
    const answer = performed.answers.get(step.n);
    if (answer === undefined) continue;
    const now = byRequest.get(performed.requestId(step.n)) ?? [];
    const inOne = !sides.now.engines && RELOAD.test(step.path);
    const both = { recorded: withoutVerdicts(step.events), now: withoutVerdicts(now) };
    const events = inOne ? { recorded: reloads(both.recorded), now: reloads(both.now) } : both;
    const differences = [...outcomes(step, answer, sides), ...eventDifferences(events, sides, names, step.partial)];
    found.push(...differences.map((d) => ({ step: step.n, request: describeStep(step, names), ...d })));
  }
  const byItself = differencesByItself(plan, performed, { sides, names }, { groups, background });
  return [...found, ...byItself.map((d) => ({ step: null, request: null, ...d }))];
};

const differencesByItself = (
  plan: Plan,
  { answers, events, lasting }: Performed,
  { sides, names }: { sides: Sides; names: Names },
  { groups, background }: Pick<Grouped, 'groups' | 'background'>,
): Found[] => {
  const recorded = [
    ...plan.background,
    ...plan.steps.flatMap((step) => (answers.has(step.n) ? step.events.filter(({ type }) => isVerdict(type)) : [])),
  ];
  const now = [
    ...background.map((b) => b.event),
    ...groups.flatMap((group) => group.events.filter(({ type }) => isVerdict(type))),
  ];
  const both =
    lasting === null ? { recorded, now } : { recorded: withoutVerdicts(recorded), now: withoutVerdicts(now) };
  const found = eventDifferences(both, sides, names, false).filter(
    // A trace that was still on its way when the recording ended.
    (d) => !(d.recorded === null && d.what.startsWith('node.trace_finished')),
  );
  return lasting === null || !sides.now.engines ? found : [...found, ...contraryVerdicts(lasting, events, names)];
};

/** Verdicts come when they come, maybe after another step than in the recording. */
const withoutVerdicts = (events: readonly AnyEvent[]): AnyEvent[] => events.filter((event) => !isVerdict(event.type));

const RELOAD = /\/nodes\/[^/]+\/reload$/;
const RELOADS: Partial<Record<AnyEvent['type'], AnyEvent['type'] | null>> = {
  'node.stop_requested': null,
  'node.stopped': null,
  'node.start_requested': 'node.reload_requested',
  'node.started': 'node.reloaded',
  'node.start_failed': 'node.reload_failed',
  'node.stop_failed': 'node.reload_failed',
};

/** One engine reloads in place, another stops and starts: the same to those who do not look at engines. */
const reloads = (events: readonly AnyEvent[]): AnyEvent[] =>
  events.flatMap((event): AnyEvent[] => {
    const type = RELOADS[event.type];
    if (type === null) return [];
    if (type === undefined) return [event];
    const { arguments: _, ...data } = event.data as Record<string, unknown>;
    return [{ ...event, type, data } as unknown as AnyEvent];
  });

type Found = Pick<Difference, 'what' | 'recorded' | 'now'>;

/** Characters of a reason that an event keeps, and those at its end that may be a part of an id. */
const KEPT_REASON = 300;
const CUT_ID = 40;

const outcomes = ({ refused, partial }: Step, answer: Answer, sides: Sides): Found[] => {
  const now = answer.status < 300 ? 'done' : `${answer.status} ${normaliseReason(answer.reason ?? '', sides.now)}`;
  // What was answered in the end is not recorded.
  if (refused === null) return partial || now === 'done' ? [] : [{ what: 'outcome', recorded: 'done', now }];
  const recorded = `${refused.status} ${normaliseReason(refused.reason, sides.recorded)}`;
  const alike = refused.reason.length < KEPT_REASON ? recorded === now : now.startsWith(recorded.slice(0, -CUT_ID));
  return alike ? [] : [{ what: 'outcome', recorded, now }];
};

const eventDifferences = (
  events: Record<keyof Sides, readonly AnyEvent[]>,
  sides: Sides,
  names: Names,
  partial: boolean,
): Found[] => {
  const [recorded, now] = unmatched(canons(events.recorded, sides.recorded), canons(events.now, sides.now));
  const found: Found[] = [];
  for (const canon of recorded) {
    const key = keyOf(canon);
    const other = now.findIndex((c) => keyOf(c) === key);
    const [match] = other === -1 ? [] : now.splice(other, 1);
    const what = describeEvent(canon, names);
    if (match === undefined) found.push({ what, recorded: canon.data, now: null });
    else found.push(...fieldDifferences(what, canon, match));
  }
  if (!partial) found.push(...now.map((c) => ({ what: describeEvent(c, names), recorded: null, now: c.data })));
  return found;
};

const keyOf = ({ type, subject }: Canon): string => `${type} ${subject}`;

/** In a canonical order, as the nodes of one request end in any. */
const canons = (events: readonly AnyEvent[], side: Side): Canon[] =>
  events
    .flatMap((event) => normalise(event, side) ?? [])
    .filter(
      (canon, index, all) => !isVerdict(canon.type) || all.findIndex((one) => keyOf(one) === keyOf(canon)) === index,
    )
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

/** What each has that the other has not. */
const unmatched = (a: Canon[], b: Canon[]): [Canon[], Canon[]] => {
  const texts = new Map<string, number>();
  for (const canon of b) texts.set(stableText(canon), (texts.get(stableText(canon)) ?? 0) + 1);
  const take = (canon: Canon): boolean => {
    const count = texts.get(stableText(canon)) ?? 0;
    if (count > 0) texts.set(stableText(canon), count - 1);
    return count > 0;
  };
  const onlyA = a.filter((canon) => !take(canon));
  // What is left in `texts` was matched by nothing.
  return [onlyA, b.filter(take)];
};

const fieldDifferences = (what: string, recorded: Canon, now: Canon): Found[] =>
  [...new Set([...Object.keys(recorded.data), ...Object.keys(now.data)])]
    .filter((key) => stableText(recorded.data[key]) !== stableText(now.data[key]))
    .map((key) => ({
      what: `${what}: ${key}`,
      recorded: recorded.data[key] ?? null,
      now: now.data[key] ?? null,
    }));

type Verdict = Extract<AnyEvent, { type: 'check.met' | 'check.broken' }>;
const isVerdictEvent = (event: AnyEvent): event is Verdict => isVerdict(event.type);

/** Of each check the verdict that it had in the end. */
const lastOf = (events: readonly AnyEvent[]): Map<string, Verdict> =>
  new Map(events.filter(isVerdictEvent).map((event) => [event.data.check_id, event]));

/** Every verdict of the recording, in order. */
const verdictsOf = ({ steps, background }: Plan): Verdict[] =>
  [...background, ...steps.flatMap(({ events }) => events)]
    .filter(isVerdictEvent)
    .sort((a, b) => a.position - b.position);

/**
 * What each check said last within `ms` after the last step was done. Verdicts come by the time that passes: a replay that takes less of it
 * than the recording may come to others between its steps, and under other names, and reaches no deadline of a check sooner.
 */
export const lastingVerdicts = (plan: Plan, ms: number): Verdict[] => {
  const step = plan.steps.at(-1);
  if (step === undefined) return [];
  const done = step.events.findLast((event) => !isVerdictEvent(event)) ?? step;
  const end = Date.parse(done.at) + ms;
  const after = verdictsOf(plan).filter(({ position, at }) => position > done.position && Date.parse(at) <= end);
  return [...lastOf(after).values()];
};

const said = ({ type }: Verdict): string => (type === 'check.met' ? 'met' : 'broken');

/** Checks that say the contrary now. One without a verdict may have its deadline still before it. */
const contraryVerdicts = (
  lasting: readonly Verdict[],
  events: readonly AnyEvent[],
  names: Names,
): Pick<Difference, 'what' | 'recorded' | 'now'>[] => {
  const last = lastOf(events);
  return lasting.flatMap((recorded): Pick<Difference, 'what' | 'recorded' | 'now'>[] => {
    const now = last.get(recorded.data.check_id);
    if (now === undefined || now.type === recorded.type) return [];
    return [{ what: `check ${names(recorded.data.check_id)}`, recorded: said(recorded), now: said(now) }];
  });
};

/** What of the recording's verdicts is not held against this replay, as sentences. */
export const verdictNotes = (plan: Plan, lasting: readonly Verdict[], events: readonly AnyEvent[]): string[] => {
  const last = lastOf(events);
  const isCut = verdictsOf(plan).length > lasting.length;
  return [
    ...(isCut ? ['faster than the recording: of checks only what each said soon after the last step is compared'] : []),
    ...lasting
      .filter(({ data }) => !last.has(data.check_id))
      .map((one) => `check ${one.data.check_id} has no verdict yet; the recording has ${said(one)}`),
  ];
};
