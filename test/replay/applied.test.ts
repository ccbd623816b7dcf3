import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';
import { eventsIn, replayOf } from './lab.ts';

const TEXT = `lab: applied
version: 1
nodes:
  SW: { kind: ethernet_switch }
  PC1: { kind: simple_pc, address: 10.0.0.1/24 }
  PC2: { kind: simple_pc, address: 10.0.0.2/24 }
links:
  - [PC1:0, SW:0]
  - [PC2:0, SW:1]
weather:
  - { name: rain, at: 1h, for: 1s, links: [[PC1:0, SW:0]], filters: { delay: [20] } }
checks:
  - PC1 reaches PC2 within 20s
  - { name: late, reach: { from: PC1, to: 10.0.0.9 }, within: 1500ms }
`;

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

describe('a replay of a lab whose text was applied', () => {
  it('makes what the text says, waits for its checks, and nothing differs', async () => {
    const { body } = await server.request('POST', '/v2/labs/apply', { text: TEXT, format: 'yaml', start: true });
    const { project_id: id } = body as { project_id: string };
    const verdicts = async (project: string): Promise<string[]> =>
      (await eventsIn(server, project)).map(({ type }) => type).filter((type) => type.startsWith('check.'));
    const end = Date.now() + 30_000;
    while ((await verdicts(id)).length < 2 && Date.now() < end) await eventsIn(server, id);
    assert.deepEqual((await verdicts(id)).toSorted(), ['check.broken', 'check.met']);
    // In the time of the recording, and in less of it, with all the time that checks may take behind the last step.
    for (const more of [{ speed: 1 }, { speed: null, patienceMs: 600_000 }]) {
      const report = await replayOf(server, id, { keep: true, ...more });
      assert.deepEqual(report.differences, []);
      assert.deepEqual(report.notes, []);
      assert.deepEqual((await verdicts(report.project_id)).toSorted(), ['check.broken', 'check.met']);
    }
  });

  it('is held to no verdict that came before a later step, where it is faster than the recording', async () => {
    const named = TEXT.replace('lab: applied', 'lab: renamed');
    const text = named.replace(/checks:[^]*/, 'checks:\n  - { reach: { from: PC1, to: PC2 }, first: 3s }\n');
    const { body } = await server.request('POST', '/v2/labs/apply', { text, format: 'yaml', start: true });
    const { project_id: id } = body as { project_id: string };
    let events = await eventsIn(server, id);
    while (!events.some(({ type }) => type === 'check.met')) events = await eventsIn(server, id);
    const nodes = (await server.request('GET', `/v2/projects/${id}/nodes`)).body as { node_id: string; name: string }[];
    const { node_id = '' } = nodes.find(({ name }) => name === 'PC2') ?? {};
    assert.equal((await server.request('PUT', `/v2/projects/${id}/nodes/${node_id}`, { name: 'Zwei' })).status, 200);
    const report = await replayOf(server, id, { patienceMs: 600_000 });
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, [
      'faster than the recording: of checks only what each said soon after the last step is compared',
    ]);
  });
});
