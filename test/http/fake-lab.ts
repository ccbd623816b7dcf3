import { type PassThrough, Readable } from 'node:stream';
import { pino } from 'pino';
import type { Commands, Refusal } from '../../src/actors/commands.ts';
import { Jobs } from '../../src/actors/runtime/jobs.ts';
import { notFound } from '../../src/common/errors.ts';
import { buildServer, type HttpDeps } from '../../src/http/server/server.ts';
import { Counts } from '../../src/http/metrics/counts.ts';
import { CaptureFiles } from '../../src/fabric/packets/files/capture-files.ts';
import { readPackets } from '../../src/fabric/packets/read-packets.ts';
import { fakeCommands } from './fake-commands.ts';
import {
  DRAWING,
  drawing,
  FakeRecords,
  kinds,
  LINK,
  link,
  NODE,
  NODE_2,
  node,
  PROJECT,
  project,
  UNKNOWN,
} from './fake-records.ts';

export * from './fake-records.ts';

export interface FakeLab {
  records: FakeRecords;
  commands: Commands;
  /** Name and arguments of every command, without the caller. */
  calls: unknown[][];
  callers: unknown[];
  refusals: Refusal[];
  defects: unknown[];
  /** The next call of a command throws this. */
  failNext(error: unknown): void;
  /** Server's side of the consoles that were opened. */
  consoles: PassThrough[];
}

/** A project with two simple PCs, a link between them and a drawing. */
export const fakeLab = (): FakeLab => {
  const records = new FakeRecords();
  records.put('project', PROJECT, project());
  records.put('node', NODE, node('simple_pc'));
  records.put('node', NODE_2, node('simple_pc', { node_id: NODE_2, name: 'PC2' }));
  records.put('link', LINK, link());
  records.put('drawing', DRAWING, drawing());
  const lab = { records, calls: [], callers: [], refusals: [], defects: [], consoles: [] };
  let failure: unknown;
  return {
    ...lab,
    commands: fakeCommands(lab, () => {
      const error = failure;
      failure = undefined;
      // Also what is no Error, as a defect may be.
      // oxlint-disable-next-line typescript/only-throw-error
      if (error !== undefined) throw error;
    }),
    failNext: (error) => {
      failure = error;
    },
  };
};

/** No events, and no other moment than now. */
export const fakePast = (lab: Pick<FakeLab, 'records'>): HttpDeps['past'] => ({
  history: async () => ({ texts: [], next: null }),
  moment: () => Promise.resolve(0),
  causes: async () => [],
  at: async () => lab.records,
  diff: async () => [],
  head: async () => ({ version: 0, hash: '' }),
  lastTimes: async () => new Map(),
  position: () => 0,
});

const noTime: HttpDeps['timeReader'] = {
  overview: async () => ({
    ...{
      first: null,
      last: null,
      entries: 0,
      shown: 0,
      edges: [],
      snapshots: [],
      busy: 0,
      lanes: [],
      gaps: [],
      marks: [],
      people: [],
    },
    ...{ indexed: 0, of: 0 },
  }),
  entries: async () => ({ total: 0, index: 0, entries: [], indexed: 0, of: 0 }),
  objects: async () => [],
};

/** Nothing has happened, and nothing will. */
const noChanges: HttpDeps['changes'] = {
  position: () => 0,
  onCommitted: () => undefined,
  missed: async () => 0,
  since: async function* () {},
};

const ENGINES: Awaited<ReturnType<HttpDeps['engines']>> = [
  { kind: 'machine_emulator', engine: 'qemu', available: true, version: '7.2.22', missing: null },
  {
    ...{ kind: 'simple_pc', engine: 'vpcs', available: false, version: null },
    missing: { needs: 'vpcs', install: 'apt-get install vpcs' },
  },
];

const IMAGE = {
  filename: 'a.qcow2',
  path: 'disks/a.qcow2',
  filesize: 3,
  md5sum: '900150983cd24fb0d6963f7d28e17f72',
};

const APPLIANCE = {
  ...{ name: 'Router', vendor: null, description: null, status: null, registry_version: 4 },
  ...{ documentation_url: null, product_url: null, usage: null, versions: [] },
};

const STATISTICS = {
  ...{ memory_total: 8, memory_free: 6, memory_used: 2, swap_total: 4, swap_free: 4, swap_used: 0 },
  ...{ cpu_usage_percent: 7, memory_usage_percent: 25, swap_usage_percent: 0, disk_usage_percent: 40 },
  load_average_percent: [1, 2, 3],
};

/** Sessions of no lines, of the projects that are there. */
const fakeSessions = (lab: Pick<FakeLab, 'records'>): HttpDeps['sessions'] => ({
  export: async (projectId) => {
    if (lab.records.get('project', projectId) === undefined) throw notFound('Project', projectId);
    return Readable.from([]);
  },
  sign: async (text) => ({ public_key: 'key', signature: `of ${text.length} characters` }),
  verify: async () => ({ ok: true, facts: 0, records: 0, lost: 0, problem: null, problems: [] }),
});

export const serve = (lab: FakeLab, over: Partial<HttpDeps> = {}) =>
  buildServer({
    commands: lab.commands,
    records: lab.records,
    kinds,
    past: fakePast(lab),
    timeReader: noTime,
    changes: noChanges,
    edits: { of: async () => [], nameOf: () => null, stepsOf: async () => [] },
    why: () => Promise.reject(notFound('Project', 'any')),
    replays: {
      start: async (project) => {
        throw notFound('Project', project);
      },
      list: () => [],
      get: (_project, id) => {
        throw notFound('Replay', id);
      },
      cancel: async (_project, id) => {
        throw notFound('Replay', id);
      },
    },
    labs: {
      show: () => Promise.resolve('lab: fake\n'),
      update: (_id, { text }) => Promise.resolve(text),
      schema: () => ({}),
    },
    files: {
      open: async (_root, name) => Readable.from([`bytes of ${name}`]),
      read: async (_root, name) => ({ bytes: Buffer.from(`bytes of ${name}`), etag: '"etag"' }),
      list: async () => [],
    },
    images: {
      list: async () => [IMAGE],
      open: async (_kind, name) => {
        if (name === UNKNOWN) throw notFound('File', name);
        return Readable.from([`bytes of ${name}`]);
      },
    },
    appliances: { read: async () => APPLIANCE },
    host: {
      statistics: async () => STATISTICS,
      load: () => ({ cpu_usage_percent: 1, memory_usage_percent: 2 }),
      interfaces: async () => [],
      consoleRange: [5000, 10000],
      udpRange: [20000, 30000],
    },
    computes: { isHere: (id) => id === 'local', find: () => undefined },
    control: {
      handOver: () => Promise.resolve(),
      reload: async () => undefined,
      shutdown: () => undefined,
      writeDebug: async () => undefined,
    },
    recordings: { list: async () => [], open: async () => Readable.from([]) },
    symbols: {
      list: async () => [],
      read: async () => ({ bytes: Buffer.from('<svg/>'), type: 'image/svg+xml', width: 1, height: 2 }),
      defaults: {},
    },
    readSetting: async () => ({ iourc_content: '', license_check: true }),
    sessions: fakeSessions(lab),
    traffic: async () => [],
    fabricTotals: async () => ({ frames: 5, bytes: 500, dropped: 1, delayed: 0, cables: 1 }),
    counts: new Counts(),
    standing: () => ({ role: 'writer', refuses: null }),
    jobs: new Jobs(),
    readCapture: readPackets,
    captures: new CaptureFiles(),
    engines: async () => ENGINES,
    health: () => ({ log: 'ok' }),
    version: '1.2.3',
    local: true,
    computeId: 'local',
    logger: pino(
      { level: 'error', serializers: { err: (error) => lab.defects.push(error) } },
      { write: () => undefined },
    ),
    ...over,
  });
