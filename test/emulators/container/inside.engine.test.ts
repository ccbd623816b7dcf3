import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openConsole } from '../../support/console.ts';
import { openService } from '../../../src/emulators/container/service.ts';
import { type Podman, podmanLacks, startPodman } from '../../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';

type Bag = Record<string, unknown>;

const lacks = await podmanLacks();

describe('the inside of a container', { skip: lacks ?? false }, () => {
  let podman: Podman;
  let server: ServerProcess;
  let remove: () => Promise<void>;
  const project_id = randomUUID();
  const node_id = randomUUID();
  const ask = async (method: string, where: string, body?: unknown): Promise<Bag> => {
    const answer = await request(server.url, method, `/v2/projects${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const at = `/${project_id}/nodes/${node_id}`;

  before(async () => {
    podman = await startPodman();
    const dir = await tempDir();
    remove = dir.remove;
    server = await spawnServer(path.join(dir.path, 'data'), ['--docker-host', `unix://${podman.socket}`]);
    await ask('POST', '', { name: 'inside', project_id });
    const properties = {
      image: podman.image,
      container_name: 'clab-inside-A',
      adapters: 2,
      files: [
        { path: '/etc/own/deep.conf', content: 'from the node\n' },
        { path: '/bin/hello', content: '#!/bin/sh\necho hello $1 > /said\n', mode: '755' },
        { path: '/octets', content: Buffer.from([0, 255, 10, 128]).toString('base64'), encoding: 'base64' },
      ],
      commands: ['hello "big world"', 'no-such-program x', `sh -c 'echo wrong >&2; exit 3'`],
      interfaces: [
        { adapter: 0, addresses: ['10.1.0.1/24'] },
        { adapter: 1, name: 'to-r2', addresses: ['10.2.0.1/24'] },
      ],
      sysctls: { 'net.ipv4.ip_forward': '1' },
      config_files: ['/etc/own/deep.conf', '/said', '/nothing'],
    };
    await ask('POST', `/${project_id}/nodes`, {
      name: 'A',
      node_type: 'docker',
      compute_id: 'local',
      node_id,
      properties,
    });
  });
  after(async () => {
    await server.kill('SIGTERM');
    await podman.close();
    await remove();
  });

  it('has files, addresses, settings and what commands did once it has started', async () => {
    await ask('POST', `${at}/start`, {});
    const console = await openConsole(Number((await ask('GET', at))['console']));
    await console.until(/\/ # [^/]*$/);
    assert.match(await console.type('cat /etc/own/deep.conf', /node\r\n/), /\nfrom the node/);
    assert.match(await console.type('od -An -tx1 /octets', /80\r\n/), /00 ff 0a 80/);
    assert.match(await console.type('cat /said', /world\r\n/), /\nhello big world/);
    assert.match(await console.type('ip addr show dev to-r2; echo end-$((6*7))', /end-42/), /10\.2\.0\.1\/24/);
    assert.match(await console.type('ip addr show dev eth0; echo end-$((6*8))', /end-48/), /10\.1\.0\.1\/24/);
    assert.match(await console.type('cat /proc/sys/net/ipv4/ip_forward; echo end-$((6*9))', /end-54/), /\n1\r/);
    console.close();
  });

  it('says which commands failed, and runs all the same', async () => {
    const history = JSON.stringify(await ask('GET', `${at}/history`));
    assert.match(history, /command no-such-program x: /);
    assert.match(history, /ended with code 3: wrong/);
    assert.doesNotMatch(history, /command hello/);
    assert.equal((await ask('GET', at))['status'], 'started');
  });

  it('has the name that it is to have, and one of its own where another one has that', async () => {
    const service = openService(podman.socket);
    const named = await service.call<{ Config: { Labels: Bag } }>('GET', '/containers/clab-inside-A/json');
    assert.equal(named.Config.Labels['topolog.node'], node_id);
    const properties = { image: podman.image, container_name: 'clab-inside-A' };
    const body = { name: 'B', node_type: 'docker', compute_id: 'local', properties };
    const other = String((await ask('POST', `/${project_id}/nodes`, body))['node_id']);
    await ask('POST', `/${project_id}/nodes/${other}/start`, {});
    const history = JSON.stringify(await ask('GET', `/${project_id}/nodes/${other}/history`));
    assert.match(history, /its container is called topolog-B-[0-9a-f]{12}: /);
    await ask('POST', `${at}/stop`, {});
    await ask('POST', `${at}/start`, {});
    assert.doesNotMatch(JSON.stringify(await ask('GET', `${at}/history`)), /its container is called/);
  });
});
