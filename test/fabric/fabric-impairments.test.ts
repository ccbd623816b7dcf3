import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom, distributionOf, draw } from '../../src/fabric/filters/random.ts';
import { createPipeline } from '../../src/fabric/filters/pipeline.ts';
import type { CableFilters } from '../../src/fabric/protocol.ts';
import { createLab } from './lab.ts';

const frame = Uint8Array.from({ length: 100 }, (_, n) => n);
const SEED = 4242;

/** Waits of so many frames, one each millisecond; null: dropped. */
const waits = (filters: CableFilters, count: number, { every = 1, seed = SEED } = {}): (number | null)[] => {
  const pipeline = createPipeline(seed, 0, filters);
  return Array.from({ length: count }, (_, n) => pipeline.delayFor(n * every, frame.length));
};

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const near = (found: number, wanted: number, by: number): void =>
  assert.ok(Math.abs(found - wanted) < by, `${found}, not ${wanted} ± ${by}`);

describe('rate', () => {
  it('sends frames behind one another, each as long as its bits take', () => {
    // 100 octets at 100 kbit/s take 8 ms.
    assert.deepEqual(waits({ rate: { kbit_s: 100, queue_ms: 0, queue_octets: 0 } }, 4), [8, 15, 22, 29]);
    assert.deepEqual(waits({ rate: { kbit_s: 800, queue_ms: 0, queue_octets: 0 } }, 3), [1, 1, 1]);
    const rate = { kbit_s: 100, queue_ms: 0, queue_octets: 0 };
    assert.deepEqual(waits({ rate, delay: { latency_ms: 50, jitter_ms: 0 } }, 2), [58, 65]);
  });

  it('carries exactly what it is for, however much is offered', () => {
    fc.assert(
      fc.property(fc.integer({ min: 64, max: 100_000 }), fc.integer({ min: 1, max: 200 }), (kbit_s, queue_ms) => {
        const pipeline = createPipeline(SEED, 0, { rate: { kbit_s, queue_ms, queue_octets: 0 } });
        const arrivals: number[] = [];
        for (let now = 0; now < 2_000; now += 0.25) {
          const wait = pipeline.delayFor(now, 1_000);
          if (wait !== null) arrivals.push(now + wait);
        }
        const apart = arrivals.slice(1).map((at, n) => at - (arrivals[n] ?? 0));
        const each = 8_000 / kbit_s;
        assert.ok(apart.every((one) => one > each - 1e-6));
        if (each > 0.5) for (const one of apart) near(one, each, 1e-6);
      }),
      { numRuns: 50 },
    );
  });

  it('drops what finds its queue full, by time and by octets', () => {
    assert.deepEqual(waits({ rate: { kbit_s: 100, queue_ms: 10, queue_octets: 0 } }, 7), [
      ...[8, 15, null, null, null, null, 18],
    ]);
    // 200 octets are two frames, the one on its way included.
    const byOctets = waits({ rate: { kbit_s: 100, queue_ms: 0, queue_octets: 200 } }, 5, { every: 0 });
    assert.deepEqual(byOctets, [8, 16, null, null, null]);
    const pipeline = createPipeline(SEED, 0, { rate: { kbit_s: 100, queue_ms: 0, queue_octets: 50 } });
    assert.equal(pipeline.delayFor(0, 100), 8, 'a frame that is longer than the queue goes when nothing waits');
    assert.equal(pipeline.delayFor(0, 100), null);
    assert.equal(pipeline.counts.rate, 1);
  });
});

describe('jitter', () => {
  for (const distribution of ['normal', 'pareto', 'paretonormal'] as const)
    it(`draws ${distribution} around 0`, () => {
      const random = createRandom(SEED);
      const draws = Array.from({ length: 200_000 }, () => draw(distribution, random));
      near(meanOf(draws), 0, 0.02);
      // What is drawn by Pareto's has no fourth moment, so its sampled deviation settles slowly.
      const deviation = Math.sqrt(meanOf(draws.map((one) => one ** 2)));
      near(deviation, { normal: 1, pareto: 1, paretonormal: 0.97 }[distribution], 0.1);
    });

  it('draws normal as tables of the distribution have it', () => {
    const at = (u: number): number => draw('normal', () => u);
    for (const [u, wanted] of [
      [0.5, 0],
      [0.8413447460685429, 1],
      [0.9772498680518208, 2],
      [0.001349898031630095, -3],
    ] as const)
      near(at(u), wanted, 1e-7);
  });

  it('takes tables of netem, each of its numbers equally often', () => {
    const table = distributionOf('# two\n -8192 8192\n');
    assert.deepEqual(table, [-1, 1]);
    const draws = Array.from({ length: 1_000 }, (_, n) => draw(table, () => n / 1_000));
    assert.equal(meanOf(draws), 0);
    for (const bad of ['gauss', '5', '1 x', '1 2.5', '1 '.repeat(16_385)])
      assert.throws(
        () => distributionOf(bad),
        /distribution must be uniform, normal, pareto, paretonormal, or a table/,
      );
  });

  it('is beside the delay, and never before its frame', () => {
    const found = waits({ delay: { latency_ms: 20, jitter_ms: 0 }, jitter: { ms: 5, distribution: 'normal' } }, 20_000);
    const all = found.map((one) => one ?? assert.fail('dropped'));
    near(meanOf(all), 20, 0.2);
    assert.ok(all.some((one) => one > 30));
    assert.ok(waits({ jitter: { ms: 9, distribution: 'normal' } }, 1_000).every((one) => (one ?? -1) >= 0));
  });
});

describe('reorder', () => {
  const delay = { latency_ms: 10, jitter_ms: 0 };
  it('of 100 % lets every frame of its gap pass the others', () => {
    assert.deepEqual(waits({ delay, reorder: { chance: 100, gap: 3 } }, 7), [10, 10, 0, 10, 10, 0, 10]);
    assert.deepEqual(waits({ delay, reorder: { chance: 0, gap: 1 } }, 3), [10, 10, 10]);
  });

  it('takes its share', () => {
    const passed = waits({ delay, reorder: { chance: 25, gap: 1 } }, 100_000).filter((one) => one === 0).length;
    near(passed, 25_000, 4 * Math.sqrt(100_000 * 0.25 * 0.75));
  });
});

describe('burst_loss', () => {
  const lost = (burst_loss: NonNullable<CableFilters['burst_loss']>, count: number): boolean[] => {
    const pipeline = createPipeline(SEED, 0, { burst_loss });
    return Array.from({ length: count }, () => pipeline.pass(frame) === null);
  };

  it('loses as often as its two states say, in bursts as long as they last', () => {
    const all = lost({ begin: 1, end: 20, within: 100, between: 0 }, 500_000);
    const total = all.filter(Boolean).length;
    const bursts = all.filter((one, n) => one && all[n - 1] !== true).length;
    near(total / all.length, 1 / 21, 0.004);
    near(total / bursts, 5, 0.2);
  });

  it('is all or nothing at the ends of its range', () => {
    assert.ok(lost({ begin: 100, end: 0, within: 100, between: 0 }, 100).every(Boolean));
    assert.ok(!lost({ begin: 100, end: 0, within: 0, between: 100 }, 100).some(Boolean));
  });
});

describe('duplicate', () => {
  it('delivers a share of the frames twice', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { filters: { duplicate: 100 } }));
    a.send('one');
    a.send('two');
    const frames = await b.received(4);
    assert.deepEqual(
      frames.map((one) => Buffer.from(one).toString()),
      ['one', 'one', 'two', 'two'],
    );
    const pipeline = createPipeline(SEED, 0, { duplicate: 30 });
    const doubled = Array.from({ length: 100_000 }, () => pipeline.isDuplicated()).filter(Boolean).length;
    near(doubled, 30_000, 4 * Math.sqrt(100_000 * 0.3 * 0.7));
    assert.equal(pipeline.counts.duplicate, doubled);
  });
});

describe('all of them together', () => {
  const filters: CableFilters = {
    ...{ packet_loss: 5, duplicate: 10, delay: { latency_ms: 5, jitter_ms: 2 } },
    jitter: { ms: 3, distribution: 'pareto' },
    reorder: { chance: 20, gap: 2 },
    burst_loss: { begin: 2, end: 30, within: 90, between: 1 },
    rate: { kbit_s: 1_000, queue_ms: 40, queue_octets: 0 },
  };
  const fate = (seed: number, given: CableFilters): string => {
    const pipeline = createPipeline(seed, 1, given);
    const told = Array.from({ length: 2_000 }, (_, now) => {
      if (pipeline.pass(frame) === null) return 'lost';
      return [pipeline.delayFor(now, frame.length), pipeline.isDuplicated()].join(' ');
    });
    return told.join('\n');
  };

  it('decide the same for the same seed', () => {
    assert.equal(fate(SEED, filters), fate(SEED, filters));
    assert.notEqual(fate(SEED, filters), fate(SEED + 1, filters));
  });

  it('decide each by itself', () => {
    const losses = (given: CableFilters): string => fate(SEED, given).replaceAll(/^(?!lost).*$/gm, 'there');
    const { packet_loss = 0, burst_loss } = filters;
    assert.equal(losses(filters), losses({ packet_loss, ...(burst_loss === undefined ? {} : { burst_loss }) }));
  });
});
