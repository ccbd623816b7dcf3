import assert from 'node:assert/strict';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { request } from './server.ts';
import { waitFor } from './wait-for.ts';

interface Sample {
  /** Of the server that has the labs, and of one that becomes its compute. */
  url: string;
  far: string;
  /** A kind of node that is a process of its own. */
  outside: string;
}

type Ids = Partial<Record<'project_id' | 'node_id', string>>;

/** Asks as a user; answers what must succeed, or be refused with this status. */
type Ask = (method: string, where: string, body?: object, refused?: number) => Promise<Ids>;

const asking =
  (url: string) =>
  (user: string): Ask =>
  async (method, where, body = {}, refused) => {
    const answer = await request(url, method, `/v2${where}`, body, { 'x-topolog-user': user });
    const isWanted = refused === undefined ? answer.status < 300 : answer.status === refused;
    assert.ok(isWanted, `${method} ${where}: ${answer.status} ${answer.text}`);
    return answer.body === null ? {} : (answer.body as Ids);
  };

/** What two people do in two labs, so that there is something of everything to ask a log for. */
export const useLabs = async ({ url, far, outside }: Sample): Promise<void> => {
  const as = asking(url);
  const [ada, ben] = [as('ada'), as('ben')];
  const node = async (project: string, name: string, more: object = {}): Promise<string> => {
    const given = { name, node_type: 'simple_pc', compute_id: 'local', ...more };
    return (await ada('POST', `/projects/${project}/nodes`, given)).node_id ?? '';
  };
  const { hostname: host, port } = new URL(far);
  await ada('POST', '/computes', { compute_id: 'lab2', name: 'lab2', protocol: 'http', host, port: Number(port) });

  const { project_id: routing = '' } = await ada('POST', '/projects', { name: 'routing' });
  await ada('PUT', `/projects/${routing}`, { record_consoles: true });
  const [pc1, pc2] = [await node(routing, 'PC1'), await node(routing, 'PC2')];
  const ends = [pc1, pc2].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  await ada('POST', `/projects/${routing}/links`, { nodes: ends });
  await ada('POST', `/projects/${routing}/nodes/start`);
  await ben('POST', `/projects/${routing}/nodes/${pc2}/stop`);
  await ben('POST', `/projects/${routing}/nodes/${pc2}/start`);
  await ada('POST', `/projects/${routing}/nodes/${pc1}/stop`);
  await ada('POST', `/projects/${routing}/nodes/move`, { nodes: [pc1], to: 'lab2' });

  const { project_id: exam = '' } = await ben('POST', '/projects', { name: 'exam' });
  const router = { node_type: 'qemu', properties: { hda_disk_image: 'gone.qcow2' } };
  const broken = await node(exam, 'R1', router);
  await ben('POST', `/projects/${exam}/nodes/${broken}/start`, {}, 409);
  await ben('POST', `/projects/${exam}/nodes`, { name: 'R2', compute_id: 'local' }, 400);
  await ben('POST', `/projects/${exam}/nodes/${pc1}/start`, {}, 404);
  const dying = await node(exam, 'PC3', { node_type: outside });
  await ben('POST', `/projects/${exam}/nodes/${dying}/start`);
  await killed(url, exam, dying);
};

/** Ends the process of a node, and waits until the log has it. */
const killed = async (url: string, project: string, node: string): Promise<void> => {
  const ofNode = async <T extends AnyEvent['type']>(type: T): Promise<Extract<AnyEvent, { type: T }> | undefined> => {
    const { body } = await request(url, 'GET', `/v2/projects/${project}/events?type=${type}`);
    const { events } = body as { events: Extract<AnyEvent, { type: T }>[] };
    return events.find(({ data }) => 'node_id' in data && data.node_id === node);
  };
  process.kill((await ofNode('node.started'))?.data.pid ?? 0, 'SIGKILL');
  await waitFor('the node has ended', () => ofNode('node.exited'));
};
