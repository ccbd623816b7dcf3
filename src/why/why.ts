import { invalid, notFound } from '../common/errors.ts';
import { inSlices } from '../common/slices.ts';
import type { LogEvent } from '../events/event.ts';
import type { NodeTables } from '../fabric/protocol.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { Past } from '../projections/past/past.ts';
import type { NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import { parseAddress } from './address.ts';
import { type Answers, readAnswers, type ConsoleLine } from './console-answers.ts';
import type { Obstacle, Since, WhyAnswer, WhyQuery } from './contract.ts';
import { DEFAULT_SIZE, type WantedPort } from './frames.ts';
import { hasKnownInside, type Kinds, type LabSources, type Lab, labOf, nodeAt } from './lab.ts';
import { captureNotes, type CountFrames, consoleNotes, settledBy, tableNotes } from './notes.ts';
import { analyse, type Analysis, type Question } from './packet-path.ts';
import { ownersOf } from './routing.ts';
import { findGone, findRestart, findSince, type SinceResult } from './since.ts';

export interface WhyDeps {
  /** Committed records. */
  records: RecordView;
  past: Past;
  moments: Pick<Moments, 'copyAt' | 'firstOf'>;
  kinds: Kinds;
  /** Tables of running nodes; those that have none are left out. */
  tables(nodeIds: readonly string[]): Promise<ReadonlyMap<string, NodeTables>>;
  /** Recorded lines of a console, up to a time in milliseconds since 1970. */
  shown(projectPath: string, nodeId: string, until?: number): Promise<ConsoleLine[]>;
  count: CountFrames;
  /** Ids of nodes that still run their start-up text. */
  starting(projectId: string): Promise<string[]>;
}

/** Explains why a node does not reach another: by records and tables of running nodes; for a moment of the past by records alone. */
export type Why = (projectId: string, query: WhyQuery, tried?: Tried) => Promise<WhyAnswer>;

/** A ping that was sent. `holds`: it was answered; null: nobody can say. */
interface Tried {
  holds: boolean | null;
  text: string;
}

export const createWhy =
  (deps: WhyDeps): Why =>
  async (projectId, query, tried) => {
    const { past, moments, kinds } = deps;
    const last = past.position();
    const position = query.at === undefined ? last : await past.moment(query.at);
    const view = query.at === undefined ? deps.records : await past.at(projectId, String(position));
    const project = view.get('project', projectId);
    if (project === undefined) throw notFound('Project', projectId);
    const today = await tablesOf(deps, deps.records, projectId);
    const answers = await answersOf(deps, view, project, query.at === undefined ? undefined : position);
    const known: LabSources = { kinds, answers, tables: query.at === undefined ? today : unsaid(view, project, today) };
    let lab = await labOf(view, project, known);
    const question = questionOf(lab, view, query);
    let found = await inSlices(analyse(lab, question));
    if (found.obstacles.some(({ code }) => code === 'no_path' || code === 'no_link')) {
      const gone = await findGone({ past, moments }, projectId, position);
      known.gone = gone;
      lab = await labOf(view, project, known);
      found = await inSlices(analyse(lab, question));
    }
    const isNow = query.at === undefined;
    const starting = isNow ? await startingOn(deps, projectId, found) : [];
    if (starting.length > 0) found = unset(found);
    const way = { view, project, known, question, position, lab, today, isSettled: isNow && starting.length === 0 };
    const { named, notes } = await causeOf(deps, way, found.obstacles[0]);
    const seen = isNow ? await captureNotes(lab, found, deps.count) : [];
    const names = { from: nodeAt(lab, question.from).record.name, to: toName(lab, question) };
    const running = starting.map((id) => `${nodeAt(lab, id).record.name} still runs its start-up text`);
    const answer: WhyAnswer = {
      ...names,
      position,
      reaches: found.reaches,
      sentence: sentenceOf(names, found, named),
      obstacle: named,
      request: found.request,
      reply: found.reply,
      notes: notesOf(lab, question, found).concat(running, seen, notes),
      settled_by: found.reaches === null ? settledBy(lab, question, found) : [],
    };
    return tried === undefined ? answer : withTry(answer, tried);
  };

interface Way {
  view: RecordView;
  project: ProjectRecord;
  known: LabSources;
  question: Question;
  position: number;
  lab: Lab;
  /** Tables of now. */
  today: LabSources['tables'];
  /** It is about now, and all start-up texts have run. */
  isSettled: boolean;
}

/** The obstacle with the event that caused it. */
const causeOf = async (
  deps: WhyDeps,
  way: Way,
  obstacle: Obstacle | undefined,
): Promise<{ named: WhyAnswer['obstacle']; notes: string[] }> => {
  if (obstacle === undefined) return { named: null, notes: [] };
  const { past, moments } = deps;
  const { view, project, known, question, position, lab, today } = way;
  // The search back uses records alone, as the state that only a running node knows has no event.
  const recorded: LabSources = {
    ...known,
    answers: new Map(),
    tables: unsaid(deps.records, project, today),
    isSteady: true,
    states: new Map(view.ofProject('node', project.project_id).map((record) => [record.node_id, record])),
  };
  const search = (by: LabSources): Promise<SinceResult> =>
    findSince({ past, moments }, { project_id: project.project_id, position, question, known: by }, obstacle);
  let found = await search(recorded);
  // A way that somebody has typed is not on record: to obstacles that were not typed, that of now leads.
  if (found.since === null && !found.isLate && !TYPED.has(obstacle.code))
    found = await search({ ...recorded, tables: today });
  const since = blamed(obstacle, lab, found);
  const lost = way.isSettled ? await lostBy(deps, way, { obstacle, since }) : null;
  const notes = [...(lost === null ? [] : [lost.note]), ...(found.isLate ? [LATE] : [])];
  return { named: { ...obstacle, since: lost === null ? since : lost.since }, notes };
};

/** Ids of nodes on the way, or at its ends, that still run their start-up text. */
const startingOn = async (deps: WhyDeps, projectId: string, { request, reply }: Analysis): Promise<string[]> => {
  const ids = new Set([...request.hops, ...reply.hops].map(({ node_id }) => node_id));
  const nodes = new Set([...request.obstacles, ...reply.obstacles].flatMap(({ node_id }) => node_id ?? []));
  return (await deps.starting(projectId).catch(() => [])).filter((id) => ids.has(id) || nodes.has(id));
};

/** Addresses and routes may come yet. */
const unset = (found: Analysis): Analysis => {
  const obstacles = found.obstacles.map((one): Obstacle => (TYPED.has(one.code) ? { ...one, maybe: true } : one));
  return { ...found, obstacles, reaches: obstacles.some(({ maybe }) => maybe !== true) ? false : null };
};

/** Obstacles by what can be typed at a console. */
const TYPED: ReadonlySet<Obstacle['code']> = new Set(['no_route', 'no_address', 'no_gateway', 'no_path']);
/** Most nodes that were started again and are looked at: each is a walk. */
const MOST_RESTARTED = 16;

/** The restart by which a node lost the addresses or routes that were typed there, if the obstacle was not there with them. */
const lostBy = async (
  { past, moments }: WhyDeps,
  { view, project, known, question, position, lab }: Way,
  { obstacle, since }: { obstacle: Obstacle; since: Since | null },
): Promise<{ since: Since | null; note: string } | null> => {
  if (!TYPED.has(obstacle.code)) return null;
  const isThereWith = async (id: string, tables: NodeTables): Promise<boolean> => {
    const then = await labOf(view, project, { ...known, tables: new Map(known.tables).set(id, tables) });
    return (await inSlices(analyse(then, question))).obstacles.some(({ key }) => key === obstacle.key);
  };
  const changed = [...known.tables].filter(([, { before, had }]) => (before ?? had) !== undefined);
  const likely = changed.toSorted(([a], [b]) => Number(b === obstacle.node_id) - Number(a === obstacle.node_id));
  for (const [id, { before, had }] of likely.slice(0, MOST_RESTARTED)) {
    const { name } = nodeAt(lab, id).record;
    if (had !== undefined && !(await isThereWith(id, had)))
      return { since: null, note: `${name} had it in this run: somebody typed otherwise at its console` };
    if (before === undefined || (await isThereWith(id, before))) continue;
    const { project_id } = project;
    const at = { project_id, position, node_id: id, lab, view };
    const restart = await findRestart({ past, moments }, at, since);
    if (restart !== null)
      return { since: restart, note: `${name} had it until then: what was typed there is not in its start-up text` };
  }
  return null;
};

const tablesOf = (deps: WhyDeps, view: RecordView, projectId: string): Promise<ReadonlyMap<string, NodeTables>> => {
  const running = view.ofProject('node', projectId).filter(({ state }) => state !== 'stopped');
  return deps.tables(running.map(({ node_id }) => node_id)).catch(() => new Map<string, NodeTables>());
};

/** Note for a search that hit its time limit. */
const LATE = 'since when it is so was looked for too long, and not found';

/** Addresses and routes that the consoles of real systems have shown, until a position. */
const answersOf = async (
  deps: WhyDeps,
  view: RecordView,
  { project_id, path }: ProjectRecord,
  until: number | undefined,
): Promise<Map<string, Answers>> => {
  const time = until === undefined ? undefined : await timeOf(deps.past, until);
  const answers = new Map<string, Answers>();
  for (const record of view.ofProject('node', project_id)) {
    const { node_id, state } = record;
    if (state === 'stopped' || hasKnownInside(record, deps.kinds)) continue;
    const said = readAnswers(await deps.shown(path, node_id, time).catch(() => []));
    if (said !== null) answers.set(node_id, said);
  }
  return answers;
};

/** Milliseconds since 1970. */
const timeOf = async (past: Past, position: number): Promise<number> => {
  const { texts } = await past.history({ from: position, to: position, limit: 1 });
  const { at } = JSON.parse(texts[0] ?? '{}') as Partial<LogEvent>;
  return Date.parse(at ?? '');
};

/** Tables of nodes whose configuration is not on record: their present ones are the best that is known. */
const unsaid = (
  view: RecordView,
  { project_id }: ProjectRecord,
  today: ReadonlyMap<string, NodeTables>,
): Map<string, NodeTables> => {
  const said = new Set(
    view
      .ofProject('node', project_id)
      .filter(({ texts }) => texts !== undefined)
      .map(({ node_id }) => node_id),
  );
  return new Map([...today].filter(([id]) => !said.has(id)));
};

const questionOf = (
  lab: Lab,
  view: RecordView,
  { from, to, size = DEFAULT_SIZE, port: wanted }: WhyQuery,
): Question => {
  const port = wanted === undefined ? null : portOf(wanted);
  const nodes = view.ofProject('node', lab.project.project_id);
  const sender = nodeNamed(nodes, from);
  if (sender === undefined) throw notFound('Node', from);
  const receiver = nodeNamed(nodes, to);
  if (receiver === sender) throw invalid('from and to are the same node; name another one', { field: 'to' });
  if (receiver !== undefined) return { from: sender.node_id, to: receiver.node_id, address: null, size, port };
  const address = parseAddress(to);
  if (address === null) throw invalid(`to must be a node of the lab or an address, not ${to}`, { field: 'to' });
  const owner = ownersOf(lab, address).find(({ place }) => place.node_id !== sender.node_id);
  return { from: sender.node_id, to: owner?.place.node_id ?? null, address, size, port };
};

/** `80`, `tcp/80`, `udp/53` */
const portOf = (text: string): WantedPort => {
  const [, protocol = 'tcp', number = ''] = /^(?:(tcp|udp)\/)?(\d{1,5})$/.exec(text) ?? [];
  if (Number(number) >= 1 && Number(number) <= MOST_PORT)
    return { protocol: protocol as 'tcp' | 'udp', number: Number(number) };
  throw invalid(`port must be a number from 1 to ${MOST_PORT}, as in 80, tcp/80 or udp/53, not ${text}`, {
    field: 'port',
  });
};
const MOST_PORT = 65_535;

const nodeNamed = (nodes: readonly NodeRecord[], wanted: string): NodeRecord | undefined =>
  nodes.find(({ node_id }) => node_id === wanted) ?? nodes.find(({ name }) => name === wanted);

/**
 * Nobody's deed, unless an event changed what was there: an address or route that is not known to be there, or that may have been typed at
 * the console of a node that runs and was taken away again.
 */
const blamed = ({ code, maybe, node_id }: Obstacle, lab: Lab, { since, isChange }: SinceResult): Since | null => {
  const isTyped = node_id !== undefined && nodeAt(lab, node_id).tables?.had !== undefined;
  return (maybe === true || isTyped) && !isChange && TYPED.has(code) ? null : since;
};

const toName = (lab: Lab, { to, address }: Question): string =>
  to === null ? (address?.text ?? '') : nodeAt(lab, to).record.name;

const notesOf = (lab: Lab, question: Question, found: Analysis): string[] => [
  ...new Set([
    ...found.request.notes,
    ...found.reply.notes,
    ...consoleNotes(lab, found),
    ...tableNotes(lab, question, found),
  ]),
];

const sentenceOf = (
  { from, to }: { from: string; to: string },
  { reaches, request, reply, obstacles }: Analysis,
  obstacle: WhyAnswer['obstacle'],
): string => {
  if (obstacle === null) {
    if (reaches === true) return `${from} reaches ${to}.`;
    const unknown = [
      ...new Set(
        request.hops
          .concat(reply.hops)
          .filter((hop) => hop.unknown)
          .map(({ name }) => name),
      ),
    ];
    const whom = unknown.length === 0 ? to : unknown.join(', ');
    return `Nothing is in the way from ${from} to ${to}, as far as is known here; what ${whom} does with packets is not.`;
  }
  const isBack = !request.obstacles.some(({ key }) => obstacles[0]?.key === key) && request.obstacles.length === 0;
  const what =
    reaches === null
      ? `Whether ${from} reaches ${to} is not known`
      : isBack && obstacle.code !== 'project_closed'
        ? `${to}'s answers do not come back to ${from}`
        : `${from} does not reach ${to}`;
  const since = obstacle.since === null ? '' : ` ${obstacle.since.sentence}.`;
  return `${what}: ${obstacle.sentence}.${since}`;
};

/** The answer together with a try, which counts: what is in the way on paper may be why. */
const withTry = (answer: WhyAnswer, { holds, text }: Tried): WhyAnswer => {
  const { from, to, obstacle } = answer;
  const tried = { reaches: holds, text };
  if (holds === null) return { ...answer, tried, notes: [...answer.notes, text] };
  const settled = { ...answer, tried, reaches: holds, settled_by: [] };
  if (holds) {
    const paper = obstacle === null ? [] : [`it was tried, and passes, although ${obstacle.sentence}`];
    return { ...settled, obstacle: null, sentence: `${from} reaches ${to}.`, notes: [...answer.notes, ...paper] };
  }
  if (answer.reaches === false) return settled;
  const since = obstacle?.since == null ? '' : ` ${obstacle.since.sentence}.`;
  const why = obstacle === null ? 'it was tried, and what is in the way is not known' : `perhaps ${obstacle.sentence}`;
  return { ...settled, sentence: `${from} does not reach ${to}: ${why}.${since}` };
};
