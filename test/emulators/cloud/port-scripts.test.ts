import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ethernetScript, servedBy, tapScript } from '../../../src/emulators/cloud/port-scripts.ts';

describe('what serves a port of a cloud', () => {
  it('tells its type, its interface and its UDP ports again', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,14}$/);
    const port = fc.integer({ min: 1, max: 65535 });
    fc.assert(
      fc.property(name, port, port, fc.boolean(), (of, fabric, socat, existed) => {
        const relay = { fabric, socat };
        const tap = servedBy(['/bin/sh', '-c', tapScript(of, relay, existed)]);
        assert.deepEqual(tap, { type: 'tap', interface: of, relay });
        const ethernet = servedBy(['/bin/sh', '-c', ethernetScript(of, relay)]);
        assert.deepEqual(ethernet, { type: 'ethernet', interface: of, relay });
      }),
    );
    assert.equal(servedBy(['socat', '-', 'TCP:127.0.0.1:7']), null);
  });
});
