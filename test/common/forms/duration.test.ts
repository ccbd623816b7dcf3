import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { duration, durationText } from '../../../src/common/forms/duration.ts';

test('reads a duration as text or as seconds, in milliseconds', () => {
  const given = ['500ms', '10s', '1.5s', '2m', '1h', 10, 0.25, 0];
  assert.deepEqual(
    given.map((value) => duration.parse(value)),
    [500, 10_000, 1_500, 120_000, 3_600_000, 10_000, 250, 0],
  );
});

test('says what would be right of what is no duration', () => {
  for (const value of [
    '10',
    'soon',
    '-1s',
    '10 s',
    '5d',
    -1,
    '25h',
    86_401,
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])
    assert.match(duration.safeParse(value).error?.issues[0]?.message ?? '', /such as 500ms, 10s or 2m/, String(value));
});

test('writes milliseconds as the shortest text, which reads as the same', () => {
  assert.deepEqual([0, 500, 10_000, 90_000, 120_000, 3_600_000].map(durationText), [
    '0s',
    '500ms',
    '10s',
    '90s',
    '2m',
    '1h',
  ]);
  fc.assert(fc.property(fc.integer({ min: 0, max: 86_400_000 }), (ms) => duration.parse(durationText(ms)) === ms));
});
