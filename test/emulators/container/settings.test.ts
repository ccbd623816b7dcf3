import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { waitingFor } from '../../../src/emulators/container/inside/init.ts';
import { container } from '../../../src/emulators/container/kind.ts';
import { openService } from '../../../src/emulators/container/service.ts';
import { creationOf, settingsOf } from '../../../src/emulators/container/settings.ts';
import { mountsOf } from '../../../src/emulators/container/inside/volumes.ts';
import { fillInFor } from '../../../src/emulators/shared/placeholders.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { tempDir } from '../../support/temp.ts';
import { nodeOf } from '../sample.ts';

const settings = (given: Record<string, unknown>) => settingsOf(nodeOf(container, { image: 'x', ...given }).properties);
const refuses = (given: Record<string, unknown>, field: string, message: RegExp): void =>
  assert.throws(
    () => settings(given),
    (error: { code?: string; message?: string; details?: { field?: string } }) =>
      error.code === 'conflict' && error.details?.field === field && message.test(error.message ?? ''),
  );

describe('settings of a container', () => {
  it('give an image without a tag the one that Docker means', () => {
    const images = ['frr', 'host:5000/frr', 'host:5000/frr:9', 'frr@sha256:0123'].map(
      (image) => settings({ image }).image,
    );
    assert.deepEqual(images, ['frr:latest', 'host:5000/frr:latest', 'host:5000/frr:9', 'frr@sha256:0123']);
  });

  it('take commands apart like a shell, and lines whatever their ends', () => {
    const found = settings({
      start_command: `sh -c 'a "b"'`,
      environment: 'A=1\r\n\nB=x=y z\n',
      extra_hosts: 'r1:10.0.0.1\nr2 : fd00::1',
    });
    assert.deepEqual(found.command, ['sh', '-c', 'a "b"']);
    assert.deepEqual(found.environment, ['A=1', 'B=x=y z']);
    assert.deepEqual(found.extraHosts, ['r1:10.0.0.1', 'r2:fd00::1']);
    assert.equal(settings({}).command, null);
  });

  it('are refused by the line that cannot be used', () => {
    refuses({ extra_hosts: 'r1' }, 'extra_hosts', /host:address, not r1/);
    refuses({ start_command: `sh -c 'a` }, 'start_command', /without its end/);
    for (const path of ['data', '/', '/a/../../etc', '/./a'])
      refuses({ extra_volumes: [path] }, 'extra_volumes', /absolute path/);
  });

  it('leave out what sets no variable, as a service may take such names from its own environment', () => {
    const { environment, odd } = settings({ environment: 'A=1\nPATH\n*\n=x\nB=' });
    assert.deepEqual(
      [environment, odd],
      [
        ['A=1', 'B='],
        ['PATH', '*', '=x'],
      ],
    );
  });

  it('have the variables of the project, and placeholders replaced, which make no further words', () => {
    const node = nodeOf(
      container,
      { image: 'x', environment: 'A=%vm-name%\nB=${X} ${HOME}\nX=own', start_command: 'run %vm-name% "${Y}" %vm-id' },
      {
        name: 'R 1',
        project: {
          name: 'p',
          path: '/labs/p',
          variables: [{ name: 'X', value: 'blue' }, { name: 'Y', value: '${X} %project-path% ${Y}' }, { name: 'a=b' }],
        },
      },
    );
    const { command } = settingsOf(node.properties, fillInFor(node));
    assert.deepEqual(command, ['run', 'R 1', 'blue %project-path% ${X} %project-path% ${Y}', '%vm-id']);
    const made = creationOf(node, settingsOf(node.properties, fillInFor(node)), 'M', {
      entrypoint: null,
      command: null,
      mounts: [],
    });
    assert.deepEqual(made['Env'], [
      'X=own',
      'Y=blue %project-path% ${X} %project-path% ${Y}',
      'A=R 1',
      'B=blue ${HOME}',
    ]);
  });

  it('do not grow without end by placeholders', () => {
    const value = 'x'.repeat(4000);
    const node = nodeOf(container, {}, { project: { name: 'p', path: '/p', variables: [{ name: 'V', value }] } });
    assert.throws(() => settingsOf({ image: 'x', environment: `A=${'${V}'.repeat(20)}` }, fillInFor(node)), {
      code: 'conflict',
      message: /environment has more than 65536 characters/,
    });
  });

  it('make a container that has no network of this machine, and is not privileged', () => {
    const node = nodeOf(container, { image: 'x' }, { name: 'Core router #1' });
    const given = { entrypoint: null, command: null, mounts: [] };
    const made = creationOf(node, settingsOf(node.properties), 'M', given);
    assert.equal(made['Hostname'], 'Core-router-1');
    assert.deepEqual(made['HostConfig'], {
      NetworkMode: 'none',
      CapAdd: ['NET_ADMIN', 'NET_RAW'],
      Sysctls: { 'net.ipv4.ip_forward': '1' },
      ExtraHosts: [],
      Mounts: [],
    });
    assert.deepEqual(made['Labels'], {
      'topolog.node': node.node_id,
      'topolog.project': node.project_id,
      'topolog.data': 'M',
    });
    assert.equal('Cmd' in made || 'Entrypoint' in made, false);
  });

  it('make a privileged one of a network system, and forward unless they say otherwise', () => {
    const node = nodeOf(container, { image: 'x', network_system: true, sysctls: { 'net.ipv4.ip_forward': '0' } });
    const made = creationOf(node, settingsOf(node.properties), 'M', { entrypoint: null, command: null, mounts: [] });
    assert.deepEqual(made['HostConfig'], {
      NetworkMode: 'none',
      Privileged: true,
      CapAdd: ['NET_ADMIN', 'NET_RAW'],
      Sysctls: { 'net.ipv4.ip_forward': '0' },
      ExtraHosts: [],
      Mounts: [],
    });
    const uses = [true, false].map((network_system) =>
      container.hostUses({ network_system }).map(({ field }) => field),
    );
    assert.deepEqual(uses, [['network_system'], []]);
  });
});

describe('volumes of a container', () => {
  const nowhere = openService('/nowhere');

  it('are directories below the node’s own', async () => {
    const dir = await tempDir();
    for (const place of ['etc/frr', 'etc/network', 'data']) await mkdir(join(dir.path, place), { recursive: true });
    await writeFile(join(dir.path, '.volumes'), '/data\n/etc/network\n');
    await writeFile(join(dir.path, 'etc/frr/.gns3_perms'), '');
    const node = nodeOf(container, { image: 'x', extra_volumes: ['/etc//frr/'] }, { node_directory: dir.path });
    const mounts = await mountsOf(nowhere, node, settingsOf(node.properties), {
      id: 'i',
      volumes: ['/data', '/etc/frr', '/', '../x'],
    });
    assert.deepEqual(
      mounts,
      ['data', 'etc/frr', 'etc/network'].map((place) => ({
        Type: 'bind',
        Source: join(dir.path, place),
        Target: `/${place}`,
        ReadOnly: false,
      })),
    );
    assert.match(await readFile(join(dir.path, 'etc/network/interfaces'), 'utf8'), /^#auto eth0$/m);
    await dir.remove();
  });

  it('do not follow a link that a container has left in one of them', async () => {
    const dir = await tempDir();
    await mkdir(join(dir.path, 'data'));
    await writeFile(join(dir.path, '.volumes'), '/data\n');
    await symlink('/etc', join(dir.path, 'data/inner'));
    for (const inner of ['/data/inner', '/data/inner/ssl']) {
      const node = nodeOf(container, { image: 'x', extra_volumes: ['/data', inner] }, { node_directory: dir.path });
      await assert.rejects(mountsOf(nowhere, node, settingsOf(node.properties), { id: 'i', volumes: [] }), {
        code: 'conflict',
        message: /data\/inner is not a directory/,
      });
    }
    await dir.remove();
  });
});

const busybox = await which('busybox');
const waiting = await waitingFor(['eth0', 'eth1']);

describe('what waits for the adapters of a container', () => {
  it('goes on once an interface is up, and not before', { skip: busybox === null }, async () => {
    const dir = await tempDir();
    const [, , , script = ''] = waiting?.words ?? [];
    const local = script.replaceAll(waiting?.mount.Target ?? '-', busybox ?? '').replaceAll('/sys/class/net', dir.path);
    await mkdir(join(dir.path, 'to-r2'));
    await writeFile(join(dir.path, 'to-r2/operstate'), 'down\n');
    const running = promisify(execFile)(busybox ?? '', ['sh', '-c', local, 'x', 'to-r2', 'echo', 'begun']);
    const first = await Promise.race([running, promisify(execFile)(busybox ?? '', ['usleep', '200000'])]);
    assert.equal(first.stdout, '');
    await mkdir(join(dir.path, 'lo'));
    await writeFile(join(dir.path, 'lo/tx_queue_len'), '1000\n');
    await writeFile(join(dir.path, 'to-r2/operstate'), 'up\n');
    const second = await Promise.race([running, promisify(execFile)(busybox ?? '', ['usleep', '200000'])]);
    assert.equal(second.stdout, '');
    await writeFile(join(dir.path, 'lo/tx_queue_len'), '1001\n');
    assert.equal((await running).stdout, 'begun\n');
    await dir.remove();
  });

  it('is nothing where there are none', async () => {
    assert.equal(await waitingFor([]), null);
  });

  const skip = busybox === null || waiting === null ? 'no static busybox is installed' : false;
  it(
    'starts the program of the image with its words as they are, not busybox’s of the same name',
    { skip },
    async () => {
      const dir = await tempDir();
      const own = join(dir.path, 'echo');
      await writeFile(own, `#!/bin/sh\nprintf '%s|' own "$@" > ${dir.path}/said\n`);
      await chmod(own, 0o755);
      const [, , , script = '', name = ''] = waiting?.words ?? [];
      const local = script.replaceAll(waiting?.mount.Target ?? '-', busybox ?? '');
      const words = ['sh', '-c', local, name, '', 'echo', 'a b', '', '$HOME'];
      await promisify(execFile)(busybox ?? '', words, { env: { PATH: `/nowhere:${dir.path}:/bin` } });
      assert.equal(await readFile(join(dir.path, 'said'), 'utf8'), 'own|a b||$HOME|');
      await assert.rejects(
        promisify(execFile)(busybox ?? '', [...words.slice(0, 5), 'no-such'], { env: { PATH: '/bin' } }),
        {
          code: 127,
        },
      );
      await dir.remove();
    },
  );
});
