import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { withResolvers } from '../../src/common/promises.ts';
import { Computes } from '../../src/computes/computes.ts';
import { ComputeSecrets } from '../../src/computes/passwords.ts';
import { REMOTE } from '../../src/computes/nodes/remote-engine.ts';
import type { EngineFactory, Exit, Kind, KindNode } from '../../src/emulators/kit/contract.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import type { ComputeRecord } from '../../src/projections/records.ts';
import { portBlock } from '../support/port-block.ts';
import { request, spawnServer } from '../support/server.ts';
import { engineContract } from './engine-contract.ts';
import { GIVEN } from './given.ts';

// The second Topolog is a process of its own.
const directory = mkdtempSync(path.join(tmpdir(), 'topolog-remote-'));
const consoles = await portBlock();
const far = await spawnServer(path.join(directory, 'far'), ['--console-ports', consoles.join('-')]);
const secrets = await ComputeSecrets.read(directory);
await secrets.keep('far', null);
after(async () => {
  current?.close();
  await far.kill('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

const RECORD = {
  ...{ compute_id: 'far', name: 'far', protocol: 'http', host: '127.0.0.1', port: Number(new URL(far.url).port) },
  user: null,
} as ComputeRecord;

let epoch = 0;
let current: Computes | null = null;
let connected = Promise.resolve();

/** As a controller that has just been started: one at a time. */
const newController = (exited: (exit: Exit) => void): Computes => {
  current?.close();
  const { promise, resolve, reject } = withResolvers();
  connected = promise;
  const computes = new Computes({
    ...{ secrets, epoch: ++epoch, local: true, silenceMs: 5_000 },
    deliveries: {
      images: { filesDir: directory },
      project: () => ({ name: 'lab', variables: null }),
      begin: () => ({ add: () => undefined, end: () => undefined }),
    },
  });
  computes.listen({
    connected: () => Promise.resolve(resolve()),
    lost: (_, reason) => reject(new Error(reason)),
    logMessage: () => undefined,
    exited,
    restarting: () => undefined,
    loadChanged: () => undefined,
  });
  computes.put(RECORD);
  return (current = computes);
};

const factoryOf = (kind: Kind): EngineFactory => ({
  name: REMOTE,
  create() {
    const engine = newController(() => undefined).engine(kind, 'far');
    assert.ok(engine);
    return engine;
  },
});

interface There {
  status: string;
  console: number | null;
}

const lookFor = async (kind: Kind, { project_id, node_id }: KindNode): Promise<There | null> => {
  const path_ = `/v2/compute/projects/${project_id}/${kind.name}/nodes/${node_id}`;
  const { status, body } = await request(far.url, 'GET', path_);
  return status === 200 ? (body as There) : null;
};

/** The run of a node there, by the position of the event that began it; nothing where it does not run. */
const runOf = async (kind: Kind, node: KindNode): Promise<string[]> => {
  if (((await lookFor(kind, node))?.status ?? 'stopped') === 'stopped') return [];
  const { body } = await request(far.url, 'GET', `/v2/projects/${node.project_id}/events?type=node.started&limit=1000`);
  const { events } = body as { events: { position: number; data: { node_id: string } }[] };
  const last = events.findLast(({ data }) => data.node_id === node.node_id);
  return [`started at ${last?.position}`];
};

for (const kind of createKinds().all()) {
  if (!kind.engines.some(({ name }) => name === 'embedded')) continue;
  const { console_types } = kind.capabilities;
  engineContract(`remote of ${kind.name}`, {
    ...{ kind, factory: factoryOf(kind), given: GIVEN[kind.name] ?? {}, consoles },
    ready: () => connected,
    outside: (node) => runOf(kind, node),
    ...(console_types[0] === 'telnet'
      ? {
          dies: {
            async how(node) {
              const socket = connect((await lookFor(kind, node))?.console ?? 0, '127.0.0.1');
              socket.on('error', () => undefined).resume();
              socket.end('quit\r\n');
            },
          },
        }
      : {}),
  });
}
