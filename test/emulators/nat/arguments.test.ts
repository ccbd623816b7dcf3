import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { namesOf, rulesOf, SUBNETS } from '../../../src/emulators/nat/kernel-network.ts';
import { reachable } from '../../../src/emulators/nat/kernel.ts';
import { relaysIn } from '../../../src/emulators/shared/network/relay.ts';
import * as kernel from '../../../src/emulators/nat/kernel.ts';
import * as slirp from '../../../src/emulators/nat/slirp.ts';

const NODE = { node_id: '11aabbcc-1111-4111-8111-111111111111', project_id: '22222222-2222-4222-8222-222222222222' };
const port = fc.integer({ min: 1, max: 65535 });
const relays = fc.array(fc.tuple(port, port).map(([fabric, socat]) => ({ fabric, socat })));

describe('the scripts of a NAT', () => {
  it('of slirp tell their ports and their network again', () => {
    fc.assert(
      fc.property(relays, fc.constantFrom(...slirp.SUBNETS), (made, subnet) => {
        const script = slirp.slirpScript(made, subnet);
        assert.deepEqual(relaysIn(script), made);
        assert.equal(slirp.subnetIn(script), made.length === 0 ? null : subnet);
      }),
    );
  });

  it('of the kernel tell their ports and their network again, whichever program asks the name servers', () => {
    const resolvers = fc.constantFrom(null, '/etc/resolv.conf');
    fc.assert(
      fc.property(relays, fc.constantFrom(...SUBNETS), resolvers, (made, subnet, file) => {
        const run = { relays: made, subnet, first: 2, resolvers: file, leases: "/tmp/it's here/leases" };
        const script = kernel.kernelScript(namesOf(NODE, 'mark'), run);
        assert.deepEqual(relaysIn(script), made);
        assert.equal(kernel.subnetIn(script), subnet);
        assert.equal(script.split('dnsmasq -k').length - 1, file === null ? 2 : 1);
      }),
    );
  });

  it('of the kernel let the host ask where its name servers are on the loopback', () => {
    const run = { relays: [], subnet: '192.168.122.0', first: 2, resolvers: null, leases: '/leases' };
    const script = kernel.kernelScript(namesOf(NODE, 'mark'), run);
    assert.match(script, /--no-resolv --server=192\.168\.122\.254;/);
    assert.match(script, /dnsmasq .*--listen-address=192\.168\.122\.254 /);
  });
});

describe('what the kernel has of a NAT', () => {
  it('has names that fit, of its own for each node, project and data directory', () => {
    const names = namesOf(NODE, 'mark');
    for (const name of [names.uplink, names.tap(4000)]) assert.ok(name.length <= 15, name);
    const others = [
      namesOf(NODE, 'other'),
      namesOf({ ...NODE, node_id: NODE.project_id }, 'mark'),
      namesOf({ ...NODE, project_id: NODE.node_id }, 'mark'),
    ];
    assert.equal(new Set([names, ...others].map(({ namespace }) => namespace)).size, 4);
    assert.deepEqual({ ...namesOf(NODE, 'mark'), tap: null }, { ...names, tap: null });
  });

  it('has rules in which nft finds the end of each', () => {
    const rules = rulesOf(namesOf(NODE, 'mark'), '192.168.122.0');
    // nft takes no `}` right behind a rule.
    assert.doesNotMatch(rules, /(masquerade|drop) *\}/);
    assert.match(rules, /ip saddr 192\.168\.122\.0\/24 oifname != "tlnat[0-9a-f]{8}" masquerade\n/);
  });
});

describe('a file of name servers', () => {
  it('serves others than the host when one of them is not on its loopback', () => {
    assert.equal(reachable('search x\nnameserver 127.0.0.53\noptions edns0\n'), false);
    assert.equal(reachable('nameserver 127.0.0.53\nnameserver 192.0.2.53'), true);
    assert.equal(reachable('nameserver fe80::1\n#nameserver 192.0.2.53\n'), false);
    assert.equal(reachable(''), false);
  });
});
