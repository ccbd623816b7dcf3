import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import { barLine, duration } from '../../src/cli/replay/replay.ts';
import type { ReplayReport } from '../../src/replay/replay.ts';
import { openConsole } from '../support/console.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { makeProject, type Made } from './lab.ts';

const PROGRAM = programFile('cli/topolog');

interface Ran {
  code: number | null;
  out: string;
  err: string;
}
const run = async (program: string, args: string[], env: Record<string, string> = {}): Promise<Ran> => {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  [ran.code] = (await once(child, 'close')) as [number | null];
  return ran;
};

let server: TestServer;
let lab: Made;
let dir: Awaited<ReturnType<typeof tempDir>>;
before(async () => {
  dir = await tempDir();
  server = await testServer();
  lab = await makeProject(server, 'recorded lab', { scene_width: 900 });
  const { node_id } = await lab.post('/nodes', { name: 'A', node_type: 'simple_pc' });
  await lab.post(`/nodes/${String(node_id)}/start`);
  await lab.refused(409, 'POST', `/nodes/${String(node_id)}/duplicate`, { x: 1, y: 1 });
  await lab.put(`/nodes/${String(node_id)}`, { x: 7 });
});
after(async () => {
  await server.close();
  await dir.remove();
});
const at = (...args: string[]): string[] => ['replay', ...args, '--data-dir', server.dataDir];
const session = async (): Promise<string> => {
  const file = path.join(dir.path, 'session.ndjson');
  await writeFile(file, (await server.request('GET', `/v2/projects/${lab.id}/session`)).text);
  return file;
};

describe('topolog replay', () => {
  it('of a project by its name, in the server that runs, prints each step and no differences', async () => {
    const { code, out, err } = await run(PROGRAM, at('recorded lab', '--as-fast'));
    assert.equal(code, 0, out + err);
    assert.match(out, /^replayed 4 of 4 steps: no differences\n$/);
    assert.match(err, /^1\/4 POST nodes$/m);
    assert.match(err, /^2\/4 POST nodes\/A\/start$/m);
    assert.equal(((await server.request('GET', '/v2/projects')).body as unknown[]).length, 1);
  });

  it('of a session file, without a running server, uses one of its own', async () => {
    const file = await session();
    const { code, out, err } = await run(PROGRAM, [
      'replay',
      file,
      '--speed',
      '20',
      '--data-dir',
      path.join(dir.path, 'none'),
    ]);
    assert.equal(code, 0, out + err);
    assert.match(out, /replayed 4 of 4 steps: no differences/);
  });

  it('prints a report as JSON, keeps its project where asked to, and exits with 1 for differences', async () => {
    const file = await session();
    const simulated = await run(PROGRAM, at(file, '--as-fast', '--engine', 'simulated', '--json', '--keep'));
    assert.equal(simulated.code, 0, simulated.out + simulated.err);
    const report = JSON.parse(simulated.out) as ReplayReport;
    assert.deepEqual([report.differences, report.kept, report.performed], [[], true, 4]);
    const kept = await server.request('GET', `/v2/projects/${report.project_id}`);
    assert.equal(kept.status, 200);
    assert.equal((await server.request('DELETE', `/v2/projects/${report.project_id}`)).status, 204);

    // Nothing here runs this kind of node: the recorded start was refused, a simulated one is not.
    const other = await makeProject(server, 'odd');
    const vm = { name: 'B', node_type: 'desktop_vm_b', properties: { vmx_path: '/nowhere/vm.vmx' } };
    const { node_id } = await other.post('/nodes', vm);
    await other.refused(409, 'POST', `/nodes/${String(node_id)}/start`);
    await other.put(`/nodes/${String(node_id)}`, { x: 1 });
    const same = await run(PROGRAM, at(other.id, '--as-fast'));
    assert.equal(same.code, 0, same.out + same.err);
    const differs = await run(PROGRAM, at(other.id, '--as-fast', '--engine', 'simulated'));
    assert.equal(differs.code, 1, differs.out + differs.err);
    assert.match(differs.out, /^step 2, POST nodes\/B\/start: outcome\n {2}recorded: 409 .*\n {2}now: {6}done$/m);
    assert.match(differs.out, /^step 2, POST nodes\/B\/start: node\.started B\n {2}recorded: nothing$/m);
    assert.match(differs.out, /replayed 3 of 3 steps: \d+ differences/);
  });

  it('types again what was typed at recorded consoles', async () => {
    const recorded = await makeProject(server, 'typed', { record_consoles: true });
    const { node_id } = await recorded.post('/nodes', { name: 'A', node_type: 'simple_pc' });
    const { console: port } = await recorded.post(`/nodes/${String(node_id)}/start`);
    const console = await openConsole(Number(port));
    await console.until(/PC1>|VPCS>|A>/);
    await console.type('set pcname TYPED', /TYPED>/);
    console.close();
    await recorded.post(`/nodes/${String(node_id)}/stop`);
    const { code, out, err } = await run(PROGRAM, at('typed', '--speed', '2', '--consoles', '--keep', '--json'));
    assert.equal(code, 0, out + err);
    const { project_id } = JSON.parse(out) as ReplayReport;
    const [node] = (await server.request('GET', `/v2/projects/${project_id}/nodes`)).body as { node_id: string }[];
    const files = `/v2/projects/${project_id}/nodes/${node?.node_id ?? ''}/recordings`;
    const [file] = (await server.request('GET', files)).body as { name: string }[];
    const cast = (await server.request('GET', `${files}/${file?.name ?? ''}`)).text;
    assert.match(cast, /"i", ".*set pcname TYPED|TYPED>/);
  });

  it('does not replay a file that is not whole', async () => {
    const file = await session();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"x":7', '"x":8'));
    const { code, err } = await run(PROGRAM, at(file));
    assert.equal(code, 1);
    assert.match(err, /is not whole, line \d+/);
  });

  it('exits with 2 for wrong flags', async () => {
    for (const wrong of [
      [],
      ['x', 'y'],
      ['x', '--speed', 'fast'],
      ['x', '--engine', 'y'],
      ['x', '--speed', '2', '--as-fast'],
      ['x', '--from', 'a'],
    ])
      assert.equal((await run(PROGRAM, at(...wrong))).code, 2, wrong.join(' '));
    const nowhere = ['replay', await session(), '--keep', '--data-dir', path.join(dir.path, 'none')];
    assert.equal((await run(PROGRAM, nowhere)).code, 2);
  });
});

describe('examples/session.mjs', () => {
  it('records, exports, verifies and replays a session without differences', async () => {
    const { code, out, err } = await run(path.resolve('examples/session.mjs'), [], { TOPOLOG_PROGRAM: PROGRAM });
    assert.equal(code, 0, out + err);
    assert.match(out, /84 bytes from 10\.0\.0\.2 icmp_seq=3/);
    assert.match(out, /is whole/);
    assert.match(out, /replayed 4 of 4 steps: no differences/);
  });
});

describe('the progress bar', () => {
  it('shows how far it is, what is done and how long it takes', () => {
    assert.equal(
      barLine({ step: 1, of: 4, current: 'POST nodes', left_ms: null }, 80),
      '[------------------------] 1/4  POST nodes',
    );
    assert.equal(
      barLine({ step: 3, of: 4, current: 'POST nodes', left_ms: 65_000 }, 80),
      '[############------------] 3/4  1:05 left  POST nodes',
    );
    assert.equal(barLine({ step: 3, of: 4, current: 'x'.repeat(100), left_ms: null }, 60).length, 59);
  });
  it('writes times as people do', () => {
    assert.deepEqual([0, 59_400, 60_000, 3_661_000].map(duration), ['0:00', '0:59', '1:00', '1:01:01']);
  });
});
