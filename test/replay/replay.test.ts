import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';
import { makeProject, type Made, replayOf } from './lab.ts';

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

const pc = (name: string, properties: object = {}) => ({ name, node_type: 'simple_pc', properties });
const ends = (a: unknown, b: unknown) => [
  { node_id: a, adapter_number: 0, port_number: 0 },
  { node_id: b, adapter_number: 0, port_number: 0 },
];

/** Every kind of step there is. */
const busyLab = async (name: string): Promise<Made> => {
  const lab = await makeProject(server, name);
  const { node_id: a } = await lab.post('/nodes', pc('PC{0}', {}));
  const { node_id: b } = await lab.post('/nodes', pc('PC{0}'));
  const { node_id: s } = await lab.post('/nodes', { name: 'Switch1', node_type: 'ethernet_switch' });
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
  return lab;
};

describe('a replay', () => {
  it('of a lab of embedded nodes has no differences', async () => {
    const lab = await busyLab('busy');
    const report = await replayOf(server, lab.id);
    assert.deepEqual(report.differences, []);
    assert.deepEqual(report.notes, []);
    assert.equal(report.performed, report.steps);
    console.log(report);
  });
});
