import assert from 'node:assert/strict';
import { FakeCompute, type FakeComputeOptions } from '../support/fake-compute.ts';
import { type FeedClient, listen } from '../support/feed-client.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { waitFor } from '../support/wait-for.ts';

export type Bag = Record<string, unknown>;

/** Often enough that a loaded machine is no silence. Milliseconds. */
const PING_MS = 100;

/** A server whose compute `gns3` is a stand-in of a GNS3 2.2 server, and a project. */
export interface Gns3Lab {
  here: TestServer;
  fake: FakeCompute;
  project: string;
  /** What clients of the project hear. */
  feed: FeedClient;
  /** Answers the body; fails for another code. `path` from `/v2` on. */
  ask(code: number, method: string, path: string, body?: unknown): Promise<Bag>;
  /** A node of the project, at `gns3` unless something else is said. */
  node(node_type: string, more?: Bag): Promise<Bag>;
  /** The same node as it is now. */
  read(node: Bag): Promise<Bag>;
  act(code: number, node: Bag, action: string): Promise<Bag>;
  /** Resolves with the first such event that is on record: no feed tells all of them. */
  event(type: string, fits?: (data: Bag) => boolean): Promise<Bag>;
  events(type: string): Promise<Bag[]>;
  close(): Promise<void>;
}

export const addressOf = (fake: FakeCompute, id = 'gns3'): Bag => ({
  ...{ compute_id: id, name: id, protocol: 'http', host: '127.0.0.1', port: fake.port },
});

export const fakeCompute = (options: FakeComputeOptions = {}): Promise<FakeCompute> =>
  FakeCompute.start({ pingMs: PING_MS, ...options });

export const gns3Lab = async (options: FakeComputeOptions = {}, flags: string[] = []): Promise<Gns3Lab> => {
  const [here, fake] = await Promise.all([testServer(flags), fakeCompute(options)]);
  const ask = async (code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
    const answer = await here.request(method, `/v2${path}`, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const compute = await ask(201, 'POST', '/computes', addressOf(fake));
  assert.equal(compute['connected'], true, JSON.stringify(compute));
  const { project_id } = await ask(201, 'POST', '/projects', { name: 'lab' });
  const project = String(project_id);
  const feed = await listen(here.url, `/v2/projects/${project}/notifications/ws`);
  const at = ({ node_id }: Bag): string => `/projects/${project}/nodes/${String(node_id)}`;
  const events = async (type: string): Promise<Bag[]> => {
    const found = await ask(200, 'GET', `/projects/${project}/events?type=${type}&limit=1000`);
    return (found['events'] as { data: Bag }[]).map(({ data }) => data);
  };
  let made = 0;
  return {
    ...{ here, fake, project, feed, ask, events },
    node: (node_type, more = {}) =>
      ask(201, 'POST', `/projects/${project}/nodes`, {
        ...{ name: `N${++made}`, node_type, compute_id: 'gns3' },
        ...more,
      }),
    read: (node) => ask(200, 'GET', at(node)),
    act: (code, node, action) => ask(code, 'POST', `${at(node)}/${action}`),
    event: (type, fits = () => true) => waitFor(`${type} is on record`, async () => (await events(type)).find(fits)),
    async close() {
      await feed.close();
      await here.close();
      await fake.close();
      assert.deepEqual(fake.lab.doubled, [], 'a NIO was put where one was');
    },
  };
};

/** The least that a node of each kind at a GNS3 server must say, with the image that it needs. */
export const EVERY_KIND: Readonly<Record<string, { properties?: Bag; image?: [kind: string, name: string] }>> = {
  simple_pc: {},
  ethernet_switch: {},
  ethernet_hub: {},
  frame_relay_switch: { properties: { mappings: { '1:101': '2:202' } } },
  atm_switch: { properties: { mappings: { '1:10': '2:20' } } },
  cloud: {},
  nat: {},
  trace_tool: { properties: { ip_address: '10.0.0.5/24' } },
  machine_emulator: {
    properties: { platform: 'x86_64', hda_disk_image: 'disk.img', adapters: 2, ram: 512 },
    image: ['qemu', 'disk.img'],
  },
  router_emulator: {
    properties: { platform: 'c3725', image: 'c3725.image', slot1: 'NM-4T', ram: 128 },
    image: ['dynamips', 'c3725.image'],
  },
  switch_router_emulator: { properties: { path: 'l3.bin' }, image: ['iou', 'l3.bin'] },
  container: { properties: { image: 'alpine:latest', adapters: 2 } },
  desktop_vm_a: { properties: { vmname: 'debian' } },
  desktop_vm_b: { properties: { vmx_path: '/vm/debian.vmx' } },
};
