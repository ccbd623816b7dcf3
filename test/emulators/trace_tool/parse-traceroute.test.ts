import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasBegun, parseTraceroute } from '../../../src/emulators/trace_tool/system-engine.ts';

const header = (address: string): string => `traceroute to host.example (${address}), 30 hops max, 60 byte packets\n`;

describe("what the system's traceroute prints", () => {
  it('gives the hops in their order, those that said nothing too', () => {
    const output = `${header('198.51.100.7')} 1  10.1.0.2  0.034 ms\n 2  *\n10  198.51.100.7  12 ms\n`;
    assert.deepEqual(parseTraceroute(output), {
      reached: true,
      hops: [
        { ttl: 1, address: '10.1.0.2', rtt_ms: 0.034 },
        { ttl: 2, address: null, rtt_ms: null },
        { ttl: 10, address: '198.51.100.7', rtt_ms: 12 },
      ],
    });
  });

  it('is no arrival when the last hop says that the destination is not to be had, or is another', () => {
    assert.equal(parseTraceroute(`${header('192.0.2.9')} 1  192.0.2.2  3050.1 ms !H\n`).reached, false);
    assert.equal(parseTraceroute(`${header('192.0.2.9')} 1  192.0.2.9  3050.1 ms !X\n`).reached, false);
    assert.equal(parseTraceroute(`${header('192.0.2.9')} 1  192.0.2.1  1 ms\n 2  *\n`).reached, false);
  });

  it('is read for IPv6 too, and when it was ended half-way', () => {
    const { reached, hops } = parseTraceroute(`${header('2001:db8::1')} 1  fd00::2  0.9 ms\n 2  2001:db`);
    assert.equal(reached, false);
    assert.deepEqual(hops, [{ ttl: 1, address: 'fd00::2', rtt_ms: 0.9 }]);
  });

  it('has begun with its first line, not with a complaint', () => {
    assert.equal(hasBegun(header('10.0.0.1')), true);
    assert.equal(hasBegun('nosuch.invalid: Name or service not known\nCannot handle "host" cmdline arg\n'), false);
    assert.equal(hasBegun(''), false);
    assert.deepEqual(parseTraceroute(''), { reached: false, hops: [] });
  });
});
