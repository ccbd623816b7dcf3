import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';
import { eventsIn, makeProject, replayOf } from './lab.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
before(async () => {
  server = await testServer(['--simulate']);
});
after(() => server.close());

describe('a replay of a lab with weather', () => {
  it('does the steps of the recording, whatever time they took, and nothing differs', async () => {
    const lab = await makeProject(server, 'stormy');
    const ends = [];
    for (const name of ['PC1', 'PC2']) {
      const { node_id } = await lab.post('/nodes', { name, node_type: 'simple_pc' });
      ends.push({ node_id, adapter_number: 0, port_number: 0 });
    }
    await lab.post('/links', { nodes: ends, filters: { delay: [1] } });
    await lab.post('/nodes/start', {});
    await lab.put('/weather', {
      entries: [
        { name: 'storm', at: '50ms', for: '100ms', links: [['PC1', 'PC2']], filters: { packet_loss: [20] } },
        { at: '100ms', for: '100ms', crash: ['PC2'] },
        { at: '2h', for: '1s', suspend: true },
      ],
    });
    await lab.post('/weather/start', { seed: 4 });
    const isBack = async (): Promise<boolean> => {
      const events = await eventsIn(server, lab.id);
      const exited = events.findIndex(({ type }) => type === 'node.exited');
      return exited >= 0 && events.slice(exited).some(({ type }) => type === 'node.started');
    };
    await waitFor('it is back', isBack);
    await lab.post('/weather/pause', {});
    await lab.post('/weather/skip', {});
    await lab.post('/weather/end', {});
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, []);
    assert.equal(report.performed, report.steps);
  });
});
