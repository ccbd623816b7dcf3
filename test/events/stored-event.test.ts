import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeEvent, GENESIS, StoredEvent } from '../../src/events/encoding.ts';
import type { LogEvent } from '../../src/events/event.ts';

const KEYS = [
  ...(['position', 'project_id', 'version', 'type', 'v', 'at', 'by', 'request_id', 'cause', 'data'] as const),
  ...(['prev', 'hash'] as const),
];

const text = fc.string({ unit: 'binary' });
const anyEvent = fc.record({
  position: fc.nat(),
  project_id: fc.option(fc.uuid()),
  version: fc.nat(),
  type: fc.constantFrom('node.created', 'drawing.updated'),
  v: fc.integer({ min: 1, max: 9 }),
  at: fc.constant('2024-06-01T12:00:00.000Z'),
  by: fc.record({ principal: text, address: fc.option(text), agent: fc.option(text) }),
  request_id: fc.option(text),
  cause: fc.option(fc.nat()),
  data: fc.record({ svg: text, ',"data":': fc.jsonValue() }),
  prev: fc.constant(GENESIS),
});

describe('a stored event', () => {
  it('is what its text says, whatever it holds', () => {
    fc.assert(
      fc.property(anyEvent, (open) => {
        const { hash, text: stored } = encodeEvent(open);
        const event = new StoredEvent(stored);
        const expected = { ...(JSON.parse(stored) as LogEvent), hash };
        for (const key of KEYS) assert.deepEqual(event[key], expected[key], key);
      }),
    );
  });

  it('is refused where the text is none', () => {
    for (const wrong of ['', '{}', '{"position":1}', 'x'.repeat(400)])
      assert.throws(() => new StoredEvent(wrong), SyntaxError);
  });
});
