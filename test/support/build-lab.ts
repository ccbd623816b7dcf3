import assert from 'node:assert/strict';
import type { Lab, LabEnd } from '../../src/files/lab/model.ts';
import { request } from './server.ts';

type Bag = Record<string, unknown>;
interface Node {
  node_id: string;
  ports: { name: string; adapter_number: number; port_number: number }[];
}

/** A lab made of what a text means, by requests. */
export interface BuiltLab {
  project_id: string;
  nodes: ReadonlyMap<string, Node>;
  ask(method: string, where: string, body?: unknown): Promise<Bag>;
}

export const buildLab = async (url: string, lab: Lab): Promise<BuiltLab> => {
  const ask = async (method: string, where: string, body?: unknown): Promise<Bag> => {
    const answer = await request(url, method, `/v2/projects${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const { project_id } = (await ask('POST', '', { name: lab.name })) as { project_id: string };
  const nodes = new Map<string, Node>();
  for (const { name, kind, properties } of lab.nodes) {
    const body = { name, node_type: kind, compute_id: 'local', properties };
    nodes.set(name, (await ask('POST', `/${project_id}/nodes`, body)) as unknown as Node);
  }
  const endOf = ({ node, port }: LabEnd): Bag => {
    const made = nodes.get(node);
    const found = port === undefined ? made?.ports[0] : made?.ports.find(({ name }) => name === port);
    assert.ok(made !== undefined && found !== undefined, `${node} has no port ${port}`);
    return { node_id: made.node_id, adapter_number: found.adapter_number, port_number: found.port_number };
  };
  for (const { ends } of lab.links) await ask('POST', `/${project_id}/links`, { nodes: ends.map(endOf) });
  return { project_id, nodes, ask };
};
