import { isDeepStrictEqual } from 'node:util';
import { conflict, invalid } from '../common/errors.ts';
import { type CheckForm, renamed, subjectOf } from '../common/forms/check.ts';
import { until } from '../common/promises.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { isVisualChange } from '../events/visual-changes.ts';
import { groupEvents } from './groups.ts';
import { messageIn, type ReplayHost } from './host.ts';
import type { SessionContent } from './read-session.ts';
import { createReplay } from './replay.ts';
import { planReplay } from './steps.ts';

type Session = Pick<SessionContent, 'events' | 'base'>;

const baseAt = (session: Session, position: number) => planReplay(session, { from: position + 1, to: position }).base;

/** First node of an expectation that does not exist at a position; null if all do. */
const missingNode = (session: Session, expect: CheckForm, position: number): string | null => {
  const known = new Set(baseAt(session, position).nodes.flatMap(({ name, node_id }) => [name, node_id]));
  const missing: string[] = [];
  const look = (name: string): string => {
    if (!known.has(name)) missing.push(name);
    return name;
  };
  renamed(expect, { node: look, link: (link) => link });
  return missing[0] ?? null;
};

/** Positions, newest first, at which checks of the session were met that are equal to the expectation. */
const positionsMet = (session: Session, expect: CheckForm): number[] => {
  const same = new Map<string, boolean>();
  return session.events.toReversed().flatMap((event) => {
    if (event.type !== 'check.met') return [];
    const { check_id } = event.data;
    const known = same.get(check_id) ?? isSame(session, expect, check_id, event.position);
    same.set(check_id, known);
    return known ? [event.position] : [];
  });
};

/** Whether a check of that position is equal to the expectation, in which nodes go by name. */
const isSame = (session: Session, expect: CheckForm, checkId: string, position: number): boolean => {
  const { project, nodes } = baseAt(session, position);
  const check = project.checks?.find(({ check_id }) => check_id === checkId);
  if (check === undefined) return false;
  const names = new Map(nodes.map(({ node_id, name }) => [node_id, name]));
  const node = (id: string): string => names.get(id) ?? id;
  const about = (one: CheckForm): unknown => renamed(one, { node, link: (link) => link })[subjectOf(one)];
  return subjectOf(check) === subjectOf(expect) && isDeepStrictEqual(about(check), about(expect));
};

export interface BisectOptions {
  expect: CheckForm;
  /** First position that is considered. */
  from?: number;
  /** Longest time for a restored lab to meet the expectation. Milliseconds. */
  patienceMs?: number;
}

/** Result of the probe at one position. */
export interface Tried {
  position: number;
  holds: boolean;
  text: string;
}

export interface BisectReport {
  /** First event after which the expectation fails. */
  event: AnyEvent;
  /** Last position at which it held. */
  good: number;
  /** Number of events that may matter. */
  events: number;
  tried: Tried[];
}

/** An event that changes the lab. */
interface Candidate {
  event: AnyEvent;
  /** Position of the last outcome of the event. */
  end: number;
}

const PATIENCE_MS = 3000;
/** Pause between two probes of a lab. Milliseconds. */
const PAUSE_MS = 200;
/** Most labs that are restored to find a position at which it holds. */
const MOST_LOOKS = 64;
/** Most of them that are chosen by checks of the session. */
const MOST_HELD = 12;

/** Probes the lab after a candidate. `left`: estimate of further probes. */
type Look = (index: number, left: number) => Promise<boolean>;

/**
 * Finds the first event after which an expectation fails, by binary search: restores the lab of a position as a project of its own, starts
 * the nodes that ran then, probes, and removes it. Throws `conflict` if the expectation holds at the end, or never did.
 */
export const bisect = async (
  host: ReplayHost,
  session: SessionContent,
  options: BisectOptions,
  { signal, tried: tell }: { signal: AbortSignal; tried: (one: Tried, left: number) => void },
): Promise<BisectReport> => {
  const candidates = candidatesOf(session.events).filter(({ event }) => event.position >= (options.from ?? 0));
  const tried: Tried[] = [];
  const look: Look = async (index, left) => {
    signal.throwIfAborted();
    const position = candidates[index]?.end ?? 0;
    const found = { position, ...(await lookAt({ host, session, options, signal }, position)) };
    tried.push(found);
    tell(found, left);
    return found.holds;
  };
  const last = candidates.length - 1;
  if (last < 1) throw invalid('the session has no event that could have broken anything');
  if (await look(last, steps(last))) throw conflict('it holds at the end of the session: there is nothing to look for');
  let [good, bad] = await lastGood(orderOf(session, options.expect, candidates), last, look);
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (await look(middle, steps(bad - good) - 1)) good = middle;
    else bad = middle;
  }
  const found = candidates[bad];
  if (found === undefined) throw new Error('the event that was found is not there');
  return { event: found.event, good: candidates[good]?.end ?? 0, events: candidates.length, tried };
};

const steps = (between: number): number => Math.ceil(Math.log2(Math.max(1, between)));

/** A candidate after which it holds, and the next probed one, after which it fails. */
const lastGood = async (order: Iterable<number>, last: number, look: Look): Promise<[good: number, bad: number]> => {
  const failed = [last];
  for (const at of order) {
    if (failed.includes(at)) continue;
    if (failed.length > MOST_LOOKS) break;
    const next = Math.min(...failed.filter((one) => one > at));
    if (await look(at, steps(next - at))) return [at, next];
    failed.push(at);
  }
  throw conflict('it does not hold at any moment of the session that was looked at');
};

/**
 * Order in which candidates are probed to find one after which it holds, latest first, as older failures are of no interest: backwards in
 * doubling steps, and where checks of the session were met; then between these, closer and closer.
 */
function* orderOf(session: SessionContent, expect: CheckForm, candidates: readonly Candidate[]): Generator<number> {
  const last = candidates.length - 1;
  const likely = positionsMet(session, expect)
    .slice(0, MOST_HELD)
    .flatMap((position) => {
      const at = candidates.findLastIndex(({ end }) => end <= position);
      // A request may end after the check was met.
      return [at, at + 1];
    });
  for (let step = 1; step <= last; step *= 2) likely.push(last - step);
  yield* likely.filter((at) => at >= 0 && at < last).sort((one, other) => other - one);
  for (let step = 2 ** steps(last); step >= 1; step /= 2)
    for (let at = last - step; at >= 0; at -= step) {
      // The node did not exist before either.
      if (missingNode(session, expect, candidates[at]?.end ?? 0) !== null) break;
      yield at;
    }
}

/** Outcomes of a request, which count as one candidate with it. */
const OUTCOME =
  /^(node\.(started|stopped|suspended|resumed|reloaded|adopted)|project\.(opened|closed)|\w+\.\w+_failed)$/;
const NOTHING =
  /^(drawing|capture|snapshot|file|check|weather|stage|run)\.|^node\.(recording|trace)_|^project\.(updated|nodes_finished)/;

/** Events that change the behaviour of a lab, oldest first. */
export const candidatesOf = (events: readonly AnyEvent[]): Candidate[] => {
  const { groups, background } = groupEvents(events);
  const asked = groups
    .filter(({ refused }) => refused === null)
    .flatMap((group) => {
      const [root] = group.roots.filter(matters);
      const end = group.events.at(-1)?.position ?? 0;
      // Later events of the server itself, such as weather, are candidates of their own.
      const more = group.events.filter(
        (event) => !group.roots.includes(event) && matters(event) && isStep(event, group.events),
      );
      const first = more[0] === undefined ? end : Math.min(end, more[0].position - 1);
      return [...(root === undefined ? [] : [{ event: root, end: first }]), ...more.map(alone)];
    });
  const byItself = background.map(({ event }) => event).filter((event) => matters(event) && !OUTCOME.test(event.type));
  return [...asked, ...byItself.map(alone)].sort((a, b) => a.end - b.end);
};

const alone = (event: AnyEvent): Candidate => ({ event, end: event.position });

const isStep = (event: AnyEvent, group: readonly AnyEvent[]): boolean =>
  !OUTCOME.test(event.type) &&
  group.some(({ position, type }) => position === event.cause && type.startsWith('weather.'));

const matters = (event: AnyEvent): boolean => !NOTHING.test(event.type) && !isVisualChange(event);

interface Looking {
  host: ReplayHost;
  session: SessionContent;
  options: BisectOptions;
  signal: AbortSignal;
}

/** Restores the lab of a position, and probes it until the expectation holds or time is up. */
const lookAt = async (
  { host, session, options, signal }: Looking,
  position: number,
): Promise<Pick<Tried, 'holds' | 'text'>> => {
  const { expect, patienceMs = PATIENCE_MS } = options;
  const missing = missingNode(session, expect, position);
  if (missing !== null) return { holds: false, text: `${missing} is not there yet` };
  let found: Pick<Tried, 'holds' | 'text'> = { holds: false, text: 'the lab could not be looked at' };
  const replay = createReplay(host, session, {
    speed: null,
    engine: 'auto',
    keep: false,
    consoles: false,
    from: position + 1,
    to: position,
    async look(projectId) {
      const project = `/v2/projects/${projectId}`;
      const made = await host.send('POST', `${project}/checks`, { ...expect }, 'bisect');
      if (made.status >= 300) {
        found = { holds: false, text: messageIn(made) };
        return;
      }
      const { check_id } = made.body as { check_id: string };
      const look = async (): Promise<boolean> => {
        const reply = await host.send('POST', `${project}/checks/${check_id}/look`, {}, 'bisect');
        const { holds, text } = reply.body as { holds?: boolean | null; text?: string };
        found = { holds: holds === true, text: text ?? messageIn(reply) };
        return found.holds;
      };
      await until(look, { every: PAUSE_MS, within: patienceMs, signal });
    },
  });
  await replay.run(signal, () => undefined);
  return found;
};
