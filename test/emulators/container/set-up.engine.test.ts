import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { type Podman, podmanLacks, startPodman } from '../../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';

type Bag = Record<string, unknown>;

const lacks = await podmanLacks();
const IMAGE = 'localhost/topolog-course:latest';

describe('a container, set up as the existing server does it', { skip: lacks ?? false }, () => {
  let podman: Podman;
  let server: ServerProcess | undefined;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  const project_id = randomUUID();

  const ask = async (method: string, where: string, body?: unknown): Promise<Bag> => {
    const answer = await request(server?.url ?? '', method, `/v2/projects${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const made = async (properties: Bag): Promise<{ at: string; directory: string }> => {
    const node_id = randomUUID();
    const body = { name: 'A', node_type: 'docker', compute_id: 'local', node_id, properties };
    const node = await ask('POST', `/${project_id}/nodes`, body);
    return { at: `/${project_id}/nodes/${node_id}`, directory: String(node['node_directory']) };
  };
  const started = async (at: string): Promise<Console> => {
    await ask('POST', `${at}/start`, {});
    return openConsole(Number((await ask('GET', at))['console']));
  };

  before(async () => {
    podman = await startPodman();
    dir = await tempDir();
    const files = path.join(dir.path, 'image');
    for (const name of ['bin', 'data/deep', 'etc/network', 'proc', 'sys', 'tmp', 'dev'])
      await mkdir(path.join(files, name), { recursive: true });
    await copyFile((await which('busybox')) ?? '', path.join(files, 'bin', 'busybox'));
    // Neither ip(8) nor a DHCP client.
    for (const name of ['cat', 'echo', 'ls', 'sh', 'stat']) await symlink('busybox', path.join(files, 'bin', name));
    await writeFile(path.join(files, 'data', 'from-image'), 'from the image\n');
    await writeFile(path.join(files, 'data', 'deep', 'both'), 'from the image\n');
    await chmod(path.join(files, 'data'), 0o751);
    await writeFile(
      path.join(files, 'etc', 'network', 'interfaces'),
      'auto eth0\niface eth0 inet static\n address 10.7.0.1/24\n',
    );
    const first = '#!/bin/sh\ncat /proc/net/fib_trie\nexec sh\n';
    await writeFile(path.join(files, 'bin', 'first'), first, { mode: 0o755 });
    const changes = ['CMD=["/bin/first"]', 'ENV=PATH=/bin', 'VOLUME=/data', 'VOLUME=/not-there'];
    await podman.importTree(files, IMAGE, changes);
    server = await spawnServer(path.join(dir.path, 'server'), ['--docker-host', `unix://${podman.socket}`]);
    await ask('POST', '', { name: 'course', project_id });
  });
  after(async () => {
    await server?.kill('SIGTERM');
    await podman.close();
    await dir.remove();
  });

  it('has a file of its interfaces from the start, in which nothing counts', async () => {
    const { directory } = await made({ image: IMAGE, adapters: 2 });
    const text = await readFile(path.join(directory, 'etc/network/interfaces'), 'utf8');
    assert.match(text, /^#auto eth1$/m);
    assert.doesNotMatch(text, /^[^#\n]/m);
  });

  it('has its addresses before its first program begins; what fails is told', async () => {
    const { at, directory } = await made({ image: IMAGE, adapters: 2 });
    const text = `auto eth0 eth1
iface eth0 inet static
  address 10.1.0.7
  netmask 255.255.255.0
  gateway 10.1.0.1
  up ip route add 10.5.0.0/16 via 10.1.0.5
  up echo up $IFACE $IF_ADDRESS > /tmp/up; no-such-program
iface eth1 inet dhcp
`;
    await writeFile(path.join(directory, 'etc/network/interfaces'), text);
    const console = await started(at);
    // The image's command has looked before anybody typed.
    assert.match(await console.until(/[#$] [^#$]*$/), /10\.1\.0\.7/);
    const said = await console.type('cat /tmp/up /proc/net/route; echo end-$((6*7))', /end-42/);
    assert.match(said, /up eth0 10\.1\.0\.7/);
    assert.match(said, /eth0\s+00000000\s+0100010A/);
    assert.match(said, /eth0\s+0000050A\s+0500010A/);
    console.close();
    const history = JSON.stringify(await ask('GET', `${at}/history`));
    assert.match(history, /interfaces: eth0: up echo up .*no-such-program ended with code 127/);
    assert.doesNotMatch(history, /eth1/);
    await ask('POST', `${at}/stop`, {});
  });

  it('keeps what its image wants to be kept, with what the node has already', async () => {
    const { at, directory } = await made({ image: IMAGE, adapters: 1 });
    await mkdir(path.join(directory, 'data/deep'), { recursive: true });
    await writeFile(path.join(directory, 'data/deep/both'), 'mine\n');
    const first = await started(at);
    await first.until(/[#$] [^#$]*$/);
    const said = await first.type(
      'cat /data/from-image /data/deep/both; stat -c %a /data; echo end-$((6*7))',
      /end-42/,
    );
    assert.match(said, /from the image\r\nmine\r\n751/);
    // The image has a file of its own, and nobody has written in that of the node.
    assert.match(await first.type('cat /proc/net/fib_trie; echo end-$((6*8))', /end-48/), /10\.7\.0\.1/);
    await first.type(
      "echo kept > /not-there/x; echo kept > /data/y; echo '#' > /etc/network/interfaces; busybox rm /data/from-image; echo end-$((6*9))",
      /end-54/,
    );
    first.close();
    await ask('POST', `${at}/stop`, {});
    const second = await started(at);
    await second.until(/[#$] [^#$]*$/);
    const again = await second.type(
      'cat /not-there/x /data/y /etc/network/interfaces; ls /data; echo end-$((6*7))',
      /end-42/,
    );
    assert.match(again, /kept\r\nkept\r\n#\r\ndeep\s+y\r\n/);
    second.close();
    await ask('POST', `${at}/stop`, {});
    assert.equal((await stat(path.join(directory, 'not-there'))).mode & 0o777, 0o755);
  });
});
