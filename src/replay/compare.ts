import type { AnyEvent } from '../events/schemas.ts';
import { describeEvent, describeStep, type Names } from './names.ts';
import { type Grouped, groupEvents } from './groups.ts';
import type { Plan, Step } from './steps.ts';
import { type Canon, isVerdict, normalise, normaliseReason, type Side, stableText } from './normalise.ts';

/** A difference between the recording and the replay. */
export interface Difference {
  /** null for an event that belongs to no step. */
  step: number | null;
  /** The step's request. */
  request: string | null;
  what: string;
  /** null if it is not in the recording. */
  recorded: unknown;
  now: unknown;
}

/** Answer to the request of a step in the replay. */
export interface Answer {
  status: number;
  /** Reason of a refusal. */
  reason: string | null;
}

export interface Performed {
  /** Answers by the number of the step. */
  answers: ReadonlyMap<number, Answer>;
  /** Events since the first step. */
  events: readonly AnyEvent[];
  /** Request id of a step. */
  requestId(n: number): string;
  /** Verdicts to compare in a replay that takes less time than the recording; null: all. */
  lasting: readonly Verdict[] | null;
}

export interface Sides {
  recorded: Side;
  now: Side;
}

/** Compares every step with its recording. Pure. */
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
    // Leaves out a trace that was still running when the recording ended.
    (d) => !(d.recorded === null && d.what.startsWith('node.trace_finished')),
  );
  return lasting === null || !sides.now.engines ? found : [...found, ...contraryVerdicts(lasting, events, names)];
};

/** Removes verdicts, which may come after another step than in the recording. */
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

/** Replaces a stop and a start by a reload: engines differ in that, and may not be compared. */
const reloads = (events: readonly AnyEvent[]): AnyEvent[] =>
  events.flatMap((event): AnyEvent[] => {
    const type = RELOADS[event.type];
    if (type === null) return [];
    if (type === undefined) return [event];
    const { arguments: _, ...data } = event.data as Record<string, unknown>;
    return [{ ...event, type, data } as unknown as AnyEvent];
  });

type Found = Pick<Difference, 'what' | 'recorded' | 'now'>;

/** Most characters of a recorded reason, and length of a partial id that may be cut off at its end. */
const KEPT_REASON = 300;
const CUT_ID = 40;

const outcomes = ({ refused, partial }: Step, answer: Answer, sides: Sides): Found[] => {
  const now = answer.status < 300 ? 'done' : `${answer.status} ${normaliseReason(answer.reason ?? '', sides.now)}`;
  // The final answer of a partial step is not recorded.
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

/** Normalises events and sorts them, as the nodes of one request end in any order. */
const canons = (events: readonly AnyEvent[], side: Side): Canon[] =>
  events
    .flatMap((event) => normalise(event, side) ?? [])
    .filter(
      (canon, index, all) => !isVerdict(canon.type) || all.findIndex((one) => keyOf(one) === keyOf(canon)) === index,
    )
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

/** Elements of each list that the other one lacks. */
const unmatched = (a: Canon[], b: Canon[]): [Canon[], Canon[]] => {
  const texts = new Map<string, number>();
  for (const canon of b) texts.set(stableText(canon), (texts.get(stableText(canon)) ?? 0) + 1);
  const take = (canon: Canon): boolean => {
    const count = texts.get(stableText(canon)) ?? 0;
    if (count > 0) texts.set(stableText(canon), count - 1);
    return count > 0;
  };
  const onlyA = a.filter((canon) => !take(canon));
  // Counts that remain in `texts` were not matched.
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

/** Last verdict of each check. */
const lastOf = (events: readonly AnyEvent[]): Map<string, Verdict> =>
  new Map(events.filter(isVerdictEvent).map((event) => [event.data.check_id, event]));

/** Every verdict of the recording, in order. */
const verdictsOf = ({ steps, background }: Plan): Verdict[] =>
  [...background, ...steps.flatMap(({ events }) => events)]
    .filter(isVerdictEvent)
    .sort((a, b) => a.position - b.position);

/**
 * Last verdict of each check within `ms` after the last step. Verdicts depend on elapsed time: a faster replay may get others between its
 * steps, and does not reach the deadline of a check sooner.
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

/** Checks with the opposite verdict. One without a verdict may not have reached its deadline. */
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

/** Sentences about recorded verdicts that are not compared. */
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
