import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { cloud } from '../../src/emulators/cloud/kind.ts';
import { PortHelpers } from '../../src/emulators/cloud/port-helpers.ts';
import { engineLacks } from '../../src/emulators/cloud/requirements.ts';
import { namespaceOf } from '../../src/emulators/container/adapters.ts';
import { LABELS } from '../../src/emulators/container/containers.ts';
import { openService } from '../../src/emulators/container/service.ts';
import { makeNetwork, namesOf, removeNetwork } from '../../src/emulators/nat/kernel-network.ts';
import { interfaceExists } from '../../src/emulators/shared/host/interfaces.ts';
import { ip, ownNamespaces } from '../../src/emulators/shared/network/ip.ts';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { endProcesses, processesOf } from '../../src/processes/end.ts';
import { markEnvironment, markOf } from '../../src/processes/marker.ts';
import { nodeOf } from '../emulators/sample.ts';
import { NAT_PROGRAMS, natNetworkOf } from '../support/nat-network.ts';
import { type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

const skip = (await networkLacks(NAT_PROGRAMS, 'this test', 'leave it out'))?.needs ?? false;

interface Left {
  mark: string;
  node: { node_id: string; project_id: string };
  process: ChildProcess;
}

/** What servers of a data directory leave when they are killed while nodes stop: a NAT's network, adapters of a container, a process. */
const leave = async (t: TestContext, dataDir: string, subnet: string): Promise<Left> => {
  await mkdir(dataDir, { recursive: true });
  const mark = await markOf(dataDir);
  const node = { node_id: randomUUID(), project_id: randomUUID() };
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    env: { ...process.env, ...markEnvironment(node, mark) },
    detached: true,
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  t.after(() => child.kill('SIGKILL'));
  t.after(() => removeNetwork(namesOf(node, mark)));
  await makeNetwork(namesOf(node, mark), subnet);
  await ip(['netns', 'add', namespaceOf(node, mark)]);
  t.after(() => ip(['netns', 'delete', namespaceOf(node, mark)]).catch(() => undefined));
  return { mark, node, process: child };
};

const networksOf = async ({ mark, node }: Left): Promise<number> =>
  (await natNetworkOf(node, mark)).length + (await ownNamespaces('container', mark)).length;

const runs = ({ process: child }: Left): boolean => child.exitCode === null && child.signalCode === null;

const both = async (t: TestContext): Promise<{ dataDir: string; mine: Left; others: Left }> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const dataDir = path.join(dir.path, 'mine');
  const mine = await leave(t, dataDir, '192.168.251.0');
  return { dataDir, mine, others: await leave(t, path.join(dir.path, 'others'), '192.168.252.0') };
};

describe('what a server that was killed has left outside', { skip }, () => {
  it('is ended and taken away by the next one, and nothing of another data directory', async (t) => {
    const { dataDir, mine, others } = await both(t);
    const ended = once(mine.process, 'exit');
    const server = await spawnServer(dataDir);
    try {
      await ended;
      assert.equal(await networksOf(mine), 0);
      assert.match(server.output(), /left over, taken away: network of a NAT/);
      assert.match(server.output(), /left over, taken away: adapters of a container/);
    } finally {
      await server.kill('SIGTERM');
    }
    assert.equal(await networksOf(others), 4);
    assert.ok(runs(others));
  });

  it('is listed by the doctor, and taken away when that is asked for', async (t) => {
    const { dataDir, mine, others } = await both(t);
    const listed = await topolog('doctor', '--data-dir', dataDir);
    assert.equal(listed.code, 1);
    assert.match(listed.stdout, /left over +network of a NAT, namespace topolog-nat-/);
    assert.match(listed.stdout, /left over +adapters of a container, namespace topolog-container-/);
    assert.equal(await networksOf(mine), 4);
    assert.ok(runs(mine));
    const cleaned = await topolog('doctor', '--clean', '--data-dir', dataDir);
    assert.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr);
    assert.match(cleaned.stdout, /taken away +network of a NAT/);
    assert.equal(await networksOf(mine), 0);
    assert.equal(await networksOf(others), 4);
    assert.ok(runs(others));
  });
});

describe(
  'ports of clouds that a server that was killed has left',
  { skip: (await engineLacks('tap'))?.needs ?? false },
  () => {
    let made = 0;
    const leaveTap = async (t: TestContext, dataDir: string): Promise<string> => {
      await mkdir(dataDir, { recursive: true });
      const mark = await markOf(dataDir);
      const name = `tleft${process.pid % 100_000}x${(made += 1)}`;
      const ports_mapping = [{ name: 'out', port_number: 0, type: 'tap', interface: name }];
      const node = nodeOf(cloud, { ports_mapping }, { node_id: randomUUID(), project_id: randomUUID() });
      const helpers = new PortHelpers({ dataDir, mark });
      t.after(async () => endProcesses(await processesOf(node.node_id, mark)));
      await helpers.put(node, t.signal);
      helpers.close();
      return name;
    };

    for (const [who, takeAway] of [
      ['the next one', async (dataDir: string) => (await spawnServer(dataDir)).kill('SIGTERM')],
      ['the doctor', (dataDir: string) => topolog('doctor', '--clean', '--data-dir', dataDir)],
    ] as const)
      it(`are taken away by ${who}, and none of another data directory`, async (t) => {
        const dir = await tempDir();
        t.after(dir.remove);
        const mine = await leaveTap(t, path.join(dir.path, 'mine'));
        const others = await leaveTap(t, path.join(dir.path, 'others'));
        assert.ok(await interfaceExists(mine));
        await takeAway(path.join(dir.path, 'mine'));
        assert.ok(!(await interfaceExists(mine)));
        assert.ok(await interfaceExists(others));
      });
  },
);

describe('containers that a server that was killed has left', { skip: (await podmanLacks()) ?? false }, () => {
  let podman: Podman | null = null;
  const socket = () => podman?.socket ?? '';
  before(async () => {
    podman = await startPodman();
  });
  after(() => podman?.close());

  /** What a kill leaves of a node that the log knows nothing of. */
  const leaveContainer = async (mark: string): Promise<string> => {
    const labels = { [LABELS.node]: randomUUID(), [LABELS.project]: randomUUID(), [LABELS.data]: mark };
    const body = { Image: podman?.image, Cmd: ['sleep', '1000'], Labels: labels };
    const { Id } = await openService(socket()).call<{ Id: string }>('POST', '/containers/create', { body });
    return Id;
  };
  const containers = async (): Promise<string[]> =>
    (await openService(socket()).call<{ Id: string }[]>('GET', '/containers/json', { query: { all: true } })).map(
      ({ Id }) => Id,
    );
  const withContainers = async (t: TestContext): Promise<{ dataDir: string; run: string; others: string }> => {
    const dir = await tempDir();
    t.after(dir.remove);
    const dataDir = path.join(dir.path, 'mine');
    await mkdir(dataDir);
    const run = await leaveContainer(await markOf(dataDir));
    await openService(socket()).call('POST', `/containers/${run}/start`);
    return { dataDir, run, others: await leaveContainer(await markOf(dir.path)) };
  };

  it('are taken away by the next one, and none of another data directory', async (t) => {
    const { dataDir, run, others } = await withContainers(t);
    const server = await spawnServer(dataDir, ['--docker-host', `unix://${socket()}`]);
    try {
      assert.match(server.output(), new RegExp(`left over, taken away: container \\S+ \\(${run.slice(0, 12)}\\)`));
      const there = await containers();
      assert.ok(!there.includes(run));
      assert.ok(there.includes(others));
    } finally {
      await server.kill('SIGTERM');
    }
  });

  it('are listed by the doctor, and taken away when that is asked for', async (t) => {
    const { dataDir, run, others } = await withContainers(t);
    const flags = ['--data-dir', dataDir, '--docker-host', `unix://${socket()}`];
    const listed = await topolog('doctor', ...flags);
    assert.equal(listed.code, 1);
    assert.match(listed.stdout, new RegExp(`left over +container \\S+ \\(${run.slice(0, 12)}\\)`));
    assert.ok((await containers()).includes(run));
    const cleaned = await topolog('doctor', '--clean', ...flags);
    assert.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr);
    const there = await containers();
    assert.ok(!there.includes(run));
    assert.ok(there.includes(others));
  });
});
