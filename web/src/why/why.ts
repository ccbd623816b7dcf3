import type { Schemas } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import type { Highlight } from '../store/workbench.ts';
import { sayMoment } from '../words/format.ts';
import { told } from '../words/words.ts';

export type Why = Schemas['Why'];
export type Path = Why['request'];
export type Hop = Path['hops'][number];

/** Why one node does not reach another at the moment that is shown. Throws what the server says. */
export const askWhy = (
  { client, projectId, past }: Lab,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<Why> => {
  const moment = past.get()?.moment.at;
  return client.get('/v2/projects/{project_id}/why', {
    path: { project_id: projectId },
    query: { from, to, ...(moment === undefined ? {} : { at: String(moment) }) },
    signal,
  });
};

/** The same, after a ping that is really sent. */
export const tryWhy = (
  { client, projectId }: Lab,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Why> =>
  client.post('/v2/projects/{project_id}/why', { path: { project_id: projectId }, body: { from, to } });

/** The way that tells most: there; where that arrives, back. */
export const shownPath = ({ request, reply, reaches }: Why): Path =>
  reaches === false && request.obstacles.length === 0 && reply.hops.length > 0 ? reply : request;

/** The other obstacles, there and back. */
export const otherObstacles = ({ obstacle, request, reply }: Pick<Why, 'obstacle' | 'request' | 'reply'>): string[] => {
  const others = new Map([...reply.obstacles, ...request.obstacles].map(({ key, sentence }) => [key, sentence]));
  others.delete(obstacle?.key ?? '');
  return [...others.values()];
};

/** Highlights of the map: the nodes and links of the way, and its end. */
export const highlightsOf = (why: Why): ReadonlyMap<string, Highlight> => {
  const lights = new Map<string, Highlight>();
  for (const { node_id, link_id } of shownPath(why).hops) {
    lights.set(node_id, 'way');
    if (link_id !== null) lights.set(link_id, 'way');
  }
  const { obstacle } = why;
  // A link that lets nothing pass is the end, more than the node before it.
  const end = obstacle?.link_id ?? obstacle?.node_id;
  if (end !== undefined) lights.set(end, 'end');
  return lights;
};

/** A note of the server, with its ISO times as the clock of the page has them. */
export const sayNote = (note: string): string =>
  told(note).replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => sayMoment(Date.parse(time)));

/** `e0 → e1`, as far as it is known by which ports it goes. */
export const sayPorts = ({ in: came, out, vlan }: Hop): string => {
  const ports = [came, out].filter((port) => port !== null).join(' → ');
  return [ports, vlan === null ? '' : `VLAN ${vlan}`].filter((part) => part !== '').join(', ');
};
