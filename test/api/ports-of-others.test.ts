import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { freePorts } from '../support/free-port.ts';
import { tempDir } from '../support/temp.ts';
import { type Bag, startApi } from './api.ts';

/** Five ports in a row, of which another program has the first two. */
const [first = 0] = await freePorts(5);
const last = first + 4;
const FREE = first + 2;

const NODES = 'POST /v2/projects/{project_id}/nodes';
const dir = await tempDir();
const consoles = [first, first + 1].map((port) => createServer().listen(port, '127.0.0.1'));
const sockets = [first, first + 1].map((port) => createSocket('udp4').bind(port, '127.0.0.1'));
await Promise.all([...consoles, ...sockets].map((one) => once(one, 'listening')));
const api = await startApi([
  ...['--console-ports', `${first}-${last}`, '--udp-ports', `${first}-${last}`],
  ...['--engine', 'simple_pc=simulated'],
]);
after(async () => {
  await api.close();
  for (const one of [...consoles, ...sockets]) one.close();
  await dir.remove();
});

describe('ports that another program has', () => {
  it('are not handed out for NIOs', async () => {
    const project_id = await api.project();
    const lease = async (): Promise<unknown> =>
      (await api.get(201, 'POST /v2/compute/projects/{project_id}/ports/udp', { project_id }))['udp_port'];
    assert.deepEqual([await lease(), await lease()], [FREE, FREE + 1]);
  });

  it('are no consoles of new nodes, made alone, in a batch, or loaded from a file that wishes for one', async () => {
    const project_id = await api.project();
    const given = { name: 'PC', node_type: 'simple_pc', compute_id: 'local' };
    assert.equal((await api.get(201, NODES, { project_id }, given))['console'], FREE);
    const steps = [{ action: 'create', type: 'node', record: given }];
    const { results } = (await api.get(200, 'POST /v2/projects/{project_id}/batch', { project_id }, { steps })) as {
      results: Bag[];
    };
    assert.equal(results[0]?.['console'], FREE + 1);
    assert.equal((await api.get(409, NODES, { project_id }, { ...given, console: first }))['status'], 409);

    const loaded = randomUUID();
    const node = { node_id: randomUUID(), node_type: 'vpcs', name: 'PC', compute_id: 'local', console: first };
    const topology = {
      nodes: [{ ...node, console_type: 'telnet', properties: {}, x: 0, y: 0 }],
      links: [],
      drawings: [],
    };
    const file = path.join(dir.path, 'wishes.gns3');
    await writeFile(
      file,
      JSON.stringify({ name: 'wishes', project_id: loaded, type: 'topology', revision: 9, topology }),
    );
    await api.get(201, 'POST /v2/projects/load', {}, { path: file });
    const [pc] = await api.list(loaded, 'nodes');
    assert.equal(pc?.['console'], FREE + 2);
  });
});
