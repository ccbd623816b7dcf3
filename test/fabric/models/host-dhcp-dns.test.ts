import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DHCP_TYPE } from '../../../src/fabric/codecs/dhcp.ts';
import { ethernetHub } from '../../../src/fabric/models/switches/ethernet-hub.ts';
import type { Lease } from '../../../src/fabric/models/host/ip-host.ts';
import { type Bench, createBench } from './bench.ts';
import { createDhcpServer, createDnsServer, type DhcpServer, SERVER } from './test-servers.ts';

type BenchHost = ReturnType<Bench['host']>;

/** A client and a server on a hub with a third plug. */
function lab(): { bench: Bench; client: BenchHost; server: DhcpServer; hub: ReturnType<Bench['node']> } {
  const bench = createBench();
  const [client, server] = [bench.host(1), createDhcpServer()];
  const hub = bench.node(ethernetHub, {}, 3);
  bench.join(client.plug, hub.port(0));
  bench.join(server.plug, hub.port(1));
  return { bench, client, server, hub };
}

async function lease(bench: Bench, client: BenchHost): Promise<[string, Lease | null]> {
  let letters = '';
  const result = await bench.clock.until(client.dhcp((letter) => (letters += letter)));
  return [letters, result];
}

const types = (server: DhcpServer): number[] => server.heard.map((heard) => heard.type);
const { discover, request, decline, release } = DHCP_TYPE;

describe('DHCP client', () => {
  it('gets an address, gateway, DNS server and domain', async () => {
    const { bench, client } = lab();
    const [letters, granted] = await lease(bench, client);
    assert.equal(letters, 'DORA');
    assert.deepEqual(client.settings, { address: '10.0.0.77', prefix: 24, gateway: SERVER });
    assert.deepEqual([client.dns, client.domain], [[SERVER], 'lab.example']);
    assert.equal(granted?.server, SERVER);
    assert.equal(client.lease, granted);
  });

  it('gives up after three tries, keeping the address it had', async () => {
    const bench = createBench();
    const client = bench.host(1);
    await bench.address(client, '10.0.0.5/24');
    assert.deepEqual(await lease(bench, client), ['DDD', null]);
    assert.equal(client.settings?.address, '10.0.0.5');
  });

  it('starts again when it is refused', async () => {
    const { bench, client, server } = lab();
    server.refuses = true;
    assert.deepEqual(await lease(bench, client), ['DORDORDOR', null]);
    assert.equal(client.settings, null);
  });

  it('declines an address that somebody uses', async () => {
    const { bench, client, server, hub } = lab();
    const squatter = bench.host(9);
    bench.join(squatter.plug, hub.port(2));
    await bench.address(squatter, '10.0.0.77/24');
    assert.equal((await lease(bench, client))[1], null);
    assert.deepEqual(types(server).slice(0, 3), [discover, request, decline]);
  });

  it('renews at half the lease time, and keeps the lease', async () => {
    const { bench, client, server } = lab();
    await lease(bench, client);
    server.heard.length = 0;
    await bench.clock.run(499_000);
    assert.deepEqual(types(server), []);
    await bench.clock.run(2000);
    assert.deepEqual(
      server.heard.map(({ type, from }) => [type, from]),
      [[request, 0x0a00004d]],
    );
    await bench.clock.run(700_000);
    assert.equal(client.settings?.address, '10.0.0.77');
  });

  it('asks everybody when its server is silent, and gives the address up when the lease is over', async () => {
    const { bench, client, server } = lab();
    await lease(bench, client);
    server.silent = true;
    await bench.clock.run(870_000);
    assert.equal(client.settings?.address, '10.0.0.77');
    server.heard.length = 0;
    await bench.clock.run(100_000);
    assert.deepEqual([...new Set(types(server))], [request]);
    await bench.clock.run(50_000);
    assert.equal(client.settings, null);
    assert.equal(client.lease, null);
    assert.equal(bench.clock.waiting, 0);
  });

  it('gets another address when a renewal is refused', async () => {
    const { bench, client, server } = lab();
    await lease(bench, client);
    server.offers = '10.0.0.78';
    const renewed = await bench.clock.until(client.renew());
    assert.equal(renewed?.address, '10.0.0.78');
    assert.equal(client.settings?.address, '10.0.0.78');
  });

  it('renews on demand, and has nothing to renew without a lease', async () => {
    const { bench, client } = lab();
    assert.equal(await client.renew(), null);
    await lease(bench, client);
    await bench.clock.run(60_000);
    const renewed = await bench.clock.until(client.renew());
    assert.equal(renewed?.obtained, bench.clock.now());
  });

  it('releases its lease and its address', async () => {
    const { bench, client, server } = lab();
    await lease(bench, client);
    client.release();
    await bench.clock.run(0);
    assert.equal(types(server).at(-1), release);
    assert.deepEqual([client.settings, client.lease, client.dns], [null, null, []]);
    assert.equal(bench.clock.waiting, 0);
  });

  it('forgets its lease when it is given an address', async () => {
    const { bench, client, server } = lab();
    await lease(bench, client);
    await bench.address(client, '10.0.0.5/24');
    server.heard.length = 0;
    await bench.clock.run(2_000_000);
    assert.deepEqual(types(server), []);
    assert.equal(client.settings?.address, '10.0.0.5');
  });

  it('stops when aborted', async () => {
    const { bench, client, server } = lab();
    server.silent = true;
    const abort = new AbortController();
    const result = client.dhcp(() => undefined, abort.signal);
    abort.abort();
    assert.equal(await result, null);
    assert.equal(bench.clock.waiting, 0);
  });
});

describe('DNS resolver', () => {
  async function resolver(names: Record<string, string>): Promise<{
    bench: Bench;
    client: BenchHost;
    asked: string[];
  }> {
    const bench = createBench();
    const [client, server] = [bench.host(1), createDnsServer(names)];
    bench.join(client.plug, server.plug);
    await bench.address(client, '10.0.0.1/24');
    client.dns = [SERVER];
    return { bench, client, asked: server.asked };
  }

  it('finds an address behind an alias', async () => {
    const { bench, client } = await resolver({ 'www.lab': '10.0.0.9' });
    assert.equal(await bench.clock.until(client.resolve('www.lab')), '10.0.0.9');
  });

  it('tries a short name in its domain first', async () => {
    const { bench, client, asked } = await resolver({ www: '10.0.0.8', 'www.lab.example': '10.0.0.9' });
    client.domain = 'lab.example';
    assert.equal(await bench.clock.until(client.resolve('www')), '10.0.0.9');
    assert.deepEqual(asked, ['www.lab.example']);
  });

  it('takes addresses as they are', async () => {
    const { client, asked } = await resolver({});
    assert.equal(await client.resolve('192.0.2.1'), '192.0.2.1');
    assert.deepEqual(asked, []);
  });

  it('knows when a name is unknown, no name at all, or nobody answers', async () => {
    const { bench, client } = await resolver({});
    assert.equal(await bench.clock.until(client.resolve('www.lab')), null);
    assert.equal(await bench.clock.until(client.resolve('no name..')), null);
    client.dns = ['10.0.0.99'];
    assert.equal(await bench.clock.until(client.resolve('www.lab')), null);
    client.dns = [];
    assert.equal(await client.resolve('www.lab'), null);
  });

  it('asks the next server when one does not answer', async () => {
    const { bench, client } = await resolver({ 'www.lab': '10.0.0.9' });
    client.dns = ['10.0.0.99', SERVER];
    assert.equal(await bench.clock.until(client.resolve('www.lab')), '10.0.0.9');
  });
});
