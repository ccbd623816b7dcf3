import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sayMoment } from '../src/words/format.ts';
import { sentences } from '../src/words/german.ts';
import { sentencesIn } from '../src/words/sentences.ts';
import { otherObstacles, sayNote } from '../src/why/why.ts';

describe('what is in the way beside the first', () => {
  const obstacle = (key: string) => ({ code: 'no_address' as const, key, sentence: `${key} has no address` });
  const way = (...keys: string[]) => ({ hops: [], notes: [], obstacles: keys.map(obstacle) });

  it('is told once each, as the command does', () => {
    const why = { obstacle: { ...obstacle('PC1'), since: null }, request: way('PC1', 'PC2'), reply: way('PC2', 'PC1') };
    assert.deepEqual(otherObstacles(why), ['PC2 has no address']);
    assert.deepEqual(otherObstacles({ ...why, obstacle: null, request: way(), reply: way() }), []);
  });
});

describe('who did it', () => {
  const said = sentencesIn(sentences, (text) => text);
  const inGerman = (deed: string): string | undefined => said(`${deed} at T (event 3)`);

  it('is there in German, the weather too', () => {
    assert.deepEqual(
      [
        'The weather (Böen) suspended the link A e0 – B e0',
        'The weather crashed PC2',
        'anonymous set packet_loss to 100 % on the link A e0 – B e0',
        'ada removed the filter bpf from the link A e0 – B e0',
        'PC2 ended by itself with code 1',
      ].map(inGerman),
      [
        'Das Wetter (Böen) hat den Link A e0 – B e0 ausgesetzt, T (Ereignis 3)',
        'Das Wetter hat PC2 abstürzen lassen, T (Ereignis 3)',
        'Jemand hat packet_loss auf dem Link A e0 – B e0 auf 100 % gesetzt, T (Ereignis 3)',
        'ada hat vom Link A e0 – B e0 den Filter bpf entfernt, T (Ereignis 3)',
        'PC2 hat sich mit Code 1 beendet, T (Ereignis 3)',
      ],
    );
    assert.equal(said('the link A drops every 2nd frame'), 'der Link A verwirft jeden 2. Frame');
  });
});

describe('a note of the answer to why', () => {
  it('has the times of captures as the page has its clock', () => {
    const note = (time: string): string =>
      `the capture of PC1 e0 – PC2 e0 has 1 packet from 10.0.0.1 to 10.0.0.2, the last at ${time}, and none back`;
    const time = '2026-01-31T12:00:00.123Z';
    assert.equal(sayNote(note(time)), note(sayMoment(Date.parse(time))));
    assert.doesNotMatch(sayNote(note(time)), /T12|Z/);
  });
});
