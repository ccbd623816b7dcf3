import path from 'node:path';
import type { Caller, Commands } from '../../src/actors/commands.ts';
import { LabCaches, type LabContext } from '../../src/actors/context.ts';
import { Directory } from '../../src/actors/directory.ts';
import { Placing } from '../../src/actors/project/placing.ts';
import { Jobs } from '../../src/actors/runtime/jobs.ts';
import { createLab, type Lab } from '../../src/actors/lab.ts';
import { createEngines, type Engines } from '../../src/emulators/kit/engines.ts';
import { createPlumbing } from '../../src/fabric/client/plumbing.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import type { OpenStore } from '../../src/events/store/store.ts';
import { SYSTEM } from '../../src/events/event.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { readRecords } from '../../src/events/read.ts';
import { type FabricClient, FabricError } from '../../src/fabric/client/client.ts';
import type { DatagramSocket } from '../../src/fabric/io/datagrams.ts';
import { createFabric, type Fabric } from '../../src/fabric/process/fabric.ts';
import { models } from '../../src/fabric/models/index.ts';
import type { Inventory, Op } from '../../src/fabric/protocol.ts';
import { Computes } from '../../src/computes/computes.ts';
import { remotePlumbing } from '../../src/computes/links/remote-plumbing.ts';
import { LabSecrets } from '../../src/common/lab-secrets/store.ts';
import { ComputeSecrets } from '../../src/computes/passwords.ts';
import { Tunnels } from '../../src/computes/links/tunnels.ts';
import { createEdits } from '../../src/projections/edits.ts';
import { createChanges } from '../../src/projections/past/changes.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import type { RecordChange } from '../../src/projections/fold/change.ts';
import { createSymbols } from '../../src/files/symbols/symbols.ts';
import { Records } from '../../src/projections/store.ts';
import { loggerTo } from '../support/logger.ts';
import { ownStore } from '../support/own-log.ts';
import { noSeat } from '../support/no-seat.ts';

export const CALLER: Caller = { by: { ...SYSTEM, principal: 'tester' }, request_id: null };

const socketToNowhere = (port: number): DatagramSocket => ({
  take: () => undefined,
  takeBatch: () => undefined,
  connect: () => Promise.resolve(),
  port,
  failed: 0,
  close: () => Promise.resolve(),
});

/** The real fabric in this process, without sockets: consoles that nobody reaches, datagrams that go nowhere. */
export const fabricInProcess = (): Fabric =>
  createFabric({
    models,
    openConsole: ({ port, range }) => {
      const nothing = (): void => undefined;
      return Promise.resolve({
        port: port === 0 ? range[0] : port,
        attach: nothing,
        reset: nothing,
        record: nothing,
        join: noSeat,
        close: () => Promise.resolve(),
      });
    },
    sockets: {
      name: 'node',
      description: 'no sockets',
      open: () => ({
        datagrams: { open: ({ port }) => Promise.resolve(socketToNowhere(port)) },
        pathMtu: (host) => Promise.resolve({ address: host, mtu: null }),
        close: () => undefined,
      }),
    },
  });

export const clientOf = (fabric: Fabric): FabricClient => {
  const one = async <T>(op: Op): Promise<T> => {
    const result = await fabric.perform(op);
    if (!result.ok) throw new FabricError(result.code, result.message);
    return result.value as T;
  };
  return {
    run: (ops) => Promise.all(ops.map((op) => fabric.perform(op))),
    one,
    inventory: () => one<Inventory>({ op: 'inventory' }),
    console: () => Promise.reject(new FabricError('invalid', 'nobody listens to consoles here')),
    onEvent: (listener) => fabric.onEvent(listener),
    onLost: () => undefined,
    close: () => undefined,
  };
};

export interface TestLab {
  lab: Lab;
  commands: Commands;
  context: LabContext;
  directory: Directory;
  log: EventLog;
  records: Records;
  /** What was reported for the operator. */
  reports: string[];
  close(): Promise<void>;
}

export interface TestLabOptions {
  /** Data directory. */
  dir: string;
  fabric?: FabricClient;
  open?: OpenStore;
  engines?: (made: Engines) => Engines;
  settings?: Partial<LabContext['settings']>;
}

/** A lab without HTTP and without a process of its own: commands, actors, log and records as the server has them. */
export const testLab = async (options: TestLabOptions): Promise<TestLab> => {
  const records = new Records();
  const log = await EventLog.open(options.open ?? ownStore(path.join(options.dir, 'log')), records);
  const stored: RecordChange[] = [];
  for await (const [collection, id, record] of readRecords(log.store))
    stored.push({ collection, id, record } as RecordChange);
  records.restore(stored);
  const inProcess = options.fabric === undefined ? fabricInProcess() : null;
  const fabric = options.fabric ?? clientOf(inProcess ?? fabricInProcess());
  const reports: string[] = [];
  const passwords = await ComputeSecrets.read(options.dir);
  const secrets = await LabSecrets.read(options.dir);
  log.keepSecrets(secrets);
  const { context, engines } = contextOf(options, { log, records, fabric, passwords, secrets }, reports);
  const directory = new Directory(context);
  const lab = createLab(context, directory);
  fabric.onEvent((event) => lab.heard(event));
  return {
    lab,
    commands: lab.commands,
    context,
    directory,
    log,
    records,
    reports,
    async close() {
      await lab.close();
      await lab.stopOutside();
      await engines.close();
      await log.close();
      await inProcess?.close();
    },
  };
};

/** Engines that need nothing but the fabric. */
const IN_PROCESS = new Set(['embedded', 'udp']);

const contextOf = (
  { dir, engines: change, settings }: TestLabOptions,
  {
    log,
    records,
    fabric,
    passwords,
    secrets,
  }: Pick<LabContext, 'log' | 'secrets'> & {
    records: Records;
    fabric: FabricClient;
    passwords: ComputeSecrets;
  },
  reports: string[],
): { context: LabContext; engines: Engines } => {
  const kinds = createKinds();
  const consoles = { host: '127.0.0.1', range: [11_000, 19_999] as [number, number] };
  // Whatever is installed here: such a lab starts no process, as it would not end it.
  const external = kinds.all().filter((kind) => !kind.engines.some(({ name }) => IN_PROCESS.has(name)));
  const simulated = Object.fromEntries(external.map(({ name }) => [name, 'simulated']));
  const computes = new Computes({
    ...{ secrets: passwords, epoch: 1, local: true, silenceMs: 5_000 },
    deliveries: {
      images: { filesDir: dir },
      project: (id) => ({ name: id, variables: null }),
      begin: () => ({ add: () => undefined, end: () => undefined }),
    },
  });
  const choice = { engines: simulated, simulate: true, elsewhere: computes };
  const made = createEngines(kinds, { fabric, consoles, mark: 'test', dataDir: dir, filesDir: dir }, choice);
  const engines = change?.(made) ?? made;
  const plumbing = remotePlumbing(
    createPlumbing(() => fabric),
    { computes, fabric: () => fabric, consoles },
  );
  const moments = new Moments(() => log.store);
  const changes = createChanges(log, records, moments);
  const context: LabContext = {
    log,
    secrets,
    pending: records.pending,
    committed: records.committed,
    kinds,
    engines,
    plumbing,
    computes,
    tunnels: new Tunnels({ computes, plumbing, interfaces: () => Promise.resolve([]) }),
    moments,
    changes,
    edits: createEdits(log, changes),
    jobs: new Jobs(),
    placing: new Placing(log),
    caches: new LabCaches(),
    symbols: createSymbols(dir),
    settings: {
      dataDir: dir,
      filesDir: dir,
      local: true,
      allowedInterfaces: [],
      version: '0.0.0',
      server: { id: dir, name: 'test' },
      computeId: 'local',
      consoleRange: consoles.range,
      consoleHost: consoles.host,
      udpRange: [20_000, 30_000],
      kindOptions: {},
      fileIdleMs: 3_600_000,
      autoCloseGraceMs: 3_600_000,
      imageDirectories: [],
      strictImages: false,
      allowScripts: false,
      ...settings,
    },
    logger: loggerTo((message) => reports.push(message)),
  };
  return { context, engines };
};

/** The server is killed right after the next events of a command are on disk: nothing of it goes on. */
export const cutAfterAppend = (lab: Pick<TestLab, 'log'>, command: () => Promise<unknown>): Promise<void> =>
  cutAfter(lab, null, command);

/** The same after the next events that have one of this type. */
export const cutAfter = async (
  { log }: Pick<TestLab, 'log'>,
  type: AnyEvent['type'] | null,
  command: () => Promise<unknown>,
): Promise<void> => {
  const append = log.append.bind(log);
  await new Promise<void>((resolve) => {
    log.append = async (drafts, ...given) => {
      const appended = await append(drafts, ...given);
      if (type !== null && !appended.some((event) => event.type === type)) return appended;
      resolve();
      return new Promise(() => undefined);
    };
    void command();
  });
  log.append = append;
};
