import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pauseAfter } from '../../src/computes/client/remote-compute.ts';
import { MOST_OF_SERVER } from '../../src/common/bounds.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab } from '../actors/test-lab.ts';

describe('computes that are away', () => {
  it('are asked every second for a minute, and then ever less often', () => {
    assert.deepEqual([0, 1, 2, 3, 59].map(pauseAfter), [250, 500, 1_000, 1_000, 1_000]);
    assert.deepEqual([60, 120, 600].map(pauseAfter), [2_000, 4_000, 30_000]);
  });

  it('are two hundred at most', async (t) => {
    const dir = await tempDir();
    const lab = await testLab({ dir: dir.path });
    t.after(async () => {
      await lab.close();
      await dir.remove();
    });
    const input = { protocol: 'http' as const, host: '127.0.0.1', port: 1 };
    const known = lab.records.pending.ofServer('compute');
    const full = new Array<(typeof known)[number]>(MOST_OF_SERVER.compute);
    lab.records.pending.ofServer = (() => full) as typeof lab.records.pending.ofServer;
    await assert.rejects(lab.commands.addCompute(CALLER, input), /at most 200 computes/);
  });
});
