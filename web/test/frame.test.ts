import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPageLayout } from '../src/store/page-layout.ts';

const storageWith = (
  kept: string | null,
): { getItem: () => string | null; setItem: (k: string, v: string) => void } => {
  let value = kept;
  return { getItem: () => value, setItem: (_key, next) => (value = next) };
};

describe('the layout of the page', () => {
  it('is kept with each change', () => {
    const storage = storageWith(null);
    createPageLayout(storage).update((now) => ({ ...now, dock: 'right', hasPalette: false }));
    const { dock, hasPalette, hasInspector } = createPageLayout(storage).get();
    assert.deepEqual([dock, hasPalette, hasInspector], ['right', false, true]);
  });

  it('begins without the templates where they would lie over the map, and keeps what was asked for', () => {
    const storage = storageWith(null);
    const narrow = createPageLayout(storage, true);
    assert.equal(narrow.get().hasPalette, false);
    narrow.update((now) => ({ ...now, hasPalette: true }));
    assert.equal(createPageLayout(storage, true).get().hasPalette, true);
  });

  it('leaves out what makes no sense', () => {
    const first = createPageLayout(storageWith(null)).get();
    for (const kept of ['', '{', 'null', '[]', '{"dock":"above","hasPalette":1}'])
      assert.deepEqual(createPageLayout(storageWith(kept)).get(), first, kept);
    assert.equal(createPageLayout(storageWith('{"isTimeLineOpen":true}')).get().isTimeLineOpen, true);
  });
});
