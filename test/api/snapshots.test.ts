import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Api, type Bag, id, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';
const SNAPSHOTS = `${P}/snapshots`;

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api.close());

interface Lab {
  project_id: string;
  pc: Bag;
  hub: Bag;
  link: Bag;
  drawing: Bag;
  directory: string;
}

const end = (node: Bag, port_number: number) => ({ node_id: node['node_id'], adapter_number: 0, port_number });

/** A PC with a script at a switch, a picture, all stopped but the switch. */
const lab = async (): Promise<Lab> => {
  const project_id = await api.project();
  const at = { project_id };
  const pc = await api.node(project_id, 'simple_pc', { startup_script: 'ip 10.0.0.1/24\n' });
  const hub = await api.get(201, `POST ${P}/nodes`, at, {
    ...{ name: 'SW', node_type: 'ethernet_switch', compute_id: 'local' },
  });
  const link = await api.get(201, `POST ${P}/links`, at, { nodes: [end(pc, 0), end(hub, 0)] });
  const drawing = await api.get(201, `POST ${P}/drawings`, at, { svg: '<svg width="5" height="5"></svg>' });
  const { path: directory } = await api.get(200, `GET ${P}`, at);
  return { project_id, pc, hub, link, drawing, directory: String(directory) };
};

const records = async (project_id: string): Promise<unknown> => ({
  project: (await api.ask(`GET ${P}`, { project_id })).body,
  nodes: await api.list(project_id, 'nodes'),
  links: await api.list(project_id, 'links'),
  drawings: await api.list(project_id, 'drawings'),
});

const take = (project_id: string, name = 'before'): Promise<Bag> =>
  api.get(201, `POST ${SNAPSHOTS}`, { project_id }, { name });
const restore = (project_id: string, snapshot: Bag, code = 201): Promise<Bag> =>
  api.get(
    code,
    `POST ${SNAPSHOTS}/{snapshot_id}/restore`,
    { project_id, snapshot_id: id(snapshot, 'snapshot_id') },
    {},
  );

const scriptOf = (l: Lab): string => path.join(l.directory, 'project-files', 'vpcs', id(l.pc), 'startup.vpc');

describe('a snapshot', () => {
  it('gives back records and files as they were, ids and order included, after everything was changed', async () => {
    const l = await lab();
    const at = { project_id: l.project_id };
    const was = await records(l.project_id);
    const snapshot = await take(l.project_id);
    assert.deepEqual(Object.keys(snapshot).sort(), [
      ...['created_at', 'description', 'filename', 'name', 'project_id', 'snapshot_id'],
    ]);

    await api.get(200, `PUT ${P}`, at, { scene_width: 777, auto_close: false, name: `${l.project_id} other` });
    await api.get(204, `DELETE ${P}/links/{link_id}`, { ...at, link_id: id(l.link, 'link_id') });
    await api.get(204, `DELETE ${P}/nodes/{node_id}`, { ...at, node_id: id(l.pc) });
    await api.get(200, `PUT ${P}/nodes/{node_id}`, { ...at, node_id: id(l.hub) }, { x: 99, name: 'other' });
    await api.get(204, `DELETE ${P}/drawings/{drawing_id}`, { ...at, drawing_id: id(l.drawing, 'drawing_id') });
    const added = await api.node(l.project_id, 'simple_pc', { startup_script: 'later' });
    await api.get(201, `POST ${P}/drawings`, at, { svg: '<svg></svg>' });
    await api.get(200, `POST ${P}/nodes/{node_id}/start`, { ...at, node_id: id(added) });

    const answer = await restore(l.project_id, snapshot);
    assert.equal(answer['status'], 'opened');
    assert.deepEqual(await records(l.project_id), was);
    assert.equal(await readFile(scriptOf(l), 'utf8'), 'ip 10.0.0.1/24\n');
    assert.deepEqual(await readdir(path.join(l.directory, 'project-files', 'vpcs')), [id(l.pc)]);
    assert.deepEqual(await readdir(path.join(l.directory, '.topolog')), []);
    // And they are so for the next server as well.
    await api.server.restart();
    assert.deepEqual(await records(l.project_id), was);
    const [listed] = (await api.ask(`GET ${SNAPSHOTS}`, at)).body as unknown as Bag[];
    assert.deepEqual(listed, snapshot);
    assert.equal((await api.get(200, `GET ${P}/stats`, at))['snapshots'], 1);
  });

  it('leaves captures and what is beside the lab where they are', async () => {
    const l = await lab();
    const snapshot = await take(l.project_id);
    const captures = path.join(l.directory, 'project-files', 'captures');
    await mkdir(captures, { recursive: true });
    await writeFile(path.join(captures, 'later.pcap'), 'frames');
    await writeFile(path.join(l.directory, 'README.txt'), 'written later');
    await writeFile(scriptOf(l), 'changed');
    await restore(l.project_id, snapshot);
    assert.equal(await readFile(path.join(captures, 'later.pcap'), 'utf8'), 'frames');
    await assert.rejects(readFile(path.join(l.directory, 'README.txt')), { code: 'ENOENT' });
    assert.equal(await readFile(scriptOf(l), 'utf8'), 'ip 10.0.0.1/24\n');
  });

  it('is refused while a node runs, by name, and not for a switch that always does', async () => {
    const l = await lab();
    const at = { project_id: l.project_id, node_id: id(l.pc) };
    await api.get(200, `POST ${P}/nodes/{node_id}/start`, at);
    const { message } = await api.get(409, `POST ${SNAPSHOTS}`, at, { name: 'now' });
    assert.match(String(message), new RegExp(String(l.pc['name'])));
    assert.doesNotMatch(String(message), /SW/);
    await api.get(200, `POST ${P}/nodes/{node_id}/stop`, at);
    await take(l.project_id, 'now');
    await api.get(409, `POST ${SNAPSHOTS}`, at, { name: 'now' });
  });

  it('whose files were changed is not restored: records, files and running nodes stay as they are', async () => {
    const l = await lab();
    const at = { project_id: l.project_id, node_id: id(l.pc) };
    const snapshot = await take(l.project_id);
    const kept = path.join(l.directory, 'snapshots', id(snapshot, 'snapshot_id'));
    await appendFile(path.join(kept, 'files', 'project-files', 'vpcs', id(l.pc), 'startup.vpc'), 'more');
    await writeFile(scriptOf(l), 'newer');
    await api.get(200, `POST ${P}/nodes/{node_id}/start`, at);
    const was = await records(l.project_id);
    const { message } = await restore(l.project_id, snapshot, 409);
    assert.match(String(message), /startup\.vpc/);
    assert.deepEqual(await records(l.project_id), was);
    assert.equal(await readFile(scriptOf(l), 'utf8'), 'newer');
    await appendFile(path.join(kept, 'manifest.json'), ' ');
    assert.match(String((await restore(l.project_id, snapshot, 409))['message']), /changed since/);
    await rm(kept, { recursive: true });
    await restore(l.project_id, snapshot, 409);
    assert.deepEqual(await records(l.project_id), was);
  });

  it('that is deleted is gone with its files; nothing but the list works while the project is closed', async () => {
    const l = await lab();
    const at = { project_id: l.project_id };
    const snapshot = await take(l.project_id);
    const one = { ...at, snapshot_id: id(snapshot, 'snapshot_id') };
    await api.get(204, `POST ${P}/close`, at);
    await api.get(403, `POST ${SNAPSHOTS}`, at, { name: 'x' });
    await api.get(403, `DELETE ${SNAPSHOTS}/{snapshot_id}`, one);
    await restore(l.project_id, snapshot, 403);
    assert.equal(((await api.ask(`GET ${SNAPSHOTS}`, at)).body as unknown as Bag[]).length, 1);
    await api.get(201, `POST ${P}/open`, at);
    await api.get(204, `DELETE ${SNAPSHOTS}/{snapshot_id}`, one);
    assert.deepEqual(await readdir(path.join(l.directory, 'snapshots')), []);
    await api.get(404, `DELETE ${SNAPSHOTS}/{snapshot_id}`, one);
    await restore(l.project_id, snapshot, 404);
  });

  it('taken with a name that no file could have is one like any other', async () => {
    const l = await lab();
    const snapshot = await take(l.project_id, '../a/b: "c" \u{1f600}');
    assert.equal(snapshot['name'], '../a/b: "c" \u{1f600}');
    await restore(l.project_id, snapshot);
  });
});
