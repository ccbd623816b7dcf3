import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fixture } from '../fixtures/fixture.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';
import { type Api, type Bag, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api.close());

const textOf = (name: string): string => fixture(`old-projects/${name}.gns3`);

interface OldTopology {
  nodes?: unknown[];
  links?: unknown[];
  notes?: unknown[];
  ellipses?: unknown[];
  rectangles?: unknown[];
  images?: unknown[];
}

const counts = async (project_id: string): Promise<number[]> =>
  (await Promise.all((['nodes', 'links', 'drawings'] as const).map((what) => api.list(project_id, what)))).map(
    ({ length }) => length,
  );

/** Of the file, but for what a sample names as gained or lost. */
const countsOf = (name: string): number[] => {
  const { topology } = JSON.parse(textOf(name)) as { topology: OldTopology };
  const length = (list: unknown[] | undefined): number => list?.length ?? 0;
  const { nodes, links, notes, ellipses, rectangles, images } = topology;
  return [length(nodes), length(links), length(notes) + length(ellipses) + length(rectangles) + length(images)];
};

/** A sample in a directory of its own, opened. */
const load = async (name: string): Promise<{ project: Bag; project_id: string; file: string }> => {
  const file = path.join(api.server.dataDir, '..', randomUUID(), `${name}.gns3`);
  await mkdir(path.dirname(file));
  await writeFile(file, textOf(name));
  const project = await api.get(201, 'POST /v2/projects/load', {}, { path: file });
  return { project, project_id: String(project['project_id']), file };
};

const SAMPLES: Readonly<Record<string, { revision: number; more?: readonly number[] }>> = {
  '1-slots': { revision: 0 },
  '2-wics': { revision: 0 },
  '3-drawings': { revision: 0 },
  '4-revision-3': { revision: 3 },
  '5-builtins': { revision: 4 },
  // A translated port is a node now; one that leads nowhere took its link along.
  '6-clouds': { revision: 4, more: [1, -1] },
  '7-machines': { revision: 4 },
  '7-drawing-only': { revision: 4 },
};

describe('a project file before revision 5', () => {
  for (const [name, { revision, more = [] }] of Object.entries(SAMPLES))
    it(`loads with all it has, starts, and is written as revision 9 with the same ids: ${name}`, async () => {
      const { project, project_id, file } = await load(name);
      assert.equal(project['status'], 'opened');
      const [nodes = 0, links = 0, drawings = 0] = countsOf(name);
      const [moreNodes = 0, moreLinks = 0] = more;
      const expected = [nodes + moreNodes, links + moreLinks, drawings];
      assert.deepEqual(await counts(project_id), expected);
      await api.get(204, `POST ${P}/nodes/start`, { project_id });
      for (const node of await api.list(project_id, 'nodes'))
        assert.equal(node['status'], 'started', String(node['name']));
      await api.get(204, `POST ${P}/close`, { project_id });
      const written = JSON.parse(await readFile(file, 'utf8')) as Bag & { topology: Record<string, unknown[]> };
      assert.deepEqual([written['revision'], written['project_id']], [9, project_id]);
      const { nodes: n = [], links: l = [], drawings: d = [] } = written.topology;
      assert.deepEqual([n.length, l.length, d.length], expected);
      assert.deepEqual(Object.keys(written.topology), ['computes', 'drawings', 'links', 'nodes']);
      assert.equal(await readFile(`${file}.backup${revision}`, 'utf8'), textOf(name));
      const again = await api.get(201, 'POST /v2/projects/load', {}, { path: file });
      assert.equal(again['project_id'], project_id);
      assert.deepEqual(await counts(project_id), expected);
    });

  it('says on the record and to the operator what was guessed and what was lost', async () => {
    const { project_id, file } = await load('8-broken');
    assert.deepEqual(await counts(project_id), [4, 3, 2]);
    const { events } = (await api.get(200, `GET ${P}/events`, { project_id })) as unknown as { events: Bag[] };
    const recorded = events
      .filter((e) => e['type'] === 'warning.raised')
      .map((e) => String((e['data'] as Bag)['message']));
    const told = api.server.reports.filter((report) => report.includes(path.basename(file)));
    for (const pattern of [/vmname/, /server 9/, /node with the id 99/, /nobody knows its port of R1/, /hosts\.png/]) {
      assert.equal(
        recorded.filter((message) => pattern.test(message)).length,
        1,
        `${pattern.source}: ${recorded.join('\n')}`,
      );
      assert.ok(
        told.some((report) => pattern.test(report)),
        pattern.source,
      );
    }
  });
});

describe('an archive before revision 5', () => {
  const upload = async (entries: ZipEntry[]): Promise<Bag> => {
    const url = `${api.url}/v2/projects/${randomUUID()}/import`;
    const answer = await fetch(url, { method: 'POST', body: zipOf(entries) });
    const body = (await answer.json()) as Bag;
    assert.equal(answer.status, 201, JSON.stringify(body));
    await api.get(201, `POST ${P}/open`, { project_id: String(body['project_id']) });
    return body;
  };
  const picture = '<svg width="3" height="4"><rect/></svg>';

  it('has its routers’ files, its pictures and its snapshots, and what is none is said', async () => {
    const {
      project_id,
      path: place,
      name,
    } = await upload([
      { name: 'project.gns3', data: textOf('1-slots') },
      { name: 'project-files/dynamips/configs/i1_startup-config.cfg', data: 'hostname A\n' },
      { name: 'startup-configs/i2_startup-config.cfg', data: 'hostname B\n' },
      { name: 'instructions.txt', data: 'Do this.' },
      { name: 'project-files/snapshots/before_010214_101112/slots.gns3', data: textOf('7-drawing-only') },
      { name: 'project-files/snapshots/nothing/readme', data: 'x' },
    ]);
    assert.match(String(name), /^slots/);
    assert.deepEqual(await counts(String(project_id)), [2, 2, 0]);
    for (const node of await api.list(String(project_id), 'nodes')) {
      const own = path.join(String(node['node_directory']), 'configs');
      const [config = ''] = await readdir(own);
      assert.equal(await readFile(path.join(own, config), 'utf8'), `hostname ${String(node['name'])}\n`);
    }
    assert.equal(await readFile(path.join(String(place), 'README.txt'), 'utf8'), 'Do this.');
    const snapshots = (await api.ask(`GET ${P}/snapshots`, { project_id: String(project_id) }))
      .body as unknown as Bag[];
    assert.deepEqual(
      snapshots.map((snapshot) => [snapshot['name'], snapshot['created_at']]),
      [['before', Date.UTC(2014, 1, 1, 10, 11, 12) / 1000]],
    );
    assert.ok(
      api.server.reports.some((report) => /snapshot nothing was left out: it has 0 project files/.test(report)),
    );
    const snapshot_id = String(snapshots[0]?.['snapshot_id']);
    await api.get(201, `POST ${P}/snapshots/{snapshot_id}/restore`, { project_id: String(project_id), snapshot_id });
    assert.deepEqual(await counts(String(project_id)), [0, 0, 2]);
  });

  it('may be a directory that somebody packed: its project file has a name of its own and lies in a folder', async () => {
    const { project_id } = await upload([
      { name: 'my lab/third drawing.gns3', data: textOf('3-drawings') },
      { name: 'my lab/images/plan.png', data: picture },
    ]);
    const drawings = await api.list(String(project_id), 'drawings');
    assert.equal(drawings.length, 7);
    assert.ok(drawings.some((drawing) => drawing['svg'] === picture));
    assert.deepEqual(await readdir(path.join(api.server.dataDir, 'images')).catch(() => []), []);
  });
});
