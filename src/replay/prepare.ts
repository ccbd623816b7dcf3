import { NODE_STATES } from '../projections/states.ts';
import { messageIn, type Reply } from './host.ts';
import type { Ids } from './compare/ids.ts';
import type { UdpPorts } from './perform/ports.ts';
import { type Bag, giveTexts, REQUESTS } from './perform/requests.ts';
import type { Plan } from './perform/steps.ts';

interface NodeAnswer {
  node_id: string;
  status: 'stopped' | 'started' | 'suspended';
}

/** A request of the replay. */
type Send = (method: string, path: string, body: Bag | null) => Promise<Reply>;
/** The same, for what may fail. */
type Attempt = (...request: Parameters<Send>) => Promise<void>;

/**
 * Brings the copy into the state in which the recording begins: nodes, NIOs, captures, settings. Resolves with sentences about what
 * could not be done: the steps that need it will differ.
 */
export const prepareLab = async (
  send: Send,
  { base }: Pick<Plan, 'base'>,
  ids: Ids,
  ports: UdpPorts,
): Promise<string[]> => {
  const problems: string[] = [];
  const project = `/v2/projects/${ids.of(base.project.project_id)}`;
  const attempt: Attempt = async (method, path, body) => {
    const reply = await send(method, path, body);
    if (reply.status >= 300) problems.push(`${method} ${path}: ${messageIn(reply)}`);
  };

  if (base.project.state === 'opened' || base.project.state === 'opening') {
    await prepareNodes(send, base, ids, attempt);
    for (const { method, path, body } of portRequests(base))
      await attempt(method, ids.forth(path), body === null ? null : await ports.forth(ids.forth(body)));
  } else await attempt('POST', `${project}/close`, null);
  const { auto_open, auto_start } = base.project;
  if (auto_open || auto_start) await attempt('PUT', project, { auto_open, auto_start });
  return problems;
};

/** Starts first: any start brings up those that always run, which may be meant to be stopped. */
const prepareNodes = async (send: Send, base: Plan['base'], ids: Ids, attempt: Attempt): Promise<void> => {
  const nodes = `/v2/projects/${ids.of(base.project.project_id)}/nodes`;
  const statuses = async (): Promise<Map<string, NodeAnswer['status']>> => {
    const { body } = await send('GET', nodes, null);
    return new Map((body as NodeAnswer[]).map((n) => [n.node_id, n.status]));
  };
  // The files beside a session are those of its end.
  for (const { path, body } of base.nodes.filter(({ texts }) => texts !== undefined).map(giveTexts))
    await attempt('PUT', ids.forth(path), ids.forth(body));
  const before = await statuses();
  for (const { node_id, state } of base.nodes)
    if (NODE_STATES[state].aim !== 'stopped' && before.get(ids.of(node_id)) === 'stopped')
      await attempt('POST', `${nodes}/${ids.of(node_id)}/start`, null);
  const after = await statuses();
  for (const { node_id, state } of base.nodes) {
    const [is, wanted] = [after.get(ids.of(node_id)), NODE_STATES[state].aim];
    if (is !== wanted && wanted !== 'started')
      await attempt('POST', `${nodes}/${ids.of(node_id)}/${wanted === 'stopped' ? 'stop' : 'suspend'}`, null);
  }
};

/** NIOs and captures that were on. */
const portRequests = ({ nodes, links, project }: Plan['base']) => {
  const kinds = new Map(nodes.map((n) => [n.node_id, n.kind]));
  const kindOf = (id: string): string => kinds.get(id) ?? 'unknown';
  const { project_id } = project;
  const addNio = REQUESTS['node.nio_added'];
  const startCapture = REQUESTS['capture.start_requested'];
  const ofNodes = nodes.flatMap(({ node_id, nios, captures }) => [
    ...Object.entries(nios).map(([key, nio]) => addNio?.({ project_id, node_id, ...portOf(key), nio }, kindOf)),
    ...Object.entries(captures).map(([key, capture]) =>
      startCapture?.({ project_id, node_id, link_id: null, ...portOf(key), ...capture }, kindOf),
    ),
  ]);
  const ofLinks = links.map(({ link_id, state, capture }) =>
    capture === null || state === 'idle' ? undefined : startCapture?.({ project_id, link_id, ...capture }, kindOf),
  );
  return [...ofNodes, ...ofLinks].filter((request) => request !== undefined);
};

/** Of `<adapter>/<port>`. */
const portOf = (key: string): { adapter_number: number; port_number: number } => {
  const [adapter_number = 0, port_number = 0] = key.split('/').map(Number);
  return { adapter_number, port_number };
};
