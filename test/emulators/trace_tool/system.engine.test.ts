import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';

const START = 'POST /v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/start';
const HISTORY = 'GET /v2/projects/{project_id}/nodes/{node_id}/history';
const GET = 'GET /v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}';
const skip = (await which('traceroute')) === null ? 'traceroute is not installed' : false;

describe('a trace from the host', { skip }, () => {
  let api: Api;
  let project_id = '';
  before(async () => {
    api = await startApi(['--engine', 'trace_tool=system']);
    project_id = await api.project();
  });
  after(() => api.close());

  it('is on record with its hops, and the node stays started until it is stopped', async () => {
    const record = await api.node(project_id, 'trace_tool');
    const at = { project_id, node_id: id(record) };
    const started = await api.get(200, START, at, { destination: '127.0.0.1' });
    assert.match(String(started['command_line']), /traceroute -n -q 1 -w 1 127\.0\.0\.1$/);
    let trace: Bag | undefined;
    while (trace === undefined) {
      const { events } = await api.get(200, HISTORY, at);
      trace = (events as Bag[]).find(({ type }) => type === 'node.trace_finished')?.['data'] as Bag | undefined;
    }
    assert.deepEqual([trace['destination'], trace['reached']], ['127.0.0.1', true]);
    assert.equal((trace['hops'] as Bag[])[0]?.['address'], '127.0.0.1');
    assert.equal((await api.get(200, GET, at))['status'], 'started');
    const log = await readFile(path.join(String(record['node_directory']), 'trace.log'), 'utf8');
    assert.match(log, /^traceroute to 127\.0\.0\.1/);
    await api.get(204, START.replace(/start$/, 'stop'), at);
    assert.equal((await api.get(200, GET, at))['status'], 'stopped');
  });

  it('is refused for what is no address, and says what traceroute says of a name that it does not know', async () => {
    const at = { project_id, node_id: id(await api.node(project_id, 'trace_tool')) };
    assert.match(String((await api.get(409, START, at, { destination: '--help' }))['message']), /not an IP address/);
    const unknown = await api.get(409, START, at, { destination: 'nosuch.invalid' });
    assert.match(String(unknown['message']), /traceroute ended \(code 2\).*nosuch\.invalid/s);
    assert.equal((await api.get(200, GET, at))['status'], 'stopped');
  });
});
