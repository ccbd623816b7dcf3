import type { AnyEvent } from '../../events/schemas.ts';
import type { Names } from '../names.ts';
import type { Plan } from '../perform/steps.ts';
import type { Difference } from './difference.ts';
import { isVerdict } from './normalise.ts';

export type Verdict = Extract<AnyEvent, { type: 'check.met' | 'check.broken' }>;
const isOfCheck = (event: AnyEvent): event is Verdict => isVerdict(event.type);

/** Of each check the verdict that it had in the end. */
const lastOf = (events: readonly AnyEvent[]): Map<string, Verdict> =>
  new Map(events.filter(isOfCheck).map((event) => [event.data.check_id, event]));

/** Every verdict of the recording, in order. */
const verdictsOf = ({ steps, background }: Plan): Verdict[] =>
  [...background, ...steps.flatMap(({ events }) => events)].filter(isOfCheck).sort((a, b) => a.position - b.position);

/**
 * What each check said last within `ms` after the last step was done. Verdicts come by the time that passes: a replay that takes less of it
 * than the recording may come to others between its steps, and under other names, and reaches no deadline of a check sooner.
 */
export const lastingVerdicts = (plan: Plan, ms: number): Verdict[] => {
  const step = plan.steps.at(-1);
  if (step === undefined) return [];
  const done = step.events.findLast((event) => !isOfCheck(event)) ?? step;
  const end = Date.parse(done.at) + ms;
  const after = verdictsOf(plan).filter(({ position, at }) => position > done.position && Date.parse(at) <= end);
  return [...lastOf(after).values()];
};

const said = ({ type }: Verdict): string => (type === 'check.met' ? 'met' : 'broken');

/** Checks that say the contrary now. One without a verdict may have its deadline still before it. */
export const contraryVerdicts = (lasting: readonly Verdict[], events: readonly AnyEvent[], names: Names): Found[] => {
  const last = lastOf(events);
  return lasting.flatMap((recorded): Found[] => {
    const now = last.get(recorded.data.check_id);
    if (now === undefined || now.type === recorded.type) return [];
    return [{ what: `check ${names(recorded.data.check_id)}`, recorded: said(recorded), now: said(now) }];
  });
};
type Found = Pick<Difference, 'what' | 'recorded' | 'now'>;

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
