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
    // The search back uses records alone, as the state that only a running node knows has no event.
    const recorded: LabSources = {
      ...known,
      answers: new Map(),
      tables: unsaid(deps.records, project, today),
      isSteady: true,
      states: new Map(view.ofProject('node', projectId).map((record) => [record.node_id, record])),
    };
    const asked = { project_id: projectId, position, question, known: recorded };
    const [obstacle] = found.obstacles;
    const search = obstacle === undefined ? null : await findSince({ past, moments }, asked, obstacle);
    const since = obstacle === undefined || search === null ? null : blamed(obstacle, search);
    const lost =
      obstacle === undefined || query.at !== undefined
        ? null
        : await lostBy(deps, { view, project, known, question, position, lab, obstacle, since });
    const named = obstacle === undefined ? null : { ...obstacle, since: lost?.since ?? since };
    const seen = query.at === undefined ? await captureNotes(lab, found, deps.count) : [];
    const names = { from: nodeAt(lab, question.from).record.name, to: toName(lab, question) };
    const answer: WhyAnswer = {
      ...names,
      position,
      reaches: found.reaches,
      sentence: sentenceOf(names, found, named),
      obstacle: named,
      request: found.request,
      reply: found.reply,
      notes: notesOf(lab, question, found).concat(seen, lost?.note ?? [], search?.isLate === true ? [LATE] : []),
      settled_by: found.reaches === null ? settledBy(lab, question, found) : [],
    };
    return tried === undefined ? answer : withTry(answer, tried);
  };

interface Lost {
  view: RecordView;
  project: ProjectRecord;
  known: LabSources;
  question: Question;
  position: number;
  lab: Lab;
  obstacle: Obstacle;
  since: Since | null;
}

/** Most nodes that were started again and are looked at: each is a walk. */
const MOST_RESTARTED = 16;
const TYPED: ReadonlySet<Obstacle['code']> = new Set(['no_route', 'no_address', 'no_gateway', 'no_path']);

/** The restart by which a node lost the addresses or routes that were typed there, if the obstacle was not there with them. */
const lostBy = async (
  { past, moments }: WhyDeps,
  { view, project, known, question, position, lab, obstacle, since }: Lost,
): Promise<{ since: Since; note: string } | null> => {
  if (!TYPED.has(obstacle.code)) return null;
  const restarted = [...known.tables].flatMap(([id, { before }]) => (before === undefined ? [] : [{ id, before }]));
  const likely = restarted.toSorted((a, b) => Number(b.id === obstacle.node_id) - Number(a.id === obstacle.node_id));
  for (const { id, before } of likely.slice(0, MOST_RESTARTED)) {
    const then = await labOf(view, project, { ...known, tables: new Map(known.tables).set(id, before) });
    const { obstacles } = await inSlices(analyse(then, question));
    if (obstacles.some(({ key }) => key === obstacle.key)) continue;
    const { project_id } = project;
    const restart = await findRestart({ past, moments }, { project_id, position, node_id: id, lab, view }, since);
    const { name } = nodeAt(lab, id).record;
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

/** An address or route that is not known to be there is nobody's deed, unless an event changed what was there. */
const blamed = ({ code, maybe }: Obstacle, { since, isChange }: SinceResult): Since | null =>
  maybe === true && !isChange && ['no_gateway', 'no_address', 'no_route', 'no_path'].includes(code) ? null : since;

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
