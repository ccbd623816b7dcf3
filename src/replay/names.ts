import type { AnyFact } from '../events/facts.ts';
import type { Plan, Step } from './perform/steps.ts';

/** What people call the nodes and links of a recording, for progress and reports. */
export type Names = (text: string) => string;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Replaces ids in a text by names. A renamed node keeps its first one, as a report looks at the whole recording. */
export const namesOf = ({ base, steps }: Pick<Plan, 'base' | 'steps'>): Names => {
  const names = new Map(base.nodes.map((n) => [n.node_id, n.name]));
  const addLink = (id: string, ends: { node_id: string }[]): void =>
    void names.set(id, ends.map((end) => names.get(end.node_id) ?? end.node_id).join('–'));
  for (const link of base.links) addLink(link.link_id, link.nodes);
  for (const { facts } of steps)
    for (const fact of facts) {
      if (fact.type === 'node.created') names.set(fact.data.node_id, fact.data.name);
      if (fact.type === 'link.created') addLink(fact.data.link_id, fact.data.nodes);
    }
  return (text) => text.replace(UUID, (id) => names.get(id) ?? id);
};

/** `PUT links/PC1–Switch1`. */
export const describeStep = (step: Pick<Step, 'method' | 'path'>, names: Names): string => {
  const inside = step.path.replace(/^\/v2\/(?:compute\/)?projects\/[^/]+\/?/, '');
  return `${step.method} ${inside === '' ? 'project' : names(inside)}`;
};

/** `node.started PC1` */
export const describeFact = (fact: Pick<AnyFact, 'type'> & { subject: string }, names: Names): string =>
  fact.subject === '' ? fact.type : `${fact.type} ${names(fact.subject)}`;
