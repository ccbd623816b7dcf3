import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { freePort, freePorts } from '../support/free-port.ts';
import { tempDir } from '../support/temp.ts';
import { type Bag, startApi } from './api.ts';

const [first = 0] = await freePorts(6);
const last = first + 5;
const outside = await freePort();
const PROJECT = '/v2/projects/{project_id}';
const dir = await tempDir();
const api = await startApi(['--console-ports', `${first}-${last}`, '--engine', 'simple_pc=simulated']);
after(async () => {
  await api.close();
  await dir.remove();
});

const isInside = (port: unknown): boolean => Number(port) >= first && Number(port) <= last;
const consoleIn = async (project_id: string): Promise<number> =>
  Number((await api.list(project_id, 'nodes'))[0]?.['console']);
const warnings = async (project_id: string): Promise<string> =>
  (await api.ask(`GET ${PROJECT}/events`, { project_id, type: 'warning.raised' })).text;
const moved = new RegExp(`console port ${outside} of PC is outside of ${first}-${last}; it has \\d+ now`);

describe('the range of console ports', () => {
  it('holds for a file that names a port outside of it, and the console says that it moved', async () => {
    const project_id = randomUUID();
    const node = { node_id: randomUUID(), node_type: 'vpcs', name: 'PC', compute_id: 'local', console: outside };
    const nodes = [{ ...node, console_type: 'telnet', properties: {}, x: 0, y: 0 }];
    const lab = {
      name: 'wishes',
      project_id,
      type: 'topology',
      revision: 9,
      topology: { nodes, links: [], drawings: [] },
    };
    const file = path.join(dir.path, 'wishes.gns3');
    await writeFile(file, JSON.stringify(lab));
    await api.get(201, 'POST /v2/projects/load', {}, { path: file });
    assert.ok(isInside(await consoleIn(project_id)), `${await consoleIn(project_id)} of ${first}-${last}`);
    assert.match(await warnings(project_id), moved);
    const at = { project_id, node_id: node.node_id };
    const started = await api.get(200, `POST ${PROJECT}/nodes/{node_id}/start`, at);
    assert.ok(isInside(started['console']));
    await api.get(204, `DELETE ${PROJECT}`, { project_id });
  });

  it('holds for a project that is opened, a copy, and a snapshot that is restored, and leaves a port alone that was asked for', async () => {
    const project_id = await api.project();
    const asked: Bag = { name: 'PC', node_type: 'simple_pc', compute_id: 'local', console: outside };
    const made = await api.get(201, `POST ${PROJECT}/nodes`, { project_id }, asked);
    assert.equal(made['console'], outside);
    const { snapshot_id } = await api.get(201, `POST ${PROJECT}/snapshots`, { project_id }, { name: 'then' });
    const copy = await api.get(201, `POST ${PROJECT}/duplicate`, { project_id }, { name: 'copy' });
    const its = { project_id: String(copy['project_id']) };
    await api.get(201, `POST ${PROJECT}/open`, its);
    assert.ok(isInside(await consoleIn(its.project_id)), 'a copy');
    await api.ask(`POST ${PROJECT}/close`, { project_id });
    await api.get(201, `POST ${PROJECT}/open`, { project_id });
    assert.ok(isInside(await consoleIn(project_id)), 'opened');
    assert.match(await warnings(project_id), moved);
    const at = { project_id, snapshot_id: String(snapshot_id) };
    await api.get(201, `POST ${PROJECT}/snapshots/{snapshot_id}/restore`, at);
    assert.ok(isInside(await consoleIn(project_id)), 'restored');
  });
});
