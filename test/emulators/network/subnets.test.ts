import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf, routesIn, touches } from '../../../src/emulators/nat/subnets.ts';

const HEAD = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT';
/** As a machine with the least significant byte first writes it. */
const row = (destination: string, mask: string): string =>
  ['eth0', destination, '00000000', '0001', '0', '0', '0', mask, '0', '0', '0'].join('\t');

describe('routes of the host', () => {
  it('are read as networks, without those that lead to the rest of the world', () => {
    const table = [HEAD, row('00000000', '00000000'), row('00000080', '00000080'), row('007AA8C0', '00FFFFFF'), ''];
    assert.deepEqual(routesIn(table.join('\n'), 'LE'), [networkOf('192.168.122.0')]);
    assert.deepEqual(routesIn([HEAD, row('C0A87A00', 'FFFFFF00')].join('\n'), 'BE'), [networkOf('192.168.122.0')]);
    assert.deepEqual(routesIn(''), []);
  });

  it('touch a network when one is in the other', () => {
    const [wide] = routesIn([HEAD, row('0A000000', 'FF000000')].join('\n'), 'BE');
    const [narrow] = routesIn([HEAD, row('0A000280', 'FFFFFFFF')].join('\n'), 'BE');
    assert.ok(wide !== undefined && narrow !== undefined);
    assert.equal(touches(wide, networkOf('10.0.2.0')), true);
    assert.equal(touches(narrow, networkOf('10.0.2.0')), true);
    assert.equal(touches(narrow, networkOf('10.0.3.0')), false);
    assert.equal(touches(networkOf('192.168.122.0'), networkOf('192.168.123.0')), false);
    assert.equal(touches(networkOf('192.168.122.0'), networkOf('192.168.122.0')), true);
  });
});
