import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Filters, WeatherEntry } from '../../src/events/fields.ts';
import { isClear, nextChange, nextStartOf, weatherAt, linkWeatherOf } from '../../src/projections/weather.ts';

const entry = (more: Partial<WeatherEntry>): WeatherEntry => ({ weather_id: 'w', at: 0, ...more });
const on = (entries: readonly WeatherEntry[], at: number, link = 'a') => linkWeatherOf(weatherAt(entries, at), link);

/** Every moment at which something changes, up to a last one. */
const changes = (entries: readonly WeatherEntry[], last: number): number[] => {
  const found: number[] = [];
  for (let at = nextChange(entries, -1); at !== null && at <= last; at = nextChange(entries, at)) found.push(at);
  return found;
};

describe('the weather at a moment', () => {
  it('has filters from their begin to before their end, on the links that are named', () => {
    const entries = [entry({ name: 'rain', at: 10, for: 20, links: ['a'], filters: { delay: [50] } })];
    assert.deepEqual(changes(entries, 1000), [10, 30]);
    assert.equal(on(entries, 9), null);
    assert.deepEqual(on(entries, 10), { filters: { delay: [50] } });
    assert.deepEqual(weatherAt(entries, 29).names, ['rain']);
    assert.equal(on(entries, 29, 'b'), null);
    assert.ok(isClear(weatherAt(entries, 30)));
  });

  it('lays what comes later in the list over what comes before, also where that is for one direction', () => {
    const entries = [
      entry({ filters: { 'delay>': [1], packet_loss: [5] } }),
      entry({ links: ['a'], filters: { delay: [9] } }),
      entry({ links: ['a'], suspend: true }),
    ];
    assert.deepEqual(on(entries, 5), { filters: { packet_loss: [5], delay: [9] }, suspend: true });
    assert.deepEqual(on(entries, 5, 'b'), { filters: { 'delay>': [1], packet_loss: [5] } });
  });

  it('goes evenly from the first values of a ramp to the last', () => {
    const entries = [entry({ for: 100, ramp: { from: { delay: [10, 4] }, to: { delay: [50, 4] }, steps: 5 } })];
    assert.deepEqual(changes(entries, 1000), [0, 20, 40, 60, 80, 100]);
    const delays = [0, 20, 40, 60, 80].map((at) => on(entries, at)?.filters['delay']);
    assert.deepEqual(
      delays,
      [10, 20, 30, 40, 50].map((ms) => [ms, 4]),
    );
  });

  it('begins a ramp without a begin at 0, and takes one of one step at its end', () => {
    const steps = (n: number) => [entry({ for: 100, ramp: { to: { rate: [64], bpf: ['arp'] }, steps: n } })];
    assert.deepEqual(on(steps(2), 0)?.filters, { rate: [0], bpf: ['arp'] });
    assert.deepEqual(on(steps(1), 0)?.filters, { rate: [64], bpf: ['arp'] });
  });

  it('takes links down and up, as often as there is time', () => {
    const entries = [entry({ at: 5, for: 70, flap: { down: 10, up: 20 } })];
    assert.deepEqual(changes(entries, 1000), [5, 15, 35, 45, 65, 75]);
    assert.deepEqual(
      [5, 15, 35, 45, 65, 75].map((at) => on(entries, at)?.suspend === true),
      [true, false, true, false, true, false],
    );
  });

  it('follows a trace, whose last point holds as long as the one before it', () => {
    const points = [{ time: 0, rate: 100 }, { time: 1, delay: 5, loss: 1 }, { time: 1.5 }];
    const entries = [entry({ at: 100, trace: { points } })];
    assert.deepEqual(changes(entries, 10_000), [100, 1100, 1600, 2100]);
    assert.deepEqual(
      [100, 1100, 1600].map((at) => on(entries, at)?.filters),
      [{ rate: [100] }, { delay: [5], packet_loss: [1] }, {}],
    );
    assert.equal(on(entries, 2100), null);
  });

  it('comes again, so often or for good', () => {
    const twice = entry({ name: 'gust', at: 10, for: 5, repeat: { every: 20, times: 2 }, suspend: true });
    assert.deepEqual(changes([twice], 1000), [10, 15, 30, 35]);
    const ever = { ...twice, repeat: { every: 20 } };
    assert.deepEqual(changes([ever], 100), [10, 15, 30, 35, 50, 55, 70, 75, 90, 95]);
    assert.deepEqual(
      [0, 10, 11, 31, 51].map((at) => nextStartOf([twice], 'gust', at)),
      [10, 10, 30, null, null],
    );
    assert.equal(nextStartOf([ever], 'calm', 0), null);
  });

  it('has nodes that are down', () => {
    const sky = weatherAt([entry({ for: 5, crash: ['r1', 'r2'] })], 4);
    assert.deepEqual([...sky.down], ['r1', 'r2']);
    assert.equal(linkWeatherOf(sky, 'a'), null);
  });

  const time = fc.integer({ min: 1, max: 300 });
  const what = fc.oneof(
    fc.constant({ suspend: true as const }),
    fc.record({ filters: fc.record({ delay: fc.tuple(fc.integer({ min: 1, max: 99 })) }) }),
    fc.record({ flap: fc.record({ down: time, up: time }) }),
    fc.record({
      ramp: fc.record({ to: fc.constant<Filters>({ delay: [100] }), steps: fc.integer({ min: 1, max: 20 }) }),
    }),
    fc.record({ crash: fc.constant<string[]>(['n']) }),
  );
  const entries = fc.array(
    fc
      .record({
        at: fc.integer({ min: 0, max: 300 }),
        lasts: time,
        what,
        gap: fc.nat(50),
        times: fc.integer({ min: 1, max: 4 }),
      })
      .map(({ at, lasts, what: effect, gap, times }) =>
        entry({ ...effect, at, for: lasts, repeat: { every: lasts + gap, times } }),
      ),
    { minLength: 1, maxLength: 4 },
  );

  it('changes only at the moments that are told, whatever it is made of', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const told = new Set(changes(given, 3_000));
        for (let at = 0; at < 3_000; at++)
          if (!told.has(at)) assert.deepEqual(weatherAt(given, at), weatherAt(given, at - 1), `at ${at}`);
        assert.equal(nextChange(given, 3_000), null);
        assert.ok(isClear(weatherAt(given, 3_000)));
      }),
      { numRuns: 60 },
    );
  });
});
