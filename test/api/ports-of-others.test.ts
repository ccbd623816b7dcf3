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

describe('a console port that another program takes later', () => {
  it('is not the node’s any more when its project is opened or it is started, and both say so', async (t) => {
    const [wished = 0] = await freePorts(3);
    const server = await startApi(['--console-ports', `${wished}-${wished + 2}`]);
    t.after(() => server.close());
    const project_id = await server.project();
    const made = await server.get(
      201,
      NODES,
      { project_id },
      { name: 'PC', node_type: 'simple_pc', compute_id: 'local' },
    );
    assert.equal(made['console'], wished);
    const at = { project_id, node_id: String(made['node_id']) };
    const NODE = 'GET /v2/projects/{project_id}/nodes/{node_id}';
    const taken = async (port: number): Promise<void> => {
      const other = createServer().listen(port, '127.0.0.1');
      t.after(() => other.close());
      await once(other, 'listening');
    };

    await server.ask('POST /v2/projects/{project_id}/close', { project_id });
    await taken(wished);
    await server.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
    assert.equal((await server.get(200, NODE, at))['console'], wished + 1);
    const warned = (await server.ask('GET /v2/projects/{project_id}/events', { project_id })).text;
    assert.match(warned, new RegExp(`console port ${wished} of PC is taken; it has ${wished + 1} now`));
    // On the time line it is a warning, no failure.
    const { entries } = await server.get(200, 'GET /v2/projects/{project_id}/timeline/entries', { project_id });
    const told = (entries as Bag[]).filter(({ type }) => type === 'warning.raised');
    assert.deepEqual(
      told.map(({ kind, data }) => [kind, (data as Bag)['settled']]),
      [['warning', true]],
    );

    await taken(wished + 1);
    const started = await server.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', at);
    assert.deepEqual([started['status'], started['console']], ['started', wished + 2]);
    const { warnings } = started['properties'] as Bag;
    assert.deepEqual(warnings, [`console port ${wished + 1} could not be had; the console is at ${wished + 2} now`]);
  });

  it('moves one node of many, when they are loaded and when they are opened again, and no other takes its turn', async (t) => {
    const PCS = 70;
    const [base = 0] = await freePorts(PCS + 3);
    const server = await startApi(['--console-ports', `${base}-${base + PCS + 2}`]);
    t.after(() => server.close());
    const taken = async (port: number): Promise<void> => {
      const other = createServer().listen(port, '127.0.0.1');
      t.after(() => other.close());
      await once(other, 'listening');
    };
    await taken(base + 10);

    const project_id = randomUUID();
    const nodes = Array.from({ length: PCS }, (_, i) => ({
      ...{ node_id: randomUUID(), node_type: 'vpcs', name: `PC${i}`, compute_id: 'local', properties: {}, x: 0, y: 0 },
      ...{ console: base + i, console_type: 'telnet' },
    }));
    const topology = { nodes, links: [], drawings: [] };
    const lab = { name: 'many', project_id, type: 'topology', revision: 9, topology };
    const file = path.join(dir.path, 'many.gns3');
    await writeFile(file, JSON.stringify(lab));
    await server.get(201, 'POST /v2/projects/load', {}, { path: file });
    const consoles = async (): Promise<Map<unknown, unknown>> =>
      new Map((await server.list(project_id, 'nodes')).map(({ name, console }) => [name, console]));
    const expected = new Map<unknown, unknown>(nodes.map(({ name, console }) => [name, console]));
    assert.deepEqual(await consoles(), expected.set('PC10', base + PCS));

    await server.ask('POST /v2/projects/{project_id}/close', { project_id });
    await taken(base + 20);
    await server.get(201, 'POST /v2/projects/{project_id}/open', { project_id });
    assert.deepEqual(await consoles(), expected.set('PC20', base + PCS + 1));
  });
});
