import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sayMoment } from '../src/timeline/panes/words.ts';
import { sayNote } from '../src/why/why.ts';

describe('a note of the answer to why', () => {
  it('has the times of captures as the page has its clock', () => {
    const note = (time: string): string =>
      `the capture of PC1 e0 – PC2 e0 has 1 packet from 10.0.0.1 to 10.0.0.2, the last at ${time}, and none back`;
    const time = '2026-01-31T12:00:00.123Z';
    assert.equal(sayNote(note(time)), note(sayMoment(Date.parse(time))));
    assert.doesNotMatch(sayNote(note(time)), /T12|Z/);
  });
});
