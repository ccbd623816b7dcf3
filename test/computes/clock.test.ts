import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockAhead } from '../../src/computes/client/client.ts';

describe('the clock of a compute', () => {
  const noon = Date.UTC(2026, 10, 23, 12);
  const at = (ms: number): string => new Date(ms).toUTCString();
  const quick = { sent: noon, received: noon + 100 };

  it('is the same where the second that it tells can be ours', () => {
    for (const ahead of [-900, 0, 100]) assert.equal(clockAhead(at(noon + ahead), quick), 0, String(ahead));
  });

  it('is ahead or behind by whole seconds', () => {
    assert.equal(clockAhead(at(noon + 37_000), quick), 37);
    assert.equal(clockAhead(at(noon - 120_000), quick), -120);
    assert.equal(clockAhead(at(noon + 1_000), quick), 1);
  });

  it('is not known by an answer without a time, or one that took long', () => {
    for (const none of [undefined, '', 'soon', ['a', 'b']]) assert.equal(clockAhead(none, quick), null);
    assert.equal(clockAhead(at(noon), { sent: noon, received: noon + 5_000 }), null);
  });
});
