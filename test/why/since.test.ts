import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPast } from '../../src/projections/past/past.ts';
import { analyse } from '../../src/why/packet-path.ts';
import { labOf } from '../../src/why/lab.ts';
import { findSince, type SinceResult } from '../../src/why/since.ts';
import { CALLER, type TestLab, testLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';

/** Longer than several steps of the search. */
const LATER = 30;

describe('since when something is in the way', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let lab: TestLab;
  let project_id = '';
  let [pc1, pc2] = ['', ''];
  let [made, stopped] = [0, 0];

  before(async () => {
    dir = await tempDir();
    lab = await testLab({ dir: dir.path });
    const { commands, log } = lab;
    const node = async (name: string): Promise<string> => {
      const { node_id } = await commands.createNode(CALLER, project_id, { name, kind: 'simple_pc' }, 'conflict');
      return node_id;
    };
    ({ project_id } = await commands.createProject(CALLER, { name: 'lab' }));
    pc1 = await node('PC1');
    pc2 = await node('PC2');
    made = log.status().position;
    await commands.actOnNode(CALLER, { project_id, node_id: pc1 }, 'start');
    stopped = log.status().position + 1;
    await commands.actOnNode(CALLER, { project_id, node_id: pc1 }, 'stop');
    for (let n = 0; n < LATER; n++) await commands.updateProject(CALLER, project_id, { name: `lab ${n}` });
  });
  after(async () => {
    await lab?.close();
    await dir?.remove();
  });

  const since = async (step: number): Promise<(number | undefined)[]> => {
    const { log, context } = lab;
    const { position } = log.status();
    const { moments, kinds } = context;
    const question = { from: pc1, to: pc2, address: null, size: 56, port: null };
    const asked = { project_id, position, question, known: { kinds, tables: new Map(), isSteady: true as const } };
    const past = createPast(log, moments, () => Promise.resolve());
    const found: (number | undefined)[] = [];
    for (const id of [pc1, pc2, 'another'])
      found.push((await findSince({ past, moments }, asked, { key: `node_stopped:${id}` }, { step })).since?.position);
    return found;
  };

  it('is found however many events came after it', async () => {
    for (const step of [3, 7, 1000]) assert.deepEqual(await since(step), [stopped, made, undefined], `${step} at once`);
  });

  it('is not said where it is older than what is looked at: no other event is blamed', async () => {
    assert.deepEqual(await since(1), [undefined, undefined, undefined]);
  });
});

describe('the search for since when', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let lab: TestLab;
  before(async () => {
    dir = await tempDir();
    lab = await testLab({ dir: dir.path });
  });
  after(async () => {
    await lab?.close();
    await dir?.remove();
  });

  let rows = 0;
  interface Row {
    project_id: string;
    ends: [string, string];
    switches: string[];
    links: string[];
  }

  /** Two PCs with so many switches in a row between them; `but`: the number of a cable that is left out. */
  const rowOf = async (length: number, but = -1): Promise<Row> => {
    const { commands } = lab;
    const { project_id } = await commands.createProject(CALLER, { name: `row ${(rows += 1)}` });
    const node = async (name: string, kind: string): Promise<string> =>
      (await commands.createNode(CALLER, project_id, { name, kind }, 'conflict')).node_id;
    const ends: Row['ends'] = [await node('PC1', 'simple_pc'), await node('PC2', 'simple_pc')];
    const switches: string[] = [];
    for (let n = 0; n < length; n++) switches.push(await node(`SW${n}`, 'ethernet_switch'));
    const links: string[] = [];
    const row = [ends[0], ...switches, ends[1]];
    for (let n = 0; n < row.length - 1; n++) {
      if (n === but) continue;
      const nodes = [row[n] ?? '', row[n + 1] ?? ''].map((node_id, end) => ({
        ...{ node_id, adapter_number: 0, port_number: end === 0 && n > 0 ? 1 : 0 },
      }));
      links.push((await commands.createLink(CALLER, project_id, { nodes })).link_id);
    }
    return { project_id, ends, switches, links };
  };

  const search = async ({ project_id, ends }: Row, key: string, isLate?: () => boolean): Promise<SinceResult> => {
    const { log, context } = lab;
    const { moments, kinds, committed } = context;
    const states = new Map(committed.ofProject('node', project_id).map((record) => [record.node_id, record]));
    const question = { from: ends[0], to: ends[1], address: null, size: 56, port: null };
    const known = { kinds, tables: new Map(), isSteady: true as const, states };
    const past = createPast(log, moments, () => Promise.resolve());
    const asked = { project_id, position: log.status().position, question, known };
    return findSince({ past, moments }, asked, { key }, isLate === undefined ? {} : { isLate });
  };

  it('follows the way as often over a long row as over a short one, whatever happened on it since', async () => {
    const { commands, log } = lab;
    for (const length of [3, 12]) {
      const row = await rowOf(length);
      const { project_id, switches } = row;
      const link_id = row.links[2] ?? '';
      await commands.updateLink(CALLER, { project_id, link_id }, { suspend: true });
      const cut = log.status().position;
      await commands.actOnProject(CALLER, project_id, 'stop');
      await commands.actOnProject(CALLER, project_id, 'start');
      for (const [n, node_id] of switches.entries())
        await commands.updateNode(CALLER, { project_id, node_id }, { x: n, name: `Switch${n}` }, 'conflict');
      const { since, walks } = await search(row, `link_suspended:${link_id}`);
      assert.equal(since?.position, cut);
      assert.equal(walks, 2, `over ${length}`);
    }
  });

  it('does not follow it for what was made where a cable is missing', async () => {
    const { log } = lab;
    const walks = new Set<number>();
    for (const length of [4, 12]) {
      const row = await rowOf(length, length);
      const found = await search(row, `no_path:${row.ends[0]}`);
      assert.ok((found.since?.position ?? 0) < log.status().position);
      walks.add(found.walks);
    }
    assert.equal(walks.size, 1, [...walks].join());
  });

  it('is over when it has taken long enough, and says so', async () => {
    const row = await rowOf(3);
    const key = `node_stopped:${row.ends[0]}`;
    assert.deepEqual(await search(row, key, () => true), { since: null, isChange: false, isLate: true, walks: 0 });
    const { since, isLate, walks } = await search(row, key);
    assert.deepEqual([since?.type, isLate, walks], ['node.created', false, 0]);
  });

  it('can stop at every place of the way', async () => {
    const row = await rowOf(10);
    const { kinds, committed } = lab.context;
    const project = committed.get('project', row.project_id);
    assert.ok(project);
    const made = await labOf(committed, project, { kinds, tables: new Map() });
    const question = { from: row.ends[0], to: row.ends[1], address: null, size: 56, port: null };
    const walk = analyse(made, question);
    let steps = 0;
    while (walk.next().done !== true) steps += 1;
    assert.ok(steps >= 2 * row.links.length, `${steps} steps`);
  });
});
