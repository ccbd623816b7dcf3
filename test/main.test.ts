import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Emitter } from '../src/common/emitter.ts';
import { readConfig } from '../src/server/config.ts';
import type { FabricKeeper } from '../src/fabric/client/keeper.ts';
import type { FabricEvent, Op } from '../src/fabric/protocol.ts';
import { startServer } from '../src/main.ts';
import { clientOf, fabricInProcess } from './actors/test-lab.ts';
import { loggerTo } from './support/logger.ts';
import { ownPlaces, request } from './support/server.ts';
import { tempDir } from './support/temp.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const NODE = '00000000-0000-4000-8000-000000000002';
const EVENTS = `/v2/projects/${PROJECT}/events`;

/** A fabric in this process that tells something when it is asked for the first time what is in it. */
const telling = (event: FabricEvent | null): FabricKeeper => {
  const real = fabricInProcess();
  const client = clientOf(real);
  const emitter = new Emitter<{ event: [FabricEvent] }>();
  let left = event;
  const asked = (op: Op['op']): void => {
    if (op !== 'inventory' || left === null) return;
    emitter.emit('event', left);
    left = null;
  };
  return {
    ...client,
    one: (op) => {
      asked(op.op);
      return client.one(op);
    },
    inventory: () => {
      asked('inventory');
      return client.inventory();
    },
    onEvent: emitter.subscriber('event'),
    adopted: false,
    pid: () => process.pid,
    health: () => ({ state: 'ok', pid: process.pid, answered_ms: 0, sockets: 'none' }),
    onReplaced: () => undefined,
    rebuildBy: () => undefined,
    end: () => real.close(),
  };
};

it('a server hears what happens in its fabric while it brings its projects back', async (t) => {
  const dir = await tempDir();
  t.after(dir.remove);
  const config = readConfig(await ownPlaces(dir.path), {});
  assert.ok(config !== null);
  const first = await startServer(config, loggerTo(), { fabric: telling(null) });
  const hub = { name: 'H', node_type: 'ethernet_hub', compute_id: 'local', node_id: NODE };
  const made = [
    await request(first.url, 'POST', '/v2/projects', { name: 'lab', project_id: PROJECT }),
    await request(first.url, 'POST', `/v2/projects/${PROJECT}/nodes`, hub),
  ];
  await first.close('end of the first');
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201],
  );

  const place = { node_id: NODE, project_id: PROJECT };
  const event: FabricEvent = { type: 'trace.finished', ...place, destination: '10.0.0.1', reached: true, hops: [] };
  const second = await startServer(config, loggerTo(), { fabric: telling(event) });
  t.after(() => second.close('end of test'));
  const { text } = await request(second.url, 'GET', EVENTS);
  assert.match(text, /"node\.trace_finished"/);
});
