import { connectFabric } from '../../../src/fabric/client/connect.ts';
import { findFabrics } from '../../../src/fabric/client/fabric-process.ts';
import { socketPaths } from '../../../src/fabric/client/runtime-directory.ts';
import type { Inventory } from '../../../src/fabric/protocol.ts';
import { request } from '../../support/server.ts';
import type { Thing } from '../expectations.ts';
import type { Host } from './host.ts';

/** Records of the controller's project, as its API answers them. */
export interface Records {
  nodes: readonly Readonly<Record<string, unknown>>[];
  links: readonly { link_id: string; suspend: boolean; nodes: readonly End[] }[];
  computes: readonly Readonly<Record<string, unknown>>[];
  /** Names of nodes that are starting, stopping or the like. */
  moving: readonly string[];
}

interface End {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

const list = async <T>(url: string, path: string, headers: Record<string, string> = {}): Promise<T[]> => {
  const { status, body, text } = await request(url, 'GET', path, undefined, headers);
  if (status === 404) return [];
  if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${text}`);
  return body as T[];
};

export const readRecords = async (
  url: string,
  projectId: string,
  headers: Record<string, string> = {},
): Promise<Records> => {
  const read = <T>(path: string): Promise<T[]> => list<T>(url, path, headers);
  const project = `/v2/projects/${projectId}`;
  return {
    nodes: await read(`${project}/nodes`),
    links: await read(`${project}/links`),
    computes: await read('/v2/computes'),
    // A controller is a compute as well, and tells more of its nodes there.
    moving: (await read<ThereNode>(`/v2/compute/projects/${projectId}/nodes`)).flatMap(({ name, status, aim }) =>
      status === aim ? [] : [name],
    ),
  };
};

/** As the writers' expectations have them. */
export const thingsOf = ({ nodes, links }: Records): Map<string, Thing> =>
  new Map([
    ...nodes.map((node): [string, Thing] => [`node/${String(node['node_id'])}`, node]),
    ...links.map((link): [string, Thing] => [
      `link/${link.link_id}`,
      { ...link, ends: link.nodes.map(({ node_id }) => node_id) },
    ]),
  ]);

const sorted = (items: Iterable<string>): string[] => [...items].toSorted();

/** What of two lists is only in one of them, in words. */
const differences = (where: string, wanted: readonly string[], found: readonly string[]): string[] => [
  ...sorted(wanted.filter((item) => !found.includes(item))).map((item) => `${where} lacks ${item}`),
  ...sorted(found.filter((item) => !wanted.includes(item))).map((item) => `${where} has ${item}, which no record has`),
  ...sorted(found.filter((item, n) => found.indexOf(item) !== n)).map((item) => `${where} has ${item} twice`),
];

/** As a Topolog lists it. */
interface ThereNode {
  node_id: string;
  name: string;
  status: string;
  aim: string;
  nios: string[];
}

/** Records against what each compute says of itself. A node that never ran may not be there yet. */
export const compareComputes = async (
  records: Records,
  projectId: string,
  hosts: readonly Host[],
): Promise<string[]> => {
  const away = records.computes.filter(({ connected }) => connected !== true);
  const problems = away.map(({ name }) => `${String(name)} is not connected`);
  problems.push(...records.moving.map((name) => `${name} is on its way to another state`));
  for (const host of hosts) {
    const there = await list<ThereNode>(host.asked, `/v2/compute/projects/${projectId}/nodes`);
    const own = records.nodes.filter(({ compute_id }) => compute_id === host.name);
    const isAbsent = (id: unknown): boolean => !there.some(({ node_id }) => node_id === id);
    const wanted = own.filter((node) => node['status'] !== 'stopped' || !isAbsent(node['node_id']));
    const named = (nodes: readonly (Readonly<Record<string, unknown>> | ThereNode)[]): string[] =>
      nodes.map(({ name, node_id, status }) => `${String(name)} ${String(node_id)} ${String(status)}`);
    problems.push(...differences(host.name, named(wanted), named(there)));
    const nios = there.flatMap((node) => node.nios.map((port) => `nio:${node.node_id}/${port}`));
    problems.push(...differences(host.name, cablesAt(records, host.name), nios));
  }
  return problems;
};

/** A look takes the fabric's connection from its server, which has it back at once; the fabric may be the one that goes as well. */
const inventoryOf = async (dataDir: string): Promise<Inventory | null> => {
  for (const socket of await socketPaths(dataDir)) {
    const client = await connectFabric(socket).catch(() => null);
    const found = await client?.inventory().catch(() => undefined);
    client?.close();
    if (found !== undefined) return found;
  }
  return null;
};

/** Cables that a machine must have: one for a link on this one, and for each end of a tunnel. */
const cablesAt = ({ nodes, links }: Records, name: string): string[] => {
  const placeOf = (id: string): unknown => nodes.find(({ node_id }) => node_id === id)?.['compute_id'];
  return links.flatMap(({ link_id, nodes: ends }) => {
    const own = ends.filter(({ node_id }) => placeOf(node_id) === name);
    if (name === 'local') return own.length === 0 ? [] : [link_id];
    return own.map(({ node_id, adapter_number, port_number }) => `nio:${node_id}/${adapter_number}/${port_number}`);
  });
};

/** Records against what the fabric of each machine really has. */
export const compareFabrics = async (records: Records, hosts: readonly Host[]): Promise<string[]> => {
  const problems: string[] = [];
  for (const { name, dataDir } of hosts) {
    const inventory = await inventoryOf(dataDir);
    if (inventory === null) {
      problems.push(`no fabric of ${name} answers`);
      continue;
    }
    const { nodes, cables } = inventory;
    const running = records.nodes.filter((node) => node['compute_id'] === name && node['status'] === 'started');
    const ids = running.map(({ node_id }) => String(node_id));
    problems.push(
      ...differences(
        `the fabric of ${name}`,
        ids,
        nodes.map(({ spec }) => spec.node_id),
      ),
      ...differences(
        `the fabric of ${name}`,
        cablesAt(records, name),
        cables.map(({ cable_id }) => cable_id),
      ),
    );
    const fabrics = await findFabrics(dataDir);
    if (fabrics.length !== 1) problems.push(`${name} has ${fabrics.length} fabrics`);
  }
  return problems;
};
