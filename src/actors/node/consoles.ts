import { conflict } from '../../common/errors.ts';
import { nextFree, portIsFree, portsWithSockets } from '../../emulators/shared/host/ports-in-use.ts';
import type { RecordView } from '../../projections/records.ts';
import type { NodeInput } from './interface.ts';
import type { LabContext } from '../context.ts';

/** Which console port a node has. */

/** What is somebody else's already. */
export type Held<T> = Pick<ReadonlySet<T>, 'has'>;

/** Console ports that nodes of open projects hold; `own` (a node or a project) is left out. */
export const consolesInUse = (view: RecordView, own?: string): Held<number> => ({
  has: (port) =>
    view
      .holders(port)
      .some(
        ({ node_id, project_id }) =>
          node_id !== own && project_id !== own && view.get('project', project_id)?.state !== 'closed',
      ),
});

export const hasConsolePort = (type: string | null): boolean => type !== null && type !== 'none' && type !== 'null';

export const checkUnheld = (wished: number, held: Held<number>): void => {
  if (held.has(wished)) throw conflict(`console port ${wished} belongs to another node`, { field: 'console' });
};

/** Refuses a console port asked for that another node or program holds. */
export const checkWishedConsole = async (context: LabContext, wished: number, own?: string): Promise<void> => {
  checkUnheld(wished, consolesInUse(context.pending, own));
  if (!(await portIsFree(context.settings.consoleHost, wished)))
    throw conflict(`console port ${wished} is in use by another program`, { field: 'console' });
};

/** Time after which ports of other programs are looked at again. */
const FOREIGN_MS = 10_000;
/** So many at once. */
const LOOKS = 64;

/** What says which console port a new node gets. */
type WishedConsole = Pick<NodeInput, 'kind'> & { console_type?: string | null; console?: number | null };

/** Looks at the console ports that nodes would get (`own`: of that project): a supply passes over those that other programs have. */
export const lookAtConsoles = async (
  context: LabContext,
  nodes: readonly WishedConsole[],
  own?: string,
): Promise<void> => {
  const { foreignConsoles: foreign } = context.caches;
  for (const [port, at] of foreign) if (at + FOREIGN_MS < Date.now()) foreign.delete(port);
  const listed = nodes.length > LOOKS ? await portsWithSockets() : null;
  return listed === null ? tryEach(context, nodes, own) : tryListed(context, nodes, own, listed);
};

const isForeign = async ({ settings, caches }: LabContext, port: number): Promise<boolean> => {
  const isFree = await portIsFree(settings.consoleHost, port);
  if (!isFree) caches.foreignConsoles.set(port, Date.now());
  return !isFree;
};

/** Of all that nodes may get, only those at which there is something: to try a thousand takes a tenth of their load. */
const tryListed = async (
  context: LabContext,
  nodes: readonly WishedConsole[],
  own: string | undefined,
  listed: ReadonlySet<number>,
): Promise<void> => {
  const [first, last] = context.settings.consoleRange;
  const held = consolesInUse(context.pending, own);
  const wished = new Set(nodes.map(({ console }) => console));
  const suspects = [...listed].filter(
    (port) => ((port >= first && port <= last) || wished.has(port)) && !held.has(port),
  );
  for (let n = 0; n < suspects.length; n += LOOKS)
    await Promise.all(suspects.slice(n, n + LOOKS).map((port) => isForeign(context, port)));
};

const tryEach = async (
  context: LabContext,
  nodes: readonly WishedConsole[],
  own: string | undefined,
): Promise<void> => {
  const supply = consoleSupply(context, own);
  const typeOf = ({ kind, console_type }: WishedConsole): string | null =>
    console_type ?? context.kinds.get(kind)?.capabilities.console_types[0] ?? null;
  let left = nodes.filter((node) => hasConsolePort(typeOf(node)));
  while (left.length > 0) {
    const found = await Promise.all(
      left.slice(0, LOOKS).map(async (node) => {
        if (node.console != null)
          return supply.problem(node.console) === null && !(await isForeign(context, node.console));
        const port = supply.take(typeOf(node));
        return port === null || !(await isForeign(context, port));
      }),
    );
    // What it wishes for is taken: any will do.
    const again = left.slice(0, LOOKS).filter((_, i) => found[i] !== true);
    left = [
      ...again.map(({ kind, console_type }) => ({ kind, console_type: console_type ?? null })),
      ...left.slice(LOOKS),
    ];
  }
};

/** Console ports for nodes that have no record yet. */
export interface ConsoleSupply extends Held<number> {
  add(port: number): void;
  /** Nobody's, as far as the last look tells. */
  isFree(port: number): boolean;
  /** Says why a node of this server cannot have a port that it had, or that its file names: `is taken`. null: it can. */
  problem(port: number): string | null;
  /** Somebody wishes for it: it is taken for others only when there is no other. */
  spare(port: number): void;
  /** The lowest free one that does for a console of this type, if there is one; null when every port of the range is taken. */
  take(type?: string | null): number | null;
}

export const consoleSupply = (context: LabContext, own?: string): ConsoleSupply => {
  const held = consolesInUse(context.pending, own);
  const added = new Set<number>();
  const spared = new Set<number>();
  const used: Held<number> = { has: (port) => added.has(port) || held.has(port) };
  const taken: Held<number> = { has: (port) => used.has(port) || context.caches.foreignConsoles.has(port) };
  const unwished: Held<number> = { has: (port) => spared.has(port) || taken.has(port) };
  const [first, last] = context.settings.consoleRange;
  /** All below are taken, or spared. */
  let from = first;
  const lowest = (): number | null => {
    const port = from > last ? null : nextFree([from, last], unwished);
    from = (port ?? last) + 1;
    return port;
  };
  return {
    ...used,
    isFree: (port) => !taken.has(port),
    problem: (port) =>
      port < first || port > last ? `is outside of ${first}-${last}` : taken.has(port) ? 'is taken' : null,
    add: (port) => void added.add(port),
    spare: (port) => void spared.add(port),
    take(type) {
      const least = leastOf(type);
      const free = least === undefined ? lowest() : nextFree([first, last], unwished, least);
      const port = free ?? (spared.size > 0 ? nextFree([first, last], taken, least) : null);
      if (port !== null) added.add(port);
      return port;
    },
  };
};

/** RFC 6143: the first screen is TCP port 5900; programs that count screens cannot serve one below. */
const FIRST_SCREEN = 5900;
const leastOf = (type: string | null | undefined): number | undefined => (type === 'vnc' ? FIRST_SCREEN : undefined);

/** Why a node cannot have the console port that it wishes for; null: it can. What another compute has is not asked here. */
export const wishProblem = (
  { computes }: LabContext,
  consoles: ConsoleSupply,
  { console: wished, compute_id }: { console: number; compute_id: string },
): string | null => {
  if (computes.isHere(compute_id)) return consoles.problem(wished);
  return consoles.isFree(wished) ? null : 'is taken';
};

export const needConsole = (context: LabContext, consoles: ConsoleSupply, type: string | null): number => {
  const port = consoles.take(type);
  if (port === null) throw conflict(`every console port of ${context.settings.consoleRange.join('-')} is taken`);
  return port;
};
