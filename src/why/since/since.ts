import { inSlices, type Steps } from '../../common/slices.ts';
import type { Step } from '../../projections/past/step.ts';
import type { RecordView } from '../../projections/records.ts';
import { Records } from '../../projections/store.ts';
import { addressless, analyse, closed, type Question } from '../analysis.ts';
import type { Obstacle, Since, Way } from '../contract.ts';
import { changeLab, compileFilters, type Known, type Lab, labOf } from '../lab.ts';
import { ownersOf } from '../routing.ts';
import { stateOf } from '../segment.ts';
import { type Log, sinceOf } from './deed.ts';
import { eventsOf } from './gone.ts';

/** Events of a project that are folded again first: most causes are young. */
const STEP = 5_000;
/** So many times as many are folded at once later on, as what was before them is folded each time. */
const LONGEST_STEPS = 4;
/** So many times as many in all: of what is older nobody says since when. */
const MOST_STEPS = 20;
/** Longest that is searched. Milliseconds. */
const PATIENCE_MS = 20_000;

export interface Asked {
  project_id: string;
  position: number;
  question: Question;
  known: Known;
}

interface Limits {
  /** Events that are folded first. */
  step?: number;
  /** The search has taken long enough. */
  isLate?: () => boolean;
}

/** `isLate`: it was not searched to its end. `walks`: how often the way was followed. */
export interface Found {
  since: Since | null;
  isLate: boolean;
  walks: number;
}

const patience = (): (() => boolean) => {
  const until = performance.now() + PATIENCE_MS;
  return () => performance.now() > until;
};

/**
 * The last event after which an obstacle was there and before which it was not. The records are folded once more, and taken back event by
 * event, the newest first; the way is only followed again where an event has changed what was looked up on it.
 */
export const findSince = async (
  log: Log,
  asked: Asked,
  { key }: Pick<Obstacle, 'key'>,
  { step = STEP, isLate = patience() }: Limits = {},
): Promise<Found> => {
  const { project_id } = asked;
  let back: GoingBack | null = null;
  const found = (since: Since | null, late = false): Found => ({ since, isLate: late, walks: back?.walks ?? 0 });
  for (let [to, n, steps] = [asked.position, 0, 1]; to > 0 && n < MOST_STEPS;) {
    const events = Math.min(steps, MOST_STEPS - n) * step;
    const from = await log.moments.firstOf(project_id, events, to);
    const records = from === 1 ? new Records() : await log.moments.copyAt(project_id, from - 1);
    const done: Step[] = [];
    for await (const event of eventsOf(log, { project_id, from, to })) {
      const one = records.advance(event);
      for (const { collection, before } of one.transitions)
        if (collection === 'link' && before !== null) await compileFilters([before]);
      done.push(one);
    }
    const view = records.committed;
    if (back === null) {
      const project = view.get('project', project_id);
      if (project === undefined) return found(null);
      back = new GoingBack(await labOf(view, project, asked.known), asked, key);
      if (!(await inSlices(back.begins(view)))) return found(null);
    }
    const cause = await inSlices(back.through(records, done, isLate));
    if (cause === 'late') return found(null, true);
    if (cause !== null) return found(await sinceOf(log, { project_id, view, lab: back.lab }, cause));
    [to, n, steps] = [from - 1, n + steps, Math.min(2 * steps, LONGEST_STEPS)];
  }
  return found(null);
};

const STATE = /^node_[a-z]+:/;
/** What is missing was not there before something else was made either. */
const MISSING = /^no_(?:path|gateway|address):/;

/** Whether an obstacle is there, while events are taken back. */
class GoingBack {
  readonly lab: Lab;
  readonly #asked: Asked;
  readonly #key: string;
  walks = 0;

  constructor(lab: Lab, asked: Asked, key: string) {
    this.lab = lab;
    this.#asked = asked;
    this.#key = key;
  }

  begins(view: RecordView): Steps<boolean> {
    return this.#isThere(view);
  }

  /** Takes events back, the last one first; answers the one before which the obstacle was not there. `records` are those of then. */
  *through(records: Records, steps: readonly Step[], isLate: () => boolean): Steps<Step | 'late' | null> {
    for (const step of steps.toReversed()) {
      const { transitions } = step;
      records.apply(transitions.map(({ collection, id, before }) => ({ collection, id, record: before }) as never));
      let matters = false;
      for (const transition of transitions.toReversed())
        if (this.#takeBack(transition, records.committed)) matters = true;
      if (matters && !(yield* this.#isThere(records.committed))) return step;
      yield;
      if (isLate()) return 'late';
    }
    return null;
  }

  #takeBack(transition: Step['transitions'][number], view: RecordView): boolean {
    const { collection, id, before } = transition;
    const { project_id, question, known } = this.#asked;
    if (collection === 'project') {
      const project = view.get('project', project_id);
      if (project !== undefined) this.lab.project = project;
      return project === undefined || this.#key === 'project_closed';
    }
    const isOnWay = changeLab(this.lab, known, transition);
    if (STATE.test(this.#key)) return this.#key.endsWith(`:${id}`);
    if (before !== null || !MISSING.test(this.#key)) return isOnWay;
    const ends = [question.from, question.to];
    const touched = collection === 'link' ? (transition.record?.nodes.map(({ node_id }) => node_id) ?? []) : [id];
    return isOnWay && touched.some((one) => ends.includes(one));
  }

  *#isThere(view: RecordView): Steps<boolean> {
    const { project_id, question } = this.#asked;
    const [key, lab] = [this.#key, this.lab];
    for (const map of [lab.nodes, lab.links, lab.owners]) map.asked.clear();
    const isThis = (one: Obstacle): boolean => one.key === key;
    if (STATE.test(key)) {
      // What a node is in, it is in before anything leads over it, and before there is the other one.
      const id = key.slice(key.indexOf(':') + 1);
      const node = lab.nodes.get(id);
      const record = view.get('node', id) ?? node?.record;
      return node !== undefined && record !== undefined && stateOf({ ...node, record }).some(isThis);
    }
    if (keysOfNobody(lab, question).includes(key)) return true;
    const ends = [question.from, question.to].flatMap((id) => (id === null ? [] : [lab.nodes.get(id)]));
    if (view.get('project', project_id) === undefined) return false;
    if (closed(lab).some(isThis)) return true;
    if (ends.some((node) => node === undefined || node.isGone)) return false;
    if (ends.some((node) => addressless(lab, node ?? null).some(isThis))) return true;
    this.walks += 1;
    const ways = { request: nothing(), reply: nothing() };
    const walk = analyse(lab, question, ways);
    for (let seen = 0; ;) {
      const { done } = walk.next();
      const all = [ways.request.obstacles, ways.reply.obstacles];
      const count = all.reduce((sum, { length }) => sum + length, 0);
      if (count > seen && all.some((obstacles) => obstacles.some(isThis))) return true;
      if (done === true) return false;
      seen = count;
      yield;
    }
  }
}

const nothing = (): Way => ({ hops: [], obstacles: [], notes: [] });

/** An address that nobody has is not there before the node that sends, either: that this was made, or got its own, is no cause. */
const keysOfNobody = (lab: Lab, { from, to, address }: Question): string[] => {
  if (to !== null || address === null || ownersOf(lab, address).length > 0) return [];
  const isThere = lab.nodes.get(from)?.isGone === false;
  return [`no_address:${from}:${address.text}`, ...(isThere ? [] : [`no_route:${from}:${address.text}`])];
};
