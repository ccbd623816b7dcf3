import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Runs ip(8), with a batch of commands or with arguments. Throws what it says. */
export const ip = (args: readonly string[], batch?: readonly string[]): Promise<void> =>
  batch === undefined
    ? runFed('ip', args, '', `ip ${args.join(' ')}`)
    : runFed('ip', [...args, '-batch', '-'], `${batch.join('\n')}\n`, `ip ${args.join(' ')}`);

/** Runs a program that is given an input. Throws what it says, behind `name`. */
export const runFed = async (program: string, args: readonly string[], input: string, name: string): Promise<void> => {
  const running = promisify(execFile)(program, [...args], { timeout: 30_000 });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  try {
    await running;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? '';
    throw new Error(`${name}: ${said === '' ? String(error) : said}`, { cause: error });
  }
};

/** ip-netns(8). */
const PLACE = '/run/netns';

/**
 * Name of a node's network namespace. It carries the mark of the data directory, so that a later server knows which are its own.
 * `sort`: what makes it; `hash`: of the node.
 */
export const namespaceName = (sort: string, mark: string, hash: string): string =>
  `topolog-${sort}-${mark}-${hash.slice(0, 8)}`;

/** Namespaces that servers of a data directory have made. */
export const ownNamespaces = async (sort: string, mark: string): Promise<string[]> =>
  (await readdir(PLACE).catch(() => [])).filter((name) => name.startsWith(`topolog-${sort}-${mark}-`)).sort();

/** Removes a namespace with everything in it. */
export const removeNamespace = (name: string): Promise<void> => ip(['netns', 'delete', name]);
