import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TopologError } from '../../src/common/errors.ts';
import { reverseFilters } from '../../src/common/forms/filters.ts';
import { FILTER_DESCRIPTIONS } from '../../src/fabric/filters/filters.ts';
import { normaliseFilters, toCableFilters } from '../../src/fabric/filters/parse.ts';

describe('the filters of a link', () => {
  it('become those of a cable', async () => {
    assert.deepEqual(
      await toCableFilters({ frequency_drop: [-1], packet_loss: [10], corrupt: [100], delay: [50, 10] }),
      { filters: { frequency_drop: -1, packet_loss: 10, corrupt: 100, delay: { latency_ms: 50, jitter_ms: 10 } } },
    );
  });

  it('that do nothing are left out', async () => {
    const filters = { frequency_drop: [0], packet_loss: ['0'], delay: [0, 0], bpf: [' \n '], corrupt: [] };
    assert.deepEqual(normaliseFilters({ bpf: [0] }), {});
    assert.deepEqual(normaliseFilters(filters), {});
    assert.deepEqual(await toCableFilters(filters), { filters: {} });
  });

  it('are kept as numbers, decimals too, and trimmed texts', async () => {
    assert.deepEqual(normaliseFilters({ packet_loss: [0.5], delay: ['1.9', -0], bpf: [' icmp \n'], other: [' 7 '] }), {
      packet_loss: [0.5],
      delay: [1.9, 0],
      bpf: ['icmp'],
      other: [7],
    });
    assert.deepEqual(await toCableFilters({ packet_loss: [2.5], delay: [0, 0.9] }), {
      filters: { packet_loss: 2.5, delay: { latency_ms: 0, jitter_ms: 0.9 } },
    });
  });

  it('are understood by the names that older servers gave them', async () => {
    assert.deepEqual(normaliseFilters({ latency: [10] }), { delay: [10] });
    assert.deepEqual(await toCableFilters({ latency: [10] }), { filters: { delay: { latency_ms: 10, jitter_ms: 0 } } });
    assert.deepEqual(normaliseFilters({ 'latency>': [10] }), { 'delay>': [10] });
  });

  it('that existing tools do not have become those of a cable', async () => {
    const given = { jitter: [3, 'Normal'], reorder: [10], duplicate: [1], burst_loss: [1, 20], rate: [64, 100] };
    assert.deepEqual(await toCableFilters(given), {
      filters: {
        jitter: { ms: 3, distribution: 'normal' },
        reorder: { chance: 10, gap: 1 },
        duplicate: 1,
        burst_loss: { begin: 1, end: 20, within: 100, between: 0 },
        rate: { kbit_s: 64, queue_ms: 100, queue_octets: 0 },
      },
    });
    assert.deepEqual(
      normaliseFilters({ jitter: [0, 'normal'], rate: [0, 100], burst_loss: [0, 20], reorder: [0, 5] }),
      {},
    );
  });

  it('act on one direction where their names end with it', async () => {
    assert.deepEqual(await toCableFilters({ packet_loss: [1], 'packet_loss>': [20], 'delay<': [5] }), {
      filters: { packet_loss: 1 },
      one_way: [{ packet_loss: 20 }, { delay: { latency_ms: 5, jitter_ms: 0 } }],
    });
    // Only beside the filter of both directions it says something that there is none.
    assert.deepEqual(normaliseFilters({ 'delay>': [0], 'corrupt<': [] }), {});
    assert.deepEqual(normaliseFilters({ delay: [9], 'delay>': [0] }), { delay: [9], 'delay>': [0] });
    const turned = { packet_loss: [1], 'delay>': [5], 'bpf<': ['icmp'] };
    assert.deepEqual(reverseFilters(turned), { packet_loss: [1], 'delay<': [5], 'bpf>': ['icmp'] });
  });

  it('are refused by name when unknown, too many, or of the wrong type', async () => {
    const bad: [Record<string, (number | string)[]>, RegExp][] = [
      [{ shuffle: [1] }, /shuffle.*frequency_drop/],
      [{ reorder: [1] }, /reorder needs a delay or jitter/],
      [{ 'reorder<': [1], 'delay>': [5] }, /reorder< needs a delay or jitter/],
      [{ 'jitter>': [5, 'gauss'] }, /distribution must be uniform, normal/],
      [{ packet_loss: [1, 2] }, /packet_loss takes 1 value, not 2/],
      [{ delay: [1, 2, 3] }, /delay takes 2 values, not 3/],
      [{ packet_loss: ['many'] }, /packet_loss.*0 to 100/],
      [{ delay: [10, -0.5] }, /delay: jitter must be a number from 0/],
      [{ delay: [5], reorder: [10, 1.5] }, /reorder: gap must be a whole number/],
      [{ frequency_drop: [1.5] }, /frequency_drop: frequency must be a whole number from -1/],
      [{ bpf: [5] }, /bpf takes a text/],
      [{ 'packet_loss>': [101] }, /packet_loss>: chance must be a number from 0 to 100/],
      [{ 'delay>>': [1] }, /there is no filter delay>;/],
      [{ constructor: [1] }, /constructor/],
    ];
    for (const [filters, message] of bad) {
      await assert.rejects(
        toCableFilters(filters),
        (error) => error instanceof TopologError && error.status === 400 && message.test(error.message),
      );
    }
  });

  it('are taken within the bounds that are described and refused outside', async () => {
    // One of the others needs a delay beside it.
    const numeric = FILTER_DESCRIPTIONS.filter(
      ({ type, parameters }) => parameters[0]?.type === 'int' && type !== 'reorder',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...numeric),
        fc.integer({ min: -40_000, max: 40_000 }),
        async (filter, value) => {
          const { minimum = 0, maximum = 0 } = filter.parameters[0] ?? {};
          const parsed = toCableFilters({ [filter.type]: [value] });
          if (value >= minimum && value <= maximum) await parsed;
          else await assert.rejects(parsed, new RegExp(`${filter.type}.*${minimum} to ${maximum}`));
        },
      ),
    );
  });
});
