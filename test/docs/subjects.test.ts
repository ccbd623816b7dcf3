import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const script = pathToFileURL(path.resolve('scripts/subjects.mjs')).href;
const { faultOf } = (await import(script)) as { faultOf: (subject: string) => string | null };

describe('the subject of a commit', () => {
  it('is an order', () => {
    for (const subject of [
      'Add a filter',
      'Pass the caller on',
      'Feed the fold one event at a time',
      'Focus the console',
    ])
      assert.equal(faultOf(subject), null, subject);
    for (const subject of [
      'Added a filter',
      'Adds a filter',
      'Adding a filter',
      'add a filter',
      'Map: zoom',
      '2 filters',
      '',
    ])
      assert.notEqual(faultOf(subject), null, subject);
  });

  it('has at most 72 characters and no full stop', () => {
    assert.equal(faultOf(`Add ${'x'.repeat(68)}`), null);
    assert.match(faultOf(`Add ${'x'.repeat(69)}`) ?? '', /73 characters/);
    assert.match(faultOf('Add a filter.') ?? '', /full stop/);
  });
});
