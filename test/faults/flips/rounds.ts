import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSorts, verifyOptions } from '../../../src/cli/verify/options.ts';
import { messageOf } from '../../../src/common/errors.ts';
import type { FileSort } from '../../../src/common/file-sort.ts';
import { createKinds } from '../../../src/emulators/registry.ts';
import type { FabricKeeper } from '../../../src/fabric/client/keeper.ts';
import { type RunningServer, startServer } from '../../../src/main.ts';
import { readConfig } from '../../../src/server/config.ts';
import { verifyDirectory } from '../../../src/session/verify/verify-log.ts';
import { loggerTo } from '../../support/logger.ts';
import { ownPlaces } from '../../support/server.ts';
import { seeded } from '../prng.ts';
import { USER } from './lab.ts';
import { readAll } from './read-all.ts';

/** A lab as it was made, and the place where a copy of it is damaged: paths in it are of that place. */
export interface Place {
  base: string;
  data: string;
  /** Last position of the lab; what a server adds is not compared. */
  last: number;
}

export interface Flip {
  file: string;
  octet: number;
  bit: number;
}

const sorts = fileSorts(createKinds());

/** The sort of a file in a data directory, as those who write it say it; undefined: nobody says that it is written. */
export const sortOf = (file: string): FileSort | undefined => sorts.find(({ at }) => at.some((one) => isAt(one, file)));

const isAt = (pattern: string, file: string): boolean => {
  const parts = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replaceAll('.', '\\.')));
  return new RegExp(`^${parts.join('')}$`).test(file);
};

/** Every file that has octets, by its sort and its extension, e.g. `log *.ldb`. */
export const kindsOfFiles = async (base: string): Promise<Map<string, string[]>> => {
  const kinds = new Map<string, string[]>();
  for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
    const file = path.relative(base, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || (await stat(path.join(base, file))).size === 0) continue;
    const extension = path.extname(file);
    const kind = `${sortOf(file)?.name ?? 'unknown'} ${extension === '' ? path.basename(file).replace(/\d+/g, '*') : `*${extension}`}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return kinds;
};

export const pickFlip = async (
  base: string,
  kinds: ReadonlyMap<string, string[]>,
  seed: number,
  round: number,
): Promise<Flip> => {
  const random = seeded(seed * 100_003 + round);
  const names = [...kinds.keys()].sort();
  const file = random.pick(kinds.get(names[round % names.length] ?? '') ?? []) ?? '';
  return { file, octet: random.below((await stat(path.join(base, file))).size), bit: random.below(8) };
};

/** What was found out with one bit flipped, or none (null): everything that was read, and everything that was said of damage. */
export const look = async (
  { base, data, last }: Place,
  flip: Flip | null,
): Promise<{ reads: Map<string, string>; said: string[] }> => {
  // The server of the round before has been seen to write yet.
  await rm(data, { recursive: true, force: true, maxRetries: 20 });
  await cp(base, data, { recursive: true });
  if (flip !== null) await flipBit(path.join(data, flip.file), flip);
  const said: string[] = [];
  const verdict = await verifyDirectory(verifyOptions({ dataDir: data, filesDir: data, cell: null }, null)).catch(
    (error: unknown) => messageOf(error),
  );
  if (typeof verdict === 'string') said.push(`verify: ${verdict}`);
  else said.push(...verdict.problems.map(({ where, message }) => `verify: ${where}: ${message}`));
  let server: RunningServer | null = null;
  try {
    const config = readConfig([...(await ownPlaces(data)), '--no-resume'], {});
    if (config === null) throw new Error('the flags ask for help');
    const report = (message: string): void => {
      if (!HARMLESS.test(message)) said.push(`report: ${message}`);
    };
    server = await startServer(config, loggerTo(report), { fabric: NO_FABRIC });
    const health = (await (await fetch(`${server.url}/v2/health`, { headers: USER })).json()) as Record<
      string,
      unknown
    >;
    if (health['status'] !== 'ok') said.push(`health: ${JSON.stringify(health['log'])}`);
    const reads = await readAll(server.url, last);
    return { reads, said };
  } catch (error) {
    said.push(`start: ${messageOf(error)}`);
    return { reads: new Map(), said };
  } finally {
    await server?.close('read').catch((error: unknown) => said.push(`close: ${messageOf(error)}`));
  }
};

/** Said of a log that was killed, flipped or not. */
const HARMLESS = /never completely written/;

/**
 * The flip went unnoticed: nobody said anything, and an answer differs, or its sort of file promises that it is named. Null: it did not.
 */
export const silentDifference = (
  whole: Map<string, string>,
  { reads, said }: { reads: Map<string, string>; said: string[] },
  { file }: Pick<Flip, 'file'>,
): string | null => {
  if (said.length > 0) return null;
  const sort = sortOf(file);
  if (sort === undefined) return 'no sort of file has it';
  if (sort.changed === 'named') return 'nobody named it';
  const keys = new Set([...whole.keys(), ...reads.keys()]);
  for (const key of keys) {
    const [was, is] = [whole.get(key), reads.get(key)];
    if (was === is) continue;
    if (is?.includes('log_damaged') === true) return null;
    return `${key} was ${was ?? 'not there'}, is ${is ?? 'not there'}`;
  }
  return null;
};

const flipBit = async (file: string, { octet, bit }: Flip): Promise<void> => {
  const octets = await readFile(file);
  octets[octet] = (octets[octet] ?? 0) ^ (1 << bit);
  await writeFile(file, octets);
};

/** Nothing runs in these labs. */
const NO_FABRIC: FabricKeeper = {
  adopted: false,
  pid: () => 0,
  health: () => ({ state: 'ok', pid: 0, answered_ms: 0, sockets: 'none' }),
  run: (ops) => Promise.resolve(ops.map(() => ({ ok: true, value: null }))),
  one: () => Promise.resolve([] as never),
  inventory: () => Promise.resolve({ pid: 0, nodes: [], cables: [], captures: [] }),
  console: () => Promise.reject(new Error('no console')),
  onEvent: () => undefined,
  onLost: () => undefined,
  onReplaced: () => undefined,
  rebuildBy: () => undefined,
  close: () => undefined,
  end: () => Promise.resolve(),
};
