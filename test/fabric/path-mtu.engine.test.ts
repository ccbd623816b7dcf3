import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findSockets } from '../../src/fabric/io/sockets.ts';
import { createLab } from './lab.ts';

const run = promisify(execFile);
const PROBE = path.resolve(import.meta.dirname, '../support/probe-path.js');

/** This machine, a router behind 9,000 octets, a machine behind the router and 1,400 octets; all of it goes with the process. */
const NETWORK = `
set -e
mount -t tmpfs none /run
mkdir -p /run/netns
ip netns add r
ip netns add b
ip link add a0 mtu 9000 type veth peer name r0 mtu 9000 netns r
ip -n r link add r1 mtu 1400 type veth peer name b0 mtu 1400 netns b
ip addr add 10.9.1.1/24 dev a0
ip link set a0 up
ip -n r addr add 10.9.1.2/24 dev r0
ip -n r link set r0 up
ip -n r addr add 10.9.2.1/24 dev r1
ip -n r link set r1 up
ip -n b addr add 10.9.2.2/24 dev b0
ip -n b link set b0 up
ip -n b route add default via 10.9.2.1
ip route add 10.9.2.0/24 via 10.9.1.2
echo 1 | ip netns exec r tee /proc/sys/net/ipv4/ip_forward > /dev/null
`;
const inNetwork = (script: string) => run('unshare', ['-rnm', 'sh', '-c', `${NETWORK}${script}`]);

const missing = await inNetwork('').then(
  () => null,
  (error: unknown) => `no networks can be made here: ${String(error).split('\n').slice(0, 2).join(' ')}`,
);
const isNative = (await findSockets()).name === 'native';

describe('the longest packet of a path', () => {
  it(
    'is found behind routers, and that of the own interface',
    {
      skip: missing ?? (isNative ? false : 'there are no native sockets here'),
    },
    async () => {
      const probe = (...hosts: string[]): string => `${process.execPath} ${PROBE} ${hosts.join(' ')}\n`;
      const script = `${probe('10.9.1.2', '10.9.2.2')} ip link set a0 mtu 1450\n${probe('10.9.1.2', '10.9.2.2')}`;
      const { stdout } = await inNetwork(script);
      const found = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as [{ mtu: number }][]).map(([native]) => native.mtu));
      assert.deepEqual(found, [
        [9000, 1400],
        [1450, 1400],
      ]);
    },
  );

  it('is told by an event of the fabric', async (t) => {
    const { fabric, events } = createLab(t);
    const told = new Promise<void>((resolve) =>
      fabric.onEvent(({ type }) => {
        if (type === 'path.probed') resolve();
      }),
    );
    assert.deepEqual(await fabric.perform({ op: 'path.probe', host: '127.0.0.1' }), { ok: true });
    await told;
    const [event] = events.filter(({ type }) => type === 'path.probed');
    assert.ok(event?.type === 'path.probed');
    assert.deepEqual([event.host, event.address, event.needed], ['127.0.0.1', '127.0.0.1', 1528]);
    assert.ok(event.mtu === null || event.mtu > 1528);
  });
});
