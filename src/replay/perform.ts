import { invalid } from '../common/errors.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { Answer, Sides } from './compare.ts';
import { isVerdict } from './normalise.ts';
import { type EventsOf, messageIn, type ReplayHost } from './host.ts';
import type { Ids, UdpPorts } from './mapping.ts';
import { describeStep, type Names } from './names.ts';
import { createAwaiting, createClock } from './pacing.ts';
import { type Bag, isInside } from './requests.ts';
import type { Plan, Step } from './steps.ts';
import type { Typing } from './typing.ts';

/** Progress of a replay. */
export interface Progress {
  /** Current step; 0 while the lab is being made. */
  step: number;
  of: number;
  current: string;
  /** Recorded time of the step; null before the first. */
  at: string | null;
  /** Estimate in milliseconds; null while there is none. */
  left_ms: number | null;
}

export interface Performance {
  host: ReplayHost;
  plan: Plan;
  ids: Ids;
  ports: UdpPorts;
  names: Names;
  sides: Sides;
  events: EventsOf;
  /** Position of the last event of the preparation. */
  begin: number;
  speed: number | null;
  /** Engine of every node; null: as recorded. */
  engine: string | null;
  /** Added to the project's name. */
  suffix: string;
  requestId(n: number): string;
  typing: Typing | null;
  /** Longest wait of a step for events that happened by themselves before it in the recording. */
  patienceMs: number;
  /** Verdicts to compare in a replay that takes less time than the recording; null: all. */
  lasting: readonly AnyEvent[] | null;
  signal: AbortSignal;
  progress(progress: Progress): void;
}

/** Performs the steps in order, each after the answer to the one before. Ends early, without an error, when aborted. */
export const perform = async (p: Performance): Promise<Map<number, Answer>> => {
  const answers = new Map<number, Answer>();
  const { steps, background } = p.plan;
  const clock = createClock(steps[0]?.at ?? '', p.speed);
  const leftAt = timeLeft(p, clock);
  const awaiting = createAwaiting(p);
  for (const step of steps) {
    p.progress({
      step: step.n,
      of: steps.length,
      current: describeStep(step, p.names),
      at: step.at,
      left_ms: leftAt(step),
    });
    await p.typing?.until(step.at, clock, p.signal);
    await clock.wait(step.at, p.signal);
    await awaiting(p.lasting === null ? step.awaits : step.awaits.filter(isNoVerdict), { tell: teller(p, step) });
    if (p.signal.aborted) return answers;
    answers.set(step.n, await performStep(p, step));
  }
  await p.typing?.until(null, clock, p.signal);
  const last = steps.at(-1);
  if (last === undefined) return answers;
  const awaited = new Set(steps.flatMap((step) => step.awaits));
  const left = background.filter((event) => !awaited.has(event));
  const tell = teller(p, last);
  if (p.lasting === null) {
    const verdicts = steps.flatMap(({ events }) => events.filter((event) => !isNoVerdict(event)));
    await awaiting([...left, ...verdicts], { moreMs: timeBehind(last, verdicts), tell });
  } else await awaiting([...left.filter(isNoVerdict), ...p.lasting], { tell });
  return answers;
};

const isNoVerdict = ({ type }: AnyEvent): boolean => !isVerdict(type);

const teller =
  (p: Performance, { n, at }: Step) =>
  (missing: readonly string[]): void => {
    const current = `waits for ${missing.map((one) => p.names(one).trim()).join(', ')}`;
    p.progress({ step: n, of: p.plan.steps.length, current, at, left_ms: null });
  };

/** Time from a step to the last of the events. Milliseconds. */
const timeBehind = (step: Step, events: readonly AnyEvent[]): number =>
  events.reduce((most, { at }) => Math.max(most, Date.parse(at) - Date.parse(step.at)), 0);

const timeLeft = (p: Performance, clock: ReturnType<typeof createClock>): ((step: Step) => number | null) => {
  const { steps } = p.plan;
  const end = steps.at(-1)?.at ?? '';
  const begin = performance.now();
  return ({ n }) => {
    if (p.speed !== null) return Math.round(clock.until(end));
    // Without the recorded gaps, a step is assumed to take as long as the average of those before.
    return n === 1 ? null : Math.round(((performance.now() - begin) / (n - 1)) * (steps.length - n + 1));
  };
};

const performStep = async (p: Performance, step: Step): Promise<Answer> => {
  const path = p.ids.forth(step.path);
  if (!isInside(path, p.ids.of(p.plan.project_id)))
    throw invalid(`the session asks for ${step.path}, which is not in its own project`);
  const body = step.body === null ? null : await p.ports.forth(adapted(p, step, p.ids.forth(step.body)));
  const reply = await p.host.send(step.method, path, body, p.requestId(step.n));
  return { status: reply.status, reason: reply.status < 300 ? null : messageIn(reply) };
};

const PROJECT = /^\/v2\/(?:compute\/)?projects\/[^/]+$/;

/** Replaces the name and the engine of the recording by those of the replay. */
const adapted = ({ suffix, engine }: Performance, { method, path, refused }: Step, body: Bag): Bag => {
  const { name, properties } = body;
  if (method === 'PUT' && PROJECT.test(path) && typeof name === 'string') return { ...body, name: `${name}${suffix}` };
  if (engine === null || refused !== null) return body;
  const takes = method === 'POST' ? path.endsWith('/nodes') : properties !== undefined && /\/nodes\/[^/]+$/.test(path);
  return takes ? { ...body, properties: { ...(properties as Bag | undefined), engine } } : body;
};
