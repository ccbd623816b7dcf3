import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Planted } from './planted.ts';

/**
 * Hooks of the module loader, for the product's compiled modules only: what of Node reaches out of the process is simulated, some
 * modules have exports of stand-ins.ts in the place of their own, and a planted fault is put into the text of a module.
 */
export interface HookOptions {
  /** URL of dist/src/. */
  product: string;
  /** URL of dist/test/simulation/. */
  simulation: string;
  planted: Planted | null;
}

const NODE: Readonly<Record<string, string>> = {
  'node:fs/promises': 'node/fs-promises.js',
  'node:fs': 'node/fs.js',
  'node:crypto': 'node/crypto.js',
  'node:timers/promises': 'node/timers-promises.js',
  level: 'level.js',
};

/** Exports that come from stand-ins.ts. */
const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  'http/server/server.js': ['buildServer'],
  'cluster/handoff.js': ['listenAt'],
  'memory/reclaim.js': ['reclaimMemory'],
  'fabric/client/supervise.js': ['findOrStartFabric'],
  'actors/directory.js': ['Directory'],
  'events/store/level-files.js': ['checkFiles'],
  'processes/marker.js': ['findMarked'],
  'emulators/shared/host/ports-in-use.js': ['portIsFree', 'udpPortIsFree'],
};

/** Ends the URL of a module whose exports are its own. */
const REAL = '?real';

let options: HookOptions;
export const initialize = (given: HookOptions): void => {
  options = given;
};

interface Resolved {
  url: string;
  shortCircuit?: boolean;
}
type NextResolve = (specifier: string, context: { parentURL?: string }) => Promise<Resolved>;

export const resolve = async (
  specifier: string,
  context: { parentURL?: string },
  next: NextResolve,
): Promise<Resolved> => {
  const from = context.parentURL ?? '';
  if (!from.startsWith(options.product)) {
    const resolved = await next(specifier, context);
    // The stand-ins extend what they stand in for.
    const name = resolved.url.slice(options.product.length);
    return from === `${options.simulation}stand-ins.js` && name in STAND_INS
      ? { ...resolved, url: resolved.url + REAL }
      : resolved;
  }
  const simulated = NODE[specifier];
  if (simulated !== undefined) return { url: options.simulation + simulated, shortCircuit: true };
  return next(specifier, context);
};

interface Loaded {
  format: string;
  source: string;
  shortCircuit: boolean;
}

export const load = async (
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> => {
  if (!url.startsWith(options.product)) return next(url, context);
  const name = url.slice(options.product.length).replace(REAL, '');
  const names = STAND_INS[name];
  if (names !== undefined && !url.endsWith(REAL)) {
    const source = `export * from '${url}${REAL}';\nexport { ${names.join(', ')} } from '${options.simulation}stand-ins.js';\n`;
    return { format: 'module', source, shortCircuit: true };
  }
  const text = await readFile(fileURLToPath(url.replace(REAL, '')), 'utf8');
  return { format: 'module', source: ofEachProcess(withFault(name, text)), shortCircuit: true };
};

/** What a module keeps for its process is kept for each simulated process: a server that is killed takes it along. */
const ofEachProcess = (text: string): string =>
  text.replace(
    /^const (\w+) = new (Map|Set|WeakMap|Mailboxes|Turns)\(\);$/gm,
    'const $1 = globalThis.ofEachProcess(() => new $2());',
  );

/** A fault whose place is no longer in the module would be found by nothing: that is an error. */
const withFault = (name: string, text: string): string => {
  const { planted } = options;
  if (planted?.module !== name) return text;
  const parts = text.split(planted.original);
  if (parts.length !== 2)
    throw new Error(`${planted.name}: ${name} has its text ${parts.length - 1} times, not once: ${planted.original}`);
  return parts.join(planted.fault);
};
