import { z } from 'zod';
import { LENGTHS } from '../../../common/bounds.ts';
import { nodesFailed, notFound, TopologError } from '../../../common/errors.ts';
import type { NodeRecord, ProjectRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { badField } from '../../server/parameters.ts';
import { jsonList, type Route, route } from '../../routing/route.ts';
import { nodeRecord } from './nodes.ts';

const identifier = z.string().min(1, 'must be an identifier or a name').max(LENGTHS.line);

/** `node` may be repeated. */
const waitQuery = z.object({
  node: z.union([identifier, z.array(identifier)]).exactOptional(),
  all: z.enum(['true', 'false']).exactOptional(),
  status: z.enum(['stopped', 'started', 'suspended']),
  timeout: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds from 0 to 600')
    .transform(Number)
    .refine((seconds) => seconds <= 600, 'must be a number of seconds from 0 to 600')
    .exactOptional(),
});

type Status = 'stopped' | 'started' | 'suspended';
/** Which nodes of the project: for `all` those of now, whatever is made or deleted meanwhile. */
type Wanted = () => readonly NodeRecord[];

/** Seconds, unless the request says otherwise. */
const TIMEOUT = 30;

export const waitRoutes = (api: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/wait', {
    anyServer: true,
    summary: 'Wait until nodes are in a state; 408 says which are not, 409 which could not be started',
    query: waitQuery,
    success: { code: 200, schema: z.array(nodeRecord) },
    errors: [400, 403, 404, 408, 409, 429],
    handler: async ({ params: { project_id }, query, signal }) => {
      api.find.project(project_id);
      const wanted = wantedNodes(api, project_id, query);
      const seconds = query.timeout ?? TIMEOUT;
      const nodes = await until(api, project_id, wanted, { status: query.status, seconds, signal });
      return jsonList(nodes, api.json.node);
    },
  }),
];

const wantedNodes = (api: Api, projectId: string, { node, all }: z.output<typeof waitQuery>): Wanted => {
  if (all === 'true' && node === undefined) return () => api.records.ofProject('node', projectId);
  if (node === undefined) throw badField('node', 'must name a node, or all must be true');
  if (all === 'true') throw badField('all', 'must not be true where nodes are named');
  const present = api.records.ofProject('node', projectId);
  const ids = [node].flat().map((text) => {
    const found = present.find((n) => n.node_id === text) ?? present.find((n) => n.name === text);
    if (!found) throw notFound('Node', text);
    return found.node_id;
  });
  return () => [...new Set(ids)].map((id) => api.find.node(projectId, id));
};

interface Wish {
  status: Status;
  seconds: number;
  signal: AbortSignal;
}

/** Looks whenever something was committed in the project. */
const until = (
  api: Api,
  projectId: string,
  wanted: Wanted,
  { status, seconds, signal }: Wish,
): Promise<readonly NodeRecord[]> => {
  const release = api.feeds.admit();
  const over = new AbortController();
  return new Promise<readonly NodeRecord[]>((resolve, reject) => {
    const look = (): void => {
      try {
        const nodes = reached(api.find.project(projectId), wanted(), status);
        if (nodes !== null) resolve(nodes);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const timer = setTimeout(() => reject(tooLate(wanted(), status, seconds)), seconds * 1000);
    const gone = (): void => reject(new TopologError('shutting_down'));
    const whileWaiting = { signal: over.signal };
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', gone, whileWaiting);
    api.changes.onCommitted((steps) => {
      if (steps.some(({ event }) => event.project_id === projectId)) look();
    }, whileWaiting);
    if (signal.aborted) gone();
    look();
  }).finally(() => {
    over.abort();
    release();
  });
};

/**
 * The nodes, once all of them are there; null while it may still come. A node on its way counts as neither here nor there.
 * Throws when it cannot come by itself: a start that has failed is not tried again, and nothing starts in a closed project.
 */
const reached = (
  project: ProjectRecord,
  nodes: readonly NodeRecord[],
  status: Status,
): readonly NodeRecord[] | null => {
  if (nodes.every(({ state }) => state === status)) return nodes;
  if (status === 'started') {
    const failed = nodes.filter(({ state, failure }) => state === 'stopped' && failure !== null);
    if (failed.length > 0) throw notStarted(failed, nodes.length);
  }
  if (project.state === 'closed') throw new TopologError('project_closed');
  return null;
};

const notStarted = (failed: readonly NodeRecord[], total: number): TopologError =>
  nodesFailed(
    'started',
    total,
    failed.flatMap(({ node_id, name, failure }) => (failure === null ? [] : [{ node_id, name, ...failure }])),
  );

/** Names in the sentence; the list has all of them. */
const NAMED = 5;

const tooLate = (nodes: readonly NodeRecord[], status: Status, seconds: number): TopologError => {
  const missing = nodes.filter(({ state }) => state !== status);
  const named = missing.slice(0, NAMED).map(({ name, state }) => `${name} is ${state}`);
  const more = missing.length > NAMED ? `, and ${missing.length - NAMED} more` : '';
  const message = `${missing.length} of ${nodes.length} nodes were not ${status} within ${seconds} s: ${named.join(', ')}${more}`;
  return TopologError.saying('deadline', message, {
    seconds,
    missing: missing.map(({ node_id, name, state, failure }) => ({ node_id, name, state, failure })),
  });
};
