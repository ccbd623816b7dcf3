import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextFree, portIsFree, portsWithSockets } from '../../src/emulators/shared/host/ports-in-use.ts';

describe('console ports', () => {
  it('are free ports of the range as long as there are any', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.uniqueArray(fc.nat(60)), fc.nat(70), (size, taken, start) => {
        const used = new Set(taken);
        const port = nextFree([1, size], used, start);
        const free = Array.from({ length: size }, (_, n) => n + 1).filter((n) => !used.has(n));
        if (free.length === 0) assert.equal(port, null);
        else assert.ok(port !== null && free.includes(port));
      }),
    );
  });

  it('are looked for from the start given, and then from the beginning', () => {
    assert.equal(nextFree([10, 13], new Set()), 10);
    assert.equal(nextFree([10, 13], new Set([12]), 12), 13);
    assert.equal(nextFree([10, 13], new Set([12, 13]), 12), 10);
    assert.equal(nextFree([10, 13], new Set(), 99), 10);
  });

  it('are seen to be taken by another program, and free again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    assert.equal(await portIsFree('127.0.0.1', port), false);
    // Other systems than Linux have no such list.
    assert.notEqual((await portsWithSockets())?.has(port), false);
    assert.notEqual((await portsWithSockets())?.has(1), true);
    other.close();
    await once(other, 'close');
    assert.equal(await portIsFree('127.0.0.1', port), true);
  });
});
