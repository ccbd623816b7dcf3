import { isDeepStrictEqual } from 'node:util';
import type { LabContext } from '../../src/actors/context.ts';
import type { Directory } from '../../src/actors/directory.ts';
import { CheckedStore } from '../../src/events/store/checked-store.ts';
import { KEYS, type Range, type Store } from '../../src/events/store/store.ts';
import type { LogEvent } from '../../src/events/event.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { upcast } from '../../src/events/upcasters.ts';
import { nioCable } from '../../src/fabric/client/plumbing.ts';
import { portKey, type CableSpec } from '../../src/fabric/protocol.ts';
import { withWeather } from '../../src/projections/weather.ts';
import { resolvePaths } from '../../src/projections/past/record-paths.ts';
import {
  type CollectionName,
  type LinkRecord,
  type NodeRecord,
  type RecordView,
  SERVER_COLLECTIONS,
  serverId,
} from '../../src/projections/records.ts';
import { Records } from '../../src/projections/store.ts';
import { checkStore } from '../../src/session/verify/check-store.ts';
import type { Asked, Client } from './clients.ts';
import { ROOT } from './disk.ts';
import type { SimulatedFabric } from './fabric.ts';
import { contentOf, type LevelDisk } from './level.ts';
import type { Programs } from './processes.ts';

/** What must hold whenever nothing is under way, each as a list of sentences on what does not. */

/** What is on disk, read without waiting. */
const storeOf = (level: LevelDisk): Store => {
  const refuse = (): Promise<never> => Promise.reject(new Error('the check writes nothing'));
  const below: Store = {
    batch: refuse,
    get: (key) => Promise.resolve(level.seen.get(key)),
    getMany: (keys) => Promise.resolve(keys.map((key) => level.seen.get(key))),
    iterator(range: Range) {
      const rows = level.rows(range);
      return { nextv: (size) => Promise.resolve(rows.splice(0, size)), close: () => Promise.resolve() };
    },
    close: () => Promise.resolve(),
  };
  return new CheckedStore(below, { allSealed: true });
};

/** Positions, versions, hashes, heads, indexes, and records = fold of the log: the product's own check. */
export const checkLog = async (level: LevelDisk): Promise<string[]> => {
  const { ok, problem } = await checkStore(storeOf(level));
  return ok || problem === null ? [] : [`the log: ${problem.where} at ${problem.position}: ${problem.message}`];
};

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Records as they are read: on disk, paths are kept relative to the data directory. */
const placed = resolvePaths({ filesDirs: [`${ROOT}/data`], former: [], wholeUntil: 0 });

/** A record of the disk as it is read. */
const asRead = (collection: string, record: unknown): unknown =>
  record === undefined ? undefined : json(placed.record(collection as CollectionName, record as never));

/** The whole log, folded once: what every record was after each of its changes, and which request made which events. */
export class History {
  readonly events: AnyEvent[] = [];
  readonly #were = new Map<string, unknown>();

  constructor(level: LevelDisk) {
    const records = new Records();
    for (const [, text] of level.rows({ gte: KEYS.event(0), lte: KEYS.eventEnd })) {
      const event = upcast(JSON.parse(text) as LogEvent);
      this.events.push(event);
      const changes = records.stage(event);
      records.commit(changes, [event]);
      for (const { collection, id, record } of changes)
        if (record !== null) this.#were.set(`${collection}/${id}@${event.position}`, record);
    }
  }

  was(collection: string, id: string, changed: number): unknown {
    return asRead(collection, this.#were.get(`${collection}/${id}@${changed}`));
  }

  /** Every answer is what the log says; what was asked once is there once. */
  check(clients: readonly Client[]): string[] {
    const byRequest = new Map<string, AnyEvent[]>();
    for (const event of this.events)
      if (event.request_id !== null)
        byRequest.set(event.request_id, [...(byRequest.get(event.request_id) ?? []), event]);
    const early = this.events.find((event, n) => n > 0 && event.at < (this.events[n - 1]?.at ?? ''));
    const times = early === undefined ? [] : [`position ${early.position} is dated earlier than the one before it`];
    const answers = clients.flatMap((client) => [
      ...client.asked.flatMap((asked) => this.#checkOne(asked, byRequest.get(asked.id) ?? [])),
      ...client.marks.flatMap((mark) => this.#checkMark(client.home, mark)),
    ]);
    return [...times, ...this.#checkEnds(), ...answers];
  }

  /** A project that was deleted has no events any more, until one with its id is made. */
  #checkEnds(): string[] {
    const deleted = new Set<string>();
    return this.events.flatMap(({ project_id, type, position }) => {
      if (project_id === null) return [];
      if (type === 'project.created') deleted.delete(project_id);
      const isLate = deleted.has(project_id);
      if (type === 'project.deleted') deleted.add(project_id);
      return isLate ? [`${type} at ${position} is of a project that was deleted before`] : [];
    });
  }

  #checkOne({ id, operation, outcome, answer }: Asked, logged: readonly AnyEvent[]): string[] {
    const problems: string[] = [];
    const { what, events = [], together } = operation;
    for (const type of outcome === 'done' ? events : [])
      if (!logged.some((event) => event.type === type))
        problems.push(`${id} (${what}) was answered, and its ${type} is not in the log`);
    if (together !== undefined && logged.length !== 0 && logged.length !== together)
      problems.push(`${id} (${what}) has ${logged.length} events in the log, not all or none`);
    if (together !== undefined && outcome === 'done' && logged.length === 0)
      problems.push(`${id} (${what}) was answered and is not in the log`);
    if (together !== undefined && outcome === 'refused' && logged.length > 0)
      problems.push(`${id} (${what}) was refused and is in the log`);
    if (outcome === 'done') problems.push(...this.#checkAnswer(id, what, answer));
    return problems;
  }

  #checkAnswer(id: string, what: string, answer: unknown): string[] {
    const records = Array.isArray(answer) ? (answer as unknown[]) : [answer];
    return records.flatMap((record) => {
      const stamped = record as { changed?: number; [key: string]: unknown } | null;
      if (typeof stamped?.changed !== 'number') return [];
      const [collection, own] = identityOf(stamped);
      const was = this.was(collection, own, stamped.changed);
      if (was === undefined) return [`${id} (${what}) was answered a ${collection} that the log never had`];
      return isDeepStrictEqual(json(was), json(record))
        ? []
        : [`${id} (${what}) was answered something else than the log has`];
    });
  }

  #checkMark(home: string, mark: string): string[] {
    const isMade = (f: AnyEvent): boolean =>
      f.type === 'drawing.created' && f.project_id === home && f.data.svg === `<svg>${mark}</svg>`;
    const made = this.events.filter(isMade);
    return made.length > 1 ? [`the request with the key ${mark} was carried out ${made.length} times`] : [];
  }
}

const identityOf = (record: Record<string, unknown>): [collection: string, id: string] => {
  for (const name of ['drawing', 'link', 'snapshot', 'node', 'template', 'project'])
    // What is in a project names the project as well, and a node may name its template.
    if (typeof record[`${name}_id`] === 'string' && !(name === 'template' && 'scene_width' in record))
      return [name, record[`${name}_id`] as string];
  return ['nothing', ''];
};

/** Committed records in memory are those on disk. */
export const checkRecords = (view: RecordView, level: LevelDisk): string[] => {
  const here = new Map<string, unknown>();
  for (const project of view.projects()) {
    here.set(KEYS.record('project', project.project_id), project);
    const { project_id } = project;
    const run = view.get('run', project_id);
    if (run !== undefined) here.set(KEYS.record('run', project_id), run);
    for (const r of view.ofProject('node', project_id)) here.set(KEYS.record('node', r.node_id), r);
    for (const r of view.ofProject('link', project_id)) here.set(KEYS.record('link', r.link_id), r);
    for (const r of view.ofProject('drawing', project_id)) here.set(KEYS.record('drawing', r.drawing_id), r);
    for (const r of view.ofProject('snapshot', project_id)) here.set(KEYS.record('snapshot', r.snapshot_id), r);
  }
  for (const collection of SERVER_COLLECTIONS)
    for (const r of view.ofServer(collection)) here.set(KEYS.record(collection, serverId(r)), r);
  const problems: string[] = [];
  for (const [key, text] of level.rows({ gte: KEYS.recordStart, lte: KEYS.recordEnd })) {
    const [, collection = ''] = key.split('/');
    if (!isDeepStrictEqual(json(here.get(key) ?? null), asRead(collection, JSON.parse(contentOf(text)))))
      problems.push(`${key} in memory is not as on disk`);
    here.delete(key);
  }
  return [...problems, ...[...here.keys()].map((key) => `${key} is in memory and not on disk`)];
};

/** The machine of each node and project is where its record is. */
export const checkMachines = ({ committed }: LabContext, directory: Directory, rests: boolean): string[] => {
  const problems: string[] = [];
  for (const project of committed.projects()) {
    const { project_id, state } = project;
    if (rests) {
      const machine = directory.project(project).state;
      if (machine !== state) problems.push(`project ${project.name} is ${state} on record and its machine ${machine}`);
    }
    for (const node of committed.ofProject('node', project_id)) {
      const actor = directory.findNode(node.node_id);
      // Between the two events by which a node is started again its recording is ended.
      const isStartedAgain = !rests && node.state === 'starting' && actor?.state === 'stopped';
      if (actor !== undefined && actor.state !== node.state && !isStartedAgain)
        problems.push(`node ${node.name} is ${node.state} on record and its machine ${actor.state}`);
      if (rests && actor === undefined && state === 'opened')
        problems.push(`node ${node.name} of an open project has no actor`);
    }
  }
  return problems;
};

const RESTS = new Set(['stopped', 'started', 'suspended', 'idle', 'capturing', 'opened', 'closed']);

/** Nothing is half-way when nothing is under way. */
export const checkRest = (view: RecordView): string[] =>
  view
    .projects()
    .flatMap(({ project_id, name, state, apply }) => [
      ...(RESTS.has(state) ? [] : [`project ${name} stays ${state}`]),
      ...(apply === undefined ? [] : [`a text that was applied to ${name} has no end`]),
      ...view
        .ofProject('node', project_id)
        .flatMap((n) => (RESTS.has(n.state) ? [] : [`node ${n.name} stays ${n.state}`])),
      ...view
        .ofProject('link', project_id)
        .flatMap((l) => (RESTS.has(l.state) ? [] : [`link ${l.link_id} stays ${l.state}`])),
    ]);

interface Real {
  fabric: SimulatedFabric | null;
  programs: Programs;
}

const differences = (what: string, wanted: Iterable<string>, found: Iterable<string>): string[] => {
  const [right, there] = [new Set(wanted), new Set(found)];
  return [
    ...[...right].filter((one) => !there.has(one)).map((one) => `${what} ${one} is on record and not there`),
    ...[...there].filter((one) => !right.has(one)).map((one) => `${what} ${one} is there and not on record`),
  ];
};

/** What really is there is what the records say: nodes, programs, cables, captures, recordings; nothing twice. */
export const checkWorld = (view: RecordView, { fabric, programs }: Real): string[] => {
  const open = view.projects().filter(({ state }) => state === 'opened');
  const nodes = view.projects().flatMap(({ project_id }) => view.ofProject('node', project_id));
  const links = open.flatMap(({ project_id }) => view.ofProject('link', project_id));
  const runs = nodes.filter(({ state }) => state !== 'stopped');
  const closed = runs.filter(({ project_id }) => !open.some((project) => project.project_id === project_id));
  return [
    ...closed.map(({ name }) => `node ${name} runs in a project that is not open`),
    ...differences(
      'embedded node',
      runs.filter(({ engine }) => engine === 'embedded').map((n) => `${n.node_id} ${n.state} ${n.name}`),
      [...(fabric?.nodes.values() ?? [])].map(({ spec, state }) => `${spec.node_id} ${state} ${spec.name}`),
    ),
    ...checkPrograms(runs, programs),
    ...checkCables(
      cablesOf(
        open.flatMap((p) => view.ofProject('node', p.project_id)),
        links,
      ),
      fabric,
    ),
    ...differences(
      'capture',
      capturesOf(nodes, links),
      [...(fabric?.captures.values() ?? [])].map((c) => `${portKey(c.port)} ${c.path}`),
    ),
    ...differences(
      'recording',
      nodes.flatMap((n) => (n.recording === null ? [] : [`${n.node_id} ${n.recording}`])),
      [...(fabric?.recordings.values() ?? [])].map((r) => `${r.node_id} ${r.path.split('/').at(-1) ?? ''}`),
    ),
  ];
};

const checkPrograms = (runs: readonly NodeRecord[], programs: Programs): string[] => [
  ...differences(
    'program',
    runs.filter(({ engine }) => engine === 'program').map((n) => `${n.node_id} ${n.pid ?? 'none'} ${n.state}`),
    programs.running().map((p) => `${p.node_id} ${p.pid} ${p.halted ? 'suspended' : 'started'}`),
  ),
];

const checkCables = (wanted: readonly string[], fabric: SimulatedFabric | null): string[] => {
  const isHeard = (cable: string): boolean => fabric?.refused.has(cable.slice(0, cable.indexOf(' '))) !== true;
  const found = [...(fabric?.cables.values() ?? [])].map(cableText);
  return differences('cable', wanted.filter(isHeard), found.filter(isHeard));
};

const cableText = ({ cable_id, ends, suspend, filters }: CableSpec): string =>
  `${cable_id} ${ends.map((end) => (end.type === 'port' ? portKey(end) : `udp ${end.lport}`)).join('-')} ${String(suspend)} ${namesOf(filters)}`;

/** The cable has its seed elsewhere, and nothing of a delay of 0, as a ramp may begin with. */
const namesOf = (filters: object): string =>
  Object.entries(filters)
    .filter(([name, values]) => name !== 'seed' && !(Array.isArray(values) && values.every((value) => value === 0)))
    .map(([name]) => name)
    .toSorted()
    .join();

const cablesOf = (nodes: readonly NodeRecord[], links: readonly LinkRecord[]): string[] => [
  ...links.map((link) => {
    const { filters, suspend } = withWeather(link);
    return `${link.link_id} ${link.nodes.map(portKey).join('-')} ${String(suspend)} ${namesOf(filters)}`;
  }),
  ...nodes.flatMap((n) =>
    Object.entries(n.nios).map(([key, nio]) => {
      const [adapter_number = 0, port_number = 0] = key.split('/').map(Number);
      const port = { node_id: n.node_id, adapter_number, port_number };
      return `${nioCable(port)} ${portKey(port)}-udp ${String(nio['lport'])} false `;
    }),
  ),
];

const capturesOf = (nodes: readonly NodeRecord[], links: readonly LinkRecord[]): string[] => [
  ...links.flatMap(({ state, capture }) =>
    state === 'idle' || capture === null ? [] : [`${portKey(capture)} ${capture.path}`],
  ),
  ...nodes.flatMap((n) => Object.entries(n.captures).map(([key, { path }]) => `${n.node_id}/${key} ${path}`)),
];
