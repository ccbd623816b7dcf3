import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SearchEntry, scoreOf, ranked } from '../src/app/search/ranking.ts';
import { commands, offer } from '../src/store/commands.ts';

const entry = (text: string, note = ''): SearchEntry => ({
  ...{ key: text, text, note, icon: 'eye', isDisabled: false },
  run: () => undefined,
});

describe('the search over everything', () => {
  it('finds every word in any order, the beginning of the text best', () => {
    assert.equal(scoreOf('Console of R1', 'r2'), null);
    assert.notEqual(scoreOf('Console of R1', 'r1 cons'), null);
    const entries = ['Console of PC1', 'PC10', 'PC1', 'the rack of PC1', 'xpc1'].map((text) => entry(text));
    assert.deepEqual(
      ranked(entries, 'pc1').map(({ text }) => text),
      ['PC1', 'PC10', 'Console of PC1', 'the rack of PC1', 'xpc1'],
    );
  });

  it('finds by what a thing is as well, and shows all in order without words', () => {
    const entries = [entry('b', 'Project'), entry('a', 'started')];
    assert.deepEqual(
      ranked(entries, 'project').map(({ text }) => text),
      ['b'],
    );
    assert.deepEqual(
      ranked(entries, ' ').map(({ text }) => text),
      ['b', 'a'],
    );
  });

  it('has what is offered for as long as it is offered', () => {
    const end = offer([{ id: '1', text: 'one', run: () => undefined }]);
    const later = offer(() => [{ id: '2', text: 'two', run: () => undefined }]);
    assert.deepEqual(
      commands.get().map((list) => (typeof list === 'function' ? list() : list).map(({ id }) => id)),
      [['1'], ['2']],
    );
    end();
    later();
    assert.deepEqual(commands.get(), []);
  });
});
