import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { readSession } from '../../src/replay/read-session.ts';
import { createReplay } from '../../src/replay/replay.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { eventsIn, FAST, hostOf, makeProject, type Made, replayOf, sessionOf, wellKnown } from './lab.ts';

let server: TestServer;
before(async () => {
  server = await testServer(['--simulate']);
});
after(() => server.close());

const pc = (name: string, properties: object = {}) => ({ name, node_type: 'simple_pc', properties });
const ends = (a: unknown, b: unknown, port = 0) => [
  { node_id: a, adapter_number: 0, port_number: 0 },
  { node_id: b, adapter_number: 0, port_number: port },
];

/** Everything that can be asked of a lab but NIOs. */
const busyLab = async (name: string, properties: object = {}): Promise<Made> => {
  const lab = await makeProject(server, name);
  const { node_id: a } = await lab.post('/nodes', pc('PC{0}', properties));
  const { node_id: b } = await lab.post('/nodes', pc('PC{0}', properties));
  const { node_id: s } = await lab.post('/nodes', { name: 'Switch1', node_type: 'ethernet_switch', properties });
  const { link_id: l } = await lab.post('/links', { nodes: ends(a, s) });
  await lab.post('/nodes/start', {});
  await lab.put(`/links/${String(l)}`, { filters: { delay: [20, 5], packet_loss: [10] } });
  await lab.refused(400, 'PUT', `/links/${String(l)}`, { filters: { packet_loss: [120] } });
  await lab.post(`/links/${String(l)}/start_capture`, {});
  await lab.refused(409, 'POST', `/links/${String(l)}/start_capture`, {});
  await lab.put(`/nodes/${String(a)}`, { name: 'Alice', x: 10, y: -20, label: { text: 'x', x: 1, y: 2, rotation: 5 } });
  await lab.refused(409, 'POST', '/links', { nodes: ends(a, b) });
  await lab.post(`/nodes/${String(a)}/suspend`, {});
  await lab.post(`/nodes/${String(a)}/start`, {});
  await lab.post(`/nodes/${String(a)}/reload`, {});
  await lab.post(`/nodes/${String(b)}/stop`, {});
  const { drawing_id: d } = await lab.post('/drawings', { svg: '<svg/>', x: 1 });
  await lab.put(`/drawings/${String(d)}`, { locked: true });
  await lab.refused(409, 'DELETE', `/drawings/${String(d)}`);
  await lab.put(`/drawings/${String(d)}`, { locked: false });
  await lab.remove(`/drawings/${String(d)}`);
  const { node_id: c } = await lab.post(`/nodes/${String(b)}/duplicate`, { x: 5, y: 6 });
  await lab.post(`/links/${String(l)}/stop_capture`, {});
  await lab.remove(`/links/${String(l)}`);
  await lab.post('/links', { nodes: ends(b, c), suspend: true });
  await lab.post(`/nodes/${String(c)}/start`, {});
  await lab.remove(`/nodes/${String(c)}`);
  await lab.put('', { name: `${name}, renamed`, scene_width: 3000 });
  await lab.post('/close', {});
  await lab.refused(403, 'POST', '/nodes/start', {});
  await lab.post('/open', {});
  await lab.post('/nodes/reload', {});
  await lab.refused(404, 'DELETE', `/nodes/${String(c)}`);
  // Refusals are not waited for, but they are on record before what comes after them.
  await lab.post('/drawings', { svg: '<svg>the end</svg>' });
  return lab;
};

describe('a replay', () => {
  it('of a lab of embedded nodes has no differences, and leaves nothing behind', async () => {
    const lab = await busyLab('busy');
    const before_ = await server.request('GET', '/v2/projects');
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, []);
    assert.equal(report.steps, 33);
    assert.equal(report.performed, 33);
    assert.deepEqual((await server.request('GET', '/v2/projects')).body, before_.body);
    const directory = path.join(server.dataDir, 'projects', report.project_id);
    await assert.rejects(readFile(path.join(directory, 'project.gns3')), { code: 'ENOENT' });
  });

  it('of simulated nodes has none, nor has an embedded lab when it is simulated', async () => {
    const simulated = await busyLab('busy simulated', { engine: 'simulated' });
    assert.deepEqual((await replayOf(server, simulated.id)).differences, []);
    const embedded = await busyLab('busy embedded');
    const report = await replayOf(server, embedded.id, { engine: 'simulated', keep: true });
    assert.deepEqual(report.differences, []);
    const engines = (await eventsIn(server, report.project_id)).flatMap((f) =>
      f.type === 'node.started' ? [f.data.engine] : [],
    );
    assert.ok(engines.length > 5);
    assert.deepEqual([...new Set(engines)], ['simulated']);
  });

  it('done twice gives the same events but for times, ids and what belongs to the machine', async () => {
    const lab = await busyLab('twice');
    const reports = [await replayOf(server, lab.id, { keep: true }), await replayOf(server, lab.id, { keep: true })];
    const [first, second] = await Promise.all(
      reports.map(async (r) => wellKnown(await eventsIn(server, r.project_id), r.name)),
    );
    assert.ok((first?.length ?? 0) > 70);
    assert.deepEqual(first, second);
  });

  it('of NIOs and captures at ports uses ports of its own', async () => {
    const lab = await makeProject(server, 'nios');
    const { node_id: a } = await lab.post('/nodes', pc('A'));
    const { node_id: b } = await lab.post('/nodes', pc('B'));
    const at = (id: unknown, what: string): string =>
      `/v2/compute/projects/${lab.id}/simple_pc/nodes/${String(id)}/adapters/0/ports/0/${what}`;
    const lease = async (): Promise<unknown> => (await lab.post(`/v2/compute/projects/${lab.id}/ports/udp`)).udp_port;
    const [p, q] = [await lease(), await lease()];
    const nio = { type: 'nio_udp', lport: p, rhost: '127.0.0.1', rport: q };
    await lab.post(at(a, 'nio'), nio);
    await lab.post(at(b, 'nio'), { ...nio, lport: q, rport: p });
    await lab.refused(409, 'POST', at(b, 'nio'), nio);
    await lab.post('/nodes/start');
    await lab.put(at(a, 'nio'), { ...nio, filters: { delay: [5, 0] } });
    await lab.post(at(a, 'start_capture'), { capture_file_name: 'a.pcap' });
    await lab.post(at(a, 'stop_capture'));
    await lab.remove(at(b, 'nio'));
    const report = await replayOf(server, lab.id, { keep: true });
    assert.deepEqual(report.differences, []);
    assert.equal(report.performed, 10);
    const used = (await eventsIn(server, report.project_id)).flatMap((f) =>
      f.type === 'node.nio_added' ? [f.data.nio['lport'], f.data.nio['rport']] : [],
    );
    const [own, other] = used;
    assert.deepEqual(used, [own, other, other, own]);
    assert.ok(![p, q].includes(own) && ![p, q].includes(other));
  });

  it('of every kind of node has none', async () => {
    const document = (await server.request('GET', '/v2/openapi.json')).body as { paths: Record<string, unknown> };
    const kinds = Object.keys(document.paths).flatMap(
      (p) => /^\/v2\/compute\/projects\/\{project_id\}\/(\w+)\/nodes$/.exec(p)?.[1] ?? [],
    );
    assert.equal(kinds.length, 15);
    const needed: Record<string, object> = {
      container: { image: 'alpine' },
      router_emulator: { platform: 'c7200', image: 'c7200.bin', ram: 256 },
      switch_router_emulator: { path: 'l2.bin' },
      desktop_vm_a: { vmname: 'vm' },
      desktop_vm_b: { vmx_path: '/vms/vm.vmx' },
    };
    const lab = await makeProject(server, 'kinds');
    for (const node_type of kinds) {
      const properties = { engine: 'simulated', ...needed[node_type] };
      const { node_id } = await lab.post('/nodes', { name: `${node_type}-{0}`, node_type, properties });
      await lab.put(`/nodes/${String(node_id)}`, { symbol: ':/symbols/cloud.svg', locked: true, x: -5 });
    }
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.equal(report.performed, 30);
  });

  it('waits for what happens by itself, and misses what does not', async () => {
    const lab = await makeProject(server, 'exits');
    const brief = { engine: 'simulated', simulate: { exit_after_ms: 150 } };
    const { node_id: a } = await lab.post('/nodes', pc('A', brief));
    const stopped = async (): Promise<void> => {
      while ((await server.request('GET', `/v2/projects/${lab.id}/nodes/${String(a)}`)).text.includes('"started"'))
        await new Promise(setImmediate);
    };
    await lab.post(`/nodes/${String(a)}/start`);
    await stopped();
    await lab.post(`/nodes/${String(a)}/start`);
    await stopped();
    assert.deepEqual((await replayOf(server, lab.id)).differences, []);
    const session = await sessionOf(server, lab.id);
    const lasting = session.events.map((f) =>
      f.type === 'node.created' ? { ...f, data: { ...f.data, properties: { engine: 'simulated' } } } : f,
    );
    const replay = createReplay(hostOf(server), { ...session, events: lasting }, { ...FAST, patienceMs: 200 });
    const report = await replay.run(new AbortController().signal, () => undefined);
    assert.deepEqual(report.differences.map((d) => [d.step, d.what]).slice(-2), [
      [null, 'node.exited A'],
      [null, 'node.exited A'],
    ]);
  });

  it('has the files that the nodes had', async () => {
    const lab = await makeProject(server, 'files');
    await lab.post('/nodes', pc('A', { startup_script: 'set pcname fileless\n' }));
    const report = await replayOf(server, lab.id, { keep: true });
    assert.deepEqual(report.differences, []);
    const [node] = (await server.request('GET', `/v2/projects/${report.project_id}/nodes`)).body as {
      node_directory: string;
    }[];
    assert.equal(await readFile(path.join(node?.node_directory ?? '', 'startup.vpc'), 'utf8'), 'set pcname fileless\n');
  });

  it('starts by itself what started by itself', async () => {
    const lab = await makeProject(server, 'auto', { auto_start: true });
    const finished = async (count: number): Promise<void> => {
      const done = async () =>
        (await eventsIn(server, lab.id)).filter((f) => f.type === 'project.nodes_finished').length;
      while ((await done()) < count) await new Promise(setImmediate);
    };
    await finished(1);
    await lab.post('/nodes', pc('A'));
    await lab.post('/nodes', { name: 'S', node_type: 'ethernet_hub' });
    await lab.post('/close');
    await lab.post('/open');
    await finished(2);
    await lab.post('/close');
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.equal(report.performed, 6);
  });
});

describe('a part of a recording', () => {
  let lab: Made;
  let events: AnyEvent[];
  const where = (type: AnyEvent['type'], n = 0): number => events.filter((f) => f.type === type)[n]?.position ?? 0;
  before(async () => {
    lab = await busyLab('part');
    events = await eventsIn(server, lab.id);
  });

  it('begins with the lab as it was, running and captured', async () => {
    const from = where('node.suspend_requested');
    const report = await replayOf(server, lab.id, { from, keep: true });
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, []);
    const [first] = (await eventsIn(server, report.project_id)).filter((f) => f.type === 'capture.start_requested');
    assert.ok(first !== undefined);
    assert.ok(report.steps < 30);
  });

  it('that begins with a closed lab is closed', async () => {
    const report = await replayOf(server, lab.id, { from: where('project.closed') + 1 });
    assert.deepEqual(report.differences, []);
    assert.equal(report.steps, 5);
  });

  it('ends where it is told to', async () => {
    const report = await replayOf(server, lab.id, { to: where('node.start_requested', 2) });
    assert.deepEqual(report.differences, []);
    assert.equal(report.steps, 5);
  });

  it('from every position on has no differences', async () => {
    for (let i = 8; i < events.length; i += 9) {
      const from = events[i]?.position ?? 0;
      const report = await replayOf(server, lab.id, { from });
      assert.deepEqual([from, report.differences, report.notes], [from, [], []]);
    }
  });

  it('without any project is refused', async () => {
    const session = await sessionOf(server, lab.id);
    assert.throws(() => createReplay(hostOf(server), { ...session, events: session.events.slice(5) }, FAST), {
      code: 'invalid_request',
    });
  });
});

describe('a replay that is cancelled', () => {
  it('ends after the step that is being done, and takes its project away', async () => {
    const lab = await busyLab('cancelled');
    const abort = new AbortController();
    const replay = createReplay(hostOf(server), await sessionOf(server, lab.id), FAST);
    const report = await replay.run(abort.signal, ({ step }) => {
      if (step === 4) abort.abort();
    });
    assert.deepEqual([report.state, report.performed, report.differences], ['cancelled', 3, []]);
    assert.equal((await server.request('GET', `/v2/projects/${report.project_id}`)).status, 404);
  });

  it('does not wait for a gap to pass', async () => {
    const lab = await makeProject(server, 'gap');
    await lab.post('/drawings', {});
    await lab.post('/drawings', {});
    const session = await sessionOf(server, lab.id);
    const last = session.events.findLast((f) => f.type === 'drawing.created');
    const year = new Date(Date.now() + 365 * 86_400_000).toISOString();
    const events = session.events.map((f) => (f === last ? { ...f, at: year } : f));
    const abort = new AbortController();
    const replay = createReplay(hostOf(server), { ...session, events }, { ...FAST, speed: 1 });
    const report = await replay.run(abort.signal, ({ step, left_ms }) => {
      if (step !== 2) return;
      assert.ok((left_ms ?? 0) > 360 * 86_400_000);
      setImmediate(() => abort.abort());
    });
    assert.deepEqual([report.state, report.performed], ['cancelled', 1]);
  });
});

describe('a session from elsewhere', () => {
  it('touches nothing but the replay’s own project', async () => {
    const victim = await makeProject(server, 'victim');
    const lab = await makeProject(server, 'attacker');
    await lab.refused(400, 'POST', '/nodes', { name: 'x' });
    const { node_id } = await lab.post('/nodes', pc('A'));
    const session = await sessionOf(server, lab.id);
    for (const target of [`/v2/projects/${victim.id}`, `/v2/projects/${lab.id}/../${victim.id}`, '/v2/shutdown']) {
      const events = session.events.map((f): AnyEvent =>
        f.type === 'request.refused' ? { ...f, data: { ...f.data, method: 'DELETE', path: target, body: null } } : f,
      );
      const replay = createReplay(hostOf(server), { ...session, events }, FAST);
      const report = await replay.run(new AbortController().signal, () => undefined);
      assert.equal(report.performed, 1);
      assert.match(report.notes.join(), /it is no path of its project/);
    }
    const text = JSON.stringify(session.events);
    const events = JSON.parse(text.replaceAll(String(node_id), `../../${victim.id}`)) as AnyEvent[];
    events.push({
      ...events.at(-1),
      type: 'node.deleted',
      data: { node_id: `../../${victim.id}`, project_id: lab.id },
    } as AnyEvent);
    const replay = createReplay(hostOf(server), { ...session, events }, FAST);
    await assert.rejects(
      replay.run(new AbortController().signal, () => undefined),
      /not in its own project/,
    );
    assert.equal((await server.request('GET', `/v2/projects/${victim.id}`)).status, 200);
  });

  it('writes no file outside the replay’s directory', async () => {
    const lab = await makeProject(server, 'files outside');
    const { node_id } = await lab.post('/nodes', pc('A'));
    const session = await sessionOf(server, lab.id);
    const outside = path.join(server.dataDir, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'kept'), 'as it was');
    const file = { node_id: String(node_id), bytes: 1, sha256: '', content: 'changed' };
    const files = ['../../../../../../outside/kept', '../../../../outside/kept', `${outside}/kept`].map((p) => ({
      ...file,
      path: p,
    }));
    const replay = createReplay(hostOf(server), { ...session, files }, FAST);
    await replay.run(new AbortController().signal, () => undefined);
    assert.equal(await readFile(path.join(outside, 'kept'), 'utf8'), 'as it was');
  });
});

describe('a session that another version recorded', () => {
  it('is replayed from the records it begins with', async () => {
    const text = await readFile('test/replay/recorded-v0.1.session.ndjson', 'utf8');
    // What a machine has installed must not matter.
    const replay = createReplay(hostOf(server), await readSession(text), { ...FAST, engine: 'simulated' });
    const report = await replay.run(new AbortController().signal, () => undefined);
    assert.deepEqual(report.differences, []);
    assert.ok(report.performed > 20);
  });
});

describe('a server that loads no files', () => {
  it('gets the lab by requests', async () => {
    const lab = await busyLab('remote');
    const session = await sessionOf(server, lab.id);
    const remote = await testServer(['--no-local']);
    try {
      const from = session.events.find((f) => f.type === 'node.suspend_requested')?.position ?? 0;
      const replay = createReplay(hostOf(remote), session, { ...FAST, from });
      const report = await replay.run(new AbortController().signal, () => undefined);
      assert.deepEqual([report.state, report.differences, report.notes], ['done', [], []]);
    } finally {
      await remote.close();
    }
  });
});
