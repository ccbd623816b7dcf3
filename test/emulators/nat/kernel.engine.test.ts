import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { makeNetwork, namesOf } from '../../../src/emulators/nat/kernel-network.ts';
import { KERNEL } from '../../../src/emulators/nat/kernel.ts';
import { nat } from '../../../src/emulators/nat/kind.ts';
import { networkLacks } from '../../../src/emulators/shared/network/privileges.ts';
import { type Api, startApi } from '../../api/api.ts';
import { fabricFixture } from '../../contract/fabric-fixture.ts';
import type { Console } from '../../support/console.ts';
import { NAT_PROGRAMS, natNetworkOf } from '../../support/nat-network.ts';
import { forwards, makeOutside, type Outside, outsideLacks } from '../../support/outside.ts';
import { nodeOf } from '../sample.ts';
import { echoes, pcsBehind } from './lab.ts';

const lacks = await networkLacks(NAT_PROGRAMS, 'this test', 'leave it out');
const skip = lacks?.needs ?? (await outsideLacks()) ?? false;
const PROMPT = /> $/;

describe('PCs behind a NAT of the kernel', { skip }, () => {
  let api: Api;
  let outside: Outside;
  let consoles: Console[] = [];
  const leases: string[] = [];

  before(async () => {
    outside = await makeOutside('tout1', '198.51.100.4');
    await outside.resolving(['dnsmasq']);
    api = await startApi([]);
    consoles = await pcsBehind(api, { engine: 'kernel', ports_mapping: [{}, {}] }, [2, 1]);
  });
  after(async () => {
    for (const console of consoles) console.close();
    await api.close();
    await outside.close();
  });

  it('get a lease each, all in one network', async () => {
    for (const console of consoles) {
      const said = await console.type('ip dhcp', /DORA[^]*> $/);
      leases.push(/IP (\d+\.\d+\.\d+\.\d+)\/24/.exec(said)?.[1] ?? said);
    }
    assert.equal(new Set(leases).size, 3);
    assert.equal(new Set(leases.map((lease) => lease.split('.').slice(0, 3).join('.'))).size, 1);
  });

  it('reach the gateway, one another across ports, and what is outside, which knows none of them', async () => {
    assert.equal(await forwards(), true);
    const gateway = (leases[0] ?? '').replace(/\d+$/, '1');
    for (const [index, console] of consoles.entries()) {
      for (const address of [gateway, leases[(index + 1) % 3] ?? '', outside.address])
        assert.match(
          await console.type(`ping ${address} -c 1`, PROMPT),
          new RegExp(`bytes from ${address} icmp_seq=1`),
        );
      await echoes(console, outside.address, outside.port);
    }
  });

  it('resolve names by the name server of the host', async () => {
    for (const console of consoles)
      assert.match(
        await console.type(`ping ${outside.name} -c 1`, PROMPT),
        new RegExp(`${outside.name} resolved to ${outside.address}[^]*bytes from`),
      );
  });

  it('are not reached from outside, even by one who knows the way', async () => {
    const [lease = ''] = leases;
    const host = outside.address.replace(/\d+$/, (last) => String(Number(last) - 1));
    await outside.there('ip', 'route', 'add', lease, 'via', host);
    // The PC would refuse the connection at once; here nobody answers at all.
    const asked = outside.there('socat', '-u', '/dev/null', `TCP4:${lease}:7,connect-timeout=1`);
    await assert.rejects(asked, /timed out/i);
  });
});

describe('a NAT of the kernel', { skip }, () => {
  it('removes what an interrupted start has left, at its next start and when it is deleted', async () => {
    const fixture = await fabricFixture();
    const mark = 'a'.repeat(20);
    const consoles: { host: string; range: [number, number] } = { host: '127.0.0.1', range: [21_000, 21_999] };
    const engine = KERNEL.create({
      fabric: await fixture.connect(),
      consoles,
      mark,
      dataDir: fixture.directory,
      filesDir: fixture.directory,
    });
    const never = new AbortController().signal;
    const node = nodeOf(nat, {}, { node_id: randomUUID() });
    for (const end of [() => engine.start(node, {}, never), () => engine.remove(node, never)]) {
      await makeNetwork(namesOf(node, mark), '192.168.250.0');
      assert.equal((await natNetworkOf(node, mark)).length, 3);
      await end();
      await engine.stop(node, never);
      assert.deepEqual(await natNetworkOf(node, mark), []);
    }
    await engine.close();
    await fixture.close();
  });
});
