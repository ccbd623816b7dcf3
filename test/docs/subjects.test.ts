import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const script = pathToFileURL(path.resolve('scripts/subjects.mjs')).href;
const { faultOf } = (await import(script)) as { faultOf: (subject: string) => string | null };

describe('the subject of a commit', () => {
  it('is an order', () => {
    for (const subject of [
      'fabric: add a filter',
      'cli: pass the caller on',
      'src/events: feed the fold one event at a time',
      'web: focus the console',
    ])
      assert.equal(faultOf(subject), null, subject);
    for (const subject of [
      'Add a filter',
      'fabric: added a filter',
      'fabric: adds a filter',
      'fabric: adding a filter',
      'fabric: Add a filter',
      'Map: zoom',
      'fabric: 2 filters',
      'fabric:',
      '',
    ])
      assert.notEqual(faultOf(subject), null, subject);
  });

  it('has at most 72 characters and no full stop', () => {
    assert.equal(faultOf(`cli: add ${'x'.repeat(63)}`), null);
    assert.match(faultOf(`cli: add ${'x'.repeat(64)}`) ?? '', /73 characters/);
    assert.match(faultOf('cli: add a filter.') ?? '', /full stop/);
  });
});
