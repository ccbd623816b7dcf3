import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { releaseTunnels, takeTunnelPorts } from '../../../src/emulators/shared/desktop-vm/adapters.ts';
import { conflict } from '../../../src/common/errors.ts';
import { udpPortIsFree } from '../../../src/emulators/shared/host/ports-in-use.ts';

const isFree = (port: number): Promise<boolean> => udpPortIsFree('0.0.0.0', port);

describe('ports of the tunnels of a machine', () => {
  it('are two for each adapter; the machine’s own are nobody else’s until it takes them', async () => {
    const { tunnels, releasePorts } = await takeTunnelPorts([0, 3], async () => undefined);
    assert.deepEqual(
      tunnels.map(({ adapter }) => adapter),
      [0, 3],
    );
    assert.equal(new Set(tunnels.flatMap(({ fabric, peer }) => [fabric, peer])).size, 4);
    const free = () => Promise.all(tunnels.map(({ peer }) => isFree(peer)));
    assert.deepEqual(await free(), [false, false]);
    await releasePorts();
    await releasePorts();
    assert.deepEqual(await free(), [true, true]);
    releaseTunnels(tunnels);
  });

  it('are others when another took them first, but not endlessly', async () => {
    const tried: number[] = [];
    const quicker = (times: number) =>
      takeTunnelPorts([0], async ([tunnel]) => {
        tried.push(tunnel?.fabric ?? 0);
        if (tried.length <= times) throw conflict('the port is taken');
      });
    const { tunnels, releasePorts } = await quicker(2);
    assert.equal(tunnels[0]?.fabric, tried[2]);
    await releasePorts();
    releaseTunnels(tunnels);
    await assert.rejects(quicker(100), { status: 409 });
    await assert.rejects(
      takeTunnelPorts([0], () => Promise.reject(new Error('the fabric is gone'))),
      { message: 'the fabric is gone' },
    );
  });
});
