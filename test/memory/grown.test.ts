import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectGarbage, loadTrim, trimWhenGrown } from '../../src/memory/reclaim.ts';

const MIB = 2 ** 20;

describe('memory of a busy server', () => {
  it('is given back when it has grown since the last time, and not before', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let resident = 100 * MIB;
    let trims = 0;
    const stop = trimWhenGrown(
      () => {
        trims++;
        resident -= 5 * MIB;
      },
      () => resident,
    );
    const after = (grown: number): number => {
      resident += grown * MIB;
      t.mock.timers.tick(10_000);
      return trims;
    };
    assert.equal(after(7), 0);
    assert.equal(after(1), 1);
    // 103 are left; the engine gives 23 back, and they come again.
    assert.equal(after(7), 1);
    assert.equal(after(-30), 1);
    assert.equal(after(8), 2);
    stop();
    assert.equal(after(100), 2);
  });

  it("is the C library's as well, where that can be told", async (t) => {
    const trim = await loadTrim();
    if (trim === null) {
      t.skip('no koffi or no glibc here');
      return;
    }
    const resident = async (): Promise<number> => {
      await collectGarbage();
      trim();
      return process.memoryUsage.rss();
    };
    const before = await resident();
    // Small ones: those above 128 KiB go back to the system by themselves.
    let blocks: Buffer[] | null = Array.from({ length: 4000 }, () => Buffer.alloc(16 * 1024, 1));
    const kept = [blocks[3999]];
    const full = process.memoryUsage.rss();
    assert.ok(full > before + 50 * MIB);
    blocks = null;
    assert.ok((await resident()) < full - 40 * MIB);
    assert.equal(kept.length, 1);
  });
});
