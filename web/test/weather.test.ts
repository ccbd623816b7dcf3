import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sayTimes } from '../src/weather/entry-text.ts';
import type { Entry } from '../src/weather/weather.ts';
import { speak } from '../src/words/words.ts';

const entry = (more: Partial<Entry>): Entry => ({ weather_id: 'w', at: '1s', ...more });
const point = (time: number) => ({ time, delay: 20, loss: 0 });

describe('when weather is there, in words', () => {
  const trace = entry({ at: '26s', trace: { points: [point(0), point(16)] } });
  const turns = entry({ for: '6s', repeat: { every: '45m', times: 2 } });

  it('says units as people do, and that a trace ends', () => {
    assert.equal(sayTimes(entry({})), 'from 1 s on');
    assert.equal(sayTimes(turns), 'at 1 s for 6 s, every 45 min, 2 times');
    assert.equal(sayTimes(trace), 'at 26 s for 32 s');
    assert.equal(sayTimes({ ...trace, for: '500ms' }), 'at 26 s for 500 ms');
  });

  it('is no clock time in German', async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await speak('de');
    const said = sayTimes(turns);
    await speak('en');
    assert.equal(said, 'nach 1 s, 6 s lang, alle 45 min, 2-mal');
  });
});
