import type { AnyEvent } from '../events/schemas.ts';
import type { Plan, Step } from './steps.ts';

/** Replaces ids of nodes, links and checks in a text by their names, for progress and reports. */
export type Names = (text: string) => string;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Names of a recording. A renamed node keeps its first name, as a report covers the whole recording. */
export const namesOf = ({ base, steps }: Pick<Plan, 'base' | 'steps'>): Names => {
  const names = new Map(base.nodes.map((n) => [n.node_id, n.name]));
  const addLink = (id: string, ends: { node_id: string }[]): void =>
    void names.set(id, ends.map((end) => names.get(end.node_id) ?? end.node_id).join('–'));
  for (const link of base.links) addLink(link.link_id, link.nodes);
  for (const { events } of steps)
    for (const event of events) {
      if (event.type === 'node.created') names.set(event.data.node_id, event.data.name);
      if (event.type === 'link.created') addLink(event.data.link_id, event.data.nodes);
      if (event.type === 'check.met' || event.type === 'check.broken') names.set(event.data.check_id, event.data.name);
    }
  return (text) => text.replace(UUID, (id) => names.get(id) ?? id);
};

/** `PUT links/PC1–Switch1`. */
export const describeStep = (step: Pick<Step, 'method' | 'path'>, names: Names): string => {
  const inside = step.path.replace(/^\/v2\/(?:compute\/)?projects\/[^/]+\/?/, '');
  return `${step.method} ${inside === '' ? 'project' : names(inside)}`;
};

/** `node.started PC1` */
export const describeEvent = (event: Pick<AnyEvent, 'type'> & { subject: string }, names: Names): string =>
  event.subject === '' ? event.type : `${event.type} ${names(event.subject)}`;
