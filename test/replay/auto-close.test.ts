import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { makeProject, replayOf, sessionOf } from './lab.ts';

let server: TestServer;
before(async () => {
  server = await testServer(['--simulate', '--auto-close-grace', '0']);
});
after(() => server.close());

describe('a replay of a lab that closed by itself', () => {
  it('closes it at that place, so that nothing after it differs', async () => {
    const lab = await makeProject(server, 'closing', { auto_close: true });
    const { node_id } = await lab.post('/nodes', { name: 'PC1', node_type: 'simple_pc' });
    await lab.post('/nodes/start', {});
    const controller = await listen(server.url, '/v2/notifications/ws');
    const listener = await listen(server.url, `/v2/projects/${lab.id}/notifications/ws`);
    await listener.next('ping');
    await listener.close();
    await controller.next('project.closed');
    await lab.refused(403, 'POST', '/nodes/start', {});
    await lab.post('/open', {});
    await lab.post(`/nodes/${String(node_id)}/start`, {});
    await controller.close();
    const types = (await sessionOf(server, lab.id)).events.map(({ type }) => type);
    assert.ok(types.includes('project.unattended'));
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, []);
    assert.equal(report.performed, report.steps);
  });
});
