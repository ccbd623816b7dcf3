import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leaseOf, natScript, partsOfScript, passtArguments, withoutNoise } from '../../../src/emulators/nat/passt.ts';

describe('the script of a NAT', () => {
  it('names the program and its sockets again, also where a path has blanks or quotes', () => {
    const place = fc
      .string({ minLength: 1, unit: fc.constantFrom('a', '.', '-', ' ', "'", '$', ';', '&', '(') })
      .map((name) => `/tmp/d${name}/x`);
    const ports = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(place, place, ports, (passt, directory, numbers) => {
        assert.deepEqual(partsOfScript(natScript(passt, directory, numbers)), { passt, directory });
      }),
    );
  });

  it('runs one program for each port, and none for a NAT without ports', () => {
    const script = natScript('/usr/bin/passt', '/tmp/d', [0, 3]);
    assert.deepEqual(script.match(/-s \S+/g), ['-s /tmp/d/0', '-s /tmp/d/3']);
    assert.equal(partsOfScript(natScript('/usr/bin/passt', '/tmp/d', [])), null);
  });
});

describe('the arguments of passt', () => {
  it('lease another address at each port, none of them the gateway', () => {
    const leases = Array.from({ length: 250 }, (_, port) => leaseOf(port));
    assert.equal(new Set(leases).size, 250);
    assert.ok(!leases.includes('192.168.122.1') && !leases.includes('192.168.122.255'));
    assert.match(passtArguments('/s', 1).join(' '), /-s \/s -a 192\.168\.122\.3 -n 24 -g 192\.168\.122\.1 -m 1500$/);
  });
});

describe('what passt says', () => {
  it('is told without its complaints about the system log', () => {
    const said = 'Failed to send 25 bytes to syslog\nUNIX socket: bad\nFailed to send 7 bytes to syslog\n\nexit\n';
    assert.equal(withoutNoise(said), 'UNIX socket: bad\n\nexit');
    assert.equal(withoutNoise(''), '');
  });
});
