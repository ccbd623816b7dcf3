import assert from 'node:assert/strict';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import { openConsole } from '../../support/console.ts';
import type { TestServer } from '../../support/server.ts';
import type { LabSpec, PcSpec, SwitchSpec } from './specs.ts';

interface End {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

export interface MadeLink {
  link_id: string;
  ends: readonly [string, string];
}

/** A lab in a server, and what is done to it by whom. */
export interface MadeLab {
  id: string;
  spec: LabSpec;
  /** Ids by name. */
  nodes: ReadonlyMap<string, string>;
  links: MadeLink[];
  /** A request below the project, which must succeed. */
  ask(user: string, method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  addLink(user: string, ends: readonly [string, string]): Promise<MadeLink>;
  /** Positions of what a user asked for after a position: no outcomes. */
  rootsOf(user: string, after: number): Promise<number[]>;
  position(): Promise<number>;
  eventAt(position: number): Promise<AnyEvent>;
  /** Whether one ping is answered, asked at the console. `size`: octets of data. */
  ping(from: string, to: string, size?: number): Promise<boolean>;
}

export const startText = ({ address }: Pick<PcSpec, 'address'>): string => `ip ${address}/24\n`;

const portOf = (text: string, n: number): Record<string, unknown> => {
  const [type = '', vlan = '1'] = text.split(' ');
  const port = { name: `Ethernet${n}`, port_number: n };
  if (type === 'trunk') return { ...port, type: 'dot1q', vlan: 1 };
  if (type === 'tunnel') return { ...port, type: 'qinq', vlan: Number(vlan), ethertype: '0x88A8' };
  return { ...port, type: 'access', vlan: Number(type) };
};

export const portsOf = ({ ports = [] }: SwitchSpec): Record<string, unknown>[] => ports.map(portOf);

/** Makes it and starts it. */
export const makeLab = async (server: TestServer, spec: LabSpec, name: string): Promise<MadeLab> => {
  const request = async (
    user: string,
    method: string,
    path: string,
    body: unknown,
  ): Promise<Record<string, unknown>> => {
    const answer = await server.request(method, path, body, { 'x-topolog-user': user });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Record<string, unknown>;
  };
  const { project_id } = await request('ada', 'POST', '/v2/projects', { name });
  const id = String(project_id);
  const nodes = new Map<string, string>();
  const ask: MadeLab['ask'] = (user, method, path, body = {}) =>
    request(user, method, `/v2/projects/${id}${path}`, body);
  const endOf = (text: string): End => {
    const [node = '', port = '0'] = text.split(':');
    return { node_id: nodes.get(node) ?? '', adapter_number: 0, port_number: Number(port) };
  };
  const lab: MadeLab = {
    ...{ id, spec, nodes, links: [], ask },
    async addLink(user, ends) {
      const { link_id } = await ask(user, 'POST', '/links', { nodes: ends.map(endOf) });
      return { link_id: String(link_id), ends };
    },
    async rootsOf(user, after) {
      const { body } = await server.request('GET', `/v2/projects/${id}/events?principal=${user}&from=${after + 1}`);
      const { events } = body as { events: AnyEvent[] };
      // A link that goes takes its capture with it.
      return events
        .filter(({ cause, type }) => cause === null && !type.startsWith('capture.'))
        .map(({ position }) => position);
    },
    async position() {
      const { body } = await server.request('GET', '/v2/health');
      return (body as { log: { position: number } }).log.position;
    },
    async eventAt(at) {
      const { body } = await server.request('GET', `/v2/projects/${id}/events?from=${at}&limit=1`);
      const [event] = (body as { events: AnyEvent[] }).events;
      assert.ok(event !== undefined, `there is no event ${at}`);
      return event;
    },
    ping: (from, to, size) => pingAt(server, lab, from, to, size),
  };
  for (const pc of spec.pcs) {
    const properties = { startup_script: startText(pc) };
    const made = await ask('ada', 'POST', '/nodes', {
      name: pc.name,
      node_type: 'simple_pc',
      compute_id: 'local',
      properties,
    });
    nodes.set(pc.name, String(made['node_id']));
  }
  for (const one of spec.switches) {
    const isHub = one.ports === undefined;
    const node_type = isHub ? 'ethernet_hub' : 'ethernet_switch';
    const properties = isHub ? {} : { ports_mapping: portsOf(one) };
    const made = await ask('ada', 'POST', '/nodes', { name: one.name, node_type, compute_id: 'local', properties });
    nodes.set(one.name, String(made['node_id']));
  }
  for (const ends of spec.links) lab.links.push(await lab.addLink('ada', ends));
  await ask('ada', 'POST', '/nodes/start');
  return lab;
};

/** An address of the first PCs' network that no PC has. */
const NOBODY = '10.0.0.250';

let marks = 0;

const pingAt = async (server: TestServer, lab: MadeLab, from: string, to: string, size = 56): Promise<boolean> => {
  const { body } = await server.request('GET', `/v2/projects/${lab.id}/nodes/${lab.nodes.get(from) ?? ''}`);
  const { console: port, status } = body as { console: number; status: string };
  if (status !== 'started') return false;
  const address = lab.spec.pcs.find(({ name }) => name === to)?.address ?? NOBODY;
  const screen = await openConsole(port);
  try {
    // A console shows what was printed before as well.
    const mark = `mark${++marks}`;
    await screen.type(`echo ${mark}`, new RegExp(`${mark}[^]*${mark}`));
    const output = await screen.type(
      `ping ${address} -c 1 -l ${size}`,
      /icmp_seq=1 (timeout|ttl)|not reachable|unreachable|No gateway/i,
    );
    return /icmp_seq=1 ttl/.test(output);
  } finally {
    screen.close();
  }
};
