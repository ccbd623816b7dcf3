import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { type Api, startApi } from '../../api/api.ts';
import type { Console } from '../../support/console.ts';
import { makeOutside, type Outside, outsideLacks } from '../../support/outside.ts';
import { echoes, pcsBehind } from './lab.ts';

const absent = (await Promise.all(['libslirp-helper', 'socat'].map(which))).includes(null);
const skip = absent ? 'libslirp-helper or socat is not installed' : false;
/** The others need no privileges. */
const noOutside = await outsideLacks();
const PROMPT = /> $/;

describe('PCs behind a NAT of slirp', { skip }, () => {
  let api: Api;
  let outside: Outside | null = null;
  let consoles: Console[] = [];

  before(async () => {
    if (noOutside === null) {
      outside = await makeOutside('tout0', '198.51.100.0');
      await outside.resolving(['libslirp-helper']);
    }
    api = await startApi([]);
    // Two at the first port, one at the second.
    consoles = await pcsBehind(api, { engine: 'slirp', ports_mapping: [{}, {}] }, [2, 1]);
  });
  after(async () => {
    for (const console of consoles) console.close();
    await api.close();
    await outside?.close();
  });

  it('get a lease each, also when they share a port', async () => {
    const leases: string[] = [];
    for (const console of consoles) {
      const [, lease = ''] = /IP (10\.\d+\.\d+\.\d+)\/24/.exec(await console.type('ip dhcp', /DORA[^]*> $/)) ?? [];
      leases.push(lease);
    }
    assert.deepEqual(
      leases.map((lease) => Number(lease.split('.')[3])),
      [15, 16, 15],
    );
  });

  it('ping the gateway', async () => {
    for (const console of consoles) {
      const [, gateway = ''] = /GATEWAY +: (\S+)/.exec(await console.type('show ip', PROMPT)) ?? [];
      assert.match(await console.type(`ping ${gateway} -c 1`, PROMPT), /bytes from 10\.\d+\.\d+\.2 icmp_seq=1/);
    }
  });

  it('reach an address of the host, over UDP and over TCP', async (t) => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (own === undefined) return t.skip('this machine has no address but the loopback');
    const udp = createSocket('udp4').on('message', (bytes, { port, address }) => udp.send(bytes, port, address));
    const tcp = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    udp.bind(0, own);
    await once(udp, 'listening');
    tcp.listen(udp.address().port, own);
    await once(tcp, 'listening');
    for (const console of consoles) await echoes(console, own, udp.address().port);
    udp.close();
    tcp.close();
  });

  it('reach a machine outside, by its address and by its name', { skip: noOutside ?? false }, async () => {
    assert.ok(outside);
    const { address, name, port } = outside;
    for (const console of consoles) {
      await echoes(console, address, port);
      assert.match(await console.type(`ping ${name} -2 -p ${port} -c 1`, PROMPT), /resolved to[^]*bytes from/);
    }
  });
});
