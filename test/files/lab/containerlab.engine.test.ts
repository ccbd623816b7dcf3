import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { containersOf } from '../../../src/emulators/container/containers.ts';
import { runCommands } from '../../../src/emulators/container/inside/commands.ts';
import { openService } from '../../../src/emulators/container/service.ts';
import { filesNamedInContainerlab, readContainerlab } from '../../../src/files/lab/containerlab/read.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { type BuiltLab, buildLab } from '../../support/build-lab.ts';
import { type Podman, podmanLacks, startPodman } from '../../support/podman.ts';
import { importRouterImage, routerImageLacks } from '../../support/router-image.ts';
import { type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';

const FOLDER = path.resolve('examples/containerlab');

/** Of each example, what ends well in which node sooner or later. */
const HOLDS: Readonly<Record<string, readonly [node: string, command: string][]>> = {
  'two-hosts': [['h1', 'ping -c 1 -W 1 10.0.0.2']],
  'one-router': [['left', 'ping -c 1 -W 1 10.2.0.2']],
  bridge: [
    ['a', 'ping -c 1 -W 1 192.168.7.2'],
    ['c', 'ping -c 1 -W 1 192.168.7.1'],
  ],
  groups: [
    ['one', 'ping -c 1 -W 1 10.9.0.2'],
    [
      'one',
      `sh -c 'grep -q "from the kind" /said && grep -q "from the group" /said && test "$COLOUR$PLACE" = bluelab'`,
    ],
    ['two', `sh -c 'test "$COLOUR" = "dark blue"'`],
    ['plain', `sh -c 'test "$COLOUR" = grey && ! grep -q group /said'`],
  ],
  'ospf-triangle': [
    ['r1', `sh -c 'test $(vtysh -c "show ip ospf neighbor" | grep -c Full) = 2'`],
    ['pc1', 'ping -c 1 -W 1 192.168.3.2'],
    ['pc2', 'ping -c 1 -W 1 192.168.1.2'],
  ],
  'bgp-pair': [
    ['r65001', `sh -c 'vtysh -c "show ip route bgp" | grep -q 172.16.2.0/24'`],
    ['east', 'ping -c 1 -W 1 172.16.2.2'],
  ],
  'rip-row': [['r1', 'ping -c 1 -W 1 -I 10.4.1.1 10.4.3.3']],
  'ipv6-static': [['h1', 'ping -c 1 -W 1 2001:db8:2::2']],
  'named-interfaces': [
    ['left', 'ping -c 1 -W 1 10.5.2.2'],
    ['left', 'ping -c 1 -W 1 10.77.0.2'],
    ['right', 'test -e /sys/class/net/spare'],
  ],
  'from-netlab': [
    ['h1', 'ping -c 1 -W 1 10.0.0.1'],
    ['h2', 'ping -c 1 -W 1 172.16.0.1'],
    ['h2', 'ping -c 1 -W 1 192.168.121.103'],
  ],
};

const lacks = (await podmanLacks()) ?? (await routerImageLacks());

describe('labs of containerlab', { skip: lacks ?? false }, () => {
  let podman: Podman;
  let server: ServerProcess;
  let mark: string;
  let remove: () => Promise<void>;
  before(async () => {
    podman = await startPodman();
    const dir = await tempDir();
    remove = dir.remove;
    await importRouterImage(podman, ['alpine:3', 'quay.io/frrouting/frr:10.2.1']);
    const dataDir = path.join(dir.path, 'data');
    server = await spawnServer(dataDir, ['--docker-host', `unix://${podman.socket}`]);
    mark = await markOf(dataDir);
  });
  after(async () => {
    await server.kill('SIGTERM');
    await podman.close();
    await remove();
  });

  const started = async (name: string): Promise<BuiltLab> => {
    const text = readFileSync(path.join(FOLDER, `${name}.clab.yml`), 'utf8');
    const files = Object.fromEntries(
      filesNamedInContainerlab(text).map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]),
    );
    const lab = await buildLab(server.url, readContainerlab({ text, files }).lab);
    await lab.ask('POST', `/${lab.project_id}/nodes/start`, {});
    return lab;
  };

  /** Resolves once the command ends with code 0. */
  const comesTo = async (lab: BuiltLab, node: string, command: string): Promise<void> => {
    const service = openService(podman.socket);
    const { signal: never } = new AbortController();
    const [id = ''] = await containersOf(service, lab.nodes.get(node)?.node_id ?? '', mark);
    for (;;) {
      const failed = await runCommands(service, id, { commands: [command] }, { signal: never });
      if (failed.length === 0) return;
    }
  };

  it('are all here', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.clab.yml'));
    assert.deepEqual(
      names,
      Object.keys(HOLDS)
        .map((name) => `${name}.clab.yml`)
        .sort(),
    );
  });

  for (const [name, holds] of Object.entries(HOLDS))
    it(`${name} runs as it is`, async () => {
      const lab = await started(name);
      const { events } = await lab.ask('GET', `/${lab.project_id}/events?type=warning.raised`);
      assert.deepEqual(events, []);
      for (const [node, command] of holds) await comesTo(lab, node, command);
      if (name === 'ospf-triangle') await collects(lab);
      await lab.ask('DELETE', `/${lab.project_id}`);
    });

  it('are led out where they ask for it: the machine reaches nodes, nodes the machine, each by their names', async () => {
    const text = `name: out
mgmt: {network: outside, ipv4-subnet: 172.20.231.0/24, external-access: true}
topology:
  nodes:
    a: {kind: linux, image: alpine:3}
    b: {kind: linux, image: alpine:3, aliases: [other]}
`;
    const lab = await buildLab(server.url, readContainerlab({ text, files: {}, local: true }).lab);
    await lab.ask('POST', `/${lab.project_id}/nodes/start`, {});
    await promisify(execFile)('ping', ['-c', '1', '-w', '20', '172.20.231.2']);
    const [machine] = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    assert.ok(machine, 'this machine has no address but those of its loopback');
    await comesTo(lab, 'a', `ping -c 1 -W 1 ${machine.address}`);
    for (const name of ['b', 'clab-out-b', 'other']) await comesTo(lab, 'a', `ping -c 1 -W 1 ${name}`);
    await comesTo(lab, 'a', 'grep -q "nameserver 172.20.231.1" /etc/resolv.conf');
    await lab.ask('DELETE', `/${lab.project_id}`);
  });

  const collects = async (lab: BuiltLab): Promise<void> => {
    const r1 = lab.nodes.get('r1')?.node_id ?? '';
    const collect = () =>
      lab.ask('POST', `/${lab.project_id}/configs/collect`, { nodes: [r1] }) as unknown as Promise<
        { position: number | null; files: string[] }[]
      >;
    const [first] = await collect();
    assert.deepEqual(first?.files, ['etc/frr/daemons', 'etc/frr/frr.conf']);
    await comesTo(
      lab,
      'r1',
      `vtysh -c 'configure terminal' -c 'interface eth3' -c 'description towards the PC' -c end -c 'write file'`,
    );
    const [second] = await collect();
    const version = await lab.ask('GET', `/${lab.project_id}/nodes/${r1}/configs/${second?.position}`);
    assert.match(String(version['diff']), /^\+ description towards the PC$/m);
    assert.equal((await collect())[0]?.position, null);
  };
});
