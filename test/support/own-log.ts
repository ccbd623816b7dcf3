import { createHash, randomBytes } from 'node:crypto';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openCell } from '../../src/events/open-cell.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS, type OpenStore, type Store } from '../../src/events/store/store.ts';
import type { Parts } from '../../src/main.ts';
import { MemoryCells } from './memory-cell.ts';
import { memoryStore } from './memory-store.ts';
import { noPostgres, startPostgres } from './postgres.ts';
import { makeTemp, tempDir } from './temp.ts';

/**
 * Where the servers and labs of tests keep their logs, as the run was told (`scripts/test.mjs --log KIND`): in LevelDB, in memory, or each
 * in a cell of its own in one PostgreSQL.
 */
const KINDS = ['leveldb', 'memory', 'postgres'] as const;
type Kind = (typeof KINDS)[number];

/** In the environment of the tests: `memory` or the URL of a database, and the file with the key of its cells. */
const LOG = 'TOPOLOG_TEST_LOG';
const KEY_FILE = 'TOPOLOG_TEST_CELL_KEY';

const told = process.env[LOG] ?? 'leveldb';
const kind = (KINDS as readonly string[]).includes(told) ? (told as Kind) : 'postgres';

/** Why a test is skipped whose servers or commands are processes of their own; false: it is not. */
export const onDisk = (): string | false =>
  kind === 'memory' ? 'it needs other processes, and a log in memory is that of one' : false;

/** A cell for each directory that a log would lie in. */
const cellOf = (directory: string): { log: string; name: string } => ({
  log: kind === 'memory' ? 'postgres://memory/tests' : told,
  name: createHash('sha256').update(directory).digest('hex').slice(0, 32),
});

/** Seconds: longer than a loaded machine lets a server wait. Who comes back on its data directory does not wait for it. */
const LEASE = '60';

/** Flags of commands that say where the log of a server is, if not in its data directory. */
export const cellFlags = (dataDir: string): string[] => {
  if (kind === 'leveldb') return [];
  const { log, name } = cellOf(path.join(dataDir, 'log'));
  return ['--log', log, '--cell', name];
};

/** More of them, of commands that need the secrets of a server. */
export const keyFlags = (): string[] => (kind === 'leveldb' ? [] : ['--cell-key', process.env[KEY_FILE] ?? '']);

/** Flags of a server. */
export const logFlags = (dataDir: string): string[] =>
  kind === 'leveldb' ? [] : [...cellFlags(dataDir), ...keyFlags(), '--lease', LEASE];

/** Most connections that a server has to its log: four that read, one that writes, one that renews its lease. */
export const logConnections = kind === 'postgres' ? 6 : 0;

const inMemory = new Map<string, MemoryCells>();
const memoryAt = (directory: string): MemoryCells => {
  const known = inMemory.get(directory) ?? new MemoryCells(Number(LEASE) * 1000);
  inMemory.set(directory, known);
  return known;
};

/** What a server in this process needs for these flags. */
export const logParts = (dataDir: string): Parts =>
  kind === 'memory' ? { cell: memoryAt(path.join(dataDir, 'log')).cell() } : {};

const closing = (store: Store, end: () => Promise<void>): Store => ({
  batch: (ops, options) => store.batch(ops, options),
  get: (key) => store.get(key),
  getMany: (keys) => store.getMany(keys),
  iterator: (range) => store.iterator(range),
  ...(store.damages === undefined ? {} : { damages: store.damages }),
  ...(store.moment === undefined ? {} : { moment: () => store.moment?.() ?? Promise.resolve(store) }),
  close: async () => {
    await store.close();
    await end();
  },
});

const cellAt = (directory: string) => {
  const { log, name } = cellOf(directory);
  return openCell({ log, name, key: null, leaseMs: 600_000, create: true });
};

/** A store of this run, for a lab without a server: it can be opened again after it was closed. */
export const ownStore = (directory: string): OpenStore => {
  if (kind === 'leveldb') return levelStore(directory);
  if (kind === 'memory') {
    const { level } = memoryAt(directory);
    return async () => memoryStore(level, (await level.get(KEYS.format)) !== undefined);
  }
  return async () => {
    const cell = await cellAt(directory);
    const lease = await cell.take({ owner: 'test', url: '' });
    if (lease === null) throw new Error(`another one writes what would be in ${directory}`);
    return closing(await lease.open(), () => cell.close());
  };
};

/** The log of a server that has ended or was killed, to be read: the next server meets it as it was left. */
export const readLog = async (directory: string): Promise<Store> => {
  if (kind === 'memory') return ownStore(directory)();
  if (kind === 'postgres') {
    const cell = await cellAt(directory);
    return closing(await cell.moment(), () => cell.close());
  }
  const copy = await tempDir();
  await cp(directory, copy.path, { recursive: true });
  return closing(await levelStore(copy.path)(), copy.remove);
};

/** Connections of all servers of tests that run at the same time. */
const CONNECTIONS = 1_000;

/** Why there is no run with such logs here; false: there is. Throws for a kind that nobody knows. */
export const noLog = (name: string): string | false => {
  if (!(KINDS as readonly string[]).includes(name))
    throw new Error(`--log must be ${KINDS.slice(0, -1).join(', ')} or ${String(KINDS.at(-1))}, not ${name}`);
  return name === 'postgres' ? noPostgres() : false;
};

/** Begins what a run with such logs needs: its environment, and how to end it. */
export const beginLog = async (name: string): Promise<{ env: NodeJS.ProcessEnv; end: () => Promise<void> }> => {
  if (name === 'leveldb') return { env: {}, end: () => Promise.resolve() };
  const postgres = name === 'postgres' ? await startPostgres({ max_connections: String(CONNECTIONS) }) : null;
  const directory = await makeTemp('topolog-test');
  const keyFile = path.join(directory, 'cell-key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return {
    env: { [LOG]: (await postgres?.create('tests')) ?? name, [KEY_FILE]: keyFile },
    end: async () => {
      await postgres?.stop();
      await rm(directory, { recursive: true });
    },
  };
};
